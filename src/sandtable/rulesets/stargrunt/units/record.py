"""Units: squads with a leader, their figures, and what is recorded for both."""

from collections.abc import Sequence
from fractions import Fraction

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.shapes import UNIT, At, Base, In, Point
from sandtable.engine.table import Table, Thing, following_from_formation
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.stargrunt.forces.cards import OUT_OF_SUIT, SCHEMA, UNSUITED_ARMOUR, squad
from sandtable.rulesets.stargrunt.state_names import CountName, StateName

UNIT_AND_ELEMENT = rule("stargrunt.units.unit-and-element")
QUALITY = rule("stargrunt.units.quality")
LEADERSHIP = rule("stargrunt.units.leadership-value")
LEVELS = rule("stargrunt.units.confidence-level-scale")
COMMAND = rule("stargrunt.units.command-levels")
RECORD = rule("stargrunt.units.unit-record")
STATUS = rule("stargrunt.units.figure-status")
BASES = rule("stargrunt.units.bases")
TARGET_KINDS = rule("stargrunt.units.target-kinds")
ARMOUR = rule("stargrunt.units.armour-table")
POWER_ARMOUR = rule("stargrunt.units.power-armour")
LOSS_OF_LEADER = rule("stargrunt.units.loss-of-leader")
NOBODY_FIT = rule("stargrunt.units.unit-without-fit-figures")
INDEPENDENT = rule("stargrunt.units.independent-figures")

BASE = Base("circle", BASES.inches("base_diameter_in"))
#: The Confidence Levels, best first.
CONFIDENCE = LEVELS.texts("levels")
CONFIDENT, STEADY, SHAKEN, BROKEN, ROUTED = CONFIDENCE
same_number(
    "the range of LVs",
    (LEADERSHIP.numbers("values")[0], LEADERSHIP.numbers("values")[-1]),
    LOSS_OF_LEADER.numbers("limits"),
)
same_number("the best LV", LEADERSHIP.number("best"), LEADERSHIP.numbers("values")[0])
same_number("the LVs of squads", LEADERSHIP.numbers("values"), SCHEMA.numbers("schema", "leadership"))
same_number(
    "the roll of a new leader",
    (*LOSS_OF_LEADER.numbers("worse"), *LOSS_OF_LEADER.numbers("same"), *LOSS_OF_LEADER.numbers("better")),
    tuple(range(1, LOSS_OF_LEADER.number("die") + 1)),
)
same_number(
    "bases in contact are as far apart as they are wide", BASES.number("contact_in"), BASES.number("base_diameter_in")
)
same_number(
    "infantry is of the smallest size", TARGET_KINDS.number("infantry_size"), TARGET_KINDS.numbers("point_sizes")[0]
)
#: What an untreated wound, and what death, is on a figure's track.
WOUNDED, DEAD = 1, 2
#: A figure that is unhurt, and cannot get out of its suit.
SUIT_WRECKED = "suit wrecked"
#: A craft in the air strikes, and is struck, from above; one that hovers stands still there.
AIRBORNE, HOVERING = "airborne", "hovering"
#: How far a craft has flown in this activation, that it is down for good, and that a decoy launcher has fired.
FLOWN, GROUNDED, LAUNCHED = "flown", "cannot take off", "decoy launched"
#: Where a unit is whose figures stand for it, and one that has yet to enter.
STANDS_FOR_IT, WAITING = "its figures stand for it", "waiting to enter"
#: Where a unit is that lies under a counter, what such counters are, and the state of one that has been identified.
HIDDEN, COUNTER, FACE_UP = "under a counter", "counter", "face up"


#: Of a detached element: the unit it belongs to. Where a unit is that has become part of another.
ELEMENT, REGROUPED = "element of", "regrouped"


def quality_die(unit: Thing) -> int:
    """The Quality die of a unit (stargrunt.units.quality)."""
    return QUALITY.number(quality(unit))


def quality(unit: Thing) -> str:
    """The troop quality of a unit."""
    return str(unit.value(StateName.QUALITY) or squad(unit).quality)


def leadership(unit: Thing) -> int:
    """The Leadership Value of a unit; lower is better."""
    return unit.count(CountName.LEADERSHIP)


def leadership_part(unit: Thing) -> ExplainedPart:
    """The LV as the part of a number to exceed."""
    return ExplainedPart("LV", leadership(unit), LEADERSHIP.id)


def confidence(unit: Thing) -> str:
    """The Confidence Level of a unit; an independent figure has none and is never less than Confident."""
    return str(unit.value(StateName.CONFIDENCE) or CONFIDENT)


def at_worst(unit: Thing, level: str) -> bool:
    """Whether a unit's Confidence is a level or worse (all restrictions of a level bind the worse ones).

    >>> from sandtable.engine.table import Mark
    >>> at_worst(Thing("A", states={"confidence": Mark("BR")}), "SH")
    True
    """
    return CONFIDENCE.index(confidence(unit)) >= CONFIDENCE.index(level)


