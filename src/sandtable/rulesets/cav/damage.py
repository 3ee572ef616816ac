"""Damage: rows of a damage table, harm that is noted until its moment comes, and pilot checks."""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Detail, Harm, HarmNoted
from sandtable.engine.explain import ExplainedPart, Explanation
from sandtable.engine.ids import ThingId
from sandtable.engine.state import Due
from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule
from sandtable.rulesets.cav.dice import DiceRules, fumbled
from sandtable.rulesets.cav.states import Rolling
from sandtable.tabletop.checks import AddedDie, Check
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
    check: Detail | None = None,
) -> None:
    """Note what a row of a damage table does, each kind of harm until its moment.

    Only what walks on legs makes pilot checks; `check` is what is to be known of one until then.
    """
    harms = [Harm(DAMAGE, points)] if points else []
    if row.pilot_check is not None and walks:
        harms.append(Harm(PILOT_CHECK, row.pilot_check, check or {}))
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
    needs: Callable[[Thing, Sequence[Due]], Explanation]  # of a model and the checks that are made as one
    modifiers: tuple[Modifier[Any], ...]
    falls: Callable[[Battle, ThingId, int], None]  # a failure
    breaks: Callable[[Battle, ThingId, int], None]  # a natural 2, beside that

    def parts(self, model: Thing, worst: int) -> tuple[ExplainedPart, ...]:
        """What changes the check of a model."""
        return parts(self.modifiers, PILOT_CHECK, Shaken(model, worst=worst))

    def called(self, battle: Battle, due: Due) -> list[Due]:
        """The pilot checks of a model that are made as one with this, which is among them."""
        asked = (due.target, PILOT_CHECK, due.moment)
        return [due, *(one for one in battle.state.due if (one.target, one.harm.what, one.moment) == asked)]

    def check(self, thing: Thing, called: Sequence[Due]) -> Check:
        """The check of a model before it falls, with the worst modifier called for."""
        return self.dice.check(
            *(PILOT_CHECK, thing.id, self.needs(thing, called), self._modifiers(thing, called), self.rule),
            succeeded="keeps its feet",
            failed="goes down",
            alike=_any_success,
        )

    def _modifiers(self, thing: Thing, called: Sequence[Due]) -> tuple[ExplainedPart, ...]:
        return self.parts(thing, self.dice.sign.worst([one.harm.amount for one in called]))

    def make(self, battle: Battle, due: Due, added_die: AddedDie | None = None) -> None:
        """One pilot check a model, with the worst modifier called for: others that are due are made with it."""
        called = self.called(battle, due)
        for one in called[1:]:
            battle.cancel(one.id)
        thing = battle.table[due.target]
        check = msgspec.structs.replace(self.check(thing, called), added_die=added_die)
        fell = self.dice.throw(battle, check, because=due.because, modified=bool(self._modifiers(thing, called)))
        if not fell.succeeds:
            self.falls(battle, thing.id, fell.n)
        if fumbled(fell):
            self.breaks(battle, thing.id, fell.n)


def _any_success(margin: int) -> bool:
    return True
