"""Infiltrate: squads that begin on the table before anybody else, near an edge of their side."""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Band, In, Off, Point, Region, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.measure import gap, gap_to_point
from sandtable.forces.ledger import rule
from sandtable.rulesets.dropzone.basics import CENTRE, in_coherency
from sandtable.rulesets.dropzone.garrisons import ENTERING, garrisons, no_room
from sandtable.rulesets.dropzone.movement.arriving import INWARDS, edge_lines
from sandtable.rulesets.dropzone.movement.paths import refused_end
from sandtable.rulesets.dropzone.movement.placing import arranged, put_down
from sandtable.rulesets.dropzone.rounds import RoundBegins
from sandtable.rulesets.dropzone.units import AIRBORNE, COHERENCY, card, flies, is_kind, squads, value_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import give

INFILTRATE = rule("dropzone.special-rules.infiltrate")

INFILTRATION = "infiltrate"


class Infiltrate(Step, frozen=True):
    """The next squad with Infiltrate may be deployed; after the last the first round begins."""

    done: tuple[str, ...] = ()


def reach_of(table: Table, squad: Thing) -> int:
    """How far from an edge of its side a squad may begin; 0 where it has no Infiltrate."""
    values = [value_of(card(one).special, "infiltrate") or 0 for one in table.members(squad.id)]
    return UNIT * min(values, default=0)


def infiltrators(table: Table, done: Sequence[str]) -> list[Thing]:
    """The squads with Infiltrate that wait off the table, in nothing."""
    return [
        one
        for one in squads(table)
        if one.id not in done
        and reach_of(table, one)
        and all(isinstance(unit.place, Off) for unit in table.members(one.id))
    ]


def strips(table: Table, squad: Thing) -> tuple[Band, ...]:
    """Where a squad may begin: within its distance of an edge of its side."""
    far = reach_of(table, squad)
    return tuple(Band(line, 2 * far) for line in edge_lines(table, squad.side).values())


def houses(table: Table, squad: Thing) -> list[Piece]:
    """The Garrisons within that distance into which a squad of Infantry may go."""
    if not all(is_kind(one, "infantry") for one in table.members(squad.id)):
        return []
    near = [one for one in garrisons(table) if any(gap(strip, one.outline) <= 0 for strip in strips(table, squad))]
    return [one for one in near if no_room(table, squad, one.id) is None]


def infiltrate(battle: Battle, step: Infiltrate) -> Procedure[None]:
    """Ask for the places of the next squad; it may wait with the rest of its Battlegroup instead."""
    table = battle.table
    squad = next(iter(infiltrators(table, step.done)), None)
    if squad is None:
        battle.push(RoundBegins())
        return
    battle.push(Infiltrate((*step.done, squad.id)))
    units = table.members(squad.id)
    inches = reach_of(table, squad) // UNIT
    put: dict[str, Spot] | None = yield PlaceThings(
        squad.side,
        f"{squad.label} may infiltrate: where does it begin?",
        topic=INFILTRATION,
        about=(squad.id,),
        things=tuple(one.id for one in units),
        where={
            "": Region(
                inside=strips(table, squad),
                slots=tuple(In(one.id, CENTRE) for one in houses(table, squad)),
                whole=False,
                rule=INFILTRATE.id,
                label=f"within {inches}″ of your edge",
            )
        },
        rules=(INFILTRATE.id, COHERENCY.id),
        decline="It waits off the table",
        default=begun(table, squad),
    )
    for name, spot in (put or {}).items():
        n = battle.happens(Placed(name, spot.where, spot.facing, rule=INFILTRATE.id))
        if flies(table[name]):
            give(battle, name, AIRBORNE, INFILTRATE, because=n)


def refused_place(
    table: Table, squad: Thing, unit: Thing, at: Point, taken: list[tuple[Thing, Point]]
) -> Refusal | None:
    """Why a unit may not begin at a place."""
    if all(gap_to_point(strip, at) > 0 for strip in strips(table, squad)):
        far = reach_of(table, squad) // UNIT
        return Refusal(INFILTRATE.id, f"{unit.label} would begin more than {far}″ from an edge of its side.")
    return refused_end(table, unit, at, taken, flies(unit))


def begun(table: Table, squad: Thing) -> dict[str, Spot] | None:
    """Places for a squad near an edge of its side; none where there is no room."""
    units = table.members(squad.id)
    for edge, line in edge_lines(table, squad.side).items():
        found = arranged(table, units, Band(line, 2), reach_of(table, squad) - 2, True)
        if len(found) == len(units):
            return {name: replace(spot, facing=INWARDS[edge]) for name, spot in found.items()}
    return None


def judge_infiltration(view: View, question: PlaceThings, answer: dict[str, Spot] | None) -> Refusal | None:
    """Why a squad may not begin so: too far from its edge, torn apart, or in more Garrisons than one."""
    if answer is None:
        return None
    table, squad = view.table, view.table[question.about[0]]
    holders = dict.fromkeys(spot.where.holder if isinstance(spot.where, In) else "" for spot in answer.values())
    if len(holders) > 1:
        return Refusal(ENTERING.id, f"{squad.label} goes into one Garrison as a whole, or into none.")
    known = ["", *(one.id for one in houses(table, squad))]
    for name in holders:
        if name not in known:
            return Refusal(INFILTRATE.id, f"{table[name].label} is no Garrison that {squad.label} may begin in.")
    taken = [(table[name], spot.where.point) for name, spot in answer.items() if isinstance(spot.where, At)]
    for unit, at in taken:
        refusal = refused_place(table, squad, unit, at, taken)
        if refusal is not None:
            return refusal
    if not in_coherency(put_down(table, answer), squad.id):
        return Refusal(COHERENCY.id, f"{squad.label} must begin in coherency.")
    return None


CHAPTER = Chapter(
    steps={Infiltrate: infiltrate},
    judges={INFILTRATION: judge_infiltration},
    answers={INFILTRATION: "where a squad that infiltrates begins: `infiltrate: {A1: [x, y]}`, or nothing"},
)
