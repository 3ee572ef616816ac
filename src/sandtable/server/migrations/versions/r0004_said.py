"""How much everybody has heard said in a battle, apart from how many entries it has: standing orders are secret.

And a mark on every entry, by which whoever wrote it knows it again where the reply of the database was lost.
"""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the columns, and count what is there."""
    with op.batch_alter_table("battles") as table:
        table.add_column(sa.Column("said", sa.Integer, nullable=False, server_default="1"))
    with op.batch_alter_table("entries") as table:
        table.add_column(sa.Column("mark", sa.String(32), nullable=False, server_default=""))
    entries = sa.table("entries", sa.column("battle", sa.String), sa.column("lines", sa.Text))
    battles = sa.table("battles", sa.column("id", sa.String), sa.column("said", sa.Integer))
    heard = sa.and_(entries.c.battle == battles.c.id, entries.c.lines.not_like('{"line":"order"%'))
    count = sa.select(sa.func.count()).select_from(entries).where(heard).scalar_subquery()
    op.execute(battles.update().values(said=count))
