"""Actions: what holds a unit back, going In Position, reorganising and treating the wounded."""

from collections.abc import Callable

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared
from sandtable.engine.explain import ExplainedPart, inches
from sandtable.engine.questions import AnyQuestion, ChooseSeveral, MoveModels, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, Walk
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.stargrunt.actions.activation import rest
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, on_foot, on_table, passengers_do_not
from sandtable.rulesets.stargrunt.confidence.forced_moves import forced_move
from sandtable.rulesets.stargrunt.confidence.levels import (
    BROKEN_RULE,
    FORCED,
    PANIC,
    REMOVING,
    ROUTED_RULE,
    is_driven,
    remove_panic,
    remove_suppression,
    removing_panic,
    removing_suppression,
)
from sandtable.rulesets.stargrunt.cover.building_sides import in_marked_building
from sandtable.rulesets.stargrunt.cover.integrity import in_integrity
from sandtable.rulesets.stargrunt.cover.protection import (
    DISORGANISED,
    GOING_IN,
    LEAVING,
    WHILE_IN_POSITION,
    in_cover,
    unit_in_integrity,
)
from sandtable.rulesets.stargrunt.dice.foretold import risky_preview, trial_preview
from sandtable.rulesets.stargrunt.dice.rolls import trial
from sandtable.rulesets.stargrunt.fire.wounds import MEDICS, TREATING, free_from_suits, to_treat, treat, treat_preview
from sandtable.rulesets.stargrunt.moments import COMPELS
from sandtable.rulesets.stargrunt.movement.actions import move_preview
from sandtable.rulesets.stargrunt.movement.moves import after_walks, ends
from sandtable.rulesets.stargrunt.movement.terrain_costs import NORMAL
from sandtable.rulesets.stargrunt.movement.walking import (
    TOGETHER,
    TRAVEL,
    TRAVELLING,
    base_mobility,
    close_up,
    note_left_behind,
    refused_walks,
    walk,
)
from sandtable.rulesets.stargrunt.state_names import CountName, StateName
from sandtable.rulesets.stargrunt.units.record import (
    NOBODY_FIT,
    ROUTED,
    at_worst,
    elements,
    gap_between,
    hull_of,
    is_independent,
    leadership_part,
    points,
    quality_die,
    standing,
    suppressed,
    waiting,
)
from sandtable.tabletop.actions import RESTRAINS
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check, throw
from sandtable.tabletop.previews import together
from sandtable.tabletop.states import give, take

REORGANISE = rule("stargrunt.actions.reorganise")
REORGANISE_LIMITS = rule("stargrunt.actions.reorganise-limits")
SUPPRESSED = rule("stargrunt.actions.suppression-of-infantry")

#: What a suppressed unit may do, by the entry of the list, and what one out of integrity may do.
WHILE_SUPPRESSED = SUPPRESSED.texts("allowed")
WHILE_DISORGANISED = ("reorganise", "remove-suppression", "remove-panic")


# What holds a unit back --------------------------------------------------------------------------------------------


def _panic_holds(table: Table, unit: Thing, action: Action) -> Refusal | None:
    """Who is panicked may only get over it."""
    if unit.has(StateName.PANICKED) and action.id not in ("remove-panic", "steady"):
        return Refusal(PANIC.id, f"{unit.label} is panicked and may take no action.")
    return None


def _suppression_holds(table: Table, unit: Thing, action: Action) -> Refusal | None:
    """What suppression keeps a unit from (stargrunt.actions.suppression-of-infantry)."""
    covered = action.id == "reorganise" and in_cover(table, unit)
    if suppressed(unit) and on_foot(table, unit) and not (action.entry in WHILE_SUPPRESSED or covered):
        also = (REORGANISE.id,) if action.id == "reorganise" else ()
        return Refusal(SUPPRESSED.id, f"{unit.label} is suppressed: {action.label} has to wait.", also)
    return None


def _disorder_holds(table: Table, unit: Thing, action: Action) -> Refusal | None:
    """What a unit out of integrity may not do (stargrunt.cover.disorganised)."""
    if waiting(unit) or action.id in WHILE_DISORGANISED or unit_in_integrity(table, unit.id):
        return None
    return Refusal(DISORGANISED.id, f"{unit.label} is out of integrity and must reorganise first.")


def _nerve_holds(table: Table, unit: Thing, action: Action) -> Refusal | None:
    """Who must go back does nothing else, and is not asked what it does (stargrunt.confidence.forced-activation)."""
    out = on_foot(table, unit) or hull_of(table, unit.id) is not None
    if not out or not is_driven(table, unit):
        return None
    why = ROUTED_RULE if at_worst(unit, ROUTED) else BROKEN_RULE
    return Refusal(why.id, f"{unit.label} must go back, with all its movement.", (FORCED.id,))


def _drive(table: Table, unit: Thing) -> Callable[[Battle, Activate], Procedure[None]] | None:
    """A unit that has no choice: Routed, or Broken in the open, and on the table (not panicked)."""
    return _driven if on_foot(table, unit) and is_driven(table, unit) else None


