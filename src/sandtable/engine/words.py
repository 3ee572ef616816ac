"""What happened, in sentences: for the terminal, the page's log and whoever reads along.

A sentence needs the event and the table after it, and no ruleset. A ruleset may bring nicer words for its own, and
whoever shows the table its own names for places and directions (`Vocabulary`).
"""

from collections.abc import Callable, Mapping, Sequence
from math import isqrt
from typing import Any, NamedTuple

from sandtable.engine import events as e
from sandtable.engine.explain import ExplainedPart, inches
from sandtable.engine.shapes import At, In, Leg, Off, Place, Point, Walk
from sandtable.engine.table import Ground, Table, Value


def _point(ground: Ground, point: Point) -> str:
    return f"({inches(point.x, '')}, {inches(point.y, '')})"


def _degrees(facing: int) -> str:
    return f"{facing}°"


class Vocabulary(NamedTuple):
    """Whose words are used: the mark of the unit, a ruleset's words for its ids, names of places and directions."""

    unit: str = ""  # behind a distance, such as ″ or  cm
    words: Mapping[str, str] = {}  # a state, an action, a phase, as the ruleset calls it → as players say it
    place: Callable[[Ground, Point], str] = _point
    direction: Callable[[int], str] | None = _degrees  # none: its models face nowhere
    notes: frozenset[str] = frozenset()  # states that rules keep for themselves; what they lead to is told


PLAIN = Vocabulary()

#: The marks of units that rulesets measure in.
UNITS = {"inch": "″", "centimetre": " cm", "cm": " cm"}


def sentence(event: e.AnyEvent, table: Table, vocabulary: Vocabulary = PLAIN) -> str:
    """What happened, in a sentence; the table is the one after it.

    >>> from sandtable.engine.table import Thing
    >>> table = Table(Ground(0, 0), ("red",), {"m1": Thing("m1", side="red", label="R1")})
    >>> sentence(e.Spent("m1", "AP", 1, 1), table)
    'R1 spends 1 AP; 1 left.'
    >>> sentence(e.StateChanged("m1", "prone", None, 1, "it stands up"), table)
    'R1 now: prone, until it stands up.'
    """
    text: str = _SENTENCES[type(event)](_Teller(table, vocabulary), event)
    return text[:1].upper() + text[1:]


#: Events that models of a unit often share, one after another.
Shared = e.Moved | e.Placed | e.ModelLost


def together(events: Sequence[Shared], table: Table, vocabulary: Vocabulary = PLAIN) -> str:
    """What several models of one unit did alike, in one sentence; the table is the one after all of it.

    >>> from sandtable.engine.table import Thing
    >>> models = {name: Thing(name, unit="u") for name in ("a", "b")}
    >>> table = Table(Ground(0, 0), ("red",), {"u": Thing("u", "unit", label="First Squad"), **models})
    >>> together([e.Placed(name, At(Point(1000, 1000))) for name in models], table)
    '2 of First Squad are placed at (1, 1).'
    """
    teller = _Teller(table, vocabulary)
    first = events[0]
    who = f"{len(events)} of {teller.name(_unit(first, table))}"
    if isinstance(first, e.ModelLost):
        return f"{who} are lost: {teller.word(first.how)}."
    if isinstance(first, e.Placed):
        places = [event.where for event in events if isinstance(event, e.Placed)]
        verb = "are there," if first.made is not None and isinstance(first.where, Off) else "are placed"
        return f"{who} {verb} {teller.wheres(places)}."
    moves = [event for event in events if isinstance(event, e.Moved)]
    far = max(_length(event.start, event.walk) for event in moves)
    verb = {"own": "move", "pushed": "are pushed", "fallen": "fall", "carried": "are carried"}.get(
        first.manner, f"move ({first.manner})"
    )
    up_to = f" up to {teller.length(far)}" if far else ""
    return f"{who} {verb}{up_to}, now {teller.wheres([event.to for event in moves])}."


def alike(one: e.AnyEvent, other: e.AnyEvent, table: Table) -> bool:
    """Whether two events are of models of one unit that do the same, so that `together` can tell them."""
    match one, other:
        case (e.Moved(), e.Moved()):
            same = one.manner == other.manner
        case (e.Placed(piece=None), e.Placed(piece=None)):
            same = (one.made is None, type(one.where)) == (other.made is None, type(other.where))
        case (e.ModelLost(leaves=None), e.ModelLost(leaves=None)):
            same = one.how == other.how
        case _:
            return False
    return same and _unit(one, table) == _unit(other, table) != ""


