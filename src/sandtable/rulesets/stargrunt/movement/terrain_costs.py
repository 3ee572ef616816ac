"""The ground under foot and wheel: which terrain is clear, poor or difficult for whom, and what a way costs."""

from functools import cache

import msgspec
from msgspec.structs import replace

from sandtable.engine.explain import ExplainedPart, Explanation, explain, inches
from sandtable.engine.ids import RuleId
from sandtable.engine.questions import MoveModels, Refusal
from sandtable.engine.table import Ground, Piece, Thing
from sandtable.field.ground import pieces_at
from sandtable.field.walking.cost import Trace
from sandtable.field.walking.spans import Span
from sandtable.forces.ledger import rule
from sandtable.rulesets.stargrunt.cover.protection import LINEAR, WRECK, WRECKS
from sandtable.rulesets.stargrunt.forces.cards import OUT_OF_SUIT, squad, vehicle
from sandtable.rulesets.stargrunt.units.record import is_hull, spot

NORMAL = rule("stargrunt.movement.normal")
MOBILITY = rule("stargrunt.movement.base-mobility")
COSTS = rule("stargrunt.movement.terrain-costs")
CLASSES = rule("stargrunt.movement.terrain-classes")
WALLS = rule("stargrunt.movement.walls-and-buildings")
#: Kinds of terrain by the word of the table of grades (stargrunt.movement.terrain-classes).
GRADED = {
    "road": "road",
    "light-scrub": "light_scrub",
    "hill": "slope",
    "rough": "rough",
    "rocks": "rough",
    "rubble": "rough",
    "trench": "rough",
    "foxhole": "rough",
    "cultivated": "cultivated",
    "swamp": "swamp",
    "light-wood": "light_wood",
    "dense-wood": "dense_wood",
    "river": "river",
    "ford": "river_at_ford",
    "open-water": "open_water",
}
GRADES = ("clear", "poor", "difficult")
#: What ground is called that costs no more than its length.
CLEAR = "clear ground"
#: The rules that close some kinds of terrain by name; by all else, impassable ground cannot be entered.
BARS = {"building": WALLS, WRECK: WRECKS}
#: A ford is a river to all but those for whom the table names it.
FORD = "ford"


def mover(unit: Thing) -> str:
    """How a squad, a figure or a vehicle counts in the table of terrain grades."""
    if is_hull(unit):
        return vehicle(unit).mobility
    suited = squad(unit).mobility.endswith("power_armour") and not unit.has(OUT_OF_SUIT)
    return "power_armour" if suited else "infantry"


@cache
def grade(kind: str, who: str, amphibious: bool = False) -> str:
    """The grade of a kind of terrain for a mover: clear, poor, difficult or impassable.

    stargrunt.movement.walls-and-buildings             no vehicle goes into a building
    stargrunt.vehicles.disabled-or-destroyed           nobody goes through a wreck

    >>> grade("light-wood", "infantry"), grade("open-water", "infantry"), grade("rocks", "power_armour")
    ('poor', 'impassable', 'clear')
    >>> grade("light-wood", "tracked"), grade("ford", "low_wheeled"), grade("ford", "tracked")
    ('difficult', 'difficult', 'difficult')
    """
    if kind == "building":
        return WALLS.text_at("interior", who) if WALLS.has("interior", who) else "impassable"
    if kind == WRECK:
        return "impassable"
    word = GRADED.get(kind, "open")
    if kind == FORD and word not in CLASSES.texts(who, "difficult"):
        word = GRADED["river"]
    if amphibious and word == "open_water" and CLASSES.has(who, "amphibious_water"):
        return CLASSES.text_at(who, "amphibious_water")
    return next((one for one in GRADES if word in CLASSES.texts(who, one)), "impassable")


class Rates(msgspec.Struct, frozen=True):
    """What a part of a path costs a figure on foot."""

    who: str
    allowance: int | None
    label: str
    amphibious: bool = False
    began_in: tuple[str, ...] = ()  # walls and hedges the centre starts in: they were paid for on the way in

    def span(self, span: Span) -> Explanation | Refusal:
        """The length of a part of the path at the cost of its worst ground, and walls that are crossed."""
        ground = [piece for piece in span.pieces if piece.kind not in LINEAR]
        if any(piece.kind == "road" for piece in ground):
            ground = [piece for piece in ground if piece.kind == "road"]
        bare = "clear" if ground else grade("open", self.who)
        worst, name = GRADES.index(bare), bare
        for piece in ground:
            word = grade(piece.kind, self.who, self.amphibious)
            if word == "impassable":
                why = BARS.get(piece.kind, COSTS)
                graded = (CLASSES.id,) if why is COSTS else ()
                return Refusal(why.id, f"{self.label} cannot go into {piece.label or piece.kind}.", graded)
            if GRADES.index(word) > worst:
                worst, name = GRADES.index(word), word
        length = span.end - span.start
        cost = COSTS.number(GRADES[worst])
        parts = [ExplainedPart(CLEAR if name == GRADES[0] else f"{name} ground", length * cost, COSTS.id)]
        for piece in span.entered:
            if self._crosses(piece):
                if not WALLS.has("obstacle_cost_in", over_walls(self.who)):
                    return Refusal(WALLS.id, f"{self.label} cannot cross {piece.label or piece.kind}.")
                parts.append(_crossing(piece, self.who))
        return explain("cost", *parts)

    def _crosses(self, piece: Piece) -> bool:
        return piece.kind in LINEAR and piece.id not in self.began_in

    def too_dear(self, cost: Explanation, left: int) -> Refusal:
        """What is said when there is not enough left."""
        told = f"{self.label} cannot go so far: {inches(left)} of movement are left there."
        return Refusal(NORMAL.id, told, (*_dear(cost), MOBILITY.id))


def stopped(trace: Trace) -> Refusal | None:
    """Why a way stops; where it is too long, also by the rules that made it dear so far."""
    if trace.stop is None or trace.stop.why.rule != NORMAL.id:
        return None if trace.stop is None else trace.stop.why
    why = trace.stop.why
    dear = [one for step in trace.steps for one in _dear(step.cost)]
    return replace(why, also=tuple(dict.fromkeys((*dear, *why.also))))


def _dear(cost: Explanation) -> tuple[RuleId, ...]:
    """The rules by which a part of a way costs more than its length."""
    return tuple(part.rule for part in cost.parts if part.value and part.label != CLEAR)


def too_far(question: MoveModels, refusal: Refusal | None) -> Refusal | None:
    """A refusal of a way that is too long, by the rule of the move that is asked for."""
    if refusal is not None and refusal.rule == NORMAL.id and question.rules:
        return Refusal(question.rules[0], refusal.sentence, refusal.also)
    return refusal


def over_walls(who: str) -> str:
    """How a mover counts in the table of what crossing a wall costs.

    >>> over_walls("high_wheeled"), over_walls("hover")
    ('wheeled', 'hover')
    """
    return "wheeled" if who.endswith("_wheeled") else who


def _crossing(piece: Piece, who: str) -> ExplainedPart:
    cost = WALLS.inches("obstacle_cost_in", over_walls(who))
    return ExplainedPart(f"over the {piece.label or piece.kind}", cost, WALLS.id)


def rates(ground: Ground, figure: Thing, allowance: int | None) -> Rates:
    """The rates of one figure from where it stands."""
    began = tuple(piece.id for piece in pieces_at(ground, spot(figure)))
    swims = is_hull(figure) and vehicle(figure).amphibious
    return Rates(mover(figure), allowance, figure.label, swims, began)
