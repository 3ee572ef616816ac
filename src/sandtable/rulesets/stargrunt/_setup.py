"""From a scenario, or a case, to the first question: the set-up of a battle and how it is laid on the table."""

from typing import Any

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import PhaseBegan, Placed
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At, Off, Place, Point
from sandtable.engine.table import Mark, Thing
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.data import Data
from sandtable.forces.files import CaseError, Node, ScenarioError, nearest
from sandtable.forces.ledger import ledger
from sandtable.forces.models import Fielded, ModelForm, Words
from sandtable.forces.reading import Fail
from sandtable.forces.scenario import MarkerForm, Scenario, SideForm, find_scenario, lay_out
from sandtable.forces.terrain import BoardForm, TerrainKind
from sandtable.rulesets.stargrunt.actions import Activate
from sandtable.rulesets.stargrunt.communications import command_level
from sandtable.rulesets.stargrunt.confidence import FATIGUE, MOTIVATION
from sandtable.rulesets.stargrunt.cover import GIVES
from sandtable.rulesets.stargrunt.dice import also
from sandtable.rulesets.stargrunt.forces import SCHEMA, Squad, catalogue
from sandtable.rulesets.stargrunt.movement import GRADED
from sandtable.rulesets.stargrunt.scenario import ENCOUNTER, TABLE, lay_board
from sandtable.rulesets.stargrunt.turn import ALTERNATING, NOTHING_BY_DEFAULT, NextActivation, TurnBegins
from sandtable.rulesets.stargrunt.units import (
    BASE,
    BASES,
    DEAD,
    QUALITY,
    RECORD,
    STANDS_FOR_IT,
    UNIT_AND_ELEMENT,
    WAITING,
    WOUNDED,
    block,
)
from sandtable.rulesets.stargrunt.weapons import COUNTED

DEFAULT = "duel"
SYSTEM = "stargrunt"

KINDS: dict[str, TerrainKind] = {
    kind: TerrainKind(height=1 if kind in ("building", "light-wood", "dense-wood") else 0, contoured=kind == "hill")
    for kind in dict.fromkeys((*GRADED, *GIVES))
}
#: The states that a unit may have, as cases and scenarios write them.
STATES: dict[str, str] = {
    "confidence": "CO, ST, SH, BR or RO",
    "motivation": "low, medium or high",
    "fatigue": "fresh, tired or exhausted",
    "quality": "untrained, green, regular, veteran or elite, if not that of its data",
    "in position": "it is In Position",
    "activated": "it has had its activation of this turn",
    "panicked": "it is panicked",
    "panic done": "it has passed its panic test, or got over a panic",
    "first suppression done": "it has been suppressed by fire before",
    "fired": "the weapons that have fired this turn, {value: [small-arms]}",
    "fired upon by": "who fired on it in which turn, {value: [B@1]}",
    "abandoned wounded": "it has abandoned wounded this turn",
}
#: What is counted on a unit.
COUNTS: dict[str, str] = {"suppression": "suppression markers", "leadership": "its LV, if not that of its data"}
#: What else a case may say of a unit, under `options`.
OPTIONS = {
    "superior": "the unit it names as its superior",
    "wounded": "the numbers of its wounded figures, [3, 4]",
    "stabilised": "the numbers of its stabilised figures",
    "dead": "the numbers of its dead figures",
    "apart": "the last figure stands apart by so many inches to the east",
}
WORDS = Words(frozenset(STATES), frozenset(COUNTS))
SIDES = ("red", "blue")
_OTHER_KEYS = ("board", "turn", "options", "markers")


def setup_of(scenario: str = "", size: int = 0) -> Setup:
    """The set-up of a scenario by name or file; nothing named is the duel."""
    loaded = find_scenario(scenario or DEFAULT, ledger(SYSTEM))
    form = loaded.value
    if len(form.sides) != len(SIDES):
        raise loaded.fail(f"there are {len(form.sides)} sides", "two would do", "sides")
    lay_out(form, catalogue(), KINDS, loaded.fail, size=size, words=WORDS)
    return Setup(tuple(form.sides), {"form": msgspec.to_builtins(form)}, _options(form), size)


