"""What tactics do when they may break in: final fire, fire at whoever dashes on, and electronic warfare."""

from collections.abc import Iterator
from typing import NamedTuple

from sandtable.engine.questions import React, Reaction
from sandtable.engine.table import Table
from sandtable.rulesets.stargrunt.fire.out_of_turn import first_shot
from sandtable.rulesets.stargrunt.tactics.fire import POINT, Reasons, joining, shot_worth

#: What an activation is worth that is given up for fire out of turn, and EW markers, which lapse if nobody spends them.
ACTIVATION, MARKER = 2 * POINT // 3, POINT // 5


class Breaking(NamedTuple):
    """A way to break in, or to let it pass."""

    draft: Reaction | None
    label: str
    parts: Reasons = ()


def reactions(table: Table, question: React) -> Iterator[Breaking]:
    """The ways to break in, and what each is worth."""
    yield Breaking(None, "let it pass")
    for option in question.options:
        draft = Reaction(option.id, amount=option.amount_least)
        if question.topic == "final-fire":
            # Whoever is about to be assaulted has nothing to keep its fire for.
            target = question.about[1] if option.id == "fire" else option.id
            parts = _fire(table, option.actor, target)
            yield Breaking(draft, f"fire at {table[target].label}", (*parts, ("last chance", POINT)))
        elif question.topic == "reaction-fire":
            parts = _fire(table, option.actor, question.about[0])
            yield Breaking(draft, option.label, (*parts, ("its own activation", -ACTIVATION)))
        else:
            yield Breaking(draft, option.label, (("markers lapse", MARKER),))


def _fire(table: Table, firer: str, target: str) -> Reasons:
    unit = table[firer]
    small, using = first_shot(table, unit, table[target])
    return shot_worth(table, unit, table[target], small, joining(table, unit) if small else using)
