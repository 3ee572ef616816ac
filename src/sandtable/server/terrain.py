"""Random terrain by the rules themselves: a battle is begun on a bare board and a bot answers until it is laid out.

No ruleset has to bring anything for this beside a scenario; one whose board is `random` is laid by its rules.
"""

import logging

import msgspec

from sandtable.bots.protocol import NoAnswer
from sandtable.bots.random_bot import RandomBot
from sandtable.engine.battle import SPECTATOR, Battle
from sandtable.engine.table import Ground
from sandtable.forces.files import FileError
from sandtable.forces.ledger import Ledger
from sandtable.forces.scenario import Scenario, load_scenario, package_scenarios
from sandtable.forces.terrain import BoardForm
from sandtable.forces.writing import dump
from sandtable.server.library import Library

log = logging.getLogger("sandtable.server")

#: A board is taken as laid out when so many answers in a row have brought nothing onto it.
QUIET = 8
MOST_ANSWERS = 300


class NoTerrain(Exception):
    """The ruleset lays no terrain by itself, or not on such a board; the message says which."""


def laid_out(shelf: Library, name: str, book: Ledger, width: int, height: int, seed: int) -> Ground:
    """A board of a size with terrain as the ruleset lays it; the same seed lays the same."""
    scenario = _on_bare_board(name, book, width, height)
    try:
        setup = shelf.setup(name, text=dump(scenario))
    except FileError as problem:
        raise NoTerrain(f"{problem.found}; {problem.remedy}") from None
    rules = shelf.ruleset(name)
    battle, bot = Battle(rules, setup, seed=seed), RandomBot(rules, seed)
    pieces, quiet = 0, 0
    for _ in range(MOST_ANSWERS):
        if battle.ended or battle.table.turn or not battle.questions or quiet >= QUIET:
            break
        question = next(one for one in battle.questions if battle.question_for(one.side) is one)
        try:
            battle.answer(bot.answer(battle.view(question.side), question), question.side)
        except NoAnswer:
            break
        except Exception:
            # Any size may be asked for, and what comes after the terrain may not fit on such a board.
            log.warning("%s: the rules went wrong on a board of %d by %d", name, width, height, exc_info=True)
            break
        now = len(battle.table.ground.pieces)
        quiet = quiet + 1 if now == pieces and pieces else 0
        pieces = now
    if not pieces:
        raise NoTerrain("This ruleset lays no terrain by itself.")
    return battle.view(SPECTATOR).table.ground


def _on_bare_board(name: str, book: Ledger, width: int, height: int) -> Scenario:
    """A scenario of the ruleset on a board that its rules have to fill: its smallest, so that it is quickly done."""
    forms = [load_scenario(path, book).value for path in package_scenarios(name).values()]
    chosen = next((form for form in forms if form.board.terrain == "random"), None)
    if chosen is None:
        raise NoTerrain("This ruleset lays no terrain by itself.")
    board = BoardForm(width, height, "random")
    size = chosen.size
    if size is not None:
        size = msgspec.structs.replace(size, default=size.least)
    return msgspec.structs.replace(chosen, board=board, size=size)
