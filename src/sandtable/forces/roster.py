"""A roster: a force that was bought, with its units, models, upgrades and options, and what it costs.

```yaml
ruleset: NAME
name: Third Company
limit: 2500
options: {faction: open}
units:
  - name: Alpha
    kind: attack
    models:
      - {model: walker, count: 3, upgrades: [targeting]}
      - {model: scout, as: Owl, options: {rank: 2}}
  - name: Battlegroup One          # units may hold units: a battlegroup its squads, a platoon its sections
    units: [{name: Armour, models: [{model: tank, count: 2}]}]
extras: [{model: strike, count: 2}]  # what belongs to no unit: assets, strikes, cards
notes: Bring rain.
```

What the words mean and what is lawful belongs to the ruleset, which brings the checkers for `report.validate`, and,
where points are not simply those of the cards, its own charges. It publishes them as `roster_checkers()` and
`roster_charges(roster)`, what there is to buy as `roster_offer()`, what it counts as `roster_tallies(roster)` and the
options of its units as `roster_choices(roster)`; each of them may be missing.
"""

from collections.abc import Iterable, Iterator
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Literal, TypeVar

import msgspec

from sandtable.forces.catalogue import Catalogue
from sandtable.forces.files import Node, RosterError, nearest, read_file, read_text, shown
from sandtable.forces.models import Count, ModelForm, Options
from sandtable.forces.reading import Fail, Loaded, convert, see_modest

S = TypeVar("S", bound=msgspec.Struct)


class Bought(msgspec.Struct, frozen=True, kw_only=True):
    """So many of one card, alike in everything."""

    model: str
    count: Count = 1
    name: str = msgspec.field(default="", name="as")
    upgrades: tuple[str, ...] = ()
    options: Options = {}


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """What is bought and acts together: models, smaller units, or both."""

    name: str
    kind: str = ""
    upgrades: tuple[str, ...] = ()
    options: Options = {}
    models: tuple[Bought, ...] = ()
    units: "tuple[Unit, ...]" = ()


class Roster(msgspec.Struct, frozen=True, kw_only=True):
    """A force of one side."""

    ruleset: str
    name: str
    limit: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None  # the points agreed on
    options: Options = {}
    units: tuple[Unit, ...] = ()
    extras: tuple[Bought, ...] = ()
    notes: str = ""


class UnitKind(msgspec.Struct, frozen=True):
    """A kind of unit that a roster may have; `takes` says what is bought into it, models or smaller units of them."""

    id: str
    words: str
    rule: str = ""
    takes: Literal["models", "units"] = "models"
    about: str = ""  # what it may hold, in a sentence


class ChoiceValue(msgspec.Struct, frozen=True):
    """One of the values of a choice; where it may not be taken, why not and by which rule."""

    id: str
    words: str
    why: str = ""
    rule: str = ""


class Choice(msgspec.Struct, frozen=True):
    """An option of a unit of a roster with the values it may have now; where several may be, they are all in it."""

    at: tuple[str | int, ...]
    option: str
    words: str
    values: tuple[ChoiceValue, ...]
    several: bool = False


