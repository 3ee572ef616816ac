"""What C3 points and skips are worth: a roll that is inspired, a rally, a card of the enemy that comes later."""

from collections.abc import Iterator, Sequence
from typing import Any

from sandtable.engine.ids import Side
from sandtable.engine.questions import Confirm, React, Reaction
from sandtable.engine.table import Table
from sandtable.rulesets.strikeops.command import COST, INSPIRED, points
from sandtable.rulesets.strikeops.initiative import ready
from sandtable.rulesets.strikeops.shooting.aiming import Attack
from sandtable.rulesets.strikeops.state_names import StateName
from sandtable.rulesets.strikeops.tactics.fire import FALL, KEPT, guns, thought, value
from sandtable.rulesets.strikeops.tactics.squads import Chosen, standing_fire
from sandtable.tabletop.opponent import Idea, Skill

#: What a model is worth to its side that is steady again.
STEADIED = 250


def inspirations(table: Table, side: Side, plan: Sequence[tuple[str, Chosen]], skill: Skill) -> dict[str, Any]:
    """The part of a declaration that inspires the shot to which a die more brings most, where that is worth a point."""
    spent = sum(chosen.way.motivated for _, chosen in plan) * COST
    if points(table, side) - spent < COST or not skill.plans:
        return {}
    able, best, said = guns(table), KEPT, {}
    for model, chosen in plan:
        volley = chosen.volley
        if volley is None or volley.salvo or volley.point is not None:
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


def skips(table: Table, question: React, skill: Skill) -> Iterator[Idea]:
    """Let a card of the enemy come later where we could fire first, and our own where he would have to come to us."""
    ours = [one for squad in ready(table, question.side) for one in table.members(squad.id)]
    fire = max((standing_fire(table, one, skill) for one in ours), default=0)
    theirs = any(ready(table, side) for side in table.sides if side != question.side)
    pays = bool(ours) and ((not fire and theirs) if question.facts["own card"] else bool(fire))
    words = "they come to us" if question.facts["own card"] else "we fire first"
    for option in question.options:
        yield Idea(Reaction(option.id), f"{option.label} skips it", ((words, fire or 1) if pays else ("no use", -1),))
    yield Idea(None, "lets it come", ())
