"""What a burst does to everything in it: shells, bombs and crashing aircraft burst alike."""

from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Landed
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Disc, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.chords import chords
from sandtable.field.ground import chart
from sandtable.field.measure import center_gap, inside
from sandtable.field.scatter import drifted
from sandtable.field.templates import circle
from sandtable.field.walking.encounters import over_edge
from sandtable.field.walking.paths import length_between
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.rulesets.stargrunt.artillery.assets import RADIUS, WARHEADS, dispersed, point
from sandtable.rulesets.stargrunt.confidence.levels import ARTILLERY, panic_test
from sandtable.rulesets.stargrunt.confidence.nerve import BOMBARDED, unnerve
from sandtable.rulesets.stargrunt.cover.protection import SMOKE, armour_shift, figure_cover
from sandtable.rulesets.stargrunt.dice.rolls import LADDER, plain_roll
from sandtable.rulesets.stargrunt.fire.wounds import impact_roll, wound
from sandtable.rulesets.stargrunt.movement.walking import clock_direction
from sandtable.rulesets.stargrunt.observation.counters import place_figures
from sandtable.rulesets.stargrunt.obstacles.mines import cleared_by_burst
from sandtable.rulesets.stargrunt.obstacles.smoke import RULE as SMOKE_SHELL
from sandtable.rulesets.stargrunt.obstacles.smoke import shell
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import counters, is_hull, on_ground, spot
from sandtable.rulesets.stargrunt.vehicles.hits import Blow, struck
from sandtable.rulesets.stargrunt.vehicles.hulls import FACING_HIT, TOP
from sandtable.tabletop.face_down import lies_under

EFFECT = rule("stargrunt.artillery.burst-effect")
VEHICLES = rule("stargrunt.artillery.vehicles-in-burst")
DEVIATION = rule("stargrunt.artillery.deviation")
FURTHER = rule("stargrunt.artillery.further-rounds")
IN_POSITION = rule("stargrunt.cover.in-position-indirect-fire")

same_number("the die of a direction", DEVIATION.text_at("direction"), FURTHER.text_at("direction"), f"d{LADDER[-1]}")
same_number("the markers of a bombardment", BOMBARDED.number("markers"), 1)


class Impact(NamedTuple):
    """What a burst does: its die against figures, die and multiplier against point targets, and its size class."""

    dispersed: int
    die: int
    multiplier: int
    size: int


class Bombardment(Step, frozen=True):
    """Rounds that are still to fall around a point, and what those that have fallen did.

    While `left` names figures the last burst, at `burst`, is still being rolled for.
    """

    by: str
    aimed: Point
    point: Point
    radius: int
    impact: Impact
    warhead: str
    rounds: int
    fallen: int = 0
    burst: Point = Point(0, 0)
    left: tuple[str, ...] = ()
    under: tuple[str, ...] = ()
    hurt: tuple[str, ...] = ()
    stick: tuple[Point, ...] = ()  # where each of them falls, for bombs
    shaken: tuple[str, ...] = ()  # units whose vehicle was struck: what it meant to them is settled already


class AfterBombardment(Step, frozen=True):
    """What a bombardment does to a unit's nerve."""

    by: str
    target: str
    hurt: tuple[str, ...] = ()


def scattered(battle: Battle, by: str, around: Point, why: Rule, die: str, times: int = 1, because: int = 0) -> Point:
    """A point in a random direction at the distance of a die, times so much."""
    degrees, n = clock_direction(battle, battle.table[by].side, because)
    inches, _ = plain_roll(battle, "distance", by, die, why, because=n)
    return drifted(around, inches * times * UNIT, degrees)


def impact_of(warhead: str, delivery: str) -> Impact:
    """What a round of a battery does (stargrunt.artillery.warheads); smoke does nothing.

    >>> impact_of("anti_armour", "large")
    Impact(dispersed=6, die=12, multiplier=2, size=3)
    """
    if warhead == SMOKE:
        return Impact(0, 0, 0, 0)
    return Impact(dispersed(warhead), *point(warhead), VEHICLES.number("size", delivery))


def shielded(ground: Ground, at: Point, burst: Point) -> bool:
    """Whether a building lies between a point and a burst; one that either of them is in does not count."""
    length = length_between(burst, at)
    for _, piece in chart(ground).pieces:
        if piece.kind != "building" or inside(piece.outline, at) or inside(piece.outline, burst):
            continue
        if length and chords(piece.outline, burst, at, length):
            return True
    return False


def covers(table: Table, burst: Point, radius: int, at: Point) -> bool:
    """Whether a burst covers a point: within its radius, and no building between (stargrunt.artillery.burst-effect)."""
    return center_gap(at, burst) <= radius * radius and not shielded(table.ground, at, burst)


def caught(table: Table, burst: Point, radius: int) -> list[Thing]:
    """The figures and vehicles in a burst, by the centres of their bases."""
    return [one for one in on_ground(table) if covers(table, burst, radius, spot(one))]


