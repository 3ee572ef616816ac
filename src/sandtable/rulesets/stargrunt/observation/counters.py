"""Face-down counters: what anybody can see of them, what their owner knows, and how they become known.

Three grades of knowledge: a counter, a unit, its figures. What lies under a counter and whether it is In Position are
states that its owner alone is told of; everything else about it is the same for all counters. A unit under a counter,
with its figures, is a thing on its owner's table only.
"""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Left, Placed, Revealed
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, Off, Point, Region, Spot
from sandtable.engine.table import Table, Thing
from sandtable.field.ground import pieces_at
from sandtable.field.measure import center_gap
from sandtable.field.walking.encounters import over_edge
from sandtable.forces.ledger import Rule, rule
from sandtable.rulesets.stargrunt.confidence.levels import sights
from sandtable.rulesets.stargrunt.cover.integrity import INTEGRITY, in_integrity
from sandtable.rulesets.stargrunt.cover.protection import figure_cover, figure_seen
from sandtable.rulesets.stargrunt.forces.cards import kits, squad
from sandtable.rulesets.stargrunt.movement.terrain_costs import COSTS, grade, mover
from sandtable.rulesets.stargrunt.movement.walking import EDGES, crowded, others
from sandtable.rulesets.stargrunt.state_names import CountName, StateName
from sandtable.rulesets.stargrunt.turn.order import ACTIVATED, IN_HIDING
from sandtable.rulesets.stargrunt.units.record import (
    BASE,
    BASES,
    COUNTER,
    FACE_UP,
    STANDS_FOR_IT,
    block,
    counters,
    fit,
    hidden,
    points,
    spot,
)
from sandtable.rulesets.stargrunt.weapons import SNIPER
from sandtable.tabletop.face_down import IS, lay_face_down, lies_under
from sandtable.tabletop.states import give

PLACING = rule("stargrunt.observation.major-success")
COUNTERS = rule("stargrunt.observation.hidden-counters")
HARDER = rule("stargrunt.observation.in-position-harder")
RECON = rule("stargrunt.observation.recon-by-fire")
LOCATED = rule("stargrunt.observation.located-enemy")
SNIPERS_HIDING = rule("stargrunt.observation.snipers-in-hiding")

DUMMY = "dummy"
#: The sniper whose dummies some counters are; only the owner knows.
DECOY_OF = "decoy of"


# What can be seen --------------------------------------------------------------------------------------------------


def face_up(counter: Thing) -> bool:
    """Whether everybody knows what kind of thing it is."""
    return counter.has(FACE_UP)


def counter_of(table: Table, unit: str) -> Thing | None:
    """The counter that a hidden unit lies under, for those who know."""
    return next((one for one in counters(table) if one.value(IS) == unit), None)


def enemy_counters(table: Table, side: Side) -> list[Thing]:
    """The counters of the other side."""
    return [one for one in counters(table) if one.side != side]


def is_sniper(unit: Thing) -> bool:
    """Whether a unit is an independent sniper, who may act from under a counter."""
    return squad(unit).independent and any(one.support_weapon in SNIPER for one in kits(unit))


def stand_in(table: Table, counter: Thing) -> tuple[Table, Thing]:
    """A table on which a unit of one figure stands where a counter lies, so that sight, cover and range are asked as
    for any unit; whether it is In Position is left out."""
    shown = table.copy()
    unit = Thing(counter.id, kind="unit", side=counter.side, label=counter.label, place=Off(STANDS_FOR_IT))
    figure = Thing(ThingId(f"{counter.id}'"), side=counter.side, base=BASE, place=counter.place, unit=counter.id)
    shown.things[unit.id], shown.things[figure.id] = unit, figure
    return shown, unit


def position_part(counter: Thing, shift: int, why: Rule) -> ExplainedPart:
    """The shift for being In Position; until the counter is known it is its owner's to know, even if it is none."""
    known = () if face_up(counter) else (counter.side,)
    return ExplainedPart("In Position", shift if counter.has(StateName.IN_POSITION) else 0, why.id, known_to=known)


def point_seen(table: Table, unit: str, at: Point) -> bool:
    """Whether some OK figure of a unit sees a point."""
    return any(figure_seen(table.ground, eye, at) for eye in points(table, unit))


def covered(table: Table, counter: Thing, source: Point | None = None) -> int:
    """The cover of a counter against somebody at a point; from anywhere, without one."""
    return figure_cover(table.ground, spot(counter), source)


# Laying ------------------------------------------------------------------------------------------------------------


def counter_names(table: Table, side: Side, count: int) -> tuple[str, ...]:
    """Names for counters of a side, in one row for all of them: a name tells nothing of what a counter is."""
    stem = f"{side}-c"
    taken = [int(name.removeprefix(stem)) for name in table.things if re.fullmatch(f"{stem}\\d+", name)]
    first = max(taken, default=0) + 1
    return tuple(f"{stem}{number}" for number in range(first, first + count))


