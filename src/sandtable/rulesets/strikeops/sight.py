"""Sight and cover: the line between two centres, what it crosses, woods that add up along it, heights that block."""

from collections.abc import Iterable
from typing import NamedTuple

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import NO_RULE, RuleId
from sandtable.engine.questions import SightNote
from sandtable.engine.shapes import Point
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.ground import level_at
from sandtable.field.measure import gap, gap_to_point
from sandtable.field.sight import Crossing, SightLine, sight_line
from sandtable.field.survey import Standing
from sandtable.field.walking.paths import length_between
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.cav.concepts import center, outline
from sandtable.rulesets.cav.movement import HILL, RUBBLE, WRECK, called
from sandtable.rulesets.cav.sight import (
    BLOCKING,
    HEAVY,
    LIGHT,
    NONE,
    RANK,
    CoverByHeight,
    End,
    joined,
    levels_stood_on,
    noted,
)
from sandtable.rulesets.strikeops.state_names import StateName
from sandtable.rulesets.strikeops.states import is_down
from sandtable.rulesets.strikeops.terrain import OBSTRUCTION, SMOKE, height, sunk

LINE_OF_SIGHT = rule("strikeops.sight.line-of-sight")
DRAWING = rule("strikeops.sight.drawing-the-line")
CROSSING = rule("strikeops.sight.crossing-terrain")
MODELS = rule("strikeops.sight.models-do-not-matter")
MUTUAL = rule("strikeops.sight.mutual")
WHEN = rule("strikeops.sight.when-cover-counts")
TOTAL = rule("strikeops.sight.total-elevation")
COVER_TYPES = rule("strikeops.sight.cover-types")
WITHIN_AN_INCH = rule("strikeops.sight.within-one-inch")
ADDING_UP = rule("strikeops.sight.adding-up-cover")
WOODS = rule("strikeops.sight.woods")
WOODS_SIZE = rule("strikeops.sight.woods-size")
IN_WOODS = rule("strikeops.sight.standing-in-woods")
E1 = rule("strikeops.sight.e1-object")
E2 = rule("strikeops.sight.e2-object")
E3 = rule("strikeops.sight.e3-object")
BY_HEIGHT = rule("strikeops.sight.elevation-cover-in-general")
IN_RUBBLE = rule("strikeops.sight.rubble-and-wrecks")
ADJACENT = rule("strikeops.concepts.adjacent")
EXACT = rule("strikeops.sight.doubtful-line")
EXAMPLES = rule("strikeops.sight.worked-examples")
#: What every line is drawn by; and what cover is counted by, where there is some.
DRAWN_BY = (LINE_OF_SIGHT, DRAWING, CROSSING, MODELS, EXACT)
COVERED_BY = (WHEN, TOTAL, COVER_TYPES, ADDING_UP, EXAMPLES)
#: What a low object beside a model gives, by the cover that it is.
LEVEL_OF = {f"{LIGHT} cover": E1, f"{HEAVY} cover": E2}
HULL_DOWN = rule("strikeops.attributes.turret-hull-down")
UNDER_WATER = rule("strikeops.attributes.amphibious-underwater-weapons")
#: The states that decide what a line meets.
_SEEN_BY = (StateName.HULL_DOWN, StateName.RAISED, StateName.UNDER_WATER)
IN_SMOKE = rule("strikeops.sight.smoke")
NOT_FROM_ABOVE = rule("strikeops.sight.smoke-and-indirect-fire")
SMOKE_EFFECT = rule("strikeops.attributes.smoke-effect")
POP_UP = rule("strikeops.attributes.pop-up-snapshot")

NEAR = ADJACENT.inches("inches")
same_number("what is adjacent", NEAR, WHEN.inches("adjacent_inches"), WITHIN_AN_INCH.inches("adjacent_inches"))
same_number("what is beside", NEAR, HULL_DOWN.inches("adjacent"), POP_UP.inches("adjacent"))
same_number("heavy cover of a hull", HULL_DOWN.number("target_modifier"), COVER_TYPES.number("heavy", "sm"))
_LOW = POP_UP.number("object_elevation")
_EDGE = IN_WOODS.inches("edge_inches")
VALUE = {kind: COVER_TYPES.number(kind, "sm") for kind in (LIGHT, HEAVY)}
#: The modifier of each kind of woods, and what it counts where woods add up along a line.
_WOODS = {kind.replace("_", "-"): WOODS.number("points", kind) for kind in ("light_woods", "heavy_woods")}
for _kind, _points in _WOODS.items():
    same_number(f"what {_kind} adds", _points, ADDING_UP.number(_kind.replace("-", "_")))
