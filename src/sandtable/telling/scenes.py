"""A log as a story: one scene for what somebody did and what came of it, the dice and the book-keeping inside.

A scene is what one watches before the next begins: a declaration, a walk, a volley with its rolls and its harm. It says
which lines of the log belong to it, who acts, whom each roll is aimed at, what was begun (`lead`) and what came of it
(`came`). Nothing here knows a ruleset; what belongs together is told by causes, steps and who acts.
"""

from collections.abc import Collection, Container, Iterator, Sequence

from sandtable.engine import events as e
from sandtable.engine.shapes import Off
from sandtable.engine.table import CARD, Piece, Table, Thing
from sandtable.telling.scene_lines import Aim, OpenScene, Scene, SceneLine, is_scenery, unit_of
from sandtable.telling.together import alike
from sandtable.telling.vocabulary import PLAIN, Vocabulary
from sandtable.telling.words import Teller


def is_bookkeeping(event: e.AnyEvent, notes: Container[str] = ()) -> bool:
    """Whether the lines around an event imply it: what is spent, counted and noted, a deck that is shuffled.

    `notes` are a ruleset's states that it need not tell (behind `not `: that they end), and its words for leaving the
    table or standing off it that go without saying. A secret that is known here is told by what comes of it.

    >>> is_bookkeeping(e.Spent("A", "AP", 1, 1)), is_bookkeeping(e.StepBegan("activation"))
    (True, False)
    """
    match event:
        case e.Spent() | e.Counted():
            return True
        case e.DeckChanged(change=change):
            return change != "drawn"
        case e.StateChanged(state=state, before=before, after=after):
            return state in notes or before == after or (after is None and f"not {state}" in notes)
        case e.Placed(made=Thing() as made) | e.Revealed(made=Thing() as made) if made.kind == CARD:
            return True  # told by what is drawn, declared or discarded
        case e.Left(to=why) | e.Placed(where=Off(why=why), made=None, piece=None):
            return why in notes
        case e.Sealed(value=value):
            return value is not None
        case _:
            return False


