"""The battle: agenda, journal, dice, questions, events, views and explanations. Knows no ruleset."""
