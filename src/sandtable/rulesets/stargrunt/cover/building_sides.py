"""A building under fire is marked on one side: nobody leaves it there, or by the sides next to it."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import StateChanged
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import Point, Polygon
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.ground import pieces_at
from sandtable.field.measure import inside
from sandtable.field.outlines import segments_meet
from sandtable.field.walking.paths import Track
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.units.record import mean, points

COMMANDER = rule("stargrunt.vehicles.suppressed")

#: The state of a building: which of its sides are under fire, counted from its first corner.
UNDER_FIRE = "under fire"


def building_of(table: Table, unit: str) -> Piece | None:
    """The building that most of a unit's OK figures are in; none where they are outside."""
    here = points(table, unit)
    for piece in table.ground.pieces:
        if piece.kind == "building" and 2 * sum(inside(piece.outline, at) for at in here) > len(here):
            return piece
    return None


def sides_crossed(piece: Piece, start: Point, end: Point) -> tuple[int, ...]:
    """The sides of a building that a straight line crosses or touches.

    >>> from sandtable.engine.shapes import rectangle
    >>> house = Piece("house", "building", rectangle(0, 0, 4000, 2000))
    >>> sides_crossed(house, Point(1000, 1000), Point(1000, 9000)), sides_crossed(house, Point(1, 1), Point(2, 2))
    ((2,), ())
    """
    if not isinstance(piece.outline, Polygon):
        return ()
    corners = piece.outline.points
    ends = [(corners[n], corners[(n + 1) % len(corners)]) for n in range(len(corners))]
    return tuple(n for n, (a, b) in enumerate(ends) if segments_meet(start, end, a, b))


def under_fire(table: Table, piece: Piece) -> tuple[int, ...]:
    """The sides of a building that are marked."""
    thing = table.things.get(piece.id)
    value = thing.value(UNDER_FIRE) if thing is not None else None
    return tuple(int(side) for side in value) if isinstance(value, tuple) else ()


def closed(table: Table, piece: Piece) -> tuple[int, ...]:
    """The sides by which nobody may leave a building: those marked and those next to them."""
    if not isinstance(piece.outline, Polygon):
        return ()
    many = len(piece.outline.points)
    return tuple(sorted({(side + step) % many for side in under_fire(table, piece) for step in (-1, 0, 1)}))


def leaves_under_fire(table: Table, track: Track) -> Piece | None:
    """The building that a figure's way would leave by a side that is closed; none where nothing is wrong."""
    for piece in pieces_at(table.ground, track.start.point):
        if piece.kind != "building" or not under_fire(table, piece):
            continue
        for stretch in track.stretches:
            if inside(piece.outline, stretch.start) and not inside(piece.outline, stretch.end):
                if any(side in closed(table, piece) for side in sides_crossed(piece, stretch.start, stretch.end)):
                    return piece
    return None


def refused_leaving(table: Table, figure: Thing, track: Track) -> Refusal | None:
    """Why a figure may not go a way: out of a building by a side under fire, or one next to it."""
    shelter = leaves_under_fire(table, track)
    if shelter is None:
        return None
    sentence = f"{figure.label} cannot leave {shelter.label or shelter.kind} by a side under fire."
    return Refusal(COMMANDER.id, sentence)


def mark_side(battle: Battle, unit: str, firer: str) -> None:
    """Fire that suppresses a unit in a building marks the side it comes from, if everybody sees where that is."""
    table = battle.table
    piece = building_of(table, unit)
    source = points(table, firer) if firer in table.things else []
    if piece is None or not source:
        return
    (x, y), (u, v) = mean(points(table, unit)), mean(source)
    crossed = sides_crossed(piece, Point(int(x), int(y)), Point(int(u), int(v)))
    before = under_fire(table, piece)
    if not crossed or crossed[0] in before:
        return
    told = tuple(str(side) for side in (*before, crossed[0]))
    old = tuple(str(side) for side in before) or None
    battle.happens(StateChanged(piece.id, UNDER_FIRE, old, told, rule=COMMANDER.id))


def clear_sides(battle: Battle, unit: str, because: int) -> None:
    """A unit that gets over its suppression takes the marks from the building it occupies."""
    piece = building_of(battle.table, unit)
    if piece is not None and under_fire(battle.table, piece):
        old = tuple(str(side) for side in under_fire(battle.table, piece))
        battle.happens(StateChanged(piece.id, UNDER_FIRE, old, None, rule=COMMANDER.id, because=because))


def in_marked_building(table: Table, unit: str) -> bool:
    """Whether a unit occupies a building with a side under fire."""
    piece = building_of(table, unit)
    return piece is not None and bool(under_fire(table, piece))
