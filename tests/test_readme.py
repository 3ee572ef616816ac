"""What the README and the docs show is true: their code runs, and the commands they name are there.

Every block of the README that opens with ```python runs, and every block of docs/*.md that opens with ```python run.
The blocks of one page run in order and share their names. A block may check itself with `assert`.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parent.parent
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").glob("**/*.md"))]
FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<code>.*?)^```\s*$", re.MULTILINE | re.DOTALL)
SANDTABLE = re.compile(r"(?:^|[\s/`$])sandtable ([a-z][a-z-]*)\b")
MAKE = re.compile(r"(?:^|[\s`$])make ([a-z][a-z-]*)\b")


class Block(NamedTuple):
    """A fenced block: what its fence says, its code, and the line of the page where the code starts."""

    info: list[str]
    code: str
    line: int


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(found["info"].split(), found["code"], text.count("\n", 0, found.start("code")) + 1)
        for found in FENCE.finditer(text)
    ]


def runs(page: Path, block: Block) -> bool:
    return block.info[:1] == ["python"] and (page == README or "run" in block.info[1:])


def commands(page: Path) -> str:
    """The shell blocks of a page and its inline code: where a command may be named."""
    text = page.read_text(encoding="utf-8")
    shell = [block.code for block in blocks(page) if block.info[:1] in (["sh"], ["bash"], ["console"])]
    return "\n".join([*shell, *re.findall(r"`[^`\n]+`", FENCE.sub("", text))])


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_python_of_the_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "__main__"}
    for block in blocks(page):
        if runs(page, block):
            padded = "\n" * (block.line - 1) + block.code  # so that a traceback names the line of the page
            exec(compile(padded, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_commands_of_the_page_exist(page: Path) -> None:
    answer = subprocess.run(
        [sys.executable, "-c", "from sandtable.cli import main; raise SystemExit(main(['--help']))"],
        capture_output=True,
        text=True,
        check=True,
    )
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    text = commands(page)
    unknown = [f"sandtable {word}" for word in SANDTABLE.findall(text) if not re.search(rf"\b{word}\b", answer.stdout)]
    unknown += [f"make {word}" for word in MAKE.findall(text) if not re.search(rf"(?m)^{word}:", makefile)]
    assert not unknown, f"{name(page)} names commands that do not exist: {', '.join(unknown)}"
