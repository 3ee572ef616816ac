"""What goes over HTTP: the bodies of requests and answers. They make the OpenAPI description."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from sandtable.engine.ids import Side
from sandtable.engine.ruleset import MOST_SIZE
from sandtable.engine.table import Ground
from sandtable.forces.roster import Choice, Closed, Roster
from sandtable.forces.scenario import Scenario
from sandtable.server.seats.messages import PLAIN, LogLine, SeatShown, TableShown, Token

Name = Annotated[str, Meta(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_.-]+$")]
Words = Annotated[str, Meta(max_length=40, pattern=PLAIN)]
#: No file that somebody sends as text is longer.
MOST_TEXT = 200_000
FileText = Annotated[str, Meta(max_length=MOST_TEXT)]
MOST_KNOWN = 100


class Health(msgspec.Struct, frozen=True):
    """Whether the server and its storage answer."""

    storage: bool
    version: str
    database: str


class Problem(msgspec.Struct, frozen=True):
    """Why a request was not served: a word for programs, a sentence for people."""

    why: str
    words: str


# Rulesets -------------------------------------------------------------------------------------------------------------


class ScenarioShown(msgspec.Struct, frozen=True):
    """A scenario that comes with a ruleset."""

    name: str
    title: str = ""
    about: str = ""
    sides: tuple[Side, ...] = ()
    size_counts: str = ""
    size_default: int = 0
    size_least: int = 0
    size_most: int = 0


class StateLook(msgspec.Struct, frozen=True):
    """How a state is shown: a shape word for its badge, and whether it helps or hinders."""

    shape: str = ""
    helps: bool = False
    words: str = ""
    hinders: tuple[str, ...] = ()  # values with which it hinders, though it helps else


class TerrainShown(msgspec.Struct, frozen=True):
    """A kind of terrain that a board may have: how high it rises by itself, and whether it is built of contours."""

    id: str
    words: str
    height: int = 0
    contoured: bool = False


class HeldShown(msgspec.Struct, frozen=True):
    """A card that a side may hold in its hand: what is printed on it, and the rule that says so."""

    name: str
    text: str
    rule: str


class RulesetShown(msgspec.Struct, frozen=True):
    """A ruleset: what a page needs to offer and to draw it."""

    name: str
    title: str
    version: str
    unit: str
    unit_mark: str
    size: str
    scenarios: tuple[ScenarioShown, ...] = ()
    words: dict[str, str] = {}  # its ids → as players say them
    notes: tuple[str, ...] = ()  # states that its rules keep for themselves (`not `: that they end), and the like
    looks: dict[str, StateLook] = {}  # its states → how a badge shows them
    held: dict[str, HeldShown] = {}  # the cards that sides may hold in their hands
    chapters: tuple[str, ...] = ()
    rules: int = 0
    faces: bool = True  # whether its models face somewhere
    free_measuring: bool = True  # whether anybody may measure at any time
    kinds: tuple[TerrainShown, ...] = ()
    begin_with: str = ""  # the scenario that is offered first: its own choice where none is named
    rosters: bool = False  # whether it counts points, or says itself what may be bought
    level: int = 1  # how much of a piece's height is drawn as one


class RuleShown(msgspec.Struct, frozen=True):
    """One rule of the ledger."""

    id: str
    title: str
    kind: str
    chapter: str
    text: str
    ruling: str = ""
    examples: tuple[tuple[str, str, str], ...] = ()  # given, when, then
    data: Any = None


class CardShown(msgspec.Struct, frozen=True):
    """A card of the catalogue: what every ruleset shows, and its numbers as the ruleset names them."""

    id: str
    name: str
    kind: str
    points: int
    glyph: str
    base: dict[str, Any]
    height: int
    stats: Any
    rule: str = ""


class BotShown(msgspec.Struct, frozen=True):
    """A bot that may take a seat: its name, what a level of the opponent is called, sees and overlooks; whether it is a
    good one to begin with."""

    name: str
    title: str = ""
    about: str = ""
    suggested: bool = False


# Scenarios ------------------------------------------------------------------------------------------------------------


class TextSent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario or a roster as the text of a file."""

    text: FileText


class FormSent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A scenario or a roster as a form, lengths in thousandths: what an editor works on."""

    form: dict[str, Any]


class ScenarioChecked(msgspec.Struct, frozen=True):
    """What a scenario comes to: its form, its text, the ground it makes and what its rules are called; or what is wrong
    with it, and where."""

    form: Scenario | None = None
    text: str = ""
    ground: Ground | None = None
    titles: dict[str, str] = {}
    wrong: str = ""
    line: int = 0


class TerrainWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A board to be filled at random."""

    width: Annotated[int, Meta(ge=6000, le=240_000)]
    height: Annotated[int, Meta(ge=6000, le=240_000)]
    seed: Annotated[int, Meta(ge=0, le=1 << 31)] | None = None


class TerrainMade(msgspec.Struct, frozen=True):
    """A board that was filled, and the seed that does it again."""

    seed: int
    ground: Ground
    pieces: list[dict[str, Any]]  # as a scenario's board lists them


