"""Reaction Fire: who may fire at Aircraft that fly past, and flights that are shot at on their way."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine.answers.windows import reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import Left, Moved
from sandtable.engine.ids import Side
from sandtable.engine.questions import React, Reaction, ReactOption, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Band, Point, Spot, Via, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import gap_to_point
from sandtable.field.walking.paths import FAR_OFF, Pose, Track, resolve
from sandtable.forces.ledger import Rule
from sandtable.rulesets.dropzone.basics import eyes
from sandtable.rulesets.dropzone.movement.arriving import LANDING
from sandtable.rulesets.dropzone.movement.paths import FLYING, MOVE
from sandtable.rulesets.dropzone.movement.placing import put_down
from sandtable.rulesets.dropzone.movement.ways import ask_ways
from sandtable.rulesets.dropzone.shooting.aiming import (
    ANTI_AIR_ONLY,
    REACTION_FIRE,
    TURNING,
    Shot,
    alternates,
    anti_air,
    cannot_fire,
    has,
    reach_of,
    refused,
)
from sandtable.rulesets.dropzone.shooting.firing import fire
from sandtable.rulesets.dropzone.units import (
    AIRBORNE,
    END_OF_ROUND,
    FAST,
    MOVED,
    READINESS,
    Weapon,
    card,
    moved,
    squad_of,
    units_on_table,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give, take
from sandtable.tabletop.walking import track_of

#: A state of an Aircraft: the way it flies while others may fire at it.
PATH = "path"
REACTION = "reaction-fire"


class FlyTo(Step, frozen=True):
    """An Aircraft flies a part of its way."""

    unit: str
    walk: Walk
    leaves: bool = False


class ReactionShot(Step, frozen=True):
    """A unit fires its anti-air weapons at an Aircraft that flies past."""

    by: str
    at: str


def ask_flight(
    battle: Battle, squad: Thing, topic: str, prompt: str, allowance: Callable[[Thing], int], source: Rule, **more: Any
) -> Procedure[dict[str, Walk]]:
    """Take off whoever stands on the ground, and ask for the ways of a squad through the air."""
    for one in units_on_table(battle.table, squad.id):
        if not one.has(AIRBORNE):
            give(battle, one.id, AIRBORNE, LANDING)
    units = units_on_table(battle.table, squad.id)
    default = more.pop("default")(battle.table, units)
    walks = yield from ask_ways(battle, squad, topic, prompt, allowance, source, default=default, **more)
    return walks


def flown_past(
    battle: Battle, squad: Thing, walks: Mapping[str, Walk], leaving: Sequence[str]
) -> Procedure[list[Step]]:
    """Let enemy anti-air weapons fire at ways through the air; gives the steps of the flight, shots among them."""
    for name, walk in walks.items():
        track = track_of(battle.table[name], walk)
        if track.length:
            give(battle, name, PATH, REACTION_FIRE, path_words(track))
    enemy = next(side for side in battle.table.sides if side != squad.side)
    longest = max([track_of(battle.table[name], walk).length for name, walk in walks.items()], default=0)
    declared = []
    if longest:
        declared = yield from reaction_window(
            battle,
            moment=REACTION,
            prompt=f"{squad.label} flies past. Reaction Fire?",
            options=lambda side, so_far: reactors(
                battle.table, side, squad, [reaction_names(one.reaction.option)[0] for one in so_far]
            ),
            rules=(REACTION_FIRE.id,),
            about=tuple(walks),
            sides=(enemy,),
            stretch=(0, longest),
            shows=("distance", "sight", "odds"),
        )
    steps: list[Step] = []
    for name, walk in walks.items():
        track = track_of(battle.table[name], walk)
        shots = sorted(
            (min(one.reaction.along or 0, track.length), number, reaction_names(one.reaction.option)[0])
            for number, one in enumerate(declared)
            if reaction_names(one.reaction.option)[1] == name
        )
        gone, rest = 0, track
        for along, _, by in shots:
            here = min(along - gone, rest.length)  # what is left of a way that was cut may be a hair shorter
            first, after = rest.cut(here)
            steps += [FlyTo(name, first), ReactionShot(by, name)]
            gone, rest = along, resolve(rest.pose_at(here), after)
        steps.append(FlyTo(name, rest.walk, name in leaving))
    return steps


def path_words(track: Track) -> tuple[str, ...]:
    """A way as a state can hold it: its corners."""
    return tuple(f"{x},{y}" for x, y in (track.start.point, *(stretch.end for stretch in track.stretches)))


def path_of(unit: Thing) -> Track | None:
    """The way that an Aircraft is flying."""
    words = unit.value(PATH)
    if not isinstance(words, tuple):
        return None
    points = [Point(*map(int, word.split(","))) for word in words]
    return resolve(Pose(points[0], unit.facing), Walk(tuple(Via(one) for one in points[1:])))


def reaction_names(option: str) -> tuple[str, str]:
    """Who fires at whom, by the option of a reaction."""
    by, _, at = option.partition(" at ")
    return by, at


def anti_air_weapons(table: Table, unit: Thing) -> list[Weapon]:
    """The weapons with which a unit may fire at those who fly past."""
    able = [
        one
        for one in card(unit).weapons
        if anti_air(one) is not None and not has(one, "indirect") and cannot_fire(table, unit, one) is None
    ]
    return [one for n, one in enumerate(able) if not any(other in able[:n] for other in alternates(unit, one))]


def on_its_way(table: Table, aircraft: Thing, along: int) -> Table | None:
    """The table with an Aircraft at a point of its way; none where it is on none."""
    track = path_of(aircraft)
    if track is None:
        return None
    cache, key = table.things_cache, (on_its_way, aircraft.id, along)
    if key not in cache:
        cache[key] = put_down(table, {aircraft.id: Spot(At(track.pose_at(min(along, track.length)).point))})
    found: Table = cache[key]
    return found


def reaction_shots(table: Table, by: Thing, at: Thing, along: int) -> list[Shot]:
    """The shots of a unit at an Aircraft that are lawful at a point of its way."""
    there = on_its_way(table, at, along)
    if there is None:
        return []
    shots = [Shot(by.id, one.id, at.id, reaction=True) for one in anti_air_weapons(table, by)]
    return [one for one in shots if refused(there, one) is None]


def in_reach(table: Table, unit: Thing, aircraft: Thing, track: Track) -> bool:
    """Whether a way comes near enough, seen from above, for an anti-air weapon of a unit to reach it at all."""
    reaches = [reach_of(table, unit, one, aircraft) for one in anti_air_weapons(table, unit)]
    far = max([one if isinstance(one, int) else FAR_OFF for one in reaches], default=0) + card(aircraft).spread_in
    ways = [Band((one.start, one.end), 2) for one in track.stretches]
    return any(gap_to_point(way, Point(eye.at.x, eye.at.y)) <= far for way in ways for eye in eyes(table, unit))


def may_react(table: Table, unit: Thing, aircraft: Thing) -> bool:
    """Whether a unit has a shot at some point of an Aircraft's way: looked for at every inch, then at every tenth."""
    track = path_of(aircraft)
    if track is None or not in_reach(table, unit, aircraft, track):
        return False
    tenth = REACTION_FIRE.inches("looked_for_every_in")
    corners = (*(one.along for one in track.stretches), track.length)
    points = (*corners, *range(0, track.length, UNIT), *range(0, track.length, tenth))
    return any(reaction_shots(table, unit, aircraft, along) for along in dict.fromkeys(points))


