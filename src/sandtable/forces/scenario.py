"""A scenario: a board with its terrain, the sides with their forces and zones, and how the battle is decided.

```yaml
ruleset: NAME
name: duel
title: Duel at the Crossroads
board: {width: 48, height: 48, terrain: random}
size: {counts: models a side, default: 1, most: 12}
sides:
  red: {zone: west, force: [{model: walker, count: size}]}
  blue: {zone: east, force: [{model: walker, as: B, at: [40, 24], facing: 180}]}
zones:
  - {id: west, edge: west, depth: 6}
  - {id: east, rectangle: [36, 12, 12, 24]}
turn_limit: 8
victory: last-side-remaining
```

Numbers of the ledger are not typed again: `{rule: ID, at: PATH}` stands for them anywhere in the file. What
`deployment`, `victory` and the options mean belongs to the ruleset. A scenario is plain data: it goes into a journal's
header as it is, and `writing.dump` makes a file of it again.
"""

from collections.abc import Callable
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, Generic, Literal, TypeVar

import msgspec

from sandtable.engine.ids import NO_RULE, NO_SIDE, NO_THING, RuleId, Side, ThingId
from sandtable.engine.shapes import At, Region, Shape
from sandtable.engine.table import Ground, Thing
from sandtable.field.edges import Edge, strip
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.files import Node, ScenarioError, nearest, read_file, read_text, shown
from sandtable.forces.ledger import Ledger, ruleset_folder
from sandtable.forces.models import (
    ANYTHING,
    BattleOptions,
    Fielded,
    Large,
    ModelForm,
    Options,
    States,
    Words,
    check_places,
    field_models,
    marks_of,
)
from sandtable.forces.outlines import Outlined
from sandtable.forces.reading import Fail, Length, Loaded, Where, convert, see_modest
from sandtable.forces.references import resolved
from sandtable.forces.roster import Roster, recruits
from sandtable.forces.terrain import BoardForm, Kinds, ground_of

S = TypeVar("S", bound=msgspec.Struct)

#: How many sides a battle may have, and how many letters the name of one.
MAX_SIDES = 8
MOST_SIDE_NAME = 40


class SizeForm(msgspec.Struct, frozen=True, kw_only=True):
    """That a scenario can be played larger or smaller: what a size counts, and which sizes do."""

    counts: str = "models a side"
    default: Annotated[int, msgspec.Meta(ge=1, le=500)] = 1
    least: Annotated[int, msgspec.Meta(ge=1, le=500)] = 1
    most: Annotated[int, msgspec.Meta(ge=1, le=500)] = 500


class ZoneForm(Outlined, frozen=True, kw_only=True):
    """A zone of the board: an outline, or a strip along an edge."""

    id: str
    label: str = ""
    rule: RuleId = NO_RULE
    edge: Literal["north", "east", "south", "west"] | None = None
    depth: Length | None = None

    def region(self, ground: Ground, fail: Fail) -> Region:
        """Where a base that is put into the zone must lie."""
        return Region(inside=(self._strip(ground, fail) or self.shape(fail),), rule=self.rule, label=self.label)

    def _strip(self, ground: Ground, fail: Fail) -> Shape | None:
        if self.edge is None and self.depth is None:
            return None
        if self.edge is None or self.depth is None or not self.bare:
            raise fail(f"the zone `{self.id}` is not clear", "give `edge` and `depth`, or an outline")
        edge = Edge(self.edge)
        across = ground.width if edge.upright else ground.height
        if not 0 < self.depth <= across:
            raise fail(f"the depth of `{self.id}` does not fit the board", "make it smaller", "depth")
        return strip(ground, edge, self.depth)


class MarkerForm(msgspec.Struct, frozen=True, kw_only=True):
    """A marker on the board: an objective, a mine, a dummy."""

    kind: str
    at: Where
    name: ThingId = msgspec.field(default=NO_THING, name="as")
    side: Side = NO_SIDE
    label: str = ""
    states: States = {}
    counts: dict[str, Large] = {}


class SideForm(msgspec.Struct, frozen=True, kw_only=True):
    """One side: its force model by model or as a roster, and where it deploys."""

    force: tuple[ModelForm, ...] = ()
    roster: Roster | None = None
    zone: str = ""
    options: Options = {}


class Scenario(msgspec.Struct, frozen=True, kw_only=True):
    """A scenario as a file writes it."""

    ruleset: str
    name: str
    board: BoardForm
    sides: dict[Side, SideForm]
    title: str = ""
    about: str = ""
    rules: tuple[str, ...] = ()
    size: SizeForm | None = None
    deployment: str = ""
    zones: tuple[ZoneForm, ...] = ()
    markers: tuple[MarkerForm, ...] = ()
    options: BattleOptions = {}
    turn_limit: Annotated[int, msgspec.Meta(ge=1, le=10_000)] | None = None
    victory: str = ""


class Laid(msgspec.Struct, Generic[S], frozen=True):
    """A scenario laid out: the ground, the models of each side, markers, and the zones by id."""

    ground: Ground
    models: dict[str, list[Fielded[S]]]
    markers: tuple[Thing, ...]
    zones: dict[str, Region]


def load_scenario(path: Path | Traversable, book: Ledger) -> Loaded[Scenario]:
    """Read a scenario file, its references to the ledger followed."""
    return _read(read_file(path, ScenarioError), shown(path), book)


def scenario_from_text(text: str, book: Ledger, name: str = "scenario") -> Loaded[Scenario]:
    """Read a scenario from text, as `load_scenario` does."""
    return _read(read_text(text, name, ScenarioError), name, book)


