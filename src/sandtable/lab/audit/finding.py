"""What an audit finds."""

from typing import NamedTuple


class Finding(NamedTuple):
    """Where something is wrong, and why: a line of a module, or a line of a journal.

    >>> str(Finding("dice.py", 7, "a float decides"))
    'dice.py:7: a float decides'
    """

    file: str
    line: int
    why: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line}: {self.why}"
