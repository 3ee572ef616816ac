"""Recon by fire: shots at a counter, to see whether anything stirs; and fire at a unit that is known to lie there."""

from fractions import Fraction

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Declared, Forfeited
from sandtable.engine.questions import Chance, Option, Preview
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.stargrunt.confidence.levels import confidence_test, threat
from sandtable.rulesets.stargrunt.cover.protection import IN_POSITION
from sandtable.rulesets.stargrunt.dice.foretold import between
from sandtable.rulesets.stargrunt.dice.rolls import (
    LADDER,
    MULTIPLE,
    against_one,
    dice_against,
    major,
    several,
    success_chances,
)
from sandtable.rulesets.stargrunt.fire.resolution import note_fired
from sandtable.rulesets.stargrunt.fire.shots import EFFECT, RANGE_DIE, FireAction, Shot, die_of, refused_target, shot
from sandtable.rulesets.stargrunt.observation.counters import (
    LOCATED,
    RECON,
    enemy_counters,
    face_up,
    flip,
    is_sniper,
    place_figures,
    position_part,
    stand_in,
)
from sandtable.rulesets.stargrunt.state_names import CountName, StateName
from sandtable.rulesets.stargrunt.units.record import COUNTER, FACE_UP
from sandtable.tabletop.checks import throw_each
from sandtable.tabletop.face_down import lies_under
from sandtable.tabletop.states import give


class ReconByFire(Step, frozen=True):
    """A unit fires at a face-down counter."""

    firer: str
    target: str
    small: bool
    supports: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()


class FireAtLocated(Step, frozen=True):
    """A unit fires at a counter that is known to be a unit: its figures are placed first."""

    firer: str
    target: str
    small: bool
    supports: tuple[str, ...] = ()
    idle: tuple[str, ...] = ()


def at_counters(table: Table, unit: Thing) -> list[Option]:
    """The counters that a unit may fire at: all alike, whatever they are."""
    found = []
    for one in enemy_counters(table, unit.side):
        if one.value(FACE_UP) in (None, "unit"):
            allows = (LOCATED.id,) if face_up(one) else (RECON.id, LOCATED.id)
            found.append(Option(one.id, one.label, (one.id,), allows))
    return found


def as_target(table: Table, name: str) -> tuple[Table, Thing]:
    """A unit to fire at and the table it stands on; for a counter, one with a figure in its place."""
    target = table[name]
    return stand_in(table, target) if target.card == COUNTER else (table, target)


def at_counter(table: Table, declared: FireAction) -> Step:
    """The step of a fire action: at a unit as usual, at a counter to see what stirs there."""
    target = table[declared.target]
    fields = (declared.firer, declared.target, declared.small, declared.supports, declared.idle)
    if target.card != COUNTER:
        return declared
    return FireAtLocated(*fields) if face_up(target) else ReconByFire(*fields)


def counter_preview(
    table: Table, firer: Thing, counter: Thing, small: bool, using: tuple[str, ...], idle: tuple[str, ...] = ()
) -> Preview:
    """What may be known of a shot at a counter: the Range Die but for a position it may be in."""
    shown, target = stand_in(table, counter)
    aimed = shot(shown, firer, target, small, using, idle)
    dice = ", ".join(f"D{die}" for die in aimed.dice)
    if face_up(counter):
        first = "its figures are placed first, and may be elsewhere"
        return Preview(explanations=(aimed.range,), notes=(f"{dice} against D{aimed.range_die}", first))
    note = f"{dice} against D{aimed.range_die}, or one step more if it is In Position"
    return Preview(explanations=(aimed.range,), notes=(note,), odds=(_stirring(aimed),), odds_note="if it is a unit")


def _stirring(aimed: Shot) -> Chance:
    """How likely a unit under a counter is made to stir: between that of one In Position and of one that is not."""
    dug_in, found = IN_POSITION.number("range_die"), []
    for steps in (aimed.range.total + dug_in, aimed.range.total):
        die = die_of(steps)
        found.append(Fraction(0) if die is None else success_chances(dice_against(aimed.dice, die))["major"])
    return between("it is seen to be a unit", *found)


def recon_by_fire(battle: Battle, step: ReconByFire) -> Procedure[None]:
    """Only a major success against a unit shows anything: it is flipped and suppressed; all else lies as before.

    stargrunt.observation.recon-by-fire    the roll is made whatever the Range Die would be, and veiled
    """
    yield from ()
    firer, counter = battle.table[step.firer], battle.table[step.target]
    shown, target = stand_in(battle.table, counter)
    aimed = shot(shown, firer, target, step.small, step.supports, step.idle)
    parts = (*aimed.range.parts, position_part(counter, IN_POSITION.number("range_die"), IN_POSITION))
    die = die_of(sum(part.value for part in parts))
    n = battle.happens(Declared(firer.id, "recon by fire", (counter.id,), rule=RECON.id))
    note_fired(battle, firer, step.small, step.supports, n)
    unit = battle.table.things.get(lies_under(counter))
    stirs = unit is not None and not is_sniper(unit) and die is not None

    def outcome(higher: int) -> str:
        return "it is a unit" if stirs and major(higher) == "major" else "nothing stirs"

    ours = several("recon by fire", firer.id, aimed.dice, aimed.roll.dice_parts, RECON)
    theirs = several("range", counter.id, (die or LADDER[-1],), parts, EFFECT, (RANGE_DIE, MULTIPLE))
    roll = throw_each(battle, against_one(ours, theirs, outcome), n)
    if unit is None or not stirs or major(roll.tally.higher) != "major":
        return
    n = flip(battle, counter, RECON, roll.n)
    battle.happens(Counted(counter.id, CountName.SUPPRESSION, 0, 1, rule=RECON.id, because=n))
    _first_suppression(battle, unit, n)


def _first_suppression(battle: Battle, unit: Thing, because: int) -> None:
    """A unit under its counter takes its first-suppression test, which only its owner sees."""
    if unit.has(StateName.FIRST_SUPPRESSION_DONE):
        return
    known = (unit.side,)
    give(battle, unit.id, StateName.FIRST_SUPPRESSION_DONE, RECON, because=because, known_to=known)
    parts = threat(battle.table, unit, ("first_suppression",))
    if parts is not None:
        confidence_test(battle, unit.id, parts, because)


def fire_at_located(battle: Battle, step: FireAtLocated) -> Procedure[None]:
    """A unit that is known to lie under a counter is fired at like any other; its figures are placed first."""
    counter = battle.table[step.target]
    name = yield from place_figures(battle, counter, LOCATED)
    firer, target = battle.table[step.firer], battle.table[name]
    refusal = refused_target(battle.table, firer, target)
    if refusal is not None:
        n = battle.happens(Declared(firer.id, "fire", (target.id,), rule=LOCATED.id))
        note_fired(battle, firer, step.small, step.supports, n)
        battle.happens(Forfeited(firer.id, "fire", rule=refusal.rule, because=n))
        return
    battle.push(FireAction(step.firer, name, step.small, step.supports, idle=step.idle))
