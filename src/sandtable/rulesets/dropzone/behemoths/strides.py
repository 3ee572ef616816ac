"""The strides of a Behemoth: it breaks through what is in its way, and crushes what is where it ends."""

from collections.abc import Iterator, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved
from sandtable.engine.explain import inches
from sandtable.engine.questions import Allocate, Option, PlaceThings, Refusal, Settled
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, Point, Region, Spot, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.directions import along
from sandtable.field.measure import overlap
from sandtable.field.outlines import outline_of
from sandtable.field.walking.encounters import Obstacles
from sandtable.field.walking.paths import Track, length_between
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.dropzone.basics import has_property, roll_number
from sandtable.rulesets.dropzone.damage import DamageRolls, Dealt, Hits, Saves, damage_pool, dealt_by, lose
from sandtable.rulesets.dropzone.movement.paths import full_move, judge_walks, refused_end, too_high, ways_by
from sandtable.rulesets.dropzone.movement.ways import ask_ways, go, standing_ways
from sandtable.rulesets.dropzone.scenery import destructible_near, near_collapse
from sandtable.rulesets.dropzone.shooting.aiming import covered_from
from sandtable.rulesets.dropzone.units import AIRBORNE, card, units_on_table
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.places import refused_region
from sandtable.tabletop.pools import throw_pool
from sandtable.tabletop.walking import track_of

STOMP = rule("dropzone.behemoths.stomp")
BREAKING = rule("dropzone.behemoths.breaking-through")

STRIDE, CRUSHED, ROOM = "stride", "crushed", "make-room"


class BreakThrough(Step, frozen=True):
    """A Behemoth goes through a piece of scenery."""

    unit: str
    piece: str


class Stomp(Step, frozen=True):
    """A Behemoth crushes what is near the end of its way."""

    unit: str
    walk: Walk


class Stand(Step, frozen=True):
    """A Behemoth comes to the end of its way, and who is left there makes room."""

    unit: str
    walk: Walk


# What is in its way -------------------------------------------------------------------------------------------------


def broken_through(table: Table, unit: Thing, track: Track) -> list[Piece]:
    """The Destructible pieces too tall to step over that a way goes through, in its order."""
    assert unit.base is not None
    found = []
    for piece in table.ground.pieces:
        if has_property(piece, "impassable") and has_property(piece, "destructible") and too_high(unit, piece):
            met = Obstacles([piece.outline]).free_until(track, unit.base)
            if met < track.length:
                found.append((met, piece.id, piece))
    return [piece for _, _, piece in sorted(found, key=lambda entry: entry[:2])]


def crushed_squads(table: Table, unit: Thing, at: Point) -> dict[str, list[Thing]]:
    """The units within the Spread of a Behemoth that stands at a point, by squad; those in the air are not touched."""
    found: dict[str, list[Thing]] = {}
    for one in near_collapse(table, Disc(at, 0), card(unit).spread_in):
        if one.id != unit.id and not one.has(AIRBORNE):
            found.setdefault(one.unit, []).append(one)
    return found


def crushed_scenery(table: Table, unit: Thing, at: Point) -> list[Thing]:
    """The Destructible scenery within the Spread of a Behemoth that stands at a point."""
    return list(destructible_near(table, at, card(unit).spread_in))


def underneath(table: Table, unit: Thing, at: Point) -> list[Thing]:
    """The units on the ground under the footprint of a Behemoth that stands at a point."""
    assert unit.base is not None
    foot = outline_of(unit.base, at, 0)
    found = []
    for one in table.models():
        if one.id != unit.id and not one.has(AIRBORNE) and isinstance(one.place, At) and one.base is not None:
            if overlap(foot, outline_of(one.base, one.place.point, 0)):
                found.append(one)
    return found


# Striding -----------------------------------------------------------------------------------------------------------


