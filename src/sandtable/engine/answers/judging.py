"""Whether a draft may be answered: its form, then the rules, by what the side that is asked knows."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from msgspec.structs import replace

from sandtable.engine.answers.checking import as_option, chosen_options, decoded, plain, plain_data, refused_form
from sandtable.engine.ids import NO_RULE
from sandtable.engine.questions import (
    EXTRAS,
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    MoveModels,
    Option,
    Plan,
    PlanPart,
    Preview,
    React,
    Reaction,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Lawful, Ruleset, View

Asked = TypeVar("Asked", bound=AnyQuestion)
Way = TypeVar("Way", Option, ReactOption)


class Accepted:
    """A draft that may be answered. Its preview is computed when somebody asks for it."""

    def __init__(self, make: Callable[[tuple[str, ...]], Preview], shows: tuple[str, ...] = ()) -> None:
        self._make, self._shows = make, shows

    def preview(self, *, without: str = "") -> Preview:
        """What the draft would bring; `without` what its reader does not show, which then need not be found out."""
        return self._make(tuple(one for one in self._shows if one != without))


def check(ruleset: Ruleset, view: View, question: AnyQuestion, draft: Any) -> Refusal | Accepted:
    """Judge a draft by what a side knows: a refusal, or a lazy preview. Pure: it needs no battle."""
    found = _found_out(ruleset, view, question, draft)
    if isinstance(found, Refusal):
        return found
    raw, value = found
    view.lawful[:] = [Lawful(ruleset, question, draft, raw, value)]

    def preview(shows: tuple[str, ...]) -> Preview:
        asked = question if shows == question.shows else replace(question, shows=shows)
        return ruleset.preview(view, asked, value).allowed(shows)

    return Accepted(preview, question.shows)


def wanting(question: Asked, extras: Sequence[str]) -> Asked:
    """A question whose previews also hold what takes longer to find out, as far as what it shows allows that.

    >>> from sandtable.engine.questions import MoveModels
    >>> wanting(MoveModels("red", "Go.", shows=("reach",)), ("costs", "ranges")).shows
    ('reach', 'costs')
    """
    more = tuple(one for one in EXTRAS if one in extras and EXTRAS[one] in question.shows)
    return replace(question, shows=(*question.shows, *more)) if more else question


def proper_answer(ruleset: Ruleset, view: View, question: AnyQuestion, draft: Any) -> Any:
    """The answer a draft comes to, in its proper types and with the default for a decline; or a refusal."""
    found = _found_out(ruleset, view, question, draft)
    return found if isinstance(found, Refusal) else found[1]


def _found_out(ruleset: Ruleset, view: View, question: AnyQuestion, draft: Any) -> tuple[Any, Any] | Refusal:
    """A draft as plain data, and the answer it comes to."""
    raw = plain(question, draft)
    value = raw if isinstance(raw, Refusal) else judged(ruleset, view, question, raw)
    return value if isinstance(value, Refusal) else (raw, value)


def refused_option(ruleset: Ruleset, view: View, question: AnyQuestion, option: Option) -> Refusal | None:
    """Why an option may not be chosen now: as it says itself, or by the ruleset's word."""
    if option.refused:
        return Refusal(option.rules[0] if option.rules else NO_RULE, option.refused, option.also)
    return ruleset.refused(view, question, option)


def open_options(ruleset: Ruleset, view: View, question: AnyQuestion, options: Sequence[Option]) -> Iterator[Option]:
    """Those of some options of a question that may be chosen, one by one: who takes the first pays for no other."""
    return (option for option in options if refused_option(ruleset, view, question, option) is None)


