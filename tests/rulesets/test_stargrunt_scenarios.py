"""Tables laid by the dice keep to the ledger, and the scenarios of the ledger can be played in small sizes."""

from itertools import combinations

import pytest

import sandtable.rulesets.stargrunt as stargrunt
from sandtable.engine.dice import SeededDice
from sandtable.engine.shapes import UNIT, Polygon
from sandtable.field.measure import gap_floor, overlap
from sandtable.forces.scenario import package_scenarios
from sandtable.rulesets.stargrunt._terrain import standard_terrain
from tests.miniatures.test_complete import no_bases_overlap
from tests.promises import keep_promises

WIDTH, DEPTH = 72 * UNIT, 48 * UNIT


@pytest.mark.parametrize("number", range(40))
def test_a_table_by_the_dice_is_the_standard_set(number: int) -> None:
    pieces = standard_terrain(SeededDice(f"table {number}"), WIDTH, DEPTH)
    road = next(piece for piece in pieces if piece.kind == "road")
    laid = [piece for piece in pieces if piece.kind != "road"]
    assert len(pieces) == 27
    for one, other in combinations(laid, 2):
        assert gap_floor(one.outline, other.outline) >= UNIT
    for piece in laid:
        assert isinstance(piece.outline, Polygon)
        assert not overlap(piece.outline, road.outline)
        assert all(0 <= x <= WIDTH and 6 * UNIT <= y <= DEPTH - 6 * UNIT for x, y in piece.outline.points)


def test_two_numbers_give_two_tables() -> None:
    assert standard_terrain(SeededDice("table 1"), WIDTH, DEPTH) != standard_terrain(
        SeededDice("table 2"), WIDTH, DEPTH
    )


def test_the_scenarios_of_the_ledger_are_ready() -> None:
    assert {"duel", "encounter", "attack-defence", "patrol-clash", "rearguard"} <= set(package_scenarios("stargrunt"))


@pytest.mark.parametrize(("scenario", "size", "seed"), [("patrol-clash", 1, 2), ("remnants", 0, 1), ("breach", 0, 3)])
def test_random_battles_of_scenarios_keep_every_promise(scenario: str, size: int, seed: int) -> None:
    keep_promises(stargrunt.ruleset, stargrunt.setup(scenario, size), seed, invariants=(no_bases_overlap,))
