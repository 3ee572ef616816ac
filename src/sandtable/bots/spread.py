"""Where to put things: apart from each other over the ground there is, facing the enemy; marks on whom they mean.

What a ruleset forbids besides only its judge knows. So a lawful way is taken as a start (what declining would do, where
that is something) and made better one thing at a time, as long as the judge agrees.
"""

from collections.abc import Iterator, Sequence

from sandtable.bots.draft_places import grid_of, region_of
from sandtable.engine.answers.judging import check
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import UNIT, At, Point, Spot
from sandtable.field.measure import bearing

#: How many cells a side the grid over a region has, and how many of its points are refused before it stays as it is.
CELLS = 12
REFUSED = 150
#: How often each of several things is moved.
ROUNDS = 2
#: So far apart is far enough: things that are farther from each other do not help each other.
APART = 10 * UNIT


def laid_out(ruleset: Ruleset, view: View, question: PlaceThings) -> Iterator[dict[str, Spot]]:
    """Ways to put things, the best first."""
    if not question.things:
        yield {}
        return
    if any(thing not in view.table.things for thing in question.things) and question.default is None:
        yield from _on_somebody(view, question)
    start = question.default
    if start is not None and question.together is None and len(question.things) > 1:
        yield _parted(ruleset, view, question, start)
    elif start is None:
        yield from _apart(view, question)


def _on_somebody(view: View, question: PlaceThings) -> Iterator[dict[str, Spot]]:
    """Marks where enemies stand: whom the question is about first."""
    meant = [view.table.things[name] for name in question.about if name in view.table.things]
    for thing in (*(one for one in meant if one.side != view.side), *view.enemies()):
        if isinstance(thing.place, At):
            yield {name: Spot(thing.place) for name in question.things}


def _apart(view: View, question: PlaceThings) -> Iterator[dict[str, Spot]]:
    """Each where it has most room on the grid of its region, ahead before behind; from several ends of the grid."""
    ahead = _middle(view)
    for shift in range(4):
        taken = _standing(view, question.things)
        draft: dict[str, Spot] = {}
        for thing in question.things:
            points = [at for at in grid_of(view, region_of(view, question, thing), CELLS) if isinstance(at, At)]
            points = points[shift:] or points
            if not points:
                return
            near = question.together is not None and bool(draft)
            sign = -1 if near else 1
            best = max(points, key=lambda at: (sign * _room(at.point, taken), -_far(at.point, ahead)))
            draft[thing] = Spot(best, bearing(best.point, ahead) if question.faces else 0)
            taken.append(best.point)
        yield draft


def _parted(ruleset: Ruleset, view: View, question: PlaceThings, start: dict[str, Spot]) -> dict[str, Spot]:
    """A lawful way, with each thing moved in its turn to where it has more room, if it may lie there.

    Who moved first made room for those who still lay as they did at the start; so there is a second round.
    """
    draft, others, barred = dict(start), _standing(view, question.things), dict[At, None]()
    for thing in question.things * ROUNDS:
        rest = [spot.where.point for name, spot in draft.items() if name != thing and isinstance(spot.where, At)]
        taken = [*rest, *others]
        here = draft[thing].where
        room = _room(here.point, taken) if isinstance(here, At) else 0
        points = [at for at in grid_of(view, region_of(view, question, thing), CELLS) if isinstance(at, At)]
        points.sort(key=lambda at: -_room(at.point, taken))
        for at in points:
            if len(barred) >= REFUSED or _room(at.point, taken) <= room:
                break
            other = {**draft, thing: Spot(at, draft[thing].facing)}
            if at in barred:
                continue
            if not isinstance(check(ruleset, view, question, other), Refusal):
                draft = other
                break
            barred[at] = None  # what bars one thing mostly bars the next
    return draft


def _room(at: Point, taken: Sequence[Point]) -> int:
    """How far the nearest of some points is, squared; beyond what is far enough nothing is gained."""
    return min((_far(at, other) for other in taken), default=APART * APART)


def _far(one: Point, other: Point) -> int:
    return min(APART * APART, (one.x - other.x) ** 2 + (one.y - other.y) ** 2)


def _standing(view: View, but: Sequence[str]) -> list[Point]:
    """Where the side's own things are already."""
    things = view.table.things.values()
    return [
        one.place.point
        for one in things
        if one.side == view.side and one.id not in but and not one.gone and isinstance(one.place, At)
    ]


def _middle(view: View) -> Point:
    ground = view.table.ground
    return Point(ground.width // 2, ground.height // 2)
