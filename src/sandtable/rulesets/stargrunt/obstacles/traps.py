"""Booby traps and command-detonated mines, both options: what waits for somebody to come near, or for a hand."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Left, Placed, Revealed, Spent
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import AnyQuestion, Confirm, Preview
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At
from sandtable.engine.state import Step
from sandtable.engine.table import Mark, Table, Thing
from sandtable.field.measure import CONTACT, center_gap, gap
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.chapter import Action, Activate, AfterMove, Outcome, out_there
from sandtable.rulesets.stargrunt.cover.protection import sees
from sandtable.rulesets.stargrunt.dice.foretold import chances, contest_preview
from sandtable.rulesets.stargrunt.dice.rolls import one_die, opposed_roll
from sandtable.rulesets.stargrunt.fire.volleys import body_of
from sandtable.rulesets.stargrunt.fire.wounds import impact_roll, wound
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.observation.counters import point_seen
from sandtable.rulesets.stargrunt.obstacles.mines import VEHICLES as MINED_VEHICLES
from sandtable.rulesets.stargrunt.obstacles.mines import unnerve_all
from sandtable.rulesets.stargrunt.obstacles.treading import BOOBY_TRAPS
from sandtable.rulesets.stargrunt.units.record import (
    enemies,
    fit,
    hull_of,
    is_hull,
    on_ground,
    quality_die,
    spot,
    standing,
)
from sandtable.rulesets.stargrunt.vehicles.hits import put_out
from sandtable.rulesets.stargrunt.vehicles.hulls import FRONT, armour_of, footprint
from sandtable.tabletop.checks import Check

COMMAND_MINES = rule("stargrunt.obstacles.command-mines")
#: The switches of the options, and what a counter is that is a trap.
TRAPS_SWITCH, MINES_SWITCH = "booby-traps", "command-mines"
TRAP = "booby trap"
#: The card of a command mine on the table, what is counted of them on a unit, and the unit that controls one.
COMMAND_MINE, CARRIED, LAID_BY = "command mine", "command mines", "laid by"
REACH = COMMAND_MINES.inches("range_in")


class SpringTrap(Step, frozen=True):
    """Figures have come near a trap."""

    trap: str
    near: tuple[str, ...]


class FireMines(Step, frozen=True):
    """Whoever has a command mine near somebody may fire it now."""


# Booby traps -------------------------------------------------------------------------------------------------------


def springs(table: Table, trap: Thing, movers: Sequence[Thing]) -> list[Step]:
    """What follows from some having come near a trap: it waits for enemies."""
    near = tuple(one.id for one in movers if one.side != trap.side and hull_of(table, one.unit) is None)
    return [SpringTrap(trap.id, near)] if near and table.options.get(TRAPS_SWITCH) else []


def spring(battle: Battle, step: SpringTrap) -> Procedure[None]:
    """A trap goes off or is found; either way it is gone.

    stargrunt.obstacles.booby-traps    D8 above the unit's Quality: D8 on the nearest figure, D6 on those touching it
    """
    trap = battle.table[step.trap]
    figures = [battle.table[one] for one in step.near if not battle.table[one].gone]
    if not trap.on_table or not figures:
        return
    nearest = min(figures, key=lambda one: (center_gap(spot(one), spot(trap)), one.id))
    unit = battle.table[nearest.unit]
    n = battle.happens(Revealed(trap.id, TRAP, value=TRAP, rule=BOOBY_TRAPS.id))
    battle.happens(Left(trap.id, "it is sprung or found", rule=BOOBY_TRAPS.id, because=n))
    rolled = opposed_roll(
        battle,
        one_die("booby trap", trap.id, BOOBY_TRAPS.number("trap_die")),
        one_die("wits", unit.id, quality_die(unit)),
        BOOBY_TRAPS,
        because=n,
        outcome=lambda mine, theirs: "it explodes" if mine > theirs else "it is found",
    )
    if not rolled.succeeds:
        return
    figures = [one for one in on_ground(battle.table) if not is_hull(one) and one.id != nearest.id]
    touching = [one for one in figures if _touch(one, nearest)]
    hurt = [nearest.id] if _blast(battle, trap, nearest, BOOBY_TRAPS.number("impact"), rolled.n) else []
    less = BOOBY_TRAPS.number("contact_impact")
    hurt += [one.id for one in touching if _blast(battle, trap, one, less, rolled.n)]
    yield from unnerve_all(battle, hurt)


def _touch(one: Thing, other: Thing) -> bool:
    return gap(footprint(one), footprint(other)) <= CONTACT


def _blast(battle: Battle, by: Thing, figure: Thing, impact: int, because: int) -> bool:
    """Impact against armour for a figure; whether it was hurt."""
    result, n = impact_roll(battle, by.id, figure, impact, (), because)
    return result != "no effect" and wound(battle, figure.id, result == "killed", False, n)


# Command-detonated mines -------------------------------------------------------------------------------------------


def command_mines(table: Table) -> list[Thing]:
    """The command mines that lie on the table."""
    return [one for one in table.of_kind("marker") if one.card == COMMAND_MINE and one.on_table]


def within_reach(table: Table, mine: Thing, unit: Thing) -> list[Thing]:
    """The figures or vehicles of a unit that a mine reaches."""
    return [one for one in standing(table, unit.id) if center_gap(spot(one), spot(mine)) <= REACH * REACH]


def target_of(table: Table, mine: Thing) -> Thing | None:
    """The nearest enemy unit that a mine can be fired at: its controllers see the mine and the target.

    stargrunt.obstacles.command-mines    armoured vehicles are immune
    """
    by = table[str(mine.value(LAID_BY))]
    if not fit(table, by.id) or not point_seen(table, by.id, spot(mine)):
        return None
    found = []
    for foe in enemies(table, mine.side):
        hull = hull_of(table, foe.id)
        if (hull is None or not vehicle(hull).armour_class) and sees(table, by.id, foe.id):
            near = [center_gap(spot(one), spot(mine)) for one in within_reach(table, mine, foe)]
            found += [(min(near), foe.id)] if near else []
    return table[min(found)[1]] if found else None


def windows(table: Table, step: AfterMove) -> Sequence[Step]:
    """After a move whoever has a mine near somebody is asked."""
    return between(table)


def between(table: Table) -> Sequence[Step]:
    """The step in which mines may be fired, where one can be."""
    return (FireMines(),) if any(target_of(table, mine) for mine in command_mines(table)) else ()


def fire_mines(battle: Battle, step: FireMines) -> Procedure[None]:
    """Ask the owner of each mine that has a target whether it is fired; what follows comes next."""
    for mine in command_mines(battle.table):
        target = target_of(battle.table, mine)
        if target is None:
            continue
        fires = yield Confirm(
            mine.side,
            f"Fire the command mine at {target.label}?",
            topic="fire-mine",
            about=(mine.id, target.id),
            rules=(COMMAND_MINES.id,),
            yes="Fire it",
            no="Wait",
            shows=("odds",),
        )
        if fires:
            yield from _fire(battle, mine, target)


def _fire(battle: Battle, mine: Thing, target: Thing) -> Procedure[None]:
    """D10 against each figure of the unit, or against a softskin; then the mine is gone."""
    n = battle.happens(Declared(mine.id, "goes off", (target.id,), rule=COMMAND_MINES.id))
    battle.happens(Left(mine.id, "it was fired", rule=COMMAND_MINES.id, because=n))
    hull = hull_of(battle.table, target.id)
    if hull is not None:
        rolled = opposed_roll(battle, *_at_softskin(mine, hull), COMMAND_MINES, because=n, outcome=_disables)
        if rolled.succeeds:
            size = MINED_VEHICLES.number("softskin_size")
            battle.push(*put_out(battle, mine.id, target.id, hull, "disabled", size, rolled.n, suppresses=False))
        return
    struck = standing(battle.table, target.id)
    hurt = [one.id for one in struck if _blast(battle, mine, one, COMMAND_MINES.number("impact"), n)]
    yield from unnerve_all(battle, hurt)


def _at_softskin(mine: Thing, hull: Thing) -> tuple[Check, Check]:
    """The impact of a mine against the front of a vehicle without armour."""
    impact = one_die("impact", mine.id, COMMAND_MINES.number("impact"))
    return impact, one_die("softskin", hull.id, armour_of(vehicle(hull), FRONT).die)


def _disables(mine: int, theirs: int) -> str:
    return "disabled" if mine > theirs else "no effect"


def mine_preview(view: View, question: AnyQuestion, answer: bool) -> Preview:
    """What a mine would do to a softskin, or how many figures it may hurt."""
    if not answer:
        return Preview()
    mine, target = (view.table[name] for name in question.about)
    hull = hull_of(view.table, target.id)
    if hull is not None:
        return contest_preview(*_at_softskin(mine, hull), _disables)
    impact, caught = COMMAND_MINES.number("impact"), standing(view.table, target.id)
    shares = {one.label: body_of(one, impact, ()) for one in caught}
    odds = chances({f"{label} is hurt": body.hurt + body.dies for label, body in shares.items()})
    return Preview(notes=(f"impact D{impact} against the armour of each of {len(caught)}",), odds=odds)


def lay_mine(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """One action lays a mine at the feet of the unit's first figure; nobody can miss it."""
    yield from ()
    at = spot(standing(battle.table, unit.id)[0])
    left = unit.count(CARRIED) - 1
    n = battle.happens(Spent(unit.id, CARRIED, 1, left, rule=COMMAND_MINES.id))
    made = Thing(
        id=ThingId(f"{unit.id}-mine-{left + 1}"),
        kind="marker",
        side=unit.side,
        label=f"command mine of {unit.label}",
        card=COMMAND_MINE,
        glyph="counter",
        states={LAID_BY: Mark(unit.id)},
    )
    battle.happens(Placed(made.id, At(at), made=made, rule=COMMAND_MINES.id, because=n))
    return Outcome()


def carries_mines(table: Table, unit: Thing) -> bool:
    """Whether a unit on foot can lay a command mine."""
    if not table.options.get(MINES_SWITCH) or not out_there(table, unit):
        return False
    return unit.count(CARRIED) > 0 and hull_of(table, unit.id) is None and bool(standing(table, unit.id))


ACTION = Action(
    id="lay-mine",
    entry="lay_mine_or_decoy",
    label="Lay a command mine",
    rule=COMMAND_MINES,
    carry_out=lay_mine,
    shown=carries_mines,
)
