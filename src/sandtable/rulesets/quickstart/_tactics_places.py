"""Places for tactics: what a model can do from a place, and what may be done to it there.

A place is worth the fire it gives next turn, less the fire it draws; where it gives none, less the way that is left.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import CONTACT
from sandtable.rulesets.quickstart._tactics_guns import NO_ATTACK, Attack, Gunner
from sandtable.rulesets.quickstart._tactics_memory import Memory, nearest_first
from sandtable.rulesets.quickstart._tactics_odds import POINT
from sandtable.rulesets.quickstart._tactics_sight import Lookout, Sighting
from sandtable.rulesets.quickstart._tactics_walks import Stroll, bearing_to, headings, stroll
from sandtable.rulesets.quickstart.concepts import center
from sandtable.rulesets.quickstart.datacard import movement
from sandtable.rulesets.quickstart.sight import TWISTED

#: In hundredths: what next turn's fire counts beside this turn's, and what the enemies' fire counts.
NEXT = 50
FEAR = 20
#: What an inch nearer to the nearest enemy is worth to one that can do no harm where it is.
NEARER = 30
#: So many enemies, the nearest, are thought of.
MOST_FOES = 6
#: By how many hundredths each point of harm a foe has makes it a better target: fire is best put together.
FOCUS = 8


class Pose(NamedTuple):
    """What a place is worth: the best assaults from it, whom they are at, and what the enemies may do there."""

    plain: Attack
    plain_at: str
    locked: Attack
    locked_at: str
    exposure: int


class Parts(NamedTuple):
    """What it is worth to end in a place, reason by reason, and in all."""

    parts: tuple[tuple[str, int], ...]
    worth: int


class Situation:
    """One model that is to act: the enemies, where it stands, and the places it may go to."""

    def __init__(self, memory: Memory, table: Table, model: Thing, mind: Any) -> None:
        self.table, self.model, self.mind, self.memory = table, model, mind, memory
        self.at = center(model)
        foes = nearest_first(table, model)
        self.nearest = foes[0]
        self.foes = foes[:MOST_FOES]
        self.gunner = memory.gunner(model)
        self.gunners = [memory.gunner(foe) for foe in self.foes]
        self.twists = model.has(TWISTED) or model.count("torso twist") > 0
        self.seen = memory.sightings(table, model, self.foes)
        self.here = self._weighed(self.seen)
        self.strolls: list[Stroll] = []
        self._lookout: Lookout | None = None

    def _weighed(self, seen: Sequence[Sighting]) -> Pose:
        return weighed(self.gunner, self.foes, self.gunners, seen, fears=self.mind.fears, twists=self.twists)

    def look_around(self) -> None:
        """Think of places to go to, and see what is to be seen from each."""
        self.strolls = list(self._strolls())
        poses = [(one.at, one.facing) for one in self.strolls]
        self._lookout = self.memory.lookout(self.table, self.model, poses, self.foes) if poses else None

    def _strolls(self) -> Iterator[Stroll]:
        mv = movement(self.model)
        towards = bearing_to(self.at, center(self.nearest))
        others = [center(other) for other in self.table.models() if other.id != self.model.id]
        for degrees in headings(self.model, towards, self.mind.poses - 1):
            one = stroll(self.memory.room, others, self.model, degrees, mv, mv * UNIT)
            if one is not None:
                yield one

    def pose(self, n: int) -> Pose:
        """What the place is worth that a stroll leads to."""
        assert self._lookout is not None
        lookout = self._lookout
        return self._weighed([lookout.sighting(n, foe) for foe in range(len(self.foes))])

    def place(self, pose: Pose, at: "Stroll | None" = None) -> Parts:
        """What it is worth to end in a pose, where the model stands or at the end of a stroll."""
        next_turn = pose.locked.worth
        fire, fear = next_turn * NEXT // 100, -pose.exposure * FEAR // 100
        if next_turn >= POINT // 4:
            return Parts((("fire next turn", fire), ("enemy fire", fear)), fire + fear)
        left = self.memory.room.way_left(self.at if at is None else at.at, center(self.nearest))
        way = -left * NEARER // UNIT
        return Parts((("fire next turn", fire), ("enemy fire", fear), ("way to the enemy", way)), fire + fear + way)

    def hopes(self, inches: int) -> tuple[int, int]:
        """What fire from elsewhere could be worth at best, plain and with a lock: nearer, and in the open."""
        plain = locked = 0
        for foe, (gap, _, _, _, _, _) in zip(self.gunners, self.seen, strict=True):
            one, other = self.gunner.attacks(foe, max(gap - inches * UNIT, UNIT), 0, 0, False)
            plain, locked = max(plain, one.worth), max(locked, other.worth)
        return plain, locked


def weighed(
    gunner: Gunner,
    models: Sequence[Thing],
    foes: Sequence[Gunner],
    seen: Sequence[Sighting],
    *,
    fears: bool,
    twists: bool,
) -> Pose:
    """What may be done from a place to the foes it sees so, and what they may do to it there."""
    plain = locked = NO_ATTACK
    plain_at = locked_at = ""
    plain_keen = locked_keen = 0
    threats: list[int] = []
    least_arc = 1 if twists else 2
    for model, foe, (gap, blocked, cover, my_cover, standing_in, in_arc) in zip(models, foes, seen, strict=True):
        if in_arc >= least_arc and gap > CONTACT:
            one, other = gunner.attacks(foe, gap, cover, standing_in, blocked)
            focus = 100 + FOCUS * model.harm
            if one.worth * focus > plain_keen:
                plain, plain_at, plain_keen = one, model.id, one.worth * focus
            if other.worth * focus > locked_keen:
                locked, locked_at, locked_keen = other, model.id, other.worth * focus
        if fears and not blocked:
            threats.append(foe.reply(gunner, gap, my_cover, "", True))
    threats.sort(reverse=True)
    # The first few will fire at it; the others have somebody else to fire at.
    exposure = sum([threat * 2 // (2 + n) for n, threat in enumerate(threats)])
    return Pose(plain, plain_at, locked, locked_at, exposure)
