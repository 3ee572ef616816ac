"""The table in letters, for a terminal: terrain as signs, models as call signs in their side's brackets."""

from collections.abc import Iterator, Mapping

from sandtable.engine.shapes import At, Point
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.drawing.looks import ORDER, look_of
from sandtable.field.drawing.tray import LETTERS
from sandtable.field.drawing.words import Say, heading, model_words
from sandtable.field.ground import level_at, pieces_at

#: The sign of each look; a hill shows its level instead.
SIGNS: dict[str, str] = {
    "open": ".",
    "plain": "?",
    "water": "~",
    "marsh": ",",
    "rough": "^",
    "road": "=",
    "rubble": "%",
    "bridge": "H",
    "light-woods": '"',
    "heavy-woods": "&",
    "wreck": "*",
    "obstruction": "X",
    "structure": "#",
}

#: Sides are told by their brackets, in the order they sit at the table.
_BRACKETS = ("[]", "()", "{}", "<>")
#: How many letters of a name fit on the map.
LONGEST = 6
#: How many times as many lines as columns a map has at the most: a board that is longer is drawn squeezed.
TALLEST = 3


def text_map(table: Table, width: int = 64, *, facings: bool = True, say: Say = str) -> str:
    """The table as lines of text: a map so many columns wide, what its signs mean, and every model in words.

    A column stands for half as much of the table as a line, as letters are twice as high as wide. Squares A1 to H8
    are those of the picture and the log; `say` reads a ruleset's ids out.

    >>> from sandtable.engine.shapes import Disc
    >>> from sandtable.engine.table import Piece
    >>> pond = Piece("pond", "water", Disc(Point(24000, 24000), 12000))
    >>> print(text_map(Table(Ground(48000, 48000, (pond,)), (), turn=1), width=16))
    Turn 1.
       A B C D E F G H
      +----------------+
    1 |................|
    2 |................|
    3 |......~~~~......|
    4 |....~~~~~~~~....|
    5 |....~~~~~~~~....|
    6 |......~~~~......|
    7 |................|
    8 |................|
      +----------------+
    . open  ~ water
    """
    if width < 16:
        raise ValueError(f"a map {width} columns wide cannot be read; give it at least 16")
    ground = table.ground
    high = max(8, min(width * TALLEST, (width * ground.height + ground.width) // (2 * max(1, ground.width))))
    rows, used = _terrain(ground, width, high)
    signs = _signs(table)
    _place_models(table, signs, rows, width, high)
    lines = [heading(table, say), *_framed(rows, width, high), *_legend(used, width + 4)]
    for name, sign in signs.items():
        thing = table.things[name]
        called = [_name(thing)] if _name(thing) != sign[1:-1] else []
        words = model_words(table, thing, brief=True, facings=facings, say=say)
        lines.append(f"{sign} {', '.join([*called, words])}")
    return "\n".join(lines)


def _terrain(ground: Ground, width: int, high: int) -> tuple[list[list[str]], dict[str, str]]:
    """The sign at the middle of each cell, and what the signs used mean."""
    rows, used = [], {".": "open"}
    for row in range(high):
        line = []
        for column in range(width):
            at = Point((2 * column + 1) * ground.width // (2 * width), (2 * row + 1) * ground.height // (2 * high))
            sign, meaning = _sign_at(ground, at)
            used.setdefault(sign, meaning)
            line.append(sign)
        rows.append(line)
    return rows, used


def _sign_at(ground: Ground, at: Point) -> tuple[str, str]:
    here = pieces_at(ground, at)
    if not here:
        return ".", "open"
    top = max(here, key=lambda piece: ORDER.index(look_of(piece)))
    look = look_of(top)
    if look == "hill":
        level = min(9, max(level_at(ground, at), 1 if not top.contours else 0))
        return (str(level), f"hill, level {level}") if level else (".", "open")
    return SIGNS[look], look.replace("-", " ") if look != "plain" else "other ground"


def _name(thing: Thing) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in thing.label or thing.id)


def _short(name: str) -> Iterator[str]:
    """What a name may be cut to, the best first: the call sign it ends with, initials and number, its first letters."""
    head, _, last = name.rpartition(" ")
    if len(name) > LONGEST and last[-1:].isdigit() and len(last) < LONGEST:
        yield "".join(word[0] for word in head.split()) + last if last.isdigit() else last
        yield from (head[:letters] + last for letters in range(2, LONGEST - len(last) + 1))
    yield name[:LONGEST].strip()


def _signs(table: Table) -> dict[str, str]:
    """What stands on the map for each model, in its side's brackets, another for each name where there are enough."""
    signs: dict[str, str] = {}
    meant: dict[str, str] = {}
    sides = {side: n for n, side in enumerate(table.sides)}
    for thing in sorted(table.models(), key=lambda thing: sides.get(thing.side, len(_BRACKETS))):
        name, brackets = _name(thing), _BRACKETS[sides.get(thing.side, -1) % len(_BRACKETS)]
        short = [f"{brackets[0]}{one}{brackets[1]}" for one in _short(name)]
        signs[thing.id] = next((sign for sign in short if meant.setdefault(sign, name) == name), short[-1])
    return signs


def _place_models(table: Table, signs: Mapping[str, str], rows: list[list[str]], width: int, high: int) -> None:
    """Write every model's sign over the terrain, in the nearest free place."""
    ground, taken = table.ground, set[tuple[int, int]]()
    for name, sign in signs.items():
        thing = table.things[name]
        assert isinstance(thing.place, At)
        x, y = thing.place.point
        row = min(high - 1, max(0, y * high // max(1, ground.height)))
        column = min(width - 1, max(0, x * width // max(1, ground.width))) - len(sign) // 2
        column = min(max(0, column), max(0, width - len(sign)))
        for dr, dc in _NEAR:
            cells = [(row + dr, column + dc + k) for k in range(len(sign))]
            if all(0 <= r < high and 0 <= c < width and (r, c) not in taken for r, c in cells):
                taken.update(cells)
                for (r, c), letter in zip(cells, sign, strict=True):
                    rows[r][c] = letter
                break


#: Places to try for a sign, nearest first: one line counts as two columns.
_NEAR = sorted(
    ((dr, dc) for dr in range(-3, 4) for dc in range(-8, 9)), key=lambda step: (abs(step[0]) * 2 + abs(step[1]), step)
)


def _framed(rows: list[list[str]], width: int, high: int) -> list[str]:
    top = [" "] * width
    for k, letter in enumerate(LETTERS):
        top[(2 * k + 1) * width // 16 - (1 if width < 24 else 0)] = letter
    numbers = {(2 * k + 1) * high // 16: str(k + 1) for k in range(8)}
    edge = "  +" + "-" * width + "+"
    body = [f"{numbers.get(index, ' ')} |{''.join(row)}|" for index, row in enumerate(rows)]
    return ["   " + "".join(top).rstrip(), edge, *body, edge]


def _legend(used: dict[str, str], width: int) -> list[str]:
    """What the signs mean, in lines no wider than the map."""
    lines = [""]
    for sign, meaning in used.items():
        entry = f"{sign} {meaning}"
        if lines[-1] and len(lines[-1]) + 2 + len(entry) > width:
            lines.append("")
        lines[-1] += ("  " if lines[-1] else "") + entry
    return lines