def stride(battle: Battle, squad: Thing) -> Procedure[None]:
    """Ask for the way of a Behemoth; what is in it and at its end suffers before the Behemoth stands there."""
    table, units = battle.table, units_on_table(battle.table, squad.id)
    walks = yield from ask_ways(
        battle,
        squad,
        STRIDE,
        f"{squad.label}: where to?",
        full_move,
        *ways_by(table, units),
        STOMP,
        shows=("distance", "reach", "odds"),
        default=standing_ways(table, units),
    )
    for unit in units:
        track = track_of(unit, walks[unit.id])
        steps: list[Step] = [BreakThrough(unit.id, piece.id) for piece in broken_through(table, unit, track)]
        if track.length:
            steps.append(Stomp(unit.id, walks[unit.id]))
        battle.push(*steps, Stand(unit.id, walks[unit.id]))


def break_through(battle: Battle, step: BreakThrough) -> Procedure[None]:
    """Hit a piece that a Behemoth goes through; what fails to damage it hurts the Behemoth."""
    yield from ()
    table = battle.table
    unit, piece = table[step.unit], table[step.piece]
    if unit.gone or piece.gone:
        return
    count = roll_number(battle, "breaking through", BREAKING.text_at("hits"), unit.id, BREAKING)
    hits = breaking_hits(unit, piece.id, count)
    fell = throw_pool(battle, damage_pool(table, hits))
    own = Dealt(Hits(unit.id, 1, hits.energy, hits.what, unit.id), BREAKING.number("own_damage"), because=fell.n)
    found = dealt_by(table, hits, fell.counts[1], fell.counts[2], fell.n)
    battle.push(Saves((*([found] if found.points else []), *[own] * fell.counts[0])))


def breaking_hits(unit: Thing, piece: str, count: int) -> Hits:
    """The hits on a piece that a Behemoth goes through."""
    return Hits(piece, count, BREAKING.number("energy"), "breaking through", unit.id)


def stomp(battle: Battle, step: Stomp) -> Procedure[None]:
    """Every squad and every Destructible piece within the Spread of the way's end is hit, as often as one die says."""
    unit = battle.table[step.unit]
    if not unit.gone:
        at = track_of(unit, step.walk).end.point
        yield from crush(battle, unit, at, "stomp", STOMP.text_at("hits"), STOMP.number("energy"), STOMP)


def crush(battle: Battle, unit: Thing, at: Point, what: str, dice: str, energy: int, source: Rule) -> Procedure[None]:
    """Roll once for all that are within a Behemoth's Spread; its player says who of each squad is hit."""
    table = battle.table
    squads, scenery = crushed_squads(table, unit, at), crushed_scenery(table, unit, at)
    if not squads and not scenery:
        return
    count = roll_number(battle, what, dice, unit.id, source)
    hits = [Hits(one.id, count, energy, what, unit.id) for one in scenery]
    for squad, units in squads.items():
        shares = yield from allocated(battle, unit, table[squad], units, count, source)
        for one in units:
            if shares[one.id]:
                cover = covered_from(table, one, at)[1]
                hits.append(Hits(one.id, shares[one.id], energy, what, unit.id, cover=cover))
    battle.push(DamageRolls(tuple(hits)))


def allocated(
    battle: Battle, behemoth: Thing, squad: Thing, units: Sequence[Thing], count: int, source: Rule
) -> Procedure[dict[str, int]]:
    """How many of a squad's hits each of its units takes, as the Behemoth's player says."""
    names = [f"hit {number + 1}" for number in range(count)]
    if len(units) == 1:
        yield Settled(CRUSHED, dict.fromkeys(names, units[0].id))
        return {units[0].id: count}
    answer: dict[str, str] = yield Allocate(
        behemoth.side,
        f"{squad.label} takes {count} hits: who of it?",
        topic=CRUSHED,
        about=(behemoth.id, squad.id),
        items=tuple(Option(one, one.capitalize(), rules=(source.id,)) for one in names),
        bins=tuple(Option(one.id, one.label, (one.id,), (source.id,)) for one in units),
        rules=(source.id,),
        default={one: units[number % len(units)].id for number, one in enumerate(names)},
    )
    return {one.id: sum(taker == one.id for taker in answer.values()) for one in units}


