"""Transcript 8: a shot brings a house down, section by section, on those inside.

A cut of combataction in centimetres: two squads of several models, rifles and one heavy weapon, a house whose
sections are pierced, collapse and fall on each other, losses that rout. Left out: cover, lines of sight and pinning;
a move is one straight step to a free place.
"""

from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    BattleEnded,
    Counted,
    Declared,
    Left,
    Moved,
    PhaseBegan,
    Placed,
    Scored,
    Spent,
    StateChanged,
    StepBegan,
)
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.ids import NO_SIDE, Side, ThingId
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import UNIT, At, Disc, In, Off, Region, Spot, Via, Walk
from sandtable.engine.state import Due, Step
from sandtable.engine.table import Thing
from sandtable.field.directions import along
from sandtable.field.measure import center_gap
from tests.miniatures import house as h
from tests.miniatures.creatures import thrown
from tests.miniatures.house_collapse import comes_due
from tests.miniatures.house_fight import (
    ALTERNATE,
    AP_RULE,
    DEPLOY,
    DISCIPLINE,
    DURATION,
    FIRE,
    HEAVY,
    HEIGHT,
    MAN,
    MODEL_ORDER,
    OFF_TABLE,
    ONE_MOVE,
    RALLY,
    ROUT,
    RUN,
    SCORE,
    SECTIONS,
    TABLE,
    UNSPENT,
    WALK,
    WIDTH,
    ZONE,
    ZONES,
    Act,
    Begin,
    Deploy,
    Next,
    Run,
    Scenario,
    Shoot,
    card_of,
    in_play,
    may_climb,
    refused_ground,
    refused_spot,
    refused_together,
    targets,
)
from tests.miniatures.house_shooting import shoot
from tests.miniatures.standing import board


