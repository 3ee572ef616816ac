"""Combat Rolls: the dice that a weapon rolls, which Strike changes by range, and a die that Full-Auto rolls again."""

from collections.abc import Hashable

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.dice import Result
from sandtable.engine.events import Detail
from sandtable.engine.questions import AnyQuestion, Chance, ChooseOne, Option, Preview
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.table import Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.strikeops.attributes import BLASTER
from sandtable.rulesets.strikeops.damage import row_of_hit
from sandtable.rulesets.strikeops.datacard import Weapon
from sandtable.rulesets.strikeops.dice import DICE, OTHER_DICE
from sandtable.rulesets.strikeops.shooting.aiming import Aim
from sandtable.tabletop.checks import Check, Thrown

COMBAT_ROLL = rule("strikeops.shooting.combat-roll")
MISS = rule("strikeops.shooting.miss")
STRIKE = rule("strikeops.attributes-weapon.strike")
FULL_AUTO = rule("strikeops.attributes-weapon.full-auto")
FUMBLE_TERM = rule("strikeops.attributes.critical-fumble-term")

FULL_AUTO_ASKED = "full-auto"
KEEP, RE_ROLL = "keep", ("first", "second")
_DIE = "d6"
FACES = int(_DIE[1:])
FUMBLES = (FUMBLE_TERM.number("fumble"),)


def combat_check(shooter: Thing, foe: Thing, weapon: Weapon, aimed: Aim) -> Check:
    """The Combat Roll of a shot before it falls; play, previews and odds read this one object.

    strikeops.attributes-weapon.strike    the band of its own decides how many dice it rolls
    """

    def alike(margin: int) -> Hashable:
        return row_of_hit(margin, shooter, weapon, foe)

    dice, keep = "", 0
    if weapon.has("strike"):
        rolled, kept = STRIKE.number("dice", aimed.band, "roll"), STRIKE.number("dice", aimed.band, "keep_highest")
        dice, keep = f"{rolled}{_DIE}", kept if kept < rolled else 0
    return DICE.check(
        *("combat", shooter.id, aimed.needs, aimed.modifiers, COMBAT_ROLL),
        critical_from=aimed.critical_from,
        widened=BLASTER,
        succeeded="hit",
        failed="miss",
        alike=alike,
        dice=dice,
        keep=keep,
    )


def fumbles(check: Check, fell: Thrown) -> bool:
    """Whether a roll is a Critical Fumble: a single die has none (strikeops.attributes.critical-fumble-term)."""
    return fell.natural in check.reading.always_fails


def throw_combat(
    battle: Battle, shooter: Thing, weapon: Weapon, check: Check, told: Detail, modified: bool
) -> Procedure[Thrown]:
    """Make a Combat Roll, and let a Full-Auto weapon roll one of its dice again.

    strikeops.attributes-weapon.full-auto    asked after every such roll but a fumble; the new number is kept
    strikeops.shooting.dice-order            the extra die of a Critical Success falls after that
    """
    named = told["rules"] if isinstance(told["rules"], tuple) else ()
    if weapon.has("strike"):
        told = {**told, "rules": (*named, STRIKE.id, OTHER_DICE.id)}
    if not weapon.has("full_auto"):
        return DICE.throw(battle, check, modified=modified, fumble=MISS, detail=told)
    told = {**told, "rules": (*named, FULL_AUTO.id)}
    first = battle.dice.total(_DIE).natural
    more = check.added_die
    second = battle.dice.total(_DIE, None if more else lambda face: _alike(check, first, face)).natural
    if more is not None:  # the die of Inspire falls with the two, and is no part of what is rolled again
        _, shows = more.fall(battle.dice)
        check = replace(check, added_die=more._replace(shows=shows))
    plain = replace(check, reading=replace(check.reading, extra=None))
    fell = _lay(battle, plain, (first, second), told, modified)
    if fumbles(check, fell):
        return fell
    grows = check.reading.extra
    answer = yield ChooseOne(
        shooter.side,
        f"The {weapon.name} of {shooter.label} rolled {first} and {second}, a {'hit' if fell.succeeds else 'miss'}. "
        "Roll one of them again?",
        topic=FULL_AUTO_ASKED,
        about=(shooter.id,),
        rules=(FULL_AUTO.id,),
        shows=("odds",),
        facts={
            "first": first,
            "second": second,
            "hit": int(fell.succeeds),
            "needs": check.target - (0 if check.added_die is None else check.added_die.shows),
            "grows from": min(grows.naturals) if grows is not None else 2 * FACES + 1,
        },
        options=(
            Option(KEEP, "Keep both"),
            *(Option(name, f"Roll the {face} again") for name, face in zip(RE_ROLL, (first, second), strict=True)),
        ),
        default=KEEP,
    )
    if answer != KEEP:
        kept = second if answer == RE_ROLL[0] else first
        again = battle.dice.total(_DIE, lambda face: _alike(check, kept, face)).natural
        return _lay(battle, check, (again, kept) if answer == RE_ROLL[0] else (kept, again), told, modified, fell.n)
    if grows is not None and fell.natural in grows.naturals:
        return _lay(battle, check, (first, second), told, modified, fell.n)
    return fell


def full_auto_odds(view: View, question: ChooseOne, answer: str) -> Preview:
    """How likely the roll is to hit with a die rolled again, the extra die of a Critical Success included.

    strikeops.attributes-weapon.full-auto    a natural 2 that comes of it is a Critical Fumble
    """
    told = question.facts
    faces = {name: told[other] for name, other in zip(RE_ROLL, reversed(RE_ROLL), strict=True)}
    kept = faces.get(answer)
    die = range(1, FACES + 1)
    naturals = [told["first"] + told["second"] if kept is None else kept + face for face in die]
    falls = [(natural, extra) for natural in naturals for extra in die]
    hits = sum(
        natural not in FUMBLES and natural + (extra if natural >= told["grows from"] else 0) >= told["needs"]
        for natural, extra in falls
    )
    return Preview(
        odds=(
            Chance("hit", hits, len(falls), one_of=True),
            Chance("miss", len(falls) - hits, len(falls), one_of=True),
        )
    )


def _lay(
    battle: Battle, check: Check, faces: tuple[int, int], told: Detail, modified: bool, because: int = 0
) -> Thrown:
    fallen = Result(check.dice, faces, sum(faces))
    return DICE.throw(battle, check, because=because, modified=modified, fumble=MISS, detail=told, fallen=fallen)


def _alike(check: Check, one: int, other: int) -> Hashable:
    """What of two dice matters for the odds, which take it that the lower die of a miss is rolled again."""
    natural = one + other
    margin = natural + (check.added_die.shows if check.added_die is not None else 0) - check.target
    grows = check.reading.extra
    if natural in check.reading.always_fails or (grows is not None and natural in grows.naturals):
        return natural
    if margin < 0:
        return "miss", max(one, other)
    return "hit", check.reading.same(margin) if check.reading.same is not None else margin


def likeliest(view: View, question: AnyQuestion) -> object:
    """How questions are answered where odds are asked for: the lower die of a miss is rolled again."""
    if question.topic != FULL_AUTO_ASKED or question.facts["hit"]:
        return None
    first, second = question.facts["first"], question.facts["second"]
    return RE_ROLL[0] if first <= second else RE_ROLL[1]
