"""Crew-served weapons: set up to fire, packed to be carried, hit like one more of the crew, and left by who flees."""

from collections.abc import Callable

from sandtable.engine.battle import Battle
from sandtable.engine.events import StateChanged
from sandtable.engine.questions import Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing, same_number
from sandtable.forces.scenario import Scenario
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, on_foot
from sandtable.rulesets.stargrunt.confidence.levels import is_driven
from sandtable.rulesets.stargrunt.fire.armament import CREW_SERVED, GUN_STATE, LEFT, PACKED, READY, WRECKED, gun_of
from sandtable.rulesets.stargrunt.forces.cards import catalogue, kits
from sandtable.rulesets.stargrunt.moments import COMPELS, LAYS
from sandtable.rulesets.stargrunt.movement.walking import BURDENED, ENCUMBERED
from sandtable.rulesets.stargrunt.units.record import fit, hidden, hull_of, suppressed, waiting
from sandtable.tabletop.actions import RESTRAINS
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give, take

#: The first of two actions on the weapon is done: a crew below strength needs both.
HALF_DONE = "half way with the weapon"
#: What burdens a crew that carries its weapon.
BURDEN = "packed weapon"
#: What nobody does who has a weapon set up: the entries of the list, and forming a column.
_MOVES = ("move", "close_assault", "leave_cover_when_shaken", "embark_or_disembark")


def carried_by(unit: Thing) -> bool:
    """Whether a crew has its weapon with it, ready or packed."""
    return unit.value(GUN_STATE) in (READY, PACKED)


def below_strength(table: Table, unit: Thing) -> bool:
    """Whether somebody of the crew is missing."""
    return len(fit(table, unit.id)) < len(kits(unit))


def too_few(table: Table, unit: Thing) -> bool:
    """Whether a crew is at half its strength or less, and cannot move its weapon."""
    return len(fit(table, unit.id)) <= CREW_SERVED.fraction("immovable_fraction") * len(kits(unit))


def actions_needed(table: Table, unit: Thing) -> int:
    """How many actions setting up or packing takes (stargrunt.units.crew-served-weapons)."""
    return CREW_SERVED.number("setup_actions_understrength" if below_strength(table, unit) else "setup_actions")


def _hold(table: Table, unit: Thing, action: Action) -> Refusal | None:
    """A weapon that is set up keeps its crew where it is; a packed one too, where there are too few to carry it.

    A crew that is suppressed does not fire it.
    """
    if carried_by(unit) and action.id == "fire-heavy" and suppressed(unit):
        return Refusal(CREW_SERVED.id, f"{unit.label} is suppressed and does not fire its weapon.")
    if not carried_by(unit) or not (action.entry in _MOVES or action.id == "form-column"):
        return None
    if unit.value(GUN_STATE) == READY:
        return Refusal(CREW_SERVED.id, f"{unit.label} must pack its weapon first.")
    if too_few(table, unit):
        return Refusal(CREW_SERVED.id, f"{unit.label} has too few left to carry its weapon.")
    return None


def _cannot_pack(table: Table, unit: Thing) -> Refusal | None:
    if too_few(table, unit):
        return Refusal(CREW_SERVED.id, f"{unit.label} has too few left to carry its weapon.")
    return None


def change(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Set the weapon up, or pack it: one action, two for a crew below strength; packed, it burdens the crew.

    stargrunt.movement.encumbered    one die type slower
    """
    yield from ()
    if actions_needed(battle.table, unit) > 1 and not unit.has(HALF_DONE):
        give(battle, unit.id, HALF_DONE, CREW_SERVED)
        return Outcome()
    take(battle, unit.id, HALF_DONE, CREW_SERVED)
    before = unit.value(GUN_STATE)
    after = PACKED if before == READY else READY
    n = give(battle, unit.id, GUN_STATE, CREW_SERVED, after)
    burden = (None, BURDEN) if after == PACKED else (BURDEN, None)
    battle.happens(StateChanged(unit.id, BURDENED, *burden, rule=ENCUMBERED.id, because=n))
    return Outcome()


def leave_weapon(battle: Battle, unit: str, because: int = 0) -> None:
    """A crew that flees leaves its weapon behind; nobody fires it again."""
    thing = battle.table[unit]
    if not carried_by(thing):
        return
    give(battle, unit, GUN_STATE, CREW_SERVED, LEFT, because=because)
    if thing.value(BURDENED) == BURDEN:
        take(battle, unit, BURDENED, ENCUMBERED, because)


def _flees(table: Table, unit: Thing) -> Callable[[Battle, Activate], Procedure[None]] | None:
    """A crew that has no choice but to go, and is not held, leaves its weapon where it stands."""
    held = not carried_by(unit) or waiting(unit) or suppressed(unit)
    return _leaves if not held and is_driven(table, unit) else None


def _leaves(battle: Battle, step: Activate) -> Procedure[None]:
    yield from ()
    leave_weapon(battle, step.unit)
    battle.push(step)


def lays(battle: Battle, form: Scenario) -> None:
    """Weapons on the table are set up at the start; those still to enter are packed, and burden their crews."""
    for unit in [*battle.table.of_kind("unit")]:
        if gun_of(unit) is None or hull_of(battle.table, unit.id) is not None:
            continue
        known = (unit.side,) if hidden(unit) else ()
        said = next((word for word in (READY, PACKED) if unit.has(word)), "")
        state = unit.value(GUN_STATE) or said or (PACKED if waiting(unit) else READY)
        take(battle, unit.id, said, CREW_SERVED, known_to=known)
        if not unit.has(GUN_STATE):
            told = citing(ENCUMBERED) if state == PACKED else citing()
            give(battle, unit.id, GUN_STATE, CREW_SERVED, state, known_to=known, detail=told)
        if state == PACKED and not unit.has(BURDENED):
            give(battle, unit.id, BURDENED, ENCUMBERED, BURDEN, known_to=known)


CHAPTER = Chapter(
    actions=(
        Action(
            id="set-up-weapon",
            entry="set_up_or_pack_weapon",
            label="Set the weapon up",
            rule=CREW_SERVED,
            carry_out=change,
            shown=lambda table, unit: on_foot(table, unit) and unit.value(GUN_STATE) == PACKED,
        ),
        Action(
            id="pack-weapon",
            entry="set_up_or_pack_weapon",
            label="Pack the weapon",
            rule=CREW_SERVED,
            carry_out=change,
            shown=lambda table, unit: on_foot(table, unit) and unit.value(GUN_STATE) == READY,
            refused=_cannot_pack,
        ),
    ),
    states={
        GUN_STATE: f"its crew-served weapon, {{value: {PACKED}}}: {READY}, {PACKED}, {WRECKED} or {LEFT}",
        HALF_DONE: "it has spent the first of two actions on its weapon",
    },
    at=(
        RESTRAINS(_hold),
        COMPELS(_flees),
        LAYS(lays),
    ),
)

for _card in catalogue():
    if _card.stats.heavy_weapon is not None:
        same_number(
            f"what the crew of {_card.id} can carry", _card.stats.heavy_weapon.size, CREW_SERVED.number("max_size")
        )
