"""What an answer would bring, by the functions that play: shots and Command Cards."""
