"""Artillery pieces that stand on the table as units, an option: they fire at what their crew sees, or when called."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited, Placed
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Off, Point
from sandtable.engine.table import Mark, Table, Thing
from sandtable.forces.ledger import rule
from sandtable.forces.scenario import Scenario
from sandtable.rulesets.stargrunt.artillery.assets import ASSETS, MISSIONS, asset, asset_of
from sandtable.rulesets.stargrunt.communications import communicate, superior
from sandtable.rulesets.stargrunt.confidence.nerve import SUPPORT
from sandtable.rulesets.stargrunt.fire.armament import PACKED, READY
from sandtable.rulesets.stargrunt.units.record import fit, gap_between, points, suppressed
from sandtable.tabletop.states import END_OF_TURN, give

ON_TABLE = rule("stargrunt.artillery.on-table")
#: The switch of the option, and that a piece has fired this turn.
SWITCH, FIRED = "artillery-on-table", "piece fired"


def piece_of(table: Table, unit: str) -> Thing | None:
    """The artillery piece that a unit serves."""
    return next((one for one in table.of_kind("marker") if one.card == SUPPORT and one.unit == unit), None)


def lay_pieces(battle: Battle, form: Scenario) -> None:
    """Give the units that a scenario says serve a piece their piece, set up and ready."""
    if not battle.table.options.get(SWITCH):
        return
    for side, one in form.sides.items():
        for entry in one.force:
            words = entry.options.get("piece")
            if not isinstance(words, str):
                continue
            data = asset_of(words)
            made = Thing(
                id=ThingId(f"{entry.name}-piece"),
                kind="marker",
                side=side,
                label=f"{data.name.replace('_', ' ')} of {battle.table[entry.name].label or entry.name}",
                card=SUPPORT,
                unit=ThingId(entry.name),
                place=Off("with its crew"),
                states={SUPPORT: Mark(words)},
                counts={MISSIONS: data.missions},
            )
            battle.happens(Placed(made.id, made.place, made=made, rule=ON_TABLE.id))
            if not battle.table[entry.name].has(PACKED):
                give(battle, entry.name, READY, ON_TABLE)


def refused_piece(table: Table, thing: Thing) -> Refusal | None:
    """Why a piece on the table cannot fire now, whoever asks."""
    crew = table[thing.unit]
    if not fit(table, crew.id):
        return Refusal(ON_TABLE.id, f"Nobody is left to serve the {thing.label}.")
    if not crew.has(READY):
        return Refusal(ON_TABLE.id, f"The {thing.label} is not set up.")
    if suppressed(crew):
        return Refusal(ON_TABLE.id, f"{crew.label} is suppressed.")
    if thing.has(FIRED):
        return Refusal(ON_TABLE.id, f"The {thing.label} has fired this turn.")
    if not thing.count(MISSIONS):
        return Refusal(ASSETS.id, f"The {thing.label} has no mission left.")
    return None


def least_range(thing: Thing) -> int:
    """How near a piece can fire at all: light mortars nearer than others."""
    return ON_TABLE.inches("minimum_range_in", "light_mortar" if asset(thing).delivery == "small" else "other")


def too_near(table: Table, thing: Thing, at: Point) -> Refusal | None:
    """Why a piece on the table cannot fire at a point: it is nearer than its least range."""
    least = least_range(thing)
    if not thing.unit or gap_between(points(table, thing.unit), [at]) >= least * least:
        return None
    return Refusal(ON_TABLE.id, f'The {thing.label} fires no nearer than {least // UNIT}".')


def commands(table: Table, unit: Thing, thing: Thing) -> bool:
    """Whether a unit is the command unit of a piece on the table."""
    above = superior(table, table[thing.unit]) if thing.unit else None
    return above is not None and above.id == unit.id


def message_to_piece(battle: Battle, unit: Thing, thing: Thing) -> Procedure[tuple[bool, int]]:
    """A piece's own command unit needs only get its message through."""
    through, n = yield from communicate(battle, unit, battle.table[thing.unit], 0)
    if not through:
        battle.happens(Forfeited(unit.id, "request support", rule=ON_TABLE.id, because=n))
    return through, n


def has_fired(battle: Battle, thing: Thing, because: int = 0) -> None:
    """A piece fires one mission a turn."""
    give(battle, thing.id, FIRED, ON_TABLE, until=END_OF_TURN, because=because)
