"""Rounds of a close assault: pairing off, fighting, the tests after each round, and the downed at the end.

Who faces whom and who is down are state, so that every round is a step of its own.
"""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Harm, HarmApplied, ModelLost, Rolled, StateChanged
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import Allocate, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Thing
from tests.miniatures.assault_ground import in_cover
from tests.miniatures.assault_ways import fall_back
from tests.miniatures.die_types import shifted
from tests.miniatures.figures import fit
from tests.miniatures.nerve import confidence_test

PAIRING = "stargrunt.close-assault.pairing-off"
COMBAT_ROLL = "stargrunt.close-assault.combat-roll"
FROM_COVER = "stargrunt.close-assault.defending-from-cover"
DOWNED = "stargrunt.close-assault.downed-figures"
CAPTURED = "stargrunt.close-assault.captured"
ROUND_END = "stargrunt.close-assault.round-end-test"
AFTER = "stargrunt.close-assault.after-victory"


class PairOff(Step, frozen=True):
    attacker: str
    defender: str
    round: int


class Fight(Step, frozen=True):
    attacker: str
    defender: str
    round: int


class RoundEnd(Step, frozen=True):
    attacker: str
    defender: str
    round: int


class Aftermath(Step, frozen=True):
    """The assault is over; a loser that fell back leaves its downed figures to the winner."""

    winner: str
    loser: str


def pair_off(battle: Battle, step: PairOff) -> Procedure[None]:
    """The side with more figures puts one against each enemy; the other assigns the surplus as it likes."""
    sides = (step.attacker, step.defender)
    more, fewer = sides if len(fit(battle.table, sides[0])) >= len(fit(battle.table, sides[1])) else sides[::-1]
    many, few = fit(battle.table, more), fit(battle.table, fewer)
    bins = tuple(Option(one.id) for one in few)
    faces: dict[str, str] = yield Allocate(
        battle.table[more].side,
        f"Round {step.round}: one of {more} against each of {fewer}",
        topic="pair off",
        about=sides,
        items=tuple(Option(one.id) for one in many),
        bins=bins,
        bin_least={one.id: 1 for one in few},
        bin_most={one.id: 1 for one in few},
        all_items=False,
        rules=(PAIRING,),
    )
    surplus = tuple(Option(one.id) for one in many if one.id not in faces)
    if surplus:
        others: dict[str, str] = yield Allocate(
            battle.table[fewer].side,
            f"Round {step.round}: whom do the others of {more} face?",
            topic="surplus",
            about=sides,
            items=surplus,
            bins=bins,
            rules=(PAIRING,),
        )
        faces = {**faces, **others}
    for one in many:
        until = "end of round"
        battle.happens(StateChanged(one.id, "faces", after=faces[one.id], until=until, rule=PAIRING))
    battle.push(Fight(step.attacker, step.defender, step.round))


def fight(battle: Battle, step: Fight) -> Procedure[None]:
    """Every figure rolls once and is compared with each it faces; whoever loses to any is down.

    stargrunt.close-assault.combat-roll
    stargrunt.close-assault.defending-from-cover    the first round only
    """
    table = battle.table
    facing = [one for unit in (step.attacker, step.defender) for one in fit(table, unit) if one.has("faces")]
    down: dict[str, int] = {}
    for faced in dict.fromkeys(str(one.value("faces")) for one in facing):
        score, n = combat_roll(battle, table[faced], step, 0)
        for one in facing:
            if one.value("faces") == faced:
                theirs, m = combat_roll(battle, one, step, n, score)
                if theirs > score:
                    down.setdefault(faced, m)
                elif theirs < score:
                    down[one.id] = m
    for one_id, n in down.items():
        battle.happens(StateChanged(one_id, "down", after=1, rule=DOWNED, because=n))
    for unit in (step.attacker, step.defender):
        lost = [one for one in down if table[one].unit == unit]
        if lost:
            count_casualties(battle, unit, len(lost), down[lost[0]])
    for one in facing:
        battle.happens(StateChanged(one.id, "faces", one.value("faces"), rule=PAIRING))
    battle.push(RoundEnd(step.attacker, step.defender, step.round))
    yield from ()


