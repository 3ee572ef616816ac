"""The words of this ruleset's conformance cases: shots by unit and weapon, and what its values mean."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine.ids import Side
from sandtable.engine.questions import Plan
from sandtable.engine.shapes import At
from sandtable.engine.table import Mark, Table, Thing
from sandtable.forces.data import Data
from sandtable.rulesets.dropzone.command.cards import HANDS
from sandtable.rulesets.dropzone.rounds import DONE
from sandtable.rulesets.dropzone.scenario.opening import LANDED
from sandtable.rulesets.dropzone.shooting.firing import SHOTS, TARGET
from sandtable.rulesets.dropzone.units import AIRBORNE, CARDS, battlegroup, card, flies
from sandtable.tabletop.case_words import BookWords, Meant


def as_part(table: Table, words: str) -> str:
    """A part of the plan of shots as it is called, however its weapon is spelt: `A1 Twin Flak Cannon`."""
    unit, _, rest = words.partition(" ")
    said = rest.lower().replace("-", " ").split()
    for weapon in card(table[unit]).weapons if unit in table.things and table[unit].card else ():
        name = weapon.id.split("-")
        if said[: len(name)] == name:
            return " ".join((unit, weapon.id, *said[len(name) :]))
    return words


#: The key that says which weapons `target` speaks of.
WEAPONS = "weapons"


def _weapons(table: Table, unit: str, said: Data | None) -> list[str]:
    """The parts that fire a unit's weapons, or those that are named."""
    own = [f"{unit} {one.id}" for one in card(table[unit]).weapons]
    if said is None:
        return own
    named = said.items() if isinstance(said.node.value, list) else (said,)
    asked = [(one, as_part(table, f"{unit} {one.text_at()}")) for one in named]
    for one, part in asked:
        if " ".join(part.split(" ")[:2]) not in own:
            raise one.fail(f"{unit} has no `{one.text_at()}`", "its card names its weapons")
    return [part for _, part in asked]


class DropzoneWords(BookWords):
    """What a case may say."""

    def meant(self, table: Table, plan: Plan, keys: Mapping[str, Data]) -> Meant | None:
        """`target: B1` speaks of every weapon of a squad, or of those that `weapons` names."""
        if plan.topic != SHOTS or TARGET not in keys:
            return None
        units = [one.id for one in table.members(plan.about[0])]
        parts = [part for unit in units for part in _weapons(table, unit, keys.get(WEAPONS))]
        return Meant(TARGET, parts, (WEAPONS,) if WEAPONS in keys else ())

    def groups(self, table: Table, unit: Thing) -> Sequence[str]:
        """A Battlegroup may be called by any of its units."""
        return (battlegroup(unit),) if battlegroup(unit) else ()

    def called(self, table: Table, thing: Thing) -> Sequence[str]:
        """What a squad or a Battlegroup does may be said of any of its units."""
        if thing.kind != "model" or thing.unit not in table.things:
            return ()
        return (thing.unit, *self.groups(table, table[thing.unit]))

    def as_told(self, table: Table, thing: Thing) -> Thing:
        """Who can fly and is not in the air has landed."""
        if thing.kind != "model" or not isinstance(thing.place, At) or not flies(thing) or thing.has(AIRBORNE):
            return thing
        return replace(thing, states={**thing.states, LANDED: Mark()})

    @property
    def dice_names(self) -> Mapping[str, Sequence[str]]:
        """Tokens roll to damage like any hit; what is rolled again is called so, or by its check."""
        return {"damage": ("again",), "collateral damage": ("damage", "again"), "hit": ("again",)}

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        """`{A1: {bulwark-gun: B1}}` says weapon by weapon what is fired at; `target:` fills what is left open."""
        if isinstance(value.node.value, dict) and value.has(TARGET):
            said = value.at(WEAPONS) if value.has(WEAPONS) else None
            return dict.fromkeys(_weapons(table, actor, said), value.text_at(TARGET))
        if isinstance(value.node.value, dict):
            return {as_part(table, f"{actor} {weapon}"): target.text_at() for weapon, target in value.table().items()}
        if isinstance(value.node.value, str) and value.node.value in self.listed_actions():
            raise value.fail(f"`{value.node.value}` is no shot of {actor}", "say {WEAPON: TARGET}, or `shots: pass`")
        return {}

    def more(self) -> Mapping[str, Mapping[str, str]]:
        """To do nothing more is an action too; weapons are named on the cards."""
        weapons = {one.id: one.name for held in CARDS.held.values() for one in held.stats.weapons}
        held = {name: card.text for name, card in self.book.hand_cards.items()}
        counted = [f"{some} {one}" for one in _COUNTED for some in ("no", "…")] + [f"… {one}s" for one in _COUNTED]
        answers = {WEAPONS: "the weapons that fire at the `target`; without it every one that may"}
        return {
            "answers": answers,
            "actions": {DONE: "Nothing more"},
            "weapons": weapons,
            "Command Cards": held,
            "outcomes": dict.fromkeys(counted, "how many of a handful of dice come to that"),
            "declared": {"… at …": "who fires at whom"},
            "decks": {HANDS.deck(Side("…")): "the Command Cards of a side"},
        }


#: What dice of a pool come to, as outcomes count it.
_COUNTED = ("hit", "critical", "damage", "save", "glance")
