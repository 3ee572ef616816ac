"""The rulesets: one package each, one module a chapter of its ledger.

A ruleset is a package here that has a ledger (`rules/*.yaml`). Nothing is registered anywhere: a package that is there
is found, and `sandtable.lab.rulebooks` says what its `__init__.py` publishes.
"""
