"""The command as a user meets it: a process with arguments, output and an exit code."""

import argparse
import subprocess
import sys
from pathlib import Path

import pytest

from sandtable import __version__
from sandtable.cli import _Help
from sandtable.forces.ledger import ledger
from tests.cli.conftest import Complaint

CASE = """
ruleset: {ruleset}
title: A does something
proves: [quickstart.turn.action-points]
play: [{{do: {{A: aim}}}}]
"""


def sandtable(*args: str, where: Path | None = None) -> "subprocess.CompletedProcess[str]":
    """Run the command in a process of its own."""
    return subprocess.run(
        [sys.executable, "-c", "from sandtable.cli import main; raise SystemExit(main())", *args],
        capture_output=True,
        text=True,
        check=False,
        cwd=where,
        timeout=120,
    )


def test_a_process_given_something_wrong_says_so_in_one_line(tmp_path: Path) -> None:
    answer = sandtable("case", "no-such.yaml", where=tmp_path)
    assert answer.returncode == 2
    (line,) = answer.stderr.splitlines()
    assert line.startswith("sandtable: no-such.yaml: no such file or folder")


def test_help_names_every_command() -> None:
    answer = sandtable("--help")
    assert answer.returncode == 0
    for command in ("case", "rules"):
        assert f"\n    {command} " in answer.stdout
    assert sandtable().stdout == answer.stdout


def test_a_command_has_a_help_page_of_its_own() -> None:
    answer = sandtable("case", "--help")
    assert answer.returncode == 0
    assert "--mutate" in answer.stdout


def test_details_of_a_help_page_are_found_out_when_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    asked: list[str] = []

    def details() -> str:
        asked.append("details")
        return "A size counts goblins."

    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--help", action=_Help, details=details, help="show it")
    parser.format_usage()
    assert not asked
    with pytest.raises(SystemExit):
        parser.parse_args(["--help"])
    assert capsys.readouterr().out.endswith("A size counts goblins.\n")


def test_version() -> None:
    assert sandtable("--version").stdout == f"sandtable {__version__}\n"


def test_a_rule_by_its_id_is_printed_in_full() -> None:
    answer = sandtable("rules", "quickstart.shooting.ammo-check")
    assert answer.returncode == 0
    for words in ("Ammo check after a fumble", "Ammunition is not counted.", "limited_ammo: [1, 2]", "ruling"):
        assert words in answer.stdout
    assert sandtable("rules", "quickstart", "quickstart.shooting.ammo-check").stdout == answer.stdout


def test_words_search_rules_best_first() -> None:
    lines = sandtable("rules", "quickstart", "ammo", "bin").stdout.splitlines()
    assert lines[0].split()[0] in ("quickstart.attributes.ammo-bin", "quickstart.shooting.ammo-bin")
    assert all(line.startswith("quickstart.") for line in lines)
    every = sandtable("rules", "ammo", "bin").stdout.splitlines()
    own = [line.split() for line in every if line.startswith("quickstart.")]
    assert own == [line.split() for line in lines]
    assert len(every) > len(own), "other rulesets have such rules too"


def test_a_ruleset_alone_lists_its_chapters() -> None:
    answer = sandtable("rules", "quickstart").stdout
    assert answer.startswith(f"quickstart: {len(ledger('quickstart').rules)} rules in ")
    assert "\nshooting\n" in answer


def test_output_into_a_closed_pipe_is_no_error() -> None:
    code = f"{sys.executable} -c 'from sandtable.cli import main; raise SystemExit(main())' rules quickstart | head -1"
    answer = subprocess.run(["bash", "-o", "pipefail", "-c", code], capture_output=True, text=True, check=False)
    assert answer.returncode == 0
    assert answer.stderr == ""


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("rules", "quickstrat"), "no ruleset and no rule is called `quickstrat`; did you mean `quickstart`?"),
        (("rules", "quickstart", "xyzzy"), "no rule of quickstart fits `xyzzy`; "),
        (
            ("rules", "quickstrat", "--coverage"),
            "quickstrat: there is no ruleset of this name; did you mean `quickstart`?",
        ),
        (("rules", "--coverage", "quickstart", "ammo"), "leave the words out"),
        (("rules", "--coverage", "--battles", "-1"), "--battles counts battles"),
        (("case",), "give case files or folders"),
        (("case", "no-such.yaml"), "no-such.yaml: no such file or folder; give the path of a case"),
        (("case", "--words", "quickstrat"), "quickstrat: there is no ruleset of this name; did you mean"),
        (("case", "--mutate", "quickstrat"), "quickstrat: there is no ruleset of this name; did you mean"),
        (("case", "--mutate", "quickstart", "--cases", "nowhere"), "nowhere: no such file or folder"),
    ],
)
def test_wrong_arguments_are_told_in_one_line(
    args: tuple[str, ...], says: str, tmp_path: Path, complaint: Complaint
) -> None:
    assert says in complaint(*args, where=tmp_path)


ALIASES = "a: &a [x, x, x]\n" + "\n".join(
    f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]" for n in range(20)
)


@pytest.mark.parametrize(
    ("content", "says"),
    [
        pytest.param(b"title: ]", "case.yaml:1: this is not YAML", id="not YAML"),
        pytest.param(b"\x00\x01\x02", "case.yaml:1: this is not YAML", id="not text"),
        pytest.param(b"\xff\xfe\x00a", "case.yaml:1: the file is not UTF-8 text; save it as UTF-8", id="not UTF-8"),
        pytest.param(b"", "case.yaml:1: nothing stands here; a case is a mapping with", id="empty"),
        pytest.param(ALIASES.encode(), "case.yaml:1: the anchor `&a`; write the value out", id="aliases"),
        pytest.param(b"[" * 100_000, "case.yaml:1: more than 40 levels of nesting; nest less", id="deep"),
        pytest.param(b"- 1\n" * 600_000, "the file has more than 2,000,000 bytes", id="large"),
        pytest.param(b"title: !!python/object/apply:os.system [ls]", "the tag `tag:yaml.org", id="tag"),
        pytest.param(b"title: a\ntitle: b", "case.yaml:2: the key `title` stands twice, first in line 1", id="twice"),
        pytest.param(
            CASE.format(ruleset="quickstrat").encode(),
            "case.yaml:2: there is no ruleset `quickstrat`; did you mean `quickstart`?",
            id="unknown ruleset",
        ),
    ],
)
def test_a_wrong_case_is_told_with_file_and_line(
    tmp_path: Path, content: bytes, says: str, complaint: Complaint
) -> None:
    (tmp_path / "case.yaml").write_bytes(content)
    assert says in complaint("case", "case.yaml", where=tmp_path)
    assert (tmp_path / "case.yaml").read_bytes() == content


def test_words_that_fit_no_case_are_told(tmp_path: Path, complaint: Complaint) -> None:
    (tmp_path / "case.yaml").write_text(CASE.format(ruleset="quickstart"), encoding="utf-8")
    assert "no case fits `nonesuch`; leave -k out" in complaint("case", ".", "-k", "nonesuch", where=tmp_path)
