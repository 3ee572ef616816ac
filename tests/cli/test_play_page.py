"""The worked example of docs/play.md is what the program says today."""

import contextlib
import io
import re
from unittest.mock import patch

from sandtable.cli import main
from tests.conftest import ROOT

PAGE = ROOT / "docs" / "play.md"
_ARGS = ("play", "quickstart", "--scenario", "duel", "--seed", "6", "--no-maps", "--side", "both")
_TYPED = (
    "2",
    "16 44 270",
    "",
    "16 4 90",
    "",
    "1",
    "4",
    "",
    "1",
    "1",
    "1 2",
    "",
    "",
    "40, @4",
    "4, @4",
    "",
    "",
    "p",
    "quit",
)
_FENCE = re.compile(r"(<!-- tested by [^>]*-->\n```text\n)(.*?)(\n```)", re.DOTALL)


def example() -> str:
    """What is shown and typed, from the first question about R1 to the blow."""
    lines = iter(_TYPED)
    out = io.StringIO()

    def typed(prompt: str = "") -> str:
        line = next(lines)
        out.write(f"{prompt}{line}\n")
        return line

    with contextlib.redirect_stdout(out), patch("builtins.input", typed):
        assert main(_ARGS) == 0
    shown = out.getvalue()
    start, end = shown.index("red: What does R1 do?"), shown.index("blue: What does B1 do?")
    return shown[start:end].rstrip()


def test_the_worked_example_is_what_the_program_says() -> None:
    found = _FENCE.search(PAGE.read_text("utf-8"))
    assert found is not None
    assert found[2] == example(), "run `python -m tests.cli.test_play_page`"


if __name__ == "__main__":
    PAGE.write_text(_FENCE.sub(lambda found: found[1] + example() + found[3], PAGE.read_text("utf-8")), "utf-8")
