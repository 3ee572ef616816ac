"""Armies: the sample armies of the ledger as rosters, and a roster as the entries of a force.

A roster's units are Battlegroups of a kind, and one or more of the kind `auxiliary`; the units in them are squads. A
squad says by `in` in which Transports it starts, by their names, and by `commander` the Command Value of who is mounted
in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from sandtable.engine.ids import Side
from sandtable.forces.data import Data
from sandtable.forces.ledger import rule, same_number
from sandtable.forces.loading import Carrier, Hold
from sandtable.forces.models import ModelForm, StateForm
from sandtable.forces.roster import Bought, Roster, Unit
from sandtable.rulesets.dropzone.command.commanders import COMMANDER
from sandtable.rulesets.dropzone.units import AUXILIARY, BATTLEGROUP, CALLED, CARDS, KIND_OPTION
from sandtable.rulesets.dropzone.units import Unit as UnitCard

SAMPLE = rule("dropzone.forces.sample-armies")

#: How the kinds of Battlegroups are spoken.
SPOKEN = {"hq": "HQ", "war_engine": "War Engine"}
#: The option of a squad that names the Transports it starts in.
RIDES_IN = "in"
#: How large the sample armies are: a scenario's size counts in the points of the smaller.
SIZES = ("skirmish", "clash")


def spoken(kind: str) -> str:
    """A kind of Battlegroup, or a category, as it is spoken."""
    return SPOKEN.get(kind, kind.replace("_", " ").capitalize())


class Squad(msgspec.Struct, frozen=True):
    """A squad of a roster: where it stands in the file, its Battlegroup, and what it is of."""

    path: tuple[str | int, ...]
    group: Unit
    unit: Unit
    id: str

    @property
    def auxiliary(self) -> bool:
        """Whether it belongs to no Battlegroup."""
        return self.group.kind == AUXILIARY

    @property
    def card(self) -> UnitCard | None:
        """The card of its units; none where it has none."""
        return CARDS.held[self.unit.models[0].model].stats if self.unit.models else None

    @property
    def count(self) -> int:
        """How many units it has."""
        return sum(one.count for one in self.unit.models)

    @property
    def members(self) -> list[str]:
        """The ids of its units."""
        return [f"{self.id}-{n}" for n in range(1, self.count + 1)]

    @property
    def rides_in(self) -> tuple[str, ...]:
        """The Transports it starts in, by name."""
        named = self.unit.options.get(RIDES_IN, ())
        return named if isinstance(named, tuple) else (str(named),) if named else ()

    @property
    def commanders(self) -> tuple[int, ...]:
        """The Command Values of the Commanders in its units."""
        named = self.unit.options.get(COMMANDER, ())
        values = named if isinstance(named, tuple) else (named,)
        return tuple(int(one) for one in values if str(one).isdigit())


def squads(roster: Roster, letter: str = "") -> list[Squad]:
    """The squads of a roster; a unit that holds models itself is a squad of its own group."""
    found: list[Squad] = []
    carriers = 0
    for n, group in enumerate(roster.units):
        for m, (path, unit) in enumerate(_held(group)):
            carriers += group.kind == AUXILIARY
            name = f"{letter}T{carriers}" if group.kind == AUXILIARY else f"{letter}{n + 1}{_letter(m)}"
            found.append(Squad(("units", n, *path), group, unit, name))
    return found


def _held(group: Unit) -> Iterator[tuple[tuple[str | int, ...], Unit]]:
    if group.models:
        yield (), group
    for n, unit in enumerate(group.units):
        yield ("units", n), unit


def _letter(number: int) -> str:
    return "abcdefghijklmnopqrstuvwxyz"[number % 26] * (1 + number // 26)


# Who rides where ---------------------------------------------------------------------------------------------------


def hold_of(own: Sequence[Squad]) -> Hold:
    """The Transports among some squads."""
    return Hold(
        [
            Carrier(member, dict(one.card.capacity))
            for one in own
            if one.card is not None and one.card.capacity
            for member in one.members
        ]
    )


def loads(own: Sequence[Squad]) -> tuple[Hold, dict[str, str]]:
    """The Transports as they start, and who rides in which; who finds no room is left out.

    A squad that names as many Transports as it has units says where each of them rides; else they are filled in order.
    """
    hold = hold_of(own)
    found: dict[str, str] = {}
    for squad in own:
        named = [[name for name in one.members if name in hold.left] for one in named_transports(own, squad)]
        whole = [name for one in named for name in one]
        for n, member in enumerate(squad.members if squad.card is not None else ()):
            into = named[n] if len(named) == squad.count else whole
            ride = hold.take(member, squad.card.requirement or {}, into) if squad.card is not None else ""
            if ride:
                found[member] = ride
    return hold, found


def named_transports(own: Sequence[Squad], squad: Squad) -> list[Squad]:
    """The squads that a squad names as its Transports."""
    by_name = {one.unit.name: one for one in own}
    return [by_name[name] for name in squad.rides_in if name in by_name]


def muster(roster: Roster, side: Side, letter: str) -> tuple[ModelForm, ...]:
    """A roster as the entries of a force: Transports first, for others start in them."""
    own = squads(roster, letter)
    _, rides = loads(own)
    forms: list[ModelForm] = []
    for squad in sorted(own, key=lambda one: not one.auxiliary):
        options: dict[str, Any] = {CALLED: squad.unit.name}
        if squad.auxiliary:
            options[AUXILIARY] = 1
        else:
            options |= {BATTLEGROUP: f"{side} {squad.group.name}", KIND_OPTION: squad.group.kind}
        models = [one.model for one in squad.unit.models for _ in range(one.count)]
        for n, (name, model) in enumerate(zip(squad.members, models, strict=True)):
            states: dict[str, int | str | tuple[str, ...] | StateForm] = {}
            if n < len(squad.commanders):
                states[COMMANDER] = squad.commanders[n]
            inside = rides.get(name, "")
            forms.append(
                ModelForm(model=model, name=name, inside=inside, unit=squad.id, options=options, states=states)
            )
    return tuple(forms)


# The sample armies -------------------------------------------------------------------------------------------------


def sample_names() -> tuple[str, ...]:
    """The sample armies, by the names of their forces."""
    return tuple(SAMPLE.names("skirmish", "armies"))


def sample_roster(name: str, size: str) -> Roster:
    """A sample army of the ledger as a roster, loaded as the ledger says."""
    army = SAMPLE.at(size, "armies", name)
    rides = _rides(army)
    chief = army.text_at("commander", "mounted_in")
    groups: list[Unit] = []
    number = 0
    for group in army.items("battlegroups"):
        kind = group.text_at("kind")
        title = f"{spoken(kind)} {sum(one.kind == kind for one in groups) + 1}"
        held = []
        for squad in group.items("squads"):
            unit = squad.text_at("unit")
            options: dict[str, Any] = dict(rides.get(("squad", number), {}))
            if unit == chief:
                options[COMMANDER], chief = army.number("commander", "command_value"), ""
            held.append(_squad(f"{_spoken(unit)} {number + 1}", unit, squad.number("count"), options))
            number += 1
        groups.append(Unit(name=title, kind=kind, units=tuple(held)))
    carriers = [
        _squad(_carrier(army, n), one.text_at("unit"), one.number("count"), rides.get(("auxiliary", n), {}))
        for n, one in enumerate(army.items("auxiliary"))
    ]
    groups.append(Unit(name="Auxiliary", kind=AUXILIARY, units=tuple(carriers)))
    return Roster(
        ruleset="dropzone",
        name=f"{name.replace('_', ' ').title()}, {size}",
        limit=SAMPLE.number(size, "agreed_points"),
        units=tuple(groups),
    )


def _squad(name: str, unit: str, count: int, options: Mapping[str, Any]) -> Unit:
    if RIDES_IN in options:
        same_number(f"how many of {name} are loaded", len(options[RIDES_IN]), count)
    return Unit(name=name, options=dict(options), models=(Bought(model=unit, count=count),))


def _carrier(army: Data, number: int) -> str:
    return f"{_spoken(list(army.items('auxiliary'))[number].text_at('unit'))} {number + 1}"


def _spoken(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _rides(army: Data) -> dict[tuple[str, int], dict[str, tuple[str, ...]]]:
    """In which Transports each squad starts, in the order in which they are filled."""
    found: dict[tuple[str, int], dict[str, tuple[str, ...]]] = {}
    for load in army.items("loads"):
        for one in load.items("carries"):
            kind = "squad" if one.has("squad") else "auxiliary"
            named = found.setdefault((kind, one.number(kind)), {RIDES_IN: ()})
            named[RIDES_IN] = (*named[RIDES_IN], *[_carrier(army, load.number("auxiliary"))] * one.number("count"))
    return found
