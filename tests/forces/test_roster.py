"""Rosters: bought, counted and judged; every finding names its rule and its line."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sandtable.forces.files import LedgerError, RosterError
from sandtable.forces.reading import load_text
from sandtable.forces.report import Finding, Severity, validate
from sandtable.forces.roster import (
    Bought,
    Roster,
    Unit,
    all_bought,
    all_units,
    charges,
    load_roster,
    recruits,
    roster_from_text,
    roster_without_file,
)
from sandtable.forces.writing import dump
from tests.forces.skirmish import catalogue

ROSTER = """\
ruleset: skirmish
name: Third Company
limit: 400
options: {faction: open, doctrines: [night, rain]}
units:
  - name: Alpha
    kind: attack
    upgrades: [radar]
    models:
      - {model: walker, count: 3, upgrades: [radar]}
      - {model: trooper, as: Owl, options: {rank: 2}}
  - name: Bravo
    units:
      - name: Bravo One
        models: [{model: elite, count: 2}]
extras: [{model: radar, count: 2}]
notes: Bring rain.
"""


def test_a_roster_is_read_with_units_in_units(tmp_path: Path) -> None:
    path = tmp_path / "third.yaml"
    path.write_text(ROSTER)
    loaded = load_roster(path, catalogue(tmp_path))
    assert [unit.name for _, unit in all_units(loaded.value.units)] == ["Alpha", "Bravo", "Bravo One"]
    assert [(loaded.line_of(*at), bought.model) for at, bought in all_bought(loaded.value)] == [
        (10, "walker"),
        (11, "trooper"),
        (15, "elite"),
        (16, "radar"),
    ]
    assert loaded.value.options == {"faction": "open", "doctrines": ("night", "rain")}


def test_points_add_up_line_by_line(tmp_path: Path) -> None:
    cards = catalogue(tmp_path)
    bill = charges(roster_from_text(ROSTER, cards).value, cards)
    assert [(charge.what, charge.total) for charge in bill.charges] == [
        ("Walker", 300),
        ("Radar for Walker", 21),
        ("Trooper", 10),
        ("Elite trooper", 40),
        ("Radar", 14),
        ("Radar for Alpha", 7),
    ]
    assert bill.total == 392
    assert str(bill).endswith("   392  in all")


def test_recruits_carry_unit_and_upgrades(tmp_path: Path) -> None:
    forms = recruits(roster_from_text(ROSTER, catalogue(tmp_path)).value)
    assert [(form.model, form.count, form.unit, form.name, form.options) for form in forms] == [
        ("walker", 3, "Alpha", "", {"upgrades": ("radar",)}),
        ("trooper", 1, "Alpha", "Owl", {"rank": 2}),
        ("elite", 2, "Bravo One", "", {}),
    ]


def no_walkers(roster: Roster) -> Iterable[Finding]:
    for path, bought in all_bought(roster):
        if bought.model == "walker":
            yield Finding(Severity.ERROR, "skirmish.cards.walker", f"{bought.count} walkers are too many.", path)


def few_units(roster: Roster) -> Iterable[Finding]:
    yield Finding(Severity.NOTE, "skirmish.table.size", "A small table will do.")
    yield Finding(Severity.WARNING, "skirmish.cards.squad", "Foot come in twos.", ("units", 0, "models", 1))


def test_a_report_names_rule_and_line_and_puts_errors_first(tmp_path: Path) -> None:
    cards = catalogue(tmp_path)
    report = validate(roster_from_text(ROSTER, cards, "third.yaml"), cards.book, few_units, no_walkers)
    assert str(report) == (
        "third.yaml:10: error: 3 walkers are too many. (skirmish.cards.walker)\n"
        "third.yaml:11: warning: Foot come in twos. (skirmish.cards.squad)\n"
        "third.yaml:1: note: A small table will do. (skirmish.table.size)"
    )
    assert not report.lawful
    assert validate(roster_from_text(ROSTER, cards), cards.book, few_units).lawful


def test_a_roster_without_a_file_is_judged_alike(tmp_path: Path) -> None:
    cards = catalogue(tmp_path)
    roster = Roster(ruleset="skirmish", name="Loose", units=(Unit(name="A", models=(Bought(model="walker"),)),))
    report = validate(roster_without_file(roster, cards), cards.book, no_walkers)
    assert str(report) == "roster: error: 1 walkers are too many. (skirmish.cards.walker)"


def test_a_finding_must_name_a_rule_that_exists(tmp_path: Path) -> None:
    cards = catalogue(tmp_path)

    def careless(roster: Roster) -> Iterable[Finding]:
        yield Finding(Severity.ERROR, "skirmish.table.siz", "Too small.")

    with pytest.raises(LedgerError, match=r"did you mean `skirmish\.table\.size`"):
        validate(roster_from_text(ROSTER, cards), cards.book, careless)


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("ruleset: skirmish", "ruleset: chess", 1, "the roster is for `chess`; one for `skirmish` would do"),
        ("model: walker", "model: waker", 10, "there is no model `waker`; did you mean `walker`?"),
        ("upgrades: [radar]\n    models", "upgrades: [rader]\n    models", 8, "did you mean `radar`?"),
        ("count: 3", "count: 0", 10, "`count` is 0; at least 1 would do"),
        ("count: 3", "count: many", 10, "`count` is the text `many`; a whole number would do"),
        ("as: Owl", "as: Owl, count: 2", 11, "2 models are called `Owl`"),
        ("name: Bravo One", "name: Alpha", 14, "two units are called `Alpha`"),
        ("models: [{model: elite, count: 2}]", "models: []", 14, "the unit `Bravo One` is empty"),
        ("limit: 400", "limt: 400", 3, "unknown key `limt`; did you mean `limit`?"),
    ],
)
def test_mistakes_are_told_with_their_line(old: str, new: str, line: int, words: str, tmp_path: Path) -> None:
    with pytest.raises(RosterError) as caught:
        roster_from_text(ROSTER.replace(old, new, 1), catalogue(tmp_path), "third.yaml")
    assert words in str(caught.value)
    assert str(caught.value).startswith(f"third.yaml:{line}: ")


words = st.text(st.characters(codec="utf-8"), max_size=8)
options = st.dictionaries(words, st.integers(-99, 99) | words | st.lists(words, max_size=2).map(tuple), max_size=2)
bought = st.builds(
    Bought,
    model=words,
    count=st.integers(1, 9),
    name=words,
    upgrades=st.lists(words, max_size=2).map(tuple),
    options=options,
)
flat = st.builds(Unit, name=words, kind=words, options=options, models=st.lists(bought, max_size=2).map(tuple))
nested = st.builds(Unit, name=words, units=st.lists(flat, max_size=2).map(tuple))


@settings(max_examples=80, deadline=None)
@given(
    st.builds(
        Roster,
        ruleset=words,
        name=words,
        limit=st.none() | st.integers(0, 9999),
        options=options,
        units=st.lists(flat | nested, max_size=3).map(tuple),
        extras=st.lists(bought, max_size=2).map(tuple),
        notes=words,
    )
)
def test_what_is_dumped_loads_as_the_same_roster(roster: Roster) -> None:
    assert load_text(dump(roster), Roster).value == roster
