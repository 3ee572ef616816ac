"""Artillery: support that a unit asks for, where it is to fall, and when it arrives."""

from collections.abc import Sequence
from functools import partial

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Forfeited, Placed, Spent
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import UNTIL_REVEALED, ChooseOne, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.scenario import Scenario
from sandtable.rulesets.stargrunt import electronic_warfare
from sandtable.rulesets.stargrunt.artillery import gunnery
from sandtable.rulesets.stargrunt.artillery.assets import (
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
    WARHEAD,
    asset,
    asset_of,
    assets,
    box_of,
    bring_support,
    chits_of,
    dispersed,
    markers_of,
    point,
    requesting,
)
from sandtable.rulesets.stargrunt.artillery.bursts import (
    AfterBombardment,
    Bombardment,
    after_bombardment,
    bombard,
    impact_of,
)
from sandtable.rulesets.stargrunt.artillery.gunnery import (
    board,
    judge_point,
    load,
    may_request,
    refused_point,
    request_refused,
    rooted,
    suggested,
)
from sandtable.rulesets.stargrunt.artillery.missions import FireMission, fire_mission
from sandtable.rulesets.stargrunt.artillery.pieces import (
    FIRED,
    SWITCH,
    commands,
    has_fired,
    lay_pieces,
    message_to_piece,
)
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, out_there
from sandtable.rulesets.stargrunt.fire.armament import PACKED, READY
from sandtable.rulesets.stargrunt.moments import LAYS, STARTS, TURN_ENDS
from sandtable.rulesets.stargrunt.turn.order import missions
from sandtable.tabletop.actions import RESTRAINS
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import throw
from sandtable.tabletop.choosing import by_unit, none_open, unless_alone
from sandtable.tabletop.states import give


class Inbound(Step, frozen=True):
    """The counters on the inbound chart move."""


# Calling for it ----------------------------------------------------------------------------------------------------


def request(battle: Battle, unit: Thing) -> Procedure[Sequence[Step]]:
    """Call for support: which, with how many chits, and if it is granted what and where; gives what follows at once.

    stargrunt.artillery.request                  chits are lost in any case
    stargrunt.artillery.request-target-number    the number to exceed
    stargrunt.electronic-warfare.jam-communications    the enemy may jam it
    """
    table = battle.table
    chosen = yield ChooseOne(
        unit.side,
        f"{unit.label} calls for which support?",
        topic="support",
        about=(unit.id,),
        options=tuple(may_request(table, unit)),
        rules=(REQUEST.id, ASSETS.id),
        shows=("odds",),
    )
    thing = table[chosen]
    if commands(table, unit, thing):
        through, n = yield from message_to_piece(battle, unit, thing)
        return (yield from order_mission(battle, unit, thing, n)) if through else ()
    chits = yield from _spend_chits(battle, unit, thing)
    n = battle.happens(Declared(unit.id, "request support", (thing.id,), rule=REQUEST.id))
    trial = requesting(table, unit, thing, chits)
    jams = yield from electronic_warfare.jamming(battle, unit, thing.label, n)
    roll = throw(battle, trial, n)
    jammed = electronic_warfare.prevail(battle, jams, (roll.score,), roll.n)
    if jammed or not roll.succeeds:
        why = electronic_warfare.JAM if jammed else REQUEST
        battle.happens(Forfeited(unit.id, "request support", rule=why.id, because=roll.n))
        return ()
    return (yield from order_mission(battle, unit, thing, roll.n))


def _spend_chits(battle: Battle, unit: Thing, thing: Thing) -> Procedure[int]:
    """How many request chits go into a request; they are committed before the die falls."""
    held = chits_of(battle.table, unit.side)
    question = ChooseOne(
        unit.side,
        "How many support request chits?",
        topic="chits",
        about=(unit.id, thing.id),
        options=tuple(Option(str(n), str(n), rules=(CHITS.id,)) for n in range(held + 1)),
        rules=(CHITS.id,),
        shows=("odds",),
        default="0",
    )
    answer = yield from unless_alone(question)
    if answer != "0":
        battle.happens(Spent(unit.side, CHIT, int(answer), held - int(answer), rule=CHITS.id))
    return int(answer)


def order_mission(battle: Battle, unit: Thing, thing: Thing, because: int) -> Procedure[Sequence[Step]]:
    """A granted mission goes on the inbound chart, with its warhead, its rounds and its aim point.

    stargrunt.artillery.on-table    a piece on the table fires at once
    """
    battle.happens(Spent(thing.id, MISSIONS, 1, thing.count(MISSIONS) - 1, rule=ASSETS.id, because=because))
    give(battle, thing.id, CALLER, ASSETS, unit.id, because=because)
    if not asset(thing).vehicle:
        yield from _aim(battle, unit, thing, because)
    box = box_of(asset(thing))
    if thing.unit:
        has_fired(battle, thing, because)
        return (FireMission(thing.id),)
    give(battle, thing.id, BOX, INBOUND, box, because=because)
    return ()


