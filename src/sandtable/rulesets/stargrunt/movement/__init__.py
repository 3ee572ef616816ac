"""Movement: walking, moves as actions, columns, and what terrain costs."""
