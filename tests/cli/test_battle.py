"""`sandtable battle` as a user meets it: the log, the summary, the journal, and what is refused."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.bots import bot_names
from sandtable.cli import battle_pages, main
from sandtable.cli.battle_log import BattleLog
from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    AnyEvent,
    Declared,
    Harm,
    HarmApplied,
    ModelLost,
    Moved,
    PhaseBegan,
    Placed,
    Rolled,
    Sealed,
    Spent,
    StateChanged,
    StepBegan,
)
from sandtable.engine.ids import RED, RuleId, ThingId
from sandtable.engine.records.journal import Answered, Journal
from sandtable.engine.records.replay import replayed, resumed
from sandtable.engine.shapes import UNIT, At, Point
from sandtable.engine.table import Thing
from sandtable.lab.battles import play_on
from sandtable.lab.rulebooks import rulebook
from sandtable.telling.scene_lines import MOST_TOLD
from sandtable.telling.vocabulary import Vocabulary

DUEL = ("battle", "quickstart", "--scenario", "duel")


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Any:
    """Run the command in this process: exit code, output, complaints."""

    def command(*args: str) -> tuple[int, str, str]:
        code = main(args)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return command


def summary(run: Any, *args: str) -> dict[str, Any]:
    code, out, err = run(*DUEL, "--json", *args)
    assert (code, err) == (0, "")
    (line,) = out.splitlines()
    told: dict[str, Any] = json.loads(line)
    return told


def complaint(run: Any, *args: str) -> str:
    code, out, err = run(*args)
    assert code == 2, out + err
    assert out == ""
    (line,) = err.splitlines()
    assert isinstance(line, str)
    return line


# What is shown -----------------------------------------------------------------------------------------------------


def test_json_prints_one_object_and_one_seed_gives_one_battle(run: Any) -> None:
    told = summary(run, "--seed", "7")
    keys = ["ruleset", "version", "seed", "winner", "turns", "answers", "events", "digest", "seconds"]
    assert list(told) == keys
    assert (told["ruleset"], told["seed"]) == ("quickstart", 7)
    assert told["winner"] in ("red", "blue", "")
    again, other = summary(run, "--seed", "7"), summary(run, "--seed", "8")
    assert {**again, "seconds": 0} == {**told, "seconds": 0}
    assert other["digest"] != told["digest"]


def test_a_seed_may_be_a_word(run: Any) -> None:
    assert summary(run, "--seed", "first try")["seed"] == "first try"


def test_a_saved_battle_is_the_battle_that_was_told(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "duel.journal"
    told = summary(run, "--seed", "7", "--save", str(file))
    assert told["digest"] == summary(run, "--seed", "7")["digest"]
    journal = Journal.load(file)
    assert sum(isinstance(line, Answered) for line in journal.lines) == told["answers"]
    assert len(journal.events()) == told["events"]
    assert replayed(journal, rulebook("quickstart").ruleset()).digest() == told["digest"]


def test_the_log_tells_turns_rolls_losses_and_the_winner_with_maps_between(run: Any) -> None:
    code, out, _ = run(*DUEL, "--seed", "1")
    assert code == 0
    lines = out.splitlines()
    assert lines[0].endswith("Seed 1.")
    turns = int(re.findall(r"^(\d+) turns?, ", out, re.MULTILINE)[-1])
    assert [f"══ Turn {n} " in out for n in range(1, turns + 1)] == [True] * turns
    maps = sum(line.startswith("  +---") for line in lines) // 2
    assert maps == turns + 1  # one before every turn, one at the end
    assert re.search(r"[RB]1, combat — 2d6 \[\d \d\] \d+ .*against \d+ \(.*\): \w+", out)
    assert re.search(r"^(Red|Blue|Nobody) wins", out, re.MULTILINE)
    assert lines[-1] == "See it again: sandtable battle quickstart --scenario duel --seed 1"


def test_maps_and_rules_and_every_event_are_for_the_asking(run: Any) -> None:
    plain, full = (
        run(*DUEL, "--seed", "1", "--no-maps")[1],
        run(*DUEL, "--seed", "1", "--no-maps", "--rules", "--all")[1],
    )
    assert "+----" not in plain
    assert "[quickstart." not in plain
    assert " spends " not in plain
    assert "[quickstart.turn." in full
    assert " spends " in full


def test_a_seed_is_drawn_and_shown_if_none_is_given(run: Any) -> None:
    seeds = {re.search(r"--seed (\d+)$", run(*DUEL, "--no-maps")[1].strip()).group(1) for _ in range(2)}  # type: ignore[union-attr]
    assert len(seeds) == 2


def test_help_says_what_a_size_counts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["battle", "--help"])
    assert left.value.code == 0
    assert "quickstart: models a side" in " ".join(capsys.readouterr().out.split())


def test_the_size_is_the_number_of_models(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "three.journal"
    run("battle", "quickstart", "--scenario", "crowded", "--size", "1", "--seed", "2", "--json", "--save", str(file))
    models = {event.made.id for event in Journal.load(file).events() if getattr(event, "made", None)}  # type: ignore[union-attr]
    assert {name for name in models if name.startswith("red")} == {"red-1"}


# What is refused -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("battle", "quickstrat"), "quickstrat: there is no ruleset of this name; did you mean `quickstart`?"),
        ((*DUEL, "--red", "randon"), "randon: there is no bot of this name; did you mean `random`?"),
        (("battle", "quickstart", "--scenario", "dule"), "did you mean `duel`?"),
        (("battle", "quickstart", "--size", "-3"), "--size counts upwards"),
        (("battle", "quickstart", "--size", "100000"), "100000 models a side do not fit; 1 to "),
        ((*DUEL, "--resume", "nowhere.journal"), "leave them out"),
        (("battle", "quickstart", "--resume", "nowhere.journal"), "nowhere.journal: cannot be read"),
        ((*DUEL, "--save", "no/such/folder/x"), "there is no folder no/such/folder"),
        ((*DUEL, "--save", "."), "that is a folder"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(run: Any, args: tuple[str, ...], says: str) -> None:
    assert says in complaint(run, *args)


def test_a_file_that_is_no_journal_is_not_overwritten(run: Any, tmp_path: Path) -> None:
    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Ada,\n")
    assert "no journal and is not overwritten" in complaint(run, *DUEL, "--save", str(letter))
    assert letter.read_text() == "Dear Ada,\n"
    assert list(tmp_path.iterdir()) == [letter]


def test_a_journal_is_overwritten_even_one_that_was_cut_off(run: Any, tmp_path: Path) -> None:
    file = tmp_path / "duel.journal"
    summary(run, "--seed", "7", "--save", str(file))
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    summary(run, "--seed", "7", "--save", str(file))
    assert file.read_bytes() == whole


# Stopping and going on ---------------------------------------------------------------------------------------------


def stopped_after(answers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C while the bots think about an answer."""

    def playing(battle: Battle, players: Any, *, watch: Any) -> None:
        def watched(battle: Battle) -> None:
            watch(battle)
            if sum(isinstance(line, Answered) for line in battle.journal.lines) == answers:
                signal.raise_signal(signal.SIGINT)

        play_on(battle, players, watch=watched)

    monkeypatch.setattr(battle_pages, "play_on", playing)


