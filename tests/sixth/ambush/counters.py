"""Hiding: counters, dummies, and how they become known."""

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Left, Placed, Revealed
from sandtable.engine.table import Thing
from sandtable.forces.cards import CardsInPlay
from sandtable.forces.ledger import Rule, rule
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.face_down import IS, lay_face_down, lies_under

COUNTERS = rule("ambush.hiding.counters")
SHOWING = rule("ambush.hiding.showing")

COUNTER, DUMMY, HIDDEN = "counter", "dummy", "hidden"


class Stats(msgspec.Struct, frozen=True):
    """What a card says."""

    skill: int
    wounds: int


CARDS = CardsInPlay("ambush", Stats)


def card_of(one: Thing) -> str:
    """What it is, for those who know; empty for the others."""
    return lies_under(one) if one.card == COUNTER else one.card


def bring(battle: Battle, one: Thing) -> None:
    """Put a fighter on the board; a hidden one is a counter to all, and its owner alone is told what it is."""
    if one.has(HIDDEN):
        made = replace(_without(one, HIDDEN), label=f"Counter {one.id}", card=COUNTER, glyph=COUNTER)
        lay_face_down(battle, made, one.place, one.card, COUNTERS)
    else:
        battle.happens(Placed(one.id, one.place, made=_open(one, one.card), rule=COUNTERS.id))


def reveal(battle: Battle, name: str, because: int = 0, why: Rule = SHOWING) -> None:
    """Turn a counter over for all; a dummy goes. Nothing is told of one that everybody knows."""
    one = battle.table[name]
    if one.card != COUNTER:
        return
    made = _open(_without(one, IS), card_of(one))
    n = battle.happens(Revealed(name, CARDS.held[made.card].name, made=made, rule=why.id, because=because))
    if made.card == DUMMY:
        battle.happens(Left(name, "it was a dummy", rule=SHOWING.id, because=n))


def _without(one: Thing, state: str) -> Thing:
    return replace(one, states={name: mark for name, mark in one.states.items() if name != state})


def _open(one: Thing, card: str) -> Thing:
    shown = CARDS.held[card]
    return replace(one, card=card, label=f"{shown.name} {one.id}", glyph=shown.glyph, track=shown.stats.wounds)


CHAPTER = Chapter(
    states={HIDDEN: "it lies under a counter"},
    in_play=lambda thing: [COUNTERS.id] if thing.kind == "model" else [],
)
