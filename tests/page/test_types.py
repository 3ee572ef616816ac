"""The page's types are the server's messages, and the page keeps to them."""

import re
import subprocess
from pathlib import Path

import pytest

from sandtable.server.api.page_files import as_sent
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


#: What a page may weigh, and what the table may, which leaves room for what is still to come.
LIGHT = 500_000
LIGHT_TABLE = 470_000


def _later() -> list[tuple[str, tuple[str, ...]]]:
    """The modules that come later, each with the style sheets that come with it."""
    first, main = ((PAGE / "js" / name).read_text("utf-8") for name in ("first.js", "main.js"))
    pages = re.findall(r'import\("\./([^"]+)"\), styled\("([^"]+)"\)', first + main)
    return [*((module, (sheet,)) for module, sheet in pages), *((one, ()) for one in _imported_later(main))]


def _imported_later(text: str) -> list[str]:
    return sorted(set(re.findall(r'await import\("\./([^"]+)"\)', text)))


def _sheets() -> list[str]:
    """The style sheets that every page has from the beginning."""
    return re.findall(r'^@import "([^"]+)";$', (PAGE / "css" / "page.css").read_text("utf-8"), re.MULTILINE)


def _weight(modules: set[str], sheets: tuple[str, ...]) -> int:
    files = [path for kind in ("*.html", "*.svg", "fonts/*.woff2") for path in PAGE.glob(kind)]
    files += [PAGE / "js" / name for name in modules] + [PAGE / "css" / name for name in ("page.css", *sheets)]
    return sum(len(as_sent(path)) for path in files)


def test_the_page_is_light() -> None:
    """Everything a browser fetches to show any one page, as it is sent: what all of them need, and its own."""
    table = {"main.js", *_needs("main.js", set())}
    assert _weight(table, ()) < LIGHT_TABLE, f"a table weighs {_weight(table, ())} bytes"
    assert len(_later()) > 4
    for page, sheets in _later():
        weight = _weight(table | {page} | _needs(page, set()), sheets)
        assert weight < LIGHT, f"with {page} the page weighs {weight} bytes"


def test_every_font_has_its_free_licence_beside_it() -> None:
    css = (PAGE / "css" / "fonts.css").read_text(encoding="utf-8")
    families = dict(re.findall(r'font-family: "([^"]+)"; src: url\("\.\./fonts/([^"]+)"\)', css))
    assert len(families) == 2
    assert {path.name for path in (PAGE / "fonts").glob("*.woff2")} == set(re.findall(r"fonts/([\w-]+\.woff2)", css))
    for family in families:
        licence = (PAGE / "fonts" / f"OFL-{family.split()[0]}.txt").read_text(encoding="utf-8")
        assert "SIL OPEN FONT LICENSE Version 1.1" in licence


def test_every_module_is_asked_for_at_once() -> None:
    """A module that the head names need not wait until another has been read; what is not needed is not named."""
    named = re.findall(r'rel="modulepreload" href="js/([^"]+)"', (PAGE / "index.html").read_text(encoding="utf-8"))
    assert sorted(named) == sorted(_needs("main.js", set()))
    assert not {"editor.js", "start.js"} & set(named)


def test_every_style_sheet_is_imported_or_comes_with_its_page() -> None:
    sheets = {*_sheets(), *(sheet for _, later in _later() for sheet in later)}
    assert sheets == {path.name for path in (PAGE / "css").glob("*.css")} - {"page.css"}
