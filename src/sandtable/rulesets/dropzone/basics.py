"""The basics: three-sided dice, where bodies are in space, distances between centres, and what is seen of whom."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.dice import Dice
from sandtable.engine.events import Rolled
from sandtable.engine.ids import PieceId, Side
from sandtable.engine.shapes import At, Disc, In, Point, Polygon, Shape
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.ground import box_of, boxes_meet, following_from_ground, pieces_at
from sandtable.field.measure import gap, gap_to_point
from sandtable.field.volumes import Place, Volume, across, apart, in_view, within
from sandtable.forces.data import Data
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.rulesets.dropzone.units import AIRBORNE, card, coherency_distance, is_kind, units_on_table
from sandtable.tabletop.chapters import Chapter

DICE = rule("dropzone.basics.dice-types")
PENALTIES = rule("dropzone.basics.penalties-raise-the-number-needed")
MEASURING = rule("dropzone.basics.measuring")
ROUNDING = rule("dropzone.basics.rounding")
ORDER = rule("dropzone.basics.simultaneous-effects-order")
PROPERTIES = rule("dropzone.scenery.properties")
NATURALS = rule("dropzone.basics.natural-one-and-natural-six")
REROLL = rule("dropzone.basics.reroll-once")
DIMENSIONS = rule("dropzone.basics.model-dimensions")
SIGHT = rule("dropzone.basics.line-of-sight")
SAMPLING = rule("dropzone.basics.visibility-sampling")
FRIENDS = rule("dropzone.basics.friendly-and-enemy")
SOLID = rule("dropzone.scenery.solid")
PIECES = rule("dropzone.scenery.table")
MORE_PIECES = rule("dropzone.scenery.more-pieces")
ARTICULATED = rule("dropzone.special-rules.articulated")

#: The die of the game, and its faces.
FACES = tuple(int(face) for face in DICE.names("d3_from_d6"))
DIE = f"d{len(FACES)}"
#: What a three-sided die may show.
THREES = tuple(dict.fromkeys(DICE.number("d3_from_d6", face) for face in FACES))
#: Heights are counted in twentieths of a thousandth: half a body, and a tenth of one, are then whole numbers.
FINE = 20
COLUMNS = tuple(one.fraction() for one in SAMPLING.items("columns"))
HEIGHTS = tuple(one.fraction() for one in SAMPLING.items("heights"))
FRACTIONS = tuple(one.fraction() for one in SAMPLING.items("edge_fractions"))
HALF = Fraction(1, 2)
#: The slot of a Garrison that is no edge.
CENTRE = "centre"
#: A state of a side: its place in the order of play.
PLACE = "initiative"


class Eye(NamedTuple):
    """From where somebody looks, and what does not hinder him: the Garrison he stands on an edge of."""

    at: Place
    through: str = ""


def scenery_data(kind: str) -> Data:
    """What the ledger says of a kind of scenery."""
    word = kind.replace("-", "_")
    return PIECES.at("pieces", word) if PIECES.has("pieces", word) else MORE_PIECES.at("pieces", word)


@cache
def _properties(kind: str) -> tuple[str, ...]:
    own = scenery_data(kind).texts("properties")
    more = SOLID.texts("implies") if "solid" in own else ()
    return (*own, *(one for one in more if one not in own))


def properties(piece: Piece) -> tuple[str, ...]:
    """The properties of a piece of scenery; Solid scenery is always Impassable as well."""
    return _properties(piece.kind)


def spoken(piece: Piece) -> str:
    """What players call a piece: by its label, else by its id."""
    return piece.label or piece.id


def has_property(piece: Piece, word: str) -> bool:
    """Whether a piece has a property."""
    return word in properties(piece)


def illustrated(one: Data) -> tuple[int, int]:
    """What an illustration of penalties comes to, and what it says that is needed."""
    if one.has("accuracy"):
        return one.number("accuracy") + sum(one.numbers("modifiers")), one.number("needed")
    return one.number("armour") + one.number("body_cover"), one.number("total_needed")


for illustration in PENALTIES.items("illustrations"):
    same_number("what penalties come to", *illustrated(illustration))


def half_up(number: int) -> int:
    """Half of a number, rounded up.

    >>> half_up(5), half_up(4)
    (3, 2)
    """
    return -(-number // 2)


def d3(face: int) -> int:
    """The three-sided die that a face of a six-sided one shows."""
    return DICE.number("d3_from_d6", face)


def number_of(dice: Dice, text: str) -> tuple[tuple[int, ...], int]:
    """Let dice such as 2d3 fall: the faces of the six-sided dice they are read off, and what they come to."""
    count, _, sides = text.partition("d")
    if f"d{sides}" == DIE:
        fell = dice.total(text)
        return fell.faces, fell.natural
    fell = dice.sorted(int(count), tuple(d3(face) for face in FACES))
    assert isinstance(fell.kind, tuple)
    return fell.faces, sum(number * many for number, many in enumerate(fell.kind))


def roll_number(
    battle: Battle, what: str, dice: str, by: str, source: Rule, because: int = 0, among: Sequence[str] = ()
) -> int:
    """Roll for a number of hits or inches, such as 2d3: six-sided dice, or three-sided ones read off them.

    Where the number chooses among some names, the one it chooses is told.
    """
    faces, total = number_of(battle.dice, dice)
    told = Rolled(
        *(what, by, dice, faces, total),
        total=total,
        outcome=among[total - 1] if among else str(total),
        rule=source.id,
        because=because,
        detail=citing(DICE),
    )
    battle.happens(told)
    return total


def in_order(table: Table) -> list[Side]:
    """The sides in the order of play of this round; as they sit before there is one."""

    def place(side: Side) -> int:
        value = table[side].value(PLACE) if side in table.things else None
        return value if isinstance(value, int) else 0

    return sorted(table.sides, key=place)


def active_side(table: Table) -> Side:
    """The side whose Battlegroup is activated; where none is, the first in the order of play."""
    return table.acting_side if table.acting else in_order(table)[0]


# Bodies in space ---------------------------------------------------------------------------------------------------


def surface(table: Table, point: Point) -> int:
    """How high the ground is under a point, in thousandths: on top of what cannot be walked into, else the board."""
    return max([one.height for one in pieces_at(table.ground, point) if has_property(one, "impassable")], default=0)


def foot(table: Table, unit: Thing) -> int:
    """How high above the board a unit's body begins, in thousandths."""
    assert isinstance(unit.place, At)
    at = unit.place.point
    ground = surface(table, at)
    if not unit.has(AIRBORNE):
        return ground
    x, y = at
    beneath = [
        top
        for name, (east, south), radius, top in _tops(table)
        if (x - east) ** 2 + (y - south) ** 2 <= radius * radius and name != unit.id
    ]
    return max([ground, *beneath]) + DIMENSIONS.inches("airborne_height_in")


