"""Movement: Move Actions, and walking them as far as is lawful."""
