"""What an answer would bring, by the functions that play: shots, Command Cards, the strides and drops of Behemoths."""
