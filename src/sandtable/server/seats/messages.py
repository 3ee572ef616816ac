"""What is said over the socket, both ways. Published as JSON Schema; a page mirrors it and knows nothing else.

A page says (`say` names the message) and is told (`tell` names it). Everything that a page says carries an `id` of its
own choosing, and whatever comes back because of it carries the same one. Situations and chat come unasked.

Questions, events, tables and previews are the engine's own structs, so a new ruleset changes nothing here.
"""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from sandtable.engine.events import AnyEvent
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.questions import AnyQuestion, Preview, Refusal
from sandtable.engine.shapes import Zone
from sandtable.engine.state import Condition, StandingOrder
from sandtable.engine.table import Deck, Ending, Ground, Thing, Value
from sandtable.telling.scene_lines import Scene

#: The least and the most that is read of anything.
MOST_TOKEN = 64
MOST_NAME = 40
MOST_CHAT = 500
#: What is no control character and turns no letters about: the only characters in titles, names and chat.
PLAIN = r"^[^\x00-\x1f\x7f-\x9f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]*$"

Id = Annotated[int, Meta(ge=0, le=1 << 53, description="Chosen by the page; what comes back carries it")]
Token = Annotated[str, Meta(min_length=1, max_length=MOST_TOKEN)]
SideName = Annotated[str, Meta(max_length=MOST_NAME, pattern=PLAIN)]
Fingerprint = Annotated[str, Meta(max_length=32, description="`asks` of the situation that the question came with")]


# What a page says -----------------------------------------------------------------------------------------------------


class Request(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="say"):
    """What every message of a page carries."""

    id: Id = 0


class Sit(Request, frozen=True, kw_only=True, tag="sit"):
    """Take a seat: always the first message, and again to change sides at a hot seat.

    `since` is how many events of this side's log the page has already; it is told the rest.
    """

    token: Token
    side: SideName = ""
    since: Annotated[int, Meta(ge=0)] = 0


class Draft(Request, frozen=True, tag="draft"):
    """Try an answer. With `part`, `answer` is a plan as far as it is said and `value` is tried for that part of it.

    `wants` asks for what takes longer to find out: what each ring of reach costs, range bands, who threatens a place.
    """

    question: Fingerprint = ""
    answer: Any = None
    part: Annotated[str, Meta(max_length=200)] = ""
    value: Any = None
    wants: Annotated[tuple[Literal["costs", "ranges", "threats"], ...], Meta(max_length=3)] = ()


class Answer(Request, frozen=True, tag="answer"):
    """Give an answer; none declines."""

    question: Fingerprint = ""
    answer: Any = None


class Undo(Request, frozen=True, tag="undo"):
    """Take the last answer back, up to the barrier."""


class AskUndo(Request, frozen=True, tag="ask undo"):
    """Ask the others to let one take one's last answer back though a barrier has come since, or ask no more.

    Bots agree at once.
    """

    asks: bool = True


class AnswerUndo(Request, frozen=True, kw_only=True, tag="answer undo"):
    """Agree to what another side asks to take back, or refuse."""

    agrees: bool


class Named(Request, frozen=True, kw_only=True, tag="name"):
    """Say what one is called: in the seats, and in what one says."""

    name: SideName


class Order(Request, frozen=True, tag="order"):
    """Give or withdraw a standing order: how questions under a rule are answered while the conditions hold."""

    rule: Annotated[str, Meta(max_length=200)] = ""
    answer: Any = None
    when: Annotated[tuple[Condition, ...], Meta(max_length=8)] = ()
    withdraw: bool = False


class Concede(Request, frozen=True, tag="concede"):
    """Give the battle up."""


class OfferDraw(Request, frozen=True, tag="draw"):
    """Offer a draw, or take the offer back; when all sides offer, the battle is drawn."""

    offers: bool = True


class Claim(Request, frozen=True, tag="claim"):
    """Claim the battle of a side that has been absent for the agreed time."""


