"""Who sees whom, kept from question to question as long as it holds: only what could be found out anew.

Two models that have not stirred see each other as they did, unless something came or went near the line between them.
So it is noted where anything stirs, and looked again only along lines that pass there. How two see each other, who is
low and what may hide somebody a ruleset says: it makes a class of its own.
"""

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from sandtable.engine.shapes import At
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.ground import box_of

Seen = TypeVar("Seen")


class Stance(NamedTuple):
    """How a model stands, as far as sight is concerned."""

    x: int
    y: int
    facing: int
    low: bool


class _Kept(NamedTuple, Generic[Seen]):
    """How two models saw each other, and how much had stirred by then."""

    stirred: int
    seen: Seen


class Sightings(Generic[Seen]):
    """How models see each other as they stand. `watch` comes before everything else, whenever a question is asked."""

    #: How far from the line between two centres a base may stir and still matter: the line of sight runs anywhere
    #: between the two bases, so by half of their width and half of its own.
    near_a_line: int = 0
    #: Kinds of terrain that come and go one at a time; other terrain comes before the battle, and then all is new.
    passing: frozenset[str] = frozenset()

    def __init__(self) -> None:
        self._things: list[Thing] = []
        self._posture: tuple[object, tuple[str, ...]] = (None, ())
        self._stances: dict[str, Stance] = {}
        self._kept: dict[tuple[Stance, Stance], _Kept[Seen]] = {}
        self._stirs: list[tuple[int, int]] = []
        self._ground: Ground | None = None

    def look(self, table: Table, model: Thing, foes: Sequence[Thing]) -> Sequence[Seen]:
        """How a model and some foes see each other, by the rules."""
        raise NotImplementedError

    def is_low(self, model: Thing) -> bool:
        """Whether a model does not stand upright."""
        return False

    def low_ones(self, table: Table) -> tuple[str, ...]:
        """All models that do not stand upright."""
        return ()

    def hides(self, piece: Piece) -> bool:
        """Whether a piece of terrain may come between two models."""
        return True

    def forget(self) -> None:
        """The terrain is new: nothing that was found out holds."""
        self._kept.clear()

    def watch(self, table: Table) -> None:
        """Take note of what has changed since the last question."""
        posture = (table.posture, self.low_ones(table))
        if posture[0] is not self._posture[0] or posture[1] != self._posture[1]:
            self._posture = posture
            self._look_round(table)
        if table.ground is not self._ground:
            self.note_ground(table.ground)

    def _look_round(self, table: Table) -> None:
        things = table.things
        if len(things) == len(self._things):
            pairs = zip(self._things, things.values(), strict=True)
            changed = [thing for old, thing in pairs if old is not thing and not self._stands_alike(old, thing)]
        else:
            changed = list(things.values())
        self._things = list(things.values())
        for thing in changed:
            if thing.kind == "model":
                self._note(thing)

    def _stands_alike(self, old: Thing, new: Thing) -> bool:
        """Whether a model surely stands as before: a cheap look."""
        return (
            old.place is new.place
            and old.facing == new.facing
            and old.gone == new.gone
            and old.id == new.id
            and self.is_low(old) is self.is_low(new)
        )

    def _note(self, model: Thing) -> None:
        before = self._stances.get(model.id)
        now = None
        if not model.gone and isinstance(model.place, At):
            now = Stance(*model.place.point, model.facing, self.is_low(model))
        if now == before:
            return
        self._stirs += [(one.x, one.y) for one in (before, now) if one is not None]
        if now is None:
            del self._stances[model.id]
        else:
            self._stances[model.id] = now

    def note_ground(self, ground: Ground) -> None:
        """Take note of a ground that has changed."""
        old = {} if self._ground is None else {piece.id: piece for piece in self._ground.pieces}
        new = {piece.id: piece for piece in ground.pieces}
        changed = [piece for piece in new.values() if old.get(piece.id) is not piece]
        changed += [piece for piece in old.values() if piece.id not in new]
        self._ground = ground
        if any(piece.kind not in self.passing for piece in changed):
            self.forget()
        else:
            self._stirs += [_middle(piece) for piece in changed if self.hides(piece)]

    def sightings(self, table: Table, model: Thing, foes: Sequence[Thing]) -> list[Seen]:
        """How a model and its foes see each other as they stand."""
        stances, mine, now = self._stances, self._stances[model.id], len(self._stirs)
        found: list[Seen | None] = []
        new: list[int] = []
        for n, foe in enumerate(foes):
            key = (mine, stances[foe.id])
            kept = self._kept.get(key)
            if kept is None or (kept.stirred != now and self._crossed(*key, kept.stirred)):
                new.append(n)
                found.append(None)
                continue
            if kept.stirred != now:
                self._kept[key] = _Kept(now, kept.seen)
            found.append(kept.seen)
        if new:
            for n, seen in zip(new, self.look(table, model, [foes[n] for n in new]), strict=True):
                found[n] = seen
                self._kept[mine, stances[foes[n].id]] = _Kept(now, seen)
        return [seen for seen in found if seen is not None]

    def _crossed(self, one: Stance, other: Stance, since: int) -> bool:
        """Whether anything has stirred near the line between two models since so many things had."""
        ax, ay = one.x, one.y
        dx, dy = other.x - ax, other.y - ay
        length = dx * dx + dy * dy
        wide = self.near_a_line * self.near_a_line * length
        for x, y in self._stirs[since:]:
            x, y = x - ax, y - ay
            if 0 < x * dx + y * dy < length and (x * dy - y * dx) ** 2 <= wide:
                return True
        return False


def _middle(piece: Piece) -> tuple[int, int]:
    west, north, east, south = box_of(piece.outline)
    return (west + east) // 2, (north + south) // 2
