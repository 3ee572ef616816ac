"""Transcript 7: a charge under Ready-to-Fire, a hero who shrugs a shot off, and a Strike Back.

A cut of combataction in centimetres: walk, charge, fire, save a point, close combat with push back and breaking away.
Every model is a unit of its own. Left out: terrain, pinning, grenades, the second strike where there is no space.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.directions import along
from sandtable.engine.events import (
    BattleEnded,
    Counted,
    Declared,
    Halted,
    HarmApplied,
    HarmCancelled,
    HarmNoted,
    ModelLost,
    Moved,
    PhaseBegan,
    Placed,
    Rolled,
    Scored,
    Spent,
    StateChanged,
    StepBegan,
)
from sandtable.engine.explain import ExplainedPart, explain, inches
from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    Confirm,
    MoveModels,
    Option,
    PathNote,
    PlaceThings,
    Preview,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import UNIT, At, Base, Leg, Point, Region, Spot, Via, Walk
from sandtable.engine.state import Due, Step
from sandtable.engine.table import Table, Thing
from sandtable.engine.windows import Reacted, reaction_window
from sandtable.field.encounters import meetings, over_edge
from sandtable.field.measure import center_gap, contact, gap, in_arc, outline_of
from sandtable.field.paths import Track, length_between, resolve
from sandtable.field.templates import sector
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
from tests.miniatures.standing import base_of, blocked, board, moved, others, outline, point_of, pose, track_of

AP_RULE = "combataction.actions.two-action-points"
ONE_MOVE = "combataction.actions.repeat-actions"
WALK = "combataction.actions.walk"
CHARGE = "combataction.actions.charge"
CHARGE_DISTANCE = "combataction.movement.charge-distance"
CHARGE_TURNING = "combataction.movement.charge-turning"
FREE_ATTACK = "combataction.movement.charge-free-attack"
FIRE = "combataction.actions.standard-fire"
SAVING = "combataction.shooting.save-action-point"
READY = "combataction.shooting.ready-to-fire-reaction"
READY_ENDS = "combataction.shooting.ready-to-fire-ends"
ENGAGED = "combataction.close-combat.engaged"
ATTACK = "combataction.close-combat.who-may-attack"
STRIKE = "combataction.close-combat.roll-to-strike"
STRIKE_BACK = "combataction.close-combat.strike-back"
WINNER = "combataction.close-combat.winner"
PUSH = "combataction.close-combat.push-back"
BREAK_AWAY = "combataction.close-combat.break-away-winner"
LEAVING = "combataction.close-combat.break-away-free-attack"
HEROIC_TEST = "combataction.personnel.heroic-test"
NULLIFY = "combataction.personnel.heroic-nullify-shot"
SAVE_DROPS = "combataction.personnel.heroic-save-drops"
OUT = "combataction.damage.out-of-action"
INITIATIVE = "combataction.turn.initiative-roll"
FIRST_OR_LAST = "combataction.turn.initiative-choice"
ALTERNATE = "combataction.turn.alternate-activation"
DURATION = "combataction.battle.duration"
DEPLOY = "combataction.battle.deploy-alternately"
SCORE = "combataction.battle.victory-points"

CARDS = {
    "hero": Card(9, 5, 2, 5, 1, 30, knife=1, save=2),
    "trooper": Card(8, 6, 1, 6, 1, 30, knife=0),
    "rifleman": Card(8, 6, 1, 5, 2, 70),
}
MAN = Base("circle", 2500)
NOW = "now"
ALL_OPEN = ("distance", "reach", "sight", "odds")


class Fielded(msgspec.Struct, frozen=True):
    """One model as the scenario fields it, in thousandths of a centimetre."""

    id: str
    side: str
    card: str
    x: int
    y: int
    facing: int = 0
    ready: bool = False


class Scenario(msgspec.Struct, frozen=True):
    """What a battle starts from. With `first` nobody rolls for the initiative of the first turn."""

    models: tuple[Fielded, ...] = (
        Fielded("A", "red", "hero", 24000, 20000),
        Fielded("D", "red", "rifleman", 18000, 26000),
        Fielded("E", "red", "trooper", 24000, 14000),
        Fielded("B", "blue", "trooper", 30000, 22000, 180),
        Fielded("C", "blue", "rifleman", 36000, 18000, 180),
        Fielded("F", "blue", "hero", 30000, 16000, 180),
    )
    first: str = ""
    turns: int = 4


class Begin(Step, frozen=True):
    turns: int
    first: str = ""


class Next(Step, frozen=True):
    side: str
    turns: int


class Act(Step, frozen=True):
    """One action of the active model; it puts the rest of its activation back in front."""

    model: str


class Shoot(Step, frozen=True):
    shooter: str
    target: str


class Fight(Step, frozen=True):
    """One attack in close combat. `charged` is the direction of the charge it follows, `free` an attack on a leaver."""

    attacker: str
    defender: str
    charged: int | None = None
    free: bool = False


class Leave(Step, frozen=True):
    """A model that has survived the free attacks moves away."""

    model: str
    charges: bool


# Pure functions -----------------------------------------------------------------------------------------------------


def card_of(thing: Thing) -> Card:
    """The values of a model; wounds halve its movement."""
    card = CARDS[thing.card]
    return card._replace(mv=card.mv // 2) if thing.has("wounded") else card


def foes_in_contact(table: Table, model: str) -> list[Thing]:
    """The enemies whose bases a model touches."""
    thing = table[model]
    return [m for m in others(table, model) if m.side != thing.side and contact(outline(m), outline(thing))]


def distance_between(one: Thing, other: Thing) -> int:
    """How far two models are apart, base to base."""
    return max(0, gap(outline(one), outline(other)))


def pushed_at_most(table: Table, model: str, degrees: int, most: int = 5 * UNIT) -> int:
    """How far a model can be pushed in a direction: up to the next base or the edge of the table."""
    start, base = point_of(table[model]), base_of(table[model])
    track = resolve(pose(table[model]), Walk((Via(along(start, degrees, most)),)))
    free = track.length
    for met in meetings(track, base, [outline(other) for other in others(table, model)]):
        if met.last is not None:
            free = min(free, met.last)
    while free > 0 and over_edge(outline_of(base, track.pose_at(free).point, 0), table.ground):
        free = max(0, free - UNIT // 10)
    return free


def into_contact(table: Table, model: str, walk: Walk) -> Walk:
    """A charge that leads into an enemy, up to where their bases touch: the last point before they would overlap."""
    track = track_of(table, model, walk)
    foes = [outline(foe) for foe in others(table, model) if foe.side != table[model].side]
    met = [meeting.last for meeting in meetings(track, base_of(table[model]), foes) if meeting.last is not None]
    return track.cut(min(met))[0] if met else walk


class ChargeAndHero(Ruleset):
    """Models act by turns with two points each; who saved a point may break into the enemy's moves."""

    name = "charge-and-hero"
    title = "A charge and a hero"
    unit = "cm"
    steps = (Begin, Next, Act, Shoot, Fight, Leave)
    concession_rule = SCORE
    draw_rule = SCORE

    def open(self, battle: Battle, setup: Setup) -> None:
        scenario = msgspec.convert(setup.scenario, Scenario)
        battle.happens(board(60 * UNIT, 40 * UNIT, "combataction.battle.table-size"))
        for model in scenario.models:
            card = CARDS[model.card]
            counts = {"save": card.save} if card.save else {}
            made = Thing(model.id, side=model.side, card=model.card, base=MAN, track=2, counts=counts)
            where = At(Point(model.x, model.y))
            battle.happens(Placed(model.id, where, model.facing, made=made, rule=DEPLOY))
            if model.ready:
                battle.happens(StateChanged(model.id, "ready to fire", None, 1, "next activation", rule=SAVING))
        battle.push(Begin(scenario.turns, scenario.first))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Begin(turns, first):
                return self.begin(battle, turns, first)
            case Next(side, turns):
                return self.next(battle, side, turns)
            case Act(model):
                return self.act(battle, model)
            case Shoot(shooter, target):
                return self.shoot(battle, shooter, target)
            case Fight():
                return self.fight(battle, step)
            case Leave(model, charges):
                return self.move(battle, model, charges)
        raise AssertionError(step)

    # The turn ---------------------------------------------------------------------------------------------------

    def begin(self, battle: Battle, turns: int, first: str) -> Procedure[None]:
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

    def next(self, battle: Battle, side: str, turns: int) -> Procedure[None]:
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
        battle.happens(BattleEnded(best[0] if len(best) == 1 else "", scores, "enemies lost", rule=DURATION))

    # Actions ----------------------------------------------------------------------------------------------------

    def act(self, battle: Battle, model: str) -> Procedure[None]:
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
            battle.happens(Counted(model, "AP", thing.count("AP"), 0, rule="combataction.actions.unspent-points-lost"))
            return
        cost = {"charge": 2, "attack": 2}.get(action.split(" ")[0], 1)
        target = action.removeprefix("fire at ").removeprefix("attack ") if " " in action else ""
        name = action.split(" ")[0]
        battle.happens(Declared(model, name, (target,) if target else (), rule=_rule_of(name)))
        battle.happens(Spent(model, "AP", cost, thing.count("AP") - cost, rule=_rule_of(name)))
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
                    yield from self.move(battle, model, name == "charge")

    def rest(self, battle: Battle, model: str) -> None:
        if battle.table[model].has("moved"):
            battle.happens(StateChanged(model, "moved", 1, None, rule=ONE_MOVE))

    def move(self, battle: Battle, model: str, charges: bool) -> Procedure[None]:
        """Ask for the path and walk it from trigger to trigger; a charge into contact gives a free attack."""
        table = battle.table
        thing = table[model]
        if thing.gone:
            return
        cm = card_of(thing).mv * (2 if charges else 1)
        walks = yield MoveModels(
            thing.side,
            f"{'Charge with' if charges else 'Move'} {model}",
            topic="charge" if charges else "walk",
            about=(model,),
            rules=(CHARGE_DISTANCE, CHARGE_TURNING) if charges else (WALK,),
            shows=ALL_OPEN,
            models=(model,),
            allowance={model: cm * UNIT},
            manner="charge" if charges else "walk",
            default={},
        )
        walk = walks.get(model, Walk())
        track = track_of(table, model, into_contact(table, model, walk) if charges else walk)
        yield from self.walk(battle, model, track, CHARGE if charges else WALK)
        foes = [] if table[model].gone else foes_in_contact(table, model)
        if charges and foes:
            battle.happens(Declared(model, "attack", (foes[0].id,), rule=FREE_ATTACK))
            battle.push(Fight(model, foes[0].id, charged=table[model].facing))

    def walk(self, battle: Battle, model: str, track: Track, rule: str) -> Procedure[None]:
        """Walk a path; after a halt the rest of it binds.

        combataction.shooting.ready-to-fire-reaction    anywhere on the way, but not once bases touch
        """
        table = battle.table
        foes = [outline(foe) for foe in others(table, model) if foe.side != table[model].side]
        met = [meeting.contact for meeting in meetings(track, base_of(table[model]), foes)]
        last = min([track.length, *(max(0, at - 1) for at in met)])
        at = 0
        while True:
            broken = yield from self.broken_into(battle, model, (at, last))
            if broken is None:
                break
            shooter, where = broken
            self.step(battle, moved(model, track, at, where, rule))
            battle.happens(Halted(model, where, table[model].place, shooter, rule=READY))
            at = where
            yield from self.shot(battle, shooter, model)
            if table[model].gone:
                return
        self.step(battle, moved(model, track, at, track.length, rule))

    def step(self, battle: Battle, event: Moved | None) -> None:
        if event is not None:
            battle.happens(event)

    def broken_into(self, battle: Battle, model: str, stretch: tuple[int, int]) -> Procedure[tuple[str, int] | None]:
        """Ask the other side whether one of its ready models fires, and when; takes its marker."""
        table = battle.table

        def ready(side: str, declared: Sequence[Reacted]) -> list[ReactOption]:
            able = [m for m in table.models(side) if m.has("ready to fire") and not foes_in_contact(table, m.id)]
            return [ReactOption(m.id, f"{m.id} fires", m.id, {"saved point": 1}, (READY,)) for m in able]

        reacted = yield from reaction_window(
            battle,
            moment="ready to fire",
            prompt=f"Fire at {model} on its way?",
            options=ready,
            rules=(READY,),
            about=(model,),
            opened_by=table[model].side,
            sides=tuple(side for side in table.sides if side != table[model].side),
            once=True,
            stretch=stretch,
        )
        if not reacted:
            return None
        reaction = reacted[0].reaction
        battle.happens(StateChanged(reaction.option, "ready to fire", 1, None, rule=READY_ENDS))
        assert reaction.along is not None
        return reaction.option, reaction.along

    # Shooting ---------------------------------------------------------------------------------------------------

    def shoot(self, battle: Battle, shooter: str, target: str) -> Procedure[None]:
        yield from self.shot(battle, shooter, target)

    def shot(self, battle: Battle, shooter: str, target: str) -> Procedure[None]:
        """One shot: to hit, the Defence Roll, then what it does, unless a hero shrugs it off."""
        table = battle.table
        card = card_of(table[shooter])
        added = hit_modifiers(table[shooter], card, distance_between(table[shooter], table[target]))
        if added is None:
            return
        needed = needs_to_hit(card)
        roll = battle.dice.total("d6")
        hit = hits(roll.natural, roll.natural + added.total, needed.total)
        n = battle.happens(thrown("to hit", shooter, roll, added, needed, "hit" if hit else "miss", TO_HIT, 0))
        if not hit:
            return
        due = self.defend(battle, target, card.pen, n)
        if due:
            yield from self.heroics(battle, target, due)
            yield from battle.settle(NOW)

    def defend(self, battle: Battle, target: str, pen: int, because: int) -> int:
        """The Defence Roll; gives the number of the harm that is noted, or 0."""
        added, needed = pen_part(pen), defence_needs(CARDS[battle.table[target].card].pf)
        roll = battle.dice.total("d6")
        through = roll.natural + added.total >= needed.total
        outcome = "damaged" if through else "held"
        n = battle.happens(thrown("defence", target, roll, added, needed, outcome, DEFENCE, because))
        if not through:
            return 0
        harm = severity(roll.natural, battle.table[target])
        return battle.note(HarmNoted(target, harm, NOW, rule=CREATURES, because=n))

    def heroics(self, battle: Battle, hero: str, due: int) -> Procedure[None]:
        """A hero who was hit may test, again and again while he has a save left; each test costs a point of it."""
        noted = next(entry for entry in battle.state.due if entry.id == due)
        while battle.table[hero].count("save"):
            save = battle.table[hero].count("save")
            tries = yield Confirm(
                battle.table[hero].side,
                f"Heroic Test for {hero}?",
                topic="heroic test",
                about=(hero,),
                rules=(NULLIFY,),
                facts={"chance": 100 * save // 6, "save": save},
                yes=f"on {save} or less the shot never hit; the save drops by 1",
                no=noted.harm.what,
            )
            if not tries:
                return
            roll = battle.dice.total("d6")
            passed = roll.natural <= save
            outcome = "passed" if passed else "failed"
            n = battle.happens(
                Rolled(
                    "heroic test",
                    hero,
                    roll.dice,
                    roll.faces,
                    roll.natural,
                    total=roll.natural,
                    outcome=outcome,
                    rule=HEROIC_TEST,
                    detail={"at most": save},
                )
            )
            if passed:
                entry = battle.cancel(due)
                battle.happens(HarmCancelled(hero, entry.harm, hero, rule=NULLIFY, because=n))
            battle.happens(Counted(hero, "save", save, save - 1, rule=SAVE_DROPS, because=n))
            if passed:
                return

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        """A wound is a state and a point of harm; anything worse takes the model off the table."""
        model = battle.table[due.target]
        after = model.harm + due.harm.amount
        n = battle.happens(HarmApplied(model.id, due.harm, model.harm, after, rule=CREATURES, because=due.because))
        if due.harm.what == "wounded":
            battle.happens(StateChanged(model.id, "wounded", None, 1, "end of battle", rule=WOUNDED, because=n))
        else:
            battle.happens(ModelLost(model.id, due.harm.what, rule=OUT, because=n))
        yield from ()

    # Close combat -----------------------------------------------------------------------------------------------

    def fight(self, battle: Battle, step: Fight) -> Procedure[None]:
        """One attack, perhaps a Strike Back; then whoever hit may push or break away."""
        table = battle.table
        attacker, defender = table[step.attacker], table[step.defender]
        if attacker.gone or defender.gone:
            return
        card = card_of(attacker)
        parts = [ExplainedPart("close combat weapon", 1, STRIKE)] if card.knife is not None else []
        if attacker.has("wounded"):
            parts.append(ExplainedPart("wounded", -1, WOUNDED))
        added = explain("strike", *parts)
        needed = explain("strike", ExplainedPart("fighting ability", card.fa, STRIKE))
        roll = battle.dice.total("d6")
        back = roll.natural == 1 and not step.free and card_of(defender).knife is not None
        hit = roll.natural != 1 and roll.natural + added.total >= needed.total
        outcome = "strike back" if back else "hit" if hit else "miss"
        rule = STRIKE_BACK if back else STRIKE
        n = battle.happens(thrown("strike", attacker.id, roll, added, needed, outcome, rule, 0))
        if not (hit or back):
            return
        winner, loser = (defender, attacker) if back else (attacker, defender)
        if self.defend(battle, loser.id, card_of(winner).knife or 0, n):
            yield from battle.settle(NOW)
        if not step.free and not table[loser.id].gone:
            yield from self.follow_up(battle, winner.id, loser.id, None if back else step.charged, n)

    def follow_up(self, battle: Battle, winner: str, loser: str, charged: int | None, because: int) -> Procedure[None]:
        """The winner pushes the loser back, breaks away, or does neither."""
        table = battle.table
        arc = [charged] if charged is not None else [table[winner].facing + turn for turn in range(-45, 46, 5)]
        room = any(pushed_at_most(table, loser, degrees % 360) >= UNIT for degrees in arc)
        options = (
            Option("push back", "push back", (loser,), (PUSH,), "" if room else "There is no space."),
            Option("break away", "break away", (winner,), (BREAK_AWAY,)),
            Option("neither", "neither"),
        )
        side = table[winner].side
        choice = yield ChooseOne(
            side, f"{winner} has won", topic="won", about=(winner, loser), options=options, rules=(WINNER,)
        )
        if choice == "push back" and charged is not None:
            yield from self.push_on(battle, side, loser, charged % 360, because)
        elif choice == "push back":
            yield from self.push_away(battle, side, winner, loser, because)
        elif choice == "break away":
            yield from self.break_away(battle, winner)

    def push_on(self, battle: Battle, side: str, loser: str, degrees: int, because: int) -> Procedure[None]:
        """A charger pushes straight on, so far as its side likes."""
        most = pushed_at_most(battle.table, loser, degrees)
        far = tuple(Option(str(cm), f"{cm} cm") for cm in range(1, most // UNIT + 1))
        cm = yield ChooseOne(side, f"How far is {loser} pushed?", topic="push on", options=far, rules=(PUSH,))
        self.pushed(battle, loser, along(point_of(battle.table[loser]), degrees, int(cm) * UNIT), because)

    def push_away(self, battle: Battle, side: str, winner: str, loser: str, because: int) -> Procedure[None]:
        """Anybody else pushes in any direction of its front arc."""
        table = battle.table
        region = Region(
            inside=(sector(point_of(table[loser]), table[winner].facing, 5 * UNIT, 45),),
            whole=False,
            rule=PUSH,
            label=f"5 cm in the front arc of {winner}",
        )
        spots = yield PlaceThings(
            side,
            f"Push {loser} where?",
            topic="push",
            about=(loser, winner),
            rules=(PUSH,),
            shows=ALL_OPEN,
            things=(loser,),
            where={"": region},
            faces=False,
            decline="Leave it where it is",
        )
        if spots is not None:
            self.pushed(battle, loser, spots[loser].where.point, because)

    def pushed(self, battle: Battle, loser: str, to: Point, because: int) -> None:
        thing = battle.table[loser]
        walk = Walk((Via(to),))
        battle.happens(Moved(loser, thing.place, At(to), thing.facing, walk, "pushed", rule=PUSH, because=because))

    def break_away(self, battle: Battle, winner: str) -> Procedure[None]:
        table = battle.table
        most = min(10, card_of(table[winner]).mv) * UNIT
        walks = yield MoveModels(
            table[winner].side,
            f"{winner} breaks away",
            topic="break away",
            about=(winner,),
            rules=(BREAK_AWAY,),
            shows=ALL_OPEN,
            models=(winner,),
            allowance={winner: most},
            decline="Stay",
        )
        if walks:
            track = track_of(table, winner, walks[winner])
            yield from self.walk(battle, winner, track, BREAK_AWAY)

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
        distances = {foe.id: length_between(track.end.point, point_of(foe)) for foe in view.enemies()}
        return Preview(notes=(f"turns {turned(walk)}°",), distances=distances, paths=(note,))


def _rule_of(action: str) -> str:
    return {"walk": WALK, "charge": CHARGE, "fire": FIRE, "attack": ATTACK, "save": SAVING}[action]


def turned(walk: Walk) -> int:
    """How far a charge turns in all; its first direction is free."""
    return sum(abs(leg.turn) for leg in walk.legs[1:] if isinstance(leg, Leg))


def action_options(table: Table, model: str) -> tuple[Option, ...]:
    """What a model may do with its points; what it may not do says why."""
    thing = table[model]
    foes = foes_in_contact(table, model)
    has_moved = "It has moved already." if thing.has("moved") else ""
    dear = "That takes two points." if thing.count("AP") < 2 else ""
    engaged = "It is engaged in close combat." if foes else ""
    options = [
        Option("walk", "walk", rules=(ONE_MOVE,), refused=has_moved),
        Option("charge", "charge", rules=(ONE_MOVE if has_moved else AP_RULE,), refused=has_moved or dear),
        Option("save", "save a point", rules=(SAVING,), refused="It is ready." if thing.has("ready to fire") else ""),
    ]
    enemies = [enemy for enemy in table.models() if enemy.side != thing.side]
    for enemy in enemies:
        far = distance_between(thing, enemy) > card_of(thing).reach * UNIT
        why = engaged or ("It is out of reach." if far else "")
        options.append(
            Option(f"fire at {enemy.id}", f"fire at {enemy.id}", (enemy.id,), (ENGAGED if engaged else FIRE,), why)
        )
    options += [Option(f"attack {foe.id}", f"attack {foe.id}", (foe.id,), (ATTACK,), dear) for foe in foes]
    return (*options, Option("end", "do nothing more"))


def refused_move(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Why a path cannot be walked; a charge may turn 90 degrees in all, and only a charge ends in contact."""
    for model, given in answer.items():
        walk = given
        if not all(isinstance(leg, Leg) and leg.go >= 0 for leg in walk.legs):
            return Refusal(question.rules[0], f"{model} turns and goes forward, leg by leg.")
        if question.topic == "charge":
            walk = into_contact(view.table, model, walk)
        length = track_of(view.table, model, walk).length
        if length > question.allowance[model]:
            allowed = inches(question.allowance[model], " cm")
            return Refusal(question.rules[0], f"That is {inches(length, ' cm')}; {allowed} are allowed.")
        if question.topic == "charge" and turned(walk) > 90:
            return Refusal(CHARGE_TURNING, f"A charge turns at most 90° in all; this one turns {turned(walk)}°.")
        refusal = blocked(view.table, model, walk, question.rules[0])
        if refusal is not None:
            return refusal
        if question.topic == "break away" and touches_at_end(view, model, walk):
            return Refusal(BREAK_AWAY, "It may not end in contact with an enemy.")
    return None


def touches_at_end(view: View, model: str, walk: Walk) -> bool:
    """Whether a path ends in contact with an enemy."""
    end = track_of(view.table, model, walk).end
    shape = outline_of(base_of(view.table[model]), end.point, end.facing)
    return any(contact(shape, outline(foe)) for foe in view.enemies())


def refused_push(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why a model cannot be pushed there: too far, out of the arc, or something is in the way."""
    loser, winner = question.about
    thing, spot = view.table[loser], answer[loser]
    if not isinstance(spot.where, At) or spot.where.level:
        return Refusal(PUSH, "It is pushed along the ground.")
    start, to = point_of(thing), spot.where.point
    if center_gap(start, to) > (5 * UNIT) ** 2:
        return Refusal(PUSH, "A push is of at most 5 cm.")
    if not in_arc(start, view.table[winner].facing, to, -45, 45):
        return Refusal(PUSH, f"That is not in the front arc of {winner}.")
    return blocked(view.table, loser, Walk((Via(to),)), PUSH)
