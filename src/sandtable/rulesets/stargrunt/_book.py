"""All chapters of the rules put together: every action, step, judge, preview and word there is.

This is the only module that knows every chapter. To add one, write its `CHAPTER` and name it in `CHAPTERS`.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Thing
from sandtable.forces.models import Fielded
from sandtable.forces.scenario import Scenario
from sandtable.forces.terrain import TerrainKind
from sandtable.rulesets.stargrunt import (
    _assault,
    _battles,
    _crew_served,
    _elements,
    _endings,
    _ew_previews,
    _fire_actions,
    _getting_out,
    _heavy_fire,
    _independents,
    _move_actions,
    _muster,
    _prisoners,
    _reaction_fire,
    _regroup,
    _road_travel,
    _squads,
    _terrain,
    _transport,
    _travel,
    _vehicle_entry,
    _vehicle_flight,
    _vehicle_moves,
    _vehicle_units,
    actions,
    aerospace,
    artillery,
    communications,
    electronic_warfare,
    observation,
    obstacles,
    scenario,
    turn,
)
from sandtable.rulesets.stargrunt._activation import Choices, action_preview, activate
from sandtable.rulesets.stargrunt._chapter import (
    Action,
    Activate,
    AfterMove,
    Ask,
    Chapter,
    Judge,
    Previewer,
    Reader,
)
from sandtable.rulesets.stargrunt.forces import Squad

#: The chapters, in the order in which their actions are listed.
CHAPTERS: tuple[Chapter, ...] = (
    _muster.CHAPTER,
    _terrain.CHAPTER,
    _battles.CHAPTER,
    _squads.CHAPTER,
    _move_actions.CHAPTER,
    _travel.CHAPTER,
    _vehicle_entry.CHAPTER,
    _vehicle_flight.CHAPTER,
    _vehicle_moves.CHAPTER,
    _road_travel.CHAPTER,
    _getting_out.CHAPTER,
    _transport.CHAPTER,
    _fire_actions.CHAPTER,
    _reaction_fire.CHAPTER,
    _heavy_fire.CHAPTER,
    _crew_served.CHAPTER,
    _vehicle_units.CHAPTER,
    _assault.CHAPTER,
    actions.CHAPTER,
    _independents.CHAPTER,
    _elements.CHAPTER,
    _prisoners.CHAPTER,
    _regroup.CHAPTER,
    communications.CHAPTER,
    observation.CHAPTER,  # a hidden unit shows itself before it does anything else
    electronic_warfare.CHAPTER,
    _ew_previews.CHAPTER,
    artillery.CHAPTER,
    obstacles.CHAPTER,
    aerospace.CHAPTER,
    scenario.CHAPTER,
    _battles.SCOUTING,
)

ACTIONS: dict[str, Action] = {action.id: action for chapter in CHAPTERS for action in chapter.actions}
CHOICES = Choices(
    ACTIONS,
    tuple(one for chapter in CHAPTERS for one in chapter.restraints),
    tuple(one for chapter in CHAPTERS for one in chapter.drives),
    tuple(chapter.activates for chapter in CHAPTERS if chapter.activates),
    CHAPTERS,
)
JUDGES: dict[str, Judge] = {topic: one for chapter in CHAPTERS for topic, one in chapter.judges.items()}
PREVIEWS: dict[str, Previewer] = {
    "action": partial(action_preview, ACTIONS),
    **{topic: one for chapter in CHAPTERS for topic, one in chapter.previews.items()},
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
ENDINGS: dict[str, scenario.Ending] = {
    "patrol-clash": scenario.Ending(
        lambda battle: None, lambda battle: None, lambda battle, last: _endings.patrol_ends(battle, last=last)
    ),
    "rearguard": scenario.Ending(
        _endings.rearguard_counts,
        _endings.rearguard_turn,
        lambda battle, last: _endings.rearguard_ends(battle, last=last),
    ),
}


#: The procedure of every step.
PROCEDURES: dict[type[Step], Callable[[Battle, Any], Procedure[None]]] = {
    turn.TurnBegins: partial(turn.turn_begins, CHAPTERS),
    turn.ChooseFirst: turn.choose_first,
    turn.NextActivation: partial(scenario.next_activation, CHAPTERS, ENDINGS),
    scenario.Ask: partial(scenario.ask, CHAPTERS, ENDINGS),
    turn.TurnEnds: partial(scenario.turn_ends, CHAPTERS),
    scenario.TurnIsOver: partial(scenario.turn_is_over, ENDINGS),
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
        _squads.bring_squad(battle, one, superior, form)


def in_play(thing: Thing) -> Sequence[str]:
    """The rules that a thing brings into play by being there."""
    return [rule for chapter in CHAPTERS if chapter.in_play for rule in chapter.in_play(thing)]
