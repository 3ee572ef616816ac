"""One model's activation: it declares, and its declared actions are carried out one after another.

Each action is a step of the agenda, and so is each weapon that fires: between two of them the state is plain data.
Only over-watch breaks into the middle of a move, and stays inside its step.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Detail, Forfeited, Moved, StepBegan
from sandtable.engine.questions import Confirm, MarkAsked, MoveModels
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, Leg, Point, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.cost import price
from sandtable.field.encounters import stretches
from sandtable.field.paths import Pose, Track, resolve
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.quickstart._declaration import STAY, Declaration, declared, plan_question, tell
from sandtable.rulesets.quickstart._retreat import (
    RETREAT,
    begin_retreat,
    note_mission_kill,
    note_mission_kills,
    required_walk,
)
from sandtable.rulesets.quickstart.close_combat import (
    break_away_question,
    fight,
    free,
    leave_the_fight,
    try_to_break,
)
from sandtable.rulesets.quickstart.combat import LOST, SIMULTANEOUS, STEP_3, STEP_4, STEP_7, STEPS
from sandtable.rulesets.quickstart.concepts import CONTACT_ENDS_MOVE, MEASURING, base_of, center
from sandtable.rulesets.quickstart.damage import APPLYING, STEP_8, leave_play
from sandtable.rulesets.quickstart.datacard import MOVEMENT_VALUE, movement, weapons
from sandtable.rulesets.quickstart.indirect import (
    REPEATED,
    Barrage,
    Caught,
    bombard,
    forget_strike_point,
    model_at,
    strike_caught,
)
from sandtable.rulesets.quickstart.movement import (
    COSTS,
    FACING,
    GO_PRONE,
    LEAVING,
    MOVE,
    ON_CONTACT,
    PARTIAL,
    STAND_UP,
    WALKER,
    Going,
    WalkerRates,
    going,
    locked_with,
    walker_rates,
)
from sandtable.rulesets.quickstart.movement import MEASURING as MEASURING_MOVEMENT
from sandtable.rulesets.quickstart.repair import may_repair, repair
from sandtable.rulesets.quickstart.shooting import (
    DIRECT,
    MOVE_AND_SHOOT,
    RUN_N_GUN,
    RUNNING,
    SALVO_FIRE,
    Shot,
    end_of_assault,
    fire,
    is_indirect,
    lock_on,
)
from sandtable.rulesets.quickstart.shooting_reactions import (
    DEFENSIVE_TIMING,
    DEFENSIVE_VALUES,
    STAYING,
    go_into_over_watch,
    offer_defensive_fire,
    offer_over_watch,
    seeing_watchers,
    watchers,
)
from sandtable.rulesets.quickstart.states import DISABLED, KNOCKDOWN, is_down, lose, receive
from sandtable.rulesets.quickstart.turn import (
    LOST_TARGET,
    DrawCard,
    EndActivation,
    begin_activation,
    end_activation,
    forfeit,
    sides_in_play,
    spend,
)

DAMAGED_ON_THE_WAY = rule("quickstart.shooting.move-and-shoot-when-damaged")
RUN_EXCEPTIONS = rule("quickstart.shooting.run-n-gun-exceptions")
INTERRUPT = rule("quickstart.shooting.over-watch-interrupt")

#: The rules that a walk is drawn by.
_WALKING = tuple(one.id for one in (PARTIAL, MOVEMENT_VALUE, WALKER, FACING, MEASURING_MOVEMENT, MEASURING))

FIRES_HERE = "fires here"
#: The option of a puzzle or a case that says in which turn no cards are drawn, for it is given who acts.
ORDER_GIVEN = "order given"
#: How often along a path it is looked whether sight opens, in thousandths.
SIGHT_STEP = 100


class Activate(Step, frozen=True):
    """A model begins its activation and declares."""

    model: str


class Act(Step, frozen=True):
    """The next declared action of a model."""

    model: str
    plan: Declaration
    at: int = 0
    fired: bool = False  # the assault of a run 'n gun has been made


class Proceed(Step, frozen=True):
    """The rest of a planned move, after the assault that was made on the way."""

    model: str
    plan: Declaration
    at: int
    walk: Walk
    start: Point
    facing: int
    along: int
    runs: bool = False  # a move of a run 'n gun


class Fire(Step, frozen=True):
    """One weapon, or one salvo, fires; perhaps a numbered step of the Combat Action begins with it."""

    shot: Shot
    because: int = 0
    begins: str = ""


class Bombard(Step, frozen=True):
    """Indirect-fire weapons fire at their strike-point, and missiles with them; `order` is that of all of them."""

    barrage: Barrage
    shots: tuple[Shot, ...] = ()
    order: tuple[str, ...] = ()
    because: int = 0


class Secondary(Step, frozen=True):
    """A secondary combat roll against a model that was caught."""

    caught: Caught


class StepEight(Step, frozen=True):
    """All combat of the activation is done: damage takes effect."""

    attacker: str


def activate(battle: Battle, model: str) -> Procedure[None]:
    """Begin an activation: declare all actions, then carry them out (quickstart.turn.declare-actions)."""
    if battle.table[model].gone or len(sides_in_play(battle.table)) < 2:  # where it is given who acts
        return
    begin_activation(battle, model)
    thing = battle.table[model]
    if not thing.count("AP") or thing.has("disabled"):
        battle.push(EndActivation(model))
        return
    yield from begin_retreat(battle, model)
    answer = yield plan_question(battle.table[model])
    plan = declared(answer)
    tell(battle, model, plan)
    if plan.actions and plan.actions != (STAY,):
        lose(battle, model, "over-watch", STAYING)
    if plan.actions == (STAY,) or not plan.actions:
        battle.push(EndActivation(model))
    else:
        battle.push(Act(model, plan), EndActivation(model))


def act(battle: Battle, step: Act) -> Procedure[None]:
    """Carry out the next declared action; whatever cannot be done any more is forfeit."""
    model, plan = step.model, step.plan
    rest = plan.actions[step.at :]
    thing = battle.table[model]
    if not rest or thing.gone:
        return
    if thing.has("disabled"):
        forfeit(battle, model, rest)
        return
    if is_down(thing) and rest[0] != "stand-up" and not _stands_up_instead(step):
        battle.happens(Forfeited(model, rest[0], rule=KNOCKDOWN.id))
        battle.push(replace(step, at=step.at + 1))
        return
    if plan.moves_and_shoots and step.at == 0:
        if spend(battle, model, "move") and spend(battle, model, "shoot"):
            yield from move_and_shoot(battle, replace(step, at=len(plan.actions)))
        return
    battle.push(replace(step, at=step.at + 1))
    if not spend(battle, model, rest[0]):
        return
    yield from _carry_out(battle, step, rest[0])


def _stands_up_instead(step: Act) -> bool:
    """A model that went down may use a declared Move Action it has not begun to stand up."""
    return step.plan.actions[step.at] == "move" and not step.plan.moves_and_shoots


def _carry_out(battle: Battle, step: Act, action: str) -> Procedure[None]:
    model, plan = step.model, step.plan
    match action:
        case "move":
            if is_down(battle.table[model]):
                yield from stand_up_instead(battle, model, INTERRUPT)
            else:
                yield from move(battle, model, plan)
        case "go-prone":
            yield from go_prone(battle, model)
        case "stand-up":
            yield from stand_up(battle, model)
        case "target-lock":
            _lock(battle, model, plan)
        case "repair":
            if may_repair(battle.table[model]) is None:
                repair(battle, model)
                note_mission_kill(battle, model)
            else:
                forfeit(battle, model, (action,))
        case "break":
            if locked_with(battle.table[model]):
                yield from break_away(battle, model, plan)
            else:
                forfeit(battle, model, (action,))
        case "over-watch":
            go_into_over_watch(battle, model)
        case "shoot":
            steps = yield from assault(battle, model, plan)
            battle.push(*steps)
        case "close-combat":
            begin_combat_step(battle, model, "combat", STEPS)
            fight(battle, model, plan.target) if not battle.table[plan.target].gone else _lost(battle, model, action)
            battle.push(StepEight(model))
        case "run-n-gun":
            battle.push(Running(model, plan, 1))


def _lock(battle: Battle, model: str, plan: Declaration) -> None:
    if battle.table[plan.lock].gone:
        _lost(battle, model, "target-lock")
    else:
        lock_on(battle, model, plan.lock)


def _lost(battle: Battle, model: str, action: str) -> None:
    battle.happens(Forfeited(model, action, rule=LOST_TARGET.id))


# Moving ----------------------------------------------------------------------------------------------------------


def walk_question(
    thing: Thing, mv: int, *, marks: tuple[MarkAsked, ...] = (), spent: int = 0, turns: int = 0, plan: Declaration
) -> MoveModels:
    """The question for one Move Action. Measuring is open now.

    It is about the model, those whose contact is declared, and where it fires on the way its target and weapons: so
    that a preview can say what would come of it.
    """
    fires = (plan.target, *plan.weapons) if marks and plan.target else ()
    facts = {"mv": mv, "spent": spent, "turns": turns, "contacts": len(plan.contact)}
    if fires:
        facts |= {"salvo": int(plan.sub_type == SALVO_FIRE), "running": int(plan.sub_type == RUNNING)}
        facts["direct"] = int(plan.assault == DIRECT)
    return MoveModels(
        thing.side,
        f"Walk {thing.label}" + (", and mark where it fires" if marks else ""),
        topic="walk",
        about=(thing.id, *plan.contact, *fires),
        rules=(MOVE.id, *_WALKING, *((MOVE_AND_SHOOT.id,) if marks else ())),
        shows=("distance", "reach", "sight", "odds"),
        facts=facts,
        models=(thing.id,),
        allowance={thing.id: mv - spent},
        marks=marks,
        decline="" if any(mark.required for mark in marks) else "Stay",
    )


def contacts_of(question: MoveModels) -> tuple[str, ...]:
    """The models whose contact is declared for a walk."""
    return question.about[1 : 1 + question.facts["contacts"]]


def shots_of(question: MoveModels) -> tuple[Shot, ...]:
    """The direct-fire shots of an assault that is made on the way; none where it is indirect, or aims at no model."""
    model, *fires = question.about[0], *question.about[1 + question.facts["contacts"] :]
    if not fires or not question.facts["direct"]:
        return ()
    target, names = fires[0], tuple(fires[1:])
    sub_type = RUNNING if question.facts["running"] else SALVO_FIRE if question.facts["salvo"] else ""
    volleys = [names] if question.facts["salvo"] else [(name,) for name in names]
    return tuple(Shot(model, target, volley, DIRECT, sub_type, len(names)) for volley in volleys)


def rates_of(thing: Thing, question: MoveModels) -> WalkerRates:
    """The rates that a walk question is judged by."""
    facts = question.facts
    return WalkerRates(facts["mv"], thing.label, facts["spent"], facts["turns"])


def move(battle: Battle, model: str, plan: Declaration, lowered: int = 0) -> Procedure[None]:
    """One Move Action: walk as far as MV, terrain and other bases allow; over-watch may halt it.

    quickstart.movement.move-action                 up to the MV
    quickstart.shooting.over-watch-interrupt        after a halt the rest may be walked otherwise, with the MV left
    """
    spent = turns = 0
    while True:
        thing = battle.table[model]
        if thing.gone or is_down(thing) or thing.has("disabled"):
            return
        mv = max(0, movement(thing) + lowered)
        question = walk_question(thing, mv, spent=spent, turns=turns, plan=plan)
        if thing.has("retreating"):
            question = _retreat_question(battle.table, thing, question)
        answer = yield question
        walk: Walk | None = answer.get(model) if answer else None
        if walk is None or not walk.legs:
            return
        gone = going(battle.table, thing, walk, WalkerRates(mv, thing.label, spent, turns), plan.contact)
        along, halted = yield from advance(battle, model, gone, 0, gone.reach, begun=bool(spent or turns))
        if not halted or along >= gone.reach:
            return
        spent += _spent(battle, thing, gone, along)
        turns += _turned(gone, along)


def _turned(gone: Going, along: int) -> int:
    """How many turns of a walk are made when it is halted somewhere along."""
    return sum(turn.along < along or along == 0 == turn.along for turn in gone.track.turns)


def _retreat_question(table: Table, thing: Thing, question: MoveModels) -> MoveModels:
    """The walk of a mission kill: the quickest way is its default, and where there is one it may not stay."""
    required = required_walk(table, thing, rates_of(thing, question))
    rules = (RETREAT.id, *question.rules)
    if required is None:
        return replace(question, rules=rules)
    way, first = required
    prompt = f"{thing.label} must leave by the {way.edge} edge; at best with {way.actions} Move Actions"
    return replace(question, prompt=prompt, rules=rules, default={thing.id: first}, decline="")


def _spent(battle: Battle, thing: Thing, gone: Going, along: int) -> int:
    walk, _ = gone.track.cut(along)
    if along == 0:  # what it turned before the first inch is done
        walk = Walk(tuple(Leg(turn.degrees) for turn in gone.track.turns if turn.along == 0))
    rates = WalkerRates(10**6, thing.label)
    return price(resolve(gone.track.start, walk), base_of(thing), battle.table.ground, rates).total


def advance(
    battle: Battle, model: str, gone: Going, start: int, end: int, *, begun: bool = False
) -> Procedure[tuple[int, bool]]:
    """Go along a track from one distance to another, from trigger to trigger; says how far, and whether halted.

    quickstart.shooting.over-watch-interrupt    asked at the start, where sight opens, after each inch, at the end

    Of a move that has `begun` it was asked already where it goes on.
    """
    at = start
    halted = False
    thing = battle.table[model]
    for trigger in _triggers(battle, thing, gone, start, end, begun):
        _go(battle, model, gone, at, trigger)
        at = trigger
        if not battle.table[model].on_table:
            return at, True
        halted = yield from offer_over_watch(battle, model, at)
        if halted:
            note_mission_kills(battle)
            return at, True
    _go(battle, model, gone, at, end)
    if gone.leaves and end == gone.reach:
        leave_play(battle, model, "left the board", LEAVING)
    return end, halted


def _triggers(battle: Battle, thing: Thing, gone: Going, start: int, end: int, begun: bool) -> list[int]:
    """The distances along at which whoever watches is asked; none where nobody does."""
    if not watchers(battle.table, thing):
        return []
    found = {start, end, *range((start // UNIT + 1) * UNIT, end, UNIT)}
    if begun:
        found.discard(start)

    def seen(at: Pose) -> bool:
        there = replace(thing, place=At(at.point), facing=at.facing)
        return bool(seeing_watchers(battle.table, there))

    found.update(opens for opens, _ in stretches(gone.track, seen, SIGHT_STEP) if start < opens < end)
    if gone.track.length == 0:
        return [0]
    return sorted(found)


def _go(battle: Battle, model: str, gone: Going, start: int, end: int) -> None:
    """Let a model go from one distance along its track to another; turns made at the end belong to its end."""
    thing = battle.table[model]
    track: Track = gone.track
    last = end == gone.reach
    pose = track.pose_at(end, turned=last or (start == end and end == 0))
    if pose.point == center(thing) and pose.facing == thing.facing:
        return
    before, _ = track.cut(end)
    _, walked = resolve(track.start, before).cut(start) if start else (None, before)
    if last:
        walked = _with_last_turns(track, end, walked)
    battle.happens(
        Moved(
            model,
            thing.place,
            At(pose.point),
            pose.facing,
            walked,
            "forced" if thing.has("retreating") else "own",
            rule=CONTACT_ENDS_MOVE.id if gone.contact and last else MOVE.id,
            detail=_paid(gone, start, end),
        )
    )
    if pose.point != center(thing):
        lose(battle, model, "strike-point", REPEATED)


def _paid(gone: Going, start: int, end: int) -> Detail:
    """What was paid for a part of a track, and by which rules."""
    steps = [step for step in gone.trace.steps if start <= step.start and step.end <= end]
    rules = dict.fromkeys(part.rule for step in steps for part in step.cost.parts)
    if any(step.pieces for step in steps):
        rules.update(dict.fromkeys((ON_CONTACT.id, COSTS.id)))
    return {"mv": sum(step.cost.total for step in steps), "rules": tuple(rules)}


def _with_last_turns(track: Track, end: int, walked: Walk) -> Walk:
    turns = tuple(Leg(turn.degrees) for turn in track.turns if turn.along == end and end > 0)
    held = sum(isinstance(leg, Leg) and leg.go == 0 and leg.turn != 0 for leg in walked.legs)
    return replace(walked, legs=walked.legs + turns) if turns and not held else walked


def go_prone(battle: Battle, model: str) -> Procedure[None]:
    """A whole Move Action to lie down; it is seen standing until it is done (quickstart.movement.go-prone)."""
    yield from offer_over_watch(battle, model, 0)
    thing = battle.table[model]
    if thing.gone or is_down(thing) or thing.has("disabled"):
        return
    receive(battle, model, GO_PRONE.text_at("state"), why=GO_PRONE)
    yield from offer_over_watch(battle, model, 0)


def stand_up(battle: Battle, model: str) -> Procedure[None]:
    """A whole Move Action to stand up, facing any way (quickstart.movement.stand-up)."""
    yield from offer_over_watch(battle, model, 0)
    thing = battle.table[model]
    if thing.gone or thing.has("disabled") or not is_down(thing):
        return
    answer = yield MoveModels(
        thing.side,
        f"{thing.label} stands up. Facing which way?",
        topic="stand-up",
        about=(model,),
        rules=(STAND_UP.id,),
        shows=("distance", "sight"),
        models=(model,),
        allowance={model: 0},
        decline="As it lay",
    )
    lose(battle, model, "knockdown", STAND_UP)
    turn = sum(leg.turn for leg in answer[model].legs if isinstance(leg, Leg)) if answer and model in answer else 0
    if turn % 360:
        facing = (thing.facing + turn) % 360
        battle.happens(Moved(model, thing.place, thing.place, facing, Walk((Leg(turn),)), rule=STAND_UP.id))
    yield from offer_over_watch(battle, model, 0)


def stand_up_instead(battle: Battle, model: str, why: Rule) -> Procedure[None]:
    """A model that was knocked down may use a declared Move Action it has not begun to stand up.

    quickstart.shooting.move-and-shoot-when-damaged    one of which it has not yet moved an inch
    quickstart.shooting.over-watch-interrupt           a further one
    """
    thing = battle.table[model]
    stands = yield Confirm(
        thing.side,
        f"{thing.label} is down. Does it use its declared move to stand up?",
        topic="stand-up-instead",
        about=(model,),
        rules=(why.id, STAND_UP.id),
        yes="It stands up",
        no="It stays down, and the move is lost",
        default=True,
    )
    if stands:
        yield from stand_up(battle, model)
    else:
        forfeit(battle, model, ("move",))


def break_away(battle: Battle, model: str, plan: Declaration) -> Procedure[None]:
    """The Break Action, and on a success the move out of the close combat.

    quickstart.close-combat.break-success         up to half its MV; locked no longer once it is out of contact
    quickstart.shooting.over-watch-interrupt      after a halt it goes on with what is left of that
    """
    if not try_to_break(battle, model):
        return
    foes = locked_with(battle.table[model])
    spent = turns = 0
    while True:
        thing = free(battle.table[model])
        if not thing.on_table or is_down(thing) or thing.has("disabled"):
            break
        question = break_away_question(thing, foes, spent, turns)
        answer = yield question
        walk = answer.get(model) if answer else None
        if walk is None or not walk.legs:
            break
        gone = going(battle.table, thing, walk, rates_of(thing, question), plan.contact)
        along, halted = yield from advance(battle, model, gone, 0, gone.reach, begun=bool(spent or turns))
        if not halted or along >= gone.reach:
            break
        spent += _spent(battle, thing, gone, along)
        turns += _turned(gone, along)
    leave_the_fight(battle, model)


# Combat ----------------------------------------------------------------------------------------------------------


def assault(battle: Battle, model: str, plan: Declaration) -> Procedure[tuple[Step, ...]]:
    """A ranged assault from where the model stands: defenders answer, then the steps of all that is fired.

    quickstart.combat.step-2-defensive-declaration    before any die or distance
    quickstart.combat.step-4-order                    the attacker's weapons in the order declared
    quickstart.combat.step-7-defensive-fire           then the defender's
    """
    victim = plan.target
    if not victim and plan.strike_point is not None:
        under = model_at(battle.table, plan.strike_point)
        victim = under.id if under is not None and under.side != battle.table[model].side else ""
    begin_combat_step(battle, model, "combat", STEPS)
    answers: tuple[Shot, ...] = ()
    if victim and not battle.table[victim].gone:
        answers = yield from offer_defensive_fire(battle, model, victim)
    begin_combat_step(battle, model, "step 3", STEP_3)
    replies = [Fire(shot, begins=STEP_7.id if n == 0 else "") for n, shot in enumerate(answers)]
    return (*_own_shots(battle, model, plan), *replies, StepEight(model))


def begin_combat_step(battle: Battle, attacker: str, name: str, why: Rule, also: Sequence[Rule] = ()) -> None:
    """Say which of the numbered steps of a Combat Action begins (quickstart.combat.attacker-and-defender)."""
    detail: Detail = {"rules": tuple(one.id for one in also)} if also else {}
    battle.happens(StepBegan(name, battle.table[attacker].side, (attacker,), rule=why.id, detail=detail))


def _own_shots(battle: Battle, model: str, plan: Declaration) -> tuple[Step, ...]:
    """The steps of the attacker's own fire; indirect fire first finds out where it lands, as part of Step 3."""
    systems = weapons(battle.table[model])
    aimed = tuple(name for name in plan.weapons if not is_indirect(systems[name]))
    lobbed = tuple(name for name in plan.weapons if is_indirect(systems[name]))
    fired = len(plan.weapons)
    volleys = [aimed] if plan.sub_type == SALVO_FIRE and aimed else [(name,) for name in aimed]
    shots = tuple(Shot(model, plan.target, volley, plan.assault, plan.sub_type, fired) for volley in volleys)
    if lobbed and plan.strike_point is not None:
        barrage = Barrage(model, lobbed, plan.strike_point, plan.sub_type, fired, plan.smart)
        return (Bombard(barrage, shots, plan.weapons),)
    return tuple(Fire(shot, begins=STEP_4.id if n == 0 else "") for n, shot in enumerate(shots))


