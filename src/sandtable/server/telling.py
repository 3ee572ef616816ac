"""A side's log in words, kept up as the battle goes on."""

from collections.abc import Sequence

from sandtable.engine.events import AnyEvent, Rolled, TakenBack, apply
from sandtable.engine.replay import folded
from sandtable.engine.table import Ground, Table
from sandtable.engine.words import Vocabulary, roll_words, sentence
from sandtable.server.messages import LogLine


class Telling:
    """Tells the events of one log. It folds a table of its own from them, so it knows what that side knows."""

    def __init__(self, sides: tuple[str, ...], options: dict[str, int | str], vocabulary: Vocabulary) -> None:
        self.sides, self.options, self.vocabulary = sides, options, vocabulary
        self.lines: list[LogLine] = []
        self.table = Table(Ground(0, 0), sides, options=dict(options))

    def catch_up(self, events: Sequence[AnyEvent]) -> list[LogLine]:
        """All lines of a log of which the first may be told already."""
        for at in range(len(self.lines), len(events)):
            event = events[at]
            if isinstance(event, TakenBack):
                *_, last = folded(list(events[: at + 1]), self.sides, self.options)
                self.table = last.copy()
            else:
                apply(self.table, event)
            self.lines.append(self._told(event))
        return self.lines

    def _told(self, event: AnyEvent) -> LogLine:
        roll = roll_words(event, self.vocabulary) if isinstance(event, Rolled) else ""
        return LogLine(event, sentence(event, self.table, self.vocabulary), roll)
