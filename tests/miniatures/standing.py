"""Where models stand and walk, as far as every miniature needs it: the board, free ground, a path that is blocked."""

from collections.abc import Iterable

from sandtable.engine.events import BOARD, Moved, Placed
from sandtable.engine.explain import inches
from sandtable.engine.ids import PieceId, RuleId, ThingId
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import At, Base, Disc, Off, Point, Polygon, Region, Spot, Walk, rectangle
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.measure import covers, inside, outline_of, overlap
from sandtable.field.walking.encounters import leaves_board, meetings, over_edge
from sandtable.field.walking.paths import Pose, Track, resolve


def board(width: int, height: int, rule: RuleId) -> Placed:
    """The event that lays the board."""
    return Placed("board", Off(), piece=Piece(PieceId("board"), BOARD, rectangle(0, 0, width, height)), rule=rule)


def point_of(thing: Thing) -> Point:
    """The centre of a thing that stands on the table."""
    assert isinstance(thing.place, At), f"{thing.id} is not on the table"
    return thing.place.point


def base_of(thing: Thing) -> Base:
    """The base of a thing that has one."""
    assert thing.base is not None, f"{thing.id} has no base"
    return thing.base


def outline(thing: Thing) -> Disc | Polygon:
    """The outline of a thing on the table."""
    return outline_of(base_of(thing), point_of(thing), thing.facing)


def pose(thing: Thing) -> Pose:
    """How a thing stands."""
    assert isinstance(thing.place, At), f"{thing.id} is not on the table"
    return Pose(thing.place.point, thing.facing, thing.place.level)


def others(table: Table, *but: str) -> list[Thing]:
    """The models on the ground, except some."""
    return [m for m in table.models() if m.id not in but and isinstance(m.place, At) and m.place.level == 0]


def track_of(table: Table, model: str, walk: Walk) -> Track:
    """The track of a model's walk from where it stands."""
    return resolve(pose(table[model]), walk)


def blocked(table: Table, model: str, walk: Walk, rule: RuleId) -> Refusal | None:
    """Why a walk cannot be walked: it leaves the board, or another base is in the way. Touching is no hindrance."""
    track, base = track_of(table, model, walk), base_of(table[model])
    if leaves_board(track, base, table.ground) is not None:
        return Refusal(rule, f"{model} would leave the board.")
    near = others(table, model)
    for met in meetings(track, base, [outline(other) for other in near]):
        if met.last is not None and (met.last < track.length or met.turning):
            return Refusal(rule, f"{near[met.other].id} is in the way, {inches(met.last)} along.")
    return None


def taken(table: Table, base: Base, spot: Spot, rule: RuleId, but: Iterable[str] = ()) -> Refusal | None:
    """Why a base cannot stand somewhere on the ground: over the edge, or on another model."""
    assert isinstance(spot.where, At)
    shape = outline_of(base, spot.where.point, spot.facing)
    if over_edge(shape, table.ground):
        return Refusal(rule, "That is not wholly on the board.")
    for other in others(table, *but):
        if overlap(shape, outline(other)):
            return Refusal(rule, f"{other.id} stands there.")
    return None


def outside(region: Region, base: Base, spot: Spot) -> Refusal | None:
    """Why a spot does not lie in a region, by the rule that sets the region.

    `whole` says whether the base or only its centre must lie inside; the border of a forbidden shape is allowed.
    """
    assert isinstance(spot.where, At)
    centre = Disc(spot.where.point, 0)
    shape = outline_of(base, spot.where.point, spot.facing) if region.whole else centre
    if region.inside and not any(covers(allowed, shape) for allowed in region.inside):
        return Refusal(region.rule, f"That is not in {region.label or 'the area'}.")
    for forbidden in region.outside:
        if overlap(forbidden, shape) if region.whole else inside(forbidden, spot.where.point):
            return Refusal(region.rule, f"That is not allowed: {region.label or 'it is too near'}.")
    return None


def moved(model: ThingId, track: Track, start: int, end: int, rule: RuleId, manner: str = "own") -> Moved | None:
    """The event of walking a part of a track, or none where nothing of it is left."""
    before, now = track.pose_at(start), track.pose_at(end, turned=end == track.length)
    if start == end and before == now:
        return None
    rest = track.cut(start)[1] if start else track.walk
    part = resolve(before, rest).cut(end - start)[0] if end < track.length else rest
    places = At(before.point, before.level), At(now.point, now.level)
    return Moved(model, *places, now.facing, part, manner, rule=rule)
