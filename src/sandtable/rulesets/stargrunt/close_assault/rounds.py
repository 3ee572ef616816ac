"""The rounds of a close assault: who faces whom, the rolls, the tests after each round, and who is left lying."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Harm, HarmApplied, ModelLost, Rolled
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import Allocate, ChooseOne, Confirm, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing
from sandtable.rulesets.stargrunt.close_assault import moves as moves
from sandtable.rulesets.stargrunt.close_assault.fights import (
    AFTER,
    CAPTURED,
    CASUALTIES,
    COMBAT_ROLL,
    COMBINED,
    DOWNED,
    FOLLOW_THROUGH,
    FURTHER,
    GO_ON,
    PAIRING,
    ROUND_END,
    Aftermath,
    Fight,
    FollowThrough,
    Fought,
    PairOff,
    RoundEnd,
    Stand,
    all_up,
    behind_cover,
    bout_of,
    up,
)
from sandtable.rulesets.stargrunt.close_assault.prisoners import capture, surrender
from sandtable.rulesets.stargrunt.close_assault.targets import all_targets, named
from sandtable.rulesets.stargrunt.confidence.levels import confidence_test, reaction, suppress
from sandtable.rulesets.stargrunt.confidence.nerve import destroy
from sandtable.rulesets.stargrunt.movement.moves import combat_move
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.leaders import leader, replace_leader
from sandtable.rulesets.stargrunt.units.record import BROKEN, DEAD, LOSS_OF_LEADER, WOUNDED, at_worst, fit, is_fit
from sandtable.tabletop.checks import Check, throw
from sandtable.tabletop.states import give, take

# Rounds ------------------------------------------------------------------------------------------------------------


def _each(figures: Sequence[Thing]) -> tuple[Option, ...]:
    return tuple(Option(one.id, one.label, (one.id,)) for one in figures)


def _pairs(step: PairOff, many: Sequence[Thing], few: Sequence[Thing]) -> Allocate:
    """Who of the many is put against each of the few."""
    one_each = {str(one.id): 1 for one in few}
    return Allocate(
        many[0].side,
        f"Round {step.round}: one of yours against each enemy",
        topic="pair-off",
        about=(*step.attackers, step.defender),
        items=_each(many),
        bins=_each(few),
        bin_least=one_each,
        bin_most=one_each,
        all_items=False,
        shows=("odds",),
        default={mine.id: foe.id for mine, foe in zip(many, few, strict=False)},
        rules=(PAIRING.id, FURTHER.id) if step.round > 1 else (PAIRING.id,),
    )


def _surplus(step: PairOff, surplus: Sequence[Thing], few: Sequence[Thing]) -> Allocate:
    """Whom those face who are left over."""
    return Allocate(
        few[0].side,
        f"Round {step.round}: whom do the other enemies face?",
        topic="surplus",
        about=(*step.attackers, step.defender),
        items=_each(surplus),
        bins=_each(few),
        shows=("odds",),
        default={one.id: few[n % len(few)].id for n, one in enumerate(surplus)},
        rules=(PAIRING.id,),
    )


def pair_off(battle: Battle, step: PairOff) -> Procedure[None]:
    """The side with more figures puts one against each enemy; the other assigns the surplus as it likes."""
    table = battle.table
    ours, theirs = all_up(table, step.attackers), up(table, step.defender)
    if not ours or not theirs:  # a minefield has stopped them
        battle.push(RoundEnd(step.attackers, step.defender, step.round, step.fled, step.follows))
        return
    many, few = (ours, theirs) if len(ours) >= len(theirs) else (theirs, ours)
    faces: dict[str, str] = yield _pairs(step, many, few)
    surplus = [one for one in many if one.id not in faces]
    if surplus:
        others: dict[str, str] = yield _surplus(step, surplus, few)
        faces = {**faces, **others}
    for one in many:
        give(battle, one.id, StateName.FACES, PAIRING, faces[one.id], until="end of round")
    battle.push(Fight(step.attackers, step.defender, step.round, step.fled, step.follows))


def fight(battle: Battle, step: Fight) -> Procedure[None]:
    """Every figure rolls once and is compared with each it faces; whoever loses to any is down."""
    yield from ()
    table = battle.table
    facing = [one for one in all_up(table, (*step.attackers, step.defender)) if one.has(StateName.FACES)]
    covered = step.defender if behind_cover(table, table[step.defender], step.round) else ""
    down: dict[str, int] = {}
    for faced in dict.fromkeys(str(one.value(StateName.FACES)) for one in facing):
        against = [one for one in facing if one.value(StateName.FACES) == faced]
        bout, made_of = bout_of(table, table[faced], against, covered)
        first = 0
        for one, parts, fought in zip((table[faced], *against), made_of, bout.thrown(battle.dice), strict=True):
            n = _told(battle, one, parts, fought, first)
            first = first or n
            if fought.outcome == "wins":
                down.setdefault(faced, n)
            elif fought.outcome == "loses":
                down[one.id] = n
    for name, n in down.items():
        give(battle, name, StateName.DOWN, DOWNED, because=n)
    for unit in (*step.attackers, step.defender):
        lost = [name for name in down if table[name].unit == unit]
        if lost:
            count_casualties(battle, unit, len(lost), down[lost[0]])
    for one in facing:
        take(battle, one.id, StateName.FACES, PAIRING)
    battle.push(RoundEnd(step.attackers, step.defender, step.round, step.fled, step.follows))


def _told(battle: Battle, one: Thing, parts: Sequence[ExplainedPart], fought: Fought, because: int) -> int:
    """One figure's close combat roll as it is told; what Power Armour adds is a part of it."""
    fell, more = fought.fell, fought.score - fought.fell.natural
    doubled = (ExplainedPart("Power Armour", more, COMBAT_ROLL.id),) if more else ()
    return battle.happens(
        Rolled(
            *("close combat", one.id, fell.dice, fell.faces, fell.natural, doubled, fought.score),
            outcome=fought.outcome,
            dice_parts=tuple(parts),
            rule=COMBAT_ROLL.id,
            because=because,
        )
    )


