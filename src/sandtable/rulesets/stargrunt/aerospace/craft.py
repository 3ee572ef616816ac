"""Aerospace: craft that come in, fly, bomb, spot, are fired at, and let troops down."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Spent
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.ground import pieces_at
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.aerospace import air_defence, coming_down, flying, sorties
from sandtable.rulesets.stargrunt.aerospace.arcs import FROM_THE_AIR, bears_from_air, flown
from sandtable.rulesets.stargrunt.aerospace.flying import craft_of
from sandtable.rulesets.stargrunt.artillery.assets import AIM, RADIUS, asset
from sandtable.rulesets.stargrunt.artillery.bursts import Bombardment, impact_of
from sandtable.rulesets.stargrunt.chapter import Action, Activate, AfterMove, Outcome
from sandtable.rulesets.stargrunt.confidence.nerve import unnerve
from sandtable.rulesets.stargrunt.cover.lines import distance
from sandtable.rulesets.stargrunt.cover.protection import centre_point
from sandtable.rulesets.stargrunt.dice.rolls import die_part, plain_roll, table_roll
from sandtable.rulesets.stargrunt.fire.armament import arm_of
from sandtable.rulesets.stargrunt.fire.wounds import wound
from sandtable.rulesets.stargrunt.moments import ACTIVATES, AFTER_MOVE, LAYS, STARTS, TURN_ENDS
from sandtable.rulesets.stargrunt.movement.terrain_costs import grade, mover
from sandtable.rulesets.stargrunt.observation.counters import enemy_counters, face_up
from sandtable.rulesets.stargrunt.observation.observing import (
    SPOTTING,
    FromAbove,
    from_the_air,
    odds_from_above,
    spot_from_above,
)
from sandtable.rulesets.stargrunt.observation.spotting import sensor_die
from sandtable.rulesets.stargrunt.turn.order import missions
from sandtable.rulesets.stargrunt.units.record import (
    AIRBORNE,
    FLOWN,
    GROUNDED,
    HOVERING,
    QUALITY,
    fit,
    quality_die,
    spot,
)
from sandtable.rulesets.stargrunt.vehicles.getting_out import GetOut
from sandtable.rulesets.stargrunt.vehicles.hulls import PASSENGERS, occupants
from sandtable.tabletop.actions import RESTRAINS
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import unless_alone
from sandtable.tabletop.previews import measured

DROPPING = rule("stargrunt.aerospace.dropping-troops")
#: The switch of the option to drop troops, that a squad has jump packs, and what a craft carries to drop.
SWITCH, JUMP_PACKS, BOMBS = "dropping-troops", "jump packs", "bombs"


class Dropped(Step, frozen=True):
    """A squad has been let down from a craft: each of its figures may be hurt."""

    unit: str


# Bombs -------------------------------------------------------------------------------------------------------------


def drop_bombs(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """A stick of bombs: D6 inches ahead, or straight below from a hover, and D6 more for each further one.

    stargrunt.aerospace.firing-from-the-air    each bomb bursts like artillery
    """
    hull = craft_of(battle.table, unit)
    assert hull is not None
    held = unit.count(BOMBS)
    question = ChooseOne(
        unit.side,
        "How many bombs?",
        topic="bombs",
        about=(unit.id,),
        options=tuple(Option(str(n), str(n), (), (FROM_THE_AIR.id,)) for n in range(1, held + 1)),
        rules=(FROM_THE_AIR.id,),
        default="1",
    )
    answer = yield from unless_alone(question)
    n = battle.happens(Declared(unit.id, "drop bombs", rule=FROM_THE_AIR.id))
    battle.happens(Spent(unit.id, BOMBS, int(answer), held - int(answer), rule=FROM_THE_AIR.id, because=n))
    points: list[Point] = []
    away = 0
    for number in range(int(answer)):
        if number or not hull.has(HOVERING):
            score, n = plain_roll(battle, "bomb", unit.id, FROM_THE_AIR.text_at("bomb_distance"), FROM_THE_AIR)
            away += score * UNIT
        points.append(along(spot(hull), hull.facing, away))
    delivery, warhead = FROM_THE_AIR.text_at("bomb"), AIM.text_at("default_warhead")
    salvo = (unit.id, points[0], points[0], RADIUS.inches(delivery), impact_of(warhead, delivery), warhead)
    return Outcome(then=(Bombardment(*salvo, len(points), stick=tuple(points)),))


# Spotting ----------------------------------------------------------------------------------------------------------


def spot_from_air(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """The crew looks down at one counter: as for observe, from straight above (stargrunt.aerospace.spotting)."""
    hull = craft_of(battle.table, unit)
    assert hull is not None
    n = battle.happens(Declared(unit.id, "spot from the air", rule=SPOTTING.id))
    second, prompt = die_part("sensors", sensor_die(unit), SPOTTING), "Which counter does the crew look at?"
    crew = FromAbove(hull, unit.label, second, "air-spot", prompt, (SPOTTING,))
    yield from spot_from_above(battle, unit, crew, down_there, n)
    return Outcome()


def _spot_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    unit = view.table[question.about[0]]
    hull = craft_of(view.table, unit)
    assert hull is not None
    return odds_from_above(view.table, unit, hull, view.table[answer], sensor_die(unit))


def down_there(table: Table, unit: Thing) -> list[Option]:
    """The enemy counters that a crew may look at: those nobody has identified."""
    lying = [one for one in enemy_counters(table, unit.side) if not face_up(one)]
    return [Option(one.id, one.label, (one.id,), (SPOTTING.id,)) for one in lying]


class LookDown(Step, frozen=True):
    """A craft is in the air: units under counters in the open are seen."""

    side: Side


def look_down(battle: Battle, step: LookDown) -> Procedure[None]:
    """Whoever is in the air sees the whole table (stargrunt.aerospace.spotting)."""
    yield from from_the_air(battle, step.side, SPOTTING, 0)


def looks_down(table: Table, step: AfterMove) -> Sequence[Step]:
    """After a craft has flown, its crew sees what lies in the open."""
    unit = table[step.unit]
    return (LookDown(unit.side),) if flown(table, unit) is not None and enemy_counters(table, unit.side) else ()


# Dropping troops ---------------------------------------------------------------------------------------------------


def passengers(table: Table, unit: Thing) -> list[Thing]:
    """The squads aboard the craft of a unit."""
    hull = craft_of(table, unit)
    if hull is None:
        return []
    inside = [one for one in occupants(table, hull.id) if getattr(one.place, "slot", "") == PASSENGERS]
    return [table[name] for name in dict.fromkeys(one.unit for one in inside)]


def _must_hover(table: Table, unit: Thing) -> Refusal | None:
    """Why a craft lets nobody down now."""
    hull = craft_of(table, unit)
    if hull is not None and not hull.has(HOVERING):
        return Refusal(DROPPING.id, f"{hull.label} does not hover.")
    return None


def _drops(how: str) -> Action:
    """Letting a squad down by rope or by jump packs, as an action of the crew."""

    def may(table: Table, unit: Thing) -> list[Thing]:
        return [one for one in passengers(table, unit) if how == "rope" or one.has(JUMP_PACKS)]

    def shown(table: Table, unit: Thing) -> bool:
        return bool(table.options.get(SWITCH)) and flown(table, unit) is not None and bool(may(table, unit))

    def carry_out(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
        question = ChooseOne(
            unit.side,
            "Which squad is let down?",
            topic="drop",
            about=(unit.id,),
            options=tuple(Option(one.id, one.label, (one.id,), (DROPPING.id,)) for one in may(battle.table, unit)),
            rules=(DROPPING.id,),
        )
        chosen = yield from unless_alone(question)
        hull = craft_of(battle.table, unit)
        assert hull is not None
        battle.happens(Declared(unit.id, f"drop by {how}", (chosen,), rule=DROPPING.id))
        return Outcome(then=(GetOut(chosen, hull.id, DROPPING.id), Dropped(chosen)))

    entry = "drop_by_rope" if how == "rope" else "drop_by_jump_pack"
    label = f"Let a squad down by {how}"
    return Action(
        id=entry.replace("_", "-"),
        entry=entry,
        whole=DROPPING,
        label=label,
        rule=DROPPING,
        carry_out=carry_out,
        shown=shown,
        refused=_must_hover,
    )


def bad_ground(table: Table, unit: Thing, at: Point) -> bool:
    """Whether a figure comes down on bad ground: anything but clear."""
    return any(grade(piece.kind, mover(unit)) != "clear" for piece in pieces_at(table.ground, at))


def drop_wounds(table: Table, unit: Thing, at: Point) -> tuple[int, ...]:
    """On which scores of its Quality die a figure is wounded that comes down at a point."""
    return DROPPING.numbers("wounded_on", "bad_ground" if bad_ground(table, unit, at) else "clear")


def dropped(battle: Battle, step: Dropped) -> Procedure[None]:
    """Each figure rolls its Quality: on a 1, over bad ground a 2 as well, it is wounded."""
    unit, wounded = battle.table[step.unit], []
    die = quality_die(unit)
    parts = (die_part("Quality", die, QUALITY),)
    for one in fit(battle.table, unit.id):
        wounds = drop_wounds(battle.table, unit, spot(one))
        words = {score: "wounded" if score in wounds else "safe" for score in range(1, die + 1)}
        fell = table_roll(battle, "dropping", one.id, f"d{die}", DROPPING, words.__getitem__, parts=parts)
        if fell.score in wounds and wound(battle, one.id, False, False, fell.n, DROPPING):
            wounded.append(one.id)
    yield from unnerve(battle, unit.id, tuple(wounded), None, attacked=False)


# What the chapter brings -------------------------------------------------------------------------------------------


def _starts(table: Table, chosen: str) -> Sequence[Step] | None:
    arrived = [one.id for side in table.sides for one in missions(table, side) if asset(one).vehicle]
    return (sorties.Sortie(chosen),) if chosen in arrived else None


def _carries_bombs(table: Table, unit: Thing) -> bool:
    return flown(table, unit) is not None and unit.count(BOMBS) > 0


def _bears(table: Table, unit: str, weapon: str, target: str) -> bool:
    hull = craft_of(table, table[unit])
    assert hull is not None
    arm = arm_of(table, table[unit], weapon.replace("_", "-"))
    return bears_from_air(hull, arm, centre_point(table, table[target].unit or target))


CHAPTER = Chapter(
    refusals=air_defence.SHOOT.refusals,
    unoffered=dict.fromkeys(("target", "support-target", "heavy-target"), air_defence.not_at_craft),
    actions=(
        *flying.ACTIONS,
        Action(
            id="drop-bombs",
            entry="drop_bombs",
            label="Drop bombs",
            rule=FROM_THE_AIR,
            carry_out=drop_bombs,
            shown=_carries_bombs,
        ),
        Action(
            id="air-spot",
            entry="observe",
            label="Spot from the air",
            rule=SPOTTING,
            carry_out=spot_from_air,
            shown=lambda table, unit: flown(table, unit) is not None and bool(down_there(table, unit)),
        ),
        _drops("rope"),
        _drops("jump packs"),
        air_defence.ACTION,
    ),
    steps={
        sorties.Sortie: sorties.sortie,
        sorties.Enter: sorties.enter,
        flying.StillFlying: flying.still_flying,
        air_defence.AtAircraft: air_defence.at_aircraft,
        coming_down.ComesDown: coming_down.comes_down,
        coming_down.Shaken: coming_down.shaken,
        coming_down.Unsettled: coming_down.unsettled,
        LookDown: look_down,
        Dropped: dropped,
    },
    judges={
        "air-entry": sorties.judge_entry,
        "fly-to": flying.judge_fly,
        "hover": flying.judge_hover,
        "evasion": air_defence.judge_evasion,
    },
    previews={
        "air-spot": measured(_spot_preview, distance),
        "abort": sorties.abort_preview,
        **dict.fromkeys(("fly-to", "hover"), measured(None, distance)),
    },
    states={
        AIRBORNE: "of a craft: it is in the air",
        HOVERING: "of a craft: it hovers",
        FLOWN: "of a craft: how far it has flown in this activation",
        GROUNDED: "of a craft: it cannot take off again",
        air_defence.ANTI_AIR: "its weapons are made to fire at aircraft",
        JUMP_PACKS: "its figures have jump packs",
    },
    counts={BOMBS: "the bombs a craft carries"},
    answers={
        "abort": "true to turn back from the air defences",
        "air-entry": "where a craft comes in",
        "fly-to": "where a craft flies, and how it faces there",
        "hover": "where a hovering craft slides, and how it faces",
        "air-spot": "which counter a crew looks at from the air",
        "bombs": "how many bombs are dropped",
        "drop": "which squad is let down",
        "air-weapon": "the weapon that fires at an aircraft",
        "aircraft": "at which aircraft it fires",
        "evade": "evade or stay",
        "evasion": "where a craft evades to",
    },
    values={
        "air-defence": lambda table, asked: sorties.DEFENCE.number(asked.text_at()),
        "bears-from-air": lambda table, asked: _bears(table, *asked.texts()),
    },
    switches={SWITCH: "hovering craft let troops down (stargrunt.aerospace.dropping-troops)"},
    at=(
        ACTIVATES(flying.begins),
        AFTER_MOVE(looks_down),
        TURN_ENDS(flying.ends),
        STARTS(_starts),
        LAYS(sorties.lay_defences),
        RESTRAINS(air_defence.only_craft),
    ),
)
