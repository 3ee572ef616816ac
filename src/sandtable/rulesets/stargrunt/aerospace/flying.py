"""How aircraft move: to any point of the table, hovering, landing and taking off."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved
from sandtable.engine.explain import inches
from sandtable.engine.questions import PlaceThings, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Disc, Point, Region, Spot, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.ground import pieces_under
from sandtable.field.measure import center_gap, in_arc, outline_of, overlap
from sandtable.field.walking.encounters import over_edge
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.aerospace.sorties import ALOFT, FRESH, lose
from sandtable.rulesets.stargrunt.chapter import Action, Activate, AfterMove, Outcome
from sandtable.rulesets.stargrunt.cover.protection import SMOKE, WRECK
from sandtable.rulesets.stargrunt.dice.foretold import face_chances, outcomes
from sandtable.rulesets.stargrunt.dice.rolls import plain_roll
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.movement.terrain_costs import grade
from sandtable.rulesets.stargrunt.turn.order import ACTIVATED
from sandtable.rulesets.stargrunt.units.record import (
    AIRBORNE,
    FLOWN,
    GROUNDED,
    HOVERING,
    hull_of,
    on_ground,
    on_table,
    quality_die,
    spot,
)
from sandtable.rulesets.stargrunt.vehicles.hulls import IMMOBILISED, flies, footprint, hovers
from sandtable.tabletop.states import END_OF_TURN, give, take

MOVEMENT = rule("stargrunt.aerospace.movement")


class StillFlying(Step, frozen=True):
    """Craft that have to keep moving and have not are gone."""


# Pure questions ----------------------------------------------------------------------------------------------------


def craft_of(table: Table, unit: Thing) -> Thing | None:
    """The aircraft that a unit flies, in the air or on the ground."""
    hull = hull_of(table, unit.id)
    return hull if hull is not None and flies(hull) and isinstance(hull.place, At) else None


def turned(before: int, after: int) -> int:
    """By how many degrees a facing changes.

    >>> turned(350, 20), turned(0, 180)
    (30, 180)
    """
    return abs((after - before + 180) % 360 - 180)


def refused_air(table: Table, hull: Thing, put: Spot) -> Refusal | None:
    """Why a craft may not be at a point of the air at all: over the table, and not where another one is."""
    if not isinstance(put.where, At):
        return Refusal(MOVEMENT.id, "Choose a point over the table.")
    assert hull.base is not None
    shape = outline_of(hull.base, put.where.point, put.facing)
    if over_edge(shape, table.ground):
        return Refusal(MOVEMENT.id, f"{hull.label} would leave the table.")
    others = [one for one in table.models() if one.has(AIRBORNE) and one.id != hull.id]
    if any(overlap(shape, footprint(one)) for one in others):
        return Refusal(MOVEMENT.id, "Another craft is there.")
    return None


def refused_flight(table: Table, hull: Thing, put: Spot) -> Refusal | None:
    """Why a craft may not fly so: over the table, turning at most 90 degrees."""
    refusal = refused_air(table, hull, put)
    if refusal is not None:
        return refusal
    most = MOVEMENT.number("max_turn")
    if turned(hull.facing, put.facing) > most:
        return Refusal(MOVEMENT.id, f"{hull.label} turns at most {most} degrees.")
    return None


def refused_slide(table: Table, hull: Thing, put: Spot) -> Refusal | None:
    """Why a hovering craft may not slide so: sideways or back, 12 inches at most; it turns as it likes."""
    refusal = refused_air(table, hull, put)
    if refusal is not None:
        return refusal
    where, far, at = put.where, MOVEMENT.inches("slide_in"), spot(hull)
    assert isinstance(where, At)
    if center_gap(at, where.point) > far * far:
        return Refusal(MOVEMENT.id, f"A hovering craft slides at most {inches(far)}.")
    if where.point != at and not in_arc(at, hull.facing + 180, where.point, -90, 90):
        return Refusal(MOVEMENT.id, "A hovering craft slides sideways or back.")
    return None


def zone(hull: Thing) -> Disc:
    """The ground that a craft needs to land where it is."""
    return Disc(spot(hull), MOVEMENT.inches("landing_zone_in", vehicle(hull).landing_class) // 2)


def obstructions(table: Table, hull: Thing) -> tuple[list[Piece], list[Piece]]:
    """What lies in the landing zone: what forbids landing, and what only hinders it."""
    lying = [piece for piece in pieces_under(table.ground, zone(hull)) if piece.kind not in ("road", SMOKE)]
    solid = [piece for piece in lying if piece.kind in SOLID or grade(piece.kind, "infantry") == "impassable"]
    return solid, [piece for piece in lying if piece not in solid]


#: What a craft cannot land on, and is destroyed by coming down on.
SOLID = ("building", "light-wood", "dense-wood", "rocks", "wall", WRECK)


def in_the_zone(table: Table, hull: Thing) -> list[Thing]:
    """Who stands in the landing zone of a craft."""
    return [one for one in on_ground(table) if one.id != hull.id and overlap(footprint(one), zone(hull))]


def refused_landing(table: Table, unit: Thing) -> Refusal | None:
    """Why a craft may not land where it is."""
    hull = craft_of(table, unit)
    assert hull is not None
    if not hovers(hull):
        return Refusal(MOVEMENT.id, f"{hull.label} cannot land here.")
    solid, _ = obstructions(table, hull)
    if solid:
        return Refusal(MOVEMENT.id, f"{solid[0].label or solid[0].kind} is in the way.")
    if in_the_zone(table, hull) or over_edge(footprint(hull), table.ground):
        return Refusal(MOVEMENT.id, "The landing zone is not clear.")
    return None


# Procedures --------------------------------------------------------------------------------------------------------


def _asked(table: Table, unit: Thing, hull: Thing, topic: str, prompt: str) -> PlaceThings:
    board = rectangle(0, 0, table.ground.width, table.ground.height)
    return PlaceThings(
        unit.side,
        prompt,
        topic=topic,
        about=(unit.id,),
        things=(hull.id,),
        where={"": Region((board,), levels=(0, ALOFT), whole=False, rule=MOVEMENT.id, label="over the table")},
        rules=(MOVEMENT.id,),
        shows=("distance",),
        default={hull.id: Spot(At(spot(hull), ALOFT), hull.facing)},
    )


def go_to(battle: Battle, hull: Thing, put: Spot, manner: str = "own", because: int = 0) -> int:
    """Move a craft through the air; over the ground nothing is in its way."""
    assert isinstance(put.where, At)
    to = At(put.where.point, ALOFT)
    return battle.happens(Moved(hull.id, hull.place, to, put.facing, manner=manner, rule=MOVEMENT.id, because=because))


def fly(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """One move action: to any point of the table (stargrunt.aerospace.movement)."""
    hull = craft_of(battle.table, unit)
    assert hull is not None
    answer = yield _asked(battle.table, unit, hull, "fly-to", f"Where does {hull.label} fly?")
    put = answer[hull.id]
    assert isinstance(put.where, At)
    least = MOVEMENT.inches("minimum_move_in")
    far = center_gap(spot(hull), put.where.point) >= least * least
    n = go_to(battle, hull, put)
    take(battle, hull.id, HOVERING, MOVEMENT, n)
    before = hull.value(FLOWN)
    after = "far" if far or before == "far" else "a little"
    if after != before:
        give(battle, hull.id, FLOWN, MOVEMENT, after, until=END_OF_TURN, because=n)
    return Outcome(then=(AfterMove(unit.id),))


def hover(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Stand in the air, turning freely, and slide sideways or back."""
    hull = craft_of(battle.table, unit)
    assert hull is not None
    answer = yield _asked(battle.table, unit, hull, "hover", f"{hull.label} hovers: where, and facing which way?")
    n = go_to(battle, hull, answer[hull.id])
    if not hull.has(HOVERING):
        give(battle, hull.id, HOVERING, MOVEMENT, because=n)
    return Outcome()


