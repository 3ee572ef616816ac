"""What a side of Stargrunt may keep secret: for each kind of secret, another state that differs in nothing else.

A kind is a function: given a state, the side whose secret it is and random numbers, it gives a `Twin`, or none where
there is no such secret in the state. It changes the true table and the owner's own, by `altered`, and nothing that
the other side knows. To add a kind, write the function and name it in `KINDS`; a scenario in which it is met goes into
`SCENARIOS`.
"""

import random
from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.events import AnyEvent, Revealed, Rolled
from sandtable.engine.ids import Side
from sandtable.engine.state import State, Step
from sandtable.engine.table import Mark, Thing, Value
from sandtable.field.measure import center_gap
from sandtable.rulesets.stargrunt.artillery.assets import IMPACT_MARKER, MARKERS, REAL
from sandtable.rulesets.stargrunt.observation.counters import DECOY_OF, DUMMY, counter_of, face_up, is_sniper
from sandtable.rulesets.stargrunt.observation.hiding import REACH
from sandtable.rulesets.stargrunt.obstacles.mines import InMines, Mined
from sandtable.rulesets.stargrunt.obstacles.traps import SpringTrap
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.units.record import counters, spot
from sandtable.tabletop.face_down import IS, lies_under

#: Scenarios in which somebody hides something, with the size they are played in.
SCENARIOS: tuple[tuple[str, int], ...] = (
    ("watchers", 1),
    ("watchers", 2),
    ("night-patrol", 0),
    ("bombardment", 0),
    ("mined-crossing", 0),
    ("patrol-clash", 1),
    ("attack-defence", 1),
    ("rearguard", 1),
)

#: A thing → its states that are other in the twin; none: it has no such state there.
Changes = Mapping[str, Mapping[str, Value | None]]


class Twin(NamedTuple):
    """A state in which one secret is another, whose it is, and the things that are not what they are in the first."""

    state: State
    known_to: tuple[Side, ...]
    differ: tuple[str, ...]

    def decides(self, first: AnyEvent | None, second: AnyEvent | None) -> bool:
        """Whether the secret lawfully decides events: a thing that differs is revealed, or a veiled roll, shown by its
        outcome alone, comes out in another way."""
        for event in (first, second):
            if isinstance(event, Revealed) and (event.what in self.differ or event.shown in self.differ):
                return True
        if not (isinstance(first, Rolled) and isinstance(second, Rolled)):
            return False
        veiled = not (first.dice or first.faces or first.dice_parts or first.needs_parts or first.parts)
        return veiled and replace(first, outcome="") == replace(second, outcome="")


Kind = Callable[[State, Side, random.Random], Twin | None]


def altered(state: State, side: Side, changes: Changes) -> Twin:
    """The twin of a state with some states of things changed, in truth and as their owner knows them."""
    twin = state.copy()
    for table in (twin.table, twin.views[side]):
        for name, states in changes.items():
            thing = table.things[name]
            marks = dict(thing.states)
            for word, value in states.items():
                until = marks[word].until if word in marks else ""
                marks.pop(word, None)
                if value is not None:
                    marks[word] = Mark(value, until)
            table.things[name] = replace(thing, states=marks)
    return Twin(twin, (side,), tuple(changes))


def _face_down(state: State, side: Side) -> list[Thing]:
    return [one for one in counters(state.table, side) if not face_up(one)]


def _exchanged(state: State, side: Side, one: Thing, other: Thing) -> Twin:
    """What lies under two counters changes places, with what only that tells."""
    words = (IS, DECOY_OF)
    swapped = {
        str(one.id): {word: other.value(word) for word in words},
        str(other.id): {word: one.value(word) for word in words},
    }
    return altered(state, side, swapped)


def unit_or_dummy(state: State, side: Side, any_: random.Random) -> Twin | None:
    """The unit lies under the other counter, where the dummy is."""
    lying = _face_down(state, side)
    real = [one for one in lying if (unit := state.table.things.get(lies_under(one))) and not is_sniper(unit)]
    dummies = [one for one in lying if lies_under(one) == DUMMY and not one.has(DECOY_OF)]
    return _exchanged(state, side, any_.choice(real), any_.choice(dummies)) if real and dummies else None


