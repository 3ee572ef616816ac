"""Whether a draft may be answered: its form, then the rules, by what the side that is asked knows."""

from collections.abc import Callable
from typing import Any

from sandtable.engine.checking import decoded, plain, plain_data, refused_form
from sandtable.engine.questions import AnyQuestion, Plan, PlanPart, Preview, Refusal
from sandtable.engine.ruleset import Lawful, Ruleset, View


class Accepted:
    """A draft that may be answered. Its preview is computed when somebody asks for it."""

    def __init__(self, make: Callable[[], Preview]) -> None:
        self._make = make

    def preview(self) -> Preview:
        """What the draft would bring."""
        return self._make()


def check(ruleset: Ruleset, view: View, question: AnyQuestion, draft: Any) -> Refusal | Accepted:
    """Judge a draft by what a side knows: a refusal, or a lazy preview. Pure: it needs no battle."""
    found = _found_out(ruleset, view, question, draft)
    if isinstance(found, Refusal):
        return found
    raw, value = found
    view.lawful[:] = [Lawful(ruleset, question, draft, raw, value)]
    return Accepted(lambda: ruleset.preview(view, question, value).allowed(question.shows))


def proper_answer(ruleset: Ruleset, view: View, question: AnyQuestion, draft: Any) -> Any:
    """The answer a draft comes to, in its proper types and with the default for a decline; or a refusal."""
    found = _found_out(ruleset, view, question, draft)
    return found if isinstance(found, Refusal) else found[1]


def _found_out(ruleset: Ruleset, view: View, question: AnyQuestion, draft: Any) -> tuple[Any, Any] | Refusal:
    """A draft as plain data, and the answer it comes to."""
    raw = plain(question, draft)
    value = raw if isinstance(raw, Refusal) else judged(ruleset, view, question, raw)
    return value if isinstance(value, Refusal) else (raw, value)


def judged(ruleset: Ruleset, view: View, question: AnyQuestion, raw: Any) -> Any:
    """The same for a draft that is plain data already."""
    value = decoded(question, raw)
    if isinstance(value, Refusal):
        return value
    refusal = refused_form(question, value)
    if refusal is not None:
        return refusal
    if value is None:
        if question.default is None:
            return None
        value = question.default
        if isinstance(question, Plan):
            value = plain_data(value)
    if isinstance(question, Plan):
        value = _plan_answer(ruleset, view, question, value)
        if isinstance(value, Refusal):
            return value
    return ruleset.judge(view, question, value) or value


def judged_before(ruleset: Ruleset, view: View, question: AnyQuestion, draft: Any) -> tuple[Any, Any] | Refusal:
    """A draft as plain data, and the answer it comes to; what was found already of the very draft last checked.

    A bot gives the draft that it has just had checked. Whatever it did to it since, that which was checked counts. Only
    for who made the view and knows that its table has not changed since.
    """
    for last in view.lawful:
        if last.ruleset is ruleset and last.question is question and last.draft is draft:
            return last.raw, last.value
    return _found_out(ruleset, view, question, draft)


def open_parts(ruleset: Ruleset, view: View, plan: Plan, draft: Any) -> tuple[PlanPart, ...] | Refusal:
    """The parts of a plan that are still to be said, given a draft as it came from outside: what a page asks next.

    `Ruleset.parts` is only ever given answers in their proper types, as here.
    """
    raw = plain(plan, draft)
    value: Any = raw if isinstance(raw, Refusal) else decoded(plan, raw)
    if isinstance(value, Refusal):
        return value
    said = _said_so_far(ruleset, view, plan, value or {})
    return said if isinstance(said, Refusal) else tuple(said[1])


def _plan_answer(ruleset: Ruleset, view: View, plan: Plan, draft: dict[str, Any]) -> dict[str, Any] | Refusal:
    """A plan with every part in its proper types, in the order of the parts; refuses what is missing or unasked."""
    said = _said_so_far(ruleset, view, plan, draft)
    if isinstance(said, Refusal):
        return said
    answers, left = said
    for part in left:
        if not part.optional:
            return Refusal(plan.rules[0] if plan.rules else "", f"Still to be said: {part.question.prompt}")
    extra = [name for name in draft if name not in answers]
    if extra:
        return Refusal(plan.rules[0] if plan.rules else "", f"Nothing here asks for {', '.join(extra)}.")
    return answers


def _said_so_far(
    ruleset: Ruleset, view: View, plan: Plan, draft: dict[str, Any]
) -> tuple[dict[str, Any], list[PlanPart]] | Refusal:
    """What a draft says, part by part in their proper types, and the parts that are left; or why a part is refused.

    The draft is plain data.
    """
    answers: dict[str, Any] = {}
    while True:
        parts = ruleset.parts(view, plan, answers)
        for name, question, _ in parts:
            if name in draft and name not in answers:
                value = judged(ruleset, view, question, draft[name])
                if isinstance(value, Refusal):
                    return value
                answers[name] = value
                break
        else:
            return answers, [part for part in parts if part.id not in answers]
