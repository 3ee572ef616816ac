"""The opponent plays Dropzone."""

from sandtable.bots.by_name import make_bot
from sandtable.lab.battles import play_battle
from sandtable.rulesets import ruleset


def test_a_battle_with_flights_has_an_end() -> None:
    rules = ruleset("dropzone")
    players = {"red": make_bot("5", rules, 1, "red"), "blue": make_bot("random", rules, 1, "blue")}
    battle = play_battle(rules, rules.setup("attrition"), players, seed=1, watched=False, digest_every=0, most=5000)
    assert battle.table.ending is not None
