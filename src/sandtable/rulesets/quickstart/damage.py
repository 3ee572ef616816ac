"""Damage: penetration, the damage tables, Step 8, pilot checks, critical damage, wrecks and mission kills."""

from collections.abc import Callable, Sequence

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Harm, HarmApplied, HarmNoted, ModelLost
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import PieceId, ThingId
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Due
from sandtable.engine.table import Piece, Table, Thing
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.rulesets.cav.concepts import outline
from sandtable.rulesets.cav.damage import PilotChecks, Shaken, noted_damage
from sandtable.rulesets.cav.damage import Row as CavRow
from sandtable.rulesets.cav.damage import note_row as note
from sandtable.rulesets.cav.dice import target
from sandtable.rulesets.quickstart.attributes import AS_PRINTED, RAVAGE, REINFORCED, SMART, smart_rav
from sandtable.rulesets.quickstart.datacard import (
    ARMOR_VALUE,
    CRITICAL_MOVEMENT,
    CRITICAL_TABLE,
    DAMAGE_TRACK,
    RANGED_ASSAULT_VALUE,
    TRACK_RUNS_OUT,
    Weapon,
    armor,
    is_cav,
    is_infantry,
    ranged_assault_value,
    rating,
    stats,
)
from sandtable.rulesets.quickstart.dice import DICE, plain_roll
from sandtable.rulesets.quickstart.movement.moves import locked_with
from sandtable.rulesets.quickstart.sight import in_open
from sandtable.rulesets.quickstart.state_names import CountName, StateName, Until
from sandtable.rulesets.quickstart.states import UNSTEADY, note_immobility, receive
from sandtable.tabletop.chapters import Chapter, HarmProcedure
from sandtable.tabletop.modifiers import Modifier, always, parts
from sandtable.tabletop.states import give, take

PENETRATION = rule("quickstart.damage.penetration")
INDEX = rule("quickstart.damage.damage-index")
RANGED_TABLE = rule("quickstart.damage.ranged-damage-table")
CLOSE_COMBAT_TABLE = rule("quickstart.close-combat.damage")
APPLYING = rule("quickstart.damage.applying-damage")
EFFECTS = rule("quickstart.damage.effects-after-damage")
PERMANENT = rule("quickstart.damage.critical-damage-permanent")
PILOT_CHECK = rule("quickstart.damage.pilot-check")
ONE_PILOT_CHECK = rule("quickstart.damage.one-pilot-check")

STALEMATE = rule("quickstart.setup.stalemate")

#: What is counted on the battle itself: whether anything was harmed this turn.
BATTLE, HARM_THIS_TURN = "battle", "harm this turn"

#: When noted harm of a Combat Action takes effect.
STEP_8 = "step 8"

_ORDER = APPLYING.texts("order")
_BREEDER_DAMAGED = CRITICAL_TABLE.number("results", 3, "action_points")
#: Kinds of noted harm by their place in Step 8.
STAGE: dict[str, int] = {
    "damage": _ORDER.index("apply_damage_points"),
    "critical damage": _ORDER.index("critical_damage_rolls"),
    "pilot check": _ORDER.index("pilot_checks"),
    "state": _ORDER.index("place_states"),
}
#: Critical results that are counted: what they are called on the table.
COUNTED_CRITICALS: dict[int, str] = {
    3: "breeder damaged",
    4: CountName.LEGS_CRIPPLED,
    5: CountName.LEGS_DAMAGED,
    9: CountName.WEAPONS_DAMAGED,
    10: CountName.TARGETING_DAMAGED,
    11: CountName.WEAPONS_CRIPPLED,
}


class Row(CavRow, frozen=True):
    """A row of a damage table; of close combat also what the loser takes, or both."""

    damage_loser: int = 0
    damage_both: int = 0


def _rows(source: Rule) -> tuple[Row, ...]:
    """The rows 0, 1, 2 … of a table; the last holds for all that is higher."""
    rows = [data.read(Row) for data in source.table("table").values()]
    same_number(
        f"the rows of {source.title}", source.names("table"), (*map(str, range(len(rows) - 1)), f"{len(rows) - 1}+")
    )
    return tuple(rows)


RANGED_ROWS = _rows(RANGED_TABLE)
CLOSE_COMBAT_ROWS = _rows(CLOSE_COMBAT_TABLE)


class Hit(msgspec.Struct, frozen=True):
    """What decides how far a hit goes through."""

    margin: int
    weapon: Weapon
    victim: Thing
    smart: str
    rav: int


def _smart(option: str) -> Callable[[Hit], int]:
    """What SMART changes of the RAV of a hit that was fired so."""
    return lambda s: smart_rav(option, s.rav) - s.rav if s.smart == option else 0


#: What a hit comes to: its margin and RAV less armor.
PENETRATING: tuple[Modifier[Hit], ...] = (
    Modifier(PENETRATION, "margin of success", lambda s: s.margin, when=always),
    Modifier(RANGED_ASSAULT_VALUE, lambda s: f"RAV of the {s.weapon.name}", lambda s: s.rav, when=always),
    *(Modifier(source, f"SMART, {option}", _smart(option)) for option, source in SMART.items()),
    Modifier(ARMOR_VALUE, "armor", lambda s: -armor(s.victim), when=always),
)


