"""A path that is drawn too far, cut to what may be walked: by the ruleset's own judge, and by nothing else."""

from collections.abc import Callable, Mapping
from math import isqrt
from typing import Any

import msgspec

from sandtable.engine.answers.judging import check
from sandtable.engine.questions import MoveModels, Refusal
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import At, Leg, Point, Slide, Via, Walk

#: How fine a path is cut: in thousandths of the table's unit, and in degrees.
FINE = 10
#: The longest path that is worth cutting: beyond, somebody has slipped.
FARTHEST = 1_000_000

Walks = dict[str, Walk]


def clipped(ruleset: Ruleset, view: View, question: MoveModels, draft: Any) -> Walks | None:
    """The longest beginning of a drawn path that may be walked; none where even its first inch may not.

    A turn that is too wide is turned as far as may be. Marks beyond the end come to stand at it, and those that a
    question needs are set there. A path that may be walked further along but not so far is cut where it first stops.

    >>> from sandtable.engine.table import Ground, Table, Thing
    >>> class Short(Ruleset):
    ...     def judge(self, view, question, answer):
    ...         far = answer["m"].legs[0].go
    ...         return Refusal("r", "Too far.") if far > 2000 else None
    >>> view = View("red", Table(Ground(9000, 9000), ("red",), {"m": Thing("m", place=At(Point(0, 0)))}))
    >>> clipped(Short(), view, MoveModels("red", "Go.", models=("m",)), {"m": {"legs": [{"by": "leg", "go": 5000}]}})
    {'m': Walk(legs=(Leg(turn=0, go=2000),), marks={})}
    """
    try:
        walks = msgspec.convert(draft, dict[str, Walk])
    except msgspec.ValidationError:
        return None
    starts = {one: _start(view, one) for one in walks}
    lengths = {one: length(walk, starts[one]) for one, walk in walks.items()}
    farthest = max(lengths.values(), default=0)
    if farthest > FARTHEST:
        return None
    needed = [mark.id for mark in question.marks if mark.required]

    def cut(share: int) -> Walks:
        """All walks, each as far as that share of the longest of them, in steps of `FINE`."""
        return {
            one: _marked(shortened(walk, starts[one], lengths[one] * share * FINE // max(1, farthest)), needed)
            for one, walk in walks.items()
        }

    def lawful(walked: Walks) -> bool:
        return not isinstance(check(ruleset, view, question, msgspec.to_builtins(walked)), Refusal)

    found = _longest(cut, -(-farthest // FINE), lawful)
    return found if found is not None else _turned(walks, needed, lawful)


def _longest(cut: Callable[[int], Walks], most: int, lawful: Callable[[Walks], bool]) -> Walks | None:
    """The longest lawful cut, found by halving; what is next to it is refused."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if lawful(cut(middle)) else (low, middle - 1)
    return cut(low) if low and lawful(cut(low)) else None


def _turned(walks: Mapping[str, Walk], needed: list[str], lawful: Callable[[Walks], bool]) -> Walks | None:
    """Where no step may be taken because of the turn before it: turned as far as may be, without a step."""
    firsts = {one: walk.legs[0] for one, walk in walks.items() if walk.legs}
    turns = {one: leg.turn for one, leg in firsts.items() if isinstance(leg, Leg) and leg.turn}
    if not turns:
        return None
    widest = max(abs(turn) for turn in turns.values())

    def cut(degrees: int) -> Walks:
        legs = {one: Leg(int(turn * degrees / widest)) for one, turn in turns.items()}
        return {one: _marked(Walk((leg,)), needed) for one, leg in legs.items()}

    return _longest(cut, widest, lawful)


def _start(view: View, model: str) -> Point:
    thing = view.table.things.get(model)
    return thing.place.point if thing is not None and isinstance(thing.place, At) else Point(0, 0)


def length(walk: Walk, start: Point) -> int:
    """How long a walk is.

    >>> length(Walk((Leg(90, 2000), Leg(0, -500))), Point(0, 0))
    2500
    """
    return sum(_leg_length(leg, before) for leg, before in _with_points(walk, start))


def _leg_length(leg: Leg | Via, before: Point) -> int:
    if isinstance(leg, Leg):
        return leg.length
    return isqrt((leg.point.x - before.x) ** 2 + (leg.point.y - before.y) ** 2)


def _with_points(walk: Walk, start: Point) -> list[tuple[Leg | Via, Point]]:
    """The legs, with the point before each that goes to a point."""
    found: list[tuple[Leg | Via, Point]] = []
    at = start
    for leg in walk.legs:
        found.append((leg, at))
        at = leg.point if isinstance(leg, Via) else at
    return found


def shortened(walk: Walk, start: Point, most: int) -> Walk:
    """The beginning of a walk, so long; its marks at most at its end.

    >>> shortened(Walk((Leg(90, 2000), Leg(0, 500)), {"fires": 2400}), Point(0, 0), 2100)
    Walk(legs=(Leg(turn=90, go=2000), Leg(turn=0, go=100)), marks={'fires': 2100})
    """
    legs: list[Leg | Via] = []
    left = most
    for leg, before in _with_points(walk, start):
        far = _leg_length(leg, before)
        if far > left:
            if left > 0:
                legs.append(_part(leg, before, far, left))
            break
        legs.append(leg)
        left -= far
    return Walk(tuple(legs), {mark: min(along, most) for mark, along in walk.marks.items()})


def _part(leg: Leg | Via, before: Point, far: int, most: int) -> Leg | Via:
    if isinstance(leg, Slide):
        return Slide(leg.turn, leg.go * most // far, leg.side * most // far)
    if isinstance(leg, Leg):
        return Leg(leg.turn, most if leg.go > 0 else -most)
    x, y = (start + (end - start) * most // far for start, end in zip(before, leg.point, strict=True))
    return Via(Point(x, y), leg.level)


def _marked(walk: Walk, needed: list[str]) -> Walk:
    """With what has to be marked, at its end where it is not."""
    missing = {mark: _along(walk) for mark in needed if mark not in walk.marks}
    return Walk(walk.legs, {**walk.marks, **missing}) if missing else walk


def _along(walk: Walk) -> int:
    return sum(leg.length for leg in walk.legs if isinstance(leg, Leg))
