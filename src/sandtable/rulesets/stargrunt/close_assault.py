"""Close assault: nerve on both sides, the charge, final defensive fire, and rounds of fighting figure against figure.

Every stage is a step. Who faces whom, who is down and how many casualties an assault has cost so far are state.
"""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    Counted,
    Declared,
    Forfeited,
    Harm,
    HarmApplied,
    ModelLost,
    Rolled,
    StateChanged,
)
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import Allocate, ChooseOne, ChooseSeveral, Option, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import center_gap
from sandtable.forces.data import Data
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt import _assault_moves as moves
from sandtable.rulesets.stargrunt import fire
from sandtable.rulesets.stargrunt._chapter import Action, Activate, Chapter, Outcome
from sandtable.rulesets.stargrunt.confidence import (
    REACTION_THREATS,
    confidence_test,
    drop,
    panic_test,
    reaction_test,
    suppress,
    terrifies,
)
from sandtable.rulesets.stargrunt.cover import LEAVING, in_cover, sees
from sandtable.rulesets.stargrunt.dice import LADDER, OPEN, agree, also, open_shifted, plain_roll, shifted
from sandtable.rulesets.stargrunt.forces import kit, squad
from sandtable.rulesets.stargrunt.movement import COMBAT, mobility_die, note_left_behind
from sandtable.rulesets.stargrunt.units import (
    BASE,
    BROKEN,
    DEAD,
    LOSS_OF_LEADER,
    NOBODY_FIT,
    QUALITY,
    ROUTED,
    WOUNDED,
    at_worst,
    confidence,
    enemies,
    fit,
    in_power_armour,
    is_fit,
    leader,
    points,
    quality_die,
    replace_leader,
    spot,
    standing,
)

SEQUENCE = rule("stargrunt.close-assault.sequence")
ATTACKER_TEST = rule("stargrunt.close-assault.attacker-test")
TARGET = rule("stargrunt.close-assault.target")
DEFENDER_TEST = rule("stargrunt.close-assault.defender-test")
BROKEN_DEFENDERS = rule("stargrunt.close-assault.broken-defenders")
VOLUNTARY = rule("stargrunt.close-assault.voluntary-withdrawal")
FINAL_FIRE = rule("stargrunt.close-assault.final-defensive-fire")
FINAL_FIRE_EFFECT = fire.FINAL_FIRE_EFFECT
SHORT_TWICE = rule("stargrunt.close-assault.falling-short-twice")
PAIRING = rule("stargrunt.close-assault.pairing-off")
COMBAT_ROLL = rule("stargrunt.close-assault.combat-roll")
FROM_COVER = rule("stargrunt.close-assault.defending-from-cover")
DOWNED = rule("stargrunt.close-assault.downed-figures")
CAPTURED = rule("stargrunt.close-assault.captured")
ROUND_END = rule("stargrunt.close-assault.round-end-test")
FURTHER = rule("stargrunt.close-assault.further-rounds")
AFTER = rule("stargrunt.close-assault.after-victory")
TERROR = rule("stargrunt.close-assault.terror")
WEAPONS = rule("stargrunt.weapons.close-combat-weapons")
LOST_ACTION = rule("stargrunt.actions.failed-test-loses-the-action")

CASUALTIES = fire.ASSAULT_CASUALTIES
agree("what a shotgun adds", COMBAT_ROLL.number("shifts", "shotgun"), WEAPONS.number("shotgun"))
agree("what a flamer adds", COMBAT_ROLL.number("shifts", "flamer"), WEAPONS.number("flamer"))
agree("what a blade adds", COMBAT_ROLL.number("shifts", "close_combat_weapon"), WEAPONS.number("edged"))
agree("what a pistol adds", WEAPONS.number("pistol"), WEAPONS.number("machine_pistol"), WEAPONS.number("edged"))


