"""Movement: how far a unit gets and where it may stop, Moving actions, and coming onto the table."""
