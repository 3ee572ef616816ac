"""Vehicles as units: what their design takes up, how they come into play, what restrains crews, repairing systems."""

from collections.abc import Callable

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Grouped, Placed
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import NO_THING, ThingId
from sandtable.engine.questions import Preview, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At, In, Off
from sandtable.engine.table import Mark, Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.files import ScenarioError
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.forces.models import Fielded
from sandtable.forces.scenario import Scenario
from sandtable.rulesets.stargrunt.actions.in_place import treat_wounded
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome
from sandtable.rulesets.stargrunt.cover.protection import centre_point
from sandtable.rulesets.stargrunt.dice.foretold import face_chances, outcomes
from sandtable.rulesets.stargrunt.dice.rolls import table_roll
from sandtable.rulesets.stargrunt.fire.armament import BROUGHT, fitted, rounds
from sandtable.rulesets.stargrunt.fire.wounds import TREATING, to_treat
from sandtable.rulesets.stargrunt.forces.cards import (
    VEHICLE_SCHEMA,
    VEHICLES,
    Mounted,
    Squad,
    Vehicle,
    card,
    catalogue,
    vehicle,
)
from sandtable.rulesets.stargrunt.forces.squads import bring_squad
from sandtable.rulesets.stargrunt.moments import BRINGS, LAYS
from sandtable.rulesets.stargrunt.movement.terrain_costs import MOBILITY
from sandtable.rulesets.stargrunt.units.record import (
    AIRBORNE,
    BASES,
    FLOWN,
    GROUNDED,
    HOVERING,
    LAUNCHED,
    WAITING,
    carrier_of,
    hull_of,
    standing,
)
from sandtable.rulesets.stargrunt.vehicles.getting_out import DRIVEN_BY_SQUAD
from sandtable.rulesets.stargrunt.vehicles.hits import AS_UNITS, RESULTS, STEPS
from sandtable.rulesets.stargrunt.vehicles.hulls import (
    CREW,
    DETAILS,
    IMMOBILISED,
    OFF_LINE,
    PASSENGERS,
    SIZES,
    SYSTEMS_HIT,
    armour_class,
    armour_of,
    ecm_die,
    face_hit,
    hulls,
    off_line,
    room_in,
    spaces,
    system_die,
    units_aboard,
)
from sandtable.rulesets.stargrunt.vehicles.transport import hull_name
from sandtable.rulesets.stargrunt.weapons import HEAVY, MISSILE_ROUNDS, MISSILES, named
from sandtable.tabletop.actions import RESTRAINS
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.states import take

DESIGN = rule("stargrunt.vehicles.design")

#: The switch that holds every vehicle of a battle to the design rules.
SWITCH = "design"
_MISSILES = {"guided_missile_light": "gms_light", "guided_missile_heavy": "gms_heavy"}
_TURRETS = ("turret", "restricted_turret")

same_number("a passenger takes a space", DESIGN.number("passenger"), DETAILS.number("spaces", "trooper"))
same_number("a suit takes two", DESIGN.number("power_armour_passenger"), DETAILS.number("spaces", "power_armour"))


def capacity(data: Vehicle) -> int:
    """What a vehicle of a size class can hold."""
    return DESIGN.number("capacity_per_class") * data.size


def used(data: Vehicle) -> Explanation:
    """What the weapons, passengers and equipment of a vehicle take up, part by part.

    >>> used(catalogue()["anvil"].stats.vehicle).words()
    'mass driver +9 · rapid fire autocannon +2'
    """
    parts, turrets, free = [], 0, True
    for one in data.weapons:
        cost = _cost(one, first=one.mount in _TURRETS and not turrets)
        turrets += one.mount in _TURRETS and one.weapon in HEAVY
        if free and one.mount == "open" and one.weapon == "machine_gun":
            cost, free = 0, False
        if cost:
            parts.append(ExplainedPart(named(one.weapon), cost, DESIGN.id))
    if data.passengers:
        spaces = data.passengers * DESIGN.number("passenger")
        parts.append(ExplainedPart(f"{data.passengers} passengers", spaces, DESIGN.id))
    if data.command_equipment:
        parts.append(ExplainedPart("command equipment", DESIGN.number("command_equipment"), DESIGN.id))
    return explain("capacity", *parts)


def _cost(one: Mounted, *, first: bool) -> int:
    if one.weapon in HEAVY:
        return one.size * DESIGN.number("turret" if first else "fixed")
    return DESIGN.number(_MISSILES.get(one.weapon, "support_weapon"))


def wrong_with(data: Vehicle) -> str:
    """Why a vehicle is no lawful design; empty where it is one."""
    taken = used(data)
    if taken.total > capacity(data):
        return f"{data.id} takes {taken.total} of {capacity(data)}: {taken.words()}"
    if data.armour_class > data.size:
        return f"{data.id} has Armour Class {data.armour_class} at size class {data.size}"
    if str(data.size) not in SIZES.names():
        return f"{data.id} has size class {data.size}"
    for one in data.weapons:
        if one.weapon in HEAVY and one.size not in HEAVY[one.weapon].sizes:
            return f"{data.id} has a {named(one.weapon)} of size {one.size}"
        if one.weapon in MISSILES and one.size != MISSILES[one.weapon].size:
            return f"{data.id} has a {named(one.weapon)} of size {one.size}"
    return ""


