"""The drop harness: a Behemoth that waits above is called down by Infantry, and lands on whatever is there."""

from collections.abc import Iterator, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved, Placed
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.ids import Side
from sandtable.engine.questions import Confirm, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, In, Off, Point, Region, Shape, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.directions import along
from sandtable.field.ground import box_of
from sandtable.field.measure import gap_to_point, overlap
from sandtable.field.outlines import outline_of
from sandtable.field.walking.encounters import over_edge
from sandtable.field.walking.paths import length_between
from sandtable.forces.ledger import rule
from sandtable.rulesets.dropzone.basics import FACES, centre, clockwise, edges, eyes, has_property, points_near, seen
from sandtable.rulesets.dropzone.behemoths.strides import crush, make_room, underneath
from sandtable.rulesets.dropzone.behemoths.zones import opponent
from sandtable.rulesets.dropzone.damage import Dealt, Hits, TakeOff
from sandtable.rulesets.dropzone.movement.paths import EDGE, refused_ground
from sandtable.rulesets.dropzone.movement.placing import grown
from sandtable.rulesets.dropzone.rounds import ROUND_BEGINS
from sandtable.rulesets.dropzone.shooting.aiming import ABOARD, by_an_edge, holder, in_garrison, measured_from, reaches
from sandtable.rulesets.dropzone.units import (
    ACTION_LIST,
    ACTIVATED,
    END_OF_ROUND,
    HELD,
    READINESS,
    battlegroup,
    card,
    is_behemoth,
    is_kind,
    squad_of,
    value_of,
)
from sandtable.tabletop.actions import Action
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import choose_thing
from sandtable.tabletop.pools import Pool, throw_pool
from sandtable.tabletop.states import give, take

HARNESS = rule("dropzone.behemoths.drop-harness")

SWITCH, HOLD, CALLED, DROP = "drop-harness", "hold-for-drop", "called", "drop-point"


class AskToHold(Step, frozen=True):
    """A Behemoth In Readiness may be held for a drop."""

    unit: str


class LandingRoll(Step, frozen=True):
    """A Behemoth that has come down rolls for its landing."""

    unit: str


class TouchDown(Step, frozen=True):
    """A Behemoth that has come down is shifted clear of what it cannot stand on."""

    unit: str


# Who is held, and who calls -----------------------------------------------------------------------------------------


def asks_to_hold(battle: Battle) -> Sequence[Step]:
    """When a round begins the players of Behemoths In Readiness say whether they are held."""
    if not battle.table.options.get(SWITCH):
        return ()
    return [
        AskToHold(one.id)
        for one in battle.table.of_kind("model")
        if is_behemoth(one) and one.place == Off(READINESS) and not one.has(HELD)
    ]


def ask_to_hold(battle: Battle, step: AskToHold) -> Procedure[None]:
    """Ask whether a Behemoth comes by a drop instead of walking on."""
    unit = battle.table[step.unit]
    held = yield Confirm(
        unit.side,
        f"{unit.label} is ready. Hold it for a drop instead of walking on?",
        topic=HOLD,
        about=(unit.id,),
        rules=(HARNESS.id,),
        yes="Hold it",
        no="It may walk on",
    )
    if held:
        give(battle, unit.id, HELD, HARNESS)


def waiting_above(table: Table, side: Side) -> list[Thing]:
    """The Behemoths of a side that are held for a drop."""
    return [one for one in table.of_kind("model") if one.side == side and one.has(HELD) and one.place == Off(READINESS)]


def may_signal(table: Table, squad: Thing) -> bool:
    """Whether a Signal action means anything to a squad."""
    units = table.members(squad.id)
    return bool(table.options.get(SWITCH)) and bool(units) and all(is_kind(one, "infantry") for one in units)


def cannot_signal(table: Table, squad: Thing) -> Refusal | None:
    """Why a squad may not call a Behemoth down."""
    if not waiting_above(table, squad.side):
        return Refusal(HARNESS.id, f"No Behemoth is held for a drop that {squad.label} could call.")
    if not callers(table, squad):
        return Refusal(ABOARD.id, f"{squad.label} is not on the table.")
    return None


def callers(table: Table, squad: Thing) -> list[Shape]:
    """From what the point is measured that a squad names: its units, or the Garrison it is in."""
    found: list[Shape] = []
    for one in table.members(squad.id):
        if isinstance(one.place, At):
            found.append(Disc(one.place.point, 0))
        elif isinstance(one.place, In) and in_garrison(table, one):
            found.append(table.ground.piece(holder(one)).outline)
    return list(dict.fromkeys(found))


# Coming down --------------------------------------------------------------------------------------------------------


