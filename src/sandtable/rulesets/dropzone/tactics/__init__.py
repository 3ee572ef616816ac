"""What Dropzone teaches the opponent: what fire is worth, where squads want to be, and which answers follow."""
