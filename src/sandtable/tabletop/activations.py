"""Sides that activate their units one after another, and units that act as long as their actions last.

A ruleset with this order makes one `Alternating`, lists its `chapter()`, and pushes `NextActivation` for the side that
begins a turn: by initiative (`NextTurn`), or whoever its rules say. What a unit may do are the actions
of its book.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import PhaseBegan, StepBegan
from sandtable.engine.ids import Side
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule
from sandtable.tabletop.actions import ACTION, Action, Budget
from sandtable.tabletop.book import book_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.opening import Begun, by_default
from sandtable.tabletop.previews import amount_words
from sandtable.tabletop.states import END_OF_TURN, give
from sandtable.tabletop.turns import next_side, roll_off

ACTIVATE, ACTIVATED, DONE = "activate", "activated", "done"
ACTIVATIONS = "activations"  # what a turn is


class NextTurn(Step, frozen=True):
    """The next turn begins: the sides roll for who goes first."""


class NextActivation(Step, frozen=True):
    """A side activates a unit, or the next side that can."""

    side: Side


class Activation(Step, frozen=True):
    """What is left of a unit's activation; none said: all of it."""

    unit: str
    left: int | None = None
    tried: tuple[str, ...] = ()


def choose_action(
    battle: Battle, unit: Thing, left: int, tried: tuple[str, ...], rules: Sequence[Rule], nothing: Option
) -> Procedure[Action | None]:
    """Ask which action a unit takes next; none where it does nothing more. That may be refused by its option."""
    menu = book_of(battle).menu
    budget = Budget(left, tried, begun=bool(tried))
    chosen = yield ChooseOne(
        unit.side,
        f"{unit.label}: which action? {left} left",
        topic=ACTION,
        about=(unit.id,),
        options=(*menu.options(battle.table, unit, budget), nothing),
        rules=tuple(one.id for one in rules),
        shows=("odds",),
        facts={"actions": left},
        default=None if nothing.refused else by_default(battle.table, nothing.id),
    )
    action: Action | None = menu.actions.get(chosen)
    return action


def unused(view: View, question: ChooseOne, answer: str) -> list[str]:
    """The actions that are left when a unit does nothing more though something may be done."""
    more = any(not one.refused for one in question.options if one.id != DONE)
    return [amount_words(question.facts["actions"], "action")] if answer == DONE and more else []


class Alternating(NamedTuple):
    """The order of activations: the rule of it, the rule of actions, and what follows when."""

    order: Rule
    actions: Rule
    each: int  # how many actions a unit has
    acted: Callable[[Battle], object]  # after every action
    turn_ends: Callable[[Battle], None]  # when nobody is left
    initiative: Rule | None = None  # whose dice say who goes first, where `NextTurn` is pushed

    def ready(self, table: Table, side: Side) -> list[Thing]:
        """The units of a side that can still be activated this turn."""
        return [one for one in table.models(side) if not one.has(ACTIVATED)]

    def next_turn(self, battle: Battle, step: NextTurn) -> Procedure[None]:
        """Roll for who goes first."""
        yield from ()
        assert self.initiative is not None, "nobody rolls for who goes first"
        battle.happens(PhaseBegan(battle.table.turn + 1, ACTIVATIONS, rule=self.order.id))
        battle.push(NextActivation(roll_off(battle, "initiative", self.initiative.text_at("dice"), self.initiative)))

    def next_activation(self, battle: Battle, step: NextActivation) -> Procedure[None]:
        """Let a side, or the next that can, choose whom it activates; after the last the turn ends."""
        table = battle.table
        side = next_side(table.sides, step.side, lambda one: bool(self.ready(table, one)))
        if side is None:
            self.turn_ends(battle)
            return
        able = self.ready(table, side)
        chosen = able[0].id
        if len(able) > 1:
            options = tuple(Option(one.id, one.label, (one.id,), (self.order.id,)) for one in able)
            rules = (self.order.id,)
            chosen = yield ChooseOne(side, "Activate whom?", topic=ACTIVATE, options=options, rules=rules)
        other = table.sides[(table.sides.index(side) + 1) % len(table.sides)]
        battle.push(Activation(chosen), NextActivation(other))

    def activate(self, battle: Battle, step: Activation) -> Procedure[None]:
        """One action after another, as long as there are some left and the unit is there."""
        unit = battle.table[step.unit]
        left = self.each if step.left is None else step.left
        if not unit.on_table or not left:
            return
        battle.happens(StepBegan("activation", unit.side, (unit.id,), rule=self.actions.id))
        if not unit.has(ACTIVATED):
            give(battle, unit.id, ACTIVATED, self.order, until=END_OF_TURN)
        nothing = Option(DONE, "Nothing more", (unit.id,), (self.actions.id,))
        action = yield from choose_action(battle, unit, left, step.tried, (self.actions,), nothing)
        if action is None:
            return
        yield from action.carry_out(battle, battle.table[unit.id], step)
        battle.push(Activation(unit.id, left - action.cost, (*step.tried, action.id)))
        self.acted(battle)

    def begin(self, battle: Battle, begun: Begun, first: Step | None = None) -> None:
        """Begin with a first step, by initiative if none is said, or with those whom a case names."""
        begins = begun.begins
        if not begins.turn and not begins.next:
            battle.push(first or NextTurn())
            return
        battle.happens(PhaseBegan(begins.turn_number, ACTIVATIONS, rule=self.order.id))
        after = begins.next[0] if begins.next else begun.setup.sides[0]
        battle.push(*(Activation(one) for one in begins.turn), NextActivation(after))

    def chapter(self) -> Chapter:
        """What it brings: its steps, its state, and what cases answer."""
        return Chapter(
            steps={NextTurn: self.next_turn, NextActivation: self.next_activation, Activation: self.activate},
            losses={ACTION: unused},
            states={ACTIVATED: "it has had its activation of this turn"},
            answers={ACTION: "an action, or done", ACTIVATE: "who is activated"},
        )
