"""What these rules teach bots: which answers are worth thinking of, and what each is worth by the rules' arithmetic."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from sandtable.engine.dice import Dice
from sandtable.engine.ids import Side
from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    PlaceThings,
    Plan,
    React,
    Reaction,
)
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, Point, Walk
from sandtable.engine.state import State
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.quickstart.movement.walking import FIRES_HERE, contacts_of, rates_of
from sandtable.rulesets.quickstart.shooting.direct_fire import DEFENSIVE, OVER_WATCH
from sandtable.rulesets.quickstart.tactics import judgement
from sandtable.rulesets.quickstart.tactics.charge import charge
from sandtable.rulesets.quickstart.tactics.choices import Intention
from sandtable.rulesets.quickstart.tactics.declare import declarations
from sandtable.rulesets.quickstart.tactics.deploy import deployments
from sandtable.rulesets.quickstart.tactics.memory import Memory, nearest_first
from sandtable.rulesets.quickstart.tactics.odds import POINT
from sandtable.rulesets.quickstart.tactics.places import Situation
from sandtable.rulesets.quickstart.tactics.walks import walked
from sandtable.tabletop.opponent import Choice, Goal, Idea, LateChoice, Tactics
from sandtable.tabletop.scouting.strolls import bearing_to, headings, length_of, stroll
from sandtable.tabletop.weights import weights_of


class QuickstartTactics(Tactics):
    """The tactics of this edition. It keeps nothing that it could not find out anew."""

    weights = weights_of(__package__ or "")
    luck = frozenset(("life", "models", "down", "suppressed", "stunned", "disabled", "leaving"))
    intends = Intention
    foretells = frozenset(
        ("fire", "fire on the run", "indirect fire", "missile", "close combat", "what it costs", "repair")
    )

    def __init__(self) -> None:
        self.memory = Memory()

    def rate(self, view: View, question: AnyQuestion, skill: Any, intention: object) -> Sequence[Choice]:
        """The answers worth thinking of."""
        self.memory.watch(view.table)
        return tuple(_choices(self.memory, view, question, skill, intention))

    def charge(self, view: View, question: AnyQuestion) -> Sequence[Any]:
        """The drafts of one who walks to the nearest enemy and always fires."""
        self.memory.watch(view.table)
        return tuple(charge(self.memory.room, view, question))

    def features(self, table: Table, side: Side) -> Mapping[str, int]:
        """What a side has in a position."""
        self.memory.watch(table)
        return judgement.features(self.memory, table, side)

    def rolls_at_once(self, question: AnyQuestion) -> bool:
        """What is fired, fought or mended is weighed as a plan, or as a shot out of turn."""
        return isinstance(question, Plan | React)

    def threat(self, table: Table, attacker: Thing, victim: Thing, place: Point | None = None) -> int:
        """The harm that one model's fire may do another."""
        self.memory.watch(table)
        return judgement.threat(self.memory, table, attacker, victim, place)

    def goals(self, view: View, unit: Thing) -> Sequence[Goal]:
        """The enemies a model wants to hurt."""
        self.memory.watch(view.table)
        return judgement.goals(self.memory, view, unit)

    def imagined(self, view: View, question: AnyQuestion, dice: Dice) -> State | None:
        """A state in which a question is asked, the deck shuffled anew."""
        return judgement.imagined(view, question, dice)


def _choices(memory: Memory, view: View, question: AnyQuestion, skill: Any, intention: object) -> Iterator[Choice]:
    table = view.table
    match question:
        case Plan():
            return declarations(memory, table, question, skill)
        case ChooseOne(topic="activate"):
            return _who_acts(memory, table, [table[option.id] for option in question.options], skill)
        case MoveModels(topic="walk"):
            return _walks(memory, table, table[question.models[0]], question, intention)
        case MoveModels(topic="stand-up"):
            return iter((Idea(None, "as it lay", (), intention),))
        case React(topic="defensive-fire"):
            return _defend(memory, table, table[question.about[0]], table[question.about[1]])
        case React(topic="over-watch"):
            return _break_in(memory, table, table[question.about[0]], question)
        case ChooseSeveral(topic="defensive-weapons" | "over-watch-weapons"):
            every = tuple(option.id for option in question.options)
            return iter((Idea(every, "everything", (), intention),))
        case PlaceThings(topic="deploy"):
            return deployments(memory, table, table[question.things[0]], skill)
        case PlaceThings(topic="place-terrain" | "shape-terrain"):
            return iter((Idea(None, "where it falls", ()),))
        case ChooseOne(topic="terrain-shape"):
            return iter((Idea(None, "as the dice draw it", ()),))
        case Confirm():
            return iter((Idea(True, question.yes, (), intention),))
    return iter(())


