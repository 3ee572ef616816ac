"""The table that shows what drawing can do: two hills, woods, a lake, a bridge, houses, six models, a shot in pencil.

`python -m tests.field.drawing_table FOLDER` writes its pictures; `docs/pictures/table.svg` is one of them.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sandtable.engine.ids import BLUE, RED, PieceId, Side, ThingId
from sandtable.engine.shapes import At, Band, Base, Disc, In, Point, Polygon, Region, rectangle
from sandtable.engine.table import Contour, Ground, Mark, Part, Piece, Table, Thing
from sandtable.field.directions import along
from sandtable.field.drawing import (
    ArcFan,
    Bead,
    DriftArrow,
    Held,
    Note,
    PathLine,
    Pick,
    RangeBand,
    ReachArea,
    Ruler,
    SightLine,
    Template,
    Verdict,
    draw,
)
from sandtable.field.drawing.texture import between, depth

#: How this table's states are drawn.
STATES = {"suppressed": "shaken", "on watch": "watching", "has acted": "acted", "prone": "down"}
HOMES = {"north": BLUE, "south": RED}


def smooth(*corners: tuple[float, float], closed: bool = True, steps: int = 6) -> tuple[Point, ...]:
    """A round outline through some corners, in inches, as the many grid points that are then judged."""
    count = len(corners)

    def at(i: int) -> tuple[float, float]:
        return corners[i % count] if closed else corners[min(max(i, 0), count - 1)]

    points = []
    for i in range(count if closed else count - 1):
        p0, p1, p2, p3 = at(i - 1), at(i), at(i + 1), at(i + 2)
        for k in range(steps):
            t = k / steps
            xy = (
                0.5
                * (
                    2 * p1[n]
                    + (p2[n] - p0[n]) * t
                    + (2 * p0[n] - 5 * p1[n] + 4 * p2[n] - p3[n]) * t**2
                    + (3 * p1[n] - p0[n] - 3 * p2[n] + p3[n]) * t**3
                )
                for n in (0, 1)
            )
            points.append(Point(*(round(1000 * value) for value in xy)))
    if not closed:
        points.append(Point(round(1000 * corners[-1][0]), round(1000 * corners[-1][1])))
    return tuple(points)


def block(x: float, y: float, wide: float, deep: float, turn: int) -> Polygon:
    """A rectangle around a point, turned by whole degrees."""
    middle = Point(round(1000 * x), round(1000 * y))
    w, d = round(500 * wide), round(500 * deep)
    corners = ((-w, -d), (w, -d), (w, d), (-w, d))
    return Polygon(tuple(along(along(middle, turn, right), turn + 90, down) for right, down in corners))


def section(x: float, y: float, wide: float, deep: float, turn: int, which: int) -> Polygon:
    """A third of such a rectangle."""
    middle = along(Point(round(1000 * x), round(1000 * y)), turn, round(1000 * wide * (which - 1) / 3))
    return block(middle.x / 1000, middle.y / 1000, wide / 3, deep, turn)


# fmt: off
LOOKOUT = ((7.6, 27.0), (8.3, 23.9), (10.6, 21.9), (13.4, 22.0), (15.4, 20.9), (17.9, 21.5), (19.2, 24.2), (18.6, 26.8), (19.4, 29.2), (17.9, 31.2), (15.2, 31.7), (12.6, 30.9), (9.9, 30.4))  # noqa: E501
LOOKOUT_TOP = ((9.6, 26.2), (10.2, 24.2), (12.2, 23.4), (14.2, 24.2), (15.9, 23.3), (17.0, 24.5), (16.3, 26.4), (14.6, 27.4), (13.0, 28.5), (10.9, 28.1))  # noqa: E501
EAST_HILL = ((33.2, 13.6), (33.9, 10.8), (36.2, 9.6), (38.0, 7.9), (41.0, 8.2), (43.2, 10.4), (42.6, 13.2), (43.4, 15.4), (41.2, 17.2), (38.4, 16.4), (35.4, 17.0))  # noqa: E501
EAST_TOP = ((37.9, 12.2), (38.8, 10.2), (40.6, 9.9), (41.6, 11.6), (41.0, 13.6), (41.4, 15.2), (39.8, 15.4), (38.7, 14.2))  # noqa: E501
LAKE = ((35.9, 29.6), (36.9, 27.1), (39.5, 27.0), (41.3, 24.9), (44.4, 25.2), (46.4, 27.6), (45.5, 30.2), (46.2, 32.6), (43.9, 34.4), (41.2, 33.1), (38.7, 33.9), (36.4, 32.4))  # noqa: E501
DEEP = ((40.9, 29.2), (41.7, 27.2), (43.9, 27.2), (44.4, 29.4), (44.2, 31.6), (42.6, 31.6), (41.5, 30.6))
LONG_WOOD = ((3.0, 13.6), (3.6, 10.6), (6.0, 8.9), (8.6, 9.4), (10.9, 7.9), (13.6, 9.0), (14.0, 11.6), (12.2, 13.4), (12.6, 15.6), (10.2, 17.0), (7.6, 15.9), (5.2, 16.4))  # noqa: E501
COPSE = ((23.4, 15.6), (24.0, 13.0), (26.4, 12.4), (28.4, 11.2), (30.8, 12.2), (31.4, 14.8), (30.0, 16.4), (30.2, 18.2), (27.8, 18.6), (25.8, 17.6), (24.2, 17.8))  # noqa: E501
SOUTH_WOOD = ((18.4, 39.0), (19.0, 36.8), (21.0, 36.2), (22.4, 34.9), (24.6, 35.8), (25.2, 38.2), (24.0, 39.4), (24.4, 41.0), (22.2, 41.7), (20.4, 40.8))  # noqa: E501
WEST_WOOD = ((2.6, 39.6), (3.6, 37.2), (5.8, 37.0), (7.4, 35.6), (9.8, 36.6), (10.4, 38.6), (8.8, 39.8), (8.6, 41.6), (6.0, 41.8), (4.2, 41.2))  # noqa: E501
SCREE = ((1.3, 22.6), (2.4, 20.6), (4.4, 20.3), (6.0, 21.7), (5.5, 23.8), (6.1, 25.8), (4.2, 26.9), (2.2, 25.4))
RUBBLE = ((32.0, 19.5), (33.2, 18.5), (34.9, 18.9), (35.1, 20.3), (33.7, 21.1), (32.3, 20.7))
MARSH = ((31.8, 42.6), (33.4, 40.6), (36.0, 40.9), (37.6, 42.6), (37.0, 45.0), (34.4, 45.6), (32.4, 44.8))
NORTH_ROAD = ((29.7, 49.0), (29.4, 42.0), (28.5, 35.0), (26.9, 29.2), (26.1, 24.6), (24.9, 20.6), (21.6, 17.2), (18.9, 12.6), (17.6, 6.0), (17.4, -1.0))  # noqa: E501
EAST_ROAD = ((26.8, 26.9), (29.6, 26.0), (34.4, 23.6), (39.8, 22.0), (44.0, 21.4), (49.0, 20.9))
INFLOW = ((48.9, 15.0), (45.8, 18.2), (44.1, 21.4), (42.9, 25.6))
OUTFLOW = ((41.2, 33.0), (41.4, 37.4), (39.6, 41.4), (40.8, 45.0), (40.2, 48.9))
# fmt: on

HEXAGON = Base("hexagon", 1500)


def ground() -> Ground:
    """The board and its eighteen pieces."""
    depot = (21.8, 22.7, 5.0, 3.0, -9)
    sections = tuple(
        Part(letter, section(*depot, which=k), state="harmed" if letter == "c" else "")
        for k, letter in enumerate("abc")
    )
    lookout = (Contour(1, Polygon(smooth(*LOOKOUT))), Contour(2, Polygon(smooth(*LOOKOUT_TOP))))
    east = (Contour(1, Polygon(smooth(*EAST_HILL))), Contour(2, Polygon(smooth(*EAST_TOP)), cliff=True))
    kettle = (Part("deep", Polygon(smooth(*DEEP)), level=-2),)
    pieces = (
        Piece(PieceId("inflow"), "river", Band(smooth(*INFLOW, closed=False), 1340)),
        Piece(PieceId("outflow"), "river", Band(smooth(*OUTFLOW, closed=False), 1340)),
        Piece(PieceId("kettle"), "water", Polygon(smooth(*LAKE)), parts=kettle, label="Kettle Water"),
        Piece(PieceId("scree"), "rough", Polygon(smooth(*SCREE)), label="The Scree"),
        Piece(PieceId("sump"), "swamp", Polygon(smooth(*MARSH)), label="The Sump"),
        Piece(PieceId("lookout"), "hill", lookout[0].outline, 2, contours=lookout, label="Lookout"),
        Piece(PieceId("east-hill"), "hill", east[0].outline, 2, contours=east),
        Piece(PieceId("north-road"), "road", Band(smooth(*NORTH_ROAD, closed=False), 2000)),
        Piece(PieceId("east-road"), "road", Band(smooth(*EAST_ROAD, closed=False), 2000)),
        Piece(PieceId("fallen"), "rubble", Polygon(smooth(*RUBBLE))),
        Piece(PieceId("long-wood"), "heavy-woods", Polygon(smooth(*LONG_WOOD)), 3, label="Long Wood"),
        Piece(PieceId("copse"), "light-woods", Polygon(smooth(*COPSE)), 3, label="Shepherd’s Copse"),
        Piece(PieceId("south-wood"), "heavy-woods", Polygon(smooth(*SOUTH_WOOD)), 3),
        Piece(PieceId("west-wood"), "light-woods", Polygon(smooth(*WEST_WOOD)), 3),
        Piece(PieceId("depot"), "structure", block(*depot), 3, parts=sections, label="Depot 9"),
        Piece(PieceId("house-1"), "structure", block(30.6, 22.9, 2.6, 2.2, -24), 1),
        Piece(PieceId("house-2"), "structure", block(33.2, 27.3, 3.2, 2.3, -24), 2),
        Piece(PieceId("house-3"), "structure", block(30.2, 29.9, 2.3, 2.2, -16), 1),
    )
    return Ground(48000, 48000, pieces)


def walker(name: str, x: int, y: int, facing: int, harm: int, *states: str) -> Thing:
    """One model of the battle."""
    return Thing(
        ThingId(name.lower()),
        side=RED if name.startswith("R") else BLUE,
        label=name,
        glyph="walker",
        base=HEXAGON,
        height=3,
        place=At(Point(x, y)),
        facing=facing,
        harm=harm,
        track=10,
        states={state: Mark() for state in states},
    )


def table() -> Table:
    """Turn 3: R1 acts."""
    models = (
        walker("R1", 16000, 33900, 250, 1),
        walker("R2", 28900, 38000, 262, 3, "suppressed"),
        walker("R3", 13200, 38400, 306, 0, "on watch", "has acted"),
        walker("B1", 35900, 13200, 113, 4, "locked", "has acted"),
        walker("B2", 26300, 15800, 115, 1, "has acted"),
        walker("B3", 35400, 23350, 148, 0),
    )
    things = {str(model.id): model for model in models}
    return Table(ground(), (RED, BLUE), things, turn=3, phase="activation", acting=("red", "r1"))


def marks() -> tuple[Verdict, ...]:
    """R1 would walk four inches onto the hill and fire at B2, over the depot and into the copse."""
    start, target = Point(16000, 33900), Point(26300, 15800)
    end = along(start, 285, 4000)
    eye, aim = along(end, 297, 780), along(target, 117, 780)
    legs = tuple(Note(along(start, 285, 1000 * k), cost) for k, cost in enumerate(("1", "1", "2▲", "1"), 1))
    reach = smooth(*[_reached(start, way) for way in range(0, 360, 10)], steps=2)
    return (
        ReachArea((Polygon(reach),)),
        ArcFan(end, 285, -45, 45, (RangeBand(12780, "short 6+"), RangeBand(24780, "medium 7+"))),
        PathLine((start, end), 1500, legs, (Note(end, "4″ · fires here"),)),
        SightLine(
            eye,
            aim,
            (
                Bead(*crossed(eye, aim, "depot"), label="Depot ▲3: seen over"),
                Bead(*crossed(eye, aim, "copse"), label="in light woods −1", counts=True),
            ),
        ),
        Pick("b2"),
        Held("r1", end, 285),
    )


def crossed(start: Point, end: Point, piece: str) -> tuple[Point, Point]:
    """Where a line enters a piece and where it leaves it, to a thousandth of its length."""
    outline = ground().piece(piece).outline
    within = [at for at in (between(start, end, k, 1000) for k in range(1001)) if depth(outline, at) >= 0]
    return within[0], within[-1]


def _reached(start: Point, way: int) -> tuple[float, float]:
    """Five inches ahead, less behind, less uphill and less into the wood."""
    off = abs((way - 250 + 540) % 360 - 180)
    far = 5300 - max(0, off - 92) * 17
    far -= max(0, 900 - abs((way - 285 + 540) % 360 - 180) * 28)
    far -= max(0, 1600 - abs(way - 40) * 60)
    at = along(start, way, far)
    return at.x / 1000, at.y / 1000


def picture(theme: str = "auto", with_marks: bool = True) -> str:
    """The README's picture."""
    shown = marks() if with_marks else ()
    return draw(
        table(), theme=theme, marks=shown, title="A table in turn 3: R1 tries a shot", states=STATES, homes=HOMES
    )


