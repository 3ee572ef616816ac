"""Snipers: acting from under a counter, shifting unseen, and going to ground again; `fire.sniping` is their shot."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Placed, StateChanged, StepBegan
from sandtable.engine.explain import ExplainedPart, inches
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import Off, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, on_foot
from sandtable.rulesets.stargrunt.cover.protection import in_cover
from sandtable.rulesets.stargrunt.dice.foretold import trial_preview
from sandtable.rulesets.stargrunt.dice.rolls import trial
from sandtable.rulesets.stargrunt.fire.sniping import SNIPERS, no_shot, rifleman, snipe
from sandtable.rulesets.stargrunt.observation.counters import (
    DECOY_OF,
    DUMMY,
    SNIPERS_HIDING,
    counter_of,
    is_sniper,
    place_figures,
    point_seen,
)
from sandtable.rulesets.stargrunt.observation.hiding import OF_A_SNIPER, REACH, around, hiding_places, lay_low
from sandtable.rulesets.stargrunt.turn.order import ACTIVATED, IN_HIDING, MARKER
from sandtable.rulesets.stargrunt.units.record import HIDDEN, hidden, leadership_part, quality_die, spot, standing
from sandtable.rulesets.stargrunt.units.record import on_table as standing_units
from sandtable.tabletop.checks import Check, throw
from sandtable.tabletop.face_down import IS, lies_under
from sandtable.tabletop.opening import by_default
from sandtable.tabletop.states import END_OF_TURN, give

REVEALS = rule("stargrunt.observation.automatic-reveal")

#: What hiding needs above the LV: "leadership + 2".
_TO_HIDE = SNIPERS_HIDING.formula("hide_exceed")


class InHiding(Step, frozen=True):
    """A sniper is activated under his counter."""

    unit: str
    actions: int
    begun: bool = False
    tried: tuple[str, ...] = ()


# Under the counter -------------------------------------------------------------------------------------------------


def instead(table: Table, step: Activate) -> Step | None:
    """A hidden sniper acts under his counter."""
    unit = table[step.unit]
    return InHiding(unit.id, step.actions) if hidden(unit) and is_sniper(unit) else None


def decoys(table: Table, unit: Thing) -> list[Thing]:
    """The dummies that a sniper may change places with."""
    return [one for one in table.of_kind("marker") if one.on_table and one.value(DECOY_OF) == unit.id]


def _begins(battle: Battle, unit: Thing) -> None:
    """A hidden sniper is activated: everybody learns that a sniper is, and only his side which."""
    table, side = battle.table, unit.side
    battle.happens(StepBegan("activation", side, (unit.id,), rule=SNIPERS_HIDING.id, veils={"units": (side,)}))
    give(battle, unit.id, ACTIVATED, MARKER, until=END_OF_TURN, known_to=(side,))
    before = table[side].count(IN_HIDING) if side in table.things else 0
    battle.happens(Counted(side, IN_HIDING, before, before + 1, rule=MARKER.id))


def in_hiding(battle: Battle, step: InHiding) -> Procedure[None]:
    """One action of a hidden sniper; the opponent learns that one is about, not which counter it is.

    stargrunt.observation.snipers-in-hiding    fire, change places with a dummy, or show himself and act as others do
    stargrunt.observation.automatic-reveal     activation reveals every unit but a sniper
    """
    table, unit = battle.table, battle.table[step.unit]
    side = unit.side
    if not hidden(unit):
        battle.push(Activate(unit.id, step.actions, tried=step.tried, ready=True))
        return
    if not step.begun:
        _begins(battle, unit)
    chosen = yield ChooseOne(
        side,
        f"{unit.label}, hidden: which action? {step.actions} left",
        topic="sniper-action",
        about=(unit.id,),
        options=(
            Option("snipe", "Fire", rules=(SNIPERS.id,)),
            Option("shift", "Change places with a dummy", rules=(SNIPERS_HIDING.id,)),
            Option("show", "Show himself and act as others do", rules=(REVEALS.id,)),
            Option("done", "Nothing more", rules=(SNIPERS_HIDING.id,)),
        ),
        rules=(SNIPERS_HIDING.id, SNIPERS.id),
        default=by_default(table, "done"),
    )
    rest = (InHiding(unit.id, step.actions - 1, begun=True, tried=step.tried),) if step.actions > 1 else ()
    if chosen == "snipe":
        follow = yield from snipe(battle, unit)
        battle.push(*follow, *rest)
    elif chosen == "shift":
        yield from shift_unseen(battle, unit)
        battle.push(*rest)
    elif chosen == "show":
        counter = counter_of(table, unit.id)
        assert counter is not None, "a hidden sniper lies under a counter"
        yield from place_figures(battle, counter, REVEALS)
        battle.push(Activate(unit.id, step.actions, tried=step.tried, ready=True))


def hidden_action_refused(table: Table, unit: Thing, action: str) -> Refusal | None:
    """Why a hidden sniper may not do something now."""
    if action == "snipe":
        return no_shot(table, unit)
    if action == "shift" and not decoys(table, unit):
        return Refusal(SNIPERS_HIDING.id, "He has no dummy left.")
    return None


def shifting(unit: Thing) -> Check:
    """What it takes a sniper to change places unseen: Quality above LV."""
    target = (leadership_part(unit),)
    return trial("shifting", unit.id, quality_die(unit), target, SNIPERS_HIDING, known_to=(unit.side,))


def shift_unseen(battle: Battle, unit: Thing) -> Procedure[None]:
    """Change places with a dummy: Quality above LV, or whoever sees the new place sees him there."""
    here, side = counter_of(battle.table, unit.id), unit.side
    assert here is not None, "a hidden sniper lies under a counter"
    chosen = yield ChooseOne(
        side,
        "Change places with which dummy?",
        topic="swap",
        about=(here.id,),
        options=tuple(Option(one.id, one.label, (one.id,)) for one in decoys(battle.table, unit)),
        rules=(SNIPERS_HIDING.id,),
        shows=("odds",),
    )
    known = (side,)
    roll = throw(battle, shifting(unit))
    for name, state, before, after in (
        (here.id, IS, unit.id, DUMMY),
        (here.id, DECOY_OF, None, unit.id),
        (chosen, IS, DUMMY, unit.id),
        (chosen, DECOY_OF, unit.id, None),
    ):
        change = StateChanged(name, state, before, after, rule=SNIPERS_HIDING.id, because=roll.n, known_to=known)
        battle.happens(change)
    seen = [u for u in standing_units(battle.table) if u.side != side]
    if not roll.succeeds and any(point_seen(battle.table, foe.id, spot(battle.table[chosen])) for foe in seen):
        yield from place_figures(battle, battle.table[chosen], SNIPERS_HIDING)


def swap_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """How likely a sniper is to change places unseen; failed, he is seen only where somebody sees the place."""
    (here,) = question.about
    return trial_preview("nobody sees him shift", shifting(view.table[lies_under(view.table[here])]))


# In the open -------------------------------------------------------------------------------------------------------


def _snipes(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    follow = yield from snipe(battle, unit)
    return Outcome(then=follow)


def hiding(unit: Thing) -> Check:
    """What it takes a revealed sniper to go to ground again: Quality above LV + 2."""
    part = ExplainedPart("to hide again", _TO_HIDE, SNIPERS_HIDING.id)
    return trial("hiding", unit.id, quality_die(unit), (leadership_part(unit), part), SNIPERS_HIDING)


def _hides(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """A revealed sniper goes to ground: a test, then his counter and two dummies are laid."""
    roll = throw(battle, hiding(unit))
    if not roll.succeeds:
        return Outcome(failed=True)
    region, near = around(battle.table, unit), _near(battle.table, unit)
    yield from lay_low(battle, unit, near, region, roll.n)
    side = unit.side
    for one in [*battle.table.members(unit.id)]:
        battle.happens(Placed(one.id, Off(HIDDEN), rule=SNIPERS_HIDING.id, because=roll.n))
    battle.happens(Placed(unit.id, Off(HIDDEN), rule=SNIPERS_HIDING.id, because=roll.n))
    if battle.table[unit.id].has(ACTIVATED):
        before = battle.table[side].count(IN_HIDING) if side in battle.table.things else 0
        battle.happens(Counted(side, IN_HIDING, before, before + 1, rule=MARKER.id, because=roll.n))
    rest = (InHiding(unit.id, step.actions - 1, begun=True, tried=step.tried),) if step.actions > 1 else ()
    return Outcome(then=rest, spent=step.actions)


def _near(table: Table, unit: Thing) -> list[Point]:
    return hiding_places(table, spot(standing(table, unit.id)[0]), 0, unit.side, OF_A_SNIPER)


def _cannot_hide(table: Table, unit: Thing) -> Refusal | None:
    if not in_cover(table, unit):
        return Refusal(SNIPERS_HIDING.id, f"{unit.label} is not in cover.")
    if len(_near(table, unit)) < OF_A_SNIPER:
        return Refusal(SNIPERS_HIDING.id, f"There is not cover enough within {inches(REACH)}.")
    return None


def _only_snipers_hide(table: Table, unit: Thing) -> Refusal | None:
    return None if is_sniper(unit) else Refusal(REVEALS.id, f"{unit.label} is no sniper: it cannot hide any more.")


def _has_rifle(table: Table, unit: Thing) -> bool:
    return on_foot(table, unit) and rifleman(table, unit) is not None


ACTIONS = (
    Action(
        id="snipe",
        entry="fire_support_or_heavy_weapon",
        label="Fire as a sniper",
        rule=SNIPERS,
        carry_out=_snipes,
        shown=_has_rifle,
        refused=no_shot,
    ),
    Action(
        id="hide",
        entry="go_in_position",
        label="Go to ground",
        rule=SNIPERS_HIDING,
        carry_out=_hides,
        foretold=lambda table, unit: trial_preview("he goes to ground", hiding(unit)),
        shown=lambda table, unit: on_foot(table, unit) and is_sniper(unit),
        refused=_cannot_hide,
        barred=_only_snipers_hide,
    ),
)
