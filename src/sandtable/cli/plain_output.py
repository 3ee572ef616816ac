"""What is printed is text: words of a journal or a file never give a terminal orders."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

from sandtable.engine.plain_words import printed


class PlainOutput:
    """A stream that shows characters a terminal would obey as escapes. Ends of lines and carriage returns are ours."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        """Write a text as it may be shown; gives how much of it was written, as streams do."""
        self._stream.write("\r".join(printed(part) for part in text.split("\r")))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Write several texts."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def plain_output() -> Iterator[None]:
    """Print plainly, to the terminal and to where errors go, for as long as a command runs."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = PlainOutput(sys.stdout), PlainOutput(sys.stderr)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before
