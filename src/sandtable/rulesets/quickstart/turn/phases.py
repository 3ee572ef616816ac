"""The turn: draw deck, phases, action points, and the activation of one model after another."""

from collections.abc import Container, Sequence
from functools import cache, partial

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Forfeited, PhaseBegan, Spent, StepBegan
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import ChooseOne, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.cav.turn import side_to_act as next_side
from sandtable.rulesets.quickstart.concepts import TURN_STRUCTURE
from sandtable.rulesets.quickstart.damage import most_action_points
from sandtable.rulesets.quickstart.datacard import catalogue
from sandtable.rulesets.quickstart.movement.moves import GO_PRONE, MOVE, STAND_UP
from sandtable.rulesets.quickstart.sight import TORSO_TWIST
from sandtable.rulesets.quickstart.state_names import ActionName, CountName, StateName, Until
from sandtable.rulesets.quickstart.states import PASSING, STUNNED
from sandtable.tabletop.states import give, take
from sandtable.tabletop.turns import DrawDeck

DECK = rule("quickstart.turn.draw-deck")
DECK_REMOVAL = rule("quickstart.turn.draw-deck-removal")
BONUS_CARDS = rule("quickstart.turn.bonus-cards")
UNTIL_WIN = rule("quickstart.turn.turns-until-win")
ONE_TURN = rule("quickstart.turn.one-turn-effects")
SEQUENCE = rule("quickstart.turn.sequence")
START_PHASE = rule("quickstart.turn.start-phase")
ACTIVATION_PHASE = rule("quickstart.turn.activation-phase")
SURPLUS = rule("quickstart.turn.surplus-cards")
END_PHASE = rule("quickstart.turn.end-phase")
ACTION_POINTS = rule("quickstart.turn.action-points")
SPENDING = rule("quickstart.turn.spending-action-points")
RESET = rule("quickstart.turn.action-point-reset")
FREE_ACTIONS = rule("quickstart.turn.free-actions")
REPEATABLE = rule("quickstart.turn.repeatable-actions")
NON_REPEATABLE = rule("quickstart.turn.non-repeatable-actions")
DECLARE = rule("quickstart.turn.declare-actions")
LOST_TARGET = rule("quickstart.turn.lost-when-target-destroyed")
FINAL = rule("quickstart.turn.no-changing-declarations")
NO_PREMEASURING = rule("quickstart.turn.no-premeasuring")
AS_MUCH_AS_POSSIBLE = rule("quickstart.turn.do-as-much-as-possible")
MARKER = rule("quickstart.turn.activation-marker")
ACTIONS = rule("quickstart.turn.action-list")
SPECIAL = rule("quickstart.turn.special-action")

START, ACTIVATION, END = SEQUENCE.texts("phases")


class StartPhase(Step, frozen=True):
    """Shuffle, reset, and begin to draw."""


class DrawCard(Step, frozen=True):
    """Turn over the top card: whose model acts next."""


class EndActivation(Step, frozen=True):
    """One model has finished its actions."""

    model: str


def _cards(table: Table, side: Side, *, lost: bool) -> int:
    """The cards of a side's models, or of those it has lost (quickstart.turn.draw-deck)."""
    models = [model for model in table.of_kind("model") if model.side == side and (model.gone or not lost)]
    return DECK.number("cards_per_model") * len(models)


#: One card for each model of each side; a lost model's card goes (quickstart.turn.draw-deck-removal).
DRAW_DECK = DrawDeck(DECK, DECK_REMOVAL, partial(_cards, lost=False), partial(_cards, lost=True))


def start_phase(battle: Battle) -> Procedure[None]:
    """Shuffle the deck, give everybody its action points back, and draw (quickstart.turn.start-phase)."""
    yield from ()
    detail = citing(SEQUENCE, TURN_STRUCTURE, UNTIL_WIN)
    battle.happens(PhaseBegan(battle.table.turn + 1, START, rule=START_PHASE.id, detail=detail))
    DRAW_DECK.restore(battle)
    DRAW_DECK.shuffle(battle)
    for model in battle.table.models():
        reset(battle, model)
    battle.happens(PhaseBegan(battle.table.turn, ACTIVATION, rule=ACTIVATION_PHASE.id))
    battle.push(DrawCard())


