"""Garrisons: going in, moving between edges, and coming out again."""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved, Placed
from sandtable.engine.explain import inches
from sandtable.engine.ids import PieceId, Side
from sandtable.engine.questions import Allocate, ChooseOne, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, At, Disc, In, Point, Shape
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.field.measure import gap, gap_to_point
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.dropzone.basics import CENTRE, edge_faces, edge_name, edges, has_property, in_coherency, spoken
from sandtable.rulesets.dropzone.damage import STORMING_PENALTY
from sandtable.rulesets.dropzone.movement.paths import rooted
from sandtable.rulesets.dropzone.movement.placing import arranged, ask_places
from sandtable.rulesets.dropzone.shooting.aiming import DISEMBARKED
from sandtable.rulesets.dropzone.shooting.firing import STORMING
from sandtable.rulesets.dropzone.transports import cannot_embark, carrier, embark, is_transport, transports_for
from sandtable.rulesets.dropzone.units import (
    END_OF_ROUND,
    MOVED,
    OUT_OF_COHERENCY,
    card,
    inside,
    is_kind,
    moved,
    units_on_table,
    value_of,
)
from sandtable.tabletop.book import book_of
from sandtable.tabletop.chapters import Chapter, Moment
from sandtable.tabletop.states import give

ENTERING = rule("dropzone.garrisons.entering")
CAPACITY = rule("dropzone.garrisons.capacity")
CHOOSING = rule("dropzone.garrisons.choosing-a-place")
EDGES = rule("dropzone.garrisons.edges")
EXITING = rule("dropzone.garrisons.exiting")
INSIDE = rule("dropzone.garrisons.moving-inside")
LINKED = rule("dropzone.garrisons.linked")
NEAR = rule("dropzone.garrisons.everyone-is-near")
BLOODTHIRSTY = rule("dropzone.special-rules.bloodthirsty")

#: Which Garrison a place is chosen in, and what a squad inside does.
SLOTS, INSIDE_TOPIC = "slots", "inside"
LEAVE, SHIFT = "leave", "edges"


#: A round outline has the edges of the rectangle around it.
ROUND = edges(Piece(PieceId(""), "", Disc(Point(0, 0), UNIT)))
same_number("the edges of a round outline", EDGES.number("irregular_outline_edges"), len(ROUND))
#: A squad would leave a Garrison: whether something keeps it from leaving as usual.
LEAVING: Moment[[Battle, Thing, str], Procedure[bool]] = Moment("a squad would leave a Garrison")


class Gate(NamedTuple):
    """A Garrison that a squad may go into, and how."""

    id: str
    label: str
    rule: Rule
    does: Callable[[Battle, Thing], Procedure[Any]]


def in_a_garrison(table: Table, squad: Thing) -> bool:
    """Whether a squad is inside a Garrison."""
    units = table.members(squad.id)
    return bool(units) and isinstance(units[0].place, In) and table[units[0].place.holder].kind == "holder"


def capacity(piece: Thing) -> int:
    """How many units a Garrison holds: as many as it had Damage Points at the start."""
    return piece.track


def entrances(piece: Piece) -> list[Shape]:
    """Where a Garrison may be entered: at its marked points, or all along its edges."""
    marked = str(piece.traits.get("entrances", ""))
    if not marked or "forest" in piece.kind:
        return [piece.outline]
    points = [one.split(",") for one in marked.split()]
    return [Disc(Point(int(x), int(y)), 0) for x, y in points]


def cannot_enter(table: Table, squad: Thing, piece: Piece) -> Refusal | None:
    """Why a squad may not go into a Garrison from where it stands."""
    units = units_on_table(table, squad.id)
    if not units or not all(is_kind(one, "infantry") for one in units):
        return Refusal(ENTERING.id, f"{squad.label} is no Infantry.")
    if not in_coherency(table, squad.id):
        return Refusal(OUT_OF_COHERENCY.id, f"{squad.label} is out of coherency.", (ENTERING.id,))
    still = next(filter(None, map(rooted, units)), None)
    if still is not None:
        return still
    near = ENTERING.inches("distance_in")
    doors = entrances(piece)
    if not any(
        gap_to_point(door, one.place.point) <= near for one in units for door in doors if isinstance(one.place, At)
    ):
        return Refusal(ENTERING.id, f"{squad.label} is not within {inches(near)} of an entrance of {spoken(piece)}.")
    return no_room(table, squad, piece.id)


def no_room(table: Table, squad: Thing, piece: str) -> Refusal | None:
    """Why a Garrison has no room for a squad."""
    holder = table[piece]
    if len(inside(table, piece)) + len(table.members(squad.id)) > capacity(holder):
        return Refusal(CAPACITY.id, f"{holder.label} has no room for {squad.label}.")
    return None


def garrisons(table: Table) -> list[Piece]:
    """The pieces that are Garrisons."""
    return [one for one in table.ground.pieces if has_property(one, "garrison")]


