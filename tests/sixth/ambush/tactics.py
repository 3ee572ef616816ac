"""What Ambush tells an opponent: a shot is worth its chance, and who cannot shoot walks up to somebody."""

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.engine.questions import AnyQuestion, ChooseOne, MoveModels, React, Reaction
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Point, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.tabletop.actions import ACTION
from sandtable.tabletop.opponent import Idea, Skill, Tactics
from sandtable.tabletop.weights import Weights

from .counters import DUMMY, card_of, foes
from .shooting import TARGET, in_range, shot
from .turn import WALK

#: How much of the way to an enemy it thinks of walking, in eighths of what it may.
STRIDES = (8, 6, 4, 2)
#: What walking is worth, and watching, in thousandths of a wound.
WALKS, WATCHES = 250, 150


class AmbushTactics(Tactics):
    """Shoot where a shot is likely, else close in."""

    weights = Weights({"fighters": 1000, "dummies": 500}, scale=1500)

    def rate(self, view: View, question: AnyQuestion, skill: Skill, intention: object) -> Sequence[Idea]:
        """The answers worth thinking of."""
        table = view.table
        match question:
            case ChooseOne(topic="activate"):
                return [
                    Idea(one.id, one.label, (("best shot", _best(table, table[one.id])),)) for one in question.options
                ]
            case ChooseOne() if question.topic == ACTION:
                one = table[question.about[0]]
                values = {"shoot": _best(table, one), WALK.topic: WALKS, "watch": WATCHES, "done": 0}
                return [Idea(action, action, (("it", value),)) for action, value in values.items()]
            case ChooseOne() if question.topic == TARGET:
                by = table[question.about[0]]
                return [
                    Idea(one.id, one.label, (("shot", _worth(table, by, table[one.id])),)) for one in question.options
                ]
            case React():
                at = table[question.about[0]]
                return [
                    Idea(Reaction(one.id), one.label, (("shot", _worth(table, table[one.actor], at)),))
                    for one in question.options
                ]
            case MoveModels():
                walks = _walks(table, table[question.about[0]])
                return [Idea({question.about[0]: walk}, "closer", (("closer", value),)) for value, walk in walks]
        return ()

    def charge(self, view: View, question: AnyQuestion) -> Sequence[Any]:
        """The same, best first."""
        rated = self.rate(view, question, Skill(), None)
        return [idea.draft for idea in sorted(rated, key=lambda idea: -idea.parts[0][1])]

    def recall(self, kept: Any) -> object:
        """It keeps nothing in mind."""
        return None

    def features(self, table: Table, side: str) -> Mapping[str, int]:
        """Who still fights, and what is only there to be looked at."""
        cards = [card_of(one) for one in table.models(side)]
        return {"fighters": len([card for card in cards if card != DUMMY]), "dummies": cards.count(DUMMY)}


def _worth(table: Table, by: Thing, at: Thing) -> int:
    return int(1000 * shot(table, by, at).passes())


def _best(table: Table, by: Thing) -> int:
    """What its best shot is worth; a dummy has none."""
    if card_of(by) == DUMMY:
        return 0
    return max([_worth(table, by, at) for at in in_range(table, by)], default=0)


def _walks(table: Table, one: Thing) -> list[tuple[int, Walk]]:
    """Walks towards each enemy: far ones are worth more, and those to the nearest most."""
    assert isinstance(one.place, At)
    found = []
    (x, y), reach = one.place.point, WALK.far
    for foe in foes(table, one):
        assert isinstance(foe.place, At)
        dx, dy = foe.place.point.x - x, foe.place.point.y - y
        far = max(abs(dx) + abs(dy), 1)
        for stride in STRIDES:
            go = reach * stride // 8
            found.append((go - far // 4, Walk((Via(Point(x + dx * go // far, y + dy * go // far)),))))
    return found
