"""A small made-up way of paying for movement, for the tests of paths, planner and reach."""

import random
from collections.abc import Callable
from typing import NamedTuple

from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import PieceId, RuleId
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, Band, Base, Disc, Leg, Point, Polygon, Shape, Walk, rectangle
from sandtable.engine.table import Contour, Ground, Piece
from sandtable.field.measure import outline_of, overlap
from sandtable.field.walking.cost import Touch, TurnTouch, total_cost
from sandtable.field.walking.encounters import first_true, leaves_board, meetings, over_edge
from sandtable.field.walking.paths import Pose, resolve
from sandtable.field.walking.planner import Gait, Planner
from sandtable.field.walking.reach import Walker
from sandtable.field.walking.surroundings import Lie

HEX = Base("hexagon", 1500)
ROUND = Base("circle", 1000)
COSTS = {"woods": 2, "swamp": 4}


class Pace:
    """One move: an inch costs what its dearest piece says and 1 for every further one, climbing 1, backwards 1.

    The first turn of up to 90 degrees is free, each further one costs 1. Nobody enters a building.
    """

    def __init__(self, allowance: int | None = None, part: str = "base", turns_free: bool = False) -> None:
        self.allowance = allowance
        self.part = part
        self.turns_free = turns_free

    def road(self, piece: Piece) -> bool:
        return piece.kind == "road"

    def inch(self, touch: Touch) -> Explanation | Refusal:
        kinds = sorted({piece.kind for piece in touch.pieces if piece.kind in COSTS}, key=lambda kind: -COSTS[kind])
        if any(piece.kind == "building" for piece in touch.pieces):
            return Refusal(RuleId("test.building"), "A building is in the way.")
        parts = [ExplainedPart(kinds[0] if kinds else "open", COSTS[kinds[0]] if kinds else 1, RuleId("test.ground"))]
        parts += [ExplainedPart(kind, 1, RuleId("test.combined")) for kind in kinds[1:]]
        if touch.up:
            parts.append(ExplainedPart("climb", touch.up, RuleId("test.climb")))
        if touch.whole_way:
            parts = [ExplainedPart("road", 1, RuleId("test.road"))]
        if touch.backwards:
            parts.append(ExplainedPart("backwards", 1, RuleId("test.backwards")))
        return explain("inch", *parts)

    def turn(self, turn: TurnTouch) -> Explanation | Refusal:
        if abs(turn.turn.degrees) > 90:
            return Refusal(RuleId("test.turn"), "A turn is of at most 90 degrees.")
        if any(piece.kind == "building" for piece in turn.pieces):
            return Refusal(RuleId("test.building"), "A building is in the way.")
        free = self.turns_free or turn.number == 0
        return explain("turn", ExplainedPart("turn", 0 if free else 1, RuleId("test.turn")))

    def too_dear(self, cost: Explanation, left: int) -> Refusal:
        return Refusal(RuleId("test.allowance"), f"It costs {cost.total}, and {left} are left.")


def judge(
    ground: Ground, base: Base, start: Pose, allowance: int, others: tuple[Shape, ...] = (), may_leave: bool = False
) -> Callable[[Walk], int | Refusal]:
    """What a ruleset would hand to the planner: the cost of a walk from a pose, or why it is refused."""

    def price_walk(walk: Walk) -> int | Refusal:
        track = resolve(start, walk)
        if not may_leave:
            if leaves_board(track, base, ground) is not None:
                return Refusal(RuleId("test.edge"), "The base would leave the board.")
            if any(over_edge(outline_of(base, turn.point, turn.facing), ground) for turn in track.turns):
                return Refusal(RuleId("test.edge"), "The base would leave the board.")
        if any(meeting.last is not None for meeting in meetings(track, base, others)):
            return Refusal(RuleId("test.overlap"), "Another base is in the way.")
        return total_cost(track, base, ground, Pace(allowance))

    return price_walk