def _driven(battle: Battle, step: Activate) -> Procedure[None]:
    """A Routed unit, or a Broken one in the open, goes back; removing suppression comes first where it holds it."""
    unit = battle.table[step.unit]
    if not step.begun:
        battle.happens(Declared(unit.id, "must go back", rule=FORCED.id))
    if suppressed(unit):
        remove_suppression(battle, unit)
    else:
        yield from forced_move(battle, unit)
    after = rest(step, step.actions - 1, "move", again=True)
    # Elements share the Confidence of their unit, and go where it goes.
    led = [] if step.begun else [Activate(one.id, transferred=True) for one in elements(battle.table, unit.id)]
    battle.push(*after, *led)


# Position and reorganising -----------------------------------------------------------------------------------------


def going_in(unit: Thing, covered: bool) -> Check:
    """What going In Position takes, or staying so: Quality above LV in cover, LV + 2 in the open."""
    word = "in_cover" if covered else "in_open"
    part = ExplainedPart("in cover" if covered else "in the open", GOING_IN.number("threat", word), GOING_IN.id)
    return trial("going In Position", unit.id, quality_die(unit), (leadership_part(unit), part), GOING_IN)


def in_position_test(battle: Battle, unit: Thing) -> bool:
    """Try to go In Position, or to stay so."""
    roll = throw(battle, going_in(unit, in_cover(battle.table, unit)))
    if roll.succeeds and not unit.has(StateName.IN_POSITION):
        give(battle, unit.id, StateName.IN_POSITION, GOING_IN, because=roll.n)
    elif not roll.succeeds and unit.has(StateName.IN_POSITION):
        take(battle, unit.id, StateName.IN_POSITION, WHILE_IN_POSITION, roll.n)
    return roll.succeeds


def treat_wounded(battle: Battle, unit: Thing) -> Procedure[None]:
    """Ask which of the wounded are treated, and roll for them (stargrunt.actions.treating-wounded)."""
    wounded = to_treat(battle.table, unit)
    if not wounded:
        return
    chosen = yield ChooseSeveral(
        unit.side,
        "Treat which of the wounded?",
        deed="Treat {}",
        topic="treat",
        about=(unit.id,),
        options=tuple(Option(one.id, one.label, (one.id,)) for one in wounded),
        rules=(TREATING.id, MEDICS.id, NOBODY_FIT.id),
        shows=("odds",),
        default=tuple(one.id for one in wounded),
    )
    for one in chosen:
        treat(battle, unit, battle.table[one])


def _not_to_treat(view: View, question: ChooseSeveral, answer: str) -> Refusal | None:
    """Why somebody is none of those whom a unit may treat."""
    figure, unit = view.table.things.get(answer), view.table[question.about[0]]
    if figure is None or figure.kind != "model" or figure.id in [one.id for one in to_treat(view.table, unit)]:
        return None
    if not figure.harm:
        return Refusal(TREATING.id, f"{figure.label} is not wounded.")
    near = f"is not of a unit without OK figures within {inches(NOBODY_FIT.inches('treat_within_in'))}"
    return Refusal(NOBODY_FIT.id, f"{figure.label} {near}.", (TREATING.id,))


def reorganise(battle: Battle, unit: Thing) -> Procedure[None]:
    """Treat the wounded, move single figures, restore integrity, all in one action.

    stargrunt.actions.reorganise-limits    each within its base mobility, the centre of the unit at most 1 inch
    stargrunt.cover.while-in-position      a unit In Position takes the test again
    stargrunt.movement.travel              a column returns to fighting order
    """
    yield from treat_wounded(battle, unit)
    free_from_suits(battle, unit)
    figures = tuple(one.id for one in standing(battle.table, unit.id))
    walks = yield MoveModels(
        unit.side,
        f"Move single figures of {unit.label}",
        topic="reposition",
        about=(unit.id,),
        models=figures,
        allowance=dict.fromkeys(figures, base_mobility(unit)),
        together=TOGETHER,
        faces=False,
        rules=(REORGANISE.id, REORGANISE_LIMITS.id),
        shows=("odds",),
        default={},
    )
    if not any(one.legs for one in walks.values()):
        walks = closing_up(battle.table, unit)
    walk(battle, walks, base_mobility(unit), REORGANISE)
    note_left_behind(battle, unit.id)
    take(battle, unit.id, TRAVELLING, TRAVEL)
    if unit.has(StateName.IN_POSITION):
        in_position_test(battle, battle.table[unit.id])


def closing_up(table: Table, unit: Thing) -> dict[str, Walk]:
    """A lawful way to close up where a player moves nobody: none where the unit is in integrity or none is found."""
    return {} if unit_in_integrity(table, unit.id) else close_up(table, unit)


