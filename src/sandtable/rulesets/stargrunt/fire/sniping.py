"""A sniper's shot: it names its victim, suppresses even where it misses, and may give him away.

As long as nobody knows where a sniper is, nothing that would tell it is shown: not the Range Die, for it knows the
distance, and not the Armour Die, for it knows from where the victim is covered.
"""

from collections.abc import Sequence
from functools import partial

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.cover.protection import armour_shift, cover_from
from sandtable.rulesets.stargrunt.dice.foretold import outcomes
from sandtable.rulesets.stargrunt.dice.rolls import MULTIPLE, against_one, die_part, several, success_chances
from sandtable.rulesets.stargrunt.fire.hits import AfterFire
from sandtable.rulesets.stargrunt.fire.resolution import note_fired_upon, who_is_hit
from sandtable.rulesets.stargrunt.fire.shots import (
    BANDS,
    DECLARING,
    EFFECT,
    FIRE_LIMIT,
    FIRED,
    RANGE_DIE,
    RANGE_LIMIT,
    band,
    die_of,
    fired,
    range_steps,
    refused_target,
    support_refused,
)
from sandtable.rulesets.stargrunt.fire.wounds import impact_roll, wound
from sandtable.rulesets.stargrunt.forces.cards import kit, role_words
from sandtable.rulesets.stargrunt.observation.counters import counter_of, in_its_place, place_figures
from sandtable.rulesets.stargrunt.units.record import (
    QUALITY,
    STATUS,
    enemies,
    fit,
    hidden,
    hull_of,
    quality,
    quality_die,
    range_between,
    spot,
    with_unit,
)
from sandtable.rulesets.stargrunt.weapons import SNIPER, SNIPER_RIFLES, SniperRifle, named
from sandtable.tabletop.checks import Check, throw_each
from sandtable.tabletop.choosing import none_open, unless_alone
from sandtable.tabletop.states import END_OF_TURN, give

SNIPERS = rule("stargrunt.fire.snipers")
MISS = rule("stargrunt.fire.sniper-miss-suppresses")

#: How many range bands of his quality one of a sniper's is.
_BANDS = SNIPERS.formula("range_band")
_OUTCOMES = ("a miss that keeps their heads down", "somebody is hit", "the one he aims at is hit")


def rifleman(table: Table, unit: Thing) -> Thing | None:
    """The OK figure of a unit with a sniper rifle."""
    return next((one for one in fit(table, unit.id) if kit(one).support_weapon in SNIPER), None)


def sniper_range(table: Table, unit: Thing, target: Thing) -> Explanation:
    """Where the Range Die of a sniper's shot stands: his range bands are twice as wide (stargrunt.fire.snipers)."""
    number = band(range_between(table, unit.id, target.id), _BANDS * BANDS.number(quality(unit)))
    first = ExplainedPart(f"range band {number}", number, SNIPERS.id)
    return explain("range die", first, *range_steps(table, unit, target).parts[1:])


def from_where(table: Table, unit: Thing) -> Table:
    """The table a sniper's shot is worked out on: with him where he lies hidden, which his owner knows."""
    counter = counter_of(table, unit.id) if hidden(unit) else None
    return table if counter is None else in_its_place(table, unit, spot(counter))


def victims(table: Table, unit: Thing) -> list[Option]:
    """The enemy units."""
    return [Option(foe.id, foe.label, (foe.id,), (SNIPERS.id,)) for foe in enemies(table, unit.side)]


def victim_refused(table: Table, unit: Thing, name: str) -> Refusal | None:
    """Why a sniper may not fire at an enemy unit."""
    shown, foe = from_where(table, unit), table[name]
    if hull_of(table, name) is not None:
        return Refusal(SNIPERS.id, f"{foe.label} is a vehicle: a sniper fires at figures.")
    refusal = refused_target(shown, unit, foe)
    if refusal is not None and refusal.rule != RANGE_LIMIT.id:
        return refusal
    steps = sniper_range(shown, unit, foe)
    if die_of(steps.total) is not None:
        return None
    return Refusal(RANGE_LIMIT.id, f"{foe.label} is out of range: {steps.words()}.")


def no_shot(table: Table, unit: Thing) -> Refusal | None:
    """Why a sniper may not fire now."""
    figure = rifleman(table, unit)
    if figure is None:
        return Refusal(STATUS.id, "Nobody is fit to fire the rifle.")
    refusal = support_refused(unit, figure)
    if refusal is not None:
        return refusal
    seen = victims(table, unit)
    if not seen:
        return Refusal(DECLARING.id, "No enemy is on the table.")
    return none_open(seen, partial(victim_refused, table, unit))


def _veiled(parts: Sequence[ExplainedPart], known_to: tuple[Side, ...]) -> tuple[ExplainedPart, ...]:
    """Parts that only some may know; everybody, where nobody is named."""
    return tuple(ExplainedPart(one.label, one.value, one.rule, known_to) for one in parts)


