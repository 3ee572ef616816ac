"""Transcript 1: a squad declares everything before anything resolves, the target shoots back, shots are lost.

A cut of strikeops: CAVs with two MACs each, squads that activate by turns, C3 points that inspire a roll or attach a
model. Left out: terrain, criticals, suppression, double-time, and values that get worse along the damage track.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    BattleEnded,
    Counted,
    Declared,
    Grouped,
    PhaseBegan,
    Placed,
    Scored,
    Spent,
    StateChanged,
    StepBegan,
)
from sandtable.engine.ids import NO_SIDE, Side, ThingId
from sandtable.engine.questions import AnyQuestion, ChooseOne, MoveModels, Option, Plan, PlanPart, Preview, Refusal
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import UNIT, At, Base, Off, Point
from sandtable.engine.state import Due, Step
from sandtable.engine.table import Thing
from tests.miniatures.squad_plan import (
    AP,
    DECLARE,
    INSPIRE,
    SEIZE,
    Orders,
    declared,
    guest_of,
    idle_squads,
    plan_parts,
    plan_preview,
    who_acts,
)
from tests.miniatures.squad_resolving import attack, finish_move, fire, move_preview, refused_move, resolve_one
from tests.miniatures.squad_settling import settle_model, settle_up
from tests.miniatures.squad_steps import (
    ALL_OPEN,
    C3_POOL,
    DEPLOYED,
    DT,
    END,
    ONE_ACTIVATION,
    PHASES,
    SEQUENCE,
    TWO_AP,
    WINNER,
    Activate,
    Attack,
    Begin,
    Close,
    Fire,
    Go,
    NextSquad,
    Resolve,
    Scenario,
    SettleUp,
)
from tests.miniatures.standing import board


class SquadDeclares(Ruleset):
    """Squads by turns; each declares all its actions, then resolves them, then all harm is applied."""

    name = "squad-declares"
    title = "A squad declares"
    steps = (Begin, NextSquad, Activate, Resolve, Attack, Fire, Go, SettleUp, Close)
    concession_rule = WINNER
    draw_rule = WINNER

    def open(self, battle: Battle, setup: Setup) -> None:
        scenario = msgspec.convert(setup.scenario, Scenario)
        battle.happens(board(scenario.width * UNIT, scenario.height * UNIT, DEPLOYED))
        for squad in dict.fromkeys((model.squad, model.side) for model in scenario.models):
            made = Thing(ThingId(squad[0]), "unit", squad[1], label=f"squad {squad[0]}")
            battle.happens(Placed(made.id, Off("a squad"), made=made, rule=DEPLOYED))
        for model in scenario.models:
            made = Thing(
                ThingId(model.id), side=model.side, unit=ThingId(model.squad), base=Base("circle", UNIT), track=DT + 1
            )
            made = msgspec.structs.replace(made, harm=model.harm, counts={"AP": AP}, glyph="walker")
            where = At(Point(model.x * UNIT, model.y * UNIT))
            battle.happens(Placed(model.id, where, model.facing, made=made, rule=DEPLOYED))
        for side in setup.sides:
            battle.happens(Counted(side, "C3", 0, scenario.c3, rule=C3_POOL))
        battle.push(Begin(scenario.turns))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Begin(turns):
                return self.begin(battle, turns)
            case NextSquad(side, turns):
                return self.next_squad(battle, side, turns)
            case Activate(squad):
                return self.activate(battle, ThingId(squad))
            case Resolve():
                return resolve_one(battle, step)
            case Attack():
                return attack(battle, step)
            case Fire():
                return fire(battle, step)
            case Go():
                return finish_move(battle, step)
            case SettleUp(squad):
                return settle_up(battle, squad)
            case Close():
                return self.close(battle, step)
        raise AssertionError(step)

    # The turn ---------------------------------------------------------------------------------------------------

    def begin(self, battle: Battle, turns: int) -> Procedure[None]:
        """A new turn: action points are refilled, every squad may activate again."""
        table = battle.table
        battle.happens(PhaseBegan(table.turn + 1, "activation", rule=PHASES))
        for thing in list(table.things.values()):
            for state in ("activated", "acted"):
                if thing.has(state):
                    battle.happens(StateChanged(thing.id, state, 1, None, rule=ONE_ACTIVATION))
        for model in table.models():
            if model.count("AP") != AP:
                battle.happens(Counted(model.id, "AP", model.count("AP"), AP, rule=TWO_AP))
        battle.push(NextSquad(table.sides[0], turns))
        yield from ()

    def next_squad(self, battle: Battle, side: Side, turns: int) -> Procedure[None]:
        """Sides activate squads by turns; one with none left is passed over."""
        table = battle.table
        lost = [other for other in table.sides if not table.models(other)]
        other = next(other for other in table.sides if other != side)
        squads, theirs = idle_squads(table, side), idle_squads(table, other)
        if lost or not (squads or theirs):
            if lost or table.turn >= turns:
                self.end(battle)
            else:
                battle.push(Begin(turns))
        elif not squads:
            battle.push(NextSquad(other, turns))
        else:
            squad = squads[0].id
            if len(squads) > 1:
                options = tuple(Option(unit.id, unit.label, (unit.id,)) for unit in squads)
                squad = yield ChooseOne(
                    side, "Which squad activates?", topic="squad", options=options, rules=(ONE_ACTIVATION,)
                )
            battle.push(Activate(squad), NextSquad(other, turns))

    def end(self, battle: Battle) -> None:
        """Surviving models are points, and the greater total wins."""
        for side in battle.table.sides:
            battle.happens(Scored(side, len(battle.table.models(side)), "surviving models", rule=WINNER))
        scores = dict(battle.table.scores)
        best = [side for side in scores if scores[side] == max(scores.values())]
        battle.happens(BattleEnded(best[0] if len(best) == 1 else NO_SIDE, scores, "surviving models", rule=WINNER))

    # Declaring --------------------------------------------------------------------------------------------------

    def activate(self, battle: Battle, squad: ThingId) -> Procedure[None]:
        """Declare every action of the squad; with the commit measuring opens and nothing is taken back.

        strikeops.actions.declare-the-whole-squad-first    all models, before anything resolves
        strikeops.actions.no-pre-measuring                 the plan shows neither range nor arc nor odds
        strikeops.command.declare-with-the-action          C3 points are pledged in the plan and spent with it
        """
        table = battle.table
        side = table[squad].side
        battle.happens(StepBegan("activate", side, (squad,), rule=SEQUENCE))
        for model in table.members(squad):
            self.wake(battle, model)
        members = who_acts(table, squad, {})
        plan = yield Plan(
            side,
            f"Declare {table[squad].label}",
            topic="declare",
            about=(squad,),
            rules=(DECLARE,),
            shows=ALL_OPEN if table.options.get("premeasuring") else (),
            actors=tuple(model.id for model in members),
            budget={**{model.id: model.count("AP") for model in members}, "C3": table[side].count("C3")},
        )
        guest = guest_of(plan)
        orders = tuple(declared(model.id, plan) for model in who_acts(table, squad, plan))
        n = self.commit(battle, side, orders, guest)
        close = Close(squad)
        if guest != "nobody":
            close = Close(squad, guest, table[guest].unit)
            battle.happens(Grouped((ThingId(guest),), squad, END, rule=SEIZE, because=n))
            self.wake(battle, table[guest])
        battle.open_measuring()
        battle.push(Resolve(squad, orders, tuple(order.model for order in orders)), SettleUp(squad), close)

    def wake(self, battle: Battle, model: Thing) -> None:
        """End what a model's earlier actions left until it activates again."""
        for state in ("stationary", "lock"):
            if model.has(state):
                battle.happens(StateChanged(model.id, state, model.value(state), None, rule=SEQUENCE))

    def commit(self, battle: Battle, side: Side, orders: Sequence[Orders], guest: str) -> int:
        """Tell all what was declared, and take what it costs. Gives the number of the last declaration."""
        n = 0
        for order in orders:
            action = ", ".join(order.actions) or "nothing"
            targets = tuple(dict.fromkeys(t for t in (order.target, order.lock) if t))
            n = battle.happens(Declared(order.model, action, targets, order.weapons, rule=DECLARE))
        for order in orders:
            if order.actions:
                left = battle.table[order.model].count("AP") - len(order.actions)
                battle.happens(Spent(order.model, "AP", len(order.actions), left, rule=TWO_AP, because=n))
        points = [INSPIRE for order in orders if order.inspired] + ([SEIZE] if guest != "nobody" else [])
        for rule in points:
            left = battle.table[side].count("C3") - 1
            battle.happens(Spent(side, "C3", 1, left, rule=rule, because=n))
        return n

    def parts(self, view: View, plan: Plan, draft: dict[str, Any]) -> list[PlanPart]:
        return plan_parts(view, plan, draft)

    # Settling ---------------------------------------------------------------------------------------------------

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        yield from settle_model(battle, due)

    def close(self, battle: Battle, step: Close) -> Procedure[None]:
        """The squad has activated; what lasted until the end of the activation ends, a guest goes home and rests."""
        table = battle.table
        for thing in [table[step.squad], *table.models()]:
            for state in ("shooting", "defensive fire"):
                if thing.has(state):
                    battle.happens(StateChanged(thing.id, state, thing.value(state), None, rule=SEQUENCE))
        battle.happens(StateChanged(step.squad, "activated", None, 1, "end of turn", rule=ONE_ACTIVATION))
        if step.guest and not table[step.guest].gone:
            battle.happens(Grouped((ThingId(step.guest),), ThingId(step.home), rule=SEIZE))
            battle.happens(StateChanged(step.guest, "acted", None, 1, "end of turn", rule=SEIZE))
        yield from ()

    # Drafts -----------------------------------------------------------------------------------------------------

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if isinstance(question, MoveModels):
            return refused_move(view, question, answer)
        return None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        if isinstance(question, Plan):
            return plan_preview(view, question, answer)
        if isinstance(question, MoveModels) and answer:
            return move_preview(view, question, answer)
        return Preview()
