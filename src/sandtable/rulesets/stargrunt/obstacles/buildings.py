"""Buildings as point targets: fired at like vehicles, and shot to rubble."""

from fractions import Fraction
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, TerrainChanged
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import Disc, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.measure import inside, nearest_points
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, out_there
from sandtable.rulesets.stargrunt.cover.protection import SIGHT, WOODS, centre_point, figure_seen, within_wood
from sandtable.rulesets.stargrunt.dice.rolls import die_part, several
from sandtable.rulesets.stargrunt.fire.armament import GUIDED, GUN, Arm, arm_of, arms, band_width
from sandtable.rulesets.stargrunt.fire.heavy import arm_refused, refused_arc
from sandtable.rulesets.stargrunt.fire.hits import AfterFire
from sandtable.rulesets.stargrunt.fire.one_weapon import Shoot, roll_to_hit
from sandtable.rulesets.stargrunt.fire.resolution import note_fired
from sandtable.rulesets.stargrunt.fire.shots import (
    BANDS,
    DECLARING,
    RANGE_DIE,
    RANGE_LIMIT,
    band,
    die_of,
    refused_by_nerve,
    support_refused,
    supports,
)
from sandtable.rulesets.stargrunt.fire.wounds import wound
from sandtable.rulesets.stargrunt.forces.cards import kit
from sandtable.rulesets.stargrunt.units.record import ARMOUR, hull_of, mean, points, quality, spot, standing
from sandtable.rulesets.stargrunt.vehicles.aboard import OCCUPANTS, by_size, to_exceed
from sandtable.rulesets.stargrunt.vehicles.hits import Blow, result_of, strike
from sandtable.rulesets.stargrunt.vehicles.hulls import ARMOUR_CLASS, LEVELS, Armour, system_die
from sandtable.rulesets.stargrunt.weapons import SUPPORT

RULE = rule("stargrunt.obstacles.buildings")
#: What a piece may say of itself: what it is built of, and its size class.
MADE_OF, ARMOUR_WORD, SIZE = "made-of", "armour_class", "size"
BUILDING, RUBBLE = "building", "rubble"


class AtBuilding(Step, frozen=True):
    """A weapon is fired at a building."""

    firer: str
    weapon: str
    building: str


class Inside(Step, frozen=True):
    """Those in a building that was pierced, one after the other."""

    firer: str
    left: tuple[ThingId, ...]
    exceed: int
    hurt: tuple[str, ...] = ()


# Pure questions ----------------------------------------------------------------------------------------------------


def armour_class(piece: Piece) -> int:
    """The Armour Class of a building, by what it is made of; brick where nothing is said."""
    said = piece.traits.get(MADE_OF, piece.traits.get(ARMOUR_WORD, RULE.text_at("default")))
    return RULE.number("armour_class", str(said))


def armour(piece: Piece) -> Armour:
    """The armour roll of a building: a D12 times its class; of class 0 that of a softskin."""
    kind = armour_class(piece)
    if not kind:
        die = ARMOUR_CLASS.number("softskin_die")
        return Armour(die, 1, die_part("thin walls", die, ARMOUR_CLASS))
    die = ARMOUR.number("vehicle", "die")
    return Armour(die, kind, die_part("walls", die, RULE))


def size_class(piece: Piece) -> int:
    """The size class of a building."""
    return int(piece.traits.get(SIZE, RULE.number("default_size")))


def buildings(table: Table) -> list[Piece]:
    """The buildings that stand."""
    return [piece for piece in table.ground.pieces if piece.kind == BUILDING]


def occupants(table: Table, piece: Piece) -> list[Thing]:
    """The figures in a building."""
    return [one for one in table.models() if inside(piece.outline, spot(one))]


def face(table: Table, unit: str, piece: Piece) -> Point:
    """The point of a building that is nearest to a unit."""
    return nearest_points(Disc(centre_point(table, unit), 0), piece.outline)[1]


def range_to(table: Table, firer: Thing, piece: Piece, arm: Arm) -> Explanation:
    """Where the Range Die stands against a building: nothing covers it."""
    width = band_width(table, arm, size_class(piece)) if arm.kind == GUN else BANDS.number(quality(firer))
    at, (x, y) = face(table, firer.id, piece), mean(points(table, firer.id))
    square: Fraction = (x - at.x) ** 2 + (y - at.y) ** 2
    number = band(square, width)
    return explain("range die", ExplainedPart(f"range band {number}", number, RANGE_DIE.id))


class Aimed(NamedTuple):
    """A shot at a building: the die against it, and why it is that die."""

    die: int | None
    parts: tuple[ExplainedPart, ...]


def aimed_at(table: Table, firer: Thing, piece: Piece, arm: Arm) -> Aimed:
    """The die a building rolls: the Range Die, or against a missile the die of what has no ECM."""
    if arm.kind == GUIDED:
        die = system_die("none")
        return Aimed(die, (die_part("no ECM", die, LEVELS),))
    steps = range_to(table, firer, piece, arm)
    return Aimed(die_of(steps.total), steps.parts)


