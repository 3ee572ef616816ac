"""How a battle may stand as one side knows it: the deck is shuffled anew, and sealed numbers are drawn."""

from collections import Counter

from sandtable.engine.dice import Dice
from sandtable.engine.questions import AnyQuestion, ChooseOne, Plan
from sandtable.engine.ruleset import View
from sandtable.engine.state import State, Step
from sandtable.engine.table import Deck, Table
from sandtable.rulesets.strikeops.actions.declaring import DECLARATION
from sandtable.rulesets.strikeops.initiative import DRAW_DECK, ActivateSquad, DrawCard
from sandtable.rulesets.strikeops.missions import BATTLE, SECRET_TURNS, TIME, TIME_TURNS, scenario_of
from sandtable.rulesets.strikeops.state_names import StateName

#: A number that nothing in a battle has been given yet.
_FRESH = 1_000_000


def imagined(view: View, question: AnyQuestion, dice: Dice) -> State | None:
    """A state in which a side is asked which squad activates, or what its squad does."""
    table = view.table.copy()
    steps: list[Step]
    top: tuple[str, ...]
    if isinstance(question, ChooseOne) and question.topic == "activate":
        steps, top = [DrawCard()], (question.side,)  # its card is turned over once more
    elif isinstance(question, Plan) and question.topic == DECLARATION:
        steps, top = [ActivateSquad(question.about[0])], ()
    else:
        return None
    _shuffle(table, top, dice)
    _seal(table, dice)
    return State(table, agenda=steps, serial=_FRESH)


def _shuffle(table: Table, top: tuple[str, ...], dice: Dice) -> None:
    """Lay the deck as it could lie: everybody knows whose cards are in it, nobody their order."""
    left = Counter(table.decks[DRAW_DECK.name].contents)
    order = (*top, *dice.shuffled(sorted(left.elements())))
    table.decks = {**table.decks, DRAW_DECK.name: Deck(dict(sorted(Counter(order).items())), order)}


def _seal(table: Table, dice: Dice) -> None:
    """Draw the number of turns that somebody else has chosen in secret, as long as it is not shown."""
    if scenario_of(table) != TIME or table[BATTLE].has(StateName.TURNS_SHOWN):
        return
    numbers = [str(one) for one in TIME_TURNS.numbers("secret_choice")]
    for side in table.sides:
        key = f"{side}: {SECRET_TURNS}"
        if table.secrets.get(key) not in numbers:
            table.secrets = {**table.secrets, key: dice.shuffled(numbers)[0]}
