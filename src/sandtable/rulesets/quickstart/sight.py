"""Sight and cover: what a line between two bases crosses, and whether that covers, blocks or does not count."""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from sandtable.engine.events import Detail
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import NO_RULE, RuleId
from sandtable.engine.questions import SightNote
from sandtable.engine.shapes import Point
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.ground import level_at, pieces_at
from sandtable.field.measure import gap, on_or_inside
from sandtable.field.sight import Crossing, SightLine, line_among, sight_line
from sandtable.field.survey import Standing, crowd, standing
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.cav.concepts import center, outline
from sandtable.rulesets.cav.sight import (
    BLOCKING,
    HEAVY,
    LIGHT,
    NONE,
    RANK,
    CoverByHeight,
    End,
    bears,
    joined,
    levels_stood_on,
    noted,
    twist_into,
)
from sandtable.rulesets.quickstart.datacard import catalogue, is_cav, is_infantry
from sandtable.rulesets.quickstart.movement.moves import HEAVY_WOODS, KIND_RULES, LIGHT_WOODS
from sandtable.rulesets.quickstart.state_names import CountName, StateName
from sandtable.rulesets.quickstart.states import KNOCKDOWN, elevation, is_down

FIRING_ARCS = rule("quickstart.sight.firing-arcs")
TORSO_TWIST = rule("quickstart.sight.torso-twist")
SPACE = rule("quickstart.sight.space-occupied")
OBJECT_HEIGHTS = rule("quickstart.sight.elevation-of-common-objects")
TOTAL = rule("quickstart.sight.total-elevation")
LINE = rule("quickstart.sight.checking-line-of-sight")
MUTUAL = rule("quickstart.sight.mutual")
TO_POINT = rule("quickstart.sight.line-of-sight-to-a-strike-point")
COVER_TYPES = rule("quickstart.sight.cover-types")
DESIGNATING = rule("quickstart.sight.designating-cover")
BY_HEIGHT = rule("quickstart.sight.cover-by-height")
WHEN = rule("quickstart.sight.when-cover-counts")
SEVERAL = rule("quickstart.sight.several-covers")
MISSILES = rule("quickstart.sight.missiles-and-rockets-ignore-cover")
MODELS = rule("quickstart.sight.models-as-cover")
PRONE_MODEL = rule("quickstart.sight.prone-model-as-cover")

#: The state of a model whose torso is twisted, for the length of one assault.
TWISTED = StateName.TWISTED
VALUE = {LIGHT: COVER_TYPES.number(LIGHT), HEAVY: COVER_TYPES.number(HEAVY)}
NEAR = WHEN.inches("adjacent_in")
_DEFAULTS = {name: DESIGNATING.text_at("defaults", name) for name in DESIGNATING.names("defaults")}
_LOWER = {
    int(levels): kind
    for levels, kind in ((n, BY_HEIGHT.text_at("adjacent_lower", n)) for n in BY_HEIGHT.names("adjacent_lower"))
}

_HEIGHTS = CoverByHeight(
    BY_HEIGHT.text_at("as_high_as_both"), BY_HEIGHT.text_at("adjacent_as_high_as_the_model"), _LOWER
)
_MOST_TWIST = TORSO_TWIST.number("max_degrees")

