"""Movement: how far a unit gets, what it may go over, and where it may stop."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.explain import inches
from sandtable.engine.ids import RuleId
from sandtable.engine.questions import MoveModels, PathNote, Preview, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Point, Shape, Walk
from sandtable.engine.table import Piece, Table, Thing, following_from_formation
from sandtable.field.chords import Interval, chords, covers_all, merged
from sandtable.field.ground import pieces_under
from sandtable.field.measure import overlap
from sandtable.field.outlines import base_radius, outline_of
from sandtable.field.walking.encounters import Obstacles, first_true, over_edge
from sandtable.field.walking.paths import Pose, Track
from sandtable.field.walking.planner import Gait
from sandtable.field.walking.reach import Walker, reach
from sandtable.field.walking.surroundings import Lie
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.dropzone.basics import distance, half_up, has_property, spoken
from sandtable.rulesets.dropzone.shooting.aiming import MOVE_AND_FIRE, TURNING, weapon_of
from sandtable.rulesets.dropzone.units import (
    AIRBORNE,
    FAMILIES,
    MOVE_LOST,
    MoveRange,
    card,
    fired,
    is_behemoth,
    kind,
    moved,
)
from sandtable.tabletop.actions import all_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import nearest_first
from sandtable.tabletop.walking import track_of

MOVE = rule("dropzone.movement.move-up-to-mv")
DASH = rule("dropzone.movement.scenery-dash")
PASSABLE = rule("dropzone.movement.passable")
IMPASSABLE = rule("dropzone.movement.impassable")
EXCEPTIONAL = rule("dropzone.movement.exceptional")
EXCEPTIONAL_VEHICLES = rule("dropzone.movement.exceptional-vehicles-only")
TOUGH = rule("dropzone.movement.tough")
OTHERS = rule("dropzone.movement.other-units")
NO_OVERLAP = rule("dropzone.movement.no-overlap-at-the-end")
EDGE = rule("dropzone.movement.table-edge")
NO_ENGAGEMENT = rule("dropzone.movement.no-engagement")
FLYING = rule("dropzone.aircraft.movement")
AERIAL = rule("dropzone.transports.aerial-transports")

WALK = "walk"
#: A state of a unit: by how much a Command Card raises its MV for this action, in thousandths.
HASTE = "haste"
#: A state of an Aircraft: somebody has got in or out, so that it may move no further this round, in thousandths.
LOADED = "loaded"
ROADS_SWITCH = "exceptional-vehicles-only"


class Way(NamedTuple):
    """A unit on its way: what it may spend, and what stops it."""

    allowance: int
    longest: int | None  # the M&F of what it has fired, less what it has moved
    blocks: tuple[tuple[Shape, Refusal], ...]
    obstacles: Obstacles


def column(unit: Thing) -> str:
    """The column of the movement table that a unit moves by."""
    return "aircraft" if kind(unit) in FAMILIES["aircraft"] else kind(unit)


def full_move(unit: Thing) -> int:
    """The MV of a unit."""
    stats = card(unit)
    own = stats.move_in.max if isinstance(stats.move_in, MoveRange) else stats.move_in
    return max(0, own - UNIT * unit.count(MOVE_LOST)) + haste(unit)


def haste(unit: Thing) -> int:
    """By how much a Command Card raises the MV of a unit for this action."""
    value = unit.value(HASTE)
    return value if isinstance(value, int) else 0


def too_high(unit: Thing, piece: Piece) -> bool:
    """Whether Impassable scenery is too tall for a unit to go over."""
    row = IMPASSABLE.at("impassable", column(unit))
    if column(unit) in ("infantry", "tank"):
        return True
    if row.has("max_height_in"):
        return piece.height > row.inches("max_height_in")
    return 2 * piece.height > card(unit).height_in


def may_end_on(unit: Thing) -> bool:
    """Whether a unit may stop on Impassable scenery that it may go over."""
    if column(unit) in ("infantry", "tank"):
        return False
    return IMPASSABLE.flag("impassable", column(unit), "may_end_on")


def steps_over(unit: Thing, other: Thing) -> bool:
    """Whether a unit may go over another one."""
    if column(unit) == "aircraft" or other.has(AIRBORNE):
        return True
    if column(unit) in ("infantry", "tank", "skimmer"):
        return False
    return 2 * card(other).height_in <= card(unit).height_in


def way_of(table: Table, unit: Thing, allowance: int) -> Way:
    """What a unit may spend, and what it may not pass."""
    blocks: list[tuple[Shape, Refusal]] = [
        (piece.outline, Refusal(IMPASSABLE.id, f"{unit.label} cannot move through {spoken(piece)}."))
        for piece in table.ground.pieces
        if has_property(piece, "impassable") and too_high(unit, piece) and not is_behemoth(unit)
    ]
    for other in table.models():
        if other.unit != unit.unit and not steps_over(unit, other):
            assert other.base is not None
            assert isinstance(other.place, At)
            outline = outline_of(other.base, other.place.point, other.facing)
            blocks.append((outline, Refusal(OTHERS.id, f"{unit.label} cannot move through {other.label}.")))
    return Way(allowance, longest(unit), tuple(blocks), Obstacles([shape for shape, _ in blocks]))


def longest(unit: Thing) -> int | None:
    """How far a unit may still move that has fired: the least M&F of its weapons, less what it has moved."""
    limits = [weapon_of(unit, one).move_and_fire_in for one in fired(unit)]
    known = [one for one in limits if one is not None]
    return max(0, min(known) - (moved(unit) or 0)) if known else None


def rooted(unit: Thing) -> Refusal | None:
    """Why a unit may not even turn: it has fired a weapon of M&F 0, before a move as little as after one."""
    still = [one for one in map(partial(weapon_of, unit), fired(unit)) if one.move_and_fire_in == 0]
    return Refusal(TURNING.id, f"{unit.label} has fired {still[0].name}, with M&F 0.") if still else None


def _in_pieces(track: Track, pieces: list[Piece], until: int) -> tuple[Interval, ...]:
    """Where along a track the centre is in one of some pieces."""
    found = []
    for stretch in track.stretches:
        if stretch.along >= until:
            break
        for piece in pieces:
            for low, high in chords(piece.outline, stretch.start, stretch.end, stretch.length, border=True):
                found.append((stretch.along + low, min(until, stretch.along + high)))
    return merged([one for one in found if one[0] < one[1]])


def cost(table: Table, unit: Thing, track: Track, until: int | None = None) -> int:
    """What the way costs up to a distance along: its length, and more through Tough ground."""
    far = track.length if until is None else until
    rate = TOUGH.number("cost_per_inch", column(unit))
    if rate == PASSABLE.number("cost_per_inch"):
        return far
    tough = [piece for piece in table.ground.pieces if has_property(piece, "tough")]
    inside = sum(high - low for low, high in _in_pieces(track, tough, far))
    return far + inside * (rate - PASSABLE.number("cost_per_inch"))


def bonus(table: Table, unit: Thing, track: Track, until: int | None = None) -> int:
    """What Exceptional ground lends to a unit whose whole way lies on it."""
    far = track.length if until is None else until
    types = (EXCEPTIONAL_VEHICLES if table.options.get(ROADS_SWITCH) else EXCEPTIONAL).texts("types")
    if kind(unit) not in types or not far:
        return 0
    roads = [piece for piece in table.ground.pieces if has_property(piece, "exceptional")]
    return EXCEPTIONAL.inches("bonus_in") if covers_all(_in_pieces(track, roads, far), 0, far) else 0


def as_far(table: Table, unit: Thing, track: Track, way: Way) -> int:
    """How far along a track a unit comes before something stops it or its MV is spent."""
    assert unit.base is not None
    far = way.obstacles.free_until(track, unit.base)
    if way.longest is not None:
        far = min(far, way.longest)
    if cost(table, unit, track, far) <= way.allowance:
        return far
    dear = first_true(0, far, lambda at: cost(table, unit, track, at) > way.allowance + bonus(table, unit, track, at))
    return far if dear is None else max(0, dear - 1)


def ways_by(table: Table, units: Sequence[Thing]) -> Iterator[Rule]:
    """The rules by which some units find their ways here: what hinders them, and what might but does not."""
    yield MOVE
    if any(has_property(piece, "passable") for piece in table.ground.pieces):
        yield PASSABLE
    tough = any(has_property(piece, "tough") for piece in table.ground.pieces)
    if tough and any(TOUGH.number("cost_per_inch", column(one)) == PASSABLE.number("cost_per_inch") for one in units):
        yield DASH
    roads = EXCEPTIONAL_VEHICLES if table.options.get(ROADS_SWITCH) else EXCEPTIONAL
    exceptional = any(has_property(piece, "exceptional") for piece in table.ground.pieces)
    if exceptional and any(kind(one) in roads.texts("types") for one in units):
        yield roads
    if any(other.side != units[0].side for other in table.models()):
        yield NO_ENGAGEMENT


def refused_way(table: Table, unit: Thing, track: Track, way: Way) -> Refusal | None:
    """Why a unit may not go a way, as far as the way itself goes: by every rule that forbids it."""
    if not track.length and track.end.facing != unit.facing:
        return rooted(unit)
    if as_far(table, unit, track, way) >= track.length:
        return None
    found: list[Refusal] = []
    if way.longest is not None and track.length > way.longest:
        told = f"{unit.label} has fired: it may move {inches(way.longest)} more this round."
        found.append(Refusal(MOVE_AND_FIRE.id, told))
    assert unit.base is not None
    for shape, refusal in way.blocks:
        if Obstacles([shape]).free_until(track, unit.base) < track.length:
            found.append(refusal)
    return all_of(*found, _too_dear(table, unit, track, way))


def _too_dear(table: Table, unit: Thing, track: Track, way: Way) -> Refusal | None:
    """Why a unit has not the MV for a way: it is too long, or too much of it is Tough, or not all of it Exceptional."""
    spent = cost(table, unit, track)
    if spent <= way.allowance + bonus(table, unit, track):
        return None
    tough = TOUGH.id if spent > track.length else MOVE.id
    roads = [piece for piece in table.ground.pieces if has_property(piece, "exceptional")]
    lent: tuple[RuleId, ...] = ()
    if spent <= way.allowance + EXCEPTIONAL.inches("bonus_in") and _in_pieces(track, roads, track.length):
        lent = (EXCEPTIONAL_VEHICLES.id if table.options.get(ROADS_SWITCH) else EXCEPTIONAL.id,)
    told = f"That costs {inches(spent)}; {unit.label} has {inches(way.allowance)}."
    return Refusal(tough, told, tuple(dict.fromkeys(one for one in (MOVE.id, *lent) if one != tough)))


@following_from_formation
def _standing(table: Table) -> list[tuple[str, Point, int]]:
    """Who stands on the table, where, and how wide he is from his middle."""
    return [
        (one.id, one.place.point, base_radius(one.base))
        for one in table.models()
        if one.base is not None and isinstance(one.place, At)
    ]


def refused_end(
    table: Table, unit: Thing, at: Point, taken: list[tuple[Thing, Point]], airborne: bool
) -> Refusal | None:
    """Why a unit may not stop at a place; `taken` are those of its squad that have moved, with where to."""
    assert unit.base is not None
    outline = outline_of(unit.base, at, 0)
    if over_edge(outline, table.ground):
        return Refusal(EDGE.id, f"{unit.label} must stay on the table.")
    moving = {other.id for other, _ in taken}
    radius, (x, y) = base_radius(unit.base), at
    near = [
        (table[name], there)
        for name, there, wide in _standing(table)
        if abs(x - there[0]) < radius + wide and abs(y - there[1]) < radius + wide and name not in moving
    ]
    for other, there in (*near, *taken):
        assert other.base is not None
        if other.id == unit.id or other.has(AIRBORNE) != airborne:
            continue
        if is_behemoth(unit) and steps_over(unit, other):
            continue  # it is moved from under the Behemoth
        if overlap(outline, outline_of(other.base, there, 0)):
            return Refusal(NO_OVERLAP.id, f"{unit.label} would stand on {other.label}.")
    if not airborne:
        return refused_ground(table, unit, outline)
    return None


def refused_ground(table: Table, unit: Thing, outline: Shape) -> Refusal | None:
    """Why a unit may not stand on the scenery under a place."""
    for piece in pieces_under(table.ground, outline):
        if has_property(piece, "impassable"):
            if too_high(unit, piece) or not may_end_on(unit):
                return Refusal(IMPASSABLE.id, f"{unit.label} may not stop on {spoken(piece)}.")
    return None


def judge_walks(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Why some units may not move so: by every rule that forbids the way of one of them, or its end."""
    table = view.table
    ends: list[tuple[Thing, Point]] = []
    found: list[Refusal | None] = []
    for name in question.models:
        unit = table[name]
        track = track_of(unit, answer.get(name, Walk()))
        found.append(refused_way(table, unit, track, way_of(table, unit, question.allowance[name])))
        ends.append((unit, track.end.point))
    found += [refused_end(table, unit, at, ends, unit.has(AIRBORNE)) for unit, at in ends]
    return all_of(*found)


