"""The eight kinds of question a ruleset may ask, the answers they take, and what a draft gets back.

A question is plain data: a page, a terminal, a bot or a socket can show it without knowing the ruleset. `topic` is the
ruleset's word for it, by which its judge and its preview are found. An answer of `None` declines: it takes `default`
where there is one, and is lawful without one only where `decline` says what declining means.
"""

import hashlib
from typing import Any, ClassVar, NamedTuple

import msgspec

from sandtable.engine.explain import Explanation
from sandtable.engine.ids import NO_RULE, RuleId, Side
from sandtable.engine.shapes import Point, Region, Shape, Spot, Walk

UNTIL_ALL_ANSWER = "until all answer"
UNTIL_REVEALED = "until revealed"


class Refusal(msgspec.Struct, frozen=True, gc=False, omit_defaults=True):
    """The player may not do that: the rule that forbids, and one sentence in table language.

    Where several rules forbid just that, each in so many words, the others stand in `also`.
    """

    rule: RuleId
    sentence: str
    also: tuple[RuleId, ...] = ()

    @property
    def rules(self) -> tuple[RuleId, ...]:
        """Every rule that forbids it, the first that is named first."""
        return (self.rule, *self.also)


class Option(msgspec.Struct, frozen=True, gc=False):
    """One thing to choose: its id, its words, what it is about and the rules behind it.

    One that may not be chosen now stays on the list with the reason in `refused`, and its first rule forbids it. The
    reason is worked out when somebody looks (`judging.offered`): a battle that is answered, cloned or played by
    programs needs no more than the one that is chosen. Only what is asked by nobody before somebody looks, a part of a
    plan, or costs nothing to know is said along with the question.
    """

    id: str
    label: str = ""
    about: tuple[str, ...] = ()
    rules: tuple[RuleId, ...] = ()
    refused: str = ""
    loses: tuple[str, ...] = ()  # what it gives away for good, where somebody looks: "2 actions"
    also: tuple[RuleId, ...] = ()  # other rules that forbid it too


def closed(option: Option, why: Refusal | None) -> Option:
    """An option that may not be chosen says so itself, and by which rule; any other is left as it is.

    >>> closed(Option("fly", rules=("r.go",)), Refusal("r.wings", "Nobody here has wings.")).rules
    ('r.wings',)
    """
    if why is None:
        return option
    return msgspec.structs.replace(option, rules=(why.rule,), refused=why.sentence, also=why.also)


class ReactOption(msgspec.Struct, frozen=True, gc=False):
    """One way to break in: who does it, what it costs, how much may be put in; `refused` and `loses` as in `Option`."""

    id: str
    label: str = ""
    actor: str = ""
    cost: dict[str, int] = {}
    rules: tuple[RuleId, ...] = ()
    amount_least: int = 0
    amount_most: int = 0
    refused: str = ""
    loses: tuple[str, ...] = ()


class Reaction(msgspec.Struct, frozen=True, gc=False):
    """The answer to a react: which option, where along the stretch, how much. Passing is declining."""

    option: str
    along: int | None = None
    amount: int = 0


class Together(msgspec.Struct, frozen=True, gc=False):
    """What must hold between several things that are placed or moved at once."""

    within: int | None = None  # each within this of another of them
    touching: bool = False
    rule: RuleId = NO_RULE
    label: str = ""


class MarkAsked(msgspec.Struct, frozen=True, gc=False):
    """A mark a mover may, or must, set on its path."""

    id: str
    label: str = ""
    required: bool = False
    first: bool = False  # what is marked was declared before the move: it is usually made at its start, else at its end


class Question(msgspec.Struct, frozen=True, gc=False, tag_field="kind"):
    """What every question carries."""

    side: Side
    prompt: str
    topic: str = ""
    about: tuple[str, ...] = ()
    rules: tuple[RuleId, ...] = ()
    sealed: str = ""
    shows: tuple[str, ...] = ()  # which of distance, reach, sight, odds a preview may hold
    facts: dict[str, int] = {}  # what standing orders may ask about
    decline: str = ""

    #: What an answer is decoded into.
    answer_type: ClassVar[Any] = Any


class ChooseOne(Question, frozen=True, tag="choose one"):
    options: tuple[Option, ...] = ()
    default: str | None = None

    answer_type: ClassVar[Any] = str


class ChooseSeveral(Question, frozen=True, tag="choose several"):
    options: tuple[Option, ...] = ()
    deed: str = ""  # what choosing them does, in words; `{}` is what was chosen
    at_least: int = 0
    at_most: int | None = None
    not_together: tuple[tuple[str, ...], ...] = ()
    default: tuple[str, ...] | None = None

    answer_type: ClassVar[Any] = tuple[str, ...]


