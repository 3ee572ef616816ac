"""Detached elements: formed, activated by the leader, rejoining; and what becomes of one whose unit is gone."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Declared, Forfeited, Grouped, Left, Placed, StateChanged
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import In, Off
from sandtable.engine.state import Step
from sandtable.engine.table import Mark, Table, Thing
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.rulesets.stargrunt.chapter import Action, Activate, AfterMove, Outcome, on_foot, on_table
from sandtable.rulesets.stargrunt.communications import communicate
from sandtable.rulesets.stargrunt.confidence.levels import MOST_MARKERS
from sandtable.rulesets.stargrunt.cover.integrity import in_integrity
from sandtable.rulesets.stargrunt.fire.shots import FIRE_LIMIT, FIRED, fired
from sandtable.rulesets.stargrunt.moments import AFTER_MOVE, BETWEEN
from sandtable.rulesets.stargrunt.movement.walking import MOBILITY_STATE, TRAVELLING
from sandtable.rulesets.stargrunt.state_names import CountName, StateName
from sandtable.rulesets.stargrunt.units.leaders import leader, replace_leader
from sandtable.rulesets.stargrunt.units.record import (
    CAPTIVE,
    ELEMENT,
    LOSS_OF_LEADER,
    PRISONERS,
    STANDS_FOR_IT,
    UNIT_AND_ELEMENT,
    captives,
    elements,
    fit,
    gap_between,
    hull_of,
    is_element,
    is_independent,
    points,
    spot,
    standing,
    whereabouts,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import by_unit
from sandtable.tabletop.states import END_OF_TURN, give, take

DETACHED = rule("stargrunt.actions.detached-elements")
DETAILS = rule("stargrunt.actions.detached-elements-details")

#: Of an element: it has been out of integrity with its unit. Of a unit: the elements its leader has tried this turn.
APART, TRIED = "apart", "elements tried"
#: What an element has from its unit when it is formed.
SHARED = (
    StateName.CONFIDENCE,
    StateName.MOTIVATION,
    StateName.FATIGUE,
    StateName.QUALITY,
    MOBILITY_STATE,
    StateName.IN_POSITION,
    FIRED,
    StateName.PANICKED,
    StateName.PANIC_DONE,
    StateName.FIRST_SUPPRESSION_DONE,
    TRAVELLING,
)


class Rejoin(Step, frozen=True):
    """An element is within integrity of its unit again."""

    element: str


class TakeOver(Step, frozen=True):
    """The unit of an element has nobody left: the element is the unit now."""

    element: str


def together(table: Table, unit: str, element: str) -> bool:
    """Whether an element is within integrity of its unit."""
    if hull_of(table, unit) is not None or hull_of(table, element) is not None:
        return False
    here, there = points(table, unit), points(table, element)
    return bool(here and there) and in_integrity([*here, *there])


# Forming -----------------------------------------------------------------------------------------------------------


def cannot_form(table: Table, unit: Thing) -> Refusal | None:
    if len(elements(table, unit.id)) >= DETAILS.number("max_per_unit"):
        return Refusal(DETAILS.id, f"{unit.label} has {DETAILS.number('max_per_unit')} elements already.")
    if len(standing(table, unit.id)) < 2:
        return Refusal(DETACHED.id, f"{unit.label} has nobody to send.")
    return None


def may_have_elements(table: Table, unit: Thing) -> bool:
    return on_foot(table, unit) and not (is_element(unit) or is_independent(unit) or hull_of(table, unit.id))


def _form(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Some figures, not the leader, become an element (stargrunt.actions.detached-elements)."""
    led_by = leader(battle.table, unit.id)
    able = [one for one in standing(battle.table, unit.id) if led_by is None or one.id != led_by.id]
    chosen: tuple[ThingId, ...] = yield ChooseSeveral(
        unit.side,
        "Who goes with the element?",
        deed="Send {}",
        topic="element",
        about=(unit.id,),
        options=tuple(Option(one.id, one.label, (one.id,), (DETACHED.id,)) for one in able),
        at_least=1,
        rules=(DETACHED.id, UNIT_AND_ELEMENT.id),
    )
    detach(battle, unit, chosen)
    return Outcome()


