"""Harm in and around a building: close quarters, shots, its collapse, and the nerve of those inside.

All harm is noted when it is caused and happens when its moment is settled, so that a volley is one event however many
steps it takes, and a collapse waits for the last shot of the squad that caused it.
"""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.dice import Throw
from sandtable.engine.events import (
    Harm,
    HarmApplied,
    HarmNoted,
    ModelLost,
    Moved,
    Placed,
    Rolled,
    Scored,
    TerrainChanged,
)
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import PieceId, RuleId, Side, ThingId
from sandtable.engine.questions import ChooseOne, Confirm, Option, PlaceThings
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, In, Off, Region
from sandtable.engine.state import Due
from sandtable.engine.table import Table, Thing
from tests.miniatures.masonry_ground import (
    BLOCK,
    RUBBLE,
    STANDING,
    TOGETHER,
    around,
    default_spots,
    inside,
    near_the_building,
    old_outline,
    stands,
)

CQ_ALLOCATION = RuleId("dropzone.damage.close-quarters-allocation")
ROLL_TO_DAMAGE = RuleId("dropzone.damage.roll-to-damage")
CRITICAL = RuleId("dropzone.damage.critical")
AUTOMATIC = RuleId("dropzone.damage.automatic-hits")
ONE_UNIT = RuleId("dropzone.damage.one-unit-takes-it")
DESTROYED = RuleId("dropzone.units.destroyed")
DESTRUCTION = RuleId("dropzone.scenery.destruction")
OCCUPIED = RuleId("dropzone.scenery.occupied-garrison-destroyed")
ORDER = RuleId("dropzone.basics.simultaneous-effects-order")
WHEN_TO_TEST = RuleId("dropzone.fortitude.when-to-test")
FORTITUDE = RuleId("dropzone.fortitude.test")
RUNNING_AWAY = RuleId("dropzone.fortitude.running-away")
VOLUNTARY = RuleId("dropzone.fortitude.voluntary-failure")
DROPPING = RuleId("dropzone.objectives.dropping")
KILL_POINTS = RuleId("dropzone.scenario.victory-and-kill-points")
NATURAL = RuleId("dropzone.basics.natural-one-and-natural-six")

AFTER_SHOOTING = "after the shooting"
END_OF_ACTIVATION = "end of the activation"
MASONRY = 10


def damage_needs(energy: int, armour: int) -> tuple[ExplainedPart, ...]:
    """What a die must show to damage: Armour less Energy, but a 1 never does."""
    parts = (
        ExplainedPart("Armour", armour, ROLL_TO_DAMAGE),
        ExplainedPart(f"Energy {energy}", -energy, ROLL_TO_DAMAGE),
    )
    short = 2 - (armour - energy)
    return (*parts, ExplainedPart("a 1 never damages", short, NATURAL)) if short > 0 else parts


def damage_throw(hits: int, energy: int, armour: int) -> Throw:
    """Damage dice for hits of one Energy: 1 point each, 2 where the total is two above the Armour.

    >>> damage_throw(4, 10, 7).result((1, 2, 3, 6)).natural
    6
    """

    def points(faces: tuple[int, ...]) -> int:
        hurts = [face for face in faces if face > 1 and face + energy >= armour]
        return len(hurts) + sum(face + energy >= armour + 2 for face in hurts)

    return Throw(f"{hits}d6", (6,) * hits, points)


def roll_damage(
    battle: Battle, what: str, by: str, hits: int, energy: int, target: Thing, because: int
) -> tuple[int, int]:
    """Roll damage dice against one unit; gives the points and the event."""
    armour = target.count("armour")
    fell = battle.dice.fall(damage_throw(hits, energy, armour))
    needs = damage_needs(energy, armour)
    n = battle.happens(
        Rolled(
            what,
            by,
            fell.dice,
            fell.faces,
            fell.natural,
            total=fell.natural,
            needs=sum(part.value for part in needs),
            needs_parts=needs,
            outcome=f"{fell.natural} damage to {target.label}",
            rule=AUTOMATIC if energy == MASONRY else ROLL_TO_DAMAGE,
            because=because,
        )
    )
    return fell.natural, n


