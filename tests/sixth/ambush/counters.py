"""Hiding: counters, dummies, and how they become known."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Left, Placed, Revealed, StateChanged
from sandtable.engine.table import Table, Thing
from sandtable.field.sight import line_among
from sandtable.forces.cards import CardsInPlay
from sandtable.forces.ledger import Rule, rule
from sandtable.tabletop.chapters import Chapter

COUNTERS = rule("ambush.hiding.counters")
SHOWING = rule("ambush.hiding.showing")
SPOTTED = rule("ambush.hiding.spotted")

COUNTER, DUMMY = "counter", "dummy"
HIDDEN, IS = "hidden", "is"


class Stats(msgspec.Struct, frozen=True):
    """What a card says."""

    skill: int
    wounds: int


CARDS = CardsInPlay("ambush", Stats)


def is_hidden(one: Thing) -> bool:
    """Whether it is a counter."""
    return one.card == COUNTER


def card_of(one: Thing) -> str:
    """What it is, for those who know; empty for the others."""
    return str(one.value(IS) or "") if is_hidden(one) else one.card


def bring(battle: Battle, one: Thing) -> None:
    """Put a fighter on the board; a hidden one is a counter to all, and its owner alone is told what it is."""
    states = {state: mark for state, mark in one.states.items() if state != HIDDEN}
    if not one.has(HIDDEN):
        made = _open(replace(one, states=states), one.card)
        battle.happens(Placed(one.id, one.place, made=made, rule=COUNTERS.id))
        return
    made = Thing(one.id, side=one.side, label=f"Counter {one.id}", card=COUNTER, glyph=COUNTER, base=one.base)
    n = battle.happens(Placed(one.id, one.place, made=replace(made, states=states), rule=COUNTERS.id))
    battle.happens(StateChanged(one.id, IS, None, one.card, rule=COUNTERS.id, known_to=(one.side,), because=n))


def reveal(battle: Battle, one: Thing, because: int = 0, why: Rule = SHOWING) -> None:
    """Turn a counter over for all; a dummy goes."""
    what = card_of(one)
    made = _open(replace(one, states={state: mark for state, mark in one.states.items() if state != IS}), what)
    n = battle.happens(Revealed(one.id, CARDS.held[what].name, made=made, rule=why.id, because=because))
    if what == DUMMY:
        battle.happens(Left(one.id, "it was a dummy", rule=SHOWING.id, because=n))


def spotted(table: Table) -> Sequence[Thing]:
    """The counters that lie too near to an enemy, as anybody can see."""
    near = SPOTTED.inches("within_in")
    found = [one for one in table.models() if is_hidden(one)]
    return [one for one in found if any(line_among(table, one.id, foe.id).gap <= near for foe in foes(table, one))]


def foes(table: Table, one: Thing) -> list[Thing]:
    """Its enemies on the board, counters among them."""
    return table.enemies_of(one.side)


def _open(one: Thing, card: str) -> Thing:
    shown = CARDS.held[card]
    return replace(one, card=card, label=f"{shown.name} {one.id}", glyph=shown.glyph, track=shown.stats.wounds)


CHAPTER = Chapter(states={HIDDEN: "it lies under a counter"})
