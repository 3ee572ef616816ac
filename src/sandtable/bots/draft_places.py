"""Places of things for drafts: drawn from the regions of a question, then searched for on ever finer grids."""

from collections.abc import Iterator
from random import Random

from sandtable.engine.questions import PlaceThings
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Base, Disc, In, Point, Polygon, Region, Shape, Spot, rectangle
from sandtable.field.directions import along
from sandtable.field.measure import bearing, first_touch, in_region, outline_of, overlap

#: How many points are drawn for one thing before its neighbours are drawn anew.
DRAWS = 24
#: A base where the view does not say what a thing stands on.
UNKNOWN = Base("circle", 2)
Box = tuple[int, int, int, int]


class Places:
    """Draws answers to place questions."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def drafts(self, view: View, question: PlaceThings) -> Iterator[dict[str, Spot]]:
        """Drafts without end: bases apart from each other and from what stands there; each fourth without that care."""
        attempt = 0
        while True:
            draft = self._draft(view, question, careful=attempt % 4 != 3, stacked=attempt % 8 == 7)
            if draft is not None:
                yield draft
            elif attempt > 100:
                return
            attempt += 1

    def search(self, view: View, question: PlaceThings) -> Iterator[dict[str, Spot]]:
        """Every point of finer and finer grids, facing several ways; several things are fitted in one by one."""
        facings = (0, 90, 180, 270, 60, 120, 240, 300) if question.faces else (0,)
        for cells in (6, 12, 24, 48):
            for facing in facings:
                if len(question.things) == 1:
                    (thing,) = question.things
                    for where in grid_of(view, region_of(view, question, thing), cells):
                        yield {thing: Spot(where, facing)}
                else:
                    for careful in (True, False):
                        yield from self._fitted(view, question, cells, facing, careful=careful)

    def _fitted(
        self, view: View, question: PlaceThings, cells: int, facing: int, *, careful: bool
    ) -> Iterator[dict[str, Spot]]:
        """All things on a grid, one after another where there is room, from several ends of the grid."""
        for _ in range(4):
            draft: dict[str, Spot] = {}
            stand = _standing(view, question.things) if careful else []
            for thing in question.things:
                grid = list(grid_of(view, region_of(view, question, thing), cells))
                self.random.shuffle(grid)
                if question.together is not None and draft:
                    near = [spot.where.point for spot in draft.values() if isinstance(spot.where, At)]
                    grid.sort(key=lambda where: _nearest(where, near))
                base = _base(view, thing)
                for where in grid:
                    shape = None if isinstance(where, In) else outline_of(base, where.point, facing)
                    if shape is None or not any(overlap(shape, other) for other in stand):
                        draft[thing] = Spot(where, facing)
                        stand += [] if shape is None or not careful else [shape]
                        break
            if len(draft) == len(question.things):
                yield draft

    def _draft(self, view: View, question: PlaceThings, *, careful: bool, stacked: bool) -> dict[str, Spot] | None:
        stand = _standing(view, question.things) if careful else []
        draft: dict[str, Spot] = {}
        things = list(question.things)
        self.random.shuffle(things)
        for thing in things:
            before = list(draft.values())
            if stacked and before:
                draft[thing] = before[0]
                continue
            spot = self._spot(view, question, thing, stand, before)
            if spot is None:
                return None
            draft[thing] = spot
            if careful and isinstance(spot.where, At):
                stand.append(outline_of(_base(view, thing), spot.where.point, spot.facing))
        return {thing: draft[thing] for thing in question.things}

    def _spot(
        self, view: View, question: PlaceThings, thing: str, stand: list[Shape], before: list[Spot]
    ) -> Spot | None:
        """A spot in the region of a thing that overlaps nobody, beside those before it where they belong together."""
        region, base = region_of(view, question, thing), _base(view, thing)
        facing = self._facing(view, region) if question.faces else 0
        if region.slots and (not region.inside or self.random.random() < 0.5):
            return Spot(self.random.choice(region.slots), facing)
        level = self.random.choice(region.levels) if region.levels else 0
        aims = [] if thing in view.table.things else self._aims(view, question)
        for draw in range(DRAWS):
            if question.together is not None and before:
                point = self._beside(question, base, facing, before, stand)
            else:
                point = self._point(region, draw, aims)
            if not in_region(region, base, point, facing):
                continue
            shape = outline_of(base, point, facing)
            if aims or not any(overlap(shape, other) for other in stand):
                return Spot(At(point, level), facing)
        return None

    def _aims(self, view: View, question: PlaceThings) -> list[Point]:
        """What is no thing of the table is a mark, and mostly wanted on somebody: on whom it is about, or an enemy."""
        meant = [view.table.things[name] for name in question.about if name in view.table.things]
        found = [thing for thing in meant if thing.side != view.side] or view.enemies()
        return [thing.place.point for thing in found if isinstance(thing.place, At)]

    def _facing(self, view: View, region: Region) -> int:
        """Any way, but mostly from the middle of the region towards the middle of the board."""
        if not region.inside or self.random.random() < 0.4:
            return self.random.randrange(360)
        west, north, east, south = _box(region.inside[0])
        ground = view.table.ground
        middle, ahead = Point((west + east) // 2, (north + south) // 2), Point(ground.width // 2, ground.height // 2)
        return (bearing(middle, ahead) + self.random.randint(-40, 40)) % 360

    def _point(self, region: Region, draw: int, aims: list[Point]) -> Point:
        """A point of a region's box, on somebody, or at the border of what lies outside, for regions that are thin."""
        if aims and self.random.random() < 0.6:
            return self.random.choice(aims)
        if draw % 3 == 2 and region.outside:
            shape = self.random.choice(region.outside)
            if isinstance(shape, Disc):
                return along(shape.center, self.random.randrange(360), shape.radius + self.random.randint(0, UNIT))
        west, north, east, south = _box(self.random.choice(region.inside))
        return Point(self.random.randint(west, max(west, east)), self.random.randint(north, max(north, south)))

    def _beside(self, question: PlaceThings, base: Base, facing: int, before: list[Spot], stand: list[Shape]) -> Point:
        """A point near one of those before it: in contact where they must touch, else within what holds them."""
        assert question.together is not None
        near = [spot.where.point for spot in before if isinstance(spot.where, At)] or [Point(0, 0)]
        start, degrees = self.random.choice(near), self.random.randrange(360)
        if question.together.touching and stand:
            far = along(start, degrees, 8 * UNIT)
            gone = min(first_touch(base, far, facing, degrees + 180, 8 * UNIT, shape) for shape in stand)
            return along(far, degrees + 180, gone)
        return along(start, degrees, self.random.randint(0, question.together.within or 4 * UNIT))


