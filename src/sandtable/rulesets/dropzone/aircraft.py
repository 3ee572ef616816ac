"""Aircraft: flying, landing and loading, fire at those who fly past, Fast ones, and crashes."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from sandtable.engine.answers.windows import reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import Left, Moved, Placed
from sandtable.engine.questions import (
    ChooseOne,
    ChooseSeveral,
    MoveModels,
    Option,
    Preview,
    React,
    Reaction,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, Leg, Point, Via, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import gap_to_point
from sandtable.field.outlines import outline_of
from sandtable.field.walking.encounters import Obstacles, over_edge
from sandtable.field.walking.paths import Pose, Track, resolve
from sandtable.forces.ledger import rule
from sandtable.rulesets.dropzone.basics import eyes, has_property, roll_number
from sandtable.rulesets.dropzone.damage import FALLS, DamageRolls, Destroyed, Hits
from sandtable.rulesets.dropzone.garrisons import enter, gates
from sandtable.rulesets.dropzone.movement import (
    FLYING,
    MOVE,
    TURNING,
    full_move,
    half_move,
    judge_walks,
    preview_walks,
    refused_end,
    too_high,
    track_of,
)
from sandtable.rulesets.dropzone.placing import Survivors, ask_places, outline_out_of
from sandtable.rulesets.dropzone.scenery import near_collapse
from sandtable.rulesets.dropzone.shooting.aiming import (
    REACTION_FIRE,
    Shot,
    aim,
    anti_air,
    cannot_fire,
    covered_from,
    has,
    hit_pool,
    refused,
)
from sandtable.rulesets.dropzone.shooting.firing import fire
from sandtable.rulesets.dropzone.transports import (
    AERIAL,
    DISEMBARKING,
    cannot_embark,
    embark,
    is_transport,
    mark_disembarked,
)
from sandtable.rulesets.dropzone.units import (
    AIRBORNE,
    END_OF_ROUND,
    MOVED,
    MoveRange,
    Weapon,
    card,
    inside,
    is_kind,
    moved,
    squad_of,
    squads,
    units_on_table,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import together
from sandtable.tabletop.states import give, take

CRASH = rule("dropzone.aircraft.crash")
SMALL = rule("dropzone.aircraft.small-aircraft")
PASSENGERS = rule("dropzone.aircraft.crash-with-passengers")
LANDING = rule("dropzone.aircraft.landing-and-taking-off")
FAST = rule("dropzone.aircraft.fast")

FLIGHT_TOPIC, FAST_TOPIC, LANDING_TOPIC, LOAD_TOPIC, HIGH_TOPIC = "flight", "fast-flight", "landing", "load", "fly-high"
REACTION = "reaction-fire"
#: States of an Aircraft: the way it flies while others may fire at it; that it flies high this round.
PATH, HIGH = "path", "high"
IN_THE_AIR, LAND, FLY_ON, DOWN, UP, NOTHING = "stay", "land", "fly on", "set down", "take up", "nothing"
READINESS = "in readiness"


class FlyTo(Step, frozen=True):
    """An Aircraft flies a part of its way."""

    unit: str
    walk: Walk
    leaves: bool = False


class ReactionShot(Step, frozen=True):
    """A unit fires its anti-air weapons at an Aircraft that flies past."""

    by: str
    at: str


class Arrived(Step, frozen=True):
    """A stretch of flight is over: what next? So far it has flown in this action, and whether it has loaded."""

    squad: str
    flown: int
    loaded: bool = False


class Landed(Step, frozen=True):
    """A squad has landed: it may load, and take off again."""

    squad: str
    flown: int
    loaded: bool = False


class Crash(Step, frozen=True):
    """An Aircraft crashes."""

    unit: str
    because: int = 0


# Flying ------------------------------------------------------------------------------------------------------------


def is_fast(unit: Thing) -> bool:
    """Whether a unit is Fast."""
    return isinstance(card(unit).move_in, MoveRange)


def fly(battle: Battle, squad: Thing) -> Procedure[None]:
    """A squad of Aircraft flies a stretch; then it may land, or fly on."""
    units = units_on_table(battle.table, squad.id)
    if any(is_fast(one) for one in units):
        yield from fly_fast(battle, squad)
        return
    yield from stretch(battle, squad, 0, False)


def stretch(battle: Battle, squad: Thing, flown: int, loaded: bool) -> Procedure[None]:
    """Ask for the next stretch of a flight, let others fire at it, and fly it."""
    units = units_on_table(battle.table, squad.id)
    for one in units:
        if not one.has(AIRBORNE):
            give(battle, one.id, AIRBORNE, LANDING)
    units = units_on_table(battle.table, squad.id)
    allowance = {one.id: max(0, (half_move(one) if loaded else full_move(one)) - flown) for one in units}
    from sandtable.rulesets.dropzone.moving import _standing_ways

    walks: dict[str, Walk] = yield MoveModels(
        squad.side,
        f"{squad.label}: fly where?",
        topic=FLIGHT_TOPIC,
        about=tuple(one.id for one in units),
        models=tuple(one.id for one in units),
        allowance=allowance,
        rules=(FLYING.id,),
        shows=("distance", "reach"),
        default=_standing_ways(battle.table, units),
    )
    far = max([track_of(one, walks.get(one.id, Walk())).length for one in units], default=0)
    steps = yield from flown_past(battle, squad, {one.id: walks.get(one.id, Walk()) for one in units}, ())
    battle.push(*steps, Arrived(squad.id, flown + far, loaded))


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
                battle.table, side, squad, [_names(one.reaction.option)[0] for one in so_far]
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
            (min(one.reaction.along or 0, track.length), number, _names(one.reaction.option)[0])
            for number, one in enumerate(declared)
            if _names(one.reaction.option)[1] == name
        )
        gone, rest = 0, track
        for along, _, by in shots:
            first, after = rest.cut(along - gone)
            steps += [FlyTo(name, first), ReactionShot(by, name)]
            gone, rest = along, resolve(rest.pose_at(along - gone), after)
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


def _names(option: str) -> tuple[str, str]:
    """Who fires at whom, by the option of a reaction."""
    by, _, at = option.partition(" at ")
    return by, at


def anti_air_weapons(table: Table, unit: Thing) -> list[Weapon]:
    """The weapons with which a unit may fire at those who fly past."""
    return [
        one
        for one in card(unit).weapons
        if anti_air(one) is not None and not has(one, "indirect") and cannot_fire(table, unit, one) is None
    ]


def at_point(table: Table, unit: Thing, at: Point) -> Table:
    """A table on which an Aircraft is at a point of its way."""
    moved_there = table.copy()
    moved_there.things[unit.id] = replace(unit, place=At(at))
    return moved_there


def reaction_shots(table: Table, by: Thing, at: Thing, along: int) -> list[Shot]:
    """The shots of a unit at an Aircraft that are lawful at a point of its way."""
    track = path_of(at)
    if track is None:
        return []
    there = at_point(table, at, track.pose_at(min(along, track.length)).point)
    shots = [Shot(by.id, one.id, at.id, reaction=True) for one in anti_air_weapons(table, by)]
    return [one for one in shots if refused(there, one) is None]


def reactors(table: Table, side: str, squad: Thing, used: Sequence[str]) -> list[ReactOption]:
    """Who may fire at a squad that flies past, each at whom of it."""
    found = []
    for unit in [one for one in table.of_kind("model") if one.side == side and not one.gone and one.id not in used]:
        if not eyes(table, unit) or not anti_air_weapons(table, unit):
            continue
        for aircraft in units_on_table(table, squad.id):
            track = path_of(aircraft)
            if track is not None and any(
                reaction_shots(table, unit, aircraft, along) for along in (*range(0, track.length, UNIT), track.length)
            ):
                label = f"{unit.label} at {aircraft.label}"
                found.append(ReactOption(f"{unit.id} at {aircraft.id}", label, unit.id, rules=(REACTION_FIRE.id,)))
    return found


def judge_reaction(view: View, question: React, answer: Reaction | None) -> Refusal | None:
    """Why a unit may not fire at that point of the way."""
    if answer is None:
        return None
    by, at = _names(answer.option)
    if reaction_shots(view.table, view.table[by], view.table[at], answer.along or 0):
        return None
    return Refusal(REACTION_FIRE.id, f"{view.table[by].label} has no shot at that point of the way.")


def preview_reaction(view: View, question: React, answer: Reaction | None) -> Preview:
    """What fire at that point of the way needs."""
    if answer is None:
        return Preview()
    by, at = _names(answer.option)
    table, aircraft = view.table, view.table[at]
    track = path_of(aircraft)
    if track is None:
        return Preview()
    there = at_point(table, aircraft, track.pose_at(min(answer.along or 0, track.length)).point)
    shots = reaction_shots(table, table[by], aircraft, answer.along or 0)
    found = []
    for shot in shots:
        how = aim(there, shot)
        if how is not None:
            found.append(Preview(explanations=(hit_pool(there, shot, how).needs,)))
    return together(*found)


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


# Landing and loading -----------------------------------------------------------------------------------------------


def cannot_land(table: Table, squad: Thing) -> Refusal | None:
    """Why a squad may not land where it is."""
    units = units_on_table(table, squad.id)
    taken = [(one, one.place.point) for one in units if isinstance(one.place, At)]
    for unit, at in taken:
        refusal = refused_end(table, unit, at, taken, False)
        if refusal is not None:
            return Refusal(LANDING.id, f"{unit.label} cannot land here: {refusal.sentence}")
    return None


def arrived(battle: Battle, step: Arrived) -> Procedure[None]:
    """At the end of a stretch: stay in the air, land, or fly on."""
    table = battle.table
    squad = table[step.squad]
    units = units_on_table(table, squad.id)
    for one in table.members(squad.id):
        take(battle, one.id, PATH, REACTION_FIRE)
    if not units:
        return
    refusal = cannot_land(battle.table, squad)
    land = Option(
        LAND, "Land", (squad.id,), (refusal.rule if refusal else LANDING.id,), refusal.sentence if refusal else ""
    )
    options = [Option(IN_THE_AIR, "Stay in the air", (squad.id,), (FLYING.id,)), land]
    left = min([(half_move(one) if step.loaded else full_move(one)) - step.flown for one in units])
    if left > 0 and step.flown:
        options.append(Option(FLY_ON, "Fly on", (squad.id,), (MOVE.id,)))
    chosen = yield ChooseOne(
        squad.side,
        f"{squad.label}: land?",
        topic=LANDING_TOPIC,
        about=(squad.id,),
        options=tuple(options),
        rules=(LANDING.id,),
        default=IN_THE_AIR,
    )
    if chosen == FLY_ON:
        yield from stretch(battle, squad, step.flown, step.loaded)
    elif chosen == LAND:
        for one in units:
            take(battle, one.id, AIRBORNE, LANDING)
        battle.push(Landed(squad.id, step.flown, step.loaded))


def may_load(table: Table, squad: Thing, flown: int, loaded: bool) -> bool:
    """Whether an Aerial Transport that has landed may set down or take up for free."""
    units = units_on_table(table, squad.id)
    near = all(flown <= half_move(one) and (moved(one) or 0) <= half_move(one) for one in units)
    return not loaded and near and any(is_transport(one) for one in units)


def landed(battle: Battle, step: Landed) -> Procedure[None]:
    """On the ground: load or unload once for free, then perhaps take off and fly on."""
    table = battle.table
    squad = table[step.squad]
    loaded = step.loaded
    if may_load(table, squad, step.flown, loaded):
        aboard = riding(table, squad)
        outside = waiting(table, squad)
        options = [Option(NOTHING, "Neither", (squad.id,), (AERIAL.id,))]
        if aboard:
            options.insert(0, Option(DOWN, "Set down passengers", (squad.id,), (AERIAL.id,)))
        if outside:
            options.insert(0, Option(UP, "Take up units", (squad.id,), (AERIAL.id,)))
        if len(options) > 1:
            chosen = yield ChooseOne(
                squad.side,
                f"{squad.label} has landed: load or unload?",
                topic=LOAD_TOPIC,
                about=(squad.id,),
                options=tuple(options),
                rules=(AERIAL.id,),
                default=NOTHING,
            )
            if chosen == DOWN:
                yield from set_down(battle, squad, aboard)
            elif chosen == UP:
                yield from take_up(battle, squad, outside)
            loaded = chosen != NOTHING
    squad = battle.table[squad.id]
    units = units_on_table(battle.table, squad.id)
    left = min([(half_move(one) if loaded else full_move(one)) - step.flown for one in units], default=0)
    if left > 0:
        chosen = yield ChooseOne(
            squad.side,
            f"{squad.label}: take off again?",
            topic=LANDING_TOPIC,
            about=(squad.id,),
            options=(
                Option(LAND, "Stay on the ground", (squad.id,), (LANDING.id,)),
                Option(FLY_ON, "Take off and fly on", (squad.id,), (LANDING.id,)),
            ),
            rules=(LANDING.id,),
            default=LAND,
        )
        if chosen == FLY_ON:
            yield from stretch(battle, squad, step.flown, loaded)


def riding(table: Table, squad: Thing) -> list[Thing]:
    """The squads that ride in the Transports of a squad."""
    names = dict.fromkeys(one.unit for transport in table.members(squad.id) for one in inside(table, transport.id))
    return [table[name] for name in names]


def waiting(table: Table, squad: Thing) -> list[Thing]:
    """The squads that a landed squad of Transports could take up."""
    return [
        one
        for one in squads(table, squad.side)
        if one.id != squad.id
        and units_on_table(table, one.id)
        and any(cannot_embark(table, one, transport) is None for transport in units_on_table(table, squad.id))
    ]


def _which(battle: Battle, squad: Thing, offered: Sequence[Thing], prompt: str) -> Procedure[tuple[str, ...]]:
    if len(offered) == 1:
        return (offered[0].id,)
    chosen: tuple[str, ...] = yield ChooseSeveral(
        squad.side,
        prompt,
        topic="which",
        about=(squad.id,),
        options=tuple(Option(one.id, one.label, (one.id,), (AERIAL.id,)) for one in offered),
        at_least=1,
        rules=(AERIAL.id,),
    )
    return chosen


def set_down(battle: Battle, squad: Thing, aboard: Sequence[Thing]) -> Procedure[None]:
    """Set passengers down for free: they have not moved, but count as having disembarked."""
    chosen = yield from _which(battle, squad, aboard, f"{squad.label}: set down whom?")
    for name in chosen:
        for transport in units_on_table(battle.table, squad.id):
            units = [one for one in inside(battle.table, transport.id) if one.unit == name]
            if not units:
                continue
            roof = next(
                (
                    one
                    for one in battle.table.ground.pieces
                    if has_property(one, "impassable")
                    and isinstance(transport.place, At)
                    and gap_to_point(one.outline, transport.place.point) < 0
                ),
                None,
            )
            if roof is not None:
                if has_property(roof, "garrison") and all(is_kind(one, "infantry") for one in units):
                    yield from enter(battle, battle.table[name], roof.id)
                    for one in units:
                        mark_disembarked(battle, one, transport)
                continue
            put = yield from ask_places(
                battle,
                units,
                outline_out_of(battle.table, transport.id, None),
                DISEMBARKING.inches("distance_in"),
                AERIAL.id,
                f"{battle.table[name].label}: where is it set down?",
                True,
            )
            if len(put) == len(units):
                for one in units:
                    battle.happens(Placed(one.id, put[one.id].where, put[one.id].facing, rule=AERIAL.id))
                    mark_disembarked(battle, one, transport)
        if gates(battle.table, battle.table[name]) and units_on_table(battle.table, name):
            from sandtable.rulesets.dropzone.moving import end_of_way

            yield from end_of_way(battle, battle.table[name], entering_only=True)


def take_up(battle: Battle, squad: Thing, outside: Sequence[Thing]) -> Procedure[None]:
    """Take units up for free."""
    chosen = yield from _which(battle, squad, outside, f"{squad.label}: take up whom?")
    for name in chosen:
        for transport in units_on_table(battle.table, squad.id):
            if cannot_embark(battle.table, battle.table[name], transport) is None:
                embark(battle, battle.table[name], transport.id)
                break


# Fast Aircraft -----------------------------------------------------------------------------------------------------


def fast_track(unit: Thing, walk: Walk) -> Track:
    """The way of a Fast Aircraft."""
    return track_of(unit, walk)


def leaves_table(table: Table, unit: Thing, track: Track) -> bool:
    """Whether a straight flight ends over an edge of the table."""
    assert unit.base is not None
    return over_edge(outline_of(unit.base, track.end.point, 0), table.ground)


def fly_fast(battle: Battle, squad: Thing) -> Procedure[None]:
    """A Fast squad flies one straight line, and may leave the table."""
    units = units_on_table(battle.table, squad.id)
    for one in units:
        if not one.has(AIRBORNE):
            give(battle, one.id, AIRBORNE, FAST)
    units = units_on_table(battle.table, squad.id)
    walks: dict[str, Walk] = yield MoveModels(
        squad.side,
        f"{squad.label}: how far straight ahead?",
        topic=FAST_TOPIC,
        about=tuple(one.id for one in units),
        models=tuple(one.id for one in units),
        allowance={one.id: full_move(one) for one in units},
        rules=(FAST.id,),
        shows=("distance",),
        default={one.id: Walk((Leg(0, least(one)),)) for one in units},
    )
    leaving = [one.id for one in units if leaves_table(battle.table, one, fast_track(one, walks[one.id]))]
    for one in units:
        if too_tall(battle.table, one, fast_track(one, walks[one.id])):
            give(battle, one.id, HIGH, FAST, until=END_OF_ROUND)
    steps = yield from flown_past(battle, squad, walks, leaving)
    battle.push(*steps, Done(squad.id))


class Done(Step, frozen=True):
    """A Fast squad has flown."""

    squad: str


def done(battle: Battle, step: Done) -> Procedure[None]:
    """Nothing more to react to."""
    yield from ()
    for one in battle.table.members(step.squad):
        take(battle, one.id, PATH, REACTION_FIRE)


def least(unit: Thing) -> int:
    """The least MV of a Fast unit."""
    speed = card(unit).move_in
    return speed.min if isinstance(speed, MoveRange) else 0


def too_tall(table: Table, unit: Thing, track: Track) -> bool:
    """Whether scenery is in the way that is too tall to fly over, so that the unit must fly high."""
    assert unit.base is not None
    tall = [one.outline for one in table.ground.pieces if has_property(one, "impassable") and too_high(unit, one)]
    return bool(tall) and Obstacles(tall).free_until(track, unit.base) < track.length


def judge_fast(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Why a Fast unit may not fly so."""
    taken = []
    for name in question.models:
        unit = view.table[name]
        legs = answer.get(name, Walk()).legs
        first = [one for one in legs if isinstance(one, Leg) and one.go]
        turns = [one.turn for one in legs if isinstance(one, Leg)]
        if len(first) != 1 or not isinstance(legs[0], Leg) or legs[0].turn or first[0].go < 0:
            return Refusal(FAST.id, f"{unit.label} must fly one straight line along its facing.")
        if not least(unit) <= first[0].go <= full_move(unit):
            return Refusal(FAST.id, f"{unit.label} must fly {least(unit) // UNIT}″ to {full_move(unit) // UNIT}″.")
        if abs(sum(turns)) > FAST.number("turn_limit_degrees"):
            return Refusal(FAST.id, f"{unit.label} may turn 90° at the end at most.")
        track = fast_track(unit, answer[name])
        if not leaves_table(view.table, unit, track):
            taken.append((unit, track.end.point))
    for unit, at in taken:
        refusal = refused_end(view.table, unit, at, taken, True)
        if refusal is not None:
            return refusal
    return None


