"""Artillery: support that is asked for, guns on the table, and bursts."""
