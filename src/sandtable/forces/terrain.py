"""Boards and terrain as files write them, and the ground of the engine they make.

```yaml
board:
  width: 48
  height: 48
  terrain:
    - {kind: light-woods, circle: [20, 40, 3]}
    - {kind: structure, rectangle: [10, 10, 4, 2, 30], height: 2}
    - {kind: road, band: {points: [[0, 24], [48, 24]], width: 2}}
    - {kind: hill, contours: [{level: 1, circle: [30, 20, 5]}, {level: 2, circle: [30, 20, 3], cliff: true}]}
```

Scenarios and conformance cases share this form. What a kind of terrain is belongs to the ruleset: it names its kinds,
how high each rises unless the file says otherwise, and whether it is built of contours.
"""

from collections.abc import Iterable, Mapping
from typing import Annotated, Literal

import msgspec

from sandtable.engine.ids import PieceId
from sandtable.engine.shapes import UNIT, Shape
from sandtable.engine.table import Contour, Ground, Part, Piece
from sandtable.field.ground import box_of, boxes_meet
from sandtable.field.measure import covers
from sandtable.forces.files import nearest
from sandtable.forces.outlines import Outlined, outlined
from sandtable.forces.reading import Fail, Length

#: How a piece of terrain is written, beside its outline.
PIECE_KEYS = {
    "kind": "what it is: one of the kinds of terrain",
    "circle": "[x, y, radius]: its outline; one of these four",
    "rectangle": "[x, y, width, height], and if you like by how many degrees it is turned",
    "polygon": "[[x, y], …]",
    "band": "{points: [[x, y], …], width: 2}, for roads and rivers",
    "id": "its name",
    "label": "what players call it",
    "height": "how high it is, if not as its kind: in levels, or in the table's unit where heights are measured",
    "contours": "of a hill, from the lowest: [{level: 1, circle: [9, 9, 5]}, {level: 2, circle: [9, 9, 3]}]; with none "
    "it rises to its height at once",
    "parts": "named parts of it, [{id: roof, level: 2, rectangle: [1, 1, 2, 2]}]",
}
#: How many pieces a file may put on a board.
MAX_PIECES = 500
#: How long a side of a board may be, in table units: twenty feet in inches, eight in centimetres.
MAX_SIDE = 240
#: How many levels a hill may rise.
MAX_LEVELS = 20


class TerrainKind(msgspec.Struct, frozen=True):
    """What a ruleset says of a kind of terrain: how high it is by itself, and whether it is built of contours.

    Where heights are measured, `level` is how many of its steps a file calls one: thousandths of an inch.
    """

    height: int = 0
    contoured: bool = False
    level: int = 1


Kinds = Mapping[str, TerrainKind]


Level = Annotated[int, msgspec.Meta(ge=0, le=99)]


class ContourForm(Outlined, frozen=True, kw_only=True):
    """One level of a hill."""

    level: Level
    cliff: bool = False


class PartForm(Outlined, frozen=True, kw_only=True):
    """A named part of a piece, such as a section of a building. It may do without an outline."""

    id: str
    level: Level = 0
    state: str = ""


class PieceForm(Outlined, frozen=True, kw_only=True):
    """A piece of terrain. One with contours takes its outline from the lowest of them if it gives none."""

    kind: str
    id: str = ""
    label: str = ""
    height: Level | None = None
    contours: tuple[ContourForm, ...] = ()
    parts: tuple[PartForm, ...] = ()
    traits: dict[str, Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)] | str] = {}


class BoardForm(msgspec.Struct, frozen=True):
    """A board: its size, and its terrain piece by piece, or `random` by the rules of the ruleset."""

    width: Length
    height: Length
    terrain: Literal["random"] | tuple[PieceForm, ...] = ()


def ground_of(board: BoardForm, kinds: Kinds, fail: Fail) -> Ground:
    """The ground that a board describes; a random one is bare, for the ruleset to fill."""
    for side in ("width", "height"):
        if getattr(board, side) < UNIT:
            raise fail(f"the {side} of the board is less than 1", "a board of 48 by 48 would do", side)
        if getattr(board, side) > MAX_SIDE * UNIT:
            raise fail(f"the {side} of the board is more than {MAX_SIDE}", "a board of 48 by 48 would do", side)
    if isinstance(board.terrain, str):
        return Ground(board.width, board.height)
    if len(board.terrain) > MAX_PIECES:
        raise fail(f"there are {len(board.terrain)} pieces of terrain", f"at most {MAX_PIECES} would do", "terrain")
    names = _names(board.terrain, fail)
    pieces = []
    for n, (form, name) in enumerate(zip(board.terrain, names, strict=True)):
        piece = _piece(form, PieceId(name), kinds, fail.under("terrain", n))
        if not boxes_meet(box_of(piece.outline), (0, 0, board.width, board.height)):
            raise fail(f"`{name}` lies wholly off the board", "move it onto the board", "terrain", n)
        pieces.append(piece)
    return Ground(board.width, board.height, tuple(pieces))


