"""The tray: a wooden rim with squares A to H and 1 to 8 and a tick a unit, and the sand in it."""

from sandtable.engine.ids import Side
from sandtable.engine.shapes import Point
from sandtable.field.drawing.ink import element, moved, num
from sandtable.field.drawing.sketch import Sketch
from sandtable.field.drawing.texture import Grains
from sandtable.field.edges import Edge

LETTERS = "ABCDEFGH"

#: Lit and hollow stretches of sand: middle, size (in thousandths of the board), turn.
_DUNES = (
    ("dune", 645, 105, 290, 62, -8), ("dune", 105, 560, 62, 250, 12), ("dune", 520, 690, 230, 62, -20),
    ("dune", 917, 895, 187, 62, -14), ("hollow", 417, 938, 270, 62, 6), ("hollow", 208, 62, 208, 62, -6),
    ("hollow", 958, 167, 83, 230, 14), ("hollow", 688, 667, 146, 62, -24), ("hollow", 83, 437, 125, 42, -20),
)  # fmt: skip

_EDGES = tuple(Edge)


def tray(sketch: Sketch, ticks: bool, homes: dict[str, Side]) -> list[str]:
    """The rim. Without ticks nobody can measure by eye; the squares stay, for they are how a table is spoken of."""
    of, width, height = sketch.of, sketch.table.ground.width, sketch.table.ground.height
    rim = of(1600)
    parts = [
        element("rect", "rim", x=-rim, y=-rim, width=width + 2 * rim, height=height + 2 * rim, rx=of(500)),
        element(
            "rect", "rim-lit", x=of(-1500), y=of(-1500), width=width + of(3000), height=height + of(3000), rx=of(420)
        ),
    ]
    if ticks:
        parts += _ticks(sketch)
    parts += _squares(sketch)
    for edge, side in homes.items():
        parts += _home(sketch, edge, side)
    for x, y, sx, sy in ((-rim, -rim, 1, 1), (width + rim, -rim, -1, 1), (-rim, height + rim, 1, -1)):
        parts.append(_bracket(sketch, x, y, sx, sy))
    parts.append(_bracket(sketch, width + rim, height + rim, -1, -1))
    return parts


