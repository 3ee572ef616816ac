"""Terrain features that the sides lay on the board: drawn by dice or shaped by their owners, and placed by them.

What kinds there are, how large and where they may lie a ruleset says by the fields of a `Features`; its questions and
their answers are the same for all. A shape is said by its points, placed on the board like anything else; the dice draw
it where nobody cares.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.explain import inches
from sandtable.engine.ids import PieceId, Side
from sandtable.engine.questions import ChooseOne, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Band, Disc, Point, Polygon, Region, Shape, Spot, rectangle
from sandtable.engine.table import Ground, Part, Piece, Table
from sandtable.field.directions import along
from sandtable.field.ground import box_of
from sandtable.field.outlines import BadOutline, new_core
from sandtable.field.random_terrain import Source, across, blob, buildings, contours_in, hill, piece_moved, winding
from sandtable.field.walking.paths import length_between
from sandtable.forces.ledger import Rule

#: The option of a set-up, and its value where the players shape what they place.
SHAPED, PLAYERS, DICE = "shaped-terrain", "players", "dice"
AS_DRAWN, CIRCLE = "as-drawn", "circle"
#: With how many corners an outline may be drawn, and with how many points a road.
CORNERS, ROAD_POINTS = range(3, 13), range(2, 7)
#: The topics of the questions: what, how high or deep, where; in which shape, and where its points are.
KIND, LEVEL, PLACE, SHAPE, POINTS = "terrain-kind", "terrain-level", "place-terrain", "terrain-shape", "shape-terrain"
#: How many outlines there are of each kind; a die of so many sides says which one a feature has.
OUTLINES = 10_000
#: What a case may say to these questions.
ANSWERS: Mapping[str, str] = {
    LEVEL: "how high, or how deep, a feature is",
    PLACE: "where a feature is placed",
    SHAPE: "how a player shapes a feature: as-drawn, circle, or with how many corners, points or houses",
    POINTS: "where the points of a feature lie, {corner 1: [x, y], …}",
}


def players_shape(table: Table) -> bool:
    """Whether the players of a battle shape their own features."""
    return table.options.get(SHAPED) == PLAYERS


def spoken(kind: str) -> str:
    """A kind of terrain as players say it.

    >>> spoken("light-woods")
    'light woods'
    """
    return kind.replace("-", " ")


def _levels(level: int, way: str) -> str:
    """So many levels as an option says it."""
    return f"{level} {'level' if level == 1 else 'levels'} {way}"


def shapes_of(piece: Piece) -> list[Shape]:
    """The outlines of a feature: a group of buildings has several."""
    return [part.outline for part in piece.parts if part.outline is not None] or [piece.outline]


def pieces_of(battle: Battle, piece: Piece) -> list[Piece]:
    """The pieces of a feature: a group of buildings is a piece each."""
    if not piece.parts:
        return [piece]
    return [
        Piece(PieceId(battle.new_id(piece.kind)), piece.kind, shape, height=piece.height, traits=piece.traits)
        for shape in shapes_of(piece)
    ]


def _point(spot: Spot) -> Point:
    assert isinstance(spot.where, At)
    return spot.where.point


class Features(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The features of a ruleset: their kinds and sizes, and where each may lie. Lengths are thousandths."""

    placing: Rule  # where features may lie
    outline: Rule  # what their outlines are like
    size: Rule
    choices: Mapping[str, Rule]  # what lets a side place something, and the kinds that it says more of
    otherwise: Rule  # of a kind that has no choice of its own
    heights: Mapping[str, int]  # the kinds, and how high each is by itself
    levels: Mapping[str, Sequence[int]]  # the levels, or depths, that their owner may state
    room: Callable[[Ground, str], Shape]  # where a kind may lie at all
    refused: Callable[[Ground, str, Sequence[Shape], Point, int], Refusal | None]
    least: int
    most: int  # across; 0: any size
    drawn: tuple[int, int]  # how large the dice draw them
    apart: int  # contours of a hill
    looks: Mapping[str, str] = {}
    default_levels: Mapping[str, int] = {}
    hill: str = "hill"
    water: str = "water"
    road: str = "road"
    road_width: int = 2 * UNIT
    structure: str = "structure"
    houses: range = range(0)
    house_side: int = 0
    label: str = "outside the deployment zones"

    # What a feature is -------------------------------------------------------------------------------------------

    def draw(self, source: Source, name: PieceId, kind: str, level: int) -> Piece:
        """A feature around the origin; its outline is drawn by dice of its own."""
        least, most = self.drawn
        if kind == self.hill:
            contours = hill(source, least, most, level, self.apart)
            return Piece(name, kind, contours[0].outline, height=contours[-1].level, contours=contours)
        if kind == self.structure:
            count = self.houses[source.number(len(self.houses))]
            houses = buildings(source, count, least, most, self.house_side, UNIT)
            parts = tuple(Part(str(n), house) for n, house in enumerate(houses, 1))
            return Piece(name, kind, houses[0], height=level, parts=parts)
        if kind == self.road:
            ends = Point(-most, 0), Point(most, 0)
            return self._plain(name, kind, winding(source, *ends, self.road_width, 2, 2 * UNIT), 0)
        return self._plain(name, kind, blob(source, least, most), level)

    def _plain(self, name: PieceId, kind: str, outline: Shape, level: int) -> Piece:
        if kind == self.water:
            return Piece(name, kind, outline, traits={"depth": level})
        traits: dict[str, int | str] = {"look": self.looks[kind]} if kind in self.looks else {}
        return Piece(name, kind, outline, height=level, traits=traits)

    def find_place(self, table: Table, source: Source, kind: str, shapes: Sequence[Shape], level: int) -> Point | None:
        """Some lawful place for a feature: a few throws of the dice, then a search over the board; or none."""
        ground = table.ground
        west, north, east, south = box_of(self.room(ground, ""))
        for _ in range(12):
            at = Point(west + source.number(east - west), north + source.number(south - north))
            if self.refused(ground, kind, shapes, at, level) is None:
                return at
        for y in range(north, south, 2 * UNIT):
            for x in range(west, east, 2 * UNIT):
                if self.refused(ground, kind, shapes, Point(x, y), level) is None:
                    return Point(x, y)
        return None

    # What its owner says -----------------------------------------------------------------------------------------

    def ask_kind(self, side: Side, kinds: Sequence[str], source: Rule, rules: Mapping[str, Rule]) -> Procedure[str]:
        """Which kind of terrain a side places, where it may choose."""
        if len(kinds) == 1:
            return kinds[0]
        chosen: str = yield ChooseOne(
            side,
            "What do you place?",
            topic=KIND,
            rules=(source.id,),
            options=tuple(Option(kind, spoken(kind).capitalize(), (), (rules[kind].id,)) for kind in kinds),
        )
        return chosen

    def ask_level(self, side: Side, kind: str) -> Procedure[int]:
        """How high, or how deep, a feature is."""
        if kind not in self.levels:
            return self.heights[kind]
        way, how = ("deep", "How") if kind == self.water else ("high", "How many levels")
        why, default = self.choices.get(kind, self.otherwise), self.default_levels.get(kind)
        chosen: str = yield ChooseOne(
            side,
            f"{how} {way} is the {spoken(kind)}?",
            topic=LEVEL,
            about=(kind,),
            rules=(why.id,),
            options=tuple(Option(str(level), _levels(level, way)) for level in self.levels[kind]),
            default=None if default is None else str(default),
        )
        return int(chosen)

    def ask_feature(
        self, battle: Battle, side: Side, kind: str, level: int, source: Source, why: Rule, *, by_dice: bool = False
    ) -> Procedure[Piece | None]:
        """A feature as its owner shapes and places it; none where there is no place for it."""
        table = battle.table
        if players_shape(table) and not by_dice:
            drawn = yield from self._ask_shape(table, side, kind, level, source, why)
            if drawn is not None:
                return msgspec.structs.replace(drawn, id=battle.new_id(kind))
        piece = self.draw(source, PieceId(battle.new_id(kind)), kind, level)
        shapes = shapes_of(piece)
        default = self.find_place(table, source, kind, shapes, level)
        if default is None:
            return None
        area = Region((self.room(table.ground, kind),), whole=True, rule=self.placing.id, label=self.label)
        answer: dict[str, Spot] = yield PlaceThings(
            side,
            f"Place the {spoken(kind)}",
            topic=PLACE,
            about=(kind,),
            facts={"level": level},
            rules=(self.placing.id, self.size.id, why.id),
            shows=("distance",),
            things=("feature",),
            where={"": area},
            faces=False,
            names={"feature": f"the {spoken(kind)}"},
            outlines={"feature": tuple(shapes)},
            default={"feature": Spot(At(default))},
        )
        return piece_moved(piece, *_point(answer["feature"]))

    def shapes_for(self, kind: str) -> tuple[str, ...]:
        """The shapes that a kind of terrain may be given, as a question offers them; the dice's own first."""
        counts = self.houses if kind == self.structure else ROAD_POINTS if kind == self.road else CORNERS
        circle = () if kind in (self.structure, self.road) else (CIRCLE,)
        return (AS_DRAWN, *circle, *map(str, counts))

    def points_of(self, kind: str, shape: str) -> tuple[str, ...]:
        """The points that a shape is said by."""
        if shape == CIRCLE:
            return ("centre", "border")
        count = range(1, int(shape) + 1)
        if kind == self.structure:
            return tuple(name for n in count for name in (f"house {n}", f"house {n} opposite"))
        return tuple(f"point {n}" if kind == self.road else f"corner {n}" for n in count)

    def every_point(self) -> tuple[str, ...]:
        """The names of all points that any shape is said by."""
        kinds = (self.structure, self.road, self.hill)
        shapes = [(kind, shape) for kind in kinds for shape in self.shapes_for(kind) if shape != AS_DRAWN]
        return tuple(dict.fromkeys(name for kind, shape in shapes for name in self.points_of(kind, shape)))

    def _ask_shape(
        self, table: Table, side: Side, kind: str, level: int, source: Source, why: Rule
    ) -> Procedure[Piece | None]:
        """Ask a side how it shapes a feature, and where its points lie; nothing where the dice are to draw it."""
        noun = "Buildings" if kind == self.structure else "Points" if kind == self.road else "Corners"
        labels = {AS_DRAWN: "As the dice draw it", CIRCLE: "A circle"}
        shape: str = yield ChooseOne(
            side,
            f"How do you shape the {spoken(kind)}?",
            topic=SHAPE,
            about=(kind,),
            rules=(self.size.id, self.outline.id),
            options=tuple(Option(one, labels.get(one, f"{noun}: {one}")) for one in self.shapes_for(kind)),
            default=AS_DRAWN,
        )
        points = None if shape == AS_DRAWN else self._suggested(table, source, kind, shape, level)
        if points is None:
            return None
        names = self.points_of(kind, shape)
        area = Region((self.room(table.ground, kind),), whole=False, rule=self.placing.id, label="where it may lie")
        answer: dict[str, Spot] = yield PlaceThings(
            side,
            f"Draw the {spoken(kind)}: {self._sizes} inches across",
            topic=POINTS,
            about=(kind, shape),
            facts={"level": level},
            rules=(self.size.id, self.placing.id, why.id),
            shows=("distance",),
            things=names,
            where={"": area},
            faces=False,
            outlines={name: (Disc(Point(0, 0), UNIT // 4),) for name in names},
            default={name: Spot(At(point)) for name, point in zip(names, points, strict=True)},
        )
        made = self.shaped(kind, shape, [_point(answer[name]) for name in names], level)
        assert isinstance(made, Piece), "judged before"
        return made

    @property
    def _sizes(self) -> str:
        return f"{self.least // UNIT} to {self.most // UNIT}" if self.most else f"at least {self.least // UNIT}"

    def shaped(self, kind: str, shape: str, points: Sequence[Point], level: int) -> Piece | Refusal:
        """The feature of some points, or why they make none: a closed outline, not too small and not too large."""
        if kind == self.structure:
            return self._houses(points, level)
        if kind == self.road:
            if any(one == other for one, other in pairwise(points)):
                return Refusal(self.outline.id, "Two points of the road that follow each other are one.")
            return self._plain(PieceId(""), kind, Band(tuple(points), self.road_width), 0)
        outline: Shape = Polygon(tuple(points))
        if shape == CIRCLE:
            outline = Disc(points[0], length_between(*points))
        else:
            try:
                new_core(outline)
            except BadOutline:
                words = "The outline must be closed and clear: its sides may not touch or cross."
                return Refusal(self.outline.id, words)
        wide = across(outline)
        if not self.least <= wide <= (self.most or wide):
            sizes = f"at least {self.least // UNIT}″" + (f" and at most {self.most // UNIT}″" if self.most else "")
            return Refusal(self.size.id, f"A feature is {sizes} across; this one is {inches(wide)}.")
        if kind == self.hill:
            contours = contours_in(outline, level, self.apart)
            return Piece(PieceId(""), kind, outline, height=contours[-1].level, contours=contours)
        return self._plain(PieceId(""), kind, outline, level)

    def _houses(self, points: Sequence[Point], level: int) -> Piece | Refusal:
        houses = []
        for one, other in zip(points[::2], points[1::2], strict=True):
            west, north = min(one.x, other.x), min(one.y, other.y)
            wide, deep = abs(one.x - other.x), abs(one.y - other.y)
            if min(wide, deep) < self.house_side:
                return Refusal(self.size.id, f"A building is at least {self.house_side // UNIT}″ long and wide.")
            houses.append(rectangle(west, north, wide, deep))
        if across(*houses) > self.most:
            words = f"The buildings lie within {self.most // UNIT}″; these are {inches(across(*houses))} across."
            return Refusal(self.size.id, words)
        parts = tuple(Part(str(n), house) for n, house in enumerate(houses, 1))
        return Piece(PieceId(""), self.structure, houses[0], height=level, parts=parts)

    def _suggested(self, table: Table, source: Source, kind: str, shape: str, level: int) -> list[Point] | None:
        """Points that make a lawful feature somewhere: what is taken where nobody cares; none where there is none."""
        least, most = self.drawn
        for size in ((least + most) // 2, least * 6 // 5):
            points = self._around_origin(kind, shape, size)
            made = self.shaped(kind, shape, points, level)
            if isinstance(made, Refusal):
                continue
            at = self.find_place(table, source, kind, shapes_of(made), level)
            if at is not None:
                return [Point(point.x + at.x, point.y + at.y) for point in points]
        return None

    def _around_origin(self, kind: str, shape: str, size: int) -> list[Point]:
        if kind == self.structure:
            corners = [Point(x, y) for x in (0, 3 * UNIT) for y in (0, 3 * UNIT)][: int(shape)]
            side = self.house_side
            return [end for corner in corners for end in (corner, Point(corner.x + side, corner.y + side))]
        if kind == self.road:
            count = int(shape)
            return [Point(-size + 2 * size * n // (count - 1), 0) for n in range(count)]
        if shape == CIRCLE:
            return [Point(0, 0), Point(size // 2, 0)]
        return [along(Point(0, 0), 360 * n // int(shape), size * 3 // 5) for n in range(int(shape))]

    # Judges ------------------------------------------------------------------------------------------------------

    def judge_place(self, view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
        """Why a feature may not lie there."""
        spot = answer[question.things[0]]
        if not isinstance(spot.where, At):
            return Refusal(question.rules[0], "Choose a point on the board.")
        shapes, level = question.outlines["feature"], question.facts["level"]
        return self.refused(view.table.ground, question.about[0], shapes, spot.where.point, level)

    def judge_shape(self, view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
        """Why a feature may not be shaped so, or may not lie there."""
        kind, shape = question.about
        if not all(isinstance(spot.where, At) for spot in answer.values()):
            return Refusal(self.placing.id, "Choose points on the board.")
        level = question.facts["level"]
        made = self.shaped(kind, shape, [_point(answer[name]) for name in question.things], level)
        if isinstance(made, Refusal):
            return made
        return self.refused(view.table.ground, kind, shapes_of(made), Point(0, 0), level)