_ARCS = {
    name: (arc.number("from_degrees"), arc.number("to_degrees")) for name, arc in FIRING_ARCS.table("arcs").items()
}
_QUARTER = 360 // len(_ARCS)
for _n, (_from, _to) in enumerate(_ARCS.values()):
    same_number(
        "the quarters a model fires into", (_from, _to), (_n * _QUARTER - _QUARTER // 2, _n * _QUARTER + _QUARTER // 2)
    )
#: The arcs that the arm-mounted weapons of a CAV bear on.
BEARS_ON = tuple(_ARCS[name] for name in FIRING_ARCS.texts("arm_mounted_cav_weapons_bear_on"))

same_number("what is adjacent", NEAR, BY_HEIGHT.inches("adjacent_in"))
same_number(
    "cover of light woods",
    _DEFAULTS["light_woods"],
    LIGHT_WOODS.text_at("cover"),
    COVER_TYPES.text_at("examples", "light_woods"),
)
same_number(
    "cover of heavy woods",
    _DEFAULTS["heavy_woods"],
    HEAVY_WOODS.text_at("cover"),
    COVER_TYPES.text_at("examples", "heavy_woods"),
)
same_number("cover of a standing CAV", _DEFAULTS["cav_standing"], COVER_TYPES.text_at("examples", "cav_standing"))
same_number("the height of light woods", LIGHT_WOODS.number("elevation"), OBJECT_HEIGHTS.number("light_woods"))
same_number("the height of heavy woods", HEAVY_WOODS.number("elevation"), OBJECT_HEIGHTS.number("heavy_woods"))
same_number("how high a prone CAV is", KNOCKDOWN.number("elevation"), OBJECT_HEIGHTS.number("cav_prone"))
same_number(
    "how high a prone CAV is",
    rule("quickstart.movement.go-prone").number("elevation_when_prone"),
    OBJECT_HEIGHTS.number("cav_prone"),
)
for _card in catalogue():
    if _card.kind == "cav":
        same_number("how high a CAV stands", _card.stats.elevation.standing, OBJECT_HEIGHTS.number("cav_standing"))
        same_number("how high a CAV lies", _card.stats.elevation.prone, OBJECT_HEIGHTS.number("cav_prone"))
for _name, _kind_rule in KIND_RULES.items():
    _row = _name.replace("-", "_")
    if _row in _DEFAULTS and _kind_rule.has("cover"):
        same_number(f"cover of {_name}", _DEFAULTS[_row], _kind_rule.text_at("cover"))


class Line(NamedTuple):
    """A line of sight: whether it is blocked and by what, and the cover it gives the one that is shot at."""

    blocked: bool
    blocked_by: RuleId
    why: str
    cover: tuple[ExplainedPart, ...]
    rules: tuple[str, ...]  # that it was judged by
    line: SightLine
    met: tuple[tuple[str, str, RuleId], ...]  # of each thing it crosses: name, strength, rule

    @property
    def note(self) -> SightNote:
        """The line for drawing, with all it crosses."""
        return noted(self.line, self.met, self.blocked)


@cache
def kind_of_cover(kind: str) -> str:
    """What a kind of terrain is settled to give (quickstart.sight.designating-cover)."""
    return _DEFAULTS.get(kind.replace("-", "_"), NONE)


def settled(kind: str) -> Detail:
    """What a piece is told to be when it comes onto the board: its kind's rule, and the cover it gives."""
    return {"cover": kind_of_cover(kind), **citing(KIND_RULES[kind], DESIGNATING)}


def total_elevation(table: Table, model: Thing) -> int:
    """A model's own level and that of the ground under its centre (quickstart.sight.total-elevation)."""
    return elevation(model) + level_at(table.ground, center(model))


def bears_on(model: Thing, at: Point, twist: int = 0) -> bool:
    """Whether a model's weapons bear on a point, with its torso twisted by so many degrees.

    quickstart.sight.firing-arcs         arm-mounted weapons bear on the front quarter; a border counts for the shooter
    quickstart.concepts.model-facing     infantry has no facing, and so no arcs
    """
    return is_infantry(model) or bears(center(model), model.facing + twist, at, BEARS_ON)


def twist_needed(model: Thing, at: Point) -> int | None:
    """By how many degrees the torso must twist to bring weapons to bear on a point; none where no twist does.

    quickstart.sight.torso-twist    up to 90 degrees either way, and a CAV's alone
    """
    if bears_on(model, at):
        return 0
    return twist_into(center(model), model.facing, at, BEARS_ON, _MOST_TWIST) if is_cav(model) else None


def twist_to_make(model: Thing, at: Point) -> int | None:
    """The twist that brings weapons to bear on a point, none where it cannot be made; 0 is no twist.

    quickstart.sight.torso-twist    once a turn, for all weapons of one assault
    """
    twist = twist_needed(model, at)
    return twist if not twist or model.has(TWISTED) or model.count(CountName.TORSO_TWIST) else None


def standing_in(table: Table, model: Thing) -> tuple[ExplainedPart, ...]:
    """The cover of the features a model stands in, which it has against every attacker.

    quickstart.sight.when-cover-counts    (c) the defender stands in it; elevation does not matter
    """
    groups: dict[str, str] = {}
    for piece in pieces_at(table.ground, center(model)):
        cover = kind_of_cover(piece.kind)
        if cover in VALUE:
            groups[joined(table.ground)[piece.id][0].id] = cover
    return tuple(ExplainedPart(f"{cover} cover", VALUE[cover], WHEN.id) for cover in groups.values())


def in_open(table: Table, model: Thing) -> bool:
    """Whether a model stands in open or paved terrain."""
    return all(piece.kind in ("road-paved", "hill") for piece in pieces_at(table.ground, center(model)))


def line_of_sight(table: Table, shooter: Thing, target: Thing) -> Line:
    """The line of sight between two models, and the cover the target has from the shooter.

    quickstart.sight.checking-line-of-sight    between the nearest sides of the two bases
    quickstart.sight.mutual                    whether it is blocked is the same both ways
    quickstart.sight.several-covers            each object that counts applies once, and they add up
    """
    things = table.things
    if things.get(shooter.id) is not shooter or things.get(target.id) is not target:
        return _line(table, shooter, target)  # one that is only thought of
    # Lines depend on how all stand and on who lies down, and they are asked for again and again: weapon by weapon.
    key = ("line", shooter.id, target.id, lying(table))
    found: Line | None = table.posture.get(key)
    if found is None:
        line = line_among(table, shooter.id, target.id, NEAR)
        found = table.posture[key] = _judged(table, line, _ends(line, shooter, target), shooter, target)
    return found


def lying(table: Table) -> tuple[str, ...]:
    """Who lies down."""
    found: tuple[str, ...] | None = table.things_cache.get("lying down")
    if found is None:
        found = table.things_cache["lying down"] = tuple(
            [model.id for model in table.standing() if StateName.KNOCKDOWN in model.states]
        )
    return found


def _line(table: Table, shooter: Thing, target: Thing) -> Line:
    """The line between two models among the others, wherever they are."""
    line = sight_line(table.ground, standing(shooter), standing(target), crowd(table).values(), NEAR)
    return _judged(table, line, _ends(line, shooter, target), shooter, target)


def _ends(line: SightLine, shooter: Thing, target: Thing) -> tuple[End, End]:
    return (
        End(elevation(shooter) + line.start_ground, line.start_ground),
        End(elevation(target) + line.end_ground, line.end_ground),
    )


def sees_point(table: Table, shooter: Thing, point: Point) -> bool:
    """Whether a model has line of sight to a point of the board; only blocking cover matters.

    quickstart.sight.line-of-sight-to-a-strike-point    a point on a base is seen if that model is
    """
    for model in table.models():
        if model.id != shooter.id and on_or_inside(outline(model), point):
            return not line_of_sight(table, shooter, model).blocked
    others = crowd(table).values()
    line = sight_line(table.ground, standing(shooter), Standing("", None, point), others, NEAR)
    ends = (End(elevation(shooter) + line.start_ground, line.start_ground), End(line.end_ground, line.end_ground))
    return not _judged(table, line, ends, shooter, None).blocked


def _judged(table: Table, line: SightLine, ends: tuple[End, End], shooter: Thing, target: Thing | None) -> Line:
    met: list[tuple[str, str, RuleId]] = []
    found: dict[str, tuple[str, str, RuleId]] = {}  # object → strength, name, rule: the strongest of each
    left_out = levels_stood_on(line)
    models = (shooter,) if target is None else (shooter, target)
    for crossing in line.crossings:
        name, strength, why, key = strength_of(table, crossing, ends, models, left_out)
        known = found.get(key)
        if known is None or RANK[strength] > RANK[known[0]]:
            found[key] = (strength, name, why)
        met.append((name, strength, why))
    if target is not None:
        for piece in pieces_at(table.ground, center(target)):
            cover = kind_of_cover(piece.kind)
            if cover in VALUE:
                group = joined(table.ground)[piece.id][0].id
                found[group] = (cover, f"{_called(piece)}, in which it stands", WHEN.id)
    blocks = [(name, why) for strength, name, why in found.values() if strength == BLOCKING]
    parts = tuple(
        ExplainedPart(f"{strength} cover", VALUE[strength], why)
        for strength, _, why in found.values()
        if strength in VALUE
    )
    rules = _judged_by(line, [strength for strength, _, _ in found.values() if strength != NONE])
    if blocks:
        return Line(True, blocks[0][1], f"{blocks[0][0]} is in the way", parts, rules, line, tuple(met))
    return Line(False, NO_RULE, "", parts, rules, line, tuple(met))


def _judged_by(line: SightLine, covers: Sequence[str]) -> tuple[str, ...]:
    """The rules a line was judged by: more of them come in the more it meets."""
    rules = [LINE]
    if line.crossings:
        rules += [SPACE, TOTAL, DESIGNATING]
    if covers:
        rules.append(COVER_TYPES)
    if len(covers) > 1:
        rules.append(SEVERAL)
    return tuple(one.id for one in rules)


def strength_of(
    table: Table, crossing: Crossing, ends: tuple[End, End], models: Sequence[Thing], left_out: dict[str, int]
) -> tuple[str, str, RuleId, str]:
    """What one object on the line gives: its name, its strength, the rule, and the object it is part of.

    `models` are the shooter and, unless it is a point that is looked at, the target.
    """
    if crossing.thing:
        return _model_on_line(table[crossing.thing], crossing, ends, models)
    piece = table.ground.piece(crossing.piece)
    settled = kind_of_cover(piece.kind)
    if settled == "by_height":
        return _by_height(piece, crossing, ends, left_out)
    name = _called(piece)
    if settled == NONE or crossing.contour >= 0:
        return name, NONE, DESIGNATING.id, f"{piece.id}/"
    group = joined(table.ground)[piece.id]
    high = crossing.ground + piece.height
    counts = high >= max(end.total for end in ends) or _near_either(crossing) or _group_near(group, models)
    return name, settled if counts else NONE, WHEN.id, group[0].id


def _near_either(crossing: Crossing) -> bool:
    return crossing.near_start or crossing.near_end


def _group_near(group: tuple[Piece, ...], models: Sequence[Thing]) -> bool:
    """Whether another piece of a joined feature is adjacent to one of the two models."""
    if len(group) < 2:
        return False
    return any(gap(outline(model), piece.outline) <= NEAR for model in models for piece in group)


def _model_on_line(
    model: Thing, crossing: Crossing, ends: tuple[End, End], models: Sequence[Thing]
) -> tuple[str, str, RuleId, str]:
    """A CAV on the line: standing it blocks where it counts, lying it only shelters one right behind it."""
    name = model.label
    if not is_cav(model):
        return name, NONE, MODELS.id, model.id
    if is_down(model):
        shelters = crossing.near_end and len(models) > 1 and is_cav(models[1])
        return name, _DEFAULTS["cav_prone"] if shelters else NONE, PRONE_MODEL.id, model.id
    high = crossing.ground + elevation(model)
    counts = high >= max(end.total for end in ends) or _near_either(crossing)
    return name, _DEFAULTS["cav_standing"] if counts else NONE, MODELS.id, model.id


def _by_height(
    piece: Piece, crossing: Crossing, ends: tuple[End, End], left_out: dict[str, int]
) -> tuple[str, str, RuleId, str]:
    """Hills, structures and obstructions (quickstart.sight.cover-by-height)."""
    name = _called(piece)
    if piece.kind == "hill":
        if crossing.contour < 0 or crossing.ground <= left_out.get(piece.id, 0):
            return name, NONE, BY_HEIGHT.id, piece.id
        high = crossing.ground
    else:
        if piece.traits.get("enterable") and (crossing.holds_start or crossing.holds_end):
            both = crossing.holds_start and crossing.holds_end
            return name, NONE if both else HEAVY, DESIGNATING.id, piece.id
        high = crossing.ground + piece.height
    near = (crossing.near_start, crossing.near_end)
    beside = [end for end, by in zip(ends, near, strict=True) if by]
    return name, _HEIGHTS.strength(high, ends, beside), BY_HEIGHT.id, piece.id


def _called(piece: Piece) -> str:
    return piece.label or f"the {piece.kind.replace('-', ' ')}"
