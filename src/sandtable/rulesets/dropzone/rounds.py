"""The round: initiative, Battlegroups by turns, squads one after another, and the Round Up Phase."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import PhaseBegan, StepBegan
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import RuleId, Side
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Confirm, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import Off
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.dropzone.basics import PLACE
from sandtable.rulesets.dropzone.command.commanders import command_value
from sandtable.rulesets.dropzone.moments import INITIATIVE_ROLLED
from sandtable.rulesets.dropzone.movement.arriving import DEPLOYMENT, refused_arrival
from sandtable.rulesets.dropzone.scenery import burning
from sandtable.rulesets.dropzone.shooting.aiming import ABOARD
from sandtable.rulesets.dropzone.shooting.firing import SHOOTING
from sandtable.rulesets.dropzone.transports import ONE_BATTLEGROUP, carrier, carriers_of, empty, outermost
from sandtable.rulesets.dropzone.units import (
    ACTED,
    ACTIVATED,
    AUXILIARY,
    END_OF_ROUND,
    FAST,
    HELD,
    NAMED,
    READINESS,
    RESERVE,
    battlegroup,
    is_fast,
    squad_called,
    squads,
)
from sandtable.tabletop.actions import ACTION, RESTRAINS, Action, Budget, all_of
from sandtable.tabletop.activations import ACTIVATE, choose_action, unused
from sandtable.tabletop.book import book_of, steps_at
from sandtable.tabletop.chapters import Chapter, Moment
from sandtable.tabletop.checks import Check, throw
from sandtable.tabletop.choosing import unless_alone
from sandtable.tabletop.opening import by_default
from sandtable.tabletop.states import expire_all, give
from sandtable.tabletop.turns import next_side
from sandtable.telling.vocabulary import listed

PHASES = rule("dropzone.round.phases")
INITIATIVE = rule("dropzone.round.initiative")
GIVEN_AWAY = rule("dropzone.round.giving-away-the-initiative")
RESERVES = rule("dropzone.round.reserves-step")
ALTERNATING = rule("dropzone.round.alternating-activation")
ACTIVATION = rule("dropzone.round.battlegroup-activation")
UNABLE = rule("dropzone.round.battlegroups-unable-to-act")
ROUND_UP = rule("dropzone.round.round-up-phase")
TWO_ACTIONS = rule("dropzone.actions.two-actions")
WHOLE = rule("dropzone.actions.actions-are-whole")
NO_OBLIGATION = rule("dropzone.actions.no-obligation")
AUXILIARIES = rule("dropzone.forces.auxiliary-squads")

DONE, WAIT = "done", "wait"
#: The action that some squads must take.
MOVING = "moving"
BATTLEGROUPS, AUXILIARY_TOPIC, SQUAD, GIVE_AWAY = "battlegroup", "auxiliary", "squad", "give-away"
#: A state of a side: it leaves what is In Readiness waiting this round. A state of a squad: it may wait as well.
WAITING, MAY_WAIT = "waiting", "may wait"

#: A round begins, initiative is settled; a Battlegroup has been activated; its activation is over; the round is over.
ROUND_BEGINS: Moment[[Battle], Sequence[Step]] = Moment("a round begins")
ACTIVATION_ENDS: Moment[[Battle, str], Sequence[Step]] = Moment("an activation is over")
AFTER_ACTION: Moment[[Battle, Thing], Sequence[Step]] = Moment("a squad has done an action")
ROUND_ENDS: Moment[[Battle], Sequence[Step]] = Moment("the Round Up Phase")


class RoundBegins(Step, frozen=True):
    """A round begins."""


class NextActivation(Step, frozen=True):
    """A side activates one of its Battlegroups, if it can."""

    side: Side


class Activate(Step, frozen=True):
    """A Battlegroup is activated."""

    battlegroup: str


class NextSquad(Step, frozen=True):
    """The next squad of an activated Battlegroup acts."""

    battlegroup: str


class SquadActs(Step, frozen=True):
    """What is left of a squad's actions."""

    squad: str
    left: int = TWO_ACTIONS.number("max_actions")
    tried: tuple[str, ...] = ()


