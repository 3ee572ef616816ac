"""Scenarios two, three, four and seven: what each asks before play, where it deploys, and who wins.

A battle says by its option `scenario` which one it plays; without one it is This is WAR!
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import pairwise, permutations
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Revealed
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.questions import UNTIL_REVEALED, ChooseOne, ChooseSeveral, Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import Disc, Point, Polygon, Region, Shape, Spot, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.edges import Edge
from sandtable.field.measure import inside, outline_of, overlap
from sandtable.forces.data import Data
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.cav.concepts import base_of, outline
from sandtable.rulesets.cav.movement import HILL
from sandtable.rulesets.cav.setup import undeployed
from sandtable.rulesets.strikeops.damage import in_play
from sandtable.rulesets.strikeops.datacard import stats
from sandtable.rulesets.strikeops.dice import DICE, TYPES
from sandtable.rulesets.strikeops.setup import EDGES, ZONES
from sandtable.rulesets.strikeops.state_names import CountName, StateName, Until
from sandtable.rulesets.strikeops.victory import surviving_pool
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.opening import TURN_LIMIT
from sandtable.tabletop.states import give
from sandtable.tabletop.turns import roll_off

SELECTION = rule("strikeops.scenarios.selection")
NUMBERS = rule("strikeops.scenarios.table")
PARTS = rule("strikeops.scenarios.parts")
ROLES = rule("strikeops.scenarios.attacker-and-defender")
EQUAL = rule("strikeops.scenarios.equal-forces")
TURNS = rule("strikeops.scenarios.turn-limit")
LONG_STOP = rule("strikeops.scenarios.long-stop")
ELIMINATED = rule("strikeops.scenarios.side-eliminated")
READY_BATTLES = rule("strikeops.scenarios.ready-battles")
THIS_IS_WAR = rule("strikeops.scenarios.this-is-war")
TIME_TURNS = rule("strikeops.scenarios.time-stands-still-turn-limit")
TIME_VICTORY = rule("strikeops.scenarios.time-stands-still-victory")
HILL_FORCES = rule("strikeops.scenarios.take-that-hill-forces")
HILL_DEPLOYMENT = rule("strikeops.scenarios.take-that-hill-deployment")
HILL_VICTORY = rule("strikeops.scenarios.take-that-hill-victory")
HOLD_FORCES = rule("strikeops.scenarios.hold-at-all-cost-forces")
HOLD_DEPLOYMENT = rule("strikeops.scenarios.hold-at-all-cost-deployment")
HOLD_VICTORY = rule("strikeops.scenarios.hold-at-all-cost-victory")
THROUGH_FORCES = rule("strikeops.scenarios.breakthrough-forces")
ESCAPE = rule("strikeops.scenarios.breakthrough-escape")
THROUGH_VICTORY = rule("strikeops.scenarios.breakthrough-victory")
LEVELS = rule("strikeops.victory.victory-levels")
MAXIMUM = rule("strikeops.forces.pool-is-a-maximum")

for _higher, _lower in pairwise(LEVELS.items("levels")):
    same_number("where levels of victory meet", _lower.fraction("to") * 10 + 1, _higher.fraction("from") * 10)

#: The options of a battle: which scenario, which ready battle of it, who attacks, and the Threat Value Pool.
SCENARIO, READY, ATTACKER, POOL = "scenario", "ready", "attacker", "pool"


def _name(number: int) -> str:
    """The scenario of a number, by the table."""
    return NUMBERS.text_at("roll_1d10", str(number)).replace("_", "-")


WAR, TIME, THE_HILL, HOLD, BREAKTHROUGH = (
    _name(one.number("number")) for one in (THIS_IS_WAR, TIME_TURNS, HILL_FORCES, HOLD_FORCES, THROUGH_FORCES)
)
same_number("the number of scenario two", TIME_TURNS.number("number"), TIME_VICTORY.number("number"))


#: The scenarios that are played so far, and the rule by which each side's share of the pool is set.
PLAYED: Mapping[str, Rule] = {
    WAR: EQUAL,
    TIME: EQUAL,
    THE_HILL: HILL_FORCES,
    HOLD: HOLD_FORCES,
    BREAKTHROUGH: THROUGH_FORCES,
}
#: What says when a battle of a scenario is over, of those that have more than a long stop.
LASTS: Mapping[str, Rule] = {**{_name(one): TURNS for one in TURNS.numbers("scenarios")}, TIME: TIME_TURNS}
_ALL = sorted(map(int, NUMBERS.names("roll_1d10")))
_UNEQUAL = (HILL_FORCES.number("number"), HOLD_FORCES.number("number"), THROUGH_FORCES.number("number"))
same_number("who has which share", sorted((*EQUAL.numbers("scenarios"), *_UNEQUAL)), _ALL)
_ENDING = (*TURNS.numbers("scenarios"), *LONG_STOP.numbers("scenarios"), TIME_TURNS.number("number"))
same_number("which scenario ends when", sorted(_ENDING), _ALL)
for _battle in READY_BATTLES.names("battles"):
    _played = READY_BATTLES.text_at("battles", _battle, "scenario").replace("_", "-")
    same_number(f"the scenario of {_battle}", _name(READY_BATTLES.number("battles", _battle, "number")), _played)
#: The question for a secret number, that for who stands on the hill, and what the battle itself counts.
SECRET_TURNS, ON_THE_HILL, BATTLE = "turns", "on-the-hill", "battle"
#: The question for a role, and what stands in place of a side that attacks where the sides roll for it.
ROLE, DEFENDER, ROLL_OFF = "role", "defender", "roll-off"


class ChooseTurns(Step, frozen=True):
    """Both sides choose a number in secret, and the base number of turns is rolled."""


class RollForRoles(Step, frozen=True):
    """The sides have not agreed on who attacks."""


def roll_for_roles(battle: Battle) -> Procedure[None]:
    """Both roll, and the higher roller chooses his role (strikeops.scenarios.attacker-and-defender)."""
    winner = roll_off(battle, "roles", DICE.standard, ROLES, DICE.plain)
    options = (Option(ATTACKER, "Attacker"), Option(DEFENDER, "Defender"))
    role = yield ChooseOne(winner, "Attacker or defender?", topic=ROLE, rules=(ROLES.id,), options=options)
    other = next(side for side in battle.table.sides if side != winner)
    give(battle, winner if role == ATTACKER else other, StateName.ATTACKER, ROLES, until=Until.GAME)


class Verdict(NamedTuple):
    """That a battle is over: who wins (nobody where empty), by which rule, why, and what was counted."""

    winner: Side
    rule: Rule
    reason: str
    points: Mapping[Side, int] = {}


# Roles and pools --------------------------------------------------------------------------------------------------


def scenario_of(table: Table) -> str:
    """The scenario that is played."""
    return str(table.options.get(SCENARIO, WAR))


def attacker(table: Table) -> Side:
    """The side that attacks (strikeops.scenarios.attacker-and-defender): as rolled for, as agreed, or the first."""
    rolled = [side for side in table.sides if side in table.things and table[side].has(StateName.ATTACKER)]
    said = Side(str(table.options.get(ATTACKER, table.sides[0])))
    return rolled[0] if rolled else said if said in table.sides else table.sides[0]


def defender(table: Table) -> Side:
    """The side that defends."""
    return next(side for side in table.sides if side != attacker(table))


def share(scenario: str, *, attacks: bool) -> Fraction:
    """How much of the agreed pool a side has."""
    source = PLAYED[scenario]
    key = "each_side" if source is EQUAL else "attacker" if attacks else "defender"
    return source.fraction("pool_share", key)


def pool_of(table: Table, side: Side) -> int:
    """The Threat Value Pool of a side, its share of the agreed one; without one, what its models cost."""
    if POOL not in table.options:
        return sum(stats(one).threat_value for one in table.of_kind("model") if one.side == side)
    return part_of(int(table.options[POOL]), scenario_of(table), attacks=side == attacker(table))


def part_of(agreed: int, scenario: str, *, attacks: bool) -> int:
    """A share of a pool, rounded (strikeops.concepts.rounding)."""
    return int(agreed * share(scenario, attacks=attacks) + Fraction(1, 2))


def turns_by_default(pool: int) -> int:
    """How many turns are played where nothing else is agreed on (strikeops.scenarios.turn-limit)."""
    *upto, above = TURNS.names("default")
    return TURNS.number("default", next((key for key in upto if pool <= int(key.removeprefix("up_to_"))), above))


def last_turn(table: Table) -> int:
    """The turn after which a battle is over, as far as it is known."""
    agreed, counted = table.options.get(TURN_LIMIT), table.things.get(BATTLE)
    if counted is not None and scenario_of(table) == TIME:
        return counted.count(CountName.LAST_TURN)
    if isinstance(agreed, int):
        return agreed
    if LASTS.get(scenario_of(table)) is TURNS:
        return turns_by_default(pool_of(table, attacker(table)))
    return LONG_STOP.number("last_turn")


def lengths() -> Mapping[str, str]:
    """How long a battle lasts whose scenario has no limit of its own, by what wins it, as a page says it.

    strikeops.scenarios.long-stop, strikeops.scenarios.time-stands-still-turn-limit
    """
    stop, (fewest, most) = LONG_STOP.number("last_turn"), TIME_TURNS.numbers("total_turns")
    return {
        "lasts last-side-standing": f"until one side is beaten, {stop} turns at most",
        "lasts breakthrough": f"until no defender is left, {stop} turns at most",
        "lasts greater-surviving-threat-value": f"{fewest} to {most} turns, as a die and both sides decide",
    }


def warned_of(table: Table) -> Iterator[tuple[str, str, Rule]]:
    """What the players are warned of before they play for equal pools: the side, of what it has more, and the rule.

    strikeops.scenarios.equal-forces     over a quarter more models than the other
    strikeops.forces.pool-is-a-maximum   over 100 TV more than the other
    """
    if PLAYED[scenario_of(table)] is not EQUAL:
        return
    for side, other in permutations(table.sides, 2):
        own, theirs = ([one for one in table.of_kind("model") if one.side == whose] for whose in (side, other))
        if len(own) * 100 > len(theirs) * (100 + EQUAL.number("warned_above_percent_more")):
            yield side, "more models", EQUAL
        more = sum(stats(one).threat_value for one in own) - sum(stats(one).threat_value for one in theirs)
        if more > MAXIMUM.number("recommended_difference"):
            yield side, "more threat value", MAXIMUM


# Before play ------------------------------------------------------------------------------------------------------


def choose_turns(battle: Battle) -> Procedure[None]:
    """Both sides choose a number at once, sealed; the base number of turns is rolled openly.

    strikeops.scenarios.time-stands-still-turn-limit    1 to 3 each, and 1d3
    """
    options = tuple(Option(str(one), str(one)) for one in TIME_TURNS.numbers("secret_choice"))
    yield tuple(
        ChooseOne(
            side,
            "How many turns do you add, in secret?",
            topic=SECRET_TURNS,
            rules=(TIME_TURNS.id,),
            options=options,
            sealed=UNTIL_REVEALED,
        )
        for side in battle.table.sides
    )
    base = DICE.plain_roll(battle, "base turns", "", DICE.extra_die, TIME_TURNS, halved=TYPES)
    battle.happens(Counted(BATTLE, CountName.LAST_TURN, 0, base, rule=TIME_TURNS.id))


def show_turns(battle: Battle) -> None:
    """The base turns are over: both numbers are shown, and so many turns more are played."""
    table, extra, n = battle.table, 0, 0
    for side in table.sides:
        number = table.secrets[f"{side}: {SECRET_TURNS}"]
        extra += int(str(number))
        words = f"{side}: {SECRET_TURNS}"
        n = battle.happens(Revealed(words, str(number), value=number, rule=TIME_TURNS.id))
    before = last_turn(table)
    battle.happens(Counted(BATTLE, CountName.LAST_TURN, before, before + extra, rule=TIME_TURNS.id, because=n))
    give(battle, BATTLE, StateName.TURNS_SHOWN, TIME_TURNS, until=Until.GAME)


# Deployment -------------------------------------------------------------------------------------------------------


def region(table: Table, side: Side) -> Region:
    """Where a side deploys.

    strikeops.setup.deployment-zones                       the strip along its edge
    strikeops.scenarios.take-that-hill-deployment          a defender anywhere but in the attacker's zone
    strikeops.scenarios.hold-at-all-cost-deployment        a defender on his half
    """
    ground = table.ground
    if side == defender(table) and scenario_of(table) == THE_HILL:
        board = rectangle(0, 0, ground.width, ground.height)
        theirs = EDGES.zone(ground, EDGES.home(table, attacker(table)))
        label = "anywhere but the attacker's zone"
        return Region((board,), outside=(theirs,), rule=HILL_DEPLOYMENT.id, label=label)
    if side == defender(table) and scenario_of(table) == HOLD:
        own = half(ground, EDGES.home(table, side))
        return Region((own,), rule=HOLD_DEPLOYMENT.id, label="your half of the board")
    own = EDGES.zone(ground, EDGES.home(table, side))
    return Region((own,), rule=ZONES.id, label="Deployment Zone")


def half(ground: Ground, edge: Edge) -> Polygon:
    """The half of the board that begins at an edge."""
    wide, high = ground.width, ground.height
    west, north = (wide // 2 if edge is Edge.EAST else 0), (high // 2 if edge is Edge.SOUTH else 0)
    return rectangle(west, north, wide // 2 if edge.upright else wide, high if edge.upright else high // 2)


def great_hill(ground: Ground) -> Piece | None:
    """The hill in the centre of the board."""
    centre = Point(ground.width // 2, ground.height // 2)
    return next((one for one in ground.pieces if one.kind == HILL and inside(one.outline, centre)), None)


def touches_hill(table: Table, shape: Shape) -> bool:
    """Whether any part of a base is within the border of the great hill."""
    hill = great_hill(table.ground)
    return hill is not None and overlap(hill.outline, shape)


def whole_sides(table: Table) -> tuple[Side, ...]:
    """The sides that deploy whole, one after the other; none where the deck says who is next."""
    return (defender(table), attacker(table)) if scenario_of(table) == THE_HILL else ()


def owed_to_hill(table: Table, models: Sequence[Thing]) -> int:
    """How many of some models of the defender must stand on the hill, those that are placed later all doing so.

    strikeops.scenarios.take-that-hill-deployment    at least half of his models, rounded up
    """
    if scenario_of(table) != THE_HILL or models[0].side != defender(table):
        return 0
    side = defender(table)
    everybody = [one for one in table.of_kind("model") if one.side == side]
    least = -(-len(everybody) * HILL_DEPLOYMENT.fraction("minimum_share_on_hill") // 1)
    placed = sum(one.on_table and touches_hill(table, outline(one)) for one in everybody)
    later = len(undeployed(table, side)) - len(models)
    return max(0, int(least) - placed - later)


def to_the_hill(table: Table, models: Sequence[Thing]) -> Procedure[tuple[str, ...]]:
    """Which models of a squad go on the hill, where some of them must."""
    owed = owed_to_hill(table, models)
    if not owed or owed == len(models):
        return tuple(one.id for one in models[:owed])
    chosen: tuple[str, ...] = yield ChooseSeveral(
        models[0].side,
        f"Which of them stand on the hill? At least {owed}.",
        deed="Put {} on the hill",
        topic=ON_THE_HILL,
        about=(models[0].unit,),
        rules=(HILL_DEPLOYMENT.id,),
        options=tuple(Option(one.id, one.label, (one.id,)) for one in models),
        at_least=owed,
        default=tuple(one.id for one in models[:owed]),
    )
    return chosen


def hill_region(table: Table, model: Thing) -> Region:
    """Where a model is put that must stand on the hill: its base touches it."""
    hill = great_hill(table.ground)
    assert hill is not None, "see_scenario wants a hill"
    shape: Shape = hill.outline
    if isinstance(shape, Disc):
        shape = Disc(shape.center, shape.radius + base_of(model).size // 2)
    return Region((shape,), whole=False, rule=HILL_DEPLOYMENT.id, label="the hill")


def on_hill_when_placed(table: Table, model: Thing, spot: Spot) -> bool:
    """Whether a model would stand on the hill at a spot."""
    where = getattr(spot.where, "point", None)
    return where is not None and touches_hill(table, outline_of(base_of(model), where, spot.facing))


# The end ----------------------------------------------------------------------------------------------------------


def verdict(table: Table) -> Verdict | None:
    """Whether a battle of one of these scenarios is over in this End Phase; none while it goes on."""
    return _VERDICTS[scenario_of(table)](table)


def graded(table: Table, winner: Side, reason: str) -> str:
    """Why a battle is over, with the level of the victory (strikeops.victory.victory-levels)."""
    if not winner or len(table.sides) != 2:
        return reason
    loser = next(side for side in table.sides if side != winner)
    return f"{reason}: a {victory_level(quotient(table, winner), quotient(table, loser))} victory"


def victory_level(winner: Fraction, loser: Fraction) -> str:
    """The level of a victory by the quotients of what survives, divided and rounded to one place.

    strikeops.victory.victory-levels    a loser with nothing left makes it decisive

    >>> victory_level(Fraction("0.64"), Fraction("0.33")), victory_level(Fraction(1, 2), Fraction(1, 2))
    ('major', 'pyrrhic')
    """
    rows = LEVELS.items("levels")
    if not loser:
        return rows[0].text_at("result")
    tenths = (20 * winner + loser) // (2 * loser)
    return next(row.text_at("result") for row in rows if tenths >= row.fraction("from") * 10)


def _level(table: Table, asked: Data) -> object:
    """`[winner, loser]` or `{winner: 0.64, loser: 0.33}`: the level of a victory by the quotients of what survives."""
    keys = ("winner", "loser") if isinstance(asked.node.value, dict) else (0, 1)
    return victory_level(*(asked.fraction(key) for key in keys))


def quotient(table: Table, side: Side) -> Fraction:
    """What is left of a side's pool, as a share of it (strikeops.victory.winner-by-points)."""
    pool = pool_of(table, side)
    return Fraction(surviving_pool(table, side, pool), pool)


