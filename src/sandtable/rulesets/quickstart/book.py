"""The chapters of the Quick-Start joined: the ruleset as it is published."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.questions import Plan, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.state import Due
from sandtable.engine.table import Thing
from sandtable.forces.catalogue import Catalogue
from sandtable.rulesets.quickstart import close_combat, damage, indirect, states, weapons
from sandtable.rulesets.quickstart.attributes import RULES_OF
from sandtable.rulesets.quickstart.cases import words
from sandtable.rulesets.quickstart.cases.words import QuickstartWords
from sandtable.rulesets.quickstart.damage import next_in_step_8
from sandtable.rulesets.quickstart.datacard import (
    CARDS,
    HARD_AND_SOFT,
    SPECIAL_ABILITIES,
    WEAPON_ENTRY,
    Stats,
    card,
    is_cav,
    stem,
)
from sandtable.rulesets.quickstart.movement import judges
from sandtable.rulesets.quickstart.previews import drafts
from sandtable.rulesets.quickstart.setup import board, laying, retreat
from sandtable.rulesets.quickstart.setup.rosters import ROSTERS
from sandtable.rulesets.quickstart.setup.scenarios import QuickstartOpener
from sandtable.rulesets.quickstart.shooting import assaults, combined
from sandtable.rulesets.quickstart.sight import OBJECT_HEIGHTS
from sandtable.rulesets.quickstart.tactics.opponent import QuickstartTactics
from sandtable.rulesets.quickstart.turn import activation, plan_parts
from sandtable.rulesets.quickstart.turn.declaration import LABELS
from sandtable.tabletop.book import Book
from sandtable.tabletop.words import counted


class Quickstart(Book):
    """The rules of the Quick-Start."""

    name = "quickstart"
    title = "CAV: Strike Operations Quick-Start"
    version = "8"
    unit = "inch"
    size_counts = "models a side"
    free_measuring = False  # quickstart.turn.no-premeasuring
    due_in_any_order = True  # quickstart.damage.applying-damage: Step 8 has an order of its own, whatever came first
    concession_rule = board.VICTORY.id
    draw_rule = board.STALEMATE.id
    cards_in_play = CARDS
    cards: Catalogue[Stats]
    opener = QuickstartOpener
    rosters = ROSTERS
    words_of_cases = QuickstartWords
    opponent = QuickstartTactics
    chapters = (
        states.CHAPTER,
        laying.CHAPTER,
        board.CHAPTER,
        activation.CHAPTER,
        plan_parts.CHAPTER,
        judges.CHAPTER,
        close_combat.CHAPTER,
        combined.CHAPTER,
        assaults.CHAPTER,
        indirect.CHAPTER,
        damage.CHAPTER,
        retreat.CHAPTER,
        drafts.CHAPTER,
        words.CHAPTER,
    )

    def refused_part(
        self, view: View, plan: Plan, draft: dict[str, Any], rest: dict[str, Any], refusal: Refusal
    ) -> Refusal:
        """Why a kind of assault may not be declared: by the weapon that is named for it, where one is."""
        return plan_parts.refused_assault(view, plan, draft, rest) or refusal

    def next_due(self, battle: Battle, entries: Sequence[Due]) -> Due:
        """Step 8 has an order of its own."""
        return next_in_step_8(entries)

    def in_play(self, thing: Thing) -> Sequence[str]:
        """The rules that a model brings into play by being there: its card, its weapons, its special abilities."""
        if thing.kind != "model":
            return ()
        carried = card(thing).stats.weapons
        lines = [weapons.RULE_OF[weapon.id].id for weapon in carried if weapon.id in weapons.RULE_OF]
        reading = [WEAPON_ENTRY.id] if carried else []
        if card(thing).stats.attributes:
            reading += [SPECIAL_ABILITIES.id, HARD_AND_SOFT.id]
        if is_cav(thing):
            reading.append(OBJECT_HEIGHTS.id)
        printed = [card(thing).stats.attributes, *(weapon.attributes for weapon in carried)]
        abilities = dict.fromkeys(rule.id for row in printed for one in row for rule in RULES_OF.get(stem(one), ()))
        return ([card(thing).rule] if card(thing).rule else []) + reading + lines + list(abilities)

    labels = LABELS

    @cached_property
    def tools(self) -> Mapping[str, str]:
        """The weapons of its cards; of two alike the second has a number."""
        carried = [weapon for card in self.cards for weapon in card.stats.weapons]
        return {one: name for gun in carried for one, name in counted(gun.id, gun.name, gun.count).items()}


RULESET = Quickstart()
