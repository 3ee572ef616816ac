"""CAV: Strike Operations, the 2015 Quick-Start: an unofficial implementation, its rules in our own words.

A chapter of the ledger is a package or a module of its name. `turn` draws cards and carries out what a model declared;
the other chapters say what each action does. `previews`, `tactics` and `cases` stand on the chapters.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    PlaceThings,
    Plan,
    PlanPart,
    Preview,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import At, Leg, Walk, Zone
from sandtable.engine.state import Due, Step
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import CONTACT, gap, outline_of
from sandtable.forces.ledger import ledger
from sandtable.rulesets.quickstart import weapons
from sandtable.rulesets.quickstart.attributes import RULES_OF
from sandtable.rulesets.quickstart.cases.words import QuickstartWords
from sandtable.rulesets.quickstart.close_combat import BREAK_SUCCESS, free
from sandtable.rulesets.quickstart.concepts import base_of, outline
from sandtable.rulesets.quickstart.damage import carry_out, next_in_step_8
from sandtable.rulesets.quickstart.datacard import (
    HARD_AND_SOFT,
    SPECIAL_ABILITIES,
    WEAPON_ENTRY,
    bring_cards,
    card,
    is_cav,
    stem,
)
from sandtable.rulesets.quickstart.indirect import refused_fumble_point
from sandtable.rulesets.quickstart.movement.moves import STAND_UP, going, refused_stand_up, refused_walk
from sandtable.rulesets.quickstart.movement.walking import FIRES_HERE, contacts_of, rates_of
from sandtable.rulesets.quickstart.previews.drafts import preview_of
from sandtable.rulesets.quickstart.setup.board import (
    STALEMATE,
    VICTORY,
    ChooseEdges,
    Deploy,
    EndPhase,
    choose_edges,
    deploy,
    end_phase,
    refused_deployment,
    zones,
)
from sandtable.rulesets.quickstart.setup.retreat import refused_retreat
from sandtable.rulesets.quickstart.setup.rosters import roster_checkers as roster_checkers
from sandtable.rulesets.quickstart.setup.rosters import roster_offer as roster_offer
from sandtable.rulesets.quickstart.setup.scenarios import open_battle, setup_of
from sandtable.rulesets.quickstart.setup.terrain import KINDS as KINDS
from sandtable.rulesets.quickstart.setup.terrain import (
    CountTerrain,
    PlaceFeature,
    count_terrain,
    place_feature,
    refused_feature,
)
from sandtable.rulesets.quickstart.shooting import assaults, combined
from sandtable.rulesets.quickstart.shooting.direct_fire import MOVE_AND_SHOOT
from sandtable.rulesets.quickstart.sight import OBJECT_HEIGHTS
from sandtable.rulesets.quickstart.turn import activation as acting
from sandtable.rulesets.quickstart.turn import phases
from sandtable.rulesets.quickstart.turn.declaration import refused_plan
from sandtable.rulesets.quickstart.turn.plan_parts import plan_parts, refused_part, refused_salvo
from sandtable.rulesets.quickstart.words.looks import looks as looks
from sandtable.rulesets.quickstart.words.names import PHRASES as PHRASES
from sandtable.rulesets.quickstart.words.names import words

#: Its ids as players say them.
WORDS = words()

#: States that rules keep for themselves: the lines around them tell as much.
NOTES = ("activated", "has defended", "has fired from over-watch", "strike-point", "twisted")

#: What a size counts.
SIZE = "models a side"


#: Each step, and the procedure that carries it out.
_PROCEDURES: dict[type[Step], Callable[[Battle, Any], Procedure[None]]] = {
    CountTerrain: lambda battle, step: count_terrain(battle),
    PlaceFeature: lambda battle, step: place_feature(battle, step.side),
    ChooseEdges: lambda battle, step: choose_edges(battle),
    Deploy: lambda battle, step: deploy(battle),
    phases.StartPhase: lambda battle, step: phases.start_phase(battle),
    phases.DrawCard: lambda battle, step: draw_card(battle),
    acting.Activate: lambda battle, step: acting.activate(battle, step.model),
    acting.Act: acting.act,
    combined.Proceed: combined.proceed,
    combined.Running: combined.running,
    assaults.Fire: assaults.fire_step,
    assaults.Bombard: assaults.bombard_step,
    assaults.Secondary: assaults.secondary_step,
    assaults.StepEight: assaults.step_eight,
    assaults.Aftermath: lambda battle, step: assaults.aftermath(battle),
    phases.EndActivation: lambda battle, step: acting.finish(battle, step.model),
    EndPhase: lambda battle, step: end_phase(battle),
}


class Quickstart(Ruleset):
    """The rules of the Quick-Start."""

    name = "quickstart"
    title = "CAV: Strike Operations Quick-Start"
    version = "5"
    unit = "inch"
    free_measuring = False  # quickstart.turn.no-premeasuring
    steps = tuple(_PROCEDURES)
    due_in_any_order = (
        True  # quickstart.damage.applying-damage: Step 8 has an order of its own, whatever was noted first
    )
    concession_rule = VICTORY.id
    draw_rule = STALEMATE.id

    def __init__(self, *catalogues: Path) -> None:
        self.cards = bring_cards(*catalogues)

    def open(self, battle: Battle, setup: Setup) -> None:
        """Lay the table as the scenario says."""
        open_battle(battle, setup, self.cards)

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        """The procedure of each step."""
        return _PROCEDURES[type(step)](battle, step)

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        """Why an answer is against the rules."""
        table = view.table
        if type(question) in (ChooseOne, ChooseSeveral):
            return None
        if isinstance(question, Plan):
            return refused_plan(view, question, answer)
        if isinstance(question, MoveModels):
            return _refused_move(view, question, answer)
        if isinstance(question, Confirm):
            return refused_salvo(table, question) if question.topic == "salvo" and answer else None
        if isinstance(question, PlaceThings):
            spot = answer[question.things[0]]
            if not isinstance(spot.where, At):
                return Refusal(question.rules[0], "Choose a point on the board.")
            if question.topic == "deploy":
                return refused_deployment(table, table[question.things[0]], spot)
            if question.topic == "place-terrain":
                shapes, level = question.outlines["feature"], question.facts["level"]
                return refused_feature(table.ground, question.about[0], shapes, spot.where.point, level)
            ground = table.ground
            point = spot.where.point
            if not (0 <= point.x <= ground.width and 0 <= point.y <= ground.height):
                return Refusal(question.rules[0], "The point must lie on the board.")
            if question.topic == "fumbled-strike-point":
                return refused_fumble_point(table, question, point)
        return None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        """What a draft would bring."""
        return preview_of(self, view, question, answer)

    def parts(self, view: View, plan: Plan, draft: dict[str, Any]) -> Sequence[PlanPart]:
        """The parts of a declaration."""
        return plan_parts(view, plan, draft)

    def unasked(self, view: View, plan: Plan, draft: dict[str, Any], extra: dict[str, Any]) -> Refusal | None:
        """Why a declaration may not say more."""
        return refused_part(view, plan, draft, extra)

    def zones(self, view: View) -> Sequence[Zone]:
        """Where the sides deploy."""
        return zones(view.table)

    def carry_out(self, battle: Battle, due: Due) -> Procedure[None]:
        """Let noted harm take effect."""
        return carry_out(battle, due)

    def next_due(self, battle: Battle, entries: Sequence[Due]) -> Due:
        """Step 8 has an order of its own."""
        return next_in_step_8(entries)

    def digests(self) -> dict[str, str]:
        """Which ledger and which cards these rules read."""
        return {"ledger": ledger("quickstart").digest(), "catalogue": self.cards.digest()}


def draw_card(battle: Battle) -> Procedure[None]:
    """Draw the next card; when a side is out or all have acted, the End Phase follows (quickstart.setup.victory)."""
    if len(phases.sides_in_play(battle.table)) > 1:
        side = yield from phases.side_to_act(battle)
        if side is not None:
            model = yield from phases.choose_model(battle, side)
            battle.push(acting.Activate(model))
            return
    battle.push(EndPhase())


def _refused_move(view: View, question: MoveModels, answer: dict[str, Any]) -> Refusal | None:
    """Judge a walk: as a Move Action, as the way out of a close combat, or as the turn of standing up."""
    table, model = view.table, view.table[question.models[0]]
    walk = answer.get(model.id)
    if walk is None:
        return None
    if question.topic == "stand-up":
        if any(getattr(leg, "go", 1) for leg in walk.legs):
            return Refusal(STAND_UP.id, "Standing up gives a facing, and no distance.")
        return refused_stand_up(table, model, sum(leg.turn for leg in walk.legs if isinstance(leg, Leg)))
    if question.topic == "break-away":
        return _refused_break_away(table, model, walk, question)
    rates = rates_of(model, question)
    refusal = refused_walk(table, model, walk, rates, contacts_of(question))
    if refusal is None and model.has("retreating") and not question.marks:
        return refused_retreat(table, model, walk, rates)
    if refusal is None and FIRES_HERE in walk.marks:
        length = sum(abs(getattr(leg, "go", 0)) for leg in walk.legs)
        if not 0 <= walk.marks[FIRES_HERE] <= length:
            return Refusal(MOVE_AND_SHOOT.id, "The place where it fires must lie on the path.")
    return refusal


def _refused_break_away(table: Table, model: Thing, walk: Walk, question: MoveModels) -> Refusal | None:
    """The move after a break follows all movement rules and ends out of contact with every enemy of that fight."""
    rates = rates_of(model, question)
    refusal = refused_walk(table, free(model), walk, rates)
    if refusal is not None:
        return refusal
    gone = going(table, free(model), walk, rates)
    pose = gone.track.pose_at(gone.reach, turned=True)
    shape = outline_of(base_of(model), pose.point, pose.facing)
    for foe in question.about[1:]:
        if not gone.leaves and gap(shape, outline(table[foe])) <= CONTACT:
            return Refusal(BREAK_SUCCESS.id, f"The move must end out of contact with {table[foe].label}.")
    return None


def ruleset() -> Ruleset:
    """The rules, ready to play."""
    return Quickstart()


def setup(scenario: str = "", size: int = 0) -> Setup:
    """The set-up of a scenario, by name or by the path of a file; nothing named is *Stand and Fight!*"""
    return setup_of(scenario, size)


def case_words(catalogues: Sequence[Path] = ()) -> QuickstartWords:
    """The words of conformance cases."""
    rules = Quickstart(*catalogues)
    return QuickstartWords(rules, rules.cards)


def in_play(thing: Thing) -> Sequence[str]:
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
