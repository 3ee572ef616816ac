"""What an assault would come to, had it been made from here: numbers part by part, the line of sight, exact odds.

Everything is asked of the code that plays: the aim explains, and the odds walk every outcome of the very steps that
fire. Only what the side knows goes in, and only where measuring is open.
"""

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from sandtable.engine.enumerator import Distribution, distribution
from sandtable.engine.explain import Explanation, inches
from sandtable.engine.questions import Chance, Preview, Refusal, SightNote
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.shapes import At
from sandtable.engine.state import State, Step
from sandtable.engine.table import Table, Thing
from sandtable.field.paths import Pose
from sandtable.rulesets.quickstart.concepts import distance
from sandtable.rulesets.quickstart.datacard import weapons
from sandtable.rulesets.quickstart.shooting.assaults import Fire, StepEight
from sandtable.rulesets.quickstart.shooting.direct_fire import Shot, aim, is_missile
from sandtable.rulesets.quickstart.shooting.reactions import may_defend
from sandtable.rulesets.quickstart.sight import line_of_sight

#: So many branches are walked for a preview; more would keep a player waiting.
BUDGET = 20_000
#: A target to which nothing happened: no harm, and still in play.
UNHARMED = (0, False)


def moved_to(table: Table, model: Thing, pose: Pose) -> Table:
    """The table with a model where a walk would take it."""
    there = table.copy()
    there.things[model.id] = replace(model, place=At(pose.point), facing=pose.facing)
    return there


def forecast(ruleset: Ruleset, table: Table, shots: Sequence[Shot]) -> Preview:
    """What shots at one model would bring, fired from where the shooter stands on this table.

    quickstart.combat.step-4-order    weapon after weapon, as declared
    quickstart.combat.simultaneous    damage takes effect when all have fired
    """
    shooter, victim = table[shots[0].shooter], table[shots[0].target]
    explanations: list[Explanation] = []
    notes: list[str] = []
    sight: tuple[SightNote, ...] = ()
    for shot in shots:
        name = " and ".join(weapons(shooter)[one].name for one in shot.weapons)
        aimed = aim(table, shot)
        if isinstance(aimed, Refusal):
            notes.append(f"{name}: {aimed.sentence} It misses.")
        else:
            added = sum(part.value for part in aimed.modifiers)
            explanations.append(replace(aimed.needs, what=f"{name} at {inches(aimed.distance)}: needs"))
            explanations.append(Explanation(f"{name}: added to 2d6", added, aimed.modifiers))
    if not all(is_missile(weapons(shooter)[one]) for shot in shots for one in shot.weapons):
        sight = (line_of_sight(table, shooter, victim).note,)
    odds, note = _odds(ruleset, table, shots) if explanations else ((), "")
    return Preview(
        explanations=tuple(explanations),
        notes=tuple(notes),
        distances={victim.id: distance(shooter, victim)},
        sight=sight,
        odds=odds,
        odds_note=note,
    )


def harm_of(ruleset: Ruleset, table: Table, victim: str, steps: Sequence[Step]) -> Distribution:
    """What steps can do to a model: the harm, and whether it goes out of play."""
    before = table[victim].harm
    # Whatever else is on the agenda comes later, and what is due is settled with this: both start empty.
    state = State(table.copy(), agenda=list(reversed(steps)))

    def harm(later: State) -> tuple[int, bool]:
        after = later.table[victim]
        return (0, True) if after.gone else (after.harm - before, False)

    return distribution(ruleset, state, read=harm, until=lambda later: not later.agenda, budget=BUDGET)


def _odds(ruleset: Ruleset, table: Table, shots: Sequence[Shot]) -> tuple[tuple[Chance, ...], str]:
    """The chance of each amount of harm to the target, and what was left out of it."""
    victim, shooter = table[shots[0].target], table[shots[0].shooter]
    found = harm_of(ruleset, table, victim.id, [*(Fire(shot) for shot in shots), StepEight(shooter.id)])
    chances: dict[tuple[bool, int], list[Fraction]] = {}
    for outcome in found.outcomes:
        assert isinstance(outcome.what, tuple)
        amount, gone = outcome.what
        chances[gone, amount] = [outcome.chance, outcome.low, outcome.high]
    shown = tuple(
        Chance(
            f"{victim.label} is out of play"
            if gone
            else f"{victim.label}: {f'{amount} harm' if amount else 'no harm'}",
            chance.numerator,
            chance.denominator,
            None if found.exact else (int(low * 1000), int(high * 1000) + 1),
        )
        for (gone, amount), (chance, low, high) in sorted(chances.items())
    )
    left_out = ["defensive fire"] if may_defend(table, victim, shooter) else []
    note = f"Without {' and '.join(left_out)}, which would be settled with it." if left_out else ""
    return shown, note if found.exact else f"Sampled, not exact. {note}".strip()