def suppressed(unit: Thing) -> bool:
    """Whether a unit has a suppression marker."""
    return unit.count(CountName.SUPPRESSION) > 0


#: Of a prisoner: the unit that holds it; and where it is then.
CAPTIVE, PRISONERS = "prisoner of", "prisoners"


def captives(table: Table, unit: str) -> list[Thing]:
    """The prisoners that a unit holds (stargrunt.confidence.surrender)."""
    return [one for one in table.things.values() if one.value(CAPTIVE) == unit]


def is_independent(unit: Thing) -> bool:
    """Whether a unit is an independent figure (stargrunt.units.independent-figures)."""
    return unit.kind == "unit" and bool(unit.card) and squad(unit).independent


def is_element(unit: Thing) -> bool:
    """Whether a group of figures is a detached element, and no unit (stargrunt.units.unit-and-element)."""
    return unit.has(ELEMENT)


def elements(table: Table, unit: str) -> list[Thing]:
    """The detached elements of a unit that have somebody left."""
    return [one for one in table.of_kind("unit") if one.value(ELEMENT) == unit and fit(table, one.id)]


def family(table: Table, unit: str) -> list[Thing]:
    """A unit with its detached elements, which share its Confidence and LV; whichever of them is named."""
    whole = str(table[unit].value(ELEMENT) or unit)
    return [table[whole], *elements(table, whole)]


# Figures -----------------------------------------------------------------------------------------------------------


def is_fit(figure: Thing) -> bool:
    """Whether a figure is OK (stargrunt.units.figure-status)."""
    return not figure.gone and not figure.harm


def is_hull(thing: Thing) -> bool:
    """Whether something is the hull of a vehicle, and no figure: figures stand on round bases."""
    return thing.base is not None and thing.base.form == "rectangle"


def fit(table: Table, unit: str) -> list[Thing]:
    """The OK figures of a unit, on the table, waiting with it or aboard a vehicle."""
    return [table.things[one] for one in _fit(table, unit)]


@following_from_formation
def _fit(table: Table, unit: str) -> tuple[str, ...]:
    return tuple(figure.id for figure in table.members(unit) if not figure.harm and not is_hull(figure))


def standing(table: Table, unit: str) -> list[Thing]:
    """The OK figures of a unit that are on the table; for one that drives a vehicle, the vehicle stands for them."""
    return [table.things[one] for one in _standing(table, unit)]


@following_from_formation
def _standing(table: Table, unit: str) -> tuple[str, ...]:
    return tuple(one.id for one in table.members(unit) if not one.harm and type(one.place) is At)


def with_unit(table: Table, unit: str) -> list[Thing]:
    """All figures with a unit that are not dead: those left behind are not with it any more."""
    members = table.members(unit)
    return [one for one in members if type(one.place) is At and not one.has(StateName.LEFT_BEHIND) and not is_hull(one)]


def hull_of(table: Table, unit: str) -> Thing | None:
    """The vehicle that a unit drives, if it does: its hull is a member of the unit that mans it."""
    hull = _hull_of(table, unit)
    return table.things[hull] if hull else None


@following_from_formation
def _hull_of(table: Table, unit: str) -> str:
    return next((one.id for one in table.members(unit) if is_hull(one)), "")


def carrier_of(table: Table, unit: str) -> Thing | None:
    """The vehicle that the OK figures of a unit are aboard, as crew or as passengers; none where they are on foot."""
    carrier = _carrier_of(table, unit)
    return table.things[carrier] if carrier else None


@following_from_formation
def _carrier_of(table: Table, unit: str) -> str:
    for one in fit(table, unit):
        if isinstance(one.place, In):
            holder = table.things.get(one.place.holder)
            return holder.id if holder is not None and is_hull(holder) else ""
    return ""


def untreated(table: Table, unit: str) -> list[Thing]:
    """The wounded figures in a unit that nobody has treated; one in a wrecked suit is not wounded."""
    aboard = [one for one in table.members(unit) if type(one.place) is In]
    hurt = [one for one in (*with_unit(table, unit), *aboard) if one.harm]
    return [one for one in hurt if not (one.has(StateName.STABILISED) or one.has(SUIT_WRECKED))]


def spot(figure: Thing) -> Point:
    """Where a figure stands."""
    assert isinstance(figure.place, At), f"{figure.id} is not on the table"
    return figure.place.point


def points(table: Table, unit: str) -> list[Point]:
    """Where the OK figures of a unit stand."""
    return [*_points(table, unit)]


@following_from_formation
def _points(table: Table, unit: str) -> tuple[Point, ...]:
    return tuple(spot(figure) for figure in standing(table, unit))


def whereabouts(table: Table, unit: str) -> list[Point]:
    """Where a unit is for those who talk to it: where its OK figures stand, or the vehicle they ride in."""
    found = points(table, unit)
    carrier = None if found else carrier_of(table, unit)
    return [spot(carrier)] if carrier is not None and type(carrier.place) is At else found


