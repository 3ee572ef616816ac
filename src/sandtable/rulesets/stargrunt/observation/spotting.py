"""Observation: counters are made out by eye and sensor, by fire, from the air, or because they lie in plain sight.

`counters` says what anybody knows of a counter, `hiding` how it is laid, `observing` what a look brings, `recon`
what fire at it does; `snipers` and `drones` are those who hide best and see farthest.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, StateChanged
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At, Off, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Ground, Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.ledger import rule
from sandtable.forces.models import Fielded
from sandtable.forces.scenario import Scenario
from sandtable.rulesets.stargrunt import electronic_warfare
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, on_foot
from sandtable.rulesets.stargrunt.cover.lines import distance
from sandtable.rulesets.stargrunt.cover.protection import OPEN, figure_cover, figure_seen
from sandtable.rulesets.stargrunt.dice.rolls import die_part
from sandtable.rulesets.stargrunt.fire import sniping
from sandtable.rulesets.stargrunt.forces.cards import Squad, squad
from sandtable.rulesets.stargrunt.forces.squads import bring_squad
from sandtable.rulesets.stargrunt.moments import (
    ACTIVATION_BEGINS,
    AHEAD,
    BEFORE_ACTION,
    BRINGS,
    INSTEAD,
    LAYS_MARKER,
    OPENS,
)
from sandtable.rulesets.stargrunt.observation import drones, snipers
from sandtable.rulesets.stargrunt.observation.counters import (
    COUNTERS,
    DECOY_OF,
    DUMMY,
    SNIPERS_HIDING,
    counter_of,
    dig_in,
    enemy_counters,
    flip,
    is_sniper,
    lay,
    refused_figures,
    reveal,
)
from sandtable.rulesets.stargrunt.observation.hiding import Deploy, deploy, dummy_dice, opens, refused_counters
from sandtable.rulesets.stargrunt.observation.observing import (
    DUMMIES_STAY,
    MINES,
    NOT_A_UNIT,
    OBSERVE,
    STAY,
    counters_die,
    harder,
    look,
    odds,
    open_parts,
)
from sandtable.rulesets.stargrunt.observation.recon import FireAtLocated, ReconByFire, fire_at_located, recon_by_fire
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.leaders import leader
from sandtable.rulesets.stargrunt.units.record import (
    AIRBORNE,
    COUNTER,
    FACE_UP,
    HIDDEN,
    QUALITY,
    airborne,
    counters,
    enemies,
    gap_between,
    hidden,
    hull_of,
    is_fit,
    points,
    quality_die,
    spot,
)
from sandtable.rulesets.stargrunt.weapons import SNIPER_RIFLES
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import by_unit
from sandtable.tabletop.face_down import IS, lies_under
from sandtable.tabletop.previews import measured
from sandtable.tabletop.states import give

SENSORS = rule("stargrunt.observation.sensors")
REVEALS = rule("stargrunt.observation.automatic-reveal")


class Unmask(Step, frozen=True):
    """A counter lies in plain sight."""

    counter: str


class ShowItself(Step, frozen=True):
    """A unit under a counter is activated."""

    unit: str


# Observing ---------------------------------------------------------------------------------------------------------


def sensor_die(unit: Thing) -> int:
    """The Sensor die of a unit (stargrunt.observation.sensors)."""
    return SENSORS.number(squad(unit).sensors)


def observer(table: Table, unit: Thing) -> Thing | None:
    """Whose eyes observe: the leader's, if it is fit and on the table, or those of the vehicle it commands."""
    led, hull = leader(table, unit.id), hull_of(table, unit.id)
    if led is None or not is_fit(led):
        return None
    eye = led if hull is None else hull
    return eye if eye.on_table else None


def observed_by(table: Table, unit: Thing) -> list[Option]:
    """The counters of the enemy."""
    found = []
    for one in enemy_counters(table, unit.side):
        near = gap_between(points(table, unit.id), [spot(one)]) <= MINES.inches("distance_in") ** 2
        rules = (OBSERVE.id, SENSORS.id, *((MINES.id,) if near else ()))
        found.append(Option(one.id, one.label, (one.id,), rules))
    return found


def observing_refused(table: Table, unit: Thing, counter: str) -> Refusal | None:
    """Why a unit may not observe a counter: its leader does not see it."""
    eye, one = observer(table, unit), table[counter]
    if eye is not None and figure_seen(table.ground, spot(eye), spot(one)):
        return None
    return Refusal(OBSERVE.id, f"The leader of {unit.label} does not see {one.label}.")


