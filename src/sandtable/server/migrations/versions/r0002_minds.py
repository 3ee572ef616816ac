"""What a bot keeps in mind from one question to the next lies beside its reason."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the column; bots that played before had nothing in mind."""
    with op.batch_alter_table("reasons") as table:
        table.add_column(sa.Column("mind", sa.Text, nullable=False, server_default="null"))
