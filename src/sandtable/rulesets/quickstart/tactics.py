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
from sandtable.rulesets.quickstart._tactics_declare import Choice, Intention, Situation, declarations, length_of
from sandtable.rulesets.quickstart._tactics_guns import Gunner
from sandtable.rulesets.quickstart._tactics_odds import value_of
from sandtable.rulesets.quickstart._tactics_sight import Lookout
from sandtable.rulesets.quickstart._tactics_walks import bearing_to, headings, stroll, walked, way_left
from sandtable.rulesets.quickstart.activation import FIRES_HERE
from sandtable.rulesets.quickstart.concepts import center, enemies
from sandtable.rulesets.quickstart.shooting import DEFENSIVE, OVER_WATCH


class QuickstartTactics:
    """The teacher of this edition."""

    def weigh(self, view: View, question: AnyQuestion, mind: Any, intention: object) -> Sequence[Choice]:
        """The answers worth thinking of."""
        return tuple(_choices(view, question, mind, intention))

    def charge(self, view: View, question: AnyQuestion) -> Sequence[Any]:
        """The drafts of one who walks to the nearest enemy and always fires."""
        return tuple(charge(view, question))


def teacher(ruleset: Ruleset) -> QuickstartTactics:
    """The teacher, as bots find it."""
    return QuickstartTactics()


def _choices(view: View, question: AnyQuestion, mind: Any, intention: object) -> Iterator[Choice]:
    table = view.table
    match question:
        case Plan():
            return declarations(table, table[question.actors[0]], mind)
        case ChooseOne(topic="activate"):
            return _who_acts(table, [table[option.id] for option in question.options], mind)
        case MoveModels(topic="walk"):
            return _walks(table, table[question.models[0]], question, intention)
        case MoveModels(topic="stand-up"):
            return iter((Choice(None, "as it lay", (), intention),))
        case React(topic="defensive-fire"):
            return _defend(table, table[question.about[0]], table[question.about[1]])
        case React(topic="over-watch"):
            return _break_in(table, table[question.about[0]], question)
        case ChooseSeveral(topic="defensive-weapons" | "over-watch-weapons"):
            every = tuple(option.id for option in question.options)
            return iter((Choice(every, "everything", (), intention),))
        case PlaceThings(topic="deploy"):
            spots = spread_out(table, table[question.things[0]])
            return (Choice(spot, "in line", (("", -n),)) for n, spot in enumerate(spots))
        case PlaceThings(topic="place-terrain"):
            return iter((Choice(None, "where it falls", ()),))
        case Confirm():
            return iter((Choice(True, question.yes, (), intention),))
    return iter(())


def _who_acts(table: Table, models: Sequence[Thing], mind: Any) -> Iterator[Choice]:
    """Whoever can do most acts first; of those who can do nothing, the one in front."""
    for model in models:
        foes = enemies(table, model)
        if not foes:
            yield Choice(model.id, model.label, ())
            continue
        situation = Situation(table, model, _Still(mind))
        attack = situation.best_attack(0, lock=True).worth
        yield Choice(model.id, model.label, (("fire", attack), ("in danger", situation.exposure(0) // 4)))


class _Still:
    """A mind that thinks of no other place."""

    def __init__(self, mind: Any) -> None:
        self.poses, self.fears, self.plans = 0, mind.fears, mind.plans


def _walks(table: Table, model: Thing, question: MoveModels, intention: object) -> Iterator[Choice]:
    """The walk that was meant, then ways nearer to the enemy, then none."""
    marked = bool(question.marks)
    rest: object = None
    if isinstance(intention, Intention) and intention.model == model.id and intention.walks:
        rest = Intention(model.id, intention.walks[1:])
        walk = walked(table, model, intention.walks[0])
        if walk is not None:
            at = 0 if intention.fires_first else length_of(walk)
            yield Choice(
                {model.id: Walk(walk.legs, {FIRES_HERE: at} if marked else {})}, "as meant", (("", 2000),), rest
            )
    foes = enemies(table, model)
    if foes and not marked:
        here = center(model)
        goal = min((center(foe) for foe in foes), key=lambda at: (at.x - here.x) ** 2 + (at.y - here.y) ** 2)
        mv = question.facts["mv"] - question.facts["spent"]
        for degrees in headings(model, bearing_to(here, goal), 8):
            one = stroll(table, model, degrees, mv, mv * UNIT)
            walk = walked(table, model, one.walk) if one is not None else None
            if one is not None and walk is not None:
                left = way_left(table.ground, one.at, goal)
                yield Choice({model.id: Walk(walk.legs)}, "nearer", (("way", -left // 100),), rest)
    yield Choice({model.id: Walk((), {FIRES_HERE: 0} if marked else {})}, "stay", (("", -(10**6)),), rest)


def _defend(table: Table, model: Thing, attacker: Thing) -> Iterator[Choice]:
    """Fire back now, or keep the fire for its own activation."""
    lookout = Lookout(table, model, [(center(model), model.facing)], [attacker])
    seen = lookout.sighting(0, 0)
    gunner = Gunner(model)
    back = 0
    if not seen.blocked and seen.in_arc:
        rolls = [gunner.roll(attacker, n, seen.gap, seen.their_cover, DEFENSIVE) for n in gunner.straight]
        back = value_of(tuple(one for one in rolls if one is not None), attacker.track - attacker.harm)
    later = gunner.attack(attacker, seen, lookout.stands_in(attacker), lock=True).worth
    danger = Gunner(attacker).threat(model, seen.gap, seen.my_cover)
    yield Choice(Reaction(model.id), "fire back", (("fire", back),))
    yield Choice(None, "hold fire", (("fire later", later * 85 // 100), ("danger", -danger // 3)))


def _break_in(table: Table, mover: Thing, question: React) -> Iterator[Choice]:
    """Halt the mover with the watcher that can do most, or wait for a better moment."""
    for option in question.options:
        model = table[option.id]
        lookout = Lookout(table, model, [(center(model), model.facing)], [mover])
        seen = lookout.sighting(0, 0)
        gunner = Gunner(model)
        rolls = [gunner.roll(mover, n, seen.gap, seen.their_cover, OVER_WATCH) for n in gunner.straight]
        worth = value_of(tuple(one for one in rolls if one is not None), mover.track - mover.harm) if seen.in_arc else 0
        yield Choice(Reaction(option.id), f"{model.label} fires", (("fire", worth),))
    yield Choice(None, "hold fire", (("a better moment", 200),))