class Chat(Request, frozen=True, kw_only=True, tag="chat"):
    """Say something to everybody at the table. It is data: nobody renders markup in it."""

    text: Annotated[str, Meta(min_length=1, max_length=MOST_CHAT, pattern=PLAIN)]


class Ping(Request, frozen=True, tag="ping"):
    """Ask whether the line is up."""


FromPage = (
    Sit | Draft | Answer | Undo | AskUndo | AnswerUndo | Named | Order | Concede | OfferDraw | Claim | Chat | Ping
)


# What a page is told --------------------------------------------------------------------------------------------------


class Told(msgspec.Struct, frozen=True, tag_field="tell"):
    """What every message to a page carries; 0: it comes unasked."""

    id: int = 0


class SeatShown(msgspec.Struct, frozen=True):
    """One seat as everybody sees it."""

    side: Side
    kind: str  # person, bot or hot seat
    name: str = ""
    bot: str = ""
    here: bool = False  # whether somebody sits there now


class Welcome(Told, frozen=True, kw_only=True, tag="welcome"):
    """Which battle this is and who one is in it."""

    battle: str
    ruleset: str
    version: str
    title: str = ""
    unit: str = ""
    scenario: str = ""
    role: str = "spectator"  # seat or spectator
    side: Side = NO_SIDE  # whose view one sees; empty for a spectator
    sides: tuple[Side, ...] = ()  # the sides that this link may sit at; several at a hot seat
    seats: tuple[SeatShown, ...] = ()
    seed: int | str | None = None  # only where somebody chose it
    options: dict[str, int | str] = {}
    minutes: int = 0  # what each clock begins with; 0: no clocks were agreed on
    increment: int = 0  # seconds that a clock gets whenever it has answered for now
    claim_after: int = 0  # seconds after which an absent player's battle may be claimed; 0: never
    open_journal: bool = False  # whether journal and forks may be had already
    chat: tuple["ChatLine", ...] = ()


class LogLine(msgspec.Struct, frozen=True, gc=False):
    """One event of a side's log, in words too."""

    event: AnyEvent
    words: str
    roll: str = ""  # dice, faces and parts in words, where dice fell
    said: int = 0  # how much had been said: the same in every log, and where a fork goes on from


class TableShown(msgspec.Struct, frozen=True):
    """A table as one side knows it, without its ground: that is sent only when it has changed."""

    sides: tuple[Side, ...]
    things: dict[str, Thing] = {}
    decks: dict[str, Deck] = {}
    secrets: dict[str, Value] = {}
    scores: dict[Side, int] = {}
    turn: int = 0
    phase: str = ""
    acting: tuple[str, ...] = ()
    ending: Ending | None = None
    options: dict[str, int | str] = {}


class Situation(Told, frozen=True, kw_only=True, tag="situation"):
    """How things stand for one seat: its view, its question, what it saw happen. Replaces all the page knew."""

    n: int  # how much everybody has heard said, the opening too; grows with all that is kept but standing orders
    side: Side = NO_SIDE
    digest: str = ""  # of the view
    ground: Ground | None = None  # none: as it was
    table: TableShown
    log_from: int = 0  # how many events of the log come before `log`
    log: tuple[LogLine, ...] = ()
    scenes: tuple[Scene, ...] = ()  # the log as a story, from the first scene that may be another than before
    question: AnyQuestion | None = None
    asks: str = ""  # its fingerprint, to be given back with drafts and answers
    waiting: tuple[str, ...] = ()  # the sides that are asked something now, oneself too
    may_undo: bool = False
    may_ask_undo: bool = False  # whether the others may be asked to let one's last answer be taken back
    asks_undo: str = ""  # the side that asks so
    clocks: tuple["ClockShown", ...] = ()
    measuring: bool = True  # whether the table lets this side measure now
    offers: tuple[str, ...] = ()  # the sides that offer a draw
    orders: tuple[StandingOrder, ...] | None = ()  # one's own standing orders; none: as they were
    claim: "ClaimShown | None" = None
    trouble: str = ""  # why the battle cannot go on, if it cannot
    zones: tuple[Zone, ...] = ()  # the parts of the table that mean something now
    slots: dict[str, dict[str, str]] = {}  # holder → slot → what players call it, where somebody is and it has words