# Crashing ----------------------------------------------------------------------------------------------------------


def falls(battle: Battle, thing: Thing, step: Destroyed) -> Sequence[Step]:
    """An Aircraft that is destroyed in the air crashes; small ones do not."""
    if thing.kind != "model" or not thing.has(AIRBORNE) or not is_kind(thing, "aircraft"):
        return ()
    if card(thing).type == "aircraft_s":
        return ()
    return (Crash(thing.id, step.because),)


def crash(battle: Battle, step: Crash) -> Procedure[None]:
    """On 1 or 2 everything within so many inches below is hit so often, passengers too; on 3 nothing is."""
    yield from ()
    table = battle.table
    unit = table[step.unit]
    assert isinstance(unit.place, At)
    at = unit.place.point
    rolled = roll_number(battle, "crash", CRASH.text_at("roll"), unit.id, CRASH, step.because)
    aboard = inside(table, unit.id)
    hits: list[Hits] = []
    if rolled in CRASH.numbers("hits_on"):
        energy = CRASH.number("energy")
        hits = [Hits(one.id, rolled, energy, "crash", unit.id, because=step.because) for one in aboard]
        for one in near_crash(table, at, rolled * UNIT):
            cover = one.kind == "model" and covered_from(table, one, at)[1]
            hits.append(Hits(one.id, rolled, energy, "crash", unit.id, cover=cover, because=step.because))
    away = Survivors(unit.id, PASSENGERS.id, DISEMBARKING.inches("distance_in"), at)
    battle.push(*([DamageRolls(tuple(hits))] if hits else []), *([away] if aboard else []))


