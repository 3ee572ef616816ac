"""Obstacles: minefields, traps, decoys, smoke, and buildings that are shot to rubble."""

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Disc
from sandtable.engine.state import Step
from sandtable.engine.table import Table
from sandtable.forces.data import Data
from sandtable.forces.scenario import Scenario
from sandtable.forces.terrain import TerrainKind
from sandtable.rulesets.stargrunt.cover.protection import SMOKE
from sandtable.rulesets.stargrunt.moments import AFTER_MOVE, AT_ONCE, BETWEEN, LAYS, TURN_ENDS
from sandtable.rulesets.stargrunt.obstacles import buildings, decoys, mines, smoke, traps
from sandtable.rulesets.stargrunt.obstacles.mines import Tread
from sandtable.rulesets.stargrunt.units.record import LAUNCHED
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.face_down import lies_under


def tread(battle: Battle, step: Tread) -> Procedure[None]:
    """What lies under the counters that have been passed does what it does, one after the other."""
    yield from ()
    table = battle.table
    steps: list[Step] = []
    for name, movers in mines.passed(battle).items():
        counter = table[name]
        if lies_under(counter) in mines.MINES:
            steps += mines.steps_of(table, counter, movers)
        elif lies_under(counter) == traps.TRAP:
            steps += traps.springs(table, counter, movers)
    battle.push(*steps)


def _lays(battle: Battle, form: Scenario) -> None:
    smoke.raise_wind(battle)


def _clouds(table: Table, asked: Data) -> object:
    """Where the clouds of smoke are, in inches."""
    centres = [piece.outline.center for piece in smoke.clouds(table) if isinstance(piece.outline, Disc)]
    return tuple((at.x // UNIT, at.y // UNIT) for at in centres)


CHAPTER = Chapter(
    refusals=buildings.SHOOT.refusals,
    actions=(smoke.ACTION, traps.ACTION, decoys.ACTION, buildings.ACTION),
    steps={
        Tread: tread,
        mines.InMines: mines.in_mines,
        mines.Mined: mines.mined,
        traps.SpringTrap: traps.spring,
        traps.FireMines: traps.fire_mines,
        smoke.SmokeClears: smoke.clear,
        buildings.AtBuilding: buildings.at_building,
        buildings.Inside: buildings.casualties,
    },
    previews={
        "decoy": decoys.decoy_preview,
        "fire-mine": traps.mine_preview,
    },
    values={
        "clouds": _clouds,
        "walls": lambda table, asked: buildings.armour(table.ground.piece(asked.text_at()))[:2],
        "against-mines": lambda table, asked: mines.suspension_die(table[asked.text_at()]),
    },
    states={
        LAUNCHED: "of a vehicle: its decoy launcher has fired this turn",
        smoke.BLOWS: "of the wind: the direction it blows to",
        smoke.DISCHARGERS: "it can lay smoke",
    },
    counts={traps.CARRIED: "the command mines it carries", decoys.CARRIED: "the decoys it carries"},
    answers={
        "smoke": "in which direction a unit on foot lays smoke, by the clock",
        "building-weapon": "the weapon that fires at a building",
        "building": "at which building it fires",
        "decoy": "the decoy that is used against a missile, or no-decoy",
        "fire-mine": "true to fire a command mine",
    },
    terrain={SMOKE: TerrainKind(height=1)},
    switches={
        smoke.SWITCH: "smoke is played (stargrunt.obstacles.smoke)",
        decoys.SWITCH: "decoys draw guided missiles away (stargrunt.obstacles.decoys)",
        traps.TRAPS_SWITCH: "booby traps go off (stargrunt.obstacles.booby-traps)",
        traps.MINES_SWITCH: "units lay command-detonated mines (stargrunt.obstacles.command-mines)",
    },
    at=(
        AT_ONCE(mines.pressing),
        BETWEEN(traps.between),
        AFTER_MOVE(traps.windows),
        TURN_ENDS(smoke.clears),
        LAYS(_lays),
    ),
)