class ClockShown(msgspec.Struct, frozen=True):
    """How much time a side has left, in milliseconds, and whether its clock runs."""

    side: Side
    left: int
    runs: bool


class ClaimShown(msgspec.Struct, frozen=True):
    """Whose absence may be claimed, and in how many seconds (0: now)."""

    side: Side
    seconds: int


class PartShown(msgspec.Struct, frozen=True):
    """An open part of a plan."""

    id: str
    question: AnyQuestion
    optional: bool = False


class Verdict(Told, frozen=True, kw_only=True, tag="verdict"):
    """What a draft comes to: a refusal, or a preview. For a plan its open parts too."""

    question: str = ""
    refusal: Refusal | None = None
    preview: Preview | None = None
    parts: tuple[PartShown, ...] | None = None  # only for a plan: what may still be said
    clipped: Any = None  # of a path that is refused: as much of it as may be walked, to which the preview belongs
    late: bool = False  # it took too long to judge or to preview; the answer may be given all the same


class Kept(Told, frozen=True, kw_only=True, tag="kept"):
    """What was said is kept: it is in storage and will not be lost. Its situation comes by itself, before or after.

    `n` is that situation's, or the line's for chat.
    """

    n: int


class Refused(Told, frozen=True, kw_only=True, tag="refused"):
    """What was said is against the rules, and nothing has changed."""

    refusal: Refusal


class Wrong(Told, frozen=True, kw_only=True, tag="wrong"):
    """What was said could not be taken, for a reason that is not in the rules. `why` says which, for a program.

    form: not a message; stale: the question is not open any more; newer: a newer draft has come; taken: somebody else
    was quicker, a fresh situation follows; seat: this seat may not; limit: too much of it, or too long; claim: nobody
    has been away for the agreed time; storage: it could not be kept, nothing changed; unknown: storage does not answer,
    so it may have been kept or not, and the next situation tells; trouble: the battle cannot go on; gone: there is no
    such link. A trouble that comes unasked is everybody's; a situation follows when it is over.
    """

    why: str
    words: str


class ChatLine(msgspec.Struct, frozen=True):
    """One line of chat: who, when (seconds since 1970) and what."""

    n: int
    side: Side  # empty for a spectator
    name: str
    at: int
    text: str


class ChatSaid(Told, frozen=True, kw_only=True, tag="chat"):
    """Somebody said something."""

    line: ChatLine


class Presence(Told, frozen=True, kw_only=True, tag="presence"):
    """Who sits at the table now."""

    seats: tuple[SeatShown, ...]
    spectators: int = 0


class Pong(Told, frozen=True, tag="pong"):
    """The line is up."""


ToPage = Welcome | Situation | Verdict | Kept | Refused | Wrong | ChatSaid | Presence | Pong

_ANCHOR = "#/components/schemas/{name}"


def _anything(kind: type) -> dict[str, Any]:
    """The schema of a field that takes any plain data, such as the answer of a standing order."""
    if kind is object:
        return {"description": "Any plain data"}
    raise NotImplementedError(kind)


def socket_schema() -> dict[str, Any]:
    """The JSON Schema of all socket messages: what a page may say, what it may be told.

    >>> sorted(socket_schema()["said"]["discriminator"]["mapping"])[:3]
    ['answer', 'answer undo', 'ask undo']
    """
    (said, told), components = msgspec.json.schema_components(
        (FromPage, ToPage), schema_hook=_anything, ref_template=_ANCHOR
    )
    return {"said": said, "told": told, "components": {"schemas": components}}
