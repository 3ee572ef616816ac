"""The project holds together: versions, locks, layers, the command."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Any

import pytest

import sandtable
from tests import conftest

ROOT = Path(__file__).resolve().parent.parent
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==(\S+)", re.MULTILINE)


def pyproject() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def locked(name: str) -> dict[str, str]:
    text = (ROOT / "requirements" / f"{name}.txt").read_text(encoding="utf-8")
    return {package.lower().replace("_", "-"): found for package, found in PINNED.findall(text)}


def test_installed_version_is_the_one_in_the_source() -> None:
    assert version("sandtable") == sandtable.__version__


def test_changelog_knows_the_version_or_has_unreleased_changes() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{sandtable.__version__}]" in text or "## [Unreleased]" in text


def test_build_requirements_are_exact_and_locked() -> None:
    for requirement in pyproject()["build-system"]["requires"]:
        package, _, pinned = requirement.partition("==")
        for lock in ("run", "dev"):
            assert locked(lock)[package.lower()] == pinned


def test_the_locks_agree() -> None:
    assert locked("run").items() <= locked("dev").items()
    for extra in ("postgresql", "gym"):
        assert locked(extra).items() <= locked("dev").items()


def test_hosted_tables_have_a_list_of_their_own() -> None:
    assert "psycopg" in locked("postgresql")
    assert not set(locked("postgresql")) & set(locked("run")), "what play needs is installed already"
    assert "requirements/postgresql.txt" in (ROOT / "docs" / "host-a-table.md").read_text(encoding="utf-8")


def test_learners_have_a_list_of_their_own() -> None:
    assert "pettingzoo" in locked("gym")
    assert not set(locked("gym")) & set(locked("run")), "what play needs is installed already"
    assert "requirements/gym.txt" in (ROOT / "docs" / "learn.md").read_text(encoding="utf-8")


#: What the server is started without: packages that Litestar asks for and nothing here imports.
_WITHOUT = """
import importlib.abc, sys

class Without(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0].replace("_", "-") in UNUSED:
            raise ModuleNotFoundError(name, name=name)

sys.meta_path.insert(0, Without())
from sandtable.server.serving import server_for
from sandtable.server.settings import Settings
described = server_for(Settings()).config.app.app.app.openapi_schema.to_schema()
print(len(described["paths"]))
"""


def test_play_is_installed_without_what_nobody_imports() -> None:
    source = (ROOT / "requirements" / "lock.py").read_text(encoding="utf-8")
    found = re.search(r"^UNUSED = \((.*?)^\)$", source, re.MULTILINE | re.DOTALL)
    assert found is not None
    unused = set(re.findall(r'"([a-z0-9-]+)"', found[1]))
    assert len(unused) > 5
    assert not unused & set(locked("run"))
    modules = {"markdown-it-py": "markdown-it"}
    names = {modules.get(one, one) for one in unused}
    ran = subprocess.run(
        [sys.executable, "-c", f"UNUSED = {names!r}\n{_WITHOUT}"], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert ran.returncode == 0, ran.stderr
    assert int(ran.stdout) > 20


@pytest.mark.parametrize("lock", ["run", "dev", "postgresql", "gym"])
def test_a_lock_holds_packages_by_hash_and_names_no_place(lock: str) -> None:
    text = (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")
    assert "://" not in text
    assert "--index" not in text
    packages = [entry for entry in re.split(r"(?m)^(?=[A-Za-z])", text) if not entry.startswith("#")]
    assert packages
    assert all(PINNED.match(entry) and "--hash=sha256:" in entry for entry in packages)


def test_installed_packages_are_the_locked_ones() -> None:
    wrong = {name: (pinned, version(name)) for name, pinned in locked("dev").items() if version(name) != pinned}
    assert not wrong, f"not as locked; run `make venv`: {wrong}"


def test_command_is_installed() -> None:
    (command,) = entry_points(group="console_scripts", name="sandtable")
    assert command.value == "sandtable.cli:main"


def test_help_imports_nothing_heavy() -> None:
    """How long it takes is told by `benchmarks/command.py`; here it is held that little is loaded for it."""
    code = (
        "import sys\n"
        "before = len(sys.modules)\n"
        "import sandtable.cli\n"
        "try: sandtable.cli.main(['--help'])\n"
        "except SystemExit: pass\n"
        "print(sorted({'numpy', 'shapely', 'hypothesis', 'asyncio', 'yaml', 'msgspec'} & set(sys.modules)))\n"
        "print(len(sys.modules) - before)"
    )
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    *_, heavy, modules = answer.stdout.splitlines()
    assert heavy == "[]"
    assert int(modules) < 100, f"sandtable --help loads {modules} modules"


def planned(*arguments: str) -> subprocess.CompletedProcess[str]:
    """What make would do, whoever runs this test."""
    here = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS", "RULESET"))}
    command = [conftest.needs("make"), "--dry-run", "--no-print-directory", *arguments]
    return subprocess.run(command, cwd=ROOT, env=here, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(("ruleset", "other"), [("quickstart", "stargrunt"), ("stargrunt", "quickstart")])
def test_make_test_checks_one_ruleset_alone(ruleset: str, other: str) -> None:
    lines = planned("test", f"RULESET={ruleset}").stdout.splitlines()
    for check in ("ruff check .", "ruff format --check .", "mypy --strict src tests", "lint-imports"):
        assert any(check in line for line in lines), check
    assert f".venv/bin/sandtable case cases/{ruleset}" in lines
    (tests,) = (shlex.split(line)[1:] for line in lines if line.startswith(".venv/bin/pytest "))
    command = [sys.executable, "-m", "pytest", *tests, "-n", "0", "--collect-only", "-q", "--no-header"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    chosen = [line for line in found.stdout.splitlines() if "::" in line]
    for place in (
        f"tests/rulesets/{ruleset}/",
        f"src/sandtable/rulesets/{ruleset}/",
        f"tests/test_golden.py::test_every_line_comes_out_the_same_in_a_fresh_process[{ruleset}]",
        f"tests/test_ledgers.py::test_every_rule_that_has_come_is_cited_and_proved[{ruleset}]",
        f"tests/test_ledgers.py::test_every_rule_that_has_come_fires_in_whole_battles[{ruleset}]",
    ):
        assert any(test.startswith(place) for test in chosen), place
    assert [test for test in chosen if other in test] == []


def test_make_knows_the_rulesets_there_are() -> None:
    found = planned("test", "RULESET=startgrunt")
    assert found.returncode != 0
    assert "There is no ruleset startgrunt; there are dropzone quickstart stargrunt strikeops." in found.stderr
    for target in ("cases", "test"):
        assert ".venv/bin/sandtable case cases/" in planned(target).stdout.splitlines()


@pytest.mark.skipif(not conftest.EVERYTHING, reason="only .ci/run promises a compiler")
def test_kernel_is_compiled_where_a_compiler_is() -> None:
    compiler = shutil.which(os.environ.get("CC", "cc"))
    kernel = conftest.kernel_in_use()
    assert compiler is None or kernel in ("none", "compiled") or os.environ.get("SANDTABLE_INTERPRETED"), kernel


def test_a_missing_program_skips_for_users_and_fails_in_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conftest, "EVERYTHING", False)
    with pytest.raises(pytest.skip.Exception, match="NOT tested"):
        conftest.needs("no-such-program")
    monkeypatch.setattr(conftest, "EVERYTHING", True)
    with pytest.raises(pytest.fail.Exception, match="NOT tested"):
        conftest.needs("no-such-program")
    assert conftest.needs("sh").endswith("/sh")