def _unit(event: Shared, table: Table) -> str:
    """The unit of the model that an event is about, which may be new to the table; none where it is no model."""
    model = event.made if isinstance(event, e.Placed) and event.made else None
    model = model or table.things.get(event.thing if isinstance(event, e.Placed) else event.model)
    return model.unit if model is not None and model.kind == "model" else ""


def spoken(word: str, words: Mapping[str, str] = {}) -> str:
    """A ruleset's id as players say it; one that it has no words for is read with spaces.

    >>> spoken("stand_up"), spoken("light-woods", {"light-woods": "light woods (1)"}), spoken("R-2")
    ('stand up', 'light woods (1)', 'R-2')
    """
    said = words.get(word)
    if said is not None:
        return said
    return word if word != word.lower() else word.replace("_", " ").replace("-", " ")


def roll_words(roll: e.Rolled, vocabulary: Vocabulary = PLAIN) -> str:
    """Dice, their faces, the parts and what was needed; empty where the roll is veiled.

    >>> part = ExplainedPart("Wizzo", 1, "r.wizzo")
    >>> roll_words(e.Rolled("shot", "A", "2d6", (3, 4), 7, (part,), 8, 9, (), -1, "miss"))
    '2d6 [3 4] 7 · Wizzo +1 = 8 against 9'
    """
    if not roll.dice:
        return ""
    faces = " ".join(str(face) for face in roll.faces)
    text = f"{roll.dice} [{faces}]"
    if len(roll.faces) > 1 or roll.parts or (roll.natural,) != roll.faces:
        text += f" {roll.natural}"
    if roll.parts:
        text += f" · {_parts(roll.parts)} = {roll.total}"
    if roll.needs is not None:
        text += f" against {roll.needs}"
        if roll.needs_parts:
            text += f" ({_parts(roll.needs_parts)})"
    if roll.dice_parts:
        text += f", dice by {_parts(roll.dice_parts)}"
    return text


def _parts(parts: Sequence[ExplainedPart]) -> str:
    return " · ".join(part.words() for part in parts)


