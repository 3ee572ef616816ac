"""Shooting: one check for play, previews, odds and the opponent; wounds, pinning, and fire at those who walk."""

from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.answers.windows import reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Harm, HarmApplied, HarmNoted, ModelLost
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.questions import ChooseOne, Option, Preview, React, Reaction, ReactOption, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.state import Due
from sandtable.engine.table import Table, Thing
from sandtable.field.sight import SightLine, line_among
from sandtable.forces.ledger import Rule, rule
from sandtable.tabletop.actions import RESTRAINS, Action
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check, Reading, throw
from sandtable.tabletop.modifiers import Modifier, parts
from sandtable.tabletop.previews import Crossed, sight_note
from sandtable.tabletop.states import END_OF_TURN, give, take

from .counters import CARDS, DUMMY, SHOWING, card_of, foes, is_hidden, reveal

TO_HIT = rule("ambush.shooting.to-hit")
LONG = rule("ambush.shooting.long-range")
COVER = rule("ambush.shooting.cover")
AIM = rule("ambush.shooting.aim")
WOUNDS = rule("ambush.shooting.wounds")
PINNED_RULE = rule("ambush.shooting.pinned")
WATCH = rule("ambush.shooting.watch")

AIMING, PINNED, WATCHING = "aiming", "pinned", "watching"
TARGET, WATCH_FIRE, NOW = "target", "watch-fire", "now"


class Situation(NamedTuple):
    """What decides a shot: who fires, and along which line."""

    by: Thing
    line: SightLine


