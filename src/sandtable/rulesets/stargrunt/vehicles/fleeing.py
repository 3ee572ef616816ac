"""Crews that have lost their nerve: they drive for home or for a place to hide, or leave what cannot drive."""

from collections.abc import Callable, Iterator
from fractions import Fraction

from sandtable.engine.battle import Battle
from sandtable.engine.events import ModelLost
from sandtable.engine.ids import NO_THING
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, Leg, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.walking.encounters import meetings
from sandtable.rulesets.stargrunt.actions.activation import rest
from sandtable.rulesets.stargrunt.chapter import Activate, AfterMove
from sandtable.rulesets.stargrunt.confidence.levels import BROKEN_RULE, ROUTED_RULE, SURRENDER, is_driven
from sandtable.rulesets.stargrunt.cover.protection import HULL_DOWN, OPEN, hull_cover, threatened_from
from sandtable.rulesets.stargrunt.moments import COMPELS
from sandtable.rulesets.stargrunt.movement.in_step import comes_nearer
from sandtable.rulesets.stargrunt.movement.walking import EDGES, from_baseline, towards_home
from sandtable.rulesets.stargrunt.units.record import (
    ROUTED,
    at_worst,
    enemies,
    fit,
    hull_of,
    located,
    mean,
    range_between,
    spot,
)
from sandtable.rulesets.stargrunt.vehicles.driving import BASE_MOVE, at_end, driven_hull, go, refused_drive, track_of
from sandtable.rulesets.stargrunt.vehicles.getting_out import BAILING_OUT, GetOut, take_over
from sandtable.rulesets.stargrunt.vehicles.hulls import IMMOBILISED, corners, occupants
from sandtable.tabletop.chapters import Chapter

#: Headings to flee in, off the way home; and all headings, for a place to hide.
_HOMEWARDS = tuple(range(-85, 90, 5))
_HEADINGS = tuple(range(0, 360, 15))


def _drives(table: Table, unit: Thing) -> Callable[[Battle, Activate], Procedure[None]] | None:
    """A crew that has no choice: Routed, or Broken in the open, and on the table (not panicked)."""
    hull = hull_of(table, unit.id)
    aground = hull is not None and isinstance(hull.place, At)
    return _flees if aground and is_driven(table, unit) else None


def _flees(battle: Battle, step: Activate) -> Procedure[None]:
    """A Routed crew drives for its baseline, a Broken one for a place to hide; one that cannot drive gets out."""
    yield from ()
    table, unit = battle.table, battle.table[step.unit]
    hull = driven_hull(table, unit)
    then: list[Step] = []
    if hull.has(IMMOBILISED):
        then = [GetOut(unit.id, hull.id, BAILING_OUT.id)]
    else:
        routed = at_worst(unit, ROUTED)
        why = ROUTED_RULE if routed else BROKEN_RULE
        walk = (None if routed else _to_hide(table, unit, hull)) or _homewards(table, unit, hull)
        if walk is not None:
            go(battle, unit, hull, walk, BASE_MOVE, why, manner="forced")
            then = [AfterMove(unit.id, {hull.id: (spot(hull).x, spot(hull).y)})]
            if routed and _at_baseline(table, unit, table[hull.id]):
                _leaves(battle, hull)
                then = []
        elif routed:
            _is_lost(battle, unit, hull)
    battle.push(*then, *rest(step, step.actions - 1, "move", again=True))


def _to_hide(table: Table, unit: Thing, hull: Thing) -> Walk | None:
    """The shortest way straight to a place where a vehicle is hull down, no nearer to an enemy; or none.

    It may take several moves; those beyond the first are made in the actions that follow.
    """
    source, ground = threatened_from(table, unit), table.ground
    if not any(piece.kind in (*HULL_DOWN, "hill") for piece in ground.pieces):
        return None
    for far, heading in sorted(_stops(table, hull)):
        walk = Walk((Leg((heading - hull.facing + 180) % 360 - 180, far),))
        if hull_cover(ground, at_end(hull, track_of(hull, walk)), source) == OPEN:
            continue
        if refused_drive(table, unit, hull, walk, None) is None:
            return walk
    return None


def _stops(table: Table, hull: Thing) -> Iterator[tuple[int, int]]:
    """How far a vehicle may go in which direction to look for cover: inch by inch, and up to what hides it."""
    ground, base = table.ground, hull.base
    assert base is not None
    low = [piece.outline for piece in ground.pieces if piece.kind in HULL_DOWN]
    farthest = max(ground.width, ground.height)
    for heading in _HEADINGS:
        track = track_of(hull, Walk((Leg((heading - hull.facing + 180) % 360 - 180, farthest),)))
        met = [one.last for one in meetings(track, base, low) if one.last]
        yield from ((far, heading) for far in (*range(UNIT, farthest, UNIT), *met))


def _homewards(table: Table, unit: Thing, hull: Thing) -> Walk | None:
    """The straight way that brings a vehicle nearest to its baseline and nears no enemy; none where there is none."""
    home, here, found = towards_home(table, unit.side), spot(hull), []
    foes = [mean(there) for there in located(table, unit.side)]
    for off in _HOMEWARDS:
        course = [(Fraction(at.x), Fraction(at.y)) for at in (here, along(here, (home + off) % 360, BASE_MOVE))]
        for share in range(12, 0, -1) if not any(comes_nearer(course, foe) for foe in foes) else ():
            gain = from_baseline(table, unit.side, along(here, (home + off) % 360, BASE_MOVE * share // 12))
            found.append((gain, abs(off), -off, share))
    for _, _, off, share in sorted(found):
        walk = Walk((Leg((home - off - hull.facing + 180) % 360 - 180, BASE_MOVE * share // 12),))
        if refused_drive(table, unit, hull, walk, BASE_MOVE) is None:
            return walk
    return None


def _at_baseline(table: Table, unit: Thing, hull: Thing) -> bool:
    """Whether a vehicle has reached its baseline, as near as it gets: within an inch."""
    return min(from_baseline(table, unit.side, at) for at in corners(hull)) <= UNIT


def _leaves(battle: Battle, hull: Thing) -> None:
    for one in [*occupants(battle.table, hull.id), battle.table[hull.id]]:
        battle.happens(ModelLost(one.id, "left the table", rule=EDGES.id))


def _is_lost(battle: Battle, unit: Thing, hull: Thing) -> None:
    """A Routed crew at its baseline leaves the table with all aboard; cut off, it surrenders or scatters.

    stargrunt.confidence.routed    an enemy within 12 inches takes its surrender; the vehicle stays behind
    """
    table = battle.table
    if _at_baseline(table, unit, hull):
        _leaves(battle, hull)
        return
    reach = ROUTED_RULE.inches("surrender_distance_in") ** 2
    close = any(range_between(table, unit.id, foe.id) <= reach for foe in enemies(table, unit.side))
    how, why = ("surrendered", SURRENDER) if close else ("scattered", ROUTED_RULE)
    n = 0
    for one in fit(table, unit.id):
        n = battle.happens(ModelLost(one.id, how, rule=why.id))
    take_over(battle, hull, NO_THING, n)


CHAPTER = Chapter(
    at=(COMPELS(_drives),),
)
