"""How soon the table is painted in a browser, and what the page weighs.

A server in a process of its own, a battle in it, and Debian's chromium opening it seven times with nothing cached.
Measured, from the address being opened: the first paint of anything, and the frame after the table's ground is drawn
(the middle run of seven, the best and the worst); all files of the page, as long as they are and as they are sent.
The load of the machine is told with it, for a browser, a server and their driver share it.

With `--against`, a folder that holds the source of another time: its page is opened by turns with this one, each from a
server of its own, and the ratio of both is told, for a busy machine slows both.

    python benchmarks/page.py [--ruleset NAME] [--scenario NAME] [--against FOLDER] [--json]
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from sandtable.forces.ledger import systems

BROWSER = Path(__file__).resolve().parents[1] / "tests" / "page" / "browser" / "run.mjs"
#: What must hold on a machine that has nothing else to do.
SOON_MS = 1000
LIGHT = 400_000
_SANDTABLE = "import sys; from sandtable.cli import main; sys.exit(main())"


def measured(ruleset: str, scenario: str, against: str = "") -> list[dict[str, Any]]:
    """The middle one of seven paints; of the page to compare with too."""
    node, chromium = shutil.which("node"), shutil.which("chromium")
    if node is None or chromium is None:
        raise SystemExit("node and chromium are needed; on Debian: apt-get install nodejs chromium")
    with ExitStack() as stack:
        bases = []
        for source in ["", against] if against else [""]:
            folder = stack.enter_context(tempfile.TemporaryDirectory())
            bases.append(stack.enter_context(_served(f"sqlite:///{folder}/battles.sqlite", source)))
        command = [node, str(BROWSER), "paint", bases[0], " ".join([ruleset, scenario, *bases[1:]])]
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=300, env={**os.environ, "CHROMIUM": chromium}, check=False
        )
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()[: len(bases)]]


@contextmanager
def _served(database: str, source: str = "") -> Iterator[str]:
    """The command that serves, of this source or of another folder; gives its address once it answers."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = str(free.getsockname()[1])
    command = [sys.executable, "-c", _SANDTABLE, "serve", "--no-browser", "--port", port, "--database", database]
    environment = {**os.environ, "PYTHONPATH": str(Path(source).resolve() / "src")} if source else None
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    try:
        yield _answers(f"http://127.0.0.1:{port}")
    finally:
        server.terminate()
        server.wait()


def _answers(base: str) -> str:
    for _ in range(600):
        try:
            with urllib.request.urlopen(f"{base}/health", timeout=2):
                return base
        except OSError:
            time.sleep(0.1)
    raise SystemExit("the server does not answer")


def main() -> None:
    """Measure and tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--ruleset", default=systems()[0], help="which ruleset's table is painted")
    parser.add_argument("--scenario", default="", help="on which scenario; its first one if none is named")
    parser.add_argument("--against", default="", help="a folder with the source of another time, to compare with")
    parser.add_argument("--json", action="store_true", help="one line of JSON")
    wanted = parser.parse_args()
    load = round(os.getloadavg()[0], 1)
    now, *before = measured(wanted.ruleset, wanted.scenario, wanted.against)
    told = {**now, "load": load, **({"before": before[0]} if before else {})}
    if wanted.json:
        print(json.dumps(told))
        return
    soon = "under" if told["table_ms"] < SOON_MS else "NOT under"
    light = "under" if told["weight"] < LIGHT else "NOT under"
    print(
        f"the table is painted after {told['table_ms']} ms ({told['best_ms']} to {told['worst_ms']}), {soon} {SOON_MS}"
    )
    print(f"the page weighs {told['weight']} bytes in {told['files']} files, {light} {LIGHT}")
    for one in before:
        ratios = {key: now[key] / one[key] for key in ("first_ms", "table_ms")}
        print(
            f"before: the first paint after {one['first_ms']} ms, the table after {one['table_ms']}; "
            f"now {ratios['first_ms']:.2f} and {ratios['table_ms']:.2f} times that"
        )
    print(f"{told['elements']} elements; load of the machine {load}")


if __name__ == "__main__":
    main()
