"""Bots in any language: a program that reads JSON lines from its standard input and writes them to its standard output.

It is told (`tell` names the message) and says (`say` names it), one object a line:

- `sit`: the ruleset and its version, the unit, its side and a seed, once.
- `question`: what is asked, the table as its side knows it, and of a plan its open parts.
- it says `draft`, as often as it likes, and is told a `verdict`: a refusal, or a preview; of a path that goes too far
  also `clipped`, as much of it as may be walked; of a plan its open parts. With `part` the draft is for that part of a
  plan: `answer` is the plan so far and `value` what is tried.
- it says `any`, and is told `any`: an answer that is lawful, drawn by its seed.
- it says `answer`, with a `reason` if it likes. A refused one is told as `refused`, and it answers again.

It ends when its input does. What it writes to standard error is seen.
"""

import shlex
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec

from sandtable.bots.by_name import BotError, make_bot
from sandtable.bots.drafts import Drafts
from sandtable.bots.protocol import Bot, NoAnswer
from sandtable.engine.answers.clipping import clipped
from sandtable.engine.answers.judging import check, offered, open_parts
from sandtable.engine.ids import NO_RULE, NO_SIDE, Side
from sandtable.engine.questions import AnyQuestion, MoveModels, Plan, Refusal
from sandtable.engine.ruleset import Ruleset, View

#: How often a program may be refused at one question, and how long a line of it may be.
MOST_REFUSALS = 20
MOST_LETTERS = 1 << 20


class Said(msgspec.Struct, frozen=True):
    """A line of a program."""

    say: str
    answer: Any = None
    part: str = ""
    value: Any = None
    reason: str = ""


_read = msgspec.json.Decoder(Said).decode
_write = msgspec.json.Encoder().encode


def player(name: str, ruleset: Ruleset, seed: int | str, side: Side = NO_SIDE) -> Bot:
    """A bot by its name, or the program that a name with a slash in it starts, as in `./mybot` or `node ./mybot.js`.

    Only a terminal asks for this: nobody starts programs over the network.
    """
    return ProgramBot(shlex.split(name), ruleset, seed, side) if "/" in name else make_bot(name, ruleset, seed, side)


class ProgramBot:
    """A player that is a program of its own."""

    def __init__(self, command: Sequence[str], ruleset: Ruleset, seed: int | str, side: Side = NO_SIDE) -> None:
        self.name, self.ruleset, self.side = shlex.join(command), ruleset, side
        if shutil.which(command[0]) is None:
            raise BotError(self.name, 0, "there is no such program, or it may not be run", "`chmod +x` it")
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._reason, self._drafts = "", Drafts(ruleset, seed)
        self._tell("sit", ruleset=ruleset.name, version=ruleset.version, unit=ruleset.unit, side=side, seed=str(seed))

    def answer(self, view: View, question: AnyQuestion) -> Any:
        """Ask the program; it may try drafts before it answers."""
        shown = offered(self.ruleset, view, question)
        self._tell("question", question=shown, view=view.table, parts=self._parts(view, question, {}))
        refused: Refusal | None = None
        for _ in range(MOST_REFUSALS):
            said = self._hear()
            while said.say in ("draft", "any"):
                if said.say == "any":
                    self._tell("any", answer=self._drafts.lawful(view, question))
                else:
                    self._tell("verdict", **self._verdict(view, question, said))
                said = self._hear()
            found = check(self.ruleset, view, question, said.answer)
            if not isinstance(found, Refusal):
                self._reason = said.reason
                return said.answer
            refused = found
            self._tell("refused", refusal=refused)
        raise NoAnswer(question, MOST_REFUSALS, refused)

    def reason(self) -> str:
        """Why it answered so, in its own words."""
        return self._reason

    def close(self) -> None:
        """Let the program end."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                with suppress(BrokenPipeError):
                    pipe.close()
        self._process.wait()

    def __del__(self) -> None:
        if hasattr(self, "_process"):
            self.close()

    def _verdict(self, view: View, question: AnyQuestion, said: Said) -> dict[str, Any]:
        """What a draft comes to."""
        draft, parts = said.answer, None
        if isinstance(question, Plan):
            found = open_parts(self.ruleset, view, question, draft)
            if isinstance(found, Refusal):
                return {"refusal": found}
            parts = [part._asdict() for part in found]
            if said.part:
                tried = next((part for part in found if part.id == said.part), None)
                if tried is None:
                    return {"refusal": Refusal(NO_RULE, f"Nothing here asks for {said.part}."), "parts": parts}
                question, draft = tried.question, said.value
        judged = check(self.ruleset, view, question, draft)
        if not isinstance(judged, Refusal):
            return {"refusal": None, "preview": judged.preview(), "parts": parts}
        shorter = clipped(self.ruleset, view, question, draft) if isinstance(question, MoveModels) else None
        return {"refusal": judged, "clipped": shorter, "parts": parts}

    def _parts(self, view: View, question: AnyQuestion, draft: Any) -> Any:
        found = open_parts(self.ruleset, view, question, draft) if isinstance(question, Plan) else None
        return None if found is None or isinstance(found, Refusal) else [part._asdict() for part in found]

    def _tell(self, tell: str, **fields: Any) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(_write({"tell": tell, **fields}) + b"\n")
            self._process.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise self._ended() from None

    def _hear(self) -> Said:
        assert self._process.stdout is not None
        line = self._process.stdout.readline(MOST_LETTERS)
        if not line.endswith(b"\n"):
            raise self._ended()
        try:
            return _read(line)
        except msgspec.DecodeError as problem:
            said = line[:80].decode(errors="replace").strip()
            raise BotError(self.name, 0, f"it says `{said}`: {problem}", 'say {"say": "answer", "answer": …}') from None

    def _ended(self) -> BotError:
        code = self._process.poll()
        ended = "it ended in the middle of the battle" + (f" with {code}" if code else "")
        return BotError(self.name, 0, ended, "see what it wrote to standard error")
