"""Initiative: the draw deck, the phases of a turn, and which squad activates."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Forfeited, PhaseBegan
from sandtable.engine.ids import Side
from sandtable.engine.questions import (
    UNTIL_ALL_ANSWER,
    ChooseOne,
    ChooseSeveral,
    Option,
    React,
    Reaction,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import Off
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.forces.models import UNDEPLOYED
from sandtable.rulesets.strikeops.actions.listing import TWO_POINTS, action_points
from sandtable.rulesets.strikeops.command import SEIZE, type_of
from sandtable.rulesets.strikeops.damage import OUT_OF_ACTION, in_play
from sandtable.rulesets.strikeops.shooting.reactions import refill_overwatch
from sandtable.rulesets.strikeops.state_names import CountName, StateName, Until
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give, take
from sandtable.tabletop.turns import DrawDeck

DECK = rule("strikeops.initiative.draw-deck")
COLOURS = rule("strikeops.initiative.sides-by-colour")
EXPANDED = rule("strikeops.initiative.expanded-deck")
COMPOSITION = rule("strikeops.initiative.deck-composition")
SHUFFLE = rule("strikeops.initiative.shuffle-and-flip")
REMOVAL = rule("strikeops.initiative.removing-cards")
SEQUENCE = rule("strikeops.initiative.sequence-of-play")
START_PHASE = rule("strikeops.initiative.start-phase")
ACTIVATION_PHASE = rule("strikeops.initiative.activation-phase")
ONE_A_TURN = rule("strikeops.initiative.one-activation-a-turn")
END_PHASE = rule("strikeops.initiative.end-phase")
TURNS = rule("strikeops.concepts.turns-and-phases")
BONUS_CARDS = rule("strikeops.initiative.bonus-cards")
REMOVING_BONUS = rule("strikeops.initiative.removing-bonus-cards")
SPECIAL_COUNT = rule("strikeops.initiative.special-cards-still-count")
SKIP = rule("strikeops.initiative.recon-skip")
DELAYED = rule("strikeops.initiative.deployment-delayed")
DELAYED_CARDS = rule("strikeops.initiative.delayed-squads-and-cards")

SKIPS, ARRIVE = "skip", "arrive"
same_number("what a skip costs", SKIP.number("skips_per_recon_squad_per_turn"), 1)
START, ACTIVATION, END = SEQUENCE.texts("phases")
same_number("the phases of a turn", SEQUENCE.texts("phases"), TURNS.texts("phases"))
#: The option of a case that says in which turn no cards are drawn, for it is given who acts.
ORDER_GIVEN = "order given"


#: The option of a battle that says by which deck it is played, and the one deck of the book.
DECK_OPTION, STANDARD_DECK = "deck", "standard"


def refused_deck(name: str) -> Refusal | None:
    """Why a battle may not be played by a deck: the cards of an expanded one are not in the book."""
    if name == STANDARD_DECK:
        return None
    return Refusal(EXPANDED.id, f"The cards of the {name} Draw Deck are not in the book.")


class StartPhase(Step, frozen=True):
    """Refill, shuffle, and begin to draw."""


class DrawCard(Step, frozen=True):
    """Turn over the top card: whose squad activates next."""


class ActivateSquad(Step, frozen=True):
    """A squad activates."""

    squad: str


class EndPhase(Step, frozen=True):
    """See whether the battle is over; if not, go on."""


def squads(table: Table, side: Side) -> list[Thing]:
    """The squads of a side."""
    return [one for one in table.of_kind("unit") if one.side == side]


def fights(table: Table, squad: Thing, *, fresh: bool = False) -> bool:
    """Whether a squad has a model in play, or one that has not acted this turn."""
    models = [one for one in table.of_kind("model") if one.unit == squad.id and in_play(one)]
    return any(not fresh or not one.has(StateName.ACTIVATED) for one in models)


def _cards(table: Table, side: Side) -> int:
    """One card for each side and two for each of its squads.

    strikeops.initiative.deck-composition             a squad with a card assigned to it has that one only
    strikeops.initiative.delayed-squads-and-cards     one that is held back has none before it comes
    strikeops.initiative.bonus-cards                  plain ones are cards like any other, for the whole game
    """
    brought = [one for one in squads(table, side) if not one.has(StateName.ASSIGNED) and not is_delayed(table, one)]
    thing = table.things.get(side)
    bonus = 0 if thing is None else thing.count(CountName.BONUS_CARDS)
    return COMPOSITION.number("cards_per_side") + COMPOSITION.number("cards_per_squad") * len(brought) + bonus


def _lost(table: Table, side: Side) -> int:
    """One card for each squad without a model left (strikeops.initiative.removing-cards)."""
    own = [one for one in squads(table, side) if not one.has(StateName.ASSIGNED) and not is_delayed(table, one)]
    lost = [one for one in own if not waits(table, one) and not fights(table, one)]
    return REMOVAL.number("cards_removed_per_squad") * len(lost)


def _assigned(table: Table) -> list[str]:
    """The cards that are assigned to a squad, as long as it has a model (strikeops.initiative.removing-bonus-cards)."""
    held = [one for one in table.of_kind("unit") if one.has(StateName.ASSIGNED)]
    return [f"{one.side}{_OF}{one.id}" for one in held if fights(table, one) or waits(table, one)]


#: What stands between side and squad on an assigned card.
_OF = ": "


def waits(table: Table, squad: Thing) -> bool:
    """Whether a squad has a model that is still to come."""
    return any(one.unit == squad.id and not one.gone and not one.on_table for one in table.of_kind("model"))


def held_back(model: Thing) -> bool:
    """Whether a model stays off the board to come later (strikeops.initiative.deployment-delayed)."""
    return not model.gone and isinstance(model.place, Off) and model.place != UNDEPLOYED


def is_delayed(table: Table, squad: Thing) -> bool:
    """Whether all of a squad is held back, and it has not been announced that it comes."""
    models = [one for one in table.of_kind("model") if one.unit == squad.id]
    return not squad.has(StateName.ARRIVING) and bool(models) and all(held_back(one) for one in models)


DRAW_DECK = DrawDeck(COMPOSITION, REMOVAL, _cards, _lost, assigned=_assigned, leaving=REMOVING_BONUS)


def ready(table: Table, side: Side) -> list[Thing]:
    """The squads of a side that have not activated this turn and have a model left that has not.

    strikeops.command.seize-the-initiative    a squad all of whose models have acted with others has activated
    """
    return [one for one in squads(table, side) if not one.has(StateName.ASSIGNED) and _to_come(table, one)]


def not_to_activate(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """Why a squad, or a model with it, does not activate now.

    strikeops.initiative.draw-deck               the side whose card was flipped chooses one of its squads
    strikeops.initiative.activation-phase        one squad's activation is finished before the next card is flipped
    strikeops.initiative.one-activation-a-turn
    """
    named = view.table.things.get(answer)
    squad = view.table.things.get(named.unit or named.id) if named is not None else None
    if squad is None or squad.kind != "unit":
        return None
    words, also = squad.label, (ACTIVATION_PHASE.id, SHUFFLE.id)
    if squad.side != question.side:
        return Refusal(DECK.id, f"{words} is of {squad.side}; now a squad of {question.side} acts.", also)
    if squad.has(StateName.ACTIVATED):
        return Refusal(ONE_A_TURN.id, f"{words} has activated this turn.")
    if is_delayed(view.table, squad):
        return Refusal(DELAYED.id, f"{words} is held back, and has not been announced.")
    if not fights(view.table, squad):
        return Refusal(OUT_OF_ACTION.id, f"{words} has no model left that could activate.")
    if not fights(view.table, squad, fresh=True):
        return Refusal(SEIZE.id, f"All models of {words} have acted with other squads.", (ONE_A_TURN.id,))
    return Refusal(DECK.id, f"{words} waits for another card.", also)


def _to_come(table: Table, squad: Thing) -> bool:
    """Whether a squad is still to activate this turn; one that arrives is."""
    arrives = squad.has(StateName.ARRIVING) and waits(table, squad)
    return not squad.has(StateName.ACTIVATED) and (arrives or fights(table, squad, fresh=True))


def remains(table: Table, side: Side) -> bool:
    """Whether a side has a model in play, or one still to come."""
    return any(fights(table, one) or waits(table, one) for one in squads(table, side))


def start_phase(battle: Battle) -> Procedure[None]:
    """Refill action points, shuffle the deck and draw (strikeops.initiative.start-phase)."""
    detail = citing(SEQUENCE, TURNS, COLOURS)
    battle.happens(PhaseBegan(battle.table.turn + 1, START, rule=START_PHASE.id, detail=detail))
    for model in battle.table.models():
        refill(battle, model)
        refill_overwatch(battle, model)
    for thing in [*battle.table.of_kind("unit"), *battle.table.of_kind("model")]:
        take(battle, thing.id, StateName.ACTIVATED, START_PHASE)
        take(battle, thing.id, StateName.SKIPPED, SKIP)
        take(battle, thing.id, StateName.DEFENDED, START_PHASE)
    yield from announce(battle)
    DRAW_DECK.restore(battle)
    DRAW_DECK.shuffle(battle)
    battle.happens(PhaseBegan(battle.table.turn, ACTIVATION, rule=ACTIVATION_PHASE.id, detail=citing(SHUFFLE, DECK)))
    battle.push(DrawCard())


def announce(battle: Battle) -> Procedure[None]:
    """Sides with squads held back say at once which of them come this turn; their cards are added before the shuffle.

    strikeops.initiative.delayed-squads-and-cards    neither knows what the other says
    """
    table = battle.table
    late = {one.unit for one in table.of_kind("model") if held_back(one)}
    asked = {side: [one for one in squads(table, side) if one.id in late] for side in table.sides}
    questions = tuple(
        ChooseSeveral(
            side,
            "Which of the squads held back come in this turn?",
            deed="Bring {} in",
            topic=ARRIVE,
            rules=(DELAYED_CARDS.id, DELAYED.id),
            options=tuple(Option(one.id, one.label, (one.id,)) for one in waiting),
            default=(),
            sealed=UNTIL_ALL_ANSWER,
        )
        for side, waiting in asked.items()
        if waiting
    )
    if not questions:
        return
    answers = yield questions
    for squad in [one for said in answers for one in said]:
        give(battle, squad, StateName.ARRIVING, DELAYED_CARDS, until=Until.ARRIVES)


def refill(battle: Battle, model: Thing) -> None:
    """All action points back, for a reaction before the activation is paid from them too."""
    before, after = model.count(CountName.AP), action_points(model) if in_play(model) else 0
    if before != after:
        battle.happens(Counted(model.id, CountName.AP, before, after, rule=TWO_POINTS.id))


def draw_card(battle: Battle) -> Procedure[None]:
    """Draw until a side has a squad left; when all have activated, the End Phase follows.

    strikeops.initiative.draw-deck                   the side chooses one of its squads
    strikeops.initiative.one-activation-a-turn       its cards are passed over once it has none left
    strikeops.initiative.special-cards-still-count   but not one that is assigned to a squad still to activate
    strikeops.initiative.recon-skip                  a card that will be passed over is not offered
    """
    table = battle.table
    while True:
        if not _anybody_left(table):
            battle.push(EndPhase())
            return
        whose, _, squad = _flip(battle).partition(_OF)
        side = Side(whose)
        able = [table[squad]] if squad and _to_come(table, table[squad]) else [] if squad else ready(table, side)
        if not able:
            detail = citing(SPECIAL_COUNT) if _assigned(table) else {}
            battle.happens(Forfeited(side, "surplus card", rule=ONE_A_TURN.id, detail=detail))
        elif not (yield from _skipped(battle, side, squad)):
            break
    chosen = able[0].id
    if len(able) > 1:
        options = tuple(Option(one.id, one.label, (one.id,)) for one in able)
        about = tuple(one.id for one in able)
        chosen = yield ChooseOne(
            side, "Which squad activates?", topic="activate", rules=(DECK.id,), about=about, options=options
        )
    battle.push(ActivateSquad(chosen))


def _anybody_left(table: Table) -> bool:
    return any(_to_come(table, squad) for side in table.sides for squad in squads(table, side))


def _flip(battle: Battle) -> str:
    """Turn over the top card; if the deck runs out, what was flipped is shuffled into a new one."""
    card = DRAW_DECK.draw(battle)
    if card is None:
        DRAW_DECK.restore(battle)
        DRAW_DECK.shuffle(battle)
        card = DRAW_DECK.draw(battle)
    assert card is not None, "a side has a card as long as it has a squad"
    return card


def scouts(table: Table, side: Side) -> list[Thing]:
    """The recon squads of a side that may skip a card now: one model in play is enough, each once a turn."""
    return [
        one
        for one in squads(table, side)
        if type_of(table, one.id).id == "recon" and fights(table, one) and not one.has(StateName.SKIPPED)
    ]


def _skipped(battle: Battle, side: Side, squad: str) -> Procedure[bool]:
    """Whether a card that was flipped is skipped: its side is asked first, then the other.

    strikeops.initiative.recon-skip    it goes under the deck, and never when no other card is left
    """
    table = battle.table
    if not DRAW_DECK.left(table):
        return False
    for asked in (side, *(one for one in table.sides if one != side)):
        able = scouts(table, asked)
        if not able:
            continue
        answer: Reaction | None = yield React(
            asked,
            f"A card of {side} was flipped" + (f", for {table[squad].label}" if squad else "") + ". Skip it?",
            topic=SKIPS,
            about=tuple(one.id for one in able),
            rules=(SKIP.id,),
            moment="a card is flipped",
            facts={"own card": int(asked == side), "skips": len(able)},
            options=tuple(ReactOption(one.id, one.label, one.id, rules=(SKIP.id,)) for one in able),
        )
        if answer is not None:
            give(battle, answer.option, StateName.SKIPPED, SKIP, until=Until.END_OF_TURN)
            DRAW_DECK.put_under(battle, f"{side}{_OF}{squad}" if squad else side, SKIP)
            return True
    return False


CHAPTER = Chapter(
    unoffered={"activate": not_to_activate},
    steps={StartPhase: lambda battle, step: start_phase(battle), DrawCard: lambda battle, step: draw_card(battle)},
    answers={
        "activate": "which squad activates",
        SKIPS: "the recon squad that skips the card that was flipped, or pass",
        ARRIVE: "the squads held back that come in this turn",
    },
    states={
        StateName.ACTIVATED: "of a squad, or of a model that acted with another squad: it has activated this turn",
        StateName.ASSIGNED: "of a squad: one card of the deck is assigned to it",
        StateName.ARRIVING: "of a squad that was held back: it comes in this turn",
        StateName.SKIPPED: "of a recon squad: it has skipped a card this turn",
    },
    counts={CountName.BONUS_CARDS: "of a side: its plain bonus cards in the deck"},
)
