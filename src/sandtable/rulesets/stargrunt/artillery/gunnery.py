"""Serving the guns: what is loaded, and what the crew of a piece on the table does with it."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Spent
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import ChooseOne, Confirm, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Point, Region, Spot, rectangle
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import same_number
from sandtable.rulesets.stargrunt.artillery.assets import (
    AIM,
    ASSETS,
    MISSIONS,
    REQUEST,
    WARHEADS,
    asset,
    assets,
    in_view,
    refused_aim,
    under_way,
    warheads,
)
from sandtable.rulesets.stargrunt.artillery.missions import ACCURACY, deviated, salvo
from sandtable.rulesets.stargrunt.artillery.pieces import ON_TABLE, has_fired, piece_of, refused_piece, too_near
from sandtable.rulesets.stargrunt.chapter import LIST, Action, Activate, Outcome, out_there
from sandtable.rulesets.stargrunt.dice.rolls import trial
from sandtable.rulesets.stargrunt.fire.armament import PACKED, READY
from sandtable.rulesets.stargrunt.units.record import leadership, quality_die
from sandtable.tabletop.checks import Check, throw
from sandtable.tabletop.choosing import unless_alone
from sandtable.tabletop.states import give, take

same_number("what firing a piece takes", LIST.number("fire_artillery", "cost"), ON_TABLE.number("actions"))


def load(battle: Battle, unit: Thing, thing: Thing) -> Procedure[tuple[str, int]]:
    """Which warhead, general purpose if nothing is said, and how many rounds."""
    one = asset(thing)
    offered, usual = warheads(battle.table, one), AIM.text_at("default_warhead")
    question = ChooseOne(
        unit.side,
        "Which warhead?",
        topic="warhead",
        about=(unit.id, thing.id),
        options=tuple(Option(name, name.replace("_", " "), rules=(WARHEADS.id,)) for name in offered),
        rules=(AIM.id, WARHEADS.id),
        default=usual if usual in offered else offered[0],
    )
    warhead = yield from unless_alone(question)
    rounds = one.weapons
    if rounds > 1:
        single = yield Confirm(
            unit.side,
            f"A single round instead of {rounds}?",
            topic="single-round",
            about=(unit.id, thing.id),
            rules=(ASSETS.id,),
            yes="A single round",
            no=f"All {rounds}",
        )
        rounds = 1 if single else rounds
    return warhead, rounds


def board(table: Table) -> Region:
    """Anywhere on the table, as far as the caller sees."""
    shape = rectangle(0, 0, table.ground.width, table.ground.height)
    return Region((shape,), whole=False, rule=AIM.id, label="in sight of the caller")


def may_request(table: Table, unit: Thing) -> list[Option]:
    """The assets a unit may think of calling for; a crew does not call for its own piece."""
    support = [thing for thing in assets(table, unit.side) if thing.unit != unit.id]
    return [Option(thing.id, thing.label, (thing.id,), (REQUEST.id, ASSETS.id)) for thing in support]


def request_refused(table: Table, unit: Thing, name: str) -> Refusal | None:
    """Why a unit may not call for an asset now."""
    thing = table[name]
    if under_way(thing):
        return Refusal(ASSETS.id, f"{thing.label} has a mission under way.")
    if not thing.count(MISSIONS):
        return Refusal(ASSETS.id, f"{thing.label} has no mission left.")
    refusal = refused_piece(table, thing) if thing.unit else None
    if refusal is None and thing.unit and in_reach(table, unit, thing) is None:
        return Refusal(ON_TABLE.id, f"{unit.label} sees nothing far enough away for the {thing.label}.")
    if refusal is None and not asset(thing).vehicle and not in_view(table, unit):
        return Refusal(AIM.id, f"{unit.label} sees no point to aim at.")
    return refusal


def suggested(table: Table, unit: Thing, thing: Thing, markers: tuple[str, ...]) -> dict[str, Spot]:
    """Points that a unit may call fire on, with whatever fires it."""
    nearby = in_reach(table, unit, thing) if thing.unit else None
    found = [nearby] if nearby is not None else in_view(table, unit)
    return {name: Spot(At(found[n % len(found)])) for n, name in enumerate(markers)}


# A piece on the table ----------------------------------------------------------------------------------------------


def in_reach(table: Table, unit: Thing, thing: Thing) -> Point | None:
    """A point that the crew sees and that is not too near for its piece: an enemy, or the corners of the table."""
    wide, high = table.ground.width, table.ground.height
    found = in_view(table, unit)
    found += [Point(x, y) for x in (0, wide // 2, wide) for y in (0, high // 2, high)]
    return next((at for at in found if refused_point(table, unit, thing, Spot(At(at))) is None), None)


def refused_point(table: Table, unit: Thing, thing: Thing, put: Spot) -> Refusal | None:
    """Why the crew of a piece may not fire at a point itself."""
    refusal = refused_aim(table, unit, {"": put})
    if refusal is None and isinstance(put.where, At):
        refusal = too_near(table, thing, put.where.point)
    return refusal


def crew_accuracy(unit: Thing) -> Check:
    """What it takes that a crew hits what it aims at itself: Quality above LV (stargrunt.artillery.on-table)."""
    target = (ExplainedPart("LV", leadership(unit), ACCURACY.id),)
    return trial("accuracy", unit.id, quality_die(unit), target, ACCURACY, more=(ON_TABLE,))


def fire_piece(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Aim and fire at what the crew sees: no request, as if observed by a specialist, and less of a miss.

    stargrunt.artillery.on-table    deviates D8 without multiplication
    """
    thing = piece_of(battle.table, unit.id)
    assert thing is not None
    nearby = in_reach(battle.table, unit, thing)
    assert nearby is not None
    spots: dict[str, Spot] = yield PlaceThings(
        unit.side,
        f"Where does the {thing.label} fire?",
        topic="piece-aim",
        about=(unit.id, thing.id),
        things=(thing.id,),
        where={"": board(battle.table)},
        faces=False,
        rules=(ON_TABLE.id, AIM.id),
        shows=("sight", "distance", "odds"),
        default={thing.id: Spot(At(nearby))},
    )
    warhead, rounds = yield from load(battle, unit, thing)
    where = spots[thing.id].where
    assert isinstance(where, At)
    n = battle.happens(Declared(unit.id, "fire the piece", (thing.id,), rule=ON_TABLE.id))
    battle.happens(Spent(thing.id, MISSIONS, 1, thing.count(MISSIONS) - 1, rule=ASSETS.id, because=n))
    has_fired(battle, thing, n)
    roll = throw(battle, crew_accuracy(unit), n)
    falls = where.point if roll.succeeds else deviated(battle, thing.id, where.point, roll, 1)
    return Outcome(then=(salvo(thing, where.point, falls, warhead, rounds),))


