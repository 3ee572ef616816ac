"""The steps of a squad's activation, what a battle of squads starts from, and the rules by name."""

import msgspec

from sandtable.engine.ids import BLUE, RED, RuleId, Side
from sandtable.engine.shapes import Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Table
from tests.miniatures.squad_plan import AP, Orders

SEQUENCE = RuleId("strikeops.actions.activation-sequence")
TWO_AP = RuleId("strikeops.actions.two-action-points")
IMPOSSIBLE = RuleId("strikeops.actions.impossible-action-is-forfeit")
REMOVED = RuleId("strikeops.actions.lost-when-a-model-is-removed")
MOVE = RuleId("strikeops.movement.move-action")
STACKING = RuleId("strikeops.movement.no-stacking")
STATIONARY = RuleId("strikeops.movement.not-moving-is-stationary")
STAND_UP = RuleId("strikeops.movement.standing-up")
MOVE_AND_SHOOT = RuleId("strikeops.shooting.move-and-shoot")
DEFENSIVE = RuleId("strikeops.shooting.defensive-fire")
WINDOW = RuleId("strikeops.shooting.defensive-fire-timing")
AT_END = RuleId("strikeops.damage.applied-at-end-of-activation")
SETTLING = RuleId("strikeops.damage.end-of-activation-order")
TRACK = RuleId("strikeops.damage.damage-track")
OUTRIGHT = RuleId("strikeops.damage.destroyed-outright")
SURPLUS = RuleId("strikeops.damage.surplus-attacks-are-lost")
FAILED_CHECK = RuleId("strikeops.damage.failed-pilot-check")
FUMBLED_CHECK = RuleId("strikeops.damage.pilot-check-fumble")
ONE_ACTIVATION = RuleId("strikeops.initiative.one-activation-a-turn")
PHASES = RuleId("strikeops.initiative.sequence-of-play")
DEPLOYED = RuleId("strikeops.setup.order")
C3_POOL = RuleId("strikeops.command.pool-size")
WINNER = RuleId("strikeops.victory.winner-by-points")

MV, DT = 6, 3
END = "end of activation"
ALL_OPEN = ("distance", "reach", "sight", "odds")


class Fielded(msgspec.Struct, frozen=True):
    """One model as the scenario fields it, in inches."""

    id: str
    side: Side
    squad: str
    x: int
    y: int
    facing: int = 0
    harm: int = 0


class Scenario(msgspec.Struct, frozen=True):
    """What a battle starts from."""

    models: tuple[Fielded, ...] = (
        Fielded("R1", RED, "red 3", 4, 6),
        Fielded("R2", RED, "red 3", 4, 12),
        Fielded("R3", RED, "red 3", 4, 18),
        Fielded("R4", RED, "red 4", 2, 9),
        Fielded("B1", BLUE, "blue 1", 16, 6, 180),
        Fielded("B2", BLUE, "blue 1", 16, 12, 180),
        Fielded("B3", BLUE, "blue 1", 16, 18, 180),
        Fielded("B4", BLUE, "blue 2", 18, 9, 180),
    )
    c3: int = 2
    turns: int = 3
    width: int = 36
    height: int = 24


class Begin(Step, frozen=True):
    turns: int


class NextSquad(Step, frozen=True):
    side: Side
    turns: int


class Activate(Step, frozen=True):
    squad: str


class Resolve(Step, frozen=True):
    squad: str
    orders: tuple[Orders, ...]
    left: tuple[str, ...]


class Attack(Step, frozen=True):
    squad: str
    orders: tuple[Orders, ...]
    model: str


class Fire(Step, frozen=True):
    shooter: str
    target: str
    weapon: str
    inspired: bool = False
    defensive: bool = False


class Go(Step, frozen=True):
    """The rest of a walk that was begun: from which pose the whole of it started, and how far along it is."""

    model: str
    x: int
    y: int
    facing: int
    walk: Walk
    along: int


class SettleUp(Step, frozen=True):
    """What is due at the end of an activation happens, to one model after another as its side likes."""

    squad: str


class Close(Step, frozen=True):
    """The end of an activation; a guest that a C3 point attached goes back to its own squad."""

    squad: str
    guest: str = ""
    home: str = ""


def may_answer(table: Table, model: str, side: Side) -> bool:
    """Whether a model may use defensive fire: not activated, on its feet, with both action points."""
    thing = table[model]
    rested = not table[thing.unit].has("activated") and not thing.has("acted")
    fresh = rested and not thing.has("knockdown") and not thing.gone
    return thing.side == side and fresh and thing.count("AP") >= AP