def _in_order(order: Sequence[str], caught: Sequence[Caught], shots: Sequence[Shot]) -> list[Step]:
    """The rolls of an indirect assault: all against one model before any against another, and those as declared.

    quickstart.combat.step-4-order    the attacker picks the order of the weapons
    """
    targets = list(dict.fromkeys([*(shot.target for shot in shots), *(one.victim for one in caught)]))
    rolls: list[tuple[str, str, Step]] = [(one.victim, one.weapons[0], Secondary(one)) for one in caught]
    rolls += [(shot.target, shot.weapons[0], Fire(shot)) for shot in shots]
    rolls.sort(key=lambda roll: (targets.index(roll[0]), order.index(roll[1])))
    return [step for _, _, step in rolls]


def fire_step(battle: Battle, step: Fire) -> Procedure[None]:
    """One weapon fires; its target may have left play since."""
    if step.begins == STEP_7.id:
        begin_combat_step(battle, step.shot.target, "step 7", STEP_7, (DEFENSIVE_TIMING, DEFENSIVE_VALUES))
    elif step.begins:
        begin_combat_step(battle, step.shot.shooter, "step 4", STEP_4)
    if battle.table[step.shot.target].gone:
        battle.happens(Forfeited(step.shot.shooter, " and ".join(step.shot.weapons), rule=LOST.id))
        return
    yield from fire(battle, step.shot, step.because)


