"""What a fight around a house is judged by: who is where, what stands; the steps, and the rules by name."""

import msgspec

from sandtable.engine.ids import NO_SIDE, RuleId, Side
from sandtable.engine.questions import Option, Refusal
from sandtable.engine.shapes import UNIT, At, Base, Disc, In, Off, Point, Region, Spot, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.measure import center_gap, covers, outline_of, overlap
from tests.miniatures import house as h
from tests.miniatures.creatures import Card

DEPLOY = RuleId("combataction.battle.deploy-alternately")
ZONE = RuleId("combataction.battle.deployment-zone")
TABLE = RuleId("combataction.battle.table-size")
ALTERNATE = RuleId("combataction.turn.alternate-activation")
MODEL_ORDER = RuleId("combataction.turn.model-order")
AP_RULE = RuleId("combataction.actions.two-action-points")
UNSPENT = RuleId("combataction.actions.unspent-points-lost")
ONE_MOVE = RuleId("combataction.actions.repeat-actions")
WALK = RuleId("combataction.actions.walk")
FIRE = RuleId("combataction.actions.standard-fire")
HEAVY = RuleId("combataction.actions.fire-heavy-weapon")
SECTIONS = RuleId("combataction.damage.building-sections")
BUILDING = RuleId("combataction.damage.building-table")
PIERCED = RuleId("combataction.damage.section-pierced")
PARTIAL = RuleId("combataction.damage.partial-collapse")
DESTROYED = RuleId("combataction.damage.section-destroyed")
ABOVE = RuleId("combataction.damage.sections-above-fall")
OUT = RuleId("combataction.damage.out-of-action")
KILLED = RuleId("combataction.damage.killed")
ROUT = RuleId("combataction.morale.rout")
RALLY = RuleId("combataction.morale.rally")
RUN = RuleId("combataction.morale.rout-run")
OFF_TABLE = RuleId("combataction.morale.rout-off-table")
DURATION = RuleId("combataction.battle.duration")
SCORE = RuleId("combataction.battle.victory-points")

CARDS = {"gunner": Card(6, 6, 1, 5, 7, 110, heavy=True), "rifleman": Card(8, 6, 1, 4, 2, 70)}
DISCIPLINE = 4
MAN = Base("circle", h.CLEAR)
NOW = "now"
WIDTH, HEIGHT = 60 * UNIT, 40 * UNIT
ZONES = {"red": rectangle(0, 0, 12 * UNIT, HEIGHT), "blue": rectangle(WIDTH - 12 * UNIT, 0, 12 * UNIT, HEIGHT)}
#: The sections of the house: the north-west corner of each, and its storey.
SECTIONS_AT = {
    "G": (24000, 14000, 0),
    "U": (24000, 14000, 1),
    "T": (24000, 14000, 2),
    "H": (32500, 14000, 0),
}


class Scenario(msgspec.Struct, frozen=True):
    """What a battle starts from: who fights, what the house is like, who goes first."""

    red: tuple[str, ...] = ("gunner", "gunner-2", "r1")
    blue: tuple[str, ...] = ("b1", "b2", "b3", "b4", "b5")
    sections: dict[str, tuple[int, int, int]] = msgspec.field(default_factory=lambda: dict(SECTIONS_AT))
    collapsed: tuple[str, ...] = ()
    turns: int = 4


class Deploy(Step, frozen=True):
    side: Side


class Begin(Step, frozen=True):
    turns: int


class Next(Step, frozen=True):
    """The squads of both sides act by turns."""

    sides: tuple[Side, ...]
    turns: int


class Act(Step, frozen=True):
    """One action of a model; it puts the rest of its activation back in front."""

    model: str


class Shoot(Step, frozen=True):
    shooter: str
    target: str


class Run(Step, frozen=True):
    model: str


def in_play(table: Table, side: Side = NO_SIDE) -> list[Thing]:
    """The models on the table or in the house."""
    found = [m for m in table.of_kind("model") if not m.gone and not isinstance(m.place, Off)]
    return [model for model in found if side in ("", model.side)]


