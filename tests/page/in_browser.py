"""Scenarios of `tests/page/browser`, played in a browser against a server that runs."""

import json
import subprocess
from functools import cache
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest

from tests.conftest import EVERYTHING, needs

HERE = Path(__file__).resolve().parent
#: How long anybody waits for a scenario to end: no measure, only an end of waiting.
SECONDS = 600


class Browser:
    """One browser and the program that plays in it, for all scenarios of a test process: one takes seconds to start."""

    def __init__(self, node: str, chromium: str) -> None:
        environment = {"CHROMIUM": chromium, "PATH": "/usr/bin:/bin", "HOME": "/tmp"}
        self.process = subprocess.Popen(
            [node, str(HERE / "browser" / "run.mjs")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.lines: Queue[str] = Queue()
        Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def play(self, base: str, scenario: str, how: str) -> str:
        """Play a scenario; gives what went wrong."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps({"scenario": scenario, "base": base, "how": how}) + "\n")
        self.process.stdin.flush()
        try:
            line = self.lines.get(timeout=SECONDS)
        except Empty:
            line = ""
        if not line:
            self.process.kill()
            return "the browser does not answer"
        told = json.loads(line)
        return f"{told['told']}\n{told['wrong']}" if told["wrong"] else ""


@cache
def _browser(node: str, chromium: str) -> Browser:
    return Browser(node, chromium)


def play_in_browser(base: str, scenario: str, how: str = "") -> None:
    """Play a scenario in the browser; what went wrong there fails the test, and where there is no browser it skips."""
    chromium, node = needs("chromium"), needs("node")
    if not (HERE / "node_modules" / "playwright-core").is_dir():
        missing = "npm packages are not installed (npm ci in tests/page), so this is NOT tested"
        pytest.fail(missing, pytrace=False) if EVERYTHING else pytest.skip(missing)
    browser = _browser(node, chromium)
    wrong = browser.play(base, scenario, how)
    if browser.process.poll() is not None:
        _browser.cache_clear()
    assert not wrong, f"{scenario} {how} went wrong in the browser:\n{wrong}"
