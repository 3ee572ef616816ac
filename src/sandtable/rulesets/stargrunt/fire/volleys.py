"""What a fire action may come to, exactly: effect, potential hits, and how many it hurts.

Every step is that of the rules that play: how many dice exceed (`major`), what a total gives against the Range Die
(`one_more`), whom a hit may find (`exposed_to`), and what an impact does to whom (`harm_done`, `harm_after`,
`suit_fate`). Here they are only counted.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from math import lcm
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import Chance
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.dice.foretold import contest_chances, outcomes
from sandtable.rulesets.stargrunt.dice.rolls import dice_against, major, success_chances
from sandtable.rulesets.stargrunt.fire.resolution import exposed_to, one_more
from sandtable.rulesets.stargrunt.fire.shots import Shot
from sandtable.rulesets.stargrunt.fire.wounds import SUITS, harm_after, harm_done, impact_dice, suit_fate
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import DEAD, WOUNDED, in_power_armour
from sandtable.tabletop.checks import Check

#: From how many on casualties are not told one by one.
MANY = 3


class Effect(NamedTuple):
    """The multiple opposed roll of a fire action: the chance to fail, of a minor success, and of so many hits."""

    fail: Fraction
    minor: Fraction
    hits: tuple[Fraction, ...]  # of a major success: no potential hit, one, two and so on

    @property
    def major(self) -> Fraction:
        """The chance of a major success."""
        return sum(self.hits, Fraction(0))


def effect(roll: Check) -> Effect:
    """What the dice of a fire action come to: every fall counted.

    stargrunt.fire.step-one    one die higher suppresses, two hit
    stargrunt.fire.step-two    all of them added up, divided by the size of the Range Die; a roll for the remainder

    >>> effect(dice_against((8, 8), 4)).major, effect(dice_against((4, 4), 4)).minor
    (Fraction(63, 128), Fraction(5, 16))
    """
    assert roll.against is not None, "an impossible shot"
    die, totals = roll.against.sides, dict[int, Fraction]()
    for tally, share in roll.tallies().items():
        if major(tally.higher) == "major":
            totals[tally.total] = totals.get(tally.total, Fraction(0)) + share
    hits = [Fraction(0)] * (max(totals, default=0) // die + 2)
    for total, share in totals.items():
        whole, remainder = divmod(total, die)
        more = Fraction(sum(one_more(score, remainder) for score in range(1, die + 1)), die)
        hits[whole] += share * (1 - more)
        hits[whole + 1] += share * more
    shares = success_chances(roll)
    return Effect(shares["fail"], shares["minor"], tuple(hits))


class Volley(NamedTuple):
    """What a fire action brings on average: the chance to suppress, the chance of hits, and how many."""

    suppresses: Fraction
    strikes: Fraction
    hits: Fraction


@lru_cache(maxsize=4096)
def volley(dice: tuple[int, ...], against: int) -> Volley:
    """The dice of a fire action against one Range Die, on average: the roll for the remainder makes the hits exact.

    >>> volley((8, 8), 4).strikes
    Fraction(63, 128)
    """
    roll = dice_against(dice, against)
    shares = success_chances(roll)
    totals = [share * tally.total for tally, share in roll.tallies().items() if major(tally.higher) == "major"]
    return Volley(1 - shares["fail"], shares["major"], sum(totals, Fraction(0)) * Fraction(1, against))


class Body(NamedTuple):
    """One who may be hit: its chance to be hurt and live, to die of it, and once hurt to die of another hit."""

    hurt: Fraction
    dies: Fraction
    again: Fraction
    counts: bool = True  # as a casualty; the weapon of a gun crew does not


def body_of(one: Thing, impact: int, shifts: Sequence[ExplainedPart]) -> Body:
    """What a potential hit may do to somebody (stargrunt.fire.step-three)."""
    shares = contest_chances(*impact_dice("", one, impact, shifts), harm_done)
    wounds, kills = (shares.get(word, Fraction(0)) for word in ("wounded", "killed"))
    if one.kind != "model":
        return Body(Fraction(0), kills, Fraction(0), counts=False)
    if in_power_armour(one):
        return _in_a_suit(one, wounds, kills)
    after = harm_after(one.harm, kills=False, again=False)
    changes = after != one.harm or (one.has(StateName.STABILISED) and after == WOUNDED)
    dead = after == DEAD
    return Body(wounds if changes and not dead else Fraction(0), kills + (wounds if dead else 0), wounds + kills)


def _in_a_suit(one: Thing, wounds: Fraction, kills: Fraction) -> Body:
    """The same for somebody in Power Armour, who rolls at once (stargrunt.actions.power-armour-casualties)."""
    die = SUITS.number("die")
    fates = [suit_fate(score) for score in range(1, die + 1)]
    dies = Fraction(fates.count("dead"), die)
    lives = Fraction(0) if one.harm else Fraction(fates.count("stabilised") + fates.count("suit_lost"), die)
    return Body(wounds * lives, kills + wounds * dies, wounds + kills)


def casualties(table: Table, target: str, aimed: Shot) -> dict[int, Fraction]:
    """How likely a fire action at a unit of figures is to hurt so many of them; `MANY` stands for all that are more."""
    bodies = [body_of(one, aimed.impact, aimed.armour) for one in exposed_to(table, target)]
    kinds = tuple((body, bodies.count(body)) for body in dict.fromkeys(bodies))
    return _casualties(kinds, effect(aimed.roll).hits)


#: How many of whom there are, and how a unit may stand: for each kind how many are as they were, and how many are hurt
#: and alive. Nothing is left of it where many have fallen: what becomes of the others is not asked.
Kinds = tuple[tuple[Body, int], ...]
Left = tuple[tuple[int, int], ...]
MANY_DOWN: Left = ()


@lru_cache(maxsize=256)
def _casualties(kinds: Kinds, hits: tuple[Fraction, ...]) -> dict[int, Fraction]:
    """So many hits one after the other, each on anybody who is left; counted in whole numbers, divided at the end."""
    scale = lcm(*(share.denominator for body, _ in kinds for share in (body.hurt, body.dies, body.again)))
    most = lcm(*range(1, sum(count for _, count in kinds) + 1))
    ways: dict[Left, int] = {tuple((count, 0) for _, count in kinds): 1}
    every, found = 1, dict[int, Fraction]()
    for number, share in enumerate(hits):
        if number:
            ways, every = _one_hit(kinds, ways, scale, most), every * scale * most
        for left, count in ways.items() if share else ():
            fallen = _fallen(kinds, left)
            found[fallen] = found.get(fallen, Fraction(0)) + share * Fraction(count, every)
    return found


def _fallen(kinds: Kinds, left: Left) -> int:
    """How many casualties there are where a unit stands so."""
    if left == MANY_DOWN:
        return MANY
    return sum(many - fresh for (body, many), (fresh, _) in zip(kinds, left, strict=True) if body.counts)


def _one_hit(kinds: Kinds, ways: dict[Left, int], scale: int, most: int) -> dict[Left, int]:
    """Where one more potential hit may lead from each way in which a unit may stand."""
    after: dict[Left, int] = {}

    def add(left: Left, many: int) -> None:
        if many:
            after[left] = after.get(left, 0) + many

    for left, count in ways.items():
        alive = sum(fresh + hurt for fresh, hurt in left)
        nothing = count * scale * most
        for n, (fresh, hurt) in enumerate(left):
            body = kinds[n][0]
            for share, many, then in (
                (body.hurt, fresh, (fresh - 1, hurt + 1)),
                (body.dies, fresh, (fresh - 1, hurt)),
                (body.again, hurt, (fresh, hurt - 1)),
            ):
                moved = count * (most // alive) * many * int(share * scale) if many else 0
                stands = (*left[:n], then, *left[n + 1 :])
                add(MANY_DOWN if moved and _fallen(kinds, stands) >= MANY else stands, moved)
                nothing -= moved
        add(left, nothing)
    return after


def volley_odds(table: Table, target: str, aimed: Shot, *, suppresses: bool = True) -> tuple[Chance, ...]:
    """What a fire action at a unit of figures may come to, in words: nothing, suppression, and how many are hurt."""
    roll, hurt = effect(aimed.roll), casualties(table, target, aimed)
    first, unhurt = "suppressed, " if suppresses else "", roll.minor + hurt.get(0, Fraction(0))
    found = {"no effect": roll.fail + (0 if suppresses else unhurt)}
    found |= {f"{first}nobody hurt": unhurt} if suppresses else {}
    several = {f"{first}{many} hurt": many for many in range(1, MANY)} | {f"{first}{MANY} or more hurt": MANY}
    found |= {words: hurt.get(many, Fraction(0)) for words, many in several.items()}
    told = outcomes({words: share for words, share in found.items() if share})
    counted = [(one, several.get(one.label, 0)) for one in told]
    return tuple(replace(one, amount=many, at_least=many == MANY) for one, many in counted)
