"""Where squads want to be: Objectives for those who can take them, and enemies in range for the others."""

from collections.abc import Iterator

from sandtable.engine.ids import Side
from sandtable.engine.shapes import At, In, Point
from sandtable.engine.table import Table, Thing
from sandtable.field.ground import box_of
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.dropzone.movement.arriving import own_edge
from sandtable.rulesets.dropzone.objectives import CARRIED, CLAIMED, HIDDEN, able, carries, objectives
from sandtable.rulesets.dropzone.scenario.missions import TABLE
from sandtable.rulesets.dropzone.shooting.aiming import anti_air, countered
from sandtable.rulesets.dropzone.tactics.worth import price
from sandtable.rulesets.dropzone.units import AIRBORNE, Reach, card, inside, is_kind, squads, units_on_table
from sandtable.tabletop.opponent import Goal, kept

#: What an Objective is worth to whoever can take it, against enemies to be hurt.
OBJECTIVE_WORTH = 60000
#: What a house in the midst of the enemy is worth to Infantry; less for every inch that it lies away from them.
SHELTER_WORTH, HOUSE_WORDS = 16000, "a house"
#: As far as anything on a table may be away, for a weapon without a limit.
EVERYWHERE = TABLE.inches("width_in")
#: So much of its range a squad keeps from its mark, in hundredths.
KEPT = 80


def spot(table: Table, unit: Thing) -> Point | None:
    """Where a unit is: itself, or what it is in."""
    place = unit.place
    while isinstance(place, In):
        holder = table[place.holder]
        if holder.kind == "holder":
            return middle(table, holder.id) if _stands(table, holder.id) else None
        place = holder.place
    return place.point if isinstance(place, At) else None


def _stands(table: Table, piece: str) -> bool:
    """Whether a piece of scenery stands: where it has just fallen, those inside are asked before it is gone."""
    return any(one.id == piece for one in table.ground.pieces)