def _who_acts(memory: Memory, table: Table, models: Sequence[Thing], skill: Any) -> Iterator[Choice]:
    """Whoever could do most when it last looked acts first; of those who can do nothing, the one in front."""
    for model in models:
        if model.id not in memory.standing:
            Situation(memory, table, model, skill)
        yield Idea(model.id, model.label, memory.standing[model.id])


def _walks(memory: Memory, table: Table, model: Thing, question: MoveModels, intention: object) -> Iterator[Choice]:
    """The walk that was meant, as far as it can be gone; else ways nearer to the enemy, or none."""
    marked = bool(question.marks)
    meant = intention if isinstance(intention, Intention) and intention.model == model.id else Intention(model.id)
    rest = Intention(model.id, meant.walks[1:])
    if question.default is not None:
        yield Idea(question.default, "as it must", (("", POINT),), rest)
    if meant.walks:
        walk = meant.walks[0]
        yield Idea({model.id: _marked(walk, question)}, "as meant", (("", 2),), rest)
        yield LateChoice(partial(_as_far_as, table, model, walk, question), "as far as it gets", 1, rest)
    elif not marked:
        yield from _nearer(memory, table, model, question, rest)
    yield Idea({model.id: _marked(Walk(), question)}, "stay", (("", -POINT),), rest)


def _marked(walk: Walk, question: MoveModels) -> Walk:
    """A walk with the mark where it fires, if it is asked for; where it must be said and was not, at its end."""
    if not question.marks:
        return Walk(walk.legs)
    if FIRES_HERE in walk.marks or not question.marks[0].required:
        return walk
    return Walk(walk.legs, {FIRES_HERE: length_of(walk)})


def _as_far_as(table: Table, model: Thing, walk: Walk, question: MoveModels) -> dict[str, Walk]:
    """A walk cut to what the rules allow; what was to be fired on the way is fired where it ends at the latest."""
    cut = walked(table, model, Walk(walk.legs), rates_of(model, question), contacts_of(question)) or Walk()
    marks = {name: min(at, length_of(cut)) for name, at in walk.marks.items()}
    return {model.id: _marked(Walk(cut.legs, marks), question)}


def _nearer(memory: Memory, table: Table, model: Thing, question: MoveModels, rest: Intention) -> Iterator[Choice]:
    """Ways nearer to the nearest enemy, for one whose walk was not thought of or came to nothing."""
    foes = nearest_first(table, model)
    if not foes:
        return
    here, goal = center(model), center(foes[0])
    others = [center(other) for other in table.models() if other.id != model.id]
    mv = question.facts["mv"] - question.facts["spent"]
    for degrees in headings(bearing_to(here, goal), 8):
        one = stroll(memory.room, others, model, degrees, mv, mv * UNIT)
        if one is not None:
            left = memory.room.way_left(one.at, goal)
            late = partial(_as_far_as, table, model, one.walk, question)
            yield LateChoice(late, "nearer", -left // 100, rest)


def _defend(memory: Memory, table: Table, model: Thing, attacker: Thing) -> Iterator[Choice]:
    """Fire back now, or keep the fire for its own activation."""
    (seen,) = memory.sightings(table, model, [attacker])
    me, foe = memory.gunner(model), memory.gunner(attacker)
    fires = not seen.blocked and seen.in_arc
    back = me.reply(foe, seen.gap, seen.their_cover, DEFENSIVE) if fires else 0
    later = me.attacks(foe, seen.gap, seen.their_cover, seen.they_stand_in, seen.blocked)[1].worth
    danger = foe.reply(me, seen.gap, seen.my_cover, "", True)
    yield Idea(Reaction(model.id), "fire back", (("fire", back),))
    yield Idea(None, "hold fire", (("fire later", later * 85 // 100), ("danger", -danger // 3)))


def _break_in(memory: Memory, table: Table, mover: Thing, question: React) -> Iterator[Choice]:
    """Halt the mover with the watcher that can do most, or wait for a better moment."""
    for option in question.options:
        model = table[option.id]
        (seen,) = memory.sightings(table, model, [mover])
        me, foe = memory.gunner(model), memory.gunner(mover)
        worth = me.reply(foe, seen.gap, seen.their_cover, OVER_WATCH) if seen.in_arc else 0
        yield Idea(Reaction(option.id), f"{model.label} fires", (("fire", worth),))
    yield Idea(None, "hold fire", (("a better moment", 200),))
