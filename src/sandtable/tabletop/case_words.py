"""The words of a ruleset's cases: what a ruleset brings so that players can write cases in its language.

A ruleset gives them by `case_words()`. Values arrive as `Data`, which knows file and line: `value.fail(found, remedy)`
makes the error to raise when a word is wrong.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from sandtable.engine.questions import AnyQuestion, Plan
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.engine.shapes import Leg, Slide, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.files import nearest
from sandtable.forces.terrain import PIECE_KEYS
from sandtable.tabletop.opening import TURN_LIMIT

if TYPE_CHECKING:
    from sandtable.tabletop.book import Book

#: Reads the answer to a question that is not written in the plain form of its kind.
AnswerReader = Callable[[AnyQuestion, Data], Any]

#: Works out a value of the rules: a pure function of the table and of what is asked; gives plain words and numbers.
ValueReader = Callable[[Table, Data], object]


class Meant(NamedTuple):
    """What a key of a step speaks of that stands for many parts of a plan: those parts, asked for now or not."""

    topic: str
    parts: Sequence[str]
    uses: Sequence[str] = ()  # the keys beside it that say which parts are meant


class CaseWords(Protocol):
    """What the runner needs of a ruleset to play its cases."""

    @property
    def ruleset(self) -> Ruleset:
        """The rules that play the case, with the made-up models in their catalogue."""

    def start(self, case: Data) -> Setup:
        """The set-up of a case. `case` holds every key but the runner's own (`ruleset`, `title`, `proves`, `dice`,
        `play`, `notes`): board, the models of each side, `turn` and whatever else the ruleset takes. Models are things
        whose id is their `as`. The battle opens with the question of the model that `turn` names."""

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        """The parts of a plan that `{A: shoot}` or `{A: [stand-up, shoot]}` stands for, by part id, as drafts.

        The other keys of the step fill the remaining parts: the part with that id, else every part whose question has
        that topic."""

    def meant(self, table: Table, plan: Plan, keys: Mapping[str, Data]) -> Meant | None:
        """The parts of a plan that one key speaks of at once, as `target: B` does of all weapons; usually none."""

    def groups(self, table: Table, unit: Thing) -> Sequence[str]:
        """What a unit belongs to that may be chosen by the name of one of its models."""

    def called(self, table: Table, thing: Thing) -> Sequence[str]:
        """What else events and questions may call a thing: the squad of a unit, where it is the squad that does it."""

    @property
    def dice_names(self) -> Mapping[str, Sequence[str]]:
        """By checks, what else their dice may be called."""

    def as_told(self, table: Table, thing: Thing) -> Thing:
        """A thing as `then` looks at it: a unit may stand where its figures do."""

    @property
    def answers(self) -> Mapping[str, AnswerReader]:
        """Readers for topics whose answers have a form of their own. Most need none: see `answers.plain_answer`."""

    @property
    def facings(self) -> Collection[str]:
        """The topics of moves that only turn: a number there is the way that is faced then."""

    @property
    def implied(self) -> Mapping[str, tuple[str, Any]]:
        """Parts of a plan that another key says already: topic → (that key, the answer it stands for)."""

    @property
    def values(self) -> Mapping[str, ValueReader]:
        """The pure functions that `ask:` may call, by name."""

    def vocabulary(self) -> Mapping[str, Mapping[str, str]]:
        """All words with what they mean, by section. The section `answers` must name every key that `do:` may have
        (topics of questions and parts of plans); `actions`, `states`, `counts`, `terrain` and `models` are usual."""


class BookWords:
    """The words of a ruleset made of chapters, as they bring them. `more` adds what only one ruleset has."""

    def __init__(self, book: "Book") -> None:
        self.book = book

    @property
    def ruleset(self) -> "Book":
        """The rules that play the case."""
        return self.book

    def start(self, case: Data) -> Setup:
        """The table as the case lays it out; those named by `turn` act, in that order."""
        return self.book.opening.case(case)

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        """Nothing is declared as a plan: what a model does next is the answer to a question, `{action: fire}`."""
        raise value.fail(f"`{actor}` is no key here", "say `action:` and what it does")

    def meant(self, table: Table, plan: Plan, keys: Mapping[str, Data]) -> Meant | None:
        """No key speaks of more than the parts that are asked for."""
        return None

    def groups(self, table: Table, unit: Thing) -> Sequence[str]:
        """Units belong to nothing."""
        return ()

    def called(self, table: Table, thing: Thing) -> Sequence[str]:
        """Nothing has another name."""
        return ()

    @property
    def dice_names(self) -> Mapping[str, Sequence[str]]:
        """Dice are called by their check."""
        return {}

    def as_told(self, table: Table, thing: Thing) -> Thing:
        """A thing is looked at as it stands, unless a ruleset says otherwise."""
        return thing

    @property
    def answers(self) -> Mapping[str, Any]:
        """Answers in a form of their own."""
        return self.book.readers

    @property
    def facings(self) -> Collection[str]:
        """Nobody only turns, unless a ruleset says so."""
        return ()

    @property
    def implied(self) -> Mapping[str, tuple[str, Any]]:
        """Nothing, unless a ruleset says so."""
        return {}

    @property
    def values(self) -> Mapping[str, Any]:
        """The pure functions that `ask:` may call; those of the list of actions are the same everywhere."""
        actions = self.book.actions
        listed = {
            "cost": lambda table, asked: actions[asked.text_at()].cost,
            "twice": lambda table, asked: actions[asked.text_at()].repeats,
        }
        return {**self.book.values, **(listed if actions else {})}

    def listed_actions(self) -> Mapping[str, str]:
        """The actions that a case may name."""
        return self.book.labels

    def more(self) -> Mapping[str, Mapping[str, str]]:
        """Sections of its own, or more words of those that all have."""
        return {}

    def vocabulary(self) -> Mapping[str, Mapping[str, str]]:
        """All words with what they mean."""
        book, opening = self.book, self.book.opening
        listed = {"cost": "how many actions an action takes", "twice": "whether it may be tried twice"}
        found: dict[str, Mapping[str, str]] = {
            "head": {**dict.fromkeys(opening.sides, f"the {opening.acting} of a side"), **opening.keys},
            "model keys": opening.model_keys,
            "keys of a piece of terrain (board: {terrain: [{…}]})": {**PIECE_KEYS, **_traits(opening.piece_traits)},
            "keys of a side (sides: {red: {…}})": opening.side_options,
            "kinds of markers (markers: [{kind: …}])": opening.marker_kinds,
            "answers": book.answers,
            "actions": self.listed_actions(),
            "states": book.states,
            "counts": book.counts,
            "options": {
                **book.unit_options,
                **opening.battle_options,
                **dict.fromkeys(
                    (one for one in opening.numbers if one == TURN_LIMIT), "after how many turns it is over"
                ),
            },
            "switches": book.switches,
            "terrain": dict.fromkeys(book.terrain, "a kind of terrain"),
            "models": {card.id: card.name for card in book.cards or ()},
            "values": listed if book.actions else {},
        }
        for section, words in self.more().items():
            found[section] = {**found.get(section, {}), **words}
        return {section: words for section, words in found.items() if words}


def _traits(known: Mapping[str, str]) -> dict[str, str]:
    return {f"traits: {{{word}: …}}": meaning for word, meaning in known.items()}


# How walks are written ---------------------------------------------------------------------------------------------


def walk(value: Data) -> Walk:
    """A path: a leg, a list of legs or of points, or legs with marks."""
    if isinstance(value.node.value, dict) and "legs" in value.names():
        only_keys(value, "legs", "marks")
        marks = {name: one.length() for name, one in value.table("marks").items()} if value.has("marks") else {}
        return Walk(_legs(value.at("legs")), marks)
    return Walk(_legs(value))


def _legs(value: Data) -> tuple[Leg | Via, ...]:
    return tuple(_leg(one) for one in value.items()) if isinstance(value.node.value, list) else (_leg(value),)


def _leg(value: Data) -> Leg | Via:
    if isinstance(value.node.value, list) and len(value.items()) == 2:  # a point of the way: [10, 24]
        return Via(value.point())
    if not isinstance(value.node.value, dict):
        return Leg(go=value.length())
    if "to" in value.names():
        only_keys(value, "to", "level")
        return Via(value.point("to"), value.number("level") if value.has("level") else 0)
    if "side" in value.names():
        only_keys(value, "go", "side")
        return Slide(0, value.length("go") if value.has("go") else 0, value.length("side"))
    only_keys(value, "turn", "go", "back")
    if value.has("go") and value.has("back"):
        raise value.fail("a leg goes both on and back", "make two legs of it")
    go = value.length("go") if value.has("go") else -value.length("back") if value.has("back") else 0
    return Leg(value.number("turn") if value.has("turn") else 0, go)


def is_path(value: Data) -> bool:
    """Whether an answer is a path itself, and not one for each of some names."""
    found = value.node.value
    return not isinstance(found, dict) or any(key in found for key in ("legs", "to", "turn", "go", "back", "side"))


def is_by_name(value: Data, names: Sequence[str]) -> bool:
    """Whether an answer says of whom it speaks."""
    return isinstance(value.node.value, dict) and any(name in value.node.value for name in names)


def only_keys(value: Data, *keys: str) -> None:
    """Refuse a mapping with any other key."""
    for key in value.names():
        if key not in keys:
            raise value.fail(f"unknown key `{key}`", nearest(key, keys), key)
