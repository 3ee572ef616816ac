"""Sight for tactics: one survey of many poses of a model, judged by the rules of sight and cover.

What an object on a line gives is asked of the rules once for each way it can lie there, and kept.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.shapes import At, Point
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.sight import Crossing
from sandtable.field.survey import crowd, standing, survey, terrain_of
from sandtable.rulesets.cav.concepts import base_of, outline
from sandtable.rulesets.cav.sight import BLOCKING, NONE, RANK, STRENGTH, End, joined
from sandtable.rulesets.quickstart.sight import BEARS_ON, NEAR, TORSO_TWIST, VALUE, kind_of_cover, strength_of
from sandtable.rulesets.quickstart.state_names import StateName
from sandtable.rulesets.quickstart.states import elevation

_WIDEST = TORSO_TWIST.number("max_degrees")
#: As far to the sides as weapons bear when the torso is twisted, and as the model faces.
_ARCS = (*((start - _WIDEST, end + _WIDEST) for start, end in BEARS_ON), *BEARS_ON)
_FACING_IT = ~((1 << len(BEARS_ON)) - 1)

#: Rank of a cover, and the object it comes from.
Strength = tuple[int, str]
_BLOCKS = RANK[BLOCKING]
_VALUES = tuple(VALUE.get(name, 0) for name in STRENGTH)
#: Of both ends of a line the height and the ground under it, as `End` has them.
_Pair = tuple[int, int]
_Ends = tuple[_Pair, _Pair]


class Sighting(NamedTuple):
    """One pose and one other model: how far, whether they see each other, whose cover is worth what."""

    gap: int
    blocked: bool
    their_cover: int
    my_cover: int
    they_stand_in: int  # the part of their cover that nothing flies over
    in_arc: int  # 0 not at all, 1 with a twist, 2 as it faces


class Lookout:
    """What a model would see, and who would see it, in each of some poses."""

    def __init__(
        self,
        table: Table,
        model: Thing,
        poses: Sequence[tuple[Point, int]],
        foes: Sequence[Thing],
        strengths: dict[tuple[object, ...], Strength],
    ) -> None:
        self.table, self.model, self.poses, self.foes = table, model, poses, foes
        seen_already = {model.id, *(foe.id for foe in foes)}
        rest = [other for other in table.standing() if other.id not in seen_already]
        self.others = [*foes, *rest]
        stand, things = crowd(table), table.things
        # A foe may be one that is only thought of.
        seen = [stand[foe.id] if things.get(foe.id) is foe else standing(foe) for foe in foes]
        seen += [stand[other.id] for other in rest]
        self.found = survey(table.ground, base_of(model), poses, seen, _ARCS, NEAR, targets=len(foes))
        self._height = elevation(model)
        self._heights = [elevation(foe) for foe in foes]
        self._near: dict[int, int] = {}
        self._other_near: dict[int, int] = {}
        self._strengths = strengths
        self._holding: dict[int, dict[str, int]] = {0: {}}
        self._grouped, self._matters = _sorted_out(table.ground)

    def sighting(self, pose: int, foe: int) -> Sighting:
        """What is between a pose and a foe."""
        found = self.found
        at = pose * found.targets + foe
        gap = found.gaps[at]
        mine = self._held_by(found.footings[pose].inside)
        its = self._held_by(found.other_footings[foe].inside)
        they_stand_in = _sum(its) if its else 0
        crossed = found.crossed(pose, foe) & self._matters
        arcs = found.in_my_arcs(pose, foe)
        in_arc = 2 if arcs & _FACING_IT else 1 if arcs else 0
        if not crossed:
            return Sighting(gap, False, they_stand_in, _sum(mine) if mine else 0, they_stand_in, in_arc)
        on_line = self._judged(pose, foe, crossed)
        if on_line is None:
            return Sighting(gap, True, 0, 0, they_stand_in, in_arc)
        cover = _sum({**on_line, **its}) if on_line or its else 0
        my_cover = _sum({**on_line, **mine}) if mine else cover if not its else _sum(on_line)
        return Sighting(gap, False, cover, my_cover, they_stand_in, in_arc)

    def _held_by(self, inside: int) -> dict[str, int]:
        """The features with cover that hold a centre, and the rank of the cover each gives."""
        kept = self._holding.get(inside)
        if kept is None:
            groups = joined(self.table.ground)
            pieces = [f.piece for n, f in enumerate(self.found.features) if inside >> n & 1 and f.contour is None]
            covers = {groups[piece.id][0].id: kind_of_cover(piece.kind) for piece in pieces}
            kept = {key: RANK[cover] for key, cover in covers.items() if cover in VALUE}
            self._holding[inside] = kept
        return kept

    def _judged(self, pose: int, foe: int, crossed: int) -> dict[str, int] | None:
        """Each object on a line with the rank of the strongest cover it gives; none where one of them blocks."""
        found = self.found
        first, second = found.footings[pose], found.other_footings[foe]
        ends = ((self._height + first.level, first.level), (self._heights[foe] + second.level, second.level))
        if pose not in self._near:
            self._near[pose] = found.near(pose)
        if foe not in self._other_near:
            self._other_near[foe] = found.other_near(foe)
        near = (self._near[pose], self._other_near[foe])
        holds = (first.inside, second.inside)
        stood_on = self._stood_on(crossed & (holds[0] | holds[1]))
        best: dict[str, int] = {}
        while crossed:
            low = crossed & -crossed
            crossed ^= low
            rank, key = self._strength(pose, foe, low, ends, near, holds, stood_on)
            if rank == _BLOCKS:
                return None
            if rank and rank > best.get(key, 0):
                best[key] = rank
        return best

    def _stood_on(self, held: int) -> dict[str, int]:
        """Of each hill on a line the highest level that one of the two stands on."""
        stood_on: dict[str, int] = {}
        held >>= self.found.pieces
        n = self.found.pieces
        while held:
            if held & 1:
                feature = self.found.features[n]
                assert feature.contour is not None
                stood_on[feature.piece.id] = max(stood_on.get(feature.piece.id, 0), feature.contour.level)
            held >>= 1
            n += 1
        return stood_on

    def _strength(
        self, pose: int, foe: int, bit: int, ends: _Ends, near: _Pair, holds: _Pair, stood_on: dict[str, int]
    ) -> Strength:
        """What one object on a line gives."""
        n, found, left_out = bit.bit_length() - 1, self.found, 0
        flags = (near[0] & bit != 0, near[1] & bit != 0, holds[0] & bit != 0, holds[1] & bit != 0)
        if n < len(found.features):
            feature = found.features[n]
            ground = found.height(pose, foe, n) if feature.contour is None else feature.contour.level
            what, index = str(feature.piece.id), feature.index
            left_out = stood_on.get(what, 0)
            crossing = Crossing(feature.outline, feature.piece.id, index, "", ground, *flags)
        else:
            other = self.others[n - len(found.features)]
            ground = found.other_footings[n - len(found.features)].level
            what, index = f"{other.id} {self.foes[foe].card}", -2 if other.has(StateName.KNOCKDOWN) else -3
            crossing = Crossing(outline(other), "", -1, other.id, ground, *flags[:2])
        key = (what, index, ground, ends, flags, left_out)
        kept = self._strengths.get(key)
        if kept is None or n in self._grouped:
            at, facing = self.poses[pose]
            me = replace(self.model, place=At(at), facing=facing)
            both = (End(*ends[0]), End(*ends[1]))
            _, strength, _, source = strength_of(self.table, crossing, both, (me, self.foes[foe]), stood_on)
            kept = self._strengths[key] = (RANK[strength], source)
        return kept


@lru_cache(maxsize=256)
def _sorted_out(ground: Ground) -> tuple[frozenset[int], int]:
    """Which features are part of a larger one, and, as a mask, which objects may give cover at all.

    Whether a larger feature is near depends on more than one of its pieces.
    """
    features = terrain_of(ground).features
    wide = [f for f in features if len(joined(ground)[f.piece.id]) > 1 and kind_of_cover(f.piece.kind) in VALUE]
    grouped = frozenset(features.index(feature) for feature in wide)
    never = sum(1 << n for n, f in enumerate(features) if kind_of_cover(f.piece.kind) == NONE)
    return grouped, ~never


def _sum(covers: dict[str, int]) -> int:
    return sum(_VALUES[rank] for rank in covers.values())
