"""The chapters of Ambush joined: the ruleset as it is published."""

from collections.abc import Sequence
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.forces.models import Fielded
from sandtable.forces.scenario import Scenario
from sandtable.forces.terrain import TerrainKind
from sandtable.tabletop.book import Book
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.opening import Begun, Opener

from . import counters, shooting, turn
from .tactics import AmbushTactics


class AmbushOpener(Opener):
    """Fighters one by one, most of them under counters."""

    default = "crossing"
    sides_of_a_scenario = 2
    board_rule = counters.LAYING

    def bring(self, battle: Battle, fielded: Fielded[Any], force: Sequence[Fielded[Any]], form: Scenario) -> None:
        """Bring a fighter or a counter."""
        counters.COUNTERS.bring(battle, fielded.thing)

    def begin(self, battle: Battle, begun: Begun) -> None:
        """Begin with the first turn, or with those whom a case names."""
        turn.ORDER.begin(battle, begun)


class Ambush(Book):
    """The rules of Ambush."""

    name = "ambush"
    title = "Ambush"
    size_counts = "fighters a side"
    faces = False
    concession_rule = turn.LAST_STANDING.id
    draw_rule = turn.LIMIT.id
    action_list = turn.ACTIONS
    cards_in_play = counters.CARDS
    opener = AmbushOpener
    opponent = AmbushTactics
    chapters = (
        Chapter(terrain={"wood": TerrainKind(height=1)}),
        counters.COUNTERS.chapter(),
        turn.ORDER.chapter(),
        turn.WALK.chapter("Walk", shooting.walked_into_sight),
        shooting.SHOTS.chapter(),
        shooting.CHAPTER,
    )


RULESET = Ambush()
