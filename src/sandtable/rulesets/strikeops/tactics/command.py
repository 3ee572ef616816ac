"""What C3 points and skips are worth: a roll that is inspired, a rally, a card of the enemy that comes later."""

from collections.abc import Iterator, Sequence
from typing import Any

from sandtable.engine.questions import Confirm, React, Reaction
from sandtable.engine.table import Table
from sandtable.rulesets.strikeops.command import COST, INSPIRED, points
from sandtable.rulesets.strikeops.initiative import ready
from sandtable.rulesets.strikeops.shooting.aiming import Attack
from sandtable.rulesets.strikeops.state_names import StateName
from sandtable.rulesets.strikeops.tactics.fire import FALL, guns, thought, value
from sandtable.rulesets.strikeops.tactics.squads import Chosen
from sandtable.tabletop.opponent import Idea, Skill

#: What a C3 point is kept for, at least: a use that brings less is none.
KEPT = 300
#: What a model is worth to its side that is steady again.
STEADIED = 250


def inspirations(table: Table, side: str, plan: Sequence[tuple[str, Chosen]], skill: Skill) -> dict[str, Any]:
    """The part of a declaration that inspires the shot to which a die more brings most, where that is worth a point."""
    if points(table, side) < COST or not skill.plans:
        return {}
    able, best, said = guns(table), KEPT, {}
    for model, chosen in plan:
        volley = chosen.volley
        if volley is None:
            continue
        lock = volley.target if chosen.way.locks else None
        there = thought(table, table[model], {StateName.TARGET_LOCK: lock})
        attack = Attack(model, volley.target, volley.weapons, volley.overdrive)
        for name in volley.weapons:
            more = able.hurt(there, attack, name, inspired=True) - able.hurt(there, attack, name)
            gain = value(table[volley.target], more)
            if gain > best:
                best, said = gain, {f"{model} {INSPIRED}": (name,)}
    return said


def spendings(table: Table, question: React) -> Iterator[Idea]:
    """Before a roll that is imposed: a die more, where the chance grows by enough."""
    model, facts = table[question.about[0]], question.facts
    gain = facts["chance inspired"] - facts["chance"]
    worth = value(model, FALL) * gain // 100
    for option in question.options:
        inspires = option.id == INSPIRED
        parts = ((f"{gain} % more", worth if inspires else 0), ("the point", -KEPT))
        yield Idea(Reaction(option.id), option.label, parts)
    yield Idea(None, "keeps its C3 points", ())


def rallies(question: Confirm) -> Iterator[Idea]:
    """Steady everybody where enough of them are shaken."""
    steadied = question.facts["models"] * STEADIED
    yield Idea(True, "rallies", (("models steadied", steadied), ("the point", -KEPT)))
    yield Idea(False, "keeps its C3 points", ())


def skips(table: Table, question: React) -> Iterator[Idea]:
    """Let a card of the enemy come later, as long as somebody of ours could act before him."""
    theirs = not question.facts["own card"] and bool(ready(table, question.side))
    for option in question.options:
        yield Idea(Reaction(option.id), f"{option.label} skips it", (("we act first", 1 if theirs else -1),))
    yield Idea(None, "lets it come", ())
