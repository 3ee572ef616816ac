"""Exact odds, taken from the rules that play."""