def package_scenarios(system: str) -> dict[str, Traversable]:
    """The scenarios that come with a ruleset, by name."""
    folder = ruleset_folder(system) / "scenarios"
    if not folder.is_dir():
        return {}
    found = (one for one in folder.iterdir() if one.name.endswith(".yaml"))
    return {one.name.removesuffix(".yaml"): one for one in sorted(found, key=lambda one: one.name)}


def find_scenario(name: str, book: Ledger) -> Loaded[Scenario]:
    """A scenario by its name or by the path of a file."""
    known = package_scenarios(book.system)
    if name in known:
        return load_scenario(known[name], book)
    if name.endswith((".yaml", ".yml")) or "/" in name or "\\" in name:
        return load_scenario(Path(name), book)
    raise ScenarioError(name, 0, "this is neither a scenario of the ruleset nor a .yaml file", nearest(name, known))


def lay_out(
    scenario: Scenario,
    catalogue: Catalogue[S],
    kinds: Kinds,
    fail: Fail,
    *,
    size: int = 0,
    words: Words = ANYTHING,
    high: Callable[[Fielded[S]], int] = lambda _: 0,
) -> Laid[S]:
    """Make the ground, the models and the zones that a scenario describes; `size` 0 is the scenario's own.

    Models come in the order of the sides and of their entries. Those still to be deployed are off the table. `high`
    tells those apart that may stand above one another.
    """
    size = _size(scenario, size, fail)
    ground = ground_of(scenario.board, kinds, fail.under("board"))
    zones = {zone.id: zone.region(ground, fail.under("zones", n)) for n, zone in enumerate(scenario.zones)}
    models: dict[str, list[Fielded[S]]] = {}
    taken: set[str] = set()
    for side, form in scenario.sides.items():
        if form.zone and form.zone not in zones:
            raise fail(f"there is no zone `{form.zone}`", nearest(form.zone, zones), "sides", side, "zone")
        forms = form.force + (recruits(form.roster) if form.roster is not None else ())
        below = fail.under("sides", side, "force")
        models[side] = field_models(forms, side, catalogue, below, size=size, words=words, taken=taken)
        taken.update(fielded.thing.id for fielded in models[side])
    markers = _markers(scenario, ground, taken, fail)
    check_places(
        (
            (fielded.thing, high(fielded), fail.under("sides", side, "force", fielded.entry))
            for side, fieldeds in models.items()
            for fielded in fieldeds
        ),
        ground,
    )
    return Laid(ground, models, markers, zones)


def _read(node: Node, name: str, book: Ledger) -> Loaded[Scenario]:
    node = see_modest(resolved(node, book, name, ScenarioError), name, ScenarioError)
    loaded = Loaded(convert(node, Scenario, name, ScenarioError), node, name, ScenarioError)
    scenario, fail = loaded.value, loaded.fail
    if scenario.ruleset != book.system:
        raise fail(f"the scenario is for `{scenario.ruleset}`", f"one for `{book.system}` would do", "ruleset")
    if not 1 <= len(scenario.sides) <= MAX_SIDES:
        raise fail(f"there are {len(scenario.sides)} sides", f"1 to {MAX_SIDES} would do", "sides")
    for side in scenario.sides:
        if not side.strip() or len(side) > MOST_SIDE_NAME:
            raise fail(
                "a side has no name" if not side.strip() else f"a side is called `{side[:MOST_SIDE_NAME]}…`",
                f"give it one of 1 to {MOST_SIDE_NAME} letters",
                "sides",
                side,
            )
    for n, rule_id in enumerate(scenario.rules):
        if rule_id not in book.rules:
            raise fail(f"there is no rule `{rule_id}`", book.nearest(rule_id), "rules", n)
    for n, zone in enumerate(scenario.zones):
        if zone.id in [other.id for other in scenario.zones[:n]]:
            raise fail(f"two zones have the id `{zone.id}`", "give each its own", "zones", n, "id")
        if zone.rule and zone.rule not in book.rules:
            raise fail(f"there is no rule `{zone.rule}`", book.nearest(zone.rule), "zones", n, "rule")
    return loaded


def _size(scenario: Scenario, size: int, fail: Fail) -> int:
    form = scenario.size
    if form is None:
        if size:
            raise fail(f"`{scenario.name}` has one size only", "play it without a size", "size")
        return 1
    if size and not form.least <= size <= form.most:
        raise fail(f"{size} {form.counts} do not fit", f"{form.least} to {form.most} would do", "size")
    return size or form.default


def _markers(scenario: Scenario, ground: Ground, taken: set[str], fail: Fail) -> tuple[Thing, ...]:
    things: list[Thing] = []
    for n, form in enumerate(scenario.markers):
        name = form.name or f"{form.kind}-{n + 1}"
        if name in taken:
            raise fail(f"the name `{name}` is taken", "give each marker a name of its own", "markers", n)
        if form.side and form.side not in scenario.sides:
            raise fail(f"there is no side `{form.side}`", nearest(form.side, scenario.sides), "markers", n, "side")
        if not (0 <= form.at.x <= ground.width and 0 <= form.at.y <= ground.height):
            raise fail(f"the marker `{name}` lies off the board", "move it onto the board", "markers", n, "at")
        taken.add(name)
        things.append(
            Thing(
                id=ThingId(name),
                kind="marker",
                side=form.side,
                label=form.label or name,
                card=form.kind,
                place=At(form.at),
                states=marks_of(form.states),
                counts=dict(form.counts),
            )
        )
    return tuple(things)