def land(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Come down; on ground with minor obstructions the craft may not get up again."""
    yield from ()
    hull = craft_of(battle.table, unit)
    assert hull is not None
    n = 0
    _, minor = obstructions(battle.table, hull)
    if minor:
        score, n = plain_roll(battle, "landing", hull.id, f"d{quality_die(unit)}", MOVEMENT)
        if score in MOVEMENT.numbers("cannot_take_off_on"):
            give(battle, hull.id, GROUNDED, MOVEMENT, because=n)
    set_down(battle, hull, spot(hull), n)
    return Outcome()


def _comes_down(table: Table, unit: Thing) -> Preview:
    """How likely a craft that lands among minor obstructions never gets up again (stargrunt.aerospace.movement)."""
    hull = craft_of(table, unit)
    if hull is None or not obstructions(table, hull)[1]:
        return Preview()
    stuck = MOVEMENT.numbers("cannot_take_off_on")
    words = {True: "it cannot take off again", False: "it lands safely"}
    return Preview(odds=outcomes(face_chances(quality_die(unit), lambda score: words[score in stuck])))


def set_down(battle: Battle, hull: Thing, at: Point, because: int) -> None:
    """A craft is on the ground from now on."""
    to = At(at)
    n = battle.happens(Moved(hull.id, hull.place, to, hull.facing, manner="own", rule=MOVEMENT.id, because=because))
    for state in (AIRBORNE, HOVERING):
        take(battle, hull.id, state, MOVEMENT, n)


def take_off(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Rise into the air again, and hover."""
    yield from ()
    hull = craft_of(battle.table, unit)
    assert hull is not None
    n = give(battle, hull.id, AIRBORNE, MOVEMENT)
    give(battle, hull.id, HOVERING, MOVEMENT, because=n)
    battle.happens(Moved(hull.id, hull.place, At(spot(hull), ALOFT), hull.facing, rule=MOVEMENT.id, because=n))
    return Outcome()


def still_flying(battle: Battle, step: StillFlying) -> Procedure[None]:
    """A craft that cannot hover and has not moved 24 inches in its activation leaves the table."""
    yield from ()
    for unit in on_table(battle.table):
        if stalls(battle.table, unit):
            lose(battle, unit.id, "left the table", MOVEMENT)


def stalls(table: Table, unit: Thing) -> bool:
    """Whether a craft has had its activation and not kept moving."""
    hull = craft_of(table, unit)
    if hull is None or not hull.has(AIRBORNE) or hovers(hull) or not unit.has(ACTIVATED):
        return False
    return hull.value(FLOWN) != "far" and not hull.has(FRESH)


def ends(table: Table) -> tuple[Step, ...]:
    """The step in which craft that have to keep moving are looked at."""
    return (StillFlying(),) if any(stalls(table, unit) for unit in on_table(table)) else ()


# Actions -----------------------------------------------------------------------------------------------------------


def aloft(table: Table, unit: Thing) -> bool:
    """Whether a unit flies a craft that is in the air."""
    hull = craft_of(table, unit)
    return hull is not None and hull.has(AIRBORNE)


def _may_hover(table: Table, unit: Thing) -> bool:
    hull = craft_of(table, unit)
    return hull is not None and hull.has(AIRBORNE) and hovers(hull)


def _has_flown(table: Table, unit: Thing) -> Refusal | None:
    hull = craft_of(table, unit)
    if hull is not None and hull.has(FLOWN):
        return Refusal(MOVEMENT.id, f"{hull.label} has moved in this activation and does not hover.")
    return None


def _is_down(table: Table, unit: Thing) -> bool:
    hull = craft_of(table, unit)
    return hull is not None and not hull.has(AIRBORNE)


def _stays_down(table: Table, unit: Thing) -> Refusal | None:
    hull = craft_of(table, unit)
    assert hull is not None
    if hull.has(GROUNDED) or hull.has(IMMOBILISED):
        return Refusal(MOVEMENT.id, f"{hull.label} cannot take off again.")
    return refused_air(table, hull, Spot(At(spot(hull), ALOFT), hull.facing))


def judge_fly(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Whether a craft may fly so."""
    hull = view.table[question.things[0]]
    return refused_flight(view.table, hull, answer[hull.id])


def judge_hover(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Whether a craft may slide so."""
    hull = view.table[question.things[0]]
    return refused_slide(view.table, hull, answer[hull.id])


def begins(battle: Battle, unit: Thing) -> None:
    """What a craft has flown counts for one activation."""
    hull = craft_of(battle.table, unit)
    if hull is not None and hull.has(FLOWN):
        take(battle, hull.id, FLOWN, MOVEMENT)


ACTIONS = (
    Action(id="fly", entry="move", label="Fly", rule=MOVEMENT, carry_out=fly, shown=aloft),
    Action(
        id="hover", entry="move", label="Hover", rule=MOVEMENT, carry_out=hover, shown=_may_hover, refused=_has_flown
    ),
    Action(
        id="land",
        entry="land",
        label="Land",
        rule=MOVEMENT,
        carry_out=land,
        shown=aloft,
        refused=refused_landing,
        foretold=_comes_down,
    ),
    Action(
        id="take-off",
        entry="take_off",
        label="Take off",
        rule=MOVEMENT,
        carry_out=take_off,
        shown=_is_down,
        refused=_stays_down,
    ),
)
