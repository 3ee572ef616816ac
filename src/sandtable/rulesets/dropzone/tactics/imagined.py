"""How a battle may stand as one side knows it: the enemy's hand and the order of both decks are drawn anew."""

from collections import Counter

from msgspec.structs import replace

from sandtable.engine.dice import Dice
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, ChooseOne
from sandtable.engine.ruleset import View
from sandtable.engine.state import State, Step
from sandtable.engine.table import CARD, Table
from sandtable.rulesets.dropzone.command.cards import DECK, HANDS, designs, in_use
from sandtable.rulesets.dropzone.rounds import BATTLEGROUPS, SQUAD, ActivationEnds, NextActivation, NextSquad
from sandtable.tabletop.imagining import imagined_state, lay_deck


def imagined(view: View, question: AnyQuestion, dice: Dice) -> State | None:
    """A state in which a side is asked which Battlegroup, or which squad, acts."""
    table = view.table.copy()
    steps = _asking(table, question)
    if steps is None:
        return None
    if in_use(table):
        for side in table.sides:
            _deal(table, side, dice)
    return imagined_state(table, steps)


def _asking(table: Table, question: AnyQuestion) -> list[Step] | None:
    """The agenda whose next step asks a question."""
    if not isinstance(question, ChooseOne):
        return None
    side = question.side
    other = next(one for one in table.sides if one != side)
    if question.topic == BATTLEGROUPS:
        return [NextActivation(side)]
    if question.topic == SQUAD:
        group = question.about[0]
        return [NextActivation(other), ActivationEnds(group), NextSquad(group)]
    return None


def _deal(table: Table, side: Side, dice: Dice) -> None:
    """Deal the cards of a side that nobody has shown: first those in hand that the view does not know."""
    deck = HANDS.deck(side)
    drawn = [one for one in table.of_kind(CARD) if one.unit == deck]
    unseen = Counter({name: DECK.number("copies_each") for name in designs()})
    unseen -= Counter(one.card for one in drawn if one.card)
    order = list(dice.shuffled(sorted(unseen.elements())))
    for one in drawn:
        if not one.card:
            name = order.pop(0)
            table.things[one.id] = replace(one, card=name, label=designs()[name].name)
    lay_deck(table, deck, order)