def stands(table: Table, side: Side) -> bool:
    """Whether a side has a model in play or still to arrive."""
    return any(in_play(one) for one in table.models(side)) or bool(undeployed(table, side))


def destroyed(table: Table, side: Side) -> int:
    """The full TV of the models of a side that are destroyed, out of action or abandoned; who left is none of them."""
    lost = [
        one
        for one in table.of_kind("model")
        if one.side == side and not one.has(StateName.LEFT) and (one.gone or not in_play(one)) and not _waits(one)
    ]
    return sum(stats(one).threat_value for one in lost)


def _waits(model: Thing) -> bool:
    return not model.gone and not model.on_table


def _out_of_time(table: Table) -> Verdict | None:
    """Scenario two: whose surviving Threat Value is the greater total, when the last turn is over."""
    secret = BATTLE in table.things and not table[BATTLE].has(StateName.TURNS_SHOWN)
    over = not secret and table.turn >= last_turn(table)
    gone = not all(stands(table, side) for side in table.sides)
    if not over and not gone:
        return None
    points = {side: surviving_pool(table, side, pool_of(table, side)) for side in table.sides}
    best = [side for side in table.sides if points[side] == max(points.values())]
    winner = best[0] if len(best) == 1 else NO_SIDE
    reason = "the last turn is over" if over else "a side has no model left"
    return Verdict(winner, TIME_VICTORY, f"{reason}; what survives decides", points)


