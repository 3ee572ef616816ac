"""The odds a player sees before committing are those of the battle itself, walked from the step that would play it."""

import time
from fractions import Fraction
from typing import Any

from sandtable.bots import make_bot
from sandtable.engine.battle import Accepted, Battle
from sandtable.engine.enumerator import distribution
from sandtable.engine.questions import AnyQuestion, MoveModels, Preview, React
from sandtable.engine.ruleset import View
from sandtable.engine.state import State
from sandtable.lab.rulebooks import rulebook


def moments(scenario: str, seed: int, most: int) -> list[tuple[Battle, AnyQuestion, Any]]:
    """Moments of a random battle at which an attack is previewed, each with the draft that is tried."""
    package = rulebook("quickstart").publish()
    ruleset, setup = package.ruleset(), package.setup(scenario)
    battle = Battle(ruleset, setup, seed=seed, digest_every=0)
    bots = {side: make_bot("random", ruleset, seed, side) for side in setup.sides}
    found: list[tuple[Battle, AnyQuestion, Any]] = []
    while not battle.ended and len(found) < most:
        question = battle.questions[0]
        draft = bots[question.side].answer(battle.view(question.side), question)
        marked = isinstance(question, MoveModels) and draft and any(walk.marks for walk in draft.values())
        if marked or (isinstance(question, React) and question.topic == "over-watch" and draft is not None):
            found.append((battle.clone(), question, draft))
        refusal = battle.answer(draft, question.side)
        assert refusal is None
    return found


def shown(battle: Battle, draft: Any) -> Preview:
    checked = battle.check(draft)
    assert isinstance(checked, Accepted), checked
    return checked.preview()


def test_the_odds_of_a_walk_are_those_of_the_action_itself() -> None:
    compared = 0
    for battle, question, draft in [one for seed in (1, 2, 3, 4) for one in moments("duel", seed, 30)]:
        preview = shown(battle, draft)
        if not preview.odds:
            continue
        assert sum(Fraction(one.numerator, one.denominator) for one in preview.odds) == 1
        if not isinstance(question, MoveModels):
            continue
        (target,) = preview.distances
        state = battle.boundary()
        harm = state.table[target].harm

        def answers(view: View, asked: AnyQuestion, draft: Any = draft, walk: AnyQuestion = question) -> Any:
            return draft if asked == walk else None

        def read(later: State, target: str = target, harm: int = harm) -> tuple[bool, int]:
            thing = later.table[target]
            return (True, 0) if thing.gone else (False, thing.harm - harm)

        depth = len(state.agenda)
        found = distribution(
            battle.ruleset,
            state,
            read=read,
            answers=answers,
            until=lambda later, d=depth: len(later.agenda) < d,  # type: ignore[misc]
        )
        label = battle.table[target].label
        expected = {}
        for one in found.outcomes:
            assert isinstance(one.what, tuple)
            gone, amount = one.what
            said = f"{label}: {amount} harm" if amount else f"{label}: no harm"
            expected[f"{label} is out of play" if gone else said] = one.chance
        assert {one.label: Fraction(one.numerator, one.denominator) for one in preview.odds} == expected
        compared += 1
    assert compared >= 5


def test_a_preview_is_quick_and_says_why() -> None:
    """Two weapons in well under what a player notices; the parts add up, the line of sight and distance are there."""
    slowest = 0.0
    explained = 0
    for battle, _, draft in moments("stand-and-fight", 5, 10):
        begun = time.process_time()
        preview = shown(battle, draft)
        slowest = max(slowest, time.process_time() - begun)
        for number in preview.explanations:
            assert number.total == sum(part.value for part in number.parts)
        explained += bool(preview.odds and preview.distances and preview.sight)
    assert explained
    assert slowest < 0.5


def test_nothing_is_measured_before_defensive_fire_is_declared() -> None:
    """quickstart.combat.step-2-defensive-declaration: before any distance is checked."""
    package = rulebook("quickstart").publish()
    ruleset, setup = package.ruleset(), package.setup("duel")
    battle = Battle(ruleset, setup, seed=2, digest_every=0)
    bots = {side: make_bot("random", ruleset, 2, side) for side in setup.sides}
    seen = 0
    while not battle.ended:
        question = battle.questions[0]
        draft = bots[question.side].answer(battle.view(question.side), question)
        if question.topic in ("defensive-fire", "defensive-weapons"):
            assert question.shows == ()
            assert shown(battle, draft) == Preview()
            seen += 1
        assert battle.answer(draft, question.side) is None
    assert seen
