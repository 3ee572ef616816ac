"""Smoke: clouds that nobody sees through, from dischargers and from shells, gone when the turn ends.

Nothing here is played unless the battle's switch for smoke is on.
"""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Placed, TerrainChanged
from sandtable.engine.ids import PieceId
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Disc, Off, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.directions import along
from sandtable.field.walking.encounters import over_edge
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, out_there
from sandtable.rulesets.stargrunt.cover.protection import SMOKE, centre_point
from sandtable.rulesets.stargrunt.dice.rolls import CLOCK, LADDER, clock_degrees
from sandtable.rulesets.stargrunt.movement.columns import HEADINGS
from sandtable.rulesets.stargrunt.movement.walking import away_from_home, clock_direction
from sandtable.rulesets.stargrunt.units.record import hull_of
from sandtable.tabletop.states import give

RULE = rule("stargrunt.obstacles.smoke")
#: The switch of the option, the direction it may say of the wind, and where that is kept.
SWITCH, WIND, BLOWS = "smoke", "wind", "blows towards"
#: A unit that can lay smoke of its own.
DISCHARGERS = "smoke dischargers"
ACROSS = RULE.inches("cloud_diameter_in")

same_number("how many clouds a shell lays", RULE.text_at("shell_clouds"), "burst_radius")


class SmokeClears(Step, frozen=True):
    """The clouds of this turn go."""


def wind(table: Table) -> int:
    """The direction the wind blows to."""
    value = table[WIND].value(BLOWS)
    assert isinstance(value, int), "no wind blows"
    return value


def raise_wind(battle: Battle) -> None:
    """Where smoke is played the wind blows where the scenario says, or where a die does."""
    if not battle.table.options.get(SWITCH):
        return
    said, first = battle.table.options.get(WIND), battle.table.sides[0]
    if isinstance(said, str):
        degrees = HEADINGS[said]
    elif isinstance(said, int):
        degrees = clock_degrees(said, away_from_home(battle.table, first))
    else:
        degrees, _ = clock_direction(battle, first)
    give(battle, WIND, BLOWS, RULE, degrees)


def clouds(table: Table) -> list[Piece]:
    """The clouds of smoke on the table."""
    return [piece for piece in table.ground.pieces if piece.kind == SMOKE]


def lay_cloud(battle: Battle, at: Point, because: int = 0) -> None:
    """One cloud; off the table it is nothing to anybody."""
    if over_edge(Disc(at, 0), battle.table.ground):
        return
    piece = Piece(PieceId(battle.new_id("smoke")), SMOKE, Disc(at, ACROSS // 2), height=1, label="Smoke")
    battle.happens(Placed(piece.id, Off(), piece=piece, rule=RULE.id, because=because))


def in_front(at: Point, degrees: int) -> list[Point]:
    """Where the clouds of dischargers stand: side by side, six inches in front.

    >>> in_front(Point(0, 0), 0)
    [Point(x=6000, y=-2000), Point(x=6000, y=0), Point(x=6000, y=2000)]
    """
    middle = along(at, degrees, RULE.inches("discharger_distance_in"))
    count = RULE.number("discharger_clouds")
    return [along(middle, degrees + 90, (2 * n - count + 1) * ACROSS // 2) for n in range(count)]


def shell(battle: Battle, at: Point, radius: int) -> None:
    """A smoke shell lays as many clouds as its burst radius in inches, in a line downwind."""
    for n in range(radius // UNIT):
        lay_cloud(battle, along(at, wind(battle.table), n * ACROSS))


def discharge(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """A vehicle lays smoke ahead of itself, a unit on foot in the direction it says."""
    table, hull = battle.table, hull_of(battle.table, unit.id)
    if hull is not None:
        degrees = hull.facing
    else:
        hour = yield ChooseOne(
            unit.side,
            "Smoke in which direction? 12 is away from your baseline",
            topic="smoke",
            about=(unit.id,),
            options=tuple(Option(str(n), f"{n} o'clock", rules=(RULE.id, CLOCK.id)) for n in range(1, LADDER[-1] + 1)),
            rules=(RULE.id,),
            default=str(LADDER[-1]),
        )
        degrees = clock_degrees(int(hour), away_from_home(table, unit.side))
    n = battle.happens(Declared(unit.id, "lay smoke", rule=RULE.id))
    for at in in_front(centre_point(table, unit.id), degrees):
        lay_cloud(battle, at, n)
    return Outcome()


def clears(table: Table) -> Sequence[Step]:
    """The step in which the clouds go, if there are any."""
    return (SmokeClears(),) if clouds(table) else ()


def clear(battle: Battle, step: SmokeClears) -> Procedure[None]:
    """Clouds laid in a turn are removed when it ends."""
    yield from ()
    for piece in clouds(battle.table):
        battle.happens(TerrainChanged(piece.id, before=SMOKE, after="", rule=RULE.id))


def may_lay(table: Table, unit: Thing) -> bool:
    """Whether a unit can lay smoke at all."""
    return bool(table.options.get(SWITCH)) and out_there(table, unit) and unit.has(DISCHARGERS)


ACTION = Action(id="lay-smoke", entry="lay_smoke", label="Lay smoke", rule=RULE, carry_out=discharge, shown=may_lay)
