"""What happened, in sentences: for the terminal, the page's log and whoever reads along.

A sentence needs the event and the table after it, and no ruleset. A ruleset may bring nicer words for its own, and
whoever shows the table its own names for places and directions (`Vocabulary`).
"""

import re
from collections.abc import Callable, Iterator, Sequence
from math import isqrt
from typing import Any

import msgspec

from sandtable.engine import events as e
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.shapes import At, Leg, Off, Place, Point, Walk
from sandtable.engine.table import Piece, Table, Value
from sandtable.telling.vocabulary import PLAIN, Speaker, Vocabulary, by_number, figure, listed, spoken


def sentence(event: e.AnyEvent, table: Table, vocabulary: Vocabulary = PLAIN) -> str:
    """What happened, in a sentence; the table is the one after it.

    >>> from sandtable.engine.table import Ground, Thing
    >>> table = Table(Ground(0, 0), ("red",), {"m1": Thing("m1", side="red", label="R1")})
    >>> sentence(e.Spent("m1", "AP", 1, 1), table)
    'R1 spends 1 AP; 1 left.'
    >>> sentence(e.StateChanged("m1", "prone", None, 1, "it stands up"), table)
    'R1 now: prone, until it stands up.'
    """
    text: str = _SENTENCES[type(event)](Teller(table, vocabulary), event)
    return text[:1].upper() + text[1:]


def outcome_words(roll: e.Rolled, table: Table, vocabulary: Vocabulary = PLAIN) -> str:
    """What came of a roll; dice that pick somebody are told by that one's name."""
    return Speaker(table, vocabulary).name(roll.outcome) if roll.outcome else ""


def rolled_for(roll: e.Rolled, vocabulary: Vocabulary = PLAIN) -> str:
    """What dice are thrown for, which may be called otherwise than the action of that name."""
    return vocabulary.phrases.get(f"roll {roll.what}") or spoken(roll.what, vocabulary.words)


def came_of(roll: e.Rolled, table: Table, vocabulary: Vocabulary = PLAIN) -> str | None:
    """A ruleset's own phrase for what came of a roll; none where it has none.

    >>> from sandtable.engine.table import Ground
    >>> words = Vocabulary(phrases={"roll shock stands": "{who} stands"})
    >>> came_of(e.Rolled("shock", "A", "d6", (5,), 5, (), 5, 4, (), 1, "stands"), Table(Ground(0, 0), ()), words)
    'A stands'
    """
    speaker = Speaker(table, vocabulary)
    return speaker.phrase(f"roll {roll.what} {roll.outcome}", speaker.name(roll.by)) if roll.outcome else None


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
        text += f" {figure(roll.natural)}"
    if roll.parts:
        text += f" · {_parts(roll.parts)} = {figure(roll.total)}"
    if roll.needs is not None:
        text += f" against {figure(roll.needs)}"
        if roll.needs_parts:
            text += f" ({_parts(roll.needs_parts)})"
    if roll.dice_parts:
        text += f", dice by {_parts(roll.dice_parts)}"
    return text


def _parts(parts: Sequence[ExplainedPart]) -> str:
    return " · ".join(part.words() for part in parts)


