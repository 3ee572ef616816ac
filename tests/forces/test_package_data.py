"""What comes with the rulesets: they are found by themselves, and their scenarios keep the rules they cite."""

import subprocess
import sys
from itertools import pairwise

import pytest

from sandtable.engine.shapes import UNIT, Disc
from sandtable.engine.table import Ground, Piece
from sandtable.field.ground import box_of
from sandtable.field.measure import covers, overlap
from sandtable.forces.ledger import ledger, systems
from sandtable.forces.scenario import find_scenario, package_scenarios, scenario_from_text
from sandtable.forces.terrain import TerrainKind, ground_of
from sandtable.forces.writing import dump

BOOK = ledger("quickstart")
KINDS = {
    "hill": TerrainKind(1, contoured=True),
    "light-woods": TerrainKind(BOOK.find("quickstart.movement.light-woods").number("elevation")),
    "heavy-woods": TerrainKind(BOOK.find("quickstart.movement.heavy-woods").number("elevation")),
    "rubble": TerrainKind(),
    "rough-broken": TerrainKind(),
    "road-paved": TerrainKind(),
    "water": TerrainKind(),
    "structure": TerrainKind(1),
    "obstruction": TerrainKind(),
}
NAMES = tuple(package_scenarios("quickstart"))


def test_rulesets_are_listed_without_importing_them() -> None:
    script = "import sys; from sandtable.forces.ledger import systems; print(systems()); print(sorted(sys.modules))"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    names, modules = done.stdout.splitlines()
    assert names == str(systems())
    for name in systems():
        assert f"'sandtable.rulesets.{name}" not in modules


def grounds() -> list[tuple[str, Ground]]:
    loaded = [find_scenario(name, BOOK) for name in NAMES]
    return [(one.value.name, ground_of(one.value.board, KINDS, one.fail.under("board"))) for one in loaded]


@pytest.mark.parametrize("name", NAMES)
def test_scenarios_are_named_by_their_files_and_round_trip(name: str) -> None:
    scenario = find_scenario(name, BOOK).value
    assert scenario.name == name
    assert scenario.title
    assert scenario_from_text(dump(scenario), BOOK).value == scenario


def test_the_scenarios_are_what_they_say() -> None:
    assert NAMES == ("breakdown", "crowded", "duel", "own-ground", "stand-and-fight")
    loaded = {name: find_scenario(name, BOOK).value for name in NAMES}
    assert {name: len(ground.pieces) > 0 for name, ground in grounds()} == {
        "breakdown": True,
        "crowded": True,
        "duel": True,
        "own-ground": False,
        "stand-and-fight": False,
    }
    assert loaded["stand-and-fight"].board.terrain == "random"
    sizes = {name: one.size.default if one.size is not None else 1 for name, one in loaded.items()}
    assert sizes == {"breakdown": 1, "crowded": 4, "duel": 1, "own-ground": 1, "stand-and-fight": 1}
    assert {(one.board.width, one.board.height) for one in loaded.values()} == {(48_000, 48_000)}


@pytest.mark.parametrize(("name", "ground"), grounds())
def test_fixed_terrain_keeps_the_rules_for_placed_terrain(name: str, ground: Ground) -> None:
    """Clear of both deployment zones, and each feature of a lawful size (the buildings of a group are smaller).

    Where nobody deploys there are no zones, and a road is as long as it has to be.
    """
    zones = find_scenario(name, BOOK).value.deployment is not None
    depth = 0 if not zones else BOOK.find("quickstart.setup.deployment-zone").inches("depth_in")
    size = BOOK.find("quickstart.setup.terrain-feature-size")
    for piece in (one for one in ground.pieces if one.kind != "road-paved"):
        west, north, east, south = box_of(piece.outline)
        assert west >= 0, piece.id
        assert east <= ground.width, piece.id
        assert north >= depth, piece.id
        assert south <= ground.height - depth, piece.id
        across = max(east - west, south - north)
        least = "building_side_minimum_in" if piece.kind == "structure" else "minimum_across_in"
        assert size.inches(least) <= across <= size.inches("maximum_across_in"), piece.id


@pytest.mark.parametrize(("name", "ground"), grounds())
def test_features_that_may_not_share_an_area_do_not(name: str, ground: Ground) -> None:
    shares = BOOK.find("quickstart.setup.terrain-placement-order").at("may_share_an_area")

    def may(one: Piece, other: Piece) -> bool:
        return other.kind.replace("-", "_") in shares.texts(one.kind.replace("-", "_"))

    for n, piece in enumerate(ground.pieces):
        for other in ground.pieces[:n]:
            assert may(piece, other) or not overlap(piece.outline, other.outline), (piece.id, other.id)


@pytest.mark.parametrize(("name", "ground"), grounds())
def test_contours_leave_an_inch_between_them(name: str, ground: Ground) -> None:
    for piece in ground.pieces:
        for below, above in pairwise(piece.contours):
            grown = (
                [Disc(above.outline.center, above.outline.radius + UNIT)]
                if isinstance(above.outline, Disc)
                else [Disc(corner, UNIT) for corner in above.outline.points]
            )
            assert above.cliff or all(covers(below.outline, disc) for disc in grown), (piece.id, above.level)
