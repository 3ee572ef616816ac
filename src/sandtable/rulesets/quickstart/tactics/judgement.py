"""What a position is worth by these rules, what one model may do to another, and how a battle may go on from a view."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from sandtable.engine.dice import Dice
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import AnyQuestion, ChooseOne, Plan
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Point
from sandtable.engine.state import State, Step
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.quickstart.state_names import StateName
from sandtable.rulesets.quickstart.states import is_down
from sandtable.rulesets.quickstart.tactics.memory import Memory, nearest_first
from sandtable.rulesets.quickstart.tactics.odds import POINT
from sandtable.rulesets.quickstart.turn.activation import Activate
from sandtable.rulesets.quickstart.turn.phases import DRAW_DECK, DrawCard
from sandtable.tabletop.imagining import imagined_state, shuffle_deck
from sandtable.tabletop.opponent import Goal

#: How many enemies, the nearest, are looked at for what a model may do next.
_AIMED_AT = 3


def features(memory: Memory, table: Table, side: Side) -> Mapping[str, int]:
    """What a side has: its models, what they can still take, how they are hampered, and whom they aim at."""
    found = dict.fromkeys(("life", "models", "ready", "down", "suppressed", "stunned", "disabled", "leaving", "aim"), 0)
    for model in table.models(side):
        states = model.states
        found["models"] += 1
        found["life"] += model.track - model.harm
        found["ready"] += StateName.ACTIVATED not in states
        found["down"] += is_down(model)
        found["suppressed"] += StateName.SUPPRESSED in states
        found["stunned"] += StateName.STUNNED in states
        found["disabled"] += StateName.DISABLED in states
        found["leaving"] += StateName.RETREATING in states
        found["aim"] += aim(memory, table, model) // POINT
    return found


def aim(memory: Memory, table: Table, model: Thing) -> int:
    """The most that a model may do to one of the enemies near it, from where it stands."""
    foes = nearest_first(table, model)[:_AIMED_AT]
    if not foes:
        return 0
    me, best = memory.gunner(model), 0
    for foe, seen in zip(foes, memory.sightings(table, model, foes), strict=True):
        attack = me.attacks(memory.gunner(foe), seen.gap, seen.their_cover, seen.they_stand_in, seen.blocked)[1]
        best = max(best, attack.worth)
    return best


def threat(memory: Memory, table: Table, attacker: Thing, victim: Thing, place: Point | None = None) -> int:
    """The harm that one model's fire may do another, locked on, from a place or from where it stands."""
    at = center(attacker) if place is None else place
    lookout = memory.lookout(table, replace(attacker, place=At(at)), [(at, attacker.facing)], [victim])
    seen = lookout.sighting(0, 0)
    foe = memory.gunner(victim)
    attack = memory.gunner(attacker).attacks(foe, seen.gap, seen.their_cover, seen.they_stand_in, seen.blocked)[1]
    return attack.worth


def goals(memory: Memory, view: View, model: Thing) -> Sequence[Goal]:
    """The enemies that a model wants to hurt: what it may do to each from where it stands, the most first."""
    found = [
        Goal(center(foe), f"hurt {foe.label}", threat(memory, view.table, model, foe), foe.id)
        for foe in nearest_first(view.table, model)[:_AIMED_AT]
    ]
    return sorted(found, key=lambda goal: -goal.worth)


def imagined(view: View, question: AnyQuestion, dice: Dice) -> State | None:
    """A state in which a side is asked which model acts, or what it declares: only the order of the deck is guessed.

    Nothing else is hidden by these rules: whose card has come is public, and so is how many are left of each colour.
    """
    table, steps = view.table.copy(), _asking(question)
    if steps is None or DRAW_DECK.name not in table.decks:
        return None
    # Where it is asked who acts, its card lies on top, to be turned over again.
    shuffle_deck(table, DRAW_DECK.name, dice, (view.side,) if isinstance(question, ChooseOne) else ())
    return imagined_state(table, steps)


def _asking(question: AnyQuestion) -> list[Step] | None:
    """The agenda whose next step asks a question."""
    match question:
        case ChooseOne(topic="activate"):
            return [DrawCard()]
        case Plan():
            return [Activate(ThingId(question.actors[0]))]
    return None
