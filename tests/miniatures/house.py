"""A house of sections with places to stand in them: which lies on which, what stands, where somebody inside is."""

from sandtable.engine.ids import PieceId
from sandtable.engine.shapes import UNIT, At, In, Point, rectangle
from sandtable.engine.table import Part, Piece, Table, Thing

HOUSE = PieceId("house")
PF = 9
WIDTH, DEPTH = 8500, 6000
#: Where in a section one can stand, from its north-west corner.
SPOTS = (Point(1500, 3000), Point(4250, 3000), Point(7000, 3000))


def house(sections: dict[str, tuple[int, int, int]], collapsed: tuple[str, ...] = ()) -> Piece:
    """A house of sections, each with its corner and level; those named have partly collapsed before."""
    parts = tuple(
        Part(name, rectangle(x, y, WIDTH, DEPTH), level, "collapsed" if name in collapsed else "")
        for name, (x, y, level) in sections.items()
    )
    xs, ys = [x for x, _, _ in sections.values()], [y for _, y, _ in sections.values()]
    west, north = min(xs), min(ys)
    around = rectangle(west, north, max(xs) + WIDTH - west, max(ys) + DEPTH - north)
    return Piece(HOUSE, "building", around, height=1 + max(part.level for part in parts), parts=parts)


def sections(table: Table) -> tuple[Part, ...]:
    """The sections of the house, as they are now."""
    return table.ground.piece(HOUSE).parts


def section(table: Table, name: str) -> Part:
    """One section."""
    return next(part for part in sections(table) if part.id == name)


def stands(part: Part) -> bool:
    """Whether a section is still there."""
    return part.state != "destroyed"


def on_top_of(table: Table, name: str) -> list[Part]:
    """The sections directly on top of one."""
    below = section(table, name)
    return [part for part in sections(table) if part.level == below.level + 1 and part.outline == below.outline]


def below(table: Table, name: str) -> Part | None:
    """The section directly under one, if it stands."""
    upper = section(table, name)
    for part in sections(table):
        if part.level == upper.level - 1 and part.outline == upper.outline and stands(part):
            return part
    return None


def slot(name: str, number: int) -> In:
    """A place in a section."""
    return In(HOUSE, f"{name} {number}")


def section_of(thing: Thing) -> str:
    """The section somebody is in, or nothing."""
    return thing.place.slot.split(" ")[0] if isinstance(thing.place, In) else ""


def inside(table: Table, name: str) -> list[Thing]:
    """The models in a section, place by place."""
    found = [m for m in table.of_kind("model") if not m.gone and section_of(m) == name]
    return sorted(found, key=lambda model: model.place.slot if isinstance(model.place, In) else "")


def free_slots(table: Table, *names: str) -> tuple[In, ...]:
    """The places in some sections that nobody has taken; all standing sections, if none is named."""
    taken = [thing.place for thing in table.of_kind("model") if not thing.gone]
    wanted = [part.id for part in sections(table) if stands(part) and (not names or part.id in names)]
    every = [slot(name, number) for name in wanted for number in range(1, len(SPOTS) + 1)]
    return tuple(one for one in every if one not in taken)


def point_of_slot(table: Table, place: In) -> Point:
    """Where on the table a place in a section is, seen from above."""
    name, number = place.slot.split(" ")
    corner = section(table, name).outline.points[0]  # type: ignore[union-attr]
    spot = SPOTS[int(number) - 1]
    return Point(corner.x + spot.x, corner.y + spot.y)


def where(table: Table, thing: Thing) -> Point:
    """Where a model in play is, seen from above."""
    if isinstance(thing.place, In):
        return point_of_slot(table, thing.place)
    assert isinstance(thing.place, At), f"{thing.id} is off the table"
    return thing.place.point


def at_ground(table: Table, thing: Thing) -> bool:
    """Whether a model stands on the ground, be it in the open, in a ruin or in a ground floor."""
    return not isinstance(thing.place, In) or section(table, section_of(thing)).level == 0


CLEAR = UNIT * 5 // 2  # bases nearer than this, centre to centre, overlap
