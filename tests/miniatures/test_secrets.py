"""The secrets of these miniatures: two battles that differ only in one look the same to whoever may not know it.

Until the first draw, die or reveal that the secret lawfully decides: views, logs, questions, refusals, previews, and
whether something may be taken back.
"""

from collections.abc import Callable

import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.dice import Result, SeededDice, Throw
from sandtable.engine.events import DeckChanged, Revealed
from sandtable.engine.ids import BLUE, NO_SIDE, RED, RuleId, Side
from tests.engine.secrets import Leak, byte_equal
from tests.miniatures.ambush_and_drop import AmbushAndDrop
from tests.miniatures.draw_deck import DRAW
from tests.miniatures.sealed_numbers import SealedNumbers, setup


class OtherShuffle(SeededDice):
    """The same dice, except that the deck of the first turn falls otherwise."""

    def __init__(self, seed: int, deck: int) -> None:
        super().__init__(seed)
        self.deck = SeededDice(f"deck {deck}")
        self.cards = 8  # the draws of the first shuffle of nine cards

    def fall(self, throw: Throw) -> Result:
        if self.draws >= self.cards:
            return super().fall(throw)
        self.draws += 1
        self.deck.draws = self.draws
        return self.deck.fall(throw)


def shuffled(seed: int, deck: int) -> Callable[[], Battle]:
    return lambda: Battle(AmbushAndDrop(), dice=OtherShuffle(seed, deck))


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("side", ["red", "blue", ""])
def test_nobody_knows_the_order_of_the_deck(seed: int, side: Side) -> None:
    found = byte_equal(shuffled(seed, 1), shuffled(seed, seed + 2), side, seed)
    assert found.moments >= 1


def test_the_decks_are_different_and_part_the_battles_only_when_a_card_is_drawn() -> None:
    reached = 0
    for seed in range(40):
        one, other = shuffled(seed, 1)(), shuffled(seed, seed + 2)()
        for battle in (one, other):
            assert battle.answer((), BLUE) is None
        if one.table.decks[DRAW].order[0] == other.table.decks[DRAW].order[0]:
            assert one.table.decks[DRAW].order != other.table.decks[DRAW].order
            found = byte_equal(shuffled(seed, 1), shuffled(seed, seed + 2), RED, seed)
            assert "a lawful difference: DeckChanged" in found.stopped
            reached = max(reached, found.answers)
    assert reached > 3, "some battles go on for a while before a card differs"


def sealed(
    scenario: str, red: str, blue: str, seed: int, rules: type[SealedNumbers] = SealedNumbers
) -> Callable[[], Battle]:
    def made() -> Battle:
        battle = Battle(rules(), setup(scenario), seed=seed)
        assert battle.answer(red, RED) is None
        assert battle.answer(blue, BLUE) is None
        return battle

    return made


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("mine", "yours"), [("1", "2"), ("2", "3"), ("1", "3")])
def test_a_sealed_number_is_nobodys_business_until_it_is_shown(mine: str, yours: str, seed: int) -> None:
    for side in (BLUE, NO_SIDE):
        found = byte_equal(sealed("time", mine, "1", seed), sealed("time", yours, "1", seed), side, seed)
        assert found.moments > 3
        assert "Revealed" in found.stopped or found.stopped == "the battles are over"
    for side in (RED, NO_SIDE):
        byte_equal(sealed("time", "1", mine, seed), sealed("time", "1", yours, seed), side, seed)


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize(("mine", "yours"), [("B1", "B2"), ("B2", "B3"), ("B1", "B3")])
def test_the_commander_is_a_secret_for_the_whole_game_until_he_is_lost(mine: str, yours: str, seed: int) -> None:
    for side in (RED, NO_SIDE):
        one, other = (sealed("headhunter", "R1", commander, seed) for commander in (mine, yours))
        found = byte_equal(one, other, side, seed)
        assert found.moments > 3
        assert "Revealed" in found.stopped


class Blabs(SealedNumbers):
    """Cheats: how a number is sealed depends on it."""

    def base_turns(self, battle: Battle):  # type: ignore[no-untyped-def]
        if battle.table.secrets["red: turns"] == "3":
            battle.happens(DeckChanged("whispers", "added", ("three",), rule=RuleId("cheat")))
        yield from super().base_turns(battle)


def test_a_leak_is_found() -> None:
    with pytest.raises(Leak):
        byte_equal(sealed("time", "1", "1", 1, Blabs), sealed("time", "3", "1", 1, Blabs), BLUE, 1)


def test_secrets_are_shown_to_all_at_once() -> None:
    battle = sealed("headhunter", "R1", "B2", 3)()
    while not battle.ended:
        question = battle.questions[0]
        draft = question.options[0].id if hasattr(question, "options") else None
        assert battle.answer(draft, question.side) is None
    shown = [event for event in battle.journal.events() if isinstance(event, Revealed)]
    assert [event.to for event in shown] == [()] * 2
    for side in (RED, BLUE, NO_SIDE):
        assert battle.view(side).table.secrets == {"red: commander": "R1", "blue: commander": "B2"}
