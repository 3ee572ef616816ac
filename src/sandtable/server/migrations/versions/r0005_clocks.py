"""Clocks that players agreed on, and the turn that a battle has come to."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the columns; battles that are there have no clocks, and their turn is known with the next entry."""
    with op.batch_alter_table("battles") as table:
        table.add_column(sa.Column("clocks", sa.Text, nullable=False, server_default=""))
        table.add_column(sa.Column("turn", sa.Integer, nullable=False, server_default="0"))
