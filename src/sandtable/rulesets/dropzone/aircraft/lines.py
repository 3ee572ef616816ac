"""The straight lines of Fast Aircraft: how far, over an edge of the table, over what is too tall."""

from collections.abc import Sequence

from sandtable.engine.shapes import UNIT, Leg, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.outlines import outline_of
from sandtable.field.walking.encounters import Obstacles, over_edge
from sandtable.field.walking.paths import Track
from sandtable.rulesets.dropzone.basics import has_property
from sandtable.rulesets.dropzone.movement.paths import full_move, refused_end, too_high
from sandtable.rulesets.dropzone.units import MoveRange, card
from sandtable.tabletop.walking import track_of


def least(unit: Thing) -> int:
    """The least MV of a Fast unit."""
    speed = card(unit).move_in
    return speed.min if isinstance(speed, MoveRange) else 0


def leaves_table(table: Table, unit: Thing, track: Track) -> bool:
    """Whether a straight flight ends over an edge of the table."""
    assert unit.base is not None
    return over_edge(outline_of(unit.base, track.end.point, 0), table.ground)


def too_tall(table: Table, unit: Thing, track: Track) -> bool:
    """Whether scenery is in the way that is too tall to fly over, so that the unit must fly high."""
    assert unit.base is not None
    tall = [one.outline for one in table.ground.pieces if has_property(one, "impassable") and too_high(unit, one)]
    return bool(tall) and Obstacles(tall).free_until(track, unit.base) < track.length


def straight_ahead(table: Table, units: Sequence[Thing], high: bool = True) -> dict[str, Walk] | None:
    """The shortest straight flight that is lawful for some units together, without flying high if need be."""
    for more in range(0, max(full_move(one) - least(one) for one in units) + 1, UNIT // 4):
        walks = {str(one.id): Walk((Leg(0, min(least(one) + more, full_move(one))),)) for one in units}
        tracks = [(one, track_of(one, walks[one.id])) for one in units]
        ends = [(one, track.end.point) for one, track in tracks if not leaves_table(table, one, track)]
        clear = high or not any(too_tall(table, one, track) for one, track in tracks)
        if clear and all(refused_end(table, one, at, ends, True) is None for one, at in ends):
            return walks
    return None
