"""What tactics think of the rarer actions: guns, counters, smoke, getting out of vehicles and off the table."""

from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.stargrunt.artillery.gunnery import may_request, request_refused
from sandtable.rulesets.stargrunt.artillery.pieces import piece_of
from sandtable.rulesets.stargrunt.observation.observing import counters_die, success
from sandtable.rulesets.stargrunt.observation.spotting import observed_by, observing_refused, seen_parts, sensor_die
from sandtable.rulesets.stargrunt.scenario.objectives import turn_limit
from sandtable.rulesets.stargrunt.tactics.fire import POINT
from sandtable.rulesets.stargrunt.tactics.outlook import gets_away
from sandtable.rulesets.stargrunt.tactics.smoke import screens
from sandtable.rulesets.stargrunt.tactics.support import aims, request_worth
from sandtable.rulesets.stargrunt.tactics.thoughts import AT_ONCE, HARDLY, Order, Thought
from sandtable.rulesets.stargrunt.units.record import carrier_of, points, quality_die
from sandtable.rulesets.stargrunt.vehicles.hulls import IMMOBILISED
from sandtable.tabletop.opponent import Reasons, total

#: How near to where they want to be, or to an enemy, passengers get out.
GETS_OUT = 12 * UNIT
#: What it is worth to leave a carrier that does not get there, or not in time.
ON_FOOT = POINT // 4
#: What it is worth to make a counter out.
MADE_OUT = 900


def observe_worth(table: Table, unit: Thing, counter: Thing) -> Reasons:
    """What it is worth to look at a counter: as likely as it is made out, if it is not In Position."""
    dice = quality_die(unit), sensor_die(unit)
    seen = success(dice, counters_die(seen_parts(table, unit, counter)))
    return (("made out", int(MADE_OUT * seen)),)


def call(thought: Thought) -> Order | None:
    """Call for support where it would hurt an enemy that is seen."""
    table, unit = thought.table, thought.unit
    if not thought.skill.plans:
        return None
    known = may_request(table, unit)
    able = [table[option.id] for option in known if request_refused(table, unit, option.id) is None]
    best = max((request_worth(table, unit, one) for one in able), key=total, default=())
    return Order("call for support", best) if total(best) > 0 else None


def fire_piece(thought: Thought) -> Order | None:
    """The crew of a piece fires at what it sees."""
    piece = piece_of(thought.table, thought.unit.id)
    best = next(iter(aims(thought.table, thought.unit, piece)), None) if piece is not None else None
    return Order("fire the piece", best.parts) if best is not None and best.worth > 0 else None


def observe(thought: Thought) -> Order | None:
    """Look at the counter that is easiest to make out; whoever is there to get away has no time for it."""
    table, unit = thought.table, thought.unit
    if gets_away(table, unit.side):
        return None
    known = observed_by(table, unit)
    able = [table[option.id] for option in known if observing_refused(table, unit, option.id) is None]
    best = max((observe_worth(table, unit, one) for one in able), key=total, default=())
    return Order("observe", best) if best else None


def lay_smoke(thought: Thought) -> Order | None:
    """Lay smoke between oneself and whoever fires, where one cannot fire well oneself."""
    if not thought.skill.fears or not thought.outlook.foes:
        return None
    best = screens(thought.outlook)[0]
    return Order("lay smoke", best.parts) if best.worth >= HARDLY else None


def get_away(thought: Thought) -> Order | None:
    """Off the table, where that is what the side is there for."""
    return Order("get away", (("through", AT_ONCE),)) if gets_away(thought.table, thought.unit.side) else None


def get_out(thought: Thought) -> Order | None:
    """Passengers get out near their goal or an enemy, from what drives no more, or when time is short."""
    table, outlook = thought.table, thought.outlook
    carrier, limit = carrier_of(table, thought.unit.id), turn_limit(table)
    places = (outlook.goal, *(foe.at for foe in outlook.foes))
    if any(length_between(outlook.here, at) < GETS_OUT for at in places):
        return Order("get out", (("ground", POINT),))
    stuck = carrier is None or carrier.has(IMMOBILISED)
    return Order("get out", (("on foot", ON_FOOT),)) if stuck or (limit and 2 * table.turn > limit) else None


def set_up(thought: Thought) -> Order | None:
    """A gun crew sets up where it has somebody to fire at; not one that is there to get away."""
    here = points(thought.table, thought.unit.id)
    ready = not gets_away(thought.table, thought.unit.side) and thought.outlook.fire(here)
    return Order("set the gun up", (("fire", POINT),)) if ready else None


def pack(thought: Thought) -> Order | None:
    """Guns that are to get away are carried."""
    return Order("pack the gun", (("on the way", POINT),)) if gets_away(thought.table, thought.unit.side) else None
