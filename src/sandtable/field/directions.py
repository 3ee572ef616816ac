"""The one table of directions: whole degrees as integer vectors, the same on every machine.

A facing of 0 points east (x grows), 90 south (y grows): degrees run clockwise on a table whose origin is its
north-west corner, so a turn to the right is positive, as players say it.
"""

from sandtable.engine.shapes import Point

SCALE = 1_000_000_000

# The sines of 0 to 90 degrees, times SCALE, each rounded to the nearest integer. Typed out, not computed: a maths
# library may differ in the last digit from one machine to the next.
_SINES = (
    0,
    17452406,
    34899497,
    52335956,
    69756474,
    87155743,
    104528463,
    121869343,
    139173101,
    156434465,
    173648178,
    190808995,
    207911691,
    224951054,
    241921896,
    258819045,
    275637356,
    292371705,
    309016994,
    325568154,
    342020143,
    358367950,
    374606593,
    390731128,
    406736643,
    422618262,
    438371147,
    453990500,
    469471563,
    484809620,
    500000000,
    515038075,
    529919264,
    544639035,
    559192903,
    573576436,
    587785252,
    601815023,
    615661475,
    629320391,
    642787610,
    656059029,
    669130606,
    681998360,
    694658370,
    707106781,
    719339800,
    731353702,
    743144825,
    754709580,
    766044443,
    777145961,
    788010754,
    798635510,
    809016994,
    819152044,
    829037573,
    838670568,
    848048096,
    857167301,
    866025404,
    874619707,
    882947593,
    891006524,
    898794046,
    906307787,
    913545458,
    920504853,
    927183855,
    933580426,
    939692621,
    945518576,
    951056516,
    956304756,
    961261696,
    965925826,
    970295726,
    974370065,
    978147601,
    981627183,
    984807753,
    987688341,
    990268069,
    992546152,
    994521895,
    996194698,
    997564050,
    998629535,
    999390827,
    999847695,
    1000000000,
)


def _sine(degrees: int) -> int:
    degrees %= 360
    if degrees <= 90:
        return _SINES[degrees]
    if degrees <= 180:
        return _SINES[180 - degrees]
    if degrees <= 270:
        return -_SINES[degrees - 180]
    return -_SINES[360 - degrees]


#: For each whole degree the vector (x, y) of length SCALE that points there.
VECTORS: tuple[Point, ...] = tuple(Point(_sine(d + 90), _sine(d)) for d in range(360))


def rounded(numerator: int, denominator: int) -> int:
    """Divide two integers and round to the nearest, halves away from zero: the one rounding of derived points.

    >>> rounded(5, 2), rounded(-5, 2), rounded(7, 3)
    (3, -3, 2)
    """
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    if numerator >= 0:
        return (2 * numerator + denominator) // (2 * denominator)
    return -((-2 * numerator + denominator) // (2 * denominator))


def along(start: Point, degrees: int, distance: int) -> Point:
    """The grid point a distance away in a direction; each coordinate is rounded once.

    >>> along(Point(0, 0), 0, 5000), along(Point(0, 0), 90, 5000), along(Point(0, 0), 45, 1000)
    (Point(x=5000, y=0), Point(x=0, y=5000), Point(x=707, y=707))
    """
    dx, dy = VECTORS[degrees % 360]
    return Point(start.x + rounded(distance * dx, SCALE), start.y + rounded(distance * dy, SCALE))
