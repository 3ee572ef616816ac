"""What parts of the table mean: where an objective is held from, where those who wait come in (chapter scenario)."""

from sandtable.engine.ids import Side
from sandtable.engine.shapes import UNIT, Disc, Zone
from sandtable.engine.table import Table, Thing
from sandtable.field.edges import strip
from sandtable.rulesets.stargrunt.movement.walking import base_mobility, baseline
from sandtable.rulesets.stargrunt.scenario.objectives import HOLDING, objectives
from sandtable.rulesets.stargrunt.turn.order import ALTERNATING
from sandtable.rulesets.stargrunt.units.record import fit, hull_of, spot, waiting


def zones(table: Table) -> tuple[Zone, ...]:
    """Where objectives are held from, and where each side's units on foot that wait may come.

    stargrunt.scenario.holding-objectives     within 3"
    stargrunt.turn.alternating-activation     one move from the baseline, the fastest unit that waits
    """
    held = tuple(_held_from(marker) for marker in objectives(table) if marker.on_table)
    return held + tuple(zone for side in table.sides for zone in _entries(table, side))


def _held_from(marker: Thing) -> Zone:
    reach = HOLDING.inches("distance_in")
    label = f"{marker.label or marker.id}, held from within {reach // UNIT}″"
    return Zone(f"{marker.id}-zone", label, Disc(spot(marker), reach), rule=HOLDING.id)


def _entries(table: Table, side: Side) -> tuple[Zone, ...]:
    """The strip a side comes over; vehicles come farther, and their question says how far."""
    units = (unit for unit in table.of_kind("unit") if unit.side == side and waiting(unit))
    far = max((base_mobility(unit) for unit in units if fit(table, unit.id) and not hull_of(table, unit.id)), default=0)
    if not far or not table.ground.width:
        return ()
    return (
        Zone(
            f"{side}-entry",
            f"{side} comes in here",
            strip(table.ground, baseline(table, side), far),
            side,
            ALTERNATING.id,
        ),
    )
