"""Stargrunt II: an unofficial implementation of its reference sheet, the rules in our own words.

A chapter of the ledger is a package or a module of its name. Every chapter brings its actions, steps, judges, previews
and words as data (`chapter`), and `book` lists the chapters. `previews`, `tactics` and `cases` stand on the chapters.
"""

from sandtable.rulesets.stargrunt.published import RULESET

__all__ = ["RULESET"]
