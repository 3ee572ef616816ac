"""How a page shows the states of a thing: a shape word for its badge, whether it helps, and the words for it."""

from collections.abc import Mapping
from typing import TypedDict


class Look(TypedDict):
    """One badge: a shape word, or `value` for the letters of the value; without either its own first letters."""

    shape: str
    helps: bool
    words: str


def looks_of(rows: Mapping[str, tuple[str, bool, str]]) -> dict[str, Look]:
    """The looks of states from a table of shape word, whether it helps, and words.

    >>> looks_of({"knockdown": ("down", False, "knocked down")})["knockdown"]["shape"]
    'down'
    """
    return {state: Look(shape=shape, helps=helps, words=words) for state, (shape, helps, words) in rows.items()}
