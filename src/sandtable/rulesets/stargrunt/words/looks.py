"""How a page shows the states of units and figures, and what players call the things rules have ids for."""

from sandtable.forces.looks import Look, looks_of
from sandtable.rulesets.stargrunt import book

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
    "activated": ("", False, "has acted this turn"),
    "destroyed": ("broken", False, "destroyed"),
    "down": ("down", False, "down in close combat"),
    "prisoner of": ("locked", False, "taken prisoner"),
    "element of": ("", True, "a detached element"),
    "abandoned wounded": ("shaken", False, "has abandoned wounded"),
    "face up": ("watching", False, "identified"),
}

#: Confidence Levels, states, actions and terrain as players say them.
WORDS: dict[str, str] = {
    **{kind: kind.replace("-", " ") for kind in book.KINDS},
    **{action.id: action.label.lower() for action in book.ACTIONS.values()},
    **{state: words for state, (_, _, words) in _LOOKS.items()},
    "CO": "Confident",
    "ST": "Steady",
    "SH": "Shaken",
    "BR": "Broken",
    "RO": "Routed",
    "leadership": "Leadership Value",
    "strength": "figures it counts as whole",
    "assault casualties": "casualties of the assault",
    "held by": "held by",
    "faces": "fights",
    "fired": "has fired",
    "fired upon by": "has been fired on by",
    "panic done": "past its panic",
    "first suppression done": "under fire for the first time",
    "finished": "activates nobody more this turn",
    "transfers": "has tried to transfer to",
    "elements tried": "has tried to activate",
    "leader": "led by",
    "small-arms": "small arms",
    "left the table": "off the table",
    "harrow_rifles": "Harrow Rifles",
    "dust_road_militia": "Dust Road Militia",
    "prisoner of": "prisoner of",
}

#: States that rules keep for themselves, or that they end, and ways to leave the table that go without saying: the
#: lines around them tell as much.
NOTES = (
    "activated",
    "assault casualties",
    "called by",
    "elements tried",
    "face up",
    "fired",
    "fired upon by",
    "first suppression done",
    "flown",
    "it was a dummy",
    "it was the target",
    "its figures are placed",
    "its figures stand for it",
    "just come in",
    "left the table",
    "markers",
    "not abandoned wounded",
    "not down",
    "not faces",
    "not finished",
    "not inbound",
    "not under fire",
    "not warhead",
    "panic done",
    "passed",
    "piece fired",
    "rounds",
    "transfers",
)


def looks() -> dict[str, Look]:
    """The states that a page shows, and how.

    >>> looks()["in position"]["helps"]
    True
    """
    return looks_of(_LOOKS)
