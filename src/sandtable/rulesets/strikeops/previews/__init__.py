"""Previews: what an answer would bring, by the functions that play. They stand on the chapters."""
