"""What tactics keep from question to question: only what could be found out anew.

Two models that have not stirred see each other as they did, unless something came or went near the line between them.
So the memory notes where anything stirs, and looks again only along lines that pass there.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sandtable.engine.shapes import At, Point
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.ground import box_of
from sandtable.field.survey import crowd
from sandtable.rulesets.cav.concepts import center, enemies
from sandtable.rulesets.cav.sight import NONE
from sandtable.rulesets.quickstart.sight import kind_of_cover, lying
from sandtable.rulesets.quickstart.states import is_down
from sandtable.rulesets.quickstart.tactics.guns import Gunner, gunner_of
from sandtable.rulesets.quickstart.tactics.sight import Lookout, Sighting, Strength
from sandtable.rulesets.quickstart.tactics.walks import Chartroom

#: How far from the line between two centres a base may stir and still matter: the line of sight runs anywhere between
#: the two bases, so by half of their width and half of its own.
_NEAR_A_LINE = 1800


class Stance(NamedTuple):
    """How a model stands, as far as sight is concerned."""

    x: int
    y: int
    facing: int
    down: bool


class _Sight(NamedTuple):
    """How two models saw each other, and how much had stirred by then."""

    stirred: int
    seen: Sighting


class Memory:
    """What a bot keeps in a battle. `watch` comes before everything else, whenever a question is asked."""

    def __init__(self) -> None:
        self.room = Chartroom()
        #: What the place of each model was worth to it when it last looked, reason by reason.
        self.standing: dict[str, tuple[tuple[str, int], ...]] = {}
        self._things: list[Thing] = []
        self._posture: tuple[object, tuple[str, ...]] = (None, ())
        self._stances: dict[str, Stance] = {}
        self._gunners: dict[str, tuple[Thing, Gunner]] = {}
        self._sights: dict[tuple[Stance, Stance], _Sight] = {}
        self._strengths: dict[tuple[object, ...], Strength] = {}
        self._stirs: list[tuple[int, int]] = []
        self._ground: Ground | None = None

    def watch(self, table: Table) -> None:
        """Take note of what has changed since the last question."""
        posture = (table.posture, lying(table))
        if posture[0] is not self._posture[0] or posture[1] != self._posture[1]:
            self._posture = posture
            self._look_round(table)
        if table.ground is not self._ground:
            self._note_ground(table.ground)

    def _look_round(self, table: Table) -> None:
        things = table.things
        if len(things) == len(self._things):
            pairs = zip(self._things, things.values(), strict=True)
            changed = [thing for old, thing in pairs if old is not thing and not _stands_alike(old, thing)]
        else:
            changed = list(things.values())
        self._things = list(things.values())
        for thing in changed:
            if thing.kind == "model":
                self._note(thing)

    def _note(self, model: Thing) -> None:
        before = self._stances.get(model.id)
        now = None
        if not model.gone and isinstance(model.place, At):
            now = Stance(*model.place.point, model.facing, is_down(model))
        if now == before:
            return
        self._stirs += [(one.x, one.y) for one in (before, now) if one is not None]
        if now is None:
            del self._stances[model.id]
        else:
            self._stances[model.id] = now

    def _note_ground(self, ground: Ground) -> None:
        """Wrecks come one at a time; other terrain comes before the battle, and then everything is new."""
        old = {} if self._ground is None else {piece.id: piece for piece in self._ground.pieces}
        new = {piece.id: piece for piece in ground.pieces}
        changed = [piece for piece in new.values() if old.get(piece.id) is not piece]
        changed += [piece for piece in old.values() if piece.id not in new]
        self._ground = ground
        if any(piece.kind != "wreck" for piece in changed):
            self._sights.clear()
            self._strengths.clear()
        else:
            self._stirs += [_middle(piece) for piece in changed if kind_of_cover(piece.kind) != NONE]
        self.room.open(ground)

    def gunner(self, model: Thing) -> Gunner:
        """A model as a gunner."""
        kept = self._gunners.get(model.id)
        if kept is None or kept[0] is not model:
            kept = self._gunners[model.id] = (model, gunner_of(model))
        return kept[1]

    def lookout(self, table: Table, model: Thing, poses: Sequence[tuple[Point, int]], foes: Sequence[Thing]) -> Lookout:
        """What a model would see in some poses."""
        return Lookout(table, model, poses, foes, self._strengths)

    def sightings(self, table: Table, model: Thing, foes: Sequence[Thing]) -> list[Sighting]:
        """How a model and its foes see each other as they stand."""
        stances, mine, now = self._stances, self._stances[model.id], len(self._stirs)
        found: list[Sighting | None] = []
        new: list[int] = []
        for n, foe in enumerate(foes):
            key = (mine, stances[foe.id])
            kept = self._sights.get(key)
            if kept is None or (kept.stirred != now and self._crossed(*key, kept.stirred)):
                new.append(n)
                found.append(None)
                continue
            if kept.stirred != now:
                self._sights[key] = _Sight(now, kept.seen)
            found.append(kept.seen)
        if new:
            lookout = self.lookout(table, model, [(center(model), model.facing)], [foes[n] for n in new])
            for line, n in enumerate(new):
                found[n] = seen = lookout.sighting(0, line)
                self._sights[mine, stances[foes[n].id]] = _Sight(now, seen)
        return [seen for seen in found if seen is not None]

    def _crossed(self, one: Stance, other: Stance, since: int) -> bool:
        """Whether anything has stirred near the line between two models since so many things had."""
        ax, ay = one.x, one.y
        dx, dy = other.x - ax, other.y - ay
        length = dx * dx + dy * dy
        wide = _NEAR_A_LINE * _NEAR_A_LINE * length
        for x, y in self._stirs[since:]:
            x, y = x - ax, y - ay
            if 0 < x * dx + y * dy < length and (x * dy - y * dx) ** 2 <= wide:
                return True
        return False


def _stands_alike(old: Thing, new: Thing) -> bool:
    """Whether a model surely stands as before: a cheap look."""
    return (
        old.place is new.place
        and old.facing == new.facing
        and old.gone == new.gone
        and old.id == new.id
        and is_down(old) is is_down(new)
    )


def nearest_first(table: Table, model: Thing) -> list[Thing]:
    """The enemies of a model, the nearest first."""
    x, y = center(model)
    stand = crowd(table)
    foes = [(foe, stand[foe.id].at) for foe in enemies(table, model)]
    foes.sort(key=lambda one: (one[1].x - x) ** 2 + (one[1].y - y) ** 2)
    return [foe for foe, _ in foes]


def _middle(piece: Piece) -> tuple[int, int]:
    west, north, east, south = box_of(piece.outline)
    return (west + east) // 2, (north + south) // 2
