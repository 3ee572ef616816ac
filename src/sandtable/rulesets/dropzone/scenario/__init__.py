"""Scenario: the table and its scenery, who waits where, the missions, scoring and the end."""
