"""Places for tactics: what a model can do from a place, and what may be done to it there.

A place is worth the fire it gives next turn, less the fire it draws; where it gives none, less the way that is left.
"""

from collections.abc import Iterator, Sequence
from math import isqrt
from typing import Any, NamedTuple

from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import CONTACT
from sandtable.field.survey import crowd
from sandtable.rulesets.cav.concepts import base_of, center
from sandtable.rulesets.quickstart.datacard import movement
from sandtable.rulesets.quickstart.sight import TWISTED
from sandtable.rulesets.quickstart.state_names import CountName
from sandtable.rulesets.quickstart.tactics.guns import NO_ATTACK, Attack, Gunner
from sandtable.rulesets.quickstart.tactics.memory import Memory, nearest_first
from sandtable.rulesets.quickstart.tactics.sight import Sighting
from sandtable.tabletop.scouting.strolls import Stroll, bearing_to, headings, stroll

#: In hundredths: what next turn's fire counts beside this turn's, and what the enemies' fire counts.
NEXT = 50
FEAR = 50
#: What their fire counts to one that is alone: nobody shares it.
ALONE = 100
#: What an inch nearer to the nearest enemy is worth to one that can do no harm where it is.
NEARER = 30
#: So far from a foe nothing hinders fire any more.
FACE_TO_FACE = 6 * UNIT
#: How near an enemy comes before a model fires that does not hold its fire, holds it, and holds it long.
_FAR = 1000 * UNIT
NEAR = (_FAR, 4 * FACE_TO_FACE, 2 * FACE_TO_FACE)
#: So many enemies, the nearest, are thought of.
MOST_FOES = 5
#: In so many directions looks who compares many places: here a few more cost next to nothing.
MANY, ALL_AROUND = 9, 23
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

    def __init__(self, memory: Memory, table: Table, model: Thing, skill: Any) -> None:
        self.table, self.model, self.skill, self.memory = table, model, skill, memory
        self.at = center(model)
        foes = nearest_first(table, model)
        self.nearest = foes[0]
        self.foes = foes[: skill.foes]
        self.gunner = memory.gunner(model)
        self.gunners = [memory.gunner(foe) for foe in self.foes]
        self._foes_at = [center(foe) for foe in self.foes]
        self._bases = base_of(model).size  # from centre to edge, of both
        self.twists = model.has(TWISTED) or model.count(CountName.TORSO_TWIST) > 0
        self.fear = max(FEAR, ALONE // len(table.models(model.side)))
        self.seen = memory.sightings(table, model, self.foes)
        self.here = self.rate(self.seen)
        self._held: Parts | None = None
        close = self.gunner.attacks(memory.gunner(self.nearest), FACE_TO_FACE, 0, 0, False)[0]
        #: Half of what it could do to the nearest foe face to face: with less it should go nearer.
        self.promise = max(1, close.worth // 2)
        memory.standing[model.id] = (
            ("fire", self.here.locked.worth),
            ("in danger", self.here.exposure // 4),
        )

    def rate(self, seen: Sequence[Sighting]) -> Pose:
        """What may be done from a place that sees the foes so, and what they may do to it there."""
        fears, farthest = self.skill.fears, NEAR[self.skill.holds_fire]
        return weighed(self.gunner, self.foes, self.gunners, seen, fears=fears, twists=self.twists, farthest=farthest)

    def others(self) -> Iterator[tuple[str, Attack]]:
        """Whom else it might fire at from here, locked on, beside the one that it would choose."""
        least_arc = 1 if self.twists else 2
        for foe, gunner, seen in zip(self.foes, self.gunners, self.seen, strict=True):
            if seen.in_arc >= least_arc and seen.gap > CONTACT and foe.id != self.here.locked_at:
                attack = self.gunner.attacks(gunner, seen.gap, seen.their_cover, seen.they_stand_in, seen.blocked)[1]
                if attack.worth:
                    yield foe.id, attack

    @property
    def held(self) -> Parts:
        """What it is worth to end where it stands."""
        if self._held is None:
            self._held = self.place(self.here)
        return self._held

    def in_danger(self) -> bool:
        """Whether the model is half gone, and more may be done to it where it is than it can do."""
        model, here = self.model, self.here
        return 2 * model.harm >= model.track and here.exposure * self.fear // 100 > here.locked.worth

    def places(self, least: int, besides: int) -> Iterator[tuple[Stroll, Pose]]:
        """Places to go to, with what each is worth: those that may be worth more than so much, as far as can be hoped.

        `besides` is what could be done instead of firing there.
        """
        for one, seen in self.views_from([one for one in self._strolls() if self._hoped_for(one, besides) > least]):
            yield one, self.rate(seen)

    def views_from(self, strolls: Sequence[Stroll]) -> Iterator[tuple[Stroll, list[Sighting]]]:
        """What is to be seen from the ends of some strolls, in one survey."""
        if not strolls:
            return
        lookout = self.memory.lookout(self.table, self.model, [(one.at, one.facing) for one in strolls], self.foes)
        for n, one in enumerate(strolls):
            yield one, [lookout.sighting(n, foe) for foe in range(len(self.foes))]

    def _strolls(self) -> Iterator[Stroll]:
        mv = movement(self.model)
        towards = bearing_to(self.at, center(self.nearest))
        others = [other.at for other in crowd(self.table).values() if other.id != self.model.id]
        looks = ALL_AROUND if self.skill.poses >= MANY else self.skill.poses - 1
        for degrees in headings(towards, looks):
            one = stroll(self.memory.room, others, self.model, degrees, mv, mv * UNIT)
            if one is not None:
                yield one

    def _hoped_for(self, one: Stroll, besides: int) -> int:
        """What a place could be worth at best: every foe in the open, and none that fires back."""
        x, y = one.at
        gaps = [isqrt((x - at.x) ** 2 + (y - at.y) ** 2) - self._bases for at in self._foes_at]
        return self._best(gaps, besides)

    def hopes(self, besides: int, *, fires: bool = True) -> int:
        """What any place within one move could be worth at best, whether it fires there or has fired."""
        far = movement(self.model) * UNIT
        return self._best([seen.gap - far for seen in self.seen], besides, fires=fires)

    def _best(self, gaps: Sequence[int], besides: int, *, fires: bool = True) -> int:
        plain, locked = besides, 0
        for foe, gap in zip(self.gunners, gaps, strict=True):
            one, other = self.gunner.attacks(foe, max(UNIT, gap), 0, 0, False)
            if other.worth > locked:
                locked = other.worth
            if fires and one.worth > plain:
                plain = one.worth
        return plain + locked * NEXT // 100

    def place(self, pose: Pose, at: Stroll | None = None) -> Parts:
        """What it is worth to end in a pose, where the model stands or at the end of a stroll."""
        next_turn = pose.locked.worth
        fire, fear = next_turn * NEXT // 100, -pose.exposure * self.fear // 100
        if next_turn >= self.promise:
            return Parts((("fire next turn", fire), ("enemy fire", fear)), fire + fear)
        # The less it can do here beside what it could do face to face, the more an inch nearer is worth.
        left = self.memory.room.way_left(self.at if at is None else at.at, center(self.nearest))
        way = -left * NEARER * (self.promise - next_turn) // (self.promise * UNIT)
        return Parts((("fire next turn", fire), ("enemy fire", fear), ("way to the enemy", way)), fire + fear + way)


def weighed(
    gunner: Gunner,
    models: Sequence[Thing],
    foes: Sequence[Gunner],
    seen: Sequence[Sighting],
    *,
    fears: bool,
    twists: bool,
    farthest: int = _FAR,
) -> Pose:
    """What may be done from a place to the foes it sees so, as far as it fires, and what they may do to it there."""
    plain = locked = NO_ATTACK
    plain_at = locked_at = ""
    plain_keen = locked_keen = 0
    threats: list[int] = []
    least_arc = 1 if twists else 2
    for model, foe, (gap, blocked, cover, my_cover, standing_in, in_arc) in zip(models, foes, seen, strict=True):
        if in_arc >= least_arc and CONTACT < gap <= farthest:
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
