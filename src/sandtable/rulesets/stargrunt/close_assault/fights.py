"""Close assault: nerve on both sides, the charge, final defensive fire, and rounds of fighting figure against figure.

Every stage is a step. Who faces whom, who is down and how many casualties an assault has cost so far are state.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from sandtable.engine.dice import Dice, Result
from sandtable.engine.enumerator import chances_of
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import Option, Refusal
from sandtable.engine.shapes import Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import center_gap
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.stargrunt.chapter import TWO_ACTIONS
from sandtable.rulesets.stargrunt.close_assault import moves as moves
from sandtable.rulesets.stargrunt.confidence.levels import assaults_with_terror, leaving_position, reaction
from sandtable.rulesets.stargrunt.cover.protection import WOODS, in_cover, sees, unit_in_integrity, within_wood
from sandtable.rulesets.stargrunt.dice.rolls import LADDER, OPEN, die_part, open_shifted, shifted
from sandtable.rulesets.stargrunt.fire import shots
from sandtable.rulesets.stargrunt.forces.cards import kit, squad
from sandtable.rulesets.stargrunt.movement.walking import TRAVELLING, combat_distance, mobility_die
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import (
    BASE,
    BROKEN,
    QUALITY,
    at_worst,
    confidence,
    enemies,
    hull_of,
    in_power_armour,
    is_element,
    points,
    quality_die,
    standing,
    suppressed,
)
from sandtable.tabletop.checks import Check

SEQUENCE = rule("stargrunt.close-assault.sequence")
ATTACKER_TEST = rule("stargrunt.close-assault.attacker-test")
TARGET = rule("stargrunt.close-assault.target")
DEFENDER_TEST = rule("stargrunt.close-assault.defender-test")
BROKEN_DEFENDERS = rule("stargrunt.close-assault.broken-defenders")
VOLUNTARY = rule("stargrunt.close-assault.voluntary-withdrawal")
FINAL_FIRE = rule("stargrunt.close-assault.final-defensive-fire")
FINAL_FIRE_EFFECT = shots.FINAL_FIRE_EFFECT
SHORT_TWICE = rule("stargrunt.close-assault.falling-short-twice")
PAIRING = rule("stargrunt.close-assault.pairing-off")
COMBAT_ROLL = rule("stargrunt.close-assault.combat-roll")
FROM_COVER = rule("stargrunt.close-assault.defending-from-cover")
DOWNED = rule("stargrunt.close-assault.downed-figures")
CAPTURED = rule("stargrunt.close-assault.captured")
ROUND_END = rule("stargrunt.close-assault.round-end-test")
FURTHER = rule("stargrunt.close-assault.further-rounds")
AFTER = rule("stargrunt.close-assault.after-victory")
TERROR = rule("stargrunt.close-assault.terror")
WEAPONS = rule("stargrunt.weapons.close-combat-weapons")
COMBINED = rule("stargrunt.close-assault.combined")
FOLLOW_THROUGH = rule("stargrunt.close-assault.follow-through")

CASUALTIES = shots.ASSAULT_CASUALTIES
#: How many combat moves an assault has: one for each action of the activation.
MOVES = TWO_ACTIONS.number("actions_per_activation")
#: How many times the roll of a figure in Power Armour counts: its score is doubled.
DOUBLED = 2
#: The switches of a battle: several units assault together, and those who have won go on.
TOGETHER, GO_ON = "combined-assaults", "follow-through"
same_number("what a shotgun adds", COMBAT_ROLL.number("shifts", "shotgun"), WEAPONS.number("shotgun"))
same_number("what a flamer adds", COMBAT_ROLL.number("shifts", "flamer"), WEAPONS.number("flamer"))
same_number("what a blade adds", COMBAT_ROLL.number("shifts", "close_combat_weapon"), WEAPONS.number("edged"))
same_number("what a pistol adds", WEAPONS.number("pistol"), WEAPONS.number("machine_pistol"), WEAPONS.number("edged"))


for _shown in COMBAT_ROLL.items("illustrations"):
    _mine, _theirs = QUALITY.number("veteran"), QUALITY.number(_shown.text_at("opponents"))
    _over = LADDER.index(_mine) + WEAPONS.number("flamer") - (len(LADDER) - 1)
    same_number("the excess of the example", _over, _shown.number("excess_shift_on_opponents"))
    _dice = open_shifted(_mine, WEAPONS.number("flamer"), _theirs)
    same_number("the dice of the example", _dice, (_shown.number("die"), _shown.number("opponents_die")))
    same_number("a doubled score", DOUBLED * _shown.number("roll"), _shown.number("score"))


class Stand(Step, frozen=True):
    """The attackers have passed their test: do the defenders stand?"""

    attackers: tuple[str, ...]
    defender: str
    follows: bool = False  # they follow through: one combat move, and no more after it


class Charge(Step, frozen=True):
    """The attackers move to contact; the second time they know where they started."""

    attackers: tuple[str, ...]
    defender: str
    begun: dict[str, Point] = {}
    fled: tuple[str, ...] = ()
    last: bool = False  # there is no second move
    follows: bool = False


class FinalFire(Step, frozen=True):
    """The attackers have stopped short: the defenders may shots."""

    attackers: tuple[str, ...]
    defender: str
    begun: dict[str, Point]


class UnderFire(Step, frozen=True):
    """Final defensive fire has been made at one of the attackers: does it go on?"""

    attackers: tuple[str, ...]
    defender: str
    begun: dict[str, Point]
    target: str


class Round(Step, frozen=True):
    """A part of a round of fighting: who fights whom, which round it is, and which attackers have fled from it."""

    attackers: tuple[str, ...]
    defender: str
    round: int
    fled: tuple[str, ...] = ()
    follows: bool = False


class PairOff(Round, frozen=True):
    """Who fights whom in a round."""


class Fight(Round, frozen=True):
    """A round of fighting."""


class RoundEnd(Round, frozen=True):
    """The tests after a round."""


class Aftermath(Step, frozen=True):
    """The assault is over; a side that fell back leaves its downed figures to the winner."""

    winners: tuple[str, ...]
    losers: tuple[str, ...]
    follows: bool = False


class FollowThrough(Step, frozen=True):
    """Attackers who have won may go on: the defenders are destroyed, or have withdrawn."""

    unit: str
    destroyed: bool


def up(table: Table, unit: str) -> list[Thing]:
    """The figures of a unit that are still standing in an assault."""
    return [one for one in standing(table, unit) if not one.has(StateName.DOWN)]


def all_up(table: Table, units: Sequence[str]) -> list[Thing]:
    """The figures of several units that are still standing in an assault."""
    return [one for unit in units for one in up(table, unit)]


def may_join(table: Table, unit: Thing, defender: str) -> bool:
    """Whether a unit can assault another together with a friend: it can reach it, and nothing holds it back."""
    held = suppressed(unit) or unit.has(StateName.PANICKED) or unit.has(TRAVELLING) or unit.has(StateName.ACTIVATED)
    if held or is_element(unit) or not standing(table, unit.id) or not unit_in_integrity(table, unit.id):
        return False
    return hull_of(table, unit.id) is None and defender in [option.id for option in targets(table, unit)]


# Pure questions ----------------------------------------------------------------------------------------------------


def targets(table: Table, unit: Thing) -> list[Option]:
    """The enemy units that may be assaulted: infantry in sight, or in the same wood or building."""
    if at_worst(unit, BROKEN):
        return []
    return [
        Option(foe.id, foe.label, (foe.id,), (TARGET.id,))
        for foe in enemies(table, unit.side)
        if refused_target(table, unit, foe) is None
    ]


def refused_target(table: Table, unit: Thing, foe: Thing) -> Refusal | None:
    """Why a unit may not assault another: a vehicle, out of reach, or neither in sight nor in the same shelter."""
    if hull_of(table, foe.id) is not None:
        return Refusal(TARGET.id, f"{foe.label} is a vehicle and cannot be assaulted.")
    if not may_reach(table, unit, foe):
        return Refusal(TARGET.id, f"{foe.label} is out of reach.")
    if moves.same_shelter(table, unit.id, foe.id):
        return None
    if within_wood(table, foe.id):
        return Refusal(WOODS.id, f"{foe.label} is within a wood: only who is in it may assault it.", (SEQUENCE.id,))
    if not sees(table, unit.id, foe.id):
        return Refusal(SEQUENCE.id, f"{foe.label} is not in sight.")
    return None


def may_reach(table: Table, unit: Thing, foe: Thing) -> bool:
    """Whether the combat moves of an assault could take a unit to another at all, over clear ground."""
    far = MOVES * combat_distance(mobility_die(unit)) + BASE.size
    return any(center_gap(a, b) <= far * far for a in points(table, unit.id) for b in points(table, foe.id))


def weight(figures: Sequence[Thing]) -> int:
    """How many figures count for the odds; Power Armour counts as two."""
    double = DEFENDER_TEST.number("power_armour_weight")
    return sum(double if in_power_armour(one) else 1 for one in figures)


def odds(attackers: int, defenders: int) -> int:
    """The odds as a Threat Level: rounded down, and never less than even.

    >>> odds(6, 4), odds(8, 4), odds(12, 4), odds(3, 8)
    (1, 2, 3, 1)
    """
    return max(1, attackers // defenders)


for _shown in DEFENDER_TEST.items("illustrations"):
    _double = DEFENDER_TEST.number("power_armour_weight") if _shown.has("power_armour") else 1
    _odds = odds(_shown.number("attackers") * _double, _shown.number("defenders"))
    same_number("the odds of the examples", _odds, _shown.number("threat"))


def assaulting(unit: Thing) -> Check:
    """The reaction test of an attacker, by its Confidence (stargrunt.close-assault.attacker-test)."""
    level = confidence(unit)
    part = ExplainedPart(f"assaulting while {level}", ATTACKER_TEST.number(level), ATTACKER_TEST.id)
    return reaction(unit, "assaulting", part)


def attackers_trials(unit: Thing) -> list[Check]:
    """The tests of a unit that wants to assault, one after the other: first out of its position."""
    return [*([leaving_position(unit)] if unit.has(StateName.IN_POSITION) else []), assaulting(unit)]


def standing_threat(table: Table, attackers: Sequence[str], defender: str) -> tuple[ExplainedPart, ...]:
    """The Threat Level of the defenders' test: the odds, doubled by terror (stargrunt.close-assault.defender-test)."""
    coming = [one for name in attackers for one in standing(table, name)]
    level = odds(weight(coming), weight(standing(table, defender)))
    parts = [ExplainedPart(f"odds {level}:1", level, DEFENDER_TEST.id)]
    if any(assaults_with_terror(table[name]) for name in attackers):
        parts.append(ExplainedPart("terror", level * (DEFENDER_TEST.number("terror_multiplier") - 1), TERROR.id))
    return tuple(parts)


