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
    Forfeited,
    Grouped,
    Harm,
    HarmApplied,
    HarmCancelled,
    HarmNoted,
    ModelLost,
    PhaseBegan,
    Placed,
    Scored,
    Spent,
    StateChanged,
    StepBegan,
)
from sandtable.engine.explain import inches
from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    MarkAsked,
    MoveModels,
    Option,
    PathNote,
    Plan,
    PlanPart,
    Preview,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import UNIT, At, Base, Leg, Off, Point, Walk
from sandtable.engine.state import Due, Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.engine.windows import Reacted, reaction_window
from sandtable.field.paths import Pose, length_between, resolve
from tests.miniatures.squad_plan import (
    AP,
    DECLARE,
    INSPIRE,
    LOCK,
    SEIZE,
    Orders,
    declared,
    guest_of,
    idle_squads,
    plan_parts,
    plan_preview,
    refused_plan,
    who_acts,
)
from tests.miniatures.squad_shooting import (
    COMBAT_ROLL,
    DAMAGE,
    MACS,
    PILOT_CHECK,
    beaten,
    damage,
    needs,
    pilot_check_needs,
    rolled,
)
from tests.miniatures.standing import blocked, board, moved, outline, point_of, pose, track_of

SEQUENCE = "strikeops.actions.activation-sequence"
TWO_AP = "strikeops.actions.two-action-points"
IMPOSSIBLE = "strikeops.actions.impossible-action-is-forfeit"
REMOVED = "strikeops.actions.lost-when-a-model-is-removed"
MOVE = "strikeops.movement.move-action"
STACKING = "strikeops.movement.no-stacking"
STATIONARY = "strikeops.movement.not-moving-is-stationary"
STAND_UP = "strikeops.movement.standing-up"
MOVE_AND_SHOOT = "strikeops.shooting.move-and-shoot"
DEFENSIVE = "strikeops.shooting.defensive-fire"
WINDOW = "strikeops.shooting.defensive-fire-timing"
AT_END = "strikeops.damage.applied-at-end-of-activation"
SETTLING = "strikeops.damage.end-of-activation-order"
TRACK = "strikeops.damage.damage-track"
OUTRIGHT = "strikeops.damage.destroyed-outright"
SURPLUS = "strikeops.damage.surplus-attacks-are-lost"
FAILED_CHECK = "strikeops.damage.failed-pilot-check"
FUMBLED_CHECK = "strikeops.damage.pilot-check-fumble"
ONE_ACTIVATION = "strikeops.initiative.one-activation-a-turn"
PHASES = "strikeops.initiative.sequence-of-play"
DEPLOYED = "strikeops.setup.order"
C3_POOL = "strikeops.command.pool-size"
WINNER = "strikeops.victory.winner-by-points"

MV, DT = 6, 3
END = "end of activation"
ALL_OPEN = ("distance", "reach", "sight", "odds")


class Fielded(msgspec.Struct, frozen=True):
    """One model as the scenario fields it, in inches."""

    id: str
    side: str
    squad: str
    x: int
    y: int
    facing: int = 0
    harm: int = 0


class Scenario(msgspec.Struct, frozen=True):
    """What a battle starts from."""

    models: tuple[Fielded, ...] = (
        Fielded("R1", "red", "red 3", 4, 6),
        Fielded("R2", "red", "red 3", 4, 12),
        Fielded("R3", "red", "red 3", 4, 18),
        Fielded("R4", "red", "red 4", 2, 9),
        Fielded("B1", "blue", "blue 1", 16, 6, 180),
        Fielded("B2", "blue", "blue 1", 16, 12, 180),
        Fielded("B3", "blue", "blue 1", 16, 18, 180),
        Fielded("B4", "blue", "blue 2", 18, 9, 180),
    )
    c3: int = 2
    turns: int = 3
    width: int = 36
    height: int = 24


class Begin(Step, frozen=True):
    turns: int


class NextSquad(Step, frozen=True):
    side: str
    turns: int


class Activate(Step, frozen=True):
    squad: str


class Resolve(Step, frozen=True):
    squad: str
    orders: tuple[Orders, ...]
    left: tuple[str, ...]