def _cannot_fire(table: Table, unit: Thing) -> Refusal | None:
    thing = piece_of(table, unit.id)
    assert thing is not None
    if in_reach(table, unit, thing) is None:
        return Refusal(ON_TABLE.id, f"{unit.label} sees nothing far enough away for the {thing.label}.")
    return refused_piece(table, thing)


def judge_point(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Whether a piece may fire at a point."""
    unit, thing = (view.table[name] for name in question.about)
    return refused_point(view.table, unit, thing, answer[thing.id])


def pack(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """Deploy a piece, or pack it so that it can be moved: a reorganise action."""
    yield from ()
    before, after = (READY, PACKED) if unit.has(READY) else (PACKED, READY)
    take(battle, unit.id, before, ON_TABLE)
    give(battle, unit.id, after, ON_TABLE)
    return Outcome()


def serves(table: Table, unit: Thing) -> bool:
    """Whether a unit serves an artillery piece."""
    return piece_of(table, unit.id) is not None and out_there(table, unit)


def rooted(table: Table, unit: Thing, action: Action) -> Refusal | None:
    """A piece that is set up is not moved."""
    if action.entry == "move" and unit.has(READY) and serves(table, unit):
        return Refusal(ON_TABLE.id, f"{unit.label} has to pack its piece before it moves.")
    return None


ACTIONS = (
    Action(
        id="fire-piece",
        entry="fire_artillery",
        whole=ON_TABLE,
        label="Fire the piece",
        rule=ON_TABLE,
        carry_out=fire_piece,
        shown=serves,
        refused=_cannot_fire,
    ),
    Action(
        id="pack-piece",
        entry="set_up_or_pack_weapon",
        label="Deploy or pack the piece",
        rule=ON_TABLE,
        carry_out=pack,
        shown=serves,
    ),
)
