"""What Ambush tells an opponent: a shot is worth its chance, and who cannot shoot walks up to somebody."""

from collections.abc import Mapping, Sequence

from sandtable.engine.questions import AnyQuestion, ChooseOne, MoveModels, React, Reaction
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.walking.courses import nearest_degree
from sandtable.field.walking.paths import length_between
from sandtable.tabletop.actions import ACTION
from sandtable.tabletop.opponent import Idea, Skill, Tactics
from sandtable.tabletop.weights import Weights

from .counters import DUMMY, card_of
from .shooting import TARGET, in_range, shot
from .turn import WALK

#: What walking is worth, and watching, in thousandths of a wound.
WALKS, WATCHES = 250, 150


class AmbushTactics(Tactics):
    """Shoot where a shot is likely, else close in."""

    weights = Weights({"fighters": 1000, "dummies": 500}, scale=1500)

    def rate(self, view: View, question: AnyQuestion, skill: Skill, intention: object) -> Sequence[Idea]:
        """The answers worth thinking of."""
        table, about = view.table, view.table[question.about[0]] if question.about else None
        match question:
            case ChooseOne(topic="activate"):
                return [_idea(one.id, _best(table, table[one.id])) for one in question.options]
            case ChooseOne() if about is not None and question.topic == ACTION:
                values = {"shoot": _best(table, about), WALK.topic: WALKS, "watch": WATCHES, "done": 0}
                return [_idea(action, value) for action, value in values.items()]
            case ChooseOne() if about is not None and question.topic == TARGET:
                return [_idea(one.id, _worth(table, about, table[one.id])) for one in question.options]
            case React() if about is not None:
                return [_idea(Reaction(one.id), _worth(table, table[one.actor], about)) for one in question.options]
            case MoveModels() if about is not None:
                return [_idea({about.id: walk}, -far) for far, walk in _walks(table, about)]
        return ()

    def features(self, table: Table, side: str) -> Mapping[str, int]:
        """Who still fights, and what is only there to be looked at."""
        cards = [card_of(one) for one in table.models(side)]
        return {"fighters": len([card for card in cards if card != DUMMY]), "dummies": cards.count(DUMMY)}


def _idea(draft: object, value: int) -> Idea:
    return Idea(draft, str(draft), (("it", value),))


def _worth(table: Table, by: Thing, at: Thing) -> int:
    """How likely a shot hits, in thousandths; who may be a dummy counts half."""
    return int(1000 * shot(table, by, at).passes()) // (1 if card_of(at) else 2)


def _best(table: Table, by: Thing) -> int:
    """What its best shot is worth; a dummy has none."""
    if card_of(by) == DUMMY:
        return 0
    return max([_worth(table, by, at) for at in in_range(table, by)], default=0)


def _walks(table: Table, one: Thing) -> list[tuple[int, Walk]]:
    """Walks towards each enemy, as far as it may and half as far, with how far off it is."""
    assert isinstance(one.place, At)
    (x, y), found = one.place.point, []
    for there in [foe.place.point for foe in table.enemies_of(one.side) if isinstance(foe.place, At)]:
        towards, far = nearest_degree(there.x - x, there.y - y), length_between(one.place.point, there)
        ways = {go: Walk((Via(along(one.place.point, towards, go)),)) for go in (WALK.far, WALK.far // 2)}
        found += [(far + WALK.far - go, way) for go, way in ways.items()]
    return found
