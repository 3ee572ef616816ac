"""Firing one weapon at one thing that is no unit on the ground: which weapon, at what, and why not."""

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited
from sandtable.engine.questions import ChooseOne, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule
from sandtable.rulesets.stargrunt import electronic_warfare
from sandtable.rulesets.stargrunt.dice.rolls import MULTIPLE, against_one, die_part, major, several
from sandtable.rulesets.stargrunt.fire.armament import GUIDED, Arm, arm_of
from sandtable.rulesets.stargrunt.units.record import QUALITY, quality_die
from sandtable.rulesets.stargrunt.vehicles.hulls import HEAVY_HIT
from sandtable.tabletop.chapters import OptionJudge
from sandtable.tabletop.checks import Check, throw_each
from sandtable.tabletop.choosing import by_unit, none_open


class Shoot(NamedTuple):
    """What there is to choose: the topics and the words, the weapons that can do it, and what they may be fired at."""

    weapon_topic: str
    target_topic: str
    prompt: str
    rule: Rule
    arms: Callable[[Table, Thing], list[Arm]]
    refused: Callable[[Table, Thing, Arm], Refusal | None]
    targets: Callable[[Table, Thing], list[Option]]
    target_refused: Callable[[Table, Thing, Arm, str], Refusal | None]

    def weapons(self, table: Table, unit: Thing) -> list[Option]:
        """The weapons of a unit that can do it."""
        return [Option(arm.id, arm.label, (unit.id,), (self.rule.id, arm.rule.id)) for arm in self.arms(table, unit)]

    def weapon_refused(self, table: Table, unit: Thing, weapon: str) -> Refusal | None:
        """Why a weapon may not do it now: by itself, or to anything."""
        arm = arm_of(table, unit, weapon)
        refusal = self.refused(table, unit, arm)
        return refusal or none_open(self.targets(table, unit), partial(self.target_refused, table, unit, arm))

    def impossible(self, table: Table, unit: Thing) -> Refusal | None:
        """Why a unit can do it with none of its weapons."""
        return none_open(self.weapons(table, unit), partial(self.weapon_refused, table, unit))

    def _target_judged(self, view: View, question: ChooseOne, option: Option) -> Refusal | None:
        unit = view.table[question.about[0]]
        return self.target_refused(view.table, unit, arm_of(view.table, unit, question.about[1]), option.id)

    @property
    def refusals(self) -> dict[str, OptionJudge]:
        """Why weapons and targets may not be chosen, by the topics of its questions."""
        return {self.weapon_topic: by_unit(self.weapon_refused), self.target_topic: self._target_judged}

    def ask(self, battle: Battle, unit: Thing) -> Procedure[tuple[str, str]]:
        """Ask for the weapon, then for what it is fired at."""
        weapon = yield ChooseOne(
            unit.side,
            f"Which weapon of {unit.label} fires?",
            topic=self.weapon_topic,
            about=(unit.id,),
            options=tuple(self.weapons(battle.table, unit)),
            rules=(self.rule.id,),
        )
        target = yield ChooseOne(
            unit.side,
            self.prompt,
            topic=self.target_topic,
            about=(unit.id, weapon),
            options=tuple(self.targets(battle.table, unit)),
            rules=(self.rule.id,),
            shows=("distance", "odds"),
        )
        return weapon, target


HIT = {"fail": "a miss", "minor": "a minor hit", "major": "a major hit"}


def roll_to_hit(
    battle: Battle, firer: Thing, arm: Arm, against: Check, label: str, because: int
) -> Procedure[tuple[str, int]]:
    """Quality and the weapon's own die against one; fail, minor or major, and the event. A missile may be spoofed."""
    die = quality_die(firer)
    parts = (die_part("Quality", die, QUALITY), arm.part)
    ours = several("fire", firer.id, (die, arm.die), parts, arm.rule, (HEAVY_HIT, MULTIPLE))
    spoofs: electronic_warfare.Attempts = ()
    if arm.kind == GUIDED:
        prompt = f"A missile is fired at {label}: spoof it?"
        spoofs = yield from electronic_warfare.spoofing(battle, firer.side, prompt, (firer.id,), because)
    roll = throw_each(battle, against_one(ours, against, lambda higher: HIT[major(higher)]), because)
    if spoofs and electronic_warfare.prevail(battle, spoofs, roll.scores, roll.n):
        n = battle.happens(Forfeited(firer.id, "fire", rule=electronic_warfare.SPOOF.id, because=roll.n))
        return "fail", n
    return major(roll.tally.higher), roll.n
