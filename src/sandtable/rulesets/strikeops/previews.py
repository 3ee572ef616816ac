"""What a draft would bring, from the same functions that decide it: costs of a walk, reach, sight, exact odds.

Before a declaration is made nothing is measured (strikeops.actions.no-pre-measuring): what it costs is told, and the
odds of what no distance changes.
"""

from fractions import Fraction
from typing import Any

from msgspec.structs import replace

from sandtable.engine.enumerator import distributions
from sandtable.engine.explain import Explanation, inches
from sandtable.engine.questions import Chance, MoveModels, Plan, Preview, Refusal
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import Shape, Walk
from sandtable.engine.state import State
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.reach import reach
from sandtable.rulesets.cav.damage import noted_damage
from sandtable.rulesets.cav.movement import Rates, halts_at
from sandtable.rulesets.cav.previews import moved_to, path_note, walker
from sandtable.rulesets.strikeops.actions.declaring import DECLARATION, Declaration, declared, with_point
from sandtable.rulesets.strikeops.actions.listing import cost_of
from sandtable.rulesets.strikeops.command import COST as C3_COST
from sandtable.rulesets.strikeops.command import REPAIR_ROLL, inspire
from sandtable.rulesets.strikeops.datacard import weapons
from sandtable.rulesets.strikeops.deployment import ENTERING, RECON_WALK
from sandtable.rulesets.strikeops.movement import FIRES_HERE, WALK, fires_before, going, question_rates
from sandtable.rulesets.strikeops.recovery import repair_check
from sandtable.rulesets.strikeops.shooting.aiming import Attack, aim
from sandtable.rulesets.strikeops.shooting.firing import fire_steps
from sandtable.rulesets.strikeops.shooting.rolling import likeliest
from sandtable.rulesets.strikeops.sight import distance, line_of_sight
from sandtable.rulesets.strikeops.state_names import ActionName, CountName, StateName
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import together

#: So many branches are walked for a preview; more would keep a player waiting.
BUDGET = 20_000


def declaration(view: View, question: Plan, answer: dict[str, Any]) -> Preview:
    """What a declaration costs each model, and how likely the repair is that it begins with."""
    return together(*(_of_model(view.table, one) for one in declared(question, answer)))


def _of_model(table: Table, said: Declaration) -> Preview:
    model = table[said.model]
    cost = sum(cost_of(model, action) for action in said.actions)
    left = (with_point(model) if said.motivated else model).count(CountName.AP) - cost
    spent = (len(said.inspired) + said.motivated) * C3_COST
    note = f"{model.label}: {cost} AP, {left} left" + (f"; {spent} C3" if spent else "")
    if said.actions[:1] == (ActionName.REPAIR,):
        check = inspire(repair_check(model), REPAIR_ROLL in said.inspired)
        return replace(check.preview(), notes=(note,))
    return Preview(notes=(note,))


def walk_reach(table: Table, model: Thing, rates: Rates) -> tuple[Shape, ...]:
    """Where the middle of a model may get with its Move Actions; found once, as long as nobody moves.

    Of a suppressed one as long as nothing changes: it minds which enemies are out of action.
    """
    cache = table.things_cache if model.has(StateName.SUPPRESSED) else table.posture
    key = ("walk reach", model.id, rates)
    found: tuple[Shape, ...] | None = cache.get(key)
    if found is None:
        there = walker(table, model, rates, lambda walk: going(table, model, walk, rates).reach)
        found = cache[key] = reach([there])
    return found


def walked(ruleset: Ruleset, view: View, question: MoveModels, answer: dict[str, Walk] | None) -> Preview:
    """The way with its costs; and what its attack would bring, made where it is marked."""
    table, model = view.table, view.table[question.models[0]]
    rates = question_rates(model, question)
    could = walk_reach(table, model, rates) if "reach" in question.shows else ()
    walk = (answer or {}).get(model.id)
    if walk is None:
        return Preview(reach=could)
    gone = going(table, model, walk, rates)
    path = path_note(gone, model, rates.allowance)
    notes = (f"{model.label} leaves the board and is out of the battle.",) if gone.leaves else ()
    fired = Preview()
    if question.marks and len(question.about) > 1:
        before = fires_before(question, walk)
        along = 0 if before else halts_at(table, model, gone, walk.marks.get(FIRES_HERE, gone.reach))
        at = gone.track.pose_at(along, turned=along in (0, gone.reach) and not before)
        attack = Attack(model.id, question.about[1], question.about[2:], running=bool(question.facts["running"]))
        fired = forecast(ruleset, moved_to(table, model, at), attack)
    shown = Preview(explanations=path.costs, notes=notes, reach=could, paths=(path,))
    return together(shown, fired)


def forecast(ruleset: Ruleset, table: Table, attack: Attack) -> Preview:
    """What an attack would bring, made from where the attacker stands on this table."""
    shooter, foe = table[attack.shooter], table[attack.target]
    if foe.gone:
        return Preview()
    explanations: list[Explanation] = []
    notes: list[str] = []
    for name in attack.weapons:
        called = weapons(shooter)[name].weapon.name
        aimed = aim(table, attack, name)
        if isinstance(aimed, Refusal):
            notes.append(f"{called}: {aimed.sentence}")
        else:
            parts = (*aimed.needs.parts, *aimed.modifiers)
            needs = sum(part.value for part in parts)
            explanations.append(Explanation(f"{called} at {inches(aimed.distance)}: needs", needs, parts))
    odds = _odds(ruleset, table, attack) if explanations else ()
    return Preview(
        explanations=tuple(explanations),
        notes=tuple(notes),
        distances={foe.id: distance(shooter, foe)},
        sight=(line_of_sight(table, shooter, foe).note,),
        odds=odds,
    )


def points_of(ruleset: Ruleset, table: Table, *attacks: Attack) -> dict[int, Fraction]:
    """How likely attacks on one target, made one after another, note so many damage points against it, exactly.

    The lower die of a Full-Auto weapon that misses is rolled again.
    """
    begun = State(table.copy(), agenda=[step for attack in reversed(attacks) for step in reversed(fire_steps(attack))])
    foe, shooters = attacks[0].target, [attack.shooter for attack in attacks]

    def matters(state: State) -> object:
        fire = [(state.table[one].states, state.table[one].counts) for one in shooters]
        return noted_damage(state.due, foe), fire, state.table[foe].states

    def read(state: State) -> int:
        return noted_damage(state.due, foe)

    def over(state: State) -> bool:
        return not state.agenda

    (found,) = distributions(ruleset, [begun], read=read, until=over, matters=matters, answers=likeliest, budget=BUDGET)
    return {int(str(one.what)): one.chance for one in found.outcomes}


def _odds(ruleset: Ruleset, table: Table, attack: Attack) -> tuple[Chance, ...]:
    foe = table[attack.target]
    bears = max(1, foe.track - foe.harm)
    return tuple(
        Chance(
            f"{foe.label}: {f'{points} points' if points else 'no harm'}",
            chance.numerator,
            chance.denominator,
            None,
            points,
            points >= bears,
        )
        for points, chance in sorted(points_of(ruleset, table, attack).items())
    )


CHAPTER = Chapter(previews={DECLARATION: declaration}, forecasts={WALK: walked, RECON_WALK: walked, ENTERING: walked})
