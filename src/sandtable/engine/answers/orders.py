"""Standing orders: how a side wants questions answered without being asked, and which of them fits a question."""

from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.state import StandingOrder


def order_for(
    ruleset: Ruleset, view: View, orders: tuple[StandingOrder, ...], question: AnyQuestion
) -> StandingOrder | None:
    """The first order of the asked side that is about a rule of the question and whose conditions hold."""
    for order in orders:
        if order.side != question.side or order.rule not in question.rules:
            continue
        facts = dict(question.facts)
        if any(condition.fact == "chance" for condition in order.when) and "chance" not in facts:
            chance = ruleset.chance(view, question)
            if chance is not None:
                facts["chance"] = chance
        if all(condition.holds(facts) for condition in order.when):
            return order
    return None


def with_order(
    orders: tuple[StandingOrder, ...], order: StandingOrder, *, withdrawn: bool = False
) -> tuple[StandingOrder, ...]:
    """The orders with one more, which replaces its like (same side, rule and conditions); or without it.

    >>> hold, fire = StandingOrder("red", "r.fire", False), StandingOrder("red", "r.fire", True)
    >>> with_order((hold,), fire) == (fire,), with_order((hold,), hold, withdrawn=True)
    (True, ())
    """
    others = tuple(o for o in orders if (o.side, o.rule, o.when) != (order.side, order.rule, order.when))
    return others if withdrawn else (*others, order)
