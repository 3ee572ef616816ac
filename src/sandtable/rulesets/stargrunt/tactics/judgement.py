"""What a position is worth by these rules, what one unit may do to another, and how a battle may go on from a view."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from sandtable.engine.dice import Dice
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, ChooseOne
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, Off, Point
from sandtable.engine.state import State, Step
from sandtable.engine.table import Mark, Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.stargrunt.actions.activation import budget
from sandtable.rulesets.stargrunt.artillery.assets import MARKERS
from sandtable.rulesets.stargrunt.chapter import Activate
from sandtable.rulesets.stargrunt.cover.protection import OPEN, cover_at, figure_seen
from sandtable.rulesets.stargrunt.observation.counters import DUMMY, enemy_counters
from sandtable.rulesets.stargrunt.scenario.objectives import Ask, objectives, victory_points
from sandtable.rulesets.stargrunt.state_names import CountName, StateName
from sandtable.rulesets.stargrunt.tactics.fire import guns_of, range_die, volley_worth
from sandtable.rulesets.stargrunt.tactics.outlook import friends_of, goal_of, position
from sandtable.rulesets.stargrunt.turn.order import NextActivation
from sandtable.rulesets.stargrunt.units.record import (
    BROKEN,
    CONFIDENCE,
    HIDDEN,
    at_worst,
    confidence,
    enemies,
    fit,
    hull_of,
    is_fit,
    points,
    spot,
    units,
)
from sandtable.tabletop.actions import Menu
from sandtable.tabletop.face_down import IS
from sandtable.tabletop.imagining import imagined_state
from sandtable.tabletop.opponent import Goal

#: Of so many counters of which nothing is known one is taken for a unit.
_ONE_IN = 2


def features(table: Table, side: Side) -> Mapping[str, int]:
    """What a side has: figures and vehicles, its nerve, ground and points."""
    found = {"points": victory_points(table, side)}
    found |= dict.fromkeys(("figures", "wounded", "vehicles", "suppression", "nerve", "broken", "way", "cover"), 0)
    for unit in units(table, side):
        able = fit(table, unit.id)
        found["figures"] += len(able)
        found["wounded"] += sum(not is_fit(one) for one in table.members(unit.id))
        found["vehicles"] += hull_of(table, unit.id) is not None
        found["suppression"] += unit.count(CountName.SUPPRESSION)
        found["nerve"] += CONFIDENCE.index(confidence(unit))
        found["broken"] += at_worst(unit, BROKEN)
        here = position(table, unit)
        goal, _ = goal_of(table, unit, here, ())
        found["way"] += length_between(here, goal) // UNIT
        spots = points(table, unit.id)
        found["cover"] += bool(spots) and cover_at(table.ground, spots, None) > OPEN
    return found


def threat(table: Table, attacker: Thing, victim: Thing, place: Point | None = None) -> int:
    """The harm that a volley of one unit may do another, from a place or from where it is."""
    here, there = position(table, attacker) if place is None else place, position(table, victim)
    guns, spots = guns_of(table, attacker), points(table, victim.id)
    if guns is None or not spots or not figure_seen(table.ground, here, there):
        return 0
    cover = cover_at(table.ground, spots, here)
    against = range_die(guns.width, length_between(here, there), cover, victim.has(StateName.IN_POSITION))
    return 0 if against is None else volley_worth(table, guns, victim, against, cover)


def goals(view: View, unit: Thing) -> Sequence[Goal]:
    """What a unit wants: the marker or enemy it goes for, then whom it may hurt from where it is."""
    table = view.table
    if unit.kind != "unit":
        unit = table.things.get(unit.unit, unit)
    here = position(table, unit)
    goal, takes = goal_of(table, unit, here, friends_of(table, unit))
    held = next((one.id for one in objectives(table) if spot(one) == goal), "")
    wanted = Goal(goal, "take the marker" if takes else "close in", 0, held)
    hurts = [
        Goal(position(table, foe), f"hurt {foe.label}", threat(table, unit, foe), foe.id)
        for foe in enemies(table, unit.side)
    ]
    return (wanted, *sorted((one for one in hurts if one.worth), key=lambda one: -one.worth))


# How it may go on ---------------------------------------------------------------------------------------------------


def imagined(menu: Menu, view: View, question: AnyQuestion, dice: Dice) -> State | None:
    """A state in which a side is asked what it activates, or which action a unit takes.

    Under enemy counters of which nothing is known lie dummies, or units like those that are known of that side. Where
    shells are on their way whose mark only the enemy knows, nothing is imagined.
    """
    table = view.table.copy()
    if any(one.side != view.side and one.has(MARKERS) for one in table.of_kind("marker")):
        return None
    steps = next((steps for steps in _asking(menu, view, question)), None)
    if steps is None:
        return None
    for counter in enemy_counters(table, view.side):
        if not counter.has(IS):
            _turn_over(table, counter, dice)
    return imagined_state(table, steps)


def _asking(menu: Menu, view: View, question: AnyQuestion) -> Iterator[list[Step]]:
    """The agendas whose next step asks a question, as far as the question itself tells."""
    if not isinstance(question, ChooseOne):
        return
    if question.topic == "activate":
        yield [Ask(question.side)]
    if question.topic == "action":
        unit = view.table[question.about[0]]
        other = next(side for side in view.table.sides if side != question.side)
        for step in _activations(menu, unit.id):
            if (*menu.options(view.table, unit, budget(step)),) == question.options[:-1]:
                yield [NextActivation(other), step]


def _activations(menu: Menu, unit: str) -> Iterator[Activate]:
    """The ways in which an activation may stand, by what has been done with it."""
    yield Activate(unit, begun=True, ready=True)
    yield Activate(unit, ready=True)
    left = Activate(unit).actions - 1
    yield Activate(unit, left, begun=True, ready=True)
    for action in menu.actions:
        yield Activate(unit, left, tried=(action,), begun=True, ready=True)


def _turn_over(table: Table, counter: Thing, dice: Dice) -> None:
    """Say what lies under a counter: a dummy, or a unit like one that is known of its side."""
    known = [unit for unit in units(table, counter.side) if hull_of(table, unit.id) is None and table.members(unit.id)]
    what = DUMMY
    if known and dice.number(_ONE_IN) == 0:
        like = known[dice.number(len(known)) if len(known) > 1 else 0]
        what = f"{counter.id}?"
        table.things[what] = replace(like, id=what, label=like.label, place=Off(HIDDEN), states={}, unit="")
        for n, one in enumerate(table.members(like.id)):
            figure = replace(one, id=f"{what}{n}", unit=what, place=Off(HIDDEN), harm=0, states={})
            table.things[figure.id] = figure
    table.things[counter.id] = replace(counter, states={**counter.states, IS: Mark(what)})
