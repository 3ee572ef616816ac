"""What may be switched on while a way is drawn: how far weapons reach from where it ends, and who could fire there."""

import sandtable.rulesets.dropzone as dropzone
from sandtable.engine.answers.judging import wanting
from sandtable.engine.battle import Battle
from sandtable.engine.ids import RED
from sandtable.engine.questions import MoveModels, Preview
from sandtable.engine.shapes import Leg, Walk
from sandtable.forces.data import Data
from sandtable.forces.files import read_text

TEXT = """
board: {width: 48, height: 48}
red: [{model: picket, as: A1, unit: A, at: [4, 24], facing: 0}]
blue: [{model: bulwark, as: B1, unit: B, at: [30, 24], facing: 180}]
turn: A1
"""


def around(go: int) -> Preview:
    """What is drawn around a Picket that goes so far towards a Bulwark."""
    words = dropzone.RULESET.case_words()
    battle = Battle(words.ruleset, words.start(Data(read_text(TEXT, "it"), "it")), seed=1)
    while not isinstance(battle.questions[0], MoveModels):
        choice = next(one.id for one in battle.questions[0].options if not one.refused)  # type: ignore[union-attr]
        assert battle.answer(choice) is None
    asked = wanting(battle.questions[0], ("costs", "ranges", "threats"))
    walks = {"A1": Walk((Leg(0, go),))}
    return battle.ruleset.preview(battle.view(RED), asked, walks).allowed(asked.shows)


def test_ranges_and_threats_are_those_of_where_the_way_ends() -> None:
    far, near = around(0), around(9000)
    assert {ring.what for ring in near.rings} == {"cost", "range"}
    assert far.targets["B1"].startswith("26")
    assert "outside" in far.targets["B1"]
    assert near.targets["B1"].startswith("17")
    assert (far.threats, [threat.by for threat in near.threats]) == ((), ["B1"])
    assert "Bulwark gun at A1, needs " in near.threats[0].words
