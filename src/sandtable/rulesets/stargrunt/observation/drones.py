"""Drones: a team launches one, flies it, looks down with it, and does nothing else meanwhile; others shoot at it."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, ModelLost, Moved, Placed
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, PlaceThings, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, Region, Spot
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import center_gap
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, on_foot
from sandtable.rulesets.stargrunt.cover.protection import centre_point
from sandtable.rulesets.stargrunt.dice.foretold import contest_preview
from sandtable.rulesets.stargrunt.dice.rolls import die_part, one_die, opposed_roll
from sandtable.rulesets.stargrunt.fire.resolution import note_fired
from sandtable.rulesets.stargrunt.fire.shots import BANDS, FIRE_LIMIT, SMALL_ARMS, has_had_its_shot
from sandtable.rulesets.stargrunt.observation.counters import enemy_counters
from sandtable.rulesets.stargrunt.observation.observing import SPOTTING, FromAbove, odds_from_above, spot_from_above
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import QUALITY, gap_between, points, quality, quality_die, spot
from sandtable.tabletop.checks import Check
from sandtable.tabletop.choosing import unless_alone
from sandtable.tabletop.states import give, take

DRONES = rule("stargrunt.observation.drones")
CONTROL = rule("stargrunt.observation.drone-control")
SHOOTING = rule("stargrunt.observation.shooting-down-drones")

#: The state of a unit that has a drone (its level), of one whose drone flies (which), and what a drone is.
CARRIES, FLIES, DRONE = "drone", "flies", "drone"
_ENTRY = "drone_launch_move_or_spot"
#: The actions that control a drone; every other loses it.
CONTROLS = ("launch-drone", "fly-drone", "drone-spot")


def drone_of(table: Table, unit: Thing) -> Thing | None:
    """The drone that a team has in the air."""
    return table.things.get(str(unit.value(FLIES))) if unit.has(FLIES) else None


def level_die(drone: Thing) -> int:
    """The die of a drone: Basic, Enhanced or Superior (stargrunt.observation.drone-control)."""
    return CONTROL.number("levels", str(drone.value(StateName.LEVEL)))


def drones(table: Table, side: Side) -> list[Thing]:
    """The drones of the enemies of a side that are in the air."""
    return [one for one in table.of_kind("marker") if one.card == DRONE and one.on_table and one.side != side]


# Flying ------------------------------------------------------------------------------------------------------------


def _launches(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """A drone takes off where its team is."""
    yield from ()
    name = ThingId(f"{unit.id}-drone")
    level = str(unit.value(CARRIES))
    made = Thing(name, kind="marker", side=unit.side, label=f"drone of {unit.label}", card=DRONE, glyph="flyer")
    at = At(centre_point(battle.table, unit.id))
    n = battle.happens(Placed(name, at, made=made, rule=DRONES.id))
    give(battle, name, StateName.LEVEL, CONTROL, level, because=n)
    give(battle, unit.id, FLIES, DRONES, name, because=n)
    return Outcome()


def _flies(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """A drone goes up to 24 inches, over everything."""
    drone = drone_of(battle.table, unit)
    assert drone is not None, "no drone flies"
    reach = Disc(spot(drone), DRONES.inches("move_in"))
    answer: dict[str, Spot] = yield PlaceThings(
        unit.side,
        "Where does the drone fly?",
        topic="fly",
        about=(drone.id,),
        things=(drone.id,),
        where={"": Region((reach,), whole=False, rule=DRONES.id, label="within its reach")},
        faces=False,
        rules=(DRONES.id,),
        default={drone.id: Spot(drone.place)},
    )
    where = answer[drone.id].where
    if where != drone.place:
        battle.happens(Moved(drone.id, drone.place, where, rule=DRONES.id))
    return Outcome()


def refused_flight(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why a drone may not fly there: off the table, or too far."""
    (name,) = question.things
    where, ground = answer[name].where, view.table.ground
    if not isinstance(where, At) or where.level:
        return Refusal(DRONES.id, "Choose a point over the table.")
    at = where.point
    if not (0 <= at.x <= ground.width and 0 <= at.y <= ground.height):
        return Refusal(DRONES.id, "The drone would leave the table.")
    if center_gap(at, spot(view.table[name])) > DRONES.inches("move_in") ** 2:
        return Refusal(DRONES.id, f"The drone flies {DRONES.number('move_in')} inches at most.")
    return None


# Looking down ------------------------------------------------------------------------------------------------------


def looked_for(table: Table, unit: Thing) -> list[Option]:
    """The counters that a drone may look for with a roll."""
    return [Option(one.id, one.label, (one.id,), (DRONES.id,)) for one in enemy_counters(table, unit.side)]


