"""Thousands of pairs of battles that differ in a secret are the same to the other side, and every kind is met."""

from pathlib import Path

import pytest

from tests import secrecy
from tests.rulesets.stargrunt.secrets import KINDS
from tests.soak import read_kept

SHARDS = 4
PAIRS = 2_000


@pytest.mark.parametrize("shard", range(SHARDS))
def test_two_thousand_pairs_are_the_same_to_the_other_side(shard: int, tmp_path: Path) -> None:
    """`python -m tests.secrecy` compares a hundred thousand."""
    out = tmp_path / "secrecy.json"
    args = ["--shard", str(shard), "--of", str(SHARDS), "--pairs", str(PAIRS // SHARDS), "--out", str(out)]
    assert secrecy.main(args) == 0
    totals = read_kept(out, secrecy.Totals)[secrecy.LABEL]
    assert totals.pairs >= PAIRS // SHARDS
    assert totals.parted, "some pairs are parted by what their secret decides"
    assert totals.parted < totals.pairs // 2, "and most never are"
    assert totals.answers > 2 * totals.pairs, "pairs part before anything was tried"


def test_every_kind_of_secret_is_met(tmp_path: Path) -> None:
    missing, number = set(KINDS), 0
    while missing and number < 30:
        missing -= {pair.kind for pair in secrecy.Secrecy().pairs(number)}
        number += 1
    assert not missing
