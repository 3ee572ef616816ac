"""What Ambush tells an opponent: a shot is worth its chance, and who cannot shoot walks up to somebody."""

from collections.abc import Iterator, Mapping

from sandtable.engine.ids import Side
from sandtable.engine.questions import ChooseOne, MoveModels, React, Reaction
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At
from sandtable.engine.table import Table, Thing
from sandtable.tabletop.actions import ACTION
from sandtable.tabletop.activations import ACTIVATE, DONE
from sandtable.tabletop.opponent import Idea, Skill, Tactics, idea
from sandtable.tabletop.shots import TARGET, WATCH_FIRE
from sandtable.tabletop.weights import Weights

from .counters import COUNTERS
from .shooting import SHOTS
from .turn import WALK

#: What walking is worth, and watching, in thousandths of a wound.
WALKS, WATCHES = 250, 150


def who(view: View, question: ChooseOne, skill: Skill) -> Iterator[Idea]:
    """Whoever has the best shot acts first."""
    return (idea(one.id, _best(view.table, view.table[one.id])) for one in question.options)


def actions(view: View, question: ChooseOne, skill: Skill) -> Iterator[Idea]:
    """Shoot where a shot is likely, else close in."""
    best = _best(view.table, view.table[question.about[0]])
    values = {"shoot": best, WALK.topic: WALKS, "watch": WATCHES, DONE: 0}
    return (idea(action, value) for action, value in values.items())


def targets(view: View, question: ChooseOne, skill: Skill) -> Iterator[Idea]:
    """Whoever is hit most likely."""
    by = view.table[question.about[0]]
    return (idea(one.id, _worth(view.table, by, view.table[one.id])) for one in question.options)


def break_in(view: View, question: React, skill: Skill) -> Iterator[Idea]:
    """Fire with whoever hits most likely."""
    at = view.table[question.about[0]]
    return (idea(Reaction(one.id), _worth(view.table, view.table[one.actor], at)) for one in question.options)


def walks(view: View, question: MoveModels, skill: Skill) -> Iterator[Idea]:
    """Up to somebody."""
    one = view.table[question.models[0]]
    for there in [foe.place.point for foe in view.enemies() if isinstance(foe.place, At)]:
        yield from (idea({one.id: walk}, -off) for off, walk in WALK.towards(one, there).items())


def _worth(table: Table, by: Thing, at: Thing) -> int:
    """How likely a shot hits, in thousandths; who may be a dummy counts half."""
    return int(1000 * SHOTS.check(table, by, at).passes()) // (1 if COUNTERS.card_of(at) else 2)


def _best(table: Table, by: Thing) -> int:
    """What its best shot is worth; a dummy has none."""
    shots = [] if COUNTERS.is_dummy(by) else SHOTS.in_range(table, by)
    return max([_worth(table, by, at) for at in shots], default=0)


class AmbushTactics(Tactics):
    """Shoot where a shot is likely, else close in."""

    weights = Weights({"fighters": 1000, "dummies": 500}, scale=1500)
    raters = {ACTIVATE: who, ACTION: actions, TARGET: targets, WATCH_FIRE: break_in, WALK.topic: walks}

    def features(self, table: Table, side: Side) -> Mapping[str, int]:
        """Who still fights, and what is only there to be looked at."""
        dummies = [COUNTERS.is_dummy(one) for one in table.models(side)]
        return {"fighters": dummies.count(False), "dummies": dummies.count(True)}
