"""What Command Cards do: each at its moment, on what it was played on. Their numbers are in the ledger."""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Harm, HarmApplied
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import ChooseOne, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.dropzone.basics import REROLL, has_property
from sandtable.rulesets.dropzone.command.cards import CARDS, DECK, Design, designs, in_use
from sandtable.rulesets.dropzone.command.playing import CARD_TOPIC, ON, Play, play_cards, refused_card
from sandtable.rulesets.dropzone.damage import DAMAGE_ROLLED, HURT, SETTLED, Dealt, add_tokens, damage_pool, dealt_by
from sandtable.rulesets.dropzone.moments import INITIATIVE_ROLLED, MOVING_DECLARED, MUST_TEST, SEARCHES, TRANSPORT_ROLLS
from sandtable.rulesets.dropzone.movement.paths import HASTE, haste
from sandtable.rulesets.dropzone.rounds import ACTIVATION_ENDS, AFTER_ACTION, ROUND_ENDS, initiative
from sandtable.rulesets.dropzone.scenery import BurnKindled
from sandtable.rulesets.dropzone.shooting.aiming import DUG_IN, GLANCE, Shot
from sandtable.rulesets.dropzone.shooting.firing import AFTER_SHOOTING, DECLARED, HITS_ROLLED, SHOOTING
from sandtable.rulesets.dropzone.units import (
    AIRBORNE,
    END_OF_ROUND,
    NAMED,
    SHOT,
    battlegroup,
    is_behemoth,
    is_kind,
    squads,
)
from sandtable.tabletop.actions import RESTRAINS, Action, all_of
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Thrown, throw
from sandtable.tabletop.pools import Fell, Pool, throw_pool
from sandtable.tabletop.states import give, take

#: States of a squad: the shots it has declared; that it may make no Shooting action this round.
AIMS, NO_SHOOTING = "shots declared", "no shooting"
#: A state of a unit: its damage dice that have failed, as long as a card may have them rolled again.
FAILED = "failed dice"
#: A state of scenery: which side's Shooting action has damaged it.
SHELLED = "shelled"


def of_types(units: Sequence[Thing], design: Design) -> bool:
    """Whether some units are of the types that a card speaks of."""
    return not design.data.has("types") or all(is_kind(one, *design.data.texts("types")) for one in units)


