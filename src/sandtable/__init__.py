"""Sandtable plays sci-fi miniature battles with the rules enforced."""

__version__ = "0.1.0"
