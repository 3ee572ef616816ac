"""What an opponent imagines of a battle: its own question is asked there, and nothing that it cannot know is in it."""

from sandtable.bots.random_bot import RandomBot
from sandtable.bots.thinking import imagines
from sandtable.engine.battle import Battle
from sandtable.engine.dice import SeededDice
from sandtable.engine.questions import AnyQuestion
from sandtable.engine.ruleset import View
from sandtable.engine.table import CARD
from sandtable.rulesets import ruleset
from sandtable.rulesets.dropzone.rounds import BATTLEGROUPS, SQUAD

RULES = ruleset("dropzone")


def asked_about_acting(topics: set[str], most: int = 400) -> list[tuple[View, AnyQuestion]]:
    """Views of a battle with Command Cards at which its sides are asked who acts."""
    battle = Battle(RULES, RULES.setup("attrition"), seed=5)
    bots = {side: RandomBot(RULES, 5) for side in battle.table.sides}
    found: list[tuple[View, AnyQuestion]] = []
    for _ in range(most):
        question = battle.questions[0]
        view = battle.view(question.side)
        if question.topic in topics:
            found.append((View(view.side, view.table.copy()), question))
            if {question.topic for _, question in found} == topics and len(found) > 6:
                break
        assert battle.answer(bots[question.side].answer(view, question), question.side) is None
    return found


def test_what_is_imagined_asks_the_same_and_deals_what_is_unknown() -> None:
    tactics = RULES.tactics()
    assert tactics is not None
    met = asked_about_acting({BATTLEGROUPS, SQUAD})
    assert {question.topic for _, question in met} == {BATTLEGROUPS, SQUAD}
    for view, question in met:
        assert imagines(RULES, tactics, view, question, "a seed")
        one, other = (tactics.imagined(view, question, SeededDice(seed)) for seed in ("a", "b"))
        assert one is not None
        assert other is not None
        own = [thing for thing in view.table.of_kind(CARD) if thing.side == view.side]
        for state in (one, other):
            assert [state.table[thing.id] for thing in own] == own, "what it holds it knows"
            assert all(thing.card for thing in state.table.of_kind(CARD)), "every hand has been dealt"
        assert one.table.decks != other.table.decks, "the order of a deck is not known"
