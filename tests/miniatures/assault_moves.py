"""How a close assault comes to blows: whether they stand, whether they are reached, and their last fire."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, StateChanged
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import ChooseOne, ChooseSeveral, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import Point, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Thing
from tests.miniatures.assault_ground import in_contact, in_cover, range_parts
from tests.miniatures.assault_rounds import PairOff, clear_up, count_casualties
from tests.miniatures.assault_ways import combat_move, fall_back, go_back, mobility
from tests.miniatures.die_types import exceed
from tests.miniatures.figures import fit, spot, walk_on
from tests.miniatures.nerve import confidence_test, drop, leadership, level, suppress
from tests.miniatures.small_arms import Fired, fire, range_die

SEQUENCE = "stargrunt.close-assault.sequence"
COMBAT_MOVE = "stargrunt.close-assault.combat-move"
DEFENDER_TEST = "stargrunt.close-assault.defender-test"
BROKEN_DEFENDERS = "stargrunt.close-assault.broken-defenders"
VOLUNTARY = "stargrunt.close-assault.voluntary-withdrawal"
FINAL_FIRE = "stargrunt.close-assault.final-defensive-fire"
FINAL_FIRE_EFFECT = "stargrunt.close-assault.final-defensive-fire-effect"
SHORT_TWICE = "stargrunt.close-assault.falling-short-twice"
FIRE_LIMIT = "stargrunt.actions.fire-limit"


class Stand(Step, frozen=True):
    """The attackers have passed their test: do the defenders stand?"""

    attacker: str
    defender: str


class Charge(Step, frozen=True):
    """The attackers move to contact; the second time along what is left of the paths they named."""

    attacker: str
    defender: str
    begun: dict[str, Point] = {}
    paths: dict[str, Walk] = {}


class FinalFire(Step, frozen=True):
    """The attackers have stopped short: the defenders may fire."""

    attacker: str
    defender: str
    begun: dict[str, Point]
    paths: dict[str, Walk]


def stand(battle: Battle, attacker: str, defender: str) -> Procedure[None]:
    """The defenders test their Confidence, and if they pass, may still choose to go.

    stargrunt.close-assault.defender-test           the odds, rounded down, are the Threat Level
    stargrunt.close-assault.broken-defenders        no test: they rout and withdraw
    stargrunt.close-assault.voluntary-withdrawal    the same distance, without losing Confidence
    """
    unit = battle.table[defender]
    if level(unit) in ("BR", "RO"):
        n = battle.happens(Declared(defender, "withdraw", rule=BROKEN_DEFENDERS))
        drop(battle, unit, 1, n)
        yield from give_way(battle, attacker, defender, BROKEN_DEFENDERS)
        return
    odds = max(1, len(fit(battle.table, attacker)) // len(fit(battle.table, defender)))
    threat = ExplainedPart(f"odds {odds}:1", odds, DEFENDER_TEST)
    if not confidence_test(battle, unit, threat, DEFENDER_TEST, 0):
        yield from give_way(battle, attacker, defender, DEFENDER_TEST)
        return
    stands = yield ChooseOne(
        unit.side,
        f"{unit.label}: stand or withdraw?",
        topic="stand",
        about=(defender, attacker),
        options=(Option("stand", rules=(SEQUENCE,)), Option("withdraw", rules=(VOLUNTARY,))),
        rules=(VOLUNTARY,),
        default="stand",
    )
    if stands == "stand":
        battle.push(Charge(attacker, defender))
    else:
        yield from give_way(battle, attacker, defender, VOLUNTARY)


def give_way(battle: Battle, attacker: str, defender: str, rule: str) -> Procedure[None]:
    """The defenders go; the attackers may take their place, up to the combat move they roll."""
    place = {one.id: spot(one) for one in fit(battle.table, defender)}
    yield from fall_back(battle, battle.table[defender], rule)
    unit = battle.table[attacker]
    walks = yield combat_move(battle, unit, "Take the place that was left", VOLUNTARY, tuple(place.values()))
    roll = mobility(battle, unit)
    walk_on(battle, [one.id for one in fit(battle.table, attacker)], walks, VOLUNTARY, upto=roll[0], because=roll[1])


def charge(battle: Battle, step: Charge) -> Procedure[None]:
    """Move to contact: the paths are named, then the distance is rolled, and whoever is short is halted.

    stargrunt.close-assault.combat-move             contact with one figure is enough
    stargrunt.close-assault.falling-short-twice     then they stay or go back
    """
    unit, second = battle.table[step.attacker], bool(step.begun)
    models = [one.id for one in fit(battle.table, step.attacker)]
    begun = step.begun or {one: spot(battle.table[one]) for one in models}
    paths = step.paths
    if not second:
        goal = tuple(spot(one) for one in fit(battle.table, step.defender))
        ask = combat_move(battle, unit, f"Assault {step.defender}", COMBAT_MOVE, goal, step.defender)
        paths = yield ask
    distance, n = mobility(battle, unit)
    left = walk_on(battle, models, paths, COMBAT_MOVE, upto=distance, because=n)
    if in_contact(battle.table, step.attacker, step.defender):
        battle.push(PairOff(step.attacker, step.defender, 1))
    elif not second:
        battle.push(FinalFire(step.attacker, step.defender, begun, left))
    else:
        stays = yield ChooseOne(
            unit.side,
            "Short again: stay, or go back?",
            topic="short",
            about=(unit.id,),
            options=(Option("stay"), Option("go back")),
            rules=(SHORT_TWICE,),
            default="stay",
        )
        if stays == "go back":
            go_back(battle, step.attacker, begun, SHORT_TWICE)
        clear_up(battle, step.attacker, step.defender)


def final_fire(battle: Battle, step: FinalFire) -> Procedure[None]:
    """The defenders fire once; casualties make the attackers test again before their second move.

    stargrunt.close-assault.final-defensive-fire
    stargrunt.close-assault.final-defensive-fire-effect    +1 for each casualty; no suppression by itself
    """
    unit, attacker = battle.table[step.defender], battle.table[step.attacker]
    able = range_die(range_parts(battle.table, unit, attacker)) is not None
    chosen: tuple[str, ...] = ()
    if able and not unit.has("fired") and not unit.count("suppression"):
        options = tuple(Option(one.id) for one in fit(battle.table, unit.id))
        chosen = yield ChooseSeveral(
            unit.side,
            "Final defensive fire with whom?",
            topic="final fire",
            about=(unit.id, attacker.id),
            options=options,
            rules=(FINAL_FIRE,),
            default=(),
        )
    if chosen:
        cause = battle.happens(Declared(unit.id, "final defensive fire", (attacker.id,), chosen, rule=FINAL_FIRE))
        until = "end of turn"
        battle.happens(StateChanged(unit.id, "fired", after=1, until=until, rule=FIRE_LIMIT, because=cause))
        fired = shoot(battle, unit, [battle.table[one] for one in chosen], attacker, cause)
        if fired.hurt:
            count_casualties(battle, attacker.id, len(fired.hurt), fired.n)
            threat = ExplainedPart("casualties", len(fired.hurt), FINAL_FIRE_EFFECT)
            target, die = (*leadership(attacker), threat), attacker.count("quality")
            roll = exceed(battle, "reaction", attacker.id, die, target, FINAL_FIRE_EFFECT, because=fired.n)
            if not roll.passed:
                go_back(battle, attacker.id, step.begun, FINAL_FIRE_EFFECT)
                suppress(battle, battle.table[attacker.id], roll.n)
            if not roll.passed or not fit(battle.table, attacker.id):
                clear_up(battle, attacker.id, unit.id)
                return
    battle.push(Charge(attacker.id, unit.id, step.begun, step.paths))


def shoot(battle: Battle, unit: Thing, shooters: Sequence[Thing], enemy: Thing, cause: int) -> Fired:
    """The dice of one fire action, and the harm they do."""
    exposed = [one.id for one in battle.table.members(enemy.id) if one.on_table]
    shift = 1 if in_cover(battle.table, enemy) else 0
    parts = range_parts(battle.table, unit, enemy)
    return fire(battle, unit, shooters, enemy.id, exposed, parts, armour_shift=shift, because=cause)
