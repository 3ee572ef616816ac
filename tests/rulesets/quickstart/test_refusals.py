"""Every refusal names the rule that forbids just that, where a case cannot say so."""

import json
from typing import Any

import pytest

from sandtable.engine import Battle, Refusal
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import Rolled
from sandtable.engine.ids import RED, RuleId
from sandtable.forces.data import Data
from sandtable.forces.files import read_text
from sandtable.rulesets.quickstart import RULESET


def laid_out(**changes: Any) -> Battle:
    """Two models twenty inches apart, the first of which declares."""
    red = {"model": "dictator-b", "as": "A", "at": [10, 24], "facing": 0, **changes}
    blue = {"model": "dictator-b", "as": "B", "at": [30, 24], "facing": 180, "states": ["activated"]}
    case = {"board": {"width": 48, "height": 48}, "red": [red], "blue": [blue], "turn": "A"}
    words, written = RULESET.case_words(), Data(read_text(json.dumps(case), "it"), "it")
    return Battle(words.ruleset, words.start(written), dice=ScriptedDice((5, 6, 1, 6, 6, 1, *(1,) * 12)))


SHOOT = {"1": "shoot", "target": "B", "weapons": ["medium-mac"]}


@pytest.mark.parametrize(
    ("draft", "rule", "sentence"),
    [
        ({**SHOOT, "salvo": True}, "quickstart.shooting.salvo-fire-strike", "two or more weapons"),
        ({**SHOOT, "smart": "wider"}, "quickstart.attributes.smart-wider-area", "SMART"),
        ({**SHOOT, "smart": "stronger"}, "quickstart.attributes.smart-stronger-hit", "SMART"),
        (
            {**SHOOT, "strike-point": {"strike-point": {"where": {"kind": "at", "point": [30000, 24000]}}}},
            "quickstart.indirect.strike-point",
            "SA Indirect-Fire",
        ),
        ({"1": "over-watch", "2": "move"}, "quickstart.turn.spending-action-points", "A has 0 left"),
        ({"1": "move", "2": "move", "3": "move"}, "quickstart.turn.spending-action-points", "A has 0 left"),
        ({"1": "over-watch", "2": ["move"]}, "quickstart.turn.declare-actions", "'2' is not asked for"),
        ({"1": "move", "2": "move", "3": {"a": 1}}, "quickstart.turn.declare-actions", "'3' is not asked for"),
        ({**SHOOT, "smart": ["wider"]}, "quickstart.turn.declare-actions", "'smart' is not asked for"),
        ({"1": "nothing", "2": "move"}, "quickstart.turn.declare-actions", "what is asked: 'First action?' (1)."),
        ({"1": "move", "lock": "B"}, "quickstart.turn.declare-actions", "'lock' is not asked for, given the rest"),
    ],
)
def test_what_is_not_asked_for_is_refused_by_its_rule(draft: dict[str, Any], rule: str, sentence: str) -> None:
    refusal = laid_out().check(draft, RED)
    assert isinstance(refusal, Refusal)
    assert refusal.rule == rule
    assert sentence in refusal.sentence


def test_empty_weapon_is_refused_as_empty_whatever_is_still_to_be_said() -> None:
    battle = laid_out(states={"out of ammo": {"value": ["medium-mac", "medium-mac-2"]}})
    refusal = battle.check(SHOOT, RED)
    also = (RuleId("quickstart.attributes.ammo"),)
    assert refusal == Refusal(RuleId("quickstart.shooting.ammo-check"), "The medium MAC is out of ammo.", also)


def test_extra_die_is_credited_to_what_gives_it() -> None:
    battle = laid_out()
    battle.answer({**SHOOT, "weapons": ["medium-mac", "medium-mac-2"]}, RED)
    rolls = [event for event in battle.journal.events() if isinstance(event, Rolled) and event.what == "combat"]
    given = [next(part.rule for part in roll.parts if part.label == "critical success") for roll in rolls]
    assert [roll.natural for roll in rolls] == [11, 12]
    assert given == ["quickstart.attributes.blaster", "quickstart.combat.natural-twelve"]
