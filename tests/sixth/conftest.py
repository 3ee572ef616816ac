"""The sixth ruleset is found while its own tests run, and by no others."""

from collections.abc import Iterator

import pytest

import sandtable.rulesets
from tests.sixth import HERE, known

#: It is imported as a ruleset, not as a part of the tests.
collect_ignore = ["ambush"]


@pytest.fixture(autouse=True)
def ambush_is_known() -> Iterator[None]:
    known()
    yield
    sandtable.rulesets.__path__.remove(str(HERE))
