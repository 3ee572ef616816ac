"""`sandtable play`: whole battles by typed lines alone, and everything else a player may say on the way."""

import builtins
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sandtable.bots import make_bot
from sandtable.cli import main
from sandtable.cli.play_pages import play_at
from sandtable.cli.previews import preview_lines
from sandtable.cli.question_words import declining, help_for, offer_lines, region_lines, shape_words
from sandtable.cli.standing import NotAnOrder, typed_order
from sandtable.cli.terminal import Terminal
from sandtable.cli.typed_answers import Unreadable, length, read
from sandtable.engine.battle import Battle
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.ids import BLUE, RED, RuleId, Side, ThingId
from sandtable.engine.questions import (
    Allocate,
    Bead,
    Chance,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MarkAsked,
    MoveModels,
    Option,
    PathNote,
    PlaceThings,
    Preview,
    React,
    ReactOption,
    SightNote,
)
from sandtable.engine.records.journal import Answered, Conceded, Journal, Ordered, Undone
from sandtable.engine.records.replay import replayed
from sandtable.engine.shapes import At, Band, Disc, In, Point, Polygon, Region, rectangle
from sandtable.engine.table import Ground, Table, Thing
from sandtable.lab.battles import play_battle
from sandtable.lab.rulebooks import rulebook
from sandtable.rulesets.dropzone.command.cards import HANDS
from sandtable.telling.vocabulary import PLAIN
from tests.cli.typing import Typist, typed
from tests.miniatures import ALL

#: Two people at one keyboard, so that no bot decides what is asked.
BOTH = ("--scenario", "duel", "--seed", "6", "--no-maps", "--side", "both")
#: Red takes the south, both deploy, and red is asked what R1 does.
DEPLOYED = ("2", "16 44 270", "", "16 4 90", "")
#: R1 moves and fires both its guns at B1; red is asked to walk it.
DECLARED = (*DEPLOYED, "1", "4", "", "1", "1", "1 2", "", "")


class Keyboard:
    """Lines to be typed one after another; then nothing more comes."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines: Iterator[str] = iter(())
        self.prompts: list[str] = []
        monkeypatch.setattr(builtins, "input", self._next)

    def _next(self, prompt: str = "") -> str:
        self.prompts.append(prompt)
        print(prompt)
        try:
            return next(self.lines)
        except StopIteration:
            raise EOFError from None


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Keyboard:
    return Keyboard(monkeypatch)


@pytest.fixture
def play(keyboard: Keyboard, capsys: pytest.CaptureFixture[str]) -> Any:
    """Play with these lines typed: the exit code and all that was shown."""

    def run(*lines: str, args: tuple[str, ...] = BOTH) -> tuple[int, str]:
        keyboard.lines = iter(lines)
        code = main(("play", "quickstart", *args))
        shown = capsys.readouterr()
        return code, shown.out + shown.err

    return run


# Whole battles -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("scenario", "size", "seed"), [("duel", 0, 7), ("stand-and-fight", 2, 4)])
def test_a_battle_is_played_by_typed_lines_alone(scenario: str, size: int, seed: int) -> None:
    """Typed answers are the bots' answers: the battle is the one that the bots play without a terminal."""
    package = rulebook("quickstart").ruleset()
    setup = package.setup(scenario, size)
    typist = Typist(package, setup, seed)
    play_at(typist.battle, typist.terminal, {})
    assert typist.battle.ended
    ruleset = package
    bots = {side: make_bot("random", ruleset, seed, side) for side in setup.sides}
    alone = play_battle(ruleset, setup, bots, seed=seed)
    assert typist.battle.digest() == alone.digest()
    assert not [line for line in typist.shown if "Not so" in line]


@pytest.mark.parametrize("name", ALL)
def test_every_miniature_is_played_by_typed_lines_alone(name: str) -> None:
    """All eight kinds of question, sealed ones and blind ones too, without knowing a ruleset."""
    for setup in ALL[name].setups:
        typist = Typist(ALL[name].ruleset, setup, 4)
        play_at(typist.battle, typist.terminal, {})
        assert typist.battle.ended


def test_each_person_reads_only_the_log_of_the_own_side() -> None:
    """What is sealed is never shown to the other side's turn at the keyboard."""
    mini = ALL["sealed-numbers"]
    typist = Typist(mini.ruleset, mini.setups[0], 1)
    play_at(typist.battle, typist.terminal, {})
    seat, seen = typist.battle.table.sides[0], dict.fromkeys(typist.battle.table.sides, "")
    for line in typist.shown:
        if "Enter when" in line:
            seat = Side(line.split("Enter when ")[1].split()[0])
        seen[seat] += f"{line}\n"
    for side, text in seen.items():
        assert f"{side} is asked" not in text.replace(f"{side.capitalize()} is asked", "")
        for other in typist.battle.table.sides:
            secrets = [line for line in text.splitlines() if line.lower().startswith(f"{other} has chosen in secret")]
            if other != side:
                assert all("): " not in line for line in secrets), secrets


