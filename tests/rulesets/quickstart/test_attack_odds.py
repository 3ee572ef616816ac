"""Odds of real attacks: exact ones equal brute force over faces, and dice that play agree with them."""

from collections.abc import Callable, Hashable
from fractions import Fraction
from itertools import product
from math import prod

import pytest

from sandtable.cli.odds_pages import at_least, bar, table_of
from sandtable.engine.battle import Battle
from sandtable.engine.dice import Dice, OutOfFaces, Result, ScriptedDice, SeededDice, Throw
from sandtable.engine.enumerator import distribution, play_step, wilson
from sandtable.engine.state import State
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, read_text
from sandtable.lab.cases.form import catalogues_for, find_cases
from sandtable.lab.cases.runner import play_watched
from sandtable.lab.outcomes import Fate, fates, merged, noticeable
from sandtable.lab.rulebooks import rulebook
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.quickstart.indirect import Barrage
from sandtable.rulesets.quickstart.shooting.assaults import Bombard, Fire, Secondary, StepEight
from sandtable.rulesets.quickstart.shooting.direct_fire import Shot

BOOK = rulebook("quickstart").ruleset()
TABLE = """
board: {width: 48, height: 48, terrain: [{kind: light-woods, circle: [18, 24, 3]}]}
red:  [{model: dictator-b, as: A, at: [6, 24], facing: 0}]
blue: [{model: dictator-b, as: B, at: [%s, 24], facing: 180, harm: %d}]
turn: A
"""


class FaceDice(Dice):
    """Dice that walk single faces, not results: slow, and obviously right."""

    def __init__(self, path: list[int]) -> None:
        super().__init__()
        self.path, self.at = path, 0
        self.chance = Fraction(1)
        self.open: list[tuple[list[int], int]] = []

    def fall(self, throw: Throw) -> Result:
        ways = prod(throw.sides)
        if self.at == len(self.path):
            self.open.append((self.path[:], ways))
            self.path.append(0)
        way = self.path[self.at]
        self.at += 1
        self.chance /= ways
        faces = []
        for sides in throw.sides:
            way, face = divmod(way, sides)
            faces.append(face + 1)
        return throw.result(tuple(faces))


def attack(weapons: tuple[str, ...], away: str = "20", harm: int = 0) -> tuple[Battle, State]:
    case = Data(read_text(TABLE % (away, harm), "table", CaseError), "table", CaseError)
    battle = Battle(BOOK, BOOK.case_words().start(case), seed=1)
    steps = [Fire(Shot("A", "B", (name,), weapons_fired=len(weapons))) for name in weapons]
    return battle, State(battle.table.copy(), agenda=list(reversed(steps)))


def noted(state: State) -> tuple[tuple[str, int], ...]:
    return tuple(sorted((due.harm.what, due.harm.amount) for due in state.due))


def by_faces(battle: Battle, state: State, read: Callable[[State], Hashable]) -> dict[Hashable, Fraction]:
    """Every combination of faces, one after the other."""
    found: dict[Hashable, Fraction] = {}
    paths: list[list[int]] = [[]]
    while paths:
        dice = FaceDice(paths.pop())
        later = state
        while later.agenda:
            later = play_step(battle.ruleset, later, dice)
        for before, ways in dice.open:
            paths.extend([*before, way] for way in range(1, ways))
        found[read(later)] = found.get(read(later), Fraction(0)) + dice.chance
    return found


@pytest.mark.parametrize(("away", "harm"), [("20", 0), ("34", 4), ("8.5", 9)])
def test_odds_equal_brute_force_over_faces(away: str, harm: int) -> None:
    battle, state = attack(("medium-mac", "medium-mac-2"), away, harm)
    exact = distribution(battle.ruleset, state, read=noted, until=lambda later: not later.agenda)
    assert exact.exact
    assert sum(one.chance for one in exact.outcomes) == 1
    assert {one.what: one.chance for one in exact.outcomes} == by_faces(battle, state, noted)


