"""Cover: what stands between two units, and whether figures hang together."""