def hurt(battle: Battle, target: ThingId, points: int, rule: RuleId, because: int) -> None:
    """Take Damage Points off a unit; what goes beyond the last is lost, and a unit with none left is gone."""
    thing = battle.table[target]
    after = min(thing.track, thing.harm + points)
    if after == thing.harm or thing.gone:
        return
    harm = Harm("damage points", after - thing.harm)
    n = battle.happens(HarmApplied(target, harm, thing.harm, after, rule=rule, because=because))
    if after == thing.track and thing.kind == "model":
        n = battle.happens(ModelLost(target, "destroyed", rule=DESTROYED, because=n))
        enemy = next(side for side in battle.table.sides if side != thing.side)
        battle.happens(Scored(enemy, thing.count("points"), f"{thing.label} destroyed", rule=KILL_POINTS, because=n))


def by_initiative(table: Table) -> tuple[Side, ...]:
    """The sides in the order of this round's initiative."""
    return tuple(sorted(table.sides, key=lambda side: table[side].count("place in the order")))


# What is due -------------------------------------------------------------------------------------------------------


def carry_out(battle: Battle, due: Due) -> Procedure[None]:
    """Let noted harm happen."""
    match due.harm.what:
        case "close quarters":
            yield from close_quarters(battle, due)
        case "shots":
            hurt(battle, due.target, due.harm.amount, ONE_UNIT, due.because)
            block = battle.table[BLOCK]
            if due.target == BLOCK and block.harm == block.track:
                note = HarmNoted(BLOCK, Harm("collapse"), AFTER_SHOOTING, rule=DESTRUCTION, because=due.because)
                battle.note(note, once=True)
        case "collapse":
            yield from collapse(battle, due)
        case _:
            yield from fortitude_test(battle, due)


def close_quarters(battle: Battle, due: Due) -> Procedure[None]:
    """Damage dealt to a squad: each point to the unit that has lost most and still stands; a tie is its owner's choice.

    dropzone.damage.close-quarters-allocation
    """
    squad = battle.table[due.target]
    for _ in range(due.harm.amount):
        standing = battle.table.members(squad.id)
        if not standing:
            break
        most = max(model.harm for model in standing)
        worst = [model for model in standing if model.harm == most]
        chosen = worst[0].id
        if len(worst) > 1:
            chosen = yield ChooseOne(
                squad.side,
                "Which unit takes the damage?",
                topic="takes it",
                about=(squad.id,),
                options=tuple(Option(model.id, rules=(CQ_ALLOCATION,)) for model in worst),
                rules=(CQ_ALLOCATION,),
                default=chosen,
            )
        hurt(battle, chosen, 1, CQ_ALLOCATION, due.because)
    note = HarmNoted(squad.id, Harm("fortitude test"), END_OF_ACTIVATION, rule=WHEN_TO_TEST, because=due.because)
    battle.note(note, once=True)


def collapse(battle: Battle, due: Due) -> Procedure[None]:
    """The building comes down on those inside and near it; who lives is placed where it stood.

    dropzone.scenery.destruction                    1D3: as many hits on each unit within as many inches
    dropzone.scenery.occupied-garrison-destroyed    2D3 hits on each unit inside instead; they take theirs first
    dropzone.basics.simultaneous-effects-order      survivors are placed in the order of the initiative
    """
    fell = TerrainChanged(PieceId(BLOCK), before=STANDING, after=RUBBLE, rule=DESTRUCTION, because=due.because)
    n = battle.happens(fell)
    near, n_near = _roll(battle, "collapse", "d3", DESTRUCTION, n)
    order = by_initiative(battle.table)
    trapped = [model for side in order for model in inside(battle.table, Side(side))]
    close = [m for side in order for m in battle.table.models(Side(side)) if near_the_building(m, near * UNIT)]
    if trapped:
        hits, n_inside = _roll(battle, "collapse on those inside", "2d3", OCCUPIED, n)
        _masonry(battle, trapped, hits, OCCUPIED, n_inside)
    _masonry(battle, close, near, DESTRUCTION, n_near)
    for side in order:
        yield from put_down(battle, inside(battle.table, Side(side)), old_outline(), OCCUPIED, n)


