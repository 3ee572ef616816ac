"""Single figures of a case: where one stands, apart from its squad's rows, and what has become of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed
from sandtable.engine.shapes import At, Point
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, Node, nearest
from sandtable.rulesets.stargrunt.forces.cards import Squad
from sandtable.rulesets.stargrunt.forces.squads import figure_names
from sandtable.rulesets.stargrunt.units.record import BASES
from sandtable.tabletop.states import give

#: The key of a unit, and of a set-up, that holds its single figures.
FIGURES = "figures"
#: What may have become of a figure, as the options of its unit call it.
FATES = ("wounded", "stabilised", "dead")
_KEYS = ("at", "level", "states", *FATES)

#: The figures of units, by name and number: where they stand and their states.
Kept = dict[str, dict[str, dict[str, Any]]]


def with_figures(
    case: Data, sides: Sequence[str], cards: Catalogue[Squad], states: Mapping[str, str]
) -> tuple[Data, Kept]:
    """A case without the `figures` of its units, and what they say; fates go to the options of their unit.

    `figures: {2: {at: [6, 10]}, 3: wounded, 4: {at: [7, 10], stabilised: true, states: [left behind]}}`
    """
    kept: Kept = {}
    keys = dict(case.node.value) if isinstance(case.node.value, dict) else {}
    for side in sides:
        if not case.has(side) or not isinstance(case.at(side).node.value, list):
            continue
        entries = [_entry(one, cards, states, kept) for one in case.items(side)]
        keys[side] = Node(entries, case.at(side).line)
    return Data(Node(keys, case.line), case.file, CaseError), kept


def _entry(entry: Data, cards: Catalogue[Squad], states: Mapping[str, str], kept: Kept) -> Node:
    """An entry of a force without its figures."""
    if not isinstance(entry.node.value, dict) or not entry.has(FIGURES):
        return entry.node
    if not entry.has("as"):
        raise entry.fail("`figures` of a unit without a name", "give it a name by `as`", FIGURES)
    name, model = entry.text_at("as"), entry.text_at("model")
    strength = sum(one.count for one in cards[model].stats.figures) if model in cards else 0
    said: dict[str, list[str]] = {fate: [] for fate in FATES}
    for number, figure in entry.table(FIGURES).items():
        if model in cards and number not in map(str, range(1, strength + 1)):
            remedy = f"its figures are 1 to {strength}" if strength else "it has no figures of its own"
            raise entry.fail(f"`{name}` has no figure {number}", remedy, FIGURES, number)
        kept.setdefault(name, {})[number] = _figure(figure, number, states, said)
    options = dict(entry.at("options").node.value) if entry.has("options") else {}  # type: ignore[arg-type]
    for fate, numbers in said.items():
        if numbers:
            already = options.get(fate)
            more = already.value if already is not None and isinstance(already.value, list) else []
            options[fate] = Node([*more, *(Node(one, entry.line) for one in numbers)], entry.line)
    keys = {key: one for key, one in entry.node.value.items() if key != FIGURES}
    return Node({**keys, "options": Node(options, entry.line)} if options else keys, entry.line)


def _figure(figure: Data, number: str, states: Mapping[str, str], said: dict[str, list[str]]) -> dict[str, Any]:
    """One figure: a fate in a word, or a mapping with where it stands, its fate and its states."""
    if not isinstance(figure.node.value, dict):
        fate = figure.text_at()
        if fate not in FATES:
            raise figure.fail(f"`{fate}` is nothing that becomes of a figure", nearest(fate, FATES))
        said[fate].append(number)
        return {}
    for key in figure.names():
        if key not in _KEYS:
            raise figure.fail(f"a figure has no `{key}`", nearest(key, _KEYS), key)
    for fate in FATES:
        if figure.has(fate) and figure.flag(fate):
            said[fate].append(number)
    found: dict[str, Any] = {}
    if figure.has("at"):
        found["at"] = [
            figure.length("at", 0),
            figure.length("at", 1),
            figure.number("level") if figure.has("level") else 0,
        ]
    for state in figure.texts("states") if figure.has("states") else ():
        if state not in states:
            raise figure.fail(f"`{state}` is no state", nearest(state, states), "states")
        found.setdefault("states", []).append(state)
    return found


def place_figures(battle: Battle, kept: Kept) -> None:
    """Put single figures where a case wants them, once their units are on the table (stargrunt.units.bases)."""
    for unit, figures in kept.items():
        names = figure_names(unit, max(map(int, figures)))
        for number, said in figures.items():
            name = names[int(number) - 1]
            if name not in battle.table.things:
                continue  # it is dead
            if "at" in said:
                x, y, level = said["at"]
                battle.happens(Placed(name, At(Point(x, y), level), rule=BASES.id))
            for state in said.get("states", ()):
                give(battle, name, state, BASES)
