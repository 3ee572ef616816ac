"""Behemoths: zones that are Crippled one by one, strides that crush, drops from orbit, and how such a machine ends."""