def _options(form: Scenario) -> dict[str, int | str]:
    given: dict[str, int | str] = {"turn-limit": form.turn_limit} if form.turn_limit is not None else {}
    return {**given, **{name: value for name, value in form.options.items() if isinstance(value, int | str)}}


def case_setup(case: Data, cards: Catalogue[Squad]) -> Setup:
    """The set-up of a case: its board, its units as they stand, and who acts (`turn`), one after another."""
    turn: tuple[str, ...] = ()
    if case.has("turn"):
        turn = case.texts("turn") if isinstance(case.at("turn").node.value, list) else (case.text_at("turn"),)
    for name in case.names():
        if name not in (*SIDES, *_OTHER_KEYS):
            raise case.fail(f"`{name}` is no side and no other key", nearest(name, (*SIDES, *_OTHER_KEYS)), name)
    sides = {name: SideForm(force=case.read(tuple[ModelForm, ...], name)) for name in case.names() if name in SIDES}
    options: dict[str, Any] = dict(case.counted("options")) if case.has("options") else {}
    markers = case.read(tuple[MarkerForm, ...], "markers") if case.has("markers") else ()
    board = case.read(BoardForm, "board")
    form = Scenario(ruleset=SYSTEM, name="case", board=board, sides=sides, options=options, markers=markers)
    lay_out(form, cards, KINDS, Fail(case.file, _as_scenario(case), CaseError), words=WORDS)
    known = [model.name for side in sides.values() for model in side.force]
    for name in turn:
        if name not in known:
            raise case.fail(f"`{name}` is none of the units", f"one of {', '.join(known)} would do", "turn")
    for side in sides.values():
        for entry in side.force:
            for word in entry.options:
                if word not in OPTIONS:
                    raise case.fail(f"a unit has no option `{word}`", nearest(word, OPTIONS))
    return Setup(
        tuple(sides), {"form": msgspec.to_builtins(form), "turn": list(turn)}, {**_options(form), NOTHING_BY_DEFAULT: 1}
    )


def _as_scenario(case: Data) -> Node:
    """A case in the form of a scenario, so that what is wrong with a unit is told with the unit's own line."""
    sides = {side: Node({"force": node}, node.line) for side in SIDES if (node := case.node.child(side)) is not None}
    board = case.node.child("board") or Node({}, case.line)
    return Node({"board": board, "sides": Node(dict(sides), case.line)}, case.line)


def open_battle(battle: Battle, setup: Setup, cards: Catalogue[Squad]) -> None:
    """Lay the board, bring the units, and begin: by the rules, or with those whom a case names."""
    form = msgspec.convert(setup.scenario["form"], Scenario)
    laid = lay_out(form, cards, KINDS, Fail("set-up", error=ScenarioError), size=setup.size, words=WORDS)
    lay_board(battle, laid.ground)
    for side, fielded in laid.models.items():
        for one in fielded:
            bring(battle, one, _superior(one, laid.models[side]), form.sides[side])
    for marker in laid.markers:
        value = {"value": ENCOUNTER.number("objectives", "value"), **marker.counts}
        made = msgspec.structs.replace(marker, counts=value)
        battle.happens(Placed(marker.id, marker.place, made=made, rule=ENCOUNTER.id))
    turn: list[str] = setup.scenario.get("turn", [])
    if turn:
        battle.happens(PhaseBegan(1, "activations", rule=ALTERNATING.id))
        battle.push(*(Activate(unit) for unit in turn), NextActivation(setup.sides[0]))
        return
    battle.push(TurnBegins())


