"""The process in which bots think: a question a line comes in, an answer a line goes out.

`python -m sandtable.server.thinker MODULE:FUNCTION`, the function giving the library of rulesets. It ends when nobody
speaks to it any more, so a server that dies leaves none behind.
"""

import contextlib
import os
import signal
import sys
from functools import cache
from typing import BinaryIO

import msgspec

from sandtable.bots import make_bot, reason_of
from sandtable.engine.ruleset import Ruleset
from sandtable.server.library import library
from sandtable.server.thinkers import Thought, Wanted


def thought_of(wanted: Wanted, rules: Ruleset) -> Thought:
    """What a fresh bot answers; the same question and seed give the same answer."""
    bot = make_bot(wanted.bot, rules, wanted.seed, wanted.question.side)
    answer = bot.answer(wanted.view, wanted.question)
    return Thought(answer, reason_of(bot))


def serve(where: str, questions: BinaryIO, answers: BinaryIO) -> None:
    """Answer questions until there are no more."""
    shelf = library(where)
    rules = cache(shelf.ruleset)
    decoder, encode = msgspec.json.Decoder(Wanted), msgspec.json.Encoder().encode
    for line in questions:
        try:
            wanted = decoder.decode(line)
            thought = encode(thought_of(wanted, rules(wanted.ruleset)))
        except Exception as problem:
            thought = encode(Thought(failed=f"{type(problem).__name__}: {problem}"))
        answers.write(thought + b"\n")
        answers.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then hangs up
    # What bots print must not be taken for an answer.
    said = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    with contextlib.suppress(BrokenPipeError):  # the server died while a bot thought
        serve(sys.argv[1], sys.stdin.buffer, said)
