"""The words of this ruleset's conformance cases."""

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.engine.shapes import Leg, Point, Via, Walk
from sandtable.engine.table import Table
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.data import Data
from sandtable.rulesets.stargrunt import (
    close_assault,
    communications,
    confidence,
    cover,
    dice,
    fire,
    movement,
    scenario,
    units,
)
from sandtable.rulesets.stargrunt._setup import COUNTS, KINDS, OPTIONS, STATES, case_setup
from sandtable.rulesets.stargrunt.actions import ACTIONS, cost, may_repeat
from sandtable.rulesets.stargrunt.forces import Squad, kits, squad
from sandtable.rulesets.stargrunt.weapons import SMALL, SUPPORT

ANSWERS = {
    "first": "which side activates first",
    "activate": "which unit is activated; pass-on or finish",
    "action": "what an activated unit does",
    "target": "at whom the small arms fire",
    "weapons": "the figures whose support weapons join the fire",
    "weapon": "the figure whose support weapon fires alone",
    "support-target": "at whom it fires",
    "move": "the paths of a normal move, {A1: {to: [x, y]}} or {all: {turn: 270, go: 6}}",
    "combat-move": "the paths of a combat move",
    "enter": "where the middle of a unit enters",
    "reposition": "the paths of single figures in a reorganise action",
    "treat": "which wounded are treated",
    "new-leader": "who takes over",
    "receiver": "to whom an activation is transferred",
    "rallied": "whom a commander rallies",
    "assault": "whom a unit assaults",
    "stand": "stand or withdraw",
    "follow": "follow, to take the place the defenders left, or stay",
    "final-fire": "fire or hold",
    "final-weapons": "the figures whose support weapons join final defensive fire",
    "back": "start or cover: where attackers go back to",
    "short": "stay or go-back, when the attackers fall short again",
    "pair-off": "who faces whom, {A1: B1}",
    "surplus": "whom the surplus figures face",
}


class StargruntWords:
    """What a case may say."""

    def __init__(self, ruleset: Ruleset, cards: Catalogue[Squad]) -> None:
        self.ruleset = ruleset
        self.cards = cards

    def start(self, case: Data) -> Setup:
        """The board and the units as the case lays them out; those named by `turn` act, in that order."""
        return case_setup(case, self.cards)

    def actions(self, table: Table, actor: str, value: Data) -> Mapping[str, Any]:
        """Nothing is declared as a plan here."""
        raise value.fail(f"`{actor}` is no key here", "say `action:` and what it does")

    @property
    def answers(self) -> Mapping[str, Any]:
        """A move may be said for all figures of a unit at once, `{all: {turn: 270, go: 6}}`."""
        return dict.fromkeys(("move", "combat-move", "reposition"), _walks)

    @property
    def values(self) -> Mapping[str, Any]:
        """The pure functions that `ask:` may call."""
        return VALUES

    def vocabulary(self) -> Mapping[str, Mapping[str, str]]:
        """All words with what they mean."""
        return {
            "answers": ANSWERS,
            "actions": {name: label for name, (_, label, _) in ACTIONS.items()},
            "states": STATES,
            "counts": COUNTS,
            "options": OPTIONS,
            "terrain": dict.fromkeys(KINDS, "a kind of terrain"),
            "models": {card.id: card.name for card in self.cards},
            "weapons": {name: name.replace("_", " ") for name in (*SMALL, *SUPPORT)},
        }


def _walks(question: Any, value: Data) -> dict[str, Walk] | None:
    """The walks of figures by name; `all` is what every figure does that has no walk of its own."""
    if value.node.value is None or value.node.value == "pass":
        return None
    said = {name: _walk(one) for name, one in value.table().items()}
    shared = said.pop("all", Walk())
    return {name: said.pop(name, shared) for name in question.models} | said


def _walk(value: Data) -> Walk:
    """Legs to points, or so far in a direction: 0 is east, 90 south."""
    legs = value.items() if isinstance(value.node.value, list) else (value,)
    return Walk(tuple(_leg(one) for one in legs))


def _leg(value: Data) -> Leg | Via:
    if value.has("to"):
        return Via(Point(value.length("to", 0), value.length("to", 1)))
    return Leg(value.number("turn") if value.has("turn") else 0, value.length("go"))


