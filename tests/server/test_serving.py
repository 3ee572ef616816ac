"""The command: `sandtable serve` listens on loopback, says where, stops when asked, and keeps what it was told."""

import os
import re
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

import httpx
import msgspec
import pytest

from sandtable.cli import main
from sandtable.server import serving
from sandtable.server.hall import Hall
from sandtable.server.serving import PortTaken, listening_socket
from sandtable.server.settings import Settings, data_folder
from tests.server.small_shelf import WHERE
from tests.server.tables import serving as served


def serve(*arguments: str, data: Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [str(Path(sys.executable).with_name("sandtable")), "serve", "--no-browser", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "SANDTABLE_DATA": str(data)},
    )


def test_serve_says_where_it_is_and_keeps_battles_in_the_data_folder(tmp_path: Path) -> None:
    process = serve("--port", "0", data=tmp_path / "data")
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        found = re.search(r"http://localhost:(\d+)/", said)
        assert found is not None, said
        base = f"http://127.0.0.1:{found[1]}"
        # The socket is open before the line is printed, so the first call only has to wait.
        assert httpx.get(f"{base}/health", timeout=30).json()["storage"] is True
        assert "text/html" in httpx.get(base).headers["content-type"]
        name = httpx.get(f"{base}/api/rulesets", timeout=30).json()[0]["name"]
        assert httpx.post(f"{base}/api/battles", json={"ruleset": name}, timeout=30).status_code == 201
        assert (tmp_path / "data" / "battles.sqlite").exists()
    finally:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    assert process.returncode == 0, err
    assert "Traceback" not in out + err


def test_how_many_processes_there_are_is_as_the_host_says(monkeypatch: pytest.MonkeyPatch) -> None:
    served: list[Settings] = []

    def note(settings: Settings, **_: object) -> int:
        served.append(settings)
        return 0

    monkeypatch.setattr(serving, "serve", note)
    assert main(["serve", "--no-browser"]) == 0
    assert main(["serve", "--no-browser", "--thinkers", "2", "--judges", "3", "--readers", "4", "--name", "a.b"]) == 0
    assert [(one.thinkers, one.judges, one.readers, one.names) for one in served] == [
        (1, 2, 2, ()),
        (2, 3, 4, ("a.b",)),
    ]
    hall = Hall(msgspec.structs.replace(served[1], database=":memory:", library=WHERE))
    assert [one._turns.places for one in (hall.thinkers, hall.judges, hall.readers)] == [2, 3, 4]


def test_a_port_that_is_taken_is_told_with_what_to_do(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(PortTaken, match="--port"):
            listening_socket("127.0.0.1", port)
        process = serve("--port", str(port), data=tmp_path)
        _, err = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "--port" in err
    assert "Traceback" not in err


def test_the_data_folder_follows_the_custom_of_the_system(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SANDTABLE_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert data_folder() == tmp_path / "sandtable"
    monkeypatch.setenv("SANDTABLE_DATA", str(tmp_path / "mine"))
    assert Settings().address() == f"sqlite:///{tmp_path / 'mine' / 'battles.sqlite'}"
    assert Settings(database="file.sqlite").address() == "sqlite:///file.sqlite"


def test_a_server_starts_once_more_with_the_allocator_that_gives_memory_back() -> None:
    code = (
        "import os, sys\n"
        "from sandtable.server.serving import start_with_the_allocator_of_the_c_library as start\n"
        "print('started', flush=True)\n"
        "start()\n"
        "print('PYTHONMALLOC' in os.environ, sys.getallocatedblocks(), sys.argv[1:])\n"
    )
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONMALLOC"}
    done = subprocess.run([sys.executable, "-c", code, "a b"], capture_output=True, text=True, env=environment)
    # Blocks are counted by Python's own allocator only.
    assert done.stdout.splitlines() == ["started", "started", "False 0 ['a b']"], done.stderr


def test_a_server_that_stops_leaves_no_thread_behind(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with served(f"sqlite:///{tmp_path / 'battles.sqlite'}") as server:
        assert httpx.get(f"{server.base}/health", timeout=30).json()["storage"] is True
    left = set(threading.enumerate()) - before
    for one in left:
        one.join(timeout=30)
    assert [one.name for one in left if one.is_alive()] == []