same_number("what smoke adds", IN_SMOKE.number("sm"), ADDING_UP.number("smoke"), SMOKE_EFFECT.number("target_modifier"))
_WOODS_BLOCK = next(
    int(total.rstrip("+"))
    for total in WOODS.names("cover_by_total_points")
    if WOODS.text_at("cover_by_total_points", total) == BLOCKING
)
_LOWER = {BY_HEIGHT.number("standing_cav", kind): kind for kind in (LIGHT, HEAVY)}
for _object, _level in ((E1, 1), (E2, 2)):
    same_number(f"an E{_level} object beside a CAV", _object.text_at("adjacent", "standing_cav"), _LOWER[_level])
same_number("an object as high as a CAV", BY_HEIGHT.number("standing_cav", BLOCKING), max(_LOWER) + 1)
#: What objects give by their height.
_HEIGHTS = CoverByHeight(E3.text_at("any_distance_if_as_high_as_both"), E3.text_at("adjacent", "standing_cav"), _LOWER)


class Line(NamedTuple):
    """A line of sight: whether it is blocked and by what, and the cover it gives the one that is shot at."""

    blocked: bool
    blocked_by: RuleId
    why: str
    cover: tuple[ExplainedPart, ...]
    line: SightLine
    met: tuple[tuple[str, str, RuleId], ...]  # of each thing it crosses: name, strength, rule

    @property
    def note(self) -> SightNote:
        """The line for drawing, with all it crosses."""
        return noted(self.line, self.met, self.blocked)


class _Met(NamedTuple):
    """One object on a line: what it is, the cover it gives, by which rule, and its points where woods add up."""

    name: str
    strength: str
    why: RuleId
    group: str
    value: int = 0
    points: int = 0


def distance(a: Thing, b: Thing) -> int:
    """From centre to centre (strikeops.concepts.measuring); rounded up, so that "within" is exact."""
    return length_between(center(a), center(b))


def adjacent(a: Thing, b: Thing) -> bool:
    """Whether two bases are within an inch of each other (strikeops.concepts.adjacent)."""
    return gap(outline(a), outline(b)) <= NEAR


def beside_low_hill(table: Table, model: Thing) -> bool:
    """Whether a model stands beside a hill that rises one level over its ground."""
    ground = level_at(table.ground, center(model))
    return any(
        contour.level - ground == _LOW and gap(outline(model), contour.outline) <= NEAR
        for piece in table.ground.pieces
        if piece.kind == HILL
        for contour in piece.contours
    )


def beside_low_object(table: Table, model: Thing) -> bool:
    """Whether a model stands beside something that rises one level over its ground: a hill, rubble, a wreck."""
    rises = [piece for piece in table.ground.pieces if piece.kind in (RUBBLE, WRECK, OBSTRUCTION)]
    low = [piece.outline for piece in rises if piece.height == _LOW]
    return beside_low_hill(table, model) or any(gap(outline(model), one) <= NEAR for one in low)


def line_of_sight(table: Table, shooter: Thing, target: Thing, turret: bool = False) -> Line:
    """The line between two models, and the cover the target has from the shooter, perhaps from its turret.

    strikeops.sight.drawing-the-line            from centre to centre; models neither block nor cover
    strikeops.sight.mutual                      blocked in one direction is blocked in both
    strikeops.sight.adding-up-cover             woods add up; of what has a level the best counts
    strikeops.sight.within-one-inch             light and heavy cover do not count between neighbours
    """
    if table.things.get(shooter.id) is not shooter or table.things.get(target.id) is not target:
        return _line(table, shooter, target, turret)  # one that is only thought of
    states = [(is_down(one), *(one.has(state) for state in _SEEN_BY)) for one in (shooter, target)]
    key = ("line", shooter.id, target.id, *states[0], *states[1], turret)
    found: Line | None = table.posture.get(key)
    if found is None:
        found = table.posture[key] = _line(table, shooter, target, turret)
    return found


