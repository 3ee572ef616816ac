"""What a question says its previews may show, some preview of it shows: in whole battles, and in the cases.

And whatever is decided by dice at once shows its odds before.

`python -m tests.rulesets.test_shown` prints for each topic what it advertises, and what of it was never seen.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.answers.judging import open_options
from sandtable.engine.battle import Accepted, Battle
from sandtable.engine.events import Rolled
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.questions import AnyQuestion, ChooseOne, ChooseSeveral, Confirm, Preview, React, Reaction
from sandtable.engine.records.journal import Happened
from sandtable.engine.ruleset import View
from sandtable.lab.battles import play_battle
from sandtable.lab.cases.batch import Stage
from sandtable.lab.cases.form import find_cases
from sandtable.lab.rulebooks import rulebook

CASES = Path(__file__).parents[2] / "cases"
#: Battles that ask most of what there is to ask: their scenario and how large they are.
BATTLES = {
    "dropzone": (("attrition", 0), ("gatebreakers", 0), ("house-to-house", 0), ("seize-and-extract", 0)),
    "quickstart": (("", 0), ("own-ground", 0), ("breakdown", 0)),
    "stargrunt": (("", 0), ("armour", 0), ("bombardment", 0), ("close-quarters", 0), ("gunships", 0), ("watchers", 0)),
    "strikeops": (("meeting", 0), ("three-crowns", 0), ("broken-ground", 0), ("breakers-yard", 0)),
}
#: Questions that say "distance" only to open the ruler: terrain that is laid has no others to be measured from.
RULER = ("place-terrain", "shape-terrain")
#: What is answered by dice at once and has no odds to show, and why.
NO_ODDS = {
    "dropzone": {
        **dict.fromkeys(("action done", "battlegroup", "extract", "walk"), "what is rolled next is another's"),
        **dict.fromkeys(("begins", "deploy", "deployment-zone", "infiltrate"), "the first round begins"),
        "astray": "each miss is asked for by itself, and the dice fall when all of them lie",
        "suffers": "who takes what has been rolled",
        **dict.fromkeys(
            ("crushed", "hit-first", "inside", "slots"), "who comes first, or goes where, of what befalls all"
        ),
    },
    "quickstart": {
        "place-terrain": "the next die is for the next piece, whatever is laid",
        "shape-terrain": "the same",
        "ammo-bin": "the shot was foretold when it was declared",
        "stand-up": "what comes next was declared before",
        "fumbled-strike-point": "where it drifts to is the same around every point",
    },
    "stargrunt": {
        "action drop-bombs": "the die says how far ahead they fall, not whether",
        "bombs": "the same",
        **dict.fromkeys(("action done", "enter", "heading"), "what comes next is another's, or the next turn's"),
        "baseline": "the next turn begins",
        "evasion": "the chance is told with the choice to evade",
        "follow": "the die says how far, not whether",
        "real-point": "the chance is told with the points",
        "warhead": "the chance is told with the points",
        "victim": "the shot was foretold with its target",
        "with-the-rest": "the next test is the defender's",
        **dict.fromkeys(("dug-in", "objectives", "trenches"), "the die says how many dummies come with them"),
    },
    "strikeops": {
        **dict.fromkeys(("agree-to-terrain", "place-terrain", "shape-terrain"), "the next die is for the next piece"),
        **dict.fromkeys(("edge", "reading", "role", "turns"), "the next die is for what comes after it"),
        **dict.fromkeys(("ammo-bin", "resolve", "stand-up"), "what comes next was foretold when it was declared"),
        **dict.fromkeys(("inspire", "overdrive"), "the fire was foretold with its weapons"),
        "fumbled-strike-point": "where it drifts to is the same around every point",
    },
}
#: So many questions of a topic are drafted, as long as something that it advertises was not seen.
TRIES = 40


def held(preview: Preview) -> set[str]:
    """Which of the things a question may advertise a preview holds."""
    shown = {"distance": preview.distances, "reach": preview.reach, "sight": preview.sight, "odds": preview.odds}
    return {word for word, what in shown.items() if what}


def drafts(battle: Battle, view: View, question: AnyQuestion, given: Any) -> Iterator[Any]:
    """Answers worth a look: what was answered, and simple ones of every kind."""
    if given is not None:
        yield given
    if isinstance(question, ChooseOne):
        yield from (option.id for option in open_options(battle.ruleset, view, question, question.options))
    elif isinstance(question, ChooseSeveral):
        yield from ([option.id] for option in question.options)
    elif isinstance(question, React):
        for option in question.options:
            along = question.stretch[0] if question.stretch else None
            yield Reaction(option.id, along, option.amount_most)
    elif isinstance(question, Confirm):
        yield True


class Seen:
    """What was advertised and what was filled, by topic."""

    def __init__(self) -> None:
        self.advertised: dict[str, set[str]] = {}
        self.filled: dict[str, set[str]] = {}
        self.tried: dict[str, int] = {}
        self.rolled: set[str] = set()  # topics, and actions, whose answers made dice fall at once
        self.foretold: set[str] = set()  # those for which a preview of what was answered had odds

    def answered(self, battle: Battle, question: AnyQuestion, given: Any, answer: Callable[[], Any]) -> Any:
        """Let a question be answered, and note whether dice fell at once, and whether their odds were to be had."""
        named = f"{question.topic} {given}" if question.topic == "action" else question.topic
        known, before = named in self.foretold or given is None, len(battle.journal.lines)
        checked = None if known else battle.check(given, question.side)
        preview = checked.preview() if isinstance(checked, Accepted) else None
        refusal = answer()
        told = [line.event for line in battle.journal.lines[before:] if isinstance(line, Happened)]
        if given is not None and any(isinstance(event, Rolled) for event in told):
            self.rolled.add(named)
            if preview is not None and preview.odds:
                self.foretold.add(named)
        return refusal

    def look(self, battle: Battle, question: AnyQuestion, given: Any) -> None:
        """Draft answers to a question, until all that its topic advertises was seen."""
        topic = question.topic
        wanted = self.advertised.setdefault(topic, set())
        wanted |= set(question.shows)
        filled = self.filled.setdefault(topic, set())
        if wanted <= filled or self.tried.get(topic, 0) >= TRIES:
            return
        self.tried[topic] = self.tried.get(topic, 0) + 1
        for draft in drafts(battle, battle.view(question.side), question, given):
            checked = battle.check(draft, question.side)
            if isinstance(checked, Accepted):
                filled |= held(checked.preview())
            if wanted <= filled:
                return

    def missing(self) -> dict[str, list[str]]:
        """What each topic advertises and never fills."""
        never = {topic: sorted(words - self.filled[topic]) for topic, words in self.advertised.items()}
        return {topic: words for topic, words in sorted(never.items()) if words and topic not in RULER}


def seen_everywhere(name: str, patch: pytest.MonkeyPatch, chapter: str = "") -> Seen:
    """Everything that the cases of a ruleset, or of a chapter, and some battles ask, seen before it is answered."""
    seen, answer = Seen(), Battle.answer

    def looked_at(battle: Battle, draft: Any, side: Side = NO_SIDE) -> Any:
        question = next((one for one in battle.questions if not side or one.side == side), None)
        if question is not None and battle.question_for(question.side) is question:
            seen.look(battle, question, draft)
            return seen.answered(battle, question, draft, lambda: answer(battle, draft, side))
        return answer(battle, draft, side)

    with patch.context() as patched:
        patched.setattr(Battle, "answer", looked_at)
        stage = Stage()
        for case in find_cases([str(CASES / name / chapter)]).cases:
            stage.play(case)
        rules = rulebook(name).ruleset()
        for seed, (scenario, size) in enumerate(() if chapter else BATTLES[name]):
            setup = rules.setup(scenario, size)
            play_battle(rules, setup, {side: RandomBot(rules, seed=f"{seed}{side}") for side in setup.sides}, seed=seed)
    return seen


@pytest.mark.parametrize("name", sorted(BATTLES))
def test_whatever_a_question_advertises_some_preview_of_it_fills(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = seen_everywhere(name, monkeypatch)
    assert sum(1 for words in seen.advertised.values() if words) >= 10
    assert seen.missing() == {}
    assert len(seen.foretold) >= 4
    assert seen.rolled - seen.foretold <= set(NO_ODDS[name])


if __name__ == "__main__":
    for ruleset in sys.argv[1:] or sorted(BATTLES):
        found = seen_everywhere(ruleset, pytest.MonkeyPatch())
        for topic, words in sorted(found.advertised.items()):
            if words:
                never = sorted(words - found.filled[topic])
                print(f"{ruleset} {topic}: {' '.join(sorted(words & found.filled[topic])) or '-'}", end="")
                print(f"; never {' '.join(never)} ({found.tried[topic]} tried)" if never else "")