class ActionDone(Step, frozen=True):
    """A squad has done an action, and all that came of it."""

    squad: str


class ActivationEnds(Step, frozen=True):
    """An activation is over."""

    battlegroup: str


class RoundUp(Step, frozen=True):
    """The Round Up Phase, after everything has burnt."""


# Initiation --------------------------------------------------------------------------------------------------------


def initiative(table: Table, side: Side) -> Check:
    """The initiative roll of a side."""
    value = command_value(table, side)
    parts = (ExplainedPart("Command Value", value, INITIATIVE.id),) if value else ()
    return Check(what="initiative", by=side, dice=INITIATIVE.text_at("die")[1:], rule=INITIATIVE, modifiers=parts)


def round_begins(battle: Battle, step: RoundBegins) -> Procedure[None]:
    """Roll for initiative; the winner may hand it on."""
    battle.happens(PhaseBegan(battle.table.turn + 1, PHASES.texts("phases")[0], rule=PHASES.id))
    first = yield from roll_for_initiative(battle)
    second = next(side for side in battle.table.sides if side != first)
    gives = yield Confirm(
        first,
        "You have the initiative. Let the other side go first?",
        topic=GIVE_AWAY,
        rules=(GIVEN_AWAY.id,),
        yes="They go first",
        no="We go first",
    )
    order = (second, first) if gives else (first, second)
    for number, side in enumerate(order, 1):
        give(battle, side, PLACE, GIVEN_AWAY if gives else INITIATIVE, number, until=END_OF_ROUND)
    battle.push(*steps_at(battle, ROUND_BEGINS, battle), Activations(order[0]))


class Activations(Step, frozen=True):
    """The Battlegroup Activation Phase begins."""

    side: Side


def activations(battle: Battle, step: Activations) -> Procedure[None]:
    """Tell the phase."""
    yield from ()
    battle.happens(PhaseBegan(battle.table.turn, "battlegroup activation", rule=PHASES.id))
    battle.push(NextActivation(step.side))


def roll_for_initiative(battle: Battle) -> Procedure[Side]:
    """Every side rolls; a lone natural 6 wins, then the highest total; ties roll again."""
    yield from ()
    while True:
        checks = {side: initiative(battle.table, side) for side in battle.table.sides}
        thrown = {side: throw(battle, check) for side, check in checks.items()}
        for changes in book_of(battle).at(INITIATIVE_ROLLED):
            thrown = yield from changes(battle, thrown)
        sixes = [side for side, one in thrown.items() if one.natural == checks[side].sides]
        if len(sixes) == 1 and INITIATIVE.flag("lone_natural_six_wins"):
            return sixes[0]
        best = [side for side, one in thrown.items() if one.score == max(two.score for two in thrown.values())]
        if len(best) == 1:
            return best[0]


# Activations -------------------------------------------------------------------------------------------------------


def waits(table: Table, squad: str) -> str:
    """Where a squad waits off the table, or its Transport does: in readiness, in reserve; empty where it is in play."""
    for one in table.members(squad):
        place = outermost(table, one).place
        if isinstance(place, Off) and place.why in (READINESS, RESERVE):
            return place.why
    return ""


def squads_of(table: Table, group: str) -> list[Thing]:
    """The squads of a Battlegroup that have units left."""
    return [one for one in squads(table) if battlegroup(one) == group]


def battlegroups(table: Table, side: Side) -> list[Thing]:
    """The Battlegroups of a side that can still be activated this round."""
    return [
        one
        for one in table.of_kind("battlegroup")
        if one.side == side
        and not one.has(ACTIVATED)
        and any(can_act(table, two) for two in with_transports(table, one))
    ]