def breakers(table: Table, unit: Thing) -> list[Arm]:
    """The weapons of a unit that can harm a building: heavy ones, missiles, and those with an asterisk."""
    starred = [one for one in supports(table, unit) if SUPPORT[kit(one).support_weapon].point_double]
    heavy = [arm for arm in arms(table, unit) if not arm.saw]
    return [*heavy, *(arm_of(table, unit, one.id) for one in starred)]


def refused_arm(table: Table, unit: Thing, arm: Arm) -> Refusal | None:
    """Why a weapon may not fire now, whatever the target."""
    figure = table.things.get(arm.id)
    if figure is not None and figure.kind == "model" and arm.kind != GUIDED:
        return support_refused(unit, figure)
    return arm_refused(table, unit, arm)


def refused_building(table: Table, unit: Thing, piece: Piece, arm: Arm) -> Refusal | None:
    """Why a weapon may not be fired at a building: nerve, woods, sight, arc or range."""
    name = piece.label or piece.id
    inside = tuple(dict.fromkeys(one.unit for one in occupants(table, piece)))
    refusal = refused_by_nerve(table, unit, inside, f"nobody in {name} has fired on it")
    if refusal is not None:
        return refusal
    if within_wood(table, unit.id):
        return Refusal(WOODS.id, f"{unit.label} is within a wood: no direct fire out of it.")
    if unit.id in inside:
        return Refusal(RULE.id, f"{unit.label} is in {name}.")
    at, hull = face(table, unit.id, piece), hull_of(table, unit.id)
    if not any(figure_seen(table.ground, spot(one), at) for one in standing(table, unit.id)):
        return Refusal(SIGHT.id, f"{unit.label} has no line of fire to {name}.")
    refusal = refused_arc(hull, arm, at, name)
    if refusal is not None:
        return refusal
    if aimed_at(table, unit, piece, arm).die is None:
        return Refusal(RANGE_LIMIT.id, f"{name} is out of range.")
    return None


def targets(table: Table, unit: Thing) -> list[Option]:
    """The buildings."""
    return [Option(one.id, one.label or one.id, (), (RULE.id, DECLARING.id)) for one in buildings(table)]


def target_refused(table: Table, unit: Thing, arm: Arm, name: str) -> Refusal | None:
    """Why a weapon may not be fired at a building."""
    return refused_building(table, unit, table.ground.piece(name), arm)


SHOOT = Shoot("building-weapon", "building", "At which building?", RULE, breakers, refused_arm, targets, target_refused)


# Firing ------------------------------------------------------------------------------------------------------------


def fires(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """One weapon at one building."""
    weapon, building = yield from SHOOT.ask(battle, unit)
    return Outcome(then=(AtBuilding(unit.id, weapon, building),))


def at_building(battle: Battle, step: AtBuilding) -> Procedure[None]:
    """The roll to hit, impact against the walls, and what that does to those inside.

    stargrunt.obstacles.buildings    disabled: casualties; destroyed: rubble as well; else nothing
    """
    table, firer = battle.table, battle.table[step.firer]
    arm, piece = arm_of(table, firer, step.weapon), table.ground.piece(step.building)
    n = battle.happens(Declared(firer.id, "fire", (piece.id,), (arm.id,), rule=RULE.id))
    note_fired(battle, firer, False, (arm.id,), n)
    aim = aimed_at(table, firer, piece, arm)
    assert aim.die is not None, "an impossible shot was declared"
    theirs = several("building", piece.id, (aim.die,), aim.parts, RULE)
    hit, n = yield from roll_to_hit(battle, firer, arm, theirs, piece.label or piece.id, n)
    if hit == "fail":
        return
    blow = Blow(arm.impact, arm.multiplier, arm.size, hit == "major")
    impact, held, n = strike(battle, firer.id, piece.id, armour(piece), blow, (), n)
    result = result_of(impact, held)
    if not result:
        return
    inmates = tuple(one.id for one in occupants(table, piece))
    if result == "destroyed":
        battle.happens(TerrainChanged(piece.id, before=BUILDING, after=RUBBLE, rule=RULE.id, because=n))
    battle.push(Inside(firer.id, inmates, to_exceed(arm.size, result)))


def casualties(battle: Battle, step: Inside) -> Procedure[None]:
    """One of those inside after the other; then each unit's nerve is tried."""
    yield from ()
    if not step.left:
        units = dict.fromkeys(battle.table[one].unit for one in step.hurt)
        of = {unit: tuple(one for one in step.hurt if battle.table[one].unit == unit) for unit in units}
        battle.push(*(AfterFire(step.firer, unit, False, hurt) for unit, hurt in of.items()))
        return
    figure, *rest = step.left
    fate, n = by_size(battle, figure, step.exceed)
    hurt = (figure,) if fate and wound(battle, figure, fate == "dead", False, n, OCCUPANTS) else ()
    battle.push(Inside(step.firer, tuple(rest), step.exceed, (*step.hurt, *hurt)))


def _thinkable(table: Table, unit: Thing) -> bool:
    return out_there(table, unit) and bool(buildings(table)) and bool(breakers(table, unit))


ACTION = Action(
    id="fire-at-building",
    entry="fire_support_or_heavy_weapon",
    label="Fire at a building",
    rule=RULE,
    carry_out=fires,
    shown=_thinkable,
    refused=SHOOT.impossible,
)
