"""A database that a server cannot use, in one sentence; and the one server that a SQLite file has."""

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path

import sqlalchemy as sa
from alembic.util.exc import CommandError
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, SQLAlchemyError


class Unusable(Exception):
    """A server cannot start with this database: which, why, and what to do."""


class Held:
    """A SQLite file held by this server; a second one is refused. The system lets go when the process ends."""

    def __init__(self, file: Path) -> None:
        self._number = os.open(file.with_name(file.name + ".lock"), os.O_CREAT | os.O_RDWR, 0o600)
        try:
            with contextlib.suppress(ImportError):  # Windows has no such locks
                import fcntl

                fcntl.flock(self._number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(self._number)
            words = "another server has this file open; stop it, or give this one a --database of its own"
            raise Unusable(f"{file}: {words}") from None

    def let_go(self) -> None:
        """The server closes."""
        os.close(self._number)


def shown(url: sa.URL) -> str:
    """A database as messages name it, without a password."""
    return url.database or "" if url.get_backend_name() == "sqlite" else url.render_as_string(hide_password=True)


@contextlib.contextmanager
def told_in_a_sentence(url: str | sa.URL) -> Iterator[None]:
    """Whatever is wrong with a database while it is opened is told as one sentence with what to do."""
    try:
        name = shown(sa.make_url(url))
    except ArgumentError:
        words = "give a file, or postgresql://user@host/name"
        raise Unusable(f"--database is no address of a database; {words}") from None
    try:
        yield
    except Unusable:
        raise
    except CommandError:
        raise Unusable(f"{name}: it was made by a newer version of this program; install that one") from None
    except ModuleNotFoundError as problem:
        words = "install requirements/postgresql.txt" if "psycopg" in str(problem) else "give a file or postgresql://…"
        raise Unusable(f"{name}: its driver is not installed ({problem.name}); {words}") from None
    except NoSuchModuleError:
        raise Unusable(f"{name}: no such kind of database is served; give a file or postgresql://…") from None
    except DBAPIError as problem:
        why = " ".join(str(problem.orig).split())[:300]
        raise Unusable(f"{name}: it cannot be used ({why}); see that it is there and yours") from None
    except (SQLAlchemyError, OSError, ValueError) as problem:
        why = " ".join(str(problem).split())[:300]
        raise Unusable(f"{name}: it cannot be used ({why}); give another --database") from None
