"""Wounds: impact against armour, what a suit does for its wearer, and treating the wounded."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Grouped, Harm, HarmApplied, ModelLost
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import AnyQuestion, Preview
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, citing, rule
from sandtable.rulesets.stargrunt.dice.foretold import face_chances, outcomes
from sandtable.rulesets.stargrunt.dice.rolls import (
    OPEN,
    die_part,
    one_die,
    open_shifted,
    opposed_roll,
    row_of,
    table_roll,
)
from sandtable.rulesets.stargrunt.fire.armament import CREW_SERVED
from sandtable.rulesets.stargrunt.fire.shots import IMPACT, REPEATED
from sandtable.rulesets.stargrunt.forces.cards import OUT_OF_SUIT, UNSUITED_MOBILITY, kit, squad
from sandtable.rulesets.stargrunt.movement.walking import MOBILITY_STATE
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import (
    ARMOUR,
    DEAD,
    NOBODY_FIT,
    STATUS,
    SUIT_WRECKED,
    WOUNDED,
    armour_die,
    fit,
    gap_between,
    in_power_armour,
    points,
    spot,
    standing,
    untreated,
    whereabouts,
    with_unit,
)
from sandtable.tabletop.checks import Check
from sandtable.tabletop.previews import together
from sandtable.tabletop.states import give, take

SUITS = rule("stargrunt.actions.power-armour-casualties")
TREATING = rule("stargrunt.actions.treating-wounded")
MEDICS = rule("stargrunt.actions.medics")

#: How many times the armour an impact must exceed to kill.
_KILLS = IMPACT.formula("kill")


def impact_roll(
    battle: Battle,
    by: str,
    victim: Thing,
    impact: int,
    shifts: Sequence[ExplainedPart],
    because: int,
    *,
    multiplier: int = 1,
    known_to: tuple[Side, ...] = (),
) -> tuple[str, int]:
    """Impact against armour: no effect, wounded or killed; and the event that says so.

    With `known_to` the dice are shown to some alone: they would tell where the fire comes from.
    """
    both = impact_dice(by, victim, impact, shifts, multiplier, known_to)
    more = (ARMOUR, OPEN) if shifts else (ARMOUR,)
    contest = opposed_roll(battle, *both, IMPACT, because=because, more=more, outcome=harm_done)
    return harm_done(contest.score, contest.theirs), contest.n


def impact_dice(
    by: str,
    victim: Thing,
    impact: int,
    shifts: Sequence[ExplainedPart],
    multiplier: int = 1,
    known_to: tuple[Side, ...] = (),
) -> tuple[Check, Check]:
    """The Impact Die, and the Armour Die of a figure or of a crew-served weapon, after what shifts them openly."""
    base = armour_die(victim) if victim.kind == "model" else CREW_SERVED.number("weapon_armour_die")
    guard, blow = open_shifted(base, sum(part.value for part in shifts), impact)
    parts = (die_part("armour", base, ARMOUR, known_to), *shifts)
    return one_die("impact", by, blow, times=multiplier), one_die("armour", victim.id, guard, parts)


def harm_done(impact: int, armour: int) -> str:
    """What an impact does to a figure: more than twice the armour kills (stargrunt.fire.step-three).

    >>> harm_done(4, 4), harm_done(5, 4), harm_done(9, 4)
    ('no effect', 'wounded', 'killed')
    """
    return "killed" if impact > _KILLS * armour else "wounded" if impact > armour else "no effect"


def harm_after(harm: int, *, kills: bool, again: bool) -> int:
    """The harm of a figure that is wounded or killed: twice in one fire kills (stargrunt.fire.repeated-wounds)."""
    return DEAD if kills or again else max(WOUNDED, harm)


def suit_fate(score: int) -> str:
    """What becomes of somebody wounded in a suit (stargrunt.actions.power-armour-casualties)."""
    return row_of(SUITS, score, "dead", "stabilised", "suit_lost", "ok")


def wound(battle: Battle, figure: ThingId, kills: bool, again: bool, because: int, by: Rule = IMPACT) -> bool:
    """Wound or kill a figure; whether that changed anything about it.

    stargrunt.fire.repeated-wounds                   twice in one fire kills; a stabilised one is wounded again
    stargrunt.actions.power-armour-casualties        who is wounded in a suit rolls at once
    """
    thing = battle.table[figure]
    if in_power_armour(thing) and not (kills or again):
        return wounded_in_a_suit(battle, thing, because)
    after = harm_after(thing.harm, kills=kills, again=again)
    changed = after != thing.harm
    if changed:
        why = REPEATED if again and not kills else by
        harm = Harm("killed" if after == DEAD else "wounded", after - thing.harm)
        because = battle.happens(
            HarmApplied(figure, harm, thing.harm, after, rule=why.id, because=because, detail=citing(STATUS))
        )
    if thing.has(StateName.STABILISED) and after == WOUNDED:
        take(battle, figure, StateName.STABILISED, REPEATED, because)
        changed = True
    if after == DEAD:
        battle.happens(ModelLost(figure, "killed", rule=by.id, because=because))
    return changed


def wounded_in_a_suit(battle: Battle, figure: Thing, because: int) -> bool:
    """Roll for a wounded figure in Power Armour; whether anything became of it.

    stargrunt.actions.power-armour-casualties    1 dead, 2-4 stabilised, 5 the suit is wrecked, 6 nothing
    """
    asked = (battle, "in the suit", figure.id, f"d{SUITS.number('die')}", SUITS)
    score, n, _ = table_roll(*asked, lambda score: suit_fate(score).replace("_", " "), because, more=(STATUS,))
    fate = suit_fate(score)
    if fate == "ok" or (fate != "dead" and figure.harm):
        return False
    after = DEAD if fate == "dead" else WOUNDED
    words = {"dead": "killed", "stabilised": "wounded", "suit_lost": SUIT_WRECKED}[fate]
    battle.happens(
        HarmApplied(figure.id, Harm(words, after - figure.harm), figure.harm, after, rule=SUITS.id, because=n)
    )
    if fate == "dead":
        battle.happens(ModelLost(figure.id, "killed", rule=SUITS.id, because=n))
    else:
        state = StateName.STABILISED if fate == "stabilised" else SUIT_WRECKED
        give(battle, figure.id, state, SUITS, because=n)
    return True


def free_from_suits(battle: Battle, unit: Thing) -> None:
    """Free the figures that sit in wrecked suits: they fight on in battledress, with a pistol, and on foot."""
    for one in with_unit(battle.table, unit.id):
        if not one.has(SUIT_WRECKED):
            continue
        n = battle.happens(HarmApplied(one.id, Harm("freed", -one.harm), one.harm, 0, rule=SUITS.id))
        take(battle, one.id, SUIT_WRECKED, SUITS, n)
        give(battle, one.id, OUT_OF_SUIT, SUITS, because=n)
        if not battle.table[unit.id].has(MOBILITY_STATE):
            give(battle, unit.id, MOBILITY_STATE, SUITS, UNSUITED_MOBILITY, because=n)


# Treating the wounded ----------------------------------------------------------------------------------------------


def to_treat(table: Table, unit: Thing) -> list[Thing]:
    """The wounded a unit may treat: its own, and those of a friendly unit with nobody fit within 6 inches."""
    own = untreated(table, unit.id)
    reach = NOBODY_FIT.inches("treat_within_in") ** 2
    here = points(table, unit.id)
    for other in table.of_kind("unit"):
        if other.side == unit.side and other.id != unit.id and not fit(table, other.id):
            lying = [one for one in untreated(table, other.id) if isinstance(one.place, At)]
            own += [one for one in lying if here and gap_between(here, [spot(one)]) <= reach]
    return own


def care(table: Table, unit: Thing, figure: Thing) -> tuple[ExplainedPart, ...]:
    """What a medic, or a medical unit that attends, adds to the treatment of a figure: the better, not both.

    stargrunt.actions.medics    a medic of the treating unit; a medical unit within 6 inches of the treated one
    """
    if any(attends(table, other, figure) for other in table.of_kind("unit") if other.side == unit.side):
        return (ExplainedPart("medical unit", MEDICS.number("medical_unit"), MEDICS.id),)
    if any(kit(one).role == "medic" for one in fit(table, unit.id)):
        return (ExplainedPart("medic", MEDICS.number("medic"), MEDICS.id),)
    return ()


def attends(table: Table, medical: Thing, figure: Thing) -> bool:
    """Whether a unit is a medical one and near enough to the unit of a wounded figure, or to the figure itself."""
    if not squad(medical).medical or not standing(table, medical.id):
        return False
    there = whereabouts(table, figure.unit) or [spot(figure)]
    return gap_between(points(table, medical.id), there) <= MEDICS.inches("attends_within_in") ** 2


def treated(score: int, parts: Sequence[ExplainedPart]) -> str:
    """What treatment comes to: dead, stabilised or OK; nothing counts above the die (…treating-wounded)."""
    counted = min(score + sum(part.value for part in parts), TREATING.number("die"))
    return next(word for word in ("dead", "stabilised", "ok") if counted in TREATING.numbers(word))


def treat_preview(view: View, question: AnyQuestion, answer: Sequence[str]) -> Preview:
    """What may become of each of the wounded that are treated."""
    unit, die, shown = view.table[question.about[0]], TREATING.number("die"), []
    for figure in (view.table[name] for name in answer):
        parts = care(view.table, unit, figure)
        told = (explain(f"treatment of {figure.label}", *parts),) if parts else ()
        shares = face_chances(die, lambda score, parts=parts: treated(score, parts))  # type: ignore[misc]
        odds = outcomes({f"{figure.label}: {word}": share for word, share in shares.items()})
        shown.append(Preview(explanations=told, notes=(f"treatment of {figure.label}: D{die}",), odds=odds))
    return together(*shown)


def treat(battle: Battle, unit: Thing, figure: Thing) -> None:
    """Roll for a wounded figure (stargrunt.actions.treating-wounded)."""
    asked = (battle, "treatment", figure.id, f"d{TREATING.number('die')}", TREATING)
    parts = care(battle.table, unit, figure)
    added = sum(part.value for part in parts)
    _, n, outcome = table_roll(*asked, lambda total: treated(total - added, parts), added=parts, more=(MEDICS, STATUS))
    if outcome == "stabilised":
        give(battle, figure.id, StateName.STABILISED, TREATING, because=n)
        return
    after = DEAD if outcome == "dead" else 0
    harm = Harm("died of its wounds" if after else "fights on", after - figure.harm)
    battle.happens(HarmApplied(figure.id, harm, figure.harm, after, rule=TREATING.id, because=n))
    if after:
        battle.happens(ModelLost(figure.id, "died of its wounds", rule=TREATING.id, because=n))
    elif figure.unit != unit.id:
        battle.happens(Grouped((figure.id,), unit.id, rule=NOBODY_FIT.id, because=n))
