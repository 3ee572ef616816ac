"""The smallest ruleset that is still a game: two sides, three wounds each, dice, a secret, a reaction."""

from typing import Any

from sandtable.engine.answers.windows import reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    BattleEnded,
    Counted,
    Declared,
    Harm,
    HarmApplied,
    HarmNoted,
    ModelLost,
    Moved,
    PhaseBegan,
    Placed,
    Rolled,
    Spent,
    StepBegan,
)
from sandtable.engine.ids import RuleId, ThingId
from sandtable.engine.questions import (
    UNTIL_ALL_ANSWER,
    AnyQuestion,
    ChooseOne,
    Confirm,
    MoveModels,
    Option,
    Plan,
    PlanPart,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import At, Base, Leg, Point, Walk
from sandtable.engine.state import Due, Settle, Step
from sandtable.engine.table import Thing
from sandtable.field.directions import along


class Bid(Step, frozen=True):
    """Both sides bid in secret for the first turn."""


class Activate(Step, frozen=True):
    model: ThingId


class Shoot(Step, frozen=True):
    model: str
    target: str
    shots: int


class EndTurn(Step, frozen=True):
    pass


class Duel(Ruleset):
    """Bid, then activate in turn; each activation may move, then shoot; the target may dodge."""

    name = "duel"
    version = "1"
    steps = (Bid, Activate, Shoot, EndTurn)
    concession_rule = RuleId("duel.end.concede")
    draw_rule = RuleId("duel.end.draw")

    def open(self, battle: Battle, setup: Setup) -> None:
        for side, x in zip(setup.sides, (5000, 15000), strict=True):
            made = Thing(ThingId(side[0].upper()), side=side, label=side, base=Base("circle", 1000), track=3)
            battle.happens(Placed(made.id, At(Point(x, 10000)), made=made, rule=RuleId("duel.open")))
        battle.push(Bid())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Bid():
                return self.bid(battle)
            case Activate(model):
                return self.activate(battle, model)
            case Shoot(model, target, shots):
                return self.shoot(battle, model, target, shots)
            case _:
                return self.end_turn(battle)

    def bid(self, battle: Battle) -> Procedure[None]:
        battle.happens(PhaseBegan(battle.table.turn + 1, "bid", rule=RuleId("duel.turn")))
        offers = tuple(Option(str(n), str(n)) for n in (1, 2, 3))
        questions: tuple[AnyQuestion, ...] = tuple(
            ChooseOne(
                side, "How much?", topic="bid", options=offers, sealed=UNTIL_ALL_ANSWER, rules=(RuleId("duel.bid"),)
            )
            for side in battle.table.sides
        )
        bids = yield questions
        order = sorted(zip(bids, battle.table.sides, strict=True), key=lambda bid: (-int(bid[0]), bid[1]))
        battle.push(*(Activate(ThingId(side[0].upper())) for _, side in order), EndTurn())

    def activate(self, battle: Battle, model: ThingId) -> Procedure[None]:
        side = battle.table[model].side
        if battle.table[model].gone:
            return
        battle.happens(StepBegan("activate", side, (model,), rule=RuleId("duel.plan")))
        battle.happens(Counted(model, "AP", battle.table[model].count("AP"), 2, rule=RuleId("duel.plan")))
        plan = yield Plan(
            side, f"{model}: what?", topic="plan", actors=(model,), budget={"AP": 2}, rules=(RuleId("duel.plan"),)
        )
        if plan["move"]:
            battle.happens(Declared(model, "move", rule=RuleId("duel.plan")))
            walks = yield MoveModels(
                side,
                "Where?",
                topic="walk",
                models=(model,),
                allowance={model: 5},
                rules=(RuleId("duel.move"),),
                decline="Stay",
            )
            if walks:
                battle.happens(Spent(model, "AP", 1, 1, rule=RuleId("duel.move")))
                self.walk(battle, model, walks[model])
        if plan["target"] != "nobody":
            battle.push(Shoot(model, plan["target"], 2))

    def walk(self, battle: Battle, model: ThingId, walk: Walk) -> None:
        place, facing = battle.table[model].place, battle.table[model].facing
        assert isinstance(place, At)
        point = place.point
        for leg in walk.legs:
            if isinstance(leg, Leg):
                facing = (facing + leg.turn) % 360
                point = along(point, facing, leg.go)
            else:
                point = leg.point
        battle.happens(Moved(model, place, At(point), facing, walk, rule=RuleId("duel.move")))

    def shoot(self, battle: Battle, model: str, target: str, shots: int) -> Procedure[None]:
        cause = battle.happens(Declared(model, "shoot", (target,), rule=RuleId("duel.shoot")))
        reacted = yield from reaction_window(
            battle,
            moment="dodge",
            prompt="Dodge?",
            rules=(RuleId("duel.dodge"),),
            sides=(battle.table[target].side,),
            options=lambda side, declared: [] if declared else [ReactOption("dodge", actor=target)],
        )
        needs = 4 + len(reacted)
        roll = battle.dice.total("d6")
        hit = roll.natural >= needs
        n = battle.happens(
            Rolled(
                "shot",
                model,
                roll.dice,
                roll.faces,
                roll.natural,
                total=roll.natural,
                needs=needs,
                margin=roll.natural - needs,
                outcome="hit" if hit else "miss",
                rule=RuleId("duel.shoot"),
                because=cause,
            )
        )
        if hit:
            battle.note(HarmNoted(target, Harm("wound", 1), "now", rule=RuleId("duel.harm"), because=n))
        battle.push(*([Settle("now")] if hit else []), *([Shoot(model, target, shots - 1)] if shots > 1 else []))

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        thing = battle.table[due.target]
        save = yield Confirm(thing.side, "Brace?", topic="brace", rules=(RuleId("duel.brace"),))
        if save and battle.dice.total("d6").natural == 6:
            return
        n = battle.happens(
            HarmApplied(due.target, due.harm, thing.harm, thing.harm + 1, rule=RuleId("duel.harm"), because=due.because)
        )
        if thing.harm + 1 >= thing.track:
            battle.happens(ModelLost(due.target, "destroyed", rule=RuleId("duel.lost"), because=n))
            other = next(side for side in battle.table.sides if side != thing.side)
            battle.happens(BattleEnded(other, reason="last one standing", rule=RuleId("duel.end")))

    def end_turn(self, battle: Battle) -> Procedure[None]:
        battle.happens(Counted("battle", "turns", battle.table.turn - 1, battle.table.turn, rule=RuleId("duel.turn")))
        battle.push(Bid())
        yield from ()

    def parts(self, view: View, plan: Plan, draft: dict[str, Any]) -> list[PlanPart]:
        found = [PlanPart("move", Confirm(plan.side, "Move?", default=None))]
        if "move" in draft:
            others = [Option(m.id) for m in view.enemies()]
            question = ChooseOne(plan.side, "Shoot at?", options=(*others, Option("nobody")), default="nobody")
            found.append(PlanPart("target", question))
        return found

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if question.topic == "walk" and answer:
            legs = [leg for walk in answer.values() for leg in walk.legs]
            if not all(isinstance(leg, Leg) for leg in legs):
                return Refusal(RuleId("duel.move"), "Here one turns and goes straight.")
            length = sum(abs(leg.go) for leg in legs if isinstance(leg, Leg))
            if length > 5000:
                return Refusal(RuleId("duel.move"), f"That is {length / 1000:g} inches; 5 are allowed.")
        return None


STRAIGHT = {"R": Walk((Leg(go=3000),))}
