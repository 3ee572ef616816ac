"""Things that lie face down: everybody sees that they are there, and their owner alone what they are.

How such a thing becomes known is for a ruleset to say. Where a counter lies for one model, and dummies among them,
`Counters` does all of it.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Left, Placed, Revealed
from sandtable.engine.ids import ThingId
from sandtable.engine.shapes import Place
from sandtable.engine.table import Thing
from sandtable.forces.cards import CardsInPlay
from sandtable.forces.ledger import Rule
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give

#: The state that tells what something is in truth, known to its owner.
IS = "is"
#: What a scenario or a case says of a model that begins under a counter; the card of a counter, and that of a dummy.
HIDDEN, COUNTER, DUMMY = "hidden", "counter", "dummy"


def lay_face_down(battle: Battle, made: Thing, where: Place, what: str, rule: Rule, because: int = 0) -> int:
    """Put something on the table as it looks to all, and tell its owner what it is; gives the number of the event."""
    n = battle.happens(Placed(made.id, where, made=made, rule=rule.id, because=because))
    give(battle, made.id, IS, rule, what, because=n, known_to=(made.side,))
    return n


def lies_under(thing: Thing) -> str:
    """What something is in truth, for those who know; empty for the others."""
    return str(thing.value(IS) or "")


class Counters(NamedTuple):
    """Models that begin under counters, with dummies among them that are nothing but counters."""

    cards: CardsInPlay[Any]
    laying: Rule
    showing: Rule
    track: Callable[[Any], int]  # how much harm a model can take, by what its card says

    def card_of(self, one: Thing) -> str:
        """The card of what it is, for those who know; empty for the others."""
        return lies_under(one) if one.card == COUNTER else one.card

    def is_dummy(self, one: Thing) -> bool:
        """Whether it is known to be a dummy."""
        return self.card_of(one) == DUMMY

    def bring(self, battle: Battle, one: Thing) -> None:
        """Put a model on the table; a hidden one is a counter to all, and its owner alone is told what it is."""
        if one.has(HIDDEN):
            made = replace(_without(one, HIDDEN), label=f"Counter {one.id}", card=COUNTER, glyph=COUNTER)
            lay_face_down(battle, made, one.place, one.card, self.laying)
        else:
            battle.happens(Placed(one.id, one.place, made=self._open(one, one.card), rule=self.laying.id))

    def reveal(self, battle: Battle, name: ThingId, because: int = 0, why: Rule | None = None) -> None:
        """Turn a counter over for all; a dummy goes. Nothing is told of one that everybody knows."""
        one = battle.table[name]
        if one.card != COUNTER:
            return
        made = self._open(_without(one, IS), self.card_of(one))
        shown = Revealed(name, self.cards.held[made.card].name, made=made, rule=(why or self.showing).id)
        n = battle.happens(replace(shown, because=because))
        if made.card == DUMMY:
            battle.happens(Left(name, "it was a dummy", rule=self.showing.id, because=n))

    def _open(self, one: Thing, card: str) -> Thing:
        shown = self.cards.held[card]
        return replace(one, card=card, label=f"{shown.name} {one.id}", glyph=shown.glyph, track=self.track(shown.stats))

    def chapter(self) -> Chapter:
        """What it brings: the word for who is hidden, and its rule wherever there are models."""
        return Chapter(
            states={HIDDEN: "it lies under a counter"},
            in_play=lambda thing: [self.laying.id] if thing.kind == "model" else [],
        )


def _without(one: Thing, state: str) -> Thing:
    return replace(one, states={name: mark for name, mark in one.states.items() if name != state})
