"""What tests of the command share."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sandtable.cli import main

Complaint = Callable[..., str]


@pytest.fixture
def complaint(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Complaint:
    """The one message of a command that is given something wrong, in this process: a new one costs most of a second."""

    def of(*args: str, where: Path) -> str:
        monkeypatch.chdir(where)
        code, shown = main(args), capsys.readouterr()
        assert code == 2, shown.out + shown.err
        (line,) = shown.err.splitlines()
        assert line.startswith("sandtable: ")
        return str(line)

    return of
