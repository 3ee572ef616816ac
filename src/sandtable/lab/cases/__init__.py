"""Conformance cases: small YAML files that prove rules, and the runner that plays them.

What a case may say stands in docs/write-a-case.md; what a ruleset must bring stands in
`sandtable.tabletop.case_words`.

The modules, in the order a case passes through them: `form` reads the file, `steps` plays step after step, for which
`drafts` and `answers` make answers of words, `scripted` lets dice fall, `asking` works values out, `matching` and
`standing` compare what came with what was expected, and `same` what a side sees of two variants. `spelling` holds the
words of a case against `known_words`, which reads them off the rules by `source_words`; `listing` lists them all.
`telling` prints a difference, `runner` gives the outcome of one case, `batch` of many.
"""