def with_transports(table: Table, group: Thing) -> list[Thing]:
    """The squads of a Battlegroup, and the Auxiliary ones that carry them."""
    own = squads_of(table, group.id)
    return [*own, *carriers_of(table, group.id)] if own else []


def can_act(table: Table, squad: Thing) -> bool:
    """Whether a squad is not waiting in reserve, nor held for a drop."""
    return waits(table, squad.id) != RESERVE and not any(one.has(HELD) for one in table.members(squad.id))


def only_ready(table: Table, side: Side) -> bool:
    """Whether all that a side could activate is still In Readiness, so that it may be left waiting."""
    return all(in_readiness(table, group) for group in battlegroups(table, side))


def in_readiness(table: Table, group: Thing) -> bool:
    """Whether a Battlegroup is wholly In Readiness: its squads, or what carries them."""
    outermost = [one for one in with_transports(table, group) if _outermost(table, one)]
    return all(waits(table, one.id) == READINESS for one in outermost)


def _outermost(table: Table, squad: Thing) -> bool:
    return all(carrier(table, one) is None for one in table.members(squad.id))


def next_activation(battle: Battle, step: NextActivation) -> Procedure[None]:
    """Let a side, or the next that can, choose the Battlegroup that it activates; after the last the round is over."""
    table = battle.table
    side = next_side(table.sides, step.side, lambda one: bool(battlegroups(table, one)) and not _waiting(table, one))
    if side is None:
        battle.happens(PhaseBegan(table.turn, "round up", rule=ROUND_UP.id))
        battle.push(*burning(table), RoundUp())
        return
    able = battlegroups(table, side)
    options = [Option(one.id, one.label, (one.id,), (ALTERNATING.id,)) for one in able]
    if only_ready(table, side):
        options.append(Option(WAIT, "Leave them waiting this round", (), (ALTERNATING.id, DEPLOYMENT.id)))
    rules = (ALTERNATING.id, UNABLE.id)
    question = ChooseOne(side, "Activate which Battlegroup?", topic=BATTLEGROUPS, options=tuple(options), rules=rules)
    chosen = yield from unless_alone(question)
    other = table.sides[(table.sides.index(side) + 1) % len(table.sides)]
    if chosen == WAIT:
        give(battle, side, WAITING, ALTERNATING, until=END_OF_ROUND)
        battle.push(NextActivation(other))
    else:
        battle.push(Activate(chosen), NextActivation(other))


def _waiting(table: Table, side: Side) -> bool:
    return side in table.things and table[side].has(WAITING)


def activate(battle: Battle, step: Activate) -> Procedure[None]:
    """Name the Auxiliary squads that act with a Battlegroup: those that carry it must."""
    table = battle.table
    group = table[step.battlegroup]
    battle.happens(StepBegan("activation", group.side, (group.id,), rule=ACTIVATION.id))
    give(battle, group.id, ACTIVATED, ALTERNATING, until=END_OF_ROUND)
    if not in_readiness(table, group):
        for one in with_transports(table, group):
            if waits(table, one.id) == READINESS:
                give(battle, one.id, MAY_WAIT, DEPLOYMENT, until=END_OF_ROUND)
    must = carriers_of(table, group.id)
    free = [
        one
        for one in squads(table, group.side)
        if one.has(AUXILIARY)
        and not one.has(NAMED)
        and not one.has(ACTED)
        and one not in must
        and empty(table, one)
        and can_act(table, one)
    ]
    chosen: tuple[str, ...] = ()
    if free:
        chosen = yield ChooseSeveral(
            group.side,
            f"{group.label}: which Auxiliary squads act with it?",
            deed="Let {} act too",
            topic=AUXILIARY_TOPIC,
            about=(group.id,),
            options=tuple(Option(one.id, one.label, (one.id,), (AUXILIARIES.id,)) for one in free),
            rules=(AUXILIARIES.id, ONE_BATTLEGROUP.id),
            default=(),
        )
    for one in must:
        give(battle, one.id, NAMED, ONE_BATTLEGROUP, group.id, until=END_OF_ROUND)
    for name in chosen:
        give(battle, name, NAMED, AUXILIARIES, group.id, until=END_OF_ROUND)
    battle.push(NextSquad(group.id), ActivationEnds(group.id))


