"""Files are written whole or not at all, onto the disk, and only where a file may be."""

import os
import resource
import signal
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from sandtable.engine.records.journal import Journal, JournalError
from sandtable.engine.records.whole_files import NotWritten, is_regular, write_whole


def test_a_file_is_replaced_whole_and_keeps_its_rights(tmp_path: Path) -> None:
    path = tmp_path / "battle.journal"
    write_whole(path, b"one")
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~_mask()
    path.chmod(0o600)
    write_whole(path, b"two")
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"two", 0o600)
    assert [one.name for one in tmp_path.iterdir()] == ["battle.journal"]


def _mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_it_is_on_the_disk_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    sync, replace = os.fsync, os.replace

    def synced(number: int) -> None:
        done.append("sync")
        sync(number)

    def replaced(one: str, other: Path) -> None:
        done.append("name")
        replace(one, other)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    write_whole(tmp_path / "it", b"data")
    assert done == ["sync", "name", "sync"], "the file, its name, its folder"


def test_a_link_is_followed_and_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "there").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "there")
    write_whole(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there").read_bytes() == b"new"


def test_what_is_no_file_is_neither_written_nor_read(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for odd in (pipe, Path(os.devnull), Path("/dev/zero")):
        assert not is_regular(odd)
        with pytest.raises(NotWritten, match="no regular file"):
            write_whole(odd, b"data")
        with pytest.raises(JournalError, match="no regular file"):
            Journal.load(odd)
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)


@pytest.mark.parametrize("arguments", [["battle", "quickstart", "--save"], ["replay", "{journal}", "--html"]])
def test_a_full_disk_a_device_and_a_pipe_are_one_sentence(tmp_path: Path, arguments: list[str]) -> None:
    journal = next((Path(__file__).parents[1] / "golden").rglob("two-a-side.jsonl"), None)
    assert journal is not None
    words = [one.format(journal=journal) for one in arguments]
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for odd in (os.devnull, str(pipe)):
        told = run(*words, odd)
        assert told.returncode == 2
        assert "no regular file" in told.stderr
        assert told.stderr.count("\n") == 1
    old = tmp_path / "old"
    old.write_bytes(journal.read_bytes() if arguments[0] == "battle" else b"<!doctype html>old")
    before = old.read_bytes()
    told = run(*words, str(old), full=True)
    assert told.returncode == 2, told.stderr
    assert "could not be written" in told.stderr
    assert "Traceback" not in told.stderr
    assert old.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["old", "pipe"]


def run(*arguments: str, full: bool = False) -> "subprocess.CompletedProcess[str]":
    """Run the command; `full`: nothing may be written beyond the first few bytes of a file."""

    def no_room() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (10, 10))

    command = [sys.executable, "-c", "import sys; from sandtable.cli import main; sys.exit(main())", *arguments]
    return subprocess.run(
        command, capture_output=True, text=True, timeout=300, check=False, preexec_fn=no_room if full else None
    )
