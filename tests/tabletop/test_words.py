"""What is said of a battle is read from `words.yaml`, and only what rules can say stands there."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from sandtable.field.drawing.glyphs import STATES
from sandtable.forces.ledger import ledger, systems
from sandtable.forces.models import UNDEPLOYED
from sandtable.rulesets import ruleset
from sandtable.tabletop.book import Book
from sandtable.tabletop.words import BadgeShape, WordsError, words_of_text
from tests.conftest import ROOT

RULESETS = ROOT / "src" / "sandtable" / "rulesets"

#: One or two words that a text with a hole in it may be filled with.
HOLE = r"[\w-]+(?: [\w-]+)?"

WRONG = {
    "name: {}": "words.yaml:1: unknown key `name`; did you mean `names`?",
    "looks: {stunned: {words: dazed, shape: shaking}}": (
        "words.yaml:1: `shape` is the text `shaking`; did you mean `shaken`?"
    ),
    "looks:\n  stunned: {shape: shaken}": "words.yaml:2: the key `words` is missing; add `words`: text",
    "looks: {stunned: {words: dazed, help: true}}": "words.yaml:1: unknown key `help`; did you mean `helps`?",
    'phrases:\n  fire: "{whom} fires"': "words.yaml:2: `fire` names {whom}; did you mean `who`?",
    'phrases: {fire: "{who} fire[s"}': (
        "words.yaml:1: `fire` has a bracket or a bar too many; write {who} for a name, and [is|are] for one and several"
    ),
    'phrases: {fire: "{who fires"}': (
        "words.yaml:1: `fire` has a bracket or a bar too many; write {who} for a name, and [is|are] for one and several"
    ),
    "notes:\n- fired\n- fired": "words.yaml:3: the note `fired` stands twice; keep one of them",
    "names: {CO: [1]}": "words.yaml:1: `CO` is a list; text would do",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_wrong_file_is_told_with_what_would_do(text: str) -> None:
    with pytest.raises(WordsError) as found:
        words_of_text(text)
    assert str(found.value) == WRONG[text]


def test_shapes_of_badges_are_those_that_can_be_drawn() -> None:
    assert set(BadgeShape) - {BadgeShape.LETTERS, BadgeShape.VALUE} == set(STATES)


def test_a_name_goes_before_a_label_and_a_label_before_a_look() -> None:
    class Small(Book):
        said = words_of_text("{names: {b: from names}, looks: {a: {words: from looks}, b: {words: x}, c: {words: x}}}")
        labels = {"b": "X", "c": "From Labels"}

    assert Small().words == {"a": "from looks", "b": "from names", "c": "from labels"}


def test_a_ruleset_without_the_file_has_no_words() -> None:
    class Silent(Book):
        pass

    assert (Silent().words, Silent().phrases, Silent().notes, Silent().looks) == ({}, {}, (), {})


@cache
def spoken_by_rules(name: str) -> tuple[frozenset[str], tuple[re.Pattern[str], ...]]:
    """The texts in a ruleset's source and data files, and patterns of those with holes in them.

    What several rulesets share is said by each of them.
    """
    texts: set[str] = set()
    patterns = []
    shared = [one for one in RULESETS.iterdir() if one.is_dir() and one.name not in systems()]
    for path in sorted(path for folder in (RULESETS / name, *shared) for path in folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                texts.add(node.value)
            elif isinstance(node, ast.JoinedStr):
                holes = [re.escape(str(one.value)) if isinstance(one, ast.Constant) else HOLE for one in node.values]
                # Holes first would match anything, but for those that end in a word in brackets.
                if re.match("[a-z]{3}", holes[0]) or re.search(r"\([a-z]{3,}\\\)$", holes[-1]):
                    patterns.append(re.compile("".join(holes)))
    for path in sorted((RULESETS / name).rglob("*.yaml")):
        if path.name != "words.yaml":
            texts.update(re.findall(r"[\w'-]+", path.read_text("utf-8")))
    return frozenset(texts), tuple(patterns)


def keys(name: str) -> Iterator[str]:
    said = ruleset(name).said
    yield from (*said.names, *said.looks, *said.phrases, *said.notes)


@pytest.mark.parametrize("name", systems())
def test_words_are_of_what_rules_say(name: str) -> None:
    """A word for something that no rule says any more would go unseen."""
    texts, patterns = spoken_by_rules(name)
    assert len(set(keys(name))) > 20

    def is_said(key: str) -> bool:
        spelt = {key, key.replace(" ", "_"), key.replace(" ", "-")}
        return not spelt.isdisjoint({*texts, UNDEPLOYED.why}) or any(pattern.fullmatch(key) for pattern in patterns)

    def is_of_a_rule(key: str) -> bool:
        """Whether rules say it, or what is rolled and what came of that, one behind the other.

        What is declared may be at somebody, and a state may be given by a rule of the ledger. With what somebody would
        have acted is said of all that is forfeited; what wins is said of an ending, at length
        or shortly; an option is a scenario's.
        """
        if key == "forfeits tools":
            return True
        by = re.fullmatch(r"(.+?)(?: \d+)? by (.+)", key)
        if by is not None:
            return is_said(by[1]) and any(one.endswith(f".{by[2]}") for one in ledger(name).rules)
        key = re.sub(r"^(declares .+) at$", r"\1", key)
        words = re.sub(
            r"^(not|now|another|roll|does|throws|revealed|forfeits|declares|wins|goal|option) ", "", key
        ).split(" ")
        pairs = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
        both = key.startswith("roll ") and any(
            is_said(rolled) and (is_said(came) or is_said(came.removeprefix("no "))) for rolled, came in pairs
        )
        return is_said(" ".join(words)) or both

    assert [key for key in keys(name) if not is_said(key) and not is_of_a_rule(key)] == []


def test_every_ruleset_has_the_file() -> None:
    assert [name for name in systems() if not Path(RULESETS / name / "words.yaml").is_file()] == []
