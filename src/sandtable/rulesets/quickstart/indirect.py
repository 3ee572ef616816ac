"""Indirect fire: strike-points, drift, fumbles, areas of effect and secondary combat rolls."""

from collections.abc import Sequence

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited, Landed
from sandtable.engine.explain import ExplainedPart, inches
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, Disc, Point, Spot
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.damage import as_good_as_lost
from sandtable.rulesets.cav.dice import fumbled, target
from sandtable.rulesets.cav.indirect import Drift, Munition, caught_by, model_at, moved_by_the_opponent, point_on_board
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.quickstart.attributes import AS_PRINTED, TARGETING_COMPUTER, WIZZO, smart_area
from sandtable.rulesets.quickstart.combat import (
    AGAINST,
    COMBAT_ROLL,
    LOST,
    NATURAL_TWELVE,
    NATURAL_TWO,
    OWN,
    PRIMARY_AND_SECONDARY,
    SECONDARY,
    locked_computer,
    rolls_of,
)
from sandtable.rulesets.quickstart.combat import STRIKE_POINT as STRIKE_POINT_ROLL
from sandtable.rulesets.quickstart.concepts import distance_to
from sandtable.rulesets.quickstart.datacard import Weapon, weapons
from sandtable.rulesets.quickstart.dice import KINDS, check_roll, ten_plus_roll
from sandtable.rulesets.quickstart.shooting.direct_fire import (
    RUN_N_GUN,
    RUNNING,
    SALVO,
    SALVO_FIRE,
    ammo_check,
    farthest,
    missed,
    range_band,
    row_of_hit,
    strike,
    twist_torso,
)
from sandtable.rulesets.quickstart.sight import FIRING_ARCS, bears_on, sees_point, standing_in, twist_to_make
from sandtable.rulesets.quickstart.state_names import StateName, Until
from sandtable.rulesets.quickstart.states import DISABLED, IMMOBILE, SUPPRESSED
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Thrown
from sandtable.tabletop.modifiers import Modifier, parts
from sandtable.tabletop.states import give, take

STRIKE_POINT = rule("quickstart.indirect.strike-point")
RANGE = rule("quickstart.indirect.strike-point-range")
ROLL = rule("quickstart.indirect.strike-point-roll")
REPEATED = rule("quickstart.indirect.repeated-fire")
RANGE_PENALTIES = rule("quickstart.indirect.range-penalties")
COVER = rule("quickstart.indirect.cover-and-strike-point")
ON_TARGET = rule("quickstart.indirect.on-target")
SECONDARY_ROLL = rule("quickstart.indirect.secondary-combat-roll")
DRIFT = rule("quickstart.indirect.drift")
DRIFT_ADDITION = rule("quickstart.indirect.drift-range-addition")
DRIFT_LIMITS = rule("quickstart.indirect.drift-limits")
FUMBLE = rule("quickstart.indirect.strike-point-fumble")
AREA = rule("quickstart.indirect.area-of-effect")
RUN_N_GUN_EXCEPTIONS = rule("quickstart.shooting.run-n-gun-exceptions")
SALVO_INDIRECT = rule("quickstart.shooting.salvo-indirect")
SIGHT_TO_POINT = rule("quickstart.sight.line-of-sight-to-a-strike-point")

_MODIFIERS = {one.text_at("id"): one for one in (*ROLL.items("modifiers"), *ROLL.items("from_other_rules"))}
_PENALTY = RANGE_PENALTIES.counted()
same_number("long range and the strike-point", _PENALTY["long"], _MODIFIERS["long_range_band"].number("sm"))
same_number("extreme range and the strike-point", _PENALTY["extreme"], _MODIFIERS["extreme_range_band"].number("sm"))
same_number(
    "run 'n gun and the strike-point",
    RUN_N_GUN.number("primary_roll_sm_per_weapon"),
    _MODIFIERS["run_n_gun"].number("sm"),
)
same_number("the 6+ of a secondary roll", SECONDARY_ROLL.number("target_point"), AREA.number("target_point"))
same_number("Wizzo and the strike-point", WIZZO.number("sm"), _MODIFIERS["wizzo"].number("sm"))
same_number(
    "the targeting computer and the strike-point",
    TARGETING_COMPUTER.number("sm_per_rating"),
    _MODIFIERS["targeting_computer"].number("sm"),
)
same_number(
    "suppressed and the strike-point",
    SUPPRESSED.number("own_rolls_sm"),
    _MODIFIERS["suppressed_or_stunned"].number("sm"),
)
for _state in (IMMOBILE, DISABLED):
    _helpless = _MODIFIERS["immobile_or_disabled_target_at_strike_point"].number("sm")
    same_number("a helpless target at the strike-point", _state.number("attacker_sm"), _helpless)