def region_of(view: View, question: PlaceThings, thing: str) -> Region:
    """The region of a thing; where none is given it is the board."""
    region = question.where.get(thing, question.where.get("", Region()))
    if region.inside or region.slots:
        return region
    board = rectangle(0, 0, view.table.ground.width, view.table.ground.height)
    return Region((board,), region.outside, region.levels, (), region.whole)


def _base(view: View, thing: str) -> Base:
    known = view.table.things.get(thing)
    return UNKNOWN if known is None or known.base is None else known.base


def _standing(view: View, but: tuple[str, ...]) -> list[Shape]:
    """What stands on the table, without the things that are being placed."""
    return [
        outline_of(model.base, model.place.point, model.facing)
        for model in view.table.models()
        if model.id not in but and model.base is not None and isinstance(model.place, At)
    ]


def grid_of(view: View, region: Region, cells: int) -> Iterator[At | In]:
    """The slots of a region, then points of a grid over its shapes, so many a side, borders included."""
    yield from region.slots
    for shape in region.inside:
        west, north, east, south = _box(shape)
        for row in range(cells + 1):
            for column in range(cells + 1):
                point = Point(west + (east - west) * column // cells, north + (south - north) * row // cells)
                for level in region.levels or (0,):
                    yield At(point, level)


def _nearest(where: At | In, near: list[Point]) -> int:
    if isinstance(where, In) or not near:
        return 0
    return min((where.point.x - x) ** 2 + (where.point.y - y) ** 2 for x, y in near)


def _box(shape: Shape) -> Box:
    points = (shape.center,) if isinstance(shape, Disc) else shape.points
    spread = 0 if isinstance(shape, Polygon) else shape.radius if isinstance(shape, Disc) else shape.width // 2
    xs, ys = [point.x for point in points], [point.y for point in points]
    return min(xs) - spread, min(ys) - spread, max(xs) + spread, max(ys) + spread