def counter_label(name: str, side: Side) -> str:
    """What players call a counter: with the letter of its side, and its number.

    >>> counter_label("blue-c3", "blue"), counter_label("X", "blue"), counter_label("counter-a", "blue")
    ('Counter B3', 'Counter X', 'Counter A')
    """
    if name.startswith("counter-"):
        return f"Counter {name.removeprefix('counter-').upper()}"
    number = name.removeprefix(f"{side}-c")
    return f"Counter {side[0].upper()}{number}" if number.isdigit() and number != name else f"Counter {name}"


def lay(
    battle: Battle, name: ThingId, side: Side, at: Point, what: str, *, decoy_of: str = "", because: int = 0
) -> None:
    """Put a face-down counter on the table: everybody sees it, its owner alone what it is, and which sniper's dummy."""
    made = Thing(name, kind="marker", side=side, label=counter_label(name, side), card=COUNTER, glyph="counter")
    n = lay_face_down(battle, made, At(at), what, COUNTERS, because)
    if decoy_of:
        give(battle, name, DECOY_OF, SNIPERS_HIDING, decoy_of, because=n, known_to=(side,))


def dig_in(battle: Battle, counter: str) -> None:
    """Declare a counter In Position, in secret; a dummy too may be."""
    side = battle.table[counter].side
    give(battle, counter, StateName.IN_POSITION, HARDER, known_to=(side,))


# Becoming known ----------------------------------------------------------------------------------------------------


def _shown(battle: Battle, counter: Thing, what: str, why: Rule, because: int, unit: Thing | None = None) -> int:
    """Tell everybody what a counter is and whether it was In Position, and which unit, where that is shown."""
    detail: dict[str, int | str | tuple[str, ...]] = {
        StateName.IN_POSITION: "yes" if counter.has(StateName.IN_POSITION) else "no"
    }
    return battle.happens(
        Revealed(counter.id, what, value=what, made=unit, rule=why.id, because=because, detail=detail)
    )


def remove_dummy(battle: Battle, counter: Thing, why: Rule, because: int = 0) -> None:
    """A dummy is seen for what it is and taken away."""
    n = _shown(battle, counter, DUMMY, why, because)
    battle.happens(Left(counter.id, "it was a dummy", rule=why.id, because=n))


def flip(battle: Battle, counter: Thing, why: Rule, because: int = 0) -> int:
    """A counter is turned face up: a unit, but not which; or the mine that it is."""
    unit = lies_under(counter) in battle.table.things
    word = "unit" if unit else lies_under(counter)
    n = _shown(battle, counter, word, why, because)
    if not unit:
        give(battle, counter.id, IS, why, word, because=n)
    give(battle, counter.id, FACE_UP, why, word, because=n)
    if counter.has(StateName.IN_POSITION):
        give(battle, counter.id, StateName.IN_POSITION, HARDER, because=n)
    return n


def place_figures(battle: Battle, counter: Thing, why: Rule, because: int = 0) -> Procedure[str]:
    """A unit's figures take the place of its counter, around it in integrity; gives the unit's id."""
    table, unit = battle.table, battle.table[lies_under(counter)]
    n = _shown(battle, counter, unit.id, why, because, replace(unit, place=Off(STANDS_FOR_IT)))
    figures = fit(table, unit.id)
    default, reach = free_spots(table, unit, spot(counter), [one.id for one in figures])
    spots: dict[str, Spot] = default
    if len(figures) > 1 and reach:
        spots = yield PlaceThings(
            counter.side,
            f"Place the figures of {unit.label}",
            topic="figures",
            about=(counter.id, unit.id),
            things=tuple(one.id for one in figures),
            where={"": Region((Disc(spot(counter), reach),), whole=False, rule=why.id, label="around the counter")},
            faces=False,
            rules=(why.id, INTEGRITY.id),
            default=default,
        )
    for one in figures:
        battle.happens(Placed(one.id, spots[one.id].where, made=one, rule=why.id, because=n))
    if counter.has(StateName.IN_POSITION) and not unit.has(StateName.IN_POSITION):
        give(battle, unit.id, StateName.IN_POSITION, HARDER, because=n)
    if unit.has(ACTIVATED):
        side = battle.table[counter.side]
        battle.happens(
            Counted(side.id, IN_HIDING, side.count(IN_HIDING), side.count(IN_HIDING) - 1, rule=why.id, because=n)
        )
    markers = counter.count(CountName.SUPPRESSION)
    if markers:
        before = unit.count(CountName.SUPPRESSION)
        battle.happens(Counted(unit.id, CountName.SUPPRESSION, before, before + markers, rule=RECON.id, because=n))
    battle.happens(Left(counter.id, "its figures are placed", rule=why.id, because=n))
    for other in [*counters(battle.table, counter.side)]:
        if other.value(DECOY_OF) == unit.id:
            remove_dummy(battle, other, SNIPERS_HIDING, n)
    sights(battle, n)
    return unit.id