class Scenes:
    """Reads a log as it grows, and tells it in scenes."""

    def __init__(self, vocabulary: Vocabulary = PLAIN) -> None:
        self.vocabulary = vocabulary
        self._scenes: list[OpenScene] = []
        self._lines = 0
        self._step_name = ""  # the step that is on
        self._deeds: dict[str, e.Declared] = {}  # what actors have declared and not finished
        self._declared_in: dict[str, str] = {}  # and in which step

    def add(self, event: e.AnyEvent, table: Table) -> None:
        """Read the next event; the table is the one after it."""
        self._lines += 1
        apart = False
        if self._begins(event, table):
            before = self._scenes[-1].told if self._scenes else []
            apart = bool(before) and not isinstance(before[-1], e.PhaseBegan | e.Placed)
            self._scenes.append(OpenScene(self._lines))
        scene = self._scenes[-1]
        scene.upto = self._lines
        scene.causes[event.n] = event.because
        self._step(event, table)
        told = not self._is_quiet(event, table)
        if told or isinstance(event, e.StepBegan | e.HarmNoted):
            scene.named |= _names(event)
        if told:
            # A state that comes or goes by itself as a step begins is no deed of whoever acts then.
            alone = isinstance(event, e.StateChanged) and not event.because and not scene.told and not apart
            (scene.aside if alone else scene.told).append(event)
            scene.lines.append(self._lines)
            self._aim(scene, event, table)
        scene.shown = SceneLine(table, self.vocabulary, scene).scene()

    def since(self, line: int) -> tuple[Scene, ...]:
        """The scenes that may have changed since so many lines were read, and all after them."""
        at = next((n for n, scene in enumerate(self._scenes) if scene.upto > line), len(self._scenes))
        return tuple(scene.shown for scene in self._scenes[max(0, at - 2) :])

    def told_in(self, scene: Scene) -> Sequence[int]:
        """The lines of the log that a scene tells, those of the books left out."""
        return next((one.lines for one in reversed(self._scenes) if one.first == scene.first), ())

    def __iter__(self) -> Iterator[Scene]:
        return (scene.shown for scene in self._scenes)

    def _begins(self, event: e.AnyEvent, table: Table) -> bool:
        """Whether an event begins a scene of its own."""
        if not self._scenes:
            return True
        scene = self._scenes[-1]
        match event:
            case e.PhaseBegan():
                return not all(isinstance(one, e.PhaseBegan) for one in scene.told)
            case e.DeckChanged(change="drawn") if all(_is_of_a_side(one, table) for one in scene.told):
                return False  # one card after another that brings nobody
            case e.StepBegan() | e.DeckChanged(change="drawn") | e.BattleEnded() | e.TakenBack():
                return bool(scene.told)
        if self._is_quiet(event, table) or event.because in scene.causes:
            return False
        if not scene.told:
            self._give_back(event)
            return False
        return not self._goes_on(scene, event, table)

    def _is_quiet(self, event: e.AnyEvent, table: Table) -> bool:
        """Whether an event needs no words of its own in a story."""
        if isinstance(event, e.StateChanged) and Teller(table, self.vocabulary).goes_unsaid(event):
            return True
        quiet = e.StepBegan | e.DeckChanged | e.HarmNoted | e.Grouped | e.Passed | e.Halted
        return isinstance(event, quiet) or is_bookkeeping(event, self.vocabulary.notes)

    def _give_back(self, event: e.AnyEvent) -> None:
        """What the scene before has caused belongs to it, although a step has begun meanwhile."""
        if len(self._scenes) < 2 or not event.because or event.because not in self._scenes[-2].causes:
            return
        later = self._scenes.pop()
        self._scenes[-1].causes |= later.causes
        self._scenes[-1].named |= later.named
        self._scenes[-1].lines += later.lines

    def _goes_on(self, scene: OpenScene, event: e.AnyEvent, table: Table) -> bool:
        """Whether an event that nothing in the scene has caused goes on with it."""
        last = scene.told[-1]
        if isinstance(last, e.TakenBack) or (isinstance(last, e.Forfeited) and _is_of_a_side(last, table)):
            return isinstance(event, e.Forfeited) and _is_of_a_side(event, table)
        match event:
            case e.Declared():
                return all(isinstance(one, e.Declared) and one.actor == event.actor for one in scene.told)
            case e.Moved():
                return all(isinstance(one, e.Moved) and _of_one_unit(one, event, table) for one in scene.told)
            case e.Placed(piece=Piece()) if isinstance(last, e.Rolled):
                return True  # dice say what is laid
            case e.Placed():
                return isinstance(last, e.Placed) and _laid_alike(last, event, table)
            case e.Rolled():
                begun = isinstance(last, e.Placed | e.PhaseBegan | e.BattleEnded)
                doers = ("", event.by, unit_of(event.by, table))
                if begun or (event.by in self._deeds and scene.shown.who not in doers):
                    return False
                if event.by in table.sides:
                    return isinstance(last, e.Rolled)
                return _is_known(event.by, scene.named, table)
            case e.StateChanged(who=who) if who in table.sides:  # what dice of sides decided, or the same of another
                if any(isinstance(one, e.Rolled) and one.by not in table.sides for one in scene.told):
                    return False
                same = [one for one in scene.told if isinstance(one, e.StateChanged) and one.state == event.state]
                return len(same) == sum(not isinstance(one, e.Rolled) for one in scene.told)
            case e.StateChanged(who=who) | e.Forfeited(actor=who):
                if isinstance(last, e.StateChanged) and alike(last, event, table):
                    return True
                stood = [one.who for one in scene.told if isinstance(one, e.StateChanged)]
                apart = isinstance(last, e.Placed | e.PhaseBegan) or not _is_known(who, scene.named, table)
                return not apart and (who in stood or len(stood) < len(scene.told))
            case _:
                return not isinstance(last, e.Placed | e.PhaseBegan)

    def _step(self, event: e.AnyEvent, table: Table) -> None:
        """Remember which step it is and what was declared in it."""
        if isinstance(event, e.PhaseBegan):
            self._deeds.clear()
            self._step_name = ""
        elif isinstance(event, e.StepBegan) and event.units:
            # Others act now, or somebody begins as those did: what was declared is done with.
            for actor in [one for one, name in self._declared_in.items() if name in ("", event.name)]:
                self._deeds.pop(actor, None)
            act = {*event.units, *(unit_of(one, table) for one in event.units)}
            if act.isdisjoint({*self._deeds, *(unit_of(one, table) for one in self._deeds)}):
                self._deeds.clear()
            self._step_name = event.name
        elif isinstance(event, e.Declared) and not event.because and (event.targets or event.tools):
            if event.tools or event.actor not in self._deeds:  # dice are thrown for what is done with something
                self._deeds[event.actor], self._declared_in[event.actor] = event, self._step_name

    def _aim(self, scene: OpenScene, event: e.AnyEvent, table: Table) -> None:
        """Whom an event is aimed at, where it is a roll or a landing of somebody who has declared it."""
        by = event.by if isinstance(event, e.Rolled) else event.actor if isinstance(event, e.Declared) else ""
        deed = self._deeds.get(by) or self._deeds.get(table.things[by].unit if by in table.things else "")
        if deed is None or not by:
            return
        if isinstance(event, e.Rolled):
            if scene.deed is not None and scene.deed.actor != deed.actor and event.because in scene.causes:
                return  # the other rolls because of what is done to it
            scene.deed = scene.deed or deed
        if isinstance(event, e.Declared) and event is not deed:
            return
        scene.aims += [Aim(self._lines, deed.actor, target) for target in deed.targets if target != deed.actor]


def _names(event: e.AnyEvent) -> set[str]:
    """Whom an event is about."""
    one = (str(getattr(event, field, "")) for field in ("actor", "by", "model", "who", "target", "thing"))
    many = (str(name) for field in ("targets", "units") for name in getattr(event, field, ()))
    return {*one, *many} - {""}


def _is_known(name: str, named: Collection[str], table: Table) -> bool:
    """Whether a scene that is about some is about this one too; terrain, markers and sides may come in at any time.

    A unit is known by each of its models, and a model by its unit, or by two others of it: they act as one.
    """
    thing = table.things.get(name)
    if thing is None or thing.kind not in ("model", "unit") or name in named or thing.unit in named:
        return True
    unit = thing.unit or name
    return sum(table.things[one].unit == unit for one in named if one in table.things) > bool(thing.unit)


def _is_of_a_side(event: e.AnyEvent, table: Table) -> bool:
    """Whether a side as a whole loses something."""
    return isinstance(event, e.Forfeited) and event.actor in table.sides


def _of_one_unit(one: e.Moved, other: e.Moved, table: Table) -> bool:
    """Whether two models of a unit move; the same model once more is another move."""
    units = [table.things[event.model].unit if event.model in table.things else "" for event in (one, other)]
    return one.model != other.model and units[0] == units[1] != ""


def _laid_alike(one: e.Placed, other: e.Placed, table: Table) -> bool:
    """Whether two things come to the table in one go: terrain with terrain, troops with those of their side."""
    laid = [is_scenery(event) for event in (one, other)]
    return laid[0] == laid[1] and (all(laid) or alike(one, other, table))