def behind_cover(table: Table, defender: Thing, round_: int) -> bool:
    """Whether the defenders fight from cover in a round (stargrunt.close-assault.defending-from-cover)."""
    first = round_ in FROM_COVER.numbers("rounds")
    return first and (defender.has(StateName.IN_POSITION) or in_cover(table, defender))


def weapon_shift(figure: Thing) -> ExplainedPart:
    """The shift of a figure's best close combat weapon (stargrunt.weapons.close-combat-weapons)."""
    arm = kit(figure).small_arm
    kinds = WEAPONS.names("small_arm_kind")
    kind = WEAPONS.text_at("small_arm_kind", arm if arm in kinds else "other")
    every = (kind, *squad(figure).close_combat)
    best = max(every, key=WEAPONS.number)
    return ExplainedPart(best.replace("_", " "), WEAPONS.number(best), WEAPONS.id)


def combat_dice(
    table: Table, figure: Thing, opponents: Sequence[Thing], covered: bool
) -> tuple[int, list[ExplainedPart]]:
    """The die a figure fights with: Quality, its weapon, cover at first, and what its opponents have over D12.

    stargrunt.dice.shifting                        all shifts are added up, and the sum is applied once
    stargrunt.close-assault.combat-roll            weapon shifts are open: each opponent's excess counts
    stargrunt.close-assault.defending-from-cover   one closed shift
    """
    parts = [weapon_shift(figure)]
    if covered:
        parts.append(ExplainedPart("defending from cover", FROM_COVER.number("shift"), FROM_COVER.id))
    lowered: dict[str, int] = {}
    for one in opponents:
        theirs, label = quality_die(table[one.unit]), f"against {weapon_shift(one).label}"
        over = LADDER.index(theirs) + weapon_shift(one).value - (len(LADDER) - 1)
        if over > 0:
            lowered[label] = lowered.get(label, 0) - over
    parts += [ExplainedPart(label, steps, OPEN.id) for label, steps in lowered.items()]
    base = quality_die(table[figure.unit])
    return shifted(base, sum(part.value for part in parts)), [die_part("Quality", base, QUALITY), *parts]


