"""Aircraft in the air and on the ground: a stretch of flight, landing, and taking off again."""

from functools import partial

from sandtable.engine.battle import Battle
from sandtable.engine.explain import inches
from sandtable.engine.questions import ChooseOne, MoveModels, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import same_number
from sandtable.rulesets.dropzone.aircraft.fast import fly_fast
from sandtable.rulesets.dropzone.aircraft.loading import cannot_set_down, riding, set_down, take_up, waiting
from sandtable.rulesets.dropzone.aircraft.reactions import PATH, ask_flight, flown_past
from sandtable.rulesets.dropzone.basics import HALF, ROUNDING
from sandtable.rulesets.dropzone.movement.arriving import LANDING
from sandtable.rulesets.dropzone.movement.paths import (
    AERIAL,
    FLYING,
    LOADED,
    MOVE,
    flight_left,
    full_move,
    half_move,
    judge_walks,
    preview_walks,
    refused_end,
)
from sandtable.rulesets.dropzone.movement.ways import standing_ways
from sandtable.rulesets.dropzone.shooting.aiming import REACTION_FIRE
from sandtable.rulesets.dropzone.transports import far_flown, is_transport
from sandtable.rulesets.dropzone.units import AIRBORNE, FAST, flies, is_fast, moved, units_on_table
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import unless_alone
from sandtable.tabletop.states import take
from sandtable.tabletop.walking import track_of

FLIGHT_TOPIC, LANDING_TOPIC, LOAD_TOPIC = "flight", "landing", "load"
IN_THE_AIR, LAND, FLY_ON, DOWN, UP, NOTHING = "stay", "land", "fly on", "set down", "take up", "nothing"
same_number("how far an Aircraft that loads may fly", AERIAL.fraction("max_move_fraction"), HALF)


class Arrived(Step, frozen=True):
    """A stretch of flight is over: what next? So often it has loaded for free in this action."""

    squad: str
    loaded: int = 0
    over: bool = False  # a stretch of no length after another: it stays where it is


class Landed(Step, frozen=True):
    """A squad has landed: it may load, and take off again."""

    squad: str
    loaded: int = 0
    over: bool = False


def fly(battle: Battle, squad: Thing) -> Procedure[None]:
    """A squad of Aircraft flies a stretch; then it may land, or fly on."""
    units = units_on_table(battle.table, squad.id)
    if any(is_fast(one) for one in units):
        yield from fly_fast(battle, squad)
        return
    yield from stretch(battle, squad, 0, first=True)


def stretch(battle: Battle, squad: Thing, loaded: int, first: bool = False) -> Procedure[None]:
    """Ask for the next stretch of a flight, let others fire at it, and fly it."""
    walks = yield from ask_flight(
        battle,
        squad,
        FLIGHT_TOPIC,
        f"{squad.label}: fly where?",
        flight_left,
        FLYING,
        shows=("distance", "reach"),
        default=partial(standing_ways, allowance=flight_left),
    )
    units = units_on_table(battle.table, squad.id)
    far = max([track_of(one, walks[one.id]).length for one in units], default=0)
    steps = yield from flown_past(battle, squad, walks, ())
    battle.push(*steps, Arrived(squad.id, loaded, over=not (far or first)))


def cannot_land(table: Table, squad: Thing) -> Refusal | None:
    """Why a squad may not land where it is."""
    units = units_on_table(table, squad.id)
    taken = [(one, one.place.point) for one in units if isinstance(one.place, At)]
    for unit, at in taken:
        refusal = refused_end(table, unit, at, taken, False)
        if refusal is not None:
            return Refusal(LANDING.id, f"{unit.label} cannot land here: {refusal.sentence}")
    return None


def arrived(battle: Battle, step: Arrived) -> Procedure[None]:
    """At the end of a stretch: stay in the air, land, or fly on."""
    table = battle.table
    squad = table[step.squad]
    units = units_on_table(table, squad.id)
    for one in table.members(squad.id):
        take(battle, one.id, PATH, REACTION_FIRE)
    if not units:
        return
    refusal = cannot_land(battle.table, squad)
    land = Option(
        LAND, "Land", (squad.id,), (refusal.rule if refusal else LANDING.id,), refusal.sentence if refusal else ""
    )
    options = [Option(IN_THE_AIR, "Stay in the air", (squad.id,), (FLYING.id,)), land]
    if any(flight_left(one) for one in units) and any(moved(one) for one in units) and not step.over:
        options.append(Option(FLY_ON, "Fly on", (squad.id,), (MOVE.id,)))
    chosen = yield ChooseOne(
        squad.side,
        f"{squad.label}: land?",
        topic=LANDING_TOPIC,
        about=(squad.id,),
        options=tuple(options),
        rules=(LANDING.id,),
        default=IN_THE_AIR,
    )
    if chosen == FLY_ON:
        yield from stretch(battle, squad, step.loaded)
    elif chosen == LAND:
        for one in units:
            take(battle, one.id, AIRBORNE, LANDING)
        battle.push(Landed(squad.id, step.loaded, step.over))


