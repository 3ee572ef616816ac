"""All chapters of the rules put together: every action, step, judge, preview and word there is.

This is the only module that knows every chapter. To add one, write its `CHAPTER` and name it in `CHAPTERS`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.questions import ChooseOne, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.state import Step
from sandtable.engine.table import Thing
from sandtable.forces.models import Fielded
from sandtable.forces.scenario import Scenario
from sandtable.forces.terrain import TerrainKind
from sandtable.rulesets.stargrunt import communications, electronic_warfare
from sandtable.rulesets.stargrunt.actions import elements, in_place, regroup
from sandtable.rulesets.stargrunt.actions.activation import Choices, action_preview, activate
from sandtable.rulesets.stargrunt.aerospace import craft
from sandtable.rulesets.stargrunt.artillery import requests
from sandtable.rulesets.stargrunt.chapter import (
    Action,
    Activate,
    AfterMove,
    Ask,
    Chapter,
    Judge,
    OptionJudge,
    Previewer,
    Reader,
)
from sandtable.rulesets.stargrunt.close_assault import assault, prisoners
from sandtable.rulesets.stargrunt.fire import actions as fire_actions
from sandtable.rulesets.stargrunt.fire import heavy, out_of_turn
from sandtable.rulesets.stargrunt.forces import squads
from sandtable.rulesets.stargrunt.forces.cards import Squad
from sandtable.rulesets.stargrunt.movement import actions as movement_actions
from sandtable.rulesets.stargrunt.movement import columns
from sandtable.rulesets.stargrunt.observation import spotting
from sandtable.rulesets.stargrunt.obstacles import chapter as obstacles_chapter
from sandtable.rulesets.stargrunt.previews import electronic_warfare as previews_electronic_warfare
from sandtable.rulesets.stargrunt.scenario import battles, endings, muster, objectives, terrain
from sandtable.rulesets.stargrunt.turn import order, reaction_fire
from sandtable.rulesets.stargrunt.units import crew_served, independents
from sandtable.rulesets.stargrunt.vehicles import (
    driving,
    entering,
    fleeing,
    getting_out,
    road_travel,
    transport,
    vehicle_units,
)

#: The chapters, in the order in which their actions are listed.
CHAPTERS: tuple[Chapter, ...] = (
    muster.CHAPTER,
    terrain.CHAPTER,
    battles.CHAPTER,
    squads.CHAPTER,
    movement_actions.CHAPTER,
    columns.CHAPTER,
    entering.CHAPTER,
    fleeing.CHAPTER,
    driving.CHAPTER,
    road_travel.CHAPTER,
    getting_out.CHAPTER,
    transport.CHAPTER,
    fire_actions.CHAPTER,
    out_of_turn.CHAPTER,
    reaction_fire.CHAPTER,
    heavy.CHAPTER,
    crew_served.CHAPTER,
    vehicle_units.CHAPTER,
    assault.CHAPTER,
    in_place.CHAPTER,
    independents.CHAPTER,
    elements.CHAPTER,
    prisoners.CHAPTER,
    regroup.CHAPTER,
    communications.CHAPTER,
    spotting.CHAPTER,  # a hidden unit shows itself before it does anything else
    electronic_warfare.CHAPTER,
    previews_electronic_warfare.CHAPTER,
    requests.CHAPTER,
    obstacles_chapter.CHAPTER,
    craft.CHAPTER,
    objectives.CHAPTER,
    battles.SCOUTING,
)

ACTIONS: dict[str, Action] = {action.id: action for chapter in CHAPTERS for action in chapter.actions}
CHOICES = Choices(
    ACTIONS,
    tuple(one for chapter in CHAPTERS for one in chapter.restraints),
    tuple(one for chapter in CHAPTERS for one in chapter.compulsions),
    tuple(chapter.activates for chapter in CHAPTERS if chapter.activates),
    CHAPTERS,
)
JUDGES: dict[str, Judge] = {topic: one for chapter in CHAPTERS for topic, one in chapter.judges.items()}
PREVIEWS: dict[str, Previewer] = {
    "action": partial(action_preview, ACTIONS),
    **{topic: one for chapter in CHAPTERS for topic, one in chapter.previews.items()},
}
REFUSALS: dict[str, OptionJudge] = {
    "action": CHOICES.forbids,
    "activate": order.cannot_pass,
    **{topic: one for chapter in CHAPTERS for topic, one in chapter.refusals.items()},
}
UNOFFERED: dict[str, Callable[[View, ChooseOne, str], Refusal | None]] = {
    "action": CHOICES.unoffered,
    **{topic: one for chapter in CHAPTERS for topic, one in chapter.unoffered.items()},
}
READERS: dict[str, Reader] = {topic: one for chapter in CHAPTERS for topic, one in chapter.readers.items()}
VALUES: dict[str, Ask] = {name: one for chapter in CHAPTERS for name, one in chapter.values.items()}
KINDS: dict[str, TerrainKind] = {kind: one for chapter in CHAPTERS for kind, one in chapter.kinds.items()}


def _words(of: Callable[[Chapter], Mapping[str, str]]) -> dict[str, str]:
    return {word: meaning for chapter in CHAPTERS for word, meaning in of(chapter).items()}


#: The states that a unit may have, what is counted on it, and what else may be said of it, as cases and scenarios do.
STATES = _words(lambda chapter: chapter.states)
COUNTS = _words(lambda chapter: chapter.counts)
OPTIONS = _words(lambda chapter: chapter.options)
ANSWERS = _words(lambda chapter: chapter.answers)
#: The optional rules that a scenario may switch on.
SWITCHES = _words(lambda chapter: chapter.switches)


def after_move(battle: Battle, step: AfterMove) -> Procedure[None]:
    """What chapters do after a unit has moved."""
    yield from ()
    battle.push(*(one for chapter in CHAPTERS if chapter.after_move for one in chapter.after_move(battle.table, step)))


#: How markers are laid that do not lie open.
MARKERS = {kind: one for chapter in CHAPTERS for kind, one in chapter.markers.items()}

#: How scenarios end that do not fight for markers.
ENDINGS: dict[str, objectives.Ending] = {
    "patrol-clash": objectives.Ending(
        lambda battle: None, lambda battle: None, lambda battle, last: endings.patrol_ends(battle, last=last)
    ),
    "rearguard": objectives.Ending(
        endings.rearguard_counts,
        endings.rearguard_turn,
        lambda battle, last: endings.rearguard_ends(battle, last=last),
    ),
}


#: The procedure of every step.
PROCEDURES: dict[type[Step], Callable[[Battle, Any], Procedure[None]]] = {
    order.TurnBegins: partial(order.turn_begins, CHAPTERS),
    order.ChooseFirst: order.choose_first,
    order.NextActivation: partial(objectives.next_activation, CHAPTERS, ENDINGS),
    objectives.Ask: partial(objectives.ask, CHAPTERS, ENDINGS),
    order.TurnEnds: partial(objectives.turn_ends, CHAPTERS),
    objectives.TurnIsOver: partial(objectives.turn_is_over, ENDINGS),
    Activate: partial(activate, CHOICES),
    AfterMove: after_move,
    **{kind: one for chapter in CHAPTERS for kind, one in chapter.steps.items()},
}


_AT_ONCE = tuple(chapter.at_once for chapter in CHAPTERS if chapter.at_once)


def carried_out(battle: Battle, step: Step) -> Procedure[None]:
    """The procedure of a step, after whatever has just been set off."""
    first = [one for at_once in _AT_ONCE for one in at_once(battle.table)]
    if not first or type(step) is type(first[0]):
        yield from PROCEDURES[type(step)](battle, step)
    else:
        battle.push(*first, step)


def bring(battle: Battle, one: Fielded[Squad], superior: str, form: Scenario) -> None:
    """Put a fielded card on the table, as the chapter does that knows it; else it is a squad of figures."""
    if not any(chapter.brings(battle, one, superior, form) for chapter in CHAPTERS if chapter.brings):
        squads.bring_squad(battle, one, superior, form)


def in_play(thing: Thing) -> Sequence[str]:
    """The rules that a thing brings into play by being there."""
    return [rule for chapter in CHAPTERS if chapter.in_play for rule in chapter.in_play(thing)]
