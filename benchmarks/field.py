"""How fast the exact table is: a survey of 24 poses, and single verdicts beside shapely's in the same run.

Absolute times depend on the machine and on what else it does; the ratios less so.

    python benchmarks/field.py [--json]
"""

import json
import random
import sys
from collections.abc import Callable
from time import perf_counter

import numpy as np
import shapely
from shapely.ops import nearest_points as shapely_nearest

from sandtable.engine.ids import PieceId
from sandtable.engine.shapes import Band, Base, Disc, Point, Polygon, Shape, rectangle
from sandtable.engine.table import Contour, Ground, Piece
from sandtable.field import _kernel
from sandtable.field.measure import first_touch, gap, nearest_points, outline_of, overlap, sweeps_over
from sandtable.field.sight import sight_line
from sandtable.field.survey import Standing, survey

WIDTH = 48_000
HEXAGON = Base("hexagon", 1500)
QUARTERS = ((-45, 45), (45, 135), (135, 225), (225, 315))


def table(dice: random.Random) -> tuple[Ground, list[Standing]]:
    """A table four feet square with 20 terrain pieces, four of them hills of two levels, and 20 models."""
    pieces = []
    for number in range(20):
        x, y = dice.randint(3000, WIDTH - 9000), dice.randint(3000, WIDTH - 9000)
        ragged = ((0, 0), (3000, 500), (4000, 3000), (2000, 2500), (1500, 4500), (-500, 3000), (600, 1500))
        outline: Shape = (
            Disc(Point(x, y), dice.randint(1500, 3500)),
            rectangle(x, y, dice.randint(2000, 5000), dice.randint(2000, 5000)),
            Polygon(tuple(Point(x + a, y + b) for a, b in ragged)),
            Band((Point(x, y), Point(x + 3000, y + 2000), Point(x + 5000, y + 1500)), 700),
            Disc(Point(x, y), 4000),
        )[number % 5]
        hill = number % 5 == 4
        contours = (Contour(1, outline), Contour(2, Disc(Point(x, y), 2500))) if hill else ()
        pieces.append(Piece(PieceId(f"piece-{number}"), "hill" if hill else "woods", outline, 2, contours))
    models = [
        Standing(
            f"model-{i}", HEXAGON, Point(dice.randint(1000, WIDTH), dice.randint(1000, WIDTH)), dice.randrange(360)
        )
        for i in range(20)
    ]
    return Ground(WIDTH, WIDTH, tuple(pieces)), models


def as_geometry(shape: Shape) -> shapely.Geometry:
    """The same shape for shapely; its circles have 64 sides."""
    if isinstance(shape, Disc):
        return shapely.Point(shape.center).buffer(shape.radius)
    if isinstance(shape, Polygon):
        return shapely.Polygon(shape.points)
    return shapely.LineString(shape.points).buffer(shape.width / 2)


def seconds(call: Callable[[], object], least: float = 0.3) -> float:
    """Seconds a call takes: the best of three rounds."""
    call()
    rounds = 1
    while True:
        started = perf_counter()
        for _ in range(rounds):
            call()
        took = perf_counter() - started
        if took > least / 3:
            break
        rounds *= 2
    best = took
    for _ in range(2):
        started = perf_counter()
        for _ in range(rounds):
            call()
        best = min(best, perf_counter() - started)
    return best / rounds


def measure_all() -> dict[str, float]:
    """Microseconds of every call, and ratios to shapely (above 1: quicker than shapely)."""
    dice = random.Random(3)
    ground, models = table(dice)
    me, others = models[0], models[1:]
    batches = [
        [(Point(dice.randint(1000, WIDTH), dice.randint(1000, WIDTH)), dice.randrange(360)) for _ in range(24)]
        for _ in range(400)
    ]
    turns = iter(range(10**9))
    found = {
        "survey of 24 poses": seconds(lambda: survey(ground, HEXAGON, batches[next(turns) % 400], others, QUARTERS))
    }

    pairs = [(a, b) for a in models for b in models if a is not b]
    found["sight line"] = seconds(lambda: sight_line(ground, *pairs[next(turns) % len(pairs)], models))
    outlines = {model.id: outline_of(HEXAGON, model.at, model.facing) for model in models}
    geometries = {name: as_geometry(outline) for name, outline in outlines.items()}
    features = [as_geometry(piece.outline) for piece in ground.pieces]
    features += [as_geometry(contour.outline) for piece in ground.pieces for contour in piece.contours]
    objects = np.array([*features, *geometries.values()])
    shapely.prepare(objects)

    def shapely_sight() -> list[object]:
        a, b = pairs[next(turns) % len(pairs)]
        start, end = shapely_nearest(geometries[a.id], geometries[b.id])
        line = shapely.LineString((start, end))
        crossed = objects[shapely.intersects(objects, line)]
        # As much as a crossing says: where, whether either end is near or inside.
        near = [shapely.distance(crossed, geometries[model.id]) <= 1000 for model in (a, b)]
        held = [shapely.contains_xy(crossed, *model.at) for model in (a, b)]
        return [shapely.intersection(crossed, line), near, held]

    found["sight line, shapely"] = seconds(shapely_sight)
    shapes = [(outlines[a.id], outlines[b.id]) for a, b in pairs]
    drawn = [(geometries[a.id], geometries[b.id]) for a, b in pairs]
    for words, ours, theirs in (
        ("gap", gap, shapely.distance),
        ("overlap", overlap, shapely.overlaps),
        ("nearest points", nearest_points, shapely_nearest),
    ):
        found[words] = seconds(lambda ours=ours: ours(*shapes[next(turns) % len(shapes)]))  # type: ignore[misc]
        found[f"{words}, shapely"] = seconds(lambda theirs=theirs: theirs(*drawn[next(turns) % len(drawn)]))  # type: ignore[misc]
    wood = ground.pieces[2].outline
    ends = [Point(me.at.x + dice.randint(-6000, 6000), me.at.y + dice.randint(-6000, 6000)) for _ in range(100)]
    found["sweep"] = seconds(lambda: sweeps_over(HEXAGON, me.at, ends[next(turns) % 100], me.facing, wood))
    found["first touch"] = seconds(lambda: first_touch(HEXAGON, me.at, 0, next(turns) % 360, 9000, wood))
    return {words: 1e6 * took for words, took in found.items()}


def main() -> None:
    """Measure and print."""
    found = measure_all()
    kernel = "compiled" if _kernel.compiled() else "interpreted"
    ratios = {words: found[f"{words}, shapely"] / found[words] for words in found if f"{words}, shapely" in found}
    if "--json" in sys.argv:
        print(json.dumps({"kernel": kernel, "microseconds": found, "times_as_fast_as_shapely": ratios}, indent=1))
        return
    print(f"the exact table, kernel {kernel}; 20 models, 20 pieces")
    for words, took in found.items():
        if not words.endswith(", shapely"):
            beside = f"   {ratios[words]:6.1f} times as fast as shapely" if words in ratios else ""
            print(f"  {words:20} {took:9.1f} µs{beside}")


if __name__ == "__main__":
    main()
