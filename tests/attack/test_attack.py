"""A little of the attack, in every run of the tests; `make attack` does the whole."""

from tests.attack import files, forging


def test_damaged_files_are_read_or_refused_in_a_sentence() -> None:
    came = {files.attack(number) for number in range(60)}
    assert {"scenario refused", "case refused"} <= came


def test_forged_journals_are_found() -> None:
    came = [forging.attack(number) for number in range(400)]
    assert sum(one.endswith("found") for one in came) > 300
