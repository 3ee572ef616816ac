"""The chapters of Strike Operations joined: the ruleset as it is published."""

from collections.abc import Mapping, Sequence
from functools import cached_property

from sandtable.engine.battle import Battle
from sandtable.engine.state import Due
from sandtable.forces.catalogue import Card, Catalogue
from sandtable.rulesets.strikeops import (
    attributes,
    cases,
    command,
    concepts,
    damage,
    datacard,
    deployment,
    equipment,
    indirect,
    initiative,
    laying,
    missions,
    movement,
    recovery,
    rows,
    scenarios,
    setup,
    states,
    terrain,
    victory,
)
from sandtable.rulesets.strikeops.actions import declaring, ending, locking, moving, resolving
from sandtable.rulesets.strikeops.actions.listing import LABELS
from sandtable.rulesets.strikeops.cases import StrikeOpsWords
from sandtable.rulesets.strikeops.datacard import CARDS, Stats
from sandtable.rulesets.strikeops.forces import rosters as forces_rosters
from sandtable.rulesets.strikeops.forces.rosters import ROSTERS
from sandtable.rulesets.strikeops.previews import drafts
from sandtable.rulesets.strikeops.shooting import firing, point_defense, reactions
from sandtable.rulesets.strikeops.tactics.opponent import StrikeOpsTactics
from sandtable.tabletop.book import Book
from sandtable.tabletop.words import counted


class StrikeOperations(Book):
    """The rules of Strike Operations, as far as they are played."""

    name = "strikeops"
    title = "CAV: Strike Operations"
    version = "6"
    unit = "inch"
    size_counts = "squads a side"
    complete = False
    free_measuring = False  # strikeops.actions.no-pre-measuring
    concession_rule = victory.OBJECTIVES.id
    draw_rule = missions.ELIMINATED.id
    cards: Catalogue[Stats]
    cards_in_play = CARDS
    opener = scenarios.StrikeOpsOpener
    rosters = ROSTERS
    words_of_cases = StrikeOpsWords
    opponent = StrikeOpsTactics
    chapters = (
        concepts.CHAPTER,
        datacard.CHAPTER,
        states.CHAPTER,
        terrain.CHAPTER,
        movement.CHAPTER,
        equipment.CHAPTER,
        attributes.CHAPTER,
        command.CHAPTER,
        damage.CHAPTER,
        firing.CHAPTER,
        point_defense.CHAPTER,
        indirect.CHAPTER,
        reactions.CHAPTER,
        recovery.CHAPTER,
        setup.CHAPTER,
        forces_rosters.CHAPTER,
        victory.CHAPTER,
        initiative.CHAPTER,
        laying.CHAPTER,
        deployment.CHAPTER,
        declaring.CHAPTER,
        resolving.CHAPTER,
        moving.CHAPTER,
        locking.CHAPTER,
        ending.CHAPTER,
        missions.CHAPTER,
        scenarios.CHAPTER,
        drafts.CHAPTER,
        cases.CHAPTER,
    )

    def next_due(self, battle: Battle, entries: Sequence[Due]) -> Due:
        """Points before criticals."""
        return damage.next_due(entries)

    labels = LABELS

    @cached_property
    def tools(self) -> Mapping[str, str]:
        """The weapons of its cards; of two alike the second has a number."""
        carried = [weapon for card in self.cards for weapon in card.stats.weapons]
        return {one: name for gun in carried for one, name in counted(gun.id, gun.name, gun.count).items()}

    @cached_property
    def words(self) -> Mapping[str, str]:
        """Its ids as players say them, and how long its battles last."""
        return {**super().words, **missions.lengths()}

    @property
    def later(self) -> Mapping[str, str]:
        """What its second and third delivery bring, and the cards that have some of it."""
        brings = {words.split(":")[0]: words for words in rows.later().values()}
        cards = {card.rule: attributes.delivery_of(card.stats) for card in CARDS.printed if card.rule}
        return {**rows.later(), **{rule: brings[f"delivery {number}"] for rule, number in cards.items() if number}}

    def reminders(self, card: Card[Stats]) -> Mapping[str, str]:
        """What the back of a card says of its special attributes."""
        return attributes.reminders(card.stats)


RULESET = StrikeOperations()
