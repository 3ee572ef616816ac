"""Observation: counters, hiding, and how hidden units are made out."""
