"""A table as one SVG picture, complete in itself: no filters, no scripts, nothing fetched."""

import re
from collections.abc import Mapping, Sequence

from sandtable.engine.ids import Side
from sandtable.engine.table import Table
from sandtable.field.drawing import words
from sandtable.field.drawing.ink import element, num, safe
from sandtable.field.drawing.models import draw_models
from sandtable.field.drawing.pencil import draw_marks
from sandtable.field.drawing.sketch import Sketch
from sandtable.field.drawing.style import stylesheet
from sandtable.field.drawing.terrain import landscape
from sandtable.field.drawing.tray import crosses, lamp, sand, tray
from sandtable.field.drawing.verdicts import Held, Verdict

THEMES = ("light", "dark", "auto")

_CLASS = re.compile(r'class="([^"]*)"')
_NAME = re.compile(r"[a-z][a-z0-9-]*")


def draw(
    table: Table,
    *,
    theme: str = "light",
    marks: Sequence[Verdict] = (),
    title: str = "",
    describe: bool = True,
    ticks: bool = True,
    facings: bool = True,
    states: Mapping[str, str] | None = None,
    homes: Mapping[str, Side] | None = None,
    level: int = 1,
    pixels: int = 960,
    ids: str = "table",
) -> str:
    """Draw a table, with verdicts in pencil on it, as an SVG text whose unit is the table's unit.

    `theme` is light, dark, or auto (whatever the reader's screen prefers). `ticks=False` hides everything one could
    measure by. `facings=False` is for rulesets whose models face nowhere. `states` names the shape word for a
    ruleset's state (`{"suppressed": "shaken"}`); `down` and `acted` also change the model. `homes` colours edges of
    the board (`{"south": "red"}`). `level` is how much of a height is drawn as one level (`Ruleset.level`).
    `pixels` is the width the words are sized for. Two drawings on one page need different `ids`.

    Where a reader of the picture finds things: `data-thing` and `data-piece` carry the ids of the table,
    `data-with` that of the piece whose words they are (roads flow together and go with the first).

    >>> from sandtable.engine.table import Ground
    >>> draw(Table(Ground(48000, 48000), ("red", "blue")), title="Empty").startswith("<svg xmlns=")
    True
    """
    if theme not in THEMES:
        raise ValueError(f"there is no theme {theme!r}; there are {', '.join(THEMES)}")
    if not _NAME.fullmatch(ids):
        raise ValueError(f"ids={ids!r} cannot name things in a picture; use small letters, digits and hyphens")
    sketch = Sketch(table, ids, pixels, states or {}, level)
    rim = tray(sketch, ticks, dict(homes or {}))
    ground = sand(sketch)
    draw_models(sketch, facings, frozenset(mark.thing for mark in marks if isinstance(mark, Held)))
    landscape(sketch)
    draw_marks(sketch, marks, facings)
    light = lamp(sketch)
    body = _layers(sketch, rim, ground, light, ticks)
    said = title or f"Sandtable, turn {table.turn}"
    told = words.describe(table, marks, facings=facings, level=level) if describe else ""
    return _sheet(sketch, theme, said, told, body)


def _layers(sketch: Sketch, rim: list[str], ground: list[str], light: str, ticks: bool) -> str:
    """The picture from the bottom up."""
    width, height = sketch.table.ground.width, sketch.table.ground.height
    clip = f"{sketch.ids}-top"
    sketch.defs.append(element("clipPath", "", element("rect", width=width, height=height), id=clip))
    land = [*ground, *sketch.land, *([crosses(sketch)] if ticks else []), light, *sketch.words, *sketch.low]
    edge = sketch.of(20)
    deep = element("rect", "rim-deep", x=-edge, y=-edge, width=width + 2 * edge, height=height + 2 * edge)
    return "\n".join(
        (
            element("g", "tray", *rim),
            element("g", "land", *land, clip_path=f"url(#{clip})"),
            deep,
            element("g", "models", *sketch.figures),
            element("g", "signs", *sketch.signs),
            element("g", "flags", *sketch.flags),
            element("g", "pencil", *sketch.high, *sketch.hand, *sketch.words_high),
        )
    )


def _sheet(sketch: Sketch, theme: str, title: str, told: str, body: str) -> str:
    ids, rim, ground = sketch.ids, sketch.rim, sketch.table.ground
    wide, high = ground.width + 2 * rim, ground.height + 2 * rim
    defs = "".join(sketch.defs)
    used = {name for found in _CLASS.findall(defs + body) for name in found.split()}
    style = stylesheet(theme, ids, sketch.grain, dict.fromkeys(sketch.sides.values()) | {"grey": None}, used | {"text"})
    longer = max(wide, high)
    pixels = longer * 1000 // sketch.pixel
    attributes = {
        "role": "img",
        "aria-labelledby": f"{ids}-title" + (f" {ids}-told" if told else ""),
        "viewBox": f"{num(-rim)} {num(-rim)} {num(wide)} {num(high)}",
        "width": str(pixels * wide // longer),
        "height": str(pixels * high // longer),
    }
    head = "".join(f' {name}="{safe(value)}"' for name, value in attributes.items())
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{ids}"{head}>',
        f'<title id="{ids}-title">{safe(title)}</title>',
        f'<desc id="{ids}-told">{safe(told)}</desc>' if told else "",
        f"<style>{style}</style>",
        f"<defs>{defs}</defs>",
        body,
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"
