"""States of things: given, taken, and ended when their time is over. Each change is told with its rule."""

from collections.abc import Callable

from sandtable.engine.battle import Battle
from sandtable.engine.events import Detail, StateChanged
from sandtable.engine.ids import Side
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Thing, Value
from sandtable.forces.ledger import Rule

#: Until when a state lasts that a turn's end ends.
END_OF_TURN = "end of turn"


def give(
    battle: Battle,
    who: str,
    state: str,
    rule: Rule,
    value: Value | None = 1,
    *,
    until: str = "",
    because: int = 0,
    known_to: tuple[Side, ...] = (),
    detail: Detail | None = None,
) -> int:
    """Give a thing (or a side, of which nothing was said before) a state; gives the number of the event."""
    thing = battle.table.things.get(who)
    before = None if thing is None else thing.value(state)
    changed = StateChanged(
        *(who, state, before, value, until), rule=rule.id, because=because, known_to=known_to, detail=detail or {}
    )
    return battle.happens(changed)


def take(
    battle: Battle,
    who: str,
    state: str,
    rule: Rule,
    because: int = 0,
    *,
    known_to: tuple[Side, ...] = (),
    detail: Detail | None = None,
) -> None:
    """Take a state from a thing; nothing is told where it does not have it."""
    before = battle.table[who].value(state)
    if before is not None:
        gone = StateChanged(
            *(who, state, before, None), rule=rule.id, because=because, known_to=known_to, detail=detail or {}
        )
        battle.happens(gone)


def expire(battle: Battle, thing: Thing, until: str, rule: Rule, known_to: tuple[Side, ...] = ()) -> None:
    """End the states of a thing that last until now."""
    for state, mark in thing.states.items():
        if mark.until == until:
            battle.happens(StateChanged(thing.id, state, mark.value, None, rule=rule.id, known_to=known_to))


def expire_all(
    battle: Battle, until: str, rule: Rule, known_to: Callable[[Thing], tuple[Side, ...]] = lambda thing: ()
) -> None:
    """End the states of all things that last until now; `known_to` says of whose things only some may know."""
    for thing in [*battle.table.things.values()]:
        expire(battle, thing, until, rule, known_to(thing))


def takes_up(state: str, rule: Rule, until: str = END_OF_TURN) -> Callable[[Battle, Thing, object], Procedure[None]]:
    """An action that does no more than give a state: aiming, watching."""

    def carry_out(battle: Battle, thing: Thing, step: object) -> Procedure[None]:
        yield from ()
        give(battle, thing.id, state, rule, until=until)

    return carry_out