# Rosters --------------------------------------------------------------------------------------------------------------


class ChargeShown(msgspec.Struct, frozen=True):
    """One line of a bill."""

    what: str
    each: int
    count: int
    total: int
    rule: str = ""


class FindingShown(msgspec.Struct, frozen=True):
    """One thing that the rules have to say of a roster: an error breaks a rule, what is missing one asks for."""

    severity: str
    rule: str
    sentence: str
    at: tuple[str | int, ...] = ()  # the keys and numbers that lead to it in the form
    line: int = 0


class TallyShown(msgspec.Struct, frozen=True):
    """Something that is counted in a roster: how many there are, how many there may be, and whether that is kept."""

    what: str
    found: int
    bounds: str
    kept: bool
    rule: str
    at: tuple[str | int, ...] = ()
    sum: str = ""


class RosterChecked(msgspec.Struct, frozen=True):
    """What a roster comes to: its form, its text, its points and what the rules say; or what is wrong with the file."""

    form: Roster | None = None
    text: str = ""
    points: int = 0
    limit: int | None = None
    lawful: bool = False
    charges: tuple[ChargeShown, ...] = ()
    findings: tuple[FindingShown, ...] = ()
    tallies: tuple[TallyShown, ...] = ()
    choices: tuple[Choice, ...] = ()  # the options of its units
    closed: tuple[Closed, ...] = ()  # the cards that may not be taken now, by unit
    wrong: str = ""
    line: int = 0


# Battles --------------------------------------------------------------------------------------------------------------


class SeatWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Who shall play a side."""

    side: Words
    kind: Literal["person", "bot", "hot seat"] = "person"
    name: Words = ""
    bot: Words = ""


class ClockWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The clock of each person: minutes to begin with, and seconds that are added whenever others are asked."""

    minutes: Annotated[int, Meta(ge=1, le=1440)]
    increment: Annotated[int, Meta(ge=0, le=3600)] = 0


class BattleWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battle to be begun. Sides that are not named are played by people; all seats of the kind `hot seat` share a
    link. `pace` is the least time between two answers of bots, in milliseconds, for whoever likes to watch.
    """

    ruleset: Name
    scenario: Annotated[str, Meta(max_length=64, pattern=r"^[A-Za-z0-9_-]*$")] = ""
    text: FileText = ""  # the text of a scenario file, instead of a name
    size: Annotated[int, Meta(ge=0, le=MOST_SIZE)] = 0
    rosters: Annotated[dict[Words, FileText], Meta(max_length=8)] = {}  # side → the text of the roster it brings
    seats: Annotated[tuple[SeatWanted, ...], Meta(max_length=8)] = ()
    seed: Annotated[int, Meta(ge=0, le=1 << 53)] | Annotated[str, Meta(max_length=40)] | None = None
    claim_after: Annotated[int, Meta(ge=0, le=31_536_000)] = 0
    pace: Annotated[int, Meta(ge=0, le=10_000)] = 0
    clock: ClockWanted | None = None  # none: everybody thinks as long as he likes
    title: Annotated[str, Meta(max_length=80, pattern=PLAIN)] = ""


class LinkMade(msgspec.Struct, frozen=True):
    """An unguessable link. The token is told this once and stored hashed; it goes behind the `#` of an address."""

    token: str
    role: str
    sides: tuple[Side, ...] = ()


class BattleMade(msgspec.Struct, frozen=True):
    """A battle that was begun, and its links."""

    battle: str
    links: tuple[LinkMade, ...]


class TokensKnown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tokens a page keeps: it asks which battles they open."""

    tokens: Annotated[tuple[Token, ...], Meta(max_length=MOST_KNOWN)]


class BattleShown(msgspec.Struct, frozen=True):
    """A battle in a list, for one link."""

    battle: str
    ruleset: str
    title: str
    role: str
    sides: tuple[Side, ...]
    seats: tuple[SeatShown, ...]
    n: int
    ended: bool
    winner: Side
    begun: int
    last: int
    your_turn: bool = False
    scenario: str = ""
    waiting: tuple[str, ...] = ()  # the sides that are asked something
    turn: int = 0
    token: int = 0  # which of the tokens that were sent opens it


class ForkWanted(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A battle that goes on from a moment of another, with fresh dice."""

    at: Annotated[int, Meta(ge=0)]  # how much had been said: `said` of a line of any log
    seats: Annotated[tuple[SeatWanted, ...], Meta(max_length=8)] = ()


class LogShown(msgspec.Struct, frozen=True):
    """A stretch of a log."""

    total: int
    first: int
    lines: tuple[LogLine, ...]


class MomentShown(msgspec.Struct, frozen=True):
    """The table after an event of a log, as its side knew it."""

    n: int
    total: int
    ground: Ground
    table: TableShown
    line: LogLine | None = None


class ReasonShown(msgspec.Struct, frozen=True):
    """Why a bot answered as it did; the lines of any log with the same `said` tell what came of it."""

    said: int
    side: Side
    words: str
