"""Looks: the few plain ways ground is drawn, whatever a ruleset calls it."""

from sandtable.engine.table import Piece

#: Words for ground, and the look each is drawn in.
LOOKS: dict[str, str] = {
    "open": "open", "hill": "hill", "ridge": "hill", "water": "water", "river": "water", "stream": "water",
    "lake": "water", "pond": "water", "marsh": "marsh", "swamp": "marsh", "bog": "marsh", "rough": "rough",
    "scree": "rough", "rubble": "rubble", "ruins": "rubble", "wreck": "wreck", "road": "road", "track": "road",
    "bridge": "bridge", "woods": "light-woods", "light-woods": "light-woods", "heavy-woods": "heavy-woods",
    "forest": "heavy-woods", "structure": "structure", "building": "structure", "house": "structure",
    "obstruction": "obstruction", "wall": "obstruction", "rocks": "obstruction",
}  # fmt: skip

#: The order in which looks lie on each other.
ORDER = (
    "open", "plain", "hill", "water", "marsh", "rough", "road", "rubble", "bridge", "light-woods", "heavy-woods",
    "wreck", "obstruction", "structure",
)  # fmt: skip


#: What one stands on; one stands in everything else.
UNDERFOOT = ("hill", "road", "bridge", "open", "plain")


def look_of(piece: Piece) -> str:
    """How a piece is drawn: one of a few looks, `plain` for what has none.

    >>> from sandtable.engine.shapes import Disc, Point
    >>> look_of(Piece("a", "swamp", Disc(Point(0, 0), 9))), look_of(Piece("b", "goo", Disc(Point(0, 0), 9)))
    ('marsh', 'plain')
    >>> look_of(Piece("c", "goo", Disc(Point(0, 0), 9), traits={"look": "water"}))
    'water'
    """
    wanted = piece.traits.get("look", piece.kind)
    return LOOKS.get(str(wanted), "plain")
