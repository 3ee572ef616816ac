"""What several do alike, one after another, in one sentence: a squad that moves, the woods of a table, a whole force.

A log of single events floods whoever reads it. `Runs` takes events as they are told and gives them back in runs.
"""

from collections.abc import Iterator, Sequence

from sandtable.engine import events as e
from sandtable.engine.ids import Side
from sandtable.engine.shapes import In, Off, Place
from sandtable.engine.table import CARD, Table, Thing
from sandtable.telling.vocabulary import PLAIN, Vocabulary, listed
from sandtable.telling.words import Teller, sentence, walked

#: Events that models of a unit, pieces of a table or units of a force often share, one after another.
Shared = e.Moved | e.Halted | e.Placed | e.ModelLost | e.StateChanged | e.Left


def together(events: Sequence[Shared], table: Table, vocabulary: Vocabulary = PLAIN) -> str:
    """What several did alike, in one sentence; the table is the one after all of it.

    >>> from sandtable.engine.shapes import At, Point
    >>> from sandtable.engine.table import Ground
    >>> models = {name: Thing(name, unit="u") for name in ("a", "b", "c")}
    >>> table = Table(Ground(0, 0), ("red",), {"u": Thing("u", "unit", label="First Squad"), **models})
    >>> together([e.Placed(name, At(Point(1000, 1000))) for name in ("a", "b")], table)
    '2 of First Squad are placed at (1, 1).'
    >>> together([e.Placed(name, At(Point(1000, 1000))) for name in models], table)
    'First Squad is placed at (1, 1).'
    """
    if len(events) == 1:
        return sentence(events[0], table, vocabulary)
    text = _told(_Together(table, vocabulary), events)
    return text[:1].upper() + text[1:]


def _told(teller: "_Together", events: Sequence[Shared]) -> str:
    first, ids = events[0], [_about(event) for event in events]
    match first:
        case e.Moved():
            return teller.moves([event for event in events if isinstance(event, e.Moved)])
        case e.Halted():
            return teller.halts([event for event in events if isinstance(event, e.Halted)])
        case e.Placed():
            return teller.places([event for event in events if isinstance(event, e.Placed)])
        case e.StateChanged():
            return teller.states([event for event in events if isinstance(event, e.StateChanged)])
        case e.ModelLost():
            who, many = teller.group(ids, counted=True)
            return teller.goes(who, first, many) + "."
        case e.Left():
            return teller.leaves(teller.names(ids), first, many=True)


def alike(one: e.AnyEvent, other: e.AnyEvent, table: Table) -> bool:
    """Whether two events are so much the same that `together` can tell them in one sentence."""
    match one, other:
        case (e.Moved(), e.Moved()):
            return one.manner == other.manner and _unit(one, table) == _unit(other, table) != ""
        case (e.Halted(), e.Halted()):
            return one.by == other.by and _unit(one, table) == _unit(other, table) != ""
        case (e.Placed(piece=None), e.Placed(piece=None)) if one.made is not None and other.made is not None:
            return _musters(one.made, other.made) or (_markers(one, other, table) and _same_place(one, other))
        case (e.Placed(piece=None, made=None), e.Placed(piece=None, made=None)):
            return _same_place(one, other) and _unit(one, table) == _unit(other, table) != ""
        case (e.Placed(), e.Placed()):
            return _lies(one) and _lies(other)
        case (e.ModelLost(leaves=None), e.ModelLost(leaves=None)):
            return one.how == other.how and _unit(one, table) == _unit(other, table) != ""
        case (e.Left(), e.Left()):
            return one.to == other.to and _markers(one, other, table)
        case (e.StateChanged(), e.StateChanged()):
            return _same_change(one, other) and (
                _unit(one, table) == _unit(other, table) != "" or _markers(one, other, table)
            )
        case _:
            return False


def _about(event: Shared) -> str:
    match event:
        case e.Moved(model=about) | e.Halted(model=about) | e.ModelLost(model=about) | e.StateChanged(who=about):
            return about
        case e.Placed(thing=about) | e.Left(thing=about):
            return about


def _thing(event: Shared, table: Table) -> Thing | None:
    """What an event is about, which may be new to the table."""
    made = event.made if isinstance(event, e.Placed) else None
    return made or table.things.get(_about(event))


def _unit(event: Shared, table: Table) -> str:
    """The unit of the model that an event is about; none where it is no model."""
    model = _thing(event, table)
    return model.unit if model is not None and model.kind == "model" else ""


def _markers(one: Shared, other: Shared, table: Table) -> bool:
    """Whether both are about markers of one side."""
    first, second = _thing(one, table), _thing(other, table)
    if first is None or second is None:
        return False
    return first.kind == second.kind == "marker" and first.side == second.side


def _musters(one: Thing, other: Thing) -> bool:
    """Whether both are new troops of one side."""
    return {one.kind, other.kind}.isdisjoint({"marker", "holder", CARD}) and one.side == other.side


def _same_place(one: e.Placed, other: e.Placed) -> bool:
    return type(one.where) is type(other.where)


def _same_change(one: e.StateChanged, other: e.StateChanged) -> bool:
    """Whether the same state came to both, or went from both."""
    if (one.state, one.until) != (other.state, other.until):
        return False
    came = one.before is None and other.before is None
    return came != (one.after is None and other.after is None)


def _lies(event: e.Placed) -> bool:
    return event.piece is not None and event.piece.kind != e.BOARD