def card_of(thing: Thing) -> Card:
    """The values of a model; wounds halve its movement."""
    card = CARDS[thing.card]
    return card._replace(mv=card.mv // 2) if thing.has("wounded") else card


def routs(lost: int, strength: int) -> bool:
    """Whether losses within one turn are more than a third of what the unit had at its start."""
    return 3 * lost > strength


def ground_taken(table: Table, at: Point, but: str = "") -> str:
    """Who stands so near a point of the ground that a base there would overlap theirs, or nobody."""
    for model in in_play(table):
        near = center_gap(h.where(table, model), at) < h.CLEAR**2
        if model.id != but and h.at_ground(table, model) and near:
            return model.id
    return ""


def refused_ground(table: Table, at: Point, rule: RuleId, but: str = "") -> Refusal | None:
    """Why nobody can stand at a point of the ground: off the board, in a wall, or on somebody."""
    shape = outline_of(MAN, at, 0)
    if not covers(rectangle(0, 0, WIDTH, HEIGHT), shape):
        return Refusal(rule, "That is not wholly on the table.")
    for part in h.sections(table):
        if part.level == 0 and h.stands(part) and part.outline is not None and overlap(part.outline, shape):
            return Refusal(rule, f"The walls of {part.id} stand there.")
    who = ground_taken(table, at, but)
    return Refusal(rule, f"{who} stands there.") if who else None


def targets(table: Table, shooter: Thing) -> tuple[Option, ...]:
    """Whom or what a model may fire at: enemies in the open, and sections that stand, other than its own."""
    enemies = [m for m in in_play(table) if m.side != shooter.side and isinstance(m.place, At)]
    walls = [part for part in h.sections(table) if h.stands(part) and part.id != h.section_of(shooter)]
    return (
        *(Option(enemy.id, enemy.id, (enemy.id,)) for enemy in enemies),
        *(Option(part.id, f"section {part.id}", (h.HOUSE,), (SECTIONS,)) for part in walls),
    )


def may_climb(table: Table, thing: Thing, to: In) -> bool:
    """From the open one gets into a ground floor; inside, from a section to the next one up, down or beside."""
    level = h.section(table, to.slot.split(" ")[0]).level
    here = h.section(table, h.section_of(thing)).level if h.section_of(thing) else 0
    return level == 0 if not h.section_of(thing) else abs(level - here) <= 1


def refused_spot(table: Table, thing: str, spot: Spot, region: Region, topic: str) -> Refusal | None:
    """Why one model cannot be put somewhere: a slot that is not offered, out of reach, a wall, somebody there."""
    where = spot.where
    if isinstance(where, In):
        return (
            None if where in region.slots else Refusal(region.rule, f"{where.slot or 'That'} is not free to {thing}.")
        )
    if not isinstance(where, At) or where.level:
        return Refusal(region.rule, f"{thing} stands on the ground or in the house.")
    shape = outline_of(MAN, where.point, 0) if region.whole else Disc(where.point, 0)
    if not any(covers(allowed, shape) for allowed in region.inside):
        return Refusal(region.rule, f"{thing} would not be in {region.label}.")
    if topic == "walk" and h.section_of(table[thing]) and h.section(table, h.section_of(table[thing])).level:
        return Refusal(region.rule, f"{thing} is upstairs.")
    return refused_ground(table, where.point, region.rule, thing)


def refused_together(spots: dict[str, Spot], rule: RuleId) -> Refusal | None:
    """Why models that are put down at once stand in each other's way."""
    done: list[tuple[str, Spot]] = []
    for thing, spot in spots.items():
        for other, there in done:
            same = spot.where == there.where
            open_ = isinstance(spot.where, At) and isinstance(there.where, At)
            if same or (open_ and center_gap(spot.where.point, there.where.point) < h.CLEAR**2):  # type: ignore[union-attr]
                return Refusal(rule, f"{thing} and {other} cannot both stand there.")
        done.append((thing, spot))
    return None


def beside_the_house(table: Table, start: Point) -> Point:
    """The nearest free ground, on rings half a centimetre apart, the first direction clockwise from east."""
    for distance in range(0, 30 * UNIT, UNIT // 2):
        for degrees in range(0, 360, 10):
            point = along(start, degrees, distance)
            if refused_ground(table, point, ABOVE) is None:
                return point
    raise AssertionError("no free ground within thirty centimetres")
