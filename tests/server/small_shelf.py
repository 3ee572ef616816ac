"""A library of one small ruleset, quickly imported: for processes that are started often."""

from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.server.api.bodies import RulesetShown
from sandtable.server.library import Library
from sandtable.telling.vocabulary import Vocabulary
from tests.engine.duel import Duel

WHERE = "tests.server.small_shelf:shelf"


class SmallShelf(Library):
    """The duel."""

    def names(self) -> tuple[str, ...]:
        return ("duel",)

    def ruleset(self, name: str) -> Ruleset:
        return Duel()

    def setup(self, name: str, scenario: str = "", size: int = 0, text: str = "") -> Setup:
        return Setup()

    def shown(self, name: str) -> RulesetShown:
        return RulesetShown(name, name, "1", "inch", "″", "models")

    def vocabulary(self, name: str) -> Vocabulary:
        return Vocabulary()


def shelf() -> Library:
    """The library, for `Settings.library`."""
    return SmallShelf()