def _spots(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Look down: what lies in the open is plain, and one other counter may be made out.

    stargrunt.observation.drones       Quality and the drone's die as for observe, range from the drone
    stargrunt.aerospace.spotting       as other air units do
    """
    drone = drone_of(battle.table, unit)
    assert drone is not None, "no drone flies"
    n = battle.happens(Declared(unit.id, "spot with a drone", (drone.id,), rule=DRONES.id))
    second = die_part(f"{drone.value(StateName.LEVEL)} drone", level_die(drone), CONTROL)
    words, prompt = f"The drone of {unit.label}", "Which counter does the drone look at?"
    looks = FromAbove(drone, words, second, "drone-spot", prompt, (DRONES, SPOTTING))
    yield from spot_from_above(battle, unit, looks, looked_for, n)
    return Outcome()


def drone_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The die of a counter and the chance to make it out from the air."""
    unit, counter = view.table[question.about[0]], view.table[answer]
    drone = drone_of(view.table, unit)
    assert drone is not None, "no drone flies"
    return odds_from_above(view.table, unit, drone, counter, level_die(drone))


# Losing it ---------------------------------------------------------------------------------------------------------


def loses(battle: Battle, drone: Thing, how: str, why: Rule, because: int = 0) -> None:
    """A drone is gone, and its team has none any more."""
    n = battle.happens(ModelLost(drone.id, how, rule=why.id, because=because))
    for unit in [*battle.table.of_kind("unit")]:
        if unit.value(FLIES) == drone.id:
            take(battle, unit.id, FLIES, why, n)
            take(battle, unit.id, CARRIES, why, n)


def before_action(battle: Battle, unit: Thing, action: Action) -> None:
    """A team that does anything else loses its drone (stargrunt.observation.drone-control)."""
    drone = drone_of(battle.table, unit)
    if drone is not None and action.id not in CONTROLS:
        loses(battle, drone, "out of control", CONTROL)


def within_reach(table: Table, unit: Thing) -> list[Thing]:
    """The enemy drones within one range band of a unit."""
    reach = (BANDS.number(quality(unit)) * UNIT) ** 2
    return [one for one in drones(table, unit.side) if gap_between(points(table, unit.id), [spot(one)]) <= reach]


def _no_drone(table: Table, unit: Thing) -> Refusal | None:
    if has_had_its_shot(unit, SMALL_ARMS):
        return Refusal(FIRE_LIMIT.id, f"The small arms of {unit.label} have fired this turn.")
    return None if within_reach(table, unit) else Refusal(SHOOTING.id, "No drone is within one range band.")


def at_drone(unit: Thing, drone: Thing) -> tuple[Check, Check]:
    """Quality against the level of a drone (stargrunt.observation.shooting-down-drones)."""
    die = quality_die(unit)
    level = die_part(f"{drone.value(StateName.LEVEL)} drone", level_die(drone), CONTROL)
    mine = one_die("shooting at a drone", unit.id, die, (die_part("Quality", die, QUALITY),))
    return mine, one_die("drone", drone.id, level_die(drone), (level,))


def _shoot_preview(table: Table, unit: Thing) -> Preview:
    """The shot at the one drone within reach; of several the next question says which."""
    near = within_reach(table, unit)
    return contest_preview(*at_drone(unit, near[0]), _shot_down) if len(near) == 1 else Preview()


def shoot_drone_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The shot at a drone that is chosen."""
    return contest_preview(*at_drone(view.table[question.about[0]], view.table[answer]), _shot_down)


def _shoots(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Small arms at a drone: Quality against its level, higher destroys it."""
    question = ChooseOne(
        unit.side,
        "Shoot at which drone?",
        topic="shoot-drone",
        about=(unit.id,),
        options=tuple(Option(one.id, one.label, (one.id,)) for one in within_reach(battle.table, unit)),
        rules=(SHOOTING.id,),
        shows=("odds",),
    )
    drone = battle.table[(yield from unless_alone(question))]
    n = battle.happens(Declared(unit.id, "shoot at a drone", (drone.id,), rule=SHOOTING.id))
    note_fired(battle, unit, True, (), n)
    roll = opposed_roll(battle, *at_drone(unit, drone), SHOOTING, because=n, outcome=_shot_down)
    if roll.succeeds:
        loses(battle, drone, "shot down", SHOOTING, roll.n)
    return Outcome()


def _shot_down(ours: int, theirs: int) -> str:
    return "shot down" if ours > theirs else "missed"


def _controls(table: Table, unit: Thing) -> bool:
    return on_foot(table, unit) and drone_of(table, unit) is not None


def _nothing_to_spot(table: Table, unit: Thing) -> Refusal | None:
    return None if looked_for(table, unit) else Refusal(DRONES.id, "There is no counter to look for.")


ACTIONS = (
    Action(
        id="launch-drone",
        entry=_ENTRY,
        label="Launch the drone",
        rule=DRONES,
        carry_out=_launches,
        shown=lambda table, unit: on_foot(table, unit) and unit.has(CARRIES) and not unit.has(FLIES),
    ),
    Action(id="fly-drone", entry=_ENTRY, label="Fly the drone", rule=DRONES, carry_out=_flies, shown=_controls),
    Action(
        id="drone-spot",
        entry=_ENTRY,
        label="Look down with the drone",
        rule=DRONES,
        carry_out=_spots,
        shown=_controls,
        refused=_nothing_to_spot,
    ),
    Action(
        id="shoot-drone",
        entry="shoot_at_drone",
        label="Shoot at a drone",
        rule=SHOOTING,
        carry_out=_shoots,
        foretold=_shoot_preview,
        shown=lambda table, unit: on_foot(table, unit) and bool(drones(table, unit.side)),
        refused=_no_drone,
    ),
)
same_number("what launching a drone costs", ACTIONS[0].cost, DRONES.number("launch_cost"))