@pytest.mark.parametrize(("away", "harm"), [("20", 0), ("8.5", 5), ("3.5", 7)])
def test_odds_of_a_whole_attack_equal_brute_force_over_faces(away: str, harm: int) -> None:
    """Up to the pilot checks and criticals that follow: what comes to the same thing is walked once."""
    battle, state = attack(("medium-mac",), away, harm)
    state.agenda.insert(0, StepEight("A"))

    def read(later: State) -> tuple[Fate, ...]:
        return fates(state.table, later.table, ("A", "B"))

    exact = distribution(battle.ruleset, state, read=read, until=lambda later: not later.agenda)
    assert exact.exact
    assert {one.what: one.chance for one in exact.outcomes} == by_faces(battle, state, read)


def test_the_odds_of_a_drift_are_every_distance_and_direction_counted() -> None:
    """The shell has an area and reaches less far than the rocket it is fired with: whom they catch may differ."""
    cases = find_cases(["cases/quickstart/indirect/strike-point.yaml"]).cases
    case = next(one for one in cases if one.title.startswith("However many weapons"))
    words = BOOK.with_cards(catalogues_for(case)).case_words()
    table = play_watched(case, words, BOOK.ledger)[0].before.table
    barrage = Barrage("A", ("light-r10", "shell"), center(table["B"]), weapons_fired=2)
    state = State(table.copy(), agenda=[Bombard(barrage, order=barrage.weapons)])

    def caught(later: State) -> Hashable:
        return tuple((step.caught.weapons, step.caught.victim) for step in later.agenda if isinstance(step, Secondary))

    def falls(*faces: int) -> Hashable:
        return caught(play_step(words.ruleset, state, ScriptedDice(faces)))

    drifted: dict[Hashable, Fraction] = {}
    for length, degrees in product(range(1, 11), range(360)):
        what = falls(1, 2, length, degrees)
        drifted[what] = drifted.get(what, Fraction(0)) + Fraction(1, 3600)
    expected: dict[Hashable, Fraction] = {}
    for faces in product(range(1, 7), repeat=2):
        try:
            comes_to = {falls(*faces, *([1] if faces == (6, 6) else [])): Fraction(1)}
        except OutOfFaces:  # it misses, and drifts
            comes_to = drifted
        for what, chance in comes_to.items():
            expected[what] = expected.get(what, Fraction(0)) + chance / 36
    found = distribution(words.ruleset, state, read=caught, until=lambda later: True)
    assert len(expected) > 2
    assert {one.what: one.chance for one in found.outcomes} == expected


def test_a_hundred_thousand_attacks_agree_with_the_odds() -> None:
    battle, state = attack(("medium-mac",))
    exact = distribution(battle.ruleset, state, read=noted, until=lambda later: not later.agenda)
    dice, rolls = SeededDice("sampled attacks"), 100_000
    fallen: dict[Hashable, int] = {}
    for _ in range(rolls):
        what = noted(play_step(battle.ruleset, state, dice))
        fallen[what] = fallen.get(what, 0) + 1
    low, high = wilson(rolls - fallen[()], rolls)
    assert low <= exact.chance(lambda what: what != ()) <= high
    # Of several outcomes one in twenty lies outside its own interval by chance; none lies four deviations off.
    expected = {one.what: one.chance for one in exact.outcomes}
    assert fallen.keys() == expected.keys()
    for kind, chance in expected.items():
        assert (fallen[kind] - chance * rolls) ** 2 < 16 * rolls * chance * (1 - chance), kind


def test_what_can_happen_is_told_likeliest_first_and_adds_up() -> None:
    battle, state = attack(("medium-mac",), harm=9)
    state.agenda.insert(0, StepEight("A"))
    found = distribution(
        battle.ruleset,
        state,
        read=lambda later: fates(state.table, later.table, ("A", "B")),
        until=lambda later: not later.agenda,
    )
    told = merged(found, noticeable(found))
    assert sum(one.chance for one in told.outcomes) == 1
    lines = table_of(told)
    assert lines[0].split("%")[0].strip() >= lines[-1].split("%")[0].strip()
    assert any("B: destroyed" in line for line in lines)
    assert any("B: out of play" in line for line in at_least(told))
    assert not any("activated" in line for line in lines)


def test_a_fate_reads_like_a_sentence() -> None:
    assert Fate("B").words() == "B: unharmed"
    assert Fate("B", 1, "destroyed").words() == "B: destroyed"
    assert bar(Fraction(1), 10) == "█" * 10
