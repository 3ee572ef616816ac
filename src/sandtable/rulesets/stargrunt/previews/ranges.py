"""Range bands, what rings of reach cost, and who could fire at a unit: where a move would leave it."""

from msgspec.structs import replace

from sandtable.engine.explain import inches
from sandtable.engine.questions import MoveModels, Preview, Ring, Threat
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Walk
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.cover.lines import distance
from sandtable.rulesets.stargrunt.cover.protection import centre_point
from sandtable.rulesets.stargrunt.fire.armament import GUN, Arm, arms, band_width, works
from sandtable.rulesets.stargrunt.fire.heavy import target_refused
from sandtable.rulesets.stargrunt.fire.shots import (
    BANDS,
    DECLARING,
    RANGE_DIE,
    against_die,
    die_of,
    range_steps,
    refused_target,
    shooters,
)
from sandtable.rulesets.stargrunt.movement.moves import after_walks
from sandtable.rulesets.stargrunt.movement.reaching import figures_reach
from sandtable.rulesets.stargrunt.units.record import enemies, hull_of, is_hull, quality
from sandtable.rulesets.stargrunt.vehicles.driving import at_end, track_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import band_words, cost_rings, cost_steps, nearest_first, range_rings, shown_range

#: So many range bands there are in the open (stargrunt.fire.range-die).
_BANDS = len(RANGE_DIE.names("bands"))


def around_move(view: View, question: MoveModels, answer: dict[str, Walk] | None) -> Preview:
    """What a page wants drawn around a unit where its walks end."""
    table, walks = view.table, answer or {}
    unit = table[question.about[0]]
    hull = hull_of(table, unit.id)
    there = after_walks(table, unit, walks) if hull is None else _driven(table, hull, walks)
    shown = Preview()
    if "costs" in question.shows and hull is None:
        shown = replace(shown, rings=_costs(table, question))
    if "ranges" in question.shows:
        bands = bands_of(there, unit)
        far = nearest_first({foe.id: distance(there, unit.id, foe.id) for foe in enemies(there, unit.side)})
        rings = range_rings(there.ground, centre_point(there, unit.id), 0, bands, BANDS.id)
        targets = {foe: shown_range(away, band_words(away, bands)) for foe, away in far.items()}
        shown = replace(shown, rings=(*shown.rings, *rings), targets=targets)
    return replace(shown, threats=_threats(there, unit)) if "threats" in question.shows else shown


def bands_of(table: Table, unit: Thing) -> dict[str, int]:
    """The ends of the range bands of a unit: those of its quality, or of the heavy weapon of a vehicle.

    stargrunt.fire.range-bands    as many inches as the sides of the Quality Die
    """
    guns = [arm for arm in arms(table, unit) if arm.kind == GUN]
    # Against infantry, where the size of the target counts.
    width = band_width(table, guns[0], 1) if guns and hull_of(table, unit.id) else BANDS.number(quality(unit))
    return {f"band {number}": number * width * UNIT for number in range(1, _BANDS + 1)}


def _driven(table: Table, hull: Thing, walks: dict[str, Walk]) -> Table:
    there = table.copy()
    there.things[hull.id] = at_end(hull, track_of(hull, walks.get(hull.id, Walk())))
    return there


def _costs(table: Table, question: MoveModels) -> tuple[Ring, ...]:
    """How far the figures get for less than the whole allowance."""
    figures, allowance = [table[name] for name in question.models], max(question.allowance.values(), default=0)
    if not figures or any(is_hull(one) or not isinstance(one.place, At) for one in figures):
        return ()
    costs = (*cost_steps(allowance, UNIT), allowance)
    return cost_rings({inches(cost): figures_reach(table, figures, cost, question.about[1:]) for cost in costs})


def _threats(table: Table, unit: Thing) -> tuple[Threat, ...]:
    """The enemy units that could fire at a unit from where they stand; what lies hidden is not among them."""
    found = []
    for foe in enemies(table, unit.side):
        said = [*_small(table, foe, unit), *(_heavy(table, foe, unit, arm) for arm in _usable(table, foe, unit))]
        if said:
            start, end = centre_point(table, foe.id), centre_point(table, unit.id)
            found.append(Threat(foe.id, "; ".join(said), start, end, DECLARING.id))
    return tuple(found)


def _small(table: Table, foe: Thing, unit: Thing) -> list[str]:
    """Its small arms, where they may be fired: in which band, and against which die."""
    if hull_of(table, foe.id) is not None or refused_target(table, foe, unit) is not None:
        return []
    steps = range_steps(table, foe, unit)
    band = steps.parts[0].value
    figures = len(shooters(table, foe, (), band == 1))
    return [f"small arms of {figures}, band {band}, against D{die_of(steps.total)}"] if figures else []


def _usable(table: Table, foe: Thing, unit: Thing) -> list[Arm]:
    """The heavy weapons and missiles of a unit that may be fired at another."""
    if not works(hull_of(table, foe.id)):
        return []
    return [arm for arm in arms(table, foe) if target_refused(table, foe, unit, arm) is None]


def _heavy(table: Table, foe: Thing, unit: Thing, arm: Arm) -> str:
    _, die = against_die(table, foe, unit, arm)
    return f"{arm.label}, against D{die}"


CHAPTER = Chapter(around=dict.fromkeys(("move", "combat-move", "drive", "combat-drive", "road", "charge"), around_move))