class FallingHouse(Ruleset):
    """Squads deploy in the open or in the house, shoot, and bring it down."""

    name = "falling-house"
    title = "A house comes down"
    unit = "cm"
    steps = (Deploy, Begin, Next, Act, Shoot, Run)
    concession_rule = SCORE
    draw_rule = SCORE

    def open(self, battle: Battle, setup: Setup) -> None:
        scenario = msgspec.convert(setup.scenario, Scenario)
        battle.happens(board(WIDTH, HEIGHT, TABLE))
        piece = h.house(scenario.sections, scenario.collapsed)
        battle.happens(Placed(h.HOUSE, Off("terrain"), piece=piece, rule=SECTIONS))
        for side, models in zip(setup.sides, (scenario.red, scenario.blue), strict=True):
            squad = Thing(ThingId(f"{side} squad"), "unit", side, f"{side} squad")
            battle.happens(Placed(squad.id, Off("a squad"), made=squad, rule=DEPLOY))
            for model in models:
                card = "gunner" if model.startswith("gunner") else "rifleman"
                made = Thing(ThingId(model), side=side, unit=squad.id, card=card, base=MAN, track=2)
                battle.happens(Placed(model, Off("to deploy"), made=made, rule=DEPLOY))
        battle.push(*(Deploy(side) for side in setup.sides), Begin(scenario.turns))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Deploy(side):
                return self.deploy(battle, side)
            case Begin(turns):
                return self.begin(battle, turns)
            case Next(sides, turns):
                return self.next(battle, sides, turns)
            case Act(model):
                return self.act(battle, model)
            case Shoot(shooter, target):
                return shoot(battle, shooter, target)
            case Run(model):
                return self.run(battle, ThingId(model))
        raise AssertionError(step)

    def deploy(self, battle: Battle, side: Side) -> Procedure[None]:
        """The whole squad at once: in its zone, or in places of the house."""
        table = battle.table
        things = tuple(model.id for model in table.members(f"{side} squad"))
        region = Region(inside=(ZONES[side],), slots=h.free_slots(table), rule=ZONE, label="its zone or the house")
        spots = yield PlaceThings(
            side,
            "Deploy your squad",
            topic="deploy",
            about=(f"{side} squad",),
            rules=(DEPLOY, ZONE),
            things=things,
            where={"": region},
            faces=False,
        )
        for model in things:
            battle.happens(Placed(model, spots[model].where, rule=DEPLOY))

    # The turn ---------------------------------------------------------------------------------------------------

    def begin(self, battle: Battle, turns: int) -> Procedure[None]:
        """A new turn: losses are counted from here."""
        table = battle.table
        battle.happens(PhaseBegan(table.turn + 1, "turn", rule=ALTERNATE))
        for squad in list(table.of_kind("unit")):
            strength = sum(model.unit == squad.id for model in in_play(table))
            for what, now in (("strength", strength), ("lost", 0)):
                if squad.count(what) != now:
                    battle.happens(Counted(squad.id, what, squad.count(what), now, rule=ROUT))
        battle.push(Next(table.sides, turns))
        yield from ()

    def next(self, battle: Battle, sides: tuple[Side, ...], turns: int) -> Procedure[None]:
        table = battle.table
        if not all(in_play(table, side) for side in table.sides):
            self.end(battle)
        elif sides:
            battle.push(Next(sides[1:], turns))
            self.activate(battle, f"{sides[0]} squad")
        elif table.turn >= turns:
            self.end(battle)
        else:
            battle.push(Begin(turns))
        yield from ()

    def activate(self, battle: Battle, squad: str) -> None:
        """Every model of the squad acts; a squad that routs rallies or runs."""
        table = battle.table
        models = [model.id for model in in_play(table) if model.unit == squad]
        battle.happens(StepBegan("activate", table[squad].side, (squad,), rule=ALTERNATE))
        if table[squad].has("routing") and not self.rallies(battle, squad):
            battle.push(*(Run(model) for model in models))
            return
        for model in models:
            battle.happens(Counted(model, "AP", table[model].count("AP"), 2, rule=AP_RULE))
        battle.push(*(Act(model) for model in models))

    def rallies(self, battle: Battle, squad: str) -> bool:
        """A Discipline test ends the rout."""
        roll = battle.dice.total("d6")
        needed = explain("discipline", ExplainedPart("discipline", DISCIPLINE, RALLY))
        passed = roll.natural >= DISCIPLINE
        outcome = "rallied" if passed else "runs"
        battle.happens(thrown("discipline", squad, roll, explain(""), needed, outcome, RALLY, 0))
        if passed:
            battle.happens(StateChanged(squad, "routing", 1, None, rule=RALLY))
        return passed

    def run(self, battle: Battle, model: ThingId) -> Procedure[None]:
        """A routing model runs for its own edge as far as it finds room, and off the table there."""
        table = battle.table
        thing = table[model]
        if thing.gone:
            return
        start, degrees = h.where(table, thing), 180 if thing.side == "red" else 0
        edge = start.x - h.CLEAR // 2 if thing.side == "red" else WIDTH - h.CLEAR // 2 - start.x
        far = 2 * card_of(thing).mv * UNIT
        if far > edge:
            battle.happens(Left(model, "routed off the table", rule=OFF_TABLE))
            return
        while far > 0 and refused_ground(table, along(start, degrees, far), RUN, model) is not None:
            far -= UNIT // 2
        if far > 0:
            to = along(start, degrees, far)
            walk = Walk((Via(to),))
            battle.happens(Moved(model, thing.place, At(to), thing.facing, walk, "forced", rule=RUN))
        yield from ()

    def end(self, battle: Battle) -> None:
        table = battle.table
        for side in table.sides:
            theirs = [m for m in table.of_kind("model") if m.side != side]
            lost = len(theirs) - sum(m.side != side for m in in_play(table))
            battle.happens(Scored(side, lost, "enemies lost", rule=SCORE))
        scores = dict(table.scores)
        best = [side for side in scores if scores[side] == max(scores.values())]
        battle.happens(BattleEnded(best[0] if len(best) == 1 else NO_SIDE, scores, "enemies lost", rule=DURATION))

    # Actions ----------------------------------------------------------------------------------------------------

    def act(self, battle: Battle, model: str) -> Procedure[None]:
        """One action, then the rest of the activation."""
        table = battle.table
        thing = table[model]
        if thing.gone or isinstance(thing.place, Off) or not thing.count("AP"):
            if thing.has("moved"):
                battle.happens(StateChanged(model, "moved", 1, None, rule=ONE_MOVE))
            return
        heavy = card_of(thing).heavy
        shots, cost = ("fire heavy weapon", 2) if heavy else ("fire", 1)
        aims = targets(table, thing)
        tired = "" if aims else "Nothing can be seen."
        if cost > thing.count("AP"):
            tired = "That takes two points."
        options = (
            Option(shots, shots, rules=(HEAVY if heavy else FIRE,), refused=tired),
            Option("walk", "walk", rules=(ONE_MOVE,), refused="It has moved already." if thing.has("moved") else ""),
            Option("end", "do nothing more"),
        )
        side = thing.side
        action = yield ChooseOne(
            side, f"{model}: action?", topic="action", about=(model,), options=options, rules=(MODEL_ORDER,)
        )
        battle.push(Act(model))
        if action == "end":
            battle.happens(Counted(model, "AP", thing.count("AP"), 0, rule=UNSPENT))
        elif action == "walk":
            yield from self.walk(battle, thing)
        else:
            target = yield ChooseOne(
                side,
                "At which model or section?",
                topic="target",
                about=(model,),
                options=aims,
                rules=(SECTIONS,),
                shows=("distance", "reach", "sight", "odds"),
            )
            rule = HEAVY if heavy else FIRE
            battle.happens(Declared(model, action, (target,), rule=rule))
            battle.happens(Spent(model, "AP", cost, thing.count("AP") - cost, rule=rule))
            battle.push(Shoot(model, target))

    def walk(self, battle: Battle, thing: Thing) -> Procedure[None]:
        """One straight step to a free place in the open or in the house."""
        table = battle.table
        start, reach = h.where(table, thing), card_of(thing).mv * UNIT
        near = tuple(
            one
            for one in h.free_slots(table)
            if center_gap(h.point_of_slot(table, one), start) <= reach**2 and may_climb(table, thing, one)
        )
        region = Region(inside=(Disc(start, reach),), slots=near, rule=WALK, label="reach", whole=False)
        spots = yield PlaceThings(
            thing.side,
            f"Move {thing.id}",
            topic="walk",
            about=(thing.id,),
            rules=(WALK,),
            shows=("distance", "reach", "sight", "odds"),
            things=(thing.id,),
            where={"": region},
            faces=False,
            decline="Stay",
        )
        if spots is None:
            return
        place = spots[thing.id].where
        to = h.point_of_slot(table, place) if isinstance(place, In) else place.point
        battle.happens(Spent(thing.id, "AP", 1, thing.count("AP") - 1, rule=WALK))
        battle.happens(StateChanged(thing.id, "moved", None, 1, "end of activation", rule=ONE_MOVE))
        battle.happens(Moved(thing.id, thing.place, place, thing.facing, Walk((Via(to),)), rule=WALK))

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        yield from comes_due(battle, due)

    # Drafts -----------------------------------------------------------------------------------------------------

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if not isinstance(question, PlaceThings) or answer is None:
            return None
        region = question.where[""]
        spots: dict[str, Spot] = answer
        for thing, spot in spots.items():
            refusal = refused_spot(view.table, thing, spot, region, question.topic)
            if refusal is not None:
                return refusal
        return refused_together(spots, question.rules[0])
