"""From a scenario, or a case, to the first question: the set-up of a battle and how it is laid on the table."""

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.dice import notation
from sandtable.engine.events import PhaseBegan, Placed, StateChanged
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import UNIT, Point
from sandtable.field.ground import pieces_at
from sandtable.forces.case_table import TABLE_KEYS, Opening, opening, see_keys, told_by_its_line
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.data import Data
from sandtable.forces.files import FileError, ScenarioError, nearest
from sandtable.forces.ledger import ledger
from sandtable.forces.models import (
    Fielded,
    ModelForm,
    Options,
)
from sandtable.forces.reading import Fail
from sandtable.forces.scenario import Laid, MarkerForm, Scenario, SideForm, find_scenario, lay_out
from sandtable.forces.terrain import BoardForm
from sandtable.rulesets.stargrunt.artillery.assets import asset_of
from sandtable.rulesets.stargrunt.chapter import Activate
from sandtable.rulesets.stargrunt.communications import command_level
from sandtable.rulesets.stargrunt.confidence.levels import FATIGUE, THREATS
from sandtable.rulesets.stargrunt.forces.cards import Squad, catalogue
from sandtable.rulesets.stargrunt.forces.squads import bring_squad
from sandtable.rulesets.stargrunt.moments import BRINGS, LAYS, LAYS_MARKER, OPENS
from sandtable.rulesets.stargrunt.movement.terrain_costs import grade
from sandtable.rulesets.stargrunt.scenario.battles import PLATOONS, prepared
from sandtable.rulesets.stargrunt.scenario.figures import FIGURES, place_figures, with_figures
from sandtable.rulesets.stargrunt.scenario.objectives import ENCOUNTER, TABLE, lay_board
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.turn.order import ALTERNATING, NOTHING_BY_DEFAULT, NextActivation, TurnBegins
from sandtable.rulesets.stargrunt.units.record import BASE, CONFIDENCE, QUALITY
from sandtable.tabletop.book import Book, book_of, steps_at

DEFAULT = "duel"
SYSTEM = "stargrunt"

SIDES = ("red", "blue")
#: Ground counts as room where figures on foot can go.
ON_FOOT = "infantry"
#: What a scenario may say under `options`: which of the ledger it plays, who defends, the wind, and the switches.
_OPTIONS = ("battle", "defender", "wind")
#: How many platoons a side may field, and how many counters may lie for its dummies and for its mines.
MOST_PLATOONS = 12
MOST_COUNTERS = 60
#: The keys of a case, with what they say.
CASE_KEYS = {
    **TABLE_KEYS,
    "markers": "[{kind: objective, as: M, at: [x, y]}]: what lies on the table",
    "sides": "{red: {motivation: low}}: what a side is like",
}


def _known(book: Book) -> tuple[str, ...]:
    return (*book.switches, *_OPTIONS)


def setup_of(book: Book, scenario: str = "", size: int = 0) -> Setup:
    """The set-up of a scenario by name or file; nothing named is the duel."""
    loaded = find_scenario(scenario or DEFAULT, ledger(SYSTEM))
    form = loaded.value
    if len(form.sides) != len(SIDES):
        raise loaded.fail(f"there are {len(form.sides)} sides", "two would do", "sides")
    lay_out(form, catalogue(), book.terrain, loaded.fail, size=size, words=book.model_words)
    for word in form.options:
        if word not in _known(book):
            raise loaded.fail(f"there is no option `{word}`", nearest(word, _known(book)), "options", word)
    _see_sides(form, loaded.fail)
    form = prepared(form, size)
    has_room(lay_out(form, catalogue(), book.terrain, loaded.fail, size=size, words=book.model_words), loaded.fail)
    return Setup(tuple(form.sides), {"form": msgspec.to_builtins(form)}, _options(form), size)


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


def _options(form: Scenario) -> dict[str, int | str]:
    given: dict[str, int | str] = {"turn-limit": form.turn_limit} if form.turn_limit is not None else {}
    return {**given, **{name: value for name, value in form.options.items() if isinstance(value, int | str)}}


