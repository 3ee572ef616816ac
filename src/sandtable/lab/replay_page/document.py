"""The page itself: what is drawn, told and counted, put together into one file."""

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from sandtable.engine.events import Declared, HarmApplied, Landed, ModelLost, Moved, PhaseBegan, StepBegan
from sandtable.engine.ids import Side
from sandtable.engine.records.journal import Header, Journal, JournalError
from sandtable.engine.shapes import At, Disc, Leg, Point
from sandtable.engine.table import Table
from sandtable.field.directions import along
from sandtable.field.drawing import draw, heading
from sandtable.field.drawing.ink import element, line, safe
from sandtable.field.drawing.sketch import Sketch, side_looks
from sandtable.field.drawing.style import stylesheet
from sandtable.field.outlines import BadOutline, TableTooLarge
from sandtable.forces.ledger import Rule
from sandtable.lab.replay_page.figures import CLASSES, Figures, Land
from sandtable.lab.replay_page.log_lines import MARKS, LogLines
from sandtable.lab.replay_page.rule_texts import RuleTexts
from sandtable.lab.replay_page.story import Moment, story
from sandtable.telling.vocabulary import PLAIN, Vocabulary

#: How wide the words on the table are drawn for, in pixels; the script fits them to the screen.
PIXELS = 900


def replay_page(
    journal: Journal,
    *,
    vocabulary: Vocabulary = PLAIN,
    rules: Mapping[str, Rule] | None = None,
    states: Mapping[str, str] | None = None,
    title: str = "",
    everything: bool = False,
) -> str:
    """One HTML file to watch a battle in: nothing is fetched, and the same journal gives the same bytes.

    `rules` are those of the ledger, by id; without them the page names rules and has no words for them. `states` are
    the shape words for a ruleset's states, as in a drawing. `everything` tells book-keeping too.

    >>> from sandtable.engine.records.journal import FORMAT, Header
    >>> from sandtable.engine.ruleset import Setup
    >>> replay_page(Journal(Header(FORMAT, "duel", "1", Setup()))).startswith("<!doctype html>")
    True
    """
    try:
        moments = story(journal, everything=everything, notes=vocabulary.notes)
        return _page(journal, moments, vocabulary, rules or {}, states or {}, title)
    except (BadOutline, TableTooLarge) as problem:
        raise JournalError(
            f"{journal.name}: something in it cannot be drawn: {problem}. "
            "Was the journal edited? Use a copy that was not."
        ) from None


def _page(
    journal: Journal,
    moments: Sequence[Moment],
    vocabulary: Vocabulary,
    rules: Mapping[str, Rule],
    states: Mapping[str, str],
    title: str,
) -> str:
    header = journal.header
    land = Land(moments)
    table = Table(land.ground, header.setup.sides)
    sketch = Sketch(table, "table", PIXELS, states, vocabulary.level)
    figures = Figures(moments, sketch, vocabulary.said)
    texts = RuleTexts(rules)
    looks = dict(zip(header.setup.sides, side_looks(header.setup.sides), strict=True))
    log = LogLines(vocabulary, looks, texts).lines(moments)
    heads, head_at = _heads(moments)
    data = {
        **figures.data(),
        "pieces": land.spans,
        "heads": {"at": head_at, "was": heads},
        "pencil": _pencils(moments),
        "steps": [at for at, moment in enumerate(moments) if isinstance(moment.event, StepBegan | PhaseBegan)],
        "sides": list(header.setup.sides),
        "marks": {side: MARKS[look] for side, look in looks.items()},
    }
    name = title or f"{header.ruleset}: {' against '.join(header.setup.sides)}"
    board = _board(table, sketch) if land.ground.width else '<p class="empty">Nothing on the table yet.</p>'
    return _filled(name, _words_of(header), board, log, texts.texts(), _timeline(moments, header), data, len(moments))


def _board(table: Table, sketch: Sketch) -> str:
    """The terrain, with room for the models and pencil that the script draws."""
    drawn = draw(table, theme="auto", title="The table", describe=False, level=sketch.level, pixels=PIXELS)
    looks = dict.fromkeys([*sketch.sides.values(), "grey"])
    style = stylesheet("auto", sketch.ids, sketch.grain, looks, {*CLASSES, *looks})
    body, end, rest = drawn.rpartition("</svg>")
    return f"{body}<style>{style}</style>{end}{rest}"


def _heads(moments: Sequence[Moment]) -> tuple[list[str], list[int]]:
    """Turn, phase and who acts, whenever that changes."""
    heads: list[str] = []
    at_moments: list[int] = []
    for at, moment in enumerate(moments):
        words = heading(moment.table)
        if not heads or heads[-1] != words:
            heads.append(words)
            at_moments.append(at)
    return heads, at_moments


# What a moment shows in pencil -----------------------------------------------------------------------------------


def _pencils(moments: Sequence[Moment]) -> dict[int, str]:
    """For moments that lead somewhere: the way that was walked, who is aimed at, where something came down."""
    found = {}
    for at, moment in enumerate(moments):
        drawn = _pencil(moment)
        if drawn:
            found[at] = drawn
    return found


