"""How a battle may stand as one side knows it: the deck is shuffled anew, and sealed numbers are drawn."""

from sandtable.engine.dice import Dice
from sandtable.engine.questions import AnyQuestion, ChooseOne, Plan
from sandtable.engine.ruleset import View
from sandtable.engine.state import State, Step
from sandtable.engine.table import Table
from sandtable.rulesets.strikeops.actions.declaring import DECLARATION
from sandtable.rulesets.strikeops.initiative import DRAW_DECK, ActivateSquad, DrawCard
from sandtable.rulesets.strikeops.missions import BATTLE, SECRET_TURNS, TIME, TIME_TURNS, scenario_of
from sandtable.rulesets.strikeops.state_names import StateName
from sandtable.tabletop.imagining import imagined_state, shuffle_deck


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
    shuffle_deck(table, DRAW_DECK.name, dice, top)
    _seal(table, dice)
    return imagined_state(table, steps)


def _seal(table: Table, dice: Dice) -> None:
    """Draw the number of turns that somebody else has chosen in secret, as long as it is not shown."""
    if scenario_of(table) != TIME or table[BATTLE].has(StateName.TURNS_SHOWN):
        return
    numbers = [str(one) for one in TIME_TURNS.numbers("secret_choice")]
    for side in table.sides:
        key = f"{side}: {SECRET_TURNS}"
        if table.secrets.get(key) not in numbers:
            table.secrets = {**table.secrets, key: dice.shuffled(numbers)[0]}
