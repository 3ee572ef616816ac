"""Exact odds, presented: what can come of an action and how likely, from the rules themselves."""
