"""Crashes: what an Aircraft hits that is destroyed in the air, and who gets out of it."""

from collections.abc import Iterator, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import StepBegan
from sandtable.engine.ids import Side
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, Disc, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.dropzone.basics import THREES
from sandtable.rulesets.dropzone.damage import FALLS, DamageRolls, Destroyed, Hits
from sandtable.rulesets.dropzone.movement.placing import Survivors
from sandtable.rulesets.dropzone.scenery import destructible_near, near_collapse
from sandtable.rulesets.dropzone.shooting.aiming import DISEMBARKING, covered_from
from sandtable.rulesets.dropzone.transports import roll_for_transport
from sandtable.rulesets.dropzone.units import AIRBORNE, card, inside, is_kind
from sandtable.tabletop.chapters import Chapter

CRASH = rule("dropzone.aircraft.crash")
SMALL = rule("dropzone.aircraft.small-aircraft")
PASSENGERS = rule("dropzone.aircraft.crash-with-passengers")

HARMLESS = tuple(one for one in THREES if one not in CRASH.numbers("hits_on"))
same_number("on what nothing happens", HARMLESS, (CRASH.number("no_effect_on"),))


class Crash(Step, frozen=True):
    """An Aircraft crashes."""

    unit: str
    because: int = 0


def falls(battle: Battle, thing: Thing, step: Destroyed) -> Sequence[Step]:
    """An Aircraft that is destroyed in the air crashes; small ones do not."""
    if thing.kind != "model" or not thing.has(AIRBORNE) or not is_kind(thing, "aircraft"):
        return ()
    if card(thing).type == "aircraft_s":
        side, *units = battle.table.acting or (thing.side, thing.id)
        battle.happens(StepBegan("no crash", Side(side), tuple(units), rule=SMALL.id, because=step.because))
        return ()
    return (Crash(thing.id, step.because),)


def crash(battle: Battle, step: Crash) -> Procedure[None]:
    """On 1 or 2 everything within so many inches below is hit so often, passengers too; on 3 nothing is."""
    table = battle.table
    unit = table[step.unit]
    assert isinstance(unit.place, At)
    at = unit.place.point
    rolled = yield from roll_for_transport(battle, unit, "crash", CRASH, step.because)
    aboard = inside(table, unit.id)
    hits: list[Hits] = []
    if rolled in CRASH.numbers("hits_on"):
        energy = CRASH.number("energy")
        hits = [Hits(one.id, rolled, energy, "crash", unit.id, because=step.because) for one in aboard]
        for one in near_crash(table, at, rolled * UNIT):
            cover = one.kind == "model" and covered_from(table, one, at)[1]
            hits.append(Hits(one.id, rolled, energy, "crash", unit.id, cover=cover, because=step.because))
    away = Survivors(unit.id, PASSENGERS.id, Disc(at, 0), DISEMBARKING.inches("distance_in"))
    battle.push(*([DamageRolls(tuple(hits))] if hits else []), *([away] if aboard else []))


def near_crash(table: Table, at: Point, far: int) -> Iterator[Thing]:
    """What a crash hits: units on the ground and Destructible scenery within a distance."""
    for one in near_collapse(table, Disc(at, 0), far):
        if not one.has(AIRBORNE):
            yield one
    yield from destructible_near(table, at, far)


CHAPTER = Chapter(steps={Crash: crash}, at=(FALLS(falls),))
