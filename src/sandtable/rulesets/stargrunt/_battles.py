"""The scenarios of the ledger: what each fills in, and what its players lay out before the first turn.

A scenario file says `options: {battle: encounter}` (or attack-defence, patrol-clash, rearguard), who defends
(`defender: blue`), and for each side which sample platoon it fields, and how many. The numbers stand in the ledger.
"""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    Declared,
    Left,
    ModelLost,
    Placed,
    Scored,
    StateChanged,
)
from sandtable.engine.questions import ChooseSeveral, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Off, Point, Region, Spot, rectangle
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.ground import chart
from sandtable.field.measure import center_gap, overlap
from sandtable.field.random_terrain import moved
from sandtable.forces.ledger import Rule, rule
from sandtable.forces.models import ModelForm, Options
from sandtable.forces.scenario import Scenario, SideForm
from sandtable.rulesets.stargrunt._chapter import Chapter
from sandtable.rulesets.stargrunt._counters import COUNTERS, DUMMY, IS, lies_under
from sandtable.rulesets.stargrunt.communications import command_level
from sandtable.rulesets.stargrunt.cover import FIELD_DEFENCES
from sandtable.rulesets.stargrunt.dice import agree, also
from sandtable.rulesets.stargrunt.movement import baseline
from sandtable.rulesets.stargrunt.scenario import BATTLES, ENCOUNTER, OBJECTIVE, dressed
from sandtable.rulesets.stargrunt.units import counters

PLATOONS = rule("stargrunt.forces.sample-platoons")
ATTACK, PATROL, REARGUARD = BATTLES["attack-defence"], BATTLES["patrol-clash"], BATTLES["rearguard"]

agree("the dummies of a defender", ATTACK.text_at("dummies"), COUNTERS.text_at("dummies"))

TRENCH = tuple(ATTACK.inches("field_defences", "size_in", n) for n in (0, 1))


class PlaceObjectives(Step, frozen=True):
    """The defender lays the objective markers in its half."""

    side: str


class DigIn(Step, frozen=True):
    """The defender lays field defences."""

    side: str


class RemoveCounters(Step, frozen=True):
    """A side takes counters of the other off the table, unseen."""

    side: str


# What a scenario fills in ------------------------------------------------------------------------------------------


def battle_of(form: Scenario) -> str:
    """Which of the ledger's scenarios a file plays; empty where it is one of its own."""
    return str(form.options.get("battle", ""))


