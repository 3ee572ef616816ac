"""Rapid Insertion: getting out of an Aircraft in the air, straight into a Garrison if there is one."""

from sandtable.engine.battle import Battle
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.measure import gap
from sandtable.rulesets.dropzone.garrisons import enter, garrisons, no_room
from sandtable.rulesets.dropzone.movement.placing import footprint, mark_disembarked
from sandtable.rulesets.dropzone.shooting.aiming import DISEMBARKING
from sandtable.rulesets.dropzone.transports import RAPID_INSERTION, cannot_disembark, rapid, ride_of
from sandtable.rulesets.dropzone.units import AIRBORNE, is_kind
from sandtable.tabletop.chapters import Chapter

INSERTION, OUTSIDE = "insertion", "outside"


def below_or_beside(table: Table, squad: Thing) -> list[Piece]:
    """The Garrisons into which a squad may drop out of the Aircraft that it rides in."""
    ride = ride_of(table, squad)
    if ride is None or not ride.has(AIRBORNE) or rapid(table, squad) is None:
        return []
    if not all(is_kind(one, "infantry") for one in table.members(squad.id)):
        return []
    near = DISEMBARKING.inches("distance_in")
    found = [one for one in garrisons(table) if gap(footprint(ride), one.outline) <= near]
    return [one for one in found if no_room(table, squad, one.id) is None]


def insert(battle: Battle, squad: Thing) -> Procedure[bool]:
    """Ask whether a squad drops into a Garrison; gives whether it did."""
    table = battle.table
    ride, pieces = ride_of(table, squad), below_or_beside(table, squad)
    if ride is None or not pieces:
        return False
    options = [Option(one.id, table[one.id].label, (one.id,), (RAPID_INSERTION.id,)) for one in pieces]
    full = cannot_disembark(table, squad)
    outside = Option(OUTSIDE, "Into none", (squad.id,), (DISEMBARKING.id,), full.sentence if full else "")
    chosen = yield ChooseOne(
        squad.side,
        f"{squad.label} drops out of {ride.label}: into which Garrison?",
        topic=INSERTION,
        about=(squad.id, ride.id),
        options=(*options, outside),
        rules=(RAPID_INSERTION.id,),
        default=pieces[0].id if full else OUTSIDE,
    )
    if chosen == OUTSIDE:
        return False
    yield from enter(battle, squad, chosen, drops_in=True)
    for one in battle.table.members(squad.id):
        mark_disembarked(battle, one, ride)
    return True


CHAPTER = Chapter(answers={INSERTION: "the Garrison into which a squad drops out of an Aircraft, or outside"})