class _Teller:
    """One table and one vocabulary, and the small words made of them."""

    def __init__(self, table: Table, vocabulary: Vocabulary) -> None:
        self.table, self.vocabulary = table, vocabulary

    def word(self, word: str) -> str:
        return spoken(word, self.vocabulary.words)

    def name(self, thing_id: str) -> str:
        thing = self.table.things.get(thing_id)
        if thing is not None and thing.label:
            return thing.label
        for piece in self.table.ground.pieces:
            if piece.id == thing_id:
                return piece.label or self.word(piece.kind)
        return self.word(thing_id) or "somebody"

    def names(self, ids: Sequence[str]) -> str:
        return _listed([self.name(one) for one in ids])

    def words(self, words: Sequence[str]) -> str:
        return _listed([self.word(one) for one in words])

    def length(self, thousandths: int) -> str:
        return inches(thousandths, self.vocabulary.unit)

    def where(self, place: Place) -> str:
        if isinstance(place, At):
            level = f", level {place.level}" if place.level else ""
            return f"at {self.point(place.point)}{level}"
        if isinstance(place, In):
            return f"in {self.name(place.holder)}" + (f", {place.slot}" if place.slot else "")
        return "off the table" + (f" ({place.why})" if place.why else "")

    def wheres(self, places: Sequence[Place]) -> str:
        """Several places, each told once."""
        told = list(dict.fromkeys(self.where(place) for place in places))
        return _listed([told[0], *(place.removeprefix("at ") for place in told[1:])])

    def point(self, point: Point) -> str:
        return self.vocabulary.place(self.table.ground, point)

    def facing(self, degrees: int, lead: str = "") -> str:
        direction = self.vocabulary.direction
        return "" if direction is None else f"{lead}facing {direction(degrees % 360)}"

    def harm(self, harm: e.Harm) -> str:
        return f"{self.word(harm.what)} {harm.amount}" if harm.amount else self.word(harm.what)

    # The sentences -----------------------------------------------------------------------------------------------

    def phase(self, event: e.PhaseBegan) -> str:
        return f"Turn {event.turn}" + (f": {self.word(event.phase)}." if event.phase else ".")

    def step(self, event: e.StepBegan) -> str:
        what, units = self.word(event.name), self.names(event.units)
        if event.units:
            return f"{event.side or 'somebody'}: {units} ({what})."
        return f"{event.side}: {what}." if event.side else f"{what}."

    def deck(self, event: e.DeckChanged) -> str:
        deck, cards = self.word(event.deck), self.words(event.cards)
        if event.change == "shuffled":
            return f"the {deck} is shuffled."
        if event.change == "drawn":
            return f"{cards or 'a card'} is drawn from the {deck}."
        how = "added to" if event.change == "added" else "removed from"
        return f"{cards or 'cards'}: {how} the {deck}."

    def declared(self, event: e.Declared) -> str:
        at = f" at {self.names(event.targets)}" if event.targets else ""
        tools = f" with {self.names(event.tools)}" if event.tools else ""
        return f"{self.name(event.actor)} declares {self.word(event.action)}{at}{tools}."

    def spent(self, event: e.Spent) -> str:
        return f"{self.name(event.who)} spends {event.amount} {self.word(event.what)}; {event.left} left."

    def passed(self, event: e.Passed) -> str:
        return f"{event.side} passes ({self.word(event.window)})."

    def rolled(self, event: e.Rolled) -> str:
        who = f"{self.name(event.by)}, " if event.by else ""
        dice = roll_words(event, self.vocabulary)
        again = "again " if event.replaces else ""
        outcome = self.word(event.outcome)
        said = f"{dice}: {outcome}" if dice and outcome else dice or outcome or "dice fall"
        return f"{who}{self.word(event.what)} {again}— {said}."

    def moved(self, event: e.Moved) -> str:
        name = self.name(event.model)
        if event.start == event.to:
            return f"{name} turns{self.facing(event.facing, ', ')}."
        verbs = {"own": "moves", "pushed": "is pushed", "fallen": "falls", "carried": "is carried"}
        verb = verbs.get(event.manner, f"moves ({event.manner})")
        gone = _length(event.start, event.walk)
        far = f" {self.length(gone)}" if gone else ""
        facing = self.facing(event.facing, ", ") if isinstance(event.to, At) else ""
        return f"{name} {verb}{far}, now {self.where(event.to)}{facing}."

    def halted(self, event: e.Halted) -> str:
        by = f" by {self.name(event.by)}" if event.by else ""
        return f"{self.name(event.model)} is halted{by} after {self.length(event.along)}, {self.where(event.at)}."

    def placed(self, event: e.Placed) -> str:
        if event.piece is not None and event.piece.kind == e.BOARD:
            ground = self.table.ground
            return f"the board is {self.length(ground.width)} by {self.length(ground.height)}."
        if event.piece is not None:
            piece = event.piece
            kind = self.word(piece.kind)
            return f"{piece.label}, {kind}, is on the table." if piece.label else f"{kind} is on the table."
        if isinstance(event.where, Off) and event.made is not None:
            return f"{self.name(event.thing)} is there, {self.where(event.where)}."
        facing = self.facing(event.facing, ", ") if isinstance(event.where, At) and event.facing else ""
        return f"{self.name(event.thing)} is placed {self.where(event.where)}{facing}."

    def left(self, event: e.Left) -> str:
        return f"{self.name(event.thing)} leaves the table" + (f": {self.word(event.to)}." if event.to else ".")

    def landed(self, event: e.Landed) -> str:
        aimed = "as aimed" if event.aimed == event.at else f"aimed at {self.point(event.aimed)}"
        caught = f"; it catches {self.names(event.caught)}" if event.caught else "; it catches nobody"
        return f"{self.name(event.what)} comes down at {self.point(event.at)}, {aimed}{caught}."

    def noted(self, event: e.HarmNoted) -> str:
        return f"{self.name(event.target)} is due {self.harm(event.harm)} ({self.word(event.moment)})."

    def cancelled(self, event: e.HarmCancelled) -> str:
        by = f" by {self.name(event.by)}" if event.by else ""
        return f"{self.name(event.target)} is spared {self.harm(event.harm)}{by}."

    def harmed(self, event: e.HarmApplied) -> str:
        thing = self.table.things.get(event.target)
        track = f" of {thing.track}" if thing is not None and thing.track else ""
        return f"{self.name(event.target)} takes {self.harm(event.harm)}: harm {event.before} → {event.after}{track}."

    def state(self, event: e.StateChanged) -> str:
        """States are a ruleset's own words, adjectives or not, so they stand behind a colon."""
        name, state = self.name(event.who), self.word(event.state)
        until = f", until {event.until}" if event.until else ""
        if event.after is None:
            return f"{name} no longer: {state}."
        if event.before is None:
            worth = "" if event.after == 1 else f" {self.value(event.after)}"
            return f"{name} now: {state}{worth}{until}."
        return f"{name}, {state}: {self.value(event.before)} → {self.value(event.after)}{until}."

    def value(self, value: Value) -> str:
        if isinstance(value, tuple):
            return self.names(value)
        return self.name(value) if isinstance(value, str) and value else str(value)

    def lost(self, event: e.ModelLost) -> str:
        leaves = f"; it leaves {self.word(event.leaves.kind)}" if event.leaves is not None else ""
        return f"{self.name(event.model)} is lost: {self.word(event.how)}{leaves}."

    def terrain(self, event: e.TerrainChanged) -> str:
        part = f", {event.part}" if event.part else ""
        if not event.after:
            return f"{self.name(event.piece)}{part} is gone."
        return f"{self.name(event.piece)}{part} is now {self.word(event.after)}."

    def counted(self, event: e.Counted) -> str:
        return f"{self.name(event.thing)}, {self.word(event.what)}: {event.before} → {event.after}."

    def forfeited(self, event: e.Forfeited) -> str:
        return f"{self.name(event.actor)} forfeits {self.word(event.action)}."

    def sealed(self, event: e.Sealed) -> str:
        known = "" if event.value is None else f": {self.value(event.value)}"
        return f"{event.side} has chosen in secret ({self.word(event.topic)}){known}."

    def revealed(self, event: e.Revealed) -> str:
        shown = event.shown or ("" if event.value is None else self.value(event.value))
        if not shown and event.made is not None:
            shown = self.name(event.made.id)
        to = f" to {_listed(event.to)}" if event.to else ""
        return f"{self.name(event.what)} is revealed{to}" + (f": {shown}." if shown else ".")

    def grouped(self, event: e.Grouped) -> str:
        until = f", until {event.until}" if event.until else ""
        return f"{self.names(event.models)} now belong to {self.name(event.unit)}{until}."

    def scored(self, event: e.Scored) -> str:
        points = "1 point" if event.points == 1 else f"{event.points} points"
        return f"{event.side} scores {points}" + (f": {event.reason}." if event.reason else ".")

    def taken_back(self, event: e.TakenBack) -> str:
        return f"{event.side} takes an answer back: what happened after event {event.to} has not happened."

    def ended(self, event: e.BattleEnded) -> str:
        points = ", ".join(f"{side} {count}" for side, count in event.points.items())
        end = f"{event.winner} wins" if event.winner else "the battle is drawn"
        return end + (f": {event.reason}" if event.reason else "") + (f" ({points})." if points else ".")


