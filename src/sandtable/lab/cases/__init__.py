"""Conformance cases: small YAML files that prove rules, and the runner that plays them.

What a case may say stands in docs/write-a-case.md; what a ruleset must bring stands in `words.CaseWords` and, for the
whole package, in `sandtable.lab.rulebooks.Published`. In short, a ruleset's `__init__.py` publishes

    SIZE = "models a side"
    ruleset() -> Ruleset                      a fresh object each time
    setup(scenario="", size=0) -> Setup
    case_words(catalogues=()) -> CaseWords
    in_play(thing) -> rule ids

and its case words have `ruleset`, `start(case) -> Setup`, `actions(table, actor, value) -> parts of a plan`, `answers`
(readers for topics with a form of their own), `values` (pure functions for `ask:`) and `vocabulary()`.

The modules, in the order a case passes through them: `form` reads the file, `spelling` looks at its words, `drafts` and
`answers` make answers of them, `scripted` lets dice fall, `runner` plays, `matching` and `standing` compare what came
with what was expected, `telling` prints a difference, `batch` does it for many.
"""