def which_unit(state: State, side: Side, any_: random.Random) -> Twin | None:
    """Two hidden units lie each where the other does."""
    lying = _face_down(state, side)
    real = [one for one in lying if (unit := state.table.things.get(lies_under(one))) and not is_sniper(unit)]
    return _exchanged(state, side, *any_.sample(real, 2)) if len(real) > 1 else None


def position(state: State, side: Side, any_: random.Random) -> Twin | None:
    """A counter is In Position, or is not."""
    lying = _face_down(state, side)
    if not lying:
        return None
    chosen = any_.choice(lying)
    return altered(state, side, {chosen.id: {StateName.IN_POSITION: None if chosen.has(StateName.IN_POSITION) else 1}})


def which_is_the_sniper(state: State, side: Side, any_: random.Random) -> Twin | None:
    """The sniper is under one of his dummies."""
    lying = _face_down(state, side)
    snipers = [one for one in lying if (unit := state.table.things.get(lies_under(one))) and is_sniper(unit)]
    pairs = [(one, other) for one in snipers for other in lying if other.value(DECOY_OF) == lies_under(one)]
    return _exchanged(state, side, *any_.choice(pairs)) if pairs else None


def which_dummies_are_the_snipers(state: State, side: Side, any_: random.Random) -> Twin | None:
    """A sniper's dummy is another dummy, no farther from him than his may be."""
    lying = _face_down(state, side)
    pairs = [
        (his, other)
        for his in lying
        if (sniper := counter_of(state.table, str(his.value(DECOY_OF) or "nobody"))) is not None
        for other in lying
        if lies_under(other) == DUMMY and not other.has(DECOY_OF) and center_gap(spot(other), spot(sniper)) <= REACH**2
    ]
    return _exchanged(state, side, *any_.choice(pairs)) if pairs else None


def what_it_is_like(state: State, side: Side, any_: random.Random) -> Twin | None:
    """A hidden unit has been shaken, or has not: nobody sees how it feels under its counter."""
    lying = [one for one in counters(state.table, side) if lies_under(one) in state.table.things]
    if not lying:
        return None
    counter = any_.choice(lying)
    unit = state.table[lies_under(counter)]
    level = any_.choice([word for word in ("CO", "ST", "SH") if word != unit.value("confidence")])
    twin = altered(state, side, {unit.id: {"confidence": level}})
    return twin._replace(differ=(counter.id, unit.id))


def _goes_off(step: Step) -> str:
    match step:
        case InMines() | Mined():
            return step.field
        case SpringTrap():
            return step.trap
    return ""


def where_the_mine_lies(state: State, side: Side, any_: random.Random) -> Twin | None:
    """A mine is the other counter, where a dummy is; not one that has been stepped on and goes off next."""
    stepped_on = [_goes_off(step) for step in state.agenda]
    lying = [one for one in _face_down(state, side) if one.id not in stepped_on]
    mines = [one for one in lying if lies_under(one) != DUMMY and lies_under(one) not in state.table.things]
    dummies = [one for one in lying if lies_under(one) == DUMMY and not one.has(DECOY_OF)]
    return _exchanged(state, side, any_.choice(mines), any_.choice(dummies)) if mines and dummies else None


def which_marker_is_real(state: State, side: Side, any_: random.Random) -> Twin | None:
    """Another of the impact markers of a mission is the target."""
    markers = [m for m in state.table.of_kind("marker") if m.side == side and m.card == IMPACT_MARKER and m.on_table]
    for asset in state.table.of_kind("marker"):
        names = asset.value(MARKERS)
        mine = [one for one in markers if isinstance(names, tuple) and one.id in names]
        real = [one for one in mine if one.has(REAL)]
        if real and len(mine) > 1:
            other = any_.choice([one for one in mine if one is not real[0]])
            return altered(state, side, {real[0].id: {REAL: None}, other.id: {REAL: 1}})
    return None


#: Every kind of secret, by what it is called in the totals.
KINDS: dict[str, Kind] = {
    "real unit or dummy": unit_or_dummy,
    "which unit": which_unit,
    "In Position or not": position,
    "which counter is the sniper": which_is_the_sniper,
    "which dummies are the sniper's": which_dummies_are_the_snipers,
    "what a hidden unit is like": what_it_is_like,
    "where the mine lies": where_the_mine_lies,
    "which impact marker is real": which_marker_is_real,
}
