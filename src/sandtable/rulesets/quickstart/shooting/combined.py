"""Moves and a ranged assault in one: move and shoot, and run 'n gun."""

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import MarkAsked
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At, Point, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.movement import Going, Rates
from sandtable.rulesets.quickstart.damage import PERMANENT, most_action_points
from sandtable.rulesets.quickstart.datacard import movement
from sandtable.rulesets.quickstart.movement.moves import going, walker_rates
from sandtable.rulesets.quickstart.movement.walking import (
    FIRES_HERE,
    INTERRUPT,
    advance,
    stand_up_instead,
    walk_question,
)
from sandtable.rulesets.quickstart.shooting.assaults import assault
from sandtable.rulesets.quickstart.shooting.direct_fire import RUN_N_GUN
from sandtable.rulesets.quickstart.state_names import ActionName, StateName
from sandtable.rulesets.quickstart.states import DISABLED, KNOCKDOWN, is_down
from sandtable.rulesets.quickstart.turn.declaration import Declaration
from sandtable.rulesets.quickstart.turn.phases import action_cost, forfeit
from sandtable.tabletop.chapters import Chapter

DAMAGED_ON_THE_WAY = rule("quickstart.shooting.move-and-shoot-when-damaged")
RUN_EXCEPTIONS = rule("quickstart.shooting.run-n-gun-exceptions")

#: The action points of a move and a ranged assault together.
_BOTH = action_cost(ActionName.MOVE) + action_cost(ActionName.SHOOT)


class Proceed(Step, frozen=True):
    """The rest of a planned move, after the assault that was made on the way."""

    model: ThingId
    plan: Declaration
    walk: Walk
    start: Point
    facing: int
    along: int
    runs: bool = False  # a move of a run 'n gun


class Running(Step, frozen=True):
    """One of the two moves of a run 'n gun."""

    model: ThingId
    plan: Declaration
    number: int
    fired: bool = False


def move_and_shoot(battle: Battle, model: ThingId, plan: Declaration) -> Procedure[None]:
    """One move and one ranged assault at a marked point of it.

    quickstart.shooting.move-and-shoot                  the place where it ends is planned first, and binds
    quickstart.shooting.move-and-shoot-when-damaged     damage on the way shortens the rest
    """
    thing = battle.table[model]
    mark = MarkAsked(FIRES_HERE, "where it fires", required=True, first=plan.actions[0] != ActionName.MOVE)
    answer = yield walk_question(thing, movement(thing), marks=(mark,), plan=plan)
    yield from _walk_and_fire(battle, model, plan, answer[model])


def _walk_and_fire(
    battle: Battle, model: ThingId, plan: Declaration, walk: Walk, *, runs: bool = False
) -> Procedure[None]:
    """Walk to the mark, make the assault, and leave the rest of the walk to a later step.

    quickstart.damage.critical-damage-permanent    a breeder damaged on the way there takes the assault, not yet begun
    """
    thing = battle.table[model]
    gone = going(battle.table, thing, walk, _rates(thing, runs), plan.contact)
    fires = min(walk.marks[FIRES_HERE], gone.reach)
    point, facing = center(thing), thing.facing
    at = 0
    while walk.legs and (at < fires or fires == 0):
        at, halted = yield from advance(battle, model, gone, at, fires, begun=at > 0)
        there = battle.table[model]
        if there.gone or is_down(there) or there.has(StateName.DISABLED):
            forfeit(battle, model, [action for action in plan.actions if action != ActionName.MOVE])
            return
        if not halted or at >= fires:
            break
        gone = _shortened(battle, thing, model, walk, runs, plan, at)
        fires = min(fires, max(at, gone.reach))
    rest = Proceed(model, plan, walk, point, facing, at, runs)
    if not runs and most_action_points(battle.table[model]) < _BOTH:
        battle.happens(Forfeited(model, ActionName.SHOOT, rule=PERMANENT.id))
        battle.push(rest)
        return
    steps = yield from assault(battle, model, plan)
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


def _rates(model: Thing, runs: bool) -> Rates:
    """The rates of a move, or of one of a run 'n gun, with the MV a model has now."""
    return walker_rates(model, lowered=lowered_mv(movement(model)) if runs else 0)


def proceed(battle: Battle, step: Proceed) -> Procedure[None]:
    """The rest of a planned move, as far as the MV after any damage allows.

    quickstart.shooting.move-and-shoot-when-damaged    what it has moved counts
    """
    model = step.model
    thing = battle.table[model]
    if thing.gone:
        return
    if is_down(thing) and step.along == 0 and not thing.has(StateName.DISABLED):
        yield from stand_up_instead(battle, model, DAMAGED_ON_THE_WAY)
        return
    if is_down(thing) or thing.has(StateName.DISABLED):
        battle.happens(Forfeited(model, "rest of the move", rule=DAMAGED_ON_THE_WAY.id))
        return
    started = replace(thing, place=At(step.start), facing=step.facing)
    at = step.along
    while True:
        gone = _shortened(battle, started, model, step.walk, step.runs, step.plan, at)
        if at == gone.track.length:  # it fired at the end of its walk
            return
        if gone.reach < at or (gone.reach == at and gone.track.length > at):
            battle.happens(Forfeited(model, "rest of the move", rule=DAMAGED_ON_THE_WAY.id))
            return
        at, halted = yield from advance(battle, model, gone, at, gone.reach, begun=True)
        now = battle.table[model]
        if not halted or at >= gone.reach or now.gone or is_down(now) or now.has(StateName.DISABLED):
            return


def lowered_mv(mv: int) -> int:
    """By how much run 'n gun lowers the MV of each of its moves, as a change.

    quickstart.shooting.run-n-gun               by 2
    quickstart.shooting.run-n-gun-exceptions    by 1 only at MV 4 or less
    """
    if mv <= RUN_EXCEPTIONS.number("slow_up_to_mv"):
        return RUN_EXCEPTIONS.number("mv_modifier_when_slow")
    return RUN_N_GUN.number("mv_modifier")


def running(battle: Battle, step: Running) -> Procedure[None]:
    """One move of a run 'n gun; the assault is made at its mark, in the second move at the latest.

    quickstart.shooting.run-n-gun    two moves and one assault at any point of them
    """
    model, plan = step.model, step.plan
    thing = battle.table[model]
    if thing.gone:
        return
    if is_down(thing) or thing.has(StateName.DISABLED):
        if not step.fired:
            battle.happens(Forfeited(model, ActionName.RUN_N_GUN, rule=KNOCKDOWN.id if is_down(thing) else DISABLED.id))
        if not thing.has(StateName.DISABLED):
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
        yield from _walk_and_fire(battle, model, plan, walk, runs=True)
        return
    if not walk.legs:
        return
    gone = going(battle.table, thing, walk, _rates(thing, True), plan.contact)
    at = 0
    while True:
        at, halted = yield from advance(battle, model, gone, at, gone.reach, begun=at > 0)
        now = battle.table[model]
        if not halted or at >= gone.reach or now.gone or is_down(now) or now.has(StateName.DISABLED):
            return
        gone = _shortened(battle, thing, model, walk, True, plan, at)
        if gone.reach <= at:
            return


CHAPTER = Chapter(steps={Proceed: proceed, Running: running})
