"""Vehicles under Stargrunt: battles with them keep every promise, and the odds of heavy fire are exact."""

from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import sandtable.rulesets.stargrunt as stargrunt
from sandtable.engine.battle import Battle
from sandtable.engine.enumerator import distribution
from sandtable.engine.state import State
from sandtable.forces.data import Data
from sandtable.forces.files import ScenarioError, read_text
from sandtable.rulesets.stargrunt.book import Stargrunt
from sandtable.rulesets.stargrunt.dice.rolls import success_chances
from sandtable.rulesets.stargrunt.fire.shots import FireAction, shot
from sandtable.rulesets.stargrunt.previews.shots import break_chances
from tests.miniatures.test_complete import no_bases_overlap
from tests.promises import keep_promises, refold_in_fresh_process

MADE_UP = Path(__file__).parents[3] / "cases" / "stargrunt" / "catalogue.yaml"


@pytest.mark.parametrize(("scenario", "seed"), [("convoy", 5), ("armour", 6)])
def test_random_battles_with_vehicles_keep_every_promise(scenario: str, seed: int) -> None:
    played = keep_promises(Stargrunt, stargrunt.RULESET.setup(scenario), seed, invariants=(no_bases_overlap,))
    refold_in_fresh_process([played])


def opened(text: str) -> Battle:
    words = stargrunt.RULESET.with_cards([MADE_UP]).case_words()
    return Battle(words.ruleset, words.start(Data(read_text(text, "it"), "it")), seed=1)


def duel(target: str, facing: int, cover: str) -> Battle:
    """The tank A fires at one vehicle 10 inches away."""
    return opened(
        f"""
        board: {{width: 72, height: 30, terrain: [{cover}]}}
        red: [{{model: lone-tank, as: A, at: [4, 15]}}]
        blue: [{{model: {target}, as: B, at: [14, 15], facing: {facing}}}]
        turn: A
        """
    )


def by_hand(dice: tuple[int, int], guard: int, blow: tuple[int, int], armour: tuple[int, int]) -> dict[str, Fraction]:
    """Every way the dice can fall, counted without the rules' code."""
    found = {"whole": 0, "disabled": 0, "destroyed": 0}
    rolls = [range(1, die + 1) for die in (*dice, guard, blow[0], armour[0])]
    for mine, yours, theirs, impact, held in product(*rolls):
        times = blow[1] * {0: 0, 1: 1, 2: 2}[(mine > theirs) + (yours > theirs)]
        score, stands = impact * times, held * armour[1]
        found["destroyed" if score > 2 * stands else "disabled" if score > stands else "whole"] += 1
    return {word: Fraction(count, sum(found.values())) for word, count in found.items()}


def fate(state: State) -> str:
    return state.table["B-hull"].gone or "whole"


WALL = "{kind: wall, rectangle: [11.7, 12, 0.3, 6]}"


@pytest.mark.parametrize(
    ("weapon", "target", "facing", "cover", "dice", "guard", "blow", "armour"),
    [
        ("mass-driver", "lone-tank", 180, "", (10, 10), 4, (12, 3), (12, 4)),
        ("mass-driver", "lone-tank", 90, "", (10, 10), 4, (12, 3), (12, 3)),
        ("rapid-fire-autocannon", "lone-carrier", 180, "", (10, 8), 4, (10, 1), (12, 2)),
        ("rapid-fire-autocannon", "lone-pickup", 0, "", (10, 8), 4, (10, 1), (6, 1)),
        ("rapid-fire-autocannon", "lone-carrier", 180, WALL, (10, 8), 6, (8, 1), (12, 2)),
    ],
)
def test_the_odds_of_heavy_fire_are_those_counted_by_hand(
    weapon: str,
    target: str,
    facing: int,
    cover: str,
    dice: tuple[int, int],
    guard: int,
    blow: tuple[int, int],
    armour: tuple[int, int],
) -> None:
    battle = duel(target, facing, cover)
    expected = by_hand(dice, guard, blow, armour)

    state = battle.boundary()
    state.agenda = [FireAction("A", "B", False, (weapon,))]
    found = distribution(battle.ruleset, state, read=fate)
    assert found.exact
    assert {one.what: one.chance for one in found.outcomes} == {word: one for word, one in expected.items() if one}

    table = battle.table
    aimed = shot(table, table["A"], table["B"], False, (weapon,))
    face = "front" if facing == 180 else "side" if facing == 90 else "rear"
    shown = break_chances(aimed, table["B-hull"], face)
    assert shown == {word: expected[word] for word in ("disabled", "destroyed")}
    assert aimed.range_die is not None
    assert sum(success_chances(aimed.roll).values(), Fraction(0)) == 1


def test_with_the_option_no_vehicle_takes_the_field_that_could_not_be_built() -> None:
    text = """
    board: {width: 40, height: 30}
    options: {design: %d}
    red: [{model: overloaded, as: A, at: [10, 15]}]
    blue: [{model: scout, as: B, at: [30, 15]}]
    turn: A
    """
    assert opened(text % 0).table["A-hull"].card == "overloaded"
    with pytest.raises(ScenarioError, match="takes 11 of 10"):
        opened(text % 1)
