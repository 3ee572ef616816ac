"""Artillery: support that a unit asks for, where it is to fall, when it arrives and how accurate it is."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Forfeited, Left, Placed, Revealed, Spent, StateChanged, StepBegan
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import (
    UNTIL_REVEALED,
    AnyQuestion,
    ChooseOne,
    Confirm,
    Option,
    PlaceThings,
    Preview,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import Point, Region, Spot, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.ledger import rule
from sandtable.forces.scenario import Scenario
from sandtable.rulesets.stargrunt._assets import (
    AIM,
    ASSETS,
    BOX,
    CALLER,
    CHIT,
    CHITS,
    IMPACT_MARKER,
    INBOUND,
    MARKERS,
    MISSIONS,
    RADIUS,
    REAL,
    REQUEST,
    ROUNDS,
    TARGET_NUMBER,
    WARHEAD,
    WARHEADS,
    asset,
    asset_of,
    assets,
    box_of,
    bring_support,
    dispersed,
    markers_of,
    may_request,
    point,
    refused_aim,
    request_chance,
    request_die,
    request_target,
    specialists,
    suggested_aim,
    warheads,
)
from sandtable.rulesets.stargrunt._bursts import (
    DEVIATION,
    AfterBombardment,
    Bombardment,
    after_bombardment,
    bombard,
    impact_of,
    scattered,
)
from sandtable.rulesets.stargrunt._chapter import Action, Activate, Chapter, Outcome, on_table
from sandtable.rulesets.stargrunt.cover import figure_seen
from sandtable.rulesets.stargrunt.dice import Tested, also, exceed
from sandtable.rulesets.stargrunt.turn import FIRE_MISSION, missions
from sandtable.rulesets.stargrunt.units import leadership, quality_die, spot

ACCURACY = rule("stargrunt.artillery.accuracy")


class FireMission(Step, frozen=True):
    """A mission in box 1 is resolved."""

    asset: str


class Inbound(Step, frozen=True):
    """The counters on the inbound chart move."""


# Calling for it ----------------------------------------------------------------------------------------------------


def request(battle: Battle, unit: Thing) -> Procedure[None]:
    """Call for support: which, with how many chits, and if it is granted what and where.

    stargrunt.artillery.request                  chits are lost in any case
    stargrunt.artillery.request-target-number    the number to exceed
    """
    table = battle.table
    chosen = yield ChooseOne(
        unit.side,
        f"{unit.label} calls for which support?",
        topic="support",
        about=(unit.id,),
        options=tuple(may_request(table, unit)),
        rules=(REQUEST.id, ASSETS.id),
    )
    thing = table[chosen]
    chits = yield from _spend_chits(battle, unit, thing)
    n = battle.happens(Declared(unit.id, "request support", (thing.id,), rule=REQUEST.id))
    die, parts = request_die(table, unit, thing, chits)
    target = request_target(table, unit, thing)
    roll = exceed(
        battle, "support request", unit.id, die, target, REQUEST, because=n, dice_parts=parts, more=(TARGET_NUMBER,)
    )
    if not roll.passed:
        battle.happens(Forfeited(unit.id, "request support", rule=REQUEST.id, because=roll.n))
        return
    yield from order_mission(battle, unit, thing, box_of(asset(thing)), roll.n)


def _spend_chits(battle: Battle, unit: Thing, thing: Thing) -> Procedure[int]:
    """How many request chits go into a request; they are committed before the die falls."""
    side = battle.table.things.get(unit.side)
    held = side.count(CHIT) if side is not None else 0
    if not held:
        return 0
    answer = yield ChooseOne(
        unit.side,
        "How many support request chits?",
        topic="chits",
        about=(unit.id, thing.id),
        options=tuple(Option(str(n), str(n), rules=(CHITS.id,)) for n in range(held + 1)),
        rules=(CHITS.id,),
        shows=("odds",),
        default="0",
    )
    if answer != "0":
        battle.happens(Spent(unit.side, CHIT, int(answer), held - int(answer), rule=CHITS.id))
    return int(answer)


def order_mission(battle: Battle, unit: Thing, thing: Thing, box: int, because: int) -> Procedure[None]:
    """A granted mission goes on the inbound chart, with its warhead, its rounds and its aim point."""
    battle.happens(Spent(thing.id, MISSIONS, 1, thing.count(MISSIONS) - 1, rule=ASSETS.id, because=because))
    battle.happens(StateChanged(thing.id, CALLER, None, unit.id, rule=ASSETS.id, because=because))
    if not asset(thing).vehicle:
        yield from _aim(battle, unit, thing, because)
    battle.happens(StateChanged(thing.id, BOX, None, box, rule=INBOUND.id, because=because))


def _aim(battle: Battle, unit: Thing, thing: Thing, because: int) -> Procedure[None]:
    """Warhead, rounds, and three markers of which one is real (stargrunt.artillery.aim-point)."""
    one = asset(thing)
    warhead = AIM.text_at("default_warhead")
    offered = warheads(battle.table, one)
    if len(offered) > 1:
        warhead = yield ChooseOne(
            unit.side,
            "Which warhead?",
            topic="warhead",
            about=(unit.id, thing.id),
            options=tuple(Option(name, name.replace("_", " "), rules=(WARHEADS.id,)) for name in offered),
            rules=(AIM.id, WARHEADS.id),
            default=warhead,
        )
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
    names = markers_of(thing)
    ground = battle.table.ground
    board = rectangle(0, 0, ground.width, ground.height)
    spots: dict[str, Spot] = yield PlaceThings(
        unit.side,
        "Lay the impact markers: one is the target, the others are dummies",
        topic="aim",
        about=(unit.id, thing.id),
        things=names,
        where={"": Region((board,), whole=False, rule=AIM.id, label="in sight of the caller")},
        faces=False,
        rules=(AIM.id,),
        shows=("sight",),
        default=suggested_aim(battle.table, unit, names),
    )
    real = yield ChooseOne(
        unit.side,
        "Which of them is the target?",
        topic="real-point",
        about=(unit.id, thing.id),
        options=tuple(Option(name, f"impact marker {name[-1].upper()}", rules=(AIM.id,)) for name in names),
        sealed=UNTIL_REVEALED,
        rules=(AIM.id,),
        default=names[0],
    )
    for name in names:
        made = Thing(
            name,
            kind="marker",
            side=unit.side,
            label=f"impact marker {name[-1].upper()}",
            card=IMPACT_MARKER,
            glyph="counter",
        )
        battle.happens(Placed(name, spots[name].where, made=made, rule=AIM.id, because=because))
    battle.happens(StateChanged(real, REAL, None, 1, rule=AIM.id, known_to=(unit.side,), because=because))
    for state, value in ((WARHEAD, warhead), (ROUNDS, rounds), (MARKERS, names)):
        battle.happens(StateChanged(thing.id, state, None, value, rule=AIM.id, because=because))


def inbound(battle: Battle, step: Inbound) -> Procedure[None]:
    """Missions in higher boxes of the inbound chart come one box nearer (stargrunt.turn.turn-end-phase)."""
    yield from ()
    for side in battle.table.sides:
        for thing in assets(battle.table, side):
            box = thing.value(BOX)
            if isinstance(box, int) and box > 1:
                battle.happens(StateChanged(thing.id, BOX, box, box - 1, rule=INBOUND.id))


# Arriving ----------------------------------------------------------------------------------------------------------


def observed(table: Table, caller: Thing, kind: str, at: Point) -> bool:
    """Whether a specialist of the calling unit is there and sees the target."""
    return any(figure_seen(table.ground, spot(one), at) for one in specialists(table, caller, kind))


def accuracy_target(table: Table, caller: Thing, kind: str, at: Point) -> tuple[ExplainedPart, ...]:
    """What the accuracy roll has to exceed: LV where a specialist observes, else twice as much."""
    lv = leadership(caller)
    own = ExplainedPart("LV", lv, ACCURACY.id)
    if observed(table, caller, kind, at):
        return (own,)
    return own, ExplainedPart("not observed by a specialist", lv, ACCURACY.id)


def fire_mission(battle: Battle, step: FireMission) -> Procedure[None]:
    """The real marker is shown, the accuracy rolled, and the first round falls there or somewhere else.

    stargrunt.turn.fire-mission-as-activation    it takes the place of an activation
    stargrunt.artillery.accuracy                 the Quality of the unit that called
    """
    yield from ()
    table, thing = battle.table, battle.table[step.asset]
    told = also(INBOUND)
    battle.happens(StepBegan("fire mission", thing.side, (thing.id,), rule=FIRE_MISSION.id, detail=told))
    caller = table[str(thing.value(CALLER))]
    one, aimed = asset(thing), _reveal(battle, thing)
    target = accuracy_target(table, caller, one.kind, aimed)
    roll = exceed(battle, "accuracy", caller.id, quality_die(caller), target, ACCURACY)
    falls = aimed if roll.passed else deviated(battle, thing.id, aimed, roll)
    rounds, warhead = thing.value(ROUNDS), str(thing.value(WARHEAD))
    assert isinstance(rounds, int)
    for state in (BOX, CALLER, WARHEAD, ROUNDS, MARKERS):
        battle.happens(StateChanged(thing.id, state, thing.value(state), None, rule=ASSETS.id, because=roll.n))
    impact = impact_of(warhead, one.delivery)
    battle.push(Bombardment(thing.id, aimed, falls, RADIUS.inches(one.delivery), impact, warhead, rounds))


def _reveal(battle: Battle, thing: Thing) -> Point:
    """Turn the real marker up and take all of them away; gives where it lay (stargrunt.artillery.aim-point)."""
    names = thing.value(MARKERS)
    assert isinstance(names, tuple)
    markers = [battle.table[name] for name in names]
    real = next(one for one in markers if one.has(REAL))
    n = battle.happens(Revealed(f"{thing.side}: real-point", real.id, value=real.id, rule=AIM.id))
    for one in markers:
        why = "it was the target" if one is real else "it was a dummy"
        battle.happens(Left(one.id, why, rule=AIM.id, because=n))
    return spot(real)


def deviated(battle: Battle, by: str, aimed: Point, roll: Tested) -> Point:
    """Where inaccurate fire goes: a D12 for the direction, a D8 times the failed score for the distance.

    stargrunt.artillery.deviation    multiplied by the score, not by what was missing
    """
    die, times, _ = DEVIATION.text_at("distance").split()
    assert times == "*", "the distance is multiplied"
    return scattered(battle, by, aimed, DEVIATION, die, roll.score, roll.n)


# What the chapter brings -------------------------------------------------------------------------------------------


def _requests(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    yield from request(battle, unit)
    return Outcome()


def _none_to_request(table: Table, unit: Thing) -> Refusal | None:
    options = may_request(table, unit)
    if all(option.refused for option in options):
        return Refusal(ASSETS.id, options[0].refused)
    return None


def _judge_aim(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    return refused_aim(view.table, view.table[question.about[0]], answer)


def _chits_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    unit, thing = (view.table[name] for name in question.about)
    return Preview(odds=(request_chance(view.table, unit, thing, int(answer)),))


def _lays(battle: Battle, form: Scenario) -> None:
    """The support of each side, as the scenario lists it (stargrunt.artillery.assets)."""
    for side, one in form.sides.items():
        granted, chits = one.options.get("support", ()), one.options.get("chits")
        listed = (granted,) if isinstance(granted, str) else granted
        assert isinstance(listed, tuple), "support is a list of assets"
        bring_support(battle, side, listed, chits if isinstance(chits, int) else None)


def _ends(table: Table) -> Sequence[Step]:
    return (Inbound(),) if any(assets(table, side) for side in table.sides) else ()


def _starts(table: Table, chosen: str) -> Sequence[Step] | None:
    return (
        (FireMission(chosen),) if chosen in [one.id for side in table.sides for one in missions(table, side)] else None
    )


def _asked(table: Table, asked: Data) -> object:
    """A line of an asset's data, by its name."""
    data: object = getattr(asset_of(asked.text_at("of")), asked.text_at("value"))
    return data


