"""Lawful drafts: some answer that the judge accepts, to any question of any ruleset, drawn from a seed.

Drafts are drawn, tried by `check`, and grow more modest with each refusal. Where random drafts fail the maker declines
if it may, and searches step by step if it may not, so that it says there is no answer only when the search has none. It
leans towards doing something and towards the enemy, so that battles end. Every bot falls back on it.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations, islice, product
from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.bots.draft_moves import Moves
from sandtable.bots.draft_places import Places
from sandtable.bots.protocol import NoAnswer
from sandtable.engine.answers.judging import check, open_options
from sandtable.engine.questions import (
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    Option,
    PlaceThings,
    Plan,
    PlanPart,
    React,
    Reaction,
    Refusal,
)
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import At

#: How many random drafts are tried before it declines or searches, and how many drafts a search tries at most.
TRIES = 12
SEARCH = 4000


class Taste(msgspec.Struct, frozen=True):
    """How often, in a hundred, it does what may be done or left."""

    declines: int = 8
    does_nothing: int = 15  # takes the option that declining would take
    says_yes: int = 65
    breaks_in: int = 60
    leaves_out: int = 20  # an optional part of a plan
    thinks_again: int = 40  # about a plan, and keeps the one that says more
    prefers_near: int = 60  # takes the nearest of several things to choose from
    goes_for_somebody: int = 65
    looks_at_somebody: int = 75


class Drafts:
    """Makes lawful answers, from a seed.

    >>> from sandtable.engine.table import Ground, Table
    >>> view = View("red", Table(Ground(0, 0), ("red", "blue")))
    >>> Drafts(Ruleset(), 1).lawful(view, Confirm("red", "Fire?")) in (True, False, None)
    True
    """

    def __init__(self, ruleset: Ruleset, seed: int | str = 0, taste: Taste | None = None) -> None:
        self.ruleset = ruleset
        self.taste = taste or Taste()
        self.random = random.Random(seed)
        self._moves = Moves(self.random, self.taste.goes_for_somebody, self.taste.looks_at_somebody)
        self._places = Places(self.random)
        self.tried = 0  # how many drafts the last answer took

    def lawful(self, view: View, question: AnyQuestion) -> Any:
        """A draft that the judge accepts; `NoAnswer` where neither chance nor search finds one."""
        last: Refusal | None = None
        tried = 0
        for draft in self.drafts(view, question):
            tried += 1
            verdict = check(self.ruleset, view, question, draft)
            if not isinstance(verdict, Refusal):
                self.tried = tried
                if isinstance(question, MoveModels):
                    self._moves.learn(question, draft)
                return draft
            last = verdict
        raise NoAnswer(question, tried, last)

    def drafts(self, view: View, question: AnyQuestion) -> Iterator[Any]:
        """Drafts in the order they are tried: random ones, declining, a search. All but the last are few."""
        may_decline = bool(question.decline) or question.default is not None
        if may_decline and self._chance(self.taste.declines):
            yield None
        yield from islice(self._random_drafts(view, question), TRIES)
        if may_decline:
            yield None
        yield from islice(self._search(view, question), SEARCH)

    def _random_drafts(self, view: View, question: AnyQuestion) -> Iterator[Any]:
        match question:
            case ChooseOne():
                return self._one(view, question)
            case ChooseSeveral():
                able = self._able(view, question, question.options)
                return self._again(lambda: self._several(question, able))
            case Allocate():
                bins = self._able(view, question, question.bins)
                return self._again(lambda: self._allotted(question, bins))
            case PlaceThings():
                return self._places.drafts(view, question)
            case MoveModels():
                return self._moves.drafts(view, question)
            case Confirm():
                yes = self._chance(self.taste.says_yes)
                return iter((yes, not yes))
            case React():
                return self._reactions(question)
            case Plan():
                return self._plans(view, question)

    def _search(self, view: View, question: AnyQuestion) -> Iterator[Any]:
        """Every draft there is, or as many as a search can try."""
        match question:
            case ChooseSeveral():
                return _every_choice(question, self._able(view, question, question.options))
            case Allocate():
                return _every_allotment(question)
            case PlaceThings():
                return self._places.search(view, question)
            case MoveModels():
                return self._moves.search(view, question)
            case React():
                return _every_reaction(question)
            case Plan():
                return self._every_plan(view, question, {}, ())
            case _:
                return iter(())

    def _able(self, view: View, question: AnyQuestion, options: Sequence[Option]) -> list[str]:
        return [option.id for option in open_options(self.ruleset, view, question, options)]

    def _chance(self, in_a_hundred: int) -> bool:
        return self.random.randrange(100) < in_a_hundred

    @staticmethod
    def _again(make: Callable[[], Any]) -> Iterator[Any]:
        while True:
            yield make()

    # Choosing --------------------------------------------------------------------------------------------------------

    def _one(self, view: View, question: ChooseOne, idle: object = None, actors: tuple[str, ...] = ()) -> Iterator[str]:
        """Every open option, in random order; the idle one, that declining takes, seldom comes first.

        Whether one is open is worked out as it comes: the first that is will do.
        """
        chosen = [*question.options]
        self.random.shuffle(chosen)
        actor = (question.about or actors)[:1]
        if actor and self._chance(self.taste.prefers_near):
            chosen.sort(key=lambda option: _how_far(view, actor[0], option.about))
        idle = question.default or idle
        last = [option for option in chosen if option.id == idle]
        if last and len(chosen) > 1 and not self._chance(self.taste.does_nothing):
            chosen = [option for option in chosen if option.id != idle] + last
        return (option.id for option in open_options(self.ruleset, view, question, chosen))

    def _several(self, question: ChooseSeveral, able: list[str]) -> tuple[str, ...]:
        """Some of the open options, without those that may not go together."""
        options = [*able]
        self.random.shuffle(options)
        most = len(options) if question.at_most is None else min(question.at_most, len(options))
        least = min(max(question.at_least, 0 if self._chance(self.taste.does_nothing) else 1), most)
        wanted = self.random.randint(least, most)
        chosen: list[str] = []
        for option in options:
            if len(chosen) < wanted and not _clashes(question, option, chosen):
                chosen.append(option)
        return tuple(chosen)

    def _reactions(self, question: React) -> Iterator[Reaction | None]:
        options = [*question.options]
        self.random.shuffle(options)
        if not self._chance(self.taste.breaks_in):
            yield None
        for option in options:
            along = None if question.stretch is None else self.random.randint(*question.stretch)
            yield Reaction(option.id, along, self.random.randint(option.amount_least, option.amount_most))
        yield None

    # Allotting -------------------------------------------------------------------------------------------------------

    def _allotted(self, question: Allocate, able: list[str]) -> dict[str, str]:
        """Items in bins: first what bins need, then the rest, moving others over where a bin is full."""
        items = [item.id for item in question.items]
        self.random.shuffle(items)
        open_to = {item: self._bins_of(question, item, able) for item in items}
        answer: dict[str, str] = {}
        for item in items:
            _move_over(item, open_to, question.bin_least, answer, {})
        most = {bin_.id: question.bin_most.get(bin_.id, len(items)) for bin_ in question.bins}
        for item in items:
            wanted = question.all_items or not self._chance(self.taste.leaves_out)
            if item not in answer and wanted:
                _move_over(item, open_to, most, answer, {})
        return answer

    def _bins_of(self, question: Allocate, item: str, able: list[str]) -> list[str]:
        bins = [bin_ for bin_ in question.allowed.get(item, able) if bin_ in able]
        self.random.shuffle(bins)
        return bins

    # Planning --------------------------------------------------------------------------------------------------------

    def _plans(self, view: View, plan: Plan) -> Iterator[dict[str, Any]]:
        """Plans made part by part. The first few trust their parts; later ones try each part before the next."""
        for attempt in range(TRIES):
            draft = self._plan(view, plan, careful=attempt >= 3)
            while attempt < 2 and self._chance(self.taste.thinks_again):
                other = self._plan(view, plan, careful=False)
                draft = max(draft or {}, other or {}, key=len) or draft
            if draft is not None:
                yield draft

    def _plan(self, view: View, plan: Plan, *, careful: bool) -> dict[str, Any] | None:
        """A plan, or none where a part has no answer. A careful one asks what is open anew after every part."""
        draft: dict[str, Any] = {}
        left_out: list[str] = []
        while True:
            parts = [part for part in self._open_parts(view, plan, draft) if part.id not in left_out]
            if not parts:
                return draft
            for part in parts[:1] if careful else parts:
                if part.optional and self._chance(self.taste.leaves_out):
                    left_out.append(part.id)
                    continue
                try:
                    draft[part.id] = self._part(view, plan, part, draft, careful=careful)
                except NoAnswer:
                    if not part.optional:
                        return None
                    left_out.append(part.id)

    def _part(self, view: View, plan: Plan, part: PlanPart, so_far: dict[str, Any], *, careful: bool) -> Any:
        """An answer to a part. Who acts, who is meant and what is idle, the plan says where the part does not."""
        question = part.question
        if isinstance(question, PlaceThings) and not question.about:
            meant = [said for said in so_far.values() if isinstance(said, str) and said in view.table.things]
            question = replace(question, about=tuple(meant))
        if careful:
            return self.lawful(view, question)
        if isinstance(question, ChooseOne):
            drafts = self._one(view, question, (plan.default or {}).get(part.id), plan.actors)
        else:
            drafts = self.drafts(view, question)
        for draft in drafts:
            return draft
        raise NoAnswer(question, 0)

    def _open_parts(self, view: View, plan: Plan, draft: dict[str, Any]) -> list[PlanPart]:
        return [part for part in self.ruleset.parts(view, plan, draft) if part.id not in draft]

    def _every_plan(
        self, view: View, plan: Plan, draft: dict[str, Any], left_out: tuple[str, ...]
    ) -> Iterator[dict[str, Any]]:
        """Plans part by part with a few answers to each part, going back where a part has none."""
        parts = [part for part in self._open_parts(view, plan, draft) if part.id not in left_out]
        if not parts:
            yield dict(draft)
            return
        part = parts[0]
        if part.optional:
            yield from self._every_plan(view, plan, draft, (*left_out, part.id))
        few = islice(self.drafts(view, part.question), 2 * TRIES)
        for answer in few:
            if not isinstance(check(self.ruleset, view, part.question, answer), Refusal):
                yield from self._every_plan(view, plan, {**draft, part.id: answer}, left_out)


def _clashes(question: ChooseSeveral, option: str, chosen: list[str]) -> bool:
    return any(option in group and any(other in group for other in chosen) for group in question.not_together)


def _how_far(view: View, actor: str, about: tuple[str, ...]) -> int:
    """The squared distance from an actor to what an option is about; what is nowhere is near."""
    things = view.table.things
    ends = [things[name].place for name in (actor, *about[:1]) if name in things]
    points = [place.point for place in ends if isinstance(place, At)]
    if len(points) < 2:
        return 0
    return (points[0].x - points[1].x) ** 2 + (points[0].y - points[1].y) ** 2


def _every_choice(question: ChooseSeveral, options: list[str]) -> Iterator[tuple[str, ...]]:
    most = len(options) if question.at_most is None else min(question.at_most, len(options))
    for count in range(question.at_least, most + 1):
        yield from combinations(options, count)


def _every_allotment(question: Allocate) -> Iterator[dict[str, str]]:
    items = [item.id for item in question.items]
    every = tuple(bin_.id for bin_ in question.bins)
    nowhere: tuple[str, ...] = () if question.all_items else ("",)
    for bins in product(*((*question.allowed.get(item, every), *nowhere) for item in items)):
        yield {item: bin_ for item, bin_ in zip(items, bins, strict=True) if bin_}


def _every_reaction(question: React) -> Iterator[Reaction]:
    for option in question.options:
        for amount in range(option.amount_least, option.amount_most + 1):
            if question.stretch is None:
                yield Reaction(option.id, None, amount)
            else:
                start, end = question.stretch
                for along in dict.fromkeys((start, end, *range(start, end, max(1, (end - start) // 16)))):
                    yield Reaction(option.id, along, amount)


def _move_over(
    item: str, open_to: dict[str, list[str]], room: dict[str, int], answer: dict[str, str], seen: dict[str, None]
) -> bool:
    """Put an item into a bin with room, moving others over where that makes some (an augmenting path).

    No bin ever holds fewer than before, so that what the bins need may be put in first.
    """
    for bin_ in open_to[item]:
        if bin_ in seen or room.get(bin_, 0) == 0:
            continue
        seen[bin_] = None
        held = [other for other, where in answer.items() if where == bin_]
        if len(held) < room[bin_] or any(_move_over(other, open_to, room, answer, seen) for other in held):
            answer[item] = bin_
            return True
    return False
