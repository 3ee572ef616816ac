"""Commanders, their Influence, and Command Cards: the deck, when a card may be played, and what it does."""
