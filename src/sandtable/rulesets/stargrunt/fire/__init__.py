"""Fire: who fires with what at whom, how it is resolved, and wounds."""
