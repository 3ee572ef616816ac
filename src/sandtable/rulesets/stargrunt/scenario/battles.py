"""The scenarios of the ledger: what each fills in, and what its players lay out before the first turn.

A scenario file says `options: {battle: encounter}` (or attack-defence, patrol-clash, rearguard), who defends
(`defender: blue`), and for each side which sample platoon it fields, and how many. The numbers stand in the ledger.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Left, ModelLost, Scored
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import ChooseSeveral, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule, same_number
from sandtable.forces.models import ModelForm, Options
from sandtable.forces.scenario import Scenario, SideForm
from sandtable.rulesets.stargrunt.communications import command_level
from sandtable.rulesets.stargrunt.moments import LAYS, OPENS
from sandtable.rulesets.stargrunt.observation.counters import COUNTERS, DUMMY
from sandtable.rulesets.stargrunt.scenario.defences import (
    ATTACK,
    DigIn,
    PlaceObjectives,
    dig_in,
    lay_marker,
    place_objectives,
    refused_objectives,
    refused_trenches,
)
from sandtable.rulesets.stargrunt.scenario.objectives import BATTLES, ENCOUNTER
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import counters
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.face_down import IS, lies_under
from sandtable.tabletop.states import give

PLATOONS = rule("stargrunt.forces.sample-platoons")
PATROL, REARGUARD = BATTLES["patrol-clash"], BATTLES["rearguard"]

same_number("the dummies of a defender", ATTACK.text_at("dummies"), COUNTERS.text_at("dummies"))


class RemoveCounters(Step, frozen=True):
    """A side takes counters of the other off the table, unseen."""

    side: Side


# What a scenario fills in ------------------------------------------------------------------------------------------


def battle_of(form: Scenario) -> str:
    """Which of the ledger's scenarios a file plays; empty where it is one of its own."""
    return str(form.options.get("battle", ""))


def defender(form: Scenario) -> Side:
    """The side that defends: the one the file names, else the second."""
    return Side(str(form.options.get("defender", list(form.sides)[-1])))


def prepared(form: Scenario, size: int = 0) -> Scenario:
    """A scenario with the platoons its sides field, and with what the ledger says of its kind."""
    sides = {}
    for side, one in form.sides.items():
        more = _said(battle_of(form), side == defender(form), form.board.height)
        sides[side] = _mustered(replace(one, options={**more, **one.options}), size)
    return replace(form, sides=sides)


def _mustered(side: SideForm, size: int) -> SideForm:
    """A side with the units of its sample platoon, so many times; `size` leaves it so many besides the commander.

    stargrunt.forces.sample-platoons    units, and unless it is on foot vehicles, support and chits
    """
    name = side.options.get("platoon")
    if not isinstance(name, str):
        return side
    listed = PLATOONS.texts(name, "units")
    listed = listed[: size + 1] if size else listed
    options: Options = {word: PLATOONS.text_at(name, word) for word in ("motivation", "fatigue")}
    if not side.options.get("on-foot"):
        listed += PLATOONS.texts(name, "vehicles")
        options["support"] = PLATOONS.texts(name, "support")
        options["chits"] = PLATOONS.number(name, "chits")
    times = side.options.get("platoons", 1)
    force = tuple(ModelForm(model=model) for _ in range(times if isinstance(times, int) else 1) for model in listed)
    return replace(side, force=(*force, *side.force), options={**options, **side.options})


