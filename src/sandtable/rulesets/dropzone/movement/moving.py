"""A Moving action: from where the squad is, each unit on its way, and what may be done at its end."""

from sandtable.engine.battle import Battle
from sandtable.engine.questions import Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import Off
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.dropzone.aircraft.flying import fly
from sandtable.rulesets.dropzone.aircraft.loading import go_down, on_a_roof, refused_roof
from sandtable.rulesets.dropzone.behemoths.strides import stride
from sandtable.rulesets.dropzone.garrisons import bound_inside, in_a_garrison, move_inside
from sandtable.rulesets.dropzone.moments import MOVING_DECLARED
from sandtable.rulesets.dropzone.movement.arriving import arrive, refused_arrival
from sandtable.rulesets.dropzone.movement.paths import MOVE, WALK, full_move, ways_by
from sandtable.rulesets.dropzone.movement.ways import ask_ways, end_of_way, go, standing_ways
from sandtable.rulesets.dropzone.rounds import MOVING
from sandtable.rulesets.dropzone.shooting.aiming import holder
from sandtable.rulesets.dropzone.special_rules.inserting import below_or_beside, insert
from sandtable.rulesets.dropzone.transports import cannot_disembark, disembark, ride_of
from sandtable.rulesets.dropzone.units import ACTION_LIST, flies, is_behemoth, units_on_table
from sandtable.tabletop.actions import Action
from sandtable.tabletop.book import book_of
from sandtable.tabletop.chapters import Chapter


def cannot_move(table: Table, squad: Thing) -> Refusal | None:
    """Why a squad may not take a Moving action; whoever of it stands on the table may, though others are aboard."""
    if ride_of(table, squad) is not None:
        if units_on_table(table, squad.id):
            return None
        above = on_a_roof(table, squad)
        refusal = cannot_disembark(table, squad, needs_room=above is None and not below_or_beside(table, squad))
        return refusal or (None if above is None else refused_roof(table, squad, *above))
    if any(isinstance(one.place, Off) for one in table.members(squad.id)):
        return refused_arrival(table, squad)
    return bound_inside(table, squad, holder(table.members(squad.id)[0])) if in_a_garrison(table, squad) else None


def move(battle: Battle, squad: Thing, step: object) -> Procedure[None]:
    """Move a squad: out of a Transport, inside a Garrison, on from the edge, in the air, or on the ground."""
    for declared in book_of(battle).at(MOVING_DECLARED):
        yield from declared(battle, squad)
    table = battle.table
    if in_a_garrison(table, squad):
        yield from move_inside(battle, squad)
        return
    if units_on_table(table, squad.id) and cannot_disembark(table, squad) is not None:
        pass  # who is still aboard does nothing
    elif ride_of(table, squad) is not None:
        if (yield from insert(battle, squad)) or (yield from go_down(battle, squad)):
            return
        out = yield from disembark(battle, squad)
        if not out:
            return
        if (yield from end_of_way(battle, battle.table[squad.id], entering_only=True)):
            return
    elif any(isinstance(one.place, Off) for one in table.members(squad.id)):
        yield from arrive(battle, squad)
    squad = battle.table[squad.id]
    if any(flies(one) for one in battle.table.members(squad.id)):
        yield from fly(battle, squad)
        return
    if any(is_behemoth(one) for one in battle.table.members(squad.id)):
        yield from stride(battle, squad)
        return
    yield from walk(battle, squad)
    if battle.table.members(squad.id):
        yield from end_of_way(battle, battle.table[squad.id])


def walk(battle: Battle, squad: Thing) -> Procedure[None]:
    """Ask for the ways of a squad on the ground, and carry them out."""
    table, units = battle.table, units_on_table(battle.table, squad.id)
    walks = yield from ask_ways(
        battle,
        squad,
        WALK,
        f"{squad.label}: where to?",
        full_move,
        *ways_by(table, units),
        shows=("distance", "reach"),
        default=standing_ways(table, units),
    )
    for name, way in walks.items():
        go(battle, table[name], way)


CHAPTER = Chapter(
    actions=(
        Action(
            id=MOVING,
            label="Moving",
            rule=MOVE,
            carry_out=move,
            cost=ACTION_LIST.number("actions", "moving", "cost"),
            refused=cannot_move,
        ),
    )
)
