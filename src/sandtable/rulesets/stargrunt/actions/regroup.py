"""Regrouping: two depleted units become one."""

from functools import partial

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Declared, Grouped, Left
from sandtable.engine.ids import Side
from sandtable.engine.questions import ChooseOne, Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing, following_from_formation
from sandtable.forces.ledger import citing, rule
from sandtable.rulesets.stargrunt.actions.elements import bring_along
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, on_foot, passengers_do_not
from sandtable.rulesets.stargrunt.communications import command_level
from sandtable.rulesets.stargrunt.confidence.levels import MOST_MARKERS
from sandtable.rulesets.stargrunt.cover.integrity import in_integrity
from sandtable.rulesets.stargrunt.movement.walking import MOBILITY_STATE, base_mobility, mobility_of
from sandtable.rulesets.stargrunt.state_names import CountName, StateName
from sandtable.rulesets.stargrunt.turn.order import ACTIVATED
from sandtable.rulesets.stargrunt.units.record import (
    CONFIDENCE,
    REGROUPED,
    confidence,
    elements,
    fit,
    hull_of,
    is_element,
    is_independent,
    leadership,
    on_table,
    points,
    quality,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import by_unit, none_open, unless_alone
from sandtable.tabletop.states import END_OF_TURN, give

REGROUP = rule("stargrunt.actions.regrouping")
PROCEDURE = rule("stargrunt.actions.regrouping-procedure")


def depleted(table: Table, unit: Thing) -> bool:
    """Whether a unit has lost at least one figure."""
    return len(fit(table, unit.id)) < unit.count(CountName.STRENGTH)


def average(one: str, other: str) -> str:
    """The average of two Confidence Levels, rounded to the better.

    >>> average("CO", "SH"), average("ST", "BR"), average("CO", "ST")
    ('ST', 'SH', 'CO')
    """
    return CONFIDENCE[(CONFIDENCE.index(one) + CONFIDENCE.index(other)) // 2]


def _ordinary(table: Table, unit: Thing) -> bool:
    odd = is_element(unit) or is_independent(unit) or bool(hull_of(table, unit.id)) or bool(elements(table, unit.id))
    return on_foot(table, unit) and not odd


def partners(table: Table, unit: Thing) -> list[Option]:
    """The friendly units within integrity of which a unit stands."""
    if not _ordinary(table, unit):
        return []
    others = [one for one in on_table(table, unit.side) if one.id != unit.id and _ordinary(table, one)]
    near = [one for one in others if _in_integrity_with(table, unit.id, one.id)]
    return [Option(one.id, one.label, (one.id,), (PROCEDURE.id, REGROUP.id)) for one in near]


@following_from_formation
def _in_integrity_with(table: Table, unit: str, other: str) -> bool:
    return in_integrity([*points(table, unit), *points(table, other)])


def join_refused(table: Table, unit: Thing, name: str) -> Refusal | None:
    """Why a unit may not be joined with another."""
    other = table[name]
    if not (depleted(table, unit) and depleted(table, other)):
        return Refusal(PROCEDURE.id, "Only units that have both lost somebody are joined.")
    if other.has(ACTIVATED):
        return Refusal(PROCEDURE.id, f"{other.label} has been activated this turn.")
    return None


def _nobody_to_join(table: Table, unit: Thing) -> Refusal | None:
    return none_open(partners(table, unit), partial(join_refused, table, unit))


def _nobody_near(table: Table, unit: Thing) -> Refusal | None:
    aboard = passengers_do_not(table, unit)
    return aboard or Refusal(PROCEDURE.id, f"{unit.label} is not, with all its figures, within integrity of another.")


def _regroups(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Join another unit; the higher command unit of the two lives on, else the one that is joined.

    stargrunt.actions.regrouping              the better LV, the quality of the larger, the average Confidence
    stargrunt.actions.regrouping-procedure    both activations are used up, suppression markers add up
    """
    chosen = yield ChooseOne(
        unit.side,
        f"{unit.label} joins whom?",
        topic="join",
        about=(unit.id,),
        options=tuple(partners(battle.table, unit)),
        rules=(REGROUP.id, PROCEDURE.id),
    )
    other = battle.table[chosen]
    kept, gone = (unit, other) if command_level(unit) > command_level(other) else (other, unit)
    n = battle.happens(Declared(unit.id, "regroup", (chosen,), rule=PROCEDURE.id, detail=citing(REGROUP)))
    kind = yield from _which_quality(battle.table, unit.side, kept, gone)
    _join(battle, kept, gone, kind, n)
    return Outcome(spent=step.actions)


def _which_quality(table: Table, side: Side, kept: Thing, gone: Thing) -> Procedure[str]:
    """The quality of the unit with more OK figures; with equal numbers the owner chooses."""
    larger = max(len(fit(table, one.id)) for one in (kept, gone))
    kinds = {quality(one): one.id for one in (gone, kept) if len(fit(table, one.id)) == larger}
    question = ChooseOne(
        side,
        "Which quality does the new unit have?",
        topic="quality",
        about=(kept.id, gone.id),
        options=tuple(Option(kind, kind, (one,), (REGROUP.id,)) for kind, one in reversed(kinds.items())),
        rules=(REGROUP.id,),
        default=next(reversed(kinds)),
    )
    return (yield from unless_alone(question))


def _join(battle: Battle, kept: Thing, gone: Thing, kind: str, because: int) -> None:
    """Make one unit of two."""
    table, unit = battle.table, kept.id

    def becomes(state: str, before: str | None, after: str) -> None:
        if before != after:
            give(battle, unit, state, REGROUP, after, because=because)

    level = average(confidence(kept), confidence(gone))
    under = [one.id for one in table.of_kind("unit") if one.unit == gone.id]
    members = tuple(one.id for one in table.members(gone.id))
    if leadership(gone) < leadership(kept):
        becomes(StateName.LEADER, str(kept.value(StateName.LEADER)), str(gone.value(StateName.LEADER)))
        battle.happens(
            Counted(unit, CountName.LEADERSHIP, leadership(kept), leadership(gone), rule=REGROUP.id, because=because)
        )
    becomes(StateName.QUALITY, str(kept.value(StateName.QUALITY) or "") or None, kind)
    becomes(StateName.CONFIDENCE, confidence(kept), level)
    if base_mobility(gone) < base_mobility(kept):
        becomes(MOBILITY_STATE, None, mobility_of(gone))
    battle.happens(Grouped((*members, *under), unit, rule=REGROUP.id, because=because))
    bring_along(battle, gone, unit, REGROUP, because)
    battle.happens(Left(gone.id, REGROUPED, rule=REGROUP.id, because=because))
    strength = len(fit(table, unit))
    battle.happens(
        Counted(unit, CountName.STRENGTH, kept.count(CountName.STRENGTH), strength, rule=REGROUP.id, because=because)
    )
    before = kept.count(CountName.SUPPRESSION)
    after = min(MOST_MARKERS.number("max"), before + gone.count(CountName.SUPPRESSION))
    if after != before:
        battle.happens(Counted(unit, CountName.SUPPRESSION, before, after, rule=PROCEDURE.id, because=because))
    if not kept.has(ACTIVATED):
        give(battle, unit, ACTIVATED, PROCEDURE, until=END_OF_TURN, because=because)


CHAPTER = Chapter(
    refusals={"join": by_unit(join_refused)},
    actions=(
        Action(
            id="regroup",
            entry="regroup",
            label="Regroup with another unit",
            rule=REGROUP,
            carry_out=_regroups,
            shown=lambda table, unit: bool(partners(table, unit)),
            refused=_nobody_to_join,
            barred=_nobody_near,
        ),
    ),
    counts={CountName.STRENGTH: "how many figures it has had, if not those of its data"},
    answers={"join": "the unit that is joined", "quality": "the quality of two units that become one"},
)
