"""Answers for any ruleset, drawn at random from what a side may see: lawful ones, and nonsense.

A stand-in until `sandtable.bots` has its random bot; it knows questions and views and nothing else.
"""

import random
from collections.abc import Callable, Iterator
from typing import Any

from sandtable.engine.judging import Accepted, check
from sandtable.engine.questions import (
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    PlaceThings,
    Plan,
    React,
    Reaction,
)
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import UNIT, At, Disc, Leg, Point, Polygon, Region, Shape, Spot, Via, Walk

#: Something that plays: given the rules, what its side may know, and the question, it gives an answer.
Answerer = Callable[[Ruleset, View, AnyQuestion], Any]

TRIES = 40


class Stuck(AssertionError):
    """No lawful answer was found: the rules ask for what nobody can give, or this answerer is too simple."""


class Randomly:
    """Gives any lawful answer, from a seed.

    >>> from sandtable.engine.table import Ground, Table
    >>> view = View("red", Table(Ground(0, 0), ("red", "blue")))
    >>> Randomly(1)(Ruleset(), view, Confirm("red", "Fire?")) in (True, False, None)
    True
    """

    def __init__(self, seed: int = 0) -> None:
        self.random = random.Random(seed)

    def __call__(self, ruleset: Ruleset, view: View, question: AnyQuestion) -> Any:
        """A draft that the judge accepts."""
        last = None
        for draft in self.drafts(ruleset, view, question):
            last = check(ruleset, view, question, draft)
            if isinstance(last, Accepted):
                return draft
        raise Stuck(f"{question.side}: {question.prompt!r} ({question.topic}): the last draft met {last}")

    def drafts(self, ruleset: Ruleset, view: View, question: AnyQuestion) -> Iterator[Any]:
        """Drafts to try, the wilder first; declining comes last, and now and then first."""
        if (question.decline or question.default is not None) and self.random.random() < 0.15:
            yield None
        for attempt in range(TRIES):
            yield self.draft(ruleset, view, question, attempt)
        yield None

    def draft(self, ruleset: Ruleset, view: View, question: AnyQuestion, attempt: int) -> Any:
        """One draft; later attempts are more modest."""
        match question:
            case ChooseOne():
                open_ = [option.id for option in question.options if not option.refused]
                return self.random.choice(open_) if open_ else None
            case ChooseSeveral():
                return self.several(question)
            case Allocate():
                return self.allotted(question)
            case PlaceThings():
                return {thing: self.spot(view, question, thing) for thing in question.things}
            case MoveModels():
                return {model: self.walk(view, question, model, attempt) for model in question.models}
            case Confirm():
                return self.random.random() < 0.5
            case React():
                return self.reaction(question)
            case Plan():
                return self.plan(ruleset, view, question)

    def several(self, question: ChooseSeveral) -> tuple[str, ...]:
        """Some of the options, without those that may not go together."""
        options = [option.id for option in question.options if not option.refused]
        self.random.shuffle(options)
        most = len(options) if question.at_most is None else min(question.at_most, len(options))
        wanted = self.random.randint(min(question.at_least, most), most)
        chosen: list[str] = []
        for option in options:
            clash = any(option in group and any(c in group for c in chosen) for group in question.not_together)
            if len(chosen) < wanted and not clash:
                chosen.append(option)
        return tuple(chosen)

    def allotted(self, question: Allocate) -> dict[str, str]:
        """Each item in a bin that has room; bins that need something come first."""
        room = {bin_.id: question.bin_most.get(bin_.id, len(question.items)) for bin_ in question.bins}
        needs = {bin_.id: question.bin_least.get(bin_.id, 0) for bin_ in question.bins}
        items = [item.id for item in question.items]
        self.random.shuffle(items)
        answer: dict[str, str] = {}
        for item in items:
            allowed = [bin_ for bin_ in question.allowed.get(item, tuple(room)) if room.get(bin_, 0) > 0]
            wanting = [bin_ for bin_ in allowed if needs[bin_] > 0]
            if not allowed or (not question.all_items and not wanting and self.random.random() < 0.3):
                continue
            chosen = self.random.choice(wanting or allowed)
            room[chosen] -= 1
            needs[chosen] -= 1
            answer[item] = chosen
        return answer

    def spot(self, view: View, question: PlaceThings, thing: str) -> Spot:
        """A spot in the region of a thing."""
        region = question.where.get(thing, question.where.get("", Region()))
        facing = self.random.randrange(360) if question.faces else 0
        if region.slots and (not region.inside or self.random.random() < 0.5):
            return Spot(self.random.choice(region.slots), facing)
        level = self.random.choice(region.levels) if region.levels else 0
        ground = view.table.ground
        if not region.inside:
            return Spot(At(self.point((0, 0, ground.width, ground.height)), level), facing)
        return Spot(At(self.point(_box(self.random.choice(region.inside))), level), facing)

    def walk(self, view: View, question: MoveModels, model: str, attempt: int) -> Walk:
        """A path of a few legs; each failed attempt halves how far it dares to go."""
        if model in question.bound_to:
            return question.bound_to[model]
        allowance = question.allowance.get(model, 0)
        reach = (allowance if allowance >= UNIT else allowance * UNIT) >> (attempt // 4)
        thing = view.table.things.get(model)
        legs: list[Leg | Via] = []
        for _ in range(self.random.randint(0 if attempt else 1, 2)):
            go = self.random.randint(0, reach)
            reach -= go
            if attempt % 2 and thing is not None and isinstance(thing.place, At):
                here = thing.place.point
                legs.append(Via(self.point((here.x - go, here.y - go, here.x + go, here.y + go)), thing.place.level))
            else:
                legs.append(Leg(self.random.randint(-180, 180) if attempt < TRIES // 2 else 0, go))
        length = sum(leg.go for leg in legs if isinstance(leg, Leg))
        asked = [mark for mark in question.marks if mark.required or self.random.random() < 0.5]
        return Walk(tuple(legs), {mark.id: self.random.randint(0, length) for mark in asked})

    def reaction(self, question: React) -> Reaction | None:
        """One of the ways to break in, or a pass."""
        if not question.options or self.random.random() < 0.4:
            return None
        option = self.random.choice(question.options)
        along = None if question.stretch is None else self.random.randint(*question.stretch)
        return Reaction(option.id, along, self.random.randint(option.amount_least, option.amount_most))

    def plan(self, ruleset: Ruleset, view: View, plan: Plan) -> dict[str, Any]:
        """A plan made part by part; what is optional is left out now and then."""
        draft: dict[str, Any] = {}
        skipped: list[str] = []
        while True:
            parts = [p for p in ruleset.parts(view, plan, draft) if p.id not in draft and p.id not in skipped]
            if not parts:
                return draft
            part = parts[0]
            if part.optional and self.random.random() < 0.4:
                skipped.append(part.id)
            else:
                draft[part.id] = self(ruleset, view, part.question)

    def point(self, box: tuple[int, int, int, int]) -> Point:
        """Any grid point of a box."""
        west, north, east, south = box
        return Point(self.random.randint(west, max(west, east)), self.random.randint(north, max(north, south)))

    def spoilt(self, draft: Any) -> Any:
        """A lawful draft with something wrong about it."""
        match draft:
            case str():
                return draft + "!"
            case dict() if draft and self.random.random() < 0.5:
                return {name: value for name, value in draft.items() if name != self.random.choice(list(draft))}
            case dict():
                return {**draft, "stranger": next(iter(draft.values()), "")}
            case tuple() | list():
                return [*draft, *(draft or ["stranger"])]
            case Reaction():
                return Reaction(draft.option, (draft.along or 0) + 10**9, draft.amount + 99)
            case _:
                return [draft]

    def nonsense(self, question: AnyQuestion) -> Any:
        """Something that is rarely an answer: wrong in kind, in size, or not offered."""
        return self.random.choice(NONSENSE)

    def chance(self, one_in: int) -> bool:
        """Whether something that happens once in a while happens now; never, if it is once in 0."""
        return one_in > 0 and self.random.randrange(one_in) == 0


def _box(shape: Shape) -> tuple[int, int, int, int]:
    points = (shape.center,) if isinstance(shape, Disc) else shape.points
    spread = 0 if isinstance(shape, Polygon) else shape.radius if isinstance(shape, Disc) else shape.width // 2
    xs, ys = [point.x for point in points], [point.y for point in points]
    return min(xs) - spread, min(ys) - spread, max(xs) + spread, max(ys) + spread


def _deep(levels: int) -> Any:
    nested: Any = []
    for _ in range(levels):
        nested = [nested]
    return nested


#: What may come from outside: no form of it may do more than be refused.
NONSENSE: tuple[Any, ...] = (
    "no such thing",
    "",
    "\ud800",
    7,
    -1,
    10**40,
    True,
    1.5,
    float("nan"),
    float("inf"),
    [],
    {},
    ["a", "a"],
    {"a": "b"},
    {"a": {"where": {"place": "at", "point": [10**40, 0]}}},
    {"a": {"legs": [{"by": "leg", "go": 10**12}]}},
    {1: 2},
    _deep(3),
    _deep(5000),
    {"option": "no such thing"},
    ["x"] * 2000,
    "x" * 100_000,
    object(),
    b"bytes",
    {"set", "of"},
)