def _superior(one: Fielded[Squad], force: list[Fielded[Squad]]) -> str:
    """The superior a unit names; where its data name none, the force's next higher command unit."""
    if "superior" in one.form.options:
        return str(one.form.options["superior"])
    level = command_level(one.thing)
    higher = [other for other in force if command_level(other.thing) > level]
    return min(higher, key=lambda other: command_level(other.thing)).thing.id if higher else ""


def bring(battle: Battle, one: Fielded[Squad], superior: str, side: SideForm) -> None:
    """Bring a unit and its figures, on the table or waiting to enter (stargrunt.units.unit-record)."""
    data, thing = one.card.stats, one.thing
    states = dict(thing.states)
    for word, default in (("motivation", MOTIVATION.text_at("default")), ("fatigue", "fresh")):
        states.setdefault(word, Mark(str(side.options.get(word, default))))
    states.setdefault("confidence", Mark(FATIGUE.text_at(str(states["fatigue"].value))))
    dash = "-" if thing.id[-1].isdigit() else ""
    figures = [f"{thing.id}{dash}{n}" for n in range(1, sum(entry.count for entry in data.figures) + 1)]
    states["leader"] = Mark(figures[0])
    counts = {"leadership": data.leadership, "suppression": 0, **thing.counts}
    placed = isinstance(thing.place, At)
    made = Thing(
        id=thing.id,
        kind="unit",
        side=thing.side,
        label=thing.label,
        card=thing.card,
        glyph=one.card.glyph,
        unit=superior,
        states=states,
        counts=counts,
    )
    told = also(RECORD, UNIT_AND_ELEMENT, QUALITY, SCHEMA, TABLE)
    where = Off(STANDS_FOR_IT if placed else WAITING)
    n = battle.happens(Placed(thing.id, where, made=made, rule=RECORD.id, detail=told))
    for name, spot in zip(figures, _places(one, len(figures)), strict=True):
        figure = _figure(one, name, figures.index(name) + 1)
        if figure is not None:
            battle.happens(Placed(name, spot, made=figure, rule=BASES.id, because=n))


def _places(one: Fielded[Squad], figures: int) -> list[Place]:
    """Where the figures of a unit stand: in rows around its point, or waiting with it."""
    place = one.thing.place
    if not isinstance(place, At):
        return [Off(WAITING)] * figures
    spots = block(figures, place.point)
    apart = one.form.options.get("apart", 0)
    if isinstance(apart, int) and apart:
        spots[-1] = Point(spots[-1].x + apart * 1000, spots[-1].y)
    return [At(spot) for spot in spots]


def _called(name: str, side: str) -> str:
    """A figure as the table shows it: short, for there are many.

    >>> _called("red-2-7", "red"), _called("A7", "red")
    ('R2.7', 'A7')
    """
    if not name.startswith(f"{side}-"):
        return name
    return side[0].upper() + name.removeprefix(f"{side}-").replace("-", ".")


def _figure(one: Fielded[Squad], name: str, number: int) -> Thing | None:
    """A figure of a unit as it starts; none where a case says it is dead."""
    options, data = one.form.options, one.card.stats

    def listed(word: str) -> bool:
        value = options.get(word, ())
        return str(number) in (value if isinstance(value, tuple) else (str(value),))

    if listed("dead"):
        return None
    kits = [entry for entry in data.figures for _ in range(entry.count)]
    counted = COUNTED.get(kits[number - 1].support_weapon)
    hurt = listed("wounded") or listed("stabilised")
    return Thing(
        id=name,
        side=one.thing.side,
        label=_called(name, one.thing.side),
        card=one.thing.card,
        glyph="command" if number == 1 else "foot",
        base=BASE,
        unit=one.thing.id,
        harm=WOUNDED if hurt else 0,
        track=DEAD,
        states={"stabilised": Mark()} if listed("stabilised") else {},
        counts={"number": number, **({counted: data.rockets_each} if counted else {})},
    )
