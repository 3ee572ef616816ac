"""The words of this ruleset's conformance cases: what each model of a squad does, and the weapons of the cards."""

from collections.abc import Mapping
from typing import Any

from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.rulesets.strikeops.actions.listing import NOTHING
from sandtable.rulesets.strikeops.datacard import weapons
from sandtable.tabletop.case_words import BookWords


class StrikeOpsWords(BookWords):
    """What a case may say: a squad declares its actions as a plan."""

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        """`{A: shoot}` and `{A: [target-lock, shoot]}` are the actions of A; the other keys of the step fill the rest.

        `{A: {do: [shoot], target: B, weapons: [medium-mac]}}` says all of it of one model, where squads have several.
        """
        if isinstance(value.node.value, dict):
            found: dict[str, Any] = {}
            for key in value.names():
                if key == "do":
                    found |= self.actions(table, actor, value.at("do"))
                elif isinstance(value.at(key).node.value, list):
                    found[f"{actor} {key}"] = list(value.at(key).texts())
                else:
                    found[f"{actor} {key}"] = value.at(key).scalar()
            return found
        said = value.texts() if isinstance(value.node.value, list) else (value.text_at(),)
        return {f"{actor} {n}": action for n, action in enumerate(said, 1)}

    def listed_actions(self) -> Mapping[str, str]:
        """All but doing nothing more, which is said by naming one action alone."""
        return {name: label for name, label in self.book.labels.items() if name != NOTHING}

    def more(self) -> Mapping[str, Mapping[str, str]]:
        """The weapons of its cards."""
        carried = [weapons(Thing("", card=card.id)) for card in self.book.cards or ()]
        return {"weapons": {name: one.weapon.name for systems in carried for name, one in systems.items()}}