_FACES = int(KINDS.text_at("drift_roll").partition("d")[2])
same_number("the faces of the drift die", tuple(range(1, _FACES + 1)), DRIFT.numbers("die_faces"))
_BAND_ORDER = tuple(_PENALTY)
_MOST_OF_A_LOCK = _MODIFIERS["targeting_computer"].number("max")
_AGAIN = _MODIFIERS["additional_activation_at_same_strike_point"].number("sm")


class Barrage(msgspec.Struct, frozen=True):
    """The indirect-fire weapons of one assault, aimed at one strike-point."""

    shooter: str
    weapons: tuple[str, ...]
    point: Point
    sub_type: str = ""
    weapons_fired: int = 1
    smart: str = "as-printed"


class Caught(msgspec.Struct, frozen=True):
    """One weapon (or salvo) against one model that the attack caught."""

    shooter: str
    victim: str
    weapons: tuple[str, ...]
    sub_type: str = ""
    smart: str = "as-printed"


def usable(table: Table, barrage: Barrage, name: str) -> Refusal | None:
    """Why a weapon cannot reach the strike-point: range or arc (quickstart.indirect.strike-point-range)."""
    shooter = table[barrage.shooter]
    weapon = weapons(shooter)[name]
    away = distance_to(shooter, barrage.point)
    if away <= weapon.minimum_range * UNIT:
        return Refusal(RANGE.id, f"The strike-point is within {weapon.minimum_range}″, the minimum range.")
    if range_band(weapon, away) is None:
        return Refusal(RANGE.id, f"The strike-point is {inches(away)} away, beyond extreme range.")
    if twist_to_make(shooter, barrage.point) is None:
        return Refusal(FIRING_ARCS.id, "The strike-point is out of the firing arc.")
    return None


def _worst_band(shooter: Thing, fired: Sequence[str], point: Point) -> str:
    away = distance_to(shooter, point)
    bands = [range_band(weapons(shooter)[name], away) or _BAND_ORDER[-1] for name in fired]
    return max(bands, key=_BAND_ORDER.index)


class Aiming(Rolling, frozen=True, kw_only=True):
    """What decides which modifiers count on a strike-point roll; the target is an enemy under the point."""

    barrage: Barrage
    sees: bool
    band: str
    under: Thing | None  # whoever stands there, friends too


#: What changes a strike-point roll, in the order in which it is told (quickstart.indirect.strike-point-roll).
STRIKE_POINT_MODIFIERS: tuple[Modifier[Aiming], ...] = (
    *OWN,
    Modifier(
        TARGETING_COMPUTER,
        "targeting computer",
        lambda s: min(_MOST_OF_A_LOCK, locked_computer(Rolling(s.model, s.under))),
        (STRIKE_POINT_ROLL,),
    ),
    *AGAINST,
    Modifier(
        SIGHT_TO_POINT,
        "line of sight",
        _MODIFIERS["line_of_sight_to_strike_point"].number("sm"),
        (STRIKE_POINT_ROLL,),
        lambda s: s.sees,
    ),
    Modifier(
        REPEATED,
        "same strike-point again",
        lambda s: times_fired_at(s.model, s.barrage.point) * _AGAIN,
        (STRIKE_POINT_ROLL,),
    ),
    Modifier(RANGE_PENALTIES, lambda s: f"{s.band} range", lambda s: _PENALTY[s.band], (STRIKE_POINT_ROLL,)),
    Modifier(
        RUN_N_GUN_EXCEPTIONS,
        "run 'n gun",
        lambda s: RUN_N_GUN.number("primary_roll_sm_per_weapon") * s.barrage.weapons_fired,
        (STRIKE_POINT_ROLL,),
        lambda s: s.barrage.sub_type == RUNNING,
    ),
)


def strike_point_parts(table: Table, barrage: Barrage, fired: Sequence[str]) -> tuple[ExplainedPart, ...]:
    """What changes the strike-point roll."""
    shooter, under = table[barrage.shooter], model_at(table, barrage.point)
    foe = under if under is not None and under.side != shooter.side else None
    sees, band = sees_point(table, shooter, barrage.point), _worst_band(shooter, fired, barrage.point)
    aiming = Aiming(shooter, foe, barrage=barrage, sees=sees, band=band, under=under)
    return parts(STRIKE_POINT_MODIFIERS, STRIKE_POINT_ROLL, aiming)


def times_fired_at(shooter: Thing, point: Point) -> int:
    """In how many activations in a row a model has fired at exactly this point from where it stands."""
    value = shooter.value(StateName.STRIKE_POINT)
    if isinstance(value, tuple) and value[:2] == (str(point.x), str(point.y)):
        return int(value[2])
    return 0