def bombard_step(battle: Battle, step: Bombard) -> Procedure[None]:
    """Where an indirect attack lands; each model caught gets a roll, as a step of its own."""
    caught = yield from bombard(battle, step.barrage, step.because)
    rolls = _in_order(step.order, caught, step.shots)
    if rolls:
        begin_combat_step(battle, step.barrage.shooter, "step 4", STEP_4)
    battle.push(*rolls)


def secondary_step(battle: Battle, step: Secondary) -> Procedure[None]:
    """A secondary combat roll."""
    yield from ()
    strike_caught(battle, step.caught)


def step_eight(battle: Battle, step: StepEight) -> Procedure[None]:
    """Damage is applied, destroyed models go, criticals, pilot checks, states; then who is a mission kill.

    quickstart.combat.simultaneous    all combat of the activation takes effect here
    """
    end_of_assault(battle)
    if battle.state.due:
        begin_combat_step(battle, step.attacker, "step 8", SIMULTANEOUS, (APPLYING,))
    yield from battle.settle(STEP_8)
    note_mission_kills(battle)


def move_and_shoot(battle: Battle, step: Act) -> Procedure[None]:
    """One move and one ranged assault at a marked point of it.

    quickstart.shooting.move-and-shoot                  the place where it ends is planned first, and binds
    quickstart.shooting.move-and-shoot-when-damaged     damage on the way shortens the rest
    """
    model, plan = step.model, step.plan
    thing = battle.table[model]
    mark = MarkAsked(FIRES_HERE, "where it fires", required=True)
    answer = yield walk_question(thing, movement(thing), marks=(mark,), plan=plan)
    yield from _walk_and_fire(battle, step, answer[model])


