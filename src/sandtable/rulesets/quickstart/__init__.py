"""CAV: Strike Operations, the 2015 Quick-Start: an unofficial implementation, its rules in our own words.

A chapter of the ledger is a package or a module of its name. `turn` draws cards and carries out what a model declared;
the other chapters say what each action does. `previews`, `tactics` and `cases` stand on the chapters, `book` joins
all of it, and `RULESET` is what the world sees.
"""

from sandtable.rulesets.quickstart.book import RULESET

__all__ = ["RULESET"]