def gates(table: Table, squad: Thing) -> list[Gate]:
    """The Garrisons that a squad may go into from where it stands."""
    return [
        Gate(piece.id, table[piece.id].label, ENTERING, _going_in(piece.id))
        for piece in garrisons(table)
        if cannot_enter(table, squad, piece) is None
    ]


def _going_in(piece: str) -> Callable[[Battle, Thing], Procedure[Any]]:
    return lambda battle, squad: enter(battle, squad, piece)


def enter(battle: Battle, squad: Thing, piece: str, drops_in: bool = False) -> Procedure[None]:
    """A squad goes into a Garrison: each unit to an edge or to the centre."""
    table = battle.table
    hostile = any(one.side != squad.side for one in inside(table, piece))
    chosen = yield from ask_slots(battle, squad, piece, CHOOSING)
    for unit in table.members(squad.id):
        slot = chosen.get(unit.id, CENTRE)
        battle.happens(Moved(unit.id, unit.place, In(piece, slot), unit.facing, manner="own", rule=ENTERING.id))
        if moved(unit) is None and not unit.has(DISEMBARKED) and carrier(table, unit) is None:
            give(battle, unit.id, MOVED, ENTERING, 0, until=END_OF_ROUND)
        if hostile and not drops_in:
            give(battle, unit.id, STORMING, STORMING_PENALTY, until=END_OF_ROUND)


def free_slots(table: Table, side: Side, piece: str) -> list[str]:
    """The places in a Garrison that a side may take: the centre, and edges that no enemy holds."""
    held = {one.place.slot for one in inside(table, piece) if one.side != side and isinstance(one.place, In)}
    return [one for one in slots(table, piece) if one == CENTRE or one not in held]


def slots(table: Table, piece: str) -> list[str]:
    """The places in a Garrison: its centre and its edges."""
    return [CENTRE, *(edge_name(number) for number in range(len(edges(table.ground.piece(piece)))))]


def slot_words(words: Mapping[str, str], ground: Ground, place: In) -> str:
    """What players call a place in a Garrison: an edge by where it looks, with a number where several do."""
    piece = next((one for one in ground.pieces if one.id == place.holder), None)
    names = [] if piece is None else [edge_name(number) for number in range(len(edges(piece)))]
    if piece is None or place.slot not in names:
        return place.slot
    faces = [edge_faces(piece.outline, one) for one in names]
    number = names.index(place.slot)
    alike = [n for n, way in enumerate(faces) if way == faces[number]]
    told = words[f"edge {faces[number]}"]
    return told if len(alike) == 1 else f"{told} {alike.index(number) + 1}"


def ask_slots(battle: Battle, squad: Thing, piece: str, source: Rule) -> Procedure[dict[str, str]]:
    """Ask which edge each unit goes to."""
    table = battle.table
    units = table.members(squad.id)
    answer: dict[str, str] = yield Allocate(
        squad.side,
        f"{squad.label}: to which edges of {table[piece].label}?",
        topic=SLOTS,
        about=(squad.id, piece),
        items=tuple(Option(one.id, one.label, (one.id,), (source.id,)) for one in units),
        bins=tuple(
            Option(one, book_of(battle).slot_words(table.ground, In(piece, one)).capitalize(), (piece,), (EDGES.id,))
            for one in slots(table, piece)
        ),
        allowed={one.id: tuple(free_slots(table, squad.side, piece)) for one in units},
        rules=(source.id, EDGES.id),
        default={one.id: CENTRE for one in units},
    )
    return answer


def move_inside(battle: Battle, squad: Thing) -> Procedure[None]:
    """A squad inside a Garrison changes edges, goes out, or into a linked Garrison."""
    table = battle.table
    unit = table.members(squad.id)[0]
    assert isinstance(unit.place, In)
    piece = unit.place.holder
    options = [Option(SHIFT, "Change edges", (piece,), (INSIDE.id,)), Option(LEAVE, "Leave", (piece,), (EXITING.id,))]
    over = linked(table, piece)
    options += [Option(one, f"Go over to {table[one].label}", (one,), (LINKED.id,)) for one in over]
    rides = transports_for(table, squad, table.ground.piece(piece).outline)
    options += [Option(one.id, f"Embark in {one.label}", (one.id,), (EXITING.id,)) for one in rides]
    chosen = yield ChooseOne(
        squad.side,
        f"{squad.label}, in {table[piece].label}: how does it move?",
        topic=INSIDE_TOPIC,
        about=(squad.id, piece),
        options=tuple(options),
        rules=(INSIDE.id, EXITING.id),
    )
    if chosen == SHIFT:
        yield from shift(battle, squad, piece)
    else:
        yield from leave(battle, squad, piece, chosen)


def linked(table: Table, piece: str) -> list[str]:
    """The Garrisons that one is linked with."""
    words = str(table.ground.piece(piece).traits.get("linked", "")).split()
    near = LINKED.inches("max_gap_in")
    here = table.ground.piece(piece).outline
    known = {one.id for one in garrisons(table)}
    return [one for one in words if one in known and gap(here, table.ground.piece(one).outline) <= near]


