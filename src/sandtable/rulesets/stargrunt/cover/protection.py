"""Cover: unit integrity, what stands between two units, what protects a figure, and going In Position."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.shapes import At, Disc, Point, Polygon, Shape
from sandtable.engine.table import Contour, Ground, Piece, Table, Thing, following_from_formation
from sandtable.field.chords import chords, meets
from sandtable.field.ground import Box, box_of, boxes_meet, chart, level_at, pieces_at, pieces_near
from sandtable.field.identity import Same
from sandtable.field.measure import CONTACT, covers, gap, gap_to_point, inside, outline_of
from sandtable.field.walking.paths import length_between
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.stargrunt.cover.integrity import in_integrity
from sandtable.rulesets.stargrunt.units.record import (
    AIRBORNE,
    BASE,
    gap_between,
    hull_of,
    is_hull,
    located,
    mean,
    points,
    spot,
    standing,
)

DISORGANISED = rule("stargrunt.cover.disorganised")
SOFT_COVER = rule("stargrunt.cover.soft")
HARD_COVER = rule("stargrunt.cover.hard")
WHAT_GIVES = rule("stargrunt.cover.what-gives-cover")
DIRECTIONAL = rule("stargrunt.cover.directional")
MAJORITY = rule("stargrunt.cover.majority")
SIGHT = rule("stargrunt.cover.line-of-sight")
MEASURING = rule("stargrunt.cover.measuring")
WOODS = rule("stargrunt.cover.woods")
FIELD_DEFENCES = rule("stargrunt.cover.field-defences")
GOING_IN = rule("stargrunt.cover.going-in-position")
LEAVING = rule("stargrunt.cover.leaving-position")
IN_POSITION = rule("stargrunt.cover.in-position-direct-fire")
WHILE_IN_POSITION = rule("stargrunt.cover.while-in-position")

OPEN, SOFT, HARD = 0, 1, 2
WORDS = ("the open", "soft cover", "hard cover")
RULES: tuple[Rule, Rule, Rule] = (WHAT_GIVES, SOFT_COVER, HARD_COVER)

#: What each kind of terrain is called where the ledger lists cover; what is not listed gives none.
CALLED = {
    "light-scrub": "scrub",
    "hedge": "hedge",
    "light-wood": "wood_edge",
    "dense-wood": "wood_edge",
    "wall": "wall",
    "rocks": "rocks",
    "rubble": "rubble",
    "building": "building",
    "trench": "field_defence",
    "foxhole": "field_defence",
    "barricade": "field_defence",
    "berm": "field_defence",
    "hill": "crest",
}
GIVES = {
    kind: HARD if name in WHAT_GIVES.texts("hard") else SOFT if name in WHAT_GIVES.texts("soft") else OPEN
    for kind, name in CALLED.items()
}
#: A disabled or destroyed vehicle gives hard cover too (stargrunt.vehicles.disabled-or-destroyed).
WRECKS = rule("stargrunt.vehicles.disabled-or-destroyed")
WRECK = "wreck"
GIVES[WRECK] = HARD
#: What a vehicle can be hull down behind (the last sentence of stargrunt.cover.what-gives-cover).
HULL_DOWN = ("wall", "hedge", "rocks", "rubble", WRECK)
LINEAR = ("wall", "hedge", "barricade", "berm")
#: What protects only against fire that crosses it; nobody can stand in a wreck.
ONE_WAY = (*LINEAR, WRECK)
WOOD = ("light-wood", "dense-wood")
#: How far from its border the edge of a wood, and the crest of a hill, reaches.
EDGE = WOODS.inches("edge_in")
CREST = WHAT_GIVES.inches("crest_in")
BLOCKERS = ("building", *WOOD)
#: Smoke blocks every line that touches it, also those of who stands in it (stargrunt.obstacles.smoke).
SMOKE = "smoke"


@following_from_formation
def unit_in_integrity(table: Table, unit: str) -> bool:
    """Whether a unit on the table is in integrity; its OK figures count."""
    return in_integrity(points(table, unit))


# Sight -------------------------------------------------------------------------------------------------------------


def figure_seen(ground: Ground, eye: Point, figure: Point) -> bool:
    """Whether a line between two base centres is clear (stargrunt.cover.line-of-sight)."""
    return _clear(ground, *sorted((eye, figure)))


def seen_from(ground: Ground, eye: Thing, other: Thing) -> bool:
    """Whether one figure or vehicle sees another: its centre, or of a vehicle any corner.

    stargrunt.cover.line-of-sight    what a vehicle stands in or touches does not block its own lines either;
                                     craft in the air see and are seen everywhere
    """
    if eye.has(AIRBORNE) or other.has(AIRBORNE):
        return True
    if not (is_hull(eye) or is_hull(other)):
        return figure_seen(ground, spot(eye), spot(other))
    own = touched_by(ground, eye, other)
    return any(_clear(ground, *sorted((spot(eye), end)), own) for end in aimed_at(other))


def touched_by(ground: Ground, *ends: Thing) -> tuple[str, ...]:
    """The pieces that those at the ends of a line stand in or touch: these do not block it."""
    here = tuple(spot(one) for one in ends)
    shapes = (_shape(one) if is_hull(one) else Disc(spot(one), BASE.size // 2) for one in ends)
    return tuple(piece for shape in shapes for piece in _touched(ground, shape, here))


def aimed_at(other: Thing) -> list[Point]:
    """The points of a figure or vehicle that are looked at: its centre, and the corners of a vehicle."""
    return [spot(other), *(_corners(other) if is_hull(other) else ())]


def _shape(hull: Thing) -> Shape:
    assert hull.base is not None
    return outline_of(hull.base, spot(hull), hull.facing)


def _corners(hull: Thing) -> tuple[Point, ...]:
    shape = _shape(hull)
    return shape.points if isinstance(shape, Polygon) else ()


@lru_cache(maxsize=4096)
def _touched(ground: Ground, shape: Shape, ends: tuple[Point, ...]) -> tuple[str, ...]:
    """The pieces that something stands in or touches, but for woods that an end of the line is deep in."""
    near = [piece for piece in pieces_near(ground, box_of(shape), CONTACT) if gap(shape, piece.outline) <= CONTACT]
    return tuple(piece.id for piece in near if not any(_deep_in(piece, end) for end in ends))


@lru_cache(maxsize=64)
def _opaque(ground: Ground) -> tuple[tuple[Box, Piece], ...]:
    """What may block a line, with the boxes around it."""
    return tuple((box, piece) for box, piece in chart(ground).pieces if piece.kind in (*BLOCKERS, SMOKE))


@lru_cache(maxsize=65536)
def _clear(ground: Ground, a: Point, b: Point, own: tuple[str, ...] | None = None) -> bool:
    return next(blocking(ground, a, b, own), None) is None


def blocking(ground: Ground, a: Point, b: Point, own: tuple[str, ...] | None = None) -> Iterator[Piece | Contour]:
    """What blocks a line between two points, the lesser first: no pieces of its `own`, else none that figures touch."""
    box = (min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y))
    length = length_between(a, b)
    opaque = [piece for around, piece in _opaque(ground) if boxes_meet(around, box)]
    near = [piece for piece in opaque if piece.kind != SMOKE]
    if len(near) < len(opaque):
        smoke = [piece for piece in opaque if piece.kind == SMOKE]
        yield from (one for one in smoke if inside(one.outline, a) or meets(one.outline, a, b, length))
    hills = [contour for around, contour, _ in chart(ground).contours if boxes_meet(around, box)]
    if not (near or hills):
        return
    levels = level_at(ground, a), level_at(ground, b)
    for piece in near:
        if meets(piece.outline, a, b, length) and not (_own(piece, a, b) if own is None else piece.id in own):
            if _blocks(piece, level_at(ground, _inside_of(piece)) + max(1, piece.height), levels, a, b):
                yield piece
    for contour in hills:
        ends = inside(contour.outline, a), inside(contour.outline, b)
        if not any(ends) and meets(contour.outline, a, b, length) and _blocks(contour, contour.level, levels, a, b):
            yield contour


def _own(piece: Piece, a: Point, b: Point) -> bool:
    """Whether a figure at either end stands in a piece or touches it, and neither end lies deep in it, as in a wood."""
    touched = any(gap(Disc(end, BASE.size // 2), piece.outline) <= CONTACT for end in (a, b))
    return touched and not any(_deep_in(piece, end) for end in (a, b))


def _inside_of(piece: Piece) -> Point:
    west, north, east, south = box_of(piece.outline)
    return Point((west + east) // 2, (north + south) // 2)


def _blocks(feature: Piece | Contour, top: int, levels: tuple[int, int], a: Point, b: Point) -> bool:
    """Whether something so high between two ends blocks: not what the higher end looks over, being nearer to it."""
    low, high = min(levels), max(levels)
    if top <= low:
        return False
    if top > high:
        return True
    above, below = (a, b) if levels[0] == high else (b, a)
    return gap_to_point(feature.outline, above) >= gap_to_point(feature.outline, below)


def sees(table: Table, observer: str, target: str) -> bool:
    """Whether a unit sees another: at least half of its OK figures are seen by some OK figure.

    stargrunt.cover.line-of-sight    at least half
    stargrunt.cover.woods            the wood that one is within blocks its lines
    """
    eyes, there = standing(table, observer), standing(table, target)
    return bool(eyes and there) and _sees(table.ground, Same(*eyes), Same(*there))


@lru_cache(maxsize=4096)
def _sees(ground: Ground, observers: Same, targets: Same) -> bool:
    eyes, there = ([one for one in key.objects if isinstance(one, Thing)] for key in (observers, targets))
    seen = sum(any(seen_from(ground, eye, one) for eye in eyes) for one in there)
    share = SIGHT.fraction("visible_fraction")
    return seen >= share * len(there)


def within_wood(table: Table, unit: str) -> bool:
    """Whether a unit is within a wood, and not on its edge: most of its figures are in it, farther than an inch in."""
    figures = standing(table, unit)
    return 2 * sum(deep(table.ground, spot(figure)) for figure in figures) > len(figures)


@lru_cache(maxsize=8192)
def deep(ground: Ground, at: Point) -> bool:
    """Whether a point lies so deep in a wood that nobody fires out of it or into it (stargrunt.cover.woods)."""
    return any(_deep_in(piece, at) for piece in pieces_at(ground, at))


def _deep_in(piece: Piece, at: Point) -> bool:
    return piece.kind in WOOD and not near_border(piece.outline, at, EDGE)


def near_border(outline: Shape, at: Point, within: int) -> bool:
    """Whether the border of an outline is at most so far from a point inside it.

    >>> pond = Disc(Point(0, 0), 3000)
    >>> near_border(pond, Point(2000, 0), 1000), near_border(pond, Point(0, 0), 1000)
    (True, False)
    """
    # A disc a thousandth larger lies wholly inside exactly if the border is farther away than that.
    return not covers(outline, Disc(at, within + 1))


# Cover -------------------------------------------------------------------------------------------------------------


def figure_cover(ground: Ground, at: Point, source: Point | None) -> int:
    """The cover of a figure against fire from a point; without one, whatever it touches covers it.

    stargrunt.cover.what-gives-cover    only what its base touches or stands in
    stargrunt.cover.directional         a wall, hedge or crest only where the line of fire crosses it
    """
    return _from_somewhere(at, source, *_touching(ground, at))


def _from_somewhere(at: Point, source: Point | None, best: int, one_way: tuple[tuple[int, Piece], ...]) -> int:
    for kind, piece in one_way:
        if kind > best and gives_cover(piece, at, source):
            best = kind
    return best


@lru_cache(maxsize=65536)
def _touching(ground: Ground, at: Point) -> tuple[int, tuple[tuple[int, Piece], ...]]:
    """The cover a figure has from wherever fire comes, and the pieces that may give it more from somewhere."""
    best, one_way = OPEN, []
    for piece in pieces_near(ground, box_of(Disc(at, BASE.size // 2)), CONTACT):
        kind = GIVES.get(piece.kind, OPEN)
        if kind <= best or not gives_cover(piece, at, None):
            continue
        if piece.kind in ONE_WAY or piece.kind == "hill":
            one_way.append((kind, piece))
        else:
            best = kind
    return best, tuple(one_way)


def gives_cover(piece: Piece, at: Point, source: Point | None) -> bool:
    """Whether a piece that gives cover gives it to a figure, against fire from a point."""
    if piece.kind == "hill":
        return any(_on_crest(contour, at, source) for contour in piece.contours)
    if gap(Disc(at, BASE.size // 2), piece.outline) > CONTACT:
        return False
    return piece.kind not in ONE_WAY or _crosses(piece, at, source)


def _crosses(piece: Piece, at: Point, source: Point | None) -> bool:
    if source is None:
        return True
    return meets(piece.outline, source, at, length_between(source, at))


def _on_crest(contour: Contour, at: Point, source: Point | None) -> bool:
    """Whether a figure stands within an inch of a hill's edge, and the line of fire comes over that edge."""
    if not inside(contour.outline, at) or not near_border(contour.outline, at, CREST):
        return False
    if source is None:
        return True
    length = length_between(at, source)
    ends = [high for low, high in chords(contour.outline, at, source, length) if low == 0]
    return bool(ends) and ends[0] <= CREST and ends[0] < length


