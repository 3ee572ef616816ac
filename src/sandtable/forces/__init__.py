"""Ledgers, catalogues, rosters and scenarios: read, checked and counted in points.

`files` reads YAML that may come from outside, `reading` makes typed values of it and `writing` makes files of them
again; `data` and `ledger` give rules their numbers; `catalogue` holds cards, `roster` bought forces, `report` what a
ruleset finds in them; `outlines`, `terrain` and `models` are the forms that scenarios and cases share, and `scenario`
lays them out. Import from the module: nothing is loaded that is not needed.
"""
