"""Setting up: the two starting edges, who chooses, and the zones along them."""

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import Off, Polygon, rectangle
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.edges import Edge, strip
from sandtable.field.ground import box_of
from sandtable.forces.case_table import Opening
from sandtable.forces.data import Data
from sandtable.forces.ledger import Rule
from sandtable.tabletop.states import give
from sandtable.tabletop.turns import roll_off


def edge_pair(ground: Ground) -> tuple[Edge, Edge]:
    """The two opposite edges that belong to the board: its short ones, north and south on a square board."""
    return (Edge.WEST, Edge.EAST) if ground.width > ground.height else (Edge.NORTH, Edge.SOUTH)


def see_edges(case: Data, begins: Opening, zones: Rule) -> None:
    """Refuse a case whose two sides start from edges that do not lie opposite each other."""
    first, *others = (Edge(edge) for edge in begins.baselines.values()) if begins.baselines else (None,)
    if first is not None and any(edge is not first.opposite for edge in others):
        found = f"the starting edges are {first} and {others[0]}"
        raise case.fail(found, f"opposite {first} lies {first.opposite}; see {zones.id}", "baselines")


def undeployed(table: Table, side: Side) -> list[Thing]:
    """The models of a side that are still to be placed."""
    return [m for m in table.of_kind("model") if m.side == side and not m.gone and isinstance(m.place, Off)]


class StartingEdges(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The starting edges of an edition: how they are rolled for, how deep the zones are, and where it is kept."""

    rule: Rule
    zone_rule: Rule
    dice: str
    citing: tuple[Rule, ...]
    depth: int  # thousandths
    state: str
    until: str

    def zone(self, ground: Ground, edge: Edge) -> Polygon:
        """A deployment zone: the whole length of an edge, so many inches deep."""
        return strip(ground, edge, self.depth)

    def home(self, table: Table, side: Side) -> Edge:
        """The starting edge of a side; the other one of the pair where only the other side has one.

        By the order of sides where no roll was made.
        """
        own = self.given(table, side)
        if own is not None:
            return own
        theirs = (self.given(table, one) for one in table.sides)
        other = next((edge for edge in theirs if edge is not None), None)
        return other.opposite if other is not None else edge_pair(table.ground)[table.sides.index(side) % 2]

    def given(self, table: Table, side: Side) -> Edge | None:
        """The starting edge that a side has chosen, or was given."""
        value = table[side].value(self.state) if side in table.things else None
        return Edge(str(value)) if value else None

    def middle(self, ground: Ground) -> Polygon:
        """The board without its two deployment zones."""
        first, second = (box_of(self.zone(ground, edge)) for edge in edge_pair(ground))
        if edge_pair(ground)[0] is Edge.NORTH:
            return rectangle(0, first[3], ground.width, second[1] - first[3])
        return rectangle(first[2], 0, second[0] - first[2], ground.height)

    def choose(self, battle: Battle) -> Procedure[str]:
        """The higher roller picks one of the two starting edges, the other side gets the opposite; gives the first."""
        winner = roll_off(battle, "starting edge", self.dice, self.rule, self.citing)
        pair = edge_pair(battle.table.ground)
        edge = yield ChooseOne(
            winner,
            "Which edge is yours?",
            topic="edge",
            rules=(self.rule.id, self.zone_rule.id),
            options=tuple(Option(one, one.capitalize()) for one in pair),
        )
        for side in battle.table.sides:
            own = edge if side == winner else next(one for one in pair if one != edge)
            give(battle, side, self.state, self.rule, own, until=self.until)
        return winner
