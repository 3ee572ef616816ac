"""Players shape their own features, where the set-up says so: circles and outlines, roads, groups of buildings.

A shape is said by its points, placed on the board like anything else; the dice draw it where nobody cares.
"""

from collections.abc import Sequence
from itertools import pairwise

from sandtable.engine.explain import inches
from sandtable.engine.questions import ChooseOne, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Band, Disc, Point, Polygon, Region, Shape, Spot, rectangle
from sandtable.engine.table import Part, Piece, Table
from sandtable.field.directions import along
from sandtable.field.outlines import BadOutline, new_core
from sandtable.field.random_terrain import Source, across, contours_in
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.quickstart.movement.moves import ROAD_KIND
from sandtable.rulesets.quickstart.setup.terrain import (
    APART,
    CHOICE_RULES,
    FEATURES,
    LOOKS,
    ORDER,
    SIZE,
    find_place,
    refused_feature,
    room_for,
    shapes_of,
)

#: The option of a set-up, and its value where the players shape what they place.
OPTION, PLAYERS, DICE = "shaped-terrain", "players", "dice"
AS_DRAWN, CIRCLE = "as-drawn", "circle"
#: With how many corners an outline may be drawn, and with how many points a road.
CORNERS, ROAD_POINTS = range(3, 13), range(2, 7)
_LEAST, _MOST = SIZE.inches("minimum_across_in"), SIZE.inches("maximum_across_in")
_SIDE, _WIDE = SIZE.inches("building_side_minimum_in"), SIZE.inches("road_width_in")


def players_shape(table: Table) -> bool:
    """Whether the players of a battle shape their own features (quickstart.setup.terrain-feature-size)."""
    return table.options.get(OPTION) == PLAYERS


def shapes_for(kind: str) -> tuple[str, ...]:
    """The shapes that a kind of terrain may be given, as a question offers them; the dice's own first.

    >>> shapes_for("structure")
    ('as-drawn', '1', '2', '3', '4')
    """
    if kind == "structure":
        fewest, many = SIZE.numbers("buildings_per_structure_result")
        counts: Sequence[int] = range(fewest, many + 1)
    else:
        counts = ROAD_POINTS if kind == ROAD_KIND else CORNERS
    circle = () if kind in ("structure", ROAD_KIND) else (CIRCLE,)
    return (AS_DRAWN, *circle, *map(str, counts))


