"""Transcript 7: a charge under Ready-to-Fire, a hero who shrugs a shot off, and a Strike Back.

A cut of combataction in centimetres: walk, charge, fire, save a point, close combat with push back and breaking away.
Every model is a unit of its own. Left out: terrain, pinning, grenades, the second strike where there is no space.
"""

from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    BattleEnded,
    Counted,
    Declared,
    PhaseBegan,
    Placed,
    Rolled,
    Scored,
    Spent,
    StateChanged,
    StepBegan,
)
from sandtable.engine.ids import NO_SIDE, RuleId, Side, ThingId
from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    MoveModels,
    Option,
    PathNote,
    PlaceThings,
    Preview,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import UNIT, At, Point
from sandtable.engine.state import Due, Step
from sandtable.engine.table import Thing
from sandtable.field.walking.paths import length_between
from tests.miniatures.charge_close_combat import fight, follow_up
from tests.miniatures.charge_ground import (
    ALTERNATE,
    AP_RULE,
    CARDS,
    DEPLOY,
    DURATION,
    FIRST_OR_LAST,
    INITIATIVE,
    MAN,
    ONE_MOVE,
    READY_ENDS,
    SAVING,
    SCORE,
    Act,
    Begin,
    Fight,
    FollowUp,
    Leave,
    Next,
    Scenario,
    Shoot,
    action_options,
    foes_in_contact,
    into_contact,
    refused_move,
    refused_push,
    rule_of,
    turned,
)
from tests.miniatures.charge_moves import move_model
from tests.miniatures.charge_shooting import hurt, shoot
from tests.miniatures.standing import board, point_of, track_of