class Teller(Speaker):
    """What is said of each event."""

    def harm(self, harm: e.Harm) -> str:
        return f"{self.word(harm.what)} {figure(harm.amount)}" if harm.amount else self.word(harm.what)

    # The sentences -----------------------------------------------------------------------------------------------

    def phase(self, event: e.PhaseBegan) -> str:
        turn = f"Turn {event.turn}" if event.turn else "Set-up"
        return turn + (f": {self.word(event.phase)}." if event.phase else ".")

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
        action, targets = self._aimed(event)
        who, at = self.name(event.actor), self.names(targets)
        tools = self.names(event.tools)
        said = self.phrase(action, who, at=at or "somebody", tools=tools or "something")
        if said is not None:
            told = "{tools}" in self.vocabulary.phrases[action]
            return said + (f" with {tools}." if tools and not told else ".")
        does = f"declares {self.word(action)}" if action else "breaks in"
        return f"{who} {does}" + (f" at {at}" if at else "") + (f" with {tools}." if tools else ".")

    def _aimed(self, event: e.Declared) -> tuple[str, tuple[str, ...]]:
        """What is done, and to whom. A break-in may be called after those it is about, such as `spot counter-3 scout`.

        Then whom it names, but for the actor, are its targets. The actor is no target of its own.
        """
        words = event.action.split(" ")
        named = [word for word in words if word in self.table.things]
        others = tuple(word for word in named if word != event.actor)
        targets = others or tuple(one for one in event.targets if one != event.actor)
        return " ".join(word for word in words if word not in named), targets

    def spent(self, event: e.Spent) -> str:
        return f"{self.name(event.who)} spends {event.amount} {self.word(event.what)}; {event.left} left."

    def passed(self, event: e.Passed) -> str:
        return f"{event.side} passes ({self.word(event.window)})."

    def rolled(self, event: e.Rolled) -> str:
        who = f"{self.name(event.by)}, " if event.by else ""
        dice = roll_words(event, self.vocabulary)
        again = "again " if event.replaces else ""
        outcome = came_of(event, self.table, self.vocabulary) or outcome_words(event, self.table, self.vocabulary)
        said = f"{dice}: {outcome}" if dice and outcome else dice or outcome or "dice fall"
        return f"{who}{rolled_for(event, self.vocabulary)} {again}— {said}."

    def moved(self, event: e.Moved) -> str:
        name = self.name(event.model)
        if event.start == event.to and self.vocabulary.direction is None:
            return f"{name} stays {self.where(event.to)}."
        if event.start == event.to:
            return f"{name} turns{self.facing(event.facing, ', ')}."
        gone = walked(event.start, event.walk)
        far = f" {self.far(gone)}" if gone else ""
        verb = self.verb(event.manner)
        facing = self.facing(event.facing, ", ") if isinstance(event.to, At) else ""
        return f"{name} {verb}{far}, now {self.where(event.to)}{facing}."

    def verb(self, manner: str, many: bool = False) -> str:
        """How a move is told, by its manner."""
        return by_number(_MANNERS.get(manner, f"move[s|] ({manner})"), many)

    def halted(self, event: e.Halted) -> str:
        by = f" by {self.name(event.by)}" if event.by else ""
        return f"{self.name(event.model)} is halted{by} after {self.length(event.along)}, {self.where(event.at)}."

    def placed(self, event: e.Placed) -> str:
        if event.piece is not None and event.piece.kind == e.BOARD:
            ground = self.table.ground
            return f"the board is {self.length(ground.width)} by {self.length(ground.height)}."
        if event.piece is not None:
            name, kind = self.piece(event.piece)
            return f"{name}, {kind}, is on the table." if kind else f"{name} is on the table."
        said = self.phrase(event.where.why, self.name(event.thing)) if isinstance(event.where, Off) else None
        if said is not None:
            return f"{said}."
        if isinstance(event.where, Off) and event.made is not None:
            where = "there" if event.where.why in self.vocabulary.notes else self.where(event.where)
            return f"{self.name(event.thing)} is {where}."
        facing = self.facing(event.facing, ", ") if isinstance(event.where, At) and event.facing else ""
        return f"{self.name(event.thing)} is placed {self.where(event.where)}{facing}."

    def piece(self, piece: Piece) -> tuple[str, str]:
        """The name of a piece, and what it is where its name does not say so."""
        kind = self.word(piece.kind)
        return piece.label or kind, "" if kind.lower() in (piece.label or kind).lower() else kind

    def left(self, event: e.Left) -> str:
        return self.leaves(self.name(event.thing), event)

    def leaves(self, who: str, event: e.Left, many: bool = False) -> str:
        """That somebody, or several, leave the table."""
        said = self.phrase(event.to, who, many=many)
        if said is not None:
            return f"{said}."
        return f"{who} {'leave' if many else 'leaves'} the table" + (f": {self.word(event.to)}." if event.to else ".")

    def landed(self, event: e.Landed) -> str:
        aimed = "as aimed" if event.aimed == event.at else f"aimed at {self.point(event.aimed)}"
        if event.aimed != event.at and self.point(event.aimed) == self.point(event.at):
            aimed = "not quite as aimed"
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
        name = self.name(event.target)
        said = self.phrase(event.harm.what, name) or f"{name} takes {self.harm(event.harm)}"
        return f"{said}: harm {event.before} → {event.after}{track}."

    def state(self, event: e.StateChanged) -> str:
        return self.stands(self.name(event.who), event) + "."

    def stands(self, who: str, event: e.StateChanged, many: bool = False) -> str:
        """How somebody stands now. States are a ruleset's own words, adjectives or not, so they follow a colon."""
        state = self.word(event.state)
        until = f", until {self.word(event.until)}" if event.until else ""
        before, after = (None if value is None else self.value(value) for value in (event.before, event.after))
        said = self.phrase(self.state_key(event), who, many=many, value=after or "", was=before or "")
        if said:
            return said
        if after is None:
            return f"{who} no longer: {state}"
        if before is None:
            told = event.after != 1 and not self._measured(event)
            return f"{who} now: {state}{f' {after}' if told else ''}{until}"
        return f"{who}, {state}: {before} → {after}{until}"

    def _measured(self, event: e.StateChanged) -> bool:
        """Whether a state that is noted for the books has a value of bare numbers, thousandths or places."""
        values = event.after if isinstance(event.after, tuple) else (event.after,)
        return event.state in self.vocabulary.notes and all(re.fullmatch(r"[-\d,]+", str(one)) for one in values)

    def state_keys(self, event: e.StateChanged) -> Iterator[str]:
        """Under which a ruleset may have a phrase for it, the closest first.

        A state that comes is called by itself, or behind `now `; behind it may stand its value (`initiative 1`), and
        the last word of the rule by which it comes or goes (`knockdown by going-prone`).
        """
        came = event.state if event.before is None else f"another {event.state}"
        name = f"not {event.state}" if event.after is None else came
        for key in (f"{name} {event.after}", name):
            yield f"{key} by {event.rule.rpartition('.')[2]}"
            yield key if key != event.state or f"now {key}" not in self.vocabulary.phrases else f"now {key}"

    def state_key(self, event: e.StateChanged) -> str:
        """The closest phrase that a ruleset has for it, or what it would be called by itself."""
        *_, last = keys = list(self.state_keys(event))
        return next((key for key in keys if key in self.vocabulary.phrases), last)

    def goes_unsaid(self, event: e.StateChanged) -> bool:
        """Whether a ruleset has an empty phrase for it: the lines around it tell as much in a story."""
        return self.vocabulary.phrases.get(self.state_key(event)) == ""

    def value(self, value: Value) -> str:
        if isinstance(value, tuple) and len(value) == 2 and all(re.fullmatch(r"-?\d+", one) for one in value):
            return self.point(Point(int(value[0]), int(value[1])))
        if isinstance(value, tuple):
            return self.names(value)
        return self.name(value) if isinstance(value, str) and value else str(value)

    def lost(self, event: e.ModelLost) -> str:
        leaves = f"; it leaves {self.word(event.leaves.kind)}" if event.leaves is not None else ""
        return f"{self.goes(self.name(event.model), event)}{leaves}."

    def goes(self, who: str, event: e.ModelLost, many: bool = False) -> str:
        """That somebody, or several, are out of play."""
        said = self.phrase(event.how, who, many=many)
        return said if said is not None else f"{who} {'are' if many else 'is'} lost: {self.word(event.how)}"

    def terrain(self, event: e.TerrainChanged) -> str:
        part = f", {event.part}" if event.part else ""
        if not event.after:
            return f"{self.name(event.piece)}{part} is gone."
        return f"{self.name(event.piece)}{part} is now {self.word(event.after)}."

    def counted(self, event: e.Counted) -> str:
        return f"{self.name(event.thing)}, {self.word(event.what)}: {event.before} → {event.after}."

    def forfeited(self, event: e.Forfeited) -> str:
        why = event.detail.get("why")
        return f"{self.name(event.actor)} forfeits: {self.lost_action(event)}." + (f" {why}" if why else "")

    def lost_action(self, event: e.Forfeited) -> str:
        """What is not done any more, in words."""
        known = {**self.table.things, **self.vocabulary.words}
        action = self.word(event.action)
        if event.action not in known and known.keys() & set(event.action.split(" ")):
            action = " ".join(self.name(word) if word in known else word for word in event.action.split(" "))
        return action

    def sealed(self, event: e.Sealed) -> str:
        known = "" if event.value is None else f": {self.chosen(event.value)}"
        return f"{event.side} has chosen in secret ({self.word(event.topic)}){known}."

    def chosen(self, value: Value) -> str:
        """What was chosen in secret: of several parts, which is which."""
        if not isinstance(value, str) or not value.startswith("{"):
            return self.value(value)
        try:
            parts = msgspec.json.decode(value, type=dict[str, str])
        except msgspec.DecodeError:
            return value
        return listed([f"{self.name(part)}: {self.name(one)}" for part, one in parts.items()])

    def revealed(self, event: e.Revealed) -> str:
        shown = self.name(event.shown) if event.shown else "" if event.value is None else self.chosen(event.value)
        if not shown and event.made is not None:
            shown = self.name(event.made.id)
        side, _, topic = event.what.partition(": ")
        said = self.phrase(f"revealed {topic}", side, value=shown) if shown and topic else None
        if said is not None:
            return f"{said}."
        to = f" to {listed(event.to)}" if event.to else ""
        return f"{self.name(event.what)} is revealed{to}" + (f": {shown}." if shown else ".")

    def grouped(self, event: e.Grouped) -> str:
        until = f", until {event.until}" if event.until else ""
        belong = "belong" if len(event.models) > 1 else "belongs"
        return f"{self.names(event.models)} now {belong} to {self.name(event.unit)}{until}."

    def scored(self, event: e.Scored) -> str:
        points = "1 point" if abs(event.points) == 1 else f"{abs(event.points)} points"
        does = "loses" if event.points < 0 else "scores"
        return f"{event.side} {does} {points}" + (f": {event.reason}." if event.reason else ".")

    def taken_back(self, event: e.TakenBack) -> str:
        return f"{event.side} takes its last answer back: what came of it has not happened."

    def ended(self, event: e.BattleEnded) -> str:
        points = ", ".join(f"{side} {count}" for side, count in event.points.items())
        end = f"{event.winner} wins" if event.winner else "the battle is drawn"
        return end + (f": {event.reason}" if event.reason else "") + (f" ({points})." if points else ".")


