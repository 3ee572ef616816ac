"""The Draw Deck of strikeops: open in what it holds, hidden in its order."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import NOBODY, DeckChanged
from sandtable.engine.ids import RuleId
from sandtable.engine.table import Table

COMPOSITION = RuleId("strikeops.initiative.deck-composition")
SHUFFLE = RuleId("strikeops.initiative.shuffle-and-flip")
SKIP = RuleId("strikeops.initiative.recon-skip")
DELAYED = RuleId("strikeops.initiative.delayed-squads-and-cards")
REMOVING = RuleId("strikeops.initiative.removing-cards")

DRAW, DISCARD = "draw deck", "discards"


def add_cards(battle: Battle, cards: tuple[str, ...], rule: RuleId) -> None:
    """Put cards under the deck."""
    battle.happens(DeckChanged(DRAW, "added", cards, rule=rule))


def shuffle(battle: Battle) -> None:
    """Put the discards back and shuffle everything; nobody knows the order."""
    table = battle.table
    discards = table.decks[DISCARD].order if DISCARD in table.decks else ()
    if discards:
        battle.happens(DeckChanged(DISCARD, "removed", discards, rule=SHUFFLE))
        add_cards(battle, discards, SHUFFLE)
    # Sorted, so that the order depends on the dice and on nothing that happened before.
    cards = sorted(card for card, number in table.decks[DRAW].contents.items() for _ in range(number))
    order = battle.dice.shuffled(cards)
    battle.happens(DeckChanged(DRAW, "shuffled", order, veils={"cards": NOBODY}, rule=SHUFFLE))


def draw(battle: Battle) -> str:
    """Flip the top card."""
    card = battle.table.decks[DRAW].order[0]
    battle.happens(DeckChanged(DRAW, "drawn", (card,), rule=SHUFFLE))
    return card


def discard(battle: Battle, card: str) -> None:
    """Lay a card that has had its effect aside until the deck is shuffled again."""
    battle.happens(DeckChanged(DISCARD, "added", (card,), rule=SHUFFLE))


def skip(battle: Battle, card: str) -> None:
    """Put a flipped card under the deck."""
    battle.happens(DeckChanged(DRAW, "added", (card,), rule=SKIP))


def remove_card(battle: Battle, card: str) -> None:
    """Take one card of a lost squad's side out of the game, as far as there is one."""
    for deck in (DRAW, DISCARD):
        if deck in battle.table.decks and battle.table.decks[deck].contents.get(card):
            battle.happens(DeckChanged(deck, "removed", (card,), rule=REMOVING))
            return


def cards_left(table: Table) -> int:
    """How many cards the deck still holds."""
    return sum(table.decks[DRAW].contents.values())
