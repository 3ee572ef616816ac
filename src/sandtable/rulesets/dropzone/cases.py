"""The words of this ruleset's conformance cases: shots by unit and weapon, and what its values mean."""

from collections.abc import Mapping
from typing import Any

from sandtable.engine.table import Table
from sandtable.forces.data import Data
from sandtable.rulesets.dropzone.rounds import DONE
from sandtable.rulesets.dropzone.units import CARDS, card
from sandtable.tabletop.case_words import BookWords


def as_part(table: Table, words: str) -> str:
    """A part of the plan of shots as it is called, however its weapon is spelt: `A1 Twin Flak Cannon`."""
    unit, _, rest = words.partition(" ")
    said = rest.lower().replace("-", " ").split()
    for weapon in card(table[unit]).weapons if unit in table.things and table[unit].card else ():
        name = weapon.id.split("-")
        if said[: len(name)] == name:
            return " ".join((unit, weapon.id, *said[len(name) :]))
    return words


class DropzoneWords(BookWords):
    """What a case may say."""

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        """`{A1: {bulwark-gun: B1}}` says weapon by weapon what is fired at; `target:` fills what is left open."""
        if isinstance(value.node.value, dict):
            return {as_part(table, f"{actor} {weapon}"): target.text_at() for weapon, target in value.table().items()}
        if isinstance(value.node.value, str) and value.node.value in self.listed_actions():
            raise value.fail(f"`{value.node.value}` is no shot of {actor}", "say {WEAPON: TARGET}, or `shots: pass`")
        return {}

    def more(self) -> Mapping[str, Mapping[str, str]]:
        """To do nothing more is an action too; weapons are named on the cards."""
        weapons = {one.id: one.name for held in CARDS.held.values() for one in held.stats.weapons}
        held = {name: card.text for name, card in self.book.hand_cards.items()}
        return {"actions": {DONE: "Nothing more"}, "weapons": weapons, "Command Cards": held}
