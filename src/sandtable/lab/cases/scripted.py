"""Dice and shuffles that fall as a case says, and remember every throw and what it was for."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sandtable.engine.dice import OutOfFaces, Result, ScriptedDice, Throw
from sandtable.engine.events import Rolled
from sandtable.forces.data import Data
from sandtable.forces.files import described
from sandtable.lab.cases.telling import Row, value_words

#: So many faces are made up, to see what dice fall for that a case does not give.
MADE_UP = 12
#: No die of a game has more sides; what is drawn from more, such as how a piece of terrain is shaped, need not be said.
LARGEST = 360


class Die(NamedTuple):
    """One die as a case writes it: its face, and the check it is said to be for."""

    face: int
    name: str = ""


def read_dice(written: Data | None) -> tuple[Die, ...]:
    """Dice as a case writes them: faces, and faces with the name of their check.

    >>> from sandtable.forces.files import read_text
    >>> read_dice(Data(read_text("[3, {impact: 5}, {fire: [6, 2]}]", "it"), "it"))[1:]
    (Die(face=5, name='impact'), Die(face=6, name='fire'), Die(face=2, name='fire'))
    """
    if written is None:
        return ()
    found: list[Die] = []
    for one in written.items() if isinstance(written.node.value, list) else (written,):
        if not isinstance(one.node.value, dict):
            found.append(Die(_face(one)))
            continue
        if len(one.names()) != 1:
            raise one.fail("a die has one name", "write {check: face}, or {check: [face, face]}")
        ((name, faces),) = one.table().items()
        found += [Die(_face(face), name) for face in (faces.items() if isinstance(faces.node.value, list) else [faces])]
    return tuple(found)


def _face(value: Data) -> int:
    if isinstance(value.node.value, bool) or not isinstance(value.node.value, int):
        remedy = "a face is a whole number, or {check: face} with the check it is for"
        raise value.fail(f"{described(value.node)} stands among the dice", remedy)
    return value.node.value


class Fallen(NamedTuple):
    """One die that fell: its sides, its face, how it was written, and whether the face was made up."""

    sides: int
    face: int
    written: Die | None


class LookingAhead(ScriptedDice):
    """Dice of a battle that is tried out: cards lie as they lay before, and no die falls that is not written."""

    def shuffled(self, cards: Sequence[str]) -> tuple[str, ...]:
        if self.draws >= len(self.fallen):
            self.faces = [*_picks(cards, cards), *self.faces]
        return super().shuffled(cards)


class CaseDice(ScriptedDice):
    """Dice that fall as a case says. A shuffle leaves the cards as they lie, unless the case gives their order.

    Where a case gives too few dice, or a face that a die has not, `wrong` says so and some faces are made up, so that
    it can be told what those dice fall for.

    >>> dice = CaseDice()
    >>> dice.script([], ["blue", "red"])
    >>> dice.shuffled(["red", "blue"]), dice.shuffled(["red", "blue"])
    (('blue', 'red'), ('red', 'blue'))
    """

    def __init__(self, called: Mapping[str, Sequence[str]] | None = None) -> None:
        super().__init__()
        self.called = called or {}  # what else the dice of a check may be called
        self.cards: list[str] = []
        self.later: list[str] = []  # cards of the head that are not shuffled before the first question
        self.given: list[Die] = []
        self.rolled: list[Fallen] = []
        self.wrong = ""
        self._shuffling = False
        self._made_up = 0

    def script(self, dice: Sequence[Die], cards: Sequence[str]) -> None:
        """Say how the dice fall and the cards lie from here on; what was thrown before is forgotten."""
        self.given, self.cards, self.rolled = list(dice), list(cards), []
        self.faces, self.wrong, self._made_up = [], "", 0

    def keep_cards(self) -> None:
        """Keep the cards that are not used up for the shuffles to come of which no step says how they lie."""
        self.later, self.cards = self.cards, []

    @property
    def left(self) -> str:
        """What has not been used up, in words; empty where nothing is left."""
        faces = f"faces {value_words(tuple(die.face for die in self.given))}" if self.given else ""
        cards = f"cards {value_words(tuple(self.cards))}" if self.cards else ""
        return " and ".join(filter(None, [faces, cards]))

    def copy(self) -> LookingAhead:
        """Dice for a copy of the battle on which something is tried."""
        twin = LookingAhead(self.faces)
        twin.fallen, twin.draws = list(self.fallen), self.draws
        return twin

    def fall(self, throw: Throw) -> Result:
        again = self.draws < len(self.fallen)
        if not self._shuffling and not again:
            self.faces = [self._next(throw, sides) for sides in throw.sides]
        return super().fall(throw)

    def _next(self, throw: Throw, sides: int) -> int:
        """The face that one die of a throw shows."""
        if sides > LARGEST and not (self.given and not self.given[0].name):
            return 1  # a die that bears a name is for a check
        written = self.given.pop(0) if self.given else None
        face = 1 if written is None else written.face
        if written is None:
            self.wrong = self.wrong or f"no face is left for {throw.name}"
            self._made_up += 1
            if self._made_up > MADE_UP:
                raise OutOfFaces(f"{throw.name} and many more dice fall; no face is left for them")
        elif not (1 <= face <= sides or (sides == 360 and face == 0)):
            self.wrong = self.wrong or f"{throw.name} cannot show {face}; a d{sides} has the faces 1 to {sides}"
            face = 1
        self.rolled.append(Fallen(sides, face, written))
        return face

    def rows(self, events: Sequence[Any]) -> list[Row]:
        """Every die beside what it fell for, as the events of the step tell it; then those that did not fall.

        Of dice that are not written only those of the first roll are told: what comes after hangs on them."""
        rows: list[Row] = []
        missing: tuple[str, str] | None = None
        for n, (die, purpose) in enumerate(zip(self.rolled, self.purposes(events), strict=True), 1):
            if die.written is None:
                missing = missing or purpose
                if purpose != missing:
                    break
            rows.append(Row(f"die {n}", _written(die.written), _fell(die, *purpose), self._fits(die, purpose[0])))
        left = enumerate(self.given, len(rows) + 1)
        rows += [Row(f"die {n}", _written(die), "does not fall") for n, die in left]
        return rows or [Row("dice", "none", "no dice fell", True)]

    def purposes(self, events: Sequence[Any]) -> list[tuple[str, str]]:
        """What each die that fell was for, and who rolled it: the check whose roll shows its face.

        A die that was kept when another was rolled again fell for the roll before; none was kept where no more dice are
        told than fell.
        """
        purposes = [("", "")] * len(self.rolled)
        rolls = {event.n: event for event in events if type(event) is Rolled}
        kept = sum(len(event.faces) for event in rolls.values()) > len(self.rolled)
        for event in rolls.values():
            sides = {int(one) for one in re.findall(r"d(\d+)", event.dice)}
            for face in _anew(event, rolls.get(event.because)) if kept else event.faces:
                free = [n for n, die in enumerate(self.rolled) if not purposes[n][0] and die.face % 360 == face % 360]
                free = [n for n in free if self.rolled[n].sides in sides] or free
                # Of dice of a kind that show the same the one that bears the name is meant.
                named = [n for n in free if (one := self.rolled[n].written) is not None and self._is(one, event.what)]
                for n in (named or free)[:1]:
                    purposes[n] = (event.what, event.by)
        return purposes

    def _is(self, die: Die, what: str) -> bool:
        """Whether a die bears the name of a check, or another that its dice may be called."""
        return any(die.name.casefold() == one.casefold() for one in (what, *self.called.get(what, ())))

    def _fits(self, die: Fallen, what: str) -> bool:
        """Whether a die fell as it was written: with that face, and for what its name says."""
        if die.written is None or die.written.face % 360 != die.face % 360:
            return False
        return not die.written.name or self._is(die.written, what)

    def shuffled(self, cards: Sequence[str]) -> tuple[str, ...]:
        again = self.draws < len(self.fallen)  # after an undo: the draws of this shuffle are known already
        if not again and not self.cards:
            self.cards, self.later = self.later[: len(cards)], self.later[len(cards) :]
        wanted = list(cards) if again or not self.cards else self._next_cards(cards)
        kept = self.faces
        # The order is brought about by the very draws that a shuffle makes, so that it is taken back and cloned alike.
        self.faces, self._shuffling = [] if again else _picks(cards, wanted), True
        order = super().shuffled(cards)
        self.faces, self._shuffling = kept, False
        return order

    def _next_cards(self, cards: Sequence[str]) -> list[str]:
        """How the cards lie: as the case says, and those that it does not name under them."""
        wanted, self.cards = self.cards[: len(cards)], self.cards[len(cards) :]
        under = list(cards)
        for card in wanted:
            if card in under:
                under.remove(card)
        wanted += under[: len(cards) - len(wanted)]
        if sorted(wanted) != sorted(cards):
            raise OutOfFaces(
                f"{value_words(tuple(cards))} are shuffled; they cannot lie as {value_words(tuple(wanted))}"
            )
        return wanted


def _picks(cards: Sequence[str], wanted: Sequence[str]) -> list[int]:
    """The faces of the draws that bring cards into an order.

    >>> _picks(["a", "b", "c"], ["c", "a", "b"])
    [3, 1]
    """
    left, picks = list(cards), []
    for card in wanted[:-1]:
        picks.append(left.index(card) + 1)
        left.remove(card)
    return picks


def _anew(event: Rolled, before: Rolled | None) -> tuple[int, ...]:
    """The faces of a roll that fell for it: not those that a roll keeps which comes of one like it, but for a die."""
    if before is None or (event.what, event.by) != (before.what, before.by) or event.replaces:
        return event.faces
    kept = before.faces
    grown = (kept,) if len(event.faces) > len(kept) else ()
    for one in (*grown, *(kept[:n] + kept[n + 1 :] for n in range(len(kept)))):
        left = Counter(event.faces)
        left.subtract(one)
        if min(left.values()) >= 0:
            return tuple(left.elements())
    return event.faces


def _written(die: Die | None) -> str:
    return "none is written" if die is None else f"{die.name} {die.face}" if die.name else str(die.face)


def _fell(die: Fallen, what: str, by: str) -> str:
    who = f" by {by}" if by else ""
    return f"d{die.sides}, for {what}{who}" if what else f"d{die.sides}, for something that no roll tells"
