"""The list of everything that a case of a ruleset may say: what `sandtable case --words` prints."""

from collections.abc import Callable

from sandtable.engine.questions import AnyQuestion
from sandtable.forces.ledger import Ledger
from sandtable.forces.models import MODEL_KEYS
from sandtable.lab.cases.asking import taken
from sandtable.lab.cases.form import HEAD, STEP
from sandtable.lab.cases.known_words import MEANINGS, SAID, KnownWords
from sandtable.lab.cases.matching import EVENTS
from sandtable.lab.cases.standing import BATTLE_KEYS, PREVIEW_KEYS, QUESTION_KEYS, THING_KEYS
from sandtable.tabletop.case_words import CaseWords

#: What every event carries that no case speaks of.
_HIDDEN = ("n", "step", "because", "known_to", "veils")


def every_word(words: CaseWords, book: Ledger) -> dict[str, dict[str, str]]:
    """Every word with what it means, by section; sections are called after where their words stand."""
    known = KnownWords(words, book)
    listed = {section: dict(entries) for section, entries in known.listed.items()}
    meant = listed.pop("values", {})
    for section in ("outcomes", "declared"):  # no fixture has them: they stand with what the rules say
        listed.pop(section, None)
    head = {**HEAD, **listed.pop("head", {})}
    sections = {
        "keys of a case": head,
        "keys of a model (red: [{…}])": {**MODEL_KEYS, **listed.pop("model keys", {})},
        "keys of a variant": {
            "title": "what is different in it",
            "change": "models that differ, {A: {states: [prone]}}; an empty key is taken away",
            "play": "its own steps, after those of the case",
            "…": "any other key of a case, which takes the place of the common one",
        },
        "keys of a step": STEP,
        "answers: keys of do, refuse and preview": listed.pop("answers", {}),
        **listed,
        "ask: values": {name: _asked(reader, meant.get(name, "")) for name, reader in words.values.items()},
        "events: expect and expect_not": _events(),
        "then: keys of a thing": THING_KEYS,
        "then: keys of battle": BATTLE_KEYS,
        "asked: keys of a question": {
            **QUESTION_KEYS,
            "kind": ", ".join(str(kind.__struct_config__.tag) for kind in AnyQuestion.__args__),
        },
        "shows: keys of a preview": PREVIEW_KEYS,
    }
    for section in SAID:
        said = [word for word in known.words(section) if word not in listed.get(section, {})]
        if said and section in MEANINGS:
            sections[f"{section}: {MEANINGS[section]}"] = dict.fromkeys(said, "")
    return {section: entries for section, entries in sections.items() if entries}


def _asked(reader: Callable[..., object], meant: str) -> str:
    """What a value takes, what it is, and what it may be asked for."""
    known = taken(reader)
    takes = "{" + ", ".join(known.keys) + "}" if known.keys else known.alone
    meaning = meant or known.meaning
    choices = f"({', '.join(known.choices)})" if known.choices else ""
    return " ".join(filter(None, [f"{takes}:" if takes and meaning else takes, meaning, choices]))


def _events() -> dict[str, str]:
    fields = {name: [one for one in kind.__struct_fields__ if one not in _HIDDEN] for name, kind in EVENTS.items()}
    return {name: ", ".join(known) for name, known in fields.items()}
