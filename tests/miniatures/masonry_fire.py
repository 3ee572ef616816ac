"""Shooting, and close quarters inside a building: declared for the whole squad, then one step a weapon."""

from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Harm, HarmNoted, Rolled
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import RuleId, ThingId
from sandtable.engine.questions import Allocate, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT
from sandtable.engine.state import Settle, Step
from sandtable.engine.table import Table, Thing
from tests.miniatures.masonry_ground import BLOCK, EDGES, in_reach, inside, near_the_building, other, sees, slot, stands
from tests.miniatures.masonry_harm import AFTER_SHOOTING, NATURAL, ROLL_TO_DAMAGE, damage_needs, roll_damage

CQ_ONLY = RuleId("dropzone.garrisons.close-quarters-only")
CQ_AUTOMATIC = RuleId("dropzone.garrisons.automatic-hits")
STORMING = RuleId("dropzone.garrisons.storming-penalty")
DECLARE = RuleId("dropzone.shooting.declare-before-rolling")
ROLL_TO_HIT = RuleId("dropzone.shooting.roll-to-hit")
AT_SCENERY = RuleId("dropzone.shooting.shooting-at-scenery")
MODIFIERS = RuleId("dropzone.shooting.accuracy-modifiers")
IN_RANGE = RuleId("dropzone.shooting.target-in-arc-and-range")


class Weapon(NamedTuple):
    """A weapon every unit of a squad carries."""

    shots: int
    accuracy: int
    energy: int
    reach: int


RIFLES, GUN, CLOSE_ASSAULT = Weapon(2, 4, 3, 24 * UNIT), Weapon(3, 3, 5, 24 * UNIT), Weapon(2, 0, 3, 0)


class FireWeapon(Step, frozen=True):
    """One weapon of a volley; its damage is noted until the whole squad has fired."""

    model: str
    target: str


class CloseQuarters(Step, frozen=True):
    squad: str
    target: str
    units: int


def targets(table: Table, model: Thing) -> list[ThingId]:
    """What a unit may shoot at: enemies it sees in range, and the building."""
    weapon = _weapon(model)
    enemies = [m for m in table.of_kind("model") if m.side != model.side and not m.gone]
    seen = [e.id for e in enemies if in_reach(model, e, weapon.reach) and sees(table, model, e)]
    if stands(table) and not slot(model) and near_the_building(model, weapon.reach):
        seen.append(ThingId(BLOCK))
    return seen


def declare_shots(battle: Battle, squad: Thing, models: list[Thing]) -> Procedure[None]:
    """Every weapon of the squad gets its target before any die is rolled."""
    allowed = {model.id: tuple(targets(battle.table, model)) for model in models}
    able = {model: targets for model, targets in allowed.items() if targets}
    bins = dict.fromkeys(target for targets in able.values() for target in targets)
    chosen: dict[str, str] = yield Allocate(
        squad.side,
        f"{squad.label}: each weapon at what?",
        topic="shots",
        about=(squad.id,),
        items=tuple(Option(model, f"the weapon of {model}") for model in able),
        bins=tuple(Option(target, rules=(IN_RANGE,)) for target in bins),
        allowed={str(model): open_to for model, open_to in able.items()},
        all_items=False,
        rules=(DECLARE,),
        default={},
    )
    for model, target in chosen.items():
        battle.happens(Declared(model, "shoot", (target,), rule=DECLARE))
    battle.push(*(FireWeapon(model, target) for model, target in chosen.items()), Settle(AFTER_SHOOTING))


