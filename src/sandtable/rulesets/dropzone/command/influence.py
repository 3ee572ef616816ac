"""Influence: how far from Commanders and Scouts a card reaches."""

from sandtable.engine.ids import Side
from sandtable.engine.shapes import At, In
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.measure import gap, gap_to_point
from sandtable.forces.ledger import rule
from sandtable.rulesets.dropzone.basics import near
from sandtable.rulesets.dropzone.command.commanders import commander, influence
from sandtable.rulesets.dropzone.transports import carrier
from sandtable.rulesets.dropzone.units import card

INFLUENCE = rule("dropzone.command.influence")


def measured_at(table: Table, thing: Thing) -> Thing | Piece | None:
    """Where something is measured: itself, the Transport on the table that it is in, its Garrison; or nowhere."""
    while not thing.gone and isinstance(thing.place, In):
        thing = table[thing.place.holder]
    if thing.gone:
        return None
    if thing.kind == "holder":
        return table.ground.piece(thing.id)
    return thing if isinstance(thing.place, At) else None


def apart_at_most(table: Table, one: Thing | Piece, other: Thing | Piece, far: int) -> bool:
    """Whether two are within a distance: between centres, or to the nearest edge of what is scenery."""
    if isinstance(one, Piece) and isinstance(other, Piece):
        return gap(one.outline, other.outline) <= far
    if isinstance(one, Piece):
        return apart_at_most(table, other, one, far)
    if isinstance(other, Piece):
        return isinstance(one.place, At) and gap_to_point(other.outline, one.place.point) <= far
    return near(table, one, other, far)


def affected(table: Table, target: Thing) -> list[Thing]:
    """Who of a target can be affected by anything: nobody who is aboard a Transport."""
    parts = table.members(target.id) if target.kind == "unit" else [target]
    return [one for one in parts if carrier(table, one) is None]


def reaches(table: Table, side: Side, target: Thing) -> bool:
    """Whether a target is in the Influence of a side: near one of its Commanders, or of its Scouts.

    dropzone.command.influence                of any friendly Commander, or 8 inches of any friendly Scout
    dropzone.command.use-of-command-value     a Commander in a Garrison measures from its edges, in a Transport from it
    dropzone.transports.embarked-units        so do Scouts aboard; who is aboard cannot be affected himself
    """
    ends = [found for one in affected(table, target) if (found := measured_at(table, one)) is not None]
    if not ends:
        return False
    for unit in table.of_kind("model"):
        if unit.side != side or unit.gone:
            continue
        value = commander(unit)
        far = influence(value) if value else 0
        if card(unit).category == "scout":
            far = max(far, INFLUENCE.inches("scout_relay_in"))
        start = measured_at(table, unit) if far else None
        if start is not None and any(apart_at_most(table, start, one, far) for one in ends):
            return True
    return False