def not_to_play(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """The rule by which a card is not on offer: its target, or what it says and when."""
    name, _, target = answer.partition(ON)
    design, thing = designs().get(name.lower().replace(" ", "-")), view.table.things.get(target)
    if design is None or (target and (thing is None or thing.kind == "battlegroup")):
        return None
    refusal = None if thing is None else refused_card(view.table, question.side, design, target)
    played = f"{design.name} is played when it says: {design.data.text_at('when')}."
    return all_of(refusal, Refusal(DECK.id, played, (CARDS.id,)))


# Shots are declared ------------------------------------------------------------------------------------------------


def shot_words(shot: Shot) -> str:
    """A shot as a state can hold it: unit, weapon, target, and whether it is combined."""
    return " ".join((shot.unit, shot.weapon, shot.target, *(("combined",) if shot.combined else ())))


def shots_declared(battle: Battle, squad: Thing, shots: tuple[Shot, ...]) -> Procedure[tuple[Shot, ...]]:
    """Steady Aim, Fire Control Link and Smoke Screen: they change the shots of one Shooting action."""
    if not in_use(battle.table) or any(shot.reaction for shot in shots):
        return shots
    give(battle, squad.id, AIMS, DECK, tuple(shot_words(shot) for shot in shots))
    plays = yield from play_cards(
        battle,
        "shooting_declared",
        f"{squad.label} shoots. A Command Card?",
        lambda side, design: shot_targets(battle.table, squad, shots, side, design),
        about=(squad.id,),
    )
    for play in plays:
        shots = tuple(under(battle.table, shot, play) for shot in shots)
    return shots


def shot_targets(table: Table, squad: Thing, shots: Sequence[Shot], side: Side, design: Design) -> list[Thing]:
    """The squad that shoots, for cards that help it; for one that hinders, the squads that it shoots at."""
    if not design.data.has("to_hit"):
        return [squad] if side == squad.side else []
    if side == squad.side:
        return []
    aimed = [table[shot.target] for shot in shots if table[shot.target].kind != "holder"]
    found = dict.fromkeys(one.id if one.kind == "unit" else one.unit for one in aimed if one.side == side)
    return [table[name] for name in found if of_types(table.members(name), design)]


def under(table: Table, shot: Shot, play: Play) -> Shot:
    """A shot as a card changes it."""
    data, target = play.design.data, table[shot.target]
    if data.has("ignores"):  # a Behemoth is untouched by it (dropzone.behemoths.general)
        return shot if is_behemoth(target) else replace(shot, ignores=(*shot.ignores, data.text_at("ignores")))
    hit = target.id if target.kind == "unit" else target.unit
    return replace(shot, penalty=shot.penalty + data.number("to_hit")) if hit == play.target else shot


def shooting_over(battle: Battle, squad: Thing) -> Sequence[Step]:
    """Nobody need know any more what was aimed at what."""
    return (Forget(squad.id),) if in_use(battle.table) else ()


class Forget(Step, frozen=True):
    """A Shooting action is over."""

    squad: str


def forget(battle: Battle, step: Forget) -> Procedure[None]:
    """Take the shots off that were declared."""
    yield from ()
    take(battle, step.squad, AIMS, DECK)


# Dice have fallen --------------------------------------------------------------------------------------------------


def hits_rolled(battle: Battle, shot: Shot, pool: Pool, fell: Fell) -> Procedure[Fell]:
    """Chaff Burst: the hits on an Aircraft are rolled again."""
    target = battle.table[shot.target]
    scored = hits_of(pool, fell)
    if not scored or target.kind != "model" or not target.has(AIRBORNE):
        return fell
    plays = yield from play_cards(
        battle,
        "hits_rolled",
        f"{target.label} is hit. A Command Card?",
        lambda side, design: [target] if side == target.side and of_types([target], design) else [],
        about=(target.id, shot.unit),
        facts={"hits": scored, "faces": sum(kind in hit_classes(pool) for kind in pool.classes)},
        because=fell.n,
    )
    if not plays:
        return fell
    again = replace(pool, count=scored, citing=(DECK, REROLL))
    second = throw_pool(battle, again, fell.n, replaces=fell.n)
    kept = list(fell.counts)
    for kind in hit_classes(pool):
        kept[kind] = 0
    return Fell(second.n, second.faces, tuple(one + two for one, two in zip(kept, second.counts, strict=True)))


def hit_classes(pool: Pool) -> list[int]:
    """The classes of a pool that are hits; a glance is none."""
    return [n for n, word in enumerate(pool.words, 1) if word != GLANCE]


def hits_of(pool: Pool, fell: Fell) -> int:
    """How many dice have hit."""
    return sum(fell.counts[kind] for kind in hit_classes(pool))


def damage_rolled(battle: Battle, rolled: tuple[Dealt, ...]) -> Procedure[tuple[Dealt, ...]]:
    """Hot Loads: the damage dice of a weapon that have failed are rolled again."""
    hits, failed = rolled[0].hits, sum(one.failed for one in rolled)
    if not in_use(battle.table) or not hits.printed or not failed:
        return rolled
    unit = battle.table[hits.by]
    words = tuple(_failed_words(battle.table, one) for one in rolled if one.failed)
    give(battle, unit.id, FAILED, DECK, words)
    plays = yield from play_cards(
        battle,
        "damage_rolled",
        f"{unit.label}: {failed} damage {'die has' if failed == 1 else 'dice have'} failed. A Command Card?",
        lambda side, design: [unit] if side == unit.side else [],
        about=(unit.id, *dict.fromkeys(one.hits.target for one in rolled)),
        facts={"failed": failed},
        because=rolled[-1].because,
    )
    take(battle, unit.id, FAILED, DECK)
    return tuple(_again(battle, one) for one in rolled) if plays else rolled


def _failed_words(table: Table, dealt: Dealt) -> str:
    """Failed dice as a state can hold them: on whom, how many, and how many faces would do damage."""
    faces = sum(kind > 0 for kind in damage_pool(table, dealt.hits).classes)
    return f"{dealt.hits.target} {dealt.failed} {faces}"


def _again(battle: Battle, dealt: Dealt) -> Dealt:
    if not dealt.failed:
        return dealt
    pool = replace(damage_pool(battle.table, dealt.hits, dealt.failed), citing=(DECK, REROLL))
    fell = throw_pool(battle, pool, dealt.because, replaces=dealt.because)
    more = dealt_by(battle.table, dealt.hits, fell.counts[1], fell.counts[2], fell.n)
    return Dealt(dealt.hits, dealt.points + more.points, dealt.tokens + more.tokens, fell.n)


def initiative_rolled(battle: Battle, thrown: dict[Side, Thrown]) -> Procedure[dict[Side, Thrown]]:
    """Take the Initiative: a side rolls its own die again, once."""
    facts = {f"{side} {what}": n for side, one in thrown.items() for what, n in (("die", one.natural), ("", one.score))}
    plays = yield from play_cards(
        battle,
        "initiative_rolled",
        "Initiative is rolled. A Command Card?",
        lambda side, design: [Thing(ThingId(side), kind="side", side=side)],
        facts={name.strip(): n for name, n in facts.items()},
    )
    for side in dict.fromkeys(play.side for play in plays):
        check = replace(initiative(battle.table, side), citing=(DECK, REROLL))
        thrown = {**thrown, side: throw(battle, check, thrown[side].n)}
    return thrown


# Moving, searching, standing ---------------------------------------------------------------------------------------


def moving_declared(battle: Battle, squad: Thing) -> Procedure[None]:
    """Forced March and Full Throttle: more MV for this action."""
    if not in_use(battle.table):
        return
    plays = yield from play_cards(
        battle,
        "moving_declared",
        f"{squad.label} moves. A Command Card?",
        lambda side, design: [squad] if side == squad.side and may_hasten(battle.table, squad, design) else [],
        about=(squad.id,),
    )
    for play in plays:
        for unit in battle.table.members(squad.id):
            give(battle, unit.id, HASTE, DECK, haste(unit) + play.design.data.inches("move_in"))
        if play.design.data.has("no_shooting"):
            give(battle, squad.id, NO_SHOOTING, DECK, until=END_OF_ROUND)


def may_hasten(table: Table, squad: Thing, design: Design) -> bool:
    """Whether a squad is of the type of a card, and has not done what the card forbids it."""
    return of_types(table.members(squad.id), design) and not (
        design.data.has("no_shooting") and table[squad.id].has(SHOT)
    )


def action_over(battle: Battle, squad: Thing) -> Sequence[Step]:
    """More MV lasts for one action."""
    for unit in battle.table.members(squad.id):
        take(battle, unit.id, HASTE, DECK)
    return ()


def no_shooting(table: Table, squad: Thing, action: Action) -> Refusal | None:
    """A squad at Full Throttle makes no Shooting action this round."""
    if action.id == SHOOTING and squad.has(NO_SHOOTING):
        return Refusal(DECK.id, f"{squad.label} goes at Full Throttle: no Shooting action this round.")
    return None


def must_test(battle: Battle, squad: Thing) -> Procedure[bool]:
    """Hold Fast: a Fortitude Test is passed without rolling."""
    plays = yield from play_cards(
        battle,
        "fortitude_test",
        f"{squad.label} must take a Fortitude Test. A Command Card?",
        lambda side, design: [squad] if side == squad.side else [],
        about=(squad.id,),
    )
    return bool(plays)


def searches(battle: Battle, squad: Thing, objective: Thing, tokens: int) -> Procedure[tuple[ExplainedPart, ...]]:
    """Ground Scan: more for a search."""
    plays = yield from play_cards(
        battle,
        "search",
        f"{squad.label} searches. A Command Card?",
        lambda side, design: [squad] if side == squad.side else [],
        about=(squad.id, objective.id),
        facts={"tokens": tokens},
    )
    return tuple(scanned(play.design) for play in plays)


def scanned(design: Design) -> ExplainedPart:
    """What a card adds to a search."""
    return ExplainedPart("Command Card", design.data.number("bonus"), DECK.id)


def transport_rolls(battle: Battle, unit: Thing) -> Procedure[int]:
    """Crash Drill: what the die of a destroyed Transport counts as."""
    plays = yield from play_cards(
        battle,
        "transport_destroyed",
        f"{unit.label} is destroyed. A Command Card?",
        lambda side, design: [unit] if side == unit.side else [],
        about=(unit.id,),
    )
    return plays[0].design.data.number("roll") if plays else 0


# Ends of activations and rounds, and what is damaged ---------------------------------------------------------------


class CardsAtEnd(Step, frozen=True):
    """Cards may be played at the end of an activation, or in the Round Up Phase where none is named."""

    battlegroup: str = ""


def activation_over(battle: Battle, group: str) -> Sequence[Step]:
    """Dig In may be played at the end of an activation."""
    return (CardsAtEnd(group),) if in_use(battle.table) else ()


def round_over(battle: Battle) -> Sequence[Step]:
    """Field Repair may be played in the Round Up Phase."""
    return (CardsAtEnd(),) if in_use(battle.table) else ()


def cards_at_end(battle: Battle, step: CardsAtEnd) -> Procedure[None]:
    """Dig In, or Field Repair."""
    table = battle.table
    if step.battlegroup:
        group = table[step.battlegroup]
        plays = yield from play_cards(
            battle,
            "activation_ended",
            f"The activation of {group.label} ends. A Command Card?",
            lambda side, design: outside(table, group, design) if side == group.side else [],
            about=(group.id,),
        )
        for play in plays:
            for unit in battle.table.members(play.target):
                give(battle, unit.id, DUG_IN, DECK, until=END_OF_ROUND)
        return
    plays = yield from play_cards(
        battle,
        "round_up",
        "The round ends. A Command Card?",
        lambda side, design: [one for one in table.models(side) if one.harm and of_types([one], design)],
    )
    for play in plays:
        unit = battle.table[play.target]
        points = min(unit.harm, play.design.data.number("regains"))
        if points:
            repaired = Harm("repair", points)
            battle.happens(HarmApplied(unit.id, repaired, unit.harm, unit.harm - points, rule=DECK.id))


def outside(table: Table, group: Thing, design: Design) -> list[Thing]:
    """The squads of an activation that stand outside on the table and that a card speaks of."""
    return [
        one
        for one in squads(table, group.side)
        if (battlegroup(one) == group.id or one.value(NAMED) == group.id)
        and all(isinstance(unit.place, At) for unit in table.members(one.id))
        and of_types(table.members(one.id), design)
    ]


class CardsAtDamage(Step, frozen=True):
    """A Shooting action has damaged scenery."""

    piece: str


def shelled(battle: Battle, thing: Thing, dealt: Dealt) -> Sequence[Step]:
    """Note that a Shooting action has damaged a Garrison."""
    weapon = dealt.points and dealt.hits.printed
    if in_use(battle.table) and weapon and thing.kind == "holder" and _garrison(battle, thing):
        by = battle.table[dealt.hits.by]
        if battle.table[by.unit].has(AIMS):
            give(battle, thing.id, SHELLED, DECK, by.side, because=dealt.because)
    return ()


def _garrison(battle: Battle, thing: Thing) -> bool:
    return has_property(battle.table.ground.piece(thing.id), "garrison")


def shelling_over(battle: Battle) -> Sequence[Step]:
    """Weak Floors may be played when all damage is done, before anything burns."""
    pieces = [one.id for one in battle.table.of_kind("holder") if one.has(SHELLED)]
    return (*(CardsAtDamage(one) for one in pieces), BurnKindled()) if pieces else ()


def cards_at_damage(battle: Battle, step: CardsAtDamage) -> Procedure[None]:
    """Weak Floors: another token on a Garrison that still stands."""
    piece = battle.table[step.piece]
    by = piece.value(SHELLED)
    take(battle, piece.id, SHELLED, DECK)
    if piece.gone:
        return
    plays = yield from play_cards(
        battle,
        "garrison_damaged",
        f"{piece.label} is damaged. A Command Card?",
        lambda side, design: [piece] if side == by else [],
        about=(piece.id,),
    )
    for play in plays:
        add_tokens(battle, piece.id, play.design.data.number("tokens"), DECK)


CHAPTER = Chapter(
    steps={Forget: forget, CardsAtEnd: cards_at_end, CardsAtDamage: cards_at_damage},
    unoffered={CARD_TOPIC: not_to_play},
    at=(
        DECLARED(shots_declared),
        AFTER_SHOOTING(shooting_over),
        HITS_ROLLED(hits_rolled),
        DAMAGE_ROLLED(damage_rolled),
        INITIATIVE_ROLLED(initiative_rolled),
        MOVING_DECLARED(moving_declared),
        AFTER_ACTION(action_over),
        RESTRAINS(no_shooting),
        MUST_TEST(must_test),
        SEARCHES(searches),
        TRANSPORT_ROLLS(transport_rolls),
        ACTIVATION_ENDS(activation_over),
        ROUND_ENDS(round_over),
        HURT(shelled),
        SETTLED(shelling_over),
    ),
    states={
        AIMS: "the shots that a squad has declared",
        NO_SHOOTING: "a Command Card forbids the squad a Shooting action this round",
        HASTE: "by how much a Command Card raises its MV for this action, in thousandths",
        FAILED: "the damage dice of a unit that may be rolled again",
        SHELLED: "whose Shooting action has damaged it",
        DUG_IN: "a Command Card has it count as in Body Cover this round",
    },
)