def _line(table: Table, shooter: Thing, target: Thing, turret: bool) -> Line:
    line = sight_line(table.ground, Standing("", None, center(shooter)), Standing("", None, center(target)))
    if shooter.has(StateName.UNDER_WATER) or target.has(StateName.UNDER_WATER):
        nothing = tuple((called(table.ground.piece(one.piece)), NONE, UNDER_WATER.id) for one in line.crossings)
        return Line(True, UNDER_WATER.id, "it is under water", (), line, nothing)
    grounds = (
        line.start_ground - sunk(table.ground, shooter, line.start),
        line.end_ground - sunk(table.ground, target, line.end),
    )
    ends = (End(height(shooter) + grounds[0], grounds[0]), End(height(target) + grounds[1], grounds[1]))
    left_out = levels_stood_on(line)
    met = [_met(table, one, line, ends, (shooter, target), left_out, turret) for one in line.crossings]
    strongest: dict[str, _Met] = {}
    for one in met:
        known = strongest.get(one.group)
        if known is None or (RANK[one.strength], one.value) > (RANK[known.strength], known.value):
            strongest[one.group] = one
    shown = tuple((one.name, one.strength, one.why) for one in met)
    blocks = next((one for one in strongest.values() if one.strength == BLOCKING), None)
    if blocks is not None:
        return Line(True, blocks.why, f"{blocks.name} is in the way", (), line, shown)
    if sum(one.points for one in strongest.values()) >= _WOODS_BLOCK:
        return Line(True, WOODS.id, "there are too many trees in the way", (), line, shown)
    return Line(False, NO_RULE, "", _cover(strongest.values(), adjacent(shooter, target)), line, shown)


def _cover(met: Iterable[_Met], neighbours: bool) -> tuple[ExplainedPart, ...]:
    """What adds to the number of an attack: all woods, and the best of what has a level."""
    if neighbours:
        return ()
    woods = [
        ExplainedPart(f"{one.strength} cover ({one.name})", one.value, one.why)
        for one in met
        if one.points or one.why == IN_WOODS.id
    ]
    rises = [one for one in met if not one.points and one.why != IN_WOODS.id and one.strength in VALUE]
    best = max(rises, key=lambda one: RANK[one.strength], default=None)
    if best is not None:
        woods.append(ExplainedPart(f"{best.strength} cover", VALUE[best.strength], best.why))
    return tuple(part for part in woods if part.value)


def _met(
    table: Table,
    crossing: Crossing,
    line: SightLine,
    ends: tuple[End, End],
    models: tuple[Thing, Thing],
    left_out: dict[str, int],
    turret: bool,
) -> _Met:
    """What one object on the line gives.

    strikeops.attributes.turret-hull-down    a low hill beside it gives heavy cover, and its turret fires over it
    strikeops.attributes.pop-up-snapshot     who has risen over a low object is neither hidden nor hindered by it
    """
    piece = table.ground.piece(crossing.piece)
    name = called(piece)
    if piece.kind in _WOODS:
        return _woods(table, piece, crossing, line, models)
    if piece.kind == SMOKE:
        return _Met(name, LIGHT, IN_SMOKE.id, piece.id, IN_SMOKE.number("sm"), WOODS.number("points", "smoke"))
    if piece.kind in (RUBBLE, WRECK) and (crossing.holds_start or crossing.holds_end):
        covered = crossing.holds_end and _depth(models[1], crossing, line) >= 0
        return _Met(name, LIGHT if covered else NONE, IN_RUBBLE.id, piece.id)
    if piece.kind == HILL:
        if crossing.contour < 0 or crossing.ground <= left_out.get(piece.id, 0):
            return _Met(name, NONE, BY_HEIGHT.id, piece.id)
        high, shape = crossing.ground, piece.contours[crossing.contour].outline
    elif piece.kind in (RUBBLE, WRECK, OBSTRUCTION):
        high, shape = crossing.ground + piece.height, piece.outline
    else:
        return _Met(name, NONE, COVER_TYPES.id, piece.id)
    near = [gap(outline(model), shape) <= NEAR for model in models]
    low = [beside and high - end.ground == _LOW for beside, end in zip(near, ends, strict=True)]
    if any(model.has(StateName.RAISED) and it for model, it in zip(models, low, strict=True)):
        return _Met(name, NONE, POP_UP.id, piece.id)
    if piece.kind == HILL and low[0] and turret and models[0].has(StateName.HULL_DOWN):
        return _Met(name, NONE, HULL_DOWN.id, piece.id)
    if piece.kind == HILL and low[1] and models[1].has(StateName.HULL_DOWN):
        return _Met(name, HULL_DOWN.text_at("cover"), HULL_DOWN.id, piece.id)
    strength = _HEIGHTS.strength(high, ends, [ends[1]] if near[1] else [])
    if near[0] and _HEIGHTS.strength(high, ends, [ends[0]]) == BLOCKING:
        return _Met(name, BLOCKING, MUTUAL.id, piece.id)
    return _Met(name, strength, BY_HEIGHT.id, piece.id)


