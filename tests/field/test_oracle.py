"""The kernel and the oracle give the same verdicts, compiled and interpreted; and the comparison can fail."""

import os
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest

from sandtable.engine.shapes import Band, Disc, Point, Polygon, Shape, rectangle
from sandtable.field import _kernel, measure, oracle
from tests.conftest import EVERYTHING
from tests.field import verdicts

ROOT = Path(__file__).resolve().parent.parent.parent


@pytest.mark.parametrize("seed", range(4))
def test_verdicts_agree_with_the_oracle(seed: int) -> None:
    assert verdicts.run(5000, seed) == 5000


def test_a_kernel_that_is_off_by_one_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = measure.gap

    def wrong(a: Shape, b: Shape) -> int:
        found = right(a, b)
        return found + 1 if found > 1000 else found

    monkeypatch.setattr(measure, "gap", wrong)
    with pytest.raises(AssertionError, match="the kernel says"):
        verdicts.run(500, 0)


def test_a_kernel_that_takes_borders_for_inside_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "inside", measure.on_or_inside)
    with pytest.raises(AssertionError, match="inside of"):
        verdicts.run(5000, 0)


def test_the_verdicts_drawn_are_degenerate_often_enough() -> None:
    seen: dict[tuple[str, object], int] = {}
    for done, verdict in enumerate(verdicts.verdicts(3)):
        if done == 5000:
            break
        answer = verdict.answer
        if verdict.words == "gap":
            assert isinstance(answer, tuple)
            answer = "touching" if answer[1] == 0 else "overlapping" if answer[1] < 0 else "apart"
        if verdict.words != "nearest points":
            seen[verdict.words, answer] = seen.get((verdict.words, answer), 0) + 1
    for words in ("covers", "overlap", "contact", "crosses", "shares", "blocks", "arc"):
        assert min(seen[words, True], seen[words, False]) >= 10, (words, seen)
    assert min(seen["inside", side] for side in (-1, 0, 1)) >= 15, seen
    assert min(seen["gap", kind] for kind in ("touching", "overlapping", "apart")) >= 30, seen


def test_compiled_and_interpreted_kernel_give_the_same_answers() -> None:
    if not _kernel.compiled():
        missing = "the kernel is NOT compiled here, so its twin is NOT compared; a compiler and `make venv` would do"
        if EVERYTHING:
            pytest.fail(missing, pytrace=False)
        pytest.skip(missing)
    interpreted = digest_in_fresh_process("2500", "11", SANDTABLE_INTERPRETED="1")
    assert interpreted.startswith("interpreted")
    assert interpreted.split()[1] == verdicts.digest(2500, 11)


def test_interpreted_kernel_does_without_cython(tmp_path: Path) -> None:
    (tmp_path / "cython.py").write_text("raise ImportError('not installed')\n")
    path = os.pathsep.join([str(tmp_path), str(ROOT)])
    found = digest_in_fresh_process("200", "12", SANDTABLE_INTERPRETED="1", PYTHONPATH=path)
    assert found == f"interpreted {verdicts.digest(200, 12)}"


def digest_in_fresh_process(count: str, seed: str, **environment: str) -> str:
    """The digest of the verdicts, made by another interpreter."""
    command = [sys.executable, "-m", "tests.field.verdicts", count, seed, "--digest"]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


# The oracle itself, where the answer is plain to see.

TRIANGLE = Polygon((Point(0, 0), Point(8, 0), Point(0, 8)))


def test_oracle_knows_inside_border_and_outside() -> None:
    assert [oracle.core_side(TRIANGLE, p) for p in ((1, 1), (4, 4), (5, 5))] == [1, 0, -1]
    assert [oracle.core_side(Band((Point(0, 0), Point(9, 0)), 3), (4, y)) for y in (1, Fraction(3, 2), 2)] == [1, 0, -1]


def test_oracle_measures_gaps() -> None:
    assert oracle.gaps(TRIANGLE, Disc(Point(8, 8), 2)) == (3, 4)  # 4√2 - 2 = 3.66
    assert oracle.gaps(TRIANGLE, rectangle(8, 0, 2, 2)) == (0, 0)
    assert oracle.gaps(TRIANGLE, rectangle(7, 0, 2, 2)) == (-1, -1)


def test_oracle_sees_what_a_line_crosses() -> None:
    assert oracle.crosses(TRIANGLE, Point(-1, 1), Point(9, 1))
    assert not oracle.crosses(TRIANGLE, Point(-1, 0), Point(9, 0))
    assert not oracle.crosses(TRIANGLE, Point(9, -1), Point(-1, 9))
    assert not oracle.crosses(Disc(Point(0, 0), 5), Point(-9, 5), Point(9, 5))
    assert oracle.crosses(Disc(Point(0, 0), 5), Point(-9, 4), Point(9, 4))


def test_oracle_sees_where_two_outlines_share_a_line() -> None:
    a, b = Disc(Point(0, 0), 5), Disc(Point(8, 0), 5)
    assert oracle.share(a, b, Point(-9, 2), Point(20, 2))
    assert not oracle.share(a, b, Point(-9, 3), Point(20, 3))  # both end at x = 4, exactly
    assert not oracle.share(a, b, Point(-9, 4), Point(20, 4))
