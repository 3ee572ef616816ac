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

Heights are whole levels where a ruleset counts levels, and lengths where it measures them: `height: 1.5` is an inch and
a half. That goes for a piece, its contours and its parts.
"""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from fractions import Fraction
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
    "height": "how high it is, if not as its kind: in whole levels, or where heights are measured in the table's unit, "
    "1.5; so too the level of contours and parts",
    "contours": "of a hill, from the lowest: [{level: 1, circle: [9, 9, 5]}, {level: 2, circle: [9, 9, 3]}]; with none "
    "it rises to its height at once",
    "parts": "named parts of it, [{id: roof, level: 2, rectangle: [1, 1, 2, 2]}]",
}
#: How many pieces a file may put on a board.
MAX_PIECES = 500
#: How long a side of a board may be, in table units: twenty feet in inches, eight in centimetres.
MAX_SIDE = 240
#: How many levels, or table units, a hill may rise, and anything else.
MAX_LEVELS = 20
MAX_HEIGHT = 99
#: How many decimals a number in a file may have.
_MOST_DECIMALS = 15


class TerrainKind(msgspec.Struct, frozen=True):
    """What a ruleset says of a kind of terrain: how high it is by itself, and whether it is built of contours.

    Heights are counted in levels, or measured: then they are lengths in thousandths, and `level` is `UNIT`, how many of
    them a file calls one.
    """

    height: int = 0
    contoured: bool = False
    level: int = 1


Kinds = Mapping[str, TerrainKind]


#: A height as a file gives it: in levels, or in the table's unit with decimals; whole numbers stay whole.
Height = int | Decimal


def _see_plain(*heights: Height | None) -> None:
    """Refuse numbers that no file can hold, such as 1e999999: they come from elsewhere and would swell when written."""
    for one in heights:
        if isinstance(one, Decimal) and not (one.is_finite() and -_MOST_DECIMALS <= int(one.as_tuple().exponent) <= 0):
            raise ValueError("a height such as 2 or 1.5 would do")


class ContourForm(Outlined, frozen=True, kw_only=True):
    """One level of a hill."""

    level: Height
    cliff: bool = False

    def __post_init__(self) -> None:
        _see_plain(self.level)


class PartForm(Outlined, frozen=True, kw_only=True):
    """A named part of a piece, such as a section of a building. It may do without an outline."""

    id: str
    level: Height = 0
    state: str = ""

    def __post_init__(self) -> None:
        _see_plain(self.level)


class PieceForm(Outlined, frozen=True, kw_only=True):
    """A piece of terrain. One with contours takes its outline from the lowest of them if it gives none."""

    kind: str
    id: str = ""
    label: str = ""
    height: Height | None = None
    contours: tuple[ContourForm, ...] = ()
    parts: tuple[PartForm, ...] = ()
    traits: dict[str, Annotated[int, msgspec.Meta(ge=-1_000_000, le=1_000_000)] | str] = {}

    def __post_init__(self) -> None:
        _see_plain(self.height)


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
        Contour(_steps(one.level, kind, fail, "contours", n, "level"), one.shape(fail.under("contours", n)), one.cliff)
        for n, one in enumerate(form.contours)
    )
    given = None if form.height is None else _steps(form.height, kind, fail, "height")
    outline = contours[0].outline if contours and form.bare else form.shape(fail)
    if kind.contoured and not contours:
        contours = (Contour(given or kind.level, outline),)
    if any(one.level > MAX_LEVELS * kind.level for one in contours):
        raise fail(f"the hill has more than {MAX_LEVELS}{' levels' if kind.level == 1 else ''}", "make it lower")
    if kind.level == 1:
        contours = _every_level(contours)
    _check_contours(contours, outline, kind, fail)
    own = contours[-1].level if contours else kind.height
    height = own if given is None else given
    if contours and height != contours[-1].level:
        found = f"the height is {form.height}, the highest contour {as_said(contours[-1].level, kind.level)}"
        raise fail(found, "leave the height out", "height")
    parts = tuple(_part(one, kind, fail.under("parts", n)) for n, one in enumerate(form.parts))
    return Piece(name, form.kind, outline, height, contours, parts, dict(form.traits), form.label)


def _steps(said: Height, kind: TerrainKind, fail: Fail, *path: str | int) -> int:
    """A height of a file as the table has it: levels, or thousandths where heights are measured."""
    found = f"`{path[-1]}` is {said}"
    if said < 0:
        raise fail(found, "at least 0 would do", *path)
    if said > MAX_HEIGHT:
        raise fail(found, f"at most {MAX_HEIGHT} would do", *path)
    steps = Fraction(said) * kind.level
    if steps.denominator != 1:
        whole = "heights are counted in whole levels here: 1 or 2 would do"
        raise fail(found, whole if kind.level == 1 else "a length of three decimals, such as 1.125, would do", *path)
    return steps.numerator


def as_said(steps: int, level: int) -> Height:
    """A height of the table as a file gives it, where so much of it is one level.

    >>> as_said(2, 1), as_said(1500, 1000), as_said(3000, 1000)
    (2, Decimal('1.5'), 3)
    """
    whole, rest = divmod(steps, level)
    return Decimal(steps) / level if rest else whole


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
        if kind.level > 1:
            if contour.level <= (contours[n - 1].level if n else 0):
                found = f"contour {n + 1} rises to {as_said(contour.level, kind.level)}, no higher than what is below"
                raise fail(found, "name them from the lowest", "contours", n, "level")
        elif contour.level != n + 1:
            raise fail(f"contour {n + 1} has the level {contour.level}", f"{n + 1} would do", "contours", n, "level")
        if contour.outline != below and not covers(below, contour.outline):
            found = f"level {as_said(contour.level, kind.level)} does not lie inside the level below"
            raise fail(found, "nest the contours", "contours", n)
        below = contour.outline


def _part(form: PartForm, kind: TerrainKind, fail: Fail) -> Part:
    return Part(form.id, None if form.bare else form.shape(fail), _steps(form.level, kind, fail, "level"), form.state)


def _piece_form(piece: Piece, level: int) -> PieceForm:
    form = PieceForm(
        kind=piece.kind,
        id=piece.id,
        label=piece.label,
        height=as_said(piece.height, level),
        contours=tuple(
            outlined(ContourForm(level=as_said(one.level, level), cliff=one.cliff), one.outline)
            for one in piece.contours
        ),
        parts=tuple(
            outlined(PartForm(id=one.id, level=as_said(one.level, level), state=one.state), one.outline)
            for one in piece.parts
        ),
        traits=dict(piece.traits),
    )
    return outlined(form, piece.outline)