def burst_shifts(table: Table, figure: Thing, burst: Point) -> tuple[ExplainedPart, ...]:
    """What shifts the Armour Die of a figure in a burst: its own cover from there, and being In Position.

    stargrunt.cover.in-position-indirect-fire    one type, on top of cover
    """
    parts = armour_shift(figure_cover(table.ground, spot(figure), burst))
    if table[figure.unit].has(StateName.IN_POSITION):
        parts += (ExplainedPart("In Position", IN_POSITION.number("armour_die"), IN_POSITION.id),)
    return parts


def roll_for(battle: Battle, by: str, figure: Thing, impact: int, burst: Point, hurt: tuple[str, ...]) -> bool:
    """Impact against armour for one figure in a burst; whether it was hurt. Two wounds from one mission kill."""
    shifts = burst_shifts(battle.table, figure, burst)
    result, n = impact_roll(battle, by, figure, impact, shifts, 0)
    return result != "no effect" and wound(battle, figure.id, result == "killed", figure.id in hurt, n)


def bombard(battle: Battle, step: Bombardment) -> Procedure[None]:
    """The next round falls, or the next figure in the last burst is rolled for; then units feel what they went through.

    stargrunt.artillery.further-rounds    a D6 inches from the impact point, in the direction of a D12
    stargrunt.artillery.burst-effect      each figure once for each burst that covers it
    """
    if step.left:
        _roll_for_next(battle, step)
        return
    if step.fallen < step.rounds:
        battle.push((yield from _next_round(battle, step)))
        return
    under = [battle.table[one] for one in step.under]
    units = dict.fromkeys(one.unit for one in under if one.unit and one.unit not in step.shaken)
    of = {unit: tuple(one for one in step.hurt if battle.table[one].unit == unit) for unit in units}
    battle.push(*(AfterBombardment(step.by, unit, hurt) for unit, hurt in of.items()))


def _roll_for_next(battle: Battle, step: Bombardment) -> None:
    """Roll for one more figure or vehicle in the burst.

    stargrunt.artillery.vehicles-in-burst    a minor hit on the top armour
    """
    name, *rest = step.left
    thing, after = battle.table[name], replace(step, left=tuple(rest))
    if thing.gone:
        battle.push(after)
    elif is_hull(thing):
        blow = Blow(step.impact.die, step.impact.multiplier, step.impact.size)
        n = battle.happens(Declared(step.by, "hits the top", (thing.id,), rule=VEHICLES.id, detail=citing(FACING_HIT)))
        first = bool(thing.unit) and thing.unit not in step.shaken
        told = struck(
            *(battle, step.by, thing.unit, thing, TOP, blow, (), n),
            indirect=True,
            suppresses=first,
        )
        battle.push(*told, replace(after, shaken=(*step.shaken, thing.unit) if first else step.shaken))
    else:
        hurts = roll_for(battle, step.by, thing, step.impact.dispersed, step.burst, step.hurt)
        battle.push(replace(after, hurt=(*step.hurt, name) if hurts and name not in step.hurt else step.hurt))


def _next_round(battle: Battle, step: Bombardment) -> Procedure[Bombardment]:
    """One more round falls: the first on the point, the others around it; off the table it has no effect."""
    at = step.stick[step.fallen] if step.stick else step.point
    if step.fallen and not step.stick:
        at = scattered(battle, step.by, step.point, FURTHER, FURTHER.text_at("distance"))
    name, fallen = step.warhead.replace("_", " "), step.fallen + 1
    if over_edge(Disc(at, 0), battle.table.ground):
        battle.happens(Landed(name, step.aimed, at, rule=DEVIATION.id))
        return replace(step, fallen=fallen)
    if step.warhead == SMOKE:
        battle.happens(Landed(name, step.aimed, at, rule=SMOKE_SHELL.id))
        shell(battle, at, step.radius)
        return replace(step, fallen=fallen)
    for counter in _hidden_under(battle.table, at, step.radius):
        yield from place_figures(battle, counter, EFFECT)
    under = tuple(one.id for one in caught(battle.table, at, step.radius))
    told = citing(RADIUS, WARHEADS)
    n = battle.happens(Landed(name, step.aimed, at, circle(at, step.radius), under, rule=EFFECT.id, detail=told))
    cleared_by_burst(battle, at, step.radius, n)
    known = (*step.under, *(one for one in under if one not in step.under))
    return replace(step, fallen=fallen, burst=at, left=under, under=known)


def _hidden_under(table: Table, burst: Point, radius: int) -> list[Thing]:
    """The counters of hidden units that a burst covers: it drives them out into the open."""
    hiding = [one for one in counters(table) if lies_under(one) in table.things]
    return [one for one in hiding if covers(table, burst, radius, spot(one))]


def after_bombardment(battle: Battle, step: AfterBombardment) -> Procedure[None]:
    """One suppression marker for the whole mission, and the nerve of those who were hurt or are new to it.

    stargrunt.artillery.burst-suppression    the bombardment alone causes no test, but adds to one
    """
    stands = yield from unnerve(battle, step.target, step.hurt, BOMBARDED, (ARTILLERY,))
    if stands:
        panic_test(battle, step.target, "first_fired_on")
