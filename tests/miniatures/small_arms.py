"""Small arms fire: the firer's dice against one Range Die, potential hits, impact against armour."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Harm, HarmApplied, ModelLost, Rolled
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.table import Thing
from tests.miniatures.die_types import EXCEED, LADDER, nearest, shifted
from tests.miniatures.figures import bands

DICE = "stargrunt.fire.small-arms-dice"
FIREPOWER = "stargrunt.fire.small-arms-firepower"
RANGE_DIE = "stargrunt.fire.range-die"
RANGE_LIMIT = "stargrunt.fire.range-die-limit"
EFFECT = "stargrunt.fire.step-one"
POTENTIAL_HITS = "stargrunt.fire.step-two"
IMPACT = "stargrunt.fire.step-three"
WHO_IS_HIT = "stargrunt.fire.step-four"
TWICE = "stargrunt.fire.repeated-wounds"

RIFLE_FIREPOWER, RIFLE_IMPACT = 2, 10
BATTLEDRESS = 4


class Fired(NamedTuple):
    """What fire came to: how many of the firer's dice exceeded, who was hurt, and the event that decided."""

    exceeded: int
    hurt: tuple[str, ...]
    n: int


def range_die_parts(gap: Fraction, quality: int, shifts: Sequence[ExplainedPart] = ()) -> tuple[ExplainedPart, ...]:
    """How many steps the Range Die stands above D4: the range band beyond the first, and the shifts."""
    band = bands(gap, quality)
    return (ExplainedPart(f"range band {band}", band - 1, RANGE_DIE), *shifts)


def range_die(parts: Sequence[ExplainedPart]) -> int | None:
    """The die the target rolls, or none where the shot is impossible."""
    step = max(0, sum(part.value for part in parts))
    return LADDER[step] if step < len(LADDER) else None


def fire(
    battle: Battle,
    firer: Thing,
    shooters: Sequence[Thing],
    target: str,
    exposed: Sequence[str],
    parts: tuple[ExplainedPart, ...],
    *,
    armour_shift: int = 0,
    because: int = 0,
) -> Fired:
    """Fire at a unit and hurt whom it hits; what follows (suppression, tests) is for the rule that fired.

    stargrunt.fire.step-one    none of the firer's dice exceeds: nothing; one: suppression; two: hits as well
    stargrunt.fire.step-two    all the firer's dice added up, divided by the size of the Range Die
    """
    die = range_die(parts)
    assert die is not None, "an impossible shot was fired"
    exceeded, total, n = opposed(battle, firer, shooters, target, die, parts, because)
    hurt: list[str] = []
    if exceeded >= 2 and exposed:
        hits, remainder = divmod(total, die)
        if remainder:
            extra = battle.dice.total(f"d{die}")
            more = extra.natural <= remainder
            what, said = "an extra hit", "one more" if more else "none"
            n = _rolled(battle, what, target, extra.dice, extra.faces, said, POTENTIAL_HITS, n)
            hits += more
        for _ in range(hits):
            _hit(battle, firer, target, exposed, hurt, shifted(BATTLEDRESS, armour_shift), n)
    return Fired(exceeded, tuple(hurt), n)


def opposed(
    battle: Battle,
    firer: Thing,
    shooters: Sequence[Thing],
    target: str,
    die: int,
    parts: tuple[ExplainedPart, ...],
    because: int = 0,
    *,
    outcomes: tuple[str, str, str] = ("no effect", "minor success", "major success"),
) -> tuple[int, int, int]:
    """The multiple opposed roll: how many of the firer's dice exceed, their sum, and the event that says so."""
    quality = firer.count("quality")
    mine = battle.dice.total(f"d{quality}")
    power = battle.dice.total(f"d{nearest(RIFLE_FIREPOWER * len(shooters))}")
    theirs = battle.dice.total(f"d{die}")
    total = mine.natural + power.natural
    exceeded = sum(score > theirs.natural for score in (mine.natural, power.natural))
    n = battle.happens(
        Rolled(
            "fire",
            firer.id,
            f"{mine.dice}+{power.dice}",
            (*mine.faces, *power.faces),
            total,
            total=total,
            dice_parts=(
                ExplainedPart("Quality die", quality, DICE),
                ExplainedPart(f"firepower of {len(shooters)}", RIFLE_FIREPOWER * len(shooters), FIREPOWER),
            ),
            rule=DICE,
            because=because,
        )
    )
    n = battle.happens(
        Rolled(
            "range",
            target,
            theirs.dice,
            theirs.faces,
            theirs.natural,
            total=theirs.natural,
            outcome=outcomes[exceeded],
            dice_parts=parts,
            rule=EFFECT,
            because=n,
        )
    )
    return exceeded, total, n


def _hit(
    battle: Battle, firer: Thing, target: str, exposed: Sequence[str], hurt: list[str], armour: int, because: int
) -> None:
    """One potential hit: who it is, impact against armour, and what that does."""
    standing = [one for one in exposed if not battle.table[one].gone]
    if not standing:
        return
    who = battle.dice.total(f"d{len(standing)}")
    victim = battle.table[standing[who.natural - 1]]
    n = _rolled(battle, "who is hit", target, who.dice, who.faces, victim.id, WHO_IS_HIT, because)
    guard = battle.dice.total(f"d{armour}")
    n = _rolled(battle, "armour", victim.id, guard.dice, guard.faces, "", IMPACT, n)
    blow = battle.dice.total(f"d{RIFLE_IMPACT}")
    kill, wound = blow.natural > 2 * guard.natural, blow.natural > guard.natural
    needs = (ExplainedPart("armour", guard.natural, IMPACT), ExplainedPart("to exceed it", 1, EXCEED))
    n = battle.happens(
        Rolled(
            "impact",
            firer.id,
            blow.dice,
            blow.faces,
            blow.natural,
            total=blow.natural,
            needs=guard.natural + 1,
            needs_parts=needs,
            margin=blow.natural - guard.natural - 1,
            outcome="killed" if kill else "wounded" if wound else "no effect",
            rule=IMPACT,
            because=n,
        )
    )
    if not wound:
        return
    again = victim.id in hurt
    after = 2 if kill or again else max(1, victim.harm)
    if after > victim.harm:
        rule = TWICE if again and not kill else IMPACT
        harm = Harm("killed" if after == 2 else "wounded", after - victim.harm)
        n = battle.happens(HarmApplied(victim.id, harm, victim.harm, after, rule=rule, because=n))
        if not again:
            hurt.append(victim.id)
    if after == 2:
        battle.happens(ModelLost(victim.id, "killed", rule=IMPACT, because=n))


def _rolled(
    battle: Battle, what: str, by: str, dice: str, faces: tuple[int, ...], outcome: str, rule: str, because: int
) -> int:
    total = sum(faces)
    return battle.happens(
        Rolled(what, by, dice, faces, total, total=total, outcome=outcome, rule=rule, because=because)
    )
