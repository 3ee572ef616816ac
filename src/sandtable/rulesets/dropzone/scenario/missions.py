"""The scenarios of the ledger: their Garrisons and Objectives, where sides come from, and what is special in each."""

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.engine.ids import PieceId
from sandtable.engine.shapes import Polygon, rectangle
from sandtable.engine.table import Table
from sandtable.field.ground import box_of
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.dropzone.basics import MORE_PIECES
from sandtable.rulesets.dropzone.movement.arriving import BUNKERS
from sandtable.rulesets.dropzone.shooting.aiming import ATTRITION, MISSION

TABLE = rule("dropzone.scenario.table")
SEIZE = rule("dropzone.scenario.seize-and-extract")
BLOCKS = rule("dropzone.scenario.sweep-the-blocks")

#: The switch of a battle that says how large a game it is.
GAME = "game"
MISSIONS = {one.id.rpartition(".")[2]: one for one in (SEIZE, ATTRITION, BUNKERS, BLOCKS)}
#: What the pieces that a scenario names are called.
NAMED = "garrison"


_SEIZED = SEIZE.items("objectives", "positions_in")
same_number("how many Objectives are seized", SEIZE.number("objectives", "count"), len(_SEIZED))


class Site(NamedTuple):
    """A Garrison that a scenario names: its id, its kind and its outline."""

    id: PieceId
    kind: str
    outline: Polygon


def mission(table: Table) -> Rule | None:
    """The scenario that a battle is played by; none where it is another one."""
    return MISSIONS.get(str(table.options.get(MISSION, "")))


def sites(source: Rule) -> tuple[Site, ...]:
    """The Garrisons that a scenario names, where it says."""
    if source.has("garrisons"):
        kind, places = source.text_at("garrisons", "piece"), source.items("garrisons", "positions_in")
    elif source.has("objectives"):
        kind, places = source.text_at("objectives", "in_garrison"), source.items("objectives", "positions_in")
    else:
        return ()
    wide = MORE_PIECES.inches("sizes", kind, "width_in")
    found = []
    for n, at in enumerate(places, 1):
        x, y = at.inches(0) - wide // 2, at.inches(1) - wide // 2
        found.append(Site(PieceId(f"{NAMED}-{n}"), kind.replace("_", "-"), rectangle(x, y, wide, wide)))
    return tuple(found)


def zones(source: Rule) -> tuple[str, ...]:
    """The two deployment zones of a scenario: opposite edges, or opposite corners."""
    if not source.has("corners_in"):
        return ("north", "south")
    width, depth = source.numbers("table_in")
    down, across = {0: "north", depth: "south"}, {0: "west", width: "east"}
    corners = [one.numbers() for one in source.items("corners_in")]
    return tuple(f"{down[y]}-{across[x]}" for x, y in corners)


def _from_edges(source: Rule, width: int, depth: int) -> int:
    """How near the Garrisons of a scenario come to an edge of the table."""
    boxes = [box_of(site.outline) for site in sites(source)]
    return min(min(west, north, width - east, depth - south) for west, north, east, south in boxes)


same_number(
    "how far the great houses are from the edges",
    ATTRITION.inches("garrisons", "min_edge_distance_in"),
    _from_edges(ATTRITION, TABLE.inches("width_in"), TABLE.inches("depth_in")),
)


def start_states(source: Rule) -> Sequence[str]:
    """In which states Battlegroups may begin."""
    found = source.at("start_state")
    return found.texts() if isinstance(found.node.value, list) else (found.text_at(),)
