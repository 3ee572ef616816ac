"""Initiative: the draw deck, the phases of a turn, and which squad activates."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, PhaseBegan
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.cav.turn import side_to_act
from sandtable.rulesets.strikeops.actions.listing import TWO_POINTS, action_points
from sandtable.rulesets.strikeops.damage import in_play
from sandtable.rulesets.strikeops.shooting.reactions import refill_overwatch
from sandtable.rulesets.strikeops.state_names import CountName, StateName
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import take
from sandtable.tabletop.turns import DrawDeck

DECK = rule("strikeops.initiative.draw-deck")
COLOURS = rule("strikeops.initiative.sides-by-colour")
COMPOSITION = rule("strikeops.initiative.deck-composition")
SHUFFLE = rule("strikeops.initiative.shuffle-and-flip")
REMOVAL = rule("strikeops.initiative.removing-cards")
SEQUENCE = rule("strikeops.initiative.sequence-of-play")
START_PHASE = rule("strikeops.initiative.start-phase")
ACTIVATION_PHASE = rule("strikeops.initiative.activation-phase")
ONE_A_TURN = rule("strikeops.initiative.one-activation-a-turn")
END_PHASE = rule("strikeops.initiative.end-phase")
TURNS = rule("strikeops.concepts.turns-and-phases")

START, ACTIVATION, END = SEQUENCE.texts("phases")
same_number("the phases of a turn", SEQUENCE.texts("phases"), TURNS.texts("phases"))
#: The option of a case that says in which turn no cards are drawn, for it is given who acts.
ORDER_GIVEN = "order given"


class StartPhase(Step, frozen=True):
    """Refill, shuffle, and begin to draw."""


class DrawCard(Step, frozen=True):
    """Turn over the top card: whose squad activates next."""


class ActivateSquad(Step, frozen=True):
    """A squad activates."""

    squad: str


class EndPhase(Step, frozen=True):
    """See whether the battle is over; if not, go on."""


def squads(table: Table, side: str) -> list[Thing]:
    """The squads of a side."""
    return [one for one in table.of_kind("unit") if one.side == side]


def fights(table: Table, squad: Thing, *, fresh: bool = False) -> bool:
    """Whether a squad has a model in play, or one that has not acted this turn."""
    models = [one for one in table.of_kind("model") if one.unit == squad.id and in_play(one)]
    return any(not fresh or not one.has(StateName.ACTIVATED) for one in models)


def _cards(table: Table, side: str) -> int:
    """One card for each side and two for each of its squads (strikeops.initiative.deck-composition)."""
    return COMPOSITION.number("cards_per_side") + COMPOSITION.number("cards_per_squad") * len(squads(table, side))


def _lost(table: Table, side: str) -> int:
    """One card for each squad without a model left (strikeops.initiative.removing-cards)."""
    lost = [one for one in squads(table, side) if not _waits(table, one) and not fights(table, one)]
    return REMOVAL.number("cards_removed_per_squad") * len(lost)


def _waits(table: Table, squad: Thing) -> bool:
    return any(one.unit == squad.id and not one.gone and not one.on_table for one in table.of_kind("model"))


DRAW_DECK = DrawDeck(COMPOSITION, REMOVAL, _cards, _lost)


def ready(table: Table, side: str) -> list[Thing]:
    """The squads of a side that have not activated this turn and have a model left that has not.

    strikeops.command.seize-the-initiative    a squad all of whose models have acted with others has activated
    """
    return [one for one in squads(table, side) if not one.has(StateName.ACTIVATED) and fights(table, one, fresh=True)]


def start_phase(battle: Battle) -> Procedure[None]:
    """Refill action points, shuffle the deck and draw (strikeops.initiative.start-phase)."""
    yield from ()
    detail = citing(SEQUENCE, TURNS, COLOURS)
    battle.happens(PhaseBegan(battle.table.turn + 1, START, rule=START_PHASE.id, detail=detail))
    for model in battle.table.models():
        refill(battle, model)
        refill_overwatch(battle, model)
    for thing in [*battle.table.of_kind("unit"), *battle.table.of_kind("model")]:
        take(battle, thing.id, StateName.ACTIVATED, START_PHASE)
    DRAW_DECK.restore(battle)
    DRAW_DECK.shuffle(battle)
    battle.happens(PhaseBegan(battle.table.turn, ACTIVATION, rule=ACTIVATION_PHASE.id, detail=citing(SHUFFLE, DECK)))
    battle.push(DrawCard())


def refill(battle: Battle, model: Thing) -> None:
    """All action points back, for a reaction before the activation is paid from them too."""
    before, after = model.count(CountName.AP), action_points(model) if in_play(model) else 0
    if before != after:
        battle.happens(Counted(model.id, CountName.AP, before, after, rule=TWO_POINTS.id))


def draw_card(battle: Battle) -> Procedure[None]:
    """Draw until a side has a squad left; when all have activated, the End Phase follows.

    strikeops.initiative.draw-deck               the side chooses one of its squads
    strikeops.initiative.one-activation-a-turn   its cards are passed over once it has none left
    """
    table = battle.table
    side = side_to_act(battle, DRAW_DECK, lambda one: bool(ready(table, one)), ONE_A_TURN)
    if side is None or sum(any(fights(table, one) for one in squads(table, side)) for side in table.sides) < 2:
        battle.push(EndPhase())
        return
    able = ready(table, side)
    chosen = able[0].id
    if len(able) > 1:
        options = tuple(Option(one.id, one.label, (one.id,)) for one in able)
        about = tuple(one.id for one in able)
        chosen = yield ChooseOne(
            side, "Which squad activates?", topic="activate", rules=(DECK.id,), about=about, options=options
        )
    battle.push(ActivateSquad(chosen))


CHAPTER = Chapter(
    steps={StartPhase: lambda battle, step: start_phase(battle), DrawCard: lambda battle, step: draw_card(battle)},
    answers={"activate": "which squad activates"},
    states={StateName.ACTIVATED: "of a squad: it has activated this turn"},
)
