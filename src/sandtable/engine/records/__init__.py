"""What is kept of a battle: its journal, its history, what each side has seen, and the files they are written to."""
