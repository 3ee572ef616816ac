"""Recovery: the Repair Action, against 10 lowered by the repair value, never back to an unharmed column."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import Refusal
from sandtable.engine.table import Thing
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.cav.dice import NATURAL_CRITICAL, NATURAL_FUMBLE, target
from sandtable.rulesets.cav.repair import Repairs
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.strikeops.command import inspire
from sandtable.rulesets.strikeops.damage import note_point
from sandtable.rulesets.strikeops.datacard import COLUMN_IN_USE, DAMAGE_CONTROL, TRACK, damage_control, is_infantry
from sandtable.rulesets.strikeops.dice import DICE
from sandtable.rulesets.strikeops.state_names import CountName
from sandtable.rulesets.strikeops.states import UNSTEADY
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check
from sandtable.tabletop.modifiers import Modifier, always, parts

REPAIR = rule("strikeops.recovery.repair-action")
SUCCESS = rule("strikeops.recovery.repair-success")
LIMITS = rule("strikeops.recovery.repair-limits")
LINGERING = rule("strikeops.recovery.lingering-damage")
CRITICAL_SUCCESS = rule("strikeops.recovery.critical-success")
CRITICAL_FAILURE = rule("strikeops.recovery.critical-failure")

same_number("what a repair needs", REPAIR.number("base_target_number"), DAMAGE_CONTROL.number("base_target_point"))
same_number("a natural that repairs two", CRITICAL_SUCCESS.number("natural"), NATURAL_CRITICAL)
same_number("a natural that breaks more", CRITICAL_FAILURE.number("natural"), NATURAL_FUMBLE)


def may_repair(model: Thing) -> Refusal | None:
    """Why a model may not try to repair itself, or none (strikeops.recovery.repair-limits)."""
    if is_infantry(model) or damage_control(model) is None:
        return Refusal(LIMITS.id, f"{model.label} has no repair value in its damage track column.")
    return None


#: What changes the number of a repair.
MODIFIERS: tuple[Modifier[Rolling], ...] = (
    Modifier(DAMAGE_CONTROL, "damage control", lambda s: -(damage_control(s.model) or 0), when=always),
    *UNSTEADY,
)


def repair_parts(model: Thing) -> tuple[ExplainedPart, ...]:
    """What changes the number of a repair."""
    return parts(MODIFIERS, "repair", Rolling(model))


def repair_check(model: Thing) -> Check:
    """The roll of a Repair Action."""
    needs = target(REPAIR.number("base_target_number"), "repair", REPAIR)
    return DICE.check("repair", model.id, needs, repair_parts(model), REPAIR)


def _mended(battle: Battle, model: str, points: int, n: int) -> None:
    """Values stay those of the column at the start of the activation (strikeops.damage.column-in-use)."""
    before = battle.table[model].count(CountName.REPAIRED)
    battle.happens(Counted(model, CountName.REPAIRED, before, before + points, rule=COLUMN_IN_USE.id, because=n))


#: strikeops.recovery.repair-success      one point, at once on the track
#: strikeops.recovery.critical-success    two on a natural 12
#: strikeops.recovery.lingering-damage    never below one
#: strikeops.recovery.critical-failure    a natural 2 does a point, at the end of the activation
REPAIRS = Repairs(
    success=SUCCESS,
    critical_success=CRITICAL_SUCCESS,
    lingering=LINGERING,
    track=TRACK,
    points=SUCCESS.number("points"),
    critical_points=CRITICAL_SUCCESS.number("points"),
    best=LINGERING.number("points_kept"),
    breaks=lambda battle, model, n: note_point(battle, model, CRITICAL_FAILURE, n, CRITICAL_FAILURE.number("points")),
    mended=_mended,
)


def repair(battle: Battle, model: str, inspired: bool = False) -> None:
    """Try to repair a point of damage."""
    check = inspire(repair_check(battle.table[model]), inspired)
    REPAIRS.mend(battle, model, DICE.throw(battle, check, modified=True))


CHAPTER = Chapter(counts={CountName.REPAIRED: "points repaired in this activation, which count from the next on"})
