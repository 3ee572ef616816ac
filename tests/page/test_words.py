"""The page knows no ruleset: neither a name nor a rule nor a word of theirs stands in it."""

import re
from functools import cache

from sandtable.forces.ledger import ledger, systems
from sandtable.lab.rulebooks import rulebook
from tests.conftest import ROOT

PAGE = ROOT / "src" / "sandtable" / "page"

#: Words of rulesets that are plain English too, and why the page needs each of them.
PLAIN = {
    "acted": "what somebody did last, as the log tells it",
    "apart": "how far two points lie from each other",
    "break": "the statement of the language; a react is answered by `Break in`",
    "carried": "a manner of moving that events know: one in another",
    "claimed": "a seat that somebody has taken",
    "disabled": "aria-disabled",
    "done": "a card whose turn is over, a promise that is kept",
    "down": "a pointer, a line, and a shape word of badges",
    "edge": "of the board, of a panel, of a base",
    "enter": "the key",
    "hidden": "the attribute",
    "hide": "a panel is hidden again",
    "high": "how high something is drawn",
    "hover": "what a style sheet calls being under the pointer",
    "is": "plain English, and a comparison of standing orders",
    "land": "the ground as it is drawn",
    "landed": "the name of an event",
    "leave": "a part of a plan may be left out",
    "level": "places have levels",
    "locked": "a shape word of badges",
    "move": "a kind of question",
    "moved": "the name of an event",
    "moving": "a model in motion, and a module about it",
    "nothing": "plain English, and where somebody says none of it",
    "observe": "ResizeObserver",
    "path": "the element of a drawing, and what is walked",
    "reading": "the side with what one reads, and pages of text",
    "shaken": "a shape word of badges",
    "shift": "the key",
    "show": "plain English, what the page does with everything",
    "special": "what a briefing says of rules that hold in this battle only",
    "stay": "a path without a leg",
    "steady": "signs that keep their size",
    "trail": "the line behind whoever walks",
    "waiting": "for an answer of the server or of somebody else",
}


@cache
def words() -> frozenset[str]:
    """Every ruleset's name, and its words for states, actions, weapons and what badges show."""
    found = set(systems())
    for name in systems():
        rules = rulebook(name).ruleset()
        vocabulary = rules.case_words().vocabulary()
        found |= {word.lower() for part in ("states", "actions", "weapons") for word in vocabulary.get(part, ())}
        found |= {word.lower() for word in rules.looks}
    return frozenset(found)


def _texts() -> dict[str, str]:
    files = [path for path in PAGE.rglob("*") if path.suffix in (".js", ".css", ".html", ".svg")]
    return {path.name: path.read_text(encoding="utf-8").lower() for path in files}


def _stands(word: str, text: str) -> bool:
    return re.search(rf"(?<![a-z_]){re.escape(word)}(?![a-z_])", text) is not None


def test_no_word_of_a_ruleset_stands_in_the_page() -> None:
    assert len(words()) > 60
    found = [(name, word) for name, text in _texts().items() for word in words() - set(PLAIN) if _stands(word, text)]
    assert found == [], "say it in the page's own words; if it is plain English there, add it to PLAIN with its reason"


def test_no_rule_id_stands_in_the_page() -> None:
    rules = [rule for name in systems() for rule in ledger(name).rules]
    assert len(rules) > 500
    assert [(name, rule) for name, text in _texts().items() for rule in rules if rule in text] == []


def test_every_plain_word_is_needed() -> None:
    """What no ruleset says any more, or the page does not, goes from the list."""
    texts = _texts().values()
    assert [word for word in PLAIN if word not in words() or not any(_stands(word, text) for text in texts)] == []
