"""Indirect fire: whom an area catches, where a missed strike drifts to, and a fumbled point that the opponent moves."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.dice import notation
from sandtable.engine.events import Rolled
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, Base, Point, Region, Spot, rectangle
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.measure import gap_to_point, on_or_inside
from sandtable.field.outlines import outline_of
from sandtable.field.walking.paths import length_between
from sandtable.forces.ledger import Rule, citing
from sandtable.rulesets.cav.concepts import base_of, center, may_reach, outline

#: The thing that a question about a strike-point places.
POINT = "strike-point"
FUMBLED_POINT = "fumbled-strike-point"


def model_at(table: Table, point: Point) -> Thing | None:
    """The model whose base covers a point."""
    near = (model for model in table.models() if may_reach(model, point, 0))
    return next((model for model in near if on_or_inside(outline(model), point)), None)


class Stands(NamedTuple):
    """How a model stands, for whom a point catches; no base reaches farther from its centre than `far`."""

    model: str
    x: int
    y: int
    base: Base
    facing: int
    far: int


def standing_for(models: Sequence[Thing]) -> list[Stands]:
    """How models stand, for whom a point catches."""
    found = [(model, center(model), base_of(model)) for model in models]
    return [Stands(one.id, at.x, at.y, base, one.facing, base.size + base.depth) for one, at, base in found]


def caught_by(table: Table, point: Point, reach: int) -> tuple[str, ...]:
    """Every model, friend or foe, with any part of its base within so much of a point."""
    near = [model for model in table.models() if may_reach(model, point, reach)]
    return caught_among(standing_for(near), point, reach)


def caught_among(models: Sequence[Stands], point: Point, reach: int) -> tuple[str, ...]:
    """The same of some models; a shot without an area hits one at most."""
    px, py = point
    caught = [
        model
        for model, x, y, base, facing, far in models
        # A cheap look before an exact one.
        if -far - reach <= px - x <= far + reach
        and -far - reach <= py - y <= far + reach
        and _is_within(base, facing, px - x, py - y, reach)
    ]
    return tuple(caught if reach else caught[:1])


@lru_cache(maxsize=16384)
def _is_within(base: Base, facing: int, x: int, y: int, reach: int) -> bool:
    """Whether a point so far from the centre of a base is near enough to its edge, or on it."""
    return gap_to_point(outline_of(base, Point(0, 0), facing), Point(x, y)) <= reach


@lru_cache(maxsize=16384)
def drifted(degrees: int, distance: int) -> Point:
    """How far something is carried, kept for the odds, which ask for every direction."""
    return along(Point(0, 0), degrees, distance)


class Munition(NamedTuple):
    """How near and how far a weapon strikes, and how wide, in thousandths: fired together they may differ."""

    nearest: int
    farthest: int
    radius: int


class Drift(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The drift of an edition: its die, what is added by range band, and where a strike comes to nothing."""

    dice: str
    addition: Mapping[str, int]
    rule: Rule
    addition_rule: Rule
    limits: Rule
    beyond: Rule | None = None  # that says so too of a strike which is too far away for every weapon
    strikes: Callable[[Thing, Point, Munition], bool]  # whether a weapon has any effect at a point of the board
    divide: int = 1  # what a distance is divided by, rounded up

    def roll(
        self, battle: Battle, shooter: Thing, point: Point, band: str, munitions: Sequence[Munition], because: int
    ) -> Point | None:
        """Let a missed strike drift in any direction; none where it comes to nothing."""
        table = battle.table
        addition = self.addition.get(band, 0)
        kinds = tuple(dict.fromkeys(munitions))
        # Whom a drift catches hangs on how models stand, so all that can come of a roll to aim share what was found.
        key = ("drift", shooter.id, kinds, point, addition, self.divide)
        kept: dict[tuple[int, int], tuple[tuple[str, ...] | None, ...]] = table.posture.setdefault(key, {})
        wide, high = table.ground.width, table.ground.height
        most = (sum(notation(self.dice)) + addition) * UNIT + max(one.radius for one in kinds)
        models = standing_for([model for model in table.models() if may_reach(model, point, most)])

        def lands_on(length: int, degrees: int) -> tuple[tuple[str, ...] | None, ...]:
            way = (length, degrees)
            if way not in kept:
                dx, dy = drifted(degrees, -(-(length + addition) // self.divide) * UNIT)
                x, y = at = Point(point.x + dx, point.y + dy)
                on_board = 0 <= x <= wide and 0 <= y <= high
                kept[way] = tuple(
                    [
                        (caught_among(models, at, one.radius) if models else ())
                        if on_board and self.strikes(shooter, at, one)
                        else None
                        for one in kinds
                    ]
                )
            return kept[way]

        fell = battle.dice.scatter(self.dice, into=lands_on)
        whole, degrees = fell.natural + addition, fell.faces[-1]
        length = -(-whole // self.divide)
        added = (ExplainedPart(f"{band} range", addition, self.addition_rule.id),) if addition else ()
        if length != whole:
            added = (*added, ExplainedPart("halved", length - whole, self.rule.id))
        landed = along(point, degrees, length * UNIT)
        on_board = 0 <= landed.x <= wide and 0 <= landed.y <= high
        lost = not on_board or not any(self.strikes(shooter, landed, one) for one in kinds)
        farthest = max(one.farthest for one in kinds)
        battle.happens(
            Rolled(
                "drift",
                shooter.id,
                self.dice,
                fell.faces,
                fell.natural,
                added,
                length,
                outcome="no effect" if lost else f"{length}″ at {degrees}°",
                rule=self.limits.id if lost else self.rule.id,
                because=because,
                detail=citing(self.beyond)
                if self.beyond and farthest < length_between(center(shooter), landed)
                else {},
            )
        )
        return None if lost else landed


def moved_by_the_opponent(
    battle: Battle, shooter: Thing, fired: Sequence[str], point: Point, why: Rule, facts: dict[str, int]
) -> Procedure[Point]:
    """The opponent may move a fumbled strike-point, or leave it where it is."""
    sides = battle.ruleset.asking_order(battle, shooter.side)
    board = rectangle(0, 0, battle.table.ground.width, battle.table.ground.height)
    answer: dict[str, Spot] | None = yield PlaceThings(
        sides[0],
        f"{shooter.label} fumbled: move its strike-point",
        topic=FUMBLED_POINT,
        about=(shooter.id, *fired),
        rules=(why.id,),
        shows=("distance",),
        facts=facts,
        things=(POINT,),
        where={"": Region((board,), whole=False, rule=why.id)},
        faces=False,
        decline="Leave it where it is",
    )
    if not answer:
        return point
    where = answer[POINT].where
    assert isinstance(where, At)
    return where.point


def point_on_board(table: Table, question: PlaceThings, answer: dict[str, Spot]) -> Point | Refusal:
    """The strike-point that was answered, or why it is none."""
    where, ground = answer[question.things[0]].where, table.ground
    if not isinstance(where, At):
        return Refusal(question.rules[0], "Choose a point on the board.")
    if not (0 <= where.point.x <= ground.width and 0 <= where.point.y <= ground.height):
        return Refusal(question.rules[0], "The point must lie on the board.")
    return where.point
