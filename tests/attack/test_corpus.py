"""Whatever fuzzing has learnt is read again, for ever: each is read, or refused in a sentence."""

import pytest

from sandtable.engine.records.journal import JournalDiverged, JournalError
from sandtable.forces.files import FileError
from sandtable.server.unlawful import Unlawful
from tests.attack.learn import CORPUS, READERS

FILES = sorted(file for file in CORPUS.glob("*/*") if file.is_file())


def test_there_is_a_corpus_of_every_kind() -> None:
    assert {file.parent.name for file in FILES} == set(READERS)


@pytest.mark.parametrize("kind", READERS)
def test_what_was_learnt_is_read_or_refused_in_a_sentence(kind: str) -> None:
    for file in [one for one in FILES if one.parent.name == kind]:
        ruleset = file.name.rpartition("-")[0]
        try:
            READERS[kind](ruleset, file.read_bytes().decode("utf-8", "surrogateescape"))
        except (FileError, JournalError, JournalDiverged, Unlawful) as problem:
            words = str(problem)
        else:
            words = "it is read"
        assert words, file
        assert "\n" not in words, file
