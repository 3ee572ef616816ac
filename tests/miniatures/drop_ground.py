"""Where squads may land and ambushers appear; the steps, and the rules by name."""

import msgspec

from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import BLUE, RED, RuleId, Side
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Base, Disc, Point, Region, Spot, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.measure import center_gap, covers, outline_of
from sandtable.field.walking.encounters import over_edge
from tests.miniatures.standing import base_of, outline, outside, point_of, taken

FORCES = RuleId("strikeops.setup.declare-forces")
PHASES = RuleId("strikeops.initiative.sequence-of-play")
ACTIVATION = RuleId("strikeops.initiative.activation-phase")
ONE_ACTIVATION = RuleId("strikeops.initiative.one-activation-a-turn")
ODST_CARD = RuleId("strikeops.upgrades.odst-card")
LANDING = RuleId("strikeops.upgrades.odst-landing")
PUT_OFF = RuleId("strikeops.upgrades.odst-delay")
AFTER_LANDING = RuleId("strikeops.upgrades.odst-card-after-landing")
HELD_BACK = RuleId("strikeops.attributes.ambush-hold-back")
AMBUSH = RuleId("strikeops.attributes.ambush-placement")
WITH_ASSETS = RuleId("strikeops.attributes.ambush-with-assets")
POSITION = RuleId("strikeops.assets.infantry-fighting-position")
DECLARE = RuleId("strikeops.actions.declare-the-whole-squad-first")
NO_MEASURING = RuleId("strikeops.actions.no-pre-measuring")
IMPOSSIBLE = RuleId("strikeops.actions.impossible-action-is-forfeit")
SURPLUS = RuleId("strikeops.damage.surplus-attacks-are-lost")
COMBAT_ROLL = RuleId("strikeops.shooting.combat-roll")
BANDS = RuleId("strikeops.shooting.band-target-points")
AT_END = RuleId("strikeops.damage.applied-at-end-of-activation")
TRACK = RuleId("strikeops.damage.damage-track")
WINNER = RuleId("strikeops.victory.winner-by-points")

WIDTH, HEIGHT, RNG = 36 * UNIT, 48 * UNIT, 10
FOOT = Base("circle", UNIT)
WORKS = Base("circle", 2 * UNIT)
BAND_NEEDS = {"short": 6, "medium": 7, "long": 8, "extreme": 9}
END = "end of activation"

#: Limits that a draft may be tested against although measuring is closed: the place is chosen before anything is
#: declared, so without them nobody could choose a lawful one.
MAY_BE_TESTED = (LANDING,)


class Squad(msgspec.Struct, frozen=True):
    """A squad as the scenario fields it: models with their places in inches; those without one are held back."""

    id: str
    side: Side
    models: dict[str, tuple[int, int] | None]
    recon: bool = False
    drops: bool = False
    works: dict[str, str] = {}  # an ambusher → the field work it brings


class Scenario(msgspec.Struct, frozen=True):
    """What a battle starts from."""

    squads: tuple[Squad, ...] = (
        Squad("squad 1", RED, {"R1": (18, 6), "R2": (24, 6)}, recon=True),
        Squad("squad 2", BLUE, {"B1": (18, 42), "B9": None}, recon=True, works={"B9": "position 9"}),
        Squad("squad 3", RED, {"R3": (10, 8)}),
        Squad("squad 4", BLUE, {"B4": None}),
        Squad("squad 5", BLUE, {"B5": None, "B6": None, "B7": None}, drops=True),
    )
    turns: int = 3


class Start(Step, frozen=True):
    turns: int


class Announce(Step, frozen=True):
    """A side says which of its held-back squads come in."""

    side: Side


class Shuffle(Step, frozen=True):
    pass


class Flip(Step, frozen=True):
    turns: int


class Card(Step, frozen=True):
    """A card lies open and nobody skips it."""

    card: str


class Drop(Step, frozen=True):
    """One model comes down from orbit, aimed at the landing zone."""

    model: str
    x: int
    y: int
    facing: int


class Activate(Step, frozen=True):
    squad: str


class Act(Step, frozen=True):
    model: str
    target: str


class Close(Step, frozen=True):
    squad: str


class EndPhase(Step, frozen=True):
    turns: int


def may_act(table: Table, squad: str) -> bool:
    """Whether a squad can still activate this turn: it is in play or announced, and has not yet activated."""
    unit = table[squad]
    waiting = unit.has("activated") or unit.has("held back") or unit.has("in orbit")
    return not waiting and bool(table.members(squad))


def to_drop(table: Table) -> list[Thing]:
    """The squads whose own card still means something this turn."""
    units = [unit for unit in table.of_kind("unit") if unit.has("in orbit")]
    return [unit for unit in units if not unit.has("put off")]


