"""The ground of a close assault: who is there, cover, contact, the ways in and the ways out."""

from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import MoveModels, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, Disc, Point, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import rounded
from sandtable.field.measure import center_gap, inside, overlap
from sandtable.field.paths import length_between
from tests.miniatures.figures import BASE, CHAIN, MOVING, crowded, fit, move_refused, spot, tracks, unit_gap
from tests.miniatures.nerve import level
from tests.miniatures.small_arms import range_die_parts

COMBAT_MOVE = "stargrunt.close-assault.combat-move"
WITHDRAWAL = "stargrunt.close-assault.withdrawal-path"
SOFT = "stargrunt.cover.soft"

REACH = 6 * UNIT
FARTHEST = 24 * UNIT  # two combat moves at their best
TOUCHING = UNIT + 5


def units(table: Table, side: str) -> list[Thing]:
    """The units of a side that have a fit figure."""
    return [unit for unit in table.of_kind("unit") if unit.side == side and fit(table, unit.id)]


def willing(table: Table, side: str) -> list[Thing]:
    return [unit for unit in units(table, side) if level(unit) not in ("BR", "RO")]


def other(table: Table, side: str) -> str:
    return next(other for other in table.sides if other != side)


def in_cover(table: Table, unit: Thing) -> bool:
    """Whether more than half of a unit's fit figures stand in scrub: soft cover, all round."""
    figures = fit(table, unit.id)
    pieces = [piece.outline for piece in table.ground.pieces if piece.kind == "scrub"]
    covered = [one for one in figures if any(inside(outline, spot(one)) for outline in pieces)]
    return 2 * len(covered) > len(figures)


def in_contact(table: Table, ours: str, theirs: str) -> bool:
    """Whether a figure of one unit touches one of the other."""
    enemies = [spot(one) for one in fit(table, theirs)]
    return any(center_gap(spot(one), e) <= TOUCHING**2 for one in fit(table, ours) for e in enemies)


def straight_in(table: Table, attacker: str, defender: str) -> dict[str, Walk] | None:
    """The shortest way for a whole unit, in step, that brings one of its figures into contact; or none."""
    ours, theirs = fit(table, attacker), fit(table, defender)
    ways = []
    for one in ours:
        for enemy in theirs:
            length = length_between(spot(one), spot(enemy))
            if length > UNIT:
                go = length - UNIT - 2  # two thousandths to spare for rounding: still in contact
                start, end = spot(one), spot(enemy)
                ways.append((go, rounded((end.x - start.x) * go, length), rounded((end.y - start.y) * go, length)))
    others = [spot(one) for one in table.models() if one.unit != attacker or one not in ours]
    for go, x, y in sorted(ways):
        ends = {one.id: Point(spot(one).x + x, spot(one).y + y) for one in ours}
        if go <= FARTHEST and not crowded(ends.values(), others):
            walks = {one: Walk((Via(end),)) for one, end in ends.items()}
            models = tuple(walks)
            asked = MoveModels("", "", models=models, allowance=dict.fromkeys(models, FARTHEST), together=CHAIN)
            if charge_refused(table, asked, walks, defender) is None:
                return walks
    return None


def charge_refused(table: Table, question: MoveModels, walks: dict[str, Walk], defender: str) -> Refusal | None:
    """Why attackers may not charge so: the usual reasons, or through an enemy, or to nowhere near the defenders."""
    refusal = move_refused(table, question, walks, COMBAT_MOVE)
    if refusal is not None:
        return refusal
    ways = tracks(table, question.models, walks)
    side = table[question.models[0]].side
    enemies = [Disc(spot(one), UNIT // 2) for one in table.models(other(table, side))]
    for one, track in ways:
        for shape in track.swept(BASE, 0, track.length) if track.length else ():
            if any(overlap(shape, enemy) for enemy in enemies):
                return Refusal(MOVING, f"{one.label} would pass through an enemy.")
    goal = [spot(one) for one in fit(table, defender)]
    if not any(center_gap(way.track.end.point, p) <= TOUCHING**2 for way in ways for p in goal):
        return Refusal(COMBAT_MOVE, f"No path ends in contact with {defender}.")
    return None


def fall_back_refused(view: View, question: MoveModels, walks: dict[str, Walk]) -> Refusal | None:
    """Why a unit may not fall back so: too far, off the table, or not the whole way home."""
    table, side = view.table, view.side
    for one, track in tracks(table, question.models, walks):
        if track.length > REACH:
            return Refusal(WITHDRAWAL, f"{one.label} falls back six inches at most.")
        start, end = spot(one), track.end.point
        if not (500 <= end.x <= table.ground.width - 500 and 500 <= end.y <= table.ground.height - 500):
            return Refusal(WITHDRAWAL, f"{one.label} would leave the table.")
        nearer = (end.y - start.y) * home(side)
        if not at_baseline(table, end, side) and (nearer <= 0 or track.length < REACH - 10):
            return Refusal(WITHDRAWAL, f"{one.label} must go six inches towards its baseline.")
    return None


def homewards(table: Table, one: Thing) -> Walk:
    """Straight home, six inches or as far as the table goes."""
    at = spot(one)
    y = max(500, min(table.ground.height - 500, at.y + home(one.side) * REACH))
    return Walk((Via(Point(at.x, y)),)) if y != at.y else Walk()


def home(side: str) -> int:
    """Which way home is: red's baseline is the south edge, blue's the north one."""
    return 1 if side == "red" else -1


def at_baseline(table: Table, at: Point, side: str) -> bool:
    return at.y >= table.ground.height - 500 if side == "red" else at.y <= 500


def range_parts(table: Table, unit: Thing, enemy: Thing) -> tuple[ExplainedPart, ...]:
    ours = [spot(one) for one in fit(table, unit.id)]
    theirs = [spot(one) for one in fit(table, enemy.id)]
    shifts = (ExplainedPart("soft cover", 1, SOFT),) if in_cover(table, enemy) else ()
    return range_die_parts(unit_gap(ours, theirs), unit.count("quality"), shifts)