def case_setup(book: Book, case: Data, cards: Catalogue[Squad]) -> Setup:
    """The set-up of a case: its board, its units as they stand, and who acts (`turn`), one after another."""
    case, figures = with_figures(case, SIDES, cards, book.states)
    see_keys(case, SIDES, CASE_KEYS)
    said = case.read(dict[str, Options], "sides") if case.has("sides") else {}
    sides = {
        name: SideForm(force=case.read(tuple[ModelForm, ...], name), options=said.get(name, {}))
        for name in case.names()
        if name in SIDES
    }
    options: Options = case.read(Options, "options") if case.has("options") else {}
    for word in options:
        if word not in (*_known(book), "turn-limit"):
            raise case.fail(f"there is no option `{word}`", nearest(word, _known(book)), "options", word)
    markers = case.read(tuple[MarkerForm, ...], "markers") if case.has("markers") else ()
    board = case.read(BoardForm, "board")
    form = prepared(Scenario(ruleset=SYSTEM, name="case", board=board, sides=sides, options=options, markers=markers))
    lay_out(form, cards, book.terrain, told_by_its_line(case, SIDES), words=book.model_words)
    _see_values(form, told_by_its_line(case, SIDES))
    begins = opening(case, sides, "units", ("north", "south"))
    for side in sides.values():
        for entry in side.force:
            for word in entry.options:
                if word not in book.unit_options:
                    raise case.fail(f"a unit has no option `{word}`", nearest(word, book.unit_options))
    scenario = {"form": msgspec.to_builtins(form), **begins.told(), **({FIGURES: figures} if figures else {})}
    return Setup(tuple(sides), scenario, {**_options(form), NOTHING_BY_DEFAULT: 1})


#: The values of states that stand on a ladder or in a table of the ledger.
VALUES = {
    "confidence": CONFIDENCE,
    "motivation": THREATS.names("base", "first_suppression"),
    "fatigue": tuple(word for word in FATIGUE.names() if word != "rally_ceiling"),
    "quality": QUALITY.names(),
}


def _see_values(form: Scenario, fail: Fail) -> None:
    """Refuse a unit whose confidence, motivation, fatigue or quality is none that there is."""
    for side, one in form.sides.items():
        for n, entry in enumerate(one.force):
            for state, mark in entry.marks.items():
                known = VALUES.get(state)
                if known is not None and mark.value not in known:
                    found = f"`{state}` is `{mark.value}`"
                    raise fail(found, nearest(str(mark.value), known), "sides", side, "force", n, "states")


def open_battle(battle: Battle, setup: Setup, cards: Catalogue[Squad]) -> None:
    """Lay the board, bring the units, and begin: by the rules, or with those whom a case names."""
    book = book_of(battle)
    form = msgspec.convert(setup.scenario["form"], Scenario)
    laid = lay_out(
        form, cards, book.terrain, Fail("set-up", error=ScenarioError), size=setup.size, words=book.model_words
    )
    lay_board(battle, laid.ground)
    for side, fielded in laid.models.items():
        for one in fielded:
            superior = _superior(one, laid.models[side])
            if not any(brings(battle, one, superior, form) for brings in book.at(BRINGS)):
                bring_squad(battle, one, superior, form)
    for marker in laid.markers:
        if any(lays(battle, marker) for lays in book.at(LAYS_MARKER)):
            continue
        value = {"value": ENCOUNTER.number("objectives", "value"), **marker.counts}
        made = msgspec.structs.replace(marker, counts=value)
        battle.happens(Placed(marker.id, marker.place, made=made, rule=ENCOUNTER.id))
    for lays_out in book.at(LAYS):
        lays_out(battle, form)
    place_figures(battle, setup.scenario.get(FIGURES, {}))
    begins = Opening.of(setup.scenario)
    for side, edge in begins.baselines.items():
        battle.happens(StateChanged(side, StateName.BASELINE, None, edge, rule=TABLE.id))
    if begins.turn or begins.next:
        battle.happens(PhaseBegan(begins.turn_number, "activations", rule=ALTERNATING.id))
        after = begins.next[0] if begins.next else setup.sides[0]
        battle.push(*(Activate(unit) for unit in begins.turn), NextActivation(after))
        return
    battle.push(*steps_at(battle, OPENS, battle.table, form), TurnBegins())


def _superior(one: Fielded[Squad], force: list[Fielded[Squad]]) -> str:
    """The superior a unit names; where its data name none, the force's next higher command unit."""
    if "superior" in one.form.options:
        return str(one.form.options["superior"])
    level = command_level(one.thing)
    higher = [other for other in force if command_level(other.thing) > level]
    return min(higher, key=lambda other: command_level(other.thing)).thing.id if higher else ""
