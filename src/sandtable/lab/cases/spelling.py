"""Words of a case that would go unnoticed if they were misspelt: a state that must be lacking, an action in a refusal.

A word is right where the ruleset's vocabulary has it. States may also be right by having been seen in the battle, so
that a vocabulary which forgets one does no harm. A section that a vocabulary does not have is not checked.
"""

from collections.abc import Iterator, Mapping, Sequence

from sandtable.engine.events import StateChanged
from sandtable.engine.journal import Happened, Line
from sandtable.engine.table import Table
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, Node, nearest
from sandtable.lab.cases.answers import declines
from sandtable.lab.cases.form import Step
from sandtable.lab.cases.matching import NONE

Vocabulary = Mapping[str, Mapping[str, str]]


def check_keys(words: Vocabulary, table: Table, draft: Data) -> None:
    """Fail where a key of a draft is neither a thing nor an answer, or where an actor does what is no action."""
    answers, actions = words.get("answers", {}), words.get("actions", {})
    for entry in draft.items() if isinstance(draft.node.value, list) else (draft,):
        for key, value in entry.table().items():
            if key not in answers and key not in table.things:
                models = [thing.id for thing in table.things.values() if thing.kind == "model"]
                raise entry.fail(
                    f"`{key}` is no model here and answers no question", nearest(key, (*answers, *models)), key
                )
            if key not in answers and actions and not declines(value):
                for word in _texts(value):
                    _check(word, actions, "is no action")


def check_start(words: Vocabulary, start: Data) -> None:
    """Fail where a model of the set-up has a state that the ruleset does not know."""
    states = words.get("states", {})
    for part in start.table().values() if states else ():
        for model in part.items() if isinstance(part.node.value, list) else ():
            if isinstance(model.node.value, dict) and model.has("states"):
                for word in _named(model.at("states")):
                    _check(word, states, "is no state")


def check_states(words: Vocabulary, table: Table, lines: Sequence[Line], step: Step) -> None:
    """Fail where a step speaks of a state that the ruleset does not know and the battle has not seen."""
    states = words.get("states", {})
    if not states:
        return
    seen = {state for thing in table.things.values() for state in thing.states}
    seen.update(line.event.state for line in lines if isinstance(line, Happened) and type(line.event) is StateChanged)
    known = dict.fromkeys((*states, *sorted(seen)))
    for word in _states_of(step):
        _check(word, known, "is no state")


def _states_of(step: Step) -> Iterator[Data]:
    for item in (*step.form.expect, *step.form.expect_not):
        if isinstance(item.node.value, dict) and item.has("state"):
            yield from _texts(item.at("state"))
    if step.form.then is not None:
        for thing in step.form.then.table().values():
            for key in ("states", "lacks"):
                if isinstance(thing.node.value, dict) and thing.has(key):
                    yield from _named(thing.at(key))


def _named(value: Data) -> Iterator[Data]:
    """The words of a list, or the keys of a mapping, each as a text of its own line."""
    if isinstance(value.node.value, dict):
        for key, one in value.table().items():
            yield Data(Node(key, one.line), value.file, CaseError)
    else:
        yield from _texts(value)


def _texts(value: Data) -> Iterator[Data]:
    for one in value.items() if isinstance(value.node.value, list) else (value,):
        if isinstance(one.node.value, str):
            yield one


def _check(word: Data, known: Mapping[str, object], wrong: str) -> None:
    value = str(word.node.value)
    if value != NONE and value not in known:
        raise word.fail(f"`{value}` {wrong}", nearest(value, known))