def defender(form: Scenario) -> str:
    """The side that defends: the one the file names, else the second."""
    return str(form.options.get("defender", list(form.sides)[-1]))


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
        half = int(ATTACK.fraction("defender_depth_fraction") * depth) // UNIT
        return {"hidden": "all", "hidden-depth": half, "mines": ATTACK.text_at("minefields")}
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
        return {"hidden": "all", "hidden-depth": depth // UNIT, "dummies": dummies, "mines": mines}
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
            _mark(battle, f"objective-{n}", at, ENCOUNTER)
    if kind == "rearguard":
        away = defender(form)
        attacker = next(side for side in form.sides if side != away)
        battle.happens(StateChanged(attacker, "leaves over", None, away, rule=REARGUARD.id))
        battle.happens(Scored(attacker, REARGUARD.number("attacker_points"), "at the start", rule=REARGUARD.id))


def _mark(battle: Battle, name: str, at: Point, why: Rule) -> None:
    made = Thing(
        name,
        kind="marker",
        card=OBJECTIVE,
        glyph="objective",
        label=name.replace("-", " ").capitalize(),
        counts={"value": why.number("objectives", "value")},
    )
    battle.happens(Placed(name, At(at), made=made, rule=why.id))


def half(table: Table, side: str) -> Region:
    """The half of the table that a side defends."""
    ground = table.ground
    deep = int(ATTACK.fraction("defender_depth_fraction") * ground.height)
    top = ground.height - deep if baseline(table, side) == "south" else 0
    return Region((rectangle(0, top, ground.width, deep),), whole=False, rule=ATTACK.id, label="in your half")


def _in_half(table: Table, side: str, at: Point) -> bool:
    shape = half(table, side).inside[0]
    low, _, high, _ = shape.points  # type: ignore[union-attr]
    return low.x <= at.x <= high.x and low.y <= at.y <= high.y


def place_objectives(battle: Battle, step: PlaceObjectives) -> Procedure[None]:
    """Two markers in the defender's half, at least 12 inches apart (stargrunt.scenario.attack-defence)."""
    table = battle.table
    spots = _apart(table, step.side)
    names = tuple(f"objective-{n}" for n in range(1, len(spots) + 1))
    answer: dict[str, Spot] = yield PlaceThings(
        step.side,
        "Lay the objective markers in your half",
        topic="objectives",
        about=(step.side,),
        things=names,
        where={"": half(table, step.side)},
        faces=False,
        rules=(ATTACK.id,),
        default={name: Spot(At(at)) for name, at in zip(names, spots, strict=True)},
    )
    for name in names:
        where = answer[name].where
        assert isinstance(where, At)
        _mark(battle, name, where.point, ATTACK)


def _apart(table: Table, side: str) -> list[Point]:
    """Places for the markers, evenly along the middle of a half; where that is too near, as many as lie in corners."""
    count, apart = ATTACK.number("objectives", "count"), ATTACK.inches("objectives", "min_distance_in")
    ground, deep = table.ground, table.ground.height // 4
    row = ground.height - deep if baseline(table, side) == "south" else deep
    if ground.width // (count + 1) >= apart:
        return [Point(ground.width * n // (count + 1), row) for n in range(1, count + 1)]
    found: list[Point] = []
    corners = half(table, side).inside[0].points  # type: ignore[union-attr]
    for at in (corners[n] for n in (0, 2, 1, 3)):
        if len(found) < count and all(center_gap(at, other) >= apart * apart for other in found):
            found.append(at)
    return found


def refused_objectives(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why markers may not lie so: in the other half, or too near to each other."""
    found: list[Point] = []
    apart = ATTACK.inches("objectives", "min_distance_in")
    for put in answer.values():
        if not isinstance(put.where, At) or not _in_half(view.table, question.about[0], put.where.point):
            return Refusal(ATTACK.id, "The markers lie in the defender's half.")
        if any(center_gap(put.where.point, other) < apart * apart for other in found):
            return Refusal(ATTACK.id, f"The markers lie at least {apart // UNIT} inches apart.")
        found.append(put.where.point)
    return None


def dig_in(battle: Battle, step: DigIn) -> Procedure[None]:
    """Field defences for two units, dug before the attack (stargrunt.cover.field-defences); where there is room."""
    length, across = TRENCH
    shape = rectangle(-length // 2, -across // 2, length, across)
    spots = _room_for(battle.table, step.side, ATTACK.number("field_defences", "count"))
    names = tuple(f"trench-{n}" for n in range(1, len(spots) + 1))
    if not names:
        return
    answer: dict[str, Spot] = yield PlaceThings(
        step.side,
        "Dig the trenches in your half",
        topic="trenches",
        about=(step.side,),
        things=names,
        where={"": half(battle.table, step.side)},
        faces=False,
        outlines=dict.fromkeys(names, (shape,)),
        rules=(ATTACK.id, FIELD_DEFENCES.id),
        default={name: Spot(At(at)) for name, at in zip(names, spots, strict=True)},
    )
    for name in names:
        where = answer[name].where
        assert isinstance(where, At)
        piece = Piece(name, "trench", moved(shape, *where.point), label=name.replace("-", " ").capitalize())
        told = also(ATTACK)
        battle.happens(Placed(name, Off(), piece=dressed(piece), rule=FIELD_DEFENCES.id, detail=told))


def _trench_fits(table: Table, side: str, at: Point, taken: Sequence[Point]) -> bool:
    length, across = TRENCH
    shape = moved(rectangle(-length // 2, -across // 2, length, across), *at)
    corners = shape.points  # type: ignore[union-attr]
    if not all(_in_half(table, side, corner) for corner in corners):
        return False
    if any(abs(at.x - other.x) < length and abs(at.y - other.y) < across for other in taken):
        return False
    return not any(overlap(shape, piece.outline) for _, piece in chart(table.ground).pieces if piece.kind != "hill")


def _room_for(table: Table, side: str, count: int) -> list[Point]:
    """Places for trenches that are free, nearest to the middle of the table first."""
    ground = table.ground
    grid = [Point(x, y) for y in range(0, ground.height, UNIT) for x in range(0, ground.width, UNIT)]
    middle = Point(ground.width // 2, ground.height // 2)
    found: list[Point] = []
    for at in sorted(grid, key=lambda p: (center_gap(p, middle), p)):
        if len(found) < count and _trench_fits(table, side, at, found):
            found.append(at)
    return found


def refused_trenches(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why trenches may not be dug there."""
    taken: list[Point] = []
    for put in answer.values():
        if not isinstance(put.where, At) or not _trench_fits(view.table, question.about[0], put.where.point, taken):
            return Refusal(FIELD_DEFENCES.id, "A trench lies in the defender's half, on free ground.")
        taken.append(put.where.point)
    return None


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
            battle.happens(StateChanged(spared[0].id, IS, taken, what, rule=PATROL.id, because=n, known_to=known))
            what = taken
    for one in [*battle.table.members(what)]:
        battle.happens(ModelLost(one.id, "not there", rule=PATROL.id, because=n, known_to=known))


def _hides_a_squad(table: Table, counter: Thing) -> bool:
    unit = table.things.get(lies_under(counter))
    return unit is not None and unit.kind == "unit" and command_level(unit) == 0


CHAPTER = Chapter(
    opens=opens,
    lays=lays,
    steps={PlaceObjectives: place_objectives, DigIn: dig_in},
    judges={"objectives": refused_objectives, "trenches": refused_trenches},
    answers={
        "objectives": "where the defender lays the objective markers",
        "trenches": "where the defender digs in",
    },
)
#: What comes after all counters have been laid.
SCOUTING = Chapter(
    opens=scouts,
    steps={RemoveCounters: remove_counters},
    answers={"removed": "which enemy counters are out of the game before a clash of patrols"},
)
