"""Those aboard a vehicle that is hit: who of them is hurt, and what follows for the rest."""

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import ThingId
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Table
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.stargrunt.dice.rolls import EXCEED, row_of, table_roll, trial
from sandtable.rulesets.stargrunt.fire.hits import AfterFire
from sandtable.rulesets.stargrunt.fire.wounds import wound
from sandtable.rulesets.stargrunt.units.record import STATUS, armour_die
from sandtable.rulesets.stargrunt.vehicles.getting_out import GetOut
from sandtable.rulesets.stargrunt.vehicles.hulls import units_aboard
from sandtable.tabletop.checks import Reading, throw

SMALL_ARMS_CASUALTIES = rule("stargrunt.vehicles.small-arms-casualties")
OCCUPANTS = rule("stargrunt.vehicles.occupant-casualties")
_FATES = [face for word in ("dead", "wounded") for face in OCCUPANTS.numbers("severity", word)]
same_number("every face says how bad it is", _FATES, list(range(1, len(_FATES) + 1)))


class Casualties(Step, frozen=True):
    """Those aboard a vehicle that was pierced, one after the other; `exceed` 0 is by the table for small arms."""

    firer: str
    target: str
    hull: str
    left: tuple[ThingId, ...]
    exceed: int
    leave: bool
    suppresses: bool = False
    hurt: tuple[str, ...] = ()


def to_exceed(size: int, result: str) -> int:
    """What those inside must exceed to be safe: the weapon's size class, or more of it where all is destroyed."""
    return size * (OCCUPANTS.formula("exceed_destroyed") if result == "destroyed" else 1)


def casualties(battle: Battle, step: Casualties) -> Procedure[None]:
    """One of those aboard after the other; then they get out of a wreck, and their nerve is tried."""
    yield from ()
    if not step.left:
        battle.push(*_afterwards(battle.table, step))
        return
    figure, *rest = step.left
    hurt = step.hurt
    fate, n = _by_small_arms(battle, figure) if not step.exceed else by_size(battle, figure, step.exceed)
    if fate and wound(battle, figure, fate == "dead", False, n, OCCUPANTS if step.exceed else SMALL_ARMS_CASUALTIES):
        hurt = (*hurt, figure)
    battle.push(
        Casualties(
            *(step.firer, step.target, step.hull, tuple(rest), step.exceed, step.leave),
            suppresses=step.suppresses,
            hurt=hurt,
        )
    )


def _by_small_arms(battle: Battle, figure: str) -> tuple[str, int]:
    """Roll the figure's own Armour Die: 1 dead, 2 wounded (stargrunt.vehicles.small-arms-casualties)."""

    def fate(score: int) -> str:
        return row_of(SMALL_ARMS_CASUALTIES, score, "dead", "wounded")

    die = f"d{armour_die(battle.table[figure])}"
    score, n, _ = table_roll(
        battle, "aboard", figure, die, SMALL_ARMS_CASUALTIES, lambda score: fate(score) or "unhurt"
    )
    return fate(score), n


def by_size(battle: Battle, figure: str, exceed: int) -> tuple[str, int]:
    """The figure's own Armour Die must exceed the size class; else a D6 says how bad it is."""
    size = ExplainedPart("weapon size", exceed, OCCUPANTS.id)
    holds = trial("aboard", figure, armour_die(battle.table[figure]), (size,), OCCUPANTS)
    words = Reading(succeeded="safe", failed="a casualty")
    held = throw(battle, replace(holds, reading=words, citing=(EXCEED, STATUS)))
    if held.succeeds:
        return "", held.n

    def fate(score: int) -> str:
        return row_of(OCCUPANTS, score, "dead", "wounded", under=("severity",))

    die = f"d{OCCUPANTS.number('severity', 'die')}"
    severity = table_roll(battle, "how bad", figure, die, OCCUPANTS, fate, held.n)
    return severity.word, severity.n


def _afterwards(table: Table, step: Casualties) -> list[Step]:
    """Who was aboard gets out of a wreck; then each unit's nerve is tried, the crew's first."""
    aboard = units_aboard(table, step.hull)
    steps: list[Step] = [GetOut(unit, step.hull, OCCUPANTS.id) for unit in aboard] if step.leave else []
    units = dict.fromkeys((step.target, *(table[one].unit for one in step.hurt)))
    for unit in units:
        hurt = tuple(one for one in step.hurt if table[one].unit == unit)
        steps.append(AfterFire(step.firer, unit, step.suppresses and unit == step.target, hurt))
    return steps
