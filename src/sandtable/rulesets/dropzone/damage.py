"""Damage: Energy against Armour, Criticals, Passive Countermeasures, and points taken off.

Whatever hurts comes as `Hits`, shots that have hit as well as wrecks and falling masonry, and goes the same way: every
roll to damage first, then Passive Countermeasures, then the points, then what was destroyed.
"""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Harm, HarmApplied, ModelLost
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import RuleId
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.dropzone.basics import FACES, NATURALS, REROLL
from sandtable.rulesets.dropzone.units import (
    ARMOUR_LOST,
    DESTROYED,
    acting_on,
    card,
    inside,
    is_behemoth,
    is_kind,
    value_of,
)
from sandtable.tabletop.book import book_of, steps_at
from sandtable.tabletop.chapters import Chapter, Moment
from sandtable.tabletop.choosing import choose_thing
from sandtable.tabletop.pools import Pool, throw_pool
from sandtable.tabletop.states import give

TO_DAMAGE = rule("dropzone.damage.roll-to-damage")
CRITICAL = rule("dropzone.damage.critical")
BODY_COVER = rule("dropzone.damage.body-cover")
BODY_COVER_SCENERY = rule("dropzone.scenery.body-cover")
PASSIVE = rule("dropzone.damage.passive-countermeasures")
HIGH_ENERGY = rule("dropzone.damage.passive-versus-high-energy")
ONE_UNIT = rule("dropzone.damage.one-unit-takes-it")
NO_CRITICALS = rule("dropzone.damage.close-quarters-no-criticals")
ALLOCATION = rule("dropzone.damage.close-quarters-allocation")
AUTOMATIC = rule("dropzone.damage.automatic-hits")
PENETRATIVE = rule("dropzone.special-rules.penetrative")
DEVASTATOR = rule("dropzone.special-rules.devastator")
DODGE = rule("dropzone.special-rules.dodge")
RESILIENT = rule("dropzone.special-rules.resilient")
TECH_KILLER = rule("dropzone.special-rules.tech-killer")
ON_SCENERY = rule("dropzone.scenery.critical-on-scenery")
SIX_ALWAYS = rule("dropzone.scenery.collateral-six-always-damages")
OCCUPANTS = rule("dropzone.scenery.collateral-hits-occupants")
STORMING_PENALTY = rule("dropzone.garrisons.storming-penalty")

#: What makes hits differ: Close Quarters fire, Collateral Damage, and that successes are rolled again.
CLOSE, COLLATERAL, STORMED = "close quarters", "collateral", "stormed"
#: What is counted on scenery.
TOKENS = "tokens"
#: A state of scenery: tokens have been put on it that have not burnt yet.
KINDLED = "kindled"
same_number("Body Cover", BODY_COVER.number("armour_shift"), BODY_COVER_SCENERY.number("damage_penalty"))


class Hits(msgspec.Struct, frozen=True):
    """Hits on something, before they are rolled to damage."""

    target: str  # a unit, a piece of scenery, or a squad for what is dealt to squads
    count: int
    energy: int
    what: str  # a weapon, a crash, a collapse
    by: str = ""
    sure: int = 0  # so many more are Critical without a roll
    printed: int = 0  # the weapon's own Energy, 0 where it is no weapon
    cover: bool = False  # Body Cover helps against them
    special: tuple[str, ...] = ()
    manner: tuple[str, ...] = ()
    zone: str = ""  # of a Behemoth
    because: int = 0


class Dealt(msgspec.Struct, frozen=True):
    """Damage that was inflicted on something, not yet saved from."""

    hits: Hits
    points: int
    tokens: int = 0
    because: int = 0
    failed: int = 0  # the dice that have failed and have not been rolled again
    saved: bool = False  # Passive Countermeasures have been rolled


class DamageRolls(Step, frozen=True):
    """Hits still to be rolled to damage, and what was dealt so far."""

    left: tuple[Hits, ...]
    dealt: tuple[Dealt, ...] = ()
    rolled: tuple[Dealt, ...] = ()  # what the dice of one weapon have come to as long as more of them follow


