"""What an anti-air weapon is worth that is kept back for those who will still fly past this round."""

from sandtable.engine.shapes import UNIT, At, Point, Spot
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.dropzone.aircraft.reactions import anti_air_weapons
from sandtable.rulesets.dropzone.movement.paths import full_move
from sandtable.rulesets.dropzone.movement.placing import put_down
from sandtable.rulesets.dropzone.shooting.aiming import Shot, reach_of
from sandtable.rulesets.dropzone.tactics.worth import expected, value_of_damage
from sandtable.rulesets.dropzone.units import ACTED, AIRBORNE, Weapon, squad_of
from sandtable.tabletop.opponent import kept

#: How often, in hundredths, who could fly past is thought to do so.
COMES = 60


def kept_back(table: Table, unit: Thing, weapon: Weapon) -> int:
    """What a weapon may do to the best of the Aircraft that could still fly past its unit this round."""
    if weapon not in anti_air_weapons(table, unit):
        return 0
    return kept(table, (kept_back, unit.id, weapon.id), lambda: _kept_back(table, unit, weapon))


def _kept_back(table: Table, unit: Thing, weapon: Weapon) -> int:
    worth = [0]
    for aircraft in table.models():
        if aircraft.side == unit.side or not aircraft.has(AIRBORNE) or squad_of(table, aircraft).has(ACTED):
            continue
        met = _met(table, unit, weapon, aircraft)
        if met is not None:
            points = expected(met, Shot(unit.id, weapon.id, aircraft.id, reaction=True))
            worth.append(value_of_damage(table, unit.side, aircraft, points))
    return max(worth) * COMES // 100


def _met(table: Table, unit: Thing, weapon: Weapon, aircraft: Thing) -> Table | None:
    """The table with an Aircraft where it is or, farther off, where it first comes within range; none if it cannot."""
    if not isinstance(aircraft.place, At) or not isinstance(unit.place, At):
        return None
    here, there = unit.place.point, aircraft.place.point
    reach, apart = reach_of(table, unit, weapon, aircraft), length_between(here, there)
    near = min(apart, reach - UNIT) if isinstance(reach, int) else apart
    if apart - near > full_move(aircraft):
        return None
    met = Point(*(mine + (its - mine) * near // max(1, apart) for mine, its in zip(here, there, strict=True)))
    return put_down(table, {aircraft.id: Spot(At(met, aircraft.place.level))})
