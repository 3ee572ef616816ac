"""The chapters of Stargrunt joined: the ruleset as it is published."""

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Step
from sandtable.forces.catalogue import Catalogue
from sandtable.rulesets.stargrunt import communications, electronic_warfare, previews
from sandtable.rulesets.stargrunt.actions import activation, elements, in_place, regroup
from sandtable.rulesets.stargrunt.aerospace import craft
from sandtable.rulesets.stargrunt.artillery import requests
from sandtable.rulesets.stargrunt.cases import StargruntWords
from sandtable.rulesets.stargrunt.chapter import FAILED, LIST
from sandtable.rulesets.stargrunt.close_assault import assault, prisoners
from sandtable.rulesets.stargrunt.fire import actions as fire_actions
from sandtable.rulesets.stargrunt.fire import heavy, out_of_turn
from sandtable.rulesets.stargrunt.forces import squads
from sandtable.rulesets.stargrunt.forces.cards import CARDS, Squad
from sandtable.rulesets.stargrunt.moments import AT_ONCE
from sandtable.rulesets.stargrunt.movement import actions as movement_actions
from sandtable.rulesets.stargrunt.movement import columns
from sandtable.rulesets.stargrunt.observation import spotting
from sandtable.rulesets.stargrunt.obstacles import chapter as obstacles_chapter
from sandtable.rulesets.stargrunt.scenario import battles, endings, muster, objectives, terrain
from sandtable.rulesets.stargrunt.scenario.setup import StargruntOpener
from sandtable.rulesets.stargrunt.scenario.zones import zones
from sandtable.rulesets.stargrunt.tactics.opponent import StargruntTactics
from sandtable.rulesets.stargrunt.turn import order, reaction_fire
from sandtable.rulesets.stargrunt.units import crew_served, independents
from sandtable.rulesets.stargrunt.vehicles import (
    driving,
    entering,
    fleeing,
    getting_out,
    road_travel,
    transport,
    vehicle_units,
)
from sandtable.tabletop.book import Book, steps_at
from sandtable.tabletop.chapters import Chapter


class Stargrunt(Book):
    """The rules of every chapter."""

    name = "stargrunt"
    title = "Stargrunt II"
    version = "15"
    unit = "inch"
    size_counts = "squads a side"
    faces = False  # its figures face nowhere
    concession_rule = objectives.VICTORY.id
    draw_rule = objectives.VICTORY.id
    action_list = LIST
    failure_rule = FAILED
    cards_in_play = CARDS
    cards: Catalogue[Squad]
    opener = StargruntOpener
    words_of_cases = StargruntWords
    chapters = (
        Chapter(zones=zones),
        muster.CHAPTER,
        terrain.CHAPTER,
        battles.CHAPTER,
        squads.CHAPTER,
        movement_actions.CHAPTER,
        columns.CHAPTER,
        entering.CHAPTER,
        fleeing.CHAPTER,
        driving.CHAPTER,
        road_travel.CHAPTER,
        getting_out.CHAPTER,
        transport.CHAPTER,
        fire_actions.CHAPTER,
        out_of_turn.CHAPTER,
        reaction_fire.CHAPTER,
        heavy.CHAPTER,
        crew_served.CHAPTER,
        vehicle_units.CHAPTER,
        assault.CHAPTER,
        in_place.CHAPTER,
        independents.CHAPTER,
        elements.CHAPTER,
        prisoners.CHAPTER,
        regroup.CHAPTER,
        communications.CHAPTER,
        spotting.CHAPTER,  # a hidden unit shows itself before it does anything else
        electronic_warfare.CHAPTER,
        requests.CHAPTER,
        obstacles_chapter.CHAPTER,
        craft.CHAPTER,
        objectives.CHAPTER,
        battles.SCOUTING,
        order.CHAPTER,
        activation.CHAPTER,
        endings.CHAPTER,
        *previews.CHAPTERS,
    )

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        """The procedure of a step, after whatever has just been set off."""
        first = steps_at(battle, AT_ONCE, battle.table)
        if not first or type(step) is type(first[0]):
            yield from self.procedures[type(step)](battle, step)
        else:
            battle.push(*first, step)

    def tactics(self) -> StargruntTactics:
        """What it tells an opponent."""
        return StargruntTactics(self)


RULESET = Stargrunt()
