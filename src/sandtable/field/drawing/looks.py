"""Looks: the few plain ways ground is drawn, whatever a ruleset calls it."""

from sandtable.engine.table import Piece

#: Words for ground, and the look each is drawn in.
LOOKS: dict[str, str] = {
    "open": "open", "hill": "hill", "ridge": "hill", "water": "water", "river": "water", "stream": "water",
    "lake": "water", "pond": "water", "marsh": "marsh", "swamp": "marsh", "bog": "marsh", "rough": "rough",
    "scree": "rough", "rubble": "rubble", "ruins": "rubble", "wreck": "wreck", "road": "road", "track": "road",
    "bridge": "bridge", "woods": "light-woods", "light-woods": "light-woods", "heavy-woods": "heavy-woods",
    "forest": "heavy-woods", "structure": "structure", "building": "structure", "house": "structure",
    "obstruction": "obstruction", "wall": "obstruction", "rocks": "obstruction", "barricade": "obstruction",
}  # fmt: skip

#: The order in which looks lie on each other.
ORDER = (
    "open", "plain", "hill", "water", "marsh", "rough", "road", "rubble", "bridge", "light-woods", "heavy-woods",
    "wreck", "obstruction", "structure",
)  # fmt: skip


#: What one stands on; one stands in everything else.
UNDERFOOT = ("hill", "road", "bridge", "open", "plain")


def look_of(piece: Piece) -> str:
    """How a piece is drawn: one of a few looks, by its kind or a word in it, `plain` for what has none.

    >>> from sandtable.engine.shapes import Disc, Point
    >>> [look_of(Piece("a", kind, Disc(Point(0, 0), 9))) for kind in ("swamp", "tall-building", "goo")]
    ['marsh', 'structure', 'plain']
    >>> look_of(Piece("c", "goo", Disc(Point(0, 0), 9), traits={"look": "water"}))
    'water'
    """
    wanted = str(piece.traits.get("look", piece.kind))
    return next((LOOKS[word] for word in (wanted, *wanted.split("-")) if word in LOOKS), "plain")
