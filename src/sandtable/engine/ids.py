"""Ids that are easily taken for one another, each a type of its own: a word is made one where it is read."""

from typing import NewType

#: The id of a rule of a ledger, such as `ambush.shooting.range`; empty where no rule is behind it.
RuleId = NewType("RuleId", str)
NO_RULE = RuleId("")
