"""Minefields: what they do to those who move in them, and how they are cleared."""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Left, Revealed
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import center_gap
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.stargrunt.confidence.nerve import unnerve
from sandtable.rulesets.stargrunt.dice.rolls import die_part, one_die, opposed_roll, plain_roll, table_roll
from sandtable.rulesets.stargrunt.fire.wounds import impact_roll, wound
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.observation.counters import face_up, flip
from sandtable.rulesets.stargrunt.obstacles.treading import MINEFIELDS, TROD, trodden
from sandtable.rulesets.stargrunt.units.record import QUALITY, counters, is_hull, quality_die, spot
from sandtable.rulesets.stargrunt.vehicles.hits import SUSPENSION, put_out
from sandtable.rulesets.stargrunt.vehicles.hulls import IMMOBILISED
from sandtable.tabletop.face_down import lies_under
from sandtable.tabletop.states import give, take

VEHICLES = rule("stargrunt.obstacles.mines-and-vehicles")
CLEARING = rule("stargrunt.obstacles.clearing-mines")

#: What a counter may be that is a minefield, and the entry of the ledger it is.
ANTI_PERSONNEL, ANTI_VEHICLE, MIXED = "anti-personnel mines", "anti-vehicle mines", "mixed mines"
MINES = {ANTI_PERSONNEL: "anti_personnel", ANTI_VEHICLE: "anti_vehicle", MIXED: "mixed"}
#: Shorter names that a case may use; a minefield of which nothing is said is a mixed one.
MINES |= {word.removesuffix(" mines"): kind for word, kind in MINES.items()} | {"minefield": MINES[MIXED]}

for _kind in SUSPENSION.names():
    if VEHICLES.has("suspension", _kind):
        same_number(f"the suspension of {_kind}", SUSPENSION.number(_kind), VEHICLES.number("suspension", _kind))


class Tread(Step, frozen=True):
    """Somebody has passed counters: what lies under them goes off, if it does."""


class InMines(Step, frozen=True):
    """Figures that have moved in a minefield, still to be rolled for; and whom of them it has hurt."""

    field: str
    left: tuple[str, ...]
    hurt: tuple[str, ...] = ()


class Mined(Step, frozen=True):
    """A vehicle has moved in a minefield."""

    field: str
    hull: str


# Pure questions ----------------------------------------------------------------------------------------------------


def minefields(table: Table) -> list[Thing]:
    """The minefields, for those who know."""
    return [one for one in counters(table) if lies_under(one) in MINES]


def hits_figures(field: Thing) -> tuple[int, ...]:
    """On which scores of the Quality die a figure is hit in a field; on none in one that is for vehicles."""
    kind = MINES[lies_under(field)]
    return MINEFIELDS.numbers("hit", kind) if MINEFIELDS.has("hit", kind) else ()


def suspension_die(hull: Thing) -> int:
    """The die of a vehicle's suspension against mines: by its suspension, or by what it goes on instead."""
    data = vehicle(hull)
    kind = data.suspension if VEHICLES.has("suspension", data.suspension) else data.mobility
    return VEHICLES.number("suspension", kind)


def goes_off(field: Thing, mover: Thing) -> bool:
    """Whether a field does anything to somebody who moves in it."""
    return MINES[lies_under(field)] != MINES[ANTI_PERSONNEL] if is_hull(mover) else bool(hits_figures(field))


# Going off ---------------------------------------------------------------------------------------------------------


def steps_of(table: Table, field: Thing, movers: Sequence[Thing]) -> list[Step]:
    """What follows from some having moved in a minefield."""
    struck = [one for one in movers if goes_off(field, one)]
    hulls = [one.id for one in struck if is_hull(one)]
    figures = tuple(one.id for one in struck if not is_hull(one))
    return [*([InMines(field.id, figures)] if figures else []), *(Mined(field.id, one) for one in hulls)]


def in_mines(battle: Battle, step: InMines) -> Procedure[None]:
    """One figure after the other; then the unit feels what it walked into.

    stargrunt.obstacles.minefields    hit on 1-3, or 1-2 in a mixed field; then armour against D10
    """
    field = battle.table[step.field]
    if not face_up(field):
        flip(battle, field, MINEFIELDS)
    if not step.left:
        yield from unnerve_all(battle, step.hurt)
        return
    figure, *rest = step.left
    thing, hurt = battle.table[figure], step.hurt
    die = quality_die(battle.table[thing.unit])
    parts, hits = (die_part("Quality", die, QUALITY),), hits_figures(field)

    def read(score: int) -> str:
        return "steps on a mine" if score in hits else "unharmed"

    score, n, _ = table_roll(battle, "mines", figure, f"d{die}", MINEFIELDS, read, parts=parts)
    if score in hits:
        result, n = impact_roll(battle, field.id, thing, MINEFIELDS.number("impact"), (), n)
        if result != "no effect" and wound(battle, thing.id, result == "killed", False, n):
            hurt = (*hurt, figure)
    battle.push(replace(step, left=tuple(rest), hurt=hurt))