def round_end(battle: Battle, step: RoundEnd) -> Procedure[None]:
    """Who has suffered most tests first, then the other; whoever fails falls back.

    stargrunt.close-assault.round-end-test    on equal casualties the defender tests first
    stargrunt.close-assault.further-rounds    both hold: another round, among the figures still standing
    stargrunt.close-assault.combined          every attacking unit tests; each that has fallen back adds 1 for the rest
    """
    table, fled = battle.table, list(step.fled)
    suffered = sum(table[name].count(CASUALTIES) for name in step.attackers)
    attackers = [name for name in step.attackers if up(table, name)]
    fled += [name for name in step.attackers if name not in attackers]
    if not up(table, step.defender) or not attackers:
        _over(battle, step, not attackers, attackers, fled)
        return
    first = suffered > table[step.defender].count(CASUALTIES)
    order = [*attackers, step.defender] if first else [step.defender, *attackers]
    for name in order:
        if holds(battle, name, len(fled) if name != step.defender else 0):
            continue
        against = tuple(attackers) if name == step.defender else (step.defender,)
        yield from fall_back(battle, name, against, farther=False)
        if name == step.defender:
            _over(battle, step, False, attackers, fled)
            return
        attackers.remove(name)
        fled.append(name)
        if not attackers:
            _over(battle, step, True, attackers, fled)
            return
    battle.push(PairOff(tuple(attackers), step.defender, step.round + 1, tuple(fled), step.follows))


def holds(battle: Battle, unit: str, fled: int) -> bool:
    """The test of a unit after a round of fighting: 1 for each casualty, and 1 for each friend that has fallen back."""
    each = ROUND_END.number("threat_per_casualty")
    parts = [ExplainedPart("casualties in this assault", battle.table[unit].count(CASUALTIES) * each, ROUND_END.id)]
    if fled:
        parts.append(ExplainedPart("friends have fallen back", fled, COMBINED.id))
    return confidence_test(battle, unit, tuple(parts), 0)


def _over(battle: Battle, step: RoundEnd, lost: bool, attackers: Sequence[str], fled: Sequence[str]) -> None:
    """Put the end of an assault on the agenda: the attackers have lost it, or the defender has."""
    ours = tuple(dict.fromkeys((*attackers, *fled)))
    if lost:
        battle.push(Aftermath((step.defender,), ours))
        return
    onwards = going_on(battle.table, attackers, step.defender, step.follows)
    battle.push(Aftermath(ours, (step.defender,), step.follows), *onwards)


def fall_back(battle: Battle, unit: str, enemies: tuple[str, ...], *, farther: bool) -> Procedure[None]:
    """A unit withdraws; one that cannot go away surrenders to its enemy (stargrunt.close-assault.withdrawal-path)."""
    if not moves.withdraw(battle, unit, enemies, farther=farther):
        yield from surrender(battle, battle.table[unit], enemies[0], moves.WITHDRAWAL)


