"""The chapters of Dropzone joined: the ruleset as it is published."""

from collections.abc import Mapping
from functools import cached_property

from sandtable.engine.battle import Battle
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.shapes import UNIT, In
from sandtable.engine.table import Ground
from sandtable.rulesets.dropzone import (
    basics,
    damage,
    fortitude,
    garrisons,
    objectives,
    rounds,
    scenery,
    transports,
    units,
)
from sandtable.rulesets.dropzone.aircraft import crashing, fast, flying, loading, reactions
from sandtable.rulesets.dropzone.behemoths import landing, strides, wrecks, zones
from sandtable.rulesets.dropzone.cases import DropzoneWords
from sandtable.rulesets.dropzone.command import cards, commanders, effects, playing
from sandtable.rulesets.dropzone.forces import rosters as forces_rosters
from sandtable.rulesets.dropzone.forces.rosters import ROSTERS
from sandtable.rulesets.dropzone.movement import arriving, moving, paths, placing, ways
from sandtable.rulesets.dropzone.previews import cards as card_previews
from sandtable.rulesets.dropzone.previews import ranges as range_previews
from sandtable.rulesets.dropzone.previews import shots
from sandtable.rulesets.dropzone.previews import strides as stride_previews
from sandtable.rulesets.dropzone.scenario import deploying, laying, opening, scoring
from sandtable.rulesets.dropzone.shooting import aiming, firing
from sandtable.rulesets.dropzone.special_rules import infiltrating, inserting
from sandtable.rulesets.dropzone.tactics.opponent import DropzoneTactics
from sandtable.tabletop.book import Book


class Dropzone(Book):
    """The rules of every chapter."""

    name = "dropzone"
    title = "Dropzone Commander"
    version = "5"
    level = UNIT
    size_counts = "times 750 points a side"
    complete = True
    concession_rule = scoring.GAME_END.id
    draw_rule = scoring.POINTS.id
    action_list = units.ACTION_LIST
    once_rule = rounds.TWO_ACTIONS
    cards_in_play = units.CARDS
    opener = opening.DropzoneOpener
    rosters = ROSTERS
    words_of_cases = DropzoneWords
    opponent = DropzoneTactics
    chapters = (
        units.CHAPTER,
        basics.CHAPTER,
        paths.CHAPTER,
        damage.CHAPTER,
        placing.CHAPTER,
        ways.CHAPTER,
        moving.CHAPTER,
        firing.CHAPTER,
        shots.CHAPTER,
        effects.CHAPTER,
        scenery.CHAPTER,
        transports.CHAPTER,
        garrisons.CHAPTER,
        reactions.CHAPTER,
        loading.CHAPTER,
        fast.CHAPTER,
        flying.CHAPTER,
        crashing.CHAPTER,
        arriving.CHAPTER,
        commanders.CHAPTER,
        cards.CHAPTER,
        playing.CHAPTER,
        card_previews.CHAPTER,
        rounds.CHAPTER,
        fortitude.CHAPTER,
        objectives.CHAPTER,
        inserting.CHAPTER,
        infiltrating.CHAPTER,
        zones.CHAPTER,
        strides.CHAPTER,
        range_previews.CHAPTER,
        stride_previews.CHAPTER,
        wrecks.CHAPTER,
        landing.CHAPTER,
        forces_rosters.CHAPTER,
        laying.CHAPTER,
        deploying.CHAPTER,
        scoring.CHAPTER,
        opening.CHAPTER,
    )

    def asking_order(self, battle: Battle, opened_by: Side = NO_SIDE) -> tuple[Side, ...]:
        """Sides are asked in the order of play of the round."""
        return tuple(basics.in_order(battle.table))

    def slot_words(self, ground: Ground, place: In) -> str:
        """What players call a place in a Garrison."""
        return garrisons.slot_words(self.words, ground, place)

    @cached_property
    def counts(self) -> Mapping[str, str]:
        """What is counted on a unit: also how often it has used each weapon of Limited use."""
        weapons = [
            one for held in units.CARDS.held.values() for one in held.stats.weapons if aiming.has(one, "limited")
        ]
        return {**super().counts, **{aiming.USED + one.id: f"how often {one.name} was used" for one in weapons}}


RULESET = Dropzone()