def make_room(battle: Battle, behemoth: Thing, at: Point, source: Rule) -> Procedure[None]:
    """The Behemoth's player moves who is left under its footprint the least distance; who has no place is lost."""
    table, where = battle.table, dict[str, Region]()
    default: dict[str, Spot] = {}
    foot, taken, fine = Disc(at, card(behemoth).radius_in), [(behemoth, at)], STOMP.inches("least_to_in")
    for unit in underneath(table, behemoth, at):
        spot = next(room_beside(table, unit, taken), None)
        if spot is None:
            lose(battle, unit, "could not be placed", source.id)
            continue
        assert isinstance(unit.place, At)
        here = unit.place.point
        far = -(-length_between(here, spot) // fine) * fine
        where[unit.id] = Region((Disc(here, far),), (foot,), whole=False, rule=source.id, label=f"within {inches(far)}")
        default[unit.id] = Spot(At(spot), unit.facing)
        taken.append((unit, spot))
    if not default:
        return
    put: dict[str, Spot] = yield PlaceThings(
        behemoth.side,
        f"{behemoth.label} needs room: where do those go who are under it?",
        topic=ROOM,
        about=(behemoth.id, *default),
        things=tuple(default),
        where=where,
        faces=False,
        rules=(source.id,),
        default=default,
    )
    for name, one in put.items():
        unit = battle.table[name]
        battle.happens(Moved(unit.id, unit.place, one.where, unit.facing, manner="pushed", rule=source.id))


def room_beside(table: Table, unit: Thing, taken: Sequence[tuple[Thing, Point]]) -> Iterator[Point]:
    """Where a unit may stand that a Behemoth pushes away, the nearest first: straight away, then rings around it."""
    assert isinstance(unit.place, At)
    (behemoth, at), here, step = taken[0], unit.place.point, STOMP.inches("least_to_in")

    def free(spot: Point) -> bool:
        return refused_end(table, unit, spot, [*taken, (unit, spot)], airborne=False) is None

    away, needs = length_between(at, here), card(behemoth).radius_in + card(unit).radius_in + 2
    if away:
        straight = Point(at.x + (here.x - at.x) * needs // away, at.y + (here.y - at.y) * needs // away)
        if free(straight):
            yield straight
    for far in range(step, 2 * card(behemoth).spread_in + 4 * UNIT, step):
        yield from filter(free, (along(here, degrees, far) for degrees in range(0, 360, 5)))


def judge_room(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why those who make room for a Behemoth may not go there."""
    table, behemoth = view.table, view.table[question.about[0]]
    refusal = refused_region(table, question, answer)
    if refusal is not None:
        return refusal
    (foot,) = next(iter(question.where.values())).outside
    assert isinstance(foot, Disc)
    ends = [(table[name], one.where.point) for name, one in answer.items() if isinstance(one.where, At)]
    found = (refused_end(table, unit, at, [(behemoth, foot.center), *ends], airborne=False) for unit, at in ends)
    return next(filter(None, found), None)


def stand(battle: Battle, step: Stand) -> Procedure[None]:
    """The Behemoth stands at the end of its way; in one with it those go who may stand where it came from."""
    unit = battle.table[step.unit]
    if not unit.gone:
        track = track_of(unit, step.walk)
        if track.length:
            yield from make_room(battle, unit, track.end.point, STOMP)
        go(battle, unit, step.walk)


CHAPTER = Chapter(
    steps={BreakThrough: break_through, Stomp: stomp, Stand: stand},
    judges={STRIDE: judge_walks, ROOM: judge_room},
    answers={
        STRIDE: "the way of a Behemoth",
        CRUSHED: "which of a squad's units take the hits of a stomp or a landing: `crushed: {hit 1: A1}`",
        ROOM: "where those go who make room for a Behemoth: `make-room: {B1: [x, y]}`",
    },
)
