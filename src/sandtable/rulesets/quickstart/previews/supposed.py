"""What an assault would come to at each range, before anything may be measured: the steps that fire are walked."""

from collections.abc import Callable, Sequence
from fractions import Fraction

from msgspec.structs import replace

from sandtable.engine.explain import inches
from sandtable.engine.questions import Chance, Preview
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.shapes import At, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Mark, Table, Thing
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.indirect import model_at
from sandtable.rulesets.cav.previews import BARE, CORNER, FACE_TO_FACE, at_ranges, face_to_face
from sandtable.rulesets.quickstart.concepts import distance, distance_to
from sandtable.rulesets.quickstart.datacard import weapons
from sandtable.rulesets.quickstart.dice import ten_plus_preview
from sandtable.rulesets.quickstart.indirect import ROLL, Barrage, strike_point_parts, times_fired_at, usable
from sandtable.rulesets.quickstart.previews.forecast import UNHARMED, harm_of
from sandtable.rulesets.quickstart.shooting.assaults import Bombard, Fire, StepEight, own_shots
from sandtable.rulesets.quickstart.shooting.direct_fire import INDIRECT, Shot, turning_points
from sandtable.rulesets.quickstart.state_names import ActionName, CountName, StateName
from sandtable.rulesets.quickstart.turn.activation import Act
from sandtable.rulesets.quickstart.turn.declaration import Declaration
from sandtable.rulesets.quickstart.turn.phases import action_cost


def supposed(ruleset: Ruleset, table: Table, shots: Sequence[Shot], lock: str = "") -> Preview:
    """The odds of shots at one model at every range at which they differ.

    quickstart.turn.no-premeasuring    the board is not looked at: the same cards and states give the same odds
    """
    shooter, victim = _locked(table[shots[0].shooter], lock), table[shots[0].target]

    def fired(bare: Table) -> list[Step]:
        return [Fire(shot) for shot in shots]

    return _at_ranges(ruleset, table, shooter, victim, _limits(shooter, shots), fired)


def supposed_barrage(ruleset: Ruleset, table: Table, model: Thing, plan: Declaration) -> Preview:
    """The odds of indirect fire at a strike-point on somebody's base; on bare ground nobody is there to be harmed."""
    step = own_shots(model, plan)[0]
    assert isinstance(step, Bombard)
    barrage, victim = step.barrage, model_at(table, step.barrage.point)
    if victim is None:
        return _bare_ground(table, _locked(model, plan.lock), barrage)
    again, shooter = times_fired_at(model, barrage.point), _locked(model, plan.lock)

    def fired(bare: Table) -> list[Step]:
        point = center(bare[victim.id])
        if again:
            kept = Mark((str(point.x), str(point.y), str(again), str(bare.turn)))
            bare.things[shooter.id] = replace(bare[shooter.id], states={**shooter.states, StateName.STRIKE_POINT: kept})
        return [replace(step, barrage=replace(barrage, point=point))]

    limits = {limit for name in barrage.weapons for limit in turning_points(weapons(model)[name], INDIRECT)}
    return _at_ranges(ruleset, table, shooter, victim, sorted(limits), fired, _to_centre)


def _bare_ground(table: Table, shooter: Thing, barrage: Barrage) -> Preview:
    """How likely a strike-point with nobody on it holds, at each range at which that differs."""
    rows: list[tuple[int, Fraction]] = []
    for limit in sorted({one for name in barrage.weapons for one in turning_points(weapons(shooter)[name], INDIRECT)}):
        here = replace(shooter, place=At(Point(CORNER, CORNER)), facing=0)
        short = limit - distance_to(here, Point(CORNER + limit, CORNER))
        point = Point(CORNER + limit + short, CORNER)
        bare = Table(BARE, table.sides, {here.id: here}, turn=table.turn, options=dict(table.options))
        aimed = replace(barrage, point=point)
        fired = [name for name in barrage.weapons if usable(bare, aimed, name) is None]
        if not fired:
            continue
        added = strike_point_parts(bare, aimed, fired)
        found = ten_plus_preview("strike-point", here.id, added, ROLL).odds[0]
        rows = [row for row in rows if row[1] != Fraction(found.numerator, found.denominator)]
        rows.append((limit, Fraction(found.numerator, found.denominator)))
    landed = "it lands where it is aimed"
    odds = [Chance(f"up to {inches(limit)}: {landed}", share.numerator, share.denominator) for limit, share in rows]
    return Preview(odds=tuple(odds), odds_note=FACE_TO_FACE if odds else "")


def supposed_fight(ruleset: Ruleset, table: Table, model: Thing, foe: Thing) -> Preview:
    """The odds of a close-combat assault, once they touch: what it does to either of them.

    quickstart.close-combat.opposed-roll    both roll, so both may be harmed
    """
    up = {name: mark for name, mark in model.states.items() if name != StateName.KNOCKDOWN}  # it stands up first
    paid = {**model.counts, CountName.AP: action_cost(ActionName.CLOSE_COMBAT)}
    fighter = replace(model, states=up, counts=paid)
    bare = face_to_face(table, fighter, foe, 0, distance)
    step = Act(model.id, Declaration((ActionName.CLOSE_COMBAT,), target=foe.id))
    told: list[Chance] = []
    for victim in (foe, model):
        (found,) = harm_of(ruleset, victim.id, [(bare, [step])])
        harmed, gone = found.chance(lambda what: what != UNHARMED), found.chance(lambda what: what[1])
        named = ((f"{victim.label}, harm", harmed), (f"{victim.label}, out of play", gone))
        told += [Chance(words, share.numerator, share.denominator) for words, share in named if share]
    return Preview(odds=tuple(told), odds_note="As both are now, once they are in contact." if told else "")


def _to_centre(shooter: Thing, victim: Thing) -> int:
    """A strike-point is measured to, not the base it lies on."""
    return distance_to(shooter, center(victim))


def _locked(shooter: Thing, lock: str) -> Thing:
    return replace(shooter, states={**shooter.states, StateName.TARGET_LOCK: Mark(lock)}) if lock else shooter


def _at_ranges(
    ruleset: Ruleset,
    table: Table,
    shooter: Thing,
    victim: Thing,
    limits: Sequence[int],
    fired: Callable[[Table], list[Step]],
    measured: Callable[[Thing, Thing], int] = distance,
) -> Preview:
    reached = [limit for limit in limits if limit > 0]
    tables = [face_to_face(table, shooter, victim, limit, measured) for limit in reached]
    fought = [(bare, [*fired(bare), StepEight(shooter.id)]) for bare in tables]
    told = (
        (
            ("harm", found.chance(lambda what: what != UNHARMED)),
            ("out of play", found.chance(lambda what: what[1])),
        )
        for found in harm_of(ruleset, victim.id, fought)
    )
    return at_ranges(victim.label, zip(reached, told, strict=True))


def _limits(shooter: Thing, shots: Sequence[Shot]) -> list[int]:
    """Every range at which something changes, for any of the weapons."""
    found = [turning_points(weapons(shooter)[shot.weapons[0]], shot.assault) for shot in shots]
    return sorted(set().union(*found))