def near_crash(table: Table, at: Point, far: int) -> Iterator[Thing]:
    """What a crash hits: units on the ground and Destructible scenery within a distance."""
    for one in near_collapse(table, Disc(at, 0), far):
        if not one.has(AIRBORNE):
            yield one
    for one in table.of_kind("holder"):
        if one.track and not one.gone and gap_to_point(table.ground.piece(one.id).outline, at) <= far:
            yield one


CHAPTER = Chapter(
    steps={
        FlyTo: fly_to,
        ReactionShot: reaction_shot,
        Arrived: arrived,
        Landed: landed,
        Crash: crash,
        Done: done,
    },
    judges={FLIGHT_TOPIC: judge_walks, FAST_TOPIC: judge_fast, REACTION: judge_reaction},
    previews={FLIGHT_TOPIC: preview_walks, REACTION: preview_reaction},
    at=(FALLS(falls),),
    states={PATH: "the way an Aircraft is flying", HIGH: "it flies high this round"},
    answers={
        FLIGHT_TOPIC: "the way of each Aircraft",
        FAST_TOPIC: "the straight way of each Fast Aircraft",
        LANDING_TOPIC: "stay, land or fly on",
        LOAD_TOPIC: "set down, take up or nothing",
        "which": "the squads that are set down or taken up",
        REACTION: "who fires at whom: `A1 at B1`, and where along the way",
    },
)
