"""Candidates for any question of any ruleset, by its kind: the few answers a sensible player would look at, best first.

What a ruleset's tactics know better they rate themselves; these are for everything else. They come from the question
and the view alone, in a fixed order, and nothing is drawn: things that are placed stand apart and face the enemy,
whoever moves goes towards a goal or stays, weapons fire together, what may be declined is declined last. Whether one is
lawful the judge says.
"""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sandtable.bots.spread import laid_out
from sandtable.bots.strides import strides
from sandtable.engine.answers.judging import check, open_options
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
    Refusal,
)
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import At
from sandtable.tabletop.opponent import Tactics

#: How many answers to one part of a plan are thought of.
PARTS = 4


class Candidate(NamedTuple):
    """An answer that may be worth a look, in a few words."""

    draft: Any
    label: str


def candidates(ruleset: Ruleset, tactics: Tactics | None, view: View, question: AnyQuestion) -> Iterator[Candidate]:
    """The answers a sensible player would look at, best first; declining comes last, where it may be done."""
    match question:
        case ChooseOne():
            yield from _one(ruleset, view, question)
        case ChooseSeveral():
            yield from _several(ruleset, view, question)
        case Allocate():
            yield from _allotted(ruleset, view, question)
        case PlaceThings():
            yield from (Candidate(draft, "apart, and facing them") for draft in laid_out(ruleset, view, question))
        case MoveModels():
            yield from (Candidate(draft, words) for draft, words in strides(tactics, view, question))
        case Confirm():
            yes = True if question.default is None else question.default
            yield Candidate(yes, question.yes if yes else question.no)
            yield Candidate(not yes, question.no if yes else question.yes)
        case React():
            yield from _reactions(question)
        case Plan():
            yield from _plans(ruleset, tactics, view, question, {})
    if question.decline or question.default is not None:
        yield Candidate(None, question.decline or "as it comes")


def _one(ruleset: Ruleset, view: View, question: ChooseOne) -> Iterator[Candidate]:
    """What may be chosen: enemies and places near whoever chooses first, what declining would take last."""
    able = list(open_options(ruleset, view, question, question.options))
    able.sort(key=lambda option: (option.id == question.default, how_far(view, question.about, option.about)))
    return (Candidate(option.id, option.label or option.id) for option in able)


def _several(ruleset: Ruleset, view: View, question: ChooseSeveral) -> Iterator[Candidate]:
    """As many as may be chosen together, then as few."""
    able = [option.id for option in open_options(ruleset, view, question, question.options)]
    most = len(able) if question.at_most is None else min(question.at_most, len(able))
    chosen: list[str] = []
    for option in able:
        clash = any(option in group and any(one in group for one in chosen) for group in question.not_together)
        if len(chosen) < most and not clash:
            chosen.append(option)
    yield Candidate(tuple(chosen), "all that may")
    yield Candidate(tuple(chosen[: question.at_least]), "as few as may be")
    for option in able:
        yield Candidate((option,), "one of them")


def _allotted(ruleset: Ruleset, view: View, question: Allocate) -> Iterator[Candidate]:
    """First what bins need, then each item where there is most room."""
    bins = [bin_.id for bin_ in open_options(ruleset, view, question, question.bins)]
    answer: dict[str, str] = {}
    room = {bin_: question.bin_most.get(bin_, len(question.items)) for bin_ in bins}
    needs = {bin_: question.bin_least.get(bin_, 0) for bin_ in bins}
    for item in question.items:
        able = [bin_ for bin_ in question.allowed.get(item.id, tuple(bins)) if room.get(bin_, 0)]
        if able:
            best = max(able, key=lambda bin_: (needs[bin_], room[bin_], -bins.index(bin_)))
            answer[item.id] = best
            room[best] -= 1
            needs[best] -= needs[best] > 0
    yield Candidate(answer, "even shares")
    if not question.all_items:
        yield Candidate({}, "nothing")


def _reactions(question: React) -> Iterator[Candidate]:
    """Each way to break in, as soon and with as much as may be."""
    for option in question.options:
        along = None if question.stretch is None else question.stretch[0]
        yield Candidate(Reaction(option.id, along, option.amount_most), option.label or option.id)


def _plans(
    ruleset: Ruleset, tactics: Tactics | None, view: View, plan: Plan, draft: dict[str, Any]
) -> Iterator[Candidate]:
    """Plans part by part, a few answers to each, going back where a part has none."""
    parts = [part for part in ruleset.parts(view, plan, draft) if part.id not in draft and not part.optional]
    if not parts:
        yield Candidate(dict(draft), "as planned")
        return
    part = parts[0]
    for one in islice(candidates(ruleset, tactics, view, part.question), PARTS):
        if not isinstance(check(ruleset, view, part.question, one.draft), Refusal):
            yield from _plans(ruleset, tactics, view, plan, {**draft, part.id: one.draft})


def how_far(view: View, actors: Sequence[str], about: Sequence[str]) -> int:
    """The squared distance from the first actor to what an option is about; what is nowhere is near."""
    things = view.table.things
    ends = [things[name].place for name in (*actors[:1], *about[:1]) if name in things]
    points = [place.point for place in ends if isinstance(place, At)]
    if len(points) < 2:
        return 0
    return (points[0].x - points[1].x) ** 2 + (points[0].y - points[1].y) ** 2
