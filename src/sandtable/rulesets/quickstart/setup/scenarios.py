"""From a scenario, or a case, to the first question: the set-up of a battle and how it is laid on the table."""

from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import PhaseBegan, StateChanged
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At
from sandtable.engine.state import Step
from sandtable.engine.table import Ground
from sandtable.forces.case_table import TABLE_KEYS, Opening, opening, see_keys, told_by_its_line
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.data import Data
from sandtable.forces.files import ScenarioError, nearest
from sandtable.forces.ledger import ledger
from sandtable.forces.models import ANYTHING, ModelForm, Words
from sandtable.forces.reading import Fail
from sandtable.forces.scenario import Scenario, SideForm, find_scenario, lay_out
from sandtable.forces.terrain import BoardForm
from sandtable.rulesets.quickstart.datacard import Stats, catalogue
from sandtable.rulesets.quickstart.setup.board import (
    BOARD_SIZE,
    EDGE,
    SCENARIO,
    ChooseEdges,
    EndPhase,
    begin_as_laid_out,
    bring,
    edge_pair,
    lay_board,
)
from sandtable.rulesets.quickstart.setup.laying import CountTerrain
from sandtable.rulesets.quickstart.setup.shaping import DICE, PLAYERS
from sandtable.rulesets.quickstart.setup.shaping import OPTION as SHAPED
from sandtable.rulesets.quickstart.setup.terrain import KINDS, dressed
from sandtable.rulesets.quickstart.state_names import StateName
from sandtable.rulesets.quickstart.turn.activation import ORDER_GIVEN, Activate
from sandtable.rulesets.quickstart.turn.phases import ACTIVATION, ACTIVATION_PHASE, DrawCard, assemble_deck, lay_cards

DEFAULT = "stand-and-fight"

#: The options of a battle.
OPTIONS: dict[str, str] = {
    "quiet-turns": "after how many turns without harm it is a draw; 0: never",
    SHAPED: f"who shapes the terrain features: {PLAYERS}, or {DICE} if nothing is said",
}
#: The sides a case may have.
SIDES = ("red", "blue", "green", "grey")


def setup_of(scenario: str = "", size: int = 0, words: Words = ANYTHING) -> Setup:
    """The set-up of a scenario by name or file; nothing named is the scenario of this edition."""
    loaded = find_scenario(scenario or DEFAULT, ledger("quickstart"))
    form = loaded.value
    lay_out(form, catalogue(), KINDS, loaded.fail, size=size, words=words)
    _see_board(form.board, loaded.fail)
    _see_options(form, loaded.fail)
    return Setup(tuple(form.sides), {"form": msgspec.to_builtins(form)}, _options(form), size)


def _options(form: Scenario) -> dict[str, int | str]:
    return {name: value for name, value in form.options.items() if isinstance(value, int | str)}


def _see_options(form: Scenario, fail: Fail) -> None:
    """Who shapes the features is one of two words (quickstart.setup.terrain-feature-size)."""
    said = form.options.get(SHAPED, DICE)
    if said not in (PLAYERS, DICE):
        raise fail(f"{SHAPED} {said!r}", f"it may be `{PLAYERS}` or `{DICE}`", "options", SHAPED)


def board_fits(width: int, height: int) -> bool:
    """Whether a board is large enough to be set up by the rules (quickstart.setup.board)."""
    return width >= BOARD_SIZE.inches("minimum_width_in") and height >= BOARD_SIZE.inches("minimum_depth_in")


def _see_board(board: BoardForm, fail: Fail) -> None:
    """A puzzle laid out by hand may be smaller; a board that the players fill may not."""
    if board.terrain == "random" and not board_fits(board.width, board.height):
        found = "the board is smaller than the rules ask for"
        least = f"{BOARD_SIZE.number('minimum_width_in')} by {BOARD_SIZE.number('minimum_depth_in')}"
        raise fail(found, f"at least {least}", "board")


def case_setup(case: Data, cards: Catalogue[Stats], words: Words) -> Setup:
    """The set-up of a case: its board, its models as they stand, and who acts (`turn`), one after another."""
    see_keys(case, SIDES, TABLE_KEYS)
    sides = {name: SideForm(force=case.read(tuple[ModelForm, ...], name)) for name in case.names() if name in SIDES}
    board = case.read(BoardForm, "board")
    options: dict[str, Any] = case.read(dict[str, int | str], "options") if case.has("options") else {}
    for word in options:
        if word not in OPTIONS:
            raise case.fail(f"there is no option `{word}`", nearest(word, OPTIONS), "options", word)
    form = Scenario(ruleset="quickstart", name="case", board=board, sides=sides, options=options)
    fail = told_by_its_line(case, SIDES)
    lay_out(form, cards, KINDS, fail, words=words)
    _see_options(form, fail)
    begins = opening(case, sides, "models", edge_pair(Ground(board.width, board.height)))
    if begins.next and len(begins.turn) > 1:
        raise case.fail(
            "`next` beside several models in `turn`", "name one in `turn`; the others come by their cards", "next"
        )
    given: dict[str, int | str] = {ORDER_GIVEN: begins.turn_number} if begins.turn and not begins.next else {}
    return Setup(tuple(sides), {"form": msgspec.to_builtins(form), **begins.told()}, {**_options(form), **given})


def open_battle(battle: Battle, setup: Setup, cards: Catalogue[Stats], words: Words) -> None:
    """Lay the board, bring the models, and begin: by the rules, or as everything stands."""
    form = msgspec.convert(setup.scenario["form"], Scenario)
    fail = Fail("set-up", error=ScenarioError)
    laid = lay_out(form, cards, KINDS, fail, size=setup.size, words=words)
    ground = laid.ground
    lay_board(battle, type(ground)(ground.width, ground.height, tuple(dressed(piece) for piece in ground.pieces)))
    for side, models in laid.models.items():
        for n, fielded in enumerate(models, 1):
            label = fielded.form.name or f"{side[0].upper()}{n}"
            bring(battle, replace(fielded.thing, label=label))
    begins = Opening.of(setup.scenario)
    for side, edge in begins.baselines.items():
        battle.happens(StateChanged(side, StateName.EDGE, None, edge, "game", rule=EDGE.id))
    if (
        begins.turn
        or begins.next
        or all(isinstance(f.thing.place, At) for models in laid.models.values() for f in models)
    ):
        battle.happens(PhaseBegan(begins.turn_number, ACTIVATION, rule=ACTIVATION_PHASE.id))
        begin_as_laid_out(battle)
        acting: list[Step] = [Activate(model) for model in begins.turn]
        if begins.next:
            acted = [one for one in battle.table.models() if one.has(StateName.ACTIVATED) or one.id in begins.turn]
            lay_cards(battle, begins.next, [one.side for one in acted])
            battle.push(*(acting or [DrawCard()]))
        else:
            battle.push(*acting, EndPhase())
        return
    battle.happens(PhaseBegan(0, "terrain", rule=SCENARIO.id))
    assemble_deck(battle)
    battle.push(CountTerrain() if form.board.terrain == "random" else ChooseEdges())