def observe(battle: Battle, unit: Thing) -> Procedure[None]:
    """Try to make out a counter; electronic sensors may be spoofed before any die is rolled.

    stargrunt.observation.observe           Quality and Sensor die against the counter's
    stargrunt.electronic-warfare.spoof      not where the observer has nothing but its eyes
    """
    chosen = yield ChooseOne(
        unit.side,
        "Observe which counter?",
        topic="observe",
        about=(unit.id,),
        options=tuple(observed_by(battle.table, unit)),
        rules=(OBSERVE.id, SENSORS.id),
        shows=("distance", "odds"),
    )
    counter = battle.table[chosen]
    n = battle.happens(Declared(unit.id, "observe", (counter.id,), rule=OBSERVE.id))
    spoofs: electronic_warfare.Attempts = ()
    if squad(unit).sensors != "unaided":
        prompt = f"{unit.label} observes {counter.label}: spoof its sensors?"
        spoofs = yield from electronic_warfare.spoofing(battle, unit.side, prompt, (unit.id, counter.id), n)
    dice = (
        die_part("Quality", quality_die(unit), QUALITY),
        die_part(f"{squad(unit).sensors} sensors", sensor_die(unit), SENSORS),
    )
    range_ = gap_between(points(battle.table, unit.id), [spot(counter)])
    yield from look(battle, unit.id, counter, dice, seen_parts(battle.table, unit, counter), range_, spoofs, n)


def seen_parts(table: Table, unit: Thing, counter: Thing) -> tuple[ExplainedPart, ...]:
    """The steps of a counter's die against a unit's leader that everybody can count."""
    eye = observer(table, unit)
    assert eye is not None, "a unit without a leader observes"
    return open_parts(table, counter, spot(eye), gap_between(points(table, unit.id), [spot(counter)]))