class Attack(Step, frozen=True):
    squad: str
    orders: tuple[Orders, ...]
    model: str


class Fire(Step, frozen=True):
    shooter: str
    target: str
    weapon: str
    inspired: bool = False
    defensive: bool = False


class Go(Step, frozen=True):
    """The rest of a walk that was begun: from which pose the whole of it started, and how far along it is."""

    model: str
    x: int
    y: int
    facing: int
    walk: Walk
    along: int


class Settle(Step, frozen=True):
    squad: str


class Close(Step, frozen=True):
    """The end of an activation; a guest that a C3 point attached goes back to its own squad."""

    squad: str
    guest: str = ""
    home: str = ""


class SquadDeclares(Ruleset):
    """Squads by turns; each declares all its actions, then resolves them, then all harm is applied."""

    name = "squad-declares"
    title = "A squad declares"
    steps = (Begin, NextSquad, Activate, Resolve, Attack, Fire, Go, Settle, Close)
    concession_rule = WINNER
    draw_rule = WINNER

    def open(self, battle: Battle, setup: Setup) -> None:
        scenario = msgspec.convert(setup.scenario, Scenario)
        battle.happens(board(scenario.width * UNIT, scenario.height * UNIT, DEPLOYED))
        for squad in dict.fromkeys((model.squad, model.side) for model in scenario.models):
            made = Thing(squad[0], "unit", squad[1], label=f"squad {squad[0]}")
            battle.happens(Placed(made.id, Off("a squad"), made=made, rule=DEPLOYED))
        for model in scenario.models:
            made = Thing(model.id, side=model.side, unit=model.squad, base=Base("circle", UNIT), track=DT + 1)
            made = msgspec.structs.replace(made, harm=model.harm, counts={"AP": AP}, glyph="walker")
            where = At(Point(model.x * UNIT, model.y * UNIT))
            battle.happens(Placed(model.id, where, model.facing, made=made, rule=DEPLOYED))
        for side in setup.sides:
            battle.happens(Counted(side, "C3", 0, scenario.c3, rule="strikeops.command.pool-size"))
        battle.push(Begin(scenario.turns))

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        match step:
            case Begin(turns):
                return self.begin(battle, turns)
            case NextSquad(side, turns):
                return self.next_squad(battle, side, turns)
            case Activate(squad):
                return self.activate(battle, squad)
            case Resolve():
                return self.resolve(battle, step)
            case Attack():
                return self.attack(battle, step)
            case Fire():
                return self.fire(battle, step)
            case Go():
                return self.go(battle, step)
            case Settle(squad):
                return self.settle_up(battle, squad)
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

    def next_squad(self, battle: Battle, side: str, turns: int) -> Procedure[None]:
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
        battle.happens(BattleEnded(best[0] if len(best) == 1 else "", scores, "surviving models", rule=WINNER))

    # Declaring --------------------------------------------------------------------------------------------------

    def activate(self, battle: Battle, squad: str) -> Procedure[None]:
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
            battle.happens(Grouped((guest,), squad, END, rule=SEIZE, because=n))
            self.wake(battle, table[guest])
        battle.open_measuring()
        battle.push(Resolve(squad, orders, tuple(order.model for order in orders)), Settle(squad), close)

    def wake(self, battle: Battle, model: Thing) -> None:
        """End what a model's earlier actions left until it activates again."""
        for state in ("stationary", "lock"):
            if model.has(state):
                battle.happens(StateChanged(model.id, state, model.value(state), None, rule=SEQUENCE))

    def commit(self, battle: Battle, side: str, orders: Sequence[Orders], guest: str) -> int:
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

    # Resolving --------------------------------------------------------------------------------------------------

    def resolve(self, battle: Battle, step: Resolve) -> Procedure[None]:
        """One model after another, in the order its side likes; each is a step of its own."""
        if not step.left:
            return
        side, model = battle.table[step.squad].side, step.left[0]
        if len(step.left) > 1:
            options = tuple(Option(name, name, (name,)) for name in step.left)
            model = yield ChooseOne(side, "Resolve which?", topic="resolve", options=options, rules=(SEQUENCE,))
        order = next(order for order in step.orders if order.model == model)
        left = tuple(name for name in step.left if name != model)
        battle.push(Resolve(step.squad, step.orders, left))
        if "move" not in order.actions:
            battle.happens(StateChanged(model, "stationary", None, 1, "next activation", rule=STATIONARY))
        if "stand up" in order.actions:
            battle.happens(StateChanged(model, "knockdown", 1, None, rule=STAND_UP))
        if "lock" in order.actions:
            battle.happens(StateChanged(model, "lock", None, order.lock, "next activation", rule=LOCK))
        attack = (Attack(step.squad, step.orders, model),) if "combat" in order.actions else ()
        if "move" not in order.actions:
            battle.push(*attack)
            return
        walk = yield from self.ask_move(battle, side, order)
        track = track_of(battle.table, model, walk)
        first = order.actions.index("move") < order.actions.index("combat") if attack else True
        fires_at = walk.marks.get("fires here", track.length if first else 0)
        begun = Go(model, *track.start.point, track.start.facing, walk, 0)
        self.walk_on(battle, begun, fires_at if attack else track.length)
        if attack:
            battle.push(*attack, msgspec.structs.replace(begun, along=fires_at))

    def ask_move(self, battle: Battle, side: str, order: Orders) -> Procedure[Walk]:
        """Ask where a model goes, and where on the way it fires."""
        moves = order.actions.count("move")
        marks = (MarkAsked("fires here", "where it fires"),) if "combat" in order.actions else ()
        walks = yield MoveModels(
            side,
            f"Move {order.model}",
            topic="move",
            about=(order.model,),
            rules=(MOVE, *((MOVE_AND_SHOOT,) if marks else ())),
            shows=ALL_OPEN,
            models=(order.model,),
            allowance={order.model: moves * MV * UNIT},
            marks=marks,
            default={},
        )
        walk: Walk = walks.get(order.model, Walk())
        return walk

    def walk_on(self, battle: Battle, step: Go, until: int) -> None:
        """Walk a stretch of a path, from where the model is on it."""
        track = resolve(Pose(Point(step.x, step.y), step.facing), step.walk)
        event = moved(step.model, track, step.along, until, MOVE)
        if event is not None:
            battle.happens(event)

    def go(self, battle: Battle, step: Go) -> Procedure[None]:
        """Finish a walk that an attack stood in the middle of; the path that was given binds."""
        track = resolve(Pose(Point(step.x, step.y), step.facing), step.walk)
        self.walk_on(battle, step, track.length)
        yield from ()

    def attack(self, battle: Battle, step: Attack) -> Procedure[None]:
        """One model's combat action: its weapons are steps of their own, and what answers it comes with it.

        strikeops.shooting.defensive-fire-timing     asked once, before the first combat roll of the activation
        strikeops.damage.surplus-attacks-are-lost    harm that is only noted counts
        """
        order = next(order for order in step.orders if order.model == step.model)
        table = battle.table
        if table[order.target].gone:
            battle.happens(Forfeited(order.model, "combat", rule=REMOVED))
        elif beaten(table[order.target], battle.state.due):
            battle.happens(Forfeited(order.model, "combat", rule=SURPLUS))
        elif needs(table[order.model], table[order.target]) is None:
            battle.happens(Forfeited(order.model, "combat", rule=IMPOSSIBLE))
            return
        else:
            if not table[step.squad].has("shooting"):
                battle.happens(StateChanged(step.squad, "shooting", None, 1, END, rule=WINDOW))
                yield from self.defensive_window(battle, step)
            shots = [
                Fire(order.model, order.target, mac, inspired=mac == order.inspired) for mac in order.weapons
            ] + self.answering(battle, order)
            battle.push(*shots)
            return
        battle.push(*self.answering(battle, order))

    def answering(self, battle: Battle, order: Orders) -> list[Fire]:
        """The defensive fire that was declared against one attacker."""
        found: list[Fire] = []
        for model in battle.table.models():
            answer = model.value("defensive fire")
            if isinstance(answer, tuple) and answer[0] == order.model:
                found += [Fire(model.id, order.model, mac, defensive=True) for mac in answer[1:]]
        return found

    def defensive_window(self, battle: Battle, step: Attack) -> Procedure[None]:
        """Targets that have not activated may answer one of their attackers, for both action points."""
        table = battle.table
        side = table[step.squad].side

        def options(asked: str, declared: Sequence[Reacted]) -> list[ReactOption]:
            done = [one.reaction.option.split(" answers ")[0] for one in declared]
            return [
                ReactOption(f"{o.target} answers {o.model}", actor=o.target, cost={"AP": 2}, rules=(DEFENSIVE,))
                for o in step.orders
                if o.target and may_answer(table, o.target, asked) and o.target not in done
            ]

        reacted = yield from reaction_window(
            battle,
            moment="defensive fire",
            prompt="Defensive fire?",
            options=options,
            rules=(WINDOW,),
            about=(step.squad,),
            opened_by=side,
            sides=tuple(other for other in table.sides if other != side),
        )
        for one in reacted:
            model, attacker = one.reaction.option.split(" answers ")
            macs = tuple(Option(mac, mac) for mac in MACS)
            weapons = yield ChooseSeveral(
                one.side,
                f"{model}: weapons?",
                topic="weapons",
                about=(model, attacker),
                options=macs,
                at_least=1,
                rules=(WINDOW,),
                shows=ALL_OPEN,
            )
            battle.happens(Spent(model, "AP", AP, 0, rule=DEFENSIVE))
            answer = (attacker, *weapons)
            battle.happens(StateChanged(model, "defensive fire", None, answer, END, rule=DEFENSIVE))

    def fire(self, battle: Battle, step: Fire) -> Procedure[None]:
        """One combat roll; what it does is noted until the activation ends."""
        shooter, target = battle.table[step.shooter], battle.table[step.target]
        needed = needs(shooter, target, step.defensive)
        if beaten(target, battle.state.due):
            battle.happens(Forfeited(step.shooter, step.weapon, rule=SURPLUS))
            return
        if needed is None:
            battle.happens(Forfeited(step.shooter, step.weapon, rule=IMPOSSIBLE))
            return
        roll = battle.dice.total("3d6" if step.inspired else "2d6")
        margin = roll.natural - needed.total
        hit = margin >= 0 and roll.faces[:2] != (1, 1)
        harm = damage(margin) if hit else None
        outcome = "miss" if not hit else "deflected" if harm is None else "hit"
        what = f"combat roll, {step.weapon}"
        n = battle.happens(rolled(what, shooter.id, roll, needed, outcome, COMBAT_ROLL, target=target.id))
        if harm is not None:
            battle.note(HarmNoted(target.id, harm, END, rule=DAMAGE, because=n))
        yield from ()

    # Settling ---------------------------------------------------------------------------------------------------

    def settle_up(self, battle: Battle, squad: str) -> Procedure[None]:
        """Apply what was noted, model by model in the order the active side likes."""
        targets = list(dict.fromkeys(entry.target for entry in battle.state.due if entry.moment == END))
        if not targets:
            return
        first = targets[0]
        if len(targets) > 1:
            options = tuple(Option(name, name, (name,)) for name in targets)
            side = battle.table[squad].side
            first = yield ChooseOne(side, "Settle whom first?", topic="settle", options=options, rules=(SETTLING,))
        battle.push(Settle(squad))
        yield from battle.settle(END, first)

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        """All of a model's points together, then out of action, then one pilot check with the worst modifier."""
        entries = [due, *battle.taken_with(due)]
        model = battle.table[due.target]
        points = sum(entry.harm.amount for entry in entries)
        checks = [check for entry in entries if isinstance(check := entry.harm.detail.get("pilot check"), int)]
        after = min(model.harm + points, model.track)
        harm = Harm("damage", points)
        n = battle.happens(HarmApplied(model.id, harm, model.harm, after, rule=AT_END, because=due.because))
        if after >= model.track:
            lost = self.lose(battle, model, n)
            if checks:
                spared = Harm("pilot check", max(checks))
                battle.happens(HarmCancelled(model.id, spared, "out of action", rule=SETTLING, because=lost))
        elif checks and not model.has("knockdown"):
            self.pilot_check(battle, model.id, max(checks), n)
        yield from ()

    def lose(self, battle: Battle, model: Thing, because: int) -> int:
        """A beaten model stays as a hulk; one that was unharmed is destroyed outright."""
        how, rule = ("out of action", TRACK) if model.harm else ("destroyed", OUTRIGHT)
        hulk = Piece(f"hulk of {model.id}", "wreck", outline(model), label=f"hulk of {model.id}")
        return battle.happens(ModelLost(model.id, how, hulk, rule=rule, because=because))

    def pilot_check(self, battle: Battle, model: str, modifier: int, because: int) -> None:
        """2d6 against the pilot's experience; who fails is knocked down, and a natural 2 costs a point more."""
        needed = pilot_check_needs(modifier)
        roll = battle.dice.total("2d6")
        held = roll.natural >= needed.total and roll.natural > 2
        outcome = "held" if held else "failed"
        n = battle.happens(rolled("pilot check", model, roll, needed, outcome, PILOT_CHECK, because))
        if held:
            return
        battle.happens(StateChanged(model, "knockdown", None, 1, "stands up", rule=FAILED_CHECK, because=n))
        if roll.natural == 2:
            thing = battle.table[model]
            harm, after = Harm("damage", 1), thing.harm + 1
            n = battle.happens(HarmApplied(model, harm, thing.harm, after, rule=FUMBLED_CHECK, because=n))
            if after >= thing.track:
                self.lose(battle, thing, n)

    def close(self, battle: Battle, step: Close) -> Procedure[None]:
        """The squad has activated; what lasted until the end of the activation ends, a guest goes home and rests."""
        table = battle.table
        for thing in [table[step.squad], *table.models()]:
            for state in ("shooting", "defensive fire"):
                if thing.has(state):
                    battle.happens(StateChanged(thing.id, state, thing.value(state), None, rule=SEQUENCE))
        battle.happens(StateChanged(step.squad, "activated", None, 1, "end of turn", rule=ONE_ACTIVATION))
        if step.guest and not table[step.guest].gone:
            battle.happens(Grouped((step.guest,), step.home, rule=SEIZE))
            battle.happens(StateChanged(step.guest, "acted", None, 1, "end of turn", rule=SEIZE))
        yield from ()

    # Drafts -----------------------------------------------------------------------------------------------------

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        if isinstance(question, Plan):
            return refused_plan(view, question, answer)
        if isinstance(question, MoveModels):
            return refused_move(view, question, answer)
        return None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        if isinstance(question, Plan):
            return plan_preview(view, question, answer)
        if isinstance(question, MoveModels) and answer:
            return move_preview(view, question, answer)
        return Preview()