class ChargeAndHero(Ruleset):
    """Models act by turns with two points each; who saved a point may break into the enemy's moves."""

    name = "charge-and-hero"
    title = "A charge and a hero"
    unit = "cm"
    steps = (Begin, Next, Act, Shoot, Fight, FollowUp, Leave)
    concession_rule = SCORE
    draw_rule = SCORE

    def open(self, battle: Battle, setup: Setup) -> None:
        scenario = msgspec.convert(setup.scenario, Scenario)
        battle.happens(board(60 * UNIT, 40 * UNIT, RuleId("combataction.battle.table-size")))
        for model in scenario.models:
            card = CARDS[model.card]
            counts = {"save": card.save} if card.save else {}
            made = Thing(ThingId(model.id), side=model.side, card=model.card, base=MAN, track=2, counts=counts)
            where = At(Point(model.x, model.y))
            battle.happens(Placed(model.id, where, model.facing, made=made, rule=DEPLOY))
            if model.ready:
                battle.happens(StateChanged(model.id, "ready to fire", None, 1, "next activation", rule=SAVING))
        battle.push(Begin(scenario.turns, scenario.first))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Begin(turns, first):
                return self.begin(battle, turns, Side(first))
            case Next(side, turns):
                return self.next(battle, side, turns)
            case Act(model):
                return self.act(battle, ThingId(model))
            case Shoot(shooter, target):
                return shoot(battle, shooter, target)
            case Fight():
                return fight(battle, step)
            case FollowUp():
                return follow_up(battle, step)
            case Leave(model, charges):
                return move_model(battle, ThingId(model), charges)
        raise AssertionError(step)

    # The turn ---------------------------------------------------------------------------------------------------

    def begin(self, battle: Battle, turns: int, first: Side) -> Procedure[None]:
        """Roll for initiative; the winner goes first or last."""
        table = battle.table
        battle.happens(PhaseBegan(table.turn + 1, "turn", rule=ALTERNATE))
        for model in table.models():
            if model.has("acted"):
                battle.happens(StateChanged(model.id, "acted", 1, None, rule=ALTERNATE))
        while not first:
            rolls = battle.dice.opposed("d6", "d6")
            for side, roll in zip(table.sides, rolls, strict=True):
                battle.happens(
                    Rolled("initiative", side, roll.dice, roll.faces, roll.natural, total=roll.natural, rule=INITIATIVE)
                )
            if rolls[0].natural != rolls[1].natural:
                won = table.sides[0] if rolls[0].natural > rolls[1].natural else table.sides[1]
                other = next(side for side in table.sides if side != won)
                order = (Option(won, f"{won} first"), Option(other, f"{other} first"))
                first = yield ChooseOne(won, "Who goes first?", topic="first", options=order, rules=(FIRST_OR_LAST,))
        battle.push(Next(first, turns))

    def next(self, battle: Battle, side: Side, turns: int) -> Procedure[None]:
        """The side activates one of its models; its saved point and marker go."""
        table = battle.table
        other = next(name for name in table.sides if name != side)
        able = [model for model in table.models(side) if not model.has("acted")]
        if not all(table.models(name) for name in table.sides):
            self.end(battle)
            return
        if not able and all(model.has("acted") for model in table.models(other)):
            if table.turn >= turns:
                self.end(battle)
            else:
                battle.push(Begin(turns))
            return
        battle.push(Next(other, turns))
        if not able:
            return
        model = able[0].id
        if len(able) > 1:
            options = tuple(Option(m.id, m.id, (m.id,)) for m in able)
            model = yield ChooseOne(side, "Which model acts?", topic="who", options=options, rules=(ALTERNATE,))
        battle.happens(StepBegan("activate", side, (model,), rule=ALTERNATE))
        if table[model].has("ready to fire"):
            battle.happens(StateChanged(model, "ready to fire", 1, None, rule=READY_ENDS))
        battle.happens(Counted(model, "AP", table[model].count("AP"), 2, rule=AP_RULE))
        battle.happens(StateChanged(model, "acted", None, 1, "end of turn", rule=ALTERNATE))
        battle.push(Act(model))

    def end(self, battle: Battle) -> None:
        for side in battle.table.sides:
            lost = [m for m in battle.table.of_kind("model") if m.side != side and m.gone]
            battle.happens(Scored(side, len(lost), "enemies lost", rule=SCORE))
        scores = dict(battle.table.scores)
        best = [side for side in scores if scores[side] == max(scores.values())]
        battle.happens(BattleEnded(best[0] if len(best) == 1 else NO_SIDE, scores, "enemies lost", rule=DURATION))

    # Actions ----------------------------------------------------------------------------------------------------

    def act(self, battle: Battle, model: ThingId) -> Procedure[None]:
        """One action, as far as points are left; what may not be done stays on the list and says why."""
        table = battle.table
        thing = table[model]
        if thing.gone or not thing.count("AP"):
            self.rest(battle, model)
            return
        options = action_options(table, model)
        side = thing.side
        action = yield ChooseOne(
            side, f"{model}: action?", topic="action", about=(model,), options=options, rules=(AP_RULE,)
        )
        battle.push(Act(model))
        if action == "end":
            battle.happens(
                Counted(model, "AP", thing.count("AP"), 0, rule=RuleId("combataction.actions.unspent-points-lost"))
            )
            return
        cost = {"charge": 2, "attack": 2}.get(action.split(" ")[0], 1)
        target = action.removeprefix("fire at ").removeprefix("attack ") if " " in action else ""
        name = action.split(" ")[0]
        battle.happens(Declared(model, name, (target,) if target else (), rule=rule_of(name)))
        battle.happens(Spent(model, "AP", cost, thing.count("AP") - cost, rule=rule_of(name)))
        match name:
            case "save":
                battle.happens(StateChanged(model, "ready to fire", None, 1, "next activation", rule=SAVING))
            case "fire":
                battle.push(Shoot(model, target))
            case "attack":
                battle.push(Fight(model, target))
            case _:
                battle.happens(StateChanged(model, "moved", None, 1, "end of activation", rule=ONE_MOVE))
                leaving = [Fight(foe.id, model, free=True) for foe in foes_in_contact(table, model)]
                if leaving:
                    battle.push(*leaving, Leave(model, name == "charge"))
                else:
                    yield from move_model(battle, model, name == "charge")

    def rest(self, battle: Battle, model: str) -> None:
        if battle.table[model].has("moved"):
            battle.happens(StateChanged(model, "moved", 1, None, rule=ONE_MOVE))

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        yield from hurt(battle, due)

    # Drafts -----------------------------------------------------------------------------------------------------

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if isinstance(question, MoveModels) and answer:
            return refused_move(view, question, answer)
        if isinstance(question, PlaceThings) and answer:
            return refused_push(view, question, answer)
        return None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        """Measuring is free: a path shows its length, its turns and how far its end is from every enemy."""
        if not isinstance(question, MoveModels) or not answer:
            return Preview()
        ((model, walk),) = answer.items()
        if question.topic == "charge":
            walk = into_contact(view.table, model, walk)
        track = track_of(view.table, model, walk)
        points = (track.start.point, *(stretch.end for stretch in track.stretches))
        note = PathNote(model, points, total=track.length, allowance=question.allowance[model])
        distances = {str(foe.id): length_between(track.end.point, point_of(foe)) for foe in view.enemies()}
        return Preview(notes=(f"turns {turned(walk)}°",), distances=distances, paths=(note,))