class Fighter(NamedTuple):
    """The die a figure fights with, and how many times what it shows counts: Power Armour doubles it."""

    die: int
    times: int

    def score(self, natural: int) -> int:
        """What a face of its die counts."""
        return natural * self.times


class Fought(NamedTuple):
    """What a figure rolled, what that counts, and how it came out against the one it faces; nothing for that one."""

    fell: Result
    score: int
    outcome: str


class Bout(NamedTuple):
    """One figure against all that it faces: everybody rolls once (stargrunt.close-assault.combat-roll)."""

    faced: Fighter
    against: tuple[Fighter, ...]

    def thrown(self, dice: Dice) -> Iterator[Fought]:
        """Every roll: of the one that is faced, then of each against it."""
        fell = dice.total(f"d{self.faced.die}")
        score = self.faced.score(fell.natural)
        yield Fought(fell, score, "")
        for one in self.against:

            def outcome(natural: int, one: Fighter = one) -> str:
                theirs = one.score(natural)
                return "wins" if theirs > score else "loses" if theirs < score else "both fight on"

            fell = dice.total(f"d{one.die}", into=outcome)
            yield Fought(fell, one.score(fell.natural), outcome(fell.natural))

    def falls(self) -> tuple[Fraction, ...]:
        """How likely each of them is to go down, the one that is faced first: whoever loses to any it faces."""
        return _chance(self, "wins"), *(_chance(Bout(self.faced, (one,)), "loses") for one in self.against)


@cache
def _chance(bout: Bout, outcome: str) -> Fraction:
    """How likely it comes out so for any of those against the one that is faced."""
    return chances_of(lambda dice: any(one.outcome == outcome for one in bout.thrown(dice))).get(True, Fraction(0))


def bout_of(
    table: Table, faced: Thing, against: Sequence[Thing], covered: str = ""
) -> tuple[Bout, list[list[ExplainedPart]]]:
    """A figure against all that it faces, and what makes the die of each; who is `covered` defends from cover."""
    fighters, made_of = [], []
    for one, opponents in ((faced, against), *((other, [faced]) for other in against)):
        die, parts = combat_dice(table, one, opponents, covered=one.unit == covered)
        fighters.append(Fighter(die, DOUBLED if in_power_armour(one) else 1))
        made_of.append(parts)
    return Bout(fighters[0], tuple(fighters[1:])), made_of
