"""What these rules teach bots: which answers are worth thinking of, and what each is worth by the rules' arithmetic."""

from collections.abc import Iterator, Sequence
from typing import Any

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
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import UNIT, Walk
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.quickstart._tactics_charge import charge, spread_out
from sandtable.rulesets.quickstart._tactics_declare import Choice, Intention, Memory, declarations, length_of
from sandtable.rulesets.quickstart._tactics_walks import bearing_to, headings, stroll, walked
from sandtable.rulesets.quickstart._walking import FIRES_HERE
from sandtable.rulesets.quickstart.concepts import center, enemies
from sandtable.rulesets.quickstart.shooting import DEFENSIVE, OVER_WATCH


class QuickstartTactics:
    """The teacher of this edition. It keeps nothing that it could not find out anew."""

    def __init__(self) -> None:
        self.memory = Memory()

    def weigh(self, view: View, question: AnyQuestion, mind: Any, intention: object) -> Sequence[Choice]:
        """The answers worth thinking of."""
        return tuple(_choices(self.memory, view, question, mind, intention))

    def charge(self, view: View, question: AnyQuestion) -> Sequence[Any]:
        """The drafts of one who walks to the nearest enemy and always fires."""
        self.memory.room.open(view.table.ground)
        return tuple(charge(self.memory.room, view, question))


def teacher(ruleset: Ruleset) -> QuickstartTactics:
    """The teacher, as bots find it."""
    return QuickstartTactics()


def _choices(memory: Memory, view: View, question: AnyQuestion, mind: Any, intention: object) -> Iterator[Choice]:
    table = view.table
    match question:
        case Plan():
            return declarations(memory, table, table[question.actors[0]], mind, question.budget["AP"])
        case ChooseOne(topic="activate"):
            return _who_acts(memory, table, [table[option.id] for option in question.options], mind)
        case MoveModels(topic="walk"):
            return _walks(memory, table, table[question.models[0]], question, intention)
        case MoveModels(topic="stand-up"):
            return iter((Choice(None, "as it lay", (), intention),))
        case React(topic="defensive-fire"):
            return _defend(memory, table, table[question.about[0]], table[question.about[1]])
        case React(topic="over-watch"):
            return _break_in(memory, table, table[question.about[0]], question)
        case ChooseSeveral(topic="defensive-weapons" | "over-watch-weapons"):
            every = tuple(option.id for option in question.options)
            return iter((Choice(every, "everything", (), intention),))
        case PlaceThings(topic="deploy"):
            spots = spread_out(table, table[question.things[0]])
            return (Choice(spot, "in line", (("", -n),), sure=False) for n, spot in enumerate(spots))
        case PlaceThings(topic="place-terrain"):
            return iter((Choice(None, "where it falls", ()),))
        case Confirm():
            return iter((Choice(True, question.yes, (), intention),))
    return iter(())


def _who_acts(memory: Memory, table: Table, models: Sequence[Thing], mind: Any) -> Iterator[Choice]:
    """Whoever can do most acts first; of those who can do nothing, the one in front."""
    for model in models:
        pose = memory.as_it_stands(table, model, fears=mind.fears)
        yield Choice(model.id, model.label, (("fire", pose.locked.worth), ("in danger", pose.exposure // 4)))


def _walks(memory: Memory, table: Table, model: Thing, question: MoveModels, intention: object) -> Iterator[Choice]:
    """The walk that was meant, then ways nearer to the enemy, then none."""
    marked = marked_or_meant = bool(question.marks)
    rest: object = None
    if isinstance(intention, Intention) and intention.model == model.id and intention.walks:
        rest = Intention(model.id, intention.walks[1:])
        walk = walked(table, model, intention.walks[0])
        if walk is not None:
            at = 0 if intention.fires_first else length_of(walk)
            draft = {model.id: Walk(walk.legs, {FIRES_HERE: at} if marked else {})}
            yield Choice(draft, "as meant", (("", 2000),), rest, sure=False)
            marked_or_meant = True
    foes = enemies(table, model)
    if foes and not marked_or_meant:
        here = center(model)
        memory.room.open(table.ground)
        others = [center(other) for other in table.models() if other.id != model.id]
        goal = min((center(foe) for foe in foes), key=lambda at: (at.x - here.x) ** 2 + (at.y - here.y) ** 2)
        mv = question.facts["mv"] - question.facts["spent"]
        for degrees in headings(model, bearing_to(here, goal), 8):
            one = stroll(memory.room, others, model, degrees, mv, mv * UNIT)
            walk = walked(table, model, one.walk) if one is not None else None
            if one is not None and walk is not None:
                left = memory.room.way_left(one.at, goal)
                yield Choice({model.id: Walk(walk.legs)}, "nearer", (("way", -left // 100),), rest, sure=False)
    yield Choice({model.id: Walk((), {FIRES_HERE: 0} if marked else {})}, "stay", (("", -(10**6)),), rest)


def _defend(memory: Memory, table: Table, model: Thing, attacker: Thing) -> Iterator[Choice]:
    """Fire back now, or keep the fire for its own activation."""
    (seen,) = memory.sightings(table, model, [attacker])
    me, foe = memory.gunner(model), memory.gunner(attacker)
    fires = not seen.blocked and seen.in_arc
    back = me.reply(foe, seen.gap, seen.their_cover, DEFENSIVE) if fires else 0
    later = me.attack(foe, seen.gap, seen.their_cover, seen.they_stand_in, seen.blocked, True).worth
    danger = foe.reply(me, seen.gap, seen.my_cover, "", True)
    yield Choice(Reaction(model.id), "fire back", (("fire", back),))
    yield Choice(None, "hold fire", (("fire later", later * 85 // 100), ("danger", -danger // 3)))


def _break_in(memory: Memory, table: Table, mover: Thing, question: React) -> Iterator[Choice]:
    """Halt the mover with the watcher that can do most, or wait for a better moment."""
    for option in question.options:
        model = table[option.id]
        (seen,) = memory.sightings(table, model, [mover])
        me, foe = memory.gunner(model), memory.gunner(mover)
        worth = me.reply(foe, seen.gap, seen.their_cover, OVER_WATCH) if seen.in_arc else 0
        yield Choice(Reaction(option.id), f"{model.label} fires", (("fire", worth),))
    yield Choice(None, "hold fire", (("a better moment", 200),))
