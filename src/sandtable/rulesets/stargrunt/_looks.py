"""How a page shows the states of units and figures, and the markers they carry: a badge each."""

from typing import TypedDict


class Look(TypedDict):
    """One badge: a shape word, or `value` for the letters of the value; without either its own first letters."""

    shape: str
    helps: bool
    words: str


_LOOKS: dict[str, tuple[str, bool, str]] = {
    "confidence": ("value", True, "confidence"),
    "suppression": ("shaken", False, "suppression markers"),
    "in position": ("held", True, "in position"),
    "panicked": ("broken", False, "panicked"),
    "left behind": ("down", False, "left behind"),
    "stabilised": ("", True, "treated"),
    "encumbered": ("", False, "carries too much"),
    "travelling": ("", True, "in column"),
    "suit wrecked": ("broken", False, "suit wrecked"),
    "out of its suit": ("", False, "out of its suit"),
    "immobilised": ("held", False, "cannot move"),
    "systems off-line": ("broken", False, "systems off-line"),
    "set up": ("", True, "weapon set up"),
    "packed": ("", False, "weapon packed"),
}


def looks() -> dict[str, Look]:
    """The states and counts that a page shows, and how.

    >>> looks()["suppression"]["shape"]
    'shaken'
    """
    return {name: Look(shape=shape, helps=helps, words=words) for name, (shape, helps, words) in _LOOKS.items()}
