"""Vehicles: hulls, hits, driving, and everybody aboard."""
