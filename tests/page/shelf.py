"""The rulesets that browser tests play: all that are installed, and the gallery."""

from sandtable.engine.ids import BLUE, RED
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.field.drawing.words import compass, square_of
from sandtable.forces.ledger import Ledger
from sandtable.server.api.bodies import CardShown, RulesetShown, ScenarioShown, StateLook
from sandtable.server.library import Library
from sandtable.telling.vocabulary import Vocabulary
from tests.gallery import Gallery

WHERE = "tests.page.shelf:shelf"


class Shelf(Library):
    """Everything, and the gallery."""

    def names(self) -> tuple[str, ...]:
        return (*super().names(), "gallery")

    def ruleset(self, name: str) -> Ruleset:
        return Gallery() if name == "gallery" else super().ruleset(name)

    def setup(self, name: str, scenario: str = "", size: int = 0, text: str = "") -> Setup:
        return Setup() if name == "gallery" else super().setup(name, scenario, size, text)

    def shown(self, name: str) -> RulesetShown:
        if name != "gallery":
            return super().shown(name)
        scenario = ScenarioShown("all", "Every question once", sides=(RED, BLUE))
        looks = {"dizzy": StateLook("shaken", False, "dizzy")}
        return RulesetShown(name, Gallery.title, "1", "inch", "″", "questions", (scenario,), looks=looks)

    def vocabulary(self, name: str) -> Vocabulary:
        return Vocabulary("″", place=square_of, direction=compass) if name == "gallery" else super().vocabulary(name)

    def ledger(self, name: str) -> Ledger | None:
        return None if name == "gallery" else super().ledger(name)

    def cards(self, name: str) -> list[CardShown]:
        return [] if name == "gallery" else super().cards(name)


def shelf() -> Library:
    """The library, for `Settings.library`."""
    return Shelf()