# Questions in words -------------------------------------------------------------------------------------------------

BOARD = Table(
    Ground(48000, 48000),
    (RED, BLUE),
    {"m": Thing(ThingId("m"), side=RED, label="R1", place=At(Point(12500, 30000)), facing=270)},
)


def test_a_place_is_told_in_coordinates() -> None:
    edge = Region((rectangle(0, 42000, 48000, 6000),), outside=(Disc(Point(24000, 45000), 3000),), label="your edge")
    lines = offer_lines(PlaceThings(RED, "Where?", things=("m",), where={"m": edge}), BOARD)
    assert "  the board is 48 by 48; 0 0 is its north-west corner" in lines
    assert "  R1: your edge: its whole base inside x 0 to 48, y 42 to 48" in lines
    assert "  R1: outside the circle of 3 around 24 45" in lines


def test_shapes_slots_and_levels_are_told() -> None:
    road = Band((Point(0, 0), Point(9000, 9000)), 2000)
    assert shape_words(road) == "the strip 2 wide along 0 0, 9 9"
    corner = Polygon((Point(0, 0), Point(9000, 0), Point(0, 9500)))
    assert shape_words(corner) == "the corners 0 0, 9 0, 0 9.5"
    region = Region((corner,), levels=(0, 1), slots=(In("m", "attic"),), whole=False)
    assert region_lines(region, BOARD) == [
        "its centre inside the corners 0 0, 9 0, 0 9.5",
        "type `in R1 attic`",
        "levels 0, 1: add `level N`",
    ]


def test_a_walk_says_where_the_model_stands_faces_and_what_it_may_spend() -> None:
    walk = MoveModels(RED, "Walk", models=("m",), allowance={"m": 5}, marks=(MarkAsked("fires here", required=True),))
    assert offer_lines(walk, BOARD) == [
        "  R1 stands at 12.5 30 (C6), facing 270 (north); may spend 5",
        "  mark fires here (needed)",
    ]
    assert "`@3` marks fires here 3 along" in help_for(walk)


def test_what_may_not_be_chosen_says_why() -> None:
    options = (Option("a", "Run"), Option("b", "Fly", refused="R1 has no wings."))
    assert offer_lines(ChooseOne(RED, "How?", options=options), BOARD) == ["  1. Run", "  not Fly: R1 has no wings."]


def test_passing_says_what_it_comes_to() -> None:
    options = (Option("a", "Run"), Option("b", "Hide"))
    assert declining(ChooseOne(RED, "?", options=options, default="b")) == "Hide"
    assert declining(ChooseSeveral(RED, "?", options=options, default=())) == "none"
    assert declining(Confirm(RED, "?", yes="Fire", no="Hold", default=True)) == "Fire"
    assert declining(React(RED, "?")) == "Pass"
    assert declining(ChooseOne(RED, "?", options=options)) == ""


def test_a_preview_is_told_with_parts_odds_sight_and_distance() -> None:
    cost = explain(
        "first inch", ExplainedPart("ground", 1, RuleId("r.a")), ExplainedPart("light woods", 1, RuleId("r.b"))
    )
    needs = explain("needs", ExplainedPart("short range", 6, RuleId("r.c")))
    path = PathNote("m", (), (cost, cost), 4, 5)
    sight = SightNote(Point(0, 0), Point(9, 9), (Bead(Point(1, 1), Point(2, 2), "Barn", counts=True),))
    preview = Preview(
        (cost, cost, needs), ("Mind the edge.",), {"m": 12500}, (), (sight,), (path,),
        (Chance("no harm", 2, 3), Chance("lost", 1, 5000), Chance("1 harm", 1, 3, (300, 360))), "Without luck.",
    )  # fmt: skip
    assert preview_lines(preview, {"m": "R1"}.__getitem__) == [
        "Mind the edge.",
        "R1 spends 4 of 5: ground +2, light woods +2",
        "needs 6: short range +6",
        "R1 is 12.5 away",
        "in sight, across Barn (counts)",
        "odds:",
        "  66.7 %  no harm",
        "  under 0.1 %  lost",
        "  33.3 % (30 to 36)  1 harm",
        "Without luck.",
    ]


