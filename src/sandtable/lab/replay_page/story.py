"""The story of a journal: its moments, each an event that is told, with the table after it."""

from collections.abc import Container, Sequence
from typing import NamedTuple

from sandtable.engine.events import AnyEvent, PhaseBegan, StepBegan
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.records.journal import Journal, JournalError
from sandtable.engine.records.replay import folded
from sandtable.engine.table import Table
from sandtable.telling.scenes import is_bookkeeping
from sandtable.telling.together import Runs, Shared

#: How deep lines are indented under what caused them.
DEEPEST = 3

#: Where an event names whoever it is about, the most telling field first.
_WHO = ("side", "by", "actor", "model", "who", "target", "thing")


class Moment(NamedTuple):
    """An event that is told, the table once it and the book-keeping after it have happened, and how deep it stands.

    What several do alike, one after another, is one moment: `others` did so after the first.
    """

    event: AnyEvent
    told: Table  # right after the event: what its sentence is about
    table: Table
    side: Side
    depth: int
    others: tuple[Shared, ...] = ()


def story(journal: Journal, *, everything: bool = False, notes: Container[str] = ()) -> list[Moment]:
    """The moments of a journal in order; with `everything`, book-keeping is told too, and every event for itself."""
    events = journal.events()
    depths = _Depths()
    moments: list[Moment] = []
    runs = Runs()
    begun: dict[int, int] = {}  # the number of the first event of a run → its moment
    for event, table in zip(events, _tables(journal, events), strict=True):
        depth = depths.of(event)
        if moments and not everything and is_bookkeeping(event, notes):
            moments[-1] = moments[-1]._replace(table=table)
            continue
        run = [] if everything else _run_of(event, table, runs)
        if len(run) > 1:
            first = begun[run[0].n]
            moments[first] = moments[first]._replace(told=table, others=tuple(run[1:]))
            moments[first:] = [moment._replace(table=table) for moment in moments[first:]]
        else:
            begun[event.n] = len(moments)
            moments.append(Moment(event, table, table, _side_of(event, table), depth))
    return moments


def _run_of(event: AnyEvent, table: Table, runs: Runs) -> list[Shared]:
    """What is told together with an event so far; none where it stands for itself."""
    if not isinstance(event, Shared):
        runs.give()
        return []
    run = runs.takes(event, table)
    if not run:
        runs.give()
        run = runs.takes(event, table)
    return run


def _tables(journal: Journal, events: list[AnyEvent]) -> Sequence[Table]:
    setup = journal.header.setup
    tables: list[Table] = []
    try:
        tables.extend(folded(events, setup.sides, setup.options))
    except (KeyError, IndexError, AssertionError) as problem:
        event = events[len(tables)]
        raise JournalError(
            f"{journal.name}: event {event.n} ({type(event).__name__}) cannot happen here: {problem}. "
            "Was the journal edited? Use a copy that was not."
        ) from None
    return tables


def _side_of(event: AnyEvent, table: Table) -> Side:
    """Whose event it is: of whom it tells, or of whoever acts."""
    for field in _WHO:
        name = getattr(event, field, "")
        if name in table.sides:
            return Side(str(name))
        if name in table.things and table.things[name].side:
            return table.things[name].side
    return NO_SIDE if isinstance(event, PhaseBegan) else table.acting_side


class _Depths:
    """A line stands under what caused it, as long as that belongs to the same step."""

    def __init__(self) -> None:
        self._depths: dict[int, int] = {}
        self._step = 0

    def of(self, event: AnyEvent) -> int:
        """How deep an event stands, the events before it being known."""
        if isinstance(event, StepBegan | PhaseBegan):
            self._step = event.n
        depth = self._depths.get(event.because, -1) + 1 if event.because > self._step else 0
        self._depths[event.n] = min(depth, DEEPEST)
        return self._depths[event.n]
