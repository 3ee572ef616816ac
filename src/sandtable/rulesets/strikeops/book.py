"""The chapters of Strike Operations joined: the ruleset as it is published."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.questions import ChooseSeveral, Plan, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import Zone
from sandtable.engine.state import Due
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.report import Checker
from sandtable.forces.roster import Bill, Offer, Roster
from sandtable.forces.tallies import Tally
from sandtable.rulesets.strikeops import (
    attributes,
    cases,
    command,
    damage,
    datacard,
    deployment,
    equipment,
    indirect,
    initiative,
    missions,
    movement,
    previews,
    recovery,
    rows,
    scenarios,
    setup,
    states,
    terrain,
    victory,
)
from sandtable.rulesets.strikeops.actions import declaring, resolving
from sandtable.rulesets.strikeops.actions.listing import LABELS
from sandtable.rulesets.strikeops.cases import StrikeOpsWords
from sandtable.rulesets.strikeops.datacard import CARDS, Stats
from sandtable.rulesets.strikeops.forces import rosters
from sandtable.rulesets.strikeops.shooting import firing, point_defense, reactions
from sandtable.rulesets.strikeops.shooting.aiming import DECLARING
from sandtable.rulesets.strikeops.tactics.opponent import StrikeOpsTactics
from sandtable.tabletop.book import Book
from sandtable.tabletop.words import counted


class StrikeOperations(Book):
    """The rules of Strike Operations, as far as they are played."""

    name = "strikeops"
    title = "CAV: Strike Operations"
    version = "1"
    unit = "inch"
    size_counts = "squads a side"
    complete = False
    free_measuring = False  # strikeops.actions.no-pre-measuring
    concession_rule = victory.OBJECTIVES.id
    draw_rule = scenarios.ELIMINATED.id
    cards: Catalogue[Stats]
    opener = scenarios.StrikeOpsOpener
    chapters = (
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
        rosters.CHAPTER,
        victory.CHAPTER,
        initiative.CHAPTER,
        deployment.CHAPTER,
        declaring.CHAPTER,
        resolving.CHAPTER,
        missions.CHAPTER,
        scenarios.CHAPTER,
        previews.CHAPTER,
        cases.CHAPTER,
    )

    def __init__(self, *catalogues: Path) -> None:
        super().__init__(*catalogues)
        self.cards = CARDS.bring(*catalogues)

    def too_few(self, view: View, question: ChooseSeveral, answer: tuple[str, ...]) -> Refusal | None:
        """An attack is made with a weapon (strikeops.shooting.declaring-an-attack)."""
        if question.topic == "weapons":
            return Refusal(DECLARING.id, "An attack is made with one or more weapons.")
        if question.topic == missions.ON_THE_HILL:
            return Refusal(missions.HILL_DEPLOYMENT.id, f"At least {question.at_least} of them stand on the hill.")
        return None

    def unasked(self, view: View, plan: Plan, draft: dict[str, Any], extra: dict[str, Any]) -> Refusal | None:
        """Why a declaration may not say more."""
        return declaring.refused_part(view, plan, draft, extra)

    def zones(self, view: View) -> Sequence[Zone]:
        """Where the sides deploy."""
        return deployment.zones(view.table)

    def next_due(self, battle: Battle, entries: Sequence[Due]) -> Due:
        """Points before criticals."""
        return damage.next_due(entries)

    def case_words(self) -> StrikeOpsWords:
        """What its conformance cases may say."""
        return StrikeOpsWords(self)

    labels = LABELS

    @cached_property
    def tools(self) -> Mapping[str, str]:
        """The weapons of its cards; of two alike the second has a number."""
        carried = [weapon for card in self.cards for weapon in card.stats.weapons]
        return {one: name for gun in carried for one, name in counted(gun.id, gun.name, gun.count).items()}

    @property
    def later(self) -> Mapping[str, str]:
        """What its second and third delivery bring."""
        return rows.later()

    def tactics(self) -> StrikeOpsTactics:
        """What its opponents know."""
        return StrikeOpsTactics()

    def roster_offer(self) -> Offer:
        """What a Force Group may buy."""
        return rosters.offer()

    def roster_checkers(self) -> Sequence[Checker[Roster]]:
        """What a Force Group is judged by."""
        return rosters.checkers()

    def roster_charges(self, roster: Roster) -> Bill:
        """What a Force Group costs: models and specializations, less the bonus."""
        return rosters.charges(roster)

    def roster_tallies(self, roster: Roster) -> Sequence[Tally]:
        """What is counted in a Force Group."""
        return rosters.tallies(roster)


RULESET = StrikeOperations()
