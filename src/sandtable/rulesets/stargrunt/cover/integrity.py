"""Integrity: whether figures hang together, in a chain of links or within a circle; by exact geometry."""

from collections.abc import Sequence
from itertools import combinations

from sandtable.engine.shapes import Point
from sandtable.field.measure import center_gap
from sandtable.forces.ledger import rule

INTEGRITY = rule("stargrunt.cover.unit-integrity")


def in_integrity(spots: Sequence[Point]) -> bool:
    """Whether a unit is in integrity: a circle 6 inches across holds all, or a chain of 2-inch links joins all.

    >>> in_integrity([Point(0, 0), Point(6000, 0)]), in_integrity([Point(0, 0), Point(6001, 0)])
    (True, False)
    """
    return _chained(spots, INTEGRITY.inches("chain_in")) or in_circle(spots, INTEGRITY.inches("circle_diameter_in"))


def _chained(spots: Sequence[Point], link: int) -> bool:
    linked, left = list(spots[:1]), list(spots[1:])
    for at in linked:
        near = [p for p in left if center_gap(at, p) <= link * link]
        left = [p for p in left if p not in near]
        linked += near
    return not left


def in_circle(spots: Sequence[Point], across: int) -> bool:
    """Whether a circle of a diameter can hold all the points, exactly: on every two or three of them.

    By Helly's theorem discs of that radius around the points meet if every three of them do.

    >>> in_circle([Point(0, 0), Point(6, 0), Point(3, 3)], 6), in_circle([Point(0, 0), Point(6, 0), Point(3, 4)], 6)
    (True, False)
    """
    square = across * across
    if any(center_gap(a, b) > square for a, b in combinations(spots, 2)):
        return False
    return all(_three_fit(a, b, c, square) for a, b, c in combinations(dict.fromkeys(spots), 3))


def _three_fit(a: Point, b: Point, c: Point, square: int) -> bool:
    """Whether three points fit a circle of a squared diameter: by the longest side, or by the circle through them."""
    sides = sorted((center_gap(a, b), center_gap(b, c), center_gap(a, c)))
    if sides[0] + sides[1] <= sides[2]:
        return sides[2] <= square
    doubled = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
    # The diameter through three points is abc / (2 area); the doubled area is at hand.
    return sides[0] * sides[1] * sides[2] <= square * doubled * doubled