def offered(ruleset: Ruleset, view: View, question: Asked) -> Asked:
    """A question as it is shown: the reason in every option that may not be chosen now, its first rule that forbids.

    Pages, terminals and bots that look at every option ask for this; it is judged by what the side knows alone.

    >>> from sandtable.engine.table import Ground, Table
    >>> class Wingless(Ruleset):
    ...     def refused(self, view, question, option):
    ...         return Refusal("r.wings", "Nobody here has wings.") if option.id == "fly" else None
    >>> view = View("red", Table(Ground(0, 0), ("red", "blue")))
    >>> question = ChooseOne("red", "How?", options=(Option("walk", rules=("r.go",)), Option("fly", rules=("r.go",))))
    >>> [(option.refused, option.rules) for option in offered(Wingless(), view, question).options]
    [('', ('r.go',)), ('Nobody here has wings.', ('r.wings', 'r.go'))]
    """

    def shown(options: Sequence[Option]) -> tuple[Option, ...]:
        found = [(option, refused_option(ruleset, view, question, option)) for option in options]
        return tuple(option if why is None else _with_reason(option, why) for option, why in found)

    if isinstance(question, ChooseOne):
        options = shown(question.options)
        given_away = [tuple(ruleset.loses(view, question, one.id)) for one in options]
        return replace(question, options=tuple(map(_giving_away, options, given_away)))
    if isinstance(question, ChooseSeveral):
        return replace(question, options=shown(question.options))
    if isinstance(question, Allocate):
        return replace(question, items=shown(question.items), bins=shown(question.bins))
    if isinstance(question, React):
        found = [(way, refused_option(ruleset, view, question, as_option(way))) for way in question.options]
        ways = [way if why is None else _with_reason(way, why) for way, why in found]
        costs = [tuple(ruleset.loses(view, question, Reaction(way.id))) for way in ways]
        return replace(question, options=tuple(map(_giving_away, ways, costs)))
    return question


def _giving_away(option: Way, loss: tuple[str, ...]) -> Way:
    return replace(option, loses=loss) if loss else option


def _with_reason(option: Way, why: Refusal) -> Way:
    rules = tuple(dict.fromkeys((why.rule, *option.rules))) if why.rule else option.rules
    return replace(option, rules=rules, refused=why.sentence)


def judged(ruleset: Ruleset, view: View, question: AnyQuestion, raw: Any) -> Any:
    """The same for a draft that is plain data already."""
    value = decoded(question, raw)
    if isinstance(value, Refusal):
        return value
    refusal = refused_form(question, value)
    if refusal is not None and isinstance(question, ChooseOne | React) and value is not None:
        return ruleset.unoffered(view, question, value.option if isinstance(value, Reaction) else value) or refusal
    if refusal is not None and isinstance(question, ChooseSeveral):
        few = ruleset.too_few(view, question, value or ()) if len(value or ()) < question.at_least else None
        listed = {option.id for option in question.options}
        strange = (ruleset.unoffered(view, question, one) for one in value or () if one not in listed)
        return few or next((why for why in strange if why is not None), refusal)
    if refusal is not None and isinstance(question, MoveModels) and value is not None:
        strange = (ruleset.unoffered(view, question, one) for one in value if one not in question.models)
        return next((why for why in strange if why is not None), refusal)
    if refusal is not None:
        return refusal
    for option in () if value is None else chosen_options(question, value):
        refusal = refused_option(ruleset, view, question, option)
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
    extra = {name: value for name, value in draft.items() if name not in answers}
    by_rule = ruleset.unasked(view, plan, answers, extra) if extra else None
    if by_rule is not None:
        return by_rule
    for part in left:
        if not part.optional:
            why = plan.rules[0] if plan.rules else NO_RULE
            return Refusal(why, f"Still to be said: {part.question.prompt}", tuple(part.question.rules))
    return unasked(plan, tuple(extra), ruleset.parts(view, plan, answers)) if extra else answers


def unasked(plan: Plan, extra: Sequence[str], parts: Sequence[PlanPart]) -> Refusal:
    """The refusal of parts that a plan does not ask for, given the rest of it: it says what is asked.

    >>> unasked(Plan("red", "What does A do?"), ("2",), (PlanPart("1", Plan("red", "Does it move?")),)).sentence
    "'2' is not asked for, given the rest; what is asked: 'Does it move?' (1)."
    """
    names, be = ", ".join(map(repr, extra)), "is" if len(extra) == 1 else "are"
    asked = ", ".join(f"{part.question.prompt!r} ({part.id})" for part in parts) or "nothing"
    sentence = f"{names} {be} not asked for, given the rest; what is asked: {asked}."
    return Refusal(plan.rules[0] if plan.rules else NO_RULE, sentence)


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
                    rest = {other: said for other, said in draft.items() if other not in answers}
                    return ruleset.refused_part(view, plan, answers, rest, value)
                answers[name] = value
                break
        else:
            return answers, [part for part in parts if part.id not in answers]
