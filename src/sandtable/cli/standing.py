"""Standing orders as they are typed and told: an answer to like questions from now on, perhaps under a condition."""

import json
import re

from sandtable.cli.typed_answers import Names, read
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, Plan
from sandtable.engine.state import Condition, StandingOrder

_WHEN = re.compile(r"^(.*?)(?:\s+(?:when\s+(.+?)\s+)?(below|at least|is)\s+(-?[0-9]{1,6})\s*%?)?$")


class NotAnOrder(ValueError):
    """What was typed is no standing order; the text says what would be."""


def typed_order(side: Side, question: AnyQuestion, words: str, names: Names | None = None) -> StandingOrder:
    """The standing order that words give for questions like this one.

    `ANSWER`, `ANSWER below 60`, `ANSWER at least 60`, `ANSWER when FACT is 2`: without a fact the chance is meant.

    >>> from sandtable.engine.questions import Confirm
    >>> typed_order("red", Confirm("red", "Fire?", rules=("r.fire",)), "y at least 60").when
    (Condition(fact='chance', compare='at least', value=60),)
    """
    if not question.rules or isinstance(question, Plan):
        raise NotAnOrder("there is no standing order for such a question")
    match = _WHEN.match(words)
    assert match is not None, "every line has an answer, perhaps an empty one"
    said, fact, compare, value = match.groups()
    if not said:
        raise NotAnOrder("say the answer: `order p`, or `order p below 60`")
    when = () if compare is None else (Condition(fact or "chance", compare, int(value)),)
    return StandingOrder(side, question.rules[0], read(question, said, names), when)


def order_words(order: StandingOrder) -> str:
    """A standing order as it is told.

    >>> order_words(StandingOrder("red", "r.fire", None, (Condition("chance", "below", 60),)))
    'Questions under r.fire: pass, when chance below 60.'
    """
    answer = "pass" if order.answer is None else json.dumps(order.answer, ensure_ascii=False)
    when = " and ".join(f"{one.fact} {one.compare} {one.value}" for one in order.when)
    return f"Questions under {order.rule}: {answer}" + (f", when {when}." if when else ".")
