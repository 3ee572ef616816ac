"""Obstacles: minefields, traps, decoys, smoke, and buildings that are shot to rubble."""

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Disc
from sandtable.engine.state import Step
from sandtable.engine.table import Table
from sandtable.forces.data import Data
from sandtable.forces.scenario import Scenario
from sandtable.forces.terrain import TerrainKind
from sandtable.rulesets.stargrunt import _buildings, _decoys, _mines, _smoke, _traps
from sandtable.rulesets.stargrunt._chapter import Chapter
from sandtable.rulesets.stargrunt._counters import IS, lies_under
from sandtable.rulesets.stargrunt._mines import Tread
from sandtable.rulesets.stargrunt.cover import SMOKE
from sandtable.rulesets.stargrunt.units import FACE_UP


def tread(battle: Battle, step: Tread) -> Procedure[None]:
    """What lies under the counters that have been passed does what it does, one after the other."""
    yield from ()
    table = battle.table
    steps: list[Step] = []
    for name, movers in _mines.passed(battle).items():
        counter = table[name]
        if lies_under(counter) in _mines.MINES:
            steps += _mines.steps_of(table, counter, movers)
        elif lies_under(counter) == _traps.TRAP:
            steps += _traps.springs(table, counter, movers)
    battle.push(*steps)


def _lays(battle: Battle, form: Scenario) -> None:
    _smoke.raise_wind(battle)


def _clouds(table: Table, asked: Data) -> object:
    """Where the clouds of smoke are, in inches."""
    centres = [piece.outline.center for piece in _smoke.clouds(table) if isinstance(piece.outline, Disc)]
    return tuple((at.x // UNIT, at.y // UNIT) for at in centres)


CHAPTER = Chapter(
    actions=(_smoke.ACTION, _traps.ACTION, _decoys.ACTION, _buildings.ACTION),
    steps={
        Tread: tread,
        _mines.InMines: _mines.in_mines,
        _mines.Mined: _mines.mined,
        _traps.SpringTrap: _traps.spring,
        _traps.FireMines: _traps.fire_mines,
        _smoke.SmokeClears: _smoke.clear,
        _buildings.AtBuilding: _buildings.at_building,
        _buildings.Inside: _buildings.casualties,
    },
    previews={
        "building": _buildings.preview,
        "decoy": _decoys.decoy_preview,
        "fire-mine": _traps.mine_preview,
    },
    at_once=_mines.pressing,
    between=_traps.between,
    after_move=_traps.windows,
    turn_ends=_smoke.clears,
    lays=_lays,
    values={
        "clouds": _clouds,
        "walls": lambda table, asked: _buildings.armour(table.ground.piece(asked.text_at()))[:2],
        "against-mines": lambda table, asked: _mines.suspension_die(table[asked.text_at()]),
    },
    states={
        _decoys.LAUNCHED: "of a vehicle: its decoy launcher has fired this turn",
        IS: "of a counter: a unit, dummy, anti-personnel, anti-vehicle or mixed mines, booby trap",
        FACE_UP: "of a counter: what everybody knows that it is",
        _smoke.BLOWS: "of the wind: the direction it blows to",
        _smoke.DISCHARGERS: "it can lay smoke",
    },
    counts={_traps.CARRIED: "the command mines it carries", _decoys.CARRIED: "the decoys it carries"},
    answers={
        "smoke": "in which direction a unit on foot lays smoke, by the clock",
        "building-weapon": "the weapon that fires at a building",
        "building": "at which building it fires",
        "decoy": "the decoy that is used against a missile, or no-decoy",
        "fire-mine": "true to fire a command mine",
    },
    kinds={SMOKE: TerrainKind(height=1)},
    switches={
        _smoke.SWITCH: "smoke is played (stargrunt.obstacles.smoke)",
        _decoys.SWITCH: "decoys draw guided missiles away (stargrunt.obstacles.decoys)",
        _traps.TRAPS_SWITCH: "booby traps go off (stargrunt.obstacles.booby-traps)",
        _traps.MINES_SWITCH: "units lay command-detonated mines (stargrunt.obstacles.command-mines)",
    },
)
