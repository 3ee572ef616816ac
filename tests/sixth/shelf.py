"""The library of a server that plays the sixth ruleset too: the installed one, once its folder is known."""

from sandtable.server.library import Library
from tests.sixth import known

WHERE = "tests.sixth.shelf:shelf"


def shelf() -> Library:
    """The library, for `Settings.library`."""
    known()
    return Library()
