"""What is said to a worker process and what it answers: one line of JSON each, nothing is ever unpickled.

A worker gets a question with all that its side knows, and works on it: it lets a bot think, or judges a draft. Or it
gets something that a stranger sent, to be read (`readings`). It keeps nothing that it could not do without, so any
worker may be asked, and one that dies is replaced.
"""

from typing import Any

import msgspec

from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import View
from sandtable.engine.table import Ground
from sandtable.server.processes.readings import AnyReading
from sandtable.server.seats.messages import TableShown, Verdict
from sandtable.server.seats.views import table_of, table_shown

#: What a worker says first: it is up.
READY = b"ready\n"
#: How many questions a worker remembers, so that they need not be told again. Both ends count alike.
REMEMBERED = 8


class Context(msgspec.Struct, frozen=True):
    """A question and all that its side knows."""

    ruleset: str
    side: Side
    ground: msgspec.Raw  # apart, so that a worker can tell that it is the same as before
    table: TableShown
    question: AnyQuestion


class Think(msgspec.Struct, frozen=True, tag="think", tag_field="job"):
    """Let a bot think. The seed and the mind (what it kept from the last question) decide what it answers."""

    battle: str
    bot: str
    seed: str
    mind: Any = None


class Judge(msgspec.Struct, frozen=True, tag="judge", tag_field="job"):
    """Judge a draft, and preview it as far as that can be done in time."""

    asks: str
    draft: Any = None
    part: str = ""
    value: Any = None
    seconds: float = 10.0
    wants: tuple[str, ...] = ()


class Task(msgspec.Struct, frozen=True):
    """Something to do: about a question, by a name under which the worker may remember it, or a reading."""

    question: str
    job: Think | Judge | AnyReading
    context: Context | None = None  # none: it was told before


class Thought(msgspec.Struct, frozen=True, tag="thought", tag_field="come"):
    """What a bot answers, why, and what it wants to be told with the next question."""

    answer: Any = None
    reason: str = ""
    mind: Any = None


class Judged(msgspec.Struct, frozen=True, tag="judged", tag_field="come"):
    """What a draft comes to."""

    verdict: Verdict


class Found(msgspec.Struct, frozen=True, tag="found", tag_field="come"):
    """What a reading gives, as JSON."""

    content: msgspec.Raw


class NotServed(msgspec.Struct, frozen=True, tag="not served", tag_field="come"):
    """What is wrong with what was sent: as `Unlawful` says it."""

    why: str
    words: str
    status: int


class Failed(msgspec.Struct, frozen=True, tag="failed", tag_field="come"):
    """Nothing came of it; why."""

    words: str


class Done(msgspec.Struct, frozen=True):
    """What came of a task. A worker that was interrupted trusts nothing it had and has forgotten every question.

    One that ran out of memory ends.
    """

    result: Thought | Judged | Found | NotServed | Failed
    forgot: bool = False
    ends: bool = False


_encode = msgspec.json.Encoder().encode


def context_bytes(ruleset: str, view: View, question: AnyQuestion) -> bytes:
    """A question and all that its side knows, to be told to a worker."""
    ground = msgspec.Raw(_encode(view.table.ground))
    return _encode(Context(ruleset, view.side, ground, table_shown(view.table), question))


def view_of(context: Context, ground: Ground) -> View:
    """The view that a question comes with."""
    return View(context.side, table_of(ground, context.table))
