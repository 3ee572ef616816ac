"""Conformance cases: small YAML files that prove rules, and the runner that plays them.

What a case may say stands in docs/write-a-case.md; what a ruleset must bring stands in
`sandtable.tabletop.case_words`.

The modules, in the order a case passes through them: `form` reads the file, `spelling` looks at its words, `drafts` and
`answers` make answers of them, `scripted` lets dice fall, `runner` plays, `matching` and `standing` compare what came
with what was expected, `telling` prints a difference, `batch` does it for many.
"""