# What is typed ------------------------------------------------------------------------------------------------------

_TWO = (Option("a", "Run"), Option("stay", "Stay put"))


@pytest.mark.parametrize(
    ("question", "line", "draft"),
    [
        (ChooseOne(RED, "?", options=_TWO), "2", "stay"),
        (ChooseOne(RED, "?", options=_TWO, default="a"), "stay", "stay"),
        (ChooseOne(RED, "?", options=_TWO, default="a"), "p", None),
        (ChooseOne(RED, "?", options=_TWO), "run", "a"),
        (ChooseSeveral(RED, "?", options=_TWO), "2, 1", ["stay", "a"]),
        (ChooseSeveral(RED, "?", options=_TWO), "", []),
        (Confirm(RED, "?"), "Yes", True),
        (React(RED, "?", options=(ReactOption("x"),)), "1", {"option": "x"}),
        (React(RED, "?", options=(ReactOption("x", amount_most=3),)), "1 2", {"option": "x", "amount": 2}),
        (React(RED, "?", stretch=(0, 5000), options=(ReactOption("x"),)), "1 2.5", {"option": "x", "along": 2500}),
        (React(RED, "?"), "pass", None),
        (Allocate(RED, "?", items=_TWO, bins=_TWO), "1=2 stay=a", {"a": "stay", "stay": "a"}),
        (PlaceThings(RED, "?", things=("m",)), "24 3.5 90",
         {"m": {"where": {"place": "at", "point": [24000, 3500]}, "facing": 90}}),
        (PlaceThings(RED, "?", things=("m",)), "r1: 1 2 level 1",
         {"m": {"where": {"place": "at", "point": [1000, 2000], "level": 1}}}),
        (PlaceThings(RED, "?", things=("m",)), "in the barn attic",
         {"m": {"where": {"place": "in", "holder": "h", "slot": "attic"}}}),
        (PlaceThings(RED, "?", things=("m",)), "off in reserve",
         {"m": {"where": {"place": "off", "why": "in reserve"}}}),
        (MoveModels(RED, "?", models=("m",), marks=(MarkAsked("fires here"),)), "left 30 4, back .5, to 1 2, @3",
         {"m": {"legs": [{"by": "leg", "turn": -30, "go": 4000}, {"by": "leg", "go": -500},
                         {"by": "via", "point": [1000, 2000]}], "marks": {"fires here": 3000}}}),
        (MoveModels(RED, "?", models=("m",)), "stay", {}),
        (MoveModels(RED, "?", models=("m",), decline="Stay"), "stay", None),
    ],
)  # fmt: skip
def test_lines_are_read(question: Any, line: str, draft: Any) -> None:
    assert read(question, line, {"r1": "m", "the barn": "h"}) == draft


@pytest.mark.parametrize(
    ("question", "line", "says"),
    [
        (ChooseOne(RED, "?", options=_TWO), "3", "from 1 to 2"),
        (ChooseOne(RED, "?", options=_TWO), "", "from 1 to 2"),
        (ChooseOne(RED, "?", options=(Option("a", "Run"), Option("b", "Rush"))), "ru", "2 of them"),
        (Confirm(RED, "?"), "maybe", "y or n"),
        (React(RED, "?", options=(ReactOption("x"),)), "1 2 3", "too much"),
        (Allocate(RED, "?", items=_TWO, bins=_TWO), "1", "pairs"),
        (PlaceThings(RED, "?", things=("m",)), "24", "two coordinates"),
        (PlaceThings(RED, "?", things=("m", "n")), "24 3", "say of whom"),
        (MoveModels(RED, "?", models=("m",)), "sideways 4", "no leg"),
        (MoveModels(RED, "?", models=("m",)), "@3", "nothing to mark"),
        (MoveModels(RED, "?", models=("m",)), "1.2345", "no length"),
        (MoveModels(RED, "?", models=("m",)), "right x", "no whole number"),
    ],
)
def test_what_cannot_be_read_says_what_could(question: Any, line: str, says: str) -> None:
    with pytest.raises(Unreadable, match=says):
        read(question, line)


def test_who_is_to_be_named_is_called_by_the_own_name() -> None:
    with pytest.raises(Unreadable, match="say of whom: `palisade r1: …; stoat r2: …`"):
        read(PlaceThings(RED, "?", things=("red-1", "red-2")), "24 3", {"palisade r1": "red-1", "stoat r2": "red-2"})


@pytest.mark.parametrize("line", ["٣", "1e3", "-", ".", "1.", "½", "99999"])
def test_only_plain_lengths_are_lengths(line: str) -> None:
    with pytest.raises(Unreadable):
        length(line)


