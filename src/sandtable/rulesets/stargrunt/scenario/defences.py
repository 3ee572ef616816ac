"""Attack and defence: the markers and trenches that a defender lays in its half before the attack."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed
from sandtable.engine.ids import PieceId, Side, ThingId
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Off, Point, Region, Spot, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.edges import across, place_along, strip
from sandtable.field.ground import chart
from sandtable.field.measure import center_gap, overlap
from sandtable.field.random_terrain import moved
from sandtable.forces.ledger import Rule, citing
from sandtable.rulesets.stargrunt.cover.protection import FIELD_DEFENCES
from sandtable.rulesets.stargrunt.movement.walking import baseline, from_baseline
from sandtable.rulesets.stargrunt.scenario.objectives import BATTLES, OBJECTIVE, dressed

ATTACK = BATTLES["attack-defence"]
TRENCH = tuple(ATTACK.inches("field_defences", "size_in", n) for n in (0, 1))


class PlaceObjectives(Step, frozen=True):
    """The defender lays the objective markers in its half."""

    side: Side


class DigIn(Step, frozen=True):
    """The defender lays field defences."""

    side: Side


def lay_marker(battle: Battle, name: ThingId, at: Point, why: Rule) -> None:
    """Lay an objective marker."""
    made = Thing(
        name,
        kind="marker",
        card=OBJECTIVE,
        glyph="objective",
        label=name.replace("-", " ").capitalize(),
        counts={"value": why.number("objectives", "value")},
    )
    battle.happens(Placed(name, At(at), made=made, rule=why.id))


def half(table: Table, side: Side) -> Region:
    """The half of the table that a side defends."""
    edge = baseline(table, side)
    deep = int(ATTACK.fraction("defender_depth_fraction") * across(table.ground, edge))
    return Region((strip(table.ground, edge, deep),), whole=False, rule=ATTACK.id, label="in your half")


def _in_half(table: Table, side: Side, at: Point) -> bool:
    shape = half(table, side).inside[0]
    low, _, high, _ = shape.points  # type: ignore[union-attr]
    return low.x <= at.x <= high.x and low.y <= at.y <= high.y


def place_objectives(battle: Battle, step: PlaceObjectives) -> Procedure[None]:
    """Two markers in the defender's half, at least 12 inches apart (stargrunt.scenario.attack-defence)."""
    table = battle.table
    spots = _apart(table, step.side)
    names = tuple(f"objective-{n}" for n in range(1, len(spots) + 1))
    answer: dict[str, Spot] = yield PlaceThings(
        step.side,
        "Lay the objective markers in your half",
        topic="objectives",
        about=(step.side,),
        things=names,
        names={name: f"objective {number}" for number, name in enumerate(names, 1)},
        where={"": half(table, step.side)},
        faces=False,
        rules=(ATTACK.id,),
        default={name: Spot(At(at)) for name, at in zip(names, spots, strict=True)},
    )
    for name in names:
        where = answer[name].where
        assert isinstance(where, At)
        lay_marker(battle, ThingId(name), where.point, ATTACK)


def _apart(table: Table, side: Side) -> list[Point]:
    """Places for the markers, evenly along the middle of a half; where that is too near, as many as lie in corners."""
    count, apart = ATTACK.number("objectives", "count"), ATTACK.inches("objectives", "min_distance_in")
    ground, edge, corners = table.ground, baseline(table, side), half(table, side).inside[0].points  # type: ignore[union-attr]
    row = (from_baseline(table, side, corners[0]) + from_baseline(table, side, corners[2])) // 2
    even = [place_along(ground, edge, Fraction(n, count + 1), row) for n in range(1, count + 1)]
    if all(center_gap(one, other) >= apart * apart for one, other in pairwise(even)):
        return even
    found: list[Point] = []
    for at in (corners[n] for n in (0, 2, 1, 3)):
        if len(found) < count and all(center_gap(at, other) >= apart * apart for other in found):
            found.append(at)
    return found


def refused_objectives(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why markers may not lie so: in the other half, or too near to each other."""
    found: list[Point] = []
    apart = ATTACK.inches("objectives", "min_distance_in")
    for put in answer.values():
        if not isinstance(put.where, At) or not _in_half(view.table, Side(question.about[0]), put.where.point):
            return Refusal(ATTACK.id, "The markers lie in the defender's half.")
        if any(center_gap(put.where.point, other) < apart * apart for other in found):
            return Refusal(ATTACK.id, f"The markers lie at least {apart // UNIT} inches apart.")
        found.append(put.where.point)
    return None


def dig_in(battle: Battle, step: DigIn) -> Procedure[None]:
    """Field defences for two units, dug before the attack (stargrunt.cover.field-defences); where there is room."""
    length, across = TRENCH
    shape = rectangle(-length // 2, -across // 2, length, across)
    spots = _room_for(battle.table, step.side, ATTACK.number("field_defences", "count"))
    names = tuple(f"trench-{n}" for n in range(1, len(spots) + 1))
    if not names:
        return
    answer: dict[str, Spot] = yield PlaceThings(
        step.side,
        "Dig the trenches in your half",
        topic="trenches",
        about=(step.side,),
        things=names,
        names={name: f"trench {number}" for number, name in enumerate(names, 1)},
        where={"": half(battle.table, step.side)},
        faces=False,
        outlines=dict.fromkeys(names, (shape,)),
        rules=(ATTACK.id, FIELD_DEFENCES.id),
        default={name: Spot(At(at)) for name, at in zip(names, spots, strict=True)},
    )
    for name in names:
        where = answer[name].where
        assert isinstance(where, At)
        piece = Piece(PieceId(name), "trench", moved(shape, *where.point), label=name.replace("-", " ").capitalize())
        told = citing(ATTACK)
        battle.happens(Placed(name, Off(), piece=dressed(piece), rule=FIELD_DEFENCES.id, detail=told))


def _trench_fits(table: Table, side: Side, at: Point, taken: Sequence[Point]) -> bool:
    length, across = TRENCH
    shape = moved(rectangle(-length // 2, -across // 2, length, across), *at)
    corners = shape.points  # type: ignore[union-attr]
    if not all(_in_half(table, side, corner) for corner in corners):
        return False
    if any(abs(at.x - other.x) < length and abs(at.y - other.y) < across for other in taken):
        return False
    return not any(overlap(shape, piece.outline) for _, piece in chart(table.ground).pieces if piece.kind != "hill")


def _room_for(table: Table, side: Side, count: int) -> list[Point]:
    """Places for trenches that are free, nearest to the middle of the table first."""
    ground = table.ground
    grid = [Point(x, y) for y in range(0, ground.height, UNIT) for x in range(0, ground.width, UNIT)]
    middle = Point(ground.width // 2, ground.height // 2)
    found: list[Point] = []
    for at in sorted(grid, key=lambda p: (center_gap(p, middle), p)):
        if len(found) < count and _trench_fits(table, side, at, found):
            found.append(at)
    return found


def refused_trenches(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why trenches may not be dug there."""
    taken: list[Point] = []
    side = Side(question.about[0])
    for put in answer.values():
        if not isinstance(put.where, At) or not _trench_fits(view.table, side, put.where.point, taken):
            return Refusal(ATTACK.id, "A trench lies in the defender's half, on free ground.")
        taken.append(put.where.point)
    return None
