"""Clocks that players agreed on when their battle was opened: how much time each side has left.

A side's clock runs while it is asked something, from the moment when everybody has sat down once; when others are
asked instead, the increment is added. Times are milliseconds of the time served (`clock`): they stand still while no
server runs, and no clock on a wall moves them. Rules know nothing of all this.
"""

import json
from collections.abc import Collection, Sequence

import msgspec

from sandtable.engine.ids import NO_SIDE, Side


class Clocks(msgspec.Struct, frozen=True):
    """The clocks of a battle as they are stored."""

    minutes: int  # what each side begins with
    increment: int  # seconds that are added whenever it has answered for now
    left: dict[Side, int]  # side → what it had left when its clock was last stopped
    since: dict[Side, int] = {}  # the sides whose clocks run → since when
    begun: bool = False  # whether everybody has sat down once

    def left_of(self, side: Side, now: int) -> int:
        """How much a side has left; less than nothing where its time is up.

        >>> wound("red blue".split(), 1, 5).run(["red"], 1000).left_of("red", 4000)
        57000
        """
        return self.left[side] - max(0, now - self.since.get(side, now))

    def run(self, asked: Collection[str], now: int, heard: int | None = None) -> "Clocks":
        """The clocks once these sides are asked: who still is goes on, who is not is stopped and gets the increment.

        `heard` is when the answer came: what the server needed to take it is nobody's time.

        >>> clocks = wound("red blue".split(), 1, 5).run(["red"], 1000).run(["blue"], 4000)
        >>> clocks.left, clocks.since
        ({'red': 62000, 'blue': 60000}, {'blue': 4000})
        """
        left = dict(self.left)
        for side in self.since:
            if side not in asked:
                left[side] = max(0, self.left_of(side, now if heard is None else heard)) + 1000 * self.increment
        since = {side: self.since.get(side, now) for side in left if side in asked}
        return msgspec.structs.replace(self, left=left, since=since, begun=True)

    def given_back(self, milliseconds: int) -> "Clocks":
        """The clocks as if so much of the time had not gone by: nobody could have played in it."""
        return msgspec.structs.replace(self, since={side: at + milliseconds for side, at in self.since.items()})

    def fallen(self, now: int) -> Side:
        """The side whose time is up, of several the one that has been longest; empty: none."""
        late = [(self.left_of(side, now), side) for side in self.since if self.left_of(side, now) <= 0]
        return min(late)[1] if late else NO_SIDE


def wound(sides: Sequence[Side], minutes: int, increment: int) -> Clocks:
    """Clocks before anybody has answered, one for each of some sides."""
    return Clocks(minutes, increment, dict.fromkeys(sides, 60_000 * minutes))


def written(clocks: Clocks | None) -> str:
    """Clocks as storage keeps them; empty: none were agreed on."""
    return "" if clocks is None else json.dumps(msgspec.to_builtins(clocks))


def read(text: str) -> Clocks | None:
    """Clocks as storage kept them.

    >>> read(written(wound(["red"], 1, 0))) == wound(["red"], 1, 0), read("")
    (True, None)
    """
    return msgspec.json.decode(text, type=Clocks) if text else None
