"""Turn: sides take turns activating one unit, pass, finish; and the turn end phase."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Passed, PhaseBegan
from sandtable.engine.ids import Side
from sandtable.engine.questions import ChooseOne, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing, rule
from sandtable.rulesets.stargrunt.confidence.levels import FORCED, has_to_go, sights
from sandtable.rulesets.stargrunt.dice.rolls import plain_roll
from sandtable.rulesets.stargrunt.moments import OFFERS, TURN_BEGINS
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import (
    NOBODY_FIT,
    UNIT_AND_ELEMENT,
    fit,
    hidden,
    is_element,
    of_units,
    units,
    waiting,
)
from sandtable.tabletop.book import book_of, steps_at
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import unless_alone
from sandtable.tabletop.opening import by_default
from sandtable.tabletop.previews import amount_words
from sandtable.tabletop.states import END_OF_TURN, expire, give

ALTERNATING = rule("stargrunt.turn.alternating-activation")
FIRST = rule("stargrunt.turn.who-goes-first")
PASSING = rule("stargrunt.turn.passing")
FINISHING = rule("stargrunt.turn.finishing")
MARKER = rule("stargrunt.turn.activation-marker")
TURN_END = rule("stargrunt.turn.turn-end-phase")
DETACHED = rule("stargrunt.actions.detached-elements")
REACTION_FIRE = rule("stargrunt.turn.reaction-fire")
FIRE_MISSION = rule("stargrunt.turn.fire-mission-as-activation")

ACTIVATED, FINISHED = StateName.ACTIVATED, "finished"
#: Of a side: how many of its units have reacted, each of which was its next activation.
REACTED = "reacted"
#: In which box of the inbound chart the mission of a support asset is; one in the first has arrived.
INBOUND, ARRIVED = "inbound", 1
#: How many units a side has activated this turn that stay under their counters.
IN_HIDING = "activated in hiding"
PASS_ON = "pass-on"


class TurnBegins(Step, frozen=True):
    """A turn begins: what chapters do then comes first."""


class ChooseFirst(Step, frozen=True):
    """See who activates first."""


class NextActivation(Step, frozen=True):
    """It is a side's turn to activate."""

    side: Side


class TurnEnds(Step, frozen=True):
    """The turn end phase."""


def unactivated(table: Table, side: Side) -> list[Thing]:
    """The units of a side that have not been activated this turn."""
    return [unit for unit in units(table, side) if not unit.has(ACTIVATED) and not is_element(unit)]


def strength(table: Table, side: Side) -> int:
    """How many units a side has, for all its opponent can tell: every counter may be one."""
    known = sum(not (hidden(unit) or is_element(unit)) for unit in units(table, side))
    return known + len(of_units(table, side))


def left_to_activate(table: Table, side: Side) -> int:
    """How many units a side has yet to activate, for all its opponent can tell (stargrunt.turn.passing)."""
    thing = table.things.get(side)
    known = sum(not hidden(unit) for unit in unactivated(table, side))
    return known + len(of_units(table, side)) - (thing.count(IN_HIDING) if thing else 0)


def must_activate(table: Table, unit: Thing) -> bool:
    """Whether a unit may not be left unactivated (stargrunt.confidence.forced-activation)."""
    if waiting(unit) or hidden(unit) or unit.has(ACTIVATED):
        return False
    return has_to_go(table, unit)


def missions(table: Table, side: Side) -> list[Thing]:
    """The support of a side whose mission has arrived and waits to be resolved."""
    return [one for one in table.of_kind("marker") if one.side == side and one.value(INBOUND) == ARRIVED]


def finished(table: Table, side: Side) -> bool:
    """Whether a side activates nothing more this turn; a mission that has arrived must be resolved before."""
    if missions(table, side):
        return False
    thing = table.things.get(side)
    declared = thing is not None and thing.has(FINISHED)
    forced = any(must_activate(table, unit) for unit in unactivated(table, side))
    return not left_to_activate(table, side) or (declared and not forced)


def goes_on(table: Table, side: Side, chosen: str) -> bool:
    """Whether a side that has finished still has units that must go before the opponent goes on."""
    thing = table.things.get(side)
    if thing is None or not thing.has(FINISHED):
        return False
    return any(must_activate(table, unit) for unit in unactivated(table, side) if unit.id != chosen)


def turn_begins(battle: Battle, step: TurnBegins) -> Procedure[None]:
    """A turn begins with whatever chapters do then, and the choice of who goes first."""
    yield from ()
    table = battle.table
    battle.happens(PhaseBegan(table.turn + 1, "activations", rule=ALTERNATING.id, detail=citing(UNIT_AND_ELEMENT)))
    sights(battle)
    battle.push(*steps_at(battle, TURN_BEGINS, battle.table), ChooseFirst())


def choose_first(battle: Battle, step: ChooseFirst) -> Procedure[None]:
    """The side with fewer units, or the higher die, says who activates first (stargrunt.turn.who-goes-first)."""
    table = battle.table
    red, blue = table.sides
    difference = strength(table, red) - strength(table, blue)
    while difference == 0:
        die = f"d{FIRST.number('die')}"
        mine, _ = plain_roll(battle, "who goes first", red, die, FIRST)
        yours, _ = plain_roll(battle, "who goes first", blue, die, FIRST)
        difference = yours - mine
    chooser = red if difference < 0 else blue
    first = yield ChooseOne(
        chooser,
        "Who activates first?",
        topic="first",
        options=tuple(Option(side, side) for side in table.sides),
        rules=(FIRST.id,),
        default=by_default(table, chooser),
    )
    battle.push(NextActivation(first))