def test_every_draft_can_be_typed() -> None:
    """What the typist writes is read back as the draft it came from."""
    walk = MoveModels(RED, "?", models=("m",), marks=(MarkAsked("fires here"),))
    draft = {"m": {"legs": [{"by": "leg", "turn": -90, "go": 1250}], "marks": {"fires here": 500}}}
    assert read(walk, typed(walk, draft)) == draft


# What is said on the way --------------------------------------------------------------------------------------------


def test_help_rules_tables_and_logs(play: Any) -> None:
    said = (
        "?",
        "rules",
        "rule ranged-assault",
        "rule nonsense",
        "rule",
        "table",
        "map",
        "hand",
        "log",
        "again",
        "quit",
    )
    code, shown = play(*DEPLOYED, *said)
    assert code == 0
    assert "take your last answer back" in shown
    assert "quickstart.turn.declare-actions: " in shown
    assert "quickstart.shooting.ranged-assault  (core)" in shown
    assert "no rule is called `nonsense`" in shown
    assert "The board is 48 by 48, squares" in shown
    assert "nobody has cards" in shown
    assert shown.count("red: First action?") == 2
    assert "Nothing was saved" in shown
    assert "═" not in shown
    assert "▸" not in shown


def test_a_hand_is_read_by_its_side_and_counted_by_the_other() -> None:
    package = rulebook("dropzone").ruleset()
    battle = Battle(package, package.setup("attrition"), seed=5)
    said: list[str] = []
    terminal = Terminal(battle, battle.table.sides, PLAIN, {}, maps=False, say=said.append, hear=lambda _: "quit")
    while not all(HANDS.hand(battle.table, side) for side in battle.table.sides):
        (question,) = battle.questions
        assert battle.answer(None, question.side) is None
    for side, other in ((RED, "blue"), (BLUE, "red")):
        question = next(one for one in battle.questions)
        said.clear()
        assert terminal._command(side, question, question, "hand")
        (shown,) = said
        for one in HANDS.hand(battle.table, side):
            assert f"  {one.label}. {HANDS.texts[one.card].text}" in shown
        assert f"{other}: 1 card in hand, 29 left to draw" in shown
        assert shown.count("\n  ") == len(HANDS.hand(battle.table, side)), "of the other side's cards none is told"


def test_the_preview_comes_before_the_deed_and_can_be_refused(play: Any) -> None:
    code, shown = play(*DECLARED, "4, @4", "n", "4, @4", "quit")
    assert code == 0
    assert "  2 AP, 0 left" in shown
    assert shown.count("  R1 spends 4 of 5: open +4") == 2
    assert shown.count("  medium MAC at 34.5″: needs 8: long range +8") == 4
    assert shown.count("  in sight") == 2
    assert shown.count("%  B1: no harm") == 2
    assert shown.count("red: Walk R1, and mark where it fires") == 2
    assert "combat — 2d6" not in shown


def test_a_refused_answer_says_the_rule_and_asks_again(play: Any) -> None:
    code, shown = play(*DECLARED, "40, @4", "quit")
    assert code == 0
    assert "Not so: " in shown
    assert "[quickstart.movement." in shown
    assert shown.count("red: Walk R1, and mark where it fires") == 2


def test_parts_of_a_plan_are_taken_back(play: Any) -> None:
    code, shown = play(*DEPLOYED, "1", "4", "back", "back", "back", "10", "", "quit")
    assert code == 0
    assert shown.count("red: First action?") == 3
    assert "R1 declares over-watch" in shown


def test_undo_takes_back_or_says_why_not(play: Any) -> None:
    code, shown = play("2", "16 44 270", "", "undo", "quit")
    assert code == 0
    assert "Nothing can be taken back: a die, a reveal or another side's answer has come since." in shown


def test_standing_orders_are_given_told_and_withdrawn(play: Any) -> None:
    walked = (*DECLARED, "4, @4", "", "")
    code, shown = play("order 1", *walked, "orders", "order p below 60", "orders", "order off", "order off", "quit")
    assert code == 0
    assert "  none" in shown
    assert (
        "From the next time on. Questions under quickstart.shooting.defensive-fire: pass, when chance below 60."
        in shown
    )
    assert "  withdrawn" in shown
    assert "  there is none for this question" in shown


