"""What previews of every game hold besides the dice: distances, lines of sight with what they cross, several as one.

How far something is and what a line of sight does to whom is for a ruleset to say; here it is put into a preview. Where
a thing can get to is found by `field.walking.reach`, which a ruleset gives its walkers.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from sandtable.engine.explain import inches
from sandtable.engine.ids import RuleId
from sandtable.engine.questions import AnyQuestion, Bead, Preview, Reaction, Ring, SightNote
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Disc, Point, Polygon, Shape, Spot
from sandtable.engine.table import Ground, Table
from sandtable.field.directions import along
from sandtable.field.sight import SightLine
from sandtable.tabletop.chapters import Previewer

#: How far a thing of the table is from another, or from a point, as a ruleset measures it; none where nothing can be
#: measured.
Measure = Callable[[Table, str, str | Point], int | None]


class Crossed(NamedTuple):
    """What a line of sight does where it crosses something: whether that counts or blocks, and by which rule."""

    label: str
    counts: bool
    blocks: bool
    rule: RuleId


def sight_note(line: SightLine, crossed: Iterable[Crossed], blocked: bool) -> SightNote:
    """A line of sight for drawing, with a ruleset's word on each thing it crosses, in their order."""
    beads = [
        Bead(enters, leaves, one.label, one.counts, one.blocks, one.rule)
        for crossing, one in zip(line.crossings, crossed, strict=True)
        for enters, leaves in line.where(crossing)
    ]
    return SightNote(line.start, line.end, tuple(beads), blocked)


def nearest_first(distances: Mapping[str, int | None]) -> dict[str, int]:
    """Distances as a preview holds them: what can be measured, the nearest first.

    >>> nearest_first({"B": 9000, "C": None, "D": 4000})
    {'D': 4000, 'B': 9000}
    """
    known = [(far, name) for name, far in distances.items() if far is not None]
    return {name: far for far, name in sorted(known)}


def measured(preview: Previewer | None, distance: Measure) -> Previewer:
    """A preview that also says how far it is from whom a question is about first to what the draft names or places."""

    def shown(view: View, question: AnyQuestion, answer: Any) -> Preview:
        found = preview(view, question, answer) if preview is not None else Preview()
        if "distance" not in question.shows:
            return found
        table, here = view.table, question.about[0]
        far = {name: distance(table, here, there) for name, there in _named(answer)}
        return replace(found, distances={**found.distances, **nearest_first(far)})

    return shown


def _named(answer: Any) -> list[tuple[str, str | Point]]:
    """The things that a draft names, and the points at which it places something."""
    if isinstance(answer, str):
        return [(answer, answer)]
    if isinstance(answer, Reaction):
        return [(answer.option, answer.option)]
    if isinstance(answer, dict):
        put = [(name, one.where) for name, one in answer.items() if isinstance(one, Spot)]
        return [(name, where.point) for name, where in put if isinstance(where, At)]
    return [(name, name) for name in answer or () if isinstance(name, str)]


# Ranges, arcs, and what a ring of reach costs ----------------------------------------------------------------------

#: How near to the border of a band it is worth saying how near: in thousandths.
CLOSE_CALL = 1000


def band_words(away: int, bands: Mapping[str, int]) -> str:
    """The band of those that end so far away in which a distance lies, and how narrowly.

    >>> bands = {"short range": 12000, "long range": 36000}
    >>> [band_words(away, bands) for away in (36040, 12040, 9000)]
    ['0.04″ outside long range', 'long range, by 0.04″', 'short range']
    """
    last, beyond = 0, "every range"
    for name, limit in bands.items():
        if away <= limit:
            return f"{name}, by {inches(away - last)}" if last > 0 and away - last < CLOSE_CALL else name
        last, beyond = limit, name
    return f"{inches(away - last)} outside {beyond}"


def shown_range(away: int, words: str) -> str:
    """A distance, rounded up to a hundredth, with what is said of it.

    >>> shown_range(12571, "long range")
    '12.58″: long range'
    """
    return f"{inches(-(-away // 10) * 10)}: {words}"


def range_rings(ground: Ground, around: Point, own: int, bands: Mapping[str, int], rule: RuleId) -> tuple[Ring, ...]:
    """Rings at the ends of bands, measured from the edge of a base that is so wide from its middle; those that fit."""
    widest = max(ground.width, ground.height)
    return tuple(
        Ring("range", f"{name} {inches(limit)}", Disc(around, own + limit), rule)
        for name, limit in bands.items()
        if limit < widest
    )


def sector(around: Point, facing: int, start: int, end: int, far: int) -> Polygon:
    """The part of a disc between two degrees relative to a facing."""
    degrees = range(start, end + 1, max(1, (end - start) // 12))
    return Polygon((around, *(along(around, facing + one, far) for one in degrees)))


def cost_steps(allowance: int, unit: int) -> range:
    """The costs at which rings of reach are drawn inside the last one: three at most.

    >>> list(cost_steps(5, 1)), list(cost_steps(6000, 1000)), list(cost_steps(3, 1))
    ([2, 4], [2000, 4000], [1, 2])
    """
    step = max(1, -(-allowance // (4 * unit))) * unit
    return range(step, allowance, step)


def cost_rings(reached: Mapping[str, tuple[Shape, ...]]) -> tuple[Ring, ...]:
    """Rings of reach by what they cost."""
    return tuple(Ring("cost", label, shape) for label, shapes in reached.items() for shape in shapes)


def amount_words(amount: int, what: str) -> str:
    """So many of something.

    >>> amount_words(1, "action"), amount_words(2, "action")
    ('1 action', '2 actions')
    """
    return f"{amount} {what}{'' if amount == 1 else 's'}"


def together(*previews: Preview) -> Preview:
    """Several previews as one, in their order."""
    return Preview(
        explanations=tuple(one for preview in previews for one in preview.explanations),
        notes=tuple(one for preview in previews for one in preview.notes),
        distances={name: far for preview in previews for name, far in preview.distances.items()},
        reach=tuple(one for preview in previews for one in preview.reach),
        sight=tuple(one for preview in previews for one in preview.sight),
        paths=tuple(one for preview in previews for one in preview.paths),
        odds=tuple(one for preview in previews for one in preview.odds),
        odds_note=next((preview.odds_note for preview in previews if preview.odds_note), ""),
        rings=tuple(one for preview in previews for one in preview.rings),
        targets={name: words for preview in previews for name, words in preview.targets.items()},
        threats=tuple(one for preview in previews for one in preview.threats),
        loses=tuple(one for preview in previews for one in preview.loses),
    )
