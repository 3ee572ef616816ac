"""A PostgreSQL of one's own: made in a temporary folder, reached over a socket in it, gone afterwards."""

import getpass
import itertools
import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

from tests.conftest import needs

_numbers = itertools.count()


def _program(name: str) -> str:
    """A program of PostgreSQL; Debian keeps them out of the path."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}")) if shutil.which(name) is None else []
    return str(found[-1]) if found else needs(name)


class Cluster:
    """A running PostgreSQL."""

    def __init__(self, folder: Path, user: str) -> None:
        self.folder, self.user = folder, user

    def address(self, database: str) -> str:
        """The address of a database."""
        return f"postgresql://{self.user}@/{database}?host={self.folder}"

    def fresh(self) -> str:
        """The address of a new, empty database."""
        name = f"t{os.getpid()}_{next(_numbers)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}"')
        return self.address(name)


@contextmanager
def cluster(*settings: str) -> Iterator[Cluster]:
    """Start a PostgreSQL; as root it runs as its own user, for it refuses to run as root."""
    initdb, postgres = _program("initdb"), _program("postgres")
    user = "postgres" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="sandtable-pg-"))
    if user is not None:
        shutil.chown(folder, user)
    name = user or getpass.getuser()
    try:
        subprocess.run(
            [initdb, "-D", str(folder / "data"), "-U", name, "-A", "trust", "-E", "UTF8", "--no-locale"],
            check=True,
            user=user,
            stdout=subprocess.DEVNULL,
            cwd=folder,
        )
        options = [f"-c{setting}" for setting in ("listen_addresses=", f"unix_socket_directories={folder}", *settings)]
        server = subprocess.Popen(
            [postgres, "-D", str(folder / "data"), *options], user=user, stderr=subprocess.DEVNULL, cwd=folder
        )
        try:
            it = Cluster(folder, name)
            _wait(it, server)
            yield it
        finally:
            server.send_signal(signal.SIGINT)  # it hangs up on everybody; asked to terminate it would wait for them
            try:
                server.wait(5)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _wait(it: Cluster, server: "subprocess.Popen[bytes]") -> None:
    for attempt in itertools.count():
        assert server.poll() is None, "PostgreSQL ended by itself"
        try:
            psycopg.connect(it.address("postgres"), connect_timeout=2).close()
            return
        except psycopg.OperationalError:
            assert attempt < 200, "PostgreSQL does not come up"
            server_wait(server)


def server_wait(server: "subprocess.Popen[bytes]") -> None:
    """Wait a moment, or until a server has ended."""
    try:
        server.wait(0.05)
    except subprocess.TimeoutExpired:
        return
