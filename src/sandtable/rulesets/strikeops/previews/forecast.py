"""What an attack would come to, had it been made from here: numbers part by part, the line of sight, exact odds."""

from fractions import Fraction

from sandtable.engine.enumerator import distributions
from sandtable.engine.explain import Explanation, inches
from sandtable.engine.questions import Chance, Preview, Refusal
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.state import State
from sandtable.engine.table import Table
from sandtable.rulesets.cav.damage import noted_damage
from sandtable.rulesets.strikeops.datacard import weapons
from sandtable.rulesets.strikeops.indirect import Bombard
from sandtable.rulesets.strikeops.shooting.aiming import Attack, aim
from sandtable.rulesets.strikeops.shooting.firing import AttackEnds, fire_steps
from sandtable.rulesets.strikeops.shooting.rolling import likeliest
from sandtable.rulesets.strikeops.sight import distance, line_of_sight

#: So many branches are walked for a preview; more would keep a player waiting.
BUDGET = 20_000


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


def points_of(ruleset: Ruleset, table: Table, *attacks: Attack, foe: str = "") -> dict[int, Fraction]:
    """How likely attacks, made one after another, note so many damage points against their target, exactly.

    The lower die of a Full-Auto weapon that misses is rolled again.
    """
    steps = [fire_steps(one) if one.point is None else (Bombard(one), AttackEnds(one)) for one in attacks]
    begun = State(table.copy(), agenda=[step for each in reversed(steps) for step in reversed(each)])
    victim, shooters = foe or attacks[0].target, [attack.shooter for attack in attacks]

    def matters(state: State) -> object:
        fire = [(state.table[one].states, state.table[one].counts) for one in shooters]
        return noted_damage(state.due, victim), fire, state.table[victim].states

    def read(state: State) -> int:
        return noted_damage(state.due, victim)

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
            True,
        )
        for points, chance in sorted(points_of(ruleset, table, attack).items())
    )
