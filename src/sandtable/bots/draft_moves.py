"""Moves for drafts: a few legs towards somebody or anywhere, shorter after each refusal; then a search by directions.

Whether things turn and go or go straight to points is the ruleset's affair: both are tried, and what was accepted last
for a topic is tried first the next time.
"""

from collections.abc import Iterator
from itertools import product
from math import isqrt
from random import Random
from typing import Any

from sandtable.engine.questions import MoveModels
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Disc, Leg, Point, Region, Via, Walk
from sandtable.engine.table import Thing
from sandtable.field.directions import along
from sandtable.field.measure import bearing
from sandtable.field.outlines import base_radius

#: How much of its reach a model dares to use, attempt by attempt, in hundredths.
DARING = (100, 100, 60, 60, 35, 35, 20, 20, 10, 10, 5, 5)
#: How often, in a hundred, it does not care that a path leads over the edge of the board.
RECKLESS = 2
#: How often, in a hundred, it wants the nearest of several enemies.
NEAREST = 65
#: Directions and shares of the reach that a search tries.
DIRECTIONS = range(0, 360, 15)
SHARES = (100, 75, 50, 25, 12, 6, 3)


class Moves:
    """Draws answers to move questions."""

    def __init__(self, random: Random, goes_for: int, looks_at: int) -> None:
        self.random = random
        self.goes_for, self.looks_at = goes_for, looks_at
        self._by_points: dict[str, bool] = {}  # topic → whether points, rather than turns, were accepted last

    def learn(self, question: MoveModels, draft: Any) -> None:
        """Remember what kind of legs was accepted."""
        for walk in (draft or {}).values():
            for leg in walk.legs:
                self._by_points[question.topic] = isinstance(leg, Via)

    def drafts(self, view: View, question: MoveModels) -> Iterator[dict[str, Walk]]:
        """Drafts that grow shorter; where paths are bound, the bound ones come first."""
        if question.bound_to:
            yield {model: question.bound_to.get(model, self._marked(question, Walk(), 0)) for model in question.models}
        known = self._by_points.get(question.topic)
        for attempt, daring in enumerate(DARING):
            by_points = _has_round_base(view, question) if known is None else known
            by_points = by_points != (known is None and attempt % 2 == 1)
            widest = (180, 90, 60, 45, 30)[min(attempt // 2, 4)]
            draft = self._draft(view, question, daring, widest, by_points=by_points)
            for _ in range(4):
                if self._chance(RECKLESS) or all(_ends_on_board(view, m, walk) for m, walk in draft.items()):
                    break
                draft = self._draft(view, question, daring, widest, by_points=by_points)
            yield draft

    def search(self, view: View, question: MoveModels) -> Iterator[dict[str, Walk]]:
        """Staying, going straight at somebody, every direction and distance, in step and one by one; straight back."""
        yield self.stays(question)
        for by_points in (False, True):
            for goal in self.goals(view, question):
                for share in SHARES:
                    yield self.in_step(view, question, goal, share, by_points=by_points)
        for share, degrees, by_points in product(SHARES, DIRECTIONS, (False, True)):
            yield {
                model: self._walk(view, question, model, degrees, _reach(question, model) * share // 100, by_points)
                for model in question.models
            }
        if len(question.models) > 1:
            for mover, share, degrees, by_points in product(question.models, SHARES, DIRECTIONS, (False, True)):
                stay = self.stays(question)
                length = _reach(question, mover) * share // 100
                yield {**stay, mover: self._walk(view, question, mover, degrees, length, by_points)}
        for share in SHARES:  # straight back, eyes ahead
            back = {model: _reach(question, model) * share // 100 for model in question.models}
            yield {model: self._marked(question, Walk((Leg(0, -far),)), far) for model, far in back.items()}

    def stays(self, question: MoveModels) -> dict[str, Walk]:
        """Nobody goes anywhere."""
        return {model: self._marked(question, Walk(), 0) for model in question.models}

    def _draft(self, view: View, question: MoveModels, daring: int, widest: int, *, by_points: bool) -> dict[str, Walk]:
        goals = self.goals(view, question)
        first = view.table.things.get(question.models[0]) if question.models else None
        goal = self._one_of(first, goals) if goals and self._chance(self.goes_for) else None
        if goal is not None and len(question.models) > 1:
            return self.in_step(view, question, goal, daring, by_points=by_points)
        shared = self.random.randrange(360)
        apart = self._chance(35) and question.together is None
        walks: dict[str, Walk] = {}
        for model in question.models:
            if model in question.bound_to:
                walks[model] = question.bound_to[model]
                continue
            most = _reach(question, model) * daring // 100
            length = self.random.randint(most // 3, most) if self._chance(70) else most
            degrees = self.random.randrange(360) if apart else shared
            if goal is not None:
                degrees, distance = _towards(view, model, goal)
                degrees += self.random.choice((0, self.random.randint(-70, 70)))  # straight on is often barred
                length = min(length, distance)
            walks[model] = self._walk(view, question, model, degrees, length, by_points, widest)
        return walks

    def in_step(self, view: View, question: MoveModels, goal: Point, share: int, *, by_points: bool) -> dict[str, Walk]:
        """All models as one of them goes towards a goal: the same way, the same distance."""
        leader = self.random.choice(question.models)
        degrees, distance = _towards(view, leader, goal)
        most = min(_reach(question, model) for model in question.models)
        length = min(distance, most) * share // 100
        return {model: self._walk(view, question, model, degrees, length, by_points) for model in question.models}

    def _walk(
        self,
        view: View,
        question: MoveModels,
        model: str,
        degrees: int,
        length: int,
        by_points: bool,
        wild: int = 0,
    ) -> Walk:
        """One model's walk in a direction. A wild one varies, and turns no wider than so many degrees at once."""
        thing = view.table.things.get(model)
        here = thing.place.point if thing is not None and isinstance(thing.place, At) else Point(0, 0)
        if by_points:
            level = self._level(view, thing, question.ends)
            end = along(here, degrees, length)
            legs: list[Leg | Via] = [Via(end, level)] if length else []
            return self._marked(question, Walk(tuple(legs)), _distance(here, end))
        turn = (degrees - (thing.facing if thing is not None else 0) + 180) % 360 - 180
        turn = max(-wild, min(wild, turn)) if wild else turn
        if wild and self._chance(10):
            legs = [Leg(0, -(length // 4))]  # a step back, eyes ahead
        elif wild and self._chance(25):
            part = self.random.randint(0, length)
            legs = [Leg(turn, part), Leg(self.random.randint(-60, 60), (length - part) // 2)]
        else:
            legs = [Leg(turn, length)]
        if wild and self._chance(self.looks_at):
            legs += self._look(view, here, thing, legs)
        return self._marked(question, Walk(tuple(legs)), sum(abs(leg.go) for leg in legs if isinstance(leg, Leg)))

    def _look(self, view: View, here: Point, thing: Thing | None, legs: list[Leg | Via]) -> list[Leg]:
        """A last turn towards an enemy, from where the legs end."""
        enemies = [enemy.place.point for enemy in view.enemies() if isinstance(enemy.place, At)]
        if thing is None or not enemies:
            return []
        facing, point = thing.facing, here
        for leg in legs:
            if isinstance(leg, Leg):
                facing += leg.turn
                point = along(point, facing, leg.go)
        turn = (bearing(point, self._one_of(thing, enemies)) - facing + 180) % 360 - 180
        return [Leg(turn)] if turn else []

    def _level(self, view: View, thing: Thing | None, ends: Region | None) -> int:
        """The level it is on, mostly; now and then another that is there."""
        if ends is not None and ends.levels:
            return self.random.choice(ends.levels)
        level = thing.place.level if thing is not None and isinstance(thing.place, At) else 0
        levels = [part.level for piece in view.table.ground.pieces for part in piece.parts]
        return self.random.choice(levels) if levels and self._chance(15) else level

    def _marked(self, question: MoveModels, walk: Walk, length: int) -> Walk:
        """The walk with its marks somewhere along: those that must be set, and now and then one that may."""
        marks = {
            asked.id: self.random.randint(0, length) for asked in question.marks if asked.required or self._chance(50)
        }
        return Walk(walk.legs, marks)

    def goals(self, view: View, question: MoveModels) -> list[Point]:
        """Where it may want to go: into the region it must end in, else to what the question is about, or an enemy."""
        if question.ends is not None and question.ends.inside:
            return [_middle(shape) for shape in question.ends.inside]
        named = [view.table.things[name] for name in question.about if name in view.table.things]
        found = [t for t in named if t.id not in question.models and t.side != view.side] or view.enemies()
        return [thing.place.point for thing in found if isinstance(thing.place, At)]

    def _one_of(self, thing: Thing | None, points: list[Point]) -> Point:
        """One of some points, mostly the nearest."""
        if thing is None or not isinstance(thing.place, At) or not self._chance(NEAREST):
            return self.random.choice(points)
        here = thing.place.point
        return min(points, key=lambda point: (point.x - here.x) ** 2 + (point.y - here.y) ** 2)

    def _chance(self, in_a_hundred: int) -> bool:
        return self.random.randrange(100) < in_a_hundred


def _ends_on_board(view: View, model: str, walk: Walk) -> bool:
    """Whether a walk ends wholly on the board, as far as the centre and the size of a base tell."""
    thing = view.table.things.get(model)
    if thing is None or not isinstance(thing.place, At):
        return True
    point, facing = thing.place.point, thing.facing
    for leg in walk.legs:
        if isinstance(leg, Leg):
            facing += leg.turn
            point = along(point, facing, leg.go)
        else:
            point = leg.point
    rim = 0 if thing.base is None else max(thing.base.size, thing.base.depth) * 3 // 5  # a hexagon's corners stick out
    ground = view.table.ground
    return rim <= point.x <= ground.width - rim and rim <= point.y <= ground.height - rim


def _reach(question: MoveModels, model: str) -> int:
    """The allowance as a distance. A small one counts units, as movement points do; a large one thousandths.

    Less than nothing, which some ruleset may come to allow, is nothing.
    """
    allowance = max(0, question.allowance.get(model, 0))
    return allowance if allowance >= UNIT else allowance * UNIT


def _has_round_base(view: View, question: MoveModels) -> bool:
    """What has a round base rarely has a front, so it rather goes to points."""
    first = view.table.things.get(question.models[0]) if question.models else None
    return first is not None and first.base is not None and first.base.form == "circle"


def _towards(view: View, model: str, goal: Point) -> tuple[int, int]:
    """The direction of a goal, and how far a model's base can go before its edge meets a base like its own there."""
    thing = view.table.things.get(model)
    if thing is None or not isinstance(thing.place, At):
        return 0, 0
    here = thing.place.point
    radius = 0 if thing.base is None else base_radius(thing.base)
    return bearing(here, goal), max(0, _distance(here, goal) - 2 * radius)


def _distance(a: Point, b: Point) -> int:
    return isqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2)


def _middle(shape: Any) -> Point:
    if isinstance(shape, Disc):
        return shape.center
    points = shape.points
    return Point(sum(p.x for p in points) // len(points), sum(p.y for p in points) // len(points))
