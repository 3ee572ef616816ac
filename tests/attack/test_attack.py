"""A little of the attack, in every run of the tests; `make attack` does the whole."""

import json
from collections import Counter
from pathlib import Path

import pytest

from tests.attack import files, forging
from tests.attack.__main__ import PARTS, STRETCH, WHOLE, Came, Means, Part, main


def test_damaged_files_are_read_or_refused_in_a_sentence() -> None:
    came = {files.attack(number) for number in range(60)}
    assert {"scenario refused", "case refused"} <= came


def test_forged_journals_are_found() -> None:
    came = [forging.attack(number) for number in range(400)]
    assert sum(one.endswith("found") for one in came) > 300


def test_a_run_of_every_part_is_counted_and_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done is not done again: the next run begins where the last one stopped."""
    done: list[tuple[str, int, int]] = []

    def noting(part: str) -> Part:
        def note(first: int, count: int, means: Means) -> Came:
            done.append((part, first, count))
            return Counter(came=count), {}

        return note

    for part in PARTS:
        monkeypatch.setitem(WHOLE, part, STRETCH[part] + 1)
        monkeypatch.setitem(PARTS, part, noting(part))
    monkeypatch.setattr("tests.attack.__main__.bound", lambda: None)
    monkeypatch.setattr("logging.disable", lambda level: None)
    out = tmp_path / "totals.json"
    for part in PARTS:
        assert main(["--out", str(out), "--only", part, "--share", str(STRETCH[part] / WHOLE[part])]) == 0
    assert done == [(part, 0, STRETCH[part]) for part in PARTS]
    for _ in range(2):
        assert main(["--out", str(out)]) == 0
    assert done[len(PARTS) :] == [(part, STRETCH[part], 1) for part in PARTS]
    assert {part: kept["done"] for part, kept in json.loads(out.read_text()).items()} == WHOLE


def test_the_whole_is_what_it_is_said_to_be() -> None:
    assert {part: WHOLE[part] for part in ("files", "forged", "requests", "kills", "faults")} == {
        "files": 100_000,
        "forged": 100_000,
        "requests": 2 * 20_000,
        "kills": 1_000,
        "faults": 1_000,
    }
