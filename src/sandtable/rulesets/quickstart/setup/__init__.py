"""Set-up: the board, terrain, scenarios, rosters, and mission kills that leave."""