def reactors(table: Table, side: Side, squad: Thing, used: Sequence[str]) -> list[ReactOption]:
    """Who may fire at a squad that flies past, each at whom of it."""
    found = []
    for unit in [one for one in table.of_kind("model") if one.side == side and not one.gone and one.id not in used]:
        if not eyes(table, unit) or not anti_air_weapons(table, unit):
            continue
        for aircraft in units_on_table(table, squad.id):
            if may_react(table, unit, aircraft):
                label = f"{unit.label} at {aircraft.label}"
                found.append(ReactOption(f"{unit.id} at {aircraft.id}", label, unit.id, rules=(REACTION_FIRE.id,)))
    return found


def judge_reaction(view: View, question: React, answer: Reaction | None) -> Refusal | None:
    """Why a unit may not fire at that point of the way."""
    if answer is None:
        return None
    by, at = reaction_names(answer.option)
    if reaction_shots(view.table, view.table[by], view.table[at], answer.along or 0):
        return None
    return Refusal(REACTION_FIRE.id, f"{view.table[by].label} has no shot at that point of the way.")


def unoffered(view: View, question: React, answer: str) -> Refusal | None:
    """The rule by which a unit may not fire at an Aircraft that flies past, or at no point of its way."""
    table = view.table
    by, at = (table.things.get(one) for one in reaction_names(answer))
    if by is None or at is None or by.kind != "model" or at.kind != "model" or by.side == at.side:
        return None
    weapons = [one for one in card(by).weapons if anti_air(one) is not None and not has(one, "indirect")]
    if not weapons:
        why = f"{by.label} has no AA weapon with which it may react."
        return Refusal(REACTION_FIRE.id, why, (ANTI_AIR_ONLY.id,))
    barred = [cannot_fire(table, by, one) for one in weapons]
    aimed = [refused(table, Shot(by.id, one.id, at.id, reaction=True)) for one in weapons]
    found = next(filter(None, [*barred, *aimed]), None)
    why = f"{by.label} has no shot at {at.label} anywhere on its way."
    return Refusal(REACTION_FIRE.id, why) if found is None else replace(found, also=(*found.also, REACTION_FIRE.id))


def fly_to(battle: Battle, step: FlyTo) -> Procedure[None]:
    """Fly a part of the way, or off the table."""
    yield from ()
    unit = battle.table[step.unit]
    if unit.gone or not isinstance(unit.place, At):
        return
    track = track_of(unit, step.walk)
    far = (moved(unit) or 0) + track.length
    if step.leaves:
        give(battle, unit.id, MOVED, MOVE, far, until=END_OF_ROUND)
        battle.happens(Left(unit.id, READINESS, rule=FAST.id))
        take(battle, unit.id, PATH, REACTION_FIRE)
        return
    if track.length or track.end.facing != unit.facing:
        n = battle.happens(
            Moved(unit.id, unit.place, At(track.end.point), track.end.facing, walk=track.walk, rule=FLYING.id)
        )
        give(battle, unit.id, MOVED, MOVE if track.length else TURNING, far, until=END_OF_ROUND, because=n)


def reaction_shot(battle: Battle, step: ReactionShot) -> Procedure[None]:
    """Fire at an Aircraft where it is now."""
    by, at = battle.table[step.by], battle.table[step.at]
    if by.gone or at.gone:
        return
    shots = tuple(
        shot
        for weapon in anti_air_weapons(battle.table, by)
        if refused(battle.table, shot := Shot(by.id, weapon.id, at.id, reaction=True)) is None
    )
    if shots:
        yield from fire(battle, squad_of(battle.table, by), shots)


CHAPTER = Chapter(
    steps={FlyTo: fly_to, ReactionShot: reaction_shot},
    judges={REACTION: judge_reaction},
    unoffered={REACTION: unoffered},
    states={PATH: "the way an Aircraft is flying"},
    answers={REACTION: "who fires at whom: `A1 at B1`, and where along the way"},
)