def _walk_and_fire(battle: Battle, step: Act, walk: Walk, *, runs: bool = False) -> Procedure[None]:
    """Walk to the mark, make the assault, and leave the rest of the walk to a later step."""
    model, plan = step.model, step.plan
    thing = battle.table[model]
    gone = going(battle.table, thing, walk, _rates(thing, runs), plan.contact)
    fires = min(walk.marks[FIRES_HERE], gone.reach)
    point, facing = center(thing), thing.facing
    at = 0
    while at < fires or fires == 0:
        at, halted = yield from advance(battle, model, gone, at, fires, begun=at > 0)
        there = battle.table[model]
        if there.gone or is_down(there) or there.has("disabled"):
            forfeit(battle, model, [action for action in plan.actions if action != "move"])
            return
        if not halted or at >= fires:
            break
        gone = _shortened(battle, thing, model, walk, runs, plan, at)
        fires = min(fires, max(at, gone.reach))
    steps = yield from assault(battle, model, plan)
    rest = Proceed(model, plan, step.at, walk, point, facing, at, runs)
    battle.push(*steps, rest)


def _shortened(
    battle: Battle, started: Thing, model: str, walk: Walk, runs: bool, plan: Declaration, since: int
) -> Going:
    """How far a planned walk goes with the MV a model has now, counted from where it began.

    quickstart.states.suppressed    one suppressed on the way comes no closer to an enemy from there on
    """
    now = battle.table[model]
    there = replace(now, place=started.place, facing=started.facing)
    return going(battle.table, there, walk, _rates(now, runs), plan.contact, since)


