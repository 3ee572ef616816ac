"""Transcript 8: a shot brings a house down, section by section, on those inside.

A cut of combataction in centimetres: two squads of several models, rifles and one heavy weapon, a house whose
sections are pierced, collapse and fall on each other, losses that rout. Left out: cover, lines of sight and pinning;
a move is one straight step to a free place.
"""

from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.directions import along
from sandtable.engine.events import (
    BattleEnded,
    Counted,
    Declared,
    Harm,
    HarmApplied,
    HarmCancelled,
    HarmNoted,
    Left,
    ModelLost,
    Moved,
    PhaseBegan,
    Placed,
    Rolled,
    Scored,
    Spent,
    StateChanged,
    StepBegan,
    TerrainChanged,
)
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import UNIT, At, Base, Disc, In, Off, Point, Region, Spot, Via, Walk, rectangle
from sandtable.engine.state import Due, Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import center_gap, covers, outline_of, overlap
from sandtable.field.paths import length_between
from tests.miniatures import house as h
from tests.miniatures.creatures import (
    CREATURES,
    DEFENCE,
    TO_HIT,
    WOUNDED,
    Card,
    defence_needs,
    hit_modifiers,
    hits,
    needs_to_hit,
    pen_part,
    severity,
    thrown,
)
from tests.miniatures.standing import board

DEPLOY = "combataction.battle.deploy-alternately"
ZONE = "combataction.battle.deployment-zone"
TABLE = "combataction.battle.table-size"
ALTERNATE = "combataction.turn.alternate-activation"
MODEL_ORDER = "combataction.turn.model-order"
AP_RULE = "combataction.actions.two-action-points"
UNSPENT = "combataction.actions.unspent-points-lost"
ONE_MOVE = "combataction.actions.repeat-actions"
WALK = "combataction.actions.walk"
FIRE = "combataction.actions.standard-fire"
HEAVY = "combataction.actions.fire-heavy-weapon"
SECTIONS = "combataction.damage.building-sections"
BUILDING = "combataction.damage.building-table"
PIERCED = "combataction.damage.section-pierced"
PARTIAL = "combataction.damage.partial-collapse"
DESTROYED = "combataction.damage.section-destroyed"
ABOVE = "combataction.damage.sections-above-fall"
OUT = "combataction.damage.out-of-action"
KILLED = "combataction.damage.killed"
ROUT = "combataction.morale.rout"
RALLY = "combataction.morale.rally"
RUN = "combataction.morale.rout-run"
OFF_TABLE = "combataction.morale.rout-off-table"
DURATION = "combataction.battle.duration"
SCORE = "combataction.battle.victory-points"

CARDS = {"gunner": Card(6, 6, 1, 5, 7, 110, heavy=True), "rifleman": Card(8, 6, 1, 4, 2, 70)}
DISCIPLINE = 4
MAN = Base("circle", h.CLEAR)
NOW = "now"
WIDTH, HEIGHT = 60 * UNIT, 40 * UNIT
ZONES = {"red": rectangle(0, 0, 12 * UNIT, HEIGHT), "blue": rectangle(WIDTH - 12 * UNIT, 0, 12 * UNIT, HEIGHT)}


#: The sections of the house: the north-west corner of each, and its storey.
SECTIONS_AT = {
    "G": (24000, 14000, 0),
    "U": (24000, 14000, 1),
    "T": (24000, 14000, 2),
    "H": (32500, 14000, 0),
}


class Scenario(msgspec.Struct, frozen=True):
    """What a battle starts from: who fights, what the house is like, who goes first."""

    red: tuple[str, ...] = ("gunner", "gunner-2", "r1")
    blue: tuple[str, ...] = ("b1", "b2", "b3", "b4", "b5")
    sections: dict[str, tuple[int, int, int]] = msgspec.field(default_factory=lambda: dict(SECTIONS_AT))
    collapsed: tuple[str, ...] = ()
    turns: int = 4


class Deploy(Step, frozen=True):
    side: str


class Begin(Step, frozen=True):
    turns: int


class Next(Step, frozen=True):
    """The squads of both sides act by turns."""

    sides: tuple[str, ...]
    turns: int


class Act(Step, frozen=True):
    """One action of a model; it puts the rest of its activation back in front."""

    model: str


class Shoot(Step, frozen=True):
    shooter: str
    target: str


class Run(Step, frozen=True):
    model: str


# Pure functions -----------------------------------------------------------------------------------------------------


def in_play(table: Table, side: str = "") -> list[Thing]:
    """The models on the table or in the house."""
    found = [m for m in table.of_kind("model") if not m.gone and not isinstance(m.place, Off)]
    return [model for model in found if side in ("", model.side)]


