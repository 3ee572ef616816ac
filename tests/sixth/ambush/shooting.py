"""Shooting: one check for play, previews, odds and the opponent; wounds, pinning, and fire at those who walk."""

from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.answers.windows import reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Harm, HarmApplied, HarmNoted, ModelLost
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.questions import Preview, ReactOption, Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Due
from sandtable.engine.table import Table, Thing
from sandtable.field.sight import SightLine, line_among
from sandtable.forces.ledger import rule
from sandtable.tabletop.actions import Action
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check, Reading, throw
from sandtable.tabletop.choosing import by_unit, choose_thing, of_two
from sandtable.tabletop.modifiers import Modifier, parts
from sandtable.tabletop.previews import Crossed, sight_note
from sandtable.tabletop.states import take, takes_up

from .counters import CARDS, DUMMY, SHOWING, card_of, reveal

TO_HIT = rule("ambush.shooting.to-hit")
LONG = rule("ambush.shooting.long-range")
COVER = rule("ambush.shooting.cover")
WOUNDS = rule("ambush.shooting.wounds")
WATCH = rule("ambush.shooting.watch")

WATCHING, SHOT = "watching", "shot"
TARGET, WATCH_FIRE, NOW = "target", "watch-fire", "now"
SHOWS = ("distance", "sight", "odds")


class Situation(NamedTuple):
    """What decides a shot: who fires, and along which line."""

    by: Thing
    line: SightLine


#: What changes a shot, in the order in which it is told.
MODIFIERS: tuple[Modifier[Situation], ...] = (
    Modifier(TO_HIT, "skill", lambda s: CARDS.held[card_of(s.by)].stats.skill, (SHOT,)),
    Modifier(LONG, "long range", LONG.number("modifier"), (SHOT,), lambda s: s.line.gap > LONG.inches("beyond_in")),
    Modifier(COVER, "cover", COVER.number("modifier"), (SHOT,), lambda s: any(one.piece for one in s.line.crossings)),
)


def shot(table: Table, by: Thing, at: Thing) -> Check:
    """A shot before it falls."""
    return Check(
        what=SHOT,
        by=by.id,
        dice=TO_HIT.text_at("dice"),
        rule=TO_HIT,
        needs=explain("to hit", ExplainedPart("a hit", TO_HIT.number("needs"), TO_HIT.id)),
        modifiers=parts(MODIFIERS, SHOT, Situation(by, line_among(table, by.id, at.id))),
        reading=Reading(succeeded="hit", failed="miss"),
    )


def foretold(table: Table, by: Thing, at: Thing) -> Preview:
    """A shot told beforehand, with the line it goes along."""
    line = line_among(table, by.id, at.id)
    crossed = [Crossed("wood" if one.piece else "somebody", bool(one.piece), False, COVER.id) for one in line.crossings]
    note = sight_note(line, crossed, blocked=False)
    return replace(shot(table, by, at).preview(), distances={at.id: line.gap}, sight=(note,))


def out_of_range(table: Table, by: Thing, at: str) -> Refusal | None:
    """Why a shot does not carry so far."""
    carries = line_among(table, by.id, at).gap <= TO_HIT.inches("range_in")
    return None if carries else Refusal(TO_HIT.id, f"{table[at].label} is out of range.")


def in_range(table: Table, by: Thing) -> list[Thing]:
    """Whom it could fire at."""
    return [foe for foe in table.enemies_of(by.side) if out_of_range(table, by, foe.id) is None]


def shoot(battle: Battle, by: Thing, step: object) -> Procedure[None]:
    """Choose a target and fire."""
    foes, prompt = battle.table.enemies_of(by.side), f"{by.label}: fire at whom?"
    at = yield from choose_thing(
        by.side, prompt, foes, TO_HIT, topic=TARGET, about=(by.id,), shows=SHOWS, even_one=True
    )
    yield from fire(battle, by.id, at)


def fire(battle: Battle, by: str, at: str) -> Procedure[None]:
    """Show itself, roll, and let the target take the wound."""
    reveal(battle, by)
    n = battle.happens(Declared(by, "fire", (at,), rule=TO_HIT.id))
    thrown = throw(battle, shot(battle.table, battle.table[by], battle.table[at]), n)
    if thrown.succeeds:
        reveal(battle, at, thrown.n)
    if thrown.succeeds and battle.table[at].on_table:
        battle.note(HarmNoted(at, Harm("wound", 1), NOW, rule=WOUNDS.id, because=thrown.n))
        yield from battle.settle(NOW)


def wound(battle: Battle, due: Due) -> Procedure[None]:
    """A wound; the last one is fatal."""
    yield from ()
    hurt = battle.table[due.target]
    after = min(hurt.harm + due.harm.amount, hurt.track)
    n = battle.happens(HarmApplied(hurt.id, due.harm, hurt.harm, after, rule=WOUNDS.id, because=due.because))
    if after == hurt.track:
        battle.happens(ModelLost(hurt.id, "shot", rule=WOUNDS.id, because=n))


def walked_into_sight(battle: Battle, walker: Thing) -> Procedure[None]:
    """Ask who watches whether to fire at a walker. Who could is seen by all, so being asked tells nothing."""
    foes = battle.table.enemies_of(walker.side)
    watchers = [one for one in foes if one.has(WATCHING) and out_of_range(battle.table, one, walker.id) is None]
    if not watchers:
        return
    able = [ReactOption(one.id, one.label, one.id, rules=(WATCH.id,)) for one in watchers if card_of(one) != DUMMY]
    reacted = yield from reaction_window(
        battle,
        moment=WATCH_FIRE,
        prompt=f"{walker.label} has walked into your sight. Fire?",
        options=lambda side, declared: [] if declared else able,
        rules=(WATCH.id,),
        about=(walker.id,),
        sides=tuple(dict.fromkeys(one.side for one in watchers)),
        once=True,
        blind=True,
        shows=SHOWS,
    )
    for one in reacted:
        take(battle, one.reaction.option, WATCHING, WATCH)
        yield from fire(battle, one.reaction.option, walker.id)


def cannot_shoot(table: Table, one: Thing) -> Refusal | None:
    """Why it may not shoot: it is a dummy, as its owner knows, or nobody is in range."""
    if card_of(one) == DUMMY:
        return Refusal(SHOWING.id, "A dummy cannot fire.")
    return None if in_range(table, one) else Refusal(TO_HIT.id, "Nobody is in range.")


CHAPTER = Chapter(
    actions=(
        Action(id="shoot", label="Shoot", rule=TO_HIT, carry_out=shoot, refused=cannot_shoot),
        Action(id="watch", label="Watch", rule=WATCH, carry_out=takes_up(WATCHING, WATCH), cost=WATCH.number("cost")),
    ),
    refusals={TARGET: by_unit(out_of_range)},
    previews={TARGET: of_two(foretold), WATCH_FIRE: of_two(foretold)},
    harms={"wound": wound},
    states={WATCHING: "it fires at who walks"},
    answers={TARGET: "whom it fires at", WATCH_FIRE: "the id of the watcher that fires, or pass"},
)
