"""CAV: Strike Operations, the full game of squads: an unofficial implementation, its rules in our own words.

A chapter of the ledger is a package or a module of its name. What its small edition shares stands in `rulesets.cav`.
Squads of CAVs fight so far; what is still to come is refused by name, and `sandtable rules --coverage` lists it.
"""

from sandtable.rulesets.strikeops.book import RULESET

__all__ = ["RULESET"]