class Saves(Step, frozen=True):
    """Damage still to be saved from, and what stays."""

    left: tuple[Dealt, ...]
    stays: tuple[Dealt, ...] = ()


class Destroyed(Step, frozen=True):
    """Something is destroyed: first what its destruction causes, then it goes."""

    thing: str
    by: str = ""
    manner: tuple[str, ...] = ()
    because: int = 0
    caused: bool = False


class TakeOff(Step, frozen=True):
    """Damage that stays: points still to be taken off, and who has nothing left."""

    left: tuple[Dealt, ...]
    destroyed: tuple[Destroyed, ...] = ()


class Settled(Step, frozen=True):
    """All that an event has destroyed is dealt with."""


#: All damage dice of a weapon have fallen; gives what they come to after that.
DAMAGE_ROLLED: Moment[[Battle, tuple[Dealt, ...]], Procedure[tuple[Dealt, ...]]] = Moment("damage is rolled")
#: A unit or a piece of scenery is destroyed: what follows before it is removed.
FALLS: Moment[[Battle, Thing, Destroyed], Sequence[Step]] = Moment("something is destroyed")
#: Damage has been dealt to something: what follows at once.
HURT: Moment[[Battle, Thing, Dealt], Sequence[Step]] = Moment("something has lost Damage Points")
#: Points are to be taken off something: the steps of a chapter that takes them off itself, where they have parts.
TAKES: Moment[[Battle, Thing, Dealt], Sequence[Step]] = Moment("Damage Points are taken off")
#: All points of one event have been taken off: who is destroyed by it that the chapters of `TAKES` have dealt with.
TAKEN: Moment[[Battle], Sequence[Step]] = Moment("all points of an event are taken off")
#: All Damage of one event has been taken: what follows when nothing more is destroyed by it.
SETTLED: Moment[[Battle], Sequence[Step]] = Moment("all damage of an event is done")
#: A unit has been removed: what follows.
LOST: Moment[[Battle, Thing, Destroyed], Sequence[Step]] = Moment("something was destroyed and is gone")


# Pure questions ----------------------------------------------------------------------------------------------------


def armour(table: Table, target: Thing) -> int:
    """The Armour of a unit, of the units of a squad, or of a piece of scenery."""
    if target.kind == "holder":
        return target.count("armour")
    unit = one_of(table, target)
    return card(unit).armour - unit.count(ARMOUR_LOST)


def to_damage(table: Table, hits: Hits) -> Explanation:
    """The face a damage die must show: Armour less Energy, and one more behind Body Cover."""
    parts = [
        ExplainedPart("Armour", armour(table, table[hits.target]), TO_DAMAGE.id),
        ExplainedPart("Energy", -hits.energy, TO_DAMAGE.id),
    ]
    if hits.cover:
        parts.append(ExplainedPart("Body Cover", BODY_COVER.number("armour_shift"), BODY_COVER.id))
    return explain("to damage", *parts)


def may_be_critical(hits: Hits) -> bool:
    """Whether a high roll does more: never by Close Quarters weapons, nor by Collateral Damage."""
    return CLOSE not in hits.manner and COLLATERAL not in hits.manner


