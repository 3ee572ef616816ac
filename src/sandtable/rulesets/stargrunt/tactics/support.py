"""What tactics think of support: where fire should fall, what it would do there, and what is worth asking for it."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import NamedTuple

from sandtable.engine.ids import Side
from sandtable.engine.shapes import UNIT, At, Point, Spot
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import center_gap
from sandtable.rulesets.stargrunt.artillery.assets import (
    CALLER,
    MARKERS,
    MISSIONS,
    RADIUS,
    REAL,
    ROUNDS,
    WARHEAD,
    asset,
    box_of,
    requesting,
    warheads,
)
from sandtable.rulesets.stargrunt.artillery.bursts import Impact, burst_shifts, caught, impact_of
from sandtable.rulesets.stargrunt.artillery.gunnery import refused_point
from sandtable.rulesets.stargrunt.artillery.missions import accuracy_target
from sandtable.rulesets.stargrunt.artillery.pieces import commands
from sandtable.rulesets.stargrunt.cover.protection import SMOKE, centre_point
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.tactics.fire import BUTTONED_UP, POINT, VEHICLE, chance, hurts, marker_worth, middle
from sandtable.rulesets.stargrunt.units.record import armour_die, enemies, is_hull, quality_die, spot
from sandtable.rulesets.stargrunt.vehicles.hits import Blow, result_of
from sandtable.rulesets.stargrunt.vehicles.hulls import TOP, armour_of
from sandtable.tabletop.opponent import Reasons, scaled, total

#: What support is worth that brings a craft and no shells.
SORTIE = 1200
#: How much of a salvo its further rounds count, and how much of it each box of the inbound chart takes, in hundredths.
FURTHER, LATER = 35, 25
#: How much worse it is to hit a friend than good to hit an enemy, and how far around a burst friends are in danger too.
OUR_OWN, TOO_NEAR = 2, 3 * UNIT
#: What a request chit is worth.
CHIT = 150
#: What a mission is worth that would hit nobody any more: the guns are free again.
FREED = 50
#: What a mission is worth of which the view does not tell where it falls, and one of smoke: it waits for nothing.
ARRIVED, SCREENED = 2 * POINT, POINT


class Aim(NamedTuple):
    """Where fire may fall, with which warhead, and what that would bring."""

    at: Point
    warhead: str
    parts: Reasons

    @property
    def worth(self) -> int:
        """What it is worth in all."""
        return total(self.parts)


def burst_worth(table: Table, side: Side, at: Point, radius: int, impact: Impact) -> Reasons:
    """What one burst at a point would do to everybody in it."""
    found = {"casualties": 0, "vehicles": 0, "suppression": 0, "our own": 0}
    struck = dict[str, Thing]()
    for one in caught(table, at, radius + TOO_NEAR):
        if one.side != side and center_gap(spot(one), at) > radius * radius:
            continue
        if is_hull(one):
            worth, word = _broken(one, impact), "vehicles"
        else:
            shift = sum(part.value for part in burst_shifts(table, one, at))
            worth, word = int(POINT * hurts(impact.dispersed, armour_die(one), shift)), "casualties"
        if one.side == side:
            found["our own"] -= OUR_OWN * worth
        else:
            found[word] += worth
            if one.unit:  # nobody's nerve is shaken in a vehicle that was left empty
                struck[one.unit] = table[one.unit]
    found["suppression"] = sum(marker_worth(table, unit) for unit in struck.values() if unit.kind == "unit")
    return tuple(found.items())


def _broken(hull: Thing, impact: Impact) -> int:
    """What a burst on top of a vehicle is worth: rattled at least (stargrunt.artillery.vehicles-in-burst)."""
    armour = armour_of(vehicle(hull), TOP, indirect=True)
    times = Blow(impact.die, impact.multiplier, impact.size).times
    scores = product(range(1, impact.die + 1), range(1, armour.die + 1))
    results = [result_of(score * times, held * armour.multiplier) for score, held in scores]
    broken = sum(VEHICLE[result] for result in results if result)
    return BUTTONED_UP + int(Fraction(broken, max(1, len(results))))


def mission_worth(table: Table, caller: Thing, thing: Thing, at: Point, warhead: str, rounds: int) -> Reasons:
    """What a mission is worth that falls now: as likely as it is accurate, its further rounds less than the first."""
    one = asset(thing)
    parts = burst_worth(table, caller.side, at, RADIUS.inches(one.delivery), impact_of(warhead, one.delivery))
    target = sum(part.value for part in accuracy_target(table, caller, one.kind, at))
    share = chance(quality_die(caller), target) * (100 + FURTHER * (rounds - 1)) // 100
    return scaled(tuple(part for part in parts if part[1]), share)


def aim_points(table: Table, unit: Thing, thing: Thing) -> Iterator[Point]:
    """Points that a unit may call fire on: where enemies are, and between two that one burst may catch."""
    there = [centre_point(table, foe.id) for foe in enemies(table, unit.side)]
    reach = 2 * RADIUS.inches(asset(thing).delivery)
    between = [middle(two) for two in combinations(there, 2) if center_gap(*two) <= reach * reach]
    for at in dict.fromkeys((*there, *between)):
        if refused_point(table, unit, thing, Spot(At(at))) is None:
            yield at


def aims(table: Table, unit: Thing, thing: Thing) -> list[Aim]:
    """Where a unit may let an asset fire, each with the best warhead for it, the best first."""
    one = asset(thing)
    kinds = [name for name in warheads(table, one) if name != SMOKE]
    found = []
    for at in aim_points(table, unit, thing):
        best = max(
            (Aim(at, name, mission_worth(table, unit, thing, at, name, one.weapons)) for name in kinds),
            key=lambda aim: aim.worth,
        )
        found.append(best)
    return sorted(found, key=lambda aim: -aim.worth)


def mission(table: Table, unit: Thing, thing: Thing) -> Reasons:
    """What a granted mission is worth: where it would do most, less what enemies do not wait for."""
    one = asset(thing)
    if one.vehicle:
        return (("a sortie", SORTIE),) if enemies(table, unit.side) else ()
    best = next(iter(aims(table, unit, thing)), None)
    if best is None or best.worth <= 0:
        return ()
    share = 100 if thing.unit else max(LATER, 100 - LATER * (box_of(one) - 1))
    return scaled(best.parts, share, 100)


def granted(table: Table, unit: Thing, thing: Thing, chits: int) -> int:
    """How likely a request is granted, in thousandths; a piece hears its own commander."""
    if commands(table, unit, thing):
        return 1000
    passes = requesting(table, unit, thing, chits).passes()
    return 1000 * passes.numerator // passes.denominator


def request_worth(table: Table, unit: Thing, thing: Thing, chits: int = 0) -> Reasons:
    """What it is worth to call for an asset with so many chits."""
    share = granted(table, unit, thing, chits)
    parts = scaled(mission(table, unit, thing), share)
    return (*parts, ("chits", -chits * CHIT)) if chits else parts


def real_one(table: Table, thing: Thing, markers: int) -> int:
    """Which of so many markers is the real one this time: not always the first."""
    return (table.turn + thing.count(MISSIONS)) % markers


def laid(table: Table, unit: Thing, thing: Thing, names: Sequence[str]) -> dict[str, Spot] | None:
    """Where the markers of a mission lie: the real one where it does most, the others where it would do less."""
    found = [aim.at for aim in aims(table, unit, thing)]
    if not found:
        return None
    real = real_one(table, thing, len(names))
    rest = iter([*found[1:], *[found[0]] * len(names)])
    return {name: Spot(At(found[0] if n == real else next(rest))) for n, name in enumerate(names)}


def arrival(table: Table, thing: Thing) -> Reasons:
    """What it is worth to let a mission fall now that has arrived, where its real marker lies."""
    names, caller, rounds = thing.value(MARKERS), table.things.get(str(thing.value(CALLER))), thing.value(ROUNDS)
    real = [table[name] for name in names if table[name].has(REAL)] if isinstance(names, tuple) else []
    if not real or caller is None or not isinstance(rounds, int):
        return (("support", ARRIVED),)
    warhead = str(thing.value(WARHEAD))
    if warhead == SMOKE:
        return (("smoke", SCREENED),)
    parts = mission_worth(table, caller, thing, spot(real[0]), warhead, rounds)
    return parts or (("the guns are free again", FREED),)
