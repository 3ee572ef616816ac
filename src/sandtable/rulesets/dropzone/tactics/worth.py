"""What units and shots are worth, in thousandths of a point of harm: ten army points are one."""

from sandtable.engine.ids import Side
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.dropzone.command.commanders import COMMANDER, cost
from sandtable.rulesets.dropzone.damage import damage_pool, one_of, passive_numbers, per_success, save_pool
from sandtable.rulesets.dropzone.shooting.aiming import Shot, aim, has, hit_pool, shots_of, weapon_of
from sandtable.rulesets.dropzone.shooting.firing import base_hits
from sandtable.rulesets.dropzone.units import card, inside
from sandtable.tabletop.opponent import share_of_price
from sandtable.tabletop.pools import Pool

#: What an army point is worth.
POINT = 100
#: How much of what is inside counts with what is shot at, in hundredths.
ABOARD, OCCUPANTS = 50, 25


def price(table: Table, unit: Thing) -> int:
    """What a unit is worth with the Commander and the passengers it carries."""
    chief = unit.value(COMMANDER)
    own = card(unit).points + (cost(chief) if isinstance(chief, int) else 0)
    return own * POINT + sum(price(table, one) for one in inside(table, unit.id)) * ABOARD // 100


def share(pool: Pool, *classes: int) -> int:
    """How many dice of a thousand come to some classes."""
    return 1000 * sum(one in classes for one in pool.classes) // len(pool.classes)


def expected(table: Table, shot: Shot) -> int:
    """The Damage that a shot may be expected to do, in thousandths of a Damage Point; 0 where it cannot be aimed."""
    unit, target = table[shot.unit], table[shot.target]
    weapon, how = weapon_of(unit, shot.weapon), aim(table, shot)
    if how is None:
        return 0
    hits, sure = 1000 * shots_of(unit, weapon, shot.combined), 0
    if not weapon.automatic or target.kind == "holder":
        pool = hit_pool(table, shot, how)
        critical = 0 if has(weapon, "area") else share(pool, 2)
        hits, sure = pool.count * share(pool, 2 if has(weapon, "area") else 1), pool.count * critical
    base = base_hits(table, shot, how)
    damage, (plain, critical) = damage_pool(table, base), per_success(target, base, table)
    points = (hits * (share(damage, 1) * plain + share(damage, 2) * critical)) // 1000 + sure * critical
    if target.kind != "holder":
        saver = one_of(table, target)
        for needs, source in passive_numbers(saver, base):
            points = points * (1000 - share(save_pool(saver, 1, needs, source), 1)) // 1000
    return points


def value_of_damage(table: Table, side: Side, target: Thing, points: int, before: int = 0) -> int:
    """What so many thousandths of a Damage Point off a target are worth to a side after others; the last count most."""
    if target.kind == "holder":
        held = sum(price(table, one) * (1 if one.side != side else -1) for one in inside(table, target.id))
        left, whole = 1000 * (target.track - target.harm), held * OCCUPANTS // 100
        return min(points, max(0, left - before)) * whole // max(1, left)
    units = table.members(target.id) if target.kind == "unit" else [target]
    left = 1000 * sum(one.track - one.harm for one in units)
    whole = sum(price(table, one) for one in units)
    return share_of_price(points, before, left, sum(one.track for one in units), whole)
