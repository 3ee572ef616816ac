"""Tests of the server: over real sockets, with real databases."""