def hold_to_design(data: Vehicle) -> None:
    """Refuse a set-up with a vehicle that could not be built."""
    wrong = wrong_with(data)
    if wrong:
        raise ScenarioError("set-up", 0, wrong, "take something out, or switch the design rules off")


for _made in catalogue():
    if _made.stats.vehicle is not None:
        same_number(f"the capacity {_made.id} uses", used(_made.stats.vehicle).total, _made.stats.vehicle.capacity_used)
        same_number(f"what is wrong with {_made.id}", wrong_with(_made.stats.vehicle), "")


#: What a crew cannot do while nothing works aboard: the entries of the list of actions.
NEEDS_SYSTEMS = ("communicate", "transfer_action", "rally", "request_support", "observe")
#: The states of a vehicle that are its hull's, not its crew's.
OF_THE_HULL = (IMMOBILISED, OFF_LINE, AIRBORNE, HOVERING, FLOWN, GROUNDED, LAUNCHED)
#: The die of a repair, and what a vehicle is whose systems work again.
REPAIR_DIE, ON_LINE = SYSTEMS_HIT.number("repair_die"), "on-line"
same_number("what a repair costs", SYSTEMS_HIT.number("repair_cost"), 1)


# Coming into play --------------------------------------------------------------------------------------------------


def brings(battle: Battle, one: Fielded[Squad], superior: ThingId, form: Scenario) -> bool:
    """Put a vehicle with its crew on the table, or a squad into the vehicle it starts in."""
    data = one.card.stats.vehicle
    if data is not None:
        _bring_vehicle(battle, one, data, superior, form)
        return True
    place = one.thing.place
    if isinstance(place, In):
        bring_squad(battle, one, superior, form, In(hull_name(place.holder), PASSENGERS))
        return True
    return False


def _bring_vehicle(battle: Battle, one: Fielded[Squad], data: Vehicle, superior: ThingId, form: Scenario) -> None:
    """The hull, and its crew aboard it (stargrunt.vehicles.as-units); a carrier without a crew is its hull alone."""
    thing = one.thing
    name = hull_name(thing.id)
    where = thing.place if isinstance(thing.place, At) else Off(WAITING)
    counts = {rounds(arm): MISSILES[arm.weapon].rounds for arm in fitted(data.weapons, name) if arm.weapon in MISSILES}
    made = Thing(
        id=name,
        side=thing.side,
        label=thing.label,
        card=thing.card,
        glyph=one.card.glyph,
        base=one.card.base,
        unit=thing.id if data.own_crew else NO_THING,
        track=max(RESULTS.values()),
        states={word: mark for word, mark in thing.states.items() if word in OF_THE_HULL},
        counts={word: thing.counts.get(MISSILE_ROUNDS, count) for word, count in counts.items()},
    )
    if data.own_crew:
        mine = {word: mark for word, mark in thing.states.items() if word not in OF_THE_HULL}
        kept = {word: number for word, number in thing.counts.items() if word != MISSILE_ROUNDS}
        crew = Fielded(_with(thing, mine, kept), one.card, one.form, one.entry)
        bring_squad(battle, crew, superior, form, In(name, CREW))
    designed = battle.table.options.get(SWITCH)
    if designed:
        hold_to_design(data)
    told_by = citing(AS_UNITS, SIZES, VEHICLE_SCHEMA, *([DESIGN] if designed else []))
    battle.happens(Placed(name, where, thing.facing, made=made, rule=BASES.id, detail=told_by))


def _with(thing: Thing, states: dict[str, Mark], counts: dict[str, int]) -> Thing:
    return replace(thing, states=states, counts=counts)


def lays(battle: Battle, form: Scenario) -> None:
    """Whoever starts in a carrier without a crew of its own drives it; with one that waits they wait."""
    for hull in hulls(battle.table):
        first = next(iter(units_aboard(battle.table, hull.id)), NO_THING)
        if not vehicle(hull).own_crew and first:
            battle.happens(Grouped((hull.id,), first, rule=DRIVEN_BY_SQUAD.id))
            if not isinstance(hull.place, At):
                battle.happens(Placed(first, Off(WAITING), rule=DRIVEN_BY_SQUAD.id))


# What restrains a crew ---------------------------------------------------------------------------------------------


def _systems_hold(table: Table, unit: Thing, action: Action) -> Refusal | None:
    """With its systems off-line a crew can neither send nor see with them (stargrunt.vehicles.systems-hit)."""
    if action.entry in NEEDS_SYSTEMS and off_line(table, unit):
        return Refusal(SYSTEMS_HIT.id, f"The systems of {unit.label} are off-line.")
    return None


