"""A battle in words: what an event, an explanation, a question reads like."""
