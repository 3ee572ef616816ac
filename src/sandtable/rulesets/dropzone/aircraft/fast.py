"""Fast Aircraft: one straight line, over an edge of the table too."""

from sandtable.engine.battle import Battle
from sandtable.engine.questions import MoveModels, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, Leg, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.dropzone.aircraft.lines import least, leaves_table, straight_ahead, too_tall
from sandtable.rulesets.dropzone.aircraft.reactions import PATH, ask_flight, flown_past
from sandtable.rulesets.dropzone.movement.arriving import LANDING
from sandtable.rulesets.dropzone.movement.paths import away_from_foes, ended, full_move, refused_end
from sandtable.rulesets.dropzone.shooting.aiming import REACTION_FIRE
from sandtable.rulesets.dropzone.shooting.firing import SHOOTING
from sandtable.rulesets.dropzone.units import END_OF_ROUND, FAST, HIGH, SHOT, is_fast, moved, squad_of, units_on_table
from sandtable.tabletop.actions import RESTRAINS, Action
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give, take
from sandtable.tabletop.walking import track_of

FAST_TOPIC = "fast-flight"


def fly_fast(battle: Battle, squad: Thing) -> Procedure[None]:
    """A Fast squad flies one straight line, and may leave the table.

    Whoever chooses a line that tall scenery blocks flies high; on any other line flying high would change nothing.
    """
    walks = yield from ask_flight(
        battle,
        squad,
        FAST_TOPIC,
        f"{squad.label}: how far straight ahead?",
        full_move,
        FAST,
        shows=("distance",),
        default=lambda table, units: straight_ahead(table, units, high=False) or straight_ahead(table, units),
    )
    units = units_on_table(battle.table, squad.id)
    leaving = [one.id for one in units if leaves_table(battle.table, one, track_of(one, walks[one.id]))]
    for one in units:
        if too_tall(battle.table, one, track_of(one, walks[one.id])):
            give(battle, one.id, HIGH, FAST, until=END_OF_ROUND)
    steps = yield from flown_past(battle, squad, walks, leaving)
    battle.push(*steps, Done(squad.id))


class Done(Step, frozen=True):
    """A Fast squad has flown."""

    squad: str


def done(battle: Battle, step: Done) -> Procedure[None]:
    """Nothing more to react to."""
    yield from ()
    for one in battle.table.members(step.squad):
        take(battle, one.id, PATH, REACTION_FIRE)


def restrained(table: Table, squad: Thing, action: Action) -> Refusal | None:
    """Why a Fast squad may not shoot: it flies high this round, or will have to."""
    units = [one for one in units_on_table(table, squad.id) if is_fast(one)]
    if action.id != SHOOTING or not units:
        return None
    if all(one.has(HIGH) for one in units):
        return Refusal(FAST.id, f"{squad.label} flies high this round.")
    if all(moved(one) is None for one in units) and straight_ahead(table, units, high=False) is None:
        return Refusal(FAST.id, f"{squad.label} must fly high this round: scenery blocks its line.")
    return None


def preview_fast(view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
    """Who leaves the table, who flies high and may not shoot, and how far from the enemy the others would be."""
    notes, stay = [], []
    for name, walk in answer.items():
        unit = view.table[name]
        track = track_of(unit, walk)
        if leaves_table(view.table, unit, track):
            notes.append(f"{unit.label} leaves the table.")
            continue
        stay.append(ended(unit, walk))
        if too_tall(view.table, unit, track):
            notes.append(f"{unit.label} flies high and may not shoot this round.")
    return Preview(notes=tuple(notes), distances=away_from_foes(view.table, stay))


def judge_fast(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Why a Fast unit may not fly so."""
    taken = []
    for name in question.models:
        unit = view.table[name]
        legs = answer.get(name, Walk()).legs
        first = [one for one in legs if isinstance(one, Leg) and one.go]
        turns = [one.turn for one in legs if isinstance(one, Leg)]
        if len(first) != 1 or len(turns) < len(legs):
            return Refusal(FAST.id, f"{unit.label} must fly one straight line.")
        if turns[0] or first[0].go < 0:
            return Refusal(LANDING.id, f"{unit.label} must fly along its facing.", (FAST.id,))
        if not least(unit) <= first[0].go <= full_move(unit):
            return Refusal(FAST.id, f"{unit.label} must fly {least(unit) // UNIT}″ to {full_move(unit) // UNIT}″.")
        if abs(sum(turns)) > FAST.number("turn_limit_degrees"):
            return Refusal(FAST.id, f"{unit.label} may turn 90° at the end at most.")
        track = track_of(unit, answer[name])
        if squad_of(view.table, unit).has(SHOT) and too_tall(view.table, unit, track):
            return Refusal(FAST.id, f"{unit.label} has shot this round: it may not fly high over what blocks its line.")
        if not leaves_table(view.table, unit, track):
            taken.append((unit, track.end.point))
    for unit, at in taken:
        refusal = refused_end(view.table, unit, at, taken, True)
        if refusal is not None:
            return refusal
    return None


CHAPTER = Chapter(
    steps={Done: done},
    judges={FAST_TOPIC: judge_fast},
    previews={FAST_TOPIC: preview_fast},
    at=(RESTRAINS(restrained),),
    answers={FAST_TOPIC: "the straight way of each Fast Aircraft"},
)
