"""The log of a battle in the terminal: what happens line by line, with the table as a map between turns."""

import shutil
from collections.abc import Callable, Iterable

from sandtable.engine.changes import apply
from sandtable.engine.events import (
    AnyEvent,
    BattleEnded,
    PhaseBegan,
    StepBegan,
    TakenBack,
)
from sandtable.engine.journal import JournalError
from sandtable.engine.replay import folded
from sandtable.engine.table import Ground, Table
from sandtable.engine.words import Shared, Vocabulary, alike, sentence, spoken, together
from sandtable.field.drawing import text_map
from sandtable.lab.replay_page.story import is_bookkeeping

#: How deep lines are indented under what caused them.
DEEPEST = 3
#: How wide a map is at most, in columns.
WIDEST = 72


def counted(**counts: int) -> str:
    """Numbers of things, as they are read out.

    >>> counted(turns=1, events=30)
    '1 turn, 30 events'
    """
    return ", ".join(f"{count} {what.removesuffix('s') if count == 1 else what}" for what, count in counts.items())


class BattleLog:
    """Tells events as they come. It folds a table of its own from them, so no ruleset is needed."""

    def __init__(
        self,
        sides: tuple[str, ...],
        options: dict[str, int | str],
        vocabulary: Vocabulary,
        *,
        show: Callable[[str], None] = print,
        rules: bool = False,
        everything: bool = False,
        maps: bool = True,
        plain: bool = False,
    ) -> None:
        self.sides, self.options = sides, options
        self.vocabulary, self.show = vocabulary, show
        self.rules, self.everything, self.maps = rules, everything, maps
        self.plain = plain  # no lines and arrows, which a screen reader would spell out
        self.table = Table(Ground(0, 0), sides, options=dict(options))
        self._events: list[AnyEvent] = []
        self._depths: dict[int, int] = {}
        self._step = 0  # the event that began the step
        self._heading: tuple[str, ...] = ()  # of a phase in which nothing was told yet
        self._run: list[Shared] = []  # alike, and not shown yet

    def tell(self, events: Iterable[AnyEvent]) -> None:
        """Take events and show them; what models of one unit do alike, one after another, is one line."""
        for event in events:
            if self._run and (self.everything or not alike(self._run[-1], event, self.table)):
                self._show_run()
            self._tell(event)
        self._show_run()

    def _tell(self, event: AnyEvent) -> None:
        before = self.table.turn
        if isinstance(event, PhaseBegan) and event.turn > before:
            self.show_map()
        self._take(event)
        if isinstance(event, PhaseBegan):
            self._headline(event, new_turn=event.turn > before)
        elif isinstance(event, Shared):
            self._run.append(event)
        elif self.everything or not is_bookkeeping(event, self.vocabulary.notes):
            self._line(event, sentence(event, self.table, self.vocabulary))
        if isinstance(event, BattleEnded):
            self.show_map()

    def show_map(self) -> None:
        """Show the table as it is, unless there is none yet or maps are not wanted."""
        if self.maps and self.table.ground.width:
            wide = min(WIDEST, max(24, shutil.get_terminal_size((80, 24)).columns - 6))
            self.show("")
            self.show(text_map(self.table, wide))

    def _take(self, event: AnyEvent) -> None:
        self._events.append(event)
        try:
            if isinstance(event, TakenBack):
                *_, last = folded(self._events, self.sides, self.options)
                self.table = last.copy()
            else:
                apply(self.table, event)
        except (KeyError, IndexError, AssertionError) as problem:
            raise JournalError(
                f"event {event.n} ({type(event).__name__}) cannot happen here: {problem}. "
                "Was the journal edited? Use a copy that was not."
            ) from None

    def _headline(self, event: PhaseBegan, *, new_turn: bool) -> None:
        """Keep the heading of a phase until something is told in it; a turn's is shown in any case."""
        self._step = event.n
        if new_turn:
            self.show("")
            self.show(f"Turn {event.turn}" if self.plain else f"══ Turn {event.turn} ".ljust(WIDEST, "═"))
        phase = spoken(event.phase, self.vocabulary.words)
        self._heading = ("", f"{phase[:1].upper()}{phase[1:]}" + self._rule_of(event)) if phase else ()

    def _show_run(self) -> None:
        run, self._run = self._run, []
        for event in run[1:]:
            self._depth(event)  # what they cause stands under their line too
        if len(run) > 1:
            self._line(run[0], together(run, self.table, self.vocabulary))
        elif run:
            self._line(run[0], sentence(run[0], self.table, self.vocabulary))

    def _line(self, event: AnyEvent, text: str) -> None:
        for line in self._heading:
            self.show(line)
        self._heading = ()
        depth = self._depth(event)
        lead = "" if self.plain else "▸ " if isinstance(event, StepBegan) else "  " + "  " * depth
        self.show(lead + text + self._rule_of(event))

    def _rule_of(self, event: AnyEvent) -> str:
        return f"  [{event.rule}]" if self.rules and event.rule else ""

    def _depth(self, event: AnyEvent) -> int:
        """A line stands under what caused it, as long as that belongs to the same step."""
        if isinstance(event, StepBegan):
            self._step = event.n
        depth = self._depths.get(event.because, -1) + 1 if event.because > self._step else 0
        self._depths[event.n] = min(depth, DEEPEST)
        return self._depths[event.n]