def forget_strike_point(battle: Battle, model: str) -> None:
    """Who has activated without firing at its strike-point again has lost it (quickstart.indirect.repeated-fire)."""
    value = battle.table[model].value(StateName.STRIKE_POINT)
    if isinstance(value, tuple) and value[3] != str(battle.table.turn):
        take(battle, model, StateName.STRIKE_POINT, REPEATED)


def radius(weapon: Weapon, smart: str) -> int:
    """The area of effect of a weapon as it is fired, in thousandths.

    quickstart.attributes.area-of-effect                                       its rating in inches
    quickstart.attributes.smart-wider-area, quickstart.attributes.smart-stronger-hit    one more, or one less
    """
    return smart_area(fired_as(weapon, smart), weapon.rating("aoe")) * UNIT


def fired_as(weapon: Weapon, smart: str) -> str:
    """The option of an attack that a weapon takes part in as it concerns this weapon."""
    return smart if weapon.has("smart") else AS_PRINTED


def lands_nowhere(table: Table, shooter: Thing, fired: Sequence[str], point: Point) -> bool:
    """Off the board, or beyond extreme range, an attack has no effect (quickstart.indirect.drift-limits)."""
    ground = table.ground
    if not (0 <= point.x <= ground.width and 0 <= point.y <= ground.height):
        return True
    return not any(_reaches(shooter, name, point) for name in fired)


def _reaches(shooter: Thing, name: str, point: Point) -> bool:
    return range_band(weapons(shooter)[name], distance_to(shooter, point)) is not None


def bombard(battle: Battle, barrage: Barrage, because: int = 0) -> Procedure[tuple[Caught, ...]]:
    """Aim at the strike-point and see where the attack lands and whom it catches; their rolls come next.

    quickstart.indirect.strike-point-roll      one 10+ roll for all weapons
    quickstart.indirect.strike-point-fumble    on a natural 2 the opponent moves the point first
    quickstart.indirect.drift                  a miss lands somewhere else
    """
    shooter = battle.table[barrage.shooter]
    fired = []
    for name in barrage.weapons:
        refusal = usable(battle.table, barrage, name)
        if refusal is None:
            fired.append(name)
        else:
            battle.happens(missed(barrage.shooter, name, refusal, because))
    if not fired:
        return ()
    twist = twist_to_make(shooter, barrage.point) or 0
    added = strike_point_parts(battle.table, barrage, fired)
    twist_torso(battle, barrage.shooter, twist)
    check = ten_plus_roll(battle, "strike-point", barrage.shooter, added, ROLL, because=because)
    _remember(battle, barrage)
    point = barrage.point
    if fumbled(check):
        yield from ammo_check(battle, barrage.shooter, tuple(fired), check.n)
        point = yield from moved_by_the_opponent(battle, shooter, fired, point, FUMBLE, {"twist": twist})
    landed: Point | None = point
    if not check.succeeds:
        # Weapons may reach less far, or into a smaller area, than those they are fired with.
        armed = [weapons(shooter)[name] for name in fired]
        munitions = [Munition(0, farthest(weapon), radius(weapon, barrage.smart)) for weapon in armed]
        band = _worst_band(shooter, fired, point)
        landed = DRIFTING.roll(battle, shooter, point, band, munitions, check.n)
    if landed is None:
        return ()
    return _landed(battle, barrage, fired, landed, check)


def _remember(battle: Battle, barrage: Barrage) -> None:
    shooter = battle.table[barrage.shooter]
    point = barrage.point
    times = times_fired_at(shooter, point) + 1
    value = (str(point.x), str(point.y), str(times), str(battle.table.turn))
    give(battle, shooter.id, StateName.STRIKE_POINT, REPEATED, value, until=Until.IT_MOVES_OR_FIRES_ELSEWHERE)


def refused_fumble_point(table: Table, question: PlaceThings, point: Point) -> Refusal | None:
    """Where a fumbled strike-point may not be moved to: it stays in the front arc and in range of all weapons."""
    shooter = table[question.about[0]]
    away = distance_to(shooter, point)
    for name in question.about[1:]:
        weapon = weapons(shooter)[name]
        if away <= weapon.minimum_range * UNIT or range_band(weapon, away) is None:
            return Refusal(FUMBLE.id, f"{inches(away)} is not within the range of the {weapon.name}.")
    if not bears_on(shooter, point, question.facts.get("twist", 0)):
        return Refusal(FUMBLE.id, f"The point must stay in {shooter.label}'s front arc.")
    return None


def _strikes(shooter: Thing, at: Point, munition: Munition) -> bool:
    """Whether a strike has any effect at a point: beyond extreme range it has none (quickstart.indirect.drift-limits).

    The edge of a base is no farther off than its centre, which is measured with less ado.
    """
    here, far = center(shooter), munition.farthest
    return (here.x - at.x) ** 2 + (here.y - at.y) ** 2 <= far * far or distance_to(shooter, at) <= far


