"""Stargrunt II: an unofficial implementation of its reference sheet, the rules in our own words. Under construction.

A module is a chapter of the ledger. `turn` says who activates, `actions` carries out an activation, and the other
chapters say what each action does. Infantry squads move, fire, take cover, lose and regain their nerve, transfer
actions, assault each other and fight for objectives from the first turn to the last.

Not yet: observation with hidden counters, dummies, drones and snipers; electronic warfare; vehicles and transport;
artillery, orbital and air support; mines and other obstacles, smoke, fire at buildings. In the chapters that are
here, not yet: travel moves, carrying casualties, leaving the table by choice; detached elements and regrouping; heavy
weapons, crew-served weapons, guided missiles and snipers; Power Armour casualties; medical units; independent
figures; drawing one's own paths in a close assault, where all go straight; prisoners, who are taken off the table and
not followed further; holding single figures' fire; random terrain; the scenarios of the ledger (the duel plays the
encounter's objectives and turns); every optional rule. The command squads of the scenarios name an electronic
warfare operator and a forward observer in their data; both are riflemen until their chapters are built.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.questions import AnyQuestion, Chance, MoveModels, PathNote, PlaceThings, Preview, Refusal
from sandtable.engine.ruleset import Procedure, Ruleset, Setup, View
from sandtable.engine.shapes import At
from sandtable.engine.state import Step
from sandtable.engine.table import Thing
from sandtable.forces.ledger import ledger
from sandtable.rulesets.stargrunt import close_assault, communications, fire, turn
from sandtable.rulesets.stargrunt._moves import refused_entry, refused_move
from sandtable.rulesets.stargrunt._setup import open_battle, setup_of
from sandtable.rulesets.stargrunt.actions import Activate, activate, refused_reposition
from sandtable.rulesets.stargrunt.cases import StargruntWords
from sandtable.rulesets.stargrunt.forces import SCHEMA, SQUADS, bring_cards, card, kits, squad
from sandtable.rulesets.stargrunt.movement import MOBILITY, ways
from sandtable.rulesets.stargrunt.scenario import VICTORY, decided, hold_objectives, turn_ends
from sandtable.rulesets.stargrunt.units import ARMOUR
from sandtable.rulesets.stargrunt.weapons import AMMUNITION, COUNTED, SMALL_ARMS, SUPPORT, SUPPORT_WEAPONS

#: What a size counts.
SIZE = "squads a side"

#: Chapters are still missing: the ledger is not wholly cited, proved and fired yet.
COMPLETE = False


class Stargrunt(Ruleset):
    """The rules as far as they are built."""

    name = "stargrunt"
    title = "Stargrunt II (under construction)"
    version = "1"
    unit = "inch"
    steps = (
        turn.TurnBegins,
        turn.NextActivation,
        turn.TurnEnds,
        Activate,
        fire.FireAction,
        fire.Hit,
        fire.AfterFire,
        *close_assault.STEPS,
    )
    concession_rule = VICTORY.id
    draw_rule = VICTORY.id

    def __init__(self, *catalogues: Path) -> None:
        self.cards = bring_cards(*catalogues)

    def open(self, battle: Battle, setup: Setup) -> None:
        """Lay the table as the scenario says."""
        open_battle(battle, setup, self.cards)

    def procedure(self, battle: Battle, step: Step) -> Procedure[None]:
        """The procedure of each step."""
        match step:
            case turn.TurnBegins():
                return turn.turn_begins(battle)
            case turn.NextActivation(side):
                return next_activation(battle, side)
            case turn.TurnEnds():
                return turn_ends(battle)
            case Activate():
                return activate(battle, step)
            case fire.FireAction():
                return fire.fire(battle, step)
            case fire.Hit():
                return fire.hit(battle, step)
            case fire.AfterFire():
                return fire.after_fire(battle, step)
        assaulting = close_assault.procedure(battle, step)
        assert assaulting is not None, f"no procedure for {step}"
        return assaulting

    def judge(self, view: View, question: AnyQuestion, answer: Any) -> Refusal | None:
        """Why an answer is against the rules."""
        if isinstance(question, MoveModels):
            unit = view.table[question.about[0]]
            if question.topic == "reposition":
                return refused_reposition(view.table, unit, answer)
            return refused_move(view.table, unit, answer, max(question.allowance.values(), default=0))
        if isinstance(question, PlaceThings):
            where = answer[question.things[0]].where
            if not isinstance(where, At) or where.level:
                return Refusal(question.rules[0], "Choose a point on the table.")
            return refused_entry(view.table, view.table[question.things[0]], where.point)
        return None

    def preview(self, view: View, question: AnyQuestion, answer: Any) -> Preview:
        """What a draft would bring."""
        if isinstance(question, MoveModels):
            return _move_preview(view, question, answer)
        if question.topic in ("target", "support-target", "weapons"):
            return _shot_preview(view, question, answer)
        if question.topic == "receiver":
            return _message_preview(view, question, answer)
        return Preview()

    def digests(self) -> dict[str, str]:
        """Which ledger and which cards these rules read."""
        return {"ledger": ledger("stargrunt").digest(), "catalogue": self.cards.digest()}


def next_activation(battle: Battle, side: str) -> Procedure[None]:
    """Ask a side what it activates, unless it has finished; when both have, the turn ends.

    stargrunt.turn.alternating-activation    one unit, then the other side
    stargrunt.turn.finishing                 when both are finished the turn ends
    """
    hold_objectives(battle)
    if decided(battle):
        return
    other = next(one for one in battle.table.sides if one != side)
    if turn.finished(battle.table, side):
        battle.push(turn.TurnEnds() if turn.finished(battle.table, other) else turn.NextActivation(other))
        return
    chosen = yield from turn.choose_unit(battle, side)
    following = side if turn.goes_on(battle.table, side, chosen) else other
    battle.push(*([Activate(chosen)] if chosen else []), turn.NextActivation(following))


def _move_preview(view: View, question: MoveModels, answer: dict[str, Any]) -> Preview:
    allowance = max(question.allowance.values(), default=0)
    notes = []
    for way in ways(view.table, answer, allowance):
        if way.track.length:
            spots = (way.track.start.point, *(stretch.end for stretch in way.track.stretches))
            costs = tuple(step.cost for step in way.trace.steps)
            notes.append(PathNote(way.figure.id, spots, costs, way.trace.total, allowance))
    return Preview(paths=tuple(notes))


def _shot_preview(view: View, question: AnyQuestion, answer: Any) -> Preview:
    """The dice of the shot: by the target that is drafted, or the weapons that would join."""
    firer = view.table[question.about[0]]
    if question.topic == "weapons":
        target, small, using = view.table[question.about[1]], True, tuple(answer)
    elif question.topic == "target":
        target, small, using = view.table[answer], True, ()
    else:
        target, small, using = view.table[answer], False, (question.about[1],)
    aimed = fire.shot(view.table, firer, target, small, using)
    dice = ", ".join(f"D{die}" for die in aimed.dice)
    against = f"against D{aimed.range_die}" if aimed.range_die else "impossible"
    return Preview(explanations=(aimed.range,), notes=(f"{dice} {against}, impact D{aimed.impact}",))


def _message_preview(view: View, question: AnyQuestion, answer: Any) -> Preview:
    sender, receiver = view.table[question.about[0]], view.table[answer]
    if communications.in_contact(view.table, sender.id, receiver.id):
        return Preview(notes=("near enough to be told directly: no roll",))
    die, _ = communications.communication_die(view.table, sender, receiver)
    target = communications.to_exceed(sender, receiver).value
    return Preview(odds=(Chance("the message gets through", max(0, die - target), die),))


def ruleset() -> Ruleset:
    """The rules, ready to play."""
    return Stargrunt()


def setup(scenario: str = "", size: int = 0) -> Setup:
    """The set-up of a scenario, by name or by the path of a file; nothing named is the duel."""
    return setup_of(scenario, size)


def case_words(catalogues: Sequence[Path] = ()) -> StargruntWords:
    """The words of conformance cases."""
    rules = Stargrunt(*catalogues)
    return StargruntWords(rules, rules.cards)


def in_play(thing: Thing) -> Sequence[str]:
    """The rules that a unit brings into play by being there: its data, its weapons, its armour and mobility."""
    if thing.kind != "unit":
        return ()
    rule = card(thing).rule
    named = [rule] if rule in [one.id for one in SQUADS] else []
    carried = [one.support_weapon for one in kits(thing) if one.support_weapon in SUPPORT]
    named += [SUPPORT_WEAPONS.id] if carried else []
    named += [AMMUNITION.id] if any(one in COUNTED for one in carried) else []
    return [*named, SCHEMA.id, SMALL_ARMS.id, ARMOUR.id, MOBILITY.id] if squad(thing).figures else named
