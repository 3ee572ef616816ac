"""Miniature rulesets: the hardest moments of rulebooks that are not built yet, as small games from set-up to an end.

Each stands for one transcript of the design, and goes when its ruleset is there: cases that are played again hold its
moments then (`tests/rulesets/stargrunt/test_hard_moments.py`). `ALL` lists them with the set-ups that a soak plays; a
new one is added there, and `test_complete.py` then plays it.
"""

from typing import NamedTuple

from sandtable.engine.ruleset import Ruleset, Setup
from tests.miniatures.ambush_and_drop import AmbushAndDrop
from tests.miniatures.charge_and_hero import ChargeAndHero
from tests.miniatures.falling_house import FallingHouse
from tests.miniatures.falling_masonry import FallingMasonry
from tests.miniatures.sealed_numbers import SealedNumbers
from tests.miniatures.squad_declares import SquadDeclares


class Miniature(NamedTuple):
    """A miniature ruleset and the set-ups it is played from."""

    ruleset: Ruleset
    setups: tuple[Setup, ...]


#: Two who stand in contact from the start, so that a random battle has its close combat.
ENGAGED = {
    "models": [
        {"id": "A", "side": "red", "card": "hero", "x": 24000, "y": 20000},
        {"id": "D", "side": "red", "card": "rifleman", "x": 14000, "y": 26000},
        {"id": "B", "side": "blue", "card": "trooper", "x": 26500, "y": 20000, "facing": 180},
        {"id": "F", "side": "blue", "card": "hero", "x": 24000, "y": 22500, "facing": 270},
    ]
}

ALL: dict[str, Miniature] = {
    "squad-declares": Miniature(SquadDeclares(), (Setup(), Setup(options={"premeasuring": 1}))),
    "ambush-and-drop": Miniature(AmbushAndDrop(), (Setup(),)),
    "sealed-numbers": Miniature(
        SealedNumbers(), (Setup(options={"scenario": "time"}), Setup(options={"scenario": "headhunter"}))
    ),
    "charge-and-hero": Miniature(ChargeAndHero(), (Setup(), Setup(scenario=ENGAGED))),
    "falling-house": Miniature(FallingHouse(), (Setup(), Setup(scenario={"collapsed": ["G", "U", "H"]}))),
    "falling-masonry": Miniature(FallingMasonry(), (Setup(), Setup(scenario={"battered": 7}))),
}
