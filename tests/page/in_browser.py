"""Scenarios of `tests/page/browser`, played in a browser against a server that runs."""

import subprocess
from pathlib import Path

import pytest

from tests.conftest import EVERYTHING, needs

HERE = Path(__file__).resolve().parent


def play_in_browser(base: str, scenario: str, how: str = "") -> None:
    """Play a scenario in the browser; what went wrong there fails the test, and where there is no browser it skips."""
    chromium, node = needs("chromium"), needs("node")
    if not (HERE / "node_modules" / "playwright-core").is_dir():
        missing = "npm packages are not installed (npm ci in tests/page), so this is NOT tested"
        pytest.fail(missing, pytrace=False) if EVERYTHING else pytest.skip(missing)
    command = [node, str(HERE / "browser" / "run.mjs"), scenario, base, how]
    environment = {"CHROMIUM": chromium, "PATH": "/usr/bin:/bin", "HOME": "/tmp"}
    played = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment, check=False)
    assert played.returncode == 0, played.stdout + played.stderr