class Allocate(Question, frozen=True, tag="allocate"):
    items: tuple[Option, ...] = ()
    bins: tuple[Option, ...] = ()
    allowed: dict[str, tuple[str, ...]] = {}  # item → bins; an item not named may go anywhere
    bin_least: dict[str, int] = {}
    bin_most: dict[str, int] = {}
    all_items: bool = True
    default: dict[str, str] | None = None

    answer_type: ClassVar[Any] = dict[str, str]


class PlaceThings(Question, frozen=True, tag="place"):
    things: tuple[str, ...] = ()
    names: dict[str, str] = {}  # what those are called that are not on the table yet
    where: dict[str, Region] = {}  # thing → region; "" for all that are not named
    together: Together | None = None
    faces: bool = True
    outlines: dict[str, tuple[Shape, ...]] = {}  # of things that have no base yet, around the origin
    default: dict[str, Spot] | None = None

    answer_type: ClassVar[Any] = dict[str, Spot]


class MoveModels(Question, frozen=True, tag="move"):
    models: tuple[str, ...] = ()
    allowance: dict[str, int] = {}
    manner: str = ""
    marks: tuple[MarkAsked, ...] = ()
    together: Together | None = None
    faces: bool = True  # whether the models face somewhere, so that a walk is turns and legs; else it is points
    ends: Region | None = None
    bound_to: dict[str, Walk] = {}
    default: dict[str, Walk] | None = None

    answer_type: ClassVar[Any] = dict[str, Walk]


class Confirm(Question, frozen=True, tag="confirm"):
    yes: str = "Yes"
    no: str = "No"
    default: bool | None = False

    answer_type: ClassVar[Any] = bool


#: The fact of a react that is asked at one point of a path: how far along it is, in thousandths.
ALONG = "along"


class React(Question, frozen=True, tag="react"):
    moment: str = ""
    stretch: tuple[int, int] | None = None
    options: tuple[ReactOption, ...] = ()
    blind: bool = False
    default: None = None
    decline: str = "Pass"

    answer_type: ClassVar[Any] = Reaction


class Plan(Question, frozen=True, tag="plan"):
    """A plan is answered part by part (`Ruleset.parts` gives the open ones) and committed whole."""

    actors: tuple[str, ...] = ()
    budget: dict[str, int] = {}
    default: dict[str, Any] | None = None

    answer_type: ClassVar[Any] = dict[str, Any]


AnyQuestion = ChooseOne | ChooseSeveral | Allocate | PlaceThings | MoveModels | Confirm | React | Plan


class Settled(msgspec.Struct, frozen=True, gc=False):
    """What a procedure yields where a question has one answer only: nobody is asked, and it is noted."""

    topic: str
    answer: Any
    rules: tuple[RuleId, ...] = ()  # those of the question, which forbid any other answer


class PlanPart(NamedTuple):
    """One part of a plan: its name in the draft, the question it is, whether the plan may stand without it."""

    id: str
    question: AnyQuestion
    optional: bool = False


# What a draft gets back ------------------------------------------------------------------------------------------


class SightNote(msgspec.Struct, frozen=True, gc=False):
    """A sight line, and what it crosses: where, with which words, and whether that counts or blocks."""

    start: Point
    end: Point
    beads: tuple["Bead", ...] = ()
    blocked: bool = False


class Bead(msgspec.Struct, frozen=True, gc=False):
    """One thing on a sight line."""

    enters: Point
    leaves: Point
    label: str
    counts: bool = False
    blocks: bool = False
    rule: RuleId = NO_RULE


class PathNote(msgspec.Struct, frozen=True, gc=False):
    """A path as it will be walked: its points, what each inch and turn costs, what is left."""

    model: str
    points: tuple[Point, ...] = ()
    costs: tuple[Explanation, ...] = ()
    total: int = 0
    allowance: int = 0


