"""Tables laid by the dice keep to the ledger, and the scenarios of the ledger can be played in small sizes."""

from itertools import combinations
from pathlib import Path

import pytest

import sandtable.rulesets.stargrunt as stargrunt
from sandtable.bots.random_bot import RandomBot
from sandtable.engine.dice import SeededDice
from sandtable.engine.shapes import UNIT, Polygon
from sandtable.field.measure import gap_floor, overlap
from sandtable.forces.files import ScenarioError
from sandtable.forces.scenario import package_scenarios
from sandtable.lab.battles import play_battle
from sandtable.rulesets.stargrunt.book import Stargrunt
from sandtable.rulesets.stargrunt.scenario.terrain import standard_terrain
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
    keep_promises(Stargrunt, stargrunt.RULESET.setup(scenario, size), seed, invariants=(no_bases_overlap,))


FEW = "{force: [{model: harrow-sniper}]}"
MANY = "{force: [{model: harrow-rifle-squad, count: 40}]}"
HIDDEN = "{force: [{model: harrow-sniper}, {model: dust-militia-squad}], options: {hidden: all}}"
WOOD = "[{kind: dense-wood, rectangle: [0, 0, WIDE, HIGH]}]"


def _file(folder: Path, wide: int, high: int, terrain: str, red: str, blue: str, battle: str) -> str:
    path = folder / "board.yaml"
    terrain = terrain.replace("WIDE", str(wide)).replace("HIGH", str(high))
    path.write_text(
        f"ruleset: stargrunt\nname: board\nboard: {{width: {wide}, height: {high}, terrain: {terrain}}}\n"
        f"sides:\n  red: {red}\n  blue: {blue}\noptions: {{battle: {battle}}}\nturn_limit: 2\n"
    )
    return str(path)


@pytest.mark.parametrize(
    ("wide", "high", "red", "blue", "room"),
    [
        *((1, 1, FEW, FEW, 0), (3, 2, FEW, FEW, 0), (6, 6, HIDDEN, FEW, 6), (8, 8, HIDDEN, HIDDEN, 12)),
        (24, 24, MANY, FEW, 132),
    ],
)
def test_a_board_without_room_is_refused_before_the_battle(
    tmp_path: Path, wide: int, high: int, red: str, blue: str, room: int
) -> None:
    said = rf"board\.yaml:3: there are \d+ figures, and the board has room for {room}; a larger board or fewer units"
    with pytest.raises(ScenarioError, match=said):
        stargrunt.RULESET.setup(_file(tmp_path, wide, high, "[]", red, blue, "patrol-clash"))


def test_water_is_no_room(tmp_path: Path) -> None:
    pond = "[{kind: open-water, rectangle: [0, 0, 24, 24]}]"
    with pytest.raises(ScenarioError, match="room for 0"):
        stargrunt.RULESET.setup(_file(tmp_path, 24, 24, pond, FEW, FEW, "encounter"))


@pytest.mark.parametrize("battle", ["encounter", "attack-defence", "patrol-clash", "rearguard"])
@pytest.mark.parametrize(("wide", "high"), [(6, 6), (12, 12), (9, 48)])
@pytest.mark.parametrize("terrain", ["[]", "random", WOOD])
def test_small_bare_and_overgrown_boards_are_played_to_the_end(
    tmp_path: Path, wide: int, high: int, terrain: str, battle: str
) -> None:
    rules = stargrunt.RULESET
    red = HIDDEN if wide * high > 100 else FEW
    setup = stargrunt.RULESET.setup(_file(tmp_path, wide, high, terrain, red, FEW, battle))
    players = {side: RandomBot(rules, seed=3) for side in setup.sides}
    assert play_battle(rules, setup, players, seed=3, undoable=False).ended
