"""What tactics think of smoke: the fire that clouds in a direction would keep off, less the fire they would spoil."""

from typing import NamedTuple

from sandtable.engine.shapes import Disc
from sandtable.field.chords import meets
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.stargrunt.dice.rolls import LADDER, clock_degrees
from sandtable.rulesets.stargrunt.fire.shots import SMALL_ARMS, has_had_its_shot
from sandtable.rulesets.stargrunt.movement.walking import away_from_home
from sandtable.rulesets.stargrunt.obstacles.smoke import ACROSS, in_front
from sandtable.rulesets.stargrunt.tactics.outlook import Outlook
from sandtable.rulesets.stargrunt.units.record import hull_of, points
from sandtable.tabletop.opponent import Reasons, total

#: How much of a turn's fire clouds keep off on average, in hundredths: they go when it ends.
LASTS = 60


class Screen(NamedTuple):
    """Clouds in the direction of an hour, and what they are worth."""

    hour: str
    parts: Reasons

    @property
    def worth(self) -> int:
        """What they are worth in all."""
        return total(self.parts)


def screen(outlook: Outlook, degrees: int) -> Reasons:
    """What clouds in a direction would be worth: whom they hide the unit from, and it from them."""
    here, at = points(outlook.table, outlook.unit.id), outlook.here
    clouds = [Disc(cloud, ACROSS // 2) for cloud in in_front(at, degrees)]
    seen = outlook.seen(at)
    hidden = [
        n
        for n in seen
        if any(meets(cloud, at, outlook.foes[n].at, length_between(at, outlook.foes[n].at)) for cloud in clouds)
    ]
    left = [n for n in seen if n not in hidden]
    # Clouds are gone before it fires again: only fire that is still to come this turn is spoilt.
    fired = has_had_its_shot(outlook.unit, SMALL_ARMS)
    spoilt = 0 if fired else outlook.fire(here, seen) - outlook.fire(here, left)
    kept_off = outlook.danger(here, dug_in=outlook.dug_in, seen=hidden) * LASTS // 100
    return (("danger", kept_off), ("fire", -spoilt))


def screens(outlook: Outlook) -> list[Screen]:
    """The directions in which a unit can lay smoke, the best first: a vehicle only ahead."""
    hull = hull_of(outlook.table, outlook.unit.id)
    if hull is not None:
        return [Screen("", screen(outlook, hull.facing))]
    ahead = away_from_home(outlook.table, outlook.unit.side)
    hours = range(1, LADDER[-1] + 1)
    found = [Screen(str(hour), screen(outlook, clock_degrees(hour, ahead))) for hour in hours]
    return sorted(found, key=lambda one: -one.worth)