def damage_pool(table: Table, hits: Hits, count: int | None = None) -> Pool:
    """The damage dice of some hits."""
    needs = to_damage(table, hits)
    target = one_of(table, table[hits.target])
    margin = CRITICAL.number("margin")
    always = SIX_ALWAYS.number("auto_success") if COLLATERAL in hits.manner else 0
    special = acting_on(target, hits.special)
    pierces = value_of(special, "penetrative") is not None
    spared = _spares(target, special)
    applied = [
        *((CRITICAL,) if may_be_critical(hits) else (NO_CRITICALS,) if CLOSE in hits.manner else ()),
        *((PENETRATIVE,) if pierces else ()),
        *((DEVASTATOR,) if _devastates(target, special) else ()),
        *((RESILIENT,) if is_resilient(target) else ()),
        *((TECH_KILLER,) if spared else ()),
        *((AUTOMATIC,) if not hits.printed else ()),
        *((HIGH_ENERGY,) if target.kind == "model" and _has_passive(target) and beyond_passive(target, hits) else ()),
        *((BODY_COVER_SCENERY,) if hits.cover else ()),
        *((SIX_ALWAYS,) if COLLATERAL in hits.manner else ()),
        *((NATURALS,) if needs.total <= NATURALS.number("damage", "auto_fail") else ()),
    ]

    def sort(face: int) -> int:
        if spared or face == NATURALS.number("damage", "auto_fail"):
            return 0
        if face >= needs.total + margin and may_be_critical(hits):
            return 2
        return int(
            face >= needs.total or (always and face >= always) or (pierces and face == PENETRATIVE.number("natural"))
        )

    return Pool(
        what="collateral damage" if COLLATERAL in hits.manner else "damage",
        by=hits.by,
        count=hits.count if count is None else count,
        rule=TO_DAMAGE,
        needs=needs,
        classes=tuple(sort(face) for face in FACES),
        words=("damage", "critical[|s]"),
        citing=tuple(applied),
    )


def per_success(target: Thing, hits: Hits, table: Table) -> tuple[int, int]:
    """How much a success does, and a Critical."""
    scenery = target.kind == "holder"
    unit = one_of(table, target)
    plain, critical = TO_DAMAGE.number("damage"), CRITICAL.number("damage")
    devastates = _devastates(unit, acting_on(unit, hits.special))
    if devastates:
        plain, critical = devastates, 2 * devastates
    if _spares(unit, hits.special):
        return 0, 0
    if scenery:
        return plain, plain if devastates else ON_SCENERY.number("damage")
    if is_resilient(unit):
        return plain, TO_DAMAGE.number("damage")
    return plain, critical if may_be_critical(hits) else plain


def is_resilient(unit: Thing) -> bool:
    """Whether Criticals do a unit one point of Damage only."""
    return unit.kind == "model" and value_of(card(unit).special, "resilient") is not None


def one_of(table: Table, target: Thing) -> Thing:
    """What is hit: of a squad, whose units are all alike, its first."""
    return table.members(target.id)[0] if target.kind == "unit" else target


def _devastates(target: Thing, special: Sequence[str]) -> int:
    """The highest Devastator value that speaks of a target; 0 where none does."""
    best = 0
    for word in special:
        name, _, rest = word.partition("-")
        if name == "devastator":
            value, *kinds = rest.split("-")
            scenery = target.kind == "holder"
            if "all" in kinds or ("scenery" in kinds if scenery else is_kind(target, *kinds)):
                best = max(best, int(value))
    return best


def _spares(target: Thing, special: Sequence[str]) -> bool:
    """Whether hits cannot damage what they hit: those of a Tech Killer do nothing to scenery."""
    return target.kind == "holder" and value_of(special, "tech-killer") is not None


def _has_passive(unit: Thing) -> bool:
    return card(unit).countermeasures.passive is not None


def beyond_passive(unit: Thing, hits: Hits) -> bool:
    """Whether a weapon's Energy is so high that Passive Countermeasures may not be rolled; a Behemoth's always may."""
    return hits.printed >= HIGH_ENERGY.number("energy") and not is_behemoth(unit)


def passive_numbers(unit: Thing, hits: Hits) -> list[tuple[int, Rule]]:
    """What a unit's Passive Countermeasures need, one after another; none where they may not be rolled."""
    found: list[tuple[int, Rule]] = []
    stats = card(unit)
    if stats.countermeasures.passive is not None and not beyond_passive(unit, hits):
        found.append((stats.countermeasures.passive, PASSIVE))
    dodge = value_of(stats.special, "dodge")
    if dodge is not None and (CLOSE in hits.manner or COLLATERAL in hits.manner):
        found.append((dodge, DODGE))
    return found


def save_pool(unit: Thing, points: int, needs: int, source: Rule) -> Pool:
    """The dice of Passive Countermeasures: one for each point of Damage."""
    fails = NATURALS.number("passive", "auto_fail")
    return Pool(
        what="passive",
        by=unit.id,
        count=points,
        rule=source,
        needs=explain("to save", ExplainedPart("Passive", needs, source.id)),
        classes=tuple(int(face >= needs and face != fails) for face in FACES),
        words=("save[|s]",),
    )