def blob(x: float, y: float, size: float = 1.0) -> tuple[Point, ...]:
    """A round patch of ground about five inches wide."""
    rim = ((-2.6, 0.2), (-2.1, -1.3), (-0.6, -1.6), (0.6, -1.3), (1.9, -1.7), (2.7, -0.3), (2.2, 0.9), (1.0, 1.3),
           (-0.2, 1.7), (-1.7, 1.4))  # fmt: skip
    return smooth(*((x + size * dx, y + size * dy) for dx, dy in rim))


def key() -> tuple[Table, tuple[Verdict, ...]]:
    """Every look, every type, every side and every kind of verdict, once."""
    kinds = ("light-woods", "heavy-woods", "hill", "cliff", "water", "swamp", "rough", "rubble", "obstruction", "wreck",
             "crater", "open")  # fmt: skip
    pieces = []
    for k, kind in enumerate(kinds):
        x, y = 4.5 + 7.8 * (k % 6), 4.0 + 5.6 * (k // 6)
        shape = Polygon(blob(x, y))
        rings: tuple[Contour, ...] = (Contour(1, shape, cliff=kind == "cliff"),)
        if kind == "hill":
            rings += (Contour(2, Polygon(blob(x + 0.2, y - 0.1, 0.55))),)
        hilly = kind in ("hill", "cliff")
        height = 3 if kind.endswith("woods") else 2 if kind == "obstruction" else 0
        traits: dict[str, int | str] = {"look": "hill"} if hilly else {"depth": 1} if kind == "water" else {}
        pieces.append(Piece(PieceId(kind), kind, shape, height, rings if hilly else (), traits=traits, label=kind))
    pieces += [
        Piece(PieceId("brook"), "stream", Band(smooth((2, 14), (6, 16), (7, 20), closed=False), 1200), label="brook"),
        Piece(PieceId("way"), "road", Band(smooth((1, 18), (6, 17), (12, 18), closed=False), 1800)),
        Piece(
            PieceId("wall"),
            "wall",
            Band((Point(14000, 15000), Point(17000, 15000), Point(18000, 18000)), 500),
            1,
            label="wall",
        ),
        Piece(PieceId("hall"), "building", Polygon((*(Point(x, y) for x, y in ELL),)), 2, label="hall"),
        Piece(PieceId("tower"), "building", Disc(Point(30000, 16500), 1600), 4, label="tower"),
        Piece(
            PieceId("hedge"),
            "woods",
            Band(smooth((33, 15), (36, 17), (39, 15.6), closed=False), 1400),
            1,
            label="hedge",
        ),
        Piece(PieceId("ruin"), "structure", block(44, 16.5, 4, 2.6, 10), 1, parts=ruin(44, 16.5)),
    ]
    things = {}
    types = ("walker", "tracked", "foot", "gun", "flyer", "carrier", "wheeled", "command", "beast", "unknown", "")
    bases = (HEXAGON, Base("circle", 1500), Base("rectangle", 1400, 2200), Base("circle", 1000))
    sides = (RED, BLUE, Side("green"), Side("grey"))
    states = ("shaken", "down", "held", "broken", "locked", "watching", "hidden")
    for k, glyph in enumerate(types):
        things[f"t{k}"] = Thing(
            ThingId(f"t{k}"), side=sides[k % 4], label=glyph or "Nameless", glyph=glyph, base=bases[k % 4], height=2,
            place=At(Point(3000 + 4200 * k, 23000), level=k % 3 // 2), facing=270 + 40 * k, harm=k,
            track=10 if k < 8 else 30,
            states={states[k]: Mark()} if k < 7 else {"dug in": Mark(), "has acted": Mark()} if k == 8 else {},
        )  # fmt: skip
    things["inside"] = Thing(ThingId("inside"), side=RED, label="R9", base=HEXAGON, place=In("tower", "roof"))
    things["mark"] = Thing(ThingId("mark"), kind="marker", side=BLUE, label="?", place=At(Point(46500, 20500)))
    return Table(Ground(48000, 34000, tuple(pieces)), sides, things, acting=("red", "t0")), key_marks()


ELL = ((21000, 14500), (26000, 14500), (26000, 16500), (23500, 16500), (23500, 18500), (21000, 18500))


def ruin(x: float, y: float) -> tuple[Part, ...]:
    """Three sections, one of each state."""
    return tuple(Part(letter, section(x, y, 4, 2.6, 10, which=k), state=state) for k, (letter, state) in RUIN)


RUIN = tuple(enumerate((("a", ""), ("b", "harmed"), ("c", "destroyed"))))


def key_marks() -> tuple[Verdict, ...]:
    """One of each kind of verdict."""
    return (
        SightLine(Point(2000, 29000), Point(9000, 27500), (Bead(Point(4500, 28464), Point(6500, 28036), "over"),)),
        SightLine(Point(2000, 32000), Point(9000, 30500), (Bead(Point(5500, 31250), label="blocked", blocks=True),)),
        PathLine(
            (Point(11000, 31500), Point(14000, 30000), Point(16000, 27000)), 1000,
            (Note(Point(12000, 31000), "1"), Note(Point(13000, 30500), "2"), Note(Point(15000, 28500), "1"),
             Note(Point(16000, 27000), "3▲")),
            (Note(Point(14000, 30000), "fires"),),
        ),
        ArcFan(Point(19000, 30000), 0, -45, 45, (RangeBand(3000, "6+"), RangeBand(5500, "7+"))),
        ReachArea((Polygon(blob(28, 29.5, 1.1)),), "reach"),
        Template(Disc(Point(34500, 28500), 1700), ("t8",), label="aimed"),
        DriftArrow(Point(34500, 28500), Point(39000, 30500), "5″ at 24°"),
        Template(Disc(Point(39000, 30500), 1700), (), landed=True),
        Ruler(Point(42000, 29000), Point(46000, 32000), "5″"),
        Region((rectangle(1000, 500, 46000, 1200),), label="set up here"),
        Pick("t1", "may"),
        Pick("t2"),
        Pick("t3", "looked"),
        Held("t10", Point(44500, 26300), 200),
    )  # fmt: skip


if __name__ == "__main__":
    folder = Path(sys.argv[1])
    (folder / "table.svg").write_text(picture(), encoding="utf-8")
    board, tried = key()
    signs = draw(board, theme="auto", marks=tried, title="Key to the table", states=STATES, pixels=1200, ids="key")
    (folder / "key.svg").write_text(signs, encoding="utf-8")
