"""Damage: penetration, the Combat Damage Table, criticals, and the fixed order at the end of an activation."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Detail, Harm, HarmApplied, HarmNoted, ModelLost
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import PieceId, ThingId
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Due, Settle, Step
from sandtable.engine.table import Piece, Thing
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.rulesets.cav.concepts import outline
from sandtable.rulesets.cav.damage import (
    CRITICAL_DAMAGE,
    DAMAGE,
    PILOT_CHECK,
    STATE,
    PilotChecks,
    Row,
    Shaken,
    note_row,
)
from sandtable.rulesets.cav.dice import NATURAL_FUMBLE, target
from sandtable.rulesets.cav.movement import WRECK
from sandtable.rulesets.strikeops.attributes import REINFORCED, SMART
from sandtable.rulesets.strikeops.changes import PILOT as PILOT_ROW
from sandtable.rulesets.strikeops.changes import changes
from sandtable.rulesets.strikeops.command import INSPIRED_DIE, before_imposed
from sandtable.rulesets.strikeops.datacard import (
    ARMOR_VALUE,
    RANGED_VALUE,
    TRACK,
    Weapon,
    armor,
    experience,
    is_cav,
    is_quad,
    rating,
    rav,
)
from sandtable.rulesets.strikeops.dice import DICE, EXPERIENCE
from sandtable.rulesets.strikeops.state_names import CountName, StateName, Until
from sandtable.rulesets.strikeops.states import UNSTEADY, is_down, receive
from sandtable.rulesets.strikeops.terrain import RUBBLE_LEVEL, WRECKS
from sandtable.tabletop.chapters import Chapter, HarmProcedure
from sandtable.tabletop.modifiers import Modifier, always, parts
from sandtable.tabletop.states import give, take

PENETRATION = rule("strikeops.damage.penetration")
TABLE = rule("strikeops.damage.combat-damage-table")
AT_THE_END = rule("strikeops.damage.applied-at-end-of-activation")
ORDER = rule("strikeops.damage.end-of-activation-order")
DAMAGE_TRACK = rule("strikeops.damage.damage-track")
OUT_OF_ACTION = rule("strikeops.damage.out-of-action-models")
OUTRIGHT = rule("strikeops.damage.destroyed-outright")
SURPLUS = rule("strikeops.damage.surplus-attacks-are-lost")
CRITICALS = rule("strikeops.damage.critical-damage")
CUMULATIVE = rule("strikeops.damage.criticals-are-cumulative")
CRITICAL_TABLE = rule("strikeops.damage.critical-table")
BREEDER = rule("strikeops.damage.breeder-criticals")
DRIVE = rule("strikeops.damage.drive-criticals")
KNOCKED_DOWN = rule("strikeops.damage.knocked-down-and-stunned")
WEAPON_CRITICALS = rule("strikeops.damage.weapon-criticals")
TARGETING = rule("strikeops.damage.targeting-destroyed")
COCKPIT = rule("strikeops.damage.cockpit-breached")
PILOT = rule("strikeops.damage.pilot-check")
ONE_CHECK = rule("strikeops.damage.one-pilot-check")
QUAD = rule("strikeops.damage.quad-stability")
FAILED = rule("strikeops.damage.failed-pilot-check")
CHECK_FUMBLE = rule("strikeops.damage.pilot-check-fumble")

#: The moments at which noted harm takes effect: model by model points and criticals, then its pilot check; then states.
HARM, CHECKS, STATES_BEGIN = "damage", "pilot checks", "states begin"
_MOMENT = {DAMAGE: HARM, CRITICAL_DAMAGE: HARM, PILOT_CHECK: CHECKS, STATE: STATES_BEGIN}
#: The same of an attack whose harm takes effect at once.
AT_ONCE = {moment: f"{moment} at once" for moment in (HARM, CHECKS, STATES_BEGIN)}
#: What is noted with a Pilot Check: the experience of the crew.
_CREW = "experience"
#: What a stomp notes: its target is destroyed at the end of the activation.
STOMP, STOMPED = rule("strikeops.movement.stomp"), "stomp"
_ORDER = ORDER.texts("per_model")
same_number("points come before criticals", _ORDER.index("damage") < _ORDER.index("criticals"), True)
same_number("criticals come before out of action", _ORDER.index("criticals") < _ORDER.index("out_of_action"), True)
same_number("pilot checks come last", _ORDER[-1], "pilot_check")
same_number("a natural that costs a point", CHECK_FUMBLE.number("natural"), NATURAL_FUMBLE)


def _read_row(data: Rule, n: int) -> Row:
    row = data.at("rows", n)
    return Row(
        damage=row.number("damage"),
        pilot_check=row.number("pilot_check") if row.has("pilot_check") else None,
        states=(StateName.SUPPRESSED,) if row.has("suppressed") else (),
        critical_damage_roll=row.has("critical_damage_roll"),
    )


def _rows() -> tuple[Row, ...]:
    """The rows 0, 1, 2 … of the table; the last holds for all that is higher."""
    found: list[Row] = []
    for n, data in enumerate(TABLE.items("rows")):
        row = _read_row(TABLE, n)
        last = n == len(TABLE.items("rows")) - 1
        indices = (int(data.text_at("index").rstrip("+")),) if last else data.numbers("index")
        same_number("the rows of the Combat Damage Table", indices, tuple(range(len(found), len(found) + len(indices))))
        found += [row] * len(indices)
    same_number("the row of criticals", CRITICALS.number("row"), len(found) - 1)
    return tuple(found)


ROWS = _rows()


class Hit(msgspec.Struct, frozen=True):
    """What decides how far a hit goes through."""

    margin: int
    weapon: Weapon
    victim: Thing
    rav: int
    stronger: int = 0  # what SMART changes of it


#: What a hit comes to: its margin and RAV less armor (strikeops.damage.penetration).
PENETRATING: tuple[Modifier[Hit], ...] = (
    Modifier(PENETRATION, "margin of success", lambda s: s.margin, when=always),
    Modifier(RANGED_VALUE, lambda s: f"RAV of the {s.weapon.name}", lambda s: s.rav, when=always),
    Modifier(SMART, "SMART", lambda s: max(-s.rav, s.stronger)),
    Modifier(ARMOR_VALUE, "armor", lambda s: -armor(s.victim), when=always),
)


def penetrates(margin: int, shooter: Thing, weapon: Weapon, victim: Thing, stronger: int = 0) -> Explanation | None:
    """How far a hit exceeds the armor; below 0 it is deflected, and none where the RAV against such targets is NA."""
    strength = rav(shooter, weapon, victim)
    if strength is None:
        return None
    return explain("excess", *parts(PENETRATING, "excess", Hit(margin, weapon, victim, strength, stronger)))


def row_index(excess: Explanation, victim: Thing) -> Explanation:
    """The row a damaging hit is read in: lowered by Reinforced, not below 0 (strikeops.attributes.reinforced)."""
    least = REINFORCED.number("minimum_result")
    lowered = max(least, excess.total + REINFORCED.number("damage_result_per_level") * rating(victim, "reinforced"))
    changed = min(0, lowered - excess.total)
    return explain("row", *excess.parts, *((ExplainedPart("reinforced", changed, REINFORCED.id),) if changed else ()))


def row(index: int) -> Row:
    """What a row of the table does; the last holds for all that is higher."""
    return ROWS[min(index, len(ROWS) - 1)]


def row_of_hit(margin: int, shooter: Thing, weapon: Weapon, victim: Thing, stronger: int = 0) -> Row | None:
    """What a hit comes to: a row of the table, or nothing."""
    excess = penetrates(margin, shooter, weapon, victim, stronger)
    return None if excess is None or excess.total < 0 else row(row_index(excess, victim).total)


def note_hit(battle: Battle, victim: str, hit: Row, factor: int, because: int, now: bool = False) -> None:
    """Note what a hit does, until the end of the activation (strikeops.damage.applied-at-end-of-activation).

    strikeops.damage.critical-damage    the attacker rolls on the Critical Damage Table when the hit is resolved
    """
    thing = battle.table[victim]
    walks = is_cav(thing)
    plain = msgspec.structs.replace(hit, critical_damage_roll=False)

    def moment(kind: str) -> str:
        return AT_ONCE[_MOMENT[kind]] if now else _MOMENT[kind]

    crew: Detail = {} if now else {_CREW: experience(thing)}
    note_row(battle, victim, plain, hit.damage * factor, moment, TABLE, because, walks=walks, check=crew)
    if hit.critical_damage_roll:
        fell = DICE.plain_roll(
            battle,
            CRITICAL_DAMAGE,
            victim,
            CRITICALS.text_at("roll"),
            CRITICAL_TABLE,
            because=because,
            ends=critical_result,
        )
        harm = Harm(CRITICAL_DAMAGE, fell)
        battle.note(HarmNoted(victim, harm, moment(CRITICAL_DAMAGE), rule=CRITICALS.id, because=because))


def note_state(battle: Battle, victim: str, state: str, source: Rule, because: int, now: bool = False) -> None:
    """Note a state that begins at the end of the activation, or at once."""
    moment = AT_ONCE[STATES_BEGIN] if now else STATES_BEGIN
    battle.note(HarmNoted(victim, Harm(STATE, 0, {"state": state}), moment, rule=source.id, because=because))


def note_point(battle: Battle, victim: str, source: Rule, because: int, points: int) -> None:
    """Note damage points that come without a hit."""
    battle.note(HarmNoted(victim, Harm(DAMAGE, points), HARM, rule=source.id, because=because))


# The end of an activation ---------------------------------------------------------------------------------------


class JudgeModel(Step, frozen=True):
    """A model has taken its points and criticals: is it out of action, or destroyed?"""

    model: ThingId
    before: int  # the points it had when the activation began
    goes_on: bool = False  # more may come in the same activation, for this took effect at once


def _harm_before(battle: Battle, model: str) -> int:
    """The points that a model had when the activation began, as far as it matters: none, or some."""
    thing = battle.table[model]
    return 0 if thing.has(StateName.UNHARMED_BEFORE) else thing.harm


def settling(battle: Battle) -> tuple[Step, ...]:
    """The steps in which noted harm takes effect: model by model, in the order in which they were first harmed.

    strikeops.damage.end-of-activation-order    points, criticals, out of action, pilot check; states last
    """
    steps: list[Step] = []
    for name in dict.fromkeys(due.target for due in battle.state.due if due.moment != STATES_BEGIN):
        steps += [Settle(HARM, name), JudgeModel(name, _harm_before(battle, name)), Settle(CHECKS, name)]
    return tuple(steps)


def settling_at_once(battle: Battle, model: ThingId) -> tuple[Step, ...]:
    """The steps in which the harm of an interrupting attack takes effect: in the same order, states included."""
    judged = JudgeModel(model, _harm_before(battle, model), goes_on=True)
    now = {moment: Settle(when, model) for moment, when in AT_ONCE.items()}
    return (now[HARM], judged, now[CHECKS], now[STATES_BEGIN])


def next_due(entries: Sequence[Due]) -> Due:
    """Points before criticals; else the first caused."""
    return min(entries, key=lambda due: (due.harm.what != DAMAGE, due.id))


def take_damage(battle: Battle, victim: ThingId, points: int, why: Rule, because: int = 0) -> None:
    """Move a model along its damage track; what is more than the track is lost (strikeops.damage.damage-track)."""
    thing = battle.table[victim]
    after = min(thing.track, thing.harm + points)
    detail = citing(TRACK, DAMAGE_TRACK)
    harm = Harm(DAMAGE, points)
    n = battle.happens(HarmApplied(victim, harm, thing.harm, after, rule=why.id, because=because, detail=detail))
    if thing.has(StateName.OUT_OF_ACTION):
        destroy(battle, victim, OUT_OF_ACTION, n)


def judge_model(battle: Battle, step: JudgeModel) -> Procedure[None]:
    """See whether a model is out of action, or destroyed.

    strikeops.damage.damage-track           out of action with more points than tracks
    strikeops.damage.destroyed-outright     from unharmed to that in one activation it is destroyed
    """
    yield from ()
    fall(battle, step.model, step.before)
    thing = battle.table[step.model]
    matters = step.goes_on or thing.harm + CHECK_FUMBLE.number("points") >= thing.track
    if step.before == 0 and thing.harm and matters and in_play(thing) and not thing.has(StateName.UNHARMED_BEFORE):
        give(battle, step.model, StateName.UNHARMED_BEFORE, OUTRIGHT, until=Until.END_OF_ACTIVATION)


def fall(battle: Battle, model: ThingId, before: int, because: int = 0) -> None:
    """A model with no track left is out of action, or destroyed if it was unharmed before."""
    thing = battle.table[model]
    if thing.gone or thing.has(StateName.OUT_OF_ACTION) or thing.harm < thing.track:
        return
    if before == 0:
        destroy(battle, model, OUTRIGHT, because)
    else:
        put_out_of_action(battle, model, OUT_OF_ACTION, because)


#: What somebody who acts no more was doing until then.
_ENDED = (
    StateName.TARGET_LOCK,
    StateName.DOUBLE_TIME,
    StateName.OVERWATCH,
    StateName.SUPPRESSED,
    StateName.STUNNED,
)


def put_out_of_action(battle: Battle, model: str, why: Rule, because: int = 0) -> None:
    """A model stays where it is and cannot activate any more.

    strikeops.damage.out-of-action-models    nobody moves through it; one more point destroys it
    """
    lies_there(battle, model, StateName.OUT_OF_ACTION, why, because)


def lies_there(battle: Battle, model: str, state: StateName, why: Rule, because: int = 0) -> None:
    """A model is out of action, or abandoned: for good it counts as Stationary, and does nothing it did until then."""
    n = give(battle, model, state, why, until=Until.GAME, because=because)
    for ended in _ENDED:
        take(battle, model, ended, why, n)
    if not battle.table[model].has(StateName.STATIONARY):
        give(battle, model, StateName.STATIONARY, why, until=Until.GAME, because=n)


def destroy(battle: Battle, model: ThingId, why: Rule, because: int = 0) -> None:
    """Take a model out of play; it leaves a wreck (strikeops.damage.wrecks)."""
    thing = battle.table[model]
    label = f"wreck of {thing.label}"
    wreck = Piece(PieceId(battle.new_id("wreck")), WRECK, outline(thing), RUBBLE_LEVEL, label=label)
    leave_play(battle, model, "destroyed", why, because, wreck)


def leave_play(
    battle: Battle, model: ThingId, how: str, why: Rule, because: int = 0, wreck: Piece | None = None
) -> None:
    """A model is out of play: locks on it end."""
    detail = citing(WRECKS) if wreck is not None else {}
    n = battle.happens(ModelLost(model, how, wreck, rule=why.id, because=because, detail=detail))
    for other in list(battle.table.of_kind("model")):
        if other.value(StateName.TARGET_LOCK) == model:
            take(battle, other.id, StateName.TARGET_LOCK, LOCK, n)


LOCK = rule("strikeops.actions.target-lock")


def in_play(model: Thing) -> bool:
    """Whether a model can still fight: on the board, neither out of action nor abandoned."""
    return model.on_table and not model.has(StateName.OUT_OF_ACTION) and not model.has(StateName.ABANDONED)


# Criticals --------------------------------------------------------------------------------------------------------


class Critical(NamedTuple):
    """A row of the Critical Damage Table: what is counted, the states it brings, and the rule of it."""

    rule: Rule
    counts: str = ""
    states: tuple[str, ...] = ()
    out_of_action: bool = False


_DOWN = Critical(KNOCKED_DOWN, states=(StateName.KNOCKDOWN, StateName.STUNNED))
#: By what the table calls its results.
_RESULTS: dict[str, Critical] = {
    "breeder destroyed": Critical(BREEDER, CountName.BREEDER_DESTROYED),
    "breeder damaged": Critical(BREEDER, CountName.BREEDER_DAMAGED),
    "leg or drive system crippled": Critical(DRIVE, CountName.DRIVE_CRIPPLED),
    "leg or drive system damaged": Critical(DRIVE, CountName.DRIVE_DAMAGED),
    "knocked down and stunned": _DOWN,
    "weapon systems damaged": Critical(WEAPON_CRITICALS, CountName.WEAPONS_DAMAGED),
    "weapon systems crippled": Critical(WEAPON_CRITICALS, CountName.WEAPONS_CRIPPLED),
    "targeting systems destroyed": Critical(TARGETING, CountName.TARGETING_DESTROYED),
    "cockpit or crew compartment breached": Critical(COCKPIT, out_of_action=True),
}


def critical_result(fell: int) -> str:
    """What the Critical Damage Table calls the result of a roll of 2d6."""
    return CRITICAL_TABLE.text_at(str(fell), "result")


def critical_damage(battle: Battle, due: Due) -> None:
    """A critical takes effect; the same again adds up (strikeops.damage.criticals-are-cumulative).

    strikeops.damage.breeder-criticals         AP not yet spent are lost; a destroyed breeder leaves none, for good
    strikeops.damage.knocked-down-and-stunned  Knockdown at once, so that it makes no Pilot Check
    strikeops.damage.cockpit-breached          out of action whatever its damage
    """
    victim, result = due.target, _RESULTS[critical_result(due.harm.amount)]
    if result.counts:
        before = battle.table[victim].count(result.counts)
        detail = citing(CUMULATIVE)
        told = Counted(
            victim, result.counts, before, before + 1, rule=result.rule.id, because=due.because, detail=detail
        )
        battle.happens(told)
    if result.counts in (CountName.BREEDER_DAMAGED, CountName.BREEDER_DESTROYED):
        lose_action_points(battle, victim, due.because)
    if StateName.KNOCKDOWN in result.states:
        receive(battle, victim, StateName.KNOCKDOWN, why=result.rule, because=due.because)
        note_state(battle, victim, StateName.STUNNED, result.rule, due.because, due.moment == AT_ONCE[HARM])
    if result.out_of_action:
        put_out_of_action(battle, victim, result.rule, due.because)


def most_action_points(model: Thing, points: int) -> int:
    """The action points of a turn, less what critical damage took for good."""
    if model.count(CountName.BREEDER_DESTROYED):
        return BREEDER.number("destroyed", "ap")
    return max(0, points + BREEDER.number("damaged", "ap") * model.count(CountName.BREEDER_DAMAGED))


def lose_action_points(battle: Battle, victim: str, because: int) -> None:
    """AP not yet spent this turn are lost with the breeder; one of a destroyed breeder stands still for good."""
    thing = battle.table[victim]
    left = thing.count(CountName.AP)
    one_less = max(0, left + BREEDER.number("damaged", "ap"))
    after = BREEDER.number("destroyed", "ap") if thing.count(CountName.BREEDER_DESTROYED) else one_less
    if after != left:
        battle.happens(Counted(victim, CountName.AP, left, after, rule=BREEDER.id, because=because))
    if thing.count(CountName.BREEDER_DESTROYED):
        give(battle, victim, BREEDER.text_at("destroyed", "state"), BREEDER, until=Until.GAME, because=because)


# Pilot checks -----------------------------------------------------------------------------------------------------

#: What changes a Pilot Check.
PILOT_MODIFIERS: tuple[Modifier[Shaken], ...] = (
    Modifier(ONE_CHECK, "pilot check", lambda s: s.worst),
    Modifier(QUAD, "four legs", QUAD.number("sm"), when=lambda s: is_quad(s.model)),
    *changes(PILOT_ROW),
    *UNSTEADY,
)


def _shaken(battle: Battle, model: ThingId, because: int) -> None:
    take_damage(battle, model, CHECK_FUMBLE.number("points"), CHECK_FUMBLE, because)
    fall(battle, model, _harm_before(battle, model), because)


def _needs(model: Thing, called: Sequence[Due]) -> Explanation:
    """The experience of the column in use when the hit was made, for the damage itself has taken effect by now.

    strikeops.damage.pilot-check    where damage takes effect at once, so does its column
    """
    noted = called[-1].harm.detail.get(_CREW)
    return target(noted if isinstance(noted, int) else experience(model), "experience", EXPERIENCE)


#: An Experience Roll; a failure knocks the CAV down, a natural 2 costs a point as well.
PILOT_CHECKS = PilotChecks(
    dice=DICE,
    rule=PILOT,
    needs=_needs,
    modifiers=PILOT_MODIFIERS,
    falls=lambda battle, model, n: receive(battle, model, StateName.KNOCKDOWN, why=FAILED, because=n),
    breaks=_shaken,
)


def pilot_check(battle: Battle, due: Due) -> Procedure[None]:
    """One check a model; a CAV that lies already makes none (strikeops.damage.pilot-check)."""
    thing = battle.table[due.target]
    if is_down(thing) or thing.gone or thing.has(StateName.OUT_OF_ACTION):
        return
    called = PILOT_CHECKS.called(battle, due)
    inspired = yield from before_imposed(battle, due.target, lambda: PILOT_CHECKS.check(thing, called))
    PILOT_CHECKS.make(battle, due, INSPIRED_DIE if inspired else None)


def _unless_beaten(does: Callable[[Battle, Due], None], beaten: bool = False) -> HarmProcedure:
    """Let one noted harm take effect; on one that is out of action only points do."""

    def carry_out(battle: Battle, due: Due) -> Procedure[None]:
        yield from ()
        thing = battle.table[due.target]
        if not thing.gone and (beaten or not thing.has(StateName.OUT_OF_ACTION)):
            does(battle, due)

    return carry_out


CHAPTER = Chapter(
    steps={JudgeModel: judge_model},
    harms={
        DAMAGE: _unless_beaten(
            lambda battle, due: take_damage(battle, due.target, due.harm.amount, AT_THE_END, due.because), True
        ),
        CRITICAL_DAMAGE: _unless_beaten(critical_damage),
        STOMPED: _unless_beaten(lambda battle, due: destroy(battle, due.target, STOMP, due.because), True),
        PILOT_CHECK: pilot_check,
        STATE: _unless_beaten(
            lambda battle, due: receive(battle, due.target, str(due.harm.detail["state"]), because=due.because)
        ),
    },
    states={
        StateName.OUT_OF_ACTION: "it cannot activate any more; one more point destroys it",
        StateName.UNHARMED_BEFORE: "it was unharmed when this activation began",
    },
    counts={result.counts: f"how often: {name}" for name, result in _RESULTS.items() if result.counts},
)