def may_answer(table: Table, model: str, side: str) -> bool:
    """Whether a model may use defensive fire: not activated, on its feet, with both action points."""
    thing = table[model]
    rested = not table[thing.unit].has("activated") and not thing.has("acted")
    fresh = rested and not thing.has("knockdown") and not thing.gone
    return thing.side == side and fresh and thing.count("AP") >= AP


def refused_move(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Why a path cannot be walked; measuring is open, so its length is judged."""
    for model, walk in answer.items():
        if not all(isinstance(leg, Leg) and leg.go >= 0 for leg in walk.legs):
            return Refusal(MOVE, f"{model} turns and goes forward, leg by leg.")
        length = track_of(view.table, model, walk).length
        if length > question.allowance[model]:
            return Refusal(MOVE, f"That is {inches(length)}; {inches(question.allowance[model])} are allowed.")
        for mark in walk.marks.values():
            if not 0 <= mark <= length:
                return Refusal(MOVE_AND_SHOOT, f"It fires somewhere on its path, 0 to {inches(length)}.")
        refusal = blocked(view.table, model, walk, STACKING)
        if refusal is not None:
            return refusal
    return None


def move_preview(view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
    """The path, and how far its end is from every enemy."""
    ((model, walk),) = answer.items()
    track = resolve(pose(view.table[model]), walk)
    points = (track.start.point, *(stretch.end for stretch in track.stretches))
    note = PathNote(model, points, total=track.length, allowance=question.allowance[model])
    distances = {enemy.id: length_between(track.end.point, point_of(enemy)) for enemy in view.enemies()}
    return Preview(distances=distances, paths=(note,))
