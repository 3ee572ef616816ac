"""The rounds of a close assault: who faces whom, the rolls, the tests after each round, and who is left lying."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    Counted,
    Harm,
    HarmApplied,
    ModelLost,
    Rolled,
    StateChanged,
)
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import Allocate, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Thing
from sandtable.rulesets.stargrunt import _assault_moves as moves
from sandtable.rulesets.stargrunt.close_assault import (
    AFTER,
    CAPTURED,
    CASUALTIES,
    COMBAT_ROLL,
    DOWNED,
    FROM_COVER,
    FURTHER,
    PAIRING,
    ROUND_END,
    Aftermath,
    Fight,
    PairOff,
    RoundEnd,
    combat_dice,
    up,
)
from sandtable.rulesets.stargrunt.confidence import (
    confidence_test,
    suppress,
)
from sandtable.rulesets.stargrunt.cover import in_cover
from sandtable.rulesets.stargrunt.dice import also
from sandtable.rulesets.stargrunt.units import (
    DEAD,
    LOSS_OF_LEADER,
    NOBODY_FIT,
    WOUNDED,
    fit,
    in_power_armour,
    is_fit,
    leader,
    replace_leader,
)

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