#: What changes a shot, in the order in which it is told.
SHOT = "shot"
MODIFIERS: tuple[Modifier[Situation], ...] = (
    Modifier(TO_HIT, "skill", lambda s: CARDS.held[card_of(s.by)].stats.skill, (SHOT,)),
    Modifier(LONG, "long range", LONG.number("modifier"), (SHOT,), lambda s: s.line.gap > LONG.inches("beyond_in")),
    Modifier(COVER, "cover", COVER.number("modifier"), (SHOT,), lambda s: any(one.piece for one in s.line.crossings)),
    Modifier(AIM, "aim", AIM.number("modifier"), (SHOT,), lambda s: s.by.has(AIMING)),
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


def out_of_range(table: Table, by: Thing, at: Thing) -> Refusal | None:
    """Why a shot does not carry so far."""
    if line_among(table, by.id, at.id).gap <= TO_HIT.inches("range_in"):
        return None
    return Refusal(TO_HIT.id, f"{at.label} is out of range.")


def in_range(table: Table, by: Thing) -> list[Thing]:
    """Whom it could fire at."""
    return [foe for foe in foes(table, by) if out_of_range(table, by, foe) is None]


def shoot(battle: Battle, by: Thing, step: object) -> Procedure[None]:
    """Choose a target and fire."""
    options = tuple(Option(foe.id, foe.label, (foe.id,), (TO_HIT.id,)) for foe in foes(battle.table, by))
    at = yield ChooseOne(
        by.side,
        f"{by.label}: fire at whom?",
        topic=TARGET,
        about=(by.id,),
        options=options,
        rules=(TO_HIT.id,),
        shows=("distance", "sight", "odds"),
    )
    yield from fire(battle, by.id, at)


def fire(battle: Battle, by: str, at: str, because: int = 0) -> Procedure[None]:
    """Show itself, roll, and let the target take the wound."""
    if is_hidden(battle.table[by]):
        reveal(battle, battle.table[by], because)
    n = battle.happens(Declared(by, "fire", (at,), rule=TO_HIT.id, because=because))
    thrown = throw(battle, shot(battle.table, battle.table[by], battle.table[at]), n)
    take(battle, by, AIMING, AIM, thrown.n)
    if thrown.succeeds and is_hidden(battle.table[at]):
        reveal(battle, battle.table[at], thrown.n)
    if thrown.succeeds and battle.table[at].on_table:
        battle.note(HarmNoted(at, Harm("wound", 1), NOW, rule=WOUNDS.id, because=thrown.n))
        yield from battle.settle(NOW)


def wound(battle: Battle, due: Due) -> Procedure[None]:
    """A wound: the last one is fatal, any other pins."""
    yield from ()
    hurt = battle.table[due.target]
    after = min(hurt.harm + due.harm.amount, hurt.track)
    n = battle.happens(HarmApplied(hurt.id, due.harm, hurt.harm, after, rule=WOUNDS.id, because=due.because))
    if after == hurt.track:
        battle.happens(ModelLost(hurt.id, "shot", rule=WOUNDS.id, because=n))
    else:
        give(battle, hurt.id, PINNED, WOUNDS, until=END_OF_TURN, because=n)


def takes_up(state: str, why: Rule) -> Callable[[Battle, Thing, object], Procedure[None]]:
    """An action that gives a state until the turn ends. Anybody can see it, so a dummy may do so too."""

    def carry_out(battle: Battle, one: Thing, step: object) -> Procedure[None]:
        yield from ()
        give(battle, one.id, state, why, until=END_OF_TURN)

    return carry_out


def walked_into_sight(battle: Battle, walker: Thing) -> Procedure[None]:
    """Ask who watches whether to fire at a walker. Who could is seen by all, so being asked tells nothing."""
    watchers = [
        one for one in foes(battle.table, walker) if one.has(WATCHING) and walker in in_range(battle.table, one)
    ]
    for side in dict.fromkeys(one.side for one in watchers):
        able = [one for one in watchers if one.side == side and card_of(one) != DUMMY]
        reacted = yield from reaction_window(
            battle,
            moment=WATCH_FIRE,
            prompt=f"{walker.label} has walked into your sight. Fire?",
            options=lambda _, declared, able=able: [] if declared else [_option(one) for one in able],  # type: ignore[misc]
            rules=(WATCH.id,),
            about=(walker.id,),
            sides=(side,),
            once=True,
            blind=True,
            shows=("distance", "sight", "odds"),
        )
        for one in reacted:
            take(battle, one.reaction.option, WATCHING, WATCH)
            yield from fire(battle, one.reaction.option, walker.id)


def _option(watcher: Thing) -> ReactOption:
    return ReactOption(watcher.id, watcher.label, watcher.id, rules=(WATCH.id,))


def preview_target(view: View, question: ChooseOne, answer: str) -> Preview:
    """What a shot would bring: its parts, its odds, the line."""
    return preview_shot(view.table, view.table[question.about[0]], view.table[answer])


def preview_reaction(view: View, question: React, answer: Reaction | None) -> Preview:
    """The same for a watcher."""
    if answer is None:
        return Preview()
    return preview_shot(view.table, view.table[answer.option], view.table[question.about[0]])


def preview_shot(table: Table, by: Thing, at: Thing) -> Preview:
    """The check told beforehand, with the line it goes along."""
    line = line_among(table, by.id, at.id)
    crossed = [Crossed("wood" if one.piece else "somebody", bool(one.piece), False, COVER.id) for one in line.crossings]
    note = sight_note(line, crossed, blocked=False)
    return replace(shot(table, by, at).preview(), distances={at.id: line.gap}, sight=(note,))


def refused_target(view: View, question: ChooseOne, option: Option) -> Refusal | None:
    """Why somebody may not be fired at."""
    return out_of_range(view.table, view.table[question.about[0]], view.table[option.id])


def cannot_shoot(table: Table, one: Thing) -> Refusal | None:
    """Why it may not shoot: it is a dummy, as its owner knows, or nobody is in range."""
    if card_of(one) == DUMMY:
        return Refusal(SHOWING.id, "A dummy cannot fire.")
    return None if in_range(table, one) else Refusal(TO_HIT.id, "Nobody is in range.")


def pinned(table: Table, one: Thing, action: Action) -> Refusal | None:
    """Who is pinned may not walk."""
    return Refusal(PINNED_RULE.id, f"{one.label} is pinned.") if action.id == "walk" and one.has(PINNED) else None


CHAPTER = Chapter(
    actions=(
        Action(id="shoot", label="Shoot", rule=TO_HIT, carry_out=shoot, refused=cannot_shoot),
        Action(id="aim", label="Aim", rule=AIM, carry_out=takes_up(AIMING, AIM)),
        Action(id="watch", label="Watch", rule=WATCH, carry_out=takes_up(WATCHING, WATCH), cost=WATCH.number("cost")),
    ),
    refusals={TARGET: refused_target},
    previews={TARGET: preview_target, WATCH_FIRE: preview_reaction},
    harms={"wound": wound},
    at=(RESTRAINS(pinned),),
    states={AIMING: "it has aimed", PINNED: "it may not walk", WATCHING: "it fires at who walks"},
    answers={TARGET: "whom it fires at", WATCH_FIRE: "the id of the watcher that fires, or pass"},
)