#: How moves are told, for one and for several.
_MANNERS = {
    "own": "move[s|]",
    "forced": "[is|are] forced to move",
    "pushed": "[is|are] pushed",
    "fallen": "fall[s|]",
    "carried": "[is|are] carried",
}

_SENTENCES: dict[type[e.Event], Callable[[Teller, Any], str]] = {
    e.PhaseBegan: Teller.phase,
    e.StepBegan: Teller.step,
    e.DeckChanged: Teller.deck,
    e.Declared: Teller.declared,
    e.Spent: Teller.spent,
    e.Passed: Teller.passed,
    e.Rolled: Teller.rolled,
    e.Moved: Teller.moved,
    e.Halted: Teller.halted,
    e.Placed: Teller.placed,
    e.Left: Teller.left,
    e.Landed: Teller.landed,
    e.HarmNoted: Teller.noted,
    e.HarmCancelled: Teller.cancelled,
    e.HarmApplied: Teller.harmed,
    e.StateChanged: Teller.state,
    e.ModelLost: Teller.lost,
    e.TerrainChanged: Teller.terrain,
    e.Counted: Teller.counted,
    e.Forfeited: Teller.forfeited,
    e.Sealed: Teller.sealed,
    e.Revealed: Teller.revealed,
    e.Grouped: Teller.grouped,
    e.Scored: Teller.scored,
    e.TakenBack: Teller.taken_back,
    e.BattleEnded: Teller.ended,
}


def walked(start: Place, walk: Walk | None) -> int:
    """How long a walk is; without one nothing is said about it."""
    if walk is None:
        return 0
    at = start.point if isinstance(start, At) else None
    length = 0
    for leg in walk.legs:
        if isinstance(leg, Leg):
            length += leg.length
        else:
            length += 0 if at is None else isqrt((leg.point.x - at.x) ** 2 + (leg.point.y - at.y) ** 2)
            at = leg.point
    return length
