"""The first tables: battles, what was said in them, seats, links, snapshots, chat and bots' reasons."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "battles",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("ruleset", sa.String(64), nullable=False),
        sa.Column("version", sa.String(64), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("scenario", sa.Text, nullable=False),
        sa.Column("header", sa.Text, nullable=False),
        sa.Column("seed_chosen", sa.Boolean, nullable=False),
        sa.Column("open_journal", sa.Boolean, nullable=False),
        sa.Column("claim_after", sa.Integer, nullable=False),
        sa.Column("pace", sa.Integer, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("ended", sa.Boolean, nullable=False),
        sa.Column("winner", sa.String(64), nullable=False),
        sa.Column("waiting", sa.Text, nullable=False),
        sa.Column("begun", sa.BigInteger, nullable=False),
        sa.Column("last", sa.BigInteger, nullable=False),
    )
    op.create_index("battles_going_on", "battles", ["ended", "last"])
    op.create_table(
        "entries",
        _battle(),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("lines", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "seats",
        _battle(),
        sa.Column("side", sa.String(64), primary_key=True),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("kind", sa.String(16), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("bot", sa.String(64), nullable=False),
        sa.Column("seen", sa.BigInteger, nullable=False),
    )
    op.create_table(
        "links",
        sa.Column("token_hash", sa.String(64), primary_key=True),
        sa.Column("battle", sa.String(32), sa.ForeignKey("battles.id", ondelete="CASCADE"), nullable=False),
        sa.Column("role", sa.String(16), nullable=False),
        sa.Column("sides", sa.Text, nullable=False),
    )
    op.create_index("links_of_battle", "links", ["battle"])
    op.create_table(
        "snapshots",
        _battle(),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("events", sa.Integer, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
    )
    op.create_table(
        "chat",
        _battle(),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("side", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "reasons",
        _battle(),
        sa.Column("n", sa.Integer, primary_key=True),
        sa.Column("side", sa.String(64), nullable=False),
        sa.Column("words", sa.Text, nullable=False),
    )


def downgrade() -> None:
    """Take them away."""
    for table in ("reasons", "chat", "snapshots", "links", "seats", "entries", "battles"):
        op.drop_table(table)


def _battle() -> sa.Column[str]:
    return sa.Column("battle", sa.String(32), sa.ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)
