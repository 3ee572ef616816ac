"""Choosing one of several things on the table, and judging and foretelling such a choice by whom it is about."""

from collections.abc import Callable, Sequence

from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, Preview, Reaction, Refusal, Settled
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule
from sandtable.tabletop.actions import all_of
from sandtable.tabletop.chapters import OptionJudge, Previewer


def unless_alone(question: ChooseOne) -> Procedure[str]:
    """Ask a question, or take its only option: of one alone nobody is asked."""
    alone = len(question.options) == 1
    answer: str = yield Settled(question.topic, question.options[0].id, question.rules) if alone else question
    return answer


def choose_thing(
    side: Side,
    prompt: str,
    among: Sequence[Thing],
    *rules: Rule,
    topic: str,
    about: tuple[str, ...] = (),
    default: bool = False,
    shows: tuple[str, ...] = (),
    even_one: bool = False,
) -> Procedure[str]:
    """Ask a side which of some things it chooses, by rules of which the first gives the choice.

    With a default whoever has nothing to say takes the first. Of one alone nobody is asked, unless it has to be judged.
    """
    question = ChooseOne(
        side,
        prompt,
        topic=topic,
        about=about,
        options=tuple(Option(one.id, one.label, (one.id,), (rules[0].id,)) for one in among),
        rules=tuple(one.id for one in rules),
        default=among[0].id if default else None,
        shows=shows,
    )
    if even_one:
        chosen: str = yield question
        return chosen
    return (yield from unless_alone(question))


def by_unit(refused: Callable[[Table, Thing, str], Refusal | None]) -> OptionJudge:
    """Judge the options of a question by the unit it is about first."""
    return lambda view, question, option: refused(view.table, view.table[question.about[0]], option.id)


def none_open(options: Sequence[Option], refused: Callable[[str], Refusal | None]) -> Refusal | None:
    """Why none of some options may be chosen: the reason of the first, the rules of all; none as soon as one may."""
    found: list[Refusal] = []
    for option in options:
        refusal = refused(option.id)
        if refusal is None:
            return None
        found.append(refusal)
    return all_of(*found)


def of_two(foretold: Callable[[Table, Thing, Thing], Preview]) -> Previewer:
    """What one does to another, foretold of a question about the one in which the other is chosen; of a reaction, of
    whoever breaks in and of whom it is about."""

    def shown(view: View, question: AnyQuestion, answer: str | Reaction | None) -> Preview:
        about = view.table[question.about[0]]
        if isinstance(answer, Reaction):
            return foretold(view.table, view.table[answer.option], about)
        return Preview() if answer is None else foretold(view.table, about, view.table[answer])

    return shown