def _woods(
    table: Table, piece: Piece, crossing: Crossing, line: SightLine, ends: tuple[Thing | None, Thing | None]
) -> _Met:
    """Woods on the line, to a model or to a point: they count once, whatever their size, and add up with others.

    strikeops.sight.standing-in-woods    those in which a model stands near the edge do not add up; the target has
                                         their modifier all the same, the attacker suffers nothing from its own
    """
    name, value = called(piece), _WOODS[piece.kind]
    group = joined(table.ground)[piece.id][0].id
    strength = LIGHT if value == _WOODS["light-woods"] else HEAVY
    if crossing.holds_start != crossing.holds_end and _depth(ends[crossing.holds_end], crossing, line) <= _EDGE:
        if crossing.holds_start:
            return _Met(name, NONE, IN_WOODS.id, group)
        return _Met(name, strength, IN_WOODS.id, group, value)
    return _Met(name, strength, WOODS.id, group, value, value)


def _depth(model: Thing | None, crossing: Crossing, line: SightLine) -> int:
    """How far it is along the line from a base, or a point, to where the line leaves what is around it.

    Below 0 where the base sticks out.
    """
    starts = model is not None and center(model) == line.start
    here, spans = (line.start if starts else line.end), line.where(crossing)
    under = SightLine(line.start, line.end, 0, 0, 0).where(Crossing(outline(model))) if model is not None else ()
    half = max((length_between(*span) for span in under), default=0)
    return length_between(here, spans[0][1] if starts else spans[-1][0]) - half


def sees_point(table: Table, model: Thing, point: Point) -> bool:
    """Whether a model has a line of sight to a point on the ground; only what blocks matters.

    strikeops.indirect.strike-point-in-sight    a target of no height, blocked by what is higher beside it
    """
    line = sight_line(table.ground, Standing("", None, center(model)), Standing("", None, point))
    ground = line.start_ground - sunk(table.ground, model, line.start)
    ends = (End(height(model) + ground, ground), End(line.end_ground, line.end_ground))
    left_out, points = levels_stood_on(line), dict[str, int]()
    for crossing in line.crossings:
        piece = table.ground.piece(crossing.piece)
        if piece.kind in _WOODS:
            woods = _woods(table, piece, crossing, line, (model, None))
            points[woods.group] = max(points.get(woods.group, 0), woods.points)
        elif piece.kind == SMOKE:
            points[piece.id] = WOODS.number("points", "smoke")
        elif piece.kind == HILL and crossing.contour >= 0 and crossing.ground > left_out.get(piece.id, 0):
            shape = piece.contours[crossing.contour].outline
            if _hides(crossing.ground, ends, gap_to_point(shape, point) <= NEAR):
                return False
        elif piece.kind in (RUBBLE, WRECK, OBSTRUCTION) and not (crossing.holds_start or crossing.holds_end):
            if _hides(crossing.ground + piece.height, ends, gap_to_point(piece.outline, point) <= NEAR):
                return False
    return sum(points.values()) < _WOODS_BLOCK


def _hides(high: int, ends: tuple[End, End], near: bool) -> bool:
    return high >= max(end.total for end in ends) or (near and high > ends[1].ground)


def cover_from_above(table: Table, shooter: Thing, target: Thing) -> tuple[bool, tuple[ExplainedPart, ...]]:
    """Whether a model is sheltered from indirect fire, and the cover it has: of what it stands in or beside.

    strikeops.indirect.cover             objects farther along the line are flown over
    strikeops.indirect.blocking-cover    blocking cover beside either of the two shelters it
    """
    found = line_of_sight(table, shooter, target)
    beside: list[_Met] = []
    for crossing, (name, strength, why) in zip(found.line.crossings, found.met, strict=True):
        piece = table.ground.piece(crossing.piece)
        shape = piece.contours[crossing.contour].outline if crossing.contour >= 0 else piece.outline
        near = [gap(outline(model), shape) <= NEAR for model in (shooter, target)]
        if piece.kind == SMOKE:
            continue  # strikeops.sight.smoke-and-indirect-fire
        if strength == BLOCKING and any(near):
            return True, ()
        if strength in VALUE and (near[1] or crossing.holds_end):
            group = joined(table.ground)[piece.id][0].id if piece.kind in _WOODS else piece.id
            beside.append(_Met(name, strength, why, group, VALUE[strength], int(piece.kind in _WOODS)))
    return False, _cover({one.group: one for one in beside}.values(), False)
