"""What Strike Operations teaches the opponent: what fire is worth, where models go, and which answers follow."""