class _Together(Teller):
    """The sentences about several."""

    def group(self, models: Sequence[str], *, counted: bool = False) -> tuple[str, bool]:
        """Who that is: a unit where all of it is meant, else so many of it; and whether that is several."""
        unit = self.table.things[models[0]].unit
        whole = [one for one in self.table.things.values() if one.unit == unit and one.kind == "model"]
        if any(not one.gone and one.id not in models for one in whole) or unit not in self.table.things:
            return f"{len(models)} of {self.name(unit)}", True
        if not counted:
            return self.name(unit), self.is_plural(unit)
        return (f"both of {self.name(unit)}" if len(models) == 2 else f"all {len(models)} of {self.name(unit)}"), True

    def moves(self, run: Sequence[e.Moved]) -> str:
        """That models of a unit moved, the longest way, and where they are."""
        who, many = self.group([event.model for event in run])
        far = max(walked(event.start, event.walk) for event in run)
        up_to = f" up to {self.far(far)}" if far else ""
        return f"{who} {self.verb(run[0].manner, many)}{up_to}, now {self.wheres([event.to for event in run])}."

    def halts(self, run: Sequence[e.Halted]) -> str:
        """That models of a unit were halted, after the longest way."""
        who, many = self.group([event.model for event in run])
        by = f" by {self.name(run[0].by)}" if run[0].by else ""
        return f"{who} {'are' if many else 'is'} halted{by} after up to {self.far(max(event.along for event in run))}."

    def places(self, run: Sequence[e.Placed]) -> str:
        """What is laid out: terrain, new troops, markers, or models that come in."""
        pieces = [event for event in run if event.piece is not None]
        if pieces:
            return self._land(pieces)
        made = [event.made for event in run if event.made is not None]
        troops = [one for one in made if one.kind != "marker"]
        if any(one.kind == "unit" for one in troops) or len({one.unit or one.id for one in troops}) > 1:
            return self._force(made[0].side, run)
        names = [event.thing for event in run]
        who, many = (self.names(names), True) if made and not troops else self.group(names)
        off = run[0].where.why if isinstance(run[0].where, Off) else ""
        said = self.phrase(off, who, many=many) if off and all(event.where == run[0].where for event in run) else None
        if said is not None:
            return f"{said}."
        where = self.wheres([event.where for event in run])
        placed = "" if made and isinstance(run[0].where, Off) else "placed "
        return f"{who} {'are' if many else 'is'} {placed}{where}."

    def _land(self, run: Sequence[e.Placed]) -> str:
        """The terrain: what has a name by its name, the others counted."""
        told: dict[str, int] = {}
        for event in run:
            assert event.piece is not None, "a piece is placed"
            name, kind = self.piece(event.piece)
            plain = self.word(event.piece.kind)
            numbered = name.rstrip("0123456789").strip().lower() == plain.lower()
            said = plain if numbered else f"{name} ({kind})" if kind else name
            told[said] = told.get(said, 0) + 1
        return f"on the table: {listed([said if n == 1 else f'{said} ×{n}' for said, n in told.items()])}."

    def _force(self, side: Side, run: Sequence[e.Placed]) -> str:
        """A side's new troops: units by name with how many they are, and where."""
        units: dict[str, list[Place]] = {}
        for event in run:
            assert event.made is not None, "a thing is made"
            if event.made.kind not in ("unit", "model"):
                continue  # what units belong to is told by them
            of_unit = event.made.kind == "model" and event.made.unit
            places = units.setdefault(of_unit or event.thing, [])
            if event.made.kind == "model":
                places.append(event.where)
        told: dict[str, list[str]] = {}
        for unit, places in units.items():
            outside = [place for place in places if not isinstance(place, In)]
            count = f" ({len(outside)})" if len(outside) > 1 else ""
            where = self.wheres(outside or places or [self.table.things[unit].place])
            told.setdefault(where, []).append(f"{self.name(unit)}{count}")
        return f"{side or 'there'} has " + "; ".join(f"{listed(names)} {where}" for where, names in told.items()) + "."

    def states(self, run: Sequence[e.StateChanged]) -> str:
        """What several are or are no longer; where they differ, one after the other."""
        by_value: dict[str, list[e.StateChanged]] = {}
        for event in run:
            by_value.setdefault(repr(event.after), []).append(event)
        names = self.called([event.who for same in by_value.values() for event in same])
        clauses = [
            self.stands(listed([names[event.who] for event in same]), same[0], many=len(same) > 1)
            for same in by_value.values()
        ]
        return "; ".join(clauses) + "."


class Runs:
    """Events that are told together, as they come.

    What is about the very thing of the event before it may go its own way beside it: a counter is laid and is a dummy,
    the next is laid and is another.
    """

    def __init__(self) -> None:
        self._runs: list[list[Shared]] = []
        self._last = ""  # what the last event was about

    def takes(self, event: Shared, table: Table) -> list[Shared]:
        """The run that an event goes on with or begins; none where what was taken is to be given (`give`) first."""
        for run in self._runs:
            if alike(run[-1], event, table) and all(_about(before) != _about(event) for before in run):
                run.append(event)
                break
        else:
            if self._runs and not (isinstance(event, e.StateChanged | e.Halted) and _about(event) == self._last):
                return []
            run = [event]
            self._runs.append(run)
        self._last = _about(event)
        return run

    def give(self) -> Iterator[list[Shared]]:
        """All runs, to be told."""
        runs, self._runs = self._runs, []
        return iter(runs)