def wooded(seed: int, size: int = 24 * UNIT, keep_free: Point | None = None) -> Ground:
    """A board with woods, swamps, buildings, a hill and a road strewn over it."""
    rng = random.Random(seed)
    pieces: list[Piece] = []
    for number in range(rng.randrange(3, 9)):
        x, y = rng.randrange(size), rng.randrange(size)
        kind = rng.choice(["woods", "woods", "swamp", "building", "building", "hill"])
        radius = rng.randrange(1500, 4000)
        outline: Shape = Disc(Point(x, y), radius)
        contours: tuple[Contour, ...] = ()
        if kind == "building":
            outline = rectangle(x, y, rng.randrange(1500, 4000), rng.randrange(1500, 4000))
        elif kind == "hill":
            contours = (Contour(1, outline), Contour(2, Disc(Point(x, y), radius // 2)))
        elif rng.random() < 0.5:
            outline = Polygon(
                tuple(Point(x + dx, y + dy) for dx, dy in ((0, 0), (4000, 900), (2500, 3000), (300, 2100)))
            )
        if keep_free is not None and kind == "building" and overlap(outline, Disc(keep_free, 900)):
            continue
        pieces.append(Piece(PieceId(f"{kind}{number}"), kind, outline, contours=contours))
    if rng.random() < 0.5:
        pieces.append(Piece(PieceId("road"), "road", Band((Point(0, size // 3), Point(size, size // 2)), 2000)))
    return Ground(size, size, tuple(pieces))


def random_walk(rng: random.Random, legs: int = 4, longest: int = 5000) -> Walk:
    """Legs with whole-degree turns of at most a quarter, forwards and now and then backwards."""
    return Walk(
        tuple(
            Leg(rng.choice([0, rng.randrange(-90, 91)]), rng.choice([1, 1, 1, -1]) * rng.randrange(longest))
            for _ in range(rng.randrange(1, legs + 1))
        )
    )


def weigh(piece: Piece) -> int | None:
    """How the tests' planners look at a piece."""
    if piece.kind == "building":
        return None
    return 0 if piece.kind == "road" else COSTS.get(piece.kind, 1)


class Scene(NamedTuple):
    """A thing to move on a strewn board, with its judge and its planner."""

    start: Pose
    price_walk: Callable[[Walk], int | Refusal]
    planner: Planner


def scene(seed: int, allowance: int) -> Scene:
    """A hexagon in the middle of a strewn board, with three others standing around."""
    rng = random.Random(seed)
    start = Pose(Point(12000, 12000), rng.randrange(360))
    ground = wooded(seed, keep_free=start.point)
    around = [Point(12000 + rng.randrange(-6000, 6000), 12000 + rng.randrange(-6000, 6000)) for _ in range(3)]
    standing = tuple(outline_of(HEX, at, rng.randrange(360)) for at in around)
    others: tuple[Shape, ...] = tuple(shape for shape in standing if not overlap(shape, Disc(start.point, 1000)))
    price_walk = judge(ground, HEX, start, allowance, others)
    gait = Gait(
        farthest=allowance * UNIT,
        most_turn=90,
        free_turns=1,
        turn_length=UNIT,
        backwards=True,
        backward_length=2 * UNIT,
    )
    return Scene(start, price_walk, Planner(start, price_walk, gait, Lie(ground, HEX, weigh, others)))


def lawful_ends(scene: Scene, count: int, seed: int, allowance: int) -> list[Point]:
    """Where so many random lawful walks end."""
    rng = random.Random(seed)
    found: list[Point] = []
    for _ in range(100 * count):
        walk = random_walk(rng, 3, allowance * 800)
        if not isinstance(scene.price_walk(walk), Refusal):
            found.append(resolve(scene.start, walk).end.point)
            if len(found) == count:
                break
    return found


def walker(planner: Planner) -> Walker:
    """The thing of a planner, as far as its judge lets it walk: found by trial."""

    def as_far(walk: Walk) -> int:
        track = resolve(planner.start, walk)
        if planner.priced(walk) is not None:
            return track.length
        refused = first_true(0, track.length, lambda gone: planner.priced(track.cut(gone)[0]) is None)
        return max(0, (refused or 0) - 1)

    return Walker(planner.start, as_far, planner.gait, planner.lie)
