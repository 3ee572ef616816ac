"""The words of this ruleset's conformance cases: shots by unit and weapon, and what its values mean."""

from collections.abc import Mapping
from typing import Any

from sandtable.engine.table import Table
from sandtable.forces.data import Data
from sandtable.rulesets.dropzone.rounds import DONE
from sandtable.rulesets.dropzone.units import CARDS
from sandtable.tabletop.case_words import BookWords


class DropzoneWords(BookWords):
    """What a case may say."""

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        """`{A1: {bulwark-gun: B1}}` says weapon by weapon what is fired at; `target:` fills what is left open."""
        if isinstance(value.node.value, dict):
            return {f"{actor} {weapon}": target.text_at() for weapon, target in value.table().items()}
        return {}

    def more(self) -> Mapping[str, Mapping[str, str]]:
        """To do nothing more is an action too; weapons are named on the cards."""
        weapons = {one.id: one.name for held in CARDS.held.values() for one in held.stats.weapons}
        held = {name: card.text for name, card in self.book.hand_cards.items()}
        return {"actions": {DONE: "Nothing more"}, "weapons": weapons, "Command Cards": held}
