"""Shooting: aiming, declaring every shot, rolling to hit."""