for _shown in COMBAT_ROLL.items("illustrations"):
    _mine, _theirs = QUALITY.number("veteran"), QUALITY.number(_shown.text_at("opponents"))
    _over = LADDER.index(_mine) + WEAPONS.number("flamer") - (len(LADDER) - 1)
    agree("the excess of the example", _over, _shown.number("excess_shift_on_opponents"))
    _dice = open_shifted(_mine, WEAPONS.number("flamer"), _theirs)
    agree("the dice of the example", _dice, (_shown.number("die"), _shown.number("opponents_die")))
    agree("a doubled score", 2 * _shown.number("roll"), _shown.number("score"))


class Stand(Step, frozen=True):
    """The attackers have passed their test: do the defenders stand?"""

    attacker: str
    defender: str


class Charge(Step, frozen=True):
    """The attackers move to contact; the second time they know where they started."""

    attacker: str
    defender: str
    begun: dict[str, Point] = {}


class FinalFire(Step, frozen=True):
    """The attackers have stopped short: the defenders may fire."""

    attacker: str
    defender: str
    begun: dict[str, Point]


class UnderFire(Step, frozen=True):
    """Final defensive fire has been made: do the attackers go on?"""

    attacker: str
    defender: str
    begun: dict[str, Point]


class PairOff(Step, frozen=True):
    """Who fights whom in a round."""

    attacker: str
    defender: str
    round: int


class Fight(Step, frozen=True):
    """A round of fighting."""

    attacker: str
    defender: str
    round: int


class RoundEnd(Step, frozen=True):
    """The tests after a round."""

    attacker: str
    defender: str
    round: int


class Aftermath(Step, frozen=True):
    """The assault is over; a loser that fell back leaves its downed figures to the winner."""

    winner: str
    loser: str


def up(table: Table, unit: str) -> list[Thing]:
    """The figures of a unit that are still standing in an assault."""
    return [one for one in standing(table, unit) if not one.has("down")]


# Pure questions ----------------------------------------------------------------------------------------------------


def targets(table: Table, unit: Thing) -> list[Option]:
    """The enemy units that may be assaulted: in sight, or in the same wood or building."""
    if at_worst(unit, BROKEN):
        return []
    return [
        Option(foe.id, foe.label, (foe.id,), (TARGET.id,))
        for foe in enemies(table, unit.side)
        if may_reach(table, unit, foe) and (sees(table, unit.id, foe.id) or moves.same_shelter(table, unit.id, foe.id))
    ]


def may_reach(table: Table, unit: Thing, foe: Thing) -> bool:
    """Whether two combat moves could take a unit to another at all, over clear ground."""
    far = 2 * 2 * mobility_die(unit) * UNIT + BASE.size
    return any(center_gap(a, b) <= far * far for a in points(table, unit.id) for b in points(table, foe.id))


def weight(figures: Sequence[Thing]) -> int:
    """How many figures count for the odds; Power Armour counts as two."""
    double = DEFENDER_TEST.number("power_armour_weight")
    return sum(double if in_power_armour(one) else 1 for one in figures)


