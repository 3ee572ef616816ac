"""Sight for tactics: one survey of many poses of a model, judged by the rules of sight and cover."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.shapes import At, Point
from sandtable.engine.table import Table, Thing
from sandtable.field.outlines import outline_of
from sandtable.field.sight import Crossing
from sandtable.field.survey import standing, survey
from sandtable.rulesets.quickstart.concepts import base_of
from sandtable.rulesets.quickstart.sight import (
    _STRENGTH,
    BEARS_ON,
    BLOCKING,
    NEAR,
    TORSO_TWIST,
    VALUE,
    _End,
    _joined,
    _levels_stood_on,
    _strength,
    kind_of_cover,
)
from sandtable.rulesets.quickstart.states import elevation

_WIDEST = TORSO_TWIST.number("max_degrees")
#: The front as it stands, and as far as a torso twists to either side.
_ARCS = (*BEARS_ON, *((start - _WIDEST, end + _WIDEST) for start, end in BEARS_ON))


class Sighting(NamedTuple):
    """One pose and one other model: how far, whether they see each other, whose cover is worth what."""

    gap: int
    blocked: bool
    their_cover: int
    my_cover: int
    in_arc: bool  # perhaps with a twist
    in_their_arc: bool


class Lookout:
    """What a model would see, and who would see it, in each of some poses."""

    def __init__(self, table: Table, model: Thing, poses: Sequence[tuple[Point, int]], foes: Sequence[Thing]) -> None:
        self.table, self.model, self.poses, self.foes = table, model, poses, foes
        wanted = [foe.id for foe in foes]
        self.others = [*foes, *(m for m in table.models() if m.id != model.id and m.id not in wanted)]
        self.found = survey(
            table.ground,
            base_of(model),
            poses,
            [standing(other) for other in self.others],
            _ARCS,
            NEAR,
            targets=len(foes),
        )
        self._near: dict[int, int] = {}
        self._other_near: dict[int, int] = {}
        self._holding: dict[int, dict[str, str]] = {0: {}}
        self._kept: dict[tuple[int, int], Sighting] = {}

    def stands_in(self, foe: Thing) -> int:
        """The cover of what a foe stands in."""
        return _sum(self._held_by(self.found.other_footings[self.foes.index(foe)].inside))

    def _held_by(self, inside: int) -> dict[str, str]:
        """The features with cover that hold a centre, and the cover each gives."""
        kept = self._holding.get(inside)
        if kept is None:
            joined = _joined(self.table.ground)
            pieces = [f.piece for n, f in enumerate(self.found.features) if inside >> n & 1 and f.contour is None]
            covers = {joined[piece.id][0].id: kind_of_cover(piece.kind) for piece in pieces}
            kept = {key: cover for key, cover in covers.items() if cover in VALUE}
            self._holding[inside] = kept
        return kept

    def posed(self, pose: int) -> Thing:
        """The model as it would stand."""
        at, facing = self.poses[pose]
        return replace(self.model, place=At(at), facing=facing)

    def sighting(self, pose: int, foe: int) -> Sighting:
        """What is between a pose and a foe."""
        found = self._kept.get((pose, foe))
        if found is None:
            found = self._kept[pose, foe] = self._look(pose, foe)
        return found

    def _look(self, pose: int, foe: int) -> Sighting:
        survey_ = self.found
        arcs, theirs = survey_.in_my_arcs(pose, foe), survey_.in_their_arcs(pose, foe)
        gap = max(0, survey_.gap(pose, foe))
        mine = self._held_by(survey_.footings[pose].inside)
        its = self._held_by(survey_.other_footings[foe].inside)
        if not survey_.crossed(pose, foe):
            return Sighting(gap, False, _sum(its), _sum(mine), bool(arcs), bool(theirs))
        on_line = self._judged(pose, foe)
        blocked = BLOCKING in on_line.values()
        their_cover, my_cover = _sum({**on_line, **its}), _sum({**on_line, **mine})
        return Sighting(gap, blocked, their_cover, my_cover, bool(arcs), bool(theirs))

    def _judged(self, pose: int, foe: int) -> dict[str, str]:
        """Each object on a line with the strongest cover it gives."""
        survey_, me, them = self.found, self.posed(pose), self.foes[foe]
        my_ground, their_ground = survey_.footings[pose].level, survey_.other_footings[foe].level
        ends = (_End(elevation(me) + my_ground, my_ground), _End(elevation(them) + their_ground, their_ground))
        crossings = self._crossings(pose, foe)
        left_out = _levels_stood_on(_Line(crossings))  # type: ignore[arg-type]
        best: dict[str, str] = {}
        for crossing in crossings:
            _, strength, _, key = _strength(self.table, crossing, ends, (me, them), left_out)
            if key not in best or _STRENGTH.index(strength) > _STRENGTH.index(best[key]):
                best[key] = strength
        return best

    def _crossings(self, pose: int, foe: int) -> tuple[Crossing, ...]:
        found = self.found
        crossed = found.crossed(pose, foe)
        if pose not in self._near:
            self._near[pose] = found.near(pose)
        if foe not in self._other_near:
            self._other_near[foe] = found.other_near(foe)
        near_start, near_end = self._near[pose], self._other_near[foe]
        first, second = found.footings[pose], found.other_footings[foe]
        out: list[Crossing] = []
        for n, feature in enumerate(found.features):
            bit = 1 << n
            if crossed & bit:
                out.append(
                    Crossing(
                        feature.outline,
                        feature.piece.id,
                        feature.index,
                        "",
                        found.height(pose, foe, n) if feature.contour is None else feature.contour.level,
                        bool(near_start & bit),
                        bool(near_end & bit),
                        bool(first.inside & bit),
                        bool(second.inside & bit),
                    )
                )
        crossed >>= len(found.features)
        for k, other in enumerate(self.others):
            if crossed >> k & 1:
                bit = 1 << (len(found.features) + k)
                shape = outline_of(base_of(other), other.place.point, other.facing)  # type: ignore[union-attr]
                out.append(
                    Crossing(
                        shape,
                        "",
                        -1,
                        other.id,
                        found.other_footings[k].level,
                        bool(near_start & bit),
                        bool(near_end & bit),
                    )
                )
        return tuple(out)


class _Line(NamedTuple):
    crossings: tuple[Crossing, ...]


def _sum(covers: dict[str, str]) -> int:
    return sum(VALUE[cover] for cover in covers.values() if cover in VALUE)