def fire_weapon(battle: Battle, model: str, target: str) -> Procedure[None]:
    """One weapon: roll to hit, roll to damage, and note the damage until the squad has fired.

    dropzone.shooting.shooting-at-scenery    hit on 2+, whatever the Accuracy
    """
    shooter, aimed = battle.table[model], battle.table[target]
    weapon = _weapon(shooter)
    parts = _hit_needs(weapon, aimed)
    needs = sum(part.value for part in parts)
    fell = battle.dice.successes(weapon.shots, needs)
    n = battle.happens(
        Rolled(
            "to hit",
            model,
            fell.dice,
            fell.faces,
            fell.natural,
            total=fell.natural,
            needs=needs,
            needs_parts=parts,
            outcome=f"{fell.natural} hits on {aimed.label}",
            rule=ROLL_TO_HIT,
        )
    )
    if fell.natural:
        points, n = roll_damage(battle, "to damage", model, fell.natural, weapon.energy, aimed, n)
        if points:
            harm = Harm("shots", points)
            battle.note(HarmNoted(target, harm, AFTER_SHOOTING, rule=ROLL_TO_DAMAGE, because=n))
    yield from ()


def declare_close_quarters(battle: Battle, squad: Thing, models: list[Thing]) -> Procedure[None]:
    """Close Quarters weapons go at squads inside the same building."""
    enemies = dict.fromkeys(model.unit for model in inside(battle.table, other(battle.table, squad.side)))
    chosen: dict[str, str] = yield Allocate(
        squad.side,
        f"{squad.label}: Close Quarters weapons at which squads?",
        topic="close quarters",
        about=(squad.id,),
        items=tuple(Option(model.id, f"the close assault of {model.id}") for model in models if slot(model)),
        bins=tuple(Option(enemy, rules=(CQ_ONLY,)) for enemy in enemies),
        all_items=False,
        rules=(CQ_ONLY, DECLARE),
        default={},
    )
    aimed = [(enemy, sum(target == enemy for target in chosen.values())) for enemy in enemies]
    for enemy, units in aimed:
        if units:
            battle.happens(Declared(squad.id, "close quarters", (enemy,), tuple(chosen), rule=CQ_ONLY))
    steps = [CloseQuarters(squad.id, enemy, units) for enemy, units in aimed if units]
    battle.push(*steps, Settle(AFTER_SHOOTING))


def close_quarters(battle: Battle, step: CloseQuarters) -> Procedure[None]:
    """Automatic hits; who stormed in rolls its successes again.

    dropzone.garrisons.automatic-hits
    dropzone.garrisons.storming-penalty
    """
    models = battle.table.members(step.target)
    hits = step.units * CLOSE_ASSAULT.shots
    needs = damage_needs(CLOSE_ASSAULT.energy, models[0].count("armour"))
    rolls, again = hits, 0
    rules = (CQ_AUTOMATIC, STORMING) if battle.table[step.squad].has("stormed") else (CQ_AUTOMATIC,)
    n = 0
    for rule in rules:
        if not rolls:
            break
        fell = battle.dice.successes(rolls, sum(part.value for part in needs))
        rolls = fell.natural
        n = battle.happens(
            Rolled(
                "close quarters damage",
                step.squad,
                fell.dice,
                fell.faces,
                rolls,
                total=rolls,
                needs=sum(part.value for part in needs),
                needs_parts=needs,
                outcome=f"{rolls} succeed",
                replaces=again,
                rule=rule,
                because=n,
            )
        )
        again = n
    if rolls:
        harm = Harm("close quarters", rolls)
        battle.note(HarmNoted(step.target, harm, AFTER_SHOOTING, rule=rules[-1], because=n))
    yield from ()


def _weapon(model: Thing) -> Weapon:
    return RIFLES if model.card == "infantry" else GUN


def _hit_needs(weapon: Weapon, target: Thing) -> tuple[ExplainedPart, ...]:
    """What a die must show to hit: the Accuracy, 2 against scenery; soft cover in the building; a 6 always hits."""
    if target.id == BLOCK:
        return (ExplainedPart("scenery", 2, AT_SCENERY),)
    parts = [ExplainedPart("Accuracy", weapon.accuracy, ROLL_TO_HIT)]
    if slot(target) in EDGES:
        parts.append(ExplainedPart("soft cover", 2, MODIFIERS))
    over = sum(part.value for part in parts) - 6
    if over > 0:
        parts.append(ExplainedPart("a 6 always hits", -over, NATURAL))
    return tuple(parts)
