"""Building a Force Group: squads, specializations, and what a roster comes to."""
