"""Transcript 10: a commander transfers its actions by radio, and both sides' electronic warfare breaks in.

Two platoons race for the middle of the table. Commanders transfer activations to their squads, squads to their
detached elements; a transferred activation is a step of its own, in front of what is left of the commander's. Fire is
left out: nobody here is armed.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    BattleEnded,
    Counted,
    Declared,
    Forfeited,
    Grouped,
    Left,
    Placed,
    Scored,
    Spent,
    StateChanged,
    StepBegan,
)
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.questions import (
    AnyQuestion,
    Chance,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    Option,
    Preview,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, Setup, View
from sandtable.engine.shapes import UNIT, At, Off, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.engine.windows import Reacted, reaction_window
from tests.miniatures.alternating import Alternating, NextActivation, TurnBegins, TurnEnds
from tests.miniatures.die_types import exceed, shifted
from tests.miniatures.figures import (
    CHAIN,
    figure,
    fit,
    in_integrity,
    lay_board,
    move_refused,
    row,
    spot,
    unit_gap,
    walk_on,
    within,
)

TWO_ACTIONS = "stargrunt.actions.two-actions"
ROLL = "stargrunt.communications.roll"
DIRECT = "stargrunt.communications.direct-contact"
TRANSFER = "stargrunt.communications.transferring-actions"
LIMIT = "stargrunt.communications.transfer-limit"
DETAILS = "stargrunt.communications.transfer-details"
TIMING = "stargrunt.electronic-warfare.timing"
MARKERS = "stargrunt.electronic-warfare.markers"
SYSTEM = "stargrunt.electronic-warfare.system-die"
JAM = "stargrunt.electronic-warfare.jam-communications"
JAM_EW = "stargrunt.electronic-warfare.jam-ew"
DETACH = "stargrunt.actions.detached-elements"
ELEMENTS = "stargrunt.actions.detached-elements-details"
NORMAL_MOVE = "stargrunt.movement.normal"
HOLDING = "stargrunt.scenario.holding-objectives"
VICTORY = "stargrunt.scenario.victory"

BOARD = 36
MIDDLE = Point(18 * UNIT, 18 * UNIT)
MOBILITY = 6 * UNIT
CONTACT_INCHES = 6
FRESH_MARKERS = 3


class Force(NamedTuple):
    """A unit as the set-up has it."""

    id: str
    side: str
    quality: int
    leadership: int
    superior: str
    at: Point
    figures: int


FORCES = (
    Force("P", "red", 8, 1, "", Point(18 * UNIT, 30 * UNIT), 3),
    Force("S", "red", 8, 2, "P", Point(4 * UNIT, 30 * UNIT), 3),
    Force("T", "red", 8, 2, "P", Point(23 * UNIT, 30 * UNIT), 4),
    Force("X", "red", 6, 2, "P", Point(18 * UNIT, 34 * UNIT), 1),
    Force("Q", "blue", 8, 2, "", Point(18 * UNIT, 5 * UNIT), 3),
    Force("U", "blue", 6, 2, "Q", Point(9 * UNIT, 5 * UNIT), 3),
    Force("Y", "blue", 6, 2, "Q", Point(26 * UNIT, 5 * UNIT), 1),
)
OPERATORS = ("X", "Y")


class Sent(NamedTuple):
    """How a message fared: the rule by which it failed, if it did, and the event that decided."""

    failed_by: str
    n: int


class Activate(Step, frozen=True):
    """A unit has actions left; `transferred` ones leave its own activation as it is."""

    unit: str
    actions: int = 2
    transferred: bool = False


class TransferUnderJamming(Alternating):
    """Move, transfer, detach; jam and counter. A point a turn for each unit near the middle."""

    name = "transfer-under-jamming"
    steps = (TurnBegins, NextActivation, TurnEnds, Activate)
    concession_rule = VICTORY
    draw_rule = VICTORY

    def open(self, battle: Battle, setup: Setup) -> None:
        lay_board(battle, BOARD)
        for force in FORCES:
            counts = {"quality": force.quality, "leadership": force.leadership}
            made = Thing(force.id, kind="unit", side=force.side, label=force.id, unit=force.superior, counts=counts)
            battle.happens(Placed(force.id, Off("its figures stand for it"), made=made, rule=DETAILS))
            for n, at in enumerate(row(force.at, force.figures), 1):
                one = figure(f"{force.id}{n}", force.side, force.id)
                battle.happens(Placed(one.id, At(at), made=one, rule=DETAILS))
        markers: dict[str, int] = setup.scenario.get("markers", {"red": 3, "blue": 3})
        for side, die in (("red", 8), ("blue", 6)):
            battle.happens(Counted(side, "EW die", 0, die, rule=SYSTEM))
            battle.happens(Counted(side, "EW markers", 0, markers[side], rule=MARKERS))
        battle.push(TurnBegins())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        return self.activate(battle, step) if isinstance(step, Activate) else self.turn_procedure(battle, step)

    # Turns -------------------------------------------------------------------------------------------------------

    def may_activate(self, table: Table, side: str) -> list[Option]:
        return [Option(unit.id, rules=(TWO_ACTIONS,)) for unit in _units(table, side) if not unit.has("activated")]

    def unactivated(self, table: Table, side: str) -> int:
        return len(self.may_activate(table, side))

    def units_of(self, table: Table, side: str) -> int:
        return len(_units(table, side))

    def activation(self, battle: Battle, chosen: str) -> Step:
        return Activate(chosen)

    def turn_over(self, battle: Battle) -> None:
        for side in battle.table.sides:
            gaps = [unit_gap(_points(battle.table, unit.id), [MIDDLE]) for unit in _units(battle.table, side)]
            near = [gap for gap in gaps if within(gap, 12)]
            if near:
                battle.happens(Scored(side, len(near), "units in the middle", rule=HOLDING))
        if battle.table.turn >= self.last_turn:
            points = {side: battle.table.scores.get(side, 0) for side in battle.table.sides}
            red, blue = battle.table.sides
            winner = "" if points[red] == points[blue] else max(points, key=lambda side: points[side])
            battle.happens(BattleEnded(winner, points, "the last turn is over", rule=VICTORY))

    # An activation -----------------------------------------------------------------------------------------------

    def activate(self, battle: Battle, step: Activate) -> Procedure[None]:
        """One action of a unit, and the rest of its activation put back on the agenda.

        stargrunt.actions.two-actions              two, in any order, not necessarily both
        stargrunt.communications.transfer-details  a transferred activation comes in front of what is left of this
        """
        unit = battle.table[step.unit]
        rule = DETAILS if step.transferred else TWO_ACTIONS
        begun = battle.happens(StepBegan("activation", unit.side, (unit.id,), rule=rule))
        if step.actions == 2 and not step.transferred:
            until = "end of turn"
            battle.happens(StateChanged(unit.id, "activated", after=1, until=until, rule=TWO_ACTIONS, because=begun))
            if unit.id in OPERATORS:
                yield from self.go_active(battle, unit)
        action = yield ChooseOne(
            unit.side,
            f"{unit.label}: {'first' if step.actions == 2 else 'second'} action?",
            topic="action",
            about=(unit.id,),
            options=tuple(self.actions(battle.table, unit)),
            rules=(TWO_ACTIONS,),
            default="done",
        )
        if action == "done":
            return
        rest = [Activate(unit.id, step.actions - 1, step.transferred)] if step.actions > 1 else []
        battle.push(*rest)
        if action == "move":
            yield from self.move(battle, unit)
        elif action == "detach":
            yield from self.detach(battle, unit)
        else:
            yield from self.transfer(battle, unit, "first action" if step.actions == 2 else "second action")

    def actions(self, table: Table, unit: Thing) -> list[Option]:
        """What a unit may do with an action."""
        found = [Option("move", "Move", rules=(NORMAL_MOVE,))]
        if any(not option.refused for option in self.receivers(table, unit)):
            found.append(Option("transfer", "Transfer the action", rules=(TRANSFER,)))
        if len(fit(table, unit.id)) > 1 and len(_elements(table, unit)) < 2 and not unit.has("element"):
            found.append(Option("detach", "Form a detached element", rules=(DETACH,)))
        return [*found, Option("done", "Nothing more", rules=(TWO_ACTIONS,))]

    def go_active(self, battle: Battle, operators: Thing) -> Procedure[None]:
        """Let EW operators set their system active: three markers, whatever there were before."""
        side = operators.side
        active = yield Confirm(side, "Set the EW system active?", topic="active", about=(side,), rules=(MARKERS,))
        before = battle.table[side].count("EW markers")
        battle.happens(Counted(side, "EW markers", before, FRESH_MARKERS if active else 0, rule=MARKERS))

    def move(self, battle: Battle, unit: Thing) -> Procedure[None]:
        """A normal move; a detached element that ends within integrity of its unit joins it again."""
        models = tuple(one.id for one in fit(battle.table, unit.id))
        walks = yield MoveModels(
            unit.side,
            f"Move {unit.label}",
            topic="move",
            about=(unit.id,),
            models=models,
            allowance=dict.fromkeys(models, MOBILITY),
            together=CHAIN,
            rules=(NORMAL_MOVE,),
            shows=("distance",),
            default={},
        )
        walk_on(battle, models, walks, NORMAL_MOVE)
        parent = unit.unit
        if unit.has("element") and in_integrity(_points(battle.table, unit.id) + _points(battle.table, parent)):
            n = battle.happens(Grouped(models, parent, rule=ELEMENTS))
            battle.happens(Left(unit.id, "rejoined its unit", rule=ELEMENTS, because=n))

    def detach(self, battle: Battle, unit: Thing) -> Procedure[None]:
        """Form a detached element of some figures; the leader, who stands first, stays."""
        models = [one.id for one in fit(battle.table, unit.id)][1:]
        chosen = yield ChooseSeveral(
            unit.side,
            "Which figures form the element?",
            topic="detach",
            about=(unit.id,),
            options=tuple(Option(one) for one in models),
            at_least=1,
            at_most=len(models),
            rules=(DETACH,),
        )
        name = battle.new_id(f"{unit.id}-element")
        made = Thing(name, kind="unit", side=unit.side, label=name, unit=unit.id, counts=dict(unit.counts))
        battle.happens(Placed(name, Off("its figures stand for it"), made=made, rule=DETACH))
        battle.happens(StateChanged(name, "element", after=1, rule=DETACH))
        battle.happens(Grouped(tuple(chosen), name, "within integrity of its unit", rule=DETACH))

    # Transfers ---------------------------------------------------------------------------------------------------

    def receivers(self, table: Table, commander: Thing) -> list[Option]:
        """Whom a commander may transfer to: its subordinates, but none twice in a turn, and two attempts in all."""
        tried = _tried(commander)
        found = []
        for unit in table.of_kind("unit"):
            if unit.unit == commander.id and fit(table, unit.id):
                again = f"{unit.label} has been tried this turn." if unit.id in tried else ""
                refused = "Two attempts have been made this turn." if len(tried) >= 2 else again
                how = DIRECT if _in_contact(table, commander.id, unit.id) else ROLL
                found.append(Option(unit.id, rules=(LIMIT, TRANSFER, how), refused=refused))
        return found

    def transfer(self, battle: Battle, commander: Thing, action: str) -> Procedure[None]:
        """Spend an action to give a subordinate a whole activation, if the message gets through.

        stargrunt.communications.transferring-actions  success: two actions at once; failure: the action is wasted
        stargrunt.communications.transfer-limit        two attempts a turn, at two different units
        stargrunt.communications.direct-contact        within 6 inches: no roll, no jamming
        """
        chosen = yield ChooseOne(
            commander.side,
            "Transfer to whom?",
            topic="receiver",
            about=(commander.id,),
            options=tuple(self.receivers(battle.table, commander)),
            rules=(TRANSFER, LIMIT),
            shows=("distance", "odds"),
        )
        receiver = battle.table[chosen]
        cause = battle.happens(Declared(commander.id, "transfer", (receiver.id,), rule=TRANSFER))
        before, after = commander.value("transfers"), (*_tried(commander), receiver.id)
        until = "end of turn"
        battle.happens(StateChanged(commander.id, "transfers", before, after, until, rule=LIMIT, because=cause))
        sent = Sent("", cause)
        if not _in_contact(battle.table, commander.id, receiver.id):
            sent = yield from self.communicate(battle, commander, receiver, cause)
        if sent.failed_by:
            battle.happens(Forfeited(commander.id, action, rule=sent.failed_by, because=sent.n))
        else:
            battle.push(Activate(receiver.id, transferred=True))

    def communicate(self, battle: Battle, sender: Thing, receiver: Thing, cause: int) -> Procedure[Sent]:
        """Send a message by radio, and see whether it gets through.

        stargrunt.electronic-warfare.timing     markers are committed after the announcement, before any die
        stargrunt.electronic-warfare.jam-ew     each attempt may be countered; the last unbeaten roll decides
        """
        declared = yield from reaction_window(
            battle,
            moment="communication",
            prompt=f"{sender.label} calls {receiver.label}: spend EW markers?",
            options=lambda side, so_far: self.breaking_in(battle.table, sender.side, side, so_far),
            rules=(JAM, JAM_EW, TIMING),
            about=(sender.id, receiver.id),
            opened_by=sender.side,
            because=cause,
        )
        roll = exceed(
            battle, "communication", sender.id, sender.count("quality"), _target(sender, receiver), ROLL, because=cause
        )
        works, said = [], roll
        for side, reaction in declared:
            what, rule = ("jamming", JAM) if reaction.option == "jam" else ("countering", JAM_EW)
            base, extra = battle.table[side].count("EW die"), reaction.amount - 1
            over = (ExplainedPart("the roll it is against", said.score, rule),)
            kind = (ExplainedPart(f"D{base}", 0, SYSTEM), ExplainedPart("extra markers", extra, SYSTEM))
            die = shifted(base, extra)
            said = exceed(battle, what, side, die, over, rule, because=said.n, dice_parts=kind)
            works.append(said.passed)
        for side, reaction in declared:
            left = battle.table[side].count("EW markers") - reaction.amount
            battle.happens(Spent(side, "EW markers", reaction.amount, left, rule=TIMING, because=cause))
        if not roll.passed:
            return Sent(ROLL, roll.n)
        if not _stands(works):
            return Sent("", said.n)
        return Sent(JAM_EW if len(works) > 1 else JAM, said.n)

    def breaking_in(self, table: Table, sender: str, side: str, so_far: Sequence[Reacted]) -> list[ReactOption]:
        """What a side may do now: the enemy jams the message, then each counters what the other declared last."""
        left = table[side].count("EW markers") - sum(r.reaction.amount for r in so_far if r.side == side)
        if left <= 0 or side == (so_far[-1].side if so_far else sender):
            return []
        name, label, rule = ("counter", "Jam their EW", JAM_EW) if so_far else ("jam", "Jam the message", JAM)
        cost = {"EW markers": 1}
        return [ReactOption(name, label, side, cost, (rule, TIMING), amount_least=1, amount_most=left)]

    # What sides are told ---------------------------------------------------------------------------------------

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if isinstance(question, MoveModels):
            enemy = next(side for side in view.table.sides if side != view.side)
            return move_refused(view.table, question, answer, NORMAL_MOVE, avoid=enemy)
        return None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        if question.topic != "receiver":
            return Preview()
        sender, receiver = view.table[question.about[0]], view.table[answer]
        if _in_contact(view.table, sender.id, receiver.id):
            return Preview(notes=("within 6 inches: no roll, and no jamming",))
        target = explain("to exceed", *_target(sender, receiver))
        die = sender.count("quality")
        odds = Chance("the message gets through, if it is not jammed", die - target.total, die)
        return Preview(explanations=(target,), odds=(odds,))


def _units(table: Table, side: str) -> list[Thing]:
    """The units of a side that activate by themselves: elements do not."""
    return [u for u in table.of_kind("unit") if u.side == side and not u.has("element") and fit(table, u.id)]


def _elements(table: Table, unit: Thing) -> list[Thing]:
    return [u for u in table.of_kind("unit") if u.unit == unit.id and u.has("element") and fit(table, u.id)]


def _points(table: Table, unit: str) -> list[Point]:
    return [spot(one) for one in fit(table, unit)]


def _tried(commander: Thing) -> tuple[str, ...]:
    """The units a commander has tried to transfer to this turn."""
    tried = commander.value("transfers")
    return tried if isinstance(tried, tuple) else ()


def _in_contact(table: Table, sender: str, receiver: str) -> bool:
    return within(unit_gap(_points(table, sender), _points(table, receiver)), CONTACT_INCHES)


def _target(sender: Thing, receiver: Thing) -> tuple[ExplainedPart, ...]:
    """The number a communication roll has to exceed: the poorer of the two LVs."""
    poorer = max(sender, receiver, key=lambda unit: unit.count("leadership"))
    return (ExplainedPart(f"LV of {poorer.label}", poorer.count("leadership"), ROLL),)


def _stands(works: Sequence[bool]) -> bool:
    """Whether the first of a chain of attempts stands: it exceeded, and the next one, against it, does not stand."""
    return bool(works) and works[0] and not _stands(works[1:])
