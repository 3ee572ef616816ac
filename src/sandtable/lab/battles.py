"""Whole battles between programs, from set-up to the end."""

import gc
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import Ruleset, Setup, View

#: No battle of any ruleset comes near so many answers; one that does goes round in circles.
MOST_ANSWERS = 200_000


class Player(Protocol):
    """Whatever answers questions for a side, seeing only that side's view."""

    def answer(self, view: View, question: AnyQuestion) -> Any:
        """The draft it gives."""


class BattleStuck(Exception):
    """A player gave an answer that is refused, or the battle does not end: we are wrong."""


def collect_seldom() -> None:
    """For a process that plays battle after battle: look for garbage seldom, and not in what is loaded already.

    What a battle leaves behind is freed by itself; next to nothing of it hangs together in circles. Looking for those
    all the same takes an eighth of the time; so a look comes only after more than any one battle holds.
    """
    gc.freeze()
    gc.set_threshold(200_000, 20, 20)


def play_battle(
    ruleset: Ruleset,
    setup: Setup,
    players: Mapping[Side, Player],
    *,
    seed: int | str,
    watch: Callable[[Battle], None] = lambda battle: None,
    most: int = MOST_ANSWERS,
    digest_every: int = 1,
    undoable: bool = True,
    watched: bool = True,
) -> Battle:
    """Play a battle to its end and give it; `watch` sees it before every answer and once at the end.

    Without `undoable` it is played more quickly, and cannot be saved, cloned or undone. Without `watched` more quickly
    still, and only its result and what was said are kept: `engine.records.replay.watched_again` gives all the rest.
    """
    battle = Battle(ruleset, setup, seed=seed, digest_every=digest_every, undoable=undoable, watched=watched)
    play_on(battle, players, watch=watch, most=most)
    return battle


def play_on(
    battle: Battle,
    players: Mapping[Side, Player],
    *,
    watch: Callable[[Battle], None] = lambda battle: None,
    most: int = MOST_ANSWERS,
) -> None:
    """Play a battle that has begun to its end."""
    name, seed = battle.ruleset.name, battle.journal.header.seed
    answers = 0
    while not battle.ended:
        watch(battle)
        asked = [side for side in battle.table.sides if battle.question_for(side) is not None]
        if not asked:
            raise BattleStuck(f"{name}, seed {seed}: nobody is asked anything, and the battle has not ended")
        question = battle.question_for(asked[0])
        assert question is not None
        draft = players[question.side].answer(battle.view(question.side), question)
        refusal = battle.answer(draft, question.side)
        if refusal is not None:
            raise BattleStuck(
                f"{name}, seed {seed}: {question.side} answers “{question.prompt}” with {draft!r}, which "
                f"{refusal.rule or 'the form of the question'} refuses: {refusal.sentence}"
            )
        answers += 1
        if answers > most:
            raise BattleStuck(f"{name}, seed {seed}: no end after {most} answers")
    watch(battle)
