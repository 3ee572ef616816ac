"""Walking: one Move Action, its interruptions by over-watch, lying down, standing up and breaking away."""

from collections.abc import Callable

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import Confirm, MarkAsked, MoveModels
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, Leg, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.cost import price
from sandtable.field.walking.encounters import stretches
from sandtable.field.walking.paths import Pose, Track, resolve
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.cav.concepts import base_of, center
from sandtable.rulesets.cav.movement import (
    Going,
    Rates,
    clear_at,
    facing_asked,
    halts_at,
    paid,
    turn_up,
    with_last_turns,
)
from sandtable.rulesets.quickstart.close_combat import break_away_question, free, leave_the_fight, try_to_break
from sandtable.rulesets.quickstart.concepts import CONTACT_ENDS_MOVE, MEASURING
from sandtable.rulesets.quickstart.damage import leave_play
from sandtable.rulesets.quickstart.datacard import MOVEMENT_VALUE, movement
from sandtable.rulesets.quickstart.indirect import REPEATED
from sandtable.rulesets.quickstart.movement.moves import (
    COSTS,
    FACING,
    GO_PRONE,
    LEAVING,
    MOVE,
    ON_CONTACT,
    PARTIAL,
    STAND_UP,
    WALKER,
    going,
    locked_with,
    rates_for,
)
from sandtable.rulesets.quickstart.movement.moves import MEASURING as MEASURING_MOVEMENT
from sandtable.rulesets.quickstart.setup.retreat import RETREAT, required_way
from sandtable.rulesets.quickstart.shooting.direct_fire import DIRECT, MOVE_AND_SHOOT, RUNNING, SALVO_FIRE, Shot
from sandtable.rulesets.quickstart.shooting.reactions import offer_over_watch, seeing_watchers, watchers
from sandtable.rulesets.quickstart.state_names import ActionName, StateName
from sandtable.rulesets.quickstart.states import is_down, receive
from sandtable.rulesets.quickstart.turn.declaration import Declaration
from sandtable.rulesets.quickstart.turn.phases import forfeit
from sandtable.tabletop.states import take

INTERRUPT = rule("quickstart.shooting.over-watch-interrupt")

#: The rules that a walk is drawn by.
_WALKING = tuple(one.id for one in (PARTIAL, MOVEMENT_VALUE, WALKER, FACING, MEASURING_MOVEMENT, MEASURING))

#: The mark on a path where an assault is made that goes with the move.
FIRES_HERE = "fires here"
#: How often along a path it is looked whether sight opens, in thousandths.
SIGHT_STEP = 100


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
        allowance={thing.id: max(0, mv - spent)},
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


def rates_of(thing: Thing, question: MoveModels) -> Rates:
    """The rates that a walk question is judged by."""
    facts = question.facts
    return rates_for(thing, facts["mv"], facts["spent"], facts["turns"])


def move(battle: Battle, model: ThingId, plan: Declaration) -> Procedure[None]:
    """One Move Action: walk as far as MV, terrain and other bases allow; over-watch may halt it.

    quickstart.movement.move-action                 up to the MV
    quickstart.shooting.over-watch-interrupt        after a halt the rest may be walked otherwise, with the MV left
    """

    def asked(thing: Thing, spent: int, turns: int) -> MoveModels:
        question = walk_question(thing, movement(thing), spent=spent, turns=turns, plan=plan)
        return _retreat_question(battle.table, thing, question) if thing.has(StateName.RETREATING) else question

    yield from _halt_by_halt(battle, model, plan, asked)


def _halt_by_halt(
    battle: Battle,
    model: ThingId,
    plan: Declaration,
    asked: Callable[[Thing, int, int], MoveModels],
    walks_as: Callable[[Thing], Thing] = lambda thing: thing,
) -> Procedure[None]:
    """Walk; after each halt ask again how to go on, given what is spent and how many turns are made."""
    spent = turns = 0
    while True:
        thing = walks_as(battle.table[model])
        if thing.gone or is_down(thing) or thing.has(StateName.DISABLED):
            return
        question = asked(thing, spent, turns)
        answer = yield question
        walk: Walk | None = answer.get(model) if answer else None
        if walk is None or not walk.legs:
            return
        gone = going(battle.table, thing, walk, rates_of(thing, question), plan.contact)
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
    way = required_way(table, thing, rates_of(thing, question))
    rules = (RETREAT.id, *question.rules)
    if way is None:
        return replace(question, rules=rules)
    prompt = f"{thing.label} must leave by the {way.edge} edge; at best with {way.actions} Move Actions"
    return replace(question, prompt=prompt, rules=rules, default={thing.id: way.walks[0]}, decline="")


