"""A library of the rulesets in `tests/`, and a real one that hides much, as a server under test plays them."""

from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.forces.ledger import Ledger
from sandtable.rulesets.stargrunt import RULESET
from sandtable.server.api.bodies import CardShown, RulesetShown
from sandtable.server.library import FileError, Library
from sandtable.telling.vocabulary import Vocabulary
from tests.engine.duel import Duel
from tests.engine.parley import Parley
from tests.miniatures import ALL, Miniature
from tests.server.slow import SlowDuel

GAMES: dict[str, Miniature] = {
    "duel": Miniature(Duel(), (Setup(),)),
    "parley": Miniature(Parley(), (Setup(),)),
    "slow-duel": Miniature(SlowDuel(), (Setup(),)),
    "stargrunt": Miniature(RULESET, (RULESET.setup("watchers", 1), RULESET.setup("close-quarters"))),
    **{one.ruleset.name: one for one in ALL.values()},
}
WHERE = "tests.server.shelf:shelf"


class Shelf(Library):
    """The sample rulesets. A scenario's name is the number of a set-up."""

    def names(self) -> tuple[str, ...]:
        return tuple(GAMES)

    def ruleset(self, name: str) -> Ruleset:
        return type(GAMES[name].ruleset)()

    def setup(self, name: str, scenario: str = "", size: int = 0, text: str = "") -> Setup:
        setups = GAMES[name].setups
        if text or not (scenario or "0").isdigit() or int(scenario or 0) >= len(setups):
            raise FileError("scenario", 1, "there is no such scenario", f"0 to {len(setups) - 1} would do")
        return setups[int(scenario or 0)]

    def shown(self, name: str) -> RulesetShown:
        rules = GAMES[name].ruleset
        return RulesetShown(name, rules.title or name, rules.version, rules.unit, "″", "models")

    def vocabulary(self, name: str) -> Vocabulary:
        return Vocabulary()

    def ledger(self, name: str) -> Ledger | None:
        return None

    def cards(self, name: str) -> list[CardShown]:
        return []


def shelf() -> Library:
    """The library, for `Settings.library`."""
    return Shelf()
