"""Miniature rulesets: the hardest moments of the rulebooks as small games that play from set-up to an end.

Each stands for one transcript of the design. `ALL` lists them with the set-ups that a soak plays; a new one is added
there, and `test_complete.py` then plays it.
"""

from typing import NamedTuple

from sandtable.engine.ruleset import Ruleset, Setup
from tests.miniatures.close_assault import CloseAssault
from tests.miniatures.counters_and_dummies import CountersAndDummies
from tests.miniatures.transfer_under_jamming import TransferUnderJamming


class Miniature(NamedTuple):
    """A miniature ruleset and the set-ups it is played from."""

    ruleset: Ruleset
    setups: tuple[Setup, ...]


ALL: dict[str, Miniature] = {
    "close-assault": Miniature(CloseAssault(), (Setup(), Setup(scenario={"skirmish": 1}))),
    "counters-and-dummies": Miniature(CountersAndDummies(), (Setup(),)),
    "transfer-under-jamming": Miniature(TransferUnderJamming(), (Setup(),)),
}