def board_of(ground: Ground, level: int = 1) -> BoardForm:
    """The form of a ground, as a file can hold it: `ground_of` gives the same ground again.

    >>> from sandtable.engine.shapes import Disc, Point
    >>> wood = Piece("w", "wood", Disc(Point(5000, 5000), 3000), height=3, label="Copse")
    >>> board_of(Ground(9000, 9000, (wood,))).terrain[0].circle
    Circle(x=5000, y=5000, radius=3000)
    """
    return BoardForm(ground.width, ground.height, tuple(_piece_form(piece, level) for piece in ground.pieces))


def _names(forms: Iterable[PieceForm], fail: Fail) -> list[str]:
    """The id of each piece; one without gets its kind and the next free number."""
    forms = list(forms)
    taken: dict[str, int] = {}
    for n, form in enumerate(forms):
        if form.id in taken:
            raise fail(f"two pieces have the id `{form.id}`", "give each its own", "terrain", n, "id")
        if form.id:
            taken[form.id] = n
    names, next_of = [], dict.fromkeys((form.kind for form in forms), 1)
    for form in forms:
        name = form.id
        while not name or (not form.id and name in taken):
            name = PieceId(f"{form.kind}-{next_of[form.kind]}")
            next_of[form.kind] += 1
        names.append(name)
    return names


def _piece(form: PieceForm, name: PieceId, kinds: Kinds, fail: Fail) -> Piece:
    kind = kinds.get(form.kind)
    if kind is None:
        raise fail(f"there is no terrain `{form.kind}`", nearest(form.kind, kinds), "kind")
    contours = tuple(
        Contour(one.level, one.shape(fail.under("contours", n)), one.cliff) for n, one in enumerate(form.contours)
    )
    outline = contours[0].outline if contours and form.bare else form.shape(fail)
    if kind.contoured and not contours:
        contours = (Contour(form.height or 1, outline),)
    if any(one.level > MAX_LEVELS for one in contours):
        raise fail(f"the hill has more than {MAX_LEVELS} levels", "make it lower")
    contours = _every_level(contours)
    _check_contours(contours, outline, kind, fail)
    own = contours[-1].level if contours else kind.height
    height = own if form.height is None else form.height * kind.level
    if contours and height != contours[-1].level:
        raise fail(
            f"the height is {height}, the highest contour {contours[-1].level}", "leave the height out", "height"
        )
    parts = tuple(_part(one, fail.under("parts", n)) for n, one in enumerate(form.parts))
    return Piece(name, form.kind, outline, height, contours, parts, dict(form.traits), form.label)


def _every_level(contours: tuple[Contour, ...]) -> tuple[Contour, ...]:
    """Contours with those that were left out between two: where a hill rises several levels at once they coincide."""
    found: list[Contour] = []
    for one in contours:
        found += [Contour(level, one.outline, one.cliff) for level in range(len(found) + 1, one.level)]
        found.append(one)
    return tuple(found)


def _check_contours(contours: tuple[Contour, ...], outline: Shape, kind: TerrainKind, fail: Fail) -> None:
    if contours and not kind.contoured:
        raise fail("terrain of this kind has no contours", "give its `height`", "contours")
    below = outline
    for n, contour in enumerate(contours):
        if contour.level != n + 1:
            raise fail(f"contour {n + 1} has the level {contour.level}", f"{n + 1} would do", "contours", n, "level")
        if contour.outline != below and not covers(below, contour.outline):
            raise fail(f"level {n + 1} does not lie inside the level below", "nest the contours", "contours", n)
        below = contour.outline


def _part(form: PartForm, fail: Fail) -> Part:
    return Part(form.id, None if form.bare else form.shape(fail), form.level, form.state)


def _piece_form(piece: Piece, level: int) -> PieceForm:
    form = PieceForm(
        kind=piece.kind,
        id=piece.id,
        label=piece.label,
        height=piece.height // level,
        contours=tuple(outlined(ContourForm(level=one.level, cliff=one.cliff), one.outline) for one in piece.contours),
        parts=tuple(
            outlined(PartForm(id=one.id, level=one.level, state=one.state), one.outline) for one in piece.parts
        ),
        traits=dict(piece.traits),
    )
    return outlined(form, piece.outline)
