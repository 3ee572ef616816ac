"""How a Behemoth ends: it explodes and leaves a wreck, or takes everything around it along."""

from collections.abc import Iterator, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Placed, TerrainChanged
from sandtable.engine.ids import PieceId, ThingId
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, Disc, Off, Point
from sandtable.engine.state import Step
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.measure import gap_to_point
from sandtable.rulesets.dropzone.basics import roll_number
from sandtable.rulesets.dropzone.behemoths.zones import DESTROYED
from sandtable.rulesets.dropzone.damage import FALLS, DamageRolls, Destroyed, Hits
from sandtable.rulesets.dropzone.scenery import destructible_near, near_collapse
from sandtable.rulesets.dropzone.shooting.aiming import covered_from
from sandtable.rulesets.dropzone.units import card, inside, is_behemoth
from sandtable.tabletop.chapters import Chapter

#: The kind of scenery that a Behemoth leaves.
WRECK = "behemoth-wreck"


class Ends(Step, frozen=True):
    """A Behemoth is destroyed: what it does to everything near."""

    unit: str
    because: int = 0


class LeaveWreck(Step, frozen=True):
    """What is left of a Behemoth stays on the table."""

    unit: str


class Swallowed(Step, frozen=True):
    """Pieces of scenery are gone without a trace."""

    pieces: tuple[str, ...]


def falls(battle: Battle, thing: Thing, step: Destroyed) -> Sequence[Step]:
    """A Behemoth does not go quietly."""
    return (Ends(thing.id, step.because),) if is_behemoth(thing) else ()


def ends(battle: Battle, step: Ends) -> Procedure[None]:
    """Roll for the explosion: all within so many inches are hit so often, or nothing near is left at all."""
    yield from ()
    unit = battle.table[step.unit]
    assert isinstance(unit.place, At)
    at, dice = unit.place.point, DESTROYED.text_at("roll")
    rolled = roll_number(battle, "explosion", dice, unit.id, DESTROYED, step.because)
    if rolled not in DESTROYED.numbers("explosion", "rolls"):
        assert rolled == DESTROYED.number("collapse_on")
        far = roll_number(battle, "explosion", dice, unit.id, DESTROYED, step.because)
        battle.push(*swallowing(battle.table, unit, at, far * UNIT))
        return
    hits = tuple(
        Hits(
            *(one.id, rolled, DESTROYED.number("explosion", "energy"), "explosion", unit.id),
            cover=one.kind == "model" and covered_from(battle.table, one, at)[1],
            because=step.because,
        )
        for one in near(battle.table, unit, at, rolled * UNIT)
    )
    battle.push(*([DamageRolls(hits)] if hits else []), LeaveWreck(unit.id))


def near(table: Table, behemoth: Thing, at: Point, far: int) -> Iterator[Thing]:
    """The units and the Destructible scenery within a distance of a point, but for the Behemoth itself."""
    for one in near_collapse(table, Disc(at, 0), far):
        if one.id != behemoth.id:
            yield one
    yield from destructible_near(table, at, far)


def leave_wreck(battle: Battle, step: LeaveWreck) -> Procedure[None]:
    """Lay the wreck where the Behemoth stands."""
    yield from ()
    unit = battle.table[step.unit]
    assert isinstance(unit.place, At)
    stats = card(unit)
    label = f"Wreck of {unit.label}"
    wreck = Piece(
        PieceId(f"{unit.id}-wreck"), WRECK, Disc(unit.place.point, stats.radius_in), stats.height_in, label=label
    )
    battle.happens(Placed(wreck.id, Off(), piece=wreck, rule=DESTROYED.id))


def swallowing(table: Table, behemoth: Thing, at: Point, far: int) -> Iterator[Step]:
    """The steps that remove all units and scenery within a distance, and who is inside them."""
    pieces = [one.id for one in table.ground.pieces if gap_to_point(one.outline, at) <= far]
    gone = [one.id for one in near_collapse(table, Disc(at, 0), far) if one.id != behemoth.id]
    gone += [ThingId(one) for one in pieces if one in table.things]
    for name in gone:
        yield from (Destroyed(one, behemoth.id, caused=True) for one in (*_aboard(table, name), name))
    yield Swallowed(tuple(pieces))


def _aboard(table: Table, holder: str) -> Iterator[str]:
    """Who is in something, and in what that carries."""
    for one in inside(table, holder):
        yield from _aboard(table, one.id)
        yield one.id


def swallowed(battle: Battle, step: Swallowed) -> Procedure[None]:
    """Take scenery off the table."""
    yield from ()
    for name in step.pieces:
        piece = battle.table.ground.piece(name)
        battle.happens(TerrainChanged(piece.id, before=piece.kind, after="", rule=DESTROYED.id))


CHAPTER = Chapter(steps={Ends: ends, LeaveWreck: leave_wreck, Swallowed: swallowed}, at=(FALLS(falls),))
