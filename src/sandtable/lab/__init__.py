"""Many battles at once: batches, tournaments and balance reports."""