def _ticks(sketch: Sketch) -> list[str]:
    of, width, height = sketch.of, sketch.table.ground.width, sketch.table.ground.height
    # A tick a unit, unless they would stand closer than a reader can tell apart.
    step = 1000
    while step * 4 < sketch.grain * 3:
        step *= 10 if step in (1000, 10000) and step * 5 < sketch.grain else 5 if step % 5 else 2
    short: list[str] = []
    long: list[str] = []
    for span, far, across in ((width, height, False), (height, width, True)):
        eighths = {span * k // 8 for k in range(9)}
        for here in sorted({*range(0, span + 1, step), *eighths}):
            reach = of(620) if here in eighths else of(260)
            marks = long if here in eighths else short
            for edge, way in ((-of(340), -reach), (far + of(340), reach)):
                x, y = (edge, here) if across else (here, edge)
                marks.append(f"M{num(x)} {num(y)}{'h' if across else 'v'}{num(way)}")
    return [element("path", "rim-tick", d="".join(short)), element("path", "rim-long", d="".join(long))]


def _squares(sketch: Sketch) -> list[str]:
    of, width, height = sketch.of, sketch.table.ground.width, sketch.table.ground.height
    parts = []
    for k in range(8):
        x, y = (2 * k + 1) * width // 16, (2 * k + 1) * height // 16
        for at, words in (
            (Point(x, -of(920)), LETTERS[k]),
            (Point(x, height + of(920)), LETTERS[k]),
            (Point(-of(950), y), str(k + 1)),
            (Point(width + of(950), y), str(k + 1)),
        ):
            parts.append(sketch.text(at, words, "rim-name"))
    return parts


def _home(sketch: Sketch, edge: str, side: Side) -> list[str]:
    """A strip in a side's colour and pattern along its edge of the board."""
    if edge not in _EDGES:
        raise ValueError(f"a board has no {edge!r} edge; it has {', '.join(_EDGES)}")
    width, height, thick, look = (
        sketch.table.ground.width,
        sketch.table.ground.height,
        sketch.of(300),
        sketch.side(side),
    )
    x, y, wide, high = {
        "north": (0, -thick, width, thick),
        "south": (0, height, width, thick),
        "west": (-thick, 0, thick, height),
        "east": (width, 0, thick, height),
    }[edge]
    pattern = sketch.name("p")
    sketch.defs.append(_pattern(sketch, pattern, look))
    return [
        element("rect", f"home-{look}", x=x, y=y, width=wide, height=high),
        element("rect", "", x=x, y=y, width=wide, height=high, fill=f"url(#{pattern})"),
    ]


def _pattern(sketch: Sketch, name: str, look: str) -> str:
    """Diagonals, bars, dots or lattice: a side is told by more than its colour."""
    gap, of = {"red": 420, "blue": 300, "green": 300, "grey": 420}[look], sketch.of
    size = of(gap)
    bar = element("rect", "", width=of(170) if look == "red" else size, height=size if look == "red" else of(110))
    inner = {
        "red": bar,
        "blue": bar,
        "green": element("circle", "", cx=size // 2, cy=size // 2, r=of(80)),
        "grey": element("path", "", d=f"M0 0H{num(size)}V{num(of(70))}H{num(of(70))}V{num(size)}H0Z"),
    }[look]
    turn = "rotate(45)" if look in ("red", "grey") else None
    filled = element("g", "", inner, fill="#fff", fill_opacity=".43")
    return element(
        "pattern", "", filled, id=name, width=size, height=size, patternUnits="userSpaceOnUse", patternTransform=turn
    )


def _bracket(sketch: Sketch, x: int, y: int, sx: int, sy: int) -> str:
    of = sketch.of
    corner = (
        f"M0 {num(of(500))}Q0 0 {num(of(500))} 0H{num(of(2500))}L{num(of(2100))} {num(of(950))}H{num(of(1150))}"
        f"Q{num(of(950))} {num(of(950))} {num(of(950))} {num(of(1150))}V{num(of(2100))}L0 {num(of(2500))}Z"
    )
    return element(
        "g",
        "",
        element("path", "bracket", d=corner),
        element("circle", "screw", cx=of(1750), cy=of(480), r=of(130)),
        element("circle", "screw", cx=of(480), cy=of(1750), r=of(130)),
        transform=f"{moved(x, y)} scale({sx} {sy})",
    )


def sand(sketch: Sketch) -> list[str]:
    """The sand: its colour, a few dunes, and grains that lie the same every time."""
    width, height, of, ids = sketch.table.ground.width, sketch.table.ground.height, sketch.of, sketch.ids
    sketch.defs += [_gradient(f"{ids}-{name}", name) for name in ("dune", "hollow")]
    grains, tile = Grains("sand"), of(9000)
    dots = "".join(
        element("circle", "grain-dot", cx=grains.below(tile), cy=grains.below(tile), r=of(grains.between(18, 52)),
                opacity=num(grains.between(20, 70) * 10))
        for _ in range(150)
    )  # fmt: skip
    sketch.defs.append(
        element("pattern", "", dots, id=f"{ids}-grain", width=tile, height=tile, patternUnits="userSpaceOnUse")
    )
    parts = [element("rect", "sand", width=width, height=height)]
    for name, cx, cy, rx, ry, turn in _DUNES:
        x, y = width * cx // 1000, height * cy // 1000
        parts.append(
            element("ellipse", "", cx=x, cy=y, rx=width * rx // 1000, ry=height * ry // 1000,
                    fill=f"url(#{ids}-{name})", transform=f"rotate({turn} {num(x)} {num(y)})")
        )  # fmt: skip
    parts.append(element("rect", "", width=width, height=height, fill=f"url(#{ids}-grain)"))
    return parts


def _gradient(name: str, looks: str) -> str:
    stops = element("stop", f"{looks}-in", offset="0") + element("stop", f"{looks}-out", offset="1")
    return element("radialGradient", "", stops, id=name)


def crosses(sketch: Sketch) -> str:
    """Small crosses where the squares meet: they vanish with the ticks."""
    width, height, arm = sketch.table.ground.width, sketch.table.ground.height, sketch.of(300)
    d = ""
    for column in range(1, 8):
        for row in range(1, 8):
            x, y = width * column // 8, height * row // 8
            d += f"M{num(x - arm)} {num(y)}h{num(2 * arm)}M{num(x)} {num(y - arm)}v{num(2 * arm)}"
    return element("path", "cross", d=d)


def lamp(sketch: Sketch) -> str:
    """One light over the tray: brighter in the middle, and by night dark at the corners."""
    width, height, name = sketch.table.ground.width, sketch.table.ground.height, f"{sketch.ids}-lamp"
    stops = "".join(
        element("stop", looks, offset=at)
        for at, looks in (("0", "lamp-in"), (".45", "lamp-mid"), (".45", "lamp-dusk"), ("1", "lamp-out"))
    )
    sketch.defs.append(
        element("radialGradient", "", stops, id=name, gradientUnits="userSpaceOnUse", cx=width * 42 // 100,
                cy=height * 50 // 100, r=max(width, height) * 79 // 100)
    )  # fmt: skip
    return element("rect", "", width=width, height=height, fill=f"url(#{name})")
