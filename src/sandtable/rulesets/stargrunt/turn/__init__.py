"""Turn: who activates next, how a turn ends, and reaction fire."""
