"""The tables that battles are kept in. `migrations/` makes them; a test holds the two together."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Index, Integer, MetaData, String, Table, Text

metadata = MetaData()


def _battle() -> Column[str]:
    return Column("battle", String(32), ForeignKey("battles.id", ondelete="CASCADE"), primary_key=True)


battles = Table(
    "battles",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("ruleset", String(64), nullable=False),
    Column("version", String(64), nullable=False),
    Column("title", Text, nullable=False),
    Column("scenario", Text, nullable=False),
    Column("header", Text, nullable=False),  # the journal's first line; holds the seed, so it never leaves alone
    Column("seed_chosen", Boolean, nullable=False),
    Column("open_journal", Boolean, nullable=False),  # hot seat and solo battles
    Column("claim_after", Integer, nullable=False),
    Column("pace", Integer, nullable=False),  # milliseconds between two answers of bots
    Column("n", Integer, nullable=False),  # how many entries it has
    Column("said", Integer, nullable=False, server_default="1"),  # how much everybody has heard said
    Column("ended", Boolean, nullable=False),
    Column("winner", String(64), nullable=False),
    Column("waiting", Text, nullable=False),  # the sides that are asked, as a JSON list
    Column("begun", BigInteger, nullable=False),
    Column("last", BigInteger, nullable=False),
    Column("asked", BigInteger, nullable=False, server_default="0"),  # when what is asked now was asked, by the clock
    Column("visited", BigInteger, nullable=False, server_default="0"),  # when somebody was last there, by the clock
    Column("clocks", Text, nullable=False, server_default=""),  # those that were agreed on, as JSON
    Column("turn", Integer, nullable=False, server_default="0"),
    Index("battles_going_on", "ended", "last"),
)

#: What was said and what came of it: the lines of the journal from one thing said to the next. Entry 0 is the opening.
#: The primary key is what lets exactly one of two workers answer a question.
entries = Table(
    "entries",
    metadata,
    _battle(),
    Column("n", Integer, primary_key=True),
    Column("lines", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("mark", String(32), nullable=False, server_default=""),  # whose it is: whoever wrote it knows it
)

seats = Table(
    "seats",
    metadata,
    _battle(),
    Column("side", String(64), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("kind", String(16), nullable=False),  # person, bot, hot seat
    Column("name", Text, nullable=False),
    Column("bot", String(64), nullable=False),
    Column("seen", BigInteger, nullable=False),  # when somebody last sat there
    Column("left", BigInteger, nullable=False, server_default="0"),  # the same by the clock below
)

#: One row: for how many seconds the table has been served.
clock = Table(
    "clock",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=False),
    Column("served", BigInteger, nullable=False),
)

links = Table(
    "links",
    metadata,
    Column("token_hash", String(64), primary_key=True),
    Column("battle", String(32), ForeignKey("battles.id", ondelete="CASCADE"), nullable=False),
    Column("role", String(16), nullable=False),
    Column("sides", Text, nullable=False),
    Index("links_of_battle", "battle"),
)

#: The latest snapshot of each battle, from which any worker goes on.
snapshots = Table(
    "snapshots",
    metadata,
    _battle(),
    Column("n", Integer, nullable=False),  # how many entries there were when it was taken
    Column("place", Integer, nullable=False),  # before which of the journal's lines it stands
    Column("events", Integer, nullable=False),
    Column("state", Text, nullable=False),
)

chat = Table(
    "chat",
    metadata,
    _battle(),
    Column("n", Integer, primary_key=True),
    Column("side", String(64), nullable=False),
    Column("name", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("text", Text, nullable=False),
)

reasons = Table(
    "reasons",
    metadata,
    _battle(),
    Column("n", Integer, primary_key=True),
    Column("side", String(64), nullable=False),
    Column("words", Text, nullable=False),
    Column("mind", Text, nullable=False),  # what the bot keeps for its next question, as JSON
)
