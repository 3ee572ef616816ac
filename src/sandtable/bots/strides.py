"""Where to go: towards what a unit wants, as far as it may, then less far; to stay comes last."""

from collections.abc import Iterator
from random import Random
from typing import Any

from sandtable.bots.draft_moves import Moves
from sandtable.engine.questions import MoveModels
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import Point, Walk
from sandtable.tabletop.opponent import Tactics

#: Shares of the way that are tried, in hundredths, and how many goals.
SHARES = (100, 75, 50, 25, 10)
GOALS = 3


def strides(tactics: Tactics | None, view: View, question: MoveModels) -> Iterator[tuple[dict[str, Walk], str]]:
    """Walks for all that are asked, in step towards a goal, with the words for each."""
    moves = Moves(Random("strides"), 0, 0)
    if question.bound_to:
        yield {one: question.bound_to.get(one, moves.stays(question)[one]) for one in question.models}, "as it must"
    for at, what in _wanted(tactics, view, question, moves):
        for share in SHARES:
            yield moves.in_step(view, question, at, share, by_points=not question.faces), what
    yield moves.stays(question), "stay"
    for at, what in _wanted(tactics, view, question, moves):
        yield moves.in_step(view, question, at, SHARES[0], by_points=question.faces), what


def _wanted(tactics: Tactics | None, view: View, question: MoveModels, moves: Moves) -> list[tuple[Point, str]]:
    """The goals of whoever moves; the region it must end in comes before any of its own."""
    told: list[Any] = []
    unit = next(
        (view.table.things[one] for one in (*question.about, *question.models) if one in view.table.things), None
    )
    if tactics is not None and unit is not None and question.ends is None:
        told = [(goal.at, goal.what) for goal in tactics.goals(view, unit)]
    return (told or [(at, "nearer") for at in moves.goals(view, question)])[:GOALS]