def ask_for_shape(
    table: Table, side: str, kind: str, level: int, source: Source, result: str
) -> Procedure[Piece | None]:
    """Ask a side how it shapes a feature, and where its points lie; nothing where the dice are to draw it."""
    noun = "Buildings" if kind == "structure" else "Points" if kind == ROAD_KIND else "Corners"
    labels = {AS_DRAWN: "As the dice draw it", CIRCLE: "A circle"}
    shape: str = yield ChooseOne(
        side,
        f"How do you shape the {kind.replace('-', ' ')}?",
        topic="terrain-shape",
        about=(kind,),
        rules=(SIZE.id, FEATURES.id),
        options=tuple(Option(one, labels.get(one, f"{noun}: {one}")) for one in shapes_for(kind)),
        default=AS_DRAWN,
    )
    points = None if shape == AS_DRAWN else _suggested(table, source, kind, shape, level)
    if points is None:
        return None
    names = points_of(kind, shape)
    answer: dict[str, Spot] = yield PlaceThings(
        side,
        f"Draw the {kind.replace('-', ' ')}: {_LEAST // UNIT} to {_MOST // UNIT} inches across",
        topic="shape-terrain",
        about=(kind, shape),
        facts={"level": level},
        rules=(SIZE.id, ORDER.id, CHOICE_RULES[result].id),
        shows=("distance",),
        things=names,
        where={"": Region((room_for(table.ground, kind),), whole=False, rule=ORDER.id, label="where it may lie")},
        faces=False,
        outlines={name: (Disc(Point(0, 0), UNIT // 4),) for name in names},
        default={name: Spot(At(point)) for name, point in zip(names, points, strict=True)},
    )
    made = shaped(kind, shape, [_point(answer[name]) for name in names], level)
    assert isinstance(made, Piece), "judged before"
    return made


def points_of(kind: str, shape: str) -> tuple[str, ...]:
    """The points that a shape is said by.

    >>> points_of("hill", "circle"), points_of("structure", "1")
    (('centre', 'border'), ('house 1', 'house 1 opposite'))
    """
    if shape == CIRCLE:
        return ("centre", "border")
    count = range(1, int(shape) + 1)
    if kind == "structure":
        return tuple(name for n in count for name in (f"house {n}", f"house {n} opposite"))
    return tuple(f"point {n}" if kind == ROAD_KIND else f"corner {n}" for n in count)


def every_point() -> tuple[str, ...]:
    """The names of all points that any shape is said by."""
    kinds = ("structure", ROAD_KIND, "hill")
    shapes = [(kind, shape) for kind in kinds for shape in shapes_for(kind) if shape != AS_DRAWN]
    return tuple(dict.fromkeys(name for kind, shape in shapes for name in points_of(kind, shape)))


def _point(spot: Spot) -> Point:
    assert isinstance(spot.where, At)
    return spot.where.point


def shaped(kind: str, shape: str, points: Sequence[Point], level: int) -> Piece | Refusal:
    """The feature of some points, or why they make none.

    quickstart.setup.terrain-features         a closed outline, clearly marked
    quickstart.setup.terrain-feature-size     6 to 12 inches across; houses 2 by 2 at least; roads 2 wide
    """
    traits: dict[str, int | str] = {"look": LOOKS[kind]} if kind in LOOKS else {}
    if kind == "structure":
        return _houses(points, level)
    if kind == ROAD_KIND:
        if any(one == other for one, other in pairwise(points)):
            return Refusal(FEATURES.id, "Two points of the road that follow each other are one.")
        return Piece("", kind, Band(tuple(points), _WIDE), traits=traits)
    outline: Shape = Polygon(tuple(points))
    if shape == CIRCLE:
        outline = Disc(points[0], length_between(*points))
    else:
        try:
            new_core(outline)
        except BadOutline:
            return Refusal(FEATURES.id, "The outline must be closed and clear: its sides may not touch or cross.")
    wide = across(outline)
    if not _LEAST <= wide <= _MOST:
        sizes = f"at least {_LEAST // UNIT}″ and at most {_MOST // UNIT}″"
        return Refusal(SIZE.id, f"A feature is {sizes} across; this one is {inches(wide)}.")
    if kind == "hill":
        contours = contours_in(outline, level, APART)
        return Piece("", kind, outline, height=contours[-1].level, contours=contours)
    if kind == "water":
        return Piece("", kind, outline, traits={"depth": level})
    return Piece("", kind, outline, height=level, traits=traits)


def _houses(points: Sequence[Point], level: int) -> Piece | Refusal:
    houses = []
    for one, other in zip(points[::2], points[1::2], strict=True):
        west, north = min(one.x, other.x), min(one.y, other.y)
        wide, deep = abs(one.x - other.x), abs(one.y - other.y)
        if min(wide, deep) < _SIDE:
            return Refusal(SIZE.id, f"A building is at least {_SIDE // UNIT}″ long and wide.")
        houses.append(rectangle(west, north, wide, deep))
    if across(*houses) > _MOST:
        return Refusal(
            SIZE.id, f"The buildings lie within {_MOST // UNIT}″; these are {inches(across(*houses))} across."
        )
    parts = tuple(Part(str(n), house) for n, house in enumerate(houses, 1))
    return Piece("", "structure", houses[0], height=level, parts=parts)


def judge_shape(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why a feature may not be shaped so, or may not lie there."""
    kind, shape = question.about
    if not all(isinstance(spot.where, At) for spot in answer.values()):
        return Refusal(ORDER.id, "Choose points on the board.")
    level = question.facts["level"]
    made = shaped(kind, shape, [_point(answer[name]) for name in question.things], level)
    if isinstance(made, Refusal):
        return made
    return refused_feature(view.table.ground, kind, shapes_of(made), Point(0, 0), level)


def _suggested(table: Table, source: Source, kind: str, shape: str, level: int) -> list[Point] | None:
    """Points that make a lawful feature somewhere: what is taken where nobody cares; none where there is no place."""
    for size in ((_LEAST + _MOST) // 2, _LEAST * 6 // 5):
        points = _around_origin(kind, shape, size)
        made = shaped(kind, shape, points, level)
        if isinstance(made, Refusal):
            continue
        at = find_place(table, source, kind, shapes_of(made), level)
        if at is not None:
            return [Point(point.x + at.x, point.y + at.y) for point in points]
    return None


def _around_origin(kind: str, shape: str, size: int) -> list[Point]:
    if kind == "structure":
        corners = [Point(x, y) for x in (0, 3 * UNIT) for y in (0, 3 * UNIT)][: int(shape)]
        return [end for corner in corners for end in (corner, Point(corner.x + _SIDE, corner.y + _SIDE))]
    if kind == ROAD_KIND:
        count = int(shape)
        return [Point(-size + 2 * size * n // (count - 1), 0) for n in range(count)]
    if shape == CIRCLE:
        return [Point(0, 0), Point(size // 2, 0)]
    return [along(Point(0, 0), 360 * n // int(shape), size * 3 // 5) for n in range(int(shape))]
