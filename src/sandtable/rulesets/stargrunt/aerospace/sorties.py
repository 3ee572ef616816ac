"""Air support arrives: a craft comes through the enemy's air defences, or does not."""

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import ModelLost, Placed, StepBegan
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import NO_THING, Side, ThingId
from sandtable.engine.questions import AnyQuestion, Confirm, PlaceThings, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Off, Region, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Mark, Table, Thing
from sandtable.field.edges import strip
from sandtable.field.measure import outline_of
from sandtable.field.walking.encounters import over_edge
from sandtable.forces.ledger import Rule, citing, rule
from sandtable.forces.models import Fielded, ModelForm
from sandtable.forces.scenario import Scenario, SideForm
from sandtable.forces.terrain import BoardForm
from sandtable.rulesets.stargrunt.artillery.assets import AIR_ARRIVES as ARRIVES
from sandtable.rulesets.stargrunt.artillery.assets import ASSETS, BOX, CALLER, asset, assets
from sandtable.rulesets.stargrunt.chapter import AfterMove
from sandtable.rulesets.stargrunt.confidence.levels import reaction
from sandtable.rulesets.stargrunt.dice.foretold import contest_chances, contest_preview, outcomes, trial_preview
from sandtable.rulesets.stargrunt.dice.rolls import die_part, one_die, opposed_roll
from sandtable.rulesets.stargrunt.forces.cards import card, vehicle
from sandtable.rulesets.stargrunt.movement.walking import away_from_home, baseline, from_baseline
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.turn.order import ACTIVATED, FIRE_MISSION, MARKER
from sandtable.rulesets.stargrunt.units.record import AIRBORNE, STANDS_FOR_IT, WAITING
from sandtable.rulesets.stargrunt.vehicles.hulls import FRONT, armour_of, ecm_die, occupants
from sandtable.rulesets.stargrunt.vehicles.transport import hull_name
from sandtable.rulesets.stargrunt.vehicles.vehicle_units import brings
from sandtable.tabletop.checks import Check, throw
from sandtable.tabletop.states import END_OF_TURN, give, take

DEFENCE = rule("stargrunt.aerospace.air-defence")
#: What a side has against aircraft, and the level of the table on which craft fly.
AIR_DEFENCE, ALOFT = "air defence", 1
#: A craft that has come in this turn: it need not move before the next.
FRESH = "just come in"
NONE = "none"


class Sortie(Step, frozen=True):
    """A craft of air support comes in."""

    asset: str


class Enter(Step, frozen=True):
    """A craft that has come through the defences comes onto the table."""

    unit: str


def defence_of(table: Table, side: Side) -> str:
    """The air defence of a side, in the ledger's word."""
    thing = table.things.get(side)
    value = thing.value(AIR_DEFENCE) if thing is not None else None
    return str(value or DEFENCE.text_at("default"))


def lay_defences(battle: Battle, form: Scenario) -> None:
    """The air defences that the scenario gives, to sides whose enemy has aircraft."""
    for side, one in form.sides.items():
        word = str(one.options.get("air-defence", DEFENCE.text_at("default")))
        flown = [thing for foe in form.sides if foe != side for thing in assets(battle.table, foe)]
        if any(asset(thing).vehicle for thing in flown):
            give(battle, side, AIR_DEFENCE, DEFENCE, word)


def sortie(battle: Battle, step: Sortie) -> Procedure[None]:
    """The craft of a granted air request comes in, through the defences (stargrunt.aerospace.air-support-arrives)."""
    thing = battle.table[step.asset]
    told = citing(ARRIVES)
    battle.happens(StepBegan("air mission", thing.side, (thing.id,), rule=FIRE_MISSION.id, detail=told))
    for state in (BOX, CALLER):
        take(battle, thing.id, state, ASSETS)
    unit = _bring(battle, thing)
    through = yield from through_defences(battle, unit)
    if through:
        battle.push(Enter(unit))


def _bring(battle: Battle, thing: Thing) -> ThingId:
    """The craft and its crew come into play, not yet on the table; gives the unit's id."""
    name, one = ThingId(f"{thing.id}-{thing.count('missions') + 1}"), asset(thing)
    made = Thing(name, side=thing.side, label=one.vehicle.capitalize(), card=one.vehicle, place=Off(WAITING))
    kind = card(made)
    counts = {"bombs": one.bombs} if one.bombs else {}
    made = msgspec.structs.replace(
        made, label=kind.name, counts=counts, states={StateName.MOTIVATION: Mark(_spirit(battle, thing))}
    )
    form = Scenario(
        ruleset="stargrunt",
        name="sortie",
        board=BoardForm(width=1000, height=1000),
        sides={thing.side: SideForm()},
    )
    brings(battle, Fielded(made, kind, ModelForm(model=kind.id, name=name), 0), NO_THING, form)
    return name


def _spirit(battle: Battle, thing: Thing) -> str:
    """The mission motivation of a craft: that of its side."""
    mine = [one for one in battle.table.of_kind("unit") if one.side == thing.side and one.has(StateName.MOTIVATION)]
    return str(mine[0].value(StateName.MOTIVATION)) if mine else "medium"


def pressing_on(pilot: Thing) -> Check:
    """The reaction test of a pilot who does not turn back (stargrunt.aerospace.air-defence)."""
    part = ExplainedPart("air defences", DEFENCE.number("threat"), DEFENCE.id)
    return reaction(pilot, "pressing on", part)