def recon(table: Table, side: Side) -> Thing | None:
    """A recon squad of a side that may still skip a card this turn: with a model on the board."""
    for unit in table.of_kind("unit"):
        fresh = unit.side == side and unit.card == "recon" and not unit.has("skipped")
        if fresh and any(model.on_table for model in table.members(unit.id)):
            return unit
    return None


def landing_zone(table: Table, side: Side) -> Region:
    """Where a landing zone may lie: on the board, not closer than 12" to any enemy."""
    enemies = [model for model in table.models() if model.side != side]
    return Region(
        inside=(rectangle(FOOT.size // 2, FOOT.size // 2, WIDTH - FOOT.size, HEIGHT - FOOT.size),),
        outside=tuple(Disc(point_of(enemy), 12 * UNIT) for enemy in enemies),
        whole=False,
        rule=LANDING,
        label='a landing zone on the board, not closer than 12" to any enemy',
    )


def zone_exists(table: Table, side: Side) -> bool:
    """Whether some point of the board, tried inch by inch, can be a landing zone."""
    region = landing_zone(table, side)
    points = (Point(x, y) for x in range(UNIT, WIDTH, UNIT) for y in range(UNIT, HEIGHT, UNIT))
    return any(outside(region, FOOT, Spot(At(point))) is None for point in points)


def ambush_region(table: Table, side: Side) -> Region:
    """Where an ambusher may appear: not in the enemy's half, and farther than 5" (recon: 10") from every enemy."""
    half = rectangle(0, HEIGHT // 2, WIDTH, HEIGHT // 2) if side == "blue" else rectangle(0, 0, WIDTH, HEIGHT // 2)
    enemies = [model for model in table.models() if model.side != side]
    near = tuple(Disc(point_of(enemy), keeps_away(table, enemy)) for enemy in enemies)
    return Region(inside=(half,), outside=near, rule=AMBUSH, label="its own half, away from every enemy", whole=True)


def keeps_away(table: Table, enemy: Thing) -> int:
    """How far from an enemy an ambusher must be."""
    return (10 if table[enemy.unit].card == "recon" else 5) * UNIT


def needs(table: Table, shooter: Thing, target: Thing) -> Explanation | None:
    """What a combat roll needs; none beyond extreme range."""
    squared = center_gap(point_of(shooter), point_of(target))
    for number, band in enumerate(BAND_NEEDS, 1):
        if squared <= (number * RNG * UNIT) ** 2:
            parts = [ExplainedPart(f"{band} range", BAND_NEEDS[band], BANDS)]
            if in_works(table, target):
                parts.append(ExplainedPart("fighting position", 2, POSITION))
            return explain("combat roll", *parts)
    return None


def in_works(table: Table, model: Thing) -> bool:
    """Whether a model stands in a fighting position."""
    works = [marker for marker in table.of_kind("marker") if isinstance(marker.place, At)]
    return any(covers(outline(marker), outline(model)) for marker in works)


def free_spot(table: Table, at: Point, base: Base) -> Point:
    """The nearest free place to a point, on rings a tenth of an inch apart, the first direction clockwise from east."""
    for distance in range(0, 10 * UNIT, UNIT // 10):
        for degrees in range(0, 360, 5):
            point = along(at, degrees, distance)
            if taken(table, base, Spot(At(point)), LANDING) is None:
                return point
    raise AssertionError("no free place within ten inches")


def refused_ambush(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why an ambusher, and what it brings, cannot come in there: each alone, then both together."""
    model = question.things[0]
    for thing, spot in answer.items():
        base = base_of(view.table[thing])
        assert isinstance(spot.where, At)
        refusal = outside(Region(inside=question.where[""].inside, rule=AMBUSH, label="its own half"), base, spot)
        if refusal is not None:
            return refusal
        for enemy in view.enemies():
            if center_gap(spot.where.point, point_of(enemy)) <= keeps_away(view.table, enemy) ** 2:
                return Refusal(AMBUSH, f"That is too near {enemy.id}.")
        if over_edge(outline_of(base, spot.where.point, spot.facing), view.table.ground):
            return Refusal(AMBUSH, "That is not wholly on the board.")
    refusal = taken(view.table, FOOT, answer[model], AMBUSH)
    if refusal is not None or question.together is None:
        return refusal
    shapes = [outline_of(base_of(view.table[thing]), answer[thing].where.point, 0) for thing in question.things]  # type: ignore[union-attr]
    if not covers(shapes[1], shapes[0]):
        return Refusal(WITH_ASSETS, f"{model} starts inside {question.things[1]}.")
    return None