def bound_inside(table: Table, squad: Thing, piece: str) -> Refusal | None:
    """Why a squad may not change its place: a Bloodthirsty one stays where an enemy is."""
    blood = any(value_of(card(one).special, "bloodthirsty") is not None for one in table.members(squad.id))
    if blood and any(one.side != squad.side for one in inside(table, piece)):
        return Refusal(BLOODTHIRSTY.id, f"{squad.label} will not leave the enemy.")
    return None


def refused_inside(view: View, question: ChooseOne, option: Option) -> Refusal | None:
    """Why a squad inside a Garrison may not move so."""
    table = view.table
    squad, piece = table[question.about[0]], question.about[1]
    bound = bound_inside(table, squad, piece)
    still = next(filter(None, map(rooted, table.members(squad.id))), None) if option.id != SHIFT else None
    if bound is not None or still is not None:
        return bound or still
    if option.id == LEAVE:
        return no_way_out(table, squad, piece)
    holder = table.things.get(option.id)
    return no_room(table, squad, option.id) if holder is not None and holder.kind == "holder" else None


def no_way_out(table: Table, squad: Thing, piece: str) -> Refusal | None:
    """Why a squad may not leave its Garrison: there is no room for all of it outside."""
    units = table.members(squad.id)
    outline, within = table.ground.piece(piece).outline, EXITING.inches("distance_in")
    if len(arranged(table, units, outline, within, True)) < len(units):
        return Refusal(EXITING.id, f"{squad.label} cannot be placed within {inches(within)} of {table[piece].label}.")
    return None


def shift(battle: Battle, squad: Thing, piece: str) -> Procedure[None]:
    """Change edges: for M&F the squad counts as stationary."""
    chosen = yield from ask_slots(battle, squad, piece, INSIDE)
    for unit in battle.table.members(squad.id):
        place = In(piece, chosen.get(unit.id, CENTRE))
        if place != unit.place:
            battle.happens(Moved(unit.id, unit.place, place, unit.facing, manner="own", rule=INSIDE.id))


def leave(battle: Battle, squad: Thing, piece: str, to: str = LEAVE) -> Procedure[None]:
    """Come out within two inches, or go straight into a Transport or a linked Garrison; no move is left."""
    for hinders in book_of(battle).at(LEAVING):
        if (yield from hinders(battle, squad, piece)):
            return
    yield from go_over(battle, squad, piece, to, EXITING)


def go_over(battle: Battle, squad: Thing, piece: str, to: str, source: Rule) -> Procedure[None]:
    """Out of a Garrison: into a Transport, into a linked Garrison, or outside."""
    if to not in battle.table.things:
        yield from come_out(battle, squad, piece, source)
    elif battle.table[to].kind == "holder":
        yield from enter(battle, squad, to)
    else:
        beside = transports_for(battle.table, squad, battle.table.ground.piece(piece).outline)
        yield from embark(battle, squad, to, [one.id for one in beside])


def come_out(battle: Battle, squad: Thing, piece: str, source: Rule) -> Procedure[None]:
    """Place a squad outside its Garrison; a squad without room stays inside."""
    units = battle.table.members(squad.id)
    put = yield from ask_places(
        battle,
        units,
        battle.table.ground.piece(piece).outline,
        EXITING.inches("distance_in"),
        source.id,
        f"{squad.label}: where does it come out?",
        True,
    )
    if len(put) < len(units):
        return
    for unit in units:
        battle.happens(Placed(unit.id, put[unit.id].where, put[unit.id].facing, rule=source.id))
        if moved(unit) is None:
            give(battle, unit.id, MOVED, source, 0, until=END_OF_ROUND)


def unoffered(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """The rule by which a squad inside may not go over to a Garrison, or straight into a Transport."""
    table = view.table
    squad, thing = table[question.about[0]], table.things.get(answer)
    unit = table.members(squad.id)[0]
    if thing is None or not isinstance(unit.place, In):
        return None
    if thing.kind == "holder":
        full = no_room(table, squad, thing.id) if thing.id in linked(table, unit.place.holder) else None
        return full or Refusal(LINKED.id, f"{thing.label} is not linked with {table[unit.place.holder].label}.")
    here = table.ground.piece(unit.place.holder).outline
    return cannot_embark(table, squad, thing, here) if thing.kind == "model" and is_transport(thing) else None


CHAPTER = Chapter(
    refusals={INSIDE_TOPIC: refused_inside},
    unoffered={INSIDE_TOPIC: unoffered},
    answers={
        SLOTS: "the place of each unit in a Garrison: `slots: {A1: edge 1, A2: centre}`",
        INSIDE_TOPIC: "how a squad in a Garrison moves: edges, leave, or the id of a linked Garrison or a Transport",
    },
)
