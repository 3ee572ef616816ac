"""Figures on one-inch bases and the units they make: who is fit, how far units are apart, how figures walk."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import BOARD, Halted, Moved, Placed
from sandtable.engine.explain import inches
from sandtable.engine.questions import MoveModels, Refusal, Together
from sandtable.engine.shapes import UNIT, At, Base, Disc, Off, Point, Via, Walk, rectangle
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.measure import center_gap, gap_floor
from sandtable.field.paths import Pose, Track, resolve

BASE = Base("circle", UNIT)
ON_THE_TABLE = "stargrunt.movement.table-edges"
MOVING = "stargrunt.movement.moving-figures"
INTEGRITY = "stargrunt.cover.unit-integrity"
CHAIN = Together(within=2 * UNIT, rule=INTEGRITY, label="each figure within 2 inches of the next")


def lay_board(battle: Battle, size: int) -> None:
    """Put down a square board of so many inches."""
    board = Piece("board", BOARD, rectangle(0, 0, size * UNIT, size * UNIT))
    battle.happens(Placed("board", Off(), piece=board, rule="stargrunt.scenario.table-and-baselines"))


def figure(name: str, side: str, unit: str, track: int = 2) -> Thing:
    """A new figure: one point of harm is a wound, the second kills."""
    return Thing(name, side=side, label=name, base=BASE, unit=unit, track=track, glyph="figure")


def row(at: Point, figures: int) -> list[Point]:
    """Places for figures in a row, centred on a point, with a fifth of an inch between bases."""
    step = 1200
    left = at.x - step * (figures - 1) // 2
    return [Point(left + step * n, at.y) for n in range(figures)]


def spot(thing: Thing) -> Point:
    """Where a thing stands on the table."""
    assert isinstance(thing.place, At), f"{thing.id} is not on the table"
    return thing.place.point


def fit(table: Table, unit: str) -> list[Thing]:
    """The figures of a unit that still act: on the table, unhurt and on their feet (stargrunt.units.figure-status)."""
    return [f for f in table.members(unit) if type(f.place) is At and not f.harm and not f.has("down")]


def unit_gap(ours: Sequence[Point], theirs: Sequence[Point]) -> Fraction:
    """The square of the distance between the centres of two units (stargrunt.cover.measuring), exactly.

    >>> unit_gap([Point(0, 0), Point(1, 0)], [Point(5, 0)])
    Fraction(81, 4)
    """
    x = Fraction(sum(p.x for p in ours), len(ours)) - Fraction(sum(p.x for p in theirs), len(theirs))
    y = Fraction(sum(p.y for p in ours), len(ours)) - Fraction(sum(p.y for p in theirs), len(theirs))
    return x * x + y * y


def within(gap: Fraction, reach: int) -> bool:
    """Whether a squared distance is at most so many inches."""
    return gap <= (reach * UNIT) ** 2


def bands(gap: Fraction, width: int) -> int:
    """In which band of so many inches a squared distance lies; the first is 1.

    >>> bands(Fraction(8000**2), 8), bands(Fraction(8000**2) + 1, 8)
    (1, 2)
    """
    band = 1
    while not within(gap, width * band):
        band += 1
    return band


def whole_steps(gap: Fraction, length: int) -> int:
    """How often so many inches go into a squared distance, in full."""
    steps = 0
    while gap >= ((steps + 1) * length * UNIT) ** 2:
        steps += 1
    return steps


def in_integrity(points: Sequence[Point]) -> bool:
    """Whether a chain of at most two inches a link, centre to centre, joins all the points."""
    linked, left = list(points[:1]), list(points[1:])
    for at in linked:
        near = [p for p in left if center_gap(at, p) <= (2 * UNIT) ** 2]
        left = [p for p in left if p not in near]
        linked += near
    return not left


def crowded(points: Iterable[Point], others: Iterable[Point]) -> bool:
    """Whether one-inch bases at some points would overlap each other or bases at other points."""
    taken = list(others)
    for point in points:
        if any(center_gap(point, other) < UNIT * UNIT for other in taken):
            return True
        taken.append(point)
    return False


# Walking -----------------------------------------------------------------------------------------------------------


class Way(NamedTuple):
    """One figure's way."""

    figure: Thing
    track: Track