def _hill_taken(table: Table) -> Verdict | None:
    """Scenario three: at the end of the final turn no defender may be on the hill."""
    attacks, defends = attacker(table), defender(table)
    if not stands(table, attacks) and not stands(table, defends):
        return Verdict(NO_SIDE, ELIMINATED, "no side has a model in play")
    if not stands(table, defends):
        return Verdict(attacks, HILL_VICTORY, "the defender has no models left")
    if not stands(table, attacks):
        return Verdict(defends, HILL_VICTORY, "the attacker has no models left")
    if table.turn < last_turn(table):
        return None
    held = [one for one in table.models(defends) if in_play(one) and touches_hill(table, outline(one))]
    if held:
        return Verdict(defends, HILL_VICTORY, f"{held[0].label} is still on the hill")
    return Verdict(attacks, HILL_VICTORY, "no defender is on the hill")


def _bled(table: Table) -> Verdict | None:
    """Scenario four: the defender wins once as much TV of the attacker is destroyed as his own pool was."""
    attacks, defends = attacker(table), defender(table)
    lost, pool = destroyed(table, attacks), pool_of(table, defends)
    points = {attacks: 0, defends: lost}
    if lost >= pool:
        return Verdict(defends, HOLD_VICTORY, f"{lost} TV of the attacker are destroyed, of {pool}", points)
    if not stands(table, defends) or not stands(table, attacks) or table.turn >= last_turn(table):
        return Verdict(attacks, HOLD_VICTORY, f"only {lost} TV of the attacker are destroyed, of {pool}", points)
    return None