def reveal(battle: Battle, counter: Thing, why: Rule, because: int = 0) -> Procedure[None]:
    """Show a counter whatever it is: figures are placed, a dummy is removed, a mine turned face up."""
    under = lies_under(counter)
    if under == DUMMY:
        remove_dummy(battle, counter, why, because)
    elif under in battle.table.things:
        yield from place_figures(battle, counter, why, because)
    elif not face_up(counter):
        flip(battle, counter, why, because)


def free_spots(table: Table, unit: Thing, at: Point, names: Sequence[str]) -> tuple[dict[str, Spot], int]:
    """Free places for figures around a point, in integrity, and how far out they had to be looked for.

    The point is the centre of the unit where there is room for its rows (stargrunt.observation.hidden-counters). Where
    the whole table has no room for them together they stand wherever there is some, and the reach is 0: nobody is
    asked then.
    """
    reach, looked_at, farthest = INTEGRITY.inches("circle_diameter_in") // 2, -1, _farthest(table, at)
    rows = block(len(names), at)
    if in_integrity(rows) and all(may_stand(table, unit, p) for p in rows):
        return {name: Spot(At(p)) for name, p in zip(names, rows, strict=True)}, reach
    free: list[Point] = []
    while looked_at < farthest:
        further = [p for p in _around(table, at, reach, UNIT) if center_gap(p, at) > looked_at]
        new = [p for p in further if may_stand(table, unit, p)]
        free += new
        for first in free if new else ():
            chosen = sorted(free, key=lambda p: (center_gap(p, first), p))[: len(names)]
            if len(chosen) == len(names) and in_integrity(chosen):
                return {name: Spot(At(p)) for name, p in zip(names, chosen, strict=True)}, reach
        looked_at, reach = reach * reach, reach + UNIT
    found: list[Point] = []
    for p in _around(table, at, reach, UNIT // 4):
        if len(found) < len(names) and may_stand(table, unit, p) and not crowded([p], found):
            found.append(p)
    return {name: Spot(At(p)) for name, p in zip(names, found, strict=True)}, 0


def _farthest(table: Table, at: Point) -> int:
    """The square of the distance from a point to the farthest corner of the table."""
    ground = table.ground
    return max(at.x, ground.width - at.x) ** 2 + max(at.y, ground.height - at.y) ** 2


def _around(table: Table, at: Point, reach: int, step: int) -> list[Point]:
    """Points of the table within a distance of one of them, in rows and columns through it, the nearest first."""
    west, north, east, south = (
        -(min(reach, at.x) // step),
        -(min(reach, at.y) // step),
        min(reach, table.ground.width - at.x) // step,
        min(reach, table.ground.height - at.y) // step,
    )
    rows = [Point(at.x + x * step, at.y + y * step) for y in range(north, south + 1) for x in range(west, east + 1)]
    return sorted((p for p in rows if center_gap(p, at) <= reach * reach), key=lambda p: (center_gap(p, at), p))


def may_stand(table: Table, unit: Thing, at: Point) -> bool:
    """Whether a figure of a unit may stand at a point: on the table, on ground it can enter, on nobody's base."""
    return refused_standing(table, unit, at, "") is None


def refused_standing(table: Table, unit: Thing, at: Point, label: str) -> Refusal | None:
    """Why a figure of a unit may not stand at a point."""
    if over_edge(Disc(at, BASE.size // 2), table.ground):
        return Refusal(EDGES.id, f"{label} would not be wholly on the table.")
    if crowded([at], others(table, ())):
        return Refusal(BASES.id, f"The base of {label} would overlap another.")
    if any(grade(piece.kind, mover(unit)) == "impassable" for piece in pieces_at(table.ground, at)):
        return Refusal(COSTS.id, f"{label} cannot go there.")
    return None


def refused_figures(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why figures may not be placed so: too far from the counter, where nobody can stand, or out of integrity."""
    region, unit = question.where[""], view.table[question.about[1]]
    disc = region.inside[0]
    assert isinstance(disc, Disc)
    spots: list[Point] = []
    for name, put in answer.items():
        label = view.table[name].label
        if not isinstance(put.where, At) or put.where.level:
            return Refusal(region.rule, f"{label} is placed on the ground of the table.")
        if center_gap(put.where.point, disc.center) > disc.radius**2:
            return Refusal(PLACING.id, f"{label} is placed too far from the counter.")
        refusal = refused_standing(view.table, unit, put.where.point, label)
        if refusal is not None:
            return refusal
        spots.append(put.where.point)
    if crowded(spots, ()):
        return Refusal(BASES.id, "Two bases would overlap.")
    if not in_integrity(spots):
        return Refusal(PLACING.id, "The figures of a unit are placed within integrity.")
    return None


def in_its_place(table: Table, unit: Thing, at: Point) -> Table:
    """A table on which a hidden unit stands where its counter lies: what its owner works out its fire by."""
    assert hidden(unit), f"{unit.id} stands on the table"
    shown = table.copy()
    figures = fit(table, unit.id)
    for one, there in zip(figures, block(len(figures), at), strict=True):
        shown.things[one.id] = replace(one, place=At(there))
    return shown
