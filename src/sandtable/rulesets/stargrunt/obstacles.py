"""Obstacles: minefields, traps, decoys, smoke, and buildings that are shot to rubble."""

from sandtable.engine.battle import Battle
from sandtable.engine.shapes import UNIT, Disc
from sandtable.engine.table import Table
from sandtable.forces.data import Data
from sandtable.forces.scenario import Scenario
from sandtable.forces.terrain import TerrainKind
from sandtable.rulesets.stargrunt import _smoke
from sandtable.rulesets.stargrunt._chapter import Chapter
from sandtable.rulesets.stargrunt.cover import SMOKE


def _lays(battle: Battle, form: Scenario) -> None:
    _smoke.raise_wind(battle)


def _clouds(table: Table, asked: Data) -> object:
    """Where the clouds of smoke are, in inches."""
    centres = [piece.outline.center for piece in _smoke.clouds(table) if isinstance(piece.outline, Disc)]
    return tuple((at.x // UNIT, at.y // UNIT) for at in centres)


CHAPTER = Chapter(
    actions=(_smoke.ACTION,),
    steps={_smoke.SmokeClears: _smoke.clear},
    turn_ends=_smoke.clears,
    lays=_lays,
    values={"clouds": _clouds},
    states={_smoke.BLOWS: "of the wind: the direction it blows to", _smoke.DISCHARGERS: "it can lay smoke"},
    answers={"smoke": "in which direction a unit on foot lays smoke, by the clock"},
    kinds={SMOKE: TerrainKind(height=1)},
    switches={_smoke.SWITCH: "smoke is played (stargrunt.obstacles.smoke)"},
)
