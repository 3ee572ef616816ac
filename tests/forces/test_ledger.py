"""The ledger: well formed, cited at import, read through typed handles, open to mutation."""

import re
import subprocess
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from sandtable.forces.data import nudged
from sandtable.forces.files import FileError, LedgerError, Node, read_file
from sandtable.forces.ledger import Ledger, Rule, ledger, override, rule, systems
from tests.forces.skirmish import CARDS, TABLE, book

SYSTEMS = systems()


@pytest.mark.parametrize("system", SYSTEMS)
def test_our_ledgers_are_well_formed(system: str) -> None:
    """Reading already checks form, ids, kinds and words; what is left is what only our copy promises."""
    entries = ledger(system)
    assert len(entries.rules) > 100
    for entry in entries.rules.values():
        assert entry.id == f"{system}.{entry.chapter}.{entry.id.rpartition('.')[2]}"
        assert entry.file == f"rulesets/{system}/rules/{entry.chapter}.yaml"
        # A line of a text that is no part of the project means nothing to a reader.
        assert not re.search(r"\blines? \d{2,}|\(\d{3,4}(-\d+)?\)", f"{entry.text} {entry.ruling}"), entry.id


@pytest.mark.parametrize("system", SYSTEMS)
def test_rules_named_in_words_exist(system: str) -> None:
    entries = ledger(system)
    for entry in entries.rules.values():
        for named in re.findall(rf"\b{system}\.[a-z-]+\.[a-z0-9-]+\b", f"{entry.text} {entry.ruling}"):
            assert named in entries.rules, f"{entry.id} names {named}"


def test_every_file_of_the_quick_start_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from sandtable.forces import ledger as module

    folder = Path(module.__file__).parents[1] / "rulesets" / "quickstart" / "rules"
    read: list[str] = []

    def listening(path: Any, *args: Any) -> Node:
        read.append(path.name)
        return read_file(path, *args)

    monkeypatch.setattr(module, "read_file", listening)
    entries = Ledger("quickstart", folder)
    assert len(entries.rules) == 259
    assert sorted(read) == sorted(path.name for path in folder.glob("*.yaml"))


def test_words_are_unfolded_and_examples_kept(tmp_path: Path) -> None:
    size = book(tmp_path).find("skirmish.table.size")
    assert size.text == "Forty by thirty, and walkers stand on wide bases."
    assert size.ruling == "We play it so."
    assert size.examples[0].then == "it is forty wide"
    assert (size.kind, size.chapter, str(size)) == ("setup", "table", "skirmish.table.size")


def test_numbers_are_read_exactly_and_by_type(tmp_path: Path) -> None:
    size = book(tmp_path).find("skirmish.table.size")
    assert size.numbers("size_in") == (40, 30)
    assert size.inches("base_in") == 1250
    assert size.inches("gap_in") == 5
    assert size.inches("size_in", 0) == 40_000
    assert size.fraction("share") == Fraction(1, 2)
    assert size.text_at("roll") == "1d6+1"
    assert size.flag("fast") is True
    assert size.has("size_in", 1)
    assert not size.has("size_in", 2)
    assert not size.has("dash")
    assert [(key, row.number("hits")) for key, row in size.table("results").items()] == [("2", 1), ("10+", 3)]
    assert size.number("results", 2, "hits") == 1
    assert book(tmp_path).find("skirmish.cards.walker").items("rows")[0].numbers() == (1, 2)


@pytest.mark.parametrize(
    ("ask", "line", "message"),
    [
        (lambda size: size.number("size"), 10, "there is no `size`; did you mean `size_in`?"),
        (lambda size: size.number("base_in"), 10, "base_in is the number 1.25; a whole number would do"),
        (lambda size: size.number("fast"), 10, "fast is `true`; a whole number would do"),
        (lambda size: size.number("results"), 11, "results is a mapping with the key `2`; a single value would do"),
        (lambda size: size.number("results", 3, "hits"), 11, "there is no `3` under results; it may be `2` or `10+`"),
        (lambda size: size.numbers("roll"), 11, "roll is the text `1d6+1`; a list would do"),
        (lambda size: size.text_at("share"), 10, "share is the number 0.5; text would do"),
        (lambda size: size.inches("dash"), 10, "dash is nothing; a length with at most three decimals would do"),
        (lambda size: size.number("size_in", 5), 10, "there is no `5` under size_in; here is a list"),
    ],
)
def test_what_a_rule_does_not_hold_fails_with_the_line(
    ask: Callable[[Rule], object], line: int, message: str, tmp_path: Path
) -> None:
    size = book(tmp_path).find("skirmish.table.size")
    with pytest.raises(LedgerError) as caught:
        ask(size)
    assert str(caught.value).startswith(f"{tmp_path}/rules/table.yaml:{line}: ")
    assert str(caught.value).endswith(message)


def test_unknown_ids_fail_with_the_nearest_right_id(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match=r"no rule `skirmish\.table\.sice`; did you mean `skirmish\.table\.size`\?"):
        book(tmp_path).rule("skirmish.table.sice")
    with pytest.raises(LedgerError, match="did you mean `quickstart`"):
        rule("quickstrat.close-combat.break")
    with pytest.raises(LedgerError, match="no ruleset of this name"):
        rule("../secrets")


def test_citing_and_reading_are_noted(tmp_path: Path) -> None:
    entries = book(tmp_path)
    assert entries.cited == {}
    size = entries.rule("skirmish.table.size")
    entries.rule("skirmish.table.size", "another.module")
    assert entries.cited == {"skirmish.table.size": (__name__, "another.module")}
    entries.find("skirmish.cards.walker").has("reach")
    assert list(entries.reads) == []
    size.numbers("size_in")
    size.at("results", 2).number("hits")
    assert list(entries.reads) == [
        ("skirmish.table.size", ("size_in", 0)),
        ("skirmish.table.size", ("size_in", 1)),
        ("skirmish.table.size", ("results", "2", "hits")),
    ]


