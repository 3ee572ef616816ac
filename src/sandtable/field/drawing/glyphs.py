"""The stencils: shapes for types, states and sides, each under a plain word that a catalogue may pick.

Model types fill a box of 24; states are lines in a box of 20 around the origin. What has no stencil gets two letters.
"""

#: Model types.
TYPES: dict[str, str] = {
    "walker": (
        "M9.6 1.8h4.8l1.2 3.6H8.4zM7 6.2h10l-1.2 6.2-2.2 1.8h-3.2l-2.2-1.8zM1.6 5.4h4.2v9.2H1.6zM18.2 5.4h4.2v9.2h-4.2z"
        "M5.8 8h1.7v2.4H5.8zM16.5 8h1.7v2.4h-1.7zM9.4 15.2h2l-.6 2.2-2.6 1.8.8 2.6h.8V24h-6v-2.2h1.8l-1-3.4z"
        "M14.6 15.2h-2l.6 2.2 2.6 1.8-.8 2.6h-.8V24h6v-2.2h-1.8l1-3.4z"
    ),
    "tracked": (
        "M8 4.6h7.4l1.2 4.2H6.4zM16.6 5.4h6v2h-5.4zM3 10h18l1.2 3.2H1.8zM4.4 14.4h15.2a3.3 3.3 0 0 1 0 6.6H4.4"
        "a3.3 3.3 0 0 1 0-6.6zM5 16.6v2.2h2.2v-2.2zM10.9 16.6v2.2h2.2v-2.2zM16.8 16.6v2.2H19v-2.2z"
    ),
    "foot": "M12 1.8a2.9 2.9 0 1 1-.01 0zM8 8.6h8l1.6 7h-2.2L14.8 23h-2.2v-6h-1.2v6H9.2l-.6-7.4H6.4z",
    "gun": (
        "M2.2 13.2l14.4-9 1.6 2.6-14.4 9zM10 13.6a4.6 4.6 0 1 1-.01 0zM10 16.4a1.8 1.8 0 1 0 .01 0z"
        "M14.8 15.4l7.4 4.8-1.2 2-7.2-4z"
    ),
    "flyer": "M12 1.6l1.8 6.2 8 5.2v2.4l-8-1.8-.6 4 2.4 2v1.4H8.4v-1.4l2.4-2-.6-4-8 1.8V13l8-5.2z",
    "carrier": (
        "M1.8 6h11.4v9.4H1.8zM14.4 8.4h4.2l3.6 4v3h-7.8zM6 16.6a2.8 2.8 0 1 1-.01 0zM17.6 16.6a2.8 2.8 0 1 1-.01 0z"
    ),
    "wheeled": (
        "M5.4 5h9.2l1.4 3.4h5.6l.8 2H16.2l4.6 1.2V16h-1.2a3.2 3.2 0 0 0-6.2 0h-2.8a3.2 3.2 0 0 0-6.2 0H2.2v-4.6z"
        "M7.5 14.4a2.4 2.4 0 1 1-.01 0zM16.5 14.4a2.4 2.4 0 1 1-.01 0z"
    ),
    "command": "M12 2l2.9 6.3 6.7.7-5 4.6 1.4 6.7-6-3.4-6 3.4 1.4-6.7-5-4.6 6.7-.7z",
    "beast": (
        "M3 9.4c2.4-3 6-3.6 9-2.6l3.4-3.6 1 2.6 3.8 1.6.8 2.8-3.6 1.2-1.4 3.2 1.2 6h-2.4l-1.8-5.4H9l-2 5.4H4.6"
        "l.8-7.2-3.8 1.8z"
    ),
    "unknown": (
        "M7.4 8.4C7.4 5 9.4 3 12.2 3c3 0 5 1.9 5 4.6 0 3.6-3.7 4-3.7 7h-3.2c0-4.6 3.6-4.8 3.6-7 0-1.1-.7-1.8-1.8-1.8"
        "s-1.9.9-1.9 2.6zM10.2 17h3.4v3.4h-3.4z"
    ),
}

#: States that have a sign.
STATES: dict[str, str] = {
    "shaken": "M-4.5 3.5L-1.5-4 1.5 3.5 4.5-4",
    "watching": "M-5.5 0Q0-5.5 5.5 0Q0 5.5-5.5 0ZM0-1.6a1.6 1.6 0 1 0 .01 0Z",
    "locked": "M-5.5 0H5.5M0-5.5V5.5M3.2 0a3.2 3.2 0 1 0-6.4 0a3.2 3.2 0 1 0 6.4 0Z",
    "down": "M-5 3.5H5M0-5V1M-3-2L0 1.4 3-2",
    "held": "M-3.4-1V-2.2a3.4 3.4 0 0 1 6.8 0V-1M-4.6-1H4.6V4.6H-4.6Z",
    "broken": "M1.5-5.5L-3.5 1H.5L-1.5 5.5 3.8-1.6H0Z",
    "hidden": "M-5 4L5-4M-5.5 0Q0-5.5 5.5 0Q0 5.5-5.5 0Z",
}

#: States that help who has them are drawn light; what hinders is dark.
HELPFUL = ("watching", "hidden")

#: Words of states that change the model itself, not only its badges.
DOWN, ACTED = "down", "acted"

#: Words of states for parts of a piece.
HARMED, DESTROYED = "harmed", "destroyed"


def cloth(side: str, wide: int) -> str:
    """The flag of a side, each with its own cut, 16.5 pixels high and so wide.

    >>> cloth("blue", 28)
    'M0 0H26V16.5H0Z'
    """
    if side == "red":
        return f"M0 0H{wide}L{wide - 5} 8.25L{wide} 16.5H0Z"
    if side == "green":
        return f"M0 0H{wide - 9}a8.25 8.25 0 0 1 0 16.5H0Z"
    if side == "grey":
        return f"M0 0L{wide + 2} 5V11.5L0 16.5Z" if wide <= 28 else f"M0 0L{wide + 4} 3V13.5L0 16.5Z"
    return f"M0 0H{wide - 2}V16.5H0Z"


def letters(name: str) -> str:
    """Two letters for what has no stencil: the first of two words, or of one.

    >>> letters("over-watch"), letters("pinned"), letters("")
    ('OW', 'PI', '')
    """
    words = [word for word in name.replace("-", " ").replace("_", " ").split() if word]
    if len(words) > 1:
        return (words[0][0] + words[1][0]).upper()
    return words[0][:2].upper() if words else ""
