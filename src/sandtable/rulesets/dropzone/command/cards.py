"""Command Cards: the deck, the hidden hands, the step in which they are drawn, and what a Commander's death costs."""

from collections.abc import Sequence
from functools import cache

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.ids import RuleId, Side
from sandtable.engine.questions import ChooseSeveral, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import DISCARDED, LAID_OPEN, Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.ledger import rule
from sandtable.rulesets.dropzone.basics import in_order
from sandtable.rulesets.dropzone.command.commanders import VALUE, command_value, commander
from sandtable.rulesets.dropzone.damage import LOST, Destroyed
from sandtable.rulesets.dropzone.rounds import ROUND_BEGINS
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.hands import CardText, Hands

CARDS = rule("dropzone.command.command-cards")
DECK = rule("dropzone.command.generic-deck")
STEP = rule("dropzone.round.command-card-step")

#: The switch of a battle that is played with Command Cards.
SWITCH = "command-cards"
DISCARD, DISCARD_DOWN = "discard", "discard-down"
#: What a case may say of a side: the cards in its hand, and those on top of its deck.
HAND, TOP = "hand", "deck"
GLOBAL = "global"


class Design(msgspec.Struct, frozen=True):
    """A card of the deck: what it is called, when and where it may be played, and what it does."""

    id: str
    name: str
    moment: str
    area: str
    data: Data

    @property
    def everywhere(self) -> bool:
        """Whether it may be played on anything, however far from a Commander."""
        return self.area == GLOBAL


@cache
def designs() -> dict[str, Design]:
    """Every card there is, in the ledger's order."""
    found = {}
    for one in DECK.items("cards"):
        name = one.text_at("name")
        word = name.lower().replace(" ", "-")
        found[word] = Design(word, name, one.text_at("moment"), one.text_at("area"), one)
    return found


def _text(design: Design) -> CardText:
    words = f"{design.data.text_at('when')}: {design.data.text_at('effect')} ({design.area})"
    return CardText(design.name, words[0].upper() + words[1:] + ".", DECK.id)


HANDS = Hands("command deck", "Command Card", {name: _text(one) for name, one in designs().items()}, CARDS)


class ShuffleDecks(Step, frozen=True):
    """Both decks are shuffled, before anything is deployed."""


class CommandCardStep(Step, frozen=True):
    """A side discards what it likes and draws."""

    side: Side


class DiscardDown(Step, frozen=True):
    """A side whose Commander has died discards what is too much."""

    side: Side


def in_use(table: Table) -> bool:
    """Whether a battle is played with Command Cards."""
    return bool(table.options.get(SWITCH))


def hand_size(table: Table, side: Side) -> int:
    """How many cards a side draws up to: its best Command Value on the table, or one without a Commander."""
    return max(1, command_value(table, side))


def copies_unseen(table: Table, side: Side, design: Design) -> bool:
    """Whether a side may still hold a card, as far as everybody knows: not all copies have been shown."""
    out = [one for where in (LAID_OPEN, DISCARDED) for one in HANDS.cards(table, side, where) if one.card == design.id]
    return len(out) < DECK.number("copies_each")


# Before the battle -------------------------------------------------------------------------------------------------


def assemble(battle: Battle) -> None:
    """Put both decks together."""
    for side in battle.table.sides:
        HANDS.assemble(battle, side, [name for name in designs() for _ in range(DECK.number("copies_each"))])


def shuffle_decks(battle: Battle, step: ShuffleDecks) -> Procedure[None]:
    """Shuffle both decks."""
    yield from ()
    for side in battle.table.sides:
        HANDS.shuffle(battle, side)


def deal(battle: Battle, side: Side, hand: Sequence[str], top: Sequence[str]) -> None:
    """Give a side the hand that a case wants, and lay its deck."""
    HANDS.lay(battle, side, (*hand, *top))
    for _ in hand:
        HANDS.draw(battle, side, CARDS)


# The step ----------------------------------------------------------------------------------------------------------


def steps_of_cards(battle: Battle) -> Sequence[Step]:
    """After initiative, in initiative order, each side's Command Cards."""
    return [CommandCardStep(side) for side in in_order(battle.table)] if in_use(battle.table) else ()


def command_card_step(battle: Battle, step: CommandCardStep) -> Procedure[None]:
    """Discard any number, then draw up to the best Command Value; a larger hand is kept.

    dropzone.round.command-card-step            discard, draw; one card without a Commander
    dropzone.command.use-of-command-value       the best Command Value on the table counts
    """
    hand = HANDS.hand(battle.table, step.side)
    if hand:
        chosen: tuple[str, ...] = yield ChooseSeveral(
            step.side,
            "Discard which Command Cards before you draw?",
            deed="Discard {}",
            topic=DISCARD,
            options=_options(hand, STEP.id),
            rules=(STEP.id,),
            default=(),
        )
        for name in chosen:
            HANDS.put_away(battle, battle.table[name], STEP)
    while len(HANDS.hand(battle.table, step.side)) < hand_size(battle.table, step.side):
        if not HANDS.draw(battle, step.side, STEP):
            return


def _options(hand: Sequence[Thing], source: RuleId) -> tuple[Option, ...]:
    return tuple(Option(one.id, one.label, (one.id,), (source, DECK.id)) for one in hand)


# The death of a Commander ------------------------------------------------------------------------------------------


def commander_lost(battle: Battle, thing: Thing, step: Destroyed) -> Sequence[Step]:
    """A side whose Commander dies discards down at once."""
    return (DiscardDown(thing.side),) if in_use(battle.table) and thing.kind == "model" and commander(thing) else ()


def discard_down(battle: Battle, step: DiscardDown) -> Procedure[None]:
    """Discard down to the next best Command Value; the side chooses which."""
    hand = HANDS.hand(battle.table, step.side)
    over = len(hand) - hand_size(battle.table, step.side)
    if over <= 0:
        return
    chosen: tuple[str, ...] = yield ChooseSeveral(
        step.side,
        f"A Commander has died: discard {over}.",
        deed="Discard {}",
        topic=DISCARD_DOWN,
        options=_options(hand, CARDS.id),
        at_least=over,
        at_most=over,
        rules=(CARDS.id, VALUE.id),
        default=tuple(one.id for one in hand[:over]),
    )
    for name in chosen:
        HANDS.put_away(battle, battle.table[name], CARDS)


CHAPTER = Chapter(
    steps={ShuffleDecks: shuffle_decks, CommandCardStep: command_card_step, DiscardDown: discard_down},
    at=(ROUND_BEGINS(steps_of_cards), LOST(commander_lost)),
    hand_cards=HANDS.texts,
    switches={SWITCH: "each side has a deck of Command Cards and a hidden hand"},
    answers={
        DISCARD: "the Command Cards that a side discards before it draws, by their ids: `red-card-1`",
        DISCARD_DOWN: "the Command Cards that a side discards when its Commander dies",
    },
)
