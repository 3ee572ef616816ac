"""Nobody learns which cards another holds before they are shown, nor how a deck lies; a planted leak is found."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Passed
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, React, Settled
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Table
from sandtable.rulesets.dropzone.book import Dropzone
from sandtable.rulesets.dropzone.command.cards import HANDS
from tests import secrecy
from tests.engine.secrets import Leak
from tests.rulesets.dropzone.secrets import order_of_the_deck, whole_hand


class Cheat(Dropzone):
    """Rules that look into hands where they must not."""

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        honest, answer = super().procedure(battle, step), None
        while True:
            try:
                asked: Any = honest.send(answer)
            except StopIteration:
                return
            spoilt = asked if isinstance(asked, Settled) else self.spoilt(battle, asked)
            answer = None if spoilt is None else (yield spoilt)

    def spoilt(self, battle: Battle, question: AnyQuestion) -> AnyQuestion | None:
        """A question as it is asked; none is passed on."""
        return question


def held(table: Table, side: Side) -> list[str]:
    """What the enemies of a side hold."""
    return [card.card for other in table.sides if other != side for card in HANDS.hand(table, other)]


class AsksWhoCan(Cheat):
    """Asks only who holds a card that may be played now."""

    def spoilt(self, battle: Battle, question: AnyQuestion) -> AnyQuestion | None:
        if isinstance(question, React) and question.topic == "card" and not question.options:
            return None
        return question


class AsksWhoCanInSilence(Cheat):
    """Passes for who holds nothing to play, and tells it in another way."""

    def spoilt(self, battle: Battle, question: AnyQuestion) -> AnyQuestion | None:
        if isinstance(question, React) and question.topic == "card" and not question.options:
            battle.happens(Passed(question.side, "nothing to play"))
        return question


class TellsByPrompt(Cheat):
    """Says in a question what the enemy holds."""

    def spoilt(self, battle: Battle, question: AnyQuestion) -> AnyQuestion | None:
        return replace(question, prompt=question.prompt + " " * len(set(held(battle.table, question.side))))


class TellsByDeck(Cheat):
    """Says in a question what lies on top of the decks."""

    def spoilt(self, battle: Battle, question: AnyQuestion) -> AnyQuestion | None:
        top = [deck.order[:1] for deck in battle.table.decks.values()]
        return replace(question, facts={**question.facts, "top": sum(len(card) for one in top for card in one)})


class TellsByLog(Cheat):
    """Tells all what a side holds when it is asked about cards."""

    def spoilt(self, battle: Battle, question: AnyQuestion) -> AnyQuestion | None:
        if isinstance(question, React) and question.topic == "card":
            cards = HANDS.hand(battle.table, question.side)
            battle.happens(Declared(question.side, "thinks about", (), tuple(card.card for card in cards)))
        return question


CHEATS = (AsksWhoCan, AsksWhoCanInSilence, TellsByPrompt, TellsByDeck, TellsByLog)
KINDS = {"a whole hand": whole_hand, "how a deck lies": order_of_the_deck}


@cache
def pairs_of(number: int) -> list[secrecy.Pair]:
    """The pairs of a battle by honest rules that are about cards, as soon as somebody is asked for one."""
    return list(secrecy.Secrecy(kinds=KINDS, game=secrecy.DROPZONE).pairs(number, 60))


def leaks(cheat: type[Cheat], battles: int) -> Iterator[Leak]:
    """The leaks that are found among the pairs of some battles."""
    cheating = secrecy.Secrecy(cheat, game=secrecy.DROPZONE)
    for number in range(battles):
        for pair in pairs_of(number):
            try:
                cheating.compare(pair)
            except Leak as leak:
                yield leak


@pytest.mark.parametrize("cheat", CHEATS)
def test_a_planted_leak_is_found(cheat: type[Cheat]) -> None:
    assert next(leaks(cheat, battles=6), None) is not None, f"{cheat.__name__} is not found"


def test_every_step_has_a_name_of_its_own() -> None:
    """A battle is saved with the names of its steps, the engine's among them."""
    names = [step.name() for step in Dropzone().all_steps()]
    assert sorted(names) == sorted(set(names))