def sniper_roll(
    unit: Thing, rifle: SniperRifle, target: Thing, steps: Explanation, by: str = "", secret: tuple[Side, ...] = ()
) -> Check | None:
    """Quality and the rifle's die against the Range Die, which would tell where a hidden sniper lies; none too far."""
    die = die_of(steps.total)
    if die is None:
        return None
    own = quality_die(unit)
    parts = (die_part("Quality", own, QUALITY), ExplainedPart(named(rifle.id), rifle.firepower, SNIPER_RIFLES.id))
    ours = several("sniper fire", by or unit.id, (own, rifle.firepower), parts, SNIPERS, (BANDS,))
    theirs = several("range", target.id, (die,), _veiled(steps.parts, secret), EFFECT, (RANGE_DIE, MULTIPLE, MISS))
    return against_one(ours, theirs, lambda higher: _OUTCOMES[higher])


def snipe(battle: Battle, unit: Thing) -> Procedure[tuple[Step, ...]]:
    """A sniper fires: even a miss suppresses, a minor success hits anybody, a major one whom he names.

    stargrunt.fire.snipers                  a 1 on the Quality die gives him away
    stargrunt.fire.sniper-miss-suppresses   the marker comes whatever the dice show
    """
    chosen = yield ChooseOne(
        unit.side,
        f"{unit.label} fires at whom?",
        topic="sniper-target",
        about=(unit.id,),
        options=tuple(victims(battle.table, unit)),
        rules=(SNIPERS.id,),
        shows=("distance", "odds"),
    )
    figure, target = rifleman(battle.table, unit), battle.table[chosen]
    assert figure is not None, "nobody fires"
    rifle = SNIPER[kit(figure).support_weapon]
    secret = (unit.side,) if hidden(unit) else ()
    by = unit.side if secret else unit.id
    n = battle.happens(Declared(by, "sniper fire", (target.id,), rule=SNIPERS.id))
    after = (*fired(unit), figure.id)
    give(battle, unit.id, FIRED, FIRE_LIMIT, after, until=END_OF_TURN, because=n, known_to=secret)
    if not secret:
        note_fired_upon(battle, unit, target, n)
    shown = from_where(battle.table, battle.table[unit.id])
    aimed = sniper_roll(unit, rifle, target, sniper_range(shown, unit, target), by, secret)
    assert aimed is not None, "an impossible shot was declared"
    roll = throw_each(battle, aimed, n)
    higher = roll.tally.higher
    hurt: tuple[str, ...] = ()
    if higher:
        victim, n = yield from _victim(battle, unit, target, higher > 1, roll.n)
        shifts, times = _veiled(armour_shift(cover_from(shown, target.id, unit.id)), secret), rifle.multiplier
        result, n = impact_roll(battle, by, victim, rifle.impact, shifts, n, multiplier=times, known_to=secret)
        if result != "no effect" and wound(battle, victim.id, result == "killed", again=False, because=n):
            hurt = (victim.id,)
    given_away = roll.scores[0] == SNIPERS.number("revealed_on_quality_roll") and bool(secret)
    nerve = AfterFire(unit.id, target.id, True, hurt, rule=(SNIPERS if higher else MISS).id)
    return (nerve, *((GivenAway(unit.id, target.id),) if given_away else ()))


class GivenAway(Step, frozen=True):
    """A sniper's shot has shown where he is, and who fired on its target."""

    unit: str
    target: str


def given_away(battle: Battle, step: GivenAway) -> Procedure[None]:
    """A sniper is revealed where he lies."""
    counter = counter_of(battle.table, step.unit)
    if counter is not None:
        yield from place_figures(battle, counter, SNIPERS)
        note_fired_upon(battle, battle.table[step.unit], battle.table[step.target], 0)


def _victim(battle: Battle, unit: Thing, target: Thing, named_: bool, because: int) -> Procedure[tuple[Thing, int]]:
    """Who is hit: whom the sniper names, or any figure."""
    exposed = with_unit(battle.table, target.id)
    if not named_:
        return who_is_hit(battle, target.id, exposed, because)
    question = ChooseOne(
        unit.side,
        "The sniper hits whom?",
        topic="victim",
        about=(target.id,),
        options=tuple(Option(one.id, f"{one.label}, {role_words(one)}", (one.id,)) for one in exposed),
        rules=(SNIPERS.id,),
        default=exposed[0].id,
    )
    return battle.table[(yield from unless_alone(question))], because


def sniper_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The dice of a sniper's shot."""
    unit, target = view.table[question.about[0]], view.table[answer]
    figure = rifleman(view.table, unit)
    assert figure is not None, "nobody fires"
    steps = sniper_range(from_where(view.table, unit), unit, target)
    rifle = SNIPER[kit(figure).support_weapon]
    aimed, own = sniper_roll(unit, rifle, target, steps), quality_die(unit)
    note = f"D{own}, D{rifle.firepower} against D{die_of(steps.total)}, impact D{rifle.impact}"
    if aimed is None:
        return Preview(explanations=(steps,), notes=(note,))
    odds = outcomes(dict(zip(_OUTCOMES, success_chances(aimed).values(), strict=True)))
    shown = f"a {SNIPERS.number('revealed_on_quality_roll')} on the D{own} gives him away"
    return Preview(explanations=(steps,), notes=(note, shown) if hidden(unit) else (note,), odds=odds)
