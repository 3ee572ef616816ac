"""Dropzone: Battlegroups of squads, carried in by dropships, fight for a city that falls down around them."""

from sandtable.rulesets.dropzone.book import RULESET

__all__ = ["RULESET"]