CHAPTER = Chapter(
    actions=(
        Action(
            id="request-support",
            entry="request_support",
            label="Call for support",
            rule=REQUEST,
            carry_out=_requests,
            shown=lambda table, unit: on_table(table, unit) and bool(assets(table, unit.side)),
            refused=_none_to_request,
        ),
    ),
    steps={
        FireMission: fire_mission,
        Bombardment: bombard,
        AfterBombardment: after_bombardment,
        Inbound: inbound,
    },
    judges={"aim": _judge_aim},
    previews={"chits": _chits_preview},
    turn_ends=_ends,
    starts=_starts,
    lays=_lays,
    states={
        BOX: "of support: the box of the inbound chart its mission is in",
        CALLER: "of support: the unit that called for its mission",
        WARHEAD: "of support: the warhead of its mission",
        ROUNDS: "of support: how many rounds its mission fires",
        REAL: "of an impact marker: it is the real one",
    },
    answers={
        "support": "which support is called for",
        "chits": "how many support request chits are spent",
        "warhead": "which warhead",
        "single-round": "true for a single round instead of the salvo",
        "aim": "where the impact markers lie",
        "real-point": "which of them is the real one",
    },
    values={
        "asset": _asked,
        "burst-radius": lambda table, asked: RADIUS.inches(asked.text_at()),
        "warhead": lambda table, asked: (dispersed(asked.text_at()), *point(asked.text_at())),
    },
)
