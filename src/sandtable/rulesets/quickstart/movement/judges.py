"""Why a walk is refused: as a Move Action, as the way out of a close combat, or as the turn of standing up."""

from collections.abc import Callable

from msgspec.structs import replace

from sandtable.engine.questions import MoveModels, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import Leg, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import CONTACT, gap, outline_of
from sandtable.forces.ledger import rule
from sandtable.rulesets.cav.concepts import base_of, outline
from sandtable.rulesets.quickstart.close_combat import BREAK_SUCCESS, free
from sandtable.rulesets.quickstart.datacard import MOVEMENT_VALUE, movement
from sandtable.rulesets.quickstart.movement.moves import PER_INCH, STAND_UP, going, refused_stand_up, refused_walk
from sandtable.rulesets.quickstart.movement.walking import FIRES_HERE, contacts_of, rates_of
from sandtable.rulesets.quickstart.setup.retreat import refused_retreat
from sandtable.rulesets.quickstart.shooting.direct_fire import MOVE_AND_SHOOT, RUN_N_GUN
from sandtable.rulesets.quickstart.state_names import StateName
from sandtable.tabletop.chapters import Chapter

RUN_EXCEPTIONS = rule("quickstart.shooting.run-n-gun-exceptions")

#: Why a model may not walk so, given the question for its walk.
WalkJudge = Callable[[Table, Thing, MoveModels, Walk], Refusal | None]


def _of_its_walk(judge: WalkJudge) -> Callable[[View, MoveModels, dict[str, Walk]], Refusal | None]:
    """A judge of the walk of the one model that is asked for; who stays does nothing that could be refused."""

    def judged(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
        walk = answer.get(question.models[0])
        return None if walk is None else judge(view.table, view.table[question.models[0]], question, walk)

    return judged


def refused_move(table: Table, model: Thing, question: MoveModels, walk: Walk) -> Refusal | None:
    """Judge a Move Action."""
    rates = rates_of(model, question)
    refusal = refused_walk(table, model, walk, rates, contacts_of(question))
    if refusal is not None and refusal.rule == PER_INCH.id:
        runs = question.facts["mv"] < movement(model)
        slow = movement(model) <= RUN_EXCEPTIONS.number("slow_up_to_mv")
        lowered = (RUN_N_GUN.id, *((RUN_EXCEPTIONS.id,) if slow else ())) if runs else (MOVEMENT_VALUE.id,)
        return replace(refusal, also=(*refusal.also, *lowered))
    if refusal is None and model.has(StateName.RETREATING) and not question.marks:
        return refused_retreat(table, model, walk, rates)
    if refusal is None and FIRES_HERE in walk.marks:
        length = sum(abs(getattr(leg, "go", 0)) for leg in walk.legs)
        if not 0 <= walk.marks[FIRES_HERE] <= length:
            return Refusal(MOVE_AND_SHOOT.id, "The place where it fires must lie on the path.")
    return refusal


def refused_standing(table: Table, model: Thing, question: MoveModels, walk: Walk) -> Refusal | None:
    """Judge the facing of a model that stands up."""
    if any(getattr(leg, "go", 1) for leg in walk.legs):
        return Refusal(STAND_UP.id, "Standing up gives a facing, and no distance.")
    return refused_stand_up(table, model, sum(leg.turn for leg in walk.legs if isinstance(leg, Leg)))


def refused_break_away(table: Table, model: Thing, question: MoveModels, walk: Walk) -> Refusal | None:
    """The move after a break follows all movement rules and ends out of contact with every enemy of that fight."""
    rates = rates_of(model, question)
    refusal = refused_walk(table, free(model), walk, rates)
    if refusal is not None:
        too_far = refusal.rule == PER_INCH.id
        return replace(refusal, also=(*refusal.also, BREAK_SUCCESS.id)) if too_far else refusal
    gone = going(table, free(model), walk, rates)
    pose = gone.track.pose_at(gone.reach, turned=True)
    shape = outline_of(base_of(model), pose.point, pose.facing)
    for foe in question.about[1:]:
        if not gone.leaves and gap(shape, outline(table[foe])) <= CONTACT:
            return Refusal(BREAK_SUCCESS.id, f"The move must end out of contact with {table[foe].label}.")
    return None


CHAPTER = Chapter(
    judges={
        "walk": _of_its_walk(refused_move),
        "stand-up": _of_its_walk(refused_standing),
        "break-away": _of_its_walk(refused_break_away),
    },
    answers={
        "walk": "the path of a Move Action; the mark `fires here` where a combined assault is made",
        "break-away": "the path out of a close combat",
        "stand-up": "how a model that stands up turns",
        "stand-up-instead": "false: a model knocked down does not use its declared move to stand up",
    },
)