def detach(battle: Battle, unit: Thing, figures: Sequence[ThingId]) -> ThingId:
    """Make some figures of a unit an element of it; gives its id."""
    taken = [one.id for one in battle.table.of_kind("unit")]
    number = next(n for n in range(1, len(taken) + 2) if f"{unit.id}/{n}" not in taken)
    name = ThingId(f"{unit.id}/{number}")
    states = {word: Mark(unit.states[word].value, unit.states[word].until) for word in SHARED if word in unit.states}
    made = Thing(
        id=name,
        kind="unit",
        side=unit.side,
        label=f"{unit.label}, element {number}",
        card=unit.card,
        glyph=unit.glyph,
        unit=unit.id,
        states={**states, ELEMENT: Mark(unit.id)},
        counts={
            CountName.LEADERSHIP: unit.count(CountName.LEADERSHIP),
            CountName.SUPPRESSION: unit.count(CountName.SUPPRESSION),
        },
    )
    n = battle.happens(Placed(name, Off(STANDS_FOR_IT), made=made, rule=DETACHED.id, detail=citing(DETAILS)))
    battle.happens(Grouped(tuple(figures), name, rule=DETACHED.id, because=n))
    return name


# Activating --------------------------------------------------------------------------------------------------------


def tried(unit: Thing) -> tuple[str, ...]:
    """The elements that a leader has tried to activate this turn."""
    return unit.words(TRIED)


def element_options(table: Table, unit: Thing) -> list[Option]:
    """The elements of a unit."""
    return [Option(one.id, one.label, (one.id,), (DETAILS.id,)) for one in elements(table, unit.id)]


def element_refused(table: Table, unit: Thing, element: str) -> Refusal | None:
    """Why an element may not be activated now."""
    if element in tried(unit):
        return Refusal(DETAILS.id, f"{table[element].label} has been tried this turn.")
    return None


def _none_left(table: Table, unit: Thing) -> Refusal | None:
    if any(element_refused(table, unit, option.id) is None for option in element_options(table, unit)):
        return None
    return Refusal(DETAILS.id, "Every element has been tried this turn.")


def within_call(table: Table, unit: Thing, element: str) -> bool:
    """Whether an element is near enough to the leader to be told (stargrunt.actions.detached-elements-details)."""
    led_by = leader(table, unit.id)
    here = [spot(led_by)] if led_by is not None and led_by in standing(table, unit.id) else whereabouts(table, unit.id)
    there = whereabouts(table, element)
    return bool(here and there) and gap_between(here, there) <= DETAILS.inches("automatic_within_in") ** 2


