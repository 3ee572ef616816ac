"""Outlines as files write them, in one of four ways, and the shapes of the engine they make."""

from typing import TypeVar

import msgspec

from sandtable.engine.shapes import Band, Disc, Point, Polygon, Shape
from sandtable.field.directions import SCALE, VECTORS, rounded
from sandtable.field.outlines import BadOutline, TableTooLarge, core_of
from sandtable.forces.reading import Fail, Length, Where

#: How many points an outline of a file may have: checking it takes the square of their number.
MAX_POINTS = 200

F = TypeVar("F", bound="Outlined")


class Circle(msgspec.Struct, frozen=True, array_like=True):
    """`[x, y, radius]`."""

    x: Length
    y: Length
    radius: Length


class Rectangle(msgspec.Struct, frozen=True, array_like=True):
    """`[x, y, width, height]` from its north-west corner, then turned clockwise about its middle by `degrees`."""

    x: Length
    y: Length
    width: Length
    height: Length
    degrees: int = 0

    def polygon(self) -> Polygon:
        """The corners, each coordinate rounded once.

        >>> Rectangle(0, 0, 4000, 2000, 90).polygon().points
        (Point(x=3000, y=-1000), Point(x=3000, y=3000), Point(x=1000, y=3000), Point(x=1000, y=-1000))
        """
        cosine, sine = VECTORS[self.degrees % 360]
        corners = []
        for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            w, h = across * self.width, along * self.height
            twice_x = (2 * self.x + self.width) * SCALE + w * cosine - h * sine
            twice_y = (2 * self.y + self.height) * SCALE + w * sine + h * cosine
            corners.append(Point(rounded(twice_x, 2 * SCALE), rounded(twice_y, 2 * SCALE)))
        return Polygon(tuple(corners))


class BandForm(msgspec.Struct, frozen=True):
    """A line of points with a width: a road, a river, a hedge."""

    points: tuple[Where, ...]
    width: Length


class Outlined(msgspec.Struct, frozen=True, kw_only=True):
    """Anything with an outline, in exactly one of four ways."""

    circle: Circle | None = None
    polygon: tuple[Where, ...] | None = None
    rectangle: Rectangle | None = None
    band: BandForm | None = None

    @property
    def bare(self) -> bool:
        """Whether no outline is given at all."""
        return all(way is None for way in (self.circle, self.polygon, self.rectangle, self.band))

    def shape(self, fail: Fail) -> Shape:
        """The shape, checked: it has an inside, does not cross itself and lies within the exact table."""
        ways = {"circle": self.circle, "polygon": self.polygon, "rectangle": self.rectangle, "band": self.band}
        given = [way for way, form in ways.items() if form is not None]
        if len(given) != 1:
            found = "there is no outline" if not given else f"there are {len(given)} outlines, {' and '.join(given)}"
            raise fail(found, "give one of `circle`, `polygon`, `rectangle` or `band`")
        way = given[0]
        shape = self._shape()
        if not isinstance(shape, Disc) and len(shape.points) > MAX_POINTS:
            raise fail(f"the {way} has {len(shape.points)} points", f"at most {MAX_POINTS} would do", way)
        if isinstance(shape, Disc | Band) and (shape.radius if isinstance(shape, Disc) else shape.width) <= 0:
            raise fail(f"the {way} has no size", "give it one above 0", way)
        if isinstance(shape, Band) and len(shape.points) < 2:
            raise fail("the band has no length", "give it two points or more", way)
        try:
            core_of(shape)
        except BadOutline as problem:
            raise fail(f"the {way} is no outline ({problem})", "let it run round once without crossing", way) from None
        except TableTooLarge:
            raise fail(f"the {way} lies too far out for a table", "keep it near the board", way) from None
        return shape

    def _shape(self) -> Shape:
        if self.circle is not None:
            return Disc(Point(self.circle.x, self.circle.y), self.circle.radius)
        if self.rectangle is not None:
            return self.rectangle.polygon()
        if self.band is not None:
            return Band(self.band.points, self.band.width)
        assert self.polygon is not None
        return Polygon(self.polygon)


def outlined(form: F, shape: Shape | None) -> F:
    """The form with a shape as its outline; without one, as it is.

    >>> outlined(Outlined(), Disc(Point(5000, 5000), 3000)).circle
    Circle(x=5000, y=5000, radius=3000)
    """
    if shape is None:
        return form
    if isinstance(shape, Disc):
        return msgspec.structs.replace(form, circle=Circle(shape.center.x, shape.center.y, shape.radius))
    if isinstance(shape, Band):
        return msgspec.structs.replace(form, band=BandForm(shape.points, shape.width))
    return msgspec.structs.replace(form, polygon=shape.points)