def reset(battle: Battle, model: Thing) -> None:
    """A new turn for one model.

    quickstart.turn.action-point-reset    all action points back
    quickstart.sight.torso-twist          one twist a turn
    quickstart.close-combat.failed-break-penalty, quickstart.shooting.defensive-fire-ends-combat    for one turn only
    """
    refill(battle, model)
    for state in (StateName.ACTIVATED, StateName.FAILED_BREAK, StateName.DEFENDED, StateName.FIRED_FROM_OVER_WATCH):
        take(battle, model.id, state, RESET)


def refill(battle: Battle, model: Thing, keep: Container[str] = ()) -> None:
    """Give a model what it has afresh each turn, but for what a case has counted for it."""
    for what, after, why, more in (
        (CountName.AP, most_action_points(model), RESET, ACTION_POINTS),
        (CountName.TORSO_TWIST, TORSO_TWIST.number("per_turn"), TORSO_TWIST, FREE_ACTIONS),
    ):
        before = model.count(what)
        if before != after and what not in keep:
            battle.happens(Counted(model.id, what, before, after, rule=why.id, detail=citing(more)))


def sides_in_play(table: Table) -> tuple[str, ...]:
    """The sides that have a model in play."""
    found: tuple[str, ...] | None = table.posture.get("sides in play")
    if found is None:
        found = table.posture["sides in play"] = tuple(side for side in table.sides if table.models(side))
    return found


def ready(table: Table, side: Side) -> list[Thing]:
    """The models of a side that have not been activated this turn."""
    return [model for model in table.models(side) if StateName.ACTIVATED not in model.states]


def side_to_act(battle: Battle) -> Procedure[Side | None]:
    """Draw until a card comes up for a side with a model left to activate; none when all have been.

    quickstart.turn.activation-phase    no more cards are drawn when every model has been activated
    quickstart.turn.surplus-cards       a card for a side with none left is ignored
    """
    yield from ()
    table = battle.table
    return next_side(battle, DRAW_DECK, lambda side: bool(ready(table, side)), SURPLUS)


def choose_model(battle: Battle, side: Side) -> Procedure[ThingId]:
    """The side whose card came up picks one of its models that has not acted (quickstart.turn.activation-phase)."""
    models = ready(battle.table, side)
    if len(models) == 1:
        return models[0].id
    chosen: ThingId = yield ChooseOne(
        side,
        "Which model acts?",
        topic="activate",
        rules=(ACTIVATION_PHASE.id,),
        about=tuple(model.id for model in models),
        options=tuple(Option(model.id, model.label, (model.id,)) for model in models),
    )
    return chosen


