"""The words of a ruleset's cases: what a ruleset brings so that players can write cases in its language.

A ruleset gives them by `case_words()`. Values arrive as `Data`, which knows file and line: `value.fail(found, remedy)`
makes the error to raise when a word is wrong.
"""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.engine.table import Table
from sandtable.forces.data import Data

#: Reads the answer to a question that is not written in the plain form of its kind.
AnswerReader = Callable[[AnyQuestion, Data], Any]

#: Works out a value of the rules: a pure function of the table and of what is asked; gives plain words and numbers.
ValueReader = Callable[[Table, Data], object]


class CaseWords(Protocol):
    """What the runner needs of a ruleset to play its cases."""

    @property
    def ruleset(self) -> Ruleset:
        """The rules that play the case, with the made-up models in their catalogue."""

    def start(self, case: Data) -> Setup:
        """The set-up of a case. `case` holds every key but the runner's own (`ruleset`, `title`, `proves`, `dice`,
        `play`, `notes`): board, the models of each side, `turn` and whatever else the ruleset takes. Models are things
        whose id is their `as`. The battle opens with the question of the model that `turn` names."""

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        """The parts of a plan that `{A: shoot}` or `{A: [stand-up, shoot]}` stands for, by part id, as drafts.

        The other keys of the step fill the remaining parts: the part with that id, else every part whose question has
        that topic."""

    @property
    def answers(self) -> Mapping[str, AnswerReader]:
        """Readers for topics whose answers have a form of their own. Most need none: see `answers.plain_answer`."""

    @property
    def values(self) -> Mapping[str, ValueReader]:
        """The pure functions that `ask:` may call, by name."""

    def vocabulary(self) -> Mapping[str, Mapping[str, str]]:
        """All words with what they mean, by section. The section `answers` must name every key that `do:` may have
        (topics of questions and parts of plans); `actions`, `states`, `counts`, `terrain` and `models` are usual."""