# Procedures --------------------------------------------------------------------------------------------------------


def damage_rolls(battle: Battle, step: DamageRolls) -> Procedure[None]:
    """Roll the damage dice of the next hits; when all have fallen, Passive Countermeasures follow.

    Of hits that are no weapon's, each target's Passive dice follow its own damage dice.

    dropzone.garrisons.storming-penalty    who has just stormed in rolls successes again
    """
    left = [one for one in step.left if not gone(battle.table, battle.table[one.target])]
    if not left:
        battle.push(Saves(step.dealt))
        return
    hits, *rest = left
    fell = throw_pool(battle, damage_pool(battle.table, hits), hits.because)
    plain, critical, because = fell.counts[1], fell.counts[2] + hits.sure, fell.n
    if STORMED in hits.manner and plain:
        again = replace(damage_pool(battle.table, hits, plain), citing=(STORMING_PENALTY, REROLL))
        second = throw_pool(battle, again, because, replaces=fell.n)
        plain, because = second.counts[1], second.n
    rolled = (*step.rolled, replace(dealt_by(battle.table, hits, plain, critical, because), failed=fell.counts[0]))
    if hits.printed and rest and (rest[0].by, rest[0].what) == (hits.by, hits.what):
        battle.push(DamageRolls(tuple(rest), step.dealt, rolled))
        return
    for changes in book_of(battle).at(DAMAGE_ROLLED):
        rolled = yield from changes(battle, rolled)
    dealt = [one if hits.printed else saved(battle, one) for one in rolled if one.points]
    battle.push(DamageRolls(tuple(rest), (*step.dealt, *dealt)))


def dealt_by(table: Table, hits: Hits, plain: int, critical: int, because: int) -> Dealt:
    """What so many damage dice that succeed, and so many Criticals, come to."""
    target = table[hits.target]
    one, two = per_success(target, hits, table)
    points = plain * one + critical * two
    tokens = critical * ON_SCENERY.number("tokens") if target.kind == "holder" and points else 0
    return Dealt(hits, points, tokens, because)


def gone(table: Table, target: Thing) -> bool:
    """Whether there is nothing left to be hurt."""
    return bool(target.gone) or (target.kind == "unit" and not table.members(target.id))


def saves(battle: Battle, step: Saves) -> Procedure[None]:
    """Let the next one save itself from Damage; when all have tried, points are taken off."""
    yield from ()
    if not step.left:
        battle.push(TakeOff(step.stays))
        return
    first, *rest = step.left
    dealt = first if first.saved else saved(battle, first)
    battle.push(Saves(tuple(rest), (*step.stays, dealt) if dealt.points or dealt.tokens else step.stays))


def saved(battle: Battle, dealt: Dealt) -> Dealt:
    """Roll the Passive Countermeasures against some Damage; gives what stays."""
    target = battle.table[dealt.hits.target]
    points, because = dealt.points, dealt.because
    if target.kind != "holder" and not gone(battle.table, target):
        unit = one_of(battle.table, target)
        for needs, source in passive_numbers(unit, dealt.hits):
            fell = throw_pool(battle, save_pool(unit, points, needs, source), because)
            points, because = points - fell.counts[1], fell.n
    return replace(dealt, points=points, because=because, saved=True)


def take_off(battle: Battle, step: TakeOff) -> Procedure[None]:
    """Take the next points off; then what has none left is destroyed, one after another."""
    if not step.left:
        battle.push(*step.destroyed, *steps_at(battle, TAKEN, battle), Settled())
        return
    dealt, *rest = step.left
    destroyed = list(step.destroyed)
    target = battle.table[dealt.hits.target]
    taken = [] if target.gone else steps_at(battle, TAKES, battle, target, dealt)
    if target.kind == "unit":
        for _ in range(dealt.points):
            unit = yield from _who_suffers(battle, target, COLLATERAL in dealt.hits.manner)
            if unit is None:
                break
            _take(battle, unit, 1, dealt, destroyed)
    elif not taken and not target.gone:
        _take(battle, target, dealt.points, dealt, destroyed)
        if dealt.tokens and not battle.table[target.id].gone:
            add_tokens(battle, target.id, dealt.tokens, ON_SCENERY, dealt.because)
    hurt = steps_at(battle, HURT, battle, battle.table[target.id], dealt)
    battle.push(*taken, *hurt, TakeOff(tuple(rest), tuple(destroyed)))


