"""Aircraft: flying, landing and loading, fire at those who fly past, Fast ones, and crashes."""
