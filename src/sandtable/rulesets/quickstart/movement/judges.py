"""Why a walk is refused: as a Move Action, as the way out of a close combat, or as the turn of standing up."""

from sandtable.engine.questions import MoveModels, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import Leg, Walk
from sandtable.field.measure import CONTACT, gap, outline_of
from sandtable.rulesets.quickstart.close_combat import BREAK_SUCCESS, free
from sandtable.rulesets.quickstart.concepts import base_of, outline
from sandtable.rulesets.quickstart.movement.moves import STAND_UP, going, refused_stand_up, refused_walk
from sandtable.rulesets.quickstart.movement.walking import FIRES_HERE, contacts_of, rates_of
from sandtable.rulesets.quickstart.setup.retreat import refused_retreat
from sandtable.rulesets.quickstart.shooting.direct_fire import MOVE_AND_SHOOT
from sandtable.rulesets.quickstart.state_names import StateName
from sandtable.tabletop.chapters import Chapter

Walks = dict[str, Walk]


def refused_move(view: View, question: MoveModels, answer: Walks) -> Refusal | None:
    """Judge a Move Action."""
    table, model = view.table, view.table[question.models[0]]
    walk = answer.get(model.id)
    if walk is None:
        return None
    rates = rates_of(model, question)
    refusal = refused_walk(table, model, walk, rates, contacts_of(question))
    if refusal is None and model.has(StateName.RETREATING) and not question.marks:
        return refused_retreat(table, model, walk, rates)
    if refusal is None and FIRES_HERE in walk.marks:
        length = sum(abs(getattr(leg, "go", 0)) for leg in walk.legs)
        if not 0 <= walk.marks[FIRES_HERE] <= length:
            return Refusal(MOVE_AND_SHOOT.id, "The place where it fires must lie on the path.")
    return refusal


def refused_standing(view: View, question: MoveModels, answer: Walks) -> Refusal | None:
    """Judge the facing of a model that stands up."""
    table, model = view.table, view.table[question.models[0]]
    walk = answer.get(model.id)
    if walk is None:
        return None
    if any(getattr(leg, "go", 1) for leg in walk.legs):
        return Refusal(STAND_UP.id, "Standing up gives a facing, and no distance.")
    return refused_stand_up(table, model, sum(leg.turn for leg in walk.legs if isinstance(leg, Leg)))


def refused_break_away(view: View, question: MoveModels, answer: Walks) -> Refusal | None:
    """The move after a break follows all movement rules and ends out of contact with every enemy of that fight."""
    table, model = view.table, view.table[question.models[0]]
    walk = answer.get(model.id)
    if walk is None:
        return None
    rates = rates_of(model, question)
    refusal = refused_walk(table, free(model), walk, rates)
    if refusal is not None:
        return refusal
    gone = going(table, free(model), walk, rates)
    pose = gone.track.pose_at(gone.reach, turned=True)
    shape = outline_of(base_of(model), pose.point, pose.facing)
    for foe in question.about[1:]:
        if not gone.leaves and gap(shape, outline(table[foe])) <= CONTACT:
            return Refusal(BREAK_SUCCESS.id, f"The move must end out of contact with {table[foe].label}.")
    return None


CHAPTER = Chapter(
    judges={"walk": refused_move, "stand-up": refused_standing, "break-away": refused_break_away},
    answers={
        "walk": "the path of a Move Action; the mark `fires here` where a combined assault is made",
        "break-away": "the path out of a close combat",
        "stand-up": "how a model that stands up turns",
        "stand-up-instead": "false: a model knocked down does not use its declared move to stand up",
    },
)
