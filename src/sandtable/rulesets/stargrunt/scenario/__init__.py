"""Scenario: the table, its terrain and zones, objectives and endings."""
