"""From a scenario, or a case, to the first question: the set-up of a battle and how it is laid on the table."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import PhaseBegan
from sandtable.engine.ids import BLUE, RED, Side, ThingId
from sandtable.engine.state import Step
from sandtable.engine.table import Ground
from sandtable.field.edges import Edge
from sandtable.forces.case_table import TABLE_KEYS, Opening
from sandtable.forces.data import Data
from sandtable.forces.models import Fielded
from sandtable.forces.reading import Fail
from sandtable.forces.scenario import Scenario
from sandtable.forces.terrain import BoardForm
from sandtable.rulesets.cav.setup import edge_pair, see_edges, undeployed
from sandtable.rulesets.quickstart.setup.board import (
    BOARD_SIZE,
    BY_NAME,
    EDGE,
    SCENARIO,
    ZONE,
    ChooseEdges,
    EndPhase,
    begin_as_laid_out,
    bring,
    lay_ground,
)
from sandtable.rulesets.quickstart.setup.laying import CountTerrain
from sandtable.rulesets.quickstart.setup.terrain import dressed
from sandtable.rulesets.quickstart.state_names import StateName, Until
from sandtable.rulesets.quickstart.turn.activation import ORDER_GIVEN, Activate
from sandtable.rulesets.quickstart.turn.phases import ACTIVATION, ACTIVATION_PHASE, DRAW_DECK, DrawCard, StartPhase
from sandtable.tabletop.features import DICE, PLAYERS, SHAPED
from sandtable.tabletop.opening import Begun, Opener
from sandtable.tabletop.states import give

#: The options of a battle.
OPTIONS: dict[str, str] = {
    "quiet-turns": "after how many turns without harm it is a draw; 0: never",
    SHAPED: f"who shapes the terrain features: {PLAYERS}, or {DICE} if nothing is said",
}


def board_fits(width: int, height: int) -> bool:
    """Whether a board is large enough to be set up by the rules (quickstart.setup.board)."""
    return width >= BOARD_SIZE.inches("minimum_width_in") and height >= BOARD_SIZE.inches("minimum_depth_in")


class QuickstartOpener(Opener):
    """Models one by one, on the board or to be deployed by the draw deck."""

    default = "stand-and-fight"
    sides = (RED, BLUE, Side("green"), Side("grey"))
    battle_options = OPTIONS
    keys: ClassVar[Mapping[str, str]] = {
        **TABLE_KEYS,
        "next": "whose cards come up next, [blue, red]; without it the turn ends when those named by `turn` have acted",
    }
    numbers = ("quiet-turns",)  # no TURN_LIMIT: the battle goes on (quickstart.setup.scenario-stand-and-fight)
    piece_traits: ClassVar[Mapping[str, str]] = {
        "depth": "of water: 0, 1 or 2",
        "enterable": "of a structure: 1 where CAVs may go in",
        "look": "what it is drawn as",
    }

    def see(self, form: Scenario, fail: Fail) -> None:
        """Who shapes the features is one of two words (quickstart.setup.terrain-feature-size)."""
        said = form.options.get(SHAPED, DICE)
        if said not in (PLAYERS, DICE):
            raise fail(f"{SHAPED} {said!r}", f"it may be `{PLAYERS}` or `{DICE}`", "options", SHAPED)

    def see_scenario(self, form: Scenario, fail: Fail) -> None:
        """A puzzle laid out by hand may be smaller; a board that the players fill may not."""
        if form.board.terrain == "random" and not board_fits(form.board.width, form.board.height):
            found = "the board is smaller than the rules ask for"
            least = f"{BOARD_SIZE.number('minimum_width_in')} by {BOARD_SIZE.number('minimum_depth_in')}"
            raise fail(found, f"at least {least}", "board")

    def edges(self, board: BoardForm) -> Sequence[str]:
        """The two that belong to the board; on a square one any (quickstart.setup.deployment-zone)."""
        return tuple(Edge) if board.width == board.height else edge_pair(Ground(board.width, board.height))

    def see_beginning(self, case: Data, begins: Opening) -> None:
        """The deck says who is next after one model that acts, and starting edges lie opposite each other."""
        see_edges(case, begins, ZONE)
        if begins.next and len(begins.turn) > 1:
            raise case.fail(
                "`next` beside several models in `turn`", "name one in `turn`; the others come by their cards", "next"
            )

    def given(self, begins: Opening) -> Mapping[str, int | str]:
        """In a case the order may be given instead of drawn, and models that are alike are placed by name."""
        if begins.turn or begins.next:
            return {ORDER_GIVEN: begins.turn_number} if not begins.next else {}
        return {BY_NAME: 1}

    def lay_ground(self, battle: Battle, ground: Ground) -> None:
        """Put the board and its terrain on the table."""
        lay_ground(battle, replace(ground, pieces=tuple(dressed(piece) for piece in ground.pieces)))

    def bring(self, battle: Battle, fielded: Fielded[Any], force: Sequence[Fielded[Any]], form: Scenario) -> None:
        """Bring a model, called by its side and number where it has no name."""
        n = next(n for n, one in enumerate(force, 1) if one is fielded)
        label = fielded.form.name or f"{fielded.thing.side[0].upper()}{n}"
        bring(battle, replace(fielded.thing, label=label))

    def give_baseline(self, battle: Battle, side: Side, edge: str) -> None:
        """A side's starting edge, as a case gives it."""
        give(battle, side, StateName.EDGE, EDGE, edge, until=Until.GAME)

    def begin(self, battle: Battle, begun: Begun) -> None:
        """Begin by the rules, or as everything stands."""
        begins = begun.begins
        if begins.turn or begins.next:
            battle.happens(PhaseBegan(begins.turn_number, ACTIVATION, rule=ACTIVATION_PHASE.id))
            DRAW_DECK.assemble(battle)
            begin_as_laid_out(battle)
            acting: list[Step] = [Activate(ThingId(model)) for model in begins.turn]
            if begins.next:
                acted = [one for one in battle.table.models() if one.has(StateName.ACTIVATED) or one.id in begins.turn]
                DRAW_DECK.lay(battle, begins.next, [one.side for one in acted])
                battle.push(*(acting or [DrawCard()]))
            else:
                battle.push(*acting, EndPhase())
        elif any(undeployed(battle.table, side) for side in battle.table.sides):
            battle.happens(PhaseBegan(0, "terrain", rule=SCENARIO.id))
            DRAW_DECK.assemble(battle)
            battle.push(CountTerrain() if begun.form.board.terrain == "random" else ChooseEdges())
        else:
            DRAW_DECK.assemble(battle)
            begin_as_laid_out(battle)
            battle.push(StartPhase())
