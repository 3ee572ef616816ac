"""No number and no word of a file costs more than it should: each is bounded where it is read."""

import re
from collections.abc import Iterator

import pytest

from sandtable.forces.files import FileError
from sandtable.forces.ledger import ledger
from sandtable.forces.roster import roster_from_text
from sandtable.forces.scenario import package_scenarios, scenario_from_text
from sandtable.server.library import Library

SHELF = Library()
HUGE = "1099511627776"


def scenario(name: str, ruleset: str = "stargrunt") -> str:
    return package_scenarios(ruleset)[name].read_text(encoding="utf-8")


def refused(text: str, ruleset: str = "stargrunt") -> str:
    """What is wrong with a scenario: one sentence."""
    with pytest.raises(FileError) as found:
        SHELF.setup(ruleset, text=text)
    assert "\n" not in str(found.value)
    return str(found.value)


@pytest.mark.parametrize(
    ("name", "found", "instead"),
    [
        ("rearguard", "platoons: 2", f"platoons: {HUGE}"),
        ("rearguard", "platoons: 2", "platoons: 1000"),
        ("rearguard", "platoons: 2", "platoons: -1"),
        ("rearguard", "platoon: dust_road_militia, platoons: 2", "platoon: nobody"),
        ("rearguard", "platoons: 2", "dummies: 99d99"),
        ("rearguard", "platoons: 2", "mines: 99d99"),
        ("rearguard", "platoons: 2", "mines: many"),
        ("watchers", "hidden-depth: 18", f"hidden-depth: {HUGE}"),
        ("watchers", "hidden-depth: 18", "hidden-depth: 999"),
        ("watchers", "hidden-depth: 18", "hidden-depth: -1"),
        ("gunships", "inbound_box=1 bombs=3", f"inbound_box={HUGE} bombs=3"),
        ("gunships", "inbound_box=1 bombs=3", f"inbound_box=1 bombs={HUGE}"),
        ("gunships", "inbound_box=1 bombs=3", "inbound_box=-1"),
        ("gunships", "inbound_box=1 bombs=3", "boxes=1"),
        ("gunships", "inbound_box=1 bombs=3", "vehicle=balloon"),
        ("gunships", "gunship_sortie inbound_box=1 bombs=3", "balloon"),
        ("watchers", "\n  width: ", "\n  width: 1000 # "),
        ("watchers", "\n  red:", '\n  "":'),
    ],
)
def test_a_number_that_counts_things_is_bounded_where_it_is_read(name: str, found: str, instead: str) -> None:
    text = scenario(name)
    assert found in text
    refused(text.replace(found, instead, 1))


def numbers() -> Iterator[tuple[str, str, str]]:
    """Every shipped scenario with one of its numbers made huge, and with it made negative."""
    for ruleset in ("quickstart", "stargrunt"):
        for name in package_scenarios(ruleset):
            text = scenario(name, ruleset)
            for at in list(re.finditer(r"(?<![\w.-])\d+(?:\.\d+)?(?!\w)", text))[::7]:
                for value in (HUGE, "-1"):
                    yield ruleset, name, text[: at.start()] + value + text[at.end() :]


def test_whatever_number_is_huge_the_file_is_refused_or_read() -> None:
    wrong = 0
    for ruleset, _, text in numbers():
        try:
            SHELF.setup(ruleset, text=text)
        except FileError:
            wrong += 1
    assert wrong > 100


def test_words_of_a_scenario_are_plain_and_short() -> None:
    text = scenario("watchers")
    assert "control character" in refused(_titled(text, '"a\\e[2J"'))
    assert "control character" in refused(_titled(text, '"a\\0b"'))
    assert "letters" in refused(_titled(text, "x" * 201))
    book = ledger("stargrunt")
    assert scenario_from_text(text, book).value.about


def _titled(text: str, title: str) -> str:
    return re.sub(r"^title: .*$", lambda _: f"title: {title}", text, count=1, flags=re.MULTILINE)


def test_words_of_a_roster_are_plain_and_short() -> None:
    cards = SHELF.catalogue("quickstart")
    assert cards is not None
    with pytest.raises(FileError, match="control character"):
        roster_from_text('{ruleset: quickstart, name: "a\\e[2J"}', cards)
    with pytest.raises(FileError, match="letters"):
        roster_from_text(f"{{ruleset: quickstart, name: {'x' * 201}}}", cards)