def odds(attackers: int, defenders: int) -> int:
    """The odds as a Threat Level: rounded down, and never less than even.

    >>> odds(6, 4), odds(8, 4), odds(12, 4), odds(3, 8)
    (1, 2, 3, 1)
    """
    return max(1, attackers // defenders)


for _shown in DEFENDER_TEST.items("illustrations"):
    _double = DEFENDER_TEST.number("power_armour_weight") if _shown.has("power_armour") else 1
    _odds = odds(_shown.number("attackers") * _double, _shown.number("defenders"))
    agree("the odds of the examples", _odds, _shown.number("threat"))


def weapon_shift(figure: Thing) -> ExplainedPart:
    """The shift of a figure's best close combat weapon (stargrunt.weapons.close-combat-weapons)."""
    arm = kit(figure).small_arm
    kinds = WEAPONS.names("small_arm_kind")
    kind = WEAPONS.text_at("small_arm_kind", arm if arm in kinds else "other")
    every = (kind, *squad(figure).close_combat)
    best = max(every, key=WEAPONS.number)
    return ExplainedPart(best.replace("_", " "), WEAPONS.number(best), WEAPONS.id)


def combat_dice(
    table: Table, figure: Thing, opponents: Sequence[Thing], covered: bool
) -> tuple[int, list[ExplainedPart]]:
    """The die a figure fights with: Quality, its weapon, cover at first, and what its opponents have over D12.

    stargrunt.close-assault.combat-roll            weapon shifts are open
    stargrunt.close-assault.defending-from-cover   one closed shift
    """
    base = quality_die(table[figure.unit])
    weapon = weapon_shift(figure)
    die, _ = open_shifted(base, weapon.value, LADDER[0])
    parts = [ExplainedPart(f"Quality D{base}", base, QUALITY.id), weapon]
    if covered:
        cover = FROM_COVER.number("shift")
        die = shifted(die, cover)
        parts.append(ExplainedPart("defending from cover", cover, FROM_COVER.id))
    for one in opponents:
        theirs = quality_die(table[one.unit])
        over = LADDER.index(theirs) + weapon_shift(one).value - (len(LADDER) - 1)
        if over > 0:
            die = shifted(die, -over)
            parts.append(ExplainedPart(f"against {weapon_shift(one).label}", -over, OPEN.id))
    return die, parts


# The attackers' and the defenders' nerve ----------------------------------------------------------------------------


def declare(battle: Battle, unit: Thing) -> Procedure[bool]:
    """Name the target and test the attackers' nerve; whether the assault goes on.

    stargrunt.close-assault.sequence         attackers In Position must first get out of it
    stargrunt.close-assault.attacker-test    a failed test loses the first action only
    """
    chosen = yield ChooseOne(
        unit.side,
        f"{unit.label} assaults whom?",
        topic="assault",
        about=(unit.id,),
        options=tuple(targets(battle.table, unit)),
        rules=(TARGET.id, SEQUENCE.id),
    )
    n = battle.happens(Declared(unit.id, "close assault", (chosen,), rule=TARGET.id, detail=also(SEQUENCE)))
    if unit.has("in position"):
        part = ExplainedPart("out of position", REACTION_THREATS.number("move_from_position"), LEAVING.id)
        roll = reaction_test(battle, unit.id, "moving out of position", (part,), n)
        if not roll.passed:
            return False
        battle.happens(StateChanged(unit.id, "in position", 1, None, rule=LEAVING.id, because=roll.n))
    level = confidence(unit)
    part = ExplainedPart(f"assaulting while {level}", ATTACKER_TEST.number(level), ATTACKER_TEST.id)
    roll = reaction_test(battle, unit.id, "assaulting", (part,), n)
    if roll.passed:
        battle.push(Stand(unit.id, chosen))
    return roll.passed


def stand(battle: Battle, step: Stand) -> Procedure[None]:
    """The defenders test their Confidence, and if they pass may still choose to go.

    stargrunt.close-assault.terror                  panic first, and double the Threat Level
    stargrunt.close-assault.broken-defenders        no test: they rout and withdraw
    stargrunt.close-assault.voluntary-withdrawal    the same distance, without losing Confidence
    """
    table, defender = battle.table, battle.table[step.defender]
    if terrifies(table[step.attacker]):
        panic_test(battle, defender.id, "first_attacked_by_terror")
    if at_worst(defender, BROKEN):
        n = battle.happens(Declared(defender.id, "withdraw", rule=BROKEN_DEFENDERS.id))
        if not at_worst(defender, ROUTED):
            drop(battle, defender.id, 1, BROKEN_DEFENDERS, n)
        yield from give_way(battle, step)
        return
    level = odds(weight(standing(table, step.attacker)), weight(standing(table, defender.id)))
    parts = [ExplainedPart(f"odds {level}:1", level, DEFENDER_TEST.id)]
    if terrifies(table[step.attacker]):
        parts.append(ExplainedPart("terror", level * (DEFENDER_TEST.number("terror_multiplier") - 1), TERROR.id))
    if not confidence_test(battle, defender.id, tuple(parts), 0):
        yield from give_way(battle, step)
        return
    if not table[defender.id].has("panicked"):
        stands = yield ChooseOne(
            defender.side,
            f"{defender.label}: stand or withdraw?",
            topic="stand",
            about=(defender.id, step.attacker),
            options=(
                Option("stand", "Stand", rules=(SEQUENCE.id,)),
                Option("withdraw", "Withdraw", rules=(VOLUNTARY.id,)),
            ),
            rules=(VOLUNTARY.id,),
            default="stand",
        )
        if stands == "withdraw":
            yield from give_way(battle, step)
            return
    battle.push(Charge(step.attacker, step.defender))


def give_way(battle: Battle, step: Stand) -> Procedure[None]:
    """The defenders go; the attackers may take their place, up to the combat move they roll."""
    place = points(battle.table, step.defender)
    moves.withdraw(battle, step.defender, step.attacker, farther=True)
    attacker = battle.table[step.attacker]
    follows = yield ChooseOne(
        attacker.side,
        "Take the place that was left?",
        topic="follow",
        about=(attacker.id,),
        options=(Option("stay", "Stay"), Option("follow", "Take their place")),
        rules=(VOLUNTARY.id,),
        default="stay",
    )
    if follows == "follow":
        score, n = plain_roll(battle, "combat move", attacker.id, f"d{mobility_die(attacker)}", COMBAT)
        moves.advance(battle, attacker, place, 2 * score * UNIT, n)


# The charge --------------------------------------------------------------------------------------------------------


def charge(battle: Battle, step: Charge) -> Procedure[None]:
    """Roll the combat move; contact with one figure is enough, and the second time short they stay or go back.

    stargrunt.close-assault.combat-move             all within reach move into contact, or as near as they can
    stargrunt.close-assault.falling-short-twice     then they stay or withdraw
    """
    attacker = battle.table[step.attacker]
    begun = step.begun or {one.id: spot(one) for one in standing(battle.table, attacker.id)}
    score, n = plain_roll(battle, "combat move", attacker.id, f"d{mobility_die(attacker)}", COMBAT)
    moves.close_in(battle, attacker, step.defender, 2 * score * UNIT, n)
    note_left_behind(battle, attacker.id)
    if moves.in_contact(battle.table, attacker.id, step.defender):
        battle.push(PairOff(attacker.id, step.defender, 1))
    elif not step.begun:
        battle.push(FinalFire(attacker.id, step.defender, begun))
    else:
        stays = yield ChooseOne(
            attacker.side,
            "Short again: stay, or go back?",
            topic="short",
            about=(attacker.id,),
            options=(Option("stay", "Stay"), Option("go-back", "Go back")),
            rules=(SHORT_TWICE.id,),
            default="stay",
        )
        if stays == "go-back":
            moves.go_back(battle, attacker.id, begun, SHORT_TWICE)
        clear_up(battle, attacker.id, step.defender)


def final_fire(battle: Battle, step: FinalFire) -> Procedure[None]:
    """The defenders may make one fire action; suppressed ones must pass a reaction test first.

    stargrunt.close-assault.final-defensive-fire    also if they have been activated; the weapons count as fired
    """
    table, defender, attacker = battle.table, battle.table[step.defender], battle.table[step.attacker]
    able = not defender.has("panicked") and fire.refused_small(table, defender, attacker) is None
    if able:
        fires = yield ChooseOne(
            defender.side,
            f"{defender.label}: final defensive fire?",
            topic="final-fire",
            about=(defender.id, attacker.id),
            options=(Option("fire", "Fire"), Option("hold", "Hold fire")),
            rules=(FINAL_FIRE.id,),
            default="hold",
        )
        able = fires == "fire"
    markers = defender.count("suppression")
    if able and markers:
        part = ExplainedPart("suppression markers", markers, FINAL_FIRE.id)
        able = reaction_test(battle, defender.id, "final defensive fire", (part,)).passed
    if not able:
        battle.push(Charge(attacker.id, defender.id, step.begun))
        return
    joining: tuple[str, ...] = ()
    weapons = [one for one in fire.supports(table, defender) if fire.support_refused(defender, one) is None]
    if weapons:
        joining = yield ChooseSeveral(
            defender.side,
            "Which support weapons join?",
            topic="final-weapons",
            about=(defender.id, attacker.id),
            options=tuple(Option(one.id, one.label, (one.id,)) for one in weapons),
            rules=(FINAL_FIRE.id, fire.ADDING.id),
            default=(),
        )
    battle.push(
        fire.FireAction(defender.id, attacker.id, True, tuple(joining), assault=True),
        UnderFire(attacker.id, defender.id, step.begun),
    )


def under_fire(battle: Battle, step: UnderFire) -> Procedure[None]:
    """Casualties make the attackers test before their second move; failed, they go back suppressed.

    stargrunt.close-assault.final-defensive-fire-effect    +1 for each casualty; no suppression by itself
    """
    attacker = battle.table[step.attacker]
    if not fit(battle.table, attacker.id):
        clear_up(battle, step.attacker, step.defender)
        return
    hurt = attacker.count(CASUALTIES)
    if hurt:
        each = FINAL_FIRE_EFFECT.number("threat_per_casualty")
        part = ExplainedPart("casualties", hurt * each, FINAL_FIRE_EFFECT.id)
        roll = reaction_test(battle, attacker.id, "going on", (part,))
        if not roll.passed:
            where = yield ChooseOne(
                attacker.side,
                "Back to where they started, or to the nearest cover?",
                topic="back",
                about=(attacker.id,),
                options=(Option("start", "Where they started"), Option("cover", "The nearest cover")),
                rules=(FINAL_FIRE_EFFECT.id,),
                default="start",
            )
            if where == "cover":
                moves.to_cover(battle, attacker.id, FINAL_FIRE_EFFECT)
            else:
                moves.go_back(battle, attacker.id, step.begun, FINAL_FIRE_EFFECT)
            suppress(battle, attacker.id, FINAL_FIRE_EFFECT, roll.n)
            clear_up(battle, attacker.id, step.defender)
            return
    battle.push(Charge(attacker.id, step.defender, step.begun))


# Rounds ------------------------------------------------------------------------------------------------------------


def pair_off(battle: Battle, step: PairOff) -> Procedure[None]:
    """The side with more figures puts one against each enemy; the other assigns the surplus as it likes."""
    table = battle.table
    sides = (step.attacker, step.defender)
    more, fewer = sides if len(up(table, sides[0])) >= len(up(table, sides[1])) else sides[::-1]
    many, few = up(table, more), up(table, fewer)
    bins = tuple(Option(one.id, one.label, (one.id,)) for one in few)
    one_each = {one.id: 1 for one in few}
    faces: dict[str, str] = yield Allocate(
        table[more].side,
        f"Round {step.round}: one of {table[more].label} against each of {table[fewer].label}",
        topic="pair-off",
        about=sides,
        items=tuple(Option(one.id, one.label, (one.id,)) for one in many),
        bins=bins,
        bin_least=one_each,
        bin_most=one_each,
        all_items=False,
        default={mine.id: theirs.id for mine, theirs in zip(many, few, strict=False)},
        rules=(PAIRING.id, FURTHER.id) if step.round > 1 else (PAIRING.id,),
    )
    surplus = [one for one in many if one.id not in faces]
    if surplus:
        others: dict[str, str] = yield Allocate(
            table[fewer].side,
            f"Round {step.round}: whom do the others of {table[more].label} face?",
            topic="surplus",
            about=sides,
            items=tuple(Option(one.id, one.label, (one.id,)) for one in surplus),
            bins=bins,
            default={one.id: few[n % len(few)].id for n, one in enumerate(surplus)},
            rules=(PAIRING.id,),
        )
        faces = {**faces, **others}
    for one in many:
        battle.happens(StateChanged(one.id, "faces", None, faces[one.id], "end of round", rule=PAIRING.id))
    battle.push(Fight(step.attacker, step.defender, step.round))


def fight(battle: Battle, step: Fight) -> Procedure[None]:
    """Every figure rolls once and is compared with each it faces; whoever loses to any is down."""
    yield from ()
    table = battle.table
    facing = [one for unit in (step.attacker, step.defender) for one in up(table, unit) if one.has("faces")]
    first = step.round in FROM_COVER.numbers("rounds")
    defender = table[step.defender]
    covered = first and (defender.has("in position") or in_cover(table, defender))
    down: dict[str, int] = {}
    for faced in dict.fromkeys(str(one.value("faces")) for one in facing):
        against = [one for one in facing if one.value("faces") == faced]
        score, n = combat_roll(battle, table[faced], against, covered and table[faced].unit == step.defender, 0)
        for one in against:
            cover = covered and one.unit == step.defender
            theirs, m = combat_roll(battle, one, [table[faced]], cover, n, score)
            if theirs > score:
                down.setdefault(faced, m)
            elif theirs < score:
                down[one.id] = m
    for name, n in down.items():
        battle.happens(StateChanged(name, "down", None, 1, rule=DOWNED.id, because=n))
    for unit in (step.attacker, step.defender):
        lost = [name for name in down if table[name].unit == unit]
        if lost:
            count_casualties(battle, unit, len(lost), down[lost[0]])
    for one in facing:
        battle.happens(StateChanged(one.id, "faces", one.value("faces"), None, rule=PAIRING.id))
    battle.push(RoundEnd(step.attacker, step.defender, step.round))


def combat_roll(
    battle: Battle, one: Thing, opponents: Sequence[Thing], covered: bool, because: int, against: int | None = None
) -> tuple[int, int]:
    """One figure's close combat roll; Power Armour doubles its score."""
    die, parts = combat_dice(battle.table, one, opponents, covered)
    fell = battle.dice.total(f"d{die}")
    doubled = (ExplainedPart("Power Armour", fell.natural, COMBAT_ROLL.id),) if in_power_armour(one) else ()
    score = fell.natural + sum(part.value for part in doubled)
    outcome = ""
    if against is not None:
        outcome = "wins" if score > against else "loses" if score < against else "both fight on"
    n = battle.happens(
        Rolled(
            *("close combat", one.id, fell.dice, fell.faces, fell.natural, doubled, score),
            outcome=outcome,
            dice_parts=tuple(parts),
            rule=COMBAT_ROLL.id,
            because=because,
        )
    )
    return score, n


def round_end(battle: Battle, step: RoundEnd) -> Procedure[None]:
    """Who has suffered most tests first, then the other; whoever fails falls back.

    stargrunt.close-assault.round-end-test    on equal casualties the defender tests first
    stargrunt.close-assault.further-rounds    both hold: another round, among the figures still standing
    """
    yield from ()
    table = battle.table
    attacker, defender = table[step.attacker], table[step.defender]
    order = (defender, attacker)
    if attacker.count(CASUALTIES) > defender.count(CASUALTIES):
        order = (attacker, defender)
    for unit, winner in (order, order[::-1]):
        if not up(table, unit.id):
            battle.push(Aftermath(winner.id, unit.id))
            return
    for unit, winner in (order, order[::-1]):
        each = ROUND_END.number("threat_per_casualty")
        part = ExplainedPart("casualties in this assault", table[unit.id].count(CASUALTIES) * each, ROUND_END.id)
        if not confidence_test(battle, unit.id, (part,), 0):
            moves.withdraw(battle, unit.id, winner.id, farther=False)
            battle.push(Aftermath(winner.id, unit.id))
            return
    battle.push(PairOff(step.attacker, step.defender, step.round + 1))


def aftermath(battle: Battle, step: Aftermath) -> Procedure[None]:
    """Roll for every figure that is down; the loser's that live are taken prisoner; lost leaders are replaced.

    stargrunt.close-assault.downed-figures    1-2 dead, 3-4 wounded, 5-6 on their feet again
    stargrunt.close-assault.captured          what is left behind becomes the winner's prisoners
    stargrunt.close-assault.after-victory     a lost leader is replaced, with a suppression marker
    """
    for one in [t for unit in (step.winner, step.loser) for t in battle.table.members(unit) if t.has("down")]:
        _fate(battle, one, captured=one.unit == step.loser)
    for unit in (step.winner, step.loser):
        led_by = leader(battle.table, unit)
        if led_by is not None and not is_fit(led_by) and fit(battle.table, unit):
            suppress(battle, unit, LOSS_OF_LEADER, 0)
            yield from replace_leader(battle, unit, 0)
        if not fit(battle.table, unit) and not battle.table[unit].has("destroyed"):
            battle.happens(StateChanged(unit, "destroyed", None, 1, rule=NOBODY_FIT.id))
    clear_up(battle, step.winner, step.loser)


def _fate(battle: Battle, one: Thing, *, captured: bool) -> None:
    fell = battle.dice.total("d6")
    fate = next(word for word in ("dead", "wounded", "ok") if fell.natural in DOWNED.numbers(word))
    outcome = "captured" if captured and fate != "dead" else "stunned" if fate == "ok" else fate
    why = CAPTURED if outcome == "captured" else DOWNED
    n = battle.happens(
        Rolled(
            *("downed", one.id, fell.dice, fell.faces, fell.natural),
            total=fell.natural,
            outcome=outcome,
            rule=why.id,
            detail=also(DOWNED),
        )
    )
    battle.happens(StateChanged(one.id, "down", 1, None, rule=DOWNED.id, because=n))
    if outcome == "wounded":
        battle.happens(HarmApplied(one.id, Harm("wounded", WOUNDED), one.harm, WOUNDED, rule=DOWNED.id, because=n))
    elif outcome == "dead":
        battle.happens(HarmApplied(one.id, Harm("killed", DEAD), one.harm, DEAD, rule=DOWNED.id, because=n))
        battle.happens(ModelLost(one.id, "killed", rule=DOWNED.id, because=n))
    elif outcome == "captured":
        battle.happens(ModelLost(one.id, "captured", rule=CAPTURED.id, because=n))


def count_casualties(battle: Battle, unit: str, more: int, because: int) -> None:
    """Casualties of an assault add up until it is over."""
    so_far = battle.table[unit].count(CASUALTIES)
    battle.happens(Counted(unit, CASUALTIES, so_far, so_far + more, rule=ROUND_END.id, because=because))


def clear_up(battle: Battle, *over: str) -> None:
    """The assault is over, and its casualties are counted no more."""
    for unit in over:
        suffered = battle.table[unit].count(CASUALTIES)
        if suffered:
            battle.happens(Counted(unit, CASUALTIES, suffered, 0, rule=AFTER.id))


# What the chapter brings -------------------------------------------------------------------------------------------


def _assaults(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """An assault takes the whole activation; a failed test loses the first action only."""
    goes_on = yield from declare(battle, unit)
    if goes_on:
        return Outcome()
    battle.happens(Forfeited(unit.id, "close assault", rule=LOST_ACTION.id))
    return Outcome(spent=1, again=False)


def _nobody_to_assault(table: Table, unit: Thing) -> Refusal | None:
    if at_worst(unit, BROKEN):
        return Refusal(ATTACKER_TEST.id, f"{unit.label} is in no state to assault anybody.")
    if not targets(table, unit):
        return Refusal(TARGET.id, "There is no enemy in sight to assault.")
    return None


def _combat_die(table: Table, asked: Data) -> object:
    figure, foe = table[asked.text_at("of")], table[asked.text_at("against")]
    return combat_dice(table, figure, [foe], covered=False)[0]


CHAPTER = Chapter(
    actions=(
        Action(
            id="assault",
            entry="close_assault",
            label="Close assault",
            rule=ATTACKER_TEST,
            carry_out=_assaults,
            refused=_nobody_to_assault,
        ),
    ),
    steps={
        Stand: stand,
        Charge: charge,
        FinalFire: final_fire,
        UnderFire: under_fire,
        PairOff: pair_off,
        Fight: fight,
        RoundEnd: round_end,
        Aftermath: aftermath,
    },
    answers={
        "assault": "whom a unit assaults",
        "stand": "stand or withdraw",
        "follow": "follow, to take the place the defenders left, or stay",
        "final-fire": "fire or hold",
        "final-weapons": "the figures whose support weapons join final defensive fire",
        "back": "start or cover: where attackers go back to",
        "short": "stay or go-back, when the attackers fall short again",
        "pair-off": "who faces whom, {A1: B1}",
        "surplus": "whom the surplus figures face",
    },
    values={"combat-die": _combat_die},
)