class Chance(msgspec.Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """One outcome and its exact chance; a sampled or veiled one has a range instead.

    Of all that are marked `one_of`, just one comes, and they add up to one; others stand by themselves: several ranges,
    several victims, so much or more. `amount` is how much harm it means, where that is a number, or how much it is
    `at_least`; `final`, that whoever it befalls is out of play.
    """

    label: str
    numerator: int
    denominator: int
    range: tuple[int, int] | None = None  # in thousandths of one
    amount: int | None = None
    final: bool = False
    one_of: bool = False
    at_least: bool = False


class Ring(msgspec.Struct, frozen=True, gc=False):
    """Something to be drawn around a draft: as far as a cost takes who walks, a range band, or a firing arc."""

    what: str  # "cost", "range" or "arc"
    label: str
    shape: Shape
    rule: RuleId = NO_RULE


class Threat(msgspec.Struct, frozen=True, gc=False):
    """Somebody who could fire at what is moved, where a draft leaves it: from where, and with what."""

    by: str
    words: str
    start: Point
    end: Point
    rule: RuleId = NO_RULE


#: What a page may ask a preview to hold besides, and what its question must show for that. It takes longer to find out.
EXTRAS = {"costs": "reach", "ranges": "distance", "threats": "distance"}


class Preview(msgspec.Struct, frozen=True, gc=False):
    """What a draft would bring, as far as the side knows and the table policy lets it be shown."""

    explanations: tuple[Explanation, ...] = ()
    notes: tuple[str, ...] = ()
    distances: dict[str, int] = {}
    reach: tuple[Shape, ...] = ()
    sight: tuple[SightNote, ...] = ()
    paths: tuple[PathNote, ...] = ()
    odds: tuple[Chance, ...] = ()
    odds_note: str = ""
    rings: tuple[Ring, ...] = ()
    targets: dict[str, str] = {}  # what is said beside whom it is aimed at: "0.04″ outside long range"
    threats: tuple[Threat, ...] = ()
    loses: tuple[str, ...] = ()  # what it gives away for good: "2 actions"

    def allowed(self, shows: tuple[str, ...]) -> "Preview":
        """This preview without what the table policy keeps closed.

        >>> Preview(notes=("two left",), distances={"B": 12000}).allowed(()).distances
        {}
        """
        return Preview(
            self.explanations,
            self.notes,
            self.distances if "distance" in shows else {},
            self.reach if "reach" in shows else (),
            self.sight if "sight" in shows else (),
            self.paths,
            self.odds if "odds" in shows else (),
            self.odds_note if "odds" in shows else "",
            tuple(ring for ring in self.rings if _RINGS[ring.what] in shows),
            self.targets if "distance" in shows else {},
            self.threats if "threats" in shows else (),
            self.loses,
        )


#: What a question must show for a ring to be drawn.
_RINGS = {"cost": "costs", "range": "ranges", "arc": "ranges"}


# What a question is, whatever its words ------------------------------------------------------------------------------

_encode = msgspec.json.Encoder(order="deterministic").encode


def fingerprint(question: AnyQuestion) -> str:
    """A short name of a question, by which an answer says what it answers.

    It is made of what is asked (who, under which rules, what may be answered), not of the words: a prompt may be
    reworded, and old journals still play.

    >>> len(fingerprint(Confirm("red", "Fire?")))
    16
    >>> fingerprint(Confirm("red", "Fire?")) == fingerprint(Confirm("red", "Do you fire?"))
    True
    """
    asked = (
        question.__struct_config__.tag,
        question.side,
        question.topic,
        question.about,
        question.rules,
        question.sealed,
        question.facts,
        question.default,
        question.decline != "",
        _bounds(question),
    )
    return hashlib.blake2b(_encode(asked), digest_size=8).hexdigest()


def _bounds(question: AnyQuestion) -> tuple[Any, ...]:
    """What may be answered. Part of the journal's format: a field that is added here makes old journals diverge."""
    match question:
        case Plan():
            return question.actors, question.budget
        case ChooseOne():
            return (_ids(question.options),)
        case ChooseSeveral():
            return _ids(question.options), question.at_least, question.at_most, question.not_together
        case Allocate(items=items, bins=bins):
            limits = (question.allowed, question.bin_least, question.bin_most, question.all_items)
            return _ids(items), _ids(bins), *limits
        case PlaceThings(things=things, where=where):
            regions = {thing: _inside(region) for thing, region in where.items()}
            return things, regions, _between(question.together), question.faces
        case MoveModels(models=models, ends=ends):
            marks = [(mark.id, mark.required) for mark in question.marks]
            ending = None if ends is None else _inside(ends)
            together = _between(question.together)
            return models, question.allowance, question.manner, marks, together, ending, question.bound_to
        case React(options=options):
            ways = [(way.id, way.actor, way.cost, way.amount_least, way.amount_most) for way in options]
            return question.moment, question.stretch, ways, question.blind
        case Confirm():
            return ()


def _ids(options: tuple[Option, ...]) -> list[str]:
    """What is on offer, whether or not it may be chosen now: that is not worked out to write a journal."""
    return [option.id for option in options]


def _inside(region: Region) -> tuple[Any, ...]:
    return region.inside, region.outside, region.levels, region.slots, region.whole


def _between(together: Together | None) -> tuple[Any, ...]:
    return () if together is None else (together.within, together.touching)