def _pencil(moment: Moment) -> str:
    event, table = moment.event, moment.told
    if isinstance(event, Moved):
        return "".join(_drift(one) for one in (event, *moment.others) if isinstance(one, Moved))
    if isinstance(event, Declared) and event.actor in table.things:
        start = table.things[event.actor].place
        ends = [table.things[name].place for name in event.targets if name in table.things]
        if isinstance(start, At):
            lines = [line([start.point, end.point]) for end in ends if isinstance(end, At) and end != start]
            return "".join(element("path", "sight", d=d) for d in lines)
    if isinstance(event, Landed):
        drift = element("path", "drift", d=line([event.aimed, event.at])) if event.aimed != event.at else ""
        if isinstance(event.area, Disc):
            x, y = event.area.center
            return drift + element("circle", "landed", cx=x, cy=y, r=event.area.radius)
        return drift
    return ""


def _drift(event: Moved) -> str:
    """The way of one move."""
    if not isinstance(event.start, At) or not isinstance(event.to, At):
        return ""
    points = _way(event, event.start.point, event.to.point)
    return element("path", "drift", d=line(points)) if len(points) > 1 else ""


def _way(event: Moved, start: Point, end: Point) -> list[Point]:
    """The corners of a walk; one that was halted ends where it was halted."""
    points, facing = [start], event.facing
    legs = event.walk.legs if event.walk is not None else ()
    turned = sum(leg.turn for leg in legs if isinstance(leg, Leg))
    facing -= turned
    for leg in legs:
        if isinstance(leg, Leg):
            facing += leg.turn
            points.append(along(points[-1], facing, leg.go))
        else:
            points.append(leg.point)
    straight = [start, end]
    # A walk that was cut short leads elsewhere: then only where it began and ended is certain.
    if abs(points[-1].x - end.x) > 50 or abs(points[-1].y - end.y) > 50:
        points = straight
    return list(dict.fromkeys(points))


# The timeline ----------------------------------------------------------------------------------------------------


def _timeline(moments: Sequence[Moment], header: Header) -> str:
    """A block an activation, the first side below and the others above; a square a harm; a line a turn."""
    count = max(1, len(moments))
    sides = header.setup.sides
    looks = dict(zip(sides, side_looks(sides), strict=True))
    blocks: dict[Side, str] = dict.fromkeys(sides, "")
    harm, turns, labels = "", "", []
    begun: tuple[int, Side] | None = None
    turn = 0
    for at, moment in enumerate([*moments, None]):
        event = None if moment is None else moment.event
        if begun is not None and (event is None or isinstance(event, StepBegan | PhaseBegan)):
            start, side = begun
            row = 30 if side == sides[0] else 18
            blocks[side] += f"M{start} {row}h{max(1, at - start)}v8h-{max(1, at - start)}z"
            begun = None
        if isinstance(event, StepBegan) and event.side in sides:
            begun = (at, event.side)
        if moment is not None and isinstance(event, HarmApplied | ModelLost) and moment.side in sides:
            harm += f"M{at} {40 if moment.side == sides[0] else 10}v6"
        if isinstance(event, PhaseBegan) and event.turn > turn:
            turn = event.turn
            turns += f"M{at} 0v56"
            labels.append((turn, at))
    paths = "".join(f'<path class="block {looks[side]}" d="{d}"/>' for side, d in blocks.items() if d)
    named, free = "", -1
    for n, at in labels:
        place = at * 10000 // count  # in hundredths of a percent
        if place >= free:
            named += f'<span style="left:{place / 100:g}%">{f"Turn {n}" if n == 1 or len(labels) <= 12 else n}</span>'
            free = place + (700 if len(labels) <= 12 else 450)
    return (
        f'<svg class="lanes" viewBox="0 0 {count} 56" preserveAspectRatio="none" aria-hidden="true">'
        f'<path class="turns" d="{turns}"/>{paths}<path class="harms" d="{harm}"/></svg>'
        f'<div class="turn-names" aria-hidden="true">{named}</div>'
    )


# Putting it together ---------------------------------------------------------------------------------------------


def _filled(
    title: str, words: str, board: str, log: str, rules: str, timeline: str, data: dict[str, Any], count: int
) -> str:
    folder = files("sandtable.lab.replay_page")
    style, script, page = (folder.joinpath(name).read_text("utf-8") for name in ("page.css", "page.js", "page.html"))
    script_hash = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    parts = {
        "TITLE": safe(title),
        "WORDS": safe(words),
        "POLICY": f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{script_hash}'; base-uri 'none'",
        "STYLE": style,
        "BOARD": board,
        "LOG": log,
        "RULES": rules,
        "TIMELINE": timeline,
        "LAST": str(max(0, count - 1)),
        "DATA": embedded(data),
        "SCRIPT": script,
    }
    # Split once, so that words of the journal that look like a slot are left alone.
    pieces = page.split("@@")
    return "".join(parts[piece] if at % 2 else piece for at, piece in enumerate(pieces))


def embedded(data: Any) -> str:
    """Data as it may stand inside a script element: nothing in it can end the element.

    >>> embedded(["</script>"])
    '["\\\\u003c/script>"]'
    """
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _words_of(header: Header) -> str:
    seed = f", seed {header.seed}" if header.seed is not None else ""
    return f"{header.ruleset}, version {header.version}{seed}"
