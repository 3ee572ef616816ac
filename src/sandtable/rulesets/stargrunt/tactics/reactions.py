"""What tactics do when they may break in: final fire, fire at whoever dashes on, and electronic warfare."""

from collections.abc import Iterator

from sandtable.engine.questions import React, Reaction
from sandtable.engine.table import Table
from sandtable.rulesets.stargrunt.fire.out_of_turn import first_shot
from sandtable.rulesets.stargrunt.tactics.fire import POINT, joining, shot_worth
from sandtable.tabletop.opponent import Idea, Reasons

#: What an activation is worth that is given up for fire out of turn, and EW markers, which lapse if nobody spends them.
ACTIVATION, MARKER = 2 * POINT // 3, POINT // 5


def reactions(table: Table, question: React, meant: object) -> Iterator[Idea]:
    """The ways to break in, and what each is worth."""
    yield Idea(None, "let it pass", (), meant)
    for option in question.options:
        draft = Reaction(option.id, amount=option.amount_least)
        if question.topic == "final-fire":
            # Whoever is about to be assaulted has nothing to keep its fire for.
            target = question.about[1] if option.id == "fire" else option.id
            parts = _fire(table, option.actor, target)
            yield Idea(draft, f"fire at {table[target].label}", (*parts, ("last chance", POINT)), meant)
        elif question.topic == "reaction-fire":
            parts = _fire(table, option.actor, question.about[0])
            yield Idea(draft, option.label, (*parts, ("its own activation", -ACTIVATION)), meant)
        else:
            yield Idea(draft, option.label, (("markers lapse", MARKER),), meant)


def _fire(table: Table, firer: str, target: str) -> Reasons:
    unit = table[firer]
    small, using = first_shot(table, unit, table[target])
    return shot_worth(table, unit, table[target], small, joining(table, unit) if small else using)
