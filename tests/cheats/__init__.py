"""Rulesets that cheat, one way each, and beside each of them the honest way to do the same.

Every cheat is a duel in which a shot is decided, or helped, by what must not decide. The line that cheats says so.
"""