def _escaped(table: Table) -> Verdict | None:
    """Scenario seven: what escaped and what it destroyed against what was lost, when no defender is left on the board.

    strikeops.scenarios.breakthrough-escape    without an attacker in play, who can still go counts as escaped
    """
    attacks, defends = attacker(table), defender(table)
    free = not stands(table, attacks)
    if stands(table, defends) and not free and table.turn < last_turn(table):
        return None
    towards = EDGES.home(table, attacks)
    models = [one for one in table.of_kind("model") if one.side == defends]
    out = [one for one in models if one.value(StateName.LEFT) == towards]
    if free:
        out += [one for one in models if in_play(one) and not one.has(StateName.MISSION_KILL)]
    gained = sum(stats(one).threat_value for one in out) + destroyed(table, attacks)
    lost = destroyed(table, defends)
    points = {attacks: lost, defends: gained}
    if out and gained > lost:
        return Verdict(defends, THROUGH_VICTORY, f"{len(out)} escaped, and {gained} TV is more than {lost}", points)
    reason = f"{gained} TV is not more than {lost}" if out else "nobody escaped"
    return Verdict(attacks, THROUGH_VICTORY, reason, points)


def shows_turns(table: Table) -> bool:
    """Whether the secret numbers are shown in this End Phase: the base turns are over."""
    counted = table.things.get(BATTLE)
    if scenario_of(table) != TIME or counted is None or counted.has(StateName.TURNS_SHOWN):
        return False
    return table.turn >= last_turn(table)