def observation_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The die of a counter and the chance to make it out."""
    table, unit, counter = view.table, view.table[question.about[0]], view.table[answer]
    return odds(seen_parts(table, unit, counter), counter, (quality_die(unit), sensor_die(unit)))


def _observes(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    yield from observe(battle, unit)
    return Outcome()


def _nothing_to_observe(table: Table, unit: Thing) -> Refusal | None:
    if observer(table, unit) is None:
        return Refusal(OBSERVE.id, f"{unit.label} has no leader who could observe.")
    if any(observing_refused(table, unit, option.id) is None for option in observed_by(table, unit)):
        return None
    return Refusal(OBSERVE.id, f"The leader of {unit.label} sees no counter.")


# Showing themselves ------------------------------------------------------------------------------------------------


def in_plain_sight(ground: Ground, at: Point, eyes: Sequence[Point]) -> bool:
    """Whether some eyes have a clear line of sight to a point that is in the open against them."""
    return any(figure_cover(ground, at, eye) == OPEN and figure_seen(ground, eye, at) for eye in eyes)


def exposed(table: Table) -> list[Step]:
    """The first counter in plain sight that does not stay hidden there: mines, traps and snipers do."""
    eyes: dict[str, list[Point]] = {}
    for one in counters(table):
        under = lies_under(one)
        if under != DUMMY and (under not in table.things or is_sniper(table[under])):
            continue
        if one.side not in eyes:
            # Those in the air have a rule of their own.
            foes = [unit.id for unit in enemies(table, one.side) if not airborne(table, unit.id)]
            eyes[one.side] = [at for unit in foes for at in points(table, unit)]
        if in_plain_sight(table.ground, spot(one), eyes[one.side]):
            return [Unmask(one.id)]
    return []


def unmask(battle: Battle, step: Unmask) -> Procedure[None]:
    """A counter shows itself (stargrunt.observation.automatic-reveal): figures are placed, a dummy is removed."""
    counter = battle.table[step.counter]
    if counter.on_table:
        yield from reveal(battle, counter, REVEALS)


def show_itself(battle: Battle, step: ShowItself) -> Procedure[None]:
    """A unit that is activated takes the place of its counter."""
    counter = counter_of(battle.table, step.unit)
    assert counter is not None, "a hidden unit lies under a counter"
    yield from reveal(battle, counter, REVEALS)


def activated(table: Table, step: Activate) -> list[Step]:
    """A unit that is activated shows itself; a sniper does not (`snipers.instead`)."""
    return [ShowItself(step.unit)] if hidden(table[step.unit]) else []


# What the chapter brings -------------------------------------------------------------------------------------------


def bring_hidden(battle: Battle, one: Fielded[Squad], superior: ThingId, form: Scenario) -> bool:
    """Bring a unit under a counter: one that its file names, or one that its owner lays before the first turn."""
    thing, options = one.thing, form.sides[one.thing.side].options
    placed = isinstance(thing.place, At)
    if "hidden" not in one.form.options and not (options.get("hidden") == "all" and not placed):
        return False
    states = {name: mark for name, mark in thing.states.items() if name not in (StateName.IN_POSITION, FACE_UP)}
    bring_squad(battle, replace(one, thing=replace(thing, place=Off(HIDDEN), states=states)), superior, form)
    if isinstance(thing.place, At):
        name = ThingId(str(one.form.options["hidden"]))
        lay(battle, name, thing.side, thing.place.point, thing.id)
        _begins_as(battle, name, thing)
    return True


def _begins_as(battle: Battle, counter: ThingId, said: Thing) -> None:
    """What a file says of a counter that lies there from the start: In Position, and how much everybody knows of it."""
    if said.has(StateName.IN_POSITION):
        dig_in(battle, counter)
    if said.has(FACE_UP):
        flip(battle, battle.table[counter], COUNTERS)
    if said.has(NOT_A_UNIT):
        give(battle, counter, NOT_A_UNIT, STAY)


def lay_marker(battle: Battle, marker: Thing) -> bool:
    """Lay a counter that a scenario or a case puts somewhere: a dummy, if it does not say what it is."""
    if marker.card != COUNTER:
        return False
    assert isinstance(marker.place, At), "a counter lies on the table"
    lay(battle, marker.id, marker.side, marker.place.point, str(marker.value(IS) or DUMMY))
    _begins_as(battle, marker.id, marker)
    if marker.has(DECOY_OF):
        battle.happens(_decoy(marker))
    return True


def _decoy(marker: Thing) -> StateChanged:
    known = (marker.side,)
    return StateChanged(marker.id, DECOY_OF, None, marker.value(DECOY_OF), rule=SNIPERS_HIDING.id, known_to=known)


def in_play(thing: Thing) -> list[str]:
    """The rules that a sniper or a drone team brings into play by being there."""
    if thing.kind != "unit" or not squad(thing).figures:
        return []
    return [SNIPER_RIFLES.id] if is_sniper(thing) else []


def _may_observe(table: Table, unit: Thing) -> bool:
    """Whether observing means anything to a unit: not to passengers, nor to a craft in the air, which sees all."""
    hull = hull_of(table, unit.id)
    able = on_foot(table, unit) if hull is None else not hull.has(AIRBORNE)
    return able and bool(enemy_counters(table, unit.side))


def _counter_die(table: Table, asked: Data) -> int:
    """The die that the owner of a counter rolls against an observer; it stops at D12, and knows who is In Position."""
    counter = table[asked.text_at("of")]
    return counters_die((*seen_parts(table, table[asked.text_at("from")], counter), harder(counter)))


CHAPTER = Chapter(
    refusals={
        "observe": by_unit(observing_refused),
        "sniper-action": by_unit(snipers.hidden_action_refused),
        "sniper-target": by_unit(sniping.victim_refused),
    },
    actions=(
        Action(
            id="observe",
            entry="observe",
            label="Observe a counter",
            rule=OBSERVE,
            carry_out=_observes,
            shown=_may_observe,
            refused=_nothing_to_observe,
        ),
        *drones.ACTIONS,
        *snipers.ACTIONS,
    ),
    steps={
        Unmask: unmask,
        ShowItself: show_itself,
        Deploy: deploy,
        ReconByFire: recon_by_fire,
        FireAtLocated: fire_at_located,
        snipers.InHiding: snipers.in_hiding,
        sniping.GivenAway: sniping.given_away,
    },
    in_play=in_play,
    judges={
        "figures": refused_figures,
        "counters": refused_counters,
        "lay-low": refused_counters,
        "fly": drones.refused_flight,
    },
    previews={
        "observe": measured(observation_preview, distance),
        "drone-spot": measured(drones.drone_preview, distance),
        "shoot-drone": drones.shoot_drone_preview,
        "swap": snipers.swap_preview,
        "sniper-target": measured(sniping.sniper_preview, distance),
    },
    states={
        "is": "of a counter: a unit, dummy, anti-personnel, anti-vehicle or mixed mines, booby trap",
        "face up": "what everybody knows a counter to be",
        "not a unit": "everybody knows that a counter is no unit",
        "decoy of": "the sniper whose dummy a counter is",
        "drone": "the level of the drone it has: basic, enhanced or superior",
        "flies": "the drone it has in the air",
        StateName.LEVEL: "the level of a drone",
    },
    options={"hidden": "it starts under a counter of this name"},
    answers={
        "observe": "which counter a unit observes",
        "figures": "where the figures of a unit are placed that shows itself",
        "counters": "where counters are laid before the battle",
        "what-is-what": "what each counter is, {blue-c1: B, blue-c2: dummy, blue-c3: S, blue-c4: decoy of S}",
        "dug-in": "which counters are In Position",
        "lay-low": "where a sniper's counter and his dummies are laid",
        "which-sniper": "which of them is the sniper",
        "sniper-action": "what a hidden sniper does: snipe, shift, show or done",
        "sniper-target": "at whom a sniper fires",
        "victim": "whom he hits",
        "swap": "with which dummy he changes places",
        "fly": "where a drone flies",
        "drone-spot": "which counter a drone looks at",
        "shoot-drone": "which drone is shot at",
    },
    switches={
        DUMMIES_STAY: "a minor success leaves dummies lying, and tells only that they are no units "
        "(stargrunt.observation.dummies-stay-on-minor)",
    },
    values={
        "dummies": lambda table, asked: dummy_dice(asked.number()),
        "sensor-die": lambda table, asked: sensor_die(table[asked.text_at()]),
        "counter-die": _counter_die,
    },
    at=(
        OPENS(opens),
        AHEAD(exposed),
        ACTIVATION_BEGINS(activated),
        INSTEAD(snipers.instead),
        BEFORE_ACTION(drones.before_action),
        BRINGS(bring_hidden),
        LAYS_MARKER(lay_marker),
    ),
)
