"""Moments at which Command Cards may be played, and whatever else chapters bring for them."""

from sandtable.engine.battle import Battle
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import Side
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Thing
from sandtable.tabletop.chapters import Moment
from sandtable.tabletop.checks import Thrown

#: Initiative dice have been rolled; gives them as they stand after that.
INITIATIVE_ROLLED: Moment[[Battle, dict[Side, Thrown]], Procedure[dict[Side, Thrown]]] = Moment("initiative is rolled")
#: A squad declares a Moving action.
MOVING_DECLARED: Moment[[Battle, Thing], Procedure[None]] = Moment("a Moving action is declared")
#: A squad must take a Fortitude Test; gives whether it passes without rolling.
MUST_TEST: Moment[[Battle, Thing], Procedure[bool]] = Moment("a squad must take a Fortitude Test")
#: A squad is about to roll for an Objective with some Scan Tokens; gives what is added.
SEARCHES: Moment[[Battle, Thing, Thing, int], Procedure[tuple[ExplainedPart, ...]]] = Moment("a squad searches")
#: A die is about to be rolled for a destroyed Transport; gives what it counts as, or 0 where it is rolled.
TRANSPORT_ROLLS: Moment[[Battle, Thing], Procedure[int]] = Moment("a Transport is destroyed")
