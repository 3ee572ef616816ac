"""The table over the network: no rules here."""