def _roll(battle: Battle, what: str, dice: str, rule: RuleId, because: int) -> tuple[int, int]:
    fell = battle.dice.total(dice)
    n = battle.happens(
        Rolled(what, BLOCK, fell.dice, fell.faces, fell.natural, total=fell.natural, rule=rule, because=because)
    )
    return fell.natural, n


def _masonry(battle: Battle, models: Sequence[Thing], hits: int, rule: RuleId, because: int) -> None:
    for model in models:
        points, n = roll_damage(battle, "falling masonry", model.id, hits, MASONRY, model, because)
        hurt(battle, model.id, points, rule, n)


def put_down(battle: Battle, models: Sequence[Thing], region: Region, rule: RuleId, because: int) -> Procedure[None]:
    """Ask a side where its units go, in and around the building; who finds no room is destroyed."""
    default = default_spots(battle.table, models, region)
    for model in models:
        if model.id not in default:
            hurt(battle, model.id, model.track, rule, because)
    things = tuple(default)
    if not things:
        return
    spots = yield PlaceThings(
        battle.table[things[0]].side,
        f"Place {', '.join(things)}",
        topic="put down",
        about=things,
        things=things,
        where={"": region},
        together=TOGETHER,
        faces=False,
        rules=(region.rule, ORDER),
        default=default,
    )
    for name in things:
        start = battle.table[name].place
        battle.happens(Moved(ThingId(name), start, spots[name].where, manner="forced", rule=rule, because=because))


def fortitude_test(battle: Battle, due: Due) -> Procedure[None]:
    """A squad hurt at close quarters and below half of what it had tests its nerve, or fails by choice.

    dropzone.fortitude.test                 a failure abandons the building, if it still stands, and drops what it holds
    dropzone.fortitude.voluntary-failure
    """
    squad = battle.table[due.target]
    models = battle.table.members(squad.id)
    left = sum(model.track - model.harm for model in models)
    if not models or 2 * left >= squad.count("damage points"):
        return
    gives_up = yield Confirm(
        squad.side,
        f"Let {squad.label} fail its Fortitude Test?",
        topic="fortitude",
        about=(squad.id,),
        yes="It fails without a roll",
        no="Roll",
        rules=(VOLUNTARY,),
    )
    if not gives_up:
        fell = battle.dice.total("d6")
        needs = squad.count("fortitude")
        passed = fell.natural >= needs and fell.natural > 1
        n = battle.happens(
            Rolled(
                "fortitude",
                squad.id,
                fell.dice,
                fell.faces,
                fell.natural,
                total=fell.natural,
                needs=needs,
                needs_parts=(ExplainedPart("Fortitude", needs, FORTITUDE),),
                margin=fell.natural - needs,
                outcome="passed" if passed else "failed",
                rule=FORTITUDE,
                because=due.because,
            )
        )
        if passed:
            return
    else:
        n = due.because
    trapped = [model for model in models if isinstance(model.place, In)]
    if stands(battle.table) and trapped:
        yield from put_down(battle, trapped, around(), RUNNING_AWAY, n)
    drop(battle, squad.id, n)


def drop(battle: Battle, squad: str, because: int) -> None:
    """A squad drops every Objective it carries, where one of its units stands."""
    carried = [t for t in battle.table.of_kind("marker") if t.place == In(squad)]
    models = [model for model in battle.table.members(squad) if isinstance(model.place, At)]
    for thing in carried:
        where = models[0].place if models else Off("lost")
        battle.happens(Placed(thing.id, where, rule=DROPPING, because=because))