_VERDICTS = {TIME: _out_of_time, THE_HILL: _hill_taken, HOLD: _bled, BREAKTHROUGH: _escaped}
#: The rules that a battle of a scenario is set up by.
CITED: Mapping[str, tuple[Rule, ...]] = {
    WAR: (EQUAL,),
    TIME: (EQUAL, TIME_TURNS),
    THE_HILL: (ROLES, HILL_FORCES, TURNS),
    HOLD: (ROLES, HOLD_FORCES, TURNS),
    BREAKTHROUGH: (ROLES, THROUGH_FORCES, ESCAPE),
}


def too_few_on_the_hill(question: ChooseSeveral) -> Refusal:
    """So many of a squad stand on the hill at the least (strikeops.scenarios.take-that-hill-deployment)."""
    return Refusal(HILL_DEPLOYMENT.id, f"At least {question.at_least} of them stand on the hill.")


CHAPTER = Chapter(
    too_few={ON_THE_HILL: too_few_on_the_hill},
    steps={
        ChooseTurns: lambda battle, step: choose_turns(battle),
        RollForRoles: lambda battle, step: roll_for_roles(battle),
    },
    answers={
        ROLE: "attacker or defender",
        SECRET_TURNS: "how many turns a side adds, in secret",
        ON_THE_HILL: "which models of a squad are placed on the hill",
    },
    values={
        "attacker": lambda table, asked: attacker(table),
        "pool": lambda table, asked: pool_of(table, Side(asked.text_at())),
        "warned-of": lambda table, asked: tuple(f"{side}: {what}, {why.id}" for side, what, why in warned_of(table)),
        "last-turn": lambda table, asked: last_turn(table),
        "level": _level,
    },
    states={
        StateName.ATTACKER: "of a side: it attacks",
        StateName.LEFT: "the edge over which it left the board",
        StateName.TURNS_SHOWN: "of the battle: the secret numbers of turns are shown",
    },
)