def _spent(battle: Battle, thing: Thing, gone: Going, along: int) -> int:
    walk, _ = gone.track.cut(along)
    if along == 0:  # what it turned before the first inch is done
        walk = Walk(tuple(Leg(turn.degrees) for turn in gone.track.turns if turn.along == 0))
    rates = rates_for(thing, 10**6)
    return price(resolve(gone.track.start, walk), base_of(thing), battle.table.ground, rates).total


def advance(
    battle: Battle, model: ThingId, gone: Going, start: int, end: int, *, begun: bool = False
) -> Procedure[tuple[int, bool]]:
    """Go along a track from one distance to another, from trigger to trigger; says how far, and whether halted.

    quickstart.shooting.over-watch-interrupt    asked at the start, where sight opens, after each inch, at the end

    Of a move that has `begun` it was asked already where it goes on.
    """
    at = start
    halted = False
    thing = battle.table[model]
    end = halts_at(battle.table, thing, gone, end, start)
    for trigger in _triggers(battle, thing, gone, start, end, begun):
        _go(battle, model, gone, at, trigger)
        at = trigger
        if not battle.table[model].on_table:
            return at, True
        halted = yield from offer_over_watch(battle, model, at)
        if halted:
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
    if gone.leaves and end == gone.reach:  # there it is off the board
        found.discard(end)

    def seen(at: Pose) -> bool:
        there = replace(thing, place=At(at.point), facing=at.facing)
        return bool(seeing_watchers(battle.table, there))

    found.update(opens for opens, _ in stretches(gone.track, seen, SIGHT_STEP) if start < opens < end)
    if gone.track.length == 0:
        return [0]
    clear = clear_at(battle.table, thing, gone.track)
    asked = {next((at for at in range(along, end) if clear(at)), end) for along in found}
    return sorted(asked - {end} if gone.leaves and end == gone.reach else asked)


def _go(battle: Battle, model: ThingId, gone: Going, start: int, end: int) -> None:
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
        walked = with_last_turns(track, end, walked)
    battle.happens(
        Moved(
            model,
            thing.place,
            At(pose.point),
            pose.facing,
            walked,
            "forced" if thing.has(StateName.RETREATING) else "own",
            rule=CONTACT_ENDS_MOVE.id if gone.contact and last else MOVE.id,
            detail=paid(gone, start, end, (ON_CONTACT, COSTS)),
        )
    )
    if pose.point != center(thing):
        take(battle, model, StateName.STRIKE_POINT, REPEATED)


def go_prone(battle: Battle, model: ThingId) -> Procedure[None]:
    """A whole Move Action to lie down; it is seen standing until it is done (quickstart.movement.go-prone)."""
    yield from offer_over_watch(battle, model, 0)
    thing = battle.table[model]
    if thing.gone or is_down(thing) or thing.has(StateName.DISABLED):
        return
    receive(battle, model, GO_PRONE.text_at("state"), why=GO_PRONE)
    yield from offer_over_watch(battle, model, 0)


def stand_up(battle: Battle, model: ThingId) -> Procedure[None]:
    """A whole Move Action to stand up, facing any way (quickstart.movement.stand-up)."""
    yield from offer_over_watch(battle, model, 0)
    thing = battle.table[model]
    if thing.gone or thing.has(StateName.DISABLED) or not is_down(thing):
        return
    answer = yield facing_asked(thing, "stand-up", STAND_UP)
    take(battle, model, StateName.KNOCKDOWN, STAND_UP)
    turn_up(battle, model, answer, STAND_UP)
    yield from offer_over_watch(battle, model, 0)


def stand_up_instead(battle: Battle, model: ThingId, why: Rule) -> Procedure[None]:
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
        forfeit(battle, model, (ActionName.MOVE,))


def break_away(battle: Battle, model: ThingId, plan: Declaration) -> Procedure[None]:
    """The Break Action, and on a success the move out of the close combat.

    quickstart.close-combat.break-success         up to half its MV; locked no longer once it is out of contact
    quickstart.shooting.over-watch-interrupt      after a halt it goes on with what is left of that
    """
    if not try_to_break(battle, model):
        return
    foes = locked_with(battle.table[model])
    yield from _halt_by_halt(
        battle, model, plan, lambda thing, spent, turns: break_away_question(thing, foes, spent, turns), free
    )
    leave_the_fight(battle, model)
