"""Stargrunt II: an unofficial implementation of its reference sheet, the rules in our own words.

A chapter of the ledger is a package or a module of its name. Every chapter brings its actions, steps, judges, previews
and words as data, and `book` joins them. `previews`, `tactics` and `cases` stand on the chapters.
"""

from sandtable.rulesets.stargrunt.book import RULESET

__all__ = ["RULESET"]
