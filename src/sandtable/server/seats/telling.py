"""A side's log in words, kept up as the battle goes on."""

from itertools import islice

from sandtable.engine.changes import apply
from sandtable.engine.events import AnyEvent, Rolled, TakenBack
from sandtable.engine.ids import Side
from sandtable.engine.records.logs import SideLog
from sandtable.engine.records.replay import folded
from sandtable.engine.table import Ground, Table
from sandtable.server.seats.messages import LogLine
from sandtable.server.seats.moments import Moments
from sandtable.telling.scenes import Scenes
from sandtable.telling.vocabulary import Vocabulary
from sandtable.telling.words import roll_words, sentence


class Telling:
    """Tells the events of one log. It folds a table of its own from them, so it knows what that side knows."""

    def __init__(self, sides: tuple[Side, ...], options: dict[str, int | str], vocabulary: Vocabulary) -> None:
        self.sides, self.options, self.vocabulary = sides, options, vocabulary
        self.lines: list[LogLine] = []
        self.scenes = Scenes(vocabulary)
        self.table = Table(Ground(0, 0), sides, options=dict(options))

    def catch_up(self, log: SideLog, moments: Moments, upto: int | None = None) -> list[LogLine]:
        """All lines of a log, or the first so many, of which some may be told already."""
        first = len(self.lines)
        news = zip(log.events[first:upto], islice(log.numbers, first, None), strict=False)
        for at, (event, number) in enumerate(news, first + 1):
            if isinstance(event, TakenBack):
                *_, last = folded(log.events[:at], self.sides, self.options)
                self.table = last.copy()
            else:
                apply(self.table, event)
            self.lines.append(self._told(event, moments.of(number)))
            self.scenes.add(event, self.table)
        return self.lines

    def _told(self, event: AnyEvent, said: int) -> LogLine:
        roll = roll_words(event, self.vocabulary) if isinstance(event, Rolled) else ""
        return LogLine(event, sentence(event, self.table, self.vocabulary), roll, said)
