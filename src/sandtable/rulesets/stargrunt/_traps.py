"""Booby traps and command-detonated mines, both options: what waits for somebody to come near, or for a hand."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Left, Placed, Revealed
from sandtable.engine.explain import inches
from sandtable.engine.questions import ChooseOne, Option, React, Reaction, ReactOption, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Disc
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import CONTACT, center_gap, gap
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt._chapter import Action, Activate, AfterMove, Outcome, on_table
from sandtable.rulesets.stargrunt._counters import face_up, lies_under
from sandtable.rulesets.stargrunt._fire_steps import impact_roll, wound
from sandtable.rulesets.stargrunt._mines import unnerve_all
from sandtable.rulesets.stargrunt._treading import BOOBY_TRAPS
from sandtable.rulesets.stargrunt.cover import figure_seen
from sandtable.rulesets.stargrunt.dice import Roller, agree, opposed_roll
from sandtable.rulesets.stargrunt.forces import vehicle
from sandtable.rulesets.stargrunt.units import (
    BASE,
    enemies,
    hull_of,
    is_hull,
    leader,
    quality_die,
    spot,
    standing,
)
from sandtable.rulesets.stargrunt.vehicles import ARMOUR_CLASS, put_out

COMMAND_MINES = rule("stargrunt.obstacles.command-mines")
#: The switches of the options, what a counter is that is a trap, and the card of a command mine on the table.
TRAPS_SWITCH, MINES_SWITCH = "booby-traps", "command-mines"
TRAP, COMMAND_MINE = "booby trap", "command mine"