def aftermath(battle: Battle, step: Aftermath) -> Procedure[None]:
    """Roll for every figure that is down; the loser's that live are taken prisoner; lost leaders are replaced.

    stargrunt.close-assault.downed-figures    1-2 dead, 3-4 wounded, 5-6 on their feet again
    stargrunt.close-assault.captured          what is left behind becomes the winner's prisoners
    stargrunt.close-assault.after-victory     a lost leader is replaced, with a suppression marker
    """
    everybody = (*step.winners, *step.losers)
    for one in [t for unit in everybody for t in battle.table.members(unit) if t.has(StateName.DOWN)]:
        _fate(battle, one, step.winners[0] if one.unit in step.losers else "")
    for unit in everybody:
        led_by = leader(battle.table, unit)
        here = led_by is not None and led_by.unit == unit
        if led_by is not None and not (here and is_fit(led_by)) and fit(battle.table, unit):
            suppress(battle, unit, LOSS_OF_LEADER, 0)
            yield from replace_leader(battle, unit, 0)
        if not fit(battle.table, unit) and not battle.table[unit].has(StateName.DESTROYED):
            destroy(battle, battle.table[unit])
    clear_up(battle, *everybody)


def _fate(battle: Battle, one: Thing, captor: str) -> None:
    """What becomes of a figure that was down; with a captor, it is left in its hands."""
    fell = battle.dice.total(f"d{DOWNED.number('die')}")
    fate = next(word for word in ("dead", "wounded", "ok") if fell.natural in DOWNED.numbers(word))
    outcome = "captured" if captor and fate != "dead" else "stunned" if fate == "ok" else fate
    why = CAPTURED if outcome == "captured" else DOWNED
    n = battle.happens(
        Rolled(
            *("downed", one.id, fell.dice, fell.faces, fell.natural),
            total=fell.natural,
            outcome=outcome,
            rule=why.id,
            detail=citing(DOWNED),
        )
    )
    take(battle, one.id, StateName.DOWN, DOWNED, n)
    if outcome == "wounded":
        battle.happens(HarmApplied(one.id, Harm("wounded", WOUNDED), one.harm, WOUNDED, rule=DOWNED.id, because=n))
    elif outcome == "dead":
        battle.happens(HarmApplied(one.id, Harm("killed", DEAD), one.harm, DEAD, rule=DOWNED.id, because=n))
        battle.happens(ModelLost(one.id, "killed", rule=DOWNED.id, because=n))
    elif outcome == "captured":
        capture(battle, (one.id,), captor, CAPTURED, n)


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


# Going on ----------------------------------------------------------------------------------------------------------


def going_on(table: Table, winners: Sequence[str], defender: str, follows: bool) -> list[Step]:
    """Attackers who have won may follow through, once, where the battle is played so."""
    if follows or not table.options.get(GO_ON):
        return []
    destroyed = not up(table, defender)
    return [FollowThrough(name, destroyed) for name in winners]


def following_through(unit: Thing, destroyed: bool) -> Check:
    """The reaction test of attackers who go on after they have won."""
    word = "destroyed" if destroyed else "withdrew"
    part = ExplainedPart(f"the enemy {word}", FOLLOW_THROUGH.number(word), FOLLOW_THROUGH.id)
    return reaction(unit, "following through", part)


def follow_through(battle: Battle, step: FollowThrough) -> Procedure[None]:
    """Test reaction to make one extra combat move, which may start another assault.

    stargrunt.close-assault.follow-through    +1 if the defenders were destroyed, +2 if they withdrew
    """
    unit = battle.table[step.unit]
    if not up(battle.table, unit.id) or at_worst(unit, BROKEN):
        return
    goes = yield Confirm(
        unit.side,
        f"The enemy {'is destroyed' if step.destroyed else 'has withdrawn'}: {unit.label} goes on?",
        topic="follow-through",
        about=(unit.id,),
        rules=(FOLLOW_THROUGH.id,),
        shows=("odds",),
        default=False,
    )
    if not goes:
        return
    if not throw(battle, following_through(unit, step.destroyed)).succeeds:
        return
    where = yield ChooseOne(
        unit.side,
        "Where to?",
        topic="onwards",
        about=(unit.id,),
        options=(Option("move", "A combat move", (unit.id,)), *all_targets(battle.table, unit)),
        rules=(FOLLOW_THROUGH.id,),
        shows=("odds",),
        default="move",
    )
    if where == "move":
        yield from combat_move(battle, unit)
    else:
        defender, _ = yield from named(battle, unit, where)
        if defender:
            battle.push(Stand((unit.id,), defender, follows=True))
