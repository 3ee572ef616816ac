"""Obstacles: minefields, traps, decoys, smoke and buildings."""