def through_defences(battle: Battle, name: str) -> Procedure[bool]:
    """The entry roll; whether the craft comes through.

    stargrunt.aerospace.air-defence    tracked, the pilot may abort, or has to keep the nerve and trust the armour
    """
    table, hull = battle.table, battle.table[hull_name(name)]
    foe = next(side for side in table.sides if side != hull.side)
    word = defence_of(table, foe)
    if word == NONE:
        return True
    die = DEFENCE.number(word)
    tracked = opposed_roll(
        battle,
        one_die("air defence", foe, die, (die_part(f"{word} defences", die, DEFENCE),)),
        one_die("ecm", hull.id, ecm_die(hull)),
        DEFENCE,
        outcome=lambda mine, theirs: "it is tracked" if mine > theirs else "it slips through",
    )
    if not tracked.succeeds:
        return True
    aborts = yield Confirm(
        hull.side,
        f"{hull.label} is tracked by the air defences: abort the mission?",
        topic="abort",
        about=(name,),
        rules=(DEFENCE.id,),
        yes="Abort",
        no="Press on",
        shows=("odds",),
    )
    if not aborts:
        aborts = not throw(battle, pressing_on(table[name]), tracked.n).succeeds
    if aborts:
        lose(battle, name, "left the table", DEFENCE)
        return False
    hit = opposed_roll(battle, *_fired_at(table, hull), DEFENCE, outcome=_shot_down)
    if hit.succeeds:
        lose(battle, name, "shot down", DEFENCE, hit.n)
    return not hit.succeeds


def _fired_at(table: Table, hull: Thing) -> tuple[Check, Check]:
    """The air defences of the enemy against the armour of a craft that presses on."""
    foe, armour = next(side for side in table.sides if side != hull.side), armour_of(vehicle(hull), FRONT)
    guns = one_die("air defence", foe, DEFENCE.number(defence_of(table, foe)))
    return guns, one_die("armour", hull.id, armour.die, (armour.part,), armour.multiplier)


def _shot_down(mine: int, theirs: int) -> str:
    return "shot down" if mine > theirs else "it gets through"


def abort_preview(view: View, question: AnyQuestion, answer: bool) -> Preview:
    """What pressing on takes: the nerve of the pilot, then the armour of the craft against the air defences."""
    if answer:
        return Preview()
    (name,) = question.about
    trial, guns = pressing_on(view.table[name]), _fired_at(view.table, view.table[hull_name(name)])
    nerve, armour = trial_preview("", trial), contest_preview(*guns, _shot_down)
    shares = contest_chances(*guns, _shot_down)
    after = {label: trial.passes() * share for label, share in shares.items()}
    odds = outcomes({"it turns back": 1 - trial.passes(), **after})
    return Preview(nerve.explanations, (*nerve.notes, *armour.notes), odds=odds)


def lose(battle: Battle, unit: str, how: str, why: Rule, because: int = 0) -> None:
    """A craft is gone with all aboard."""
    hull = battle.table[hull_name(unit)]
    for one in [*occupants(battle.table, hull.id), hull]:
        battle.happens(ModelLost(one.id, how, rule=why.id, because=because))


def entry_strip(table: Table, hull: Thing) -> Region:
    """The strip along a side's own edge on which a craft comes in."""
    assert hull.base is not None
    half, deep = hull.base.size // 2, hull.base.depth // 2
    shape = strip(table.ground, baseline(table, hull.side), deep + 1, deep, half)
    return Region((shape,), levels=(ALOFT,), whole=False, rule=ARRIVES.id, label="over your own edge")


def enter(battle: Battle, step: Enter) -> Procedure[None]:
    """The craft is put on its table edge, and acts as a unit from the next turn."""
    hull = battle.table[hull_name(step.unit)]
    over = entry_strip(battle.table, hull)
    shape = over.inside[0]
    answer: dict[str, Spot] = yield PlaceThings(
        hull.side,
        f"Where does {hull.label} come in?",
        topic="air-entry",
        about=(step.unit,),
        things=(hull.id,),
        where={"": over},
        faces=False,
        rules=(ARRIVES.id,),
        default={hull.id: Spot(At(shape.points[0], ALOFT))},  # type: ignore[union-attr]
    )
    where = answer[hull.id].where
    assert isinstance(where, At)
    facing = away_from_home(battle.table, hull.side)
    n = battle.happens(Placed(step.unit, Off(STANDS_FOR_IT), rule=ARRIVES.id))
    give(battle, hull.id, AIRBORNE, ARRIVES, because=n)
    battle.happens(Placed(hull.id, At(where.point, ALOFT), facing, rule=ARRIVES.id, because=n))
    give(battle, hull.id, FRESH, ARRIVES, until=END_OF_TURN, because=n)
    give(battle, step.unit, ACTIVATED, MARKER, until=END_OF_TURN, because=n)
    battle.push(AfterMove(step.unit))


def judge_entry(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Whether a craft may come in there: over its own edge."""
    hull = view.table[question.things[0]]
    where = answer[hull.id].where
    assert hull.base is not None
    if not isinstance(where, At) or where.level not in (0, ALOFT):
        return Refusal(ARRIVES.id, "Choose a point over your own edge.")
    shape = outline_of(hull.base, where.point, away_from_home(view.table, hull.side))
    if over_edge(shape, view.table.ground):
        return Refusal(ARRIVES.id, f"{hull.label} would not be over the table.")
    if from_baseline(view.table, hull.side, where.point) > hull.base.depth:
        return Refusal(ARRIVES.id, f"{hull.label} comes in over its own edge.")
    return None
