"""Actions: a squad declares everything before anything resolves, and resolves it in the order it likes."""
