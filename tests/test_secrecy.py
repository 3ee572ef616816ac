"""Thousands of pairs of battles that differ in a secret are the same to the other side, and every kind is met."""

from pathlib import Path

import pytest

from tests import secrecy
from tests.conftest import EVERYTHING
from tests.soak import read_kept

SHARDS = 4
#: Pairs of each ruleset that CI compares, of which `make test` at a desk takes every other shard.
#: `python -m tests.secrecy` compares a hundred thousand.
PAIRS = {"stargrunt": 800, "dropzone": 2000, "strikeops": 120}


@pytest.mark.parametrize("shard", range(0, SHARDS, 1 if EVERYTHING else 2))
@pytest.mark.parametrize("ruleset", PAIRS)
def test_thousands_of_pairs_are_the_same_to_the_other_side(ruleset: str, shard: int, tmp_path: Path) -> None:
    out, wanted = tmp_path / "secrecy.json", PAIRS[ruleset] // SHARDS
    args = ["--shard", str(shard), "--of", str(SHARDS), "--pairs", str(wanted), "--out", str(out), "--ruleset", ruleset]
    assert secrecy.main(args) == 0
    totals = read_kept(out, secrecy.Totals)[ruleset]
    assert totals.pairs >= wanted
    assert totals.parted, "some pairs are parted by what their secret decides"
    assert totals.parted < totals.pairs // 2, "and most never are"
    assert totals.answers > 2 * totals.pairs, "pairs part before anything was tried"


@pytest.mark.parametrize("game", secrecy.GAMES.values(), ids=secrecy.GAMES)
def test_every_kind_of_secret_is_met(game: secrecy.Game) -> None:
    missing, number = set(game.kinds), 0
    while missing and number < 30:
        missing -= {pair.kind for pair in secrecy.Secrecy(game=game).pairs(number)}
        number += 1
    assert not missing
