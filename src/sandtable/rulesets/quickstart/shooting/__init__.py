"""Shooting: direct fire, assaults step by step, combined actions, fire out of turn."""
