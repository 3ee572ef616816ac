"""Stargrunt as far as it is built: its battles keep every promise, and its odds of fire are exact."""

from pathlib import Path

import pytest

import sandtable.rulesets.stargrunt as stargrunt
from sandtable.rulesets.stargrunt.book import Stargrunt
from tests.miniatures.test_complete import no_bases_overlap
from tests.promises import keep_promises, refold_in_fresh_process

#: mypy holds the package to the protocol here.
MADE_UP = Path(__file__).parents[3] / "cases" / "stargrunt" / "catalogue.yaml"


@pytest.mark.parametrize(
    ("scenario", "size", "seed"),
    [
        ("duel", 1, 1),
        ("duel", 2, 2),
        ("platoons", 1, 3),
        ("close-quarters", 0, 4),
        ("bombardment", 0, 5),
        ("mined-crossing", 0, 6),
        ("gunships", 0, 7),
    ],
)
def test_random_battles_keep_every_promise(scenario: str, size: int, seed: int) -> None:
    setup = stargrunt.RULESET.setup(scenario, size)
    played = keep_promises(Stargrunt, setup, seed, invariants=(no_bases_overlap,))
    refold_in_fresh_process([played])
