"""Hiding: fighters and dummies under counters."""

import msgspec

from sandtable.forces.cards import CardsInPlay
from sandtable.forces.ledger import rule
from sandtable.tabletop.face_down import Counters

LAYING = rule("ambush.hiding.counters")
SHOWING = rule("ambush.hiding.showing")


class Stats(msgspec.Struct, frozen=True):
    """What a card says."""

    skill: int
    wounds: int


CARDS = CardsInPlay("ambush", Stats)
COUNTERS = Counters(CARDS, LAYING, SHOWING, track=lambda stats: int(stats.wounds))