def card_of(thing: Thing) -> Card:
    """The values of a model; wounds halve its movement."""
    card = CARDS[thing.card]
    return card._replace(mv=card.mv // 2) if thing.has("wounded") else card


def routs(lost: int, strength: int) -> bool:
    """Whether losses within one turn are more than a third of what the unit had at its start."""
    return 3 * lost > strength


def ground_taken(table: Table, at: Point, but: str = "") -> str:
    """Who stands so near a point of the ground that a base there would overlap theirs, or nobody."""
    for model in in_play(table):
        near = center_gap(h.where(table, model), at) < h.CLEAR**2
        if model.id != but and h.at_ground(table, model) and near:
            return model.id
    return ""


def refused_ground(table: Table, at: Point, rule: str, but: str = "") -> Refusal | None:
    """Why nobody can stand at a point of the ground: off the board, in a wall, or on somebody."""
    shape = outline_of(MAN, at, 0)
    if not covers(rectangle(0, 0, WIDTH, HEIGHT), shape):
        return Refusal(rule, "That is not wholly on the table.")
    for part in h.sections(table):
        if part.level == 0 and h.stands(part) and part.outline is not None and overlap(part.outline, shape):
            return Refusal(rule, f"The walls of {part.id} stand there.")
    who = ground_taken(table, at, but)
    return Refusal(rule, f"{who} stands there.") if who else None


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
            squad = Thing(f"{side} squad", "unit", side, f"{side} squad")
            battle.happens(Placed(squad.id, Off("a squad"), made=squad, rule=DEPLOY))
            for model in models:
                card = "gunner" if model.startswith("gunner") else "rifleman"
                made = Thing(model, side=side, unit=squad.id, card=card, base=MAN, track=2)
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
                return self.shoot(battle, shooter, target)
            case Run(model):
                return self.run(battle, model)
        raise AssertionError(step)

    def deploy(self, battle: Battle, side: str) -> Procedure[None]:
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

    def next(self, battle: Battle, sides: tuple[str, ...], turns: int) -> Procedure[None]:
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

    def run(self, battle: Battle, model: str) -> Procedure[None]:
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
        battle.happens(BattleEnded(best[0] if len(best) == 1 else "", scores, "enemies lost", rule=DURATION))

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

    # Shooting ---------------------------------------------------------------------------------------------------

    def shoot(self, battle: Battle, shooter: str, target: str) -> Procedure[None]:
        """One shot at a model or a section; everything it causes is settled before anything else is done."""
        table = battle.table
        card = card_of(table[shooter])
        building = target not in table.things
        at = h.section(table, target).outline.points[0] if building else h.where(table, table[target])  # type: ignore[union-attr]
        added = hit_modifiers(table[shooter], card, length_between(h.where(table, table[shooter]), at), building)
        if added is None:
            return
        needed = needs_to_hit(card)
        roll = battle.dice.total("d6")
        hit = hits(roll.natural, roll.natural + added.total, needed.total)
        n = battle.happens(thrown("to hit", shooter, roll, added, needed, "hit" if hit else "miss", TO_HIT, 0))
        if hit and building:
            self.hit_section(battle, shooter, target, card.pen, n)
        elif hit:
            self.hit_creature(battle, target, card.pen, n)
        yield from battle.settle(NOW)

    def hit_creature(self, battle: Battle, target: str, pen: int, because: int) -> None:
        """The Defence Roll of a creature, and the harm it notes."""
        added, needed = pen_part(pen), defence_needs(card_of(battle.table[target]).pf)
        roll = battle.dice.total("d6")
        through = roll.natural + added.total >= needed.total
        outcome = "damaged" if through else "held"
        n = battle.happens(thrown("defence", target, roll, added, needed, outcome, DEFENCE, because))
        if through:
            harm = severity(roll.natural, battle.table[target])
            battle.note(HarmNoted(target, harm, NOW, rule=CREATURES, because=n))

    def hit_section(self, battle: Battle, shooter: str, name: str, pen: int, because: int) -> None:
        """The opponent of the shooter rolls for the section; its die says what becomes of it."""
        table = battle.table
        opponent = next(side for side in table.sides if side != table[shooter].side)
        added, needed = pen_part(pen), defence_needs(h.PF)
        roll = battle.dice.total("d6")
        through = roll.natural + added.total >= needed.total
        pierced, partly = roll.natural >= 5, roll.natural in (3, 4)
        outcome = "held" if not through else "pierced" if pierced else "partial collapse" if partly else "destroyed"
        n = battle.happens(thrown("defence", opponent, roll, added, needed, outcome, BUILDING, because))
        state = h.section(table, name).state
        if not through:
            return
        if pierced:
            self.pierce(battle, name, pen, n)
        elif partly and not state:
            battle.happens(TerrainChanged(h.HOUSE, name, state, "collapsed", rule=PARTIAL, because=n))
        else:
            self.note_collapse(battle, name, PARTIAL if partly else DESTROYED, n)

    def pierce(self, battle: Battle, name: str, pen: int, because: int) -> None:
        """The shot goes through the wall: each model inside is hit on a 4 or more."""
        for model in h.inside(battle.table, name):
            roll = battle.dice.total("d6")
            needed = explain("pierced", ExplainedPart("behind the wall", 4, PIERCED))
            outcome = "hit" if roll.natural >= 4 else "miss"
            n = battle.happens(thrown("pierced", model.id, roll, explain(""), needed, outcome, PIERCED, because))
            if outcome == "hit":
                self.hit_creature(battle, model.id, pen, n)

    # Collapse ---------------------------------------------------------------------------------------------------

    def note_collapse(self, battle: Battle, name: str, rule: str, because: int) -> None:
        """A section is to come down; one that is falling already does not fall again."""
        harm = Harm("collapse", detail={"section": name})
        battle.note(HarmNoted(f"{h.HOUSE} {name}", harm, NOW, rule=rule, because=because), once=True)

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        """What is due, first caused first: harm to those inside comes before the section above them falls."""
        if due.harm.what == "collapse":
            self.collapse(battle, str(due.harm.detail["section"]), due)
        elif due.harm.what == "fall":
            yield from self.fall(battle, due)
        else:
            self.hurt(battle, due)

    def collapse(self, battle: Battle, name: str, due: Due) -> None:
        """One section falls: a die for each inside, then survivors come down, then what is on top of it: bottom up."""
        table = battle.table
        part = h.section(table, name)
        if not h.stands(part):
            return
        n = battle.happens(TerrainChanged(h.HOUSE, name, part.state, "destroyed", rule=due.rule, because=due.because))
        caught = h.inside(table, name)
        for model in caught:
            roll = battle.dice.total("d6")
            outcome = severity(roll.natural, model).what
            cause = battle.happens(
                Rolled(
                    "severity",
                    model.id,
                    roll.dice,
                    roll.faces,
                    roll.natural,
                    total=roll.natural,
                    outcome=outcome,
                    rule=DESTROYED,
                    because=n,
                )
            )
            harm = severity(roll.natural, model)
            battle.note(HarmNoted(model.id, harm, NOW, rule=CREATURES, because=cause))
        if part.level:
            for model in caught:
                battle.note(HarmNoted(model.id, Harm("fall"), NOW, rule=ABOVE, because=n))
        for above in h.on_top_of(table, name):
            if h.stands(above):
                self.note_collapse(battle, above.id, ABOVE, n)

    def hurt(self, battle: Battle, due: Due) -> None:
        """A wound stays with a model; anything worse takes it away, and perhaps its squad's nerve."""
        model = battle.table[due.target]
        harm = due.harm
        if harm.what == "wounded" and model.has("wounded"):
            harm = Harm("out of action", model.track - model.harm)
        after = min(model.track, model.harm + harm.amount)
        if harm.what == "wounded":
            n = battle.happens(HarmApplied(model.id, harm, model.harm, after, rule=due.rule, because=due.because))
            battle.happens(StateChanged(model.id, "wounded", None, 1, "end of battle", rule=WOUNDED, because=n))
            return
        rule = KILLED if harm.what == "killed" else OUT
        n = battle.happens(ModelLost(model.id, harm.what, rule=rule, because=due.because))
        for other in battle.taken_with(due):
            battle.happens(HarmCancelled(model.id, other.harm, harm.what, rule=rule, because=n))
        squad = battle.table[model.unit]
        lost = squad.count("lost") + 1
        battle.happens(Counted(squad.id, "lost", lost - 1, lost, rule=ROUT, because=n))
        if routs(lost, squad.count("strength")) and squad.count("strength") > 1 and not squad.has("routing"):
            battle.happens(StateChanged(squad.id, "routing", None, 1, "rallies", rule=ROUT, because=n))

    def fall(self, battle: Battle, due: Due) -> Procedure[None]:
        """A survivor comes down to the ground where it stood; its owner sets it clear of whoever is there."""
        table = battle.table
        model = table[due.target]
        if not isinstance(model.place, In):
            return
        floor = h.below(table, h.section_of(model))
        under = h.point_of_slot(table, model.place)
        on = ground_taken(table, under, model.id) if floor is None else ""
        if floor is not None:
            yield from self.fall_into(battle, model, floor.id, due)
            return
        walk = Walk((Via(under),))
        n = battle.happens(
            Moved(model.id, model.place, At(under), model.facing, walk, "fallen", rule=ABOVE, because=due.because)
        )
        if not on and refused_ground(table, under, ABOVE, model.id) is None:
            return
        region = Region(inside=(Disc(under, 2 * h.CLEAR),), whole=False, rule=ABOVE, label="the nearest free ground")
        spots = yield PlaceThings(
            model.side,
            f"{model.id} falls on {on}: place it clear",
            topic="clear",
            about=(model.id, on),
            rules=(ABOVE,),
            things=(model.id,),
            where={"": region},
            faces=False,
        )
        battle.happens(Placed(model.id, spots[model.id].where, model.facing, rule=ABOVE, because=n))

    def fall_into(self, battle: Battle, model: Thing, floor: str, due: Due) -> Procedure[None]:
        """The section below still stands: whoever falls lands in it, if there is room, else outside the house."""
        table = battle.table
        free = h.free_slots(table, floor)
        assert isinstance(model.place, In)
        same = h.slot(floor, int(model.place.slot.split(" ")[1]))
        place: In | At = same
        if same not in free and free:
            place = free[0]
        elif not free:
            place = At(beside_the_house(table, h.where(table, model)))
        battle.happens(
            Moved(model.id, model.place, place, model.facing, None, "fallen", rule=ABOVE, because=due.because)
        )
        yield from ()

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


def targets(table: Table, shooter: Thing) -> tuple[Option, ...]:
    """Whom or what a model may fire at: enemies in the open, and sections that stand, other than its own."""
    enemies = [m for m in in_play(table) if m.side != shooter.side and isinstance(m.place, At)]
    walls = [part for part in h.sections(table) if h.stands(part) and part.id != h.section_of(shooter)]
    return (
        *(Option(enemy.id, enemy.id, (enemy.id,)) for enemy in enemies),
        *(Option(part.id, f"section {part.id}", (h.HOUSE,), (SECTIONS,)) for part in walls),
    )


def may_climb(table: Table, thing: Thing, to: In) -> bool:
    """From the open one gets into a ground floor; inside, from a section to the next one up, down or beside."""
    level = h.section(table, to.slot.split(" ")[0]).level
    here = h.section(table, h.section_of(thing)).level if h.section_of(thing) else 0
    return level == 0 if not h.section_of(thing) else abs(level - here) <= 1


def refused_spot(table: Table, thing: str, spot: Spot, region: Region, topic: str) -> Refusal | None:
    """Why one model cannot be put somewhere: a slot that is not offered, out of reach, a wall, somebody there."""
    where = spot.where
    if isinstance(where, In):
        return (
            None if where in region.slots else Refusal(region.rule, f"{where.slot or 'That'} is not free to {thing}.")
        )
    if not isinstance(where, At) or where.level:
        return Refusal(region.rule, f"{thing} stands on the ground or in the house.")
    shape = outline_of(MAN, where.point, 0) if region.whole else Disc(where.point, 0)
    if not any(covers(allowed, shape) for allowed in region.inside):
        return Refusal(region.rule, f"{thing} would not be in {region.label}.")
    if topic == "walk" and h.section_of(table[thing]) and h.section(table, h.section_of(table[thing])).level:
        return Refusal(region.rule, f"{thing} is upstairs.")
    return refused_ground(table, where.point, region.rule, thing)


def refused_together(spots: dict[str, Spot], rule: str) -> Refusal | None:
    """Why models that are put down at once stand in each other's way."""
    done: list[tuple[str, Spot]] = []
    for thing, spot in spots.items():
        for other, there in done:
            same = spot.where == there.where
            open_ = isinstance(spot.where, At) and isinstance(there.where, At)
            if same or (open_ and center_gap(spot.where.point, there.where.point) < h.CLEAR**2):  # type: ignore[union-attr]
                return Refusal(rule, f"{thing} and {other} cannot both stand there.")
        done.append((thing, spot))
    return None


def beside_the_house(table: Table, start: Point) -> Point:
    """The nearest free ground, on rings half a centimetre apart, the first direction clockwise from east."""
    for distance in range(0, 30 * UNIT, UNIT // 2):
        for degrees in range(0, 360, 10):
            point = along(start, degrees, distance)
            if refused_ground(table, point, ABOVE) is None:
                return point
    raise AssertionError("no free ground within thirty centimetres")
