"""Bots that are programs of their own: whole battles over standard input and output, in two languages."""

import json
import shutil
import sys
from argparse import ArgumentParser
from pathlib import Path

import pytest

from sandtable.bots import BotError, NoAnswer, make_bot
from sandtable.bots.programs import ProgramBot, player
from sandtable.cli import main
from sandtable.cli.commands import battle as battle_command
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED
from sandtable.lab.battles import play_battle
from sandtable.rulesets import ruleset
from tests.conftest import ROOT, needs

BOTS = ROOT / "docs" / "bots"


def bot_of(text: str, folder: Path) -> str:
    """A program that is a few lines of Python."""
    path = folder / "bot.py"
    path.write_text(f"#!{sys.executable}\nimport json, sys\n{text}\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


def duel(red: str, scenario: str = "duel", name: str = "quickstart") -> Battle:
    rules = ruleset(name)
    players = {RED: player(red, rules, 3, RED), BLUE: make_bot("random", rules, 3, BLUE)}
    return play_battle(rules, rules.setup(scenario), players, seed=3)


@pytest.mark.parametrize("language", ["python", "javascript"])
@pytest.mark.parametrize(
    ("name", "scenario"),
    [("quickstart", "duel"), ("stargrunt", "close-quarters"), ("dropzone", "checkpoint"), ("strikeops", "meeting")],
)
def test_the_bots_of_the_guide_play_whole_battles(language: str, name: str, scenario: str) -> None:
    walker = BOTS / ("walker.mjs" if language == "javascript" else "walker.py")
    program = f"{needs('node') if language == 'javascript' else sys.executable} {walker}"
    battle = duel(program, scenario, name)
    assert battle.table.ending is not None
    assert duel(program, scenario, name).journal.lines == battle.journal.lines, "the same seed plays the same battle"


def test_a_program_plays_at_the_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    walker = f"{sys.executable} {BOTS / 'walker.py'}"
    words = ["battle", "quickstart", "--scenario", "duel", "--red", walker, "--blue", "random", "--seed", "3", "--json"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["answers"] > 20
    words[words.index(walker)] = bot_of("sys.stdin.readline()", tmp_path)
    assert main(words) != 0, "nobody else answers for it"
    assert "it ended in the middle of the battle" in capsys.readouterr().err


def test_who_names_no_bots_sees_two_tactical_ones() -> None:
    parser = ArgumentParser()
    battle_command.arguments(parser)
    asked = parser.parse_args(["quickstart"])
    assert (asked.red, asked.blue) == ("tactical", "tactical")


def test_they_are_some_forty_lines_of_bot() -> None:
    for name in ("walker.py", "walker.mjs"):
        lines = [line for line in (BOTS / name).read_text("utf-8").splitlines() if line.strip()]
        assert len(lines) <= 40


def test_a_program_that_ends_is_told_by_name(tmp_path: Path) -> None:
    with pytest.raises(BotError, match=r"bot\.py: it ended in the middle of the battle"):
        duel(bot_of("sys.stdin.readline()", tmp_path))


def test_what_is_no_message_is_told(tmp_path: Path) -> None:
    with pytest.raises(BotError, match="it says `hello`"):
        duel(bot_of("print('hello', flush=True)\nsys.stdin.read()", tmp_path))


def test_a_program_that_is_always_refused_stops_the_battle(tmp_path: Path) -> None:
    answer = "print(json.dumps({'say': 'answer', 'answer': 7}), flush=True)"
    text = f"for line in sys.stdin:\n  if 'sit' not in line[:15]: {answer}"
    with pytest.raises(NoAnswer):
        duel(bot_of(text, tmp_path))


def test_a_program_that_is_not_there_is_told_before_the_battle() -> None:
    with pytest.raises(BotError, match="there is no such program"):
        player("./nobody-here", ruleset("quickstart"), 1)


def test_a_name_without_a_slash_starts_no_program() -> None:
    assert shutil.which("true") is not None
    with pytest.raises(BotError, match="there is no bot of this name"):
        player("true", ruleset("quickstart"), 1)
    with pytest.raises(BotError):
        make_bot("./walker.py", ruleset("quickstart"), 1)


def test_it_ends_with_its_input(tmp_path: Path) -> None:
    bot = ProgramBot([bot_of("sys.stdin.read()", tmp_path)], ruleset("quickstart"), 1, RED)
    bot.close()
    assert bot._process.returncode == 0