def units(table: Table, side: Side = NO_SIDE) -> list[Thing]:
    """The units that can act: those with an OK figure, of one side or of all."""
    return [table.things[one] for one in _units(table, side)]


@following_from_formation
def _units(table: Table, side: Side) -> tuple[str, ...]:
    there = [unit for unit in table.of_kind("unit") if side in ("", unit.side) and not unit.gone]
    return tuple(unit.id for unit in there if _fit(table, unit.id))


def on_table(table: Table, side: Side = NO_SIDE) -> list[Thing]:
    """The units with an OK figure on the table."""
    return [table.things[one] for one in _on_table(table, side)]


@following_from_formation
def _on_table(table: Table, side: Side) -> tuple[str, ...]:
    return tuple(unit for unit in _units(table, side) if _standing(table, unit))


def airborne(table: Table, unit: str) -> bool:
    """Whether a unit flies: nothing on the ground is in its way, and little there can harm it."""
    hull = hull_of(table, unit)
    return hull is not None and hull.has(AIRBORNE)


def on_ground(table: Table) -> list[Thing]:
    """The figures and vehicles that stand on the table, and do not fly over it."""
    return [one for one in table.models() if not one.has(AIRBORNE)]


def enemies(table: Table, side: Side) -> list[Thing]:
    """The enemy units whose figures are on the table; craft in the air are not among them."""
    return [unit for unit in on_table(table) if unit.side != side and not airborne(table, unit.id)]


def waiting(unit: Thing) -> bool:
    """Whether a unit has yet to enter the table."""
    return getattr(unit.place, "why", "") == WAITING


def hidden(unit: Thing) -> bool:
    """Whether a unit lies under a counter (stargrunt.observation.hidden-counters)."""
    return getattr(unit.place, "why", "") == HIDDEN


def counters(table: Table, side: Side = NO_SIDE) -> list[Thing]:
    """The counters that lie on the table, of one side or of all, as anybody may count them."""
    return [one for one in table.of_kind("marker") if one.card == COUNTER and one.on_table and side in ("", one.side)]


def of_units(table: Table, side: Side) -> list[Thing]:
    """The counters of a side that, for all its opponent can tell, may be units (stargrunt.turn.passing)."""
    return [one for one in counters(table, side) if one.value(FACE_UP) in (None, "unit")]


def located(table: Table, side: Side) -> list[list[Point]]:
    """Where each located enemy is: the figures of its units, and counters that are known to be units.

    stargrunt.observation.located-enemy    face-down counters never count
    """
    found = [points(table, unit.id) for unit in enemies(table, side)]
    known = [one for one in counters(table) if one.side != side and one.value(FACE_UP) == "unit"]
    return found + [[spot(one)] for one in known]


def mean(spots: Sequence[Point]) -> tuple[Fraction, Fraction]:
    """The mean position of some points, exactly.

    >>> mean([Point(0, 0), Point(1, 4)])
    (Fraction(1, 2), Fraction(2, 1))
    """
    return Fraction(sum(p.x for p in spots), len(spots)), Fraction(sum(p.y for p in spots), len(spots))


def gap_between(ours: Sequence[Point], theirs: Sequence[Point]) -> Fraction:
    """The square of the distance between the centres of two groups of figures, exactly.

    >>> gap_between([Point(0, 0), Point(1, 0)], [Point(5, 0)])
    Fraction(81, 4)
    """
    (x, y), (u, v) = mean(ours), mean(theirs)
    return (x - u) ** 2 + (y - v) ** 2


def range_between(table: Table, one: str, other: str) -> Fraction:
    """The square of the range between two units (stargrunt.cover.measuring)."""
    return gap_between(points(table, one), points(table, other))


def armour_die(figure: Thing) -> int:
    """The Armour Die of what a figure wears (stargrunt.units.armour-table); a crew dresses better inside than out."""
    if figure.has(OUT_OF_SUIT):
        return ARMOUR.number(UNSUITED_ARMOUR)
    worn = squad(figure)
    inside = worn.vehicle is not None and isinstance(figure.place, In)
    return ARMOUR.number(worn.vehicle.crew.armour if worn.vehicle is not None and inside else worn.armour)


def in_power_armour(figure: Thing) -> bool:
    """Whether a figure wears Power Armour, light or heavy."""
    return squad(figure).armour in ("light_power", "heavy_power") and not figure.has(OUT_OF_SUIT)


def block(figures: int, at: Point) -> list[Point]:
    """Places for figures in rows of four with a fifth of an inch between bases, their mean as near a point as can be.

    >>> block(2, Point(5000, 5000))
    [Point(x=4400, y=5000), Point(x=5600, y=5000)]
    """
    step, wide = BASE.size + UNIT // 5, 4
    places: list[tuple[int, int]] = []
    for first in range(0, figures, wide):
        row = min(wide, figures - first)
        places += [(n * step * 2 - (row - 1) * step, 2 * (first // wide) * step) for n in range(row)]
    shift = sum(y for _, y in places) // len(places)
    return [Point(at.x + x // 2, at.y + (y - shift) // 2) for x, y in places]
