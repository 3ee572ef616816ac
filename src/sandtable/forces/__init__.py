"""Catalogues, rosters and scenarios: read, checked and counted in points."""