def repaired(score: int) -> str:
    """What a roll to repair the systems comes to (stargrunt.vehicles.systems-hit)."""
    return ON_LINE if score in SYSTEMS_HIT.numbers("repair_on") else "still off-line"


def _repair_preview(table: Table, unit: Thing) -> Preview:
    on = " or ".join(str(score) for score in SYSTEMS_HIT.numbers("repair_on"))
    odds = outcomes(face_chances(REPAIR_DIE, repaired))
    return Preview(notes=(f"repair: {on} on a D{REPAIR_DIE}",), odds=odds)


def repair(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Roll a D6; on 5 or 6 the backups come on-line (stargrunt.vehicles.systems-hit)."""
    yield from ()
    hull = hull_of(battle.table, unit.id)
    assert hull is not None
    _, n, outcome = table_roll(battle, "repair", hull.id, f"d{REPAIR_DIE}", SYSTEMS_HIT, repaired)
    if outcome == ON_LINE:
        take(battle, hull.id, OFF_LINE, SYSTEMS_HIT, n)
    return Outcome()


def _treats(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Those aboard treat their wounded as in any reorganise action; nobody of them moves about."""
    yield from treat_wounded(battle, unit)
    return Outcome(again=False)


def _hurt_aboard(table: Table, unit: Thing) -> bool:
    return carrier_of(table, unit.id) is not None and bool(to_treat(table, unit))


def in_play(thing: Thing) -> list[str]:
    """The rules that a vehicle, or one of its crew, brings into play: its data, its weapons, its mobility."""
    data = card(thing).stats.vehicle if thing.kind == "model" else None
    if data is None:
        return []
    found = card(thing).rule
    named = [found] if found in [one.id for one in VEHICLES] else []
    named += [BROUGHT[arm.kind].id for arm in fitted(data.weapons, thing.id)]
    return [*named, VEHICLE_SCHEMA.id, MOBILITY.id, SIZES.id]


# What a case may ask -----------------------------------------------------------------------------------------------


def _line(table: Table, asked: Data) -> object:
    """A line of a vehicle's data, or what follows from it."""
    hull = _hull(table, asked)
    data, what = vehicle(hull), asked.text_at("value")
    faces = ("front", "side", "rear", "top")
    arms = fitted(data.weapons, hull.id)
    values: dict[str, Callable[[], object]] = {
        "armour": lambda: tuple(armour_class(data, face) for face in faces),
        "armour-dice": lambda: tuple(f"D{a.die} x {a.multiplier}" for a in (armour_of(data, face) for face in faces)),
        "indirect": lambda: armour_of(data, "top", indirect=True).die,
        "ecm-die": lambda: ecm_die(hull),
        "footprint": lambda: (hull.base.depth, hull.base.size) if hull.base else (),
        "weapons": lambda: tuple(f"{arm.id}: D{arm.die}, D{arm.impact} x {arm.multiplier}" for arm in arms),
        "mounts": lambda: tuple(one.mount for one in data.weapons),
        "room": lambda: room_in(table, hull),
        "crew": lambda: (data.crew.count, data.crew.armour),
    }
    return values[what]() if what in values else getattr(data, what.replace("-", "_"))


def _capacity(table: Table, asked: Data) -> object:
    data = vehicle(table[asked.text_at()])
    return used(data).total, capacity(data)


def _face(table: Table, asked: Data) -> object:
    """The face of a vehicle that fire strikes which comes from a unit, or from a point."""
    at_point = isinstance(asked.at("from").node.value, list)
    source = asked.point("from") if at_point else centre_point(table, asked.text_at("from"))
    return face_hit(_hull(table, asked), source)


def _hull(table: Table, asked: Data) -> Thing:
    """The vehicle that is asked about, by its own name."""
    name = asked.text_at("of")
    return hull_of(table, name) or table[name]


CHAPTER = Chapter(
    actions=(
        Action(
            id="repair",
            entry="repair_systems",
            label="Repair the systems",
            rule=SYSTEMS_HIT,
            carry_out=repair,
            foretold=_repair_preview,
            shown=off_line,
        ),
        Action(
            id="treat-aboard",
            entry="reorganise",
            label="Treat the wounded aboard",
            rule=TREATING,
            carry_out=_treats,
            shown=_hurt_aboard,
        ),
    ),
    steps=STEPS,
    in_play=in_play,
    states={IMMOBILISED: "a vehicle cannot move any more", OFF_LINE: "nothing works aboard a vehicle"},
    switches={SWITCH: "every vehicle is held to the rules for designing vehicles (stargrunt.vehicles.design)"},
    values={
        "vehicle": _line,
        "face": _face,
        "system": lambda table, asked: system_die(asked.text_at()),
        "design": lambda table, asked: wrong_with(vehicle(table[asked.text_at()])) or "lawful",
        "capacity": _capacity,
        "spaces": lambda table, asked: spaces(standing(table, asked.text_at())),
    },
    at=(
        RESTRAINS(_systems_hold),
        BRINGS(brings),
        LAYS(lays),
    ),
)
