"""The end of an activation: noted harm takes effect, old states end, and the squad has activated."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Spent, StepBegan
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Settle, Step
from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule, citing, rule
from sandtable.rulesets.strikeops.actions.declaring import squad_models
from sandtable.rulesets.strikeops.actions.listing import LOST_POINTS
from sandtable.rulesets.strikeops.command import SEIZE
from sandtable.rulesets.strikeops.damage import AT_THE_END, ORDER, OUTRIGHT, STATES_BEGIN, settling
from sandtable.rulesets.strikeops.datacard import COLUMN_IN_USE
from sandtable.rulesets.strikeops.indirect import CHAIN, CHAINED, forget_strike_point
from sandtable.rulesets.strikeops.initiative import ORDER_GIVEN, ActivateSquad, DrawCard, fights
from sandtable.rulesets.strikeops.movement import DOUBLE_TIME, NOT_MOVING
from sandtable.rulesets.strikeops.state_names import CountName, StateName, Until
from sandtable.rulesets.strikeops.states import PASSING, receive
from sandtable.rulesets.strikeops.victory import note_mission_kills
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give, take

OVERHEAT = rule("strikeops.attributes-weapon.overdrive-overheat")
#: A state of a model whose overheated weapons cool in its next activation.
COOLING = "cooling"


class HarmTakesEffect(Step, frozen=True):
    """All actions of a squad are done."""

    squad: str


class OldStatesEnd(Step, frozen=True):
    """What the squad's models brought into this activation ends, and what was noted in it begins."""

    squad: str


class ActivationEnds(Step, frozen=True):
    """A squad has activated."""

    squad: str


def harm_takes_effect(battle: Battle, step: HarmTakesEffect) -> Procedure[None]:
    """All actions are done: noted harm takes effect, in a fixed order (strikeops.damage.end-of-activation-order)."""
    yield from ()
    if battle.state.due:
        side = battle.table[step.squad].side
        battle.happens(StepBegan("damage", side, (step.squad,), rule=AT_THE_END.id, detail=citing(ORDER)))
    battle.push(*settling(battle), OldStatesEnd(step.squad), Settle(STATES_BEGIN), ActivationEnds(step.squad))


def old_states_end(battle: Battle, step: OldStatesEnd) -> Procedure[None]:
    """States that the squad's models brought into this activation end."""
    yield from ()
    for model in squad_models(battle.table, step.squad):
        PASSING.end(battle, model.id)
        if model.has(COOLING):
            take(battle, model.id, StateName.OVERHEATED, OVERHEAT)
            take(battle, model.id, COOLING, OVERHEAT)


def activation_ends(battle: Battle, step: ActivationEnds) -> Procedure[None]:
    """A squad has activated: unspent points are lost, and who did not move after all is Stationary.

    strikeops.actions.unspent-points-are-lost
    strikeops.movement.not-moving-is-stationary    also one that was kept from moving
    """
    yield from ()
    for model in squad_models(battle.table, step.squad):
        left = model.count(CountName.AP)
        if left and not battle.table[model.id].has(StateName.OVERWATCH):
            battle.happens(Spent(model.id, CountName.AP, left, 0, rule=LOST_POINTS.id))
        _forget(battle, model, CountName.REPAIRED, COLUMN_IN_USE)
        if not model.count(CountName.MOVED) and not model.has(StateName.STATIONARY):
            receive(battle, model.id, StateName.STATIONARY, why=NOT_MOVING)
        forget_strike_point(battle, model.id)
        _forget(battle, model, CountName.MOVED, NOT_MOVING)
        _forget(battle, model, CountName.INCHES, DOUBLE_TIME)
    for model in battle.table.models():
        take(battle, model.id, StateName.UNHARMED_BEFORE, OUTRIGHT)
    take(battle, step.squad, CHAINED, CHAIN)
    _let_go(battle, step.squad)
    note_mission_kills(battle)
    named = bool(battle.state.agenda) and isinstance(battle.state.agenda[-1], ActivateSquad)  # a case says who is next
    if not named and battle.table.options.get(ORDER_GIVEN) != battle.table.turn:
        battle.push(DrawCard())


def _let_go(battle: Battle, squad: str) -> None:
    """Models that were attached have activated for the turn, and perhaps their squads with them.

    strikeops.command.seize-the-initiative    a squad with no model left to activate counts as activated
    """
    for model in [one for one in battle.table.of_kind("model") if one.value(StateName.ATTACHED) == squad]:
        take(battle, model.id, StateName.ATTACHED, SEIZE)
        give(battle, model.id, StateName.ACTIVATED, SEIZE, until=Until.END_OF_TURN)
        if not fights(battle.table, battle.table[model.unit], fresh=True):
            give(battle, model.unit, StateName.ACTIVATED, SEIZE, until=Until.END_OF_TURN)


def _forget(battle: Battle, model: Thing, what: str, why: Rule) -> None:
    before = model.count(what)
    if before:
        battle.happens(Counted(model.id, what, before, 0, rule=why.id))


CHAPTER = Chapter(
    steps={HarmTakesEffect: harm_takes_effect, OldStatesEnd: old_states_end, ActivationEnds: activation_ends},
    states={COOLING: "its overheated weapons cool in the activation that it is in"},
)
