"""The best volley of a squad from where it stands, and what it is worth."""

from collections.abc import Iterator

from sandtable.engine.questions import Plan
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.dropzone.behemoths.zones import points_left, zones_left
from sandtable.rulesets.dropzone.shooting.aiming import REDUCED, Shot, cannot_fire, refused, weapon_of
from sandtable.rulesets.dropzone.shooting.firing import SHOTS, ZONE, judge_shots, shooters, targets, ways
from sandtable.rulesets.dropzone.tactics.anti_air import kept_back
from sandtable.rulesets.dropzone.tactics.worth import expected, value_of_damage
from sandtable.rulesets.dropzone.units import Weapon, card, inside, is_behemoth
from sandtable.tabletop.opponent import Skill, kept

#: How much farther than its range a weapon is thought to reach, and how far at least: in contact, and as one shot.
SPARE = REDUCED.inches("aa_range_in")


def best_volley(table: Table, squad: Thing, skill: Skill) -> tuple[dict[str, str], int]:
    """What each weapon is aimed at, and what that is worth; kept as long as nobody stirs."""
    return kept(table, (best_volley, squad.id, skill.together, skill.reacts), lambda: _best_volley(table, squad, skill))


def _best_volley(table: Table, squad: Thing, skill: Skill) -> tuple[dict[str, str], int]:
    view, plan = View(squad.side, table), Plan(squad.side, "", topic=SHOTS, about=(squad.id,))
    aimed = [(name, shot) for name, shot in shots(table, squad) if expected(table, shot)]
    able = [(expected(table, shot), name, shot.target) for name, shot in aimed]
    spared = {name: _spared(table, shot) if skill.reacts else 0 for name, shot in aimed}
    zones = {target: weakest_zone(table[target]) for _, _, target in able}
    draft: dict[str, str] = {}
    done: dict[str, int] = {}
    total = 0

    def worth_of(points: int, name: str, target: str) -> int:
        harm = value_of_damage(table, squad.side, table[target], points, done.get(target, 0))
        return harm - spared[name]

    while able and len(draft) < skill.together:
        worth, points, name, target = max((worth_of(*one), *one) for one in able)
        able = [one for one in able if one[1] != name]
        more = {name: target, f"{name} {ZONE}": zones[target]} if zones[target] else {name: target}
        if worth > 0 and judge_shots(view, plan, {**draft, **more}) is None:
            draft |= more
            done[target] = done.get(target, 0) + points
            total += worth
    return draft, total


def _spared(table: Table, shot: Shot) -> int:
    """What a shot gives away: what its weapon could still do this round to those who fly past."""
    return kept_back(table, table[shot.unit], weapon_of(table[shot.unit], shot.weapon))


def shots(table: Table, squad: Thing) -> Iterator[tuple[str, Shot]]:
    """The shots that a squad may fire from where it stands, each with its part; houses only with enemies in them."""
    for unit in shooters(table, squad):
        for weapon in card(unit).weapons:
            if cannot_fire(table, unit, weapon) is not None:
                continue
            marks = [one for one in targets(table, unit, weapon) if not too_far(unit, weapon, one)]
            marks = [one for one in marks if one.kind != "holder" or hostile(table, squad, one)]
            for name, combined in ways(unit, weapon):
                for mark in marks:
                    shot = Shot(unit.id, weapon.id, mark.id, combined, zone=weakest_zone(mark))
                    if refused(table, shot) is None:
                        yield name, shot


def too_far(unit: Thing, weapon: Weapon, mark: Thing) -> bool:
    """Whether a mark is surely out of a weapon's range: seen from above, with an inch or two to spare."""
    if not isinstance(unit.place, At) or not isinstance(mark.place, At) or mark.kind != "model":
        return False
    ranges = (weapon.range_full_in, weapon.range_countered_in)
    if "inf" in ranges:
        return False
    far = max([SPARE, *(one for one in ranges if isinstance(one, int))]) + SPARE + card(mark).spread_in
    (x, y), (east, south) = unit.place.point, mark.place.point
    return (x - east) ** 2 + (y - south) ** 2 > far * far


def hostile(table: Table, squad: Thing, house: Thing) -> bool:
    """Whether enemies of a squad are in a house."""
    return any(one.side != squad.side for one in inside(table, house.id))


def weakest_zone(target: Thing) -> str:
    """The zone of a Behemoth that has least left; empty for everybody else."""
    left = zones_left(target) if is_behemoth(target) else []
    return min(left, key=lambda zone: (points_left(target, zone), zone), default="")
