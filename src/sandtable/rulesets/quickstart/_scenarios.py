"""From a scenario, or a case, to the first question: the set-up of a battle and how it is laid on the table."""

from typing import Any

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import PhaseBegan
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, ScenarioError
from sandtable.forces.ledger import ledger
from sandtable.forces.models import ModelForm, Words
from sandtable.forces.reading import Fail
from sandtable.forces.scenario import Scenario, SideForm, find_scenario, lay_out
from sandtable.forces.terrain import BoardForm
from sandtable.rulesets.quickstart._terrain import KINDS, CountTerrain, dressed
from sandtable.rulesets.quickstart.activation import Activate
from sandtable.rulesets.quickstart.datacard import bring_cards
from sandtable.rulesets.quickstart.setup import (
    BOARD_SIZE,
    SCENARIO,
    ChooseEdges,
    EndPhase,
    begin_as_laid_out,
    bring,
    lay_board,
)
from sandtable.rulesets.quickstart.turn import ACTIVATION, ACTIVATION_PHASE, assemble_deck

DEFAULT = "stand-and-fight"
WORDS = Words()


def setup_of(scenario: str = "", size: int = 0) -> Setup:
    """The set-up of a scenario by name or file; nothing named is the scenario of this edition."""
    loaded = find_scenario(scenario or DEFAULT, ledger("quickstart"))
    form = loaded.value
    cards = bring_cards()
    lay_out(form, cards, KINDS, loaded.fail, size=size, words=WORDS)
    _see_board(form.board, loaded.fail)
    return Setup(tuple(form.sides), {"form": msgspec.to_builtins(form)}, _options(form), size)


def _options(form: Scenario) -> dict[str, int | str]:
    return {name: value for name, value in form.options.items() if isinstance(value, int | str)}


def _see_board(board: BoardForm, fail: Fail) -> None:
    """The board measures at least 48 by 48 inches (quickstart.setup.board) where it is set up by the rules."""
    least = BOARD_SIZE.inches("minimum_width_in"), BOARD_SIZE.inches("minimum_depth_in")
    if board.terrain == "random" and (board.width < least[0] or board.height < least[1]):
        found = "the board is smaller than the rules ask for"
        raise fail(
            found,
            f"at least {BOARD_SIZE.number('minimum_width_in')} by {BOARD_SIZE.number('minimum_depth_in')}",
            "board",
        )


def case_setup(case: Data) -> Setup:
    """The set-up of a case: its board, its models as they stand, and who acts (`turn`), one after another."""
    turn: tuple[str, ...] = ()
    if case.has("turn"):
        turn = case.texts("turn") if isinstance(case.at("turn").node.value, list) else (case.text_at("turn"),)
    sides = {
        name: SideForm(force=case.read(tuple[ModelForm, ...], name))
        for name in case.names()
        if name not in ("board", "turn", "options")
    }
    board = case.read(BoardForm, "board")
    options: dict[str, Any] = dict(case.counted("options")) if case.has("options") else {}
    form = Scenario(ruleset="quickstart", name="case", board=board, sides=sides, options=options)
    fail = Fail(case.file, case.node, CaseError)
    lay_out(form, bring_cards(), KINDS, fail, words=WORDS)
    known = [model.name for side in sides.values() for model in side.force]
    for name in turn:
        if name not in known:
            raise case.fail(f"`{name}` is none of the models", f"one of {', '.join(known)} would do", "turn")
    given: dict[str, int | str] = {"order given": 1} if turn else {}
    return Setup(tuple(sides), {"form": msgspec.to_builtins(form), "turn": list(turn)}, {**_options(form), **given})


def open_battle(battle: Battle, setup: Setup) -> None:
    """Lay the board, bring the models, and begin: by the rules, or as everything stands."""
    form = msgspec.convert(setup.scenario["form"], Scenario)
    fail = Fail("set-up", error=ScenarioError)
    laid = lay_out(form, bring_cards(), KINDS, fail, size=setup.size, words=WORDS)
    ground = laid.ground
    lay_board(battle, type(ground)(ground.width, ground.height, tuple(dressed(piece) for piece in ground.pieces)))
    for side, models in laid.models.items():
        for n, fielded in enumerate(models, 1):
            label = fielded.form.name or f"{side[0].upper()}{n}"
            bring(battle, replace(fielded.thing, label=label))
    turn: list[str] = setup.scenario.get("turn", [])
    if turn or all(isinstance(f.thing.place, At) for models in laid.models.values() for f in models):
        battle.happens(PhaseBegan(1, ACTIVATION, rule=ACTIVATION_PHASE.id))
        begin_as_laid_out(battle)
        battle.push(*(Activate(model) for model in turn), EndPhase())
        return
    battle.happens(PhaseBegan(0, "terrain", rule=SCENARIO.id))
    assemble_deck(battle)
    battle.push(CountTerrain() if form.board.terrain == "random" else ChooseEdges())
