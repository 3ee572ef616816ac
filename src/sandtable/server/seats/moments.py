"""Moments of a battle: how much had been said when something happened.

A moment has the same number in every log, whatever a log hides, and tells nothing beyond what everybody sees: that
somebody answered, took back, conceded or spoke of a draw. Standing orders are their side's own business and do not
count.
"""

from collections.abc import Sequence

from sandtable.engine.records import journal as j


def counts(line: j.Line) -> bool:
    """Whether everybody hears that this was said.

    >>> counts(j.Undone("red")), counts(j.Digested(1, ""))
    (True, False)
    """
    return isinstance(line, j.Entry) and not isinstance(line, j.Ordered)


class Moments:
    """Reads a journal as it grows: after how much each of its events came."""

    def __init__(self, lines: Sequence[j.Line] = ()) -> None:
        self.said = 0
        self._read = 0
        self._of: dict[int, int] = {}
        self.catch_up(lines)

    def catch_up(self, lines: Sequence[j.Line]) -> None:
        """Read on in a journal of which the first lines may have been read already."""
        for line in lines[self._read :]:
            if isinstance(line, j.Happened):
                self._of[line.event.n] = self.said
            elif counts(line):
                self.said += 1
        self._read = len(lines)

    def of(self, event: int) -> int:
        """How much had been said when the event of that number, as the battle counts, happened."""
        return self._of[event]
