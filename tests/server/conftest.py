"""Servers and databases for the tests of the server."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.postgresql import Cluster, cluster
from tests.server.tables import Server, serving


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Cluster]:
    """A PostgreSQL that is not there without `.ci/run`, unless the user has installed one."""
    with cluster() as it:
        yield it


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of either kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'battles.sqlite'}"
    found: Cluster = request.getfixturevalue("postgresql")
    return found.fresh()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the sample rulesets, on SQLite; one for all tests of a module."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('server') / 'battles.sqlite'}") as it:
        yield it