def _activate(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """The leader spends an action to activate an element, by word of mouth or by radio."""
    chosen = yield ChooseOne(
        unit.side,
        "Activate which element?",
        topic="which-element",
        about=(unit.id,),
        options=tuple(element_options(battle.table, unit)),
        rules=(DETACHED.id, DETAILS.id),
        shows=("distance", "odds"),
    )
    n = battle.happens(Declared(unit.id, "activate element", (chosen,), rule=DETAILS.id, detail=citing(DETACHED)))
    give(battle, unit.id, TRIED, DETAILS, (*tried(unit), chosen), until=END_OF_TURN, because=n)
    if not within_call(battle.table, unit, chosen):
        through, n = yield from communicate(battle, unit, battle.table[chosen], n, by_radio=True)
        if not through:
            battle.happens(Forfeited(unit.id, "activate element", rule=DETAILS.id, because=n))
            return Outcome()
    return Outcome(then=(Activate(chosen, DETAILS.number("actions"), transferred=True),))


# Coming together again ---------------------------------------------------------------------------------------------


def after_move(table: Table, step: AfterMove) -> Sequence[Step]:
    """After a unit or one of its elements has moved, elements within integrity of their unit rejoin it."""
    moved = table[step.unit]
    family = [moved] if is_element(moved) else elements(table, moved.id)
    return [Rejoin(one.id) for one in family]


def rejoin(battle: Battle, step: Rejoin) -> Procedure[None]:
    """An element that has been away and is within integrity of its unit is part of it again."""
    yield from ()
    table, element = battle.table, battle.table[step.element]
    unit = ThingId(str(element.value(ELEMENT)))
    if not fit(table, element.id) or not standing(table, unit):
        return
    if together(table, unit, element.id):
        if element.has(APART):
            merge(battle, element, unit)
    elif not element.has(APART):
        give(battle, element.id, APART, DETAILS)


def merge(battle: Battle, element: Thing, unit: ThingId) -> None:
    """All figures of an element are figures of its unit; markers add up, a position is kept only if both have one."""
    thing = battle.table[unit]
    members = tuple(one.id for one in battle.table.members(element.id))
    n = battle.happens(Grouped(members, unit, rule=DETAILS.id))
    bring_along(battle, element, unit, DETAILS, n)
    battle.happens(Left(element.id, "rejoined its unit", rule=DETAILS.id, because=n))
    before = thing.count(CountName.SUPPRESSION)
    after = min(MOST_MARKERS.number("max"), before + element.count(CountName.SUPPRESSION))
    if after != before:
        battle.happens(Counted(unit, CountName.SUPPRESSION, before, after, rule=DETAILS.id, because=n))
    if thing.has(StateName.IN_POSITION) and not element.has(StateName.IN_POSITION):
        take(battle, unit, StateName.IN_POSITION, DETAILS, n)


def bring_along(battle: Battle, gone: Thing, unit: str, why: Rule, because: int) -> None:
    """Figures that become part of another unit bring their prisoners, and what they have fired this turn.

    stargrunt.actions.fire-limit    no weapon fires twice in a turn, whichever unit it is in
    """
    for one in captives(battle.table, gone.id):
        n = give(battle, one.id, CAPTIVE, why, unit, because=because)
        battle.happens(Placed(one.id, In(unit, PRISONERS), rule=why.id, because=n))
    mine = fired(battle.table[unit])
    both = tuple(dict.fromkeys((*mine, *fired(gone))))
    if both != mine:
        told = (unit, FIRED, mine or None, both, END_OF_TURN)
        battle.happens(StateChanged(*told, rule=FIRE_LIMIT.id, because=because))


def between(table: Table) -> Sequence[Step]:
    """An element whose unit has nobody left takes over."""
    return [
        TakeOver(one.id)
        for one in table.of_kind("unit")
        if is_element(one) and fit(table, one.id) and not fit(table, str(one.value(ELEMENT)))
    ]


def take_over(battle: Battle, step: TakeOver) -> Procedure[None]:
    """The figures of an element are all that is left of its unit: they are the unit, and one of them leads it."""
    element = battle.table[step.element]
    unit = ThingId(str(element.value(ELEMENT)))
    if fit(battle.table, unit):
        return
    take(battle, unit, StateName.DESTROYED, DETAILS)
    merge(battle, element, unit)
    battle.happens(Declared(unit, "taken over", (element.id,), rule=LOSS_OF_LEADER.id))
    yield from replace_leader(battle, unit, 0)


CHAPTER = Chapter(
    actions=(
        Action(
            id="detach",
            entry="form_detached_element",
            label="Form a detached element",
            rule=DETACHED,
            carry_out=_form,
            shown=may_have_elements,
            refused=cannot_form,
        ),
        Action(
            id="activate-element",
            entry="transfer_action",
            label="Activate an element",
            rule=DETAILS,
            carry_out=_activate,
            shown=lambda table, unit: on_table(table, unit) and bool(elements(table, unit.id)),
            refused=_none_left,
        ),
    ),
    steps={Rejoin: rejoin, TakeOver: take_over},
    refusals={"which-element": by_unit(element_refused)},
    states={ELEMENT: "of an element: the unit it belongs to", APART: "of an element: it has left its unit"},
    answers={"element": "the figures of a detached element", "which-element": "the element that is activated"},
    at=(
        AFTER_MOVE(after_move),
        BETWEEN(between),
    ),
)
same_number("what forming an element costs", CHAPTER.actions[0].cost, DETACHED.number("form_cost"))
