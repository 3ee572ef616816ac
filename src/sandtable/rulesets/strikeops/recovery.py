"""Recovery: repairs, never back to an unharmed column, and squads that regroup."""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Declared, Grouped, Spent
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.cav.dice import NATURAL_CRITICAL, NATURAL_FUMBLE, target
from sandtable.rulesets.cav.repair import Repairs
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.strikeops.command import inspire, type_of
from sandtable.rulesets.strikeops.damage import in_play, leave_play, note_point
from sandtable.rulesets.strikeops.datacard import (
    COLUMN_IN_USE,
    DAMAGE_CONTROL,
    TRACK,
    damage_control,
    has,
    is_infantry,
    stats,
)
from sandtable.rulesets.strikeops.dice import DICE
from sandtable.rulesets.strikeops.forces.squads import SquadType, fitting, substitutes
from sandtable.rulesets.strikeops.state_names import ActionName, CountName, StateName, Until
from sandtable.rulesets.strikeops.states import UNSTEADY, is_down
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check
from sandtable.tabletop.modifiers import Modifier, always, parts
from sandtable.tabletop.states import give, take

REPAIR = rule("strikeops.recovery.repair-action")
RUGGED = rule("strikeops.attributes.rugged")
SUCCESS = rule("strikeops.recovery.repair-success")
LIMITS = rule("strikeops.recovery.repair-limits")
LINGERING = rule("strikeops.recovery.lingering-damage")
CRITICAL_SUCCESS = rule("strikeops.recovery.critical-success")
CRITICAL_FAILURE = rule("strikeops.recovery.critical-failure")
REGROUP = rule("strikeops.recovery.regroup")
CONDITIONS = rule("strikeops.recovery.regroup-conditions")
SURPLUS = rule("strikeops.recovery.regroup-surplus")
REGROUP_TYPE = rule("strikeops.recovery.regroup-squad-type")
REGROUP_ACTIVATION = rule("strikeops.recovery.regroup-activation")
REGROUP_DECK = rule("strikeops.recovery.regroup-draw-deck")
OVERWATCH_LASTS = rule("strikeops.shooting.overwatch-lasts")

REGROUP_WITH, REGROUP_AS, REGROUP_LOST = "regroup", "regroup-as", "regroup-lost"

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


def repair(battle: Battle, model: ThingId, inspired: bool = False) -> None:
    """Try to repair a point of damage; of a rugged model two (strikeops.attributes.rugged)."""
    check = inspire(repair_check(battle.table[model]), inspired)
    rugged = has(battle.table[model], "rugged")
    mends = replace(REPAIRS, points=RUGGED.number("repair_points"), success=RUGGED) if rugged else REPAIRS
    mends.mend(battle, model, DICE.throw(battle, check, modified=True))


# Regroup ----------------------------------------------------------------------------------------------------------


def members(table: Table, squad: str) -> list[Thing]:
    """The models of a squad that count for its size: those that are out of action do not."""
    return [one for one in table.of_kind("model") if one.unit == squad and in_play(one)]


def _has_room(table: Table, squad: Thing) -> bool:
    return len(members(table, squad.id)) < type_of(table, squad.id).size[1]


def partners(table: Table, squad: Thing) -> list[Thing]:
    """The squads that a squad may regroup with (strikeops.recovery.regroup-conditions)."""
    return [
        one
        for one in table.of_kind("unit")
        if one.side == squad.side
        and one.id != squad.id
        and not one.has(StateName.ACTIVATED)
        and not all(model.has(StateName.ACTIVATED) for model in members(table, one.id))
        and _has_room(table, one)
    ]


def may_regroup(table: Table, model: Thing) -> Refusal | None:
    """Why the squad of a model may not regroup, or none."""
    squad = table[model.unit]
    if not _has_room(table, squad):
        most = type_of(table, squad.id).size[1]
        return Refusal(CONDITIONS.id, f"{squad.label} has as many models as a squad of its type may: {most}.")
    if not partners(table, squad):
        return Refusal(CONDITIONS.id, "No other squad with room, on the board and not activated yet, could join it.")
    return None


def regroup(battle: Battle, squad: Thing, other: Thing) -> Procedure[None]:
    """Two squads become one that acts at once with what action points it has left.

    strikeops.recovery.regroup               one AP each; nobody has more than one left, and who cannot pay joins too
    strikeops.recovery.regroup-activation    neither of the old squads activates again this turn
    strikeops.recovery.regroup-draw-deck     the squad that was absorbed is gone, and one card with it
    strikeops.shooting.overwatch-lasts       who regroups has acted otherwise, and watches no more
    """
    table, price = battle.table, REGROUP.number("ap")
    own, joined = members(table, squad.id), members(table, other.id)
    rules = citing(REGROUP_ACTIVATION, REGROUP_DECK)
    n = battle.happens(Declared(squad.id, ActionName.REGROUP, (other.id,), rule=REGROUP.id, detail=rules))
    for model in (*own, *joined):
        had = model.count(CountName.AP)
        pays = had >= price and not is_down(model) and not model.has(StateName.STUNNED)
        left = min(REGROUP.number("ap_left_each"), had - price if pays else had)
        if left < had:
            battle.happens(Spent(model.id, CountName.AP, had - left, left, rule=REGROUP.id, because=n))
    for model in (*own, *joined):
        take(battle, model.id, StateName.OVERWATCH, OVERWATCH_LASTS, n)
    kind = yield from _new_type(battle, squad, other, (*own, *joined))
    battle.happens(Grouped(tuple(one.id for one in joined), squad.id, rule=REGROUP.id, because=n))
    give(battle, squad.id, StateName.SQUAD_TYPE, REGROUP_TYPE, kind.kind, until=Until.GAME, because=n)
    give(battle, other.id, StateName.ACTIVATED, REGROUP_ACTIVATION, until=Until.END_OF_TURN, because=n)
    surplus = len(own) + len(joined) - kind.size[1]
    if surplus > 0:
        gone = yield ChooseSeveral(
            squad.side,
            f"A {kind.name} has at most {kind.size[1]} models. Which are removed?",
            topic=REGROUP_LOST,
            about=(squad.id,),
            rules=(SURPLUS.id,),
            options=tuple(Option(one.id, one.label, (one.id,)) for one in (*own, *joined)),
            at_least=surplus,
            at_most=surplus,
        )
        for name in gone:
            leave_play(battle, name, "removed", SURPLUS, n)


def _new_type(battle: Battle, squad: Thing, other: Thing, models: Sequence[Thing]) -> Procedure[SquadType]:
    """The type of the new squad: one of the old types if it fits, the owner's pick; else what fits, or specialist."""
    table, cards = battle.table, [stats(one) for one in models]
    old = {kind.kind: kind for kind in (type_of(table, squad.id), type_of(table, other.id))}
    fit = [one for one in old.values() if substitutes(one, cards, len(cards)) is not None]
    if len(fit) < 2:
        return fit[0] if fit else fitting(cards)
    picked: str = yield ChooseOne(
        squad.side,
        "Which type is the new squad?",
        topic=REGROUP_AS,
        about=(squad.id,),
        rules=(REGROUP_TYPE.id,),
        options=tuple(Option(one.kind, f"{one.name.capitalize()}, at most {one.size[1]}") for one in fit),
        default=fit[0].kind,
    )
    return old[picked]


CHAPTER = Chapter(
    answers={
        REGROUP_AS: "the type of the new squad, where it may be either",
        REGROUP_LOST: "the models that are removed because the new squad has no room for them",
    },
    counts={CountName.REPAIRED: "points repaired in this activation, which count from the next on"},
)