# What a case may ask -----------------------------------------------------------------------------------------------


def _shot(table: Table, asked: Data) -> object:
    """The dice of a fire action, its Range Die and its impact."""
    small = not asked.has("alone")
    using = (asked.text_at("alone"),) if not small else asked.texts("joining") if asked.has("joining") else ()
    aimed = fire.shot(table, table[asked.text_at("of")], table[asked.text_at("at")], small, using)
    values: Mapping[str, object] = {
        "dice": aimed.dice,
        "range-die": aimed.range_die or "none",
        "steps": aimed.range.total,
        "impact": aimed.impact,
        "armour-shift": sum(part.value for part in aimed.armour),
    }
    return values[asked.text_at("value")]


def _threat(table: Table, asked: Data) -> object:
    parts = confidence.threat(table, table[asked.text_at("of")], asked.texts("causes"))
    return "no test" if parts is None else sum(part.value for part in parts)


def _cover(table: Table, asked: Data) -> object:
    return cover.WORDS[cover.cover_from(table, asked.text_at("of"), asked.text_at("from"))]


def _squad(table: Table, asked: Data) -> object:
    """A line of a squad's data."""
    unit = table[asked.text_at("of")]
    what = asked.text_at("value")
    values: Mapping[str, Callable[[], object]] = {
        "quality": lambda: units.quality(unit),
        "quality-die": lambda: units.quality_die(unit),
        "leadership": lambda: units.leadership(unit),
        "mobility": lambda: movement.base_mobility(unit),
        "mobility-die": lambda: movement.mobility_die(unit),
        "armour-die": lambda: units.armour_die(unit),
        "figures": lambda: len(kits(unit)),
        "weapons": lambda: tuple(f"{one.small_arm} {one.support_weapon}".strip() for one in kits(unit)),
        "roles": lambda: tuple(one.role for one in kits(unit)),
    }
    return values[what]() if what in values else getattr(squad(unit), what.replace("-", "_"))


def _sees(table: Table, asked: Data) -> object:
    one, other = asked.texts()
    return cover.sees(table, one, other)


def _arm(table: Table, asked: Data) -> object:
    name = asked.text_at()
    if name in SMALL:
        arm = SMALL[name]
        return (arm.halves, arm.impact, arm.close_only)
    weapon = SUPPORT[name]
    return (weapon.firepower, weapon.impact, weapon.point_double, weapon.saw)


def _combat_die(table: Table, asked: Data) -> object:
    figure, foe = table[asked.text_at("of")], table[asked.text_at("against")]
    return close_assault.combat_dice(table, figure, [foe], covered=False)[0]


VALUES: Mapping[str, Callable[[Table, Data], object]] = {
    "shifted": lambda table, asked: dice.shifted(asked.number("die"), asked.number("by")),
    "open-shift": lambda table, asked: dice.open_shifted(
        asked.number("die"), asked.number("by"), asked.number("against")
    ),
    "nearest": lambda table, asked: dice.nearest(int(2 * asked.fraction())),
    "success": lambda table, asked: dice.major(asked.number()),
    "shot": _shot,
    "threat": _threat,
    "cover": _cover,
    "squad": _squad,
    "sees": _sees,
    "combat-die": _combat_die,
    "weapon": _arm,
    "levels-lost": lambda table, asked: confidence.levels_lost(asked.number("score"), asked.number("target")),
    "integrity": lambda table, asked: cover.unit_in_integrity(table, asked.text_at()),
    "bypassed": lambda table, asked: communications.bypassed(table, *(table[one] for one in asked.texts())),
    "range-die": lambda table, asked: fire.die_of(asked.number()) or "none",
    "wall": lambda table, asked: movement.WALLS.inches("obstacle_cost_in", asked.text_at()),
    "mobility": lambda table, asked: (
        movement.MOBILITY.inches(asked.text_at(), "base_in"),
        movement.MOBILITY.number(asked.text_at(), "die"),
    ),
    "cost": lambda table, asked: cost(asked.text_at()),
    "twice": lambda table, asked: may_repeat(asked.text_at()),
    "grade": lambda table, asked: movement.grade(asked.text_at("kind"), asked.text_at("who")),
    "points": lambda table, asked: scenario.victory_points(table, asked.text_at()),
}
