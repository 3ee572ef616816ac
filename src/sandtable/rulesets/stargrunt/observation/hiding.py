"""Going into hiding: counters laid before the battle, units and dummies alike, and a sniper's three.

A scenario hides units by the side's option `hidden: all` or a unit's `hidden`; the counters lie within the side's
option `hidden-depth` inches of its baseline (up to the middle of the table, if it has none), and `dummies` says how
many dummies come with them.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, repeat

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed
from sandtable.engine.explain import inches
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import UNTIL_REVEALED, Allocate, ChooseOne, ChooseSeveral, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, Off, Point, Region, Spot
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.edges import across
from sandtable.field.edges import strip as edge_strip
from sandtable.field.ground import pieces_at
from sandtable.field.measure import center_gap
from sandtable.field.walking.encounters import over_edge
from sandtable.forces.scenario import Scenario
from sandtable.rulesets.stargrunt.cover.protection import OPEN, figure_cover
from sandtable.rulesets.stargrunt.dice.rolls import table_roll
from sandtable.rulesets.stargrunt.movement.walking import baseline, crowded, from_baseline
from sandtable.rulesets.stargrunt.observation.counters import (
    COUNTERS,
    DECOY_OF,
    DUMMY,
    HARDER,
    SNIPERS_HIDING,
    counter_label,
    counter_names,
    counter_of,
    dig_in,
    is_sniper,
    lay,
)
from sandtable.rulesets.stargrunt.scenario.objectives import BATTLES
from sandtable.rulesets.stargrunt.units.record import BASE, WAITING, counters, hidden, spot, units

#: How deep a defender hides where its scenario does not say.
DEPTH = BATTLES["attack-defence"]
#: How far a sniper's dummies may lie from it.
REACH = SNIPERS_HIDING.inches("distance_in")
#: How many counters are laid for a sniper: his own and his dummies'.
OF_A_SNIPER = 1 + SNIPERS_HIDING.number("dummies")
#: The dice for dummies, and for how many units they are rolled once: "1d6 per 4 units".
_DUMMY_DICE, _, _PER, _ = COUNTERS.text_at("dummies").split(" ")


#: How many hiding places are looked at for a sniper, and around each of them for his dummies.
TRIED = 40
#: What a counter is said to be that is a sniper's dummy; his id follows.
_HIS_DUMMY = f"{DECOY_OF} "
#: What the minefields of a scenario are: good against everybody.
MIXED_MINES = "mixed mines"


class Deploy(Step, frozen=True):
    """A side lays counters for its hidden units and snipers, and dummies; `dice` where the scenario has its own number
    of them."""

    side: Side
    depth: int
    dice: str = ""
    mines: str = ""  # the dice for minefields that lie among them


def dummy_dice(real: int) -> str:
    """The dice for dummies of so many units (stargrunt.observation.hidden-counters).

    >>> dummy_dice(1), dummy_dice(4), dummy_dice(5)
    ('1d6', '1d6', '2d6')
    """
    count, _, faces = _DUMMY_DICE.partition("d")
    return f"{int(count) * -(-real // int(_PER))}d{faces}"


def may_hide(table: Table, at: Point) -> bool:
    """Whether a place could hide somebody: on the table, and in cover from somewhere."""
    return not over_edge(Disc(at, BASE.size // 2), table.ground) and figure_cover(table.ground, at, None) > OPEN


def refused_before_battle(table: Table, at: Point) -> Refusal | None:
    """Why no counter may be laid at a place before the battle, besides that it could hide nobody.

    stargrunt.observation.hidden-counters    not on another counter
    stargrunt.scenario.rearguard             anywhere but on the road
    """
    if crowded([at], [spot(one) for one in counters(table)]):
        return Refusal(COUNTERS.id, "Another counter lies there.")
    kind = BATTLES.get(str(table.options.get("battle", "")))
    if kind is not None and kind.has("kept_free"):
        free = kind.text_at("kept_free")
        if any(piece.kind == free for piece in pieces_at(table.ground, at)):
            return Refusal(kind.id, f"No counter lies on a {free}.")
    return None


def may_be_laid(table: Table, at: Point) -> bool:
    """Whether a counter may lie at a place before the battle."""
    return may_hide(table, at) and refused_before_battle(table, at) is None


def hiding_places(
    table: Table, centre: Point | None, depth: int, side: Side, count: int, taken: Sequence[Point] = ()
) -> list[Point]:
    """So many places that could hide somebody, no two on one another or on those taken: near a point, or within a depth
    of a baseline."""
    ground, step = table.ground, UNIT // 2
    rows = [(x, y) for y in range(step, ground.height, step) for x in range(step, ground.width, step)]
    grid = [Point(x, y) for x, y in rows]
    if centre is not None:
        grid = [centre, *sorted(grid, key=lambda p: (center_gap(p, centre), p))]
        grid = [p for p in grid if center_gap(p, centre) <= REACH * REACH]
    else:
        grid = [p for p in grid if from_baseline(table, side, p) <= depth]
    found: list[Point] = []
    allowed = may_hide if centre is not None else may_be_laid
    for at in grid:
        if len(found) < count and not crowded([at], [*found, *taken]) and allowed(table, at):
            found.append(at)
    return found


def strip(table: Table, side: Side, depth: int) -> Region:
    """The strip along a baseline in which counters are laid."""
    along = edge_strip(table.ground, baseline(table, side), depth)
    label = "within reach of your baseline, in cover"
    return Region((along,), whole=False, rule=COUNTERS.id, label=label)


# Before the battle -------------------------------------------------------------------------------------------------


def to_hide(table: Table, side: Side) -> list[Thing]:
    """The hidden units of a side that have no counter yet."""
    return [unit for unit in units(table, side) if hidden(unit) and counter_of(table, unit.id) is None]


def opens(table: Table, form: Scenario) -> list[Step]:
    """Who has units to hide lays counters for them before the first turn."""
    found: list[Step] = []
    for side, entry in form.sides.items():
        waiting = to_hide(table, side)
        said = entry.options.get("hidden-depth")
        middle = int(DEPTH.fraction("defender_depth_fraction") * across(table.ground, baseline(table, side)))
        depth = said * UNIT if isinstance(said, int) else middle
        if waiting:
            mines = str(entry.options.get("mines", ""))
            found.append(Deploy(side, depth, str(entry.options.get("dummies", "")), mines))
    return found


def deploy(battle: Battle, step: Deploy) -> Procedure[None]:
    """Lay a counter for each hidden unit, a sniper's three, and dummies; then say in secret what each is, and which are
    In Position.

    stargrunt.observation.hidden-counters       D6 dummies, rolled in secret: the counters lie there together. Where
                                                places are few there are fewer dummies, then fewer mines, and at last
                                                units that wait and enter like others. Dice say which names are whose,
                                                and all are laid in the order of their names: neither tells anything
    stargrunt.observation.snipers-in-hiding     a sniper without room for his dummies waits like the others
    stargrunt.observation.in-position-harder    a dummy may be declared In Position like a unit
    """
    side, table, depth = step.side, battle.table, step.depth
    waiting = to_hide(table, side)
    hiding, snipers = [u for u in waiting if not is_sniper(u)], [u for u in waiting if is_sniper(u)]
    dummies = _rolled(battle, side, "dummies", step.dice or dummy_dice(len(hiding))) if hiding else 0
    mines = _rolled(battle, side, "minefields", step.mines) if hiding and step.mines else 0
    spots = hiding_places(table, None, depth, side, len(hiding))
    beside: list[Point] = []
    while len(beside) < OF_A_SNIPER * len(snipers) and (nest := _nest(table, side, depth, [*spots, *beside])):
        beside += nest
    hiding, left_over = hiding[: len(spots)], hiding[len(spots) :]
    snipers, without_room = snipers[: len(beside) // OF_A_SNIPER], snipers[len(beside) // OF_A_SNIPER :]
    for unit in (*left_over, *without_room):
        wait_instead(battle, unit)
    spots += hiding_places(table, None, depth, side, dummies + mines, [*spots, *beside])
    if not spots and not beside:
        return
    names = counter_names(table, side, len(spots) + len(beside))
    whose, order = battle.dice.shuffled(names), battle.dice.shuffled(names)
    asked = _where(side, whose, [one.id for one in snipers], strip(table, side, depth), (*spots, *beside))
    places: dict[str, Spot] = yield asked
    at = {name: where.point for name in order if isinstance(where := places[name].where, At)}
    fields = min(mines, len(spots) - len(hiding))
    what: dict[str, str] = yield _what_is_what(table, side, at, hiding, fields, lain_for_snipers(asked))
    dug_in: Sequence[ThingId] = yield ChooseSeveral(
        side,
        "Which counters are In Position?",
        deed="Put {} In Position",
        topic="dug-in",
        options=_counters(names, side),
        sealed=UNTIL_REVEALED,
        rules=(HARDER.id,),
        default=(),
    )
    for name in names:
        said, _, his = what[name].partition(_HIS_DUMMY)
        lies = DUMMY if his else MIXED_MINES if said.startswith(MIXED_MINES) else said
        lay(battle, ThingId(name), side, at[name], lies, decoy_of=his)
    for name in dug_in:
        dig_in(battle, name)


def _rolled(battle: Battle, side: Side, what: str, dice: str) -> int:
    """How many dummies or minefields a side has; nobody else learns it."""
    return table_roll(battle, what, side, dice, COUNTERS, known_to=(side,)).score


def wait_instead(battle: Battle, unit: Thing) -> None:
    """A unit that finds no place to hide waits in the open and enters over its baseline."""
    n = battle.happens(Placed(unit.id, Off(WAITING), made=unit, rule=COUNTERS.id))
    for one in [*battle.table.members(unit.id)]:
        battle.happens(Placed(one.id, Off(WAITING), made=one, rule=COUNTERS.id, because=n))


def _where(
    side: Side, names: Sequence[str], snipers: Sequence[str], within: Region, spots: Sequence[Point]
) -> PlaceThings:
    """Where the counters of a side lie; the last of the names are the snipers', each with his dummies'."""
    asked = PlaceThings(
        side,
        "Lay the counters",
        topic="counters",
        about=(side, *snipers),
        things=tuple(names),
        where={"": within},
        faces=False,
        rules=(COUNTERS.id,),
        default={name: Spot(At(at)) for name, at in zip(names, spots, strict=True)},
    )
    labels = {name: counter_label(name, side) for name in names}
    his = {name: f"{labels[name]} (a sniper's)" for group in lain_for_snipers(asked).values() for name in group}
    return replace(asked, names=labels | his)


def lain_for_snipers(question: PlaceThings) -> dict[str, tuple[str, ...]]:
    """The counters that are laid for each of the snipers a question is about: his own and his dummies."""
    snipers = [one for one in question.about if one != question.side]
    last = question.things[len(question.things) - OF_A_SNIPER * len(snipers) :]
    return {one: last[n * OF_A_SNIPER : (n + 1) * OF_A_SNIPER] for n, one in enumerate(snipers)}


def _counters(names: Iterable[str], side: Side) -> tuple[Option, ...]:
    return tuple(Option(name, counter_label(name, side)) for name in names)


def _what_is_what(
    table: Table,
    side: Side,
    at: Mapping[str, Point],
    real: Sequence[Thing],
    mines: int,
    lain: Mapping[str, Sequence[str]],
) -> Allocate:
    """What each counter is: every unit and every minefield lies under one, and the rest are dummies; of the counters
    that are laid for a sniper one that has the others near enough is his own."""
    fields = tuple(Option(f"{MIXED_MINES} {k}", "a minefield") for k in range(1, mines + 1))
    once = (*(Option(unit.id, unit.label) for unit in real), *fields)
    bins, needed = [*once, Option(DUMMY, "a dummy")], {bin_.id: 1 for bin_ in once}
    plain = [name for name in at if name not in chain(*lain.values())]
    default = {name: bin_.id for name, bin_ in zip(plain, chain(once, repeat(bins[-1])), strict=False)}
    allowed = {name: tuple(bin_.id for bin_ in bins) for name in plain}
    for sniper, his in lain.items():
        decoy, names = f"{_HIS_DUMMY}{sniper}", [name for name in at if name in his]
        may_be = [names[k] for k in nests([at[name] for name in names])]
        bins += [Option(sniper, table[sniper].label), Option(decoy, f"a dummy of {table[sniper].label}")]
        needed |= {sniper: 1, decoy: len(names) - 1}
        allowed |= {name: (sniper, decoy) if name in may_be else (decoy,) for name in names}
        default |= {name: sniper if name == may_be[0] else decoy for name in names}
    return Allocate(
        side,
        "What is each counter?",
        topic="what-is-what",
        items=tuple(
            one if one.id in plain else replace(one, rules=(SNIPERS_HIDING.id,)) for one in _counters(at, side)
        ),
        bins=tuple(bins),
        allowed=allowed if lain else {},
        bin_least=needed,
        bin_most=needed,
        sealed=UNTIL_REVEALED,
        rules=(COUNTERS.id, SNIPERS_HIDING.id) if lain else (COUNTERS.id,),
        default=default,
    )


def refused_counters(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why counters may not be laid so: on one another, where nothing could hide, or too far from the baseline."""
    spots: list[Point] = []
    region = question.where[""].inside[0]
    for one, put in answer.items():
        name = counter_label(one, question.side)
        if not isinstance(put.where, At) or put.where.level:
            return Refusal(COUNTERS.id, f"{name} is laid on the table.")
        at = put.where.point
        if crowded([at], spots):
            return Refusal(COUNTERS.id, f"{name} would lie on another counter.")
        if not may_hide(view.table, at):
            return Refusal(COUNTERS.id, f"{name} must lie in cover.")
        refusal = None if isinstance(region, Disc) else refused_before_battle(view.table, at)
        if refusal is not None:
            return refusal
        if not isinstance(region, Disc) and not region.points[0].y <= at.y <= region.points[2].y:
            return Refusal(COUNTERS.id, f"{name} would lie too far from your baseline.")
        if isinstance(region, Disc) and center_gap(at, region.center) > region.radius**2:
            return Refusal(SNIPERS_HIDING.id, f"{name} would lie too far away.")
        spots.append(at)
    lies = dict(zip(answer, spots, strict=True))
    for sniper, names in lain_for_snipers(question).items():
        if not nests([lies[name] for name in names]):
            whose = f"One of the counters of {view.table[sniper].label}"
            return Refusal(SNIPERS_HIDING.id, f"{whose} must have the others within {inches(REACH)}.")
    return None