def _rates(model: Thing, runs: bool) -> WalkerRates:
    """The rates of a move, or of one of a run 'n gun, with the MV a model has now."""
    return walker_rates(model, lowered=lowered_mv(movement(model)) if runs else 0)


def proceed(battle: Battle, step: Proceed) -> Procedure[None]:
    """The rest of a planned move, as far as the MV after any damage allows.

    quickstart.shooting.move-and-shoot-when-damaged    what it has moved counts
    """
    model = step.model
    thing = battle.table[model]
    again = Act(model, step.plan, step.at, fired=True)
    battle.push(again)
    if thing.gone:
        return
    if is_down(thing) and step.along == 0 and not thing.has("disabled"):
        yield from stand_up_instead(battle, model, DAMAGED_ON_THE_WAY)
        return
    if is_down(thing) or thing.has("disabled"):
        battle.happens(Forfeited(model, "rest of the move", rule=DAMAGED_ON_THE_WAY.id))
        return
    started = replace(thing, place=At(step.start), facing=step.facing)
    at = step.along
    while True:
        gone = _shortened(battle, started, model, step.walk, step.runs, step.plan, at)
        if gone.reach < at or (gone.reach == at and gone.track.length > at):
            battle.happens(Forfeited(model, "rest of the move", rule=DAMAGED_ON_THE_WAY.id))
            return
        at, halted = yield from advance(battle, model, gone, at, gone.reach, begun=True)
        now = battle.table[model]
        if not halted or at >= gone.reach or now.gone or is_down(now) or now.has("disabled"):
            return


