"""Ambush: a made-up skirmish with hidden fighters. A template: all it needs comes from `sandtable.tabletop`."""

from .book import RULESET

__all__ = ["RULESET"]
