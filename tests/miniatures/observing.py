"""Observing a counter: two open dice against one that only its owner may know, and what may be said beforehand."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Declared, Forfeited, Rolled
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.questions import Chance, ChooseOne, Option, Preview, ReactOption
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.engine.windows import Reacted, reaction_window
from tests.miniatures.die_types import exceed, shifted
from tests.miniatures.figures import fit, spot, unit_gap, whole_steps
from tests.miniatures.hidden_counters import IN_POSITION, OBSERVE, SOFT, counters, face_up, identify, position_part

SPOOF = "stargrunt.electronic-warfare.spoof"
TIMING = "stargrunt.electronic-warfare.timing"
SYSTEM = "stargrunt.electronic-warfare.system-die"
SENSORS = "stargrunt.observation.sensors"

BASE_DIE = 4
RANGE_STEP = 12


def open_parts(table: Table, observer: str, counter: Thing) -> tuple[ExplainedPart, ...]:
    """The steps that everybody can count: soft cover, and one for every full twelve inches."""
    far = whole_steps(unit_gap([spot(one) for one in fit(table, observer)], [spot(counter)]), RANGE_STEP)
    return (
        ExplainedPart(f"D{BASE_DIE}", 0, OBSERVE),
        ExplainedPart("soft cover", 1, SOFT),
        ExplainedPart(f"{far} times twelve inches", far, OBSERVE),
    )


def owners_die(parts: tuple[ExplainedPart, ...]) -> int:
    """The die the owner of a counter rolls against being made out."""
    return shifted(BASE_DIE, sum(part.value for part in parts))


def success(quality: int, sensors: int, die: int) -> tuple[int, int]:
    """The chance that at least one of the observer's two dice is higher, as a fraction.

    >>> success(8, 6, 8), success(8, 6, 10)
    ((203, 384), (203, 480))
    """
    neither = sum(min(score, quality) * min(score, sensors) for score in range(1, die + 1))
    return quality * sensors * die - neither, quality * sensors * die


def observation_preview(table: Table, unit: Thing, counter: Thing) -> Preview:
    """What an observer may know beforehand: the owner's die, or the two it may be, and the chance or its range."""
    known = open_parts(table, unit.id, counter)
    position = position_part(counter)
    dug_in = ExplainedPart("In Position", 1, IN_POSITION)
    if face_up(counter):
        cases = [(*known, position)]
    else:
        cases = [known, (*known, dug_in)]
    explanations: list[Explanation] = []
    chances = []
    for parts in cases:
        die = owners_die(parts)
        explanations.append(explain(f"owner's die D{die}, in steps above D4", *parts))
        chances.append(success(unit.count("quality"), unit.count("sensors"), die))
    best, worst = chances[0], chances[-1]
    if best == worst:
        odds = Chance("identified", *best)
    else:
        low, high = worst[0] * 1000 // worst[1], -(-best[0] * 1000 // best[1])
        odds = Chance("identified", 0, 1, range=(low, high))
    return Preview(explanations=tuple(explanations), odds=(odds,), odds_note="if the sensors are not spoofed")


def observe(battle: Battle, unit: Thing) -> Procedure[None]:
    """Try to make out a counter; the other side may spoof the sensors before any die is rolled.

    stargrunt.observation.observe
    stargrunt.electronic-warfare.spoof     the EW die above any one of the observer's: the attempt fails
    """
    chosen = yield ChooseOne(
        unit.side,
        "Observe which counter?",
        topic="observe",
        about=(unit.id,),
        options=tuple(Option(c.id, c.label, (c.id,), (OBSERVE,)) for c in counters(battle.table)),
        rules=(OBSERVE,),
        shows=("distance", "odds"),
    )
    counter = battle.table[chosen]
    cause = battle.happens(Declared(unit.id, "observe", (counter.id,), rule=OBSERVE))
    spoofs = yield from reaction_window(
        battle,
        moment="observation",
        prompt=f"{unit.label} observes {counter.label}: spoof its sensors?",
        options=lambda side, so_far: spoofing(battle.table, side, so_far),
        rules=(SPOOF, TIMING),
        about=(unit.id, counter.id),
        sides=(counter.side,),
        because=cause,
    )
    higher, scores, n = observed(battle, unit, counter, cause)
    for side, reaction in spoofs:
        extra, base = reaction.amount - 1, battle.table[side].count("EW die")
        left = battle.table[side].count("EW markers") - reaction.amount
        lowest = (ExplainedPart("the lowest of the observer's dice", min(scores), SPOOF),)
        kind = (ExplainedPart(f"D{base}", 0, SYSTEM), ExplainedPart("extra markers", extra, SYSTEM))
        roll = exceed(battle, "spoofing", side, shifted(base, extra), lowest, SPOOF, because=n, dice_parts=kind)
        battle.happens(Counted(side, "EW markers", left + reaction.amount, left, rule=TIMING, because=cause))
        if roll.passed:
            battle.happens(Forfeited(unit.id, "observe", rule=SPOOF, because=roll.n))
            return
    if higher:
        yield from identify(battle, counter, higher, n)


def spoofing(table: Table, side: str, so_far: Sequence[Reacted]) -> list[ReactOption]:
    """The markers a side may still spoof with; they lie open."""
    left = table[side].count("EW markers")
    if so_far or not left:
        return []
    return [ReactOption("spoof", "Spoof", side, {"EW markers": 1}, (SPOOF,), amount_least=1, amount_most=left)]


def observed(battle: Battle, unit: Thing, counter: Thing, cause: int) -> tuple[int, tuple[int, int], int]:
    """Roll both sides' dice: how many of the observer's are higher, his two scores, and the owner's roll.

    The observer's dice are open. The owner's roll holds a part that only he may know, so that others see its outcome.
    """
    quality, sensors = unit.count("quality"), unit.count("sensors")
    sharp, keen = battle.dice.total(f"d{quality}"), battle.dice.total(f"d{sensors}")
    scores = (sharp.natural, keen.natural)
    n = battle.happens(
        Rolled(
            "observe",
            unit.id,
            f"{sharp.dice}+{keen.dice}",
            scores,
            sum(scores),
            total=sum(scores),
            dice_parts=(ExplainedPart("Quality", quality, OBSERVE), ExplainedPart("sensors", sensors, SENSORS)),
            rule=OBSERVE,
            because=cause,
        )
    )
    parts = (*open_parts(battle.table, unit.id, counter), position_part(counter))
    hides = battle.dice.total(f"d{owners_die(parts)}")
    higher = sum(score > hides.natural for score in scores)
    n = battle.happens(
        Rolled(
            "hide",
            counter.id,
            hides.dice,
            hides.faces,
            hides.natural,
            total=hides.natural,
            outcome=("nothing", "minor success", "major success")[higher],
            dice_parts=parts,
            rule=OBSERVE,
            because=n,
        )
    )
    return higher, scores, n