def centre_point(table: Table, unit: str) -> Point:
    """The centre of a unit as a point of the grid: where its lines of fire come from."""
    x, y = mean(points(table, unit))
    return Point(int(x), int(y))


def unit_cover(table: Table, unit: str, source: Point | None) -> int:
    """The cover of a unit: the kind more than half of its OK figures have, else the least protective (majority)."""
    return cover_at(table.ground, points(table, unit), source)


def cover_at(ground: Ground, spots: Sequence[Point], source: Point | None) -> int:
    """The cover that figures have at some places, as a unit."""
    return _majority([figure_cover(ground, at, source) for at in spots])


class Covered:
    """The cover of figures at some places, as a unit, against fire from many points: what all share is found once."""

    def __init__(self, ground: Ground, spots: Sequence[Point]) -> None:
        self._touching = [(at, *_touching(ground, at)) for at in spots]
        always = [kind for _, kind, one_way in self._touching if not one_way]
        self._always = _majority(always) if len(always) == len(self._touching) else None

    def against(self, source: Point) -> int:
        """The cover against fire from a point."""
        if self._always is not None:
            return self._always
        return _majority([_from_somewhere(at, source, best, one_way) for at, best, one_way in self._touching])


@lru_cache(maxsize=16384)
def covered(ground: Ground, spots: tuple[Point, ...]) -> Covered:
    """The cover of figures at some places; kept, for who weighs places comes back to them."""
    return Covered(ground, spots)