def _take(battle: Battle, target: Thing, points: int, dealt: Dealt, destroyed: list[Destroyed]) -> None:
    after = min(target.harm + points, target.track)
    if after == target.harm:
        return
    harm = Harm("damage", points)
    source = ALLOCATION.id if CLOSE in dealt.hits.manner else ONE_UNIT.id
    n = battle.happens(HarmApplied(target.id, harm, target.harm, after, rule=source, because=dealt.because))
    if after == target.track:
        destroyed.append(Destroyed(target.id, dealt.hits.by, dealt.hits.manner, n))


def _who_suffers(battle: Battle, squad: Thing, collateral: bool) -> Procedure[Thing | None]:
    """The unit of a squad that takes the next point: the most hurt, of several its owner's choice.

    Of Collateral Damage the opponent chooses, among all.
    """
    standing = [one for one in battle.table.members(squad.id) if one.harm < one.track]
    if not standing:
        return None
    source = OCCUPANTS if collateral else ALLOCATION
    most = standing if collateral else [one for one in standing if one.harm == max(two.harm for two in standing)]
    asked = next(side for side in battle.table.sides if side != squad.side) if collateral else squad.side
    prompt = f"{squad.label}: who takes the damage?"
    chosen = yield from choose_thing(asked, prompt, most, source, topic="suffers", about=(squad.id,), default=True)
    return battle.table[chosen]


def add_tokens(battle: Battle, piece: str, count: int, source: Rule, because: int = 0) -> None:
    """Put Collateral Damage tokens on a piece of scenery."""
    before = battle.table[piece].count(TOKENS)
    n = battle.happens(Counted(piece, TOKENS, before, before + count, rule=source.id, because=because))
    if not battle.table[piece].has(KINDLED):
        give(battle, piece, KINDLED, source, because=n)


def destroyed(battle: Battle, step: Destroyed) -> Procedure[None]:
    """First what the destruction causes, then the unit is removed, then what follows from that."""
    yield from ()
    thing = battle.table[step.thing]
    if thing.gone:
        return
    if not step.caused:
        causes = steps_at(battle, FALLS, battle, thing, step)
        battle.push(*causes, replace(step, caused=True))
        return
    _remove(battle, thing, step, "destroyed", DESTROYED.id)


def settled(battle: Battle, step: Settled) -> Procedure[None]:
    """What follows when nothing more is destroyed; of an event within another it follows after the outer one."""
    yield from ()
    if not any(isinstance(one, Settled) for one in battle.state.agenda):
        battle.push(*steps_at(battle, SETTLED, battle))


def lose(battle: Battle, unit: Thing, how: str, source: RuleId) -> None:
    """A unit for which there is no place is destroyed, and with it who is inside; it falls on nobody."""
    for one in inside(battle.table, unit.id):
        lose(battle, one, how, source)
    _remove(battle, unit, Destroyed(unit.id), how, source)


def _remove(battle: Battle, thing: Thing, step: Destroyed, how: str, source: RuleId) -> None:
    after = steps_at(battle, LOST, battle, thing, step)
    battle.happens(ModelLost(thing.id, how, rule=source, because=step.because))
    battle.push(*after)


CHAPTER = Chapter(
    steps={DamageRolls: damage_rolls, Saves: saves, TakeOff: take_off, Destroyed: destroyed, Settled: settled},
    states={KINDLED: "tokens have been put on it that have not burnt yet"},
    counts={
        TOKENS: "Collateral Damage tokens on a piece of scenery",
        "armour": "the Armour of a piece of scenery",
    },
    answers={"suffers": "the unit that takes a point of Close Quarters damage"},
)