_SENTENCES: dict[type[e.Event], Callable[[_Teller, Any], str]] = {
    e.PhaseBegan: _Teller.phase,
    e.StepBegan: _Teller.step,
    e.DeckChanged: _Teller.deck,
    e.Declared: _Teller.declared,
    e.Spent: _Teller.spent,
    e.Passed: _Teller.passed,
    e.Rolled: _Teller.rolled,
    e.Moved: _Teller.moved,
    e.Halted: _Teller.halted,
    e.Placed: _Teller.placed,
    e.Left: _Teller.left,
    e.Landed: _Teller.landed,
    e.HarmNoted: _Teller.noted,
    e.HarmCancelled: _Teller.cancelled,
    e.HarmApplied: _Teller.harmed,
    e.StateChanged: _Teller.state,
    e.ModelLost: _Teller.lost,
    e.TerrainChanged: _Teller.terrain,
    e.Counted: _Teller.counted,
    e.Forfeited: _Teller.forfeited,
    e.Sealed: _Teller.sealed,
    e.Revealed: _Teller.revealed,
    e.Grouped: _Teller.grouped,
    e.Scored: _Teller.scored,
    e.TakenBack: _Teller.taken_back,
    e.BattleEnded: _Teller.ended,
}


def _listed(names: Sequence[str]) -> str:
    """Names as they are read out.

    >>> _listed(["A", "B", "C"])
    'A, B and C'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def _length(start: Place, walk: Walk | None) -> int:
    """How long a walk is; without one nothing is said about it."""
    if walk is None:
        return 0
    at = start.point if isinstance(start, At) else None
    length = 0
    for leg in walk.legs:
        if isinstance(leg, Leg):
            length += abs(leg.go)
        else:
            length += 0 if at is None else isqrt((leg.point.x - at.x) ** 2 + (leg.point.y - at.y) ** 2)
            at = leg.point
    return length
