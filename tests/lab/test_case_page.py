"""The page on cases shows cases that pass, and names every key there is."""

import re
from pathlib import Path

import pytest

from sandtable.lab.cases.batch import play_all
from sandtable.lab.cases.form import HEAD, STEP, read_cases
from tests.lab.writing import told

PAGE = (Path(__file__).parents[2] / "docs" / "write-a-case.md").read_text(encoding="utf-8")
EXAMPLES = [block for block in re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL) if "play:" in block]


def test_the_page_shows_examples_of_everything() -> None:
    assert len(EXAMPLES) >= 5
    for word in (
        "variants:",
        "same_for:",
        "not_asked:",
        "figures:",
        "turn_number:",
        "next:",
        "baselines:",
        "{combat: ",
    ):
        assert any(word in example for example in EXAMPLES), word


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda text: str(re.search(r"title: (.*)", text)[1]))  # type: ignore[index]
def test_an_example_of_the_page_passes(tmp_path: Path, example: str) -> None:
    file = tmp_path / "case.yaml"
    file.write_text(example, encoding="utf-8")
    for outcome in play_all(read_cases(file)):
        assert outcome.passed, told(outcome)


def test_the_page_names_every_key() -> None:
    for key in (*HEAD, *STEP):
        assert f"`{key}`" in PAGE, key


def test_the_page_says_which_way_y_and_degrees_run() -> None:
    assert "y **from north to south**" in PAGE
    assert "0 looks east, 90 south, 180 west, 270 north" in PAGE


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{A: moving, ", "{A2: moving, "),
        ("{A: shooting, target: B1}", "{A1: shooting, target: B1}"),
        ("{A: shooting, target: B1}", "{A: shooting, A1: {rifles: B1}, A2: {rifles: B1}}"),
    ],
)
def test_what_a_squad_does_may_be_said_of_any_of_its_units(tmp_path: Path, before: str, after: str) -> None:
    example = next(one for one in EXAMPLES if "ruleset: dropzone" in one)
    assert before in example
    file = tmp_path / "case.yaml"
    file.write_text(example.replace(before, after), encoding="utf-8")
    for outcome in play_all(read_cases(file)):
        assert outcome.passed, told(outcome)