def _aim(battle: Battle, unit: Thing, thing: Thing, because: int) -> Procedure[None]:
    """Warhead, rounds, and three markers of which one is real (stargrunt.artillery.aim-point)."""
    warhead, rounds = yield from load(battle, unit, thing)
    names = markers_of(thing)
    spots: dict[str, Spot] = yield PlaceThings(
        unit.side,
        "Lay the impact markers: one is the target, the others are dummies",
        topic="aim",
        about=(unit.id, thing.id),
        things=names,
        names={name: f"impact marker {name[-1].upper()}" for name in names},
        where={"": board(battle.table)},
        faces=False,
        rules=(AIM.id,),
        shows=("sight", "odds"),
        default=suggested(battle.table, unit, thing, names),
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
            ThingId(name),
            kind="marker",
            side=unit.side,
            label=f"impact marker {name[-1].upper()}",
            card=IMPACT_MARKER,
            glyph="counter",
        )
        battle.happens(Placed(name, spots[name].where, made=made, rule=AIM.id, because=because))
    give(battle, real, REAL, AIM, because=because, known_to=(unit.side,))
    for state, value in ((WARHEAD, warhead), (ROUNDS, rounds), (MARKERS, names)):
        give(battle, thing.id, state, AIM, value, because=because)


def inbound(battle: Battle, step: Inbound) -> Procedure[None]:
    """Missions in higher boxes of the inbound chart come one box nearer (stargrunt.turn.turn-end-phase)."""
    yield from ()
    for side in battle.table.sides:
        for thing in assets(battle.table, side):
            box = thing.value(BOX)
            if isinstance(box, int) and box > 1:
                give(battle, thing.id, BOX, INBOUND, box - 1)


# What the chapter brings -------------------------------------------------------------------------------------------


def _requests(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    then = yield from request(battle, unit)
    return Outcome(then=tuple(then))


def _none_to_request(table: Table, unit: Thing) -> Refusal | None:
    return none_open(may_request(table, unit), partial(request_refused, table, unit))


def _judge_aim(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    unit, thing = (view.table[name] for name in question.about)
    return next((why for put in answer.values() if (why := refused_point(view.table, unit, thing, put))), None)


def _lays(battle: Battle, form: Scenario) -> None:
    """The support of each side, as the scenario lists it (stargrunt.artillery.assets)."""
    for side, one in form.sides.items():
        granted, chits = one.options.get("support", ()), one.options.get("chits")
        listed = (granted,) if isinstance(granted, str) else granted
        assert isinstance(listed, tuple), "support is a list of assets"
        bring_support(battle, side, listed, chits if isinstance(chits, int) else None)
    lay_pieces(battle, form)


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
        *gunnery.ACTIONS,
        Action(
            id="request-support",
            entry="request_support",
            label="Call for support",
            rule=REQUEST,
            carry_out=_requests,
            shown=lambda table, unit: out_there(table, unit) and bool(may_request(table, unit)),
            refused=_none_to_request,
        ),
    ),
    steps={
        FireMission: fire_mission,
        Bombardment: bombard,
        AfterBombardment: after_bombardment,
        Inbound: inbound,
    },
    refusals={"support": by_unit(request_refused)},
    judges={"aim": _judge_aim, "piece-aim": judge_point},
    states={
        BOX: "of support: the box of the inbound chart its mission is in",
        CALLER: "of support: the unit that called for its mission",
        WARHEAD: "of support: the warhead of its mission",
        ROUNDS: "of support: how many rounds its mission fires",
        REAL: "of an impact marker: it is the real one",
        FIRED: "of an artillery piece: it has fired this turn",
        READY: "it has set its weapon up, crew-served or artillery",
        PACKED: "it has packed its weapon, crew-served or artillery",
    },
    options={"piece": "the artillery piece that it serves, by the name of an asset"},
    switches={SWITCH: "artillery pieces may stand on the table (stargrunt.artillery.on-table)"},
    answers={
        "piece-aim": "where a piece on the table fires",
        "support": "which support is called for",
        "chits": "how many support request chits are spent",
        "warhead": "which warhead",
        "single-round": "true for a single round instead of the salvo",
        "aim": "where the impact markers lie",
        "real-point": "which of them is the real one: impact marker A, B or C; A if nothing is said",
    },
    values={
        "asset": _asked,
        "burst": lambda table, asked: tuple(impact_of(asked.text_at("warhead"), asked.text_at("delivery"))),
        "burst-radius": lambda table, asked: RADIUS.inches(asked.text_at()),
        "warhead": lambda table, asked: (dispersed(asked.text_at()), *point(asked.text_at())),
    },
    at=(
        RESTRAINS(rooted),
        TURN_ENDS(_ends),
        STARTS(_starts),
        LAYS(_lays),
    ),
)