def _majority(kinds: Sequence[int]) -> int:
    for kind in (HARD, SOFT, OPEN):
        if 2 * kinds.count(kind) > len(kinds):
            return kind
    return min(kinds, default=OPEN)


def hull_cover(ground: Ground, hull: Thing, source: Point | None) -> int:
    """The cover of a vehicle: soft where it is hull down, that is, touches something low that the fire crosses.

    stargrunt.cover.what-gives-cover    a wall, hedge, crest, rocks, rubble or wreck; never hard cover
    """
    shape = _shape(hull)
    at = spot(hull)
    for piece in pieces_near(ground, box_of(shape), CONTACT):
        if piece.kind == "hill":
            if any(_on_crest(one, end, source) for one in piece.contours for end in (at, *_corners(hull))):
                return SOFT
        elif piece.kind in HULL_DOWN and gap(shape, piece.outline) <= CONTACT and _crosses(piece, at, source):
            return SOFT
    return OPEN


def cover_from(table: Table, target: str, firer: str) -> int:
    """The cover of a unit against the fire of another: the open, soft cover or hard cover."""
    hull = hull_of(table, target)
    if hull is not None:
        return hull_cover(table.ground, hull, centre_point(table, firer))
    return unit_cover(table, target, centre_point(table, firer))


def in_cover(table: Table, unit: Thing) -> bool:
    """Whether a unit counts as in cover, for tests and orders: against the nearest located enemy, if there is one."""
    hull = hull_of(table, unit.id)
    if hull is not None and type(hull.place) is At:
        return hull_cover(table.ground, hull, threatened_from(table, unit)) > OPEN
    return cover_at(table.ground, points(table, unit.id), threatened_from(table, unit)) > OPEN


def threatened_from(table: Table, unit: Thing) -> Point | None:
    """Where the nearest located enemy of a unit is; none where there is no enemy."""
    foes, here = located(table, unit.side), points(table, unit.id)
    if not foes:
        return None
    nearest = min(foes, key=lambda there: gap_between(here, there)) if here else foes[0]
    x, y = mean(nearest)
    return Point(int(x), int(y))


def range_shift(kind: int) -> tuple[ExplainedPart, ...]:
    """How far a kind of cover shifts the Range Die."""
    if kind == OPEN:
        return ()
    return (ExplainedPart(WORDS[kind], RULES[kind].number("range_die"), RULES[kind].id),)


def armour_shift(kind: int) -> tuple[ExplainedPart, ...]:
    """How far a kind of cover shifts the Armour Die, openly."""
    if kind == OPEN:
        return ()
    return (ExplainedPart(WORDS[kind], RULES[kind].number("armour_die"), RULES[kind].id),)


same_number("hull down is soft cover", "hull_down" in WHAT_GIVES.texts("soft"), True)
same_number("what In Position does to the Armour Die", IN_POSITION.number("armour_die"), 0)