def middle(table: Table, piece: str) -> Point:
    """The middle of a piece of scenery."""
    left, top, right, bottom = box_of(table.ground.piece(piece).outline)
    return Point((left + right) // 2, (top + bottom) // 2)


def here(table: Table, squad: Thing) -> Point:
    """Where a squad is; one that has not come yet is at the middle of its edge."""
    for one in table.members(squad.id):
        at = spot(table, one)
        if at is not None:
            return at
    a, b = own_edge(table, squad.side)
    return Point((a.x + b.x) // 2, (a.y + b.y) // 2)


def goals(table: Table, squad: Thing) -> list[Goal]:
    """What a squad wants, the best first; those it carries want it too. Kept while nobody stirs."""
    return kept(table, (goals, squad.id), lambda: _goals(table, squad))


def _goals(table: Table, squad: Thing) -> list[Goal]:
    units = table.members(squad.id)
    if not units:
        return []
    riders = [table[name] for name in dict.fromkeys(one.unit for unit in units for one in inside(table, unit.id))]
    found = [goal for rider in riders for goal in (_mates(table, rider) or goals(table, rider))]
    if not riders:
        found = [*_objectives(table, squad), *_shelters(table, squad), *_enemies(table, squad)]
    start = here(table, squad)
    return sorted(found, key=lambda goal: length_between(start, goal.at) - goal.worth)


def _mates(table: Table, squad: Thing) -> list[Goal]:
    """Those of a squad that is spread over Transports who are on the table already: the others get out near them."""
    out = units_on_table(table, squad.id)
    return [Goal(one.place.point, "its squad", OBJECTIVE_WORTH, one.id) for one in out if isinstance(one.place, At)]


def _objectives(table: Table, squad: Thing) -> Iterator[Goal]:
    """The Objective that it is to take, or home with the one it carries."""
    if carries(table, squad.id):
        a, b = own_edge(table, squad.side)
        at = here(table, squad)
        home = Point(at.x if a.y == b.y else a.x, a.y if a.y == b.y else at.y)
        yield Goal(home, "home with the Objective", OBJECTIVE_WORTH)
        return
    for name, marker in errands(table, squad.side):
        if name == squad.id:
            lies = spot(table, table[marker])
            assert lies is not None
            yield Goal(lies, "an Objective", OBJECTIVE_WORTH, marker)


def errands(table: Table, side: Side) -> list[tuple[str, str]]:
    """Which squad of a side goes for which Objective: the nearest pair first; kept while nobody stirs."""
    return kept(table, (errands, side), lambda: _errands(table, side))


def _errands(table: Table, side: Side) -> list[tuple[str, str]]:
    takers = [one for one in squads(table, side) if all(able(unit) for unit in table.members(one.id))]
    pairs = sorted(
        (length_between(here(table, squad), at), squad.id, one.id)
        for one in objectives(table)
        if not one.has(CARRIED) and (one.value(CLAIMED) != side or one.has(HIDDEN)) and (at := spot(table, one))
        for squad in takers
        if not carries(table, squad.id) and _may_go_in(table, squad, one)
    )
    found: list[tuple[str, str]] = []
    while pairs:
        _, squad_id, marker = pairs[0]
        found.append((squad_id, marker))
        pairs = [one for one in pairs if one[1] != squad_id and one[2] != marker]
    return found


def _may_go_in(table: Table, squad: Thing, objective: Thing) -> bool:
    """Whether a squad can get where an Objective lies: into a Garrison only Infantry."""
    return not isinstance(objective.place, In) or all(is_kind(one, "infantry") for one in table.members(squad.id))


def _shelters(table: Table, squad: Thing) -> Iterator[Goal]:
    """Houses near the enemy for Infantry that has nothing else to take; near the middle while he has not come."""
    if not all(is_kind(one, "infantry") for one in table.members(squad.id)):
        return
    foes = [one.place.point for one in table.models() if one.side != squad.side and isinstance(one.place, At)]
    foes = foes or [Point(table.ground.width // 2, table.ground.height // 2)]
    for one in table.of_kind("holder"):
        if (
            one.track
            and not one.gone
            and _stands(table, one.id)
            and not any(other.side != squad.side for other in inside(table, one.id))
        ):
            at = middle(table, one.id)
            worth = SHELTER_WORTH - min(length_between(at, foe) for foe in foes)
            if worth > 0:
                yield Goal(at, HOUSE_WORDS, worth, one.id)


def _enemies(table: Table, squad: Thing) -> Iterator[Goal]:
    """Places from which it could fire at enemies: near enough to them, and no nearer."""
    start, units = here(table, squad), table.members(squad.id)
    for foe in table.of_kind("model"):
        at = foe.place.point if isinstance(foe.place, At) and not foe.gone and foe.side != squad.side else None
        if at is None:
            continue
        far = max((reach(one, foe) for one in units), default=0) * KEPT // 100
        away = length_between(start, at)
        if far and away > far:
            near = Point(at.x + (start.x - at.x) * far // away, at.y + (start.y - at.y) * far // away)
            yield Goal(near, f"within range of {foe.label}", price(table, foe) // 10, foe.id)


def in_reach(table: Table, squad: Thing) -> bool:
    """Whether a squad that is no Infantry is near enough to an enemy to fire at him, whatever it still rides in."""
    start, units = here(table, squad), table.members(squad.id)
    if any(is_kind(one, "infantry") for one in units):
        return False
    return any(
        length_between(start, foe.place.point) <= reach(unit, foe) * KEPT // 100
        for foe in table.models()
        if foe.side != squad.side and isinstance(foe.place, At)
        for unit in units[:1]
    )


def reach(unit: Thing, foe: Thing) -> int:
    """How far a unit reaches with a weapon that may be aimed at somebody."""

    def far(one: Reach) -> int:
        return one if isinstance(one, int) else EVERYWHERE if one == "inf" else 0

    return max(
        (
            far(one.range_countered_in if countered(foe) else one.range_full_in)
            for one in card(unit).weapons
            if not foe.has(AIRBORNE) or anti_air(one) is not None
        ),
        default=0,
    )
