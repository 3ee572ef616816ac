"""How far weapons reach, where they point, and who could fire at units: where their ways would leave them."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from sandtable.engine.explain import inches
from sandtable.engine.questions import MoveModels, Preview, Ring, Threat
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Point, Walk
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.dropzone.aircraft.flying import FLIGHT_TOPIC
from sandtable.rulesets.dropzone.behemoths.strides import STRIDE
from sandtable.rulesets.dropzone.movement.paths import WALK, away_from_foes, ended, reach_of_unit
from sandtable.rulesets.dropzone.shooting.aiming import (
    ARCS,
    SECTORS,
    Aim,
    Shot,
    aim,
    cannot_fire,
    countered,
    hit_pool,
    in_garrison,
    reach_of,
    refused,
    weapon_of,
)
from sandtable.rulesets.dropzone.shooting.firing import DECLARE
from sandtable.rulesets.dropzone.units import Weapon, card
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import band_words, cost_rings, range_rings, sector, shown_range


def around_ways(view: View, question: MoveModels, answer: dict[str, Walk] | None) -> Preview:
    """What a page wants drawn around units where their ways end."""
    table, there = view.table, view.table.copy()
    for name, walk in (answer or {}).items():
        there.things[name] = ended(table[name], walk)
    units = [there[name] for name in question.models if isinstance(there[name].place, At)]
    shown = Preview()
    if "costs" in question.shows:
        far = {one.id: question.allowance[one.id] for one in units}
        reached = {inches(most): tuple(reach_of_unit(table, table[name], most)) for name, most in far.items()}
        shown = replace(shown, rings=cost_rings(reached))
    if "ranges" in question.shows and units:
        shown = replace(shown, rings=(*shown.rings, *_rings(there, units[0])), targets=_targets(there, units))
    return replace(shown, threats=tuple(_threats(there, units))) if "threats" in question.shows else shown


def _weapons(table: Table, unit: Thing) -> list[Weapon]:
    return [one for one in card(unit).weapons if not one.close_quarters and cannot_fire(table, unit, one) is None]


def _rings(table: Table, unit: Thing) -> tuple[Ring, ...]:
    """The ranges of the weapon that reaches farthest, at those with Active Countermeasures and at others; its arc."""
    assert isinstance(unit.place, At)
    guns = [one for one in _weapons(table, unit) if isinstance(one.range_full_in, int)]
    if not guns:
        return ()
    gun = max(guns, key=lambda one: one.range_full_in)
    ends = {"countered range": gun.range_countered_in, "full range": gun.range_full_in}
    bands = {name: end for name, end in ends.items() if isinstance(end, int)}
    if len(set(bands.values())) == 1:
        bands = {"range": max(bands.values())}
    far = max(table.ground.width, table.ground.height)
    named = () if len(gun.arc) == len(SECTORS) else gun.arc
    arcs = [sector(unit.place.point, unit.facing, *SECTORS[one], far) for one in named]
    rings = range_rings(table.ground, unit.place.point, 0, bands, DECLARE.id)
    return (*rings, *(Ring("arc", "firing arc", arc, ARCS.id) for arc in arcs))


def _targets(table: Table, units: Sequence[Thing]) -> dict[str, str]:
    """How far each enemy is from the nearest of some units, and whether that is in the range of a weapon."""
    told = {}
    for name, far in away_from_foes(table, units).items():
        foe = table[name]
        reaches = [reach_of(table, one, gun, foe) for one in units for gun in _weapons(table, one)]
        ends = [end for end in reaches if isinstance(end, int)]
        kind = "countered range" if countered(foe) else "full range"
        told[name] = shown_range(far, band_words(far, {kind: max(ends)}) if ends else "out of range of every weapon")
    return told


def _threats(table: Table, units: Sequence[Thing]) -> Iterator[Threat]:
    """The enemies who could fire at some units from where they stand, each with the weapons that can."""
    for foe in table.of_kind("model"):
        if not units or foe.side == units[0].side or foe.gone or not (foe.on_table or in_garrison(table, foe)):
            continue
        shots = [Shot(foe.id, gun.id, unit.id) for gun in _weapons(table, foe) for unit in units]
        able = [(shot, how) for shot in shots if refused(table, shot) is None and (how := aim(table, shot)) is not None]
        seen = next((how.eye.at for _, how in able if how.eye is not None), None)
        start = Point(seen.x, seen.y) if seen is not None else foe.place.point if isinstance(foe.place, At) else None
        end = table[able[0][0].target].place if able else None
        if start is not None and isinstance(end, At):
            said = (_words(table, shot, how) for shot, how in able)
            yield Threat(foe.id, "; ".join(dict.fromkeys(said)), start, end.point, DECLARE.id)


def _words(table: Table, shot: Shot, how: Aim) -> str:
    name, needs = weapon_of(table[shot.unit], shot.weapon).name, hit_pool(table, shot, how).needs
    return f"{name} at {table[shot.target].label}, needs {needs.total}"


CHAPTER = Chapter(around=dict.fromkeys((WALK, FLIGHT_TOPIC, STRIDE), around_ways))
