"""The page's types are the server's messages, and the page keeps to them."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import EVERYTHING, ROOT
from tests.page.typedefs import TYPES, typedefs

HERE = Path(__file__).resolve().parent
PAGE = ROOT / "src" / "sandtable" / "page"


def test_types_are_the_servers_messages() -> None:
    assert TYPES.read_text(encoding="utf-8") == typedefs(), "run: python -m tests.page.typedefs"


def test_the_page_keeps_to_its_types() -> None:
    tsc = HERE / "node_modules" / ".bin" / "tsc"
    if not tsc.exists():
        missing = "npm packages are not installed (npm ci in tests/page), so this is NOT tested"
        pytest.fail(missing, pytrace=False) if EVERYTHING else pytest.skip(missing)
    checked = subprocess.run([tsc, "-p", HERE / "tsconfig.json"], capture_output=True, text=True, check=False)
    assert checked.returncode == 0, checked.stdout


def _needs(module: str, found: set[str]) -> set[str]:
    """The modules that one imports at once, and those that they import."""
    for name in re.findall(
        r'^(?:import|export) .*from "\./([^"]+)"', (PAGE / "js" / module).read_text("utf-8"), re.MULTILINE
    ):
        if name not in found:
            found.add(name)
            _needs(name, found)
    return found


LIGHT = 500_000


def test_the_page_is_light() -> None:
    """Everything a browser fetches to show any one page: what all of them need, and what comes with that one."""
    common = {"main.js", *_needs("main.js", set())}
    later = re.findall(r'import\("\./([^"]+)"\)', (PAGE / "js" / "main.js").read_text("utf-8"))
    assert len(later) > 2
    kinds = ("css/*.css", "*.html", "*.svg", "fonts/*.woff2")
    others = [path for kind in kinds for path in PAGE.glob(kind)]
    for page in later:
        scripts = [PAGE / "js" / name for name in sorted(common | {page} | _needs(page, set()))]
        weight = sum(path.stat().st_size for path in [*others, *scripts])
        assert weight < LIGHT, f"with {page} the page weighs {weight} bytes"


def test_every_module_is_asked_for_at_once() -> None:
    """A module that the head names need not wait until another has been read; what is not needed is not named."""
    named = re.findall(r'rel="modulepreload" href="js/([^"]+)"', (PAGE / "index.html").read_text(encoding="utf-8"))
    assert sorted(named) == sorted(_needs("main.js", set()))
    assert "editor.js" not in named


def test_every_style_sheet_is_imported() -> None:
    sheets = re.findall(r'^@import "([^"]+)";$', (PAGE / "css" / "page.css").read_text("utf-8"), re.MULTILINE)
    assert sorted(sheets) == sorted(path.name for path in (PAGE / "css").glob("*.css") if path.name != "page.css")
