"""The moments of the game at which its chapters are heard."""

from collections.abc import Callable, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.models import Fielded
from sandtable.forces.scenario import Scenario
from sandtable.rulesets.stargrunt.chapter import Action, Activate, AfterMove
from sandtable.rulesets.stargrunt.forces.cards import Squad
from sandtable.tabletop.chapters import Moment

Steps = Sequence[Step]

# Before the first turn ------------------------------------------------------------------------------------------

#: Put a fielded card on the table in another way than as a squad of figures; whether it did.
BRINGS: Moment[[Battle, Fielded[Squad], ThingId, Scenario], bool] = Moment("a card is fielded")
#: Lay a marker of a scenario in another way than openly; whether it did.
LAYS_MARKER: Moment[[Battle, Thing], bool] = Moment("a marker is laid")
#: Put whatever else a scenario or case asks for on the table, after all units.
LAYS: Moment[[Battle, Scenario], None] = Moment("the table is laid")
#: Steps before the first turn.
OPENS: Moment[[Table, Scenario], Steps] = Moment("a battle opens")

# Turns ----------------------------------------------------------------------------------------------------------

TURN_BEGINS: Moment[[Table], Steps] = Moment("a turn begins")
TURN_ENDS: Moment[[Table], Steps] = Moment("a turn ends")
BETWEEN: Moment[[Table], Steps] = Moment("between activations")
#: Steps before anybody chooses anything.
AHEAD: Moment[[Table], Steps] = Moment("somebody is about to choose")
#: What is looked at after every action of a unit.
ACTION_OVER: Moment[[Battle], None] = Moment("a unit has taken an action")
#: Steps that come before any other step, whatever is under way: what has just been set off.
AT_ONCE: Moment[[Table], Steps] = Moment("a step is about to begin")
AFTER_MOVE: Moment[[Table, AfterMove], Steps] = Moment("a unit has moved")

# Activations ----------------------------------------------------------------------------------------------------

#: What a side may activate besides its units, and the steps that a choice of it starts (none: not its own).
OFFERS: Moment[[Table, str], Sequence[Option]] = Moment("a side chooses what to activate")
STARTS: Moment[[Table, str], Steps | None] = Moment("something is activated")
#: A step that takes the place of an activation; none where it goes as usual.
INSTEAD: Moment[[Table, Activate], Step | None] = Moment("a unit would be activated")
#: Steps before the first action of an activation, and what happens the moment it begins.
ACTIVATION_BEGINS: Moment[[Table, Activate], Steps] = Moment("before the first action")
ACTIVATES: Moment[[Battle, Thing], None] = Moment("an activation begins")
#: What a unit that has no choice does with an activation; none where it has its choice.
COMPELS: Moment[[Table, Thing], Callable[[Battle, Activate], Procedure[None]] | None] = Moment(
    "a unit may have no choice"
)
#: Steps that break in between a unit's choice of an action and the action.
BREAKS_IN: Moment[[Table, Thing, Activate, Action], Steps] = Moment("an action is chosen")
#: What happens when a unit has chosen an action, before it is carried out.
BEFORE_ACTION: Moment[[Battle, Thing, Action], None] = Moment("an action is about to be carried out")