def tracks(table: Table, models: Iterable[str], walks: dict[str, Walk]) -> list[Way]:
    """The ways of figures; one without a walk stays where it is."""
    return [Way(table[m], resolve(Pose(spot(table[m])), walks.get(m, Walk()))) for m in models]


def move_refused(
    table: Table, question: MoveModels, walks: dict[str, Walk], rule: str, *, avoid: str = ""
) -> Refusal | None:
    """Why figures may not walk so: too far, off the board, into somebody, out of integrity, or too near the enemy.

    `avoid` is the side whose located figures are kept an inch away from (base to base); face-down counters and
    whatever lies under them never count (stargrunt.observation.located-enemy).
    """
    for walk in walks.values():
        if any(isinstance(leg, Via) and leg.level != 0 for leg in walk.legs):
            return Refusal(rule, "Figures stay on the ground here.")
    ways = tracks(table, question.models, walks)
    others = [spot(t) for t in table.models() if t.id not in question.models]
    enemies = [Disc(spot(t), UNIT // 2) for t in table.models() if t.side == avoid]
    for one, track in ways:
        if track.length > question.allowance.get(one.id, 0):
            far, may = inches(track.length), inches(question.allowance.get(one.id, 0))
            return Refusal(rule, f"{one.label} would go {far}; {may} are allowed.")
        at = track.end.point
        if not (500 <= at.x <= table.ground.width - 500 and 500 <= at.y <= table.ground.height - 500):
            return Refusal(ON_THE_TABLE, f"{one.label} would leave the table.")
        for shape in track.swept(BASE, 0, track.length) if enemies and track.length else ():
            if any(gap_floor(shape, enemy) < UNIT for enemy in enemies):
                return Refusal(MOVING, f"{one.label} would come within an inch of an enemy.")
    ends = [way.track.end.point for way in ways]
    if crowded(ends, others):
        return Refusal(MOVING, "Two bases would overlap.")
    began = in_integrity([spot(way.figure) for way in ways])
    if question.together is not None and began and not in_integrity(ends):
        return Refusal(INTEGRITY, "The unit would end out of integrity: each figure within 2 inches of the next.")
    return None


def walk_on(
    battle: Battle,
    models: Sequence[str],
    walks: dict[str, Walk],
    rule: str,
    *,
    upto: int | None = None,
    manner: str = "own",
    because: int = 0,
) -> dict[str, Walk]:
    """Let figures walk, all of them at once, up to a distance; gives the walks that are left over.

    Where bases would meet on the way, all stop at the last tenth of an inch before it.
    """
    ways = tracks(battle.table, models, walks)
    going = max((way.track.length for way in ways), default=0)
    goal = going if upto is None else min(upto, going)
    others = [spot(t) for t in battle.table.models() if t.id not in models]
    reach = goal
    while reach > 0 and crowded((_after(way.track, reach) for way in ways), others):
        reach = max(0, reach - 100)
    rest = {}
    for one, track in ways:
        gone = min(reach, track.length)
        if gone == 0 and track.length == 0:
            continue
        done, left = track.cut(gone)
        to = At(_after(track, gone))
        n = battle.happens(Moved(one.id, one.place, to, walk=done, manner=manner, rule=rule, because=because))
        if gone < track.length:
            battle.happens(Halted(one.id, gone, to, rule=rule, because=n))
            rest[one.id] = left
    return rest


def _after(track: Track, distance: int) -> Point:
    return track.pose_at(min(distance, track.length)).point


def bases_apart(table: Table) -> None:
    """An invariant: no two bases on the table overlap."""
    points = [spot(one) for one in table.models()]
    assert not crowded(points, ()), f"two bases overlap: {points}"
