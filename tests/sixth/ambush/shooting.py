"""Shooting: one check for play, previews, odds and the opponent; wounds, and fire at those who walk."""

from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Harm, HarmNoted
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import Refusal
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.field.sight import Crossing, SightLine
from sandtable.forces.ledger import rule
from sandtable.tabletop.actions import Action
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check, Reading, throw
from sandtable.tabletop.modifiers import Modifier, parts
from sandtable.tabletop.previews import Crossed
from sandtable.tabletop.shots import Shots, until_lost
from sandtable.tabletop.states import take, takes_up

from .counters import CARDS, COUNTERS, SHOWING

TO_HIT = rule("ambush.shooting.to-hit")
LONG = rule("ambush.shooting.long-range")
COVER = rule("ambush.shooting.cover")
WOUNDS = rule("ambush.shooting.wounds")
WATCH = rule("ambush.shooting.watch")

WATCHING, SHOT, NOW = "watching", "shot", "now"


class Situation(NamedTuple):
    """What decides a shot: who fires, and along which line."""

    by: Thing
    line: SightLine


#: What changes a shot, in the order in which it is told.
MODIFIERS: tuple[Modifier[Situation], ...] = (
    Modifier(TO_HIT, "skill", lambda s: CARDS.held[COUNTERS.card_of(s.by)].stats.skill, (SHOT,)),
    Modifier(LONG, "long range", LONG.number("modifier"), (SHOT,), lambda s: s.line.gap > LONG.inches("beyond_in")),
    Modifier(COVER, "cover", COVER.number("modifier"), (SHOT,), lambda s: any(one.piece for one in s.line.crossings)),
)


def shot(by: Thing, line: SightLine) -> Check:
    """A shot along a line before it falls."""
    return Check(
        what=SHOT,
        by=by.id,
        dice=TO_HIT.text_at("dice"),
        rule=TO_HIT,
        needs=explain("to hit", ExplainedPart("a hit", TO_HIT.number("needs"), TO_HIT.id)),
        modifiers=parts(MODIFIERS, SHOT, Situation(by, line)),
        reading=Reading(succeeded="hit", failed="miss"),
    )


def crossed(one: Crossing) -> Crossed:
    """What it means that a line crosses something: a wood covers."""
    return Crossed("wood" if one.piece else "somebody", bool(one.piece), False, COVER.id)


SHOTS = Shots(TO_HIT, TO_HIT.inches("range_in"), shot, crossed)


def shoot(battle: Battle, by: Thing, step: object) -> Procedure[None]:
    """Choose a target and fire."""
    at = yield from SHOTS.choose_target(battle, by)
    yield from fire(battle, by.id, ThingId(at))


def fire(battle: Battle, by: ThingId, at: ThingId) -> Procedure[None]:
    """Show itself, roll, and let the target take the wound."""
    COUNTERS.reveal(battle, by)
    n = battle.happens(Declared(by, "fire", (at,), rule=TO_HIT.id))
    thrown = throw(battle, SHOTS.check(battle.table, battle.table[by], battle.table[at]), n)
    if thrown.succeeds:
        COUNTERS.reveal(battle, at, thrown.n)
    if thrown.succeeds and battle.table[at].on_table:
        battle.note(HarmNoted(at, Harm("wound", 1), NOW, rule=WOUNDS.id, because=thrown.n))
        yield from battle.settle(NOW)


def walked_into_sight(battle: Battle, walker: Thing) -> Procedure[None]:
    """Whoever watches may fire at a walker; a dummy cannot."""
    firing = yield from SHOTS.watchers_of(battle, walker, WATCHING, lambda one: not COUNTERS.is_dummy(one), WATCH)
    for one in firing:
        take(battle, one, WATCHING, WATCH)
        yield from fire(battle, ThingId(one), walker.id)


def cannot_shoot(table: Table, one: Thing) -> Refusal | None:
    """Why it may not shoot: it is a dummy, as its owner knows, or nobody is in range."""
    if COUNTERS.is_dummy(one):
        return Refusal(SHOWING.id, "A dummy cannot fire.")
    return SHOTS.nobody_in_range(table, one)


CHAPTER = Chapter(
    actions=(
        Action(id="shoot", label="Shoot", rule=TO_HIT, carry_out=shoot, refused=cannot_shoot),
        Action(id="watch", label="Watch", rule=WATCH, carry_out=takes_up(WATCHING, WATCH), cost=WATCH.number("cost")),
    ),
    harms={"wound": until_lost(WOUNDS, "shot")},
    states={WATCHING: "it fires at who walks"},
)
