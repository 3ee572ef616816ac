"""Where a squad might go, and what each place is worth: fire from there, what it may suffer there, and its goals."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.shapes import UNIT, At, Leg, Point, Shape, Walk, rectangle
from sandtable.engine.table import Mark, Table, Thing
from sandtable.field.chords import chords
from sandtable.field.directions import along
from sandtable.field.ground import Box, box_of, pieces_at
from sandtable.field.measure import bearing, gap_to_point
from sandtable.field.outlines import base_radius
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.dropzone.aircraft.flying import cannot_land
from sandtable.rulesets.dropzone.aircraft.loading import cannot_set_down
from sandtable.rulesets.dropzone.basics import has_property
from sandtable.rulesets.dropzone.movement.paths import as_far, full_move, half_move, refused_end, way_of
from sandtable.rulesets.dropzone.shooting.aiming import Shot, cannot_fire, refused
from sandtable.rulesets.dropzone.tactics.errands import goals, here, in_reach
from sandtable.rulesets.dropzone.tactics.fire import best_volley, too_far
from sandtable.rulesets.dropzone.tactics.worth import expected, value_of_damage
from sandtable.rulesets.dropzone.units import AIRBORNE, MOVED, card, flies, inside, moved, units_on_table
from sandtable.tabletop.opponent import Skill, kept
from sandtable.tabletop.walking import track_of

#: What a whole move towards a goal is worth, and how much of what the enemy may do counts, in hundredths.
STEP, FEAR = 600, 60
#: A passenger gets out this near to where it wants to be, in its own moves; and how many places to land are compared.
NEAR_ENOUGH, LANDING_PLACES = 2, 3
#: How far a squad may go, in hundredths of the least move of its units.
SHARES = (100, 66, 33)
#: How much room it leaves to what it goes around.
AROUND = UNIT // 4


class Prospect(NamedTuple):
    """A way to go, and what its end brings: fire from there, fear, and how near it is to a goal."""

    walks: dict[str, Walk]
    fire: int
    fear: int
    progress: int
    words: str

    @property
    def worth(self) -> int:
        """What it is worth in all."""
        return self.fire - self.fear + self.progress


def prospects(table: Table, squad: Thing, skill: Skill) -> Iterator[Prospect]:
    """To stay, and the ways to a few places, each with what it brings."""
    units = units_on_table(table, squad.id)
    if not units:
        return
    wanted = goals(table, squad)[:3] if skill.objectives else goals(table, squad)[-1:]
    yield seen_from(table, squad, {one.id: Walk() for one in units}, skill, "stay")
    far, start = min(full_move(one) for one in units), here(table, squad)
    foe = nearest_enemy(table, squad)
    places = [(at, goal.what) for goal in wanted[:1] for at in _landing_places(table, squad, goal.at)]
    places += [(at, goal.what) for goal in wanted[:1] for at in _on_the_way(start, goal.at, far)]
    places += [(at, goal.what) for goal in wanted[:1] for at in _around(table, units[0], start, goal.at, far)]
    places += [(at, goal.what) for goal in wanted[1:] for at in _on_the_way(start, goal.at, far, SHARES[:1])]
    if wanted and start != wanted[0].at:
        towards = bearing(start, wanted[0].at)
        places += [(along(start, (towards + turn) % 360, far), "a way around") for turn in (45, 315, 90, 270)]
    if foe is not None:
        towards = bearing(start, foe)
        places += [(along(start, (towards + turn) % 360, far), "another place") for turn in (180, 90, 270)]
    for at, words in places[: skill.poses + LANDING_PLACES]:
        walks = in_step(table, units, start, at, foe)
        if any(walk.legs for walk in walks.values()):
            yield seen_from(table, squad, walks, skill, words)


def _landing_places(table: Table, squad: Thing, goal: Point) -> Iterator[Point]:
    """Where an Aerial Transport with passengers could land near their goal, the nearest to itself first."""
    units = units_on_table(table, squad.id)
    if not all(one.has(AIRBORNE) or flies(one) for one in units) or not passengers(table, squad):
        return
    unit, start = units[0], here(table, squad)
    around = (along(goal, turn, far * UNIT) for far in (4, 6, 8) for turn in range(0, 360, 45))
    free = [at for at in around if refused_end(table, unit, at, [(unit, at)], False) is None]
    free = [at for at in free if not any(has_property(one, "impassable") for one in pieces_at(table.ground, at))]
    yield from sorted(free, key=lambda at: (length_between(start, at), at))[:LANDING_PLACES]


def passengers(table: Table, squad: Thing) -> list[Thing]:
    """Who rides in the Transports of a squad."""
    return [one for unit in table.members(squad.id) for one in inside(table, unit.id)]


def sets_down(table: Table, squad: Thing) -> bool:
    """Whether passengers of Aircraft may get out where those are now: not flown far, and near enough to their goal."""
    riders = passengers(table, squad)
    if not riders or not arrived(table, squad):
        return False
    if all(cannot_set_down(table, squad, table[name]) for name in dict.fromkeys(one.unit for one in riders)):
        return False
    units = units_on_table(table, squad.id)
    if any(one.has(AIRBORNE) for one in units) and cannot_land(table, squad) is not None:
        return False
    return all((moved(one) or 0) <= half_move(one) for one in units)


def arrived(table: Table, squad: Thing) -> bool:
    """Whether passengers, or those who carry them, are near enough to where they want to be, or to whom they hurt."""
    wanted = goals(table, squad)
    riders = passengers(table, squad) or table.members(squad.id)
    if not wanted or not riders:
        return True
    if length_between(here(table, squad), wanted[0].at) <= NEAR_ENOUGH * full_move(riders[0]):
        return True
    return any(in_reach(table, table[name]) for name in dict.fromkeys(one.unit for one in riders))


def _on_the_way(start: Point, goal: Point, far: int, shares: Sequence[int] = SHARES) -> Iterator[Point]:
    whole = length_between(start, goal)
    for share in shares:
        part = min(whole, far) * share // 100
        if whole:
            yield Point(start.x + (goal.x - start.x) * part // whole, start.y + (goal.y - start.y) * part // whole)


def _blocks(table: Table, unit: Thing) -> list[Shape]:
    """What a unit cannot pass; kept as long as nobody stirs."""
    return kept(table, (_blocks, unit.id), lambda: [shape for shape, _ in way_of(table, unit, 0).blocks])


def _corners(table: Table, unit: Thing, start: Point, goal: Point) -> list[Point]:
    """The corners by which a unit may go around the first thing on the straight way to a goal that it cannot pass."""
    assert unit.base is not None
    whole, room = length_between(start, goal), base_radius(unit.base) + AROUND
    met: list[tuple[int, Box]] = []
    for shape in _blocks(table, unit):
        west, north, east, south = box_of(shape)
        if max(start.x, goal.x) < west - room or min(start.x, goal.x) > east + room:
            continue
        if max(start.y, goal.y) < north - room or min(start.y, goal.y) > south + room:
            continue
        if gap_to_point(shape, goal) <= room or gap_to_point(shape, start) < 0:
            continue  # it wants to be there, or stands on it
        wide, high = east - west + 2 * room - 2, south - north + 2 * room - 2
        inside = chords(rectangle(west - room + 1, north - room + 1, wide, high), start, goal, max(1, whole))
        met += [(inside[0][0], (west, north, east, south))] if inside else []
    if not met:
        return []
    west, north, east, south = min(met)[1]
    sides = [Point(x, y) for x in (west - room, east + room) for y in (north - room, south + room)]
    return [one for one in sides if 0 < one.x < table.ground.width and 0 < one.y < table.ground.height]


def way_to(table: Table, unit: Thing, start: Point, goal: Point) -> int:
    """About how far it is to a goal, around the first thing in the way."""
    corners = _corners(table, unit, start, goal)
    ways = [length_between(start, one) + length_between(one, goal) for one in corners]
    return min(ways, default=length_between(start, goal))


def _around(table: Table, unit: Thing, start: Point, goal: Point, far: int) -> Iterator[Point]:
    """Places on the way around what stands in the way, by either side."""
    corners = _corners(table, unit, start, goal)
    for one in sorted(corners, key=lambda at: (length_between(start, at) + length_between(at, goal), at))[:2]:
        yield from _on_the_way(start, one, far, SHARES[:1])


def in_step(table: Table, units: Sequence[Thing], start: Point, at: Point, foe: Point | None) -> dict[str, Walk]:
    """The same way for every unit as far as it may go it, at whose end each faces the enemy."""
    walks: dict[str, Walk] = {}
    taken: list[tuple[Thing, Point]] = []
    for one in units:
        assert isinstance(one.place, At)
        end = Point(one.place.point.x + at.x - start.x, one.place.point.y + at.y - start.y)
        walks[one.id], stands = _to(table, one, end, foe, taken)
        taken.append((one, stands))
    return walks


def _to(
    table: Table, unit: Thing, end: Point, foe: Point | None, taken: Sequence[tuple[Thing, Point]]
) -> tuple[Walk, Point]:
    assert isinstance(unit.place, At)
    ahead = bearing(unit.place.point, end)
    turn = (ahead - unit.facing + 180) % 360 - 180
    track = track_of(unit, Walk((Leg(turn, length_between(unit.place.point, end)),)))
    far = as_far(table, unit, track, way_of(table, unit, full_move(unit)))
    while far > 0:
        stands = track.pose_at(far).point
        if refused_end(table, unit, stands, [*taken, (unit, stands)], unit.has(AIRBORNE)) is None:
            legs = [Leg(turn, far)]
            if foe is not None and foe != stands:
                legs.append(Leg((bearing(stands, foe) - ahead + 180) % 360 - 180, 0))
            return Walk(tuple(legs)), stands
        far -= UNIT // 2
    return Walk(), unit.place.point


def seen_from(table: Table, squad: Thing, walks: dict[str, Walk], skill: Skill, words: str) -> Prospect:
    """What the end of a way brings."""
    there = table.copy()
    for name, walk in walks.items():
        unit = table[name]
        track = track_of(unit, walk)
        if walk.legs:
            states = {**unit.states, MOVED: Mark((moved(unit) or 0) + track.length)}
            end = At(track.end.point)
            there.things[name] = replace(unit, place=end, facing=track.end.facing, states=states)
    fire = best_volley(there, squad, skill)[1]
    fear = danger(there, squad, skill) * FEAR // 100 if skill.fears else 0
    wanted = goals(table, squad)[:1]
    far = max(1, min((full_move(table[name]) for name in walks), default=1))
    at = here(there, squad)
    lead = units_on_table(table, squad.id)[0]
    progress = -sum(STEP * min(6 * far, way_to(table, lead, at, goal.at)) // far for goal in wanted)
    if all(flies(table[name]) for name in walks) and sets_down(there, squad):
        progress += 2 * STEP
    return Prospect(walks, fire, fear, progress, words)


def nearest_enemy(table: Table, squad: Thing) -> Point | None:
    """Where the nearest enemy on the table is."""
    start = here(table, squad)
    spots = [one.place.point for one in table.models() if one.side != squad.side and isinstance(one.place, At)]
    return min(spots, key=lambda at: (length_between(start, at), at), default=None)


def danger(table: Table, squad: Thing, skill: Skill) -> int:
    """What the nearest enemies may be expected to do to a squad, each at its best mark."""
    start, mine = here(table, squad), table.members(squad.id)
    foes = [one for one in table.models() if one.side != squad.side and isinstance(one.place, At)]
    foes.sort(key=lambda one: (length_between(start, one.place.point) if isinstance(one.place, At) else 0, one.id))
    total = 0
    for foe in foes[: skill.foes]:
        weapons = [one for one in card(foe).weapons if cannot_fire(table, foe, one) is None]
        best = 0
        for unit in mine:
            shots = [Shot(foe.id, one.id, unit.id) for one in weapons if not too_far(foe, one, unit)]
            points = sum(expected(table, shot) for shot in shots if refused(table, shot) is None)
            best = max(best, value_of_damage(table, foe.side, unit, points))
        total += best
    return total