class Running(Step, frozen=True):
    """One of the two moves of a run 'n gun."""

    model: str
    plan: Declaration
    number: int
    fired: bool = False


def lowered_mv(mv: int) -> int:
    """By how much run 'n gun lowers the MV of each of its moves, as a change.

    quickstart.shooting.run-n-gun               by 2
    quickstart.shooting.run-n-gun-exceptions    by 1 only at MV 4 or less
    """
    slow = 4  # quickstart.shooting.run-n-gun-exceptions names it in its key
    if mv <= slow:
        return RUN_EXCEPTIONS.number("mv_modifier_at_mv_4_or_less")
    return RUN_N_GUN.number("mv_modifier")


def running(battle: Battle, step: Running) -> Procedure[None]:
    """One move of a run 'n gun; the assault is made at its mark, in the second move at the latest.

    quickstart.shooting.run-n-gun    two moves and one assault at any point of them
    """
    model, plan = step.model, step.plan
    thing = battle.table[model]
    if thing.gone:
        return
    if is_down(thing) or thing.has("disabled"):
        if not step.fired:
            battle.happens(Forfeited(model, "run-n-gun", rule=KNOCKDOWN.id if is_down(thing) else DISABLED.id))
        if not thing.has("disabled"):
            yield from stand_up_instead(battle, model, INTERRUPT)
        return
    last = step.number == RUN_N_GUN.number("moves")
    marks = () if step.fired else (MarkAsked(FIRES_HERE, "where it fires", required=last),)
    answer = yield walk_question(thing, _rates(thing, True).mv, marks=marks, plan=plan)
    walk = answer.get(model, Walk()) if answer else Walk()
    fires = FIRES_HERE in walk.marks
    if not last:
        battle.push(Running(model, plan, step.number + 1, step.fired or fires))
    if fires:
        yield from _walk_and_fire(battle, Act(model, plan, len(plan.actions)), walk, runs=True)
        return
    gone = going(battle.table, thing, walk, _rates(thing, True), plan.contact)
    at = 0
    while True:
        at, halted = yield from advance(battle, model, gone, at, gone.reach, begun=at > 0)
        now = battle.table[model]
        if not halted or at >= gone.reach or now.gone or is_down(now) or now.has("disabled"):
            return
        gone = _shortened(battle, thing, model, walk, True, plan, at)
        if gone.reach <= at:
            return


def finish(battle: Battle, model: str) -> Procedure[None]:
    """An activation ends; the next card is turned over."""
    yield from ()
    forget_strike_point(battle, model)
    end_activation(battle, model)
    if battle.table.options.get("order given") != battle.table.turn:
        battle.push(DrawCard())
