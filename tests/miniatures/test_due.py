"""What is due: settled by target, added up, and never started twice."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Harm, HarmNoted
from sandtable.engine.ids import RED
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure, Ruleset, Setup
from sandtable.engine.state import Due, Settle, Step


class Shake(Step, frozen=True):
    """Two cracks in each wall."""


class Choose(Step, frozen=True):
    """The side says which wall goes first."""


class Walls(Ruleset):
    """Two walls with two cracks each. A wall that falls shakes itself and the other one again."""

    name = "walls"
    steps = (Shake, Choose)

    def open(self, battle: Battle, setup: Setup) -> None:
        battle.push(Shake())

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        if isinstance(step, Shake):
            for wall in ("east", "west"):
                for _ in range(2):
                    battle.note(HarmNoted(wall, Harm("crack", 1), "end"))
            battle.push(Choose())
        elif battle.state.due:
            walls = dict.fromkeys(entry.target for entry in battle.state.due)
            first = yield ChooseOne(RED, "Which first?", options=tuple(Option(wall) for wall in walls))
            battle.push(Settle("end", first), Choose())

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        cracks = [due, *(battle.taken_with(due) if due.harm.what == "crack" else [])]
        battle.happens(Counted(due.target, due.harm.what, 0, sum(entry.harm.amount for entry in cracks)))
        if due.harm.what == "crack":
            battle.note(HarmNoted(due.target, Harm("fall", 1), "end"), once=True)
        else:
            assert battle.note(HarmNoted(due.target, Harm("fall", 1), "end"), once=True) == 0, "it is falling"
        yield from ()


def counted(battle: Battle) -> list[tuple[str, str, int]]:
    return [(e.thing, e.what, e.after) for e in battle.journal.events() if isinstance(e, Counted)]


def test_settling_one_target_leaves_the_others_and_adds_its_harm_up() -> None:
    battle = Battle(Walls())
    assert battle.answer("west", RED) is None
    assert counted(battle) == [("west", "crack", 2), ("west", "fall", 1)]
    assert [entry.target for entry in battle.state.due] == ["east", "east"]
    assert battle.answer("east", RED) is None
    assert counted(battle)[2:] == [("east", "crack", 2), ("east", "fall", 1)]
    assert battle.state.due == []
    assert battle.state.under_way == ()


def test_what_is_marked_once_is_noted_once_while_it_waits() -> None:
    battle = Battle(Walls())
    fall = HarmNoted("north", Harm("fall", 1), "later")
    assert battle.note(fall, once=True) > 0
    assert battle.note(fall, once=True) == 0
    assert [entry.harm.what for entry in battle.state.due].count("fall") == 1