# Snipers -----------------------------------------------------------------------------------------------------------


def nests(spots: Sequence[Point]) -> list[int]:
    """Which of some places have all the others near enough to be a sniper's dummies."""
    return [k for k, at in enumerate(spots) if all(center_gap(at, other) <= REACH * REACH for other in spots)]


def _nest(table: Table, side: Side, depth: int, taken: Sequence[Point]) -> list[Point]:
    """Places for a sniper and his dummies before the battle, besides those taken; none where there is no room."""
    for first in hiding_places(table, None, depth, side, TRIED, taken):
        near = hiding_places(table, first, 0, side, TRIED, taken)
        inside = [at for at in near if from_baseline(table, side, at) <= depth and may_be_laid(table, at)]
        if len(inside) >= OF_A_SNIPER:
            return inside[:OF_A_SNIPER]
    return []


def around(table: Table, unit: Thing) -> Region:
    """Where a sniper's counters are laid who hides in the battle."""
    at = spot(next(one for one in table.members(unit.id)))
    return Region((Disc(at, REACH),), whole=False, rule=SNIPERS_HIDING.id, label=f"within {inches(REACH)}, in cover")


def lay_low(battle: Battle, unit: Thing, near: Sequence[Point], region: Region, because: int) -> Procedure[None]:
    """Lay the counter of a sniper who goes to ground and his two dummies, and say in secret which he is."""
    side = unit.side
    names = counter_names(battle.table, side, OF_A_SNIPER)
    places: dict[str, Spot] = yield PlaceThings(
        side,
        "Lay the counters of a sniper",
        topic="lay-low",
        about=(unit.id,),
        things=names,
        names={name: counter_label(name, side) for name in names},
        where={"": region},
        faces=False,
        rules=(SNIPERS_HIDING.id, COUNTERS.id),
        default={name: Spot(At(at)) for name, at in zip(names, near, strict=False)},
    )
    spots = [where.point for name in names if isinstance(where := places[name].where, At)]
    may_be = [names[k] for k in nests(spots)]
    chosen = yield ChooseOne(
        side,
        "Which of them is the sniper?",
        topic="which-sniper",
        options=_counters(may_be, side),
        rules=(SNIPERS_HIDING.id,),
        sealed=UNTIL_REVEALED,
        default=may_be[0],
    )
    for name, at in zip(names, spots, strict=True):
        if name == chosen:
            lay(battle, ThingId(name), side, at, unit.id, because=because)
        else:
            lay(battle, ThingId(name), side, at, DUMMY, decoy_of=unit.id, because=because)