def _said(kind: str, defends: bool, depth: int) -> Options:
    """What the ledger's scenarios say of a side: where it hides, with how many dummies and mines."""
    if kind == "attack-defence" and defends:
        return {"hidden": "all", "mines": ATTACK.text_at("minefields")}
    if kind == "attack-defence":
        return {"platoons": ATTACK.number("force_ratio")}
    if kind == "patrol-clash":
        return {
            "hidden": "all",
            "hidden-depth": PATROL.number("deployment_depth_in"),
            "dummies": PATROL.text_at("dummies"),
        }
    if kind == "rearguard" and defends:
        mines, dummies = REARGUARD.text_at("mines"), REARGUARD.text_at("dummies")
        return {"hidden": "all", "hidden-depth": -(-depth // UNIT), "dummies": dummies, "mines": mines}
    return {}


# Before the first turn ---------------------------------------------------------------------------------------------


def opens(table: Table, form: Scenario) -> Sequence[Step]:
    """What the players of a scenario lay out before units are hidden."""
    if battle_of(form) == "attack-defence":
        return (PlaceObjectives(defender(form)), DigIn(defender(form)))
    return ()


def lays(battle: Battle, form: Scenario) -> None:
    """What a scenario lays out by itself: markers on the centre line, points, and the way out of a rearguard."""
    kind = battle_of(form)
    for side, one in form.sides.items():
        if "platoon" in one.options:
            battle.happens(Declared(side, "fields", tools=(str(one.options["platoon"]),), rule=PLATOONS.id))
    if kind == "encounter":
        ground, count = battle.table.ground, ENCOUNTER.number("objectives", "count")
        for n in range(1, count + 1):
            at = Point(ground.width * n // (count + 1), ground.height // 2)
            lay_marker(battle, ThingId(f"objective-{n}"), at, ENCOUNTER)
    if kind == "rearguard":
        away = defender(form)
        attacker = next(side for side in form.sides if side != away)
        give(battle, attacker, StateName.LEAVES_OVER, REARGUARD, away)
        battle.happens(Scored(attacker, REARGUARD.number("attacker_points"), "at the start", rule=REARGUARD.id))


# A clash of patrols ------------------------------------------------------------------------------------------------


def scouts(table: Table, form: Scenario) -> Sequence[Step]:
    """When all counters of a patrol clash lie there, each side removes some of the other's."""
    return [RemoveCounters(side) for side in table.sides] if battle_of(form) == "patrol-clash" else []


def remove_counters(battle: Battle, step: RemoveCounters) -> Procedure[None]:
    """Three of the enemy's counters are out of the game, and nobody but their owner learns what they were.

    stargrunt.scenario.patrol-clash    a removed command squad is exchanged for another unit
    """
    other = next(side for side in battle.table.sides if side != step.side)
    there = counters(battle.table, other)
    count = min(PATROL.number("counters_removed"), len(there))
    chosen: tuple[str, ...] = yield ChooseSeveral(
        step.side,
        "Which counters are out of the game?",
        deed="Take {} out of the game",
        topic="removed",
        about=(step.side,),
        options=tuple(Option(one.id, one.label, (one.id,)) for one in there),
        at_least=count,
        at_most=count,
        rules=(PATROL.id,),
        default=tuple(one.id for one in there[:count]),
    )
    for name in chosen:
        _out_of_the_game(battle, battle.table[name], chosen)


def _out_of_the_game(battle: Battle, counter: Thing, removed: Sequence[str]) -> None:
    what, known = lies_under(counter), (counter.side,)
    n = battle.happens(Left(counter.id, "removed unseen", rule=PATROL.id))
    if what == DUMMY or what not in battle.table.things:
        return
    if command_level(battle.table[what]) > 0:
        spared = [
            one
            for one in counters(battle.table, counter.side)
            if one.id not in removed and _hides_a_squad(battle.table, one)
        ]
        if spared:
            taken = lies_under(spared[0])
            give(battle, spared[0].id, IS, PATROL, what, because=n, known_to=known)
            what = taken
    for one in [*battle.table.members(what)]:
        battle.happens(ModelLost(one.id, "not there", rule=PATROL.id, because=n, known_to=known))


def _hides_a_squad(table: Table, counter: Thing) -> bool:
    unit = table.things.get(lies_under(counter))
    return unit is not None and unit.kind == "unit" and command_level(unit) == 0


CHAPTER = Chapter(
    steps={PlaceObjectives: place_objectives, DigIn: dig_in},
    judges={"objectives": refused_objectives, "trenches": refused_trenches},
    answers={
        "objectives": "where the defender lays the objective markers",
        "trenches": "where the defender digs in",
    },
    at=(
        OPENS(opens),
        LAYS(lays),
    ),
)
#: What comes after all counters have been laid.
SCOUTING = Chapter(
    steps={RemoveCounters: remove_counters},
    answers={"removed": "which enemy counters are out of the game before a clash of patrols"},
    at=(OPENS(scouts),),
)
