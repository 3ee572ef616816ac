"""Taking casualties along: who is carried, by whom, and where they are laid down."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import ChooseSeveral, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, Point, Polygon, Via, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.ground import pieces_at
from sandtable.field.measure import bearing, center_gap, gap_floor
from sandtable.field.walking.encounters import over_edge
from sandtable.forces.ledger import citing, rule
from sandtable.rulesets.stargrunt.movement.terrain_costs import grade, mover
from sandtable.rulesets.stargrunt.movement.walking import BURDENED, ENCUMBERED, FIGURES, crowded, others
from sandtable.rulesets.stargrunt.units.record import BASE, SUIT_WRECKED, on_ground, spot, standing, with_unit
from sandtable.tabletop.states import give, take

CARRYING = rule("stargrunt.movement.carrying-casualties")

#: How far from its bearer's centre a casualty is laid down: bases touch, and never overlap.
BESIDE = BASE.size + 2


def portable(table: Table, unit: str) -> list[Thing]:
    """The wounded and stabilised with a unit, who may be taken along."""
    return [one for one in with_unit(table, unit) if one.harm and not one.has(SUIT_WRECKED)]


def not_carried(view: View, question: ChooseSeveral, answer: str) -> Refusal | None:
    """Why somebody is none of those whom a unit may take along."""
    figure = view.table.things.get(answer)
    if figure is None or figure.kind != "model":
        return None
    if figure.id in [one.id for one in portable(view.table, question.about[0])]:
        return None
    return Refusal(CARRYING.id, f"{figure.label} is no casualty that can be taken along.")


def take_along(battle: Battle, unit: Thing) -> Procedure[tuple[ThingId, ...]]:
    """Ask which casualties a unit takes along; with any it is encumbered for the move.

    stargrunt.movement.carrying-casualties    one per OK figure at most; the others are left where they lie
    stargrunt.movement.encumbered             one die type slower, however many are carried
    """
    lying = portable(battle.table, unit.id)
    if not lying:
        return ()
    chosen: tuple[ThingId, ...] = yield ChooseSeveral(
        unit.side,
        "Take which casualties along?",
        deed="Take {} along",
        topic="carry",
        about=(unit.id,),
        options=tuple(Option(one.id, one.label, (one.id,), (CARRYING.id,)) for one in lying),
        at_most=len(standing(battle.table, unit.id)) * CARRYING.number("per_fit_figure"),
        rules=(CARRYING.id, ENCUMBERED.id),
        default=(),
    )
    if chosen and not unit.has(BURDENED):
        told = citing(CARRYING)
        give(battle, unit.id, BURDENED, ENCUMBERED, "casualties", detail=told)
    return tuple(chosen)


def put_down(battle: Battle, unit: str) -> None:
    """The move is over: who carried casualties is encumbered by them no more."""
    if battle.table[unit].value(BURDENED) == "casualties":
        take(battle, unit, BURDENED, ENCUMBERED)


def bearers_of(table: Table, unit: str, carried: Sequence[str]) -> dict[str, str]:
    """Who carries whom: each casualty the nearest OK figure that has its hands free."""
    free = standing(table, unit)
    found: dict[str, str] = {}
    for name in carried:
        at = spot(table[name])
        bearer = min(free, key=lambda one: (center_gap(spot(one), at), one.id))
        free = [one for one in free if one.id != bearer.id]
        found[name] = bearer.id
    return found


def carry_along(battle: Battle, bearers: dict[str, str]) -> None:
    """Lay each casualty down beside the figure that has carried it, as near as there is room."""
    for name, bearer in bearers.items():
        one = battle.table[name]
        to = _room_beside(battle.table, one, spot(battle.table[bearer]))
        if to is not None:
            walk = Walk((Via(to),))
            battle.happens(Moved(one.id, one.place, At(to), walk=walk, manner="carried", rule=CARRYING.id))


def _room_beside(table: Table, one: Thing, bearer: Point) -> Point | None:
    """The free place beside a bearer that is nearest to where a casualty lay; none where it lies well there."""
    here = spot(one)
    taken = others(table, [one.id])
    if center_gap(here, bearer) <= BESIDE * BESIDE and not crowded([here], taken):
        return None
    foes = [Disc(spot(foe), BASE.size // 2) for foe in on_ground(table) if foe.side != one.side]
    first = bearing(bearer, here)
    for far in range(BESIDE, BESIDE + 8 * UNIT, UNIT // 2):
        for turn in (0, 30, -30, 60, -60, 90, -90, 120, -120, 150, -150, 180):
            at = along(bearer, (first + turn) % 360, far)
            if _may_lie(table, one, at, taken, foes):
                return at
    return None


def _may_lie(table: Table, one: Thing, at: Point, taken: Sequence[Point | Polygon], foes: Sequence[Disc]) -> bool:
    base = Disc(at, BASE.size // 2)
    if crowded([at], taken) or over_edge(base, table.ground):
        return False
    if any(gap_floor(base, foe) < FIGURES.inches("min_distance_to_enemy_in") for foe in foes):
        return False
    return all(grade(piece.kind, mover(one)) != "impassable" for piece in pieces_at(table.ground, at))