def test_orders_as_typed() -> None:
    react = React(RED, "?", rules=(RuleId("r.react"),), options=(ReactOption("x"),))
    assert typed_order(RED, react, "p").answer is None
    below = typed_order(RED, react, "1 below 60 %")
    assert (below.answer, below.when[0].fact, below.when[0].compare, below.when[0].value) == (
        {"option": "x"}, "chance", "below", 60,
    )  # fmt: skip
    assert typed_order(RED, react, "p when range is 3").when[0].fact == "range"
    for words in ("", "below 60"):
        with pytest.raises((NotAnOrder, Unreadable)):
            typed_order(RED, react, words)


def test_an_order_answers_from_then_on() -> None:
    """In a miniature whose reactions come again and again: once ordered, red is not asked any more."""
    mini = ALL["charge-and-hero"]
    free = Typist(mini.ruleset, mini.setups[0], 2)
    play_at(free.battle, free.terminal, {})
    typist = Typist(mini.ruleset, mini.setups[0], 2)
    ordered: list[str] = []
    plain = typist.hear

    def hear(prompt: str) -> str:
        question = typist.battle.questions[0] if typist.battle.questions else None
        if (
            isinstance(question, React)
            and question.rules
            and question.rules[0] not in ordered
            and "Enter" not in prompt
        ):
            ordered.append(question.rules[0])
            return "order p"
        return plain(prompt)

    typist.terminal.hear = hear
    play_at(typist.battle, typist.terminal, {})
    assert typist.battle.ended
    assert any(isinstance(line, Ordered) for line in typist.battle.journal.lines)


def test_conceding_is_asked_twice(play: Any, tmp_path: Path) -> None:
    file = tmp_path / "duel.journal"
    code, shown = play("concede", "no", "concede", "yes", args=(*BOTH, "--save", str(file)))
    assert code == 0
    assert "Blue wins: red concedes." in shown
    assert sum(isinstance(line, Conceded) for line in Journal.load(file).lines) == 1


def test_two_people_may_agree_on_a_draw(play: Any) -> None:
    code, shown = play("2", "draw", "n", "draw", "y")
    assert code == 0
    assert shown.count("red offers a draw; blue, type y to agree") == 2
    assert shown.count("  Blue plays on.") == 1
    assert "Nobody wins: draw by agreement." in shown


def test_it_is_kept_and_goes_on_where_it_stopped(play: Any, tmp_path: Path) -> None:
    file = tmp_path / "duel.journal"
    code, shown = play(*DEPLOYED, "quit", args=(*BOTH, "--save", str(file)))
    assert code == 0
    assert "--resume" in shown
    before = Journal.load(file)
    assert any(isinstance(line, Answered) for line in before.lines)
    resume = ("--side", "both", "--resume", str(file), "--save", str(file), "--no-maps")
    code, shown = play("concede", "yes", args=resume)
    assert code == 0
    assert "red: What does R1 do? (2 AP)" in shown
    assert "Blue wins: red concedes." in shown
    after = Journal.load(file)
    assert after.said()[: len(before.said())] == before.said()
    assert replayed(after, rulebook("quickstart").ruleset()).ended
    code, shown = play("quit", args=("--resume", str(file), "--no-maps"))
    assert code == 2
    assert "this battle is over" in shown


def test_taking_back_is_a_line_of_the_journal() -> None:
    """A typed undo: the answer is gone and the question is put again."""
    mini = ALL["squad-declares"]
    typist = Typist(mini.ruleset, mini.setups[0], 6)
    plain = typist.hear
    undone: list[int] = []

    def hear(prompt: str) -> str:
        if not undone and "Enter" not in prompt and not typist.terminal.part and len(typist.lines) > 3:
            before = len(typist.battle.journal.lines)
            undone.append(before)
            return "undo"
        return plain(prompt)

    typist.terminal.hear = hear
    play_at(typist.battle, typist.terminal, {})
    assert undone
    told = any("Nothing can be taken back" in line for line in typist.shown)
    assert told or any(isinstance(line, Undone) for line in typist.battle.journal.lines)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--side", "green"), "there is no side green; play red, blue or both"),
        (("--against", "nobody"), "nobody"),
        (("--size", "-1"), "--size counts upwards"),
        (("--resume", "nowhere.journal"), "cannot be read"),
        (("--resume", "x", "--seed", "2"), "leave them out"),
        (("--save", "/nowhere/x"), "there is no folder"),
    ],
)
def test_wrong_arguments_are_told(play: Any, args: tuple[str, ...], says: str) -> None:
    code, shown = play(args=args)
    assert code == 2
    assert says in shown


def test_the_end_of_input_stops_the_battle(play: Any) -> None:
    code, shown = play()
    assert code == 0
    assert "Stopped." in shown
