"""Claims and expiry go by the time that the table was served, not by the clock on the wall."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add the clock, and when a battle last asked and was visited; for those that are there, all begins now."""
    op.create_table(
        "clock",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("served", sa.BigInteger, nullable=False),
    )
    op.execute("INSERT INTO clock (id, served) VALUES (1, 0)")
    with op.batch_alter_table("battles") as table:
        table.add_column(sa.Column("asked", sa.BigInteger, nullable=False, server_default="0"))
        table.add_column(sa.Column("visited", sa.BigInteger, nullable=False, server_default="0"))
    with op.batch_alter_table("seats") as table:
        table.add_column(sa.Column("left", sa.BigInteger, nullable=False, server_default="0"))
