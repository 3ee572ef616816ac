"""What shots would bring: what each needs, the line it goes along, and how much harm it does, exactly."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from sandtable.engine.dice import Dice
from sandtable.engine.enumerator import chances_of
from sandtable.engine.questions import Chance, ChooseOne, Plan, Preview, SightNote
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Point
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.dropzone.basics import distance
from sandtable.rulesets.dropzone.behemoths.zones import may_end, points_left, to_cripple
from sandtable.rulesets.dropzone.damage import Hits, damage_pool, passive_numbers, per_success, save_pool
from sandtable.rulesets.dropzone.shooting.aiming import (
    Aim,
    Shot,
    aim,
    energy_of,
    has,
    hit_pool,
    refused,
    scatters,
    shots_of,
    weapon_of,
)
from sandtable.rulesets.dropzone.shooting.firing import SHOTS, TARGET, manner, shots_in
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import together

#: How much harm comes with which chance.
Harms = Mapping[int, Fraction]


def harms(table: Table, shot: Shot) -> Harms | None:
    """How many points a shot takes off its target with which chance; none where more is asked before it is known.

    The dice that play fall here too, each pool once for every way there is: to hit, to damage, to save.
    """
    unit, target = table[shot.unit], table[shot.target]
    weapon = weapon_of(unit, shot.weapon)
    how = aim(table, shot)
    if how is None or scatters(weapon, target) or has(weapon, "focus") or has(weapon, "flame"):
        return None
    count = shots_of(unit, weapon, shot.combined)
    hit = None if weapon.automatic and target.kind != "holder" else hit_pool(table, shot, how)
    base = Hits(
        target.id,
        0,
        energy_of(unit, weapon, shot.combined),
        weapon.id,
        unit.id,
        printed=weapon.energy,
        cover=how.body,
        special=weapon.special,
        manner=manner(unit, weapon),
    )
    plain, critical = per_success(target, base, table)
    saver = None if target.kind == "holder" else table.members(target.id)[0] if target.kind == "unit" else target
    saves = [] if saver is None else passive_numbers(saver, base)

    def play(dice: Dice) -> int:
        hits, sure = count, 0
        if hit is not None:
            counts = hit.fall(dice)[1]
            hits, sure = counts[1], counts[2] if len(counts) > 2 else 0
        fell = damage_pool(table, base, hits).fall(dice)[1]
        points = fell[1] * plain + (fell[2] + sure) * critical
        for needs, source in saves:
            assert saver is not None
            points -= save_pool(saver, points, needs, source).fall(dice)[1][1]
        return points

    found = chances_of(play)
    return {points: chance for points, chance in found.items() if isinstance(points, int)}


def added(one: Harms, other: Harms) -> Harms:
    """The harm of two shots together."""
    found: dict[int, Fraction] = {}
    for first, chance in one.items():
        for second, more in other.items():
            found[first + second] = found.get(first + second, Fraction(0)) + chance * more
    return found


def told(target: Thing, chances: Harms) -> tuple[Chance, ...]:
    """The chances as a preview shows them: so much or more, and that the target is destroyed."""
    left = target.track - target.harm if target.kind != "unit" else 0
    found = []
    for points in range(1, min(max(chances, default=0), left or max(chances, default=0)) + 1):
        chance = sum((one for harm, one in chances.items() if harm >= points), Fraction(0))
        final = bool(left) and points == left
        label = f"{target.label} destroyed" if final else f"{target.label}: {points} or more"
        found.append(Chance(label, chance.numerator, chance.denominator, amount=points, final=final))
    return tuple(found)


def told_of_zones(target: Thing, by_zone: Mapping[str, Harms]) -> tuple[Chance, ...]:
    """The chances of shots at zones of a Behemoth: what each loses, that it is Crippled, that two are gone."""
    found = []
    for zone, chances in by_zone.items():
        for points in range(1, min(max(chances), points_left(target, zone)) + 1):
            chance = sum((one for harm, one in chances.items() if harm >= points), Fraction(0))
            what = "Crippled" if points == to_cripple(target, zone) else f"{points} or more"
            found.append(Chance(f"{target.label}, {zone}: {what}", chance.numerator, chance.denominator, amount=points))
    ends = Fraction(0)
    for losses in product(*(chances.items() for chances in by_zone.values())):
        if may_end(target, {zone: harm for zone, (harm, _) in zip(by_zone, losses, strict=True)}):
            ends += prod(chance for _, chance in losses)
    if ends:
        found.append(Chance(f"{target.label} destroyed", ends.numerator, ends.denominator, final=True))
    return tuple(found)


def preview_shot(view: View, shot: Shot) -> Preview:
    """What one shot needs, its line, and what it may do."""
    table = view.table
    if refused(table, shot) is not None:
        return Preview()
    unit, target = table[shot.unit], table[shot.target]
    how = aim(table, shot) or Aim(None, 0, False, False, False)
    needs = (hit_pool(table, shot, how).needs,)
    chances = harms(table, shot)
    far: dict[str, int] = {}
    sight: tuple[SightNote, ...] = ()
    if isinstance(unit.place, At) and isinstance(target.place, At) and target.kind == "model":
        far = {target.id: distance(table, unit, target)}
        if how.eye is not None:
            sight = (SightNote(Point(how.eye.at.x, how.eye.at.y), target.place.point),)
    odds: tuple[Chance, ...] = ()
    if chances is not None:
        odds = told_of_zones(target, {shot.zone: chances}) if shot.zone else told(target, chances)
    note = "" if chances is not None else "What this weapon does hangs on more choices or dice."
    return Preview(needs, distances=far, sight=sight, odds=odds, odds_note=note)


def preview_target(view: View, question: ChooseOne, answer: str) -> Preview:
    """What one weapon would bring."""
    unit, weapon, *combined = question.about
    return preview_shot(view, Shot(unit, weapon, answer, bool(combined)))


def preview_shots(view: View, question: Plan, answer: Mapping[str, str | None]) -> Preview:
    """What all shots of a squad would bring."""
    return preview_fire(view, shots_in(answer))


def preview_fire(view: View, shots: Sequence[Shot]) -> Preview:
    """What some shots would bring together: needs one by one, harm by target."""
    table = view.table
    shown = together(*(preview_shot(view, shot) for shot in shots))
    odds: tuple[Chance, ...] = ()
    zones: dict[str, dict[str, Harms]] = {}
    for name, zone in dict.fromkeys((shot.target, shot.zone) for shot in shots):
        whole: Harms | None = {0: Fraction(1)}
        for shot in shots:
            if (shot.target, shot.zone) == (name, zone) and whole is not None:
                one = harms(table, shot)
                whole = None if one is None else added(whole, one)
        if whole is None:
            continue
        if zone:
            zones.setdefault(name, {})[zone] = whole
        else:
            odds += told(table[name], whole)
    for name, by_zone in zones.items():
        odds += told_of_zones(table[name], by_zone)
    return Preview(
        shown.explanations, shown.notes, shown.distances, sight=shown.sight, odds=odds, odds_note=shown.odds_note
    )


CHAPTER = Chapter(previews={TARGET: preview_target, SHOTS: preview_shots})