def not_to_activate(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """Why a model is none of those that may be activated now.

    quickstart.turn.activation-phase    a card of another side lies there, another acts, or it has been activated
    quickstart.turn.draw-deck           the top card names the side
    """
    model = view.table.things.get(answer)
    if model is None or model.kind != "model":
        return None
    if model.side != question.side:
        sentence = f"The card that was turned over is not {model.side}'s."
        return Refusal(ACTIVATION_PHASE.id, sentence, (DECK.id, START_PHASE.id))
    if model.has(StateName.ACTIVATED):
        return Refusal(ACTIVATION_PHASE.id, f"{model.label} has been activated this turn.")
    return Refusal(
        ACTIVATION_PHASE.id, f"Another model acts now; {model.label} waits for a card of its side.", (DECK.id,)
    )


def begin_activation(battle: Battle, model: str) -> None:
    """A model's activation begins: older effects of one turn end, a stunned model has no action points.

    quickstart.turn.one-turn-effects            a target-lock lasts until now
    quickstart.states.stunned                   no action points in its next activation
    """
    battle.happens(StepBegan("activation", battle.table[model].side, (model,), rule=ACTIVATION_PHASE.id))
    give(battle, model, StateName.ACTIVATED, MARKER, until=Until.END_OF_TURN)
    expired = rule("quickstart.shooting.target-lock-duration")
    take(battle, model, StateName.TARGET_LOCK, expired, detail=citing(ONE_TURN))
    PASSING.begin(battle, model)
    thing = battle.table[model]
    left = thing.count(CountName.AP)
    if thing.has(StateName.STUNNED) and left:
        battle.happens(Spent(model, CountName.AP, left, STUNNED.number("next_activation_ap"), rule=STUNNED.id))


def end_activation(battle: Battle, model: str) -> None:
    """A model's activation ends: unspent action points are lost, passing states run out.

    quickstart.turn.spending-action-points    unless it stays in over-watch
    """
    thing = battle.table[model]
    if thing.gone:
        return
    left = thing.count(CountName.AP)
    if left and not thing.has(StateName.OVER_WATCH):
        battle.happens(Spent(model, CountName.AP, left, 0, rule=SPENDING.id))
    PASSING.end(battle, model)


@cache
def action_cost(action: str) -> int:
    """The action points an action of the list costs (quickstart.turn.action-list)."""
    table: dict[str, str] = {ActionName.RUN_N_GUN: "run_n_gun", ActionName.OVER_WATCH: "over_watch"}
    if action in table:
        return ACTIONS.number("combined", table[action])
    return ACTIONS.number("actions", LISTED_AS[action], "ap")


@cache
def is_repeatable(action: str) -> bool:
    """Whether an action may be used more than once in an activation."""
    if action in (ActionName.RUN_N_GUN, ActionName.OVER_WATCH):
        return False
    return ACTIONS.text_at("actions", LISTED_AS[action], "type") == "repeatable"


#: What players say, and the entry of the action list it is.
LISTED_AS: dict[str, str] = {
    ActionName.MOVE: "move",
    ActionName.GO_PRONE: "move",
    ActionName.STAND_UP: "move",
    ActionName.SHOOT: "combat",
    ActionName.CLOSE_COMBAT: "combat",
    ActionName.TARGET_LOCK: "target_lock",
    ActionName.REPAIR: "repair",
    ActionName.BREAK: "break",
    ActionName.FACING_CHANGE: "facing_change",
    ActionName.TORSO_TWIST: "torso_twist",
}
for _card in catalogue():
    same_number(
        f"the action points of the {_card.name}", _card.stats.action_points, ACTION_POINTS.number("action_points")
    )
for _use, _rule in (("advance", MOVE), ("go_prone", GO_PRONE), ("stand_up", STAND_UP)):
    _points = ACTIONS.number("uses_of_move", _use)
    same_number(f"what to {_use} costs", _points, ACTIONS.number("actions", "move", "ap"), _rule.number("ap"))
for _use in ACTIONS.names("uses_of_combat"):
    same_number(
        f"what a {_use} costs", ACTIONS.number("uses_of_combat", _use), ACTIONS.number("actions", "combat", "ap")
    )
same_number(
    "a move and a ranged assault",
    ACTIONS.number("combined", "move_and_combat"),
    ACTIONS.number("actions", "move", "ap") + ACTIONS.number("actions", "combat", "ap"),
)


def spend(battle: Battle, model: str, action: str, points: int | None = None) -> bool:
    """Pay for an action; one that can no longer be paid for is forfeit, and that is told.

    quickstart.turn.spending-action-points           a spent point is gone for the turn
    quickstart.damage.critical-damage-permanent      a breeder damaged in between takes the last action
    """
    left = battle.table[model].count(CountName.AP)
    cost = action_cost(action) if points is None else points
    if left < cost:
        why = rule("quickstart.damage.critical-damage-permanent")
        battle.happens(Forfeited(model, action, rule=why.id))
        return False
    if cost:
        battle.happens(Spent(model, CountName.AP, cost, left - cost, rule=SPENDING.id))
    return True


def forfeit(battle: Battle, model: str, actions: Sequence[str]) -> None:
    """Declared actions that cannot be done any more are lost (quickstart.turn.do-as-much-as-possible)."""
    for action in actions:
        battle.happens(Forfeited(model, action, rule=AS_MUCH_AS_POSSIBLE.id))