def test_every_number_is_listed_once(tmp_path: Path) -> None:
    numbers = [(path, value) for rule_id, path, value in book(tmp_path).numbers() if rule_id == "skirmish.table.size"]
    assert numbers == [
        (("size_in", 0), 40),
        (("size_in", 1), 30),
        (("base_in",), Decimal("1.25")),
        (("gap_in",), Decimal("0.005")),
        (("share",), Decimal("0.5")),
        (("results", "2", "hits"), 1),
        (("results", "10+", "hits"), 3),
        (("rush",), "2 * walk"),
    ]


def test_a_formula_gives_its_number_and_nothing_else_does(tmp_path: Path) -> None:
    size = book(tmp_path, {("skirmish.table.size", ("rush",)): "3 * walk"}).find("skirmish.table.size")
    assert size.formula("rush") == 3
    with pytest.raises(FileError, match="a formula with one number"):
        size.formula("share")
    with pytest.raises(FileError, match="a formula with one number"):
        book(tmp_path, {("skirmish.table.size", ("rush",)): "2 * walk + 1"}).find("skirmish.table.size").formula("rush")


def test_each_number_can_be_overridden_and_nothing_else_changes(tmp_path: Path) -> None:
    plain = list(book(tmp_path).numbers())
    for rule_id, path, value in plain:
        other = nudged(value, 1)
        assert other is not None
        changed = book(tmp_path, {(rule_id, path): other})
        assert [now for before, now in zip(plain, changed.numbers(), strict=True) if before != now] == [
            (rule_id, path, other)
        ]
        assert changed.digest() != book(tmp_path).digest()


def test_an_override_that_meets_nothing_fails(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="there is no `height`"):
        book(tmp_path, {("skirmish.table.size", ("height",)): 3})
    with pytest.raises(FileError, match="there is no rule"):
        book(tmp_path, {("skirmish.table.none", ("height",)): 3})


def test_override_comes_before_the_modules_that_read() -> None:
    script = """
from sandtable.forces.ledger import ledger, override, rule
override({("quickstart.close-combat.break", ("modifiers", "enemy_model_in_contact")): -7})
print(rule("quickstart.close-combat.break").number("modifiers", "enemy_model_in_contact"))
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "-7\n"


def test_override_of_an_open_ledger_is_refused() -> None:
    entries = ledger("quickstart")
    with pytest.raises(RuntimeError, match="open already"):
        override({(next(iter(entries.rules)), ("x",)): 1})


def test_the_digest_follows_data_not_words(tmp_path: Path) -> None:
    before = book(tmp_path).digest()
    rules = tmp_path / "rules"
    (rules / "table.yaml").write_text(TABLE.replace("Forty by thirty", "Forty by 30"))
    assert Ledger("skirmish", rules).digest() == before
    (rules / "table.yaml").write_text(TABLE.replace("share: 0.5", "share: 0.50"))
    assert Ledger("skirmish", rules).digest() == before
    for old, new in (("share: 0.5", "share: 0.6"), ("fast: true", "fast: false"), ("[40, 30]", "[30, 40]")):
        (rules / "table.yaml").write_text(TABLE.replace(old, new))
        assert Ledger("skirmish", rules).digest() != before
    (rules / "table.yaml").write_text(TABLE.replace("share: 0.5", 'share: "0.5"'))
    assert Ledger("skirmish", rules).digest() != before


def test_search_ranks_ids_before_titles_before_words(tmp_path: Path) -> None:
    entries = book(tmp_path)
    assert [found.id for found in entries.search("walker")] == ["skirmish.cards.walker", "skirmish.table.size"]
    assert [found.id for found in entries.search("skirmish.table.size")] == ["skirmish.table.size"]
    assert [found.id for found in entries.search("WIDE bases")] == ["skirmish.table.size"]
    assert entries.search("walker dragon") == []
    assert len(entries.search("")) == 3


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("system: skirmish", "system: chess", 1, "the system is `chess`; `skirmish` would do"),
        ("kind: data\n    text: A walker", "kind: date\n    text: A walker", 6, "did you mean `data`?"),
        ("id: skirmish.cards.walker", "id: skirmish.card.walker", 4, "the id is `skirmish.card.walker`"),
        ("id: skirmish.cards.squad", "id: skirmish.cards.walker", 14, "the id `skirmish.cards.walker` stands in"),
        ("text: Two kinds of foot.", "text: ''", 14, "`skirmish.cards.squad` has no words"),
        ("    title: The walker\n", "", 4, "the key `title` is missing; add `title`: text"),
        ("title: Infantry", "titel: Infantry", 15, "unknown key `titel`; did you mean `title`?"),
        ("rules:", "rules: 3\nruls:", 3, "`rules` is the number 3; a list would do"),
    ],
)
def test_a_wrong_chapter_says_file_and_line(old: str, new: str, line: int, words: str, tmp_path: Path) -> None:
    book(tmp_path)
    path = tmp_path / "rules" / "cards.yaml"
    path.write_text(CARDS.replace(old, new, 1))
    with pytest.raises(LedgerError) as caught:
        Ledger("skirmish", tmp_path / "rules")
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert words in str(caught.value)


def test_a_folder_without_chapters_is_refused(tmp_path: Path) -> None:
    with pytest.raises(LedgerError, match="no chapter"):
        Ledger("skirmish", tmp_path)
