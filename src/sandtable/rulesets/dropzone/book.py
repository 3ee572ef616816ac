"""The chapters of Dropzone joined: the ruleset as it is published."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.questions import Plan, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT
from sandtable.forces.report import Checker
from sandtable.forces.roster import Bill, Choice, Offer, Roster
from sandtable.forces.tallies import Tally
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
from sandtable.rulesets.dropzone.forces import rosters
from sandtable.rulesets.dropzone.movement import arriving, moving, paths, placing, ways
from sandtable.rulesets.dropzone.previews import cards as card_previews
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
    version = "1"
    level = UNIT
    size_counts = "times 750 points a side"
    complete = True
    concession_rule = scoring.GAME_END.id
    draw_rule = scoring.POINTS.id
    action_list = units.ACTION_LIST
    once_rule = rounds.TWO_ACTIONS
    opener = opening.DropzoneOpener
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
        stride_previews.CHAPTER,
        wrecks.CHAPTER,
        landing.CHAPTER,
        rosters.CHAPTER,
        laying.CHAPTER,
        deploying.CHAPTER,
        scoring.CHAPTER,
        opening.CHAPTER,
    )

    def __init__(self, *catalogues: Path) -> None:
        super().__init__(*catalogues)
        self.cards = units.CARDS.bring(*catalogues)

    def asking_order(self, battle: Battle, opened_by: str = "") -> tuple[str, ...]:
        """Sides are asked in the order of play of the round."""
        return tuple(basics.in_order(battle.table))

    @cached_property
    def counts(self) -> Mapping[str, str]:
        """What is counted on a unit: also how often it has used each weapon of Limited use."""
        weapons = [
            one for held in units.CARDS.held.values() for one in held.stats.weapons if aiming.has(one, "limited")
        ]
        return {**super().counts, **{aiming.USED + one.id: f"how often {one.name} was used" for one in weapons}}

    def unasked(self, view: View, plan: Plan, draft: dict[str, Any], extra: dict[str, Any]) -> Refusal | None:
        """Why a weapon is not among those that may fire."""
        return firing.unasked(view, plan, draft, extra)

    def roster_offer(self) -> Offer:
        """What an army may buy."""
        return rosters.offer()

    def roster_checkers(self) -> Sequence[Checker[Roster]]:
        """What an army is judged by."""
        return rosters.checkers()

    def roster_charges(self, roster: Roster) -> Bill:
        """What an army costs: units and Commanders."""
        return rosters.charges(roster)

    def roster_tallies(self, roster: Roster) -> Sequence[Tally]:
        """What is counted in an army."""
        return rosters.tallies(roster)

    def roster_choices(self, roster: Roster) -> Sequence[Choice]:
        """The Commanders of its squads, and the Transports they start in."""
        return rosters.choices(roster)

    def tactics(self) -> DropzoneTactics:
        """What it teaches an opponent."""
        return DropzoneTactics()

    def case_words(self) -> DropzoneWords:
        """What its conformance cases may say."""
        return DropzoneWords(self)


RULESET = Dropzone()