def penetrates(margin: int, shooter: Thing, weapon: Weapon, victim: Thing, smart: str = AS_PRINTED) -> Explanation:
    """How far a hit exceeds the armor: margin of success and RAV less armor value. Below 0 it is deflected.

    quickstart.damage.penetration    margin + RAV against armor, equal or greater penetrates
    quickstart.damage.damage-index   the excess over armor is the row of the table
    """
    rav = ranged_assault_value(shooter, weapon, victim)
    return explain("excess", *parts(PENETRATING, "excess", Hit(margin, weapon, victim, smart, rav)))


def reinforced_row(index: int, victim: Thing, least: int = 0) -> int:
    """The row after SA Reinforced: lower by its rating, never below the least (quickstart.attributes.reinforced)."""
    per_level = REINFORCED.number("mos_reduction_per_rating")
    return max(least, REINFORCED.number("minimum"), index - per_level * rating(victim, "reinforced"))


def ranged_index(excess: Explanation, victim: Thing) -> Explanation:
    """The row that a penetrating hit is read in: the excess over armor, less SA Reinforced."""
    lowered = reinforced_row(excess.total, victim) - excess.total
    reinforced = (ExplainedPart("reinforced", lowered, REINFORCED.id),) if lowered else ()
    return explain("row", *excess.parts, *reinforced)


def ranged_row(index: int) -> Row:
    """What a row of the ranged table does; the last holds for all that is higher."""
    return RANGED_ROWS[min(index, len(RANGED_ROWS) - 1)]


def close_combat_row(margin: int, loser: Thing) -> Row:
    """What a lost close combat does; a won assault is never read below row 1 (quickstart.close-combat.damage)."""
    return CLOSE_COMBAT_ROWS[min(reinforced_row(margin, loser, 1), len(CLOSE_COMBAT_ROWS) - 1)]


def note_row(
    battle: Battle, victim: str, row: Row, source: Rule, because: int, *, points: int | None = None, factor: int = 1
) -> None:
    """Note what a row of a damage table does, for Step 8."""
    amount = (row.damage if points is None else points) * factor
    note(battle, victim, row, amount, lambda kind: STEP_8, source, because, walks=is_cav(battle.table[victim]))


def next_in_step_8(entries: Sequence[Due]) -> Due:
    """Damage points first, then criticals, pilot checks and states; within a stage the first caused."""
    return min(entries, key=lambda due: (STAGE[due.harm.what], due.id))


def _unless_gone(does: Callable[[Battle, Due], None]) -> HarmProcedure:
    """Let one noted harm take effect; a destroyed model makes no further rolls."""

    def carry_out(battle: Battle, due: Due) -> Procedure[None]:
        yield from ()
        if not battle.table[due.target].gone:
            does(battle, due)

    return carry_out


def disturb(battle: Battle, because: int) -> None:
    """A turn in which a model is harmed or lost is not quiet (quickstart.setup.stalemate)."""
    kept = battle.table.things.get(BATTLE)
    if kept is None or not kept.count(HARM_THIS_TURN):
        battle.happens(Counted(BATTLE, HARM_THIS_TURN, 0, 1, rule=STALEMATE.id, because=because))


def take_damage(battle: Battle, victim: ThingId, points: int, *, because: int = 0, why: Rule | None = None) -> None:
    """Move a model along its damage track; destroyed when its last noted point takes it past the last column.

    quickstart.datacard.damage-track                     one column a point
    quickstart.datacard.destroyed-when-track-runs-out    more points than columns left
    """
    thing = battle.table[victim]
    after = min(thing.track, thing.harm + points)
    cause = why or APPLYING
    harm, detail = Harm("damage", points), citing(DAMAGE_TRACK)
    n = battle.happens(HarmApplied(victim, harm, thing.harm, after, rule=cause.id, because=because, detail=detail))
    disturb(battle, n)
    if after >= thing.track and not noted_damage(battle.state.due, victim):
        destroy(battle, victim, because=n)
    else:
        note_immobility(battle, victim, n)


def destroy(
    battle: Battle, victim: ThingId, *, because: int = 0, why: Rule | None = None, how: str = "destroyed"
) -> None:
    """Take a model out of play; all but infantry leave a wreck (quickstart.movement.wreck)."""
    thing = battle.table[victim]
    wreck = None
    if not is_infantry(thing) and thing.on_table:
        wreck = Piece(PieceId(battle.new_id("wreck")), "wreck", outline(thing), label=f"wreck of {thing.label}")
    leave_play(battle, victim, how, (why or TRACK_RUNS_OUT), because, wreck)


