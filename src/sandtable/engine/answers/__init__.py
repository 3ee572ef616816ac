"""From a draft to an answer: its form, what the rules say, standing orders, sealed answers, windows to react in."""
