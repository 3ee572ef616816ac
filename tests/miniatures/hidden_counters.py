"""Face-down counters: how they are laid, what they turn out to be, and how hard they are to make out.

Three grades of knowledge: a counter, a unit, its figures. What lies under a counter and whether it is In Position are
states that its owner alone knows of; everything that is the same for all counters is known to all.
"""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Left, Placed, Revealed, Scored, StateChanged
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, Point, Region, Spot
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import center_gap
from tests.miniatures.figures import CHAIN, crowded, figure, in_integrity, spot

OBSERVE = "stargrunt.observation.observe"
MINOR = "stargrunt.observation.minor-success"
MAJOR = "stargrunt.observation.major-success"
IN_POSITION = "stargrunt.observation.in-position-harder"
COUNTERS = "stargrunt.observation.hidden-counters"
REVEALS = "stargrunt.observation.automatic-reveal"
SOFT = "stargrunt.cover.soft"
SENSORS = "stargrunt.observation.sensors"
SUPPRESSED = "stargrunt.observation.recon-by-fire"
PATROL = "stargrunt.scenario.patrol-clash"

DUMMY = "dummy"
AROUND = 3 * UNIT


def counters(table: Table) -> list[Thing]:
    """The counters that lie on the table, as anybody may count them."""
    return [thing for thing in table.of_kind("marker") if thing.on_table]


def lies_under(counter: Thing) -> str:
    """What a counter is, for those who know: a unit's id, or a dummy."""
    return str(counter.value("is"))


def face_up(counter: Thing) -> bool:
    """Whether everybody knows that it is a unit."""
    return counter.has("face up")


def position_part(counter: Thing) -> ExplainedPart:
    """The shift for being In Position; while the counter is face down it is its owner's to know, even if it is none."""
    known = () if face_up(counter) else (counter.side,)
    return ExplainedPart("In Position", 1 if counter.has("in position") else 0, IN_POSITION, known_to=known)


# Becoming known ----------------------------------------------------------------------------------------------------


def identify(battle: Battle, counter: Thing, higher: int, because: int) -> Procedure[None]:
    """What a successful observation brings.

    stargrunt.observation.minor-success    a unit is flipped face up, a dummy removed
    stargrunt.observation.major-success    a unit's figures are placed, a dummy removed
    """
    if lies_under(counter) == DUMMY:
        remove_dummy(battle, counter, MAJOR if higher > 1 else MINOR, because)
    elif higher > 1:
        yield from place_figures(battle, counter, MAJOR, because)
    elif not face_up(counter):
        flip(battle, counter, MINOR, because)


def remove_dummy(battle: Battle, counter: Thing, rule: str, because: int) -> None:
    """A dummy is seen for what it is and taken away."""
    n = _shown(battle, counter, DUMMY, rule, because)
    battle.happens(Left(counter.id, "it was a dummy", rule=rule, because=n))
    _score(battle, counter, n)


def flip(battle: Battle, counter: Thing, rule: str, because: int) -> None:
    """A unit is known to be one, and whether it is In Position; not which unit it is."""
    n = _shown(battle, counter, "unit", rule, because)
    battle.happens(StateChanged(counter.id, "face up", after=1, rule=rule, because=n))
    if counter.has("in position"):
        battle.happens(StateChanged(counter.id, "in position", 1, 1, rule=IN_POSITION, because=n))
    _score(battle, counter, n)


def place_figures(battle: Battle, counter: Thing, rule: str, because: int) -> Procedure[str]:
    """A unit's figures take the place of its counter; gives the unit's id."""
    name = lies_under(counter)
    unit = battle.table[name]
    n = _shown(battle, counter, name, rule, because, unit)
    if not face_up(counter):
        _score(battle, counter, n)
    at = spot(counter)
    things = tuple(f"{name}{k}" for k in range(1, unit.count("figures") + 1))
    default, reach = free_spots(battle.table, at, things)
    spots = yield PlaceThings(
        counter.side,
        f"Place the figures of {name}",
        topic="figures",
        about=(counter.id, name),
        things=things,
        where={"": Region(inside=(Disc(at, reach),), whole=False, rule=rule, label="around the counter")},
        together=CHAIN,
        faces=False,
        rules=(rule, CHAIN.rule),
        default=default,
    )
    for thing in things:
        made = figure(thing, counter.side, name)
        battle.happens(Placed(thing, spots[thing].where, made=made, rule=rule, because=n))
    if counter.has("in position"):
        battle.happens(StateChanged(name, "in position", after=1, rule=IN_POSITION, because=n))
    markers = counter.count("suppression")
    if markers:
        battle.happens(Counted(name, "suppression", 0, markers, rule=SUPPRESSED, because=n))
    battle.happens(Left(counter.id, "its figures are placed", rule=rule, because=n))
    return name


def free_spots(table: Table, at: Point, things: tuple[str, ...]) -> tuple[dict[str, Spot], int]:
    """Free places for figures around a point, in integrity, and how far out they had to be looked for."""
    taken = [spot(one) for one in table.models()]
    reach = AROUND
    while True:
        steps = range(-reach // UNIT, reach // UNIT + 1)
        grid = [Point(at.x + x * UNIT, at.y + y * UNIT) for y in steps for x in steps]
        near = [p for p in grid if center_gap(p, at) <= reach * reach and _on_board(table, p)]
        free = [p for p in near if not crowded([p], taken)]
        for first in sorted(free, key=lambda p: (center_gap(p, at), p)):
            chosen = sorted(free, key=lambda p: (center_gap(p, first), p))[: len(things)]
            if len(chosen) == len(things) and in_integrity(chosen):
                return {thing: Spot(At(p)) for thing, p in zip(things, chosen, strict=True)}, reach
        reach += UNIT


def figures_refused(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why figures may not be placed so: too far from the counter, on somebody, or out of integrity."""
    region, points = question.where[""], []
    for thing, put in answer.items():
        disc = region.inside[0]
        assert isinstance(disc, Disc)
        if not isinstance(put.where, At) or put.where.level:
            return Refusal(region.rule, f"{thing} is placed on the ground of the table.")
        if center_gap(put.where.point, disc.center) > disc.radius**2 or not _on_board(view.table, put.where.point):
            return Refusal(region.rule, f"{thing} is placed too far from the counter.")
        points.append(put.where.point)
    if crowded(points, [spot(one) for one in view.table.models()]):
        return Refusal(region.rule, "Two bases would overlap.")
    if not in_integrity(points):
        return Refusal(CHAIN.rule, "The unit would be out of integrity: each figure within 2 inches of the next.")
    return None


def _shown(battle: Battle, counter: Thing, what: str, rule: str, because: int, unit: Thing | None = None) -> int:
    """Tell everybody what a counter is, with whether it was In Position; and who it is, where that is shown."""
    position = "yes" if counter.has("in position") else "no"
    detail: dict[str, int | str | tuple[str, ...]] = {"in position": position}
    return battle.happens(Revealed(counter.id, what, value=what, made=unit, rule=rule, because=because, detail=detail))


def _score(battle: Battle, counter: Thing, because: int) -> None:
    enemy = next(side for side in battle.table.sides if side != counter.side)
    battle.happens(Scored(enemy, 1, "a counter identified", rule=PATROL, because=because))


def _on_board(table: Table, p: Point) -> bool:
    return 500 <= p.x <= table.ground.width - 500 and 500 <= p.y <= table.ground.height - 500
