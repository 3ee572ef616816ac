"""What a ruleset tells an opponent: the one interface between the two.

The opponent brings judgement (how much it looks at and holds in its head) and the ruleset's tactics bring the game:
which answers are worth thinking of, and what each is worth by the ruleset's own arithmetic.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar

import msgspec

from sandtable.engine.dice import Dice
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import Point
from sandtable.engine.state import State
from sandtable.engine.table import Table, Thing
from sandtable.tabletop.weights import Weights

Found = TypeVar("Found")


class Skill(msgspec.Struct, frozen=True):
    """What a bot can hold in its head. Tactics offer no more than it asks for."""

    poses: int = 24  # how many places for one model it compares
    fears: bool = True  # it weighs what the enemy may do to it
    plans: bool = True  # it thinks of combined actions, and of acting out of turn
    restless: bool = False  # it looks at other places even where it does well
    reacts: bool = True  # it acts out of turn where it may
    orders: bool = True  # it asks itself who should act first, rather than beginning with the first
    objectives: bool = True  # it remembers what the battle is about
    hesitates: int = 0  # in every so many turns, the n-th, it does one thing where it could do two; 0: never
    holds_fire: int = 0  # 1: it fires only at what is near, and goes nearer until then; 2: only at what is very near
    recovers: bool = True  # it takes its time to mend what is broken and to get heads up again
    aims: bool = True  # it takes its time to aim before it fires
    together: int = 99  # how many things it uses together that may be used together, such as weapons
    foes: int = 5  # how many enemies, the nearest, it looks at

    def hesitates_in(self, turn: int) -> bool:
        """Whether it does one thing only where it could do two, that turn.

        >>> [Skill(hesitates=3).hesitates_in(turn) for turn in (1, 2, 3)], Skill().hesitates_in(3)
        ([False, False, True], False)
        """
        return self.hesitates > 0 and turn % self.hesitates == 0


#: What something is worth, reason by reason.
Reasons = tuple[tuple[str, int], ...]


def total(parts: Iterable[tuple[str, int]]) -> int:
    """What something is worth in all.

    >>> total((("fire", 500), ("danger", -200)))
    300
    """
    return sum([value for _, value in parts])


def scaled(parts: Reasons, share: int, whole: int = 1000) -> Reasons:
    """What is left of something that is worth a share of itself only.

    >>> scaled((("fire", 500),), 250)
    (('fire', 125),)
    """
    return tuple((why, value * share // whole) for why, value in parts)


def summed(several: Iterable[Reasons]) -> dict[str, int]:
    """What several things are worth together, reason by reason.

    >>> summed([(("fire", 500),), (("fire", 100), ("danger", -50))])
    {'fire': 600, 'danger': -50}
    """
    found: dict[str, int] = {}
    for parts in several:
        for why, value in parts:
            found[why] = found.get(why, 0) + value
    return found


def share_of_price(points: int, before: int, left: int, track: int, price: int) -> int:
    """What some points of harm are worth off a target with so many points left, others having come before.

    Points are thousandths. The last points count most: what is nearly gone is worth nearly its price for what is left.

    >>> share_of_price(1000, 0, 4000, 4, 800), share_of_price(1000, 0, 1000, 4, 800)
    (200, 320)
    """
    hurt = min(points, max(0, left - before))
    return hurt * price // (500 * track + left // 2) if left else 0


def kept(table: Table, key: Hashable, think: Callable[[], Found]) -> Found:
    """What was thought of a table, thought once as long as nobody stirs."""
    cache = table.things_cache
    if key not in cache:
        cache[key] = think()
    found: Found = cache[key]
    return found


class Choice(Protocol):
    """One answer that tactics think of: the draft, what it is worth, and why, in words and numbers.

    Values count in thousandths of a point of harm, so that they can be compared across questions; `intention` is handed
    back with the next question, for what is declared now and carried out later.
    """

    @property
    def draft(self) -> Any:
        """The answer itself. It is asked for only when all better ones were refused, so it may be worked out late."""

    @property
    def label(self) -> str:
        """The answer in a few words."""

    @property
    def parts(self) -> Sequence[tuple[str, int]]:
        """What it is worth, reason by reason."""

    @property
    def intention(self) -> object:
        """What its maker will want to remember when the next question comes."""


class Idea(msgspec.Struct, frozen=True, gc=False):
    """A choice whose draft is at hand: enough for most tactics."""

    draft: Any
    label: str
    parts: Reasons = ()
    intention: object = None


class LateChoice:
    """An answer that is worked out only when all better ones were refused."""

    def __init__(self, make: Callable[[], Any], label: str, worth: int, intention: object = None) -> None:
        self.label, self.intention, self._make = label, intention, make
        self.parts: Reasons = (("", worth),)

    @property
    def draft(self) -> Any:
        """The answer, worked out now."""
        return self._make()


def idea(draft: Any, value: int, label: str = "") -> Idea:
    """An answer and what it is worth, for one reason.

    >>> idea("shoot", 250)
    Idea(draft='shoot', label='shoot', parts=(('it', 250),), intention=None)
    """
    return Idea(draft, label or str(draft), (("it", value),))


#: What rates the answers to a question: by the view of the side that is asked, and the opponent's skill.
Rater = Callable[[View, Any, Skill], Iterable[Choice]]


class Goal(msgspec.Struct, frozen=True, gc=False):
    """Something a unit wants: a place to be at or near, or somebody to hurt."""

    at: Point
    what: str  # in a word or two
    worth: int  # in thousandths of a point of harm
    whom: str = ""  # the thing that is to be hurt or held, where there is one


class Tactics:
    """What a ruleset teaches. A ruleset's own is a subclass; what it leaves out no opponent asks it for.

    A position is judged by named numbers of each side (`features`), weighed by `weights`, which are data. Harm counts
    in thousandths of a point of harm throughout.
    """

    #: What each feature counts.
    weights: Weights = Weights()
    #: The features that dice change. Where a battle is played forward in the mind, what is foretold of them counts and
    #: not what the dice bring, so that luck does not hide which way is better; none where nothing is foretold.
    luck: frozenset[str] = frozenset()
    #: How many of a level's playouts are worth their time by these rules, in hundredths: fewer where they are dear.
    playouts: int = 100
    #: What rates the answers to a question, by its topic.
    raters: Mapping[str, Rater] = {}
    #: What its intentions are, where it has any: a type that is plain data.
    intends: type | None = None
    #: The reasons of a choice that say what its dice may be expected to do.
    foretells: frozenset[str] = frozenset()

    def rate(self, view: View, question: AnyQuestion, skill: Skill, intention: object) -> Sequence[Choice]:
        """The answers worth thinking of, by the topic of the question; none where the general ones will do."""
        rater = self.raters.get(question.topic)
        return () if rater is None else tuple(rater(view, question, skill))

    def foretold(self, question: AnyQuestion, choice: Choice) -> int:
        """The harm that an answer may be expected to bring by the dice that follow at once, less what it costs."""
        if not self.foretells or not self.rolls_at_once(question):
            return 0
        return sum(value for why, value in choice.parts if why in self.foretells)

    def rolls_at_once(self, question: AnyQuestion) -> bool:
        """Whether the dice that an answer foretells follow this question, and no later one."""
        return True

    def charge(self, view: View, question: AnyQuestion) -> Sequence[Any]:
        """The drafts, best first, of one who walks to the nearest enemy and always fires: a sparring partner."""
        return ()

    def recall(self, kept: Any) -> object:
        """An intention that was put away as plain data."""
        return None if self.intends is None else msgspec.convert(kept, self.intends)

    def features(self, table: Table, side: Side) -> Mapping[str, int]:
        """What a side has in a position, number by number: by the table as somebody knows it."""
        return {}

    def threat(self, table: Table, attacker: Thing, victim: Thing, place: Point | None = None) -> int:
        """The harm one thing may be expected to do another, from a place or from where it is, by the rules' checks."""
        return 0

    def goals(self, view: View, unit: Thing) -> Sequence[Goal]:
        """Where a unit wants to be and whom it wants to hurt, the best first."""
        return ()

    def imagined(self, view: View, question: AnyQuestion, dice: Dice) -> State | None:
        """A whole state, agenda and all, in which this question is asked next and that agrees with all a side knows.

        What the side cannot know is drawn by the dice, as the rules could have laid it. It is made of the view and the
        question alone, so that there is nothing in it that the side does not know or guess. None where the ruleset
        cannot say how the battle goes on from such a question.
        """
        return None


def position_worth(tactics: Tactics, table: Table, side: Side, without: frozenset[str] = frozenset()) -> int:
    """What a position is worth to a side: its features against those of the strongest other side."""
    weights = tactics.weights.without(without) if without else tactics.weights
    own = weights.worth(tactics.features(table, side))
    return own - max((weights.worth(tactics.features(table, one)) for one in table.sides if one != side), default=0)


def worth(choice: Choice) -> int:
    """What a choice is worth in all."""
    return total(choice.parts)
