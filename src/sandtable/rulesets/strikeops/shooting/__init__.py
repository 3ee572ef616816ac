"""Shooting: what an attack needs, and what comes of it."""
