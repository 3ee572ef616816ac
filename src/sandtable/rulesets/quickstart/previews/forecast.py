"""What an assault would come to, had it been made from here: numbers part by part, the line of sight, exact odds.

Everything is asked of the code that plays: the aim explains, and the odds walk every outcome of the very steps that
fire. Only what the side knows goes in, and only where measuring is open.
"""

from collections.abc import Sequence
from fractions import Fraction

from msgspec.structs import replace

from sandtable.engine.enumerator import Distribution, distributions
from sandtable.engine.explain import Explanation, inches
from sandtable.engine.questions import Chance, Preview, Refusal, SightNote
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.state import Settle, State, Step
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.cav.damage import noted_damage
from sandtable.rulesets.quickstart.concepts import distance
from sandtable.rulesets.quickstart.datacard import weapons
from sandtable.rulesets.quickstart.indirect import secondary_parts
from sandtable.rulesets.quickstart.shooting.assaults import Aftermath, Fire, Secondary, StepEight
from sandtable.rulesets.quickstart.shooting.direct_fire import Shot, aim, is_missile
from sandtable.rulesets.quickstart.shooting.reactions import may_defend
from sandtable.rulesets.quickstart.sight import line_of_sight

#: So many branches are walked for a preview; more would keep a player waiting.
BUDGET = 20_000
#: A target to which nothing happened: no harm, and still in play.
UNHARMED = (0, False)


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


def harm_of(ruleset: Ruleset, victim: str, fought: Sequence[tuple[Table, Sequence[Step]]]) -> list[Distribution]:
    """What steps can do to a model, for each table on which they are made: the harm, and whether it goes out of play.

    It is the same model on all of them, however it stands there.
    """

    def harm(later: State) -> tuple[int, bool]:
        after = later.table[victim]
        return (0, True) if after.gone else (after.harm - before, False)

    before = fought[0][0][victim].harm if fought else 0
    return distributions(
        ruleset,
        # Whatever else is on the agenda comes later, and what is due is settled with this: both start empty.
        [State(table.copy(), agenda=list(reversed(steps))) for table, steps in fought],
        read=harm,
        # Who is a mission kill then changes nobody's harm, and is long to find out: it looks for ways off the board.
        until=lambda later: not later.agenda or isinstance(later.agenda[-1], Aftermath),
        matters=lambda later: _decides(later, victim),
        budget=BUDGET,
    )


def _decides(state: State, victim: str) -> object:
    """All that can still decide the harm of a model.

    In Step 8 that is the harm it has and how much is noted, how many criticals, and whether it is to make a pilot
    check: that costs a point on a natural 2, whatever is added to it. Before, it is also how all are and what the shots
    need, but not from where they are fired: at many ranges they need the same.
    """
    table = state.table
    noted = [due.harm.what for due in state.due if due.target == victim]
    hurt = (
        table[victim].harm,
        table[victim].gone,
        noted_damage(state.due, victim),
        noted.count("critical damage"),
        "pilot check" in noted,
    )
    left = [step for step in state.agenda if not isinstance(step, StepEight | Settle | Aftermath)]
    if not left:
        return hurt
    return hurt, [_condition(thing) for thing in table.things.values()], [_needs(table, step) for step in left]


def _condition(thing: Thing) -> object:
    return thing.id, thing.harm, thing.gone, thing.states, thing.counts


def _needs(table: Table, step: Step) -> object:
    """What a step that fires needs from the dice, as far as that hangs on the table."""
    if isinstance(step, Fire):
        aimed = aim(table, step.shot)
        if isinstance(aimed, Refusal):
            return aimed.rule
        added = sum(part.value for part in aimed.modifiers)
        return aimed.needs.total, added, aimed.critical_from, aimed.critical_die, aimed.twist
    if isinstance(step, Secondary):
        return [part.value for part in secondary_parts(table, step.caught)]
    return list(table.things.values())


def _odds(ruleset: Ruleset, table: Table, shots: Sequence[Shot]) -> tuple[tuple[Chance, ...], str]:
    """The chance of each amount of harm to the target, and what was left out of it."""
    victim, shooter = table[shots[0].target], table[shots[0].shooter]
    steps = [*(Fire(shot) for shot in shots), StepEight(shooter.id)]
    (found,) = harm_of(ruleset, victim.id, [(table, steps)])
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
            amount,
            gone,
            True,
        )
        for (gone, amount), (chance, low, high) in sorted(chances.items())
    )
    left_out = ["defensive fire"] if may_defend(table, victim, shooter) else []
    note = f"Without {' and '.join(left_out)}, which would be settled with it." if left_out else ""
    return shown, note if found.exact else f"Sampled, not exact. {note}".strip()
