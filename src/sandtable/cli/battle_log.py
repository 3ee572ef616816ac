"""The log of a battle in the terminal: what happens line by line, with the table as a map between turns."""

import shutil
from collections.abc import Callable, Iterable
from itertools import zip_longest

from sandtable.engine.changes import apply
from sandtable.engine.events import (
    AnyEvent,
    BattleEnded,
    HarmApplied,
    ModelLost,
    PhaseBegan,
    StepBegan,
    TakenBack,
)
from sandtable.engine.ids import Side
from sandtable.engine.records.journal import JournalError
from sandtable.engine.records.replay import folded
from sandtable.engine.table import Ground, Table
from sandtable.field.drawing import text_map
from sandtable.field.outlines import BadOutline, TableTooLarge
from sandtable.telling.scenes import is_bookkeeping
from sandtable.telling.together import Runs, Shared, together
from sandtable.telling.vocabulary import Vocabulary, spoken
from sandtable.telling.words import sentence

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


def drawn(table: Table, vocabulary: Vocabulary, wide: int = 64) -> str:
    """A table as a map; `JournalError` where its ground, from an edited journal, is none that can be drawn."""
    try:
        return text_map(table, wide, say=vocabulary.said)
    except (BadOutline, TableTooLarge) as problem:
        raise JournalError(
            f"the table cannot be drawn: {problem}. Was the journal edited? Use a copy that was not."
        ) from None


class BattleLog:
    """Tells events as they come. It folds a table of its own from them, so no ruleset is needed."""

    def __init__(
        self,
        sides: tuple[Side, ...],
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
        self._acts: tuple[str, ...] = ()  # of whom the last step was, and which
        self._begun: StepBegan | None = None  # a step in which nothing was told yet
        self._runs = Runs()  # alike, and not shown yet

    def tell(self, events: Iterable[AnyEvent]) -> None:
        """Take events and show them; what several do alike, one after another, is one line.

        Book-keeping between them is not shown and ends no such line.
        """
        told = list(events)
        for event, after in zip_longest(told, told[1:]):
            if self.everything:
                self._show_runs()
                self._tell(event)
            elif _ends_so(event, after):
                self._take(event)
                self._depths[event.n] = self._depth(event) - 1  # the loss stands in its place
            elif is_bookkeeping(event, self.vocabulary.notes):
                self._take(event)
            else:
                self._tell(event)
        self._show_runs()
        self._show_step()

    def _tell(self, event: AnyEvent) -> None:
        shared = isinstance(event, Shared) and not self.everything
        if not shared:
            self._show_runs()
        before = self.table.turn
        if isinstance(event, PhaseBegan):
            self._show_step()
            if event.turn > before:
                self.show_map()
        self._take(event)
        if isinstance(event, PhaseBegan):
            self._headline(event, new_turn=event.turn > before)
        elif isinstance(event, Shared) and shared:
            self._share(event)
        elif isinstance(event, StepBegan) and not self.everything:
            self._begin(event)
        else:
            self._line(event, sentence(event, self.table, self.vocabulary))
        if isinstance(event, BattleEnded):
            self.show_map()

    def show_map(self) -> None:
        """Show the table as it is, unless there is none yet or maps are not wanted."""
        if self.maps and self.table.ground.width:
            wide = min(WIDEST, max(24, shutil.get_terminal_size((80, 24)).columns - 6))
            self.show("")
            self.show(drawn(self.table, self.vocabulary, wide))

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
        self._step, self._acts = event.n, ()
        if new_turn:
            self.show("")
            self.show(f"Turn {event.turn}" if self.plain else f"══ Turn {event.turn} ".ljust(WIDEST, "═"))
        phase = spoken(event.phase, self.vocabulary.words)
        self._heading = ("", f"{phase[:1].upper()}{phase[1:]}" + self._rule_of(event)) if phase else ()

    def _begin(self, event: StepBegan) -> None:
        """Keep a step until something is told in it or others act: what the same units go on with is one step."""
        acts = (event.name, event.side, *event.units)
        goes_on, self._acts = bool(event.units) and acts == self._acts, acts
        self._step = event.n
        if goes_on:
            return
        if self._begun is not None and (self._begun.side, self._begun.units) != (event.side, event.units):
            self._show_step()
        self._begun = event

    def _show_step(self) -> None:
        step, self._begun = self._begun, None
        if step is not None:
            self._write(step, sentence(step, self.table, self.vocabulary), "▸ ")

    def _share(self, event: Shared) -> None:
        """Keep what may be told together with what comes next."""
        if not self._runs.takes(event, self.table):
            self._show_runs()
            self._runs.takes(event, self.table)

    def _show_runs(self) -> None:
        for run in self._runs.give():
            for event in run[1:]:
                self._depth(event)  # what they cause stands under their line too
            self._line(run[0], together(run, self.table, self.vocabulary))

    def _line(self, event: AnyEvent, text: str) -> None:
        self._show_step()
        depth = self._depth(event)
        self._write(event, text, "▸ " if isinstance(event, StepBegan) else "  " + "  " * depth)

    def _write(self, event: AnyEvent, text: str, lead: str) -> None:
        for line in self._heading:
            self.show(line)
        self._heading = ()
        self.show(("" if self.plain else lead) + text + self._rule_of(event))

    def _rule_of(self, event: AnyEvent) -> str:
        return f"  [{event.rule}]" if self.rules and event.rule else ""

    def _depth(self, event: AnyEvent) -> int:
        """A line stands under what caused it, as long as that belongs to the same step."""
        if isinstance(event, StepBegan):
            self._step = event.n
        depth = self._depths.get(event.because, -1) + 1 if event.because > self._step else 0
        self._depths[event.n] = min(depth, DEEPEST)
        return self._depths[event.n]


def _ends_so(event: AnyEvent, after: AnyEvent | None) -> bool:
    """Whether harm is told with the loss that it is: killed, and lost as killed."""
    if not isinstance(event, HarmApplied) or not isinstance(after, ModelLost):
        return False
    return (event.target, event.harm.what) == (after.model, after.how)
