"""Wrong words of a case, each told with its line and the nearest right word.

An expectation that something does not happen holds whatever it says, so each word of a case is held against the words
there are: those the ruleset lists, those its rules can say (see `known_words`), those that have come up in this battle,
and the names of what is on the table. What is right by having been seen is right even if a list forgets it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sandtable.engine.events import Harm
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.shapes import Place, Point
from sandtable.engine.table import Table
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, FileError, Node, nearest
from sandtable.lab.cases.answers import DO, IDLE, declines
from sandtable.lab.cases.form import Case, Step
from sandtable.lab.cases.known_words import SECTION_OF, KnownWords
from sandtable.lab.cases.matching import NONE, decks_of, ends_alike, is_none, loose, thing_of, wanted_event

#: What a wrong word of a section is not.
_IS_NO = {
    "checks": "is no check",
    "outcomes": "is no outcome of a check",
    "parts": "is no part of a number",
    "windows": "is no window",
    "declared": "is nothing that is declared",
    "phases": "is no phase",
    "steps": "is no step",
    "harm": "is no harm",
    "states": "is no state",
    "counts": "is nothing that is counted",
    "how lost": "is no way to be lost",
    "manner": "is no manner of moving",
    "decks": "is no deck",
    "odds": "is nothing that has odds",
    "topics": "is no topic of a question",
}
_KINDS = tuple(str(kind.__struct_config__.tag) for kind in AnyQuestion.__args__)
_PARTS = ("parts", "needs_parts", "dice_parts")
#: Fields of events that name something on the table, or a side.
_NAMES = (
    "actor",
    "who",
    "model",
    "models",
    "thing",
    "target",
    "targets",
    "by",
    "side",
    "units",
    "unit",
    "caught",
    "winner",
)
_PLACE = "[x, y], off or {in: holder}"
#: What stands in fields of events that hold no word, by their type.
_FORMS: dict[Any, str] = {int: "a number", int | None: "a number", Place: _PLACE, Point: "[x, y]"}
#: Fields whose words are the values of something.
_VALUES = ("before", "after", "value", "tools", "cards")


class Speller:
    """Looks at the words of a case, once it has been played."""

    def __init__(self, known: KnownWords, table: Table, events: Sequence[Any], shown: Iterable[str] = ()) -> None:
        self.known = known
        self.table = table
        self.events = events
        self.shown = shown  # what previews have said
        self.wrong: list[FileError] = []
        self._seen: set[tuple[str, str]] | None = None  # sections and words

    def look_at(self, case: Case, played: int = 0) -> list[FileError]:
        """What is wrong with the words of a case, of which so many steps have been played."""
        self._dice(case.head.at("dice") if case.head.has("dice") else None)
        for n, step in enumerate(case.play):
            for draft in (step.form.do, step.form.refuse, step.form.preview):
                if draft is not None and n >= played:  # those that were played have been looked at, on their own table
                    self._try(check_keys, self.known.listed, self.table, draft)
            self._dice(step.form.dice)
            for item in (*step.form.expect, *step.form.expect_not):
                self._try(self._event, item)
            for asked in _several(step.form.asked), _several(step.form.not_asked):
                for one in asked:
                    self._try(self._asked, one)
            if step.form.then is not None:
                self._try(self._then, step.form.then)
            if step.form.shows is not None:
                self._try(self._shows, step.form.shows)
            self._try(self._sides, step)
        return self.wrong

    def _try(self, look: Any, *what: Any) -> None:
        """Look on after a wrong word: the others are told too."""
        try:
            look(*what)
        except FileError as problem:
            self.wrong.append(problem)

    def _dice(self, written: Data | None) -> None:
        for one in _several(written):
            for name in _named(one) if isinstance(one.node.value, dict) else ():
                self._try(self._word, "checks", name)

    def _event(self, item: Data) -> None:
        wanted = wanted_event(item)
        for field, value in wanted.fields.items():
            self._field(wanted.kind.__name__, field, value)
            form = _FORMS.get(wanted.kind.__annotations__.get(field), "")
            for word in _texts(value) if form else ():
                if word.node.value != NONE and not (form == _PLACE and self._is_off(word)):
                    raise word.fail(f"`{word.node.value}` is nothing that `{field}` can be", f"{form} would do")

    def _field(self, kind: str, field: str, value: Data) -> None:
        section = SECTION_OF.get((kind, field))
        if field in _PARTS:
            self._labels(value)
        elif field == "harm":
            for word in _texts(value.at("what") if isinstance(value.node.value, dict) and value.has("what") else value):
                self._word("harm", word)
        elif section is not None:
            for word in _texts(value):
                self._word(section, word)
        elif field in _NAMES or (kind, field) == ("Counted", "thing"):
            for word in _texts(value):
                self._name(word)
        elif field in _VALUES:
            for word in _texts(value):
                if not self.known.is_name(str(word.node.value), self.table) and not self._came(word):
                    raise word.fail(f"`{word.node.value}` is nothing that `{field}` can be here", self._nearest(word))

    def _is_off(self, word: Data) -> bool:
        """Whether a word says that something is off the table, or why."""
        return word.node.value == "off" or self.known.is_name(str(word.node.value), self.table) or self._came(word)

    def _labels(self, value: Data) -> None:
        if value.node.value in (NONE, None, []):
            return
        if not isinstance(value.node.value, dict):
            raise value.fail("parts are written with their labels", "such as {cover: -1, wizzo: none}")
        for label in _named(value):
            self._try(self._word, "parts", label)

    def _asked(self, asked: Data) -> None:
        if not isinstance(asked.node.value, dict):
            said = str(asked.node.value)
            if said != "nobody" and said not in self.table.sides and not self.known.has("topics", said, self.table):
                known = (*self.table.sides, *self.known.words("topics"))
                raise asked.fail(f"`{said}` is no side and no topic of a question", nearest(said, known))
            return
        for key, value in asked.table().items():
            if key == "topic":
                for word in _texts(value):
                    self._word("topics", word)
            elif key == "side":
                self._one_of(value, self.table.sides, "is no side")
            elif key == "kind":
                self._one_of(value, _KINDS, "is no kind of question")
            elif key in ("options", "offers", "lacks", "about", "models", "actors", "things"):
                for word in _texts(value):
                    self._name(word)

    def _then(self, then: Data) -> None:
        for name, stands in then.table().items():
            if not isinstance(stands.node.value, dict):
                raise then.fail(f"`{name}` has {stands.node.value} alone", "say what of it, such as {harm: 1}", name)
            if name != "battle" and not thing_of(name, self.table) and not self._came(_text(name, stands)):
                raise then.fail(f"there is no `{name}`", nearest(name, ("battle", *self.table.things)), name)
            for key, value in stands.table().items():
                section = {"states": "states", "lacks": "states", "counts": "counts", "gone": "how lost"}.get(key)
                if name == "battle":
                    section = {"phase": "phases", "reason": "reasons", "decks": "decks"}.get(key)
                    if key in ("winner", "acting"):
                        self._one_of(value, self.table.sides, "is no side")
                for word in _named(value) if section else ():
                    if key != "gone":
                        self._try(self._word, str(section), word)
                    elif not any(self._is_word(one, word) for one in ("how lost", "left to")):
                        known = ("true", "false", *self.known.words("how lost"), *self.known.words("left to"))
                        raise word.fail(
                            f"`{word.node.value}` is no way to be lost", nearest(str(word.node.value), known)
                        )

    def _shows(self, shows: Data) -> None:
        for label in _keys(shows, "odds"):
            self._word("odds", label)
        for name in _keys(shows, "distances"):
            self._name(name)
        explained = shows.at("explanations") if shows.has("explanations") else None
        for one in _several(explained):
            if isinstance(one.node.value, dict) and one.has("what"):
                self._word("explanations", one.at("what"))
            if isinstance(one.node.value, dict) and one.has("parts"):
                self._labels(one.at("parts"))

    def _sides(self, step: Step) -> None:
        for key in ("by", "seen_by", "undo", "concede", "draw"):
            side = getattr(step.form, key)
            if side and side not in self.table.sides:
                raise step.data.fail(f"there is no side `{side}`", nearest(side, self.table.sides), key)

    # Single words ----------------------------------------------------------------------------------------------------

    def _word(self, section: str, word: Data) -> None:
        value = str(word.node.value)
        if self._is_word(section, word):
            return
        raise word.fail(f"`{value}` {_IS_NO.get(section, 'is no word here')}", self.known.remedy(section, value))

    def _is_word(self, section: str, word: Data) -> bool:
        value = str(word.node.value)
        if section == "outcomes" and any(self.known.has(section, one, self.table) for one in ends_alike(value)):
            return True
        counted = (f"1 {value}", *(["no hit"] if is_none(value) else []))  # of a handful of dice
        if section == "outcomes" and any(self.known.has(section, one, self.table) for one in counted):
            return True
        if section == "decks" and decks_of(value, self.table):
            return True
        return value == NONE or self._came(word, section) or self.known.has(section, value, self.table)

    def _name(self, word: Data) -> None:
        """A name of something on the table, or of something that could come there: `A-mine-1`."""
        value = str(word.node.value)
        if value == NONE or value in self.table.things or value in self.table.sides or self._came(word):
            return
        if any(
            value.startswith((f"{name}-", f"{name}/", f"{name} ")) for name in (*self.table.things, *self.table.sides)
        ):
            return
        stem = re.sub(r"[-/ ][0-9]+[a-z]?$", "", value)  # `smoke-2`: one more of what may come
        if not self.known.is_name(stem, self.table) and not self.known.is_name(value, self.table):
            raise word.fail(f"there is no `{value}`", self._nearest(word))

    def _nearest(self, word: Data) -> str:
        things = [thing.id for thing in self.table.things.values()]
        others = [one for section in ("actions", "weapons", "answers") for one in self.known.listed.get(section, ())]
        return nearest(str(word.node.value), (*self.table.sides, *things, *others))

    def _one_of(self, value: Data, known: Iterable[str], wrong: str) -> None:
        for word in _texts(value) if value.node.value else ():
            _check(word, dict.fromkeys(known), wrong)

    def _came(self, word: Data, section: str = "") -> bool:
        """Whether a word has come up in the events of this battle, as a word of a section or anyhow."""
        if self._seen is None:
            seen = {pair for event in self.events for pair in said(event)}
            for thing in self.table.things.values():
                seen.update(("states", state) for state in thing.states)
                seen.update(("counts", what) for what in thing.counts)
            seen.update((name, text) for text in self.shown for name in ("parts", "explanations", "odds"))
            self._seen = {(name, loose(text)) for name, text in seen} | {("", loose(text)) for _, text in seen}
        return (section, loose(str(word.node.value))) in self._seen


def said(event: Any) -> Iterator[tuple[str, str]]:
    """Every text that an event says, with its section; without one where it is a name or a value."""
    for field in event.__struct_fields__:
        value = getattr(event, field)
        for one in value if isinstance(value, tuple | list) else (value,):
            if isinstance(one, ExplainedPart):
                yield "parts", one.label
            elif isinstance(one, Harm):
                yield "harm", one.what
            elif isinstance(one, str) and one and field != "rule":
                yield SECTION_OF.get((type(event).__name__, field), ""), one


def check_keys(listed: Mapping[str, Mapping[str, str]], table: Table, draft: Data) -> None:
    """Fail where a key of a draft is neither a thing nor an answer, or where an actor does what is no action.

    An action may be called by its id or by what players call it: `assault`, `close assault`."""
    answers, actions = listed.get("answers", {}), listed.get("actions", {})
    known = (*actions, *(IDLE if any(one in actions for one in IDLE) else ()))
    for entry in draft.items() if isinstance(draft.node.value, list) else (draft,):
        for key, value in entry.table().items():
            if key not in answers and key not in table.things:
                models = [thing.id for thing in table.things.values() if thing.kind == "model"]
                raise entry.fail(
                    f"`{key}` is no model here and answers no question", nearest(key, (*answers, *models)), key
                )
            if isinstance(value.node.value, dict) and DO in value.node.value and key not in answers:
                for one, said in value.table().items():
                    if one == DO:
                        value = said
                    elif one not in answers and one.split(" ")[0] not in answers:
                        raise said.fail(f"`{one}` answers no question", nearest(one, answers))
            if key not in answers and actions and not declines(value):
                for word in _texts(value):
                    if loose(str(word.node.value)) not in map(loose, actions.values()):
                        _check(word, known, "is no action")


#: Which words of a set-up may be written otherwise than the ruleset lists them, by the key they stand under.
_SPELT = {"model": "models", "kind": "terrain", "states": "states", "counts": "counts", "options": "options"}


def as_listed(listed: Mapping[str, Mapping[str, str]], start: Data) -> Data:
    """A set-up with its words as the ruleset lists them: `Heavy Woods` is `heavy-woods`."""
    called = {key: {loose(word): str(word) for word in listed.get(section, ())} for key, section in _SPELT.items()}

    def spelt(node: Node, key: str = "") -> Node:
        known = called.get(key, {})

        def right(word: str) -> str:
            return word if word in known.values() else known.get(loose(word), word)

        if isinstance(node.value, dict):
            keys = {right(word) if key != "kind" else word: one for word, one in node.value.items()}
            if len(keys) == len(node.value):
                return Node({word: spelt(one, "" if known else word) for word, one in keys.items()}, node.line)
        elif isinstance(node.value, list):
            return Node([spelt(one, key) for one in node.value], node.line)
        elif isinstance(node.value, str):
            return Node(right(node.value), node.line)
        return node

    return Data(spelt(start.node), start.file, CaseError)


def check_start(known: KnownWords, table: Table, start: Data) -> None:
    """Fail where a model of the set-up has a name that is a key of a step, or a state that says what nothing is."""
    states, answers = known.listed.get("states", {}), known.listed.get("answers", {})
    names = (*table.things, *known.listed.get("weapons", ()))
    for model in (model for side in start.names() if side in table.sides for model in start.items(side)):
        if model.has("as") and model.text_at("as") in answers:
            raise model.fail(f"`{model.text_at('as')}` is a key of a step", "give the model another name", "as")
        said = model.at("states") if model.has("states") else model.listed([])
        for word in _named(said) if states else ():
            _check(word, states, "is no state")
        for state, value in said.table().items() if isinstance(said.node.value, dict) else ():
            if isinstance(value.node.value, dict):
                until = value.text_at("until") if value.has("until") else NONE
                if until != NONE and not known.has("until", until, table):
                    raise value.fail(f"`{until}` is no end of a state", known.remedy("until", until), "until")
                value = value.at("value") if value.has("value") else value
            for word in _texts(value):
                if not all(known.is_name(one, table) for one in re.split(r"[@:]", str(word.node.value))):
                    found = f"`{word.node.value}` is nothing that `{state}` can be"
                    raise word.fail(found, nearest(str(word.node.value), names))
        for word in said.items() if isinstance(said.node.value, list) else ():
            _, needs, form = states.get(word.text_at(), "").partition("{value: ")
            if needs:
                raise word.fail(f"`{word.text_at()}` alone does not say which", f"write {{{word.text_at()}: {form}")


def _several(value: Data | None) -> Iterable[Data]:
    if value is None:
        return ()
    return value.items() if isinstance(value.node.value, list) else (value,)


def _keys(data: Data, key: str) -> Iterable[Data]:
    """The keys of the mapping under a key; none where it says that there are none."""
    if not data.has(key) or not isinstance(data.at(key).node.value, dict):
        return ()
    return _named(data.at(key))


def _named(value: Data) -> Iterator[Data]:
    """The words of a list, or the keys of a mapping, each as a text of its own line."""
    if isinstance(value.node.value, dict):
        for key, one in value.table().items():
            yield _text(key, one)
    else:
        yield from _texts(value)


def _text(word: str, near: Data) -> Data:
    """A key of a mapping as a text with the line of what stands under it."""
    return Data(Node(word, near.line), near.file, CaseError)


def _texts(value: Data) -> Iterator[Data]:
    for one in value.items() if isinstance(value.node.value, list) else (value,):
        if isinstance(one.node.value, str):
            yield one


def _check(word: Data, known: Iterable[str], wrong: str) -> None:
    value = str(word.node.value)
    if value != NONE and loose(value) not in map(loose, known):
        raise word.fail(f"`{value}` {wrong}", nearest(value, known))
