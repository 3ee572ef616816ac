"""Ids that are easily taken for one another, each a type of its own: a word is made one where it is read."""

from typing import NewType

#: The id of a rule of a ledger, such as `ambush.shooting.range`; empty where no rule is behind it.
RuleId = NewType("RuleId", str)
NO_RULE = RuleId("")

#: Who plays: a side of a battle, by the name it has in its set-up; empty for nobody, or for a spectator.
Side = NewType("Side", str)
NO_SIDE = Side("")
#: The two sides of most battles.
RED, BLUE = Side("red"), Side("blue")

#: Whatever acts or is counted: a model, a unit, a marker, a card in a hand; empty where there is none.
ThingId = NewType("ThingId", str)
NO_THING = ThingId("")
#: A piece of terrain.
PieceId = NewType("PieceId", str)
