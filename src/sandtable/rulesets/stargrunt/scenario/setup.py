"""From a scenario, or a case, to the first question: the set-up of a battle and how it is laid on the table.

A case may place single figures of a unit, with states of their own.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import msgspec
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.dice import notation
from sandtable.engine.events import PhaseBegan, Placed
from sandtable.engine.ids import NO_THING, Side, ThingId
from sandtable.engine.shapes import UNIT, At, Point
from sandtable.engine.table import Ground, Thing
from sandtable.field.edges import Edge
from sandtable.field.ground import pieces_at
from sandtable.forces.case_table import TABLE_KEYS
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, FileError, Node, nearest
from sandtable.forces.models import Fielded, marks_of
from sandtable.forces.reading import Fail
from sandtable.forces.scenario import Laid, Scenario
from sandtable.forces.terrain import BoardForm
from sandtable.rulesets.stargrunt.aerospace.sorties import DEFENCE
from sandtable.rulesets.stargrunt.artillery.assets import EXAMPLES, asset_of
from sandtable.rulesets.stargrunt.artillery.pieces import FIRED as PIECE_FIRED
from sandtable.rulesets.stargrunt.chapter import Activate
from sandtable.rulesets.stargrunt.communications import command_level
from sandtable.rulesets.stargrunt.confidence.levels import FATIGUE, THREATS
from sandtable.rulesets.stargrunt.dice.rolls import LADDER
from sandtable.rulesets.stargrunt.fire.shots import FIRED
from sandtable.rulesets.stargrunt.forces.cards import Squad, catalogue
from sandtable.rulesets.stargrunt.forces.squads import bring_squad, figure_names
from sandtable.rulesets.stargrunt.moments import BRINGS, LAYS, LAYS_MARKER, OPENS
from sandtable.rulesets.stargrunt.movement.columns import HEADINGS
from sandtable.rulesets.stargrunt.movement.terrain_costs import grade
from sandtable.rulesets.stargrunt.observation.counters import DUMMY
from sandtable.rulesets.stargrunt.obstacles.buildings import ARMOUR_WORD, MADE_OF, SIZE
from sandtable.rulesets.stargrunt.obstacles.buildings import RULE as BUILDINGS
from sandtable.rulesets.stargrunt.obstacles.mines import MINES
from sandtable.rulesets.stargrunt.obstacles.smoke import WIND
from sandtable.rulesets.stargrunt.obstacles.traps import TRAP
from sandtable.rulesets.stargrunt.scenario.battles import PLATOONS, prepared
from sandtable.rulesets.stargrunt.scenario.objectives import ENCOUNTER, TABLE, lay_ground
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.turn.order import ALTERNATING, NextActivation, TurnBegins
from sandtable.rulesets.stargrunt.units.record import BASE, BASES, CONFIDENCE, FLOWN, LAUNCHED, QUALITY
from sandtable.tabletop.book import steps_at
from sandtable.tabletop.face_down import IS
from sandtable.tabletop.opening import MORE_KEYS, Begun, Kept, Opener
from sandtable.tabletop.states import END_OF_TURN, give

#: The key of a unit, and of a set-up, that holds its single figures.
FIGURES = "figures"
#: What may have become of a figure, as the options of its unit call it.
FATES = ("wounded", "stabilised", "dead")
_KEYS = ("at", "level", "states", *FATES)

#: The figures of units, by name and number: where they stand and their states.
KeptFigures = dict[str, dict[str, dict[str, Any]]]


def with_figures(
    case: Data, sides: Sequence[Side], cards: Catalogue[Squad], states: Mapping[str, str]
) -> tuple[Data, KeptFigures]:
    """A case without the `figures` of its units, and what they say; fates go to the options of their unit.

    `figures: {2: {at: [6, 10]}, 3: wounded, 4: {at: [7, 10], stabilised: true, states: [left behind]}}`
    """
    kept: KeptFigures = {}
    keys = dict(case.node.value) if isinstance(case.node.value, dict) else {}
    for side in sides:
        if not case.has(side) or not isinstance(case.at(side).node.value, list):
            continue
        entries = [_entry(one, cards, states, kept) for one in case.items(side)]
        keys[side] = Node(entries, case.at(side).line)
    return Data(Node(keys, case.line), case.file, CaseError), kept


def _entry(entry: Data, cards: Catalogue[Squad], states: Mapping[str, str], kept: KeptFigures) -> Node:
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


def place_figures(battle: Battle, kept: KeptFigures) -> None:
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


#: Ground counts as room where figures on foot can go.
ON_FOOT = "infantry"
#: How many platoons a side may field, and how many counters may lie for its dummies and for its mines.
MOST_PLATOONS = 12
MOST_COUNTERS = 60


def _see_sides(form: Scenario, fail: Fail) -> None:
    """Refuse what a side says of itself where the rules could not go by it: numbers too large, unknown words."""
    for side, one in form.sides.items():
        below = fail.under("sides", side, "options")
        times, depth = one.options.get("platoons", 1), one.options.get("hidden-depth", 0)
        if not (isinstance(times, int) and 1 <= times <= MOST_PLATOONS):
            raise below(f"there are {times} platoons", f"1 to {MOST_PLATOONS} would do", "platoons")
        if not (isinstance(depth, int) and 0 <= depth * UNIT <= form.board.height):
            raise below(f"units hide {depth} deep", "no deeper than the board would do", "hidden-depth")
        if "platoon" in one.options and one.options["platoon"] not in PLATOONS.names():
            known = nearest(str(one.options["platoon"]), PLATOONS.names())
            raise below(f"there is no platoon `{one.options['platoon']}`", known, "platoon")
        for word in ("dummies", "mines"):
            if one.options.get(word) and not _few_dice(str(one.options[word])):
                raise below(f"`{word}` is {one.options[word]}", f"dice for up to {MOST_COUNTERS} would do", word)
        for word in ("motivation", "fatigue"):
            if word in one.options and one.options[word] not in VALUES[word]:
                known = nearest(str(one.options[word]), VALUES[word])
                raise below(f"`{word}` is `{one.options[word]}`", known, word)
        granted = one.options.get("support", ())
        for words in granted if isinstance(granted, tuple) else (str(granted),):
            _see_asset(words, below.under("support"))
        for n, entry in enumerate(one.force):
            if "piece" in entry.options:
                _see_asset(str(entry.options["piece"]), fail.under("sides", side, "force", n, "options", "piece"))


def _few_dice(dice: str) -> bool:
    try:
        return sum(notation(dice)) <= MOST_COUNTERS
    except ValueError:
        return False


def _see_asset(words: str, fail: Fail) -> None:
    try:
        vehicle = asset_of(words).vehicle
        if vehicle and vehicle not in catalogue():
            raise ValueError(vehicle)
    except (msgspec.ValidationError, FileError, ValueError):
        raise fail(f"there is no support such as `{words}`", "name an asset of the ledger, and what differs") from None


def has_room(laid: Laid[Squad], fail: Fail) -> None:
    """Refuse a board on which the forces could not all stand, wherever their figures happen to be.

    A figure keeps the centres of others out of a circle twice as wide as its base, so that the square around that
    circle is ample; a vehicle keeps them out of its outline and half a base around it.
    """
    ground, base = laid.ground, BASE.size
    rows = [Point(x, y) for y in range(base, ground.height, base) for x in range(base, ground.width, base)]
    open_to_all = [at for at in rows if all(grade(one.kind, ON_FOOT) != "impassable" for one in pieces_at(ground, at))]
    fielded = [one for models in laid.models.values() for one in models]
    figures = sum(entry.count for one in fielded for entry in one.card.stats.figures)
    hulls = [one.card.base for one in fielded if one.card.stats.vehicle is not None and one.card.base is not None]
    for_hulls = sum((hull.size + base) * (hull.depth + base) for hull in hulls)
    room = max(0, len(open_to_all) * base * base - for_hulls) // (2 * base) ** 2
    if figures > room:
        there = f"there are {figures} figures, and the board has room for {room}"
        raise fail(there, "a larger board or fewer units would do", "board")


#: What ends with the turn, also where a set-up says no more than that it is so (stargrunt.turn.turn-end-phase).
OF_THE_TURN: dict[str, str] = dict.fromkeys(
    (StateName.ACTIVATED, StateName.ABANDONED_WOUNDED, StateName.LOST_NERVE, FIRED, PIECE_FIRED, LAUNCHED, FLOWN),
    END_OF_TURN,
)

#: The values of states that stand on a ladder or in a table of the ledger.
VALUES = {
    "confidence": CONFIDENCE,
    "motivation": THREATS.names("base", "first_suppression"),
    "fatigue": tuple(word for word in FATIGUE.names() if word != "rally_ceiling"),
    "quality": QUALITY.names(),
}


def _see_values(form: Scenario, fail: Fail) -> None:
    """Refuse a wind that blows nowhere, and a unit whose confidence, motivation, fatigue or quality is none."""
    wind = form.options.get(WIND, 1)
    if wind not in HEADINGS and wind not in range(1, LADDER[-1] + 1):
        raise fail(f"the wind blows to `{wind}`", nearest(str(wind), (*HEADINGS, "12")), "options", WIND)
    for side, one in form.sides.items():
        for n, entry in enumerate(one.force):
            for state, mark in entry.marks.items():
                known = VALUES.get(state)
                if known is not None and mark.value not in known:
                    found = f"`{state}` is `{mark.value}`"
                    raise fail(found, nearest(str(mark.value), known), "sides", side, "force", n, "states")


def _see_counters(form: Scenario, fail: Fail) -> None:
    """Refuse a counter that is nothing there is."""
    for n, marker in enumerate(form.markers):
        said = marks_of(marker.states).get(IS)
        units = [entry.name for side in form.sides.values() for entry in side.force]
        known = (DUMMY, *MINES, TRAP, *units)
        if said is not None and said.value not in known:
            raise fail(f"a counter is `{said.value}`", nearest(str(said.value), known), "markers", n)


class StargruntOpener(Opener):
    """Squads, vehicles and whatever else chapters bring; hidden ones under counters."""

    default = "duel"
    sides_of_a_scenario = 2
    acting = "units"
    keys: ClassVar[Mapping[str, str]] = {**TABLE_KEYS, **MORE_KEYS}
    model_keys: ClassVar[Mapping[str, str]] = {
        FIGURES: "{2: {at: [6, 10]}, 3: wounded, 4: {at: [7, 10], stabilised: true, states: [left behind]}}: "
        "its single figures; those of A are called A1, A2, …; any may be wounded, stabilised or dead"
    }
    side_options: ClassVar[Mapping[str, str]] = {
        "motivation": "low, medium or high; medium if nothing is said",
        "fatigue": "fresh, tired or exhausted; fresh if nothing is said",
        "support": f"[company_mortars, …]: its support; {', '.join(EXAMPLES.names())}. What differs is said behind the "
        "name: `company_mortars weapons=1 missions=2 delivery=medium`. That of red is called red-company-mortars",
        "chits": "how many support request chits it has; a D6 if nothing is said",
        "air-defence": f"{', '.join(('none', *DEFENCE.names()[:-2]))}; low if nothing is said",
        "hidden": "all: its units start under counters",
        "hidden-depth": "how far from its baseline they may lie, in inches",
        "dummies": "dice for its dummies, 1d6",
        "mines": "dice for its minefields, 1d4",
        "platoon": f"a sample platoon: {', '.join(PLATOONS.names())}",
        "platoons": "how many of them",
        "on-foot": "1: without their vehicles",
    }
    piece_traits: ClassVar[Mapping[str, str]] = {
        MADE_OF: f"of a building: {', '.join(BUILDINGS.names('armour_class'))}; brick if nothing is said",
        ARMOUR_WORD: "the same, by the word of the ledger",
        SIZE: "of a building: its size class",
        "look": "what it is drawn as",
    }
    marker_kinds: ClassVar[Mapping[str, str]] = {
        "objective": "an objective marker; counts: {value: 2}",
        "counter": "a face-down counter of a side; states: {is: mixed mines}; a dummy if nothing is said",
    }
    battle_options: ClassVar[Mapping[str, str]] = {
        "battle": "which scenario of the ledger is played",
        "defender": "the side that defends",
        WIND: f"where the wind blows to: {', '.join(HEADINGS)}, or by the clock of the first side, 1 to 12",
    }

    def see(self, form: Scenario, fail: Fail) -> None:
        """Refuse values that there are not, and what a side says of itself where the rules could not go by it."""
        _see_sides(form, fail)
        _see_counters(form, fail)
        _see_values(form, fail)

    def see_room(self, laid: Laid[Squad], fail: Fail) -> None:
        """Refuse a board on which the forces could not all stand."""
        has_room(laid, fail)

    def prepared(self, form: Scenario, size: int = 0) -> Scenario:
        """A scenario of the ledger with its platoons, markers and edges."""
        return prepared(form, size)

    def read_case(self, case: Data) -> tuple[Data, Kept]:
        """Single figures are kept apart."""
        assert self.book.cards is not None
        case, figures = with_figures(case, self.sides, self.book.cards, self.book.states)
        return case, {FIGURES: figures} if figures else {}

    def lay_ground(self, battle: Battle, ground: Ground) -> None:
        """Put the board and its terrain on the table."""
        lay_ground(battle, ground)

    def bring(self, battle: Battle, fielded: Fielded[Any], force: Sequence[Fielded[Any]], form: Scenario) -> None:
        """Bring a unit by the chapter that knows its kind; what none claims is a squad."""
        superior, marks = _superior(fielded, force), fielded.thing.states
        states = {state: replace(one, until=one.until or OF_THE_TURN.get(state, "")) for state, one in marks.items()}
        fielded = replace(fielded, thing=replace(fielded.thing, states=states))
        if not any(brings(battle, fielded, superior, form) for brings in self.book.at(BRINGS)):
            bring_squad(battle, fielded, superior, form)

    def lay_marker(self, battle: Battle, marker: Thing) -> None:
        """Put down a marker by the chapter that knows its kind; what none claims is an objective."""
        if not any(lays(battle, marker) for lays in self.book.at(LAYS_MARKER)):
            value = {"value": ENCOUNTER.number("objectives", "value"), **marker.counts}
            made = msgspec.structs.replace(marker, counts=value)
            battle.happens(Placed(marker.id, marker.place, made=made, rule=ENCOUNTER.id))

    def lay_rest(self, battle: Battle, begun: Begun) -> None:
        """Lay what chapters lay, and move single figures to where a case wants them."""
        for lays_out in self.book.at(LAYS):
            lays_out(battle, begun.form)
        place_figures(battle, begun.setup.scenario.get(FIGURES, {}))

    def edges(self, board: BoardForm) -> Sequence[str]:
        """A side may come from any edge: which are the long ones the board of a case says, not how it lies."""
        return tuple(Edge)

    def give_baseline(self, battle: Battle, side: Side, edge: str) -> None:
        """A side's own edge, as a case gives it."""
        give(battle, side, StateName.BASELINE, TABLE, edge)

    def begin(self, battle: Battle, begun: Begun) -> None:
        """Begin by the rules, or with those whom a case names."""
        begins = begun.begins
        if begins.turn or begins.next:
            battle.happens(PhaseBegan(begins.turn_number, "activations", rule=ALTERNATING.id))
            after = begins.next[0] if begins.next else begun.setup.sides[0]
            battle.push(*(Activate(unit) for unit in begins.turn), NextActivation(after))
            return
        battle.push(*steps_at(battle, OPENS, battle.table, begun.form), TurnBegins())


def _superior(one: Fielded[Squad], force: Sequence[Fielded[Squad]]) -> ThingId:
    """The superior a unit names; where its data name none, the force's next higher command unit."""
    if "superior" in one.form.options:
        return ThingId(str(one.form.options["superior"]))
    level = command_level(one.thing)
    higher = [other for other in force if command_level(other.thing) > level]
    return min(higher, key=lambda other: command_level(other.thing)).thing.id if higher else NO_THING
