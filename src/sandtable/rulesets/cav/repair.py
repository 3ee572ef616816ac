"""Repair: a roll with the damage control value, never back to an unharmed column."""

from collections.abc import Callable

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Harm, HarmApplied
from sandtable.engine.ids import ThingId
from sandtable.forces.ledger import Rule, citing
from sandtable.rulesets.cav.dice import NATURAL_CRITICAL, fumbled
from sandtable.tabletop.checks import Thrown


class Repairs(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What comes of a Repair Action in an edition: how many points, down to which column, and by which rules."""

    success: Rule
    critical_success: Rule
    lingering: Rule
    track: Rule
    points: int
    critical_points: int
    best: int  # the best column of a model that was once damaged
    breaks: Callable[[Battle, ThingId, int], None]  # a natural 2
    mended: Callable[[Battle, ThingId, int, int], None]  # what follows where so many points are gone, by an event

    def mend(self, battle: Battle, model: ThingId, check: Thrown) -> None:
        """Let a repair roll take effect: a point is gone, or two; a natural 2 does harm instead."""
        if fumbled(check):
            self.breaks(battle, model, check.n)
            return
        if not check.succeeds:
            return
        thing = battle.table[model]
        critical = check.natural == NATURAL_CRITICAL
        after = max(self.best, thing.harm - (self.critical_points if critical else self.points))
        if after < thing.harm:
            why = self.critical_success if critical else self.success
            harm = Harm("repair", thing.harm - after)
            detail = citing(self.track, self.lingering) if after == self.best else citing(self.track)
            n = battle.happens(HarmApplied(model, harm, thing.harm, after, rule=why.id, because=check.n, detail=detail))
            self.mended(battle, model, thing.harm - after, n)
        else:
            none = Harm("repair", 0)
            battle.happens(HarmApplied(model, none, thing.harm, thing.harm, rule=self.lingering.id, because=check.n))