def unnerve_all(battle: Battle, hurt: Sequence[str]) -> Procedure[None]:
    """Casualties of mines and traps count like those of fire, and suppress nobody."""
    for unit in dict.fromkeys(battle.table[one].unit for one in hurt):
        yield from unnerve(battle, unit, tuple(one for one in hurt if battle.table[one].unit == unit), None)


def mined(battle: Battle, step: Mined) -> Procedure[None]:
    """A vehicle in a field: attacked always, or in a mixed one on 3 or more; its suspension against D10.

    stargrunt.obstacles.mines-and-vehicles    higher immobilises, more than twice disables
    stargrunt.obstacles.clearing-mines        an engineer vehicle clears the field; on a 1 it is attacked first
    """
    yield from ()
    field, hull = battle.table[step.field], battle.table[step.hull]
    if hull.gone:
        return
    if not face_up(field):
        flip(battle, field, VEHICLES)
    if vehicle(hull).engineer:
        score, n = plain_roll(battle, "clearing mines", hull.id, f"d{quality_die(battle.table[hull.unit])}", CLEARING)
        clear(battle, field, n)
        if score > CLEARING.number("attacked_on"):
            return
    elif MINES[lies_under(field)] == MINES[MIXED]:
        score, n = plain_roll(battle, "mines", hull.id, f"d{VEHICLES.number('mixed_die')}", VEHICLES)
        if score < VEHICLES.number("mixed_from"):
            return
    battle.push(*_attacked(battle, field, hull))


def mine_result(mine: int, held: int) -> str:
    """What a mine does to a vehicle whose suspension held so much (stargrunt.obstacles.mines-and-vehicles).

    >>> mine_result(4, 4), mine_result(5, 4), mine_result(8, 4), mine_result(9, 4)
    ('it holds', 'immobilised', 'immobilised', 'disabled')
    """
    return "disabled" if mine > VEHICLES.formula("disabled") * held else IMMOBILISED if mine > held else "it holds"


def _attacked(battle: Battle, field: Thing, hull: Thing) -> list[Step]:
    """A mine goes off under a vehicle; what follows."""
    rolled = opposed_roll(
        battle,
        one_die("mine", field.id, VEHICLES.number("die")),
        one_die("suspension", hull.id, suspension_die(hull)),
        VEHICLES,
        outcome=mine_result,
    )
    if mine_result(rolled.score, rolled.theirs) == "disabled":
        size = VEHICLES.number("size" if vehicle(hull).armour_class else "softskin_size")
        return put_out(battle, field.id, hull.unit, hull, "disabled", size, rolled.n, suppresses=False)
    if rolled.succeeds and not hull.has(IMMOBILISED):
        give(battle, hull.id, IMMOBILISED, VEHICLES, because=rolled.n)
    return []


# Clearing ----------------------------------------------------------------------------------------------------------


def clear(battle: Battle, field: Thing, because: int) -> None:
    """A minefield is cleared: everybody learns what lay there."""
    if not face_up(field):
        word = lies_under(field)
        because = battle.happens(Revealed(field.id, word, value=word, rule=CLEARING.id, because=because))
    battle.happens(Left(field.id, "it was cleared", rule=CLEARING.id, because=because))


def cleared_by_burst(battle: Battle, burst: Point, radius: int, because: int) -> None:
    """A burst that covers the counter of a minefield clears it."""
    for field in minefields(battle.table):
        if center_gap(spot(field), burst) <= radius * radius:
            clear(battle, field, because)


# What has been trodden on ------------------------------------------------------------------------------------------


def pressing(table: Table) -> Sequence[Step]:
    """What comes before anything else: somebody has passed counters."""
    return (Tread(),) if trodden(table) else ()


def passed(battle: Battle) -> dict[str, list[Thing]]:
    """Which counters have been passed by whom, taken off the record."""
    found: dict[str, list[Thing]] = {}
    for one in trodden(battle.table):
        names = one.value(TROD)
        assert isinstance(names, tuple)
        for name in names:
            found.setdefault(name, []).append(one)
        take(battle, one.id, TROD, MINEFIELDS)
    return found
