"""Confidence: levels, tests, what an attack does to nerve, and moves nobody chooses."""