def preview_walks(view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
    """What each way costs, and where each unit could get to."""
    table = view.table
    notes, paths, shapes = [], [], []
    for name in question.models:
        unit = table[name]
        track = track_of(unit, answer.get(name, Walk()))
        spent, allowed = cost(table, unit, track), question.allowance[name] + bonus(table, unit, track)
        if track.length:
            notes.append(f"{unit.label}: {inches(spent)} of {inches(allowed)}")
            points = (track.start.point, *(stretch.end for stretch in track.stretches))
            paths.append(PathNote(name, points, total=spent, allowance=allowed))
        if "reach" in question.shows:
            shapes += reach_of_unit(table, unit, question.allowance[name])
    far = away_from_foes(table, [ended(table[name], answer.get(name, Walk())) for name in question.models])
    return Preview(notes=tuple(notes), distances=far, paths=tuple(paths), reach=tuple(shapes))


def ended(unit: Thing, walk: Walk) -> Thing:
    """A unit as it stands at the end of a way."""
    end = track_of(unit, walk).end
    return replace(unit, place=At(end.point), facing=end.facing)


def away_from_foes(table: Table, units: Sequence[Thing]) -> dict[str, int]:
    """How far each enemy on the table is from the nearest of some units, the nearest first."""
    foes = [
        one for unit in units[:1] for one in table.enemies_of(unit.side) if isinstance(one.place, At) and not one.gone
    ]
    return nearest_first({foe.id: min(distance(table, one, foe) for one in units) for foe in foes})


def reach_of_unit(table: Table, unit: Thing, allowance: int) -> list[Shape]:
    """Where a unit can get to in one action; found once until something changes, however many ways are drafted."""
    cache, key = table.things_cache, (reach_of_unit, unit.id, allowance)
    if key not in cache:
        cache[key] = _reach(table, unit, allowance)
    found: list[Shape] = cache[key]
    return found


def _reach(table: Table, unit: Thing, allowance: int) -> list[Shape]:
    assert unit.base is not None
    assert isinstance(unit.place, At)
    way = way_of(table, unit, allowance)
    most = allowance + EXCEPTIONAL.inches("bonus_in")
    farthest = most if way.longest is None else min(most, way.longest)
    if farthest <= 0:
        return []
    slow = TOUGH.number("cost_per_inch", column(unit))

    def weigh(piece: Piece) -> int | None:
        if has_property(piece, "impassable") and too_high(unit, piece) and not is_behemoth(unit):
            return None
        return slow if has_property(piece, "tough") else PASSABLE.number("cost_per_inch")

    lie = Lie(table.ground, unit.base, weigh, tuple(shape for shape, _ in way.blocks))
    walker = Walker(
        Pose(unit.place.point, unit.facing),
        lambda walk: as_far(table, unit, track_of(unit, walk), way),
        Gait(farthest=farthest),
        lie,
    )
    return [*reach([walker], lambda at: refused_end(table, unit, at, [(unit, at)], unit.has(AIRBORNE)) is None)]


def half_move(unit: Thing) -> int:
    """Half the MV of a unit, in whole inches, rounded up."""
    return UNIT * half_up(full_move(unit) // UNIT)


def flight_left(unit: Thing) -> int:
    """How far an Aircraft may still fly this round: its MV, or as far as those who got in or out of it let it."""
    limit = unit.value(LOADED)
    return max(0, (limit if isinstance(limit, int) else full_move(unit)) - (moved(unit) or 0))


CHAPTER = Chapter(
    judges={WALK: judge_walks},
    previews={WALK: preview_walks},
    states={LOADED: "somebody has got in or out of the Aircraft: how far it may move this round, in thousandths"},
    values={"half-move": lambda table, value: half_move(table[value.text_at()]) // UNIT},
    switches={ROADS_SWITCH: "only Tanks and Walkers use roads"},
    answers={WALK: "the way of each unit: `walk: {A1: [[10, 24], [14, 24]]}`"},
)
