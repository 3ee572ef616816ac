"""How much harm comes with which chance: the dice that play fall, each pool once for every way there is."""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from msgspec.structs import replace

from sandtable.engine.dice import Dice
from sandtable.engine.enumerator import chances_of
from sandtable.engine.shapes import In
from sandtable.engine.table import Table
from sandtable.rulesets.dropzone.basics import number_of
from sandtable.rulesets.dropzone.damage import (
    STORMED,
    Hits,
    damage_pool,
    one_of,
    passive_numbers,
    per_success,
    save_pool,
)
from sandtable.rulesets.dropzone.shooting.aiming import Shot, aim, has, hit_pool, scatters, weapon_of
from sandtable.rulesets.dropzone.shooting.firing import area_dice, base_hits, glancing
from sandtable.tabletop.pools import Pool

#: How much harm comes with which chance.
Harms = Mapping[int, Fraction]


def harm_chances(table: Table, target: str, roll: Callable[[Dice], Iterable[Hits]]) -> Harms:
    """How many points come off a target with which chance, given the dice that say how often it is hit, and by what."""
    struck = table[target]
    unit = None if struck.kind == "holder" else one_of(table, struck)

    def play(dice: Dice) -> int:
        dealt = []
        for hits in roll(dice):
            pool = damage_pool(table, hits)
            fell = pool.fall(dice)[1]
            plain = fell[1]
            if STORMED in hits.manner and plain:
                plain = replace(pool, count=plain).fall(dice)[1][1]
            one, two = per_success(struck, hits, table)
            dealt.append((hits, plain * one + (fell[2] + hits.sure) * two))
        points = 0
        for hits, harm in dealt:
            for needs, source in [] if unit is None else passive_numbers(unit, hits):
                assert unit is not None
                harm -= save_pool(unit, harm, needs, source).fall(dice)[1][1]
            points += harm
        return points

    found = chances_of(play)
    return {points: chance for points, chance in found.items() if isinstance(points, int)}


def added(one: Harms, other: Harms) -> Harms:
    """The harm of two events together."""
    found: dict[int, Fraction] = {}
    for first, chance in one.items():
        for second, more in other.items():
            found[first + second] = found.get(first + second, Fraction(0)) + chance * more
    return found


def harms(table: Table, shot: Shot) -> Harms | None:
    """How many points a shot takes off its target with which chance; none where more is asked before it is known.

    Of an Area weapon it is the harm to its target alone; of Flame without what it sets on fire.
    """
    unit, target = table[shot.unit], table[shot.target]
    weapon = weapon_of(unit, shot.weapon)
    how = aim(table, shot)
    burns = has(weapon, "flame") and (target.kind == "holder" or isinstance(target.place, In))
    if how is None or burns or has(weapon, "focus"):
        return None
    base = base_hits(table, shot, how)
    if weapon.automatic and target.kind != "holder":
        return harm_chances(table, target.id, lambda dice: [base])
    pool = hit_pool(table, shot, how)
    if scatters(weapon, target):
        found: Harms = {0: Fraction(1)}
        each = _one_area_shot(table, replace(pool, count=1), base)
        for _ in range(pool.count):
            found = added(found, each)
        return found

    def roll(dice: Dice) -> Iterable[Hits]:
        counts = pool.fall(dice)[1]
        return [replace(base, count=counts[1], sure=counts[2] if len(counts) > 2 else 0)]

    return harm_chances(table, target.id, roll)


def _one_area_shot(table: Table, pool: Pool, base: Hits) -> Harms:
    """The harm of one Shot of an Area weapon to its target."""
    dice_text = area_dice(table[base.target])

    def roll(dice: Dice) -> Iterable[Hits]:
        missed, glanced, _ = pool.fall(dice)[1]
        often = 0 if missed else number_of(dice, dice_text)[1] if dice_text else 1
        return [replace(glancing(base) if glanced else base, count=often)]

    return harm_chances(table, base.target, roll)