def _tops(table: Table) -> list[tuple[str, Point, int, int]]:
    """Who stands on the ground: where, how wide, and how high above the board he ends; kept until somebody stirs."""
    found: list[tuple[str, Point, int, int]] | None = table.things_cache.get(_tops)
    if found is None:
        found = table.things_cache[_tops] = [
            (one.id, one.place.point, card(one).radius_in, surface(table, one.place.point) + card(one).height_in)
            for one in table.models()
            if not one.has(AIRBORNE) and isinstance(one.place, At)
        ]
    return found


def body(table: Table, unit: Thing) -> Volume:
    """The body of a unit on the table: an upright cylinder."""
    assert isinstance(unit.place, At)
    low, stats = foot(table, unit), card(unit)
    return Volume(Disc(unit.place.point, stats.radius_in), FINE * low, FINE * (low + stats.height_in))


def centre(table: Table, unit: Thing) -> Place:
    """The centre point of a unit's body."""
    assert isinstance(unit.place, At)
    volume = bodies(table)[unit.id] if table.things.get(unit.id) is unit else body(table, unit)
    return Place(*unit.place.point, (volume.low + volume.high) // 2)


def bodies(table: Table) -> dict[str, Volume]:
    """The bodies of all units on the table; kept until somebody stirs, takes off or lands."""
    cache = table.things_cache
    found: dict[str, Volume] | None = cache.get(bodies)
    if found is None:
        aloft = tuple(unit.id for unit in table.models() if unit.has(AIRBORNE))
        kept: tuple[tuple[str, ...], dict[str, Volume]] | None = table.posture.get(bodies)
        if kept is None or kept[0] != aloft:
            kept = table.posture[bodies] = aloft, {str(unit.id): body(table, unit) for unit in table.models()}
        found = cache[bodies] = kept[1]
    return found


# Distances ---------------------------------------------------------------------------------------------------------


def near(table: Table, one: Thing, other: Thing, distance: int) -> bool:
    """Whether two units on the table are within a distance of each other, centre to centre through space."""
    return within(centre(table, one), centre(table, other), distance, FINE)


def distance(table: Table, one: Thing, other: Thing) -> int:
    """How far two units on the table are apart, for reading."""
    return apart(centre(table, one), centre(table, other), FINE)


def points_near(one: Point, other: Point, far: int) -> bool:
    """Whether two points of the table are within a distance of each other, seen from above."""
    return (one.x - other.x) ** 2 + (one.y - other.y) ** 2 <= far * far


def near_piece(unit: Thing, outline: Shape, far: int) -> bool:
    """Whether a unit's centre is within a distance of the nearest edge of an outline; inside it is."""
    return isinstance(unit.place, At) and gap_to_point(outline, unit.place.point) <= far


def touching(table: Table, one: Thing, other: Thing) -> bool:
    """Whether two units are in physical contact."""
    mine, theirs = bodies(table)[one.id], bodies(table)[other.id]
    gap_in = DIMENSIONS.inches("contact_gap_in")
    if not boxes_meet(box_of(mine.outline), box_of(theirs.outline), gap_in):
        return False
    upright = mine.low <= theirs.high + FINE * gap_in and theirs.low <= mine.high + FINE * gap_in
    return upright and gap(mine.outline, theirs.outline) <= gap_in


def in_coherency(table: Table, squad: str) -> bool:
    """Whether the units of a squad on the table form one chain; a squad of one, or in a Garrison, always does."""
    left = units_on_table(table, squad)
    if len(left) < 2:
        return True
    far, chain = coherency_distance(left[0]), [left.pop()]
    for one in chain:
        for other in [other for other in left if near(table, one, other, far)]:
            left.remove(other)
            chain.append(other)
    return not left


# Sight -------------------------------------------------------------------------------------------------------------


def edges(piece: Piece) -> tuple[tuple[Point, Point], ...]:
    """The edges of a Garrison: the straight sides of its outline, or of the rectangle around a round one."""
    return _sides(piece.outline)


@lru_cache(1024)
def _sides(outline: Shape) -> tuple[tuple[Point, Point], ...]:
    if isinstance(outline, Polygon):
        points = outline.points
    else:
        west, north, east, south = box_of(outline)
        points = (Point(west, north), Point(east, north), Point(east, south), Point(west, south))
    return (*pairwise(points), (points[-1], points[0]))


def edge_name(number: int) -> str:
    """The slot of an edge."""
    return f"edge {number + 1}"


def edge_faces(outline: Shape, edge: str) -> str:
    """Which way an edge looks, by eighths of the compass.

    >>> from sandtable.engine.shapes import rectangle
    >>> [edge_faces(rectangle(0, 0, 5000, 5000), edge_name(number)) for number in range(4)]
    ['north', 'east', 'south', 'west']
    """
    (ax, ay), (bx, by) = _side(outline, edge)
    out = 1 if clockwise(outline) else -1
    x, y = out * (by - ay), out * (ax - bx)
    across = "" if 12 * abs(x) < 5 * abs(y) else "east" if x > 0 else "west"
    along = "" if 12 * abs(y) < 5 * abs(x) else "south" if y > 0 else "north"
    return "-".join(filter(None, (along, across)))


def _side(outline: Shape, edge: str) -> tuple[Point, Point]:
    return _sides(outline)[int(edge.rpartition(" ")[2]) - 1]


@lru_cache(1024)
def clockwise(outline: Shape) -> bool:
    """Whether the edges of an outline follow one another clockwise, as seen on the table."""
    return sum(one.x * two.y - two.x * one.y for one, two in _sides(outline)) > 0


def edge_points(piece: Piece, edge: str) -> tuple[Place, ...]:
    """Where one looks out of an edge, and what is measured to: points at half the Garrison's height."""
    return _edge_points(piece.outline, piece.height, edge, False)


def edge_sample(piece: Piece, edge: str) -> tuple[Place, ...]:
    """The sample points of an edge."""
    return _edge_points(piece.outline, piece.height, edge, True)


@lru_cache(maxsize=4096)
def _edge_points(outline: Shape, height: int, edge: str, sampled: bool) -> tuple[Place, ...]:
    heights = HEIGHTS if sampled else (HALF,)
    (ax, ay), (bx, by) = _side(outline, edge)
    along = [
        (ax + (bx - ax) * part.numerator // part.denominator, ay + (by - ay) * part.numerator // part.denominator)
        for part in FRACTIONS
    ]
    return tuple(Place(x, y, int(FINE * height * high)) for high in heights for x, y in along)


def before_edge(table: Table, unit: Thing, at: Place | Point) -> bool:
    """Whether a point lies on the outer side of the edge that a unit holds, or on its line."""
    assert isinstance(unit.place, In)
    outline = table.ground.piece(unit.place.holder).outline
    (ax, ay), (bx, by) = _side(outline, unit.place.slot)
    side = (bx - ax) * (at.y - ay) - (by - ay) * (at.x - ax)
    return side <= 0 if clockwise(outline) else side >= 0


def on_edge(unit: Thing) -> bool:
    """Whether a unit stands on an edge of a Garrison."""
    return isinstance(unit.place, In) and unit.place.slot not in ("", CENTRE)


def eyes(table: Table, unit: Thing, raised: bool = False) -> list[Eye]:
    """From where a unit sees: its centre, above its top for Articulated weapons, or any point of its edge."""
    if isinstance(unit.place, In):
        if not on_edge(unit):
            return []
        piece = table.ground.piece(unit.place.holder)
        return [Eye(one, piece.id) for one in edge_points(piece, unit.place.slot)]
    if not isinstance(unit.place, At):
        return []
    at = centre(table, unit)
    if raised:
        volume = bodies(table)[unit.id]
        at = at._replace(z=volume.high + FINE * ARTICULATED.inches("raise_in"))
    return [Eye(at)]


@following_from_ground
def _solid(ground: Ground) -> list[tuple[str, Volume]]:
    """The Solid scenery."""
    solid = [piece for piece in ground.pieces if has_property(piece, "solid")]
    return [(piece.id, Volume(piece.outline, 0, FINE * piece.height)) for piece in solid]


def in_the_way(table: Table, squads: Sequence[str], through: Sequence[str] = ()) -> dict[str, Volume]:
    """What blocks sight, by its id: Solid scenery and bodies, but of some squads and some Garrisons."""
    found = {piece: volume for piece, volume in _solid(table.ground) if piece not in through}
    volumes = bodies(table)
    return found | {one.id: volumes[one.id] for one in table.models() if one.unit not in squads}


def sample(table: Table, unit: Thing, eye: Eye) -> Sequence[Place]:
    """The fifteen points of a target as an eye sees them."""
    if isinstance(unit.place, In):
        return edge_sample(table.ground.piece(unit.place.holder), unit.place.slot) if on_edge(unit) else ()
    assert isinstance(unit.place, At)
    volume, stats = bodies(table)[unit.id], card(unit)
    columns = across(unit.place.point, stats.radius_in, Point(eye.at.x, eye.at.y), COLUMNS)
    tall = volume.high - volume.low
    levels = [volume.low + int(tall * part) for part in HEIGHTS]
    return [Place(*column, level) for level in levels for column in columns]


def seen(table: Table, unit: Thing, target: Thing, eye: Eye) -> int:
    """How many of the fifteen points of a target an eye sees; none where it is not in sight at all.

    Found once until somebody stirs.
    """
    cache = table.things_cache
    key = (seen, unit.id, target.id, target.place.slot if isinstance(target.place, In) else "", eye)
    if key not in cache:
        cache[key] = _seen(table, unit, target, eye)
    found: int = cache[key]
    return found


def _seen(table: Table, unit: Thing, target: Thing, eye: Eye) -> int:
    points = sample(table, target, eye)
    if not points or (on_edge(target) and not before_edge(table, target, eye.at)):
        return 0
    found = points_seen(table, unit, target, eye, points)
    if is_kind(target, "infantry") and isinstance(target.place, At):
        if points[HEIGHTS.index(min(HEIGHTS)) * len(COLUMNS) + COLUMNS.index(Fraction(0))] not in found:
            return 0
    return len(found)


def points_seen(table: Table, unit: Thing, target: Thing, eye: Eye, points: Sequence[Place]) -> list[Place]:
    """Those of the points of a target that an eye sees."""
    open_ = [one for one in points if before_edge(table, unit, one)] if eye.through else points
    return in_view(eye.at, open_, hiding(table, unit, target, eye).values())


def hidden_by_scenery(table: Table, target: Thing, eye: Eye) -> bool:
    """Whether Solid scenery hides the middle of a target from an eye, whatever else stands in the way."""
    points = sample(table, target, eye)
    within_it = target.place.holder if isinstance(target.place, In) else ""
    solid = (volume for piece, volume in _solid(table.ground) if piece not in (eye.through, within_it))
    return not in_view(eye.at, points[len(points) // 2 :][:1], solid)


def hiding(table: Table, unit: Thing, target: Thing, eye: Eye) -> dict[str, Volume]:
    """What may hide a target from an eye of a unit, by its id."""
    within_it = target.place.holder if isinstance(target.place, In) else ""
    return in_the_way(table, (unit.unit, target.unit), (eye.through, within_it))


def hidden_enough(points: int) -> bool:
    """Whether so few points are seen that a target is Hull Down."""
    return points <= SAMPLING.number("hull_down_max_visible")


def piece_points(piece: Piece) -> tuple[Place, ...]:
    """The sample points of all edges of a piece."""
    return _outline_points(piece.outline, piece.height)


@lru_cache(1024)
def _outline_points(outline: Shape, height: int) -> tuple[Place, ...]:
    piece = Piece(PieceId(""), "", outline, height)
    names = [edge_name(number) for number in range(len(edges(piece)))]
    return tuple(one for name in names for one in edge_sample(piece, name))


CHAPTER = Chapter()
