"""How a page shows the states of a model: a shape word for its badge, whether it helps, and the words for it."""

from sandtable.forces.looks import Look, looks_of

_LOOKS: dict[str, tuple[str, bool, str]] = {
    "disabled": ("broken", False, "disabled"),
    "immobile": ("held", False, "immobile"),
    "knockdown": ("down", False, "knocked down"),
    "suppressed": ("shaken", False, "suppressed"),
    "stunned": ("", False, "stunned"),
    "over-watch": ("watching", True, "on over-watch"),
    "target-lock": ("locked", True, "has a target lock"),
    "locked": ("held", False, "locked in close combat"),
    "failed break": ("", False, "failed to break from close combat"),
    "out of ammo": ("", False, "out of ammunition"),
    "mission-kill": ("", False, "must leave the table"),
    "abandoned": ("broken", False, "abandoned"),
    "in flight": ("", True, "in flight"),
}


def looks() -> dict[str, Look]:
    """The states that a page shows, and how.

    >>> looks()["knockdown"]["shape"]
    'down'
    """
    return looks_of(_LOOKS)
