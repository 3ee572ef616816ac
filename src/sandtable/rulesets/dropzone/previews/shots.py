"""What shots would bring: what each needs, the line it goes along, and how much harm it does, exactly."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod

from msgspec.structs import replace

from sandtable.engine.questions import Allocate, Bead, Chance, ChooseOne, Plan, Preview, React, Reaction, SightNote
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Point
from sandtable.engine.table import Table, Thing
from sandtable.field.sight import runs_inside
from sandtable.field.volumes import Place, blocks
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.dropzone.aircraft.reactions import REACTION, on_its_way, reaction_names, reaction_shots
from sandtable.rulesets.dropzone.basics import SIGHT, Eye, distance, eyes, hiding, points_seen, sample, spoken
from sandtable.rulesets.dropzone.behemoths.zones import may_end, points_left, to_cripple
from sandtable.rulesets.dropzone.command.commanders import SHIFT, STAY
from sandtable.rulesets.dropzone.damage import to_damage
from sandtable.rulesets.dropzone.shooting.aiming import Aim, Shot, aim, hit_pool, refused, weapon_of
from sandtable.rulesets.dropzone.shooting.firing import FOCUSING, SHOTS, TARGET, base_hits, focused, shots_in
from sandtable.rulesets.dropzone.shooting.odds import Harms, added, harm_chances, harms
from sandtable.rulesets.dropzone.units import is_behemoth, value_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import together


def told(target: Thing, chances: Harms) -> tuple[Chance, ...]:
    """The chances as a preview shows them: so much or more, and that the target is destroyed."""
    left = 0 if target.kind == "unit" or is_behemoth(target) else target.track - target.harm
    found = []
    for points in range(1, min(max(chances, default=0), left or max(chances, default=0)) + 1):
        chance = sum((one for harm, one in chances.items() if harm >= points), Fraction(0))
        final = bool(left) and points == left
        label = f"{target.label} destroyed" if final else f"{target.label}: {points} or more"
        found.append(Chance(label, chance.numerator, chance.denominator, amount=points, final=final, at_least=True))
    return tuple(found)


def told_of_zones(target: Thing, by_zone: Mapping[str, Harms]) -> tuple[Chance, ...]:
    """The chances of shots at zones of a Behemoth: what each loses, that it is Crippled, that two are gone."""
    found = []
    for zone, chances in by_zone.items():
        for points in range(1, min(max(chances), points_left(target, zone)) + 1):
            chance = sum((one for harm, one in chances.items() if harm >= points), Fraction(0))
            what = "Crippled" if points == to_cripple(target, zone) else f"{points} or more"
            label = f"{target.label}, {zone}: {what}"
            found.append(Chance(label, chance.numerator, chance.denominator, amount=points, at_least=True))
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
    needs = (hit_pool(table, shot, how).needs, to_damage(table, base_hits(table, shot, how)))
    chances = harms(table, shot)
    far: dict[str, int] = {}
    if isinstance(unit.place, At) and isinstance(target.place, At) and target.kind == "model":
        far = {target.id: distance(table, unit, target)}
    notes, sight = what_is_seen(table, unit, target, how.eye)
    odds: tuple[Chance, ...] = ()
    if chances is not None:
        odds = told_of_zones(target, {shot.zone: chances}) if shot.zone else told(target, chances)
    note = "" if chances is not None else "What this weapon does hangs on more choices or dice."
    return Preview(needs, notes, distances=far, sight=sight, odds=odds, odds_note=note)


def what_is_seen(
    table: Table, unit: Thing, target: Thing, eye: Eye | None
) -> tuple[tuple[str, ...], tuple[SightNote, ...]]:
    """How much of a target an eye sees, in words and as lines across its width, and what hides the rest.

    An Indirect weapon also aims by the eyes of Scouts.
    """
    if eye is None or target.kind != "model":
        return (), ()
    own = [one for one in table.of_kind("model") if one.side == unit.side and not one.gone]
    looks = next((one for one in (unit, *own) if eye in eyes(table, one)), unit)
    points = sample(table, target, eye)
    found = set(points_seen(table, looks, target, eye, points))
    if not found:  # Flame reaches those inside by another edge than theirs
        return (), ()
    start, volumes = Point(eye.at.x, eye.at.y), hiding(table, looks, target, eye)
    columns: dict[Point, list[Place]] = {}
    for one in points:
        columns.setdefault(Point(one.x, one.y), []).append(one)
    lines = []
    for end, column in columns.items():
        hidden = found.isdisjoint(column)
        hides = [name for name, volume in volumes.items() if hidden and blocks(volume, eye.at, column[-1])]
        beads = [
            Bead(enters, leaves, _spoken(table, name), blocks=True, rule=SIGHT.id)
            for name in hides
            for enters, leaves in runs_inside(volumes[name].outline, start, end)
        ]
        beads.sort(key=lambda bead: length_between(start, bead.enters))
        lines.append(SightNote(start, end, tuple(beads[:1]), blocked=hidden))
    return (f"{len(found)} of the {len(points)} points of {target.label} are in sight.",), tuple(lines)


def _spoken(table: Table, name: str) -> str:
    return table[name].label if name in table.things else spoken(table.ground.piece(name))


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
        *(shown.explanations, tuple(dict.fromkeys(shown.notes)), shown.distances),
        sight=tuple(dict.fromkeys(shown.sight)),
        odds=odds,
        odds_note=shown.odds_note,
    )


def preview_focus(view: View, question: Allocate, answer: Mapping[str, str]) -> Preview:
    """How much harm the hits do of which some are given up for the Energy of others."""
    table, facts = view.table, question.facts
    by, at, weapon, *zone = question.about
    shot = Shot(by, weapon, at, bool(facts["combined"]), zone[0] if zone else "")
    hits = base_hits(table, shot, aim(table, shot) or Aim(None, 0, False, False, False))
    struck = replace(hits, count=facts["hits"], sure=facts["sure"])
    focus = value_of(weapon_of(table[by], weapon).special, "focus") or 0
    chances = harm_chances(table, at, lambda dice: focused(struck, focus, answer))
    return Preview(odds=told_of_zones(table[at], {shot.zone: chances}) if shot.zone else told(table[at], chances))


def preview_shift(view: View, question: ChooseOne, answer: str) -> Preview:
    """What a shot would do to the Commander, or to who takes it for it."""
    target, unit, weapon, *combined = question.about
    return preview_shot(view, Shot(unit, weapon, target if answer == STAY else answer, bool(combined)))


def preview_reaction(view: View, question: React, answer: Reaction | None) -> Preview:
    """What fire at an Aircraft would bring at a point of its way."""
    if answer is None:
        return Preview()
    by, at = (view.table[name] for name in reaction_names(answer.option))
    there = on_its_way(view.table, at, answer.along or 0)
    shots = reaction_shots(view.table, by, at, answer.along or 0)
    return Preview() if there is None else preview_fire(View(view.side, there), shots)


CHAPTER = Chapter(
    previews={
        TARGET: preview_target,
        SHOTS: preview_shots,
        REACTION: preview_reaction,
        FOCUSING: preview_focus,
        SHIFT: preview_shift,
    }
)