def may_load(table: Table, squad: Thing, loaded: int) -> bool:
    """Whether an Aerial Transport that has landed may set down or take up for free."""
    units = units_on_table(table, squad.id)
    near = all((moved(one) or 0) <= half_move(one) for one in units)
    return loaded < AERIAL.number("free_load_per_activation") and near and any(is_transport(one) for one in units)


def landed(battle: Battle, step: Landed) -> Procedure[None]:
    """On the ground: load or unload once for free, then perhaps take off and fly on."""
    table = battle.table
    squad = table[step.squad]
    loaded = step.loaded
    if may_load(table, squad, loaded):
        aboard = riding(table, squad)
        outside = waiting(table, squad)
        options = [Option(NOTHING, "Neither", (squad.id,), (AERIAL.id,))]
        if aboard:
            why = [cannot_set_down(table, squad, one) for one in aboard]
            aboard = [one for one, refusal in zip(aboard, why, strict=True) if refusal is None]
            refusal = None if aboard else why[0]
            source, sentence = (refusal.rule, refusal.sentence) if refusal else (AERIAL.id, "")
            options.insert(0, Option(DOWN, "Set down passengers", (squad.id,), (source,), sentence))
        if outside:
            options.insert(0, Option(UP, "Take up units", (squad.id,), (AERIAL.id,)))
        question = ChooseOne(
            squad.side,
            f"{squad.label} has landed: load or unload?",
            topic=LOAD_TOPIC,
            about=(squad.id,),
            options=tuple(options),
            rules=(AERIAL.id, ROUNDING.id),
            default=NOTHING,
        )
        chosen = yield from unless_alone(question)
        if chosen == DOWN:
            yield from set_down(battle, squad, aboard)
        elif chosen == UP:
            yield from take_up(battle, squad, outside)
        loaded += chosen != NOTHING
    squad = battle.table[squad.id]
    units = units_on_table(battle.table, squad.id)
    further = any(flight_left(one) for one in units) and not step.over
    if further or loaded > step.loaded:  # who has loaded may rise again where it stands, however far it has flown
        chosen = yield ChooseOne(
            squad.side,
            f"{squad.label}: take off again?",
            topic=LANDING_TOPIC,
            about=(squad.id,),
            options=(
                Option(LAND, "Stay on the ground", (squad.id,), (LANDING.id,)),
                Option(FLY_ON, "Take off and fly on", (squad.id,), (LANDING.id,)),
            ),
            rules=(LANDING.id,),
            default=LAND,
        )
        if chosen == FLY_ON:
            yield from stretch(battle, squad, loaded)


def judge_flight(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Why a squad of Aircraft may not fly so: too far for one that somebody gets in or out of, or as any move."""
    for name in question.models:
        unit, allowed = view.table[name], question.allowance[name]
        far = track_of(unit, answer.get(name, Walk())).length
        if unit.has(LOADED) and allowed < far <= full_move(unit) - (moved(unit) or 0):
            told = f"{unit.label} has been loaded or unloaded: it may fly {inches(allowed)} more this round."
            return Refusal(AERIAL.id, told)
    return judge_walks(view, question, answer)


def not_to_load(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """The rule by which nobody is asked whether a squad of Transports loads: it flies, or has flown too far."""
    squad = view.table[question.about[0]]
    units = [one for one in units_on_table(view.table, squad.id) if flies(one) and is_transport(one)]
    if any(one.has(AIRBORNE) for one in units):
        return Refusal(AERIAL.id, f"{squad.label} has not landed.")
    if any(far_flown(one) for one in units):
        return Refusal(AERIAL.id, f"{squad.label} has flown further than half its MV this round.")
    if units and not question.options:
        return Refusal(AERIAL.id, f"{squad.label} has loaded or unloaded for free in this activation.")
    return None


def not_to_land(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """The rule by which nobody is asked whether a squad lands."""
    squad = view.table[question.about[0]]
    fast = answer == LAND and any(map(is_fast, units_on_table(view.table, squad.id)))
    return Refusal(FAST.id, f"{squad.label} is Fast: it may not land.") if fast else None


CHAPTER = Chapter(
    steps={Arrived: arrived, Landed: landed},
    judges={FLIGHT_TOPIC: judge_flight},
    previews={FLIGHT_TOPIC: preview_walks},
    unoffered={LOAD_TOPIC: not_to_load, LANDING_TOPIC: not_to_land},
    answers={
        FLIGHT_TOPIC: "the way of each Aircraft",
        LANDING_TOPIC: "stay, land or fly on",
        LOAD_TOPIC: "set down, take up or nothing",
    },
)