def signal(battle: Battle, squad: Thing, step: object) -> Procedure[None]:
    """Name the Behemoth and the point, and let it come down there."""
    offered = waiting_above(battle.table, squad.side)
    prompt = f"{squad.label} signals: which Behemoth comes down?"
    name = yield from choose_thing(squad.side, prompt, offered, HARNESS, topic=CALLED, about=(squad.id,))
    unit = battle.table[name]
    around, far = callers(battle.table, squad), HARNESS.inches("signal_range_in")
    put: dict[str, Spot] = yield PlaceThings(
        squad.side,
        f"{squad.label} signals: where does {unit.label} come down?",
        topic=DROP,
        about=(squad.id, unit.id),
        things=(unit.id,),
        where={
            "": Region(
                inside=tuple(shape for one in around for shape in grown(one, far)),
                whole=False,
                rule=HARNESS.id,
                label=f"within {far // UNIT}″ of {squad.label}",
            )
        },
        rules=(HARNESS.id,),
        shows=("odds",),
        default=_somewhere(battle.table, unit, around, far),
    )
    spot = put[unit.id]
    assert isinstance(spot.where, At)
    battle.happens(Placed(unit.id, spot.where, spot.facing, rule=HARNESS.id))
    group = battlegroup(squad_of(battle.table, unit))
    if group and not battle.table[group].has(ACTIVATED):
        give(battle, group, ACTIVATED, HARNESS, until=END_OF_ROUND)
    battle.push(LandingRoll(unit.id), TouchDown(unit.id))
    dice, energy = HARNESS.text_at("landing_hits", "roll"), HARNESS.number("landing_hits", "energy")
    yield from crush(battle, battle.table[unit.id], spot.where.point, "drop", dice, energy, HARNESS)


def _somewhere(table: Table, unit: Thing, around: Sequence[Shape], far: int) -> dict[str, Spot] | None:
    """A place for a Behemoth near those who call it: the nearest on which it can stand, else any on the table."""
    spots = [one for shape in around for one in _lattice(shape, far) if cannot_drop(table, unit, around, one) is None]
    clear = [one for one in spots if refused_ground(table, unit, _foot(unit, one)) is None]
    best = next(iter(clear or spots), None)
    return None if best is None else {unit.id: Spot(At(best))}


def _lattice(shape: Shape, far: int) -> Iterator[Point]:
    west, north, east, south = box_of(shape)
    for y in range(north - far, south + far + 1, UNIT):
        for x in range(west - far, east + far + 1, UNIT):
            yield Point(x, y)


def _foot(unit: Thing, at: Point) -> Shape:
    assert unit.base is not None
    return outline_of(unit.base, at, 0)


def cannot_drop(table: Table, unit: Thing, around: Sequence[Shape], at: Point) -> Refusal | None:
    """Why a Behemoth may not be called to a point."""
    far = HARNESS.inches("signal_range_in")
    if not any(gap_to_point(shape, at) <= far for shape in around):
        return Refusal(HARNESS.id, f"That is more than {far // UNIT}″ from those who call {unit.label}.")
    if over_edge(_foot(unit, at), table.ground):
        return Refusal(EDGE.id, f"{unit.label} must stay on the table.")
    return None