def leave_play(
    battle: Battle, victim: ThingId, how: str, why: Rule, because: int = 0, wreck: Piece | None = None
) -> None:
    """A model is out of play: what others held against it ends."""
    n = battle.happens(ModelLost(victim, how, wreck, rule=why.id, because=because))
    disturb(battle, n)
    for other in list(battle.table.of_kind("model")):
        if other.value(StateName.TARGET_LOCK) == victim:
            take(battle, other.id, StateName.TARGET_LOCK, rule("quickstart.shooting.target-lock-duration"), n)
        if victim in locked_with(other):
            unlock(battle, other.id, victim, n)


def unlock(battle: Battle, model: str, other: str, because: int = 0) -> None:
    """A model is no longer locked in close combat with another."""
    held = locked_with(battle.table[model])
    left = tuple(one for one in held if one != other)
    locked = rule("quickstart.close-combat.locked")
    give(battle, model, StateName.LOCKED, locked, left or None, until=Until.IT_BREAKS_AWAY, because=because)


#: What changes a pilot check.
PILOT_MODIFIERS: tuple[Modifier[Shaken], ...] = (
    Modifier(ONE_PILOT_CHECK, "pilot check", lambda s: s.worst),
    Modifier(PILOT_CHECK, "quad CAV", PILOT_CHECK.number("quad_cav_sm"), when=lambda s: stats(s.model).quad),
    *UNSTEADY,
)
_KEEPS_ITS_FEET = target(PILOT_CHECK.number("target_point"), "pilot check", PILOT_CHECK)

#: quickstart.damage.pilot-check        6+; a failure knocks it down, a natural 2 costs a point as well
#: quickstart.damage.one-pilot-check    several results, one check with the worst modifier called for
PILOT_CHECKS = PilotChecks(
    dice=DICE,
    rule=PILOT_CHECK,
    needs=lambda model, called: _KEEPS_ITS_FEET,
    modifiers=PILOT_MODIFIERS,
    falls=lambda battle, model, n: receive(battle, model, PILOT_CHECK.text_at("failure"), why=PILOT_CHECK, because=n),
    breaks=lambda battle, model, n: take_damage(battle, model, 1, because=n, why=PILOT_CHECK),
)


def critical_damage(battle: Battle, victim: ThingId, because: int = 0) -> None:
    """Roll on the critical damage table; most of it is permanent and adds up.

    quickstart.damage.critical-damage-table        2d6, no modifiers
    quickstart.damage.critical-damage-permanent    the same result again adds its effect again
    """
    roll = plain_roll(
        battle, "critical damage", victim, CRITICAL_TABLE.text_at("roll"), CRITICAL_TABLE, because=because
    )
    disturb(battle, because)
    result = CRITICAL_TABLE.at("results", roll)
    if result.has("model_destroyed"):
        destroy(battle, victim, because=because, why=CRITICAL_TABLE, how="crew killed")
        return
    for state in result.texts("states") if result.has("states") else ():
        harm = Harm("state", 0, {"state": state})
        battle.note(HarmNoted(victim, harm, STEP_8, rule=CRITICAL_TABLE.id, because=because))
    name = COUNTED_CRITICALS.get(roll)
    if name:
        before = battle.table[victim].count(name)
        why = CRITICAL_MOVEMENT if name in (CountName.LEGS_CRIPPLED, CountName.LEGS_DAMAGED) else PERMANENT
        n = battle.happens(Counted(victim, name, before, before + 1, rule=why.id, because=because))
        if result.has("action_points"):
            lose_action_points(battle, victim, -result.number("action_points"), n)
        note_immobility(battle, victim, n)


def lose_action_points(battle: Battle, victim: str, points: int, because: int) -> None:
    """Action points not yet spent are lost with the breeder (quickstart.damage.critical-damage-permanent)."""
    left = battle.table[victim].count(CountName.AP)
    battle.happens(Counted(victim, CountName.AP, left, max(0, left - points), rule=PERMANENT.id, because=because))


def most_action_points(model: Thing) -> int:
    """The action points of a turn: the card's, less what critical damage took for good."""
    points, damaged = stats(model).action_points, model.counts.get("breeder damaged", 0)
    return max(0, points + _BREEDER_DAMAGED * damaged) if damaged else points


def damage_factor(table: Table, weapon: Weapon, victim: Thing) -> int:
    """SA Ravage doubles damage to infantry in open or paved terrain (quickstart.attributes.ravage)."""
    if weapon.has("ravage") and is_infantry(victim) and in_open(table, victim):
        return RAVAGE.number("infantry_in_open_or_paved_damage_multiplier")
    return 1


CHAPTER = Chapter(
    harms={
        "damage": _unless_gone(
            lambda battle, due: take_damage(battle, due.target, due.harm.amount, because=due.because)
        ),
        "critical damage": _unless_gone(lambda battle, due: critical_damage(battle, due.target, due.because)),
        "pilot check": _unless_gone(PILOT_CHECKS.make),
        "state": _unless_gone(
            lambda battle, due: receive(
                battle, due.target, str(due.harm.detail["state"]), why=EFFECTS, because=due.because
            )
        ),
    },
    counts={name: f"how often critical damage {roll} was rolled" for roll, name in COUNTED_CRITICALS.items()},
)