def combat_roll(battle: Battle, one: Thing, step: Fight, because: int, against: int | None = None) -> tuple[int, int]:
    """One figure's close combat roll."""
    unit = battle.table[one.unit]
    quality = unit.count("quality")
    parts = [ExplainedPart(f"D{quality}", 0, COMBAT_ROLL)]
    if step.round == 1 and unit.id == step.defender and in_cover(battle.table, unit):
        parts.append(ExplainedPart("defending from cover", 1, FROM_COVER))
    fell = battle.dice.total(f"d{shifted(quality, sum(part.value for part in parts))}")
    outcome = ""
    if against is not None:
        outcome = "wins" if fell.natural > against else "loses" if fell.natural < against else "both fight on"
    n = battle.happens(
        Rolled(
            "close combat",
            one.id,
            fell.dice,
            fell.faces,
            fell.natural,
            total=fell.natural,
            outcome=outcome,
            dice_parts=tuple(parts),
            rule=COMBAT_ROLL,
            because=because,
        )
    )
    return fell.natural, n


def round_end(battle: Battle, step: RoundEnd) -> Procedure[None]:
    """Who has suffered most tests first, then the other; whoever fails falls back.

    stargrunt.close-assault.round-end-test    on equal casualties the defender tests first
    stargrunt.close-assault.further-rounds    both hold: another round, among the figures still standing
    """
    attacker, defender = battle.table[step.attacker], battle.table[step.defender]
    order = (defender, attacker)
    if attacker.count("assault casualties") > defender.count("assault casualties"):
        order = (attacker, defender)
    for unit, winner in (order, order[::-1]):
        if not fit(battle.table, unit.id):
            battle.push(Aftermath(winner.id, unit.id))
            return
    for unit, winner in (order, order[::-1]):
        threat = ExplainedPart("casualties in this assault", unit.count("assault casualties"), ROUND_END)
        if not confidence_test(battle, unit, threat, ROUND_END, 0):
            yield from fall_back(battle, battle.table[unit.id], ROUND_END)
            battle.push(Aftermath(winner.id, unit.id))
            return
    battle.push(PairOff(step.attacker, step.defender, step.round + 1))


def aftermath(battle: Battle, winner: str, loser: str) -> Procedure[None]:
    """Roll for every figure that is down; the loser's that live are taken prisoner.

    stargrunt.close-assault.downed-figures    1-2 dead, 3-4 wounded, 5-6 on their feet again
    stargrunt.close-assault.captured          what is left behind becomes the winner's prisoners
    """
    for one in [t for u in (winner, loser) for t in battle.table.members(u) if t.has("down")]:
        fell = battle.dice.total("d6")
        fate = "dead" if fell.natural <= 2 else "wounded" if fell.natural <= 4 else "stunned"
        if one.unit == loser and fate != "dead":
            fate = "captured"
        rule = CAPTURED if fate == "captured" else DOWNED
        n = battle.happens(
            Rolled("downed", one.id, fell.dice, fell.faces, fell.natural, total=fell.natural, outcome=fate, rule=rule)
        )
        battle.happens(StateChanged(one.id, "down", 1, rule=DOWNED, because=n))
        if fate == "wounded":
            battle.happens(HarmApplied(one.id, Harm("wounded", 1), one.harm, 1, rule=DOWNED, because=n))
        elif fate != "stunned":
            battle.happens(ModelLost(one.id, fate, rule=rule, because=n))
    clear_up(battle, winner, loser)
    yield from ()


def count_casualties(battle: Battle, unit: str, more: int, because: int) -> None:
    """Casualties of an assault add up until it is over."""
    so_far = battle.table[unit].count("assault casualties")
    battle.happens(Counted(unit, "assault casualties", so_far, so_far + more, rule=ROUND_END, because=because))


def clear_up(battle: Battle, *over: str) -> None:
    """The assault is over, and its casualties are counted no more."""
    for unit in over:
        suffered = battle.table[unit].count("assault casualties")
        if suffered:
            battle.happens(Counted(unit, "assault casualties", suffered, 0, rule=AFTER))