#: A missed attack drifts: 1d10 inches and a little more at long range, in any direction.
DRIFTING = Drift(
    dice=KINDS.text_at("drift_roll"),
    addition=DRIFT_ADDITION.counted(),
    rule=DRIFT,
    addition_rule=DRIFT_ADDITION,
    limits=DRIFT_LIMITS,
    strikes=_strikes,
)


def _landed(battle: Battle, barrage: Barrage, fired: Sequence[str], point: Point, check: Thrown) -> tuple[Caught, ...]:
    shooter = battle.table[barrage.shooter]
    volleys = [tuple(fired)] if barrage.sub_type == SALVO_FIRE else [(name,) for name in fired]
    found: list[Caught] = []
    for volley in volleys:
        if not _reaches(shooter, volley[0], point):
            battle.happens(Forfeited(shooter.id, volley[0], rule=DRIFT_LIMITS.id, because=check.n))
            continue
        reach = radius(weapons(shooter)[volley[0]], barrage.smart)
        victims = caught_by(battle.table, point, reach)
        why = ON_TARGET if check.succeeds else AREA
        battle.happens(
            Landed(volley[0], barrage.point, point, Disc(point, reach), victims, rule=why.id, because=check.n)
        )
        found += [Caught(shooter.id, victim, volley, barrage.sub_type, barrage.smart) for victim in victims]
    return tuple(found)


class Catching(Rolling, frozen=True, kw_only=True):
    """What decides which modifiers count on a secondary combat roll."""

    caught: Caught


#: What changes a secondary combat roll: no Wizzo, no targeting computer; and only cover the victim stands in.
SECONDARY_MODIFIERS: tuple[Modifier[Catching], ...] = (
    *OWN,
    *AGAINST,
    Modifier(
        SALVO_INDIRECT,
        "salvo",
        lambda s: SALVO.number("sm_per_extra_weapon") * (len(s.caught.weapons) - 1),
        rolls_of("salvo"),
        lambda s: s.caught.sub_type == SALVO_FIRE,
    ),
)


def secondary_parts(table: Table, caught: Caught) -> tuple[ExplainedPart, ...]:
    """What changes a secondary combat roll."""
    victim = table[caught.victim]
    found = parts(SECONDARY_MODIFIERS, SECONDARY, Catching(table[caught.shooter], victim, caught=caught))
    return (*found, *(msgspec.structs.replace(part, rule=COVER.id) for part in standing_in(table, victim)))


def strike_caught(battle: Battle, caught: Caught, because: int = 0) -> None:
    """The secondary combat roll against one model that was caught (quickstart.indirect.secondary-combat-roll)."""
    victim = battle.table[caught.victim]
    if as_good_as_lost(battle, caught.victim):
        battle.happens(Forfeited(caught.shooter, f"{caught.weapons[0]} at {victim.label}", rule=LOST.id))
        return
    needs = target(SECONDARY_ROLL.number("target_point"), "secondary roll", SECONDARY_ROLL)
    weapon = weapons(battle.table[caught.shooter])[caught.weapons[0]]
    smart = fired_as(weapon, caught.smart)
    check = check_roll(
        battle,
        "secondary combat",
        caught.shooter,
        needs,
        secondary_parts(battle.table, caught),
        SECONDARY_ROLL,
        because=because,
        critical=NATURAL_TWELVE,
        fumble=NATURAL_TWO,
        detail={"roll": "secondary", "rules": (PRIMARY_AND_SECONDARY.id, COMBAT_ROLL.id)},
        succeeded="hit",
        failed="miss",
        alike=lambda margin: row_of_hit(margin, battle.table[caught.shooter], weapon, victim, smart),
    )
    if check.succeeds:
        strike(battle, caught.shooter, caught.victim, weapon, check, smart)


def _judge_strike_point(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """A strike-point lies on the board; one that a fumble moved lies where the rule lets the opponent put it."""
    point = point_on_board(view.table, question, answer)
    if isinstance(point, Refusal):
        return point
    return refused_fumble_point(view.table, question, point) if question.topic == "fumbled-strike-point" else None


CHAPTER = Chapter(
    judges={"strike-point": _judge_strike_point, "fumbled-strike-point": _judge_strike_point},
    answers={
        "strike-point": "where indirect fire is aimed, [x, y]",
        "fumbled-strike-point": "where the opponent moves a fumbled strike-point, [x, y]",
    },
    states={
        StateName.STRIKE_POINT: "where it fired last, in thousandths, how often in a row, in which turn, as four texts",
    },
)
