"""Declarations for tactics: what one model might do in its activation, and what each is worth.

A plan is worth what it does now, what the place it ends in lets it do next turn, less what the enemies may do to it
there. All of that comes from one survey of all places it thinks of.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from sandtable.engine.questions import Plan
from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.cav.concepts import center, enemies
from sandtable.rulesets.quickstart.movement.moves import locked_with
from sandtable.rulesets.quickstart.repair import may_repair, repair_roll
from sandtable.rulesets.quickstart.shooting.direct_fire import OVER_WATCH
from sandtable.rulesets.quickstart.state_names import StateName
from sandtable.rulesets.quickstart.states import is_down
from sandtable.rulesets.quickstart.tactics.bold import bold_plans
from sandtable.rulesets.quickstart.tactics.choices import Intention, fire_draft, fire_words, firing, going_words
from sandtable.rulesets.quickstart.tactics.guns import NO_ATTACK
from sandtable.rulesets.quickstart.tactics.memory import Memory
from sandtable.rulesets.quickstart.tactics.odds import POINT, close_combat_worth, ten_plus_chance
from sandtable.rulesets.quickstart.tactics.places import Pose, Situation
from sandtable.rulesets.quickstart.turn.declaration import NOTHING, STAY, may_declare
from sandtable.rulesets.quickstart.turn.plan_parts import ready_for
from sandtable.tabletop.opponent import Idea
from sandtable.tabletop.scouting.strolls import Stroll

#: What holding fire for whoever comes is worth, in hundredths of the fire.
WATCH = 35
#: Worth less than any place: who is restless looks at all of them.
NOWHERE = 10**9
#: What it costs to do nothing at all, so that anything of use is better.
IDLE = 50


def declarations(memory: Memory, table: Table, plan: Plan, skill: Any) -> Iterator[Idea]:
    """What a model might declare, as far as it may."""
    ready, hesitant = ready_for(table, plan), skill.hesitates_in(table.turn)
    for choice in _thought_of(memory, table, table[plan.actors[0]], skill):
        if (hesitant and "2" in choice.draft) or (not skill.aims and "lock" in choice.draft):
            continue
        if not skill.recovers and "repair" in choice.draft.values():
            continue
        if may_declare(ready, tuple([choice.draft[part] for part in ("1", "2") if part in choice.draft])):
            yield choice


def _thought_of(memory: Memory, table: Table, model: Thing, skill: Any) -> Iterator[Idea]:
    nothing = {"1": STAY if model.has(StateName.OVER_WATCH) else NOTHING}
    last = Idea(nothing, "do nothing", (("idle", -100 * POINT),))
    if model.has(StateName.RETREATING):
        for first in ("move", "stand-up", "break"):
            for draft in ({"1": first, "2": "move"}, {"1": first, "2": first}, {"1": first}):
                yield Idea(draft, "leave the field", (("", len(draft)),))
        yield last
        return
    if not enemies(table, model):
        yield last
        return
    held = locked_with(model)
    if held:
        yield from _in_close_combat(table, model, held)
        yield last
        return
    situation = Situation(memory, table, model, skill)
    yield Idea(nothing, "do nothing", (("idle", -IDLE), *situation.held.parts))
    if is_down(model):
        yield from _from_the_ground(situation)
    else:
        yield from _standing(situation)


def _in_close_combat(table: Table, model: Thing, held: Sequence[str]) -> Iterator[Idea]:
    mends = may_repair(model) is None
    for foe in [table[one] for one in held]:
        gain, loss = close_combat_worth(model, foe)
        parts = (("close combat", gain), ("what it costs", -loss))
        draft = {"1": "close-combat", "target": foe.id}
        yield Idea(draft, f"fight {foe.label}", parts)
        if mends:
            yield Idea(
                {"1": "repair", "2": "close-combat", "target": foe.id},
                f"mend and fight {foe.label}",
                (*parts, ("repair", repair_worth(model))),
            )
    yield Idea({"1": "break", "2": "break"}, "break away", (("getting away", -POINT // 2),))


def repair_worth(model: Thing) -> int:
    """What a repair may be expected to mend."""
    if may_repair(model) is not None or model.harm < 2:
        return 0
    return (ten_plus_chance(sum(part.value for part in repair_roll(model))) - 1) * POINT // 36


def _from_the_ground(situation: Situation) -> Iterator[Idea]:
    table, model = situation.table, situation.model
    here = situation.here
    place = situation.held.parts
    attack, at = here.plain, here.plain_at
    if attack.worth:
        draft = {"1": "stand-up", "2": "shoot", **fire_draft(attack, at)}
        yield Idea(draft, f"stand up and {fire_words(table, model, attack, at)}", (("fire", attack.worth), *place))
    mended = repair_worth(model)
    if mended:
        yield Idea({"1": "stand-up", "2": "repair"}, "stand up and mend", (("repair", mended), *place))
    yield Idea({"1": "stand-up"}, "stand up", place)


def _standing(situation: Situation) -> Iterator[Idea]:
    table, model, skill = situation.table, situation.model, situation.skill
    here, worth = situation.held
    plain, plain_at, locked, locked_at, _ = situation.here
    if model.has(StateName.DEFENDED):
        plain = locked = NO_ATTACK
    mended = repair_worth(model)
    if plain.worth:
        fire, said = fire_draft(plain, plain_at), fire_words(table, model, plain, plain_at)
        parts = (("fire", plain.worth), *here)
        yield Idea({"1": "shoot", **fire}, said, parts)
        if mended:
            yield Idea({"1": "repair", "2": "shoot", **fire}, f"mend and {said}", (("repair", mended), *parts))
    for at, attack in ((locked_at, locked), *(situation.others() if skill.restless and locked.worth else ())):
        if attack.worth:
            draft = {"1": "target-lock", "2": "shoot", "lock": at, **fire_draft(attack, at)}
            yield Idea(draft, f"lock on and {fire_words(table, model, attack, at)}", (("fire", attack.worth), *here))
    if mended:
        yield Idea({"1": "repair"}, "mend", (("repair", mended), *here))
    if skill.plans and not plain.worth:
        coming = _coming(situation)
        if coming:
            yield Idea({"1": "over-watch"}, "watch", (("over-watch", coming), *here))
    staying = worth + max(plain.worth + mended, locked.worth)
    besides = max(plain.worth, mended)
    yield from bold_plans(situation, staying, mended)
    if locked.worth >= situation.promise and not situation.in_danger() and not skill.restless:
        return  # it fires well enough from here
    if not model.has(StateName.SUPPRESSED) and (skill.restless or situation.hopes(besides) > staying):
        for one, pose in situation.places(-NOWHERE if skill.restless else staying, besides):
            yield from _going_there(situation, one, pose, mended)


def _coming(situation: Situation) -> int:
    """What over-watch may be worth: a share of what could be done to the nearest enemy in the open.

    A watch that nobody has come into for a turn is not kept up: both would wait for ever.
    """
    model, foe = situation.model, situation.nearest
    if model.has(StateName.OVER_WATCH):
        return 0
    gap = length_between(center(model), center(foe))
    foes = situation.memory.gunner(foe)
    return situation.gunner.reply(foes, max(2 * UNIT, gap - 6 * UNIT), 0, OVER_WATCH) * WATCH // 100


def _going_there(situation: Situation, one: Stroll, pose: Pose, mended: int) -> Iterator[Idea]:
    """Going somewhere: firing before or after, mending before, or going on."""
    model = situation.model
    place = situation.place(pose, one).parts
    plain, there = situation.here.plain, pose.plain
    gain = 0 if model.has(StateName.DEFENDED) else max(plain.worth, there.worth)
    if gain:
        first = plain.worth >= there.worth
        attack, at = (plain, situation.here.plain_at) if first else (there, pose.plain_at)
        draft = {"1": "move", "2": "shoot", **fire_draft(attack, at)}
        fires = fire_words(situation.table, situation.model, attack, at)
        label = f"{fires} and {going_words(one)}" if first else f"{going_words(one)} and {fires}"
        yield Idea(draft, label, (("fire", gain), *place), Intention(model.id, (firing(one.walk, first=first),)))
    if mended > gain:
        parts = (("repair", mended), *place)
        yield Idea(
            {"1": "repair", "2": "move"}, f"mend and {going_words(one)}", parts, Intention(model.id, (one.walk,))
        )
    elif situation.skill.hesitates_in(situation.table.turn):
        yield Idea({"1": "move"}, going_words(one), place, Intention(model.id, (one.walk,)))
    elif not gain:
        walks = Intention(model.id, (one.walk, one.walk))
        yield Idea({"1": "move", "2": "move"}, f"{going_words(one)} and on", place, walks)
