"""The log of a battle in the terminal: a story, deed by deed with its dice, and the table as a map between turns."""

import shutil
from collections.abc import Callable, Iterable
from typing import NamedTuple

from sandtable.engine.changes import apply
from sandtable.engine.events import BOARD, AnyEvent, BattleEnded, PhaseBegan, Placed, Rolled, StepBegan, TakenBack
from sandtable.engine.ids import Side
from sandtable.engine.records.journal import JournalError
from sandtable.engine.records.replay import folded
from sandtable.engine.table import Ground, Table
from sandtable.field.drawing import text_map
from sandtable.field.outlines import BadOutline, TableTooLarge
from sandtable.telling.scene_lines import MOST_TOLD, Scene
from sandtable.telling.scenes import Scenes
from sandtable.telling.together import together
from sandtable.telling.vocabulary import Vocabulary, spoken
from sandtable.telling.words import sentence

#: How deep lines are indented under what caused them, where every event is told.
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


class _Line(NamedTuple):
    """An event in words, as it was told when it happened."""

    event: AnyEvent
    words: str


class BattleLog:
    """Tells events as they come. It folds a table of its own from them, so no ruleset is needed.

    A deed and what came of it is one line, and the dice that decided it stand below with all that counted. A deed that
    may still go on is kept back until the next begins, or until somebody has to know how things stand (`pause`). With
    `everything` every event has a line of its own, under the one that caused it.
    """

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
        self.plain = plain  # no lines and columns, which a screen reader would spell out
        self.table = Table(Ground(0, 0), sides, options=dict(options))
        self._lines: list[_Line] = []
        self._scenes = Scenes(vocabulary)
        self._over = 0  # so many lines belong to deeds that are over and told
        self._told: dict[int, tuple[str, int]] = {}  # a deed's first line → in which words, and up to which line
        self._depths: dict[int, int] = {}
        self._step = 0  # the event that began the step
        self._heading: tuple[str, ...] = ()  # of a phase in which nothing was told yet

    def tell(self, events: Iterable[AnyEvent]) -> None:
        """Take events and show what is over."""
        for event in events:
            new_turn = isinstance(event, PhaseBegan) and event.turn > self.table.turn
            if isinstance(event, PhaseBegan):
                self.pause()
            if new_turn:
                self.show_map()
            self._take(event)
            if isinstance(event, PhaseBegan):
                self._headline(event, new_turn=new_turn)
            if self.everything:
                self._show_event(self._lines[-1])
            else:
                self._scenes.add(event, self.table)
            if isinstance(event, BattleEnded):
                self.pause()
                self.show_map()
        self._show_deeds()

    def pause(self) -> None:
        """Show all there is to tell, also of a deed that may go on."""
        self._show_deeds(also_the_last=True)

    def show_map(self) -> None:
        """Show the table as it is, unless there is none yet or maps are not wanted."""
        if self.maps and self.table.ground.width:
            wide = min(WIDEST, max(24, shutil.get_terminal_size((80, 24)).columns - 6))
            self.show("")
            self.show(drawn(self.table, self.vocabulary, wide))

    def _take(self, event: AnyEvent) -> None:
        try:
            if isinstance(event, TakenBack):
                *_, last = folded([*(line.event for line in self._lines), event], self.sides, self.options)
                self.table = last.copy()
            else:
                apply(self.table, event)
        except (KeyError, IndexError, AssertionError) as problem:
            raise JournalError(
                f"event {event.n} ({type(event).__name__}) cannot happen here: {problem}. "
                "Was the journal edited? Use a copy that was not."
            ) from None
        self._lines.append(_Line(event, sentence(event, self.table, self.vocabulary)))

    def _headline(self, event: PhaseBegan, *, new_turn: bool) -> None:
        """Keep the heading of a phase until something is told in it; a turn's is shown in any case."""
        if new_turn:
            self.show("")
            self.show(f"Turn {event.turn}" if self.plain else f"══ Turn {event.turn} ".ljust(WIDEST, "═"))
        phase = spoken(event.phase, self.vocabulary.words)
        self._heading = ("", f"{phase[:1].upper()}{phase[1:]}" + self._rule_of(event)) if phase else ()

    def _write(self, text: str) -> None:
        for line in self._heading:
            self.show(line)
        self._heading = ()
        self.show(text)

    def _rule_of(self, event: AnyEvent) -> str:
        return f"  [{event.rule}]" if self.rules and event.rule else ""

    # Deed by deed ---------------------------------------------------------------------------------------------------

    def _show_deeds(self, *, also_the_last: bool = False) -> None:
        """Show the deeds that are over, and on demand the one that may go on."""
        scenes = [scene for scene in self._scenes.since(self._over) if scene.lead]
        for scene in scenes if also_the_last else scenes[:-1]:
            self._show_deed(scene)
        for scene in scenes[:-1]:
            self._over = max(self._over, scene.upto)

    def _show_deed(self, scene: Scene) -> None:
        """Show a deed with its dice; of one that was shown before it had come to an end, what is new."""
        words, upto = self._told.get(scene.first, ("", 0))
        told = [n for n in self._scenes.told_in(scene) if n > upto]
        events = [self._lines[n - 1].event for n in self._scenes.told_in(scene)]
        self._told[scene.first] = scene.words(), scene.upto
        phases = any(isinstance(event, PhaseBegan) for event in events)
        line = f"{', '.join(scene.came)}." if phases and scene.came else "" if phases else scene.words()
        if line and scene.words() != words:
            self._write(self._of(scene.side, line) + line[:1].upper() + line[1:] + self._rule_of(events[0]))
        terrain = [event for event in events if isinstance(event, Placed) and event.piece and not _is_board(event)]
        for n in told:
            event, said = self._lines[n - 1]
            if event in terrain:  # all of it in one line; a single piece is told by the deed
                first = event is terrain[0] and len(terrain) > 1
                said = together(terrain, self.table, self.vocabulary) if first else ""
            elif not isinstance(event, Rolled) and not _is_board(event) and len(scene.came) <= MOST_TOLD:
                said = ""
            if said:
                self._below(said + self._rule_of(event))

    def _below(self, text: str) -> None:
        """Show a line under a deed."""
        self._write(("" if self.plain else " " * (self._margin + 2)) + text)

    @property
    def _margin(self) -> int:
        """How wide the column is in which the sides stand."""
        return max(map(len, self.sides), default=0) + 2

    def _of(self, side: Side, line: str) -> str:
        """Whose deed a line tells."""
        if self.plain:
            return f"{side.capitalize()}: " if side and not line.lower().startswith(f"{side} ") else ""
        return side.capitalize().ljust(self._margin)

    # Event by event -------------------------------------------------------------------------------------------------

    def _show_event(self, line: _Line) -> None:
        """Show an event under the one that caused it, as long as that belongs to the same step."""
        event, said = line
        if isinstance(event, PhaseBegan):
            self._step = event.n
            return
        if isinstance(event, StepBegan):
            self._step = event.n
        depth = min(self._depths.get(event.because, -1) + 1 if event.because > self._step else 0, DEEPEST)
        self._depths[event.n] = depth
        lead = "▸ " if isinstance(event, StepBegan) else "  " + "  " * depth
        self._write(("" if self.plain else lead) + said + self._rule_of(event))


def _is_board(event: AnyEvent) -> bool:
    return isinstance(event, Placed) and event.piece is not None and event.piece.kind == BOARD
