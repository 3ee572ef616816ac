"""Writing SVG: numbers, names and elements. Everything is an integer until it becomes text.

Lengths are thousandths of the table's unit and are written as exact decimals, so that the picture's numbers are the
table's numbers and the same table gives the same bytes on every machine.
"""

import re
from collections.abc import Iterable

from sandtable.engine.shapes import Point

#: Characters that no XML document may hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def num(thousandths: int) -> str:
    """A length in the table's unit, exactly.

    >>> num(12500), num(-30), num(7000)
    ('12.5', '-.03', '7')
    """
    sign = "-" if thousandths < 0 else ""
    whole, rest = divmod(abs(thousandths), 1000)
    if not rest:
        return f"{sign}{whole}"
    return f"{sign}{whole or ''}.{f'{rest:03d}'.rstrip('0')}"


def spot(point: Point) -> str:
    """A point as a path writes it.

    >>> spot(Point(1500, -250))
    '1.5 -.25'
    """
    return f"{num(point.x)} {num(point.y)}"


def line(points: Iterable[Point], closed: bool = False) -> str:
    """The path through some points, straight from each to the next.

    >>> line([Point(0, 0), Point(1000, 0), Point(1000, 500)], closed=True)
    'M0 0 1 0 1 .5Z'
    """
    return "M" + " ".join(spot(point) for point in points) + ("Z" if closed else "")


def safe(text: str) -> str:
    """Words from outside as XML text: markup becomes letters, what XML cannot hold becomes �.

    >>> safe('<b>"R&D"</b>')
    '&lt;b&gt;&quot;R&amp;D&quot;&lt;/b&gt;'
    """
    text = _FORBIDDEN.sub("\ufffd", text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def element(tag: str, looks: str = "", /, *children: str, **attributes: str | int | None) -> str:
    """One element with its class, its attributes (integers are lengths) and its children.

    Attribute values are escaped, children are not: they are elements already, or text that went through `safe`.

    >>> element("circle", "bead", cx=1500, cy=0, r=200)
    '<circle class="bead" cx="1.5" cy="0" r=".2"/>'
    >>> element("text", "call", safe("R&1"), text_anchor="end")
    '<text class="call" text-anchor="end">R&amp;1</text>'
    """
    parts = [f"<{tag}"]
    if looks:
        parts.append(f' class="{looks}"')
    for name, value in attributes.items():
        if value is not None:
            written = num(value) if isinstance(value, int) else safe(value)
            parts.append(f' {name.rstrip("_").replace("_", "-")}="{written}"')
    inner = "".join(children)
    parts.append(f">{inner}</{tag}>" if inner else "/>")
    return "".join(parts)


def moved(dx: int, dy: int) -> str:
    """A transform that shifts by a length.

    >>> moved(210, 0)
    'translate(.21 0)'
    """
    return f"translate({num(dx)} {num(dy)})"