class Closed(msgspec.Struct, frozen=True):
    """A card that may not be taken into a unit as the roster stands: why not, and by which rule."""

    at: tuple[str | int, ...]
    model: str
    why: str
    rule: str


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What may be bought under a ruleset: cards by their ids, kinds of units, and the choices of a whole force."""

    models: tuple[str, ...] = ()
    upgrades: tuple[str, ...] = ()
    extras: tuple[str, ...] = ()
    unit_kinds: tuple[UnitKind, ...] = ()
    options: dict[str, tuple[str, ...]] = {}
    limit: int = 0  # the points that are usually agreed on; 0 where nobody counts
    ready: tuple[Roster, ...] = ()  # rosters to begin with, all lawful


class Charge(msgspec.Struct, frozen=True):
    """One line of a bill."""

    what: str
    each: int
    count: int = 1
    rule: str = ""

    @property
    def total(self) -> int:
        """What the line comes to."""
        return self.each * self.count


class Bill(msgspec.Struct, frozen=True):
    """What a roster costs, line by line."""

    charges: tuple[Charge, ...] = ()

    @property
    def total(self) -> int:
        """The points of the roster.

        >>> Bill((Charge("walker", 100, 3), Charge("targeting", 20, 3))).total
        360
        """
        return sum(charge.total for charge in self.charges)

    def __str__(self) -> str:
        lines = [f"{charge.total:6}  {charge.count} × {charge.what} at {charge.each}" for charge in self.charges]
        return "\n".join([*lines, f"{self.total:6}  in all"])


def all_units(units: Iterable[Unit], above: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], Unit]]:
    """Every unit and every unit in it, each with its path in the file.

    >>> wing = Unit(name="Wing", units=(Unit(name="Flight"),))
    >>> [(path, unit.name) for path, unit in all_units([wing])]
    [(('units', 0), 'Wing'), (('units', 0, 'units', 0), 'Flight')]
    """
    for n, unit in enumerate(units):
        path = (*above, "units", n)
        yield path, unit
        yield from all_units(unit.units, path)


def all_bought(roster: Roster) -> Iterator[tuple[tuple[str | int, ...], Bought]]:
    """Everything bought, unit by unit, then the extras, each with its path in the file."""
    for path, unit in all_units(roster.units):
        for n, bought in enumerate(unit.models):
            yield (*path, "models", n), bought
    for n, bought in enumerate(roster.extras):
        yield ("extras", n), bought


def recruits(roster: Roster) -> tuple[ModelForm, ...]:
    """The models of a roster as entries of a force, each with the name of its unit; its extras are no models.

    >>> unit = Unit(name="Alpha", models=(Bought(model="walker", count=2, upgrades=("radar",)),))
    >>> roster = Roster(ruleset="it", name="Third Company", units=(unit,))
    >>> [(form.model, form.unit, form.count, form.options) for form in recruits(roster)]
    [('walker', 'Alpha', 2, {'upgrades': ('radar',)})]
    """
    forms = []
    for _, unit in all_units(roster.units):
        for bought in unit.models:
            options = {**bought.options, **({"upgrades": bought.upgrades} if bought.upgrades else {})}
            forms.append(
                ModelForm(model=bought.model, name=bought.name, unit=unit.name, count=bought.count, options=options)
            )
    return tuple(forms)


def taken(roster: Roster, path: tuple[str | int, ...], model: str, takes: str) -> Roster:
    """A roster in which one more of a card is taken into a unit: as a model, or as a smaller unit of its own.

    >>> roster = Roster(ruleset="it", name="Third Company", units=(Unit(name="Alpha"),))
    >>> [unit.name for _, unit in all_units(taken(roster, ("units", 0), "walker", "units").units)]
    ['Alpha', 'walker 1']
    """
    names = {unit.name for _, unit in all_units(roster.units)}

    def into(unit: Unit) -> Unit:
        if takes == "models":
            return msgspec.structs.replace(unit, models=(*unit.models, Bought(model=model)))
        number = next(n for n in range(1, len(names) + 2) if f"{model} {n}" not in names)
        return msgspec.structs.replace(
            unit, units=(*unit.units, Unit(name=f"{model} {number}", models=(Bought(model=model),)))
        )

    def within(units: tuple[Unit, ...], rest: tuple[str | int, ...]) -> tuple[Unit, ...]:
        return tuple(
            unit
            if n != rest[1]
            else into(unit)
            if len(rest) == 2
            else msgspec.structs.replace(unit, units=within(unit.units, rest[2:]))
            for n, unit in enumerate(units)
        )

    return msgspec.structs.replace(roster, units=within(roster.units, path))


def load_roster(path: Path | Traversable, catalogue: Catalogue[S]) -> Loaded[Roster]:
    """Read a roster file; unknown cards and upgrades are errors, what breaks a rule is for the report."""
    return _read(read_file(path, RosterError), shown(path), catalogue)


def roster_from_text(text: str, catalogue: Catalogue[S], name: str = "roster") -> Loaded[Roster]:
    """Read a roster from text, as `load_roster` does."""
    return _read(read_text(text, name, RosterError), name, catalogue)


def roster_without_file(roster: Roster, catalogue: Catalogue[S], name: str = "roster") -> Loaded[Roster]:
    """A roster that was put together in the program, ready for the same checks; it has no lines."""
    return _checked(Loaded(roster, Node(None, 0), name, RosterError), catalogue)


def charges(roster: Roster, catalogue: Catalogue[S]) -> Bill:
    """What a roster costs where everything costs the points of its card."""
    lines = []
    for _, bought in all_bought(roster):
        card = catalogue[bought.model]
        lines.append(Charge(card.name, card.points, bought.count, card.rule))
        for upgrade in bought.upgrades:
            extra = catalogue[upgrade]
            lines.append(Charge(f"{extra.name} for {card.name}", extra.points, bought.count, extra.rule))
    for _, unit in all_units(roster.units):
        for upgrade in unit.upgrades:
            extra = catalogue[upgrade]
            lines.append(Charge(f"{extra.name} for {unit.name}", extra.points, 1, extra.rule))
    return Bill(tuple(lines))


def _read(node: Node, name: str, catalogue: Catalogue[S]) -> Loaded[Roster]:
    roster = convert(see_modest(node, name, RosterError), Roster, name, RosterError)
    return _checked(Loaded(roster, node, name, RosterError), catalogue)


def _checked(loaded: Loaded[Roster], catalogue: Catalogue[S]) -> Loaded[Roster]:
    roster, fail = loaded.value, loaded.fail
    if roster.ruleset != catalogue.book.system:
        raise fail(f"the roster is for `{roster.ruleset}`", f"one for `{catalogue.book.system}` would do", "ruleset")
    taken: set[str] = set()
    for path, unit in all_units(roster.units):
        if unit.name in taken:
            raise fail(f"two units are called `{unit.name}`", "give each a name of its own", *path, "name")
        taken.add(unit.name)
        if not unit.models and not unit.units:
            raise fail(f"the unit `{unit.name}` is empty", "give it models", *path)
        _known(unit.upgrades, catalogue, fail.under(*path, "upgrades"))
    for path, bought in all_bought(roster):
        if not (catalogue.sells(bought.model) if path[0] == "extras" else bought.model in catalogue):
            raise fail(f"there is no model `{bought.model}`", catalogue.nearest(bought.model), *path, "model")
        if bought.name and bought.count > 1:
            raise fail(
                f"{bought.count} models are called `{bought.name}`", "give each an entry of its own", *path, "as"
            )
        _known(bought.upgrades, catalogue, fail.under(*path, "upgrades"))
    return loaded


def _known(upgrades: tuple[str, ...], catalogue: Catalogue[S], fail: Fail) -> None:
    for n, upgrade in enumerate(upgrades):
        if not catalogue.sells(upgrade):
            raise fail(f"there is no upgrade `{upgrade}`", nearest(upgrade, (*catalogue.beside, *catalogue.cards)), n)