def not_to_name(view: View, question: ChooseSeveral, answer: str) -> Refusal | None:
    """The rule by which a squad may not be named to act with a Battlegroup."""
    squad = squad_called(view.table, answer)
    if squad is None:
        return None
    if not squad.has(AUXILIARY):
        return Refusal(AUXILIARIES.id, f"{squad.label} is no Auxiliary squad.")
    if squad.has(NAMED) or squad.has(ACTED):
        return Refusal(AUXILIARIES.id, f"{squad.label} acts once a round: it has been named already.")
    loaded = Refusal(ONE_BATTLEGROUP.id, f"{squad.label} acts with the Battlegroup that it carries.")
    return None if empty(view.table, squad) else loaded


def not_to_activate(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """The rule by which a Battlegroup may not be activated: it has been, or nobody of it is able to act."""
    squad = squad_called(view.table, answer)
    group = view.table.things.get(battlegroup(squad) if squad is not None else answer)
    if group is None or group.kind != "battlegroup":
        return None
    if group.side != question.side:
        return Refusal(ALTERNATING.id, f"{group.label} is the other side's.")
    if group.has(ACTIVATED):
        return Refusal(ALTERNATING.id, f"{group.label} has been activated this round.", (ACTIVATION.id,))
    if not squads_of(view.table, group.id):
        return Refusal(UNABLE.id, f"{group.label} is destroyed.")
    if any(waits(view.table, one.id) == RESERVE for one in with_transports(view.table, group)):
        return Refusal(UNABLE.id, f"{group.label} is In Reserve and cannot act.", (DEPLOYMENT.id,))
    return None


def not_to_act(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """The rules by which a squad does not act now, though another does."""
    table, squad = view.table, squad_called(view.table, answer)
    if squad is None or not table.members(squad.id):
        return None
    if squad.side != question.side:
        return Refusal(ALTERNATING.id, f"{squad.label} is the other side's.")
    group, aboard = battlegroup(squad), not empty(table, squad)
    reserve, not_named = waits(table, squad.id) == RESERVE, squad.has(AUXILIARY) and not squad.has(NAMED)
    other = bool(group) and not table[group].has(ACTIVATED)
    reasons = (
        (squad.has(ACTED), ACTIVATION, "has acted this round"),
        (reserve, UNABLE, "is In Reserve"),
        (reserve, DEPLOYMENT, "is In Reserve"),
        (not_named and aboard, ONE_BATTLEGROUP, "acts with the Battlegroup that it carries"),
        (not_named, AUXILIARIES, "is not named with the Battlegroup that acts"),
        (other, ALTERNATING, "is of a Battlegroup that is not activated now"),
    )
    found = all_of(*(Refusal(source.id, f"{squad.label} {why}.") for applies, source, why in reasons if applies))
    return found or Refusal(ACTIVATION.id, f"{squad.label} does not act now: squads act one at a time.")


def acting(table: Table, group: str) -> list[Thing]:
    """The squads that may still act in an activation."""
    mine = [one for one in squads(table) if battlegroup(one) == group or one.value(NAMED) == group]
    return [one for one in mine if not one.has(ACTED) and can_act(table, one)]


def must_act(table: Table, squad: Thing) -> bool:
    """Whether a squad has to make a Moving action: a Fast one on the table, one that arrives."""
    outside = _outermost(table, squad)
    fast = any(is_fast(one) and one.on_table for one in table.members(squad.id))
    if waits(table, squad.id) == READINESS:
        return outside and not squad.has(MAY_WAIT) and refused_arrival(table, squad) is None
    return outside and fast


def next_squad(battle: Battle, step: NextSquad) -> Procedure[None]:
    """Choose the squad that acts next, or end the activation; somebody must act."""
    table = battle.table
    able = acting(table, step.battlegroup)
    if not able:
        return
    bound = [one for one in able if must_act(table, one)]
    acted = table[step.battlegroup].has(ACTED)
    side = table[step.battlegroup].side
    options = [Option(one.id, one.label, (one.id,), (ACTIVATION.id,)) for one in able]
    if bound:
        why = f"{bound[0].label} must make a Moving action."
        options.append(_no_end(why, NO_OBLIGATION.id, _bound_by(table, bound[0])))
    elif not acted and any(could_act(battle, one) for one in able):
        options.append(_no_end("At least one unit must do something.", ACTIVATION.id))
    else:
        options.append(Option(DONE, "End the activation", (), (ACTIVATION.id,)))
    chosen = yield ChooseOne(
        side,
        f"{table[step.battlegroup].label}: which squad acts?",
        topic=SQUAD,
        about=(step.battlegroup,),
        options=tuple(options),
        rules=(ACTIVATION.id, NO_OBLIGATION.id),
        default=by_default(table, DONE) if acted and not bound else None,
    )
    if chosen != DONE:
        battle.push(SquadActs(chosen), NextSquad(step.battlegroup))


def idle_squads(view: View, question: ChooseOne, answer: str) -> list[str]:
    """The squads that do nothing when the activation of their Battlegroup ends (…battlegroup-activation)."""
    able = [one.label for one in question.options if one.id != DONE]
    return [f"the activation of {listed(able)}"] if answer == DONE and able else []


def _no_end(why: str, rule_id: RuleId, also: tuple[RuleId, ...] = ()) -> Option:
    return Option(DONE, "End the activation", (), (rule_id,), why, also=also)


def _bound_by(table: Table, squad: Thing) -> tuple[RuleId, ...]:
    """The rule of its own by which a squad must make a Moving action: as one that arrives, or as a Fast one."""
    return (DEPLOYMENT.id,) if waits(table, squad.id) == READINESS else (FAST.id,)


def squad_acts(battle: Battle, step: SquadActs) -> Procedure[None]:
    """One action after another, as long as some are left and the squad stands."""
    table = battle.table
    squad = table[step.squad]
    if not table.members(squad.id) or not (step.left or free_action(battle, squad, step.tried)):
        return
    battle.happens(StepBegan("squad acts", squad.side, (squad.id,), rule=TWO_ACTIONS.id))
    if not squad.has(ACTED):
        give(battle, squad.id, ACTED, ACTIVATION, until=END_OF_ROUND)
    why = f"{squad.label} must make a Moving action." if MOVING not in step.tried and must_act(table, squad) else ""
    also = _bound_by(table, squad) if why else ()
    if not why and not step.tried and must_do_something(battle, squad):
        why = "At least one unit of an activated Battlegroup must do something."
    nothing = Option(DONE, "Nothing more", (squad.id,), (NO_OBLIGATION.id,), why, also=also)
    action = yield from choose_action(battle, squad, step.left, step.tried, (TWO_ACTIONS, WHOLE), nothing)
    if action is None:
        return
    group = acts_in(squad)
    if action.cost and group and not table[group].has(ACTED):
        give(battle, group, ACTED, ACTIVATION, until=END_OF_ROUND)
    battle.push(ActionDone(squad.id), SquadActs(squad.id, step.left - action.cost, (*step.tried, action.id)))
    yield from action.carry_out(battle, battle.table[squad.id], step)


def free_action(battle: Battle, squad: Thing, tried: tuple[str, ...]) -> bool:
    """Whether a squad without actions left may do something that costs none."""
    menu = book_of(battle).menu
    free = [one for one in menu.actions.values() if not one.cost]
    return any(menu.refused(battle.table, squad, Budget(0, tried), one) is None for one in free)


def could_act(battle: Battle, squad: Thing) -> bool:
    """Whether a squad that has not acted could do anything."""
    menu, whole = book_of(battle).menu, Budget(TWO_ACTIONS.number("max_actions"))
    return any(one.cost and menu.refused(battle.table, squad, whole, one) is None for one in menu.actions.values())


def acts_in(squad: Thing) -> str:
    """The Battlegroup in whose activation a squad acts."""
    return battlegroup(squad) or str(squad.value(NAMED) or "")


def must_do_something(battle: Battle, squad: Thing) -> bool:
    """Whether a squad is the last of an activation that could act, and nobody has."""
    group = acts_in(squad)
    if not group or battle.table[group].has(ACTED) or not could_act(battle, squad):
        return False
    return not any(could_act(battle, one) for one in acting(battle.table, group) if one.id != squad.id)


def restrained(table: Table, squad: Thing, action: Action) -> Refusal | None:
    """Why a squad may do nothing but move: it has yet to come onto the table, or is aboard a Transport."""
    if action.id == MOVING:
        return None
    if waits(table, squad.id):
        return Refusal(DEPLOYMENT.id, f"{squad.label} is not on the table yet: it must move onto it.")
    if action.id != SHOOTING and any(carrier(table, one) is not None for one in table.members(squad.id)):
        return Refusal(ABOARD.id, f"{squad.label} is aboard a Transport.")
    return None


def action_done(battle: Battle, step: ActionDone) -> Procedure[None]:
    """What follows from an action; the battle is over when a side has nobody left."""
    yield from ()
    battle.push(*steps_at(battle, AFTER_ACTION, battle, battle.table[step.squad]))


def activation_ends(battle: Battle, step: ActivationEnds) -> Procedure[None]:
    """What happens at the end of an activation."""
    yield from ()
    battle.push(*steps_at(battle, ACTIVATION_ENDS, battle, step.battlegroup))


# Round up ----------------------------------------------------------------------------------------------------------


def round_up(battle: Battle, step: RoundUp) -> Procedure[None]:
    """Other effects of the end, then what lasts until now ends, then scoring or the next round."""
    yield from ()
    battle.push(*steps_at(battle, ROUND_ENDS, battle), NextRound())


class NextRound(Step, frozen=True):
    """What lasts until the end of the round ends; the next begins unless the battle is over."""


def next_round(battle: Battle, step: NextRound) -> Procedure[None]:
    """End what lasts until now and begin the next round."""
    yield from ()
    expire_all(battle, END_OF_ROUND, ROUND_UP)
    if battle.table.ending is None:
        battle.push(RoundBegins())


CHAPTER = Chapter(
    at=(RESTRAINS(restrained),),
    losses={ACTION: unused, SQUAD: idle_squads},
    steps={
        RoundBegins: round_begins,
        Activations: activations,
        NextActivation: next_activation,
        Activate: activate,
        NextSquad: next_squad,
        SquadActs: squad_acts,
        ActionDone: action_done,
        ActivationEnds: activation_ends,
        RoundUp: round_up,
        NextRound: next_round,
    },
    unoffered={
        AUXILIARY_TOPIC: not_to_name,
        BATTLEGROUPS: not_to_activate,
        SQUAD: not_to_act,
        ACTIVATE: not_to_act,
    },
    states={
        PLACE: "a side's place in the order of play",
        WAITING: "a side leaves what is In Readiness waiting this round",
        MAY_WAIT: "a squad In Readiness may wait, for others of its Battlegroup are on the table",
    },
    answers={
        GIVE_AWAY: "yes or no: whether the other side goes first",
        BATTLEGROUPS: "the Battlegroup that is activated, or wait",
        AUXILIARY_TOPIC: "the Auxiliary squads that act with it",
        SQUAD: "the squad that acts, or done",
        ACTION: "an action, or done",
    },
)
