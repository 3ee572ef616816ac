"""The rulesets: one package each, one module a chapter of its ledger."""
