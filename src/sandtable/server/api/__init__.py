"""The HTTP API: its routes, what goes over it, what stands before it, and its description."""
