"""Setting up: who picks a zone, which Battlegroups stand on the table, and which wait In Readiness or In Reserve."""

from collections.abc import Iterator, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.questions import ChooseOne, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Disc, In, Off, Point, Region, Shape, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.ground import box_of
from sandtable.field.measure import gap_to_point
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.dropzone.basics import in_coherency, points_near
from sandtable.rulesets.dropzone.movement.arriving import (
    BUNKERS,
    DEPLOYMENT,
    EDGE,
    INWARDS,
    LANDING,
    corner_of,
    zone_of,
)
from sandtable.rulesets.dropzone.movement.paths import refused_end
from sandtable.rulesets.dropzone.movement.placing import put_down
from sandtable.rulesets.dropzone.rounds import RESERVES, ROUND_BEGINS, squads_of, waits
from sandtable.rulesets.dropzone.scenario.missions import mission, start_states, zones
from sandtable.rulesets.dropzone.special_rules.infiltrating import Infiltrate
from sandtable.rulesets.dropzone.transports import carried_group, carrier, outermost
from sandtable.rulesets.dropzone.units import (
    AIRBORNE,
    AUXILIARY,
    COHERENCY,
    FAST,
    GROUP_KIND,
    READINESS,
    RESERVE,
    coherency_distance,
    flies,
    is_fast,
    squads,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check, throw
from sandtable.tabletop.choosing import choose_thing
from sandtable.tabletop.states import give

SEQUENCE = rule("dropzone.scenario.sequence-of-setup")
AERIAL_ADVANTAGE = rule("dropzone.scenario.aerial-advantage")
NOT_INSIDE = rule("dropzone.garrisons.no-deploying-inside")

HQ = "hq"
#: Topics: which zone, which Battlegroup is deployed next, in which state it begins, and where its units stand.
ZONE, NEXT, START, DEPLOY = "deployment-zone", "deploys", "begins", "deploy"
#: The words of the ledger for the states in which a Battlegroup begins.
DIRECTLY, READY = "directly_deployed", "in_readiness"


class RollOff(Step, frozen=True):
    """The sides roll off for the deployment zones."""


class ChooseZone(Step, frozen=True):
    """The winner picks a zone."""

    side: Side


class DeployNext(Step, frozen=True):
    """A side deploys the next of its Battlegroups, or of the Auxiliary squads that go with none."""

    side: Side
    done: tuple[str, ...] = ()


def roll_off(battle: Battle, step: RollOff) -> Procedure[None]:
    """The highest roll wins; ties roll again."""
    yield from ()
    winner = NO_SIDE
    while not winner:
        thrown = {
            side: throw(battle, Check(what="roll-off", by=side, dice="d6", rule=SEQUENCE))
            for side in battle.table.sides
        }
        best = [side for side, one in thrown.items() if one.score == max(two.score for two in thrown.values())]
        winner = best[0] if len(best) == 1 else NO_SIDE
    battle.push(ChooseZone(winner))


def choose_zone(battle: Battle, step: ChooseZone) -> Procedure[None]:
    """The winner picks one of the two zones, the other side has the other; then everybody is deployed."""
    table = battle.table
    named = mission(table)
    assert named is not None
    both = zones(named)
    chosen = yield ChooseOne(
        step.side,
        "You have won the roll. Which side of the table is yours?",
        topic=ZONE,
        options=tuple(Option(one, f"The {one}", (), (SEQUENCE.id,)) for one in both),
        rules=(SEQUENCE.id, named.id),
        default=both[0],
    )
    for side in table.sides:
        mine = chosen if side == step.side else next(one for one in both if one != chosen)
        give(battle, side, EDGE, SEQUENCE, mine)
    wait_in_reserve(battle)
    battle.push(DeployNext(step.side) if DIRECTLY in start_states(named) else Infiltrate())


# Who waits ---------------------------------------------------------------------------------------------------------


def company(table: Table, group: str) -> list[Thing]:
    """The squads that begin as a Battlegroup does: its own that ride in nothing, and those that carry the others."""
    found = {outermost(table, unit).unit: None for squad in squads_of(table, group) for unit in table.members(squad.id)}
    return [table[name] for name in found]


def wait_in_reserve(battle: Battle) -> None:
    """Send In Reserve what must begin there.

    dropzone.scenario.aerial-advantage    what is no HQ and does not come wholly in Aircraft, empty squads too
    dropzone.aircraft.fast                Fast units
    """
    table = battle.table
    for group in list(table.of_kind("battlegroup")):
        whole = [one for squad in company(table, group.id) for one in table.members(squad.id)]
        if group.value(GROUP_KIND) != HQ and not all(flies(one) for one in whole):
            _reserve(battle, whole, AERIAL_ADVANTAGE)
    for squad in alone(table):
        units = table.members(squad.id)
        if any(is_fast(one) for one in units):
            _reserve(battle, units, FAST)
        elif not all(flies(one) for one in units):
            _reserve(battle, units, AERIAL_ADVANTAGE)


def alone(table: Table) -> list[Thing]:
    """The Auxiliary squads that carry nobody of a Battlegroup, and ride in nothing."""
    return [
        one
        for one in squads(table)
        if one.has(AUXILIARY)
        and not any(carried_group(table, unit) or carrier(table, unit) for unit in table.members(one.id))
    ]


def _reserve(battle: Battle, units: Sequence[Thing], source: Rule) -> None:
    for one in units:
        if one.place == Off(READINESS):
            battle.happens(Placed(one.id, Off(RESERVE), rule=source.id))


def reserves(battle: Battle) -> Sequence[Step]:
    """From round two on what is In Reserve is In Readiness."""
    if battle.table.turn >= RESERVES.number("default_ready_from_round"):
        for one in [one for one in battle.table.of_kind("model") if one.place == Off(RESERVE)]:
            battle.happens(Placed(one.id, Off(READINESS), rule=RESERVES.id))
    return ()


# Direct deployment -------------------------------------------------------------------------------------------------


def to_deploy(table: Table, side: Side, done: Sequence[str]) -> list[Thing]:
    """The Battlegroups of a side that have still to be deployed; when there is none, its squads that go with none."""
    groups = [
        one
        for one in table.of_kind("battlegroup")
        if one.side == side and one.id not in done and _ready(company(table, one.id), table)
    ]
    return groups or [one for one in alone(table) if one.side == side and one.id not in done and _ready([one], table)]


def _ready(found: Sequence[Thing], table: Table) -> bool:
    return any(waits(table, one.id) == READINESS for one in found)


def deploy_next(battle: Battle, step: DeployNext) -> Procedure[None]:
    """The sides take turns: one Battlegroup each, directly or In Readiness."""
    table = battle.table
    other = next(one for one in table.sides if one != step.side)
    own = to_deploy(table, step.side, step.done)
    if not own:
        battle.push(DeployNext(other, step.done) if to_deploy(table, other, step.done) else Infiltrate())
        return
    named = mission(table)
    assert named is not None
    chosen = yield from choose_thing(step.side, "Deploy which Battlegroup?", own, SEQUENCE, topic=NEXT, default=True)
    battle.push(DeployNext(other, (*step.done, chosen)))
    whole = company(table, chosen) if table[chosen].kind == "battlegroup" else [table[chosen]]
    put = {one.id: deployed(table, table.members(one.id)) for one in whole}
    begins = yield ChooseOne(
        step.side,
        f"{table[chosen].label}: how does it begin?",
        topic=START,
        about=(chosen,),
        options=(
            Option(
                DIRECTLY,
                "On the table",
                (chosen,),
                (DEPLOYMENT.id,),
                "" if all(put.values()) else f"There is no room for {table[chosen].label} in the zone.",
            ),
            Option(READY, "In Readiness, off the table", (chosen,), (DEPLOYMENT.id,)),
        ),
        rules=(DEPLOYMENT.id, named.id),
        default=READY,
    )
    if begins == DIRECTLY:
        for squad in whole:
            yield from deploy(battle, battle.table[squad.id])


def zone_shape(table: Table, side: Side) -> Shape:
    """The deployment zone of a side: everything within the ledger's distance of its corner."""
    corner = corner_of(table, zone_of(table, side))
    assert corner is not None
    return Disc(corner, BUNKERS.inches("corner_distance_in"))


def deploy(battle: Battle, squad: Thing) -> Procedure[None]:
    """Place the units of a squad in their zone; Aircraft are in the air."""
    table = battle.table
    units = table.members(squad.id)
    garrisons = tuple(In(one.id) for one in table.of_kind("holder"))
    region = Region(
        inside=(zone_shape(table, squad.side),), slots=garrisons, whole=False, rule=DEPLOYMENT.id, label="your zone"
    )
    put: dict[str, Spot] = yield PlaceThings(
        squad.side,
        f"{squad.label}: where does it stand?",
        topic=DEPLOY,
        about=(squad.id,),
        things=tuple(one.id for one in units),
        where={"": region},
        rules=(DEPLOYMENT.id, COHERENCY.id),
        default=deployed(table, units),
    )
    for one in units:
        battle.happens(Placed(one.id, put[one.id].where, put[one.id].facing, rule=DEPLOYMENT.id))
        if flies(one):
            give(battle, one.id, AIRBORNE, LANDING)


def refused_place(table: Table, unit: Thing, at: Point, taken: Sequence[tuple[Thing, Point]]) -> Refusal | None:
    """Why a unit may not begin at a place."""
    if gap_to_point(zone_shape(table, unit.side), at) > 0:
        return Refusal(DEPLOYMENT.id, f"{unit.label} would stand outside its zone.")
    return refused_end(table, unit, at, list(taken), flies(unit))


def deployed(table: Table, units: Sequence[Thing]) -> dict[str, Spot] | None:
    """Places in the zone for all units of a squad, in coherency; none where there is no room."""
    taken: list[tuple[Thing, Point]] = []
    for unit in units:
        far = coherency_distance(unit)
        at = next(
            (
                at
                for at in _lattice(table, unit.side)
                if (not taken or any(points_near(at, there, far) for _, there in taken))
                and refused_place(table, unit, at, [*taken, (unit, at)]) is None
            ),
            None,
        )
        if at is None:
            return None
        taken.append((unit, at))
    return {unit.id: Spot(At(at), _inwards(table, unit.side)) for unit, at in taken}


def _lattice(table: Table, side: Side) -> Iterator[Point]:
    west, north, east, south = box_of(zone_shape(table, side))
    for x in range(max(0, west), min(table.ground.width, east) + 1, 500):
        for y in range(max(0, north), min(table.ground.height, south) + 1, 500):
            yield Point(x, y)


def _inwards(table: Table, side: Side) -> int:
    across, _, along = zone_of(table, side).partition("-")
    return (INWARDS[across] + INWARDS[along]) // 2 if along != "east" or across != "north" else 135


def judge_deployment(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why the units of a squad may not begin so: in a Garrison, outside the zone, without room or out of coherency."""
    table = view.table
    for name, spot in answer.items():
        if isinstance(spot.where, In):
            return Refusal(NOT_INSIDE.id, f"{table[name].label} may not begin inside {table[spot.where.holder].label}.")
    taken = [(table[name], spot.where.point) for name, spot in answer.items() if isinstance(spot.where, At)]
    for unit, at in taken:
        refusal = refused_place(table, unit, at, taken)
        if refusal is not None:
            return refusal
    if not in_coherency(put_down(table, answer), question.about[0]):
        return Refusal(DEPLOYMENT.id, f"{table[question.about[0]].label} must begin in coherency.")
    return None


CHAPTER = Chapter(
    steps={RollOff: roll_off, ChooseZone: choose_zone, DeployNext: deploy_next},
    judges={DEPLOY: judge_deployment},
    at=(ROUND_BEGINS(reserves),),
    answers={
        ZONE: "the zone that the winner of the roll-off picks: an edge or a corner",
        NEXT: "the Battlegroup that is deployed next",
        START: "how a Battlegroup begins: directly_deployed or in_readiness",
        DEPLOY: "where the units of a squad begin: `deploy: {A1: [x, y]}`",
    },
)
