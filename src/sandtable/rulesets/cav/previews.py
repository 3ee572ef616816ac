"""Previews: a model where a walk would take it, the walk with its costs, how far it could get; and what an attack would
come to at each range, before anything may be measured.

A player may not look at the board with a ruler before declaring, but knows the cards by heart: what two models would do
to each other in the open, at this range or at that. So they stand alone on a bare table, face to face; nothing of where
they really stand goes in.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction

from msgspec.structs import replace

from sandtable.engine.explain import inches
from sandtable.engine.questions import Chance, MoveModels, PathNote, Preview, Ring, Threat
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Point, Walk
from sandtable.engine.table import Ground, Table, Thing
from sandtable.field.sight import SightLine
from sandtable.field.walking.paths import Pose, resolve
from sandtable.field.walking.planner import Gait
from sandtable.field.walking.reach import Walker
from sandtable.field.walking.surroundings import Lie
from sandtable.forces.ledger import Rule
from sandtable.rulesets.cav.concepts import base_of, center, enemies, outline, pose
from sandtable.rulesets.cav.movement import Going, Rates
from sandtable.tabletop.previews import nearest_first, sector

#: Where the shooter stands on the bare table, and how wide that is: any range fits on it.
CORNER, BARE = 50 * UNIT, Ground(500 * UNIT, 500 * UNIT)
FACE_TO_FACE = "In the open and face to face, as both are now; nothing is measured before it is declared."
#: How likely something is that an attack may come to, each with its name.
Told = tuple[tuple[str, Fraction], ...]


def moved_to(table: Table, model: Thing, pose: Pose) -> Table:
    """The table with a model where a walk would take it."""
    there = table.copy()
    there.things[model.id] = replace(model, place=At(pose.point), facing=pose.facing)
    return there


def apart(
    distance: Callable[[Thing, Thing], int],
) -> Callable[[View, MoveModels, dict[str, Walk] | None], Preview]:
    """A preview of how far a model would be from each enemy, where a walk would take it, as an edition measures."""

    def shown(view: View, question: MoveModels, answer: dict[str, Walk] | None) -> Preview:
        model = view.table[question.about[0]]
        there = moved_to(view.table, model, resolve(pose(model), (answer or {}).get(model.id, Walk())).end)
        return Preview(
            distances=nearest_first({one.id: distance(there[model.id], one) for one in enemies(there, model)})
        )

    return shown


def drawn_around(
    question: MoveModels,
    costs: Callable[[], tuple[Ring, ...]],
    ranges: Callable[[], tuple[tuple[Ring, ...], dict[str, str]]],
    threats: Callable[[], tuple[Threat, ...]],
) -> Preview:
    """What a page wants drawn around a model where its walk ends: costs, ranges and threats, as far as it asks."""
    shown = Preview(rings=costs()) if "costs" in question.shows else Preview()
    if "ranges" in question.shows:
        rings, targets = ranges()
        shown = replace(shown, rings=(*shown.rings, *rings), targets=targets)
    return replace(shown, threats=threats()) if "threats" in question.shows else shown


def arc_rings(table: Table, model: Thing, arcs: Iterable[tuple[int, int]], rule: Rule) -> tuple[Ring, ...]:
    """The arcs that a model fires into, as far as the board goes."""
    far = max(table.ground.width, table.ground.height)
    drawn = [sector(center(model), model.facing, start, end, far) for start, end in arcs]
    return tuple(Ring("arc", "firing arc", arc, rule.id) for arc in drawn)


def threats_to(
    table: Table,
    model: Thing,
    aims: Callable[[Thing], Iterable[tuple[str, str]]],
    line: Callable[[Thing], SightLine],
    rule: Rule,
) -> tuple[Threat, ...]:
    """The enemies who could fire at a model, each with the weapons that can; of those alike one tells what it needs."""
    found = []
    for foe in enemies(table, model):
        named: dict[str, list[str]] = {}
        for name, words in aims(foe):
            named.setdefault(name, []).append(words)
        if named:
            counted = [(f"{len(said)} × " if len(said) > 1 else "", name, said[0]) for name, said in named.items()]
            told, drawn = "; ".join(f"{count}{name}, {words}" for count, name, words in counted), line(foe)
            found.append(Threat(foe.id, told, drawn.start, drawn.end, rule.id))
    return tuple(found)


def path_note(gone: Going, model: Thing, allowance: int) -> PathNote:
    """A way for drawing, with what each inch and turn costs."""
    points = tuple(dict.fromkeys([gone.track.start.point, *(one.end for one in gone.track.stretches)]))
    return PathNote(model.id, points, tuple(step.cost for step in gone.trace.steps), gone.trace.total, allowance)


def walker(table: Table, model: Thing, rates: Rates, as_far: Callable[[Walk], int]) -> Walker:
    """A model as it may walk: turns, inches and bases in its way as the edition has them."""
    turning = rates.rules.turning
    gait = Gait(
        rates.allowance * UNIT,
        most_turn=turning.most,
        free_turns=max(0, turning.free_each * rates.actions - rates.turns_made),
        turn_length=turning.cost * UNIT,
        backwards=True,
        backward_length=2 * UNIT,
    )
    others = tuple(outline(one) for one in table.models() if one.id != model.id)
    lie = Lie(
        table.ground, base_of(model), lambda piece: rates.rules.cost(rates.move_class, piece), others, may_leave=True
    )
    return Walker(pose(model), as_far, gait, lie)


def face_to_face(
    table: Table, shooter: Thing, victim: Thing, away: int, measured: Callable[[Thing, Thing], int]
) -> Table:
    """A bare table with two models so far from each other."""
    here = replace(shooter, place=At(Point(CORNER, CORNER)), facing=0)
    there = replace(victim, place=At(Point(CORNER + away, CORNER)), facing=180)
    short = away - measured(here, there)
    there = replace(there, place=At(Point(CORNER + away + short, CORNER)))
    both = {str(one.id): one for one in (here, there)}
    return Table(BARE, table.sides, both, turn=table.turn, options=dict(table.options))


def at_ranges(victim: str, found: Iterable[tuple[int, Told]], by: str = "") -> Preview:
    """What an attack on somebody may come to up to each distance; those at which it is alike are told once."""
    rows: list[tuple[int, Told]] = []
    for limit, told in found:
        if rows and rows[-1][1] == told:
            rows.pop()
        rows.append((limit, told))
    chances = tuple(
        Chance(f"{by}up to {inches(limit)}: {victim}, {label}", chance.numerator, chance.denominator)
        for limit, told in rows
        for label, chance in told
        if chance
    )
    return Preview(odds=chances, odds_note=FACE_TO_FACE if chances else "")