def test_ctrl_c_saves_what_there_is_and_says_how_to_go_on(
    run: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "duel.journal"
    with monkeypatch.context() as patch:
        stopped_after(12, patch)
        code, _, err = run(*DUEL, "--seed", "1", "--json", "--save", str(file))
    assert code == 130
    assert "Traceback" not in err
    command = err.splitlines()[-1]
    assert command == f"go on with: sandtable battle quickstart --resume {file} --save {file}"
    assert sum(isinstance(line, Answered) for line in Journal.load(file).lines) == 13
    battle = resumed(Journal.load(file), rulebook("quickstart").ruleset())
    assert not battle.ended

    code, out, _ = run(*command.split()[4:], "--json")
    assert code == 0
    told = json.loads(out)
    assert told["answers"] > 13
    assert told["seed"] == 1
    assert replayed(Journal.load(file), battle.ruleset).digest() == told["digest"]
    assert "this battle is over" in complaint(run, *command.split()[4:])


def test_ctrl_c_without_save_says_what_would_have_kept_it(run: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    # A shell starts what runs in its background with the signal ignored, so the test brings a handler of its own.
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        stopped_after(3, monkeypatch)
        code, _, err = run(*DUEL, "--seed", "1", "--json")
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, handler)
    assert code == 130
    assert "--save FILE would have kept it" in err


def test_a_real_process_stops_at_ctrl_c(tmp_path: Path) -> None:
    file = tmp_path / "large.journal"
    args = ["battle", "quickstart", "--scenario", "crowded", "--size", "10", "--seed", "1", "--save", str(file)]
    process = subprocess.Popen(
        [sys.executable, "-c", "from sandtable.cli import main; raise SystemExit(main())", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert process.stdout is not None
    for line in process.stdout:
        if "══ Turn 1 " in line:
            break
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "Traceback" not in err
    assert Journal.load(file).events()


def test_whoever_stops_reading_stops_the_battle_quietly() -> None:
    args = "battle quickstart --scenario crowded --size 4 --seed 1"
    command = f'{sys.executable} -c "from sandtable.cli import main; raise SystemExit(main())" {args} | head -3'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False, timeout=60)
    assert done.stderr == ""
    assert len(done.stdout.splitlines()) == 3


def test_every_bot_plays(run: Any) -> None:
    """Those who think ahead take minutes for a whole battle; `tests/bots/test_levels.py` plays one with less effort."""
    for name in [name for name in bot_names() if name not in ("6", "7", "8")]:
        assert summary(run, "--seed", "3", "--red", name, "--blue", name)["answers"] > 0


SQUAD = [
    Thing(ThingId(name), kind="model", side=RED, label=name, unit=ThingId("squad"), track=2, place=At(Point(0, 0)))
    for name in "AB"
]


def told(
    *events: AnyEvent, everything: bool = False, notes: tuple[str, ...] = (), rules: bool = False, plain: bool = False
) -> list[str]:
    """The lines of a log about a squad of two, without those that set it up."""
    lines: list[str] = []
    vocabulary = Vocabulary(notes=frozenset(notes))
    log = BattleLog(
        (RED,), {}, vocabulary, show=lines.append, maps=False, everything=everything, rules=rules, plain=plain
    )
    log.tell(Placed(one.id, one.place, made=one, n=n) for n, one in enumerate(SQUAD, 1))
    log.tell([PhaseBegan(0, "battle", n=3)])
    set_up = len(lines)
    log.tell(replace(event, n=event.n or n) for n, event in enumerate(events, 100))
    log.pause()
    return [line.rstrip() for line in lines[set_up:] if line not in ("", "Battle")]


def test_a_deed_is_one_line_and_its_dice_stand_below() -> None:
    shot = Declared("A", "shot", ("B",), n=10)
    roll = Rolled("shot", "A", "2d6", (3, 4), 7, (), 7, 6, (), 1, "hit", n=11)
    harm = HarmApplied("B", Harm("damage", 1), 0, 1, n=12, because=11)
    assert told(shot, Spent("A", "AP", 1, 1, n=13), roll, harm) == [
        "Red  A declares shot at B: hit, B takes 1 damage.",
        "       A, shot — 2d6 [3 4] 7 against 6: hit.",
    ]
    everything = told(shot, Spent("A", "AP", 1, 1, n=13), roll, harm, everything=True)
    assert len(everything) == 4
    assert len(everything[3]) - len(everything[3].lstrip()) == 4, "harm stands under the roll that caused it"


def test_the_side_stands_before_its_deeds_and_is_read_out_to_who_cannot_see() -> None:
    rest = Declared("A", "rest")
    assert told(rest) == ["Red  A declares rest."]
    assert told(rest, plain=True) == ["Red: A declares rest."]
    bid = Sealed(RED, "bid")
    assert told(bid, plain=True) == ["Red has chosen in secret (bid)."]


def test_rules_are_named_behind_deeds_and_dice() -> None:
    shot = Declared("A", "shot", ("B",), n=10, rule=RuleId("r.shot"))
    roll = Rolled("shot", "A", "2d6", (3, 4), 7, (), 7, 6, (), 1, "hit", n=11, rule=RuleId("r.roll"))
    assert [line.rpartition("  ")[2] for line in told(shot, roll, rules=True)] == ["[r.shot]", "[r.roll]"]


def test_a_deed_that_may_go_on_is_kept_back_until_somebody_has_to_know() -> None:
    lines: list[str] = []
    log = BattleLog((RED,), {}, Vocabulary(), show=lines.append, maps=False)
    log.tell(Placed(one.id, one.place, made=one, n=n) for n, one in enumerate(SQUAD, 1))
    log.pause()
    lines.clear()
    log.tell([Declared("A", "shot", ("B",), n=10)])
    assert lines == []
    log.pause()
    assert lines == ["Red  A declares shot at B."]
    log.pause()
    log.tell([])
    assert len(lines) == 1, "what was told is not told again"
    log.tell([Rolled("shot", "A", "2d6", (3, 4), 7, (), 7, 6, (), 1, "hit", n=11, because=10)])
    log.tell([Declared("B", "rest", n=12)])
    assert lines[1:] == ["Red  A declares shot at B: hit.", "       A, shot — 2d6 [3 4] 7 against 6: hit."]


def test_a_deed_of_which_more_came_than_a_line_holds_tells_the_rest_below() -> None:
    states: list[AnyEvent] = [
        StateChanged("A", f"state {n}", None, 1, n=20 + n, because=10) for n in range(MOST_TOLD + 2)
    ]
    line, *below = told(Declared("A", "rest", n=10), *states)
    assert line.endswith("and 2 more.")
    assert [words.strip() for words in below] == [
        "A declares rest.",
        *(f"A now: state {n}." for n in range(MOST_TOLD + 2)),
    ]


def test_what_is_not_shown_breaks_no_line() -> None:
    here, there = At(Point(0, 0)), At(Point(UNIT, UNIT))
    moves: list[AnyEvent] = [
        Moved(ThingId("A"), here, there),
        StateChanged("A", "moved", None, 1),
        Spent("A", "AP", 1, 1),
        Moved(ThingId("B"), here, there),
    ]
    assert told(*moves, notes=("moved",)) == ["Red  2 of squad move, now at (1, 1)."]
    assert len(told(*moves, everything=True, notes=("moved",))) == 4


def test_steps_are_told_only_where_everything_is() -> None:
    steps: list[AnyEvent] = [
        StepBegan("activation", RED, ("A",)),
        Declared("A", "rest"),
        StepBegan("combat", RED, ("A",)),
    ]
    assert told(*steps) == ["Red  A declares rest."]
    assert told(*steps, everything=True)[0] == "▸ Red: A (activation)."
    assert "▸" not in "".join(told(*steps, everything=True, plain=True))


def test_harm_that_is_a_loss_is_told_once() -> None:
    killed: list[AnyEvent] = [HarmApplied("A", Harm("killed", 2), 0, 2), ModelLost(ThingId("A"), "killed")]
    assert told(*killed) == ["Red  A is lost: killed."]
    assert len(told(*killed, everything=True)) == 2


def test_what_changes_nothing_and_what_is_known_already_is_for_the_asking() -> None:
    events: list[AnyEvent] = [
        StateChanged("A", "is", "x", "x"),
        StateChanged("A", "tired", None, 1),
        StateChanged("A", "tired", 1, None),
        Sealed(RED, "bid", "3"),
        Sealed(RED, "bid"),
    ]
    rest = Declared("A", "rest")
    assert told(rest, *events, notes=("not tired",)) == [
        "Red  A declares rest: now tired, red has chosen in secret (bid)."
    ]
    assert len(told(rest, *events, notes=("not tired",), everything=True)) == 6
