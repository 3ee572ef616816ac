"""The browser client, shipped as package data: no Python and no rules here."""