def choose_unit(battle: Battle, side: Side) -> Procedure[str]:
    """Ask a side what it activates, a unit or what a chapter offers; empty where it passes or finishes.

    stargrunt.turn.passing                     only with fewer unactivated units than the opponent
    stargrunt.turn.finishing                   whoever has finished activates no more
    stargrunt.confidence.forced-activation     but for units that must be
    stargrunt.turn.fire-mission-as-activation  and missions that have arrived, instead of a unit; one may wait while the
                                               side may pass
    """
    table = battle.table
    left, arrived = unactivated(table, side), missions(table, side)
    thing = table.things.get(side)
    declared = thing is not None and thing.has(FINISHED)
    forced = [unit for unit in left if must_activate(table, unit)]
    waits = arrived and not declared and not left_to_activate(table, side) and refused_pass(table, side) is None
    if not waits and (declared or len(forced) == left_to_activate(table, side)):
        return (yield from _forced(side, [*forced, *arrived]))
    options: list[Option] = [Option(unit.id, unit.label, (unit.id,), (ALTERNATING.id,)) for unit in left]
    options += [Option(one.id, f"The mission of the {one.label}", (one.id,), (FIRE_MISSION.id,)) for one in arrived]
    options += [option for offers in book_of(battle).at(OFFERS) for option in offers(table, side)]
    options.append(Option(PASS_ON, "Pass", rules=(PASSING.id,)))
    if not waits:
        options.append(Option("finish", "No more this turn", rules=(FINISHING.id,)))
    chosen: str = yield ChooseOne(
        side,
        "Activate which unit?",
        topic="activate",
        options=tuple(options),
        rules=(ALTERNATING.id, PASSING.id, FINISHING.id),
        shows=("odds",),
        default=arrived[0].id if waits else by_default(table, "finish"),
    )
    if chosen == "finish":
        give(battle, side, FINISHED, FINISHING, until=END_OF_TURN)
        return ""
    if chosen == PASS_ON:
        battle.happens(Passed(side, "activation", rule=PASSING.id))
        return ""
    return chosen


def cannot_pass(view: View, question: ChooseOne, option: Option) -> Refusal | None:
    """Why a side may not pass: what is left to activate is counted as everybody can (stargrunt.turn.passing)."""
    return refused_pass(view.table, question.side) if option.id == PASS_ON else None


def refused_pass(table: Table, side: Side) -> Refusal | None:
    """Why a side may not pass, if it may not."""
    other = next(one for one in table.sides if one != side)
    if left_to_activate(table, side) < left_to_activate(table, other) and not finished(table, other):
        return None
    return Refusal(PASSING.id, "Only a side with fewer units left to activate may pass.")


def not_to_activate(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """Why a unit is none of those that a side may activate now.

    stargrunt.turn.alternating-activation            it is another side's, or another unit is being activated
    stargrunt.turn.activation-marker                 it has been activated
    stargrunt.actions.detached-elements              its leader activates it
    stargrunt.units.unit-without-fit-figures         nobody of it is left standing
    """
    unit = view.table.things.get(answer)
    if unit is None or unit.kind != "unit":
        return None
    if unit.side != question.side:
        return Refusal(ALTERNATING.id, f"{unit.label} is not yours: it is your turn to activate one of your units.")
    if is_element(unit):
        return Refusal(DETACHED.id, f"{unit.label} acts only when the leader of its unit activates it.")
    if not fit(view.table, unit.id):
        return Refusal(NOBODY_FIT.id, f"{unit.label} has nobody left standing.")
    if unit.has(ACTIVATED):
        return Refusal(MARKER.id, f"{unit.label} has been activated this turn.", (ALTERNATING.id,))
    busy = next((one for name in question.about if (one := view.table.things.get(name)) is not None), None)
    if busy is not None and busy.id != unit.id:
        return Refusal(ALTERNATING.id, f"{busy.label} is being activated: {unit.label} waits for its turn.")
    return None


def _forced(side: Side, forced: list[Thing]) -> Procedure[str]:
    why = {True: FORCED.id, False: FIRE_MISSION.id}
    question = ChooseOne(
        side,
        "Which must go now?",
        topic="activate",
        options=tuple(Option(one.id, one.label, (one.id,), (why[one.kind == "unit"],)) for one in forced),
        rules=(FORCED.id, FIRE_MISSION.id),
        shows=("odds",),
    )
    return (yield from unless_alone(question))


def clear_turn(battle: Battle) -> None:
    """What lasts until the end of the turn ends (stargrunt.turn.turn-end-phase)."""
    for thing in [*battle.table.things.values()]:
        expire(battle, thing, END_OF_TURN, TURN_END, (thing.side,) if hidden(thing) else ())
        if thing.count(IN_HIDING):
            battle.happens(Counted(thing.id, IN_HIDING, thing.count(IN_HIDING), 0, rule=TURN_END.id))


def owes_activations(battle: Battle, side: Side, more: int, because: int = 0) -> None:
    """A side has reacted, which was its next activation, or that activation is over."""
    before = battle.table[side].value(REACTED) if side in battle.table.things else None
    assert before is None or isinstance(before, int)
    after = (before or 0) + more or None
    until = END_OF_TURN if after else ""
    give(battle, side, REACTED, REACTION_FIRE, after, until=until, because=because)


def left_idle(view: View, question: ChooseOne, answer: str) -> list[str]:
    """The activations that a side gives up when it has finished (stargrunt.turn.finishing)."""
    left = len(unactivated(view.table, question.side))
    return [amount_words(left, "activation")] if answer == "finish" and left else []


CHAPTER = Chapter(
    steps={TurnBegins: turn_begins, ChooseFirst: choose_first},
    refusals={"activate": cannot_pass},
    losses={"activate": left_idle},
    unoffered={"activate": not_to_activate},
)
