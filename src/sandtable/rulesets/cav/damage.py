"""Damage: rows of a damage table, harm that is noted until its moment comes, and pilot checks."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Harm, HarmNoted
from sandtable.engine.explain import ExplainedPart, Explanation
from sandtable.engine.state import Due
from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule
from sandtable.rulesets.cav.dice import DiceRules, fumbled
from sandtable.rulesets.cav.states import Rolling
from sandtable.tabletop.modifiers import Modifier, parts

#: The kinds of noted harm.
DAMAGE, CRITICAL_DAMAGE, PILOT_CHECK, STATE = "damage", "critical damage", "pilot check", "state"


class Row(msgspec.Struct, frozen=True):
    """A row of a damage table: points, a pilot check with its modifier, states, a critical."""

    damage: int = 0
    pilot_check: int | None = None
    states: tuple[str, ...] = ()
    critical_damage_roll: bool = False


def noted_damage(noted: Sequence[Due], victim: str) -> int:
    """The damage points noted against a model that have not taken effect."""
    return sum([due.harm.amount for due in noted if due.target == victim and due.harm.what == DAMAGE])


def as_good_as_lost(battle: Battle, victim: str) -> bool:
    """Whether a model is out of play, or what is noted against it is more than its damage track bears."""
    thing = battle.table[victim]
    return bool(thing.gone) or thing.harm + noted_damage(battle.state.due, victim) >= thing.track


def note_row(
    battle: Battle,
    victim: str,
    row: Row,
    points: int,
    moment: Callable[[str], str],
    source: Rule,
    because: int,
    *,
    walks: bool,
) -> None:
    """Note what a row of a damage table does, each kind of harm until its moment.

    Only what walks on legs makes pilot checks.
    """
    harms = [Harm(DAMAGE, points)] if points else []
    if row.pilot_check is not None and walks:
        harms.append(Harm(PILOT_CHECK, row.pilot_check))
    harms += [Harm(STATE, 0, {"state": state}) for state in row.states]
    if row.critical_damage_roll:
        harms.append(Harm(CRITICAL_DAMAGE))
    for harm in harms:
        battle.note(HarmNoted(victim, harm, moment(harm.what), rule=source.id, because=because))


class Shaken(Rolling, frozen=True, kw_only=True):
    """What decides a pilot check: the worst modifier called for."""

    worst: int


class PilotChecks(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The pilot checks of an edition: against what, what changes them, and what comes of a failure."""

    dice: DiceRules
    rule: Rule
    needs: Callable[[Thing], Explanation]
    modifiers: tuple[Modifier[Any], ...]
    falls: Callable[[Battle, str, int], None]  # a failure
    breaks: Callable[[Battle, str, int], None]  # a natural 2, beside that

    def parts(self, model: Thing, worst: int) -> tuple[ExplainedPart, ...]:
        """What changes the check of a model."""
        return parts(self.modifiers, PILOT_CHECK, Shaken(model, worst=worst))

    def make(self, battle: Battle, due: Due) -> None:
        """One pilot check a model, with the worst modifier called for: others that are due are made with it."""
        asked = (due.target, PILOT_CHECK, due.moment)
        others = [one.id for one in battle.state.due if (one.target, one.harm.what, one.moment) == asked]
        called = [due.harm.amount, *(battle.cancel(one).harm.amount for one in others)]
        thing = battle.table[due.target]
        modifiers = self.parts(thing, self.dice.sign.worst(called))
        check = self.dice.check(
            *(PILOT_CHECK, thing.id, self.needs(thing), modifiers, self.rule),
            succeeded="keeps its feet",
            failed="goes down",
            alike=_any_success,
        )
        fell = self.dice.throw(battle, check, because=due.because, modified=bool(modifiers))
        if not fell.succeeds:
            self.falls(battle, thing.id, fell.n)
        if fumbled(fell):
            self.breaks(battle, thing.id, fell.n)


def _any_success(margin: int) -> bool:
    return True