def refused_reposition(table: Table, unit: Thing, walks: dict[str, Walk]) -> Refusal | None:
    """Why figures may not be moved so in a reorganise action."""
    refusal = refused_walks(table, unit.side, walks, base_mobility(unit))
    if refusal is not None:
        return replace(refusal, rule=REORGANISE_LIMITS.id) if refusal.rule == NORMAL.id else refusal
    before, after = points(table, unit.id), ends(table, unit, walks)
    limit = REORGANISE_LIMITS.number("centre_shift_in") * UNIT
    restores = not in_integrity(before) and in_integrity(after)
    if gap_between(before, after) > limit * limit and not restores:
        return Refusal(REORGANISE_LIMITS.id, "The centre of the unit would shift by more than an inch.")
    return None


# What the chapter brings -------------------------------------------------------------------------------------------


def _reorganises(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    yield from reorganise(battle, unit)
    return Outcome(again=not unit_in_integrity(battle.table, unit.id))


def _goes_in(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    yield from ()
    return Outcome(failed=not in_position_test(battle, unit))


def _comes_out(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    yield from ()
    take(battle, unit.id, StateName.IN_POSITION, LEAVING)
    return Outcome()


def _recovers(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    yield from ()
    remove_suppression(battle, unit)
    return Outcome()


def _gets_over_it(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    yield from ()
    remove_panic(battle, unit.id)
    return Outcome()


def _reposition_preview(view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
    """The ways of figures, and whether a unit In Position stays so where it would stand then."""
    shown, unit = move_preview(view, question, answer), view.table[question.about[0]]
    if not unit.has(StateName.IN_POSITION):
        return shown
    walks = answer if any(one.legs for one in answer.values()) else closing_up(view.table, unit)
    covered = in_cover(after_walks(view.table, unit, walks), unit)
    return together(shown, trial_preview("it stays In Position", going_in(unit, covered)))


def _judge_reposition(view: View, question: AnyQuestion, answer: dict[str, Walk]) -> Refusal | None:
    return refused_reposition(view.table, view.table[question.about[0]], answer)


def _digs_in_never(table: Table, unit: Thing) -> Refusal | None:
    if hull_of(table, unit.id) is None:
        return passengers_do_not(table, unit)
    return Refusal(WHILE_IN_POSITION.id, f"{unit.label} is a vehicle and cannot go In Position.")


ACTIONS = (
    Action(id="reorganise", entry="reorganise", label="Reorganise", rule=REORGANISE, carry_out=_reorganises),
    Action(
        id="go-in-position",
        entry="go_in_position",
        label="Go In Position",
        rule=GOING_IN,
        carry_out=_goes_in,
        foretold=lambda table, unit: trial_preview("it is In Position", going_in(unit, in_cover(table, unit))),
        shown=lambda table, unit: on_foot(table, unit) and not unit.has(StateName.IN_POSITION),
        barred=_digs_in_never,
    ),
    Action(
        id="leave-position",
        entry="leave_position",
        label="Give up the position",
        rule=LEAVING,
        carry_out=_comes_out,
        shown=lambda table, unit: on_foot(table, unit) and unit.has(StateName.IN_POSITION),
    ),
    Action(
        id="remove-suppression",
        entry="remove_suppression",
        label="Remove suppression",
        rule=REMOVING,
        carry_out=_recovers,
        foretold=lambda table, unit: trial_preview("a marker is removed", removing_suppression(table, unit)),
        shown=lambda table, unit: on_table(table, unit) and (suppressed(unit) or in_marked_building(table, unit.id)),
    ),
    Action(
        id="remove-panic",
        entry="remove_panic",
        whole=PANIC,
        label="Get over the panic",
        rule=PANIC,
        carry_out=_gets_over_it,
        foretold=lambda table, unit: risky_preview(
            "it gets over it", "a Confidence Level is lost", removing_panic(unit)
        ),
        shown=lambda table, unit: on_table(table, unit) and unit.has(StateName.PANICKED) and not is_independent(unit),
    ),
)
_COSTS = {action.id: action.cost for action in ACTIONS}
same_number("what removing panic costs", _COSTS["remove-panic"], PANIC.number("cost"))
same_number("what removing suppression costs", _COSTS["remove-suppression"], REMOVING.number("cost"))
same_number("what giving up a position costs", _COSTS["leave-position"], LEAVING.number("action_cost"))

CHAPTER = Chapter(
    actions=ACTIONS,
    unoffered={"treat": _not_to_treat},
    judges={"reposition": _judge_reposition},
    previews={"reposition": _reposition_preview, "treat": treat_preview},
    states={
        StateName.IN_POSITION: "it is In Position",
        StateName.PANICKED: "it is panicked",
        StateName.PANIC_DONE: "it has passed its panic test, or got over a panic",
    },
    counts={CountName.SUPPRESSION: "suppression markers"},
    answers={
        "reposition": "the paths of single figures in a reorganise action",
        "treat": "which wounded are treated",
    },
    at=(
        RESTRAINS(_panic_holds),
        RESTRAINS(_suppression_holds),
        RESTRAINS(_disorder_holds),
        RESTRAINS(_nerve_holds),
        COMPELS(_drive),
    ),
)
