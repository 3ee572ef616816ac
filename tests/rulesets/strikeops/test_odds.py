"""Exact odds of a squad's volley, as previews tell them, against a calculation of its own with icepool."""

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

import icepool
import pytest

import sandtable.rulesets.strikeops as strikeops
from sandtable.engine.battle import Battle
from sandtable.forces.data import Data
from sandtable.forces.files import read_text
from sandtable.rulesets.strikeops.datacard import weapons
from sandtable.rulesets.strikeops.previews.forecast import points_of
from sandtable.rulesets.strikeops.shooting.aiming import Attack

MADE_UP = Path(__file__).parents[3] / "cases" / "strikeops" / "catalogue.yaml"
#: The number of each band, the dice of Strike in it, and how many points a row of the damage table does.
NUMBERS = {1: 6, 2: 7, 3: 8, 4: 9}
STRIKE = {1: (4, 2), 2: (3, 2), 3: (2, 2), 4: (1, 1)}
POINTS = (1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3)
ARMOR = 8


class Gun:
    """A weapon by the rules, once more and by hand: what its number is, and what it does."""

    def __init__(self, card: str, name: str, away: int, *, salvo: int = 1, overdrive: bool = False) -> None:
        self.weapon = weapons(battle_of([card], away).table["A1"])[name].weapon
        reach = self.weapon.range or 0
        self.band = -(-away // reach)
        shift = 1 if self.weapon.attributes.get("improved_range") is True else 0
        # The target stands still: two less. One less for each more in a salvo.
        self.needs = NUMBERS[max(1, self.band - shift)] - 2 - (salvo - 1)
        self.rav = (self.weapon.rav or ())[0][0] or 0
        self.factor = 2 if overdrive else 1
        self.ammo = 3 if self.weapon.has("limited_ammo") else 2 if self.weapon.has("ammo") else 0

    def critical(self) -> int:
        return 12 - self.weapon.rating("blaster")

    def points(self, score: int) -> int:
        row = score - self.needs + self.rav - ARMOR
        if score < self.needs or row < 0:
            return 0
        return POINTS[min(row, 10)] * self.factor

    def settled(self, natural: int) -> "icepool.Die[tuple[bool, int]]":
        if natural >= self.critical():
            return (icepool.d6 + natural).map(lambda score: (False, self.points(score)))
        return icepool.Die([(natural == 2, 0 if natural == 2 else self.points(natural))])

    def shot(self) -> "icepool.Die[tuple[bool, int]]":
        """Whether it fumbles, and how many points it does."""
        if self.weapon.has("strike"):
            many, keep = STRIKE[self.band]
            if many == 1:
                return icepool.d6.map(lambda face: (False, self.points(face)))
            return icepool.d6.highest(many, keep).map(self.settled)
        if self.weapon.has("full_auto"):
            return icepool.tupleize(icepool.d6, icepool.d6).map(self.rolled_again)
        return (2 @ icepool.d6).map(self.settled)

    def rolled_again(self, one: int, other: int) -> "icepool.Die[tuple[bool, int]]":
        if one + other == 2 or one + other >= self.needs:
            return self.settled(one + other)
        return (icepool.d6 + max(one, other)).map(self.settled)


#: Points noted, jammed or overloaded types by shooter, and fumbles of each type.
Known = tuple[int, frozenset[tuple[str, str]], tuple[tuple[str, str], ...]]


def volley(shots: Sequence[tuple[str, Gun]], bears: int) -> dict[int, Fraction]:
    """How likely weapons fired one after another do so many points; what is beaten is not fired at any more."""
    ways: dict[Known, Fraction] = {(0, frozenset(), ()): Fraction(1)}
    for shooter, gun in shots:
        after: dict[Known, Fraction] = {}
        kind = (shooter, gun.weapon.family)
        for (points, silent, fumbles), chance in ways.items():
            if points >= bears or kind in silent:
                after[points, silent, fumbles] = after.get((points, silent, fumbles), Fraction(0)) + chance
                continue
            die = gun.shot()
            for (fumbled, more), count in die.items():
                share = chance * Fraction(count, die.denominator())
                ends: list[tuple[Known, Fraction]] = [((points + more, silent, fumbles), share)]
                if fumbled and gun.ammo:
                    jams = Fraction(min(6, gun.ammo - 1 + fumbles.count(kind)), 6)
                    told = (*fumbles, kind)
                    ends = [
                        ((points, silent | {kind}, told), share * jams),
                        ((points, silent, told), share * (1 - jams)),
                    ]
                if fumbled and gun.factor > 1:
                    ends = [((points, silent | {kind}, fumbles), share)]
                for state, part in ends:
                    after[state] = after.get(state, Fraction(0)) + part
        ways = after
    found: dict[int, Fraction] = {}
    for (points, _, _), chance in ways.items():
        found[points] = found.get(points, Fraction(0)) + chance
    return {points: chance for points, chance in sorted(found.items()) if chance}


def battle_of(cards: Sequence[str], away: int, target: str = "titan", harm: int = 0) -> Battle:
    """Shooters, each so far from a target that stands still."""
    words = strikeops.RULESET.with_cards([MADE_UP]).case_words()
    rows = ", ".join(
        f"{{model: {card}, as: A{n}, unit: lance, at: [{60 - away}, 24], facing: 0}}"
        if n == 1
        else f"{{model: {card}, as: A{n}, unit: lance, at: [60, {24 + away}], facing: 270}}"
        for n, card in enumerate(cards, 1)
    )
    text = f"""
    board: {{width: 90, height: 90}}
    red: [{rows}]
    blue: [{{model: {target}, as: B, at: [60, 24], facing: 135, harm: {harm}, states: [stationary]}}]
    turn: A1
    """
    return Battle(words.ruleset, words.start(Data(read_text(text, "it"), "it")), seed=1)


def told(battle: Battle, *attacks: Attack) -> dict[int, Fraction]:
    return dict(sorted(points_of(battle.ruleset, battle.table, *attacks).items()))


@pytest.mark.parametrize("away", [8, 14, 20, 30])
@pytest.mark.parametrize(
    ("card", "names"),
    [
        ("plain", ("medium-magnetic-accelerator-cannon", "medium-magnetic-accelerator-cannon-2")),
        ("gunner", ("medium-cannon",)),
        ("gunner", ("medium-autocannon", "medium-autocannon-2", "medium-autocannon-3")),
        ("belt", ("light-machine-gun", "light-machine-gun-2")),
    ],
)
def test_the_odds_of_one_model_are_those_of_icepool(card: str, names: tuple[str, ...], away: int) -> None:
    battle = battle_of([card], away)
    shots = [("A1", Gun(card, name, away)) for name in names]
    assert told(battle, Attack("A1", "B", names)) == volley(shots, bears=12)


@pytest.mark.parametrize("harm", [0, 2, 5])
def test_the_odds_of_a_squads_volley_are_those_of_icepool(harm: int) -> None:
    """The first fires all round, the second its cannon; who is beaten by what is noted is not fired at any more."""
    battle = battle_of(["gunner", "plain"], 9, "plain", harm)
    first = ("medium-autocannon", "medium-autocannon-2", "medium-autocannon-3")
    second = ("medium-magnetic-accelerator-cannon", "medium-magnetic-accelerator-cannon-2")
    shots = [("A1", Gun("gunner", name, 9)) for name in first] + [("A2", Gun("plain", name, 9)) for name in second]
    assert told(battle, Attack("A1", "B", first), Attack("A2", "B", second)) == volley(shots, bears=6 - harm)


def test_the_odds_of_a_salvo_and_of_overdrive_are_those_of_icepool() -> None:
    guns = ("light-laser-bolt-gun", "light-laser-bolt-gun-2", "light-laser-bolt-gun-3")
    shot = [("A1", Gun("salvo", guns[0], 10, salvo=3))]
    assert told(battle_of(["salvo"], 10), Attack("A1", "B", guns, salvo=True)) == volley(shot, bears=12)
    bolts = ("light-particle-bolt-gun", "light-particle-bolt-gun-2", "light-particle-bolt-gun-3")
    shots = [("A1", Gun("boiler", name, 10, overdrive=True)) for name in bolts]
    assert told(battle_of(["boiler"], 10), Attack("A1", "B", bolts, overdrive=True)) == volley(shots, bears=12)
