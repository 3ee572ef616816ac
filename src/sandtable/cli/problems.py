"""Which exceptions are the input's fault, and how they are told."""

from sandtable.engine.records.journal import JournalDiverged, JournalError
from sandtable.engine.records.whole_files import NotWritten
from sandtable.forces.files import FileError


class UsageError(Exception):
    """What was asked of a command does not go together; the message ends with what to do."""


def words_of(problem: Exception) -> str | None:
    """The message of a problem that lies in the input, or none where the program is to blame.

    >>> words_of(FileError("force.yaml", 3, "unknown key `gun`", "did you mean `guns`?"))
    'force.yaml:3: unknown key `gun`; did you mean `guns`?'
    >>> words_of(KeyError("gun")) is None
    True
    """
    if isinstance(problem, FileError | JournalError | JournalDiverged | NotWritten | UsageError):
        return str(problem)
    return None