def judge_drop(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why a Behemoth may not come down there."""
    squad, unit = view.table[question.about[0]], view.table[question.about[1]]
    spot = answer[unit.id].where
    return cannot_drop(view.table, unit, callers(view.table, squad), spot.point) if isinstance(spot, At) else None


# Landing ------------------------------------------------------------------------------------------------------------


def landing_parts(table: Table, unit: Thing) -> list[ExplainedPart]:
    """The dice that a Behemoth rolls for its landing, by what each is for."""
    assert isinstance(unit.place, At)
    at = unit.place.point
    foot = _foot(unit, at)
    under = [one for one in table.ground.pieces if overlap(foot, one.outline)]
    enemies = [one for one in table.models() if one.side == opponent(table, unit)]
    far = HARNESS.inches("near_in")
    near = [one for one in enemies if isinstance(one.place, At) and points_near(one.place.point, at, far)]
    found = {
        "impassable_scenery": sum(has_property(one, "impassable") for one in under),
        "tough_scenery": sum(has_property(one, "tough") for one in under),
        "enemy_squad_within_3": len({one.unit for one in near}),
        "unit_underneath": len(underneath(table, unit, at)),
        "aa_weapon_in_countered_range": sum(1 for _ in flak(table, unit)),
    }
    return [
        ExplainedPart(word.replace("_", " "), number * HARNESS.number("landing_dice", word), HARNESS.id)
        for word, number in found.items()
        if number
    ]


def flak(table: Table, unit: Thing) -> Iterator[str]:
    """The enemy AA weapons that have a Behemoth in their countered range and in sight."""
    at = centre(table, unit)
    for enemy in table.of_kind("model"):
        if enemy.gone or enemy.side != opponent(table, unit):
            continue
        for weapon in card(enemy).weapons:
            far = weapon.range_countered_in
            if value_of(weapon.special, "aa") is None:
                continue
            reach = far + card(unit).spread_in if isinstance(far, int) else far
            if any(
                reaches(measured_from(table, enemy, eye), at, reach, by_an_edge(enemy, unit))
                and seen(table, enemy, unit, eye)
                for eye in eyes(table, enemy)
            ):
                yield weapon.id


def landing_pool(unit: Thing, parts: Sequence[ExplainedPart]) -> Pool:
    """The dice of a landing: the low ones hurt."""
    hurts = HARNESS.numbers("damage_on")
    return Pool(
        what="landing",
        by=unit.id,
        count=sum(one.value for one in parts),
        rule=HARNESS,
        needs=explain("to land hard", ExplainedPart("at most", max(hurts), HARNESS.id)),
        classes=tuple(int(face in hurts) for face in FACES),
        words=("damage",),
    )


def landing_roll(battle: Battle, step: LandingRoll) -> Procedure[None]:
    """Roll for the landing: each low die takes a point off a random zone."""
    yield from ()
    unit = battle.table[step.unit]
    if unit.gone:
        return
    fell = throw_pool(battle, landing_pool(unit, landing_parts(battle.table, unit)))
    if fell.counts[1]:
        one = Dealt(Hits(unit.id, 1, 0, "landing", unit.id), 1, because=fell.n)
        battle.push(TakeOff((one,) * fell.counts[1]))


def touch_down(battle: Battle, step: TouchDown) -> Procedure[None]:
    """Shift a Behemoth clear of Impassable scenery, and move who is left from under it."""
    unit = battle.table[step.unit]
    if unit.gone:
        return
    assert isinstance(unit.place, At)
    at = clear_spot(battle.table, unit, unit.place.point)
    if at != unit.place.point:
        battle.happens(Moved(unit.id, unit.place, At(at), unit.facing, manner="pushed", rule=HARNESS.id))
    yield from make_room(battle, unit, at, HARNESS)
    take(battle, unit.id, HELD, HARNESS)


def clear_spot(table: Table, unit: Thing, here: Point) -> Point:
    """The nearest point where a Behemoth can stand, straight off a wall or around; where it is if there is none."""
    walls = [piece for piece in table.ground.pieces if overlap(_foot(unit, here), piece.outline)]
    straight = [
        at for piece in walls for at in _off_the_walls(piece, here, card(unit).radius_in) if _clear(table, unit, at)
    ]
    best = min(straight, key=lambda at: (length_between(here, at), at), default=None)
    widest = max(table.ground.width, table.ground.height) if best is None else length_between(here, best)
    for far in range(0, widest, UNIT // 4):
        for degrees in range(0, 360, 5) if far else (0,):
            at = along(here, degrees, far)
            if _clear(table, unit, at):
                return at
    return here if best is None else best


def _clear(table: Table, unit: Thing, at: Point) -> bool:
    foot = _foot(unit, at)
    return not over_edge(foot, table.ground) and refused_ground(table, unit, foot) is None


def _off_the_walls(piece: Piece, here: Point, away: int) -> Iterator[Point]:
    """The points so far outside each wall of a piece that lie straight before it as seen from a point."""
    out = 1 if clockwise(piece.outline) else -1
    for a, b in edges(piece):
        x, y, long = out * (b.y - a.y), out * (a.x - b.x), length_between(a, b)
        inside = x * (a.x - here.x) + y * (a.y - here.y) + away * long
        yield Point(here.x + x * inside // (long * long), here.y + y * inside // (long * long))


CHAPTER = Chapter(
    steps={AskToHold: ask_to_hold, LandingRoll: landing_roll, TouchDown: touch_down},
    actions=(
        Action(
            id="signal",
            label="Signal",
            rule=HARNESS,
            carry_out=signal,
            cost=ACTION_LIST.number("actions", "signal", "cost"),
            shown=may_signal,
            refused=cannot_signal,
        ),
    ),
    judges={DROP: judge_drop},
    at=(ROUND_BEGINS(asks_to_hold),),
    switches={SWITCH: "Behemoths may be dropped where Infantry calls them (dropzone.behemoths.drop-harness)"},
    states={HELD: "the Behemoth is held for a drop, or is coming down"},
    answers={
        HOLD: "yes or no: whether a Behemoth is held for a drop",
        CALLED: "the Behemoth that is called down",
        DROP: "where a Behemoth comes down: `drop-point: [x, y]`",
    },
)
