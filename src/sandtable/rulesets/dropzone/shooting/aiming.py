"""Aiming: which weapons may be fired at what, by which rule they may not, and what a shot needs to hit."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
from msgspec.structs import replace

from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import RuleId
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT, At, In, Point
from sandtable.engine.table import Piece, Table, Thing
from sandtable.field.chords import meets
from sandtable.field.ground import box_of, boxes_meet
from sandtable.field.measure import gap, in_arc, inside
from sandtable.field.outlines import outline_of
from sandtable.field.volumes import Place, in_view, within
from sandtable.field.walking.paths import length_between
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.dropzone.basics import (
    ARTICULATED,
    FACES,
    FINE,
    FRIENDS,
    NATURALS,
    PENALTIES,
    SAMPLING,
    SIGHT,
    SOLID,
    Eye,
    before_edge,
    centre,
    edge_name,
    edge_points,
    edges,
    eyes,
    has_property,
    hidden_by_scenery,
    hidden_enough,
    in_coherency,
    in_the_way,
    on_edge,
    piece_points,
    seen,
    touching,
)
from sandtable.rulesets.dropzone.units import (
    AIRBORNE,
    OUT_OF_COHERENCY,
    Reach,
    Weapon,
    acting_on,
    card,
    fired,
    is_behemoth,
    is_kind,
    lost_weapons,
    moved,
    value_of,
)
from sandtable.tabletop.actions import all_of
from sandtable.tabletop.modifiers import Modifier, parts
from sandtable.tabletop.pools import Pool

#: What is told of a hit that only an area makes of it.
GLANCE = "glance[|s]"

SEQUENCE = rule("dropzone.shooting.sequence")
MOVE_AND_FIRE = rule("dropzone.shooting.move-and-fire")
ARC_AND_RANGE = rule("dropzone.shooting.target-in-arc-and-range")
SAME_GARRISON = rule("dropzone.shooting.close-quarters-range")
ONE_TARGET = rule("dropzone.shooting.one-target-per-weapon")
TO_HIT = rule("dropzone.shooting.roll-to-hit")
MODIFIERS = rule("dropzone.shooting.accuracy-modifiers")
AT_SCENERY = rule("dropzone.shooting.shooting-at-scenery")
ARCS = rule("dropzone.shooting.arcs")
HULL_DOWN = rule("dropzone.shooting.hull-down")
MIXED = rule("dropzone.shooting.no-limit-on-shooting-into-mixed-groups")
TURNING = rule("dropzone.movement.turning-counts-as-moving")
ACTIVE = rule("dropzone.units.active-countermeasures")
EVASION = rule("dropzone.units.evasion-countermeasures")
SOFT_COVER = rule("dropzone.scenery.soft-cover")
INFANTRY_COVER = rule("dropzone.scenery.cover-for-infantry-only")
DESTRUCTIBLE = rule("dropzone.scenery.destructible")
CLOSE_ONLY = rule("dropzone.garrisons.close-quarters-only")
AUTOMATIC = rule("dropzone.garrisons.automatic-hits")
FROM_AN_EDGE = rule("dropzone.garrisons.shooting-from-an-edge")
FLAME_IN = rule("dropzone.garrisons.flame-reaches-the-centre")
ANTI_AIR_ONLY = rule("dropzone.aircraft.only-anti-air-weapons")
REACTION_FIRE = rule("dropzone.aircraft.reaction-fire")
ANTI_AIR = rule("dropzone.special-rules.anti-aircraft")
FLAME = rule("dropzone.special-rules.flame")
ALTERNATE = rule("dropzone.special-rules.alternate")
AREA = rule("dropzone.special-rules.area")
COVER = rule("dropzone.special-rules.cover")
DESTROYER = rule("dropzone.special-rules.destroyer")
INDIRECT = rule("dropzone.special-rules.indirect")
LIMITED = rule("dropzone.special-rules.limited")
REDUCED = rule("dropzone.special-rules.reduced")
LARGE = rule("dropzone.special-rules.large")
DISEMBARKING = rule("dropzone.transports.disembarking")
EMBARKING = rule("dropzone.transports.embarking")
ABOARD = rule("dropzone.transports.embarked-units")
HOT_LANDING = rule("dropzone.transports.no-anti-air-from-hot-landings")
THRESHOLDS = rule("dropzone.behemoths.thresholds")
TARGETING = rule("dropzone.behemoths.targeting")
ATTRITION = rule("dropzone.scenario.attrition")
GENERIC_DECK = rule("dropzone.command.generic-deck")

#: States of a unit this round: it has left a Transport, one in the air, or gone into one.
DISEMBARKED, DROPPED, EMBARKED = "disembarked", "dropped from the air", "embarked"
#: A state of a unit: a Command Card has it count as in Body Cover this round.
DUG_IN = "dug in"
#: What is counted on a unit of a weapon of Limited use.
USED = "used "
#: The options that a battle may have been told.
COVER_SWITCH, RANGE_SWITCH = "cover-for-infantry-only", "garrison-range"
#: The switch of a battle that names its scenario.
MISSION = "mission"
same_number("coherency", MODIFIERS.number("modifiers", "out_of_coherency"), OUT_OF_COHERENCY.number("accuracy_penalty"))
same_number("disembarking", MODIFIERS.number("modifiers", "disembarked"), DISEMBARKING.number("accuracy_penalty"))
same_number("Soft Cover", MODIFIERS.number("modifiers", "soft_cover"), SOFT_COVER.number("accuracy_penalty"))
same_number("hits on scenery", AT_SCENERY.number("base_accuracy"), DESTRUCTIBLE.number("hit_on"))
#: Where each arc begins and ends, in degrees clockwise from the facing.
_HALF = ARCS.number("front_half_angle")
same_number("how wide an arc is", 2 * _HALF, ARCS.number("sector_degrees"))
SECTORS = {
    "front": (-_HALF, _HALF),
    "side_right": (_HALF, 180 - _HALF),
    "rear": (180 - _HALF, 180 + _HALF),
    "side_left": (180 + _HALF, 360 - _HALF),
}


class Shot(msgspec.Struct, frozen=True):
    """One weapon of one unit at one target."""

    unit: str
    weapon: str
    target: str
    combined: bool = False  # all its Shots as one
    zone: str = ""  # of a Behemoth
    reaction: bool = False
    penalty: int = 0  # what Command Cards add to the number needed
    ignores: tuple[str, ...] = ()  # the protection that Command Cards make it ignore


class Aim(NamedTuple):
    """How a shot would go: from where, how much is seen, what covers the target, and whether it is fired blind."""

    eye: Eye | None
    points: int
    hull_down: bool
    soft: bool
    body: bool
    blind: bool = False


def weapon_of(unit: Thing, weapon: str) -> Weapon:
    """The weapon of a unit by its id."""
    return next(one for one in card(unit).weapons if one.id == weapon)


def has(weapon: Weapon, word: str) -> bool:
    """Whether a weapon has a special rule."""
    return value_of(weapon.special, word) is not None


def shots_of(unit: Thing, weapon: Weapon, combined: bool = False) -> int:
    """How many Shots a weapon has: Reduced ones lose some with every Damage Point; combined ones are one."""
    lost = value_of(weapon.special, "reduced")
    left = max(0, weapon.shots - unit.harm * lost) if lost is not None else weapon.shots
    return min(left, 1) if combined else left


def energy_of(unit: Thing, weapon: Weapon, combined: bool = False) -> int:
    """The Energy of a weapon; a combined shot has more of it for each Shot given up."""
    if not combined:
        return weapon.energy
    more = weapon.energy + shots_of(unit, weapon) - 1
    return max(weapon.energy, min(more, REDUCED.number("max_combined_energy")))


def anti_air(weapon: Weapon, combined: bool = False) -> int | None:
    """The AA number of a weapon; a combined shot that is not Close Quarters counts as AA too."""
    own = value_of(weapon.special, "aa")
    if own is None and combined and not weapon.close_quarters:
        return REDUCED.number("aa_value")
    return own


# May it fire at all ------------------------------------------------------------------------------------------------


def cannot_fire(table: Table, unit: Thing, weapon: Weapon) -> Refusal | None:
    """Why a weapon may not be fired now, whatever it is aimed at: by every rule that forbids it."""
    limit, far, used = weapon.move_and_fire_in, moved(unit), fired(unit)
    reasons = (
        (unit.has(EMBARKED), EMBARKING, "{0} has embarked this round and may not shoot."),
        (weapon.id in used, REACTION_FIRE, "{0}'s {1} has been fired this round."),
        (
            any(one.id in used for one in alternates(unit, weapon)),
            ALTERNATE,
            "A profile of {0} with that ALT number has been fired this round.",
        ),
        (weapon.id in lost_weapons(unit), THRESHOLDS, "{0}'s {1} is lost: {0} has been Crippled."),
        (limited_out(unit, weapon), LIMITED, "{0}'s {1} is used up."),
        (not shots_of(unit, weapon), REDUCED, "{0}'s {1} has no Shots left."),
        (
            (far or 0) > (limit or 0) and limit is not None,
            MOVE_AND_FIRE,
            "{0} has moved further than the M&F of its {1}.",
        ),
        (far == limit == 0, TURNING, "{0} has moved or turned: {1} has M&F 0."),
        (limit == 0 and unit.has(DISEMBARKED), DISEMBARKING, "{0} has disembarked this round: {1} has M&F 0."),
    )
    found = [(source, told) for applies, source, told in reasons if applies]
    return all_of(*(Refusal(source.id, told.format(unit.label, weapon.name)) for source, told in found))


def alternates(unit: Thing, weapon: Weapon) -> list[Weapon]:
    """The other profiles of a unit with the same ALT number, of which one may be fired in a round."""
    number = value_of(weapon.special, "alt")
    alike = [one for one in card(unit).weapons if number is not None and value_of(one.special, "alt") == number]
    return [one for one in alike if one.id != weapon.id]


def limited_out(unit: Thing, weapon: Weapon) -> bool:
    """Whether a weapon of Limited use has been used as often as it may."""
    times = value_of(weapon.special, "limited")
    return times is not None and unit.count(USED + weapon.id) >= times


# At whom -----------------------------------------------------------------------------------------------------------


def holder(unit: Thing) -> str:
    """The Garrison or Transport a unit is in; empty where it is in none."""
    return unit.place.holder if isinstance(unit.place, In) else ""


def in_garrison(table: Table, unit: Thing) -> bool:
    """Whether a unit is inside a Garrison."""
    return bool(holder(unit)) and table[holder(unit)].kind == "holder"


def refused(table: Table, shot: Shot) -> Refusal | None:
    """Why a weapon may not be aimed at something; none where it may. Found once until somebody stirs."""
    cache, key = table.things_cache, (refused, shot)
    if key not in cache:
        cache[key] = _refused(table, shot)
    found: Refusal | None = cache[key]
    return found


def _refused(table: Table, shot: Shot) -> Refusal | None:
    unit, target = table[shot.unit], table[shot.target]
    weapon = weapon_of(unit, shot.weapon)
    if target.side == unit.side:
        return Refusal(FRIENDS.id, f"{target.label} is a friend.")
    if target.kind == "unit" or weapon.close_quarters:
        return _refused_inside(table, unit, target, weapon)
    if target.kind == "model" and holder(target) and not in_garrison(table, target):
        return Refusal(ABOARD.id, f"{target.label} is aboard {table[holder(target)].label}.")
    if in_garrison(table, unit) and holder(unit) == holder(target):
        return Refusal(CLOSE_ONLY.id, f"{target.label} is inside the same Garrison: Close Quarters weapons only.")
    if target.kind == "holder":
        return _refused_scenery(table, unit, target, weapon, shot)
    return _refused_unit(table, unit, target, weapon, shot)


def _refused_inside(table: Table, unit: Thing, target: Thing, weapon: Weapon) -> Refusal | None:
    inside_too = target.kind == "unit" and any(
        holder(one) == holder(unit) for one in table.members(target.id) if isinstance(one.place, In)
    )
    if not weapon.close_quarters and inside_too:
        return Refusal(CLOSE_ONLY.id, f"{weapon.name} is no Close Quarters weapon.")
    if not weapon.close_quarters:
        return Refusal(ONE_TARGET.id, f"{weapon.name} is aimed at one unit, not at a squad.")
    if not in_garrison(table, unit) or not inside_too:
        told = f"{target.label} is not in the same Garrison as {unit.label}."
        return Refusal(SAME_GARRISON.id, told, (CLOSE_ONLY.id,))
    return None


def _refused_scenery(table: Table, unit: Thing, target: Thing, weapon: Weapon, shot: Shot) -> Refusal | None:
    if target.gone or not target.track:
        return Refusal(DESTRUCTIBLE.id, f"{target.label} cannot be shot at: it is not Destructible.")
    if piece_eye(table, unit, weapon, table.ground.piece(target.id)) is None:
        return Refusal(SAMPLING.id, f"No part of {target.label} is in sight, arc and range of {weapon.name}.")
    return None


def _refused_unit(table: Table, unit: Thing, target: Thing, weapon: Weapon, shot: Shot) -> Refusal | None:
    if target.has(AIRBORNE):
        if anti_air(weapon, shot.combined) is None:
            return Refusal(ANTI_AIR_ONLY.id, f"{weapon.name} is no anti-air weapon.")
        if unit.has(DROPPED):
            return Refusal(HOT_LANDING.id, f"{unit.label} has come from the air this round.")
    if isinstance(target.place, In) and not on_edge(target) and not has(weapon, "flame"):
        return Refusal(FROM_AN_EDGE.id, f"{target.label} is in the centre of {table[holder(target)].label}.")
    looks = _eyes(table, unit, weapon)
    if not looks:
        return Refusal(FROM_AN_EDGE.id, f"{unit.label} is in the centre of {table[holder(unit)].label}.")
    ways = [(eye, one) for eye in looks for one in aimed_at(table, target, weapon)]
    if not any(in_range_and_arc(table, unit, weapon, one, eye, shot.combined) for eye, one in ways):
        if target.has(AIRBORNE) and not has(weapon, "aa"):
            told = f"{target.label} is not in arc and within {REDUCED.inches('aa_range_in') // UNIT}″ of {unit.label}."
            return Refusal(REDUCED.id, told)
        if countered(target) and any(_would_reach(table, unit, weapon, one, eye) for eye, one in ways):
            told = f"{target.label} has Active Countermeasures: {weapon.name} reaches it at its countered range only."
            return Refusal(ACTIVE.id, told, (ARC_AND_RANGE.id,))
        told = f"{target.label} is not in arc and range of {weapon.name}."
        return Refusal(ARC_AND_RANGE.id, told, _out_of_arc(table, unit, weapon, target))
    if aim(table, shot) is None:
        told = f"{unit.label} has no line of sight to {target.label}."
        return Refusal(SIGHT.id, told, (ARC_AND_RANGE.id, *_hidden_by(table, unit, weapon, target)))
    return None


def _out_of_arc(table: Table, unit: Thing, weapon: Weapon, target: Thing) -> tuple[RuleId, ...]:
    """The rule of its own by which a target is in no arc of a weapon: nobody fires but out through his edge."""
    places = [at for one in aimed_at(table, target, weapon) for at in target_places(table, one)]
    if any(in_weapon_arc(table, unit, weapon, at) for at in places):
        return ()
    return (FROM_AN_EDGE.id if isinstance(unit.place, In) else ARCS.id,)


def _hidden_by(table: Table, unit: Thing, weapon: Weapon, target: Thing) -> tuple[RuleId, ...]:
    """The rule of its own by which a target is not seen: its edge looks the other way, or Solid scenery hides it."""
    ways = [(eye, one) for eye in _eyes(table, unit, weapon) for one in aimed_at(table, target, weapon)]
    facing = [(eye, one) for eye, one in ways if not on_edge(one) or before_edge(table, one, eye.at)]
    if not facing:
        return (FROM_AN_EDGE.id,)
    return (SOLID.id,) if any(hidden_by_scenery(table, one, eye) for eye, one in facing) else ()


def _eyes(table: Table, unit: Thing, weapon: Weapon) -> list[Eye]:
    return eyes(table, unit, raised=has(weapon, "articulated"))


def reach_of(table: Table, unit: Thing, weapon: Weapon, target: Thing, combined: bool = False) -> Reach:
    """How far a weapon reaches: R(C) at a unit with Active Countermeasures, else R(F)."""
    if target.has(AIRBORNE) and combined and not has(weapon, "aa"):
        return REDUCED.inches("aa_range_in")
    return _as_far(table, unit, weapon.range_countered_in if countered(target) else weapon.range_full_in)


def countered(target: Thing) -> bool:
    """Whether a target has Active Countermeasures."""
    return target.kind == "model" and card(target).countermeasures.active


def _as_far(table: Table, unit: Thing, far: Reach) -> Reach:
    """A range as a unit has it where it stands."""
    if isinstance(far, int) and in_garrison(table, unit) and is_kind(unit, "infantry") and _great(table, holder(unit)):
        return far * ATTRITION.number("special", "garrison_range_multiplier")
    return far


def _great(table: Table, garrison: str) -> bool:
    """Whether Infantry shoots further out of a Garrison: one of those of Attrition, or that a battle names."""
    named = str(table.options.get(RANGE_SWITCH, "")).split()
    played = table.options.get(MISSION) == ATTRITION.id.rpartition(".")[2]
    kind = ATTRITION.text_at("garrisons", "piece").replace("_", "-")
    return garrison in named or (played and table[garrison].card == kind)


def reaches(eye: Place, at: Place, far: Reach, flat: bool = False) -> bool:
    """Whether a point is no further than a range; to and from scenery it is measured flat, horizontally."""
    return far == "inf" or (isinstance(far, int) and within(eye, at._replace(z=eye.z) if flat else at, far, FINE))


def in_weapon_arc(table: Table, unit: Thing, weapon: Weapon, at: Place) -> bool:
    """Whether a point lies in a weapon's arc; a unit on an edge fires through any point of it, to its Front."""
    if not isinstance(unit.place, At):
        return "front" in weapon.arc and before_edge(table, unit, at)
    if len(weapon.arc) == len(SECTORS):
        return True
    point = Point(at.x, at.y)
    return unit.place.point == point or any(
        in_arc(unit.place.point, unit.facing, point, *SECTORS[one]) for one in weapon.arc
    )


def aimed_at(table: Table, target: Thing, weapon: Weapon) -> list[Thing]:
    """A target as it may be aimed at: Flame reaches who is in a Garrison as if he stood on any of its edges."""
    if not isinstance(target.place, In) or not has(weapon, "flame"):
        return [target]
    piece = table.ground.piece(target.place.holder)
    return [replace(target, place=In(piece.id, edge_name(number))) for number in range(len(edges(piece)))]


def target_places(table: Table, target: Thing) -> Sequence[Place]:
    """Where a target is measured to: its centre, or the points of its edge."""
    if isinstance(target.place, In):
        return edge_points(table.ground.piece(target.place.holder), target.place.slot)
    return [centre(table, target)]


def in_range_and_arc(
    table: Table, unit: Thing, weapon: Weapon, target: Thing, eye: Eye, combined: bool = False
) -> bool:
    """Whether a target's centre (or edge) is in a weapon's arc and range; one in contact is always in range."""
    far = reach_of(table, unit, weapon, target, combined)
    if isinstance(far, int):
        far += card(target).spread_in
    close = isinstance(unit.place, At) and isinstance(target.place, At) and touching(table, unit, target)
    start, flat = measured_from(table, unit, eye), by_an_edge(unit, target)
    return any(
        (close or reaches(start, at, far, flat)) and in_weapon_arc(table, unit, weapon, at)
        for at in target_places(table, target)
    )


def _would_reach(table: Table, unit: Thing, weapon: Weapon, target: Thing, eye: Eye) -> bool:
    """Whether a weapon would reach a target in its arc that had no Active Countermeasures."""
    far, start = _as_far(table, unit, weapon.range_full_in), measured_from(table, unit, eye)
    flat = by_an_edge(unit, target)
    return any(
        reaches(start, at, far, flat) and in_weapon_arc(table, unit, weapon, at) for at in target_places(table, target)
    )


def by_an_edge(unit: Thing, target: Thing) -> bool:
    """Whether range is measured to or from an edge of a Garrison, which is scenery."""
    return isinstance(unit.place, In) or isinstance(target.place, In)


def measured_from(table: Table, unit: Thing, eye: Eye) -> Place:
    """From where a unit's range is measured: its centre, or the point of its edge; a raised eye only sees further."""
    return centre(table, unit) if isinstance(unit.place, At) else eye.at


def piece_eye(table: Table, unit: Thing, weapon: Weapon, piece: Piece) -> Eye | None:
    """From where a piece of scenery is in sight, arc and range; none where it is from nowhere. It is kept."""
    known = (piece_eye, unit.id, weapon.id, piece.id)
    if known not in table.things_cache:
        table.things_cache[known] = _piece_eye(table, unit, weapon, piece)
    found: Eye | None = table.things_cache[known]
    return found


def _piece_eye(table: Table, unit: Thing, weapon: Weapon, piece: Piece) -> Eye | None:
    far = reach_of(table, unit, weapon, table[piece.id])
    for eye in _eyes(table, unit, weapon):
        start = measured_from(table, unit, eye)
        if isinstance(far, int) and not boxes_meet((start.x, start.y, start.x, start.y), box_of(piece.outline), far):
            continue
        near = (at for at in piece_points(piece) if reaches(start, at, far, flat=True))
        aimed = (at for at in near if in_weapon_arc(table, unit, weapon, at))
        if in_view(eye.at, aimed, in_the_way(table, (unit.unit,), (eye.through, piece.id)).values(), enough=1):
            return eye
    return None


def aim(table: Table, shot: Shot) -> Aim | None:
    """How a shot at a unit would go; none where it is not seen and may not be fired blind. Found once, as `refused`."""
    cache, key = table.things_cache, (aim, shot)
    if key not in cache:
        cache[key] = _aim(table, shot)
    found: Aim | None = cache[key]
    return found


def _aim(table: Table, shot: Shot) -> Aim | None:
    unit, target = table[shot.unit], table[shot.target]
    weapon = weapon_of(unit, shot.weapon)
    if target.kind == "unit":
        return Aim(None, 0, False, False, False)
    if target.kind == "holder":
        return Aim(piece_eye(table, unit, weapon, table.ground.piece(target.id)), 0, False, False, False)
    best: Aim | None = None
    ways = aimed_at(table, target, weapon)
    views = [view for one in ways for view in _views(table, unit, weapon, one, shot)]
    for eye, points in sorted(views, key=lambda one: -one[1]):
        how = _covered(table, unit, target, weapon, eye, points, shot)
        if best is None or _hindrance(how) < _hindrance(best):
            best = how
        if not any(_hindrance(best)):
            break
    if best is None and has(weapon, "indirect"):
        return _covered(table, unit, target, weapon, None, 0, shot)
    return best


def _hindrance(how: Aim) -> tuple[int, bool]:
    """What stands in the way of a shot, to be compared: to hit first, then to damage."""
    hidden, soft = (MODIFIERS.number("modifiers", one) for one in ("hull_down", "soft_cover"))
    return how.hull_down * hidden + how.soft * soft, how.body


def _views(table: Table, unit: Thing, weapon: Weapon, target: Thing, shot: Shot) -> Iterator[tuple[Eye, int]]:
    """From where a target is seen in arc and range, and how much of it; an Indirect weapon also sees by Scouts."""
    for eye in _eyes(table, unit, weapon):
        if in_range_and_arc(table, unit, weapon, target, eye, shot.combined):
            points = seen(table, unit, target, eye)
            if points:
                yield eye, points
    if has(weapon, "indirect"):
        for scout in table.of_kind("model"):
            if scout.side == unit.side and not scout.gone and card(scout).category == "scout":
                for eye in eyes(table, scout):
                    points = seen(table, scout, target, eye)
                    if points:
                        yield eye, points


def _covered(table: Table, unit: Thing, target: Thing, weapon: Weapon, eye: Eye | None, points: int, shot: Shot) -> Aim:
    """What protects a target that so much is seen of; without an eye it is fired at blind, and not Hull Down."""
    soft, body = covers(table, unit, target, eye)
    ignored = {*ignored_cover(acting_on(target, weapon.special)), *shot.ignores}
    large = value_of(card(target).special, "large") is not None
    hull_down = eye is not None and hidden_enough(points) and not large and "hull" not in ignored
    return Aim(
        eye, points, hull_down, soft and "soft" not in ignored, body and "body" not in ignored, blind=eye is None
    )


def ignored_cover(special: Sequence[str]) -> tuple[str, ...]:
    """Which kinds of protection a weapon ignores, by its special rules."""
    found: list[str] = ["soft", "body"] if "flame" in special else []
    for word in special:
        name, _, rest = word.partition("-")
        if name == "cover":
            found += ["soft", "body", "hull"] if rest == "all" else rest.split("-")
    return tuple(found)


def covers(table: Table, unit: Thing, target: Thing, eye: Eye | None) -> tuple[bool, bool]:
    """Whether a target is in, or behind, Soft Cover and Body Cover as seen from a unit, or from a point of its edge."""
    if isinstance(target.place, In):
        piece = table.ground.piece(target.place.holder)
        return has_property(piece, "soft_cover"), has_property(piece, "body_cover")
    if isinstance(unit.place, At):
        return covered_from(table, target, unit.place.point)
    own = eyes(table, unit)
    at = (eye if eye in own else own[len(own) // 2]).at
    return covered_from(table, target, Point(at.x, at.y))


def covered_from(table: Table, target: Thing, start: Point | None) -> tuple[bool, bool]:
    """Whether a unit on the table is in, or behind as seen from a point, Soft Cover and Body Cover."""
    if target.has(AIRBORNE) or (table.options.get(COVER_SWITCH) and not is_kind(target, "infantry")):
        return False, False
    assert isinstance(target.place, At)
    assert target.base is not None
    at, near = target.place.point, SOFT_COVER.inches("behind_in")
    outline = outline_of(target.base, at, target.facing)
    soft, body = False, target.has(DUG_IN)
    for piece in table.ground.pieces:
        gives_soft, gives_body = has_property(piece, "soft_cover"), has_property(piece, "body_cover")
        if not (gives_soft and not soft) and not (gives_body and not body):
            continue
        behind = (
            start is not None
            and gap(outline, piece.outline) <= near
            and meets(piece.outline, start, at, length_between(start, at))
        )
        if inside(piece.outline, at) or behind:
            soft, body = soft or gives_soft, body or gives_body
    return soft, body


# What it needs -----------------------------------------------------------------------------------------------------


class Situation(NamedTuple):
    """A shot with all that modifiers of its number ask for."""

    table: Table
    unit: Thing
    target: Thing
    weapon: Weapon
    shot: Shot
    how: Aim

    @property
    def evasion(self) -> int:
        """How much the target's Evasion Countermeasures add; scenery and squads have none."""
        return evasion(self.target, self.weapon, self.shot.combined) if self.target.kind == "model" else 0


HIT_MODIFIERS: tuple[Modifier[Situation], ...] = (
    Modifier(
        rule=OUT_OF_COHERENCY,
        label="out of coherency",
        value=MODIFIERS.number("modifiers", "out_of_coherency"),
        when=lambda one: not in_coherency(one.table, one.unit.unit),
    ),
    Modifier(
        rule=DISEMBARKING,
        label="disembarked",
        value=MODIFIERS.number("modifiers", "disembarked"),
        when=lambda one: any(mate.has(DISEMBARKED) for mate in one.table.members(one.unit.unit)),
    ),
    Modifier(
        rule=HULL_DOWN,
        label="Hull Down",
        value=MODIFIERS.number("modifiers", "hull_down"),
        when=lambda one: one.how.hull_down,
    ),
    Modifier(
        rule=SOFT_COVER,
        label="Soft Cover",
        value=SOFT_COVER.number("accuracy_penalty"),
        when=lambda one: one.how.soft,
    ),
    Modifier(
        rule=REACTION_FIRE,
        label="Reaction Fire",
        value=REACTION_FIRE.number("accuracy_penalty"),
        when=lambda one: one.shot.reaction,
    ),
    Modifier(rule=GENERIC_DECK, label="Command Card", value=lambda one: one.shot.penalty),
    Modifier(rule=EVASION, label="Evasion", value=lambda one: one.evasion),
)


def to_hit(table: Table, shot: Shot, how: Aim) -> Explanation:
    """The number that each die of a shot must show: Accuracy and all that is added to it."""
    unit, target = table[shot.unit], table[shot.target]
    weapon = weapon_of(unit, shot.weapon)
    if target.kind == "holder":
        base = ExplainedPart("scenery", AT_SCENERY.number("base_accuracy"), AT_SCENERY.id)
    elif how.blind:
        base = ExplainedPart("fired blind", INDIRECT.number("blind_accuracy"), INDIRECT.id)
    else:
        base = ExplainedPart("Accuracy", weapon.accuracy or 0, TO_HIT.id)
    return explain("to hit", base, *parts(HIT_MODIFIERS, "hit", Situation(table, unit, target, weapon, shot, how)))


def evasion(target: Thing, weapon: Weapon, combined: bool = False) -> int:
    """How much Evasion Countermeasures add; AA lowers it, Flame ignores it."""
    if has(weapon, "flame"):
        return 0
    less = anti_air(weapon, combined) if target.has(AIRBORNE) else value_of(weapon.special, "aa")
    return max(0, card(target).countermeasures.evasion - (less or 0))


def scatters(weapon: Weapon, target: Thing) -> bool:
    """Whether a weapon is fired by the rules of Area weapons: at a Behemoth it hits like any other."""
    return has(weapon, "area") and not is_behemoth(target)


def hit_pool(table: Table, shot: Shot, how: Aim) -> Pool:
    """The dice of a shot: miss and hit; for Destroyers a Critical as well, for Area weapons a glance before a hit."""
    unit = table[shot.unit]
    weapon = weapon_of(unit, shot.weapon)
    needs = to_hit(table, shot, how)
    misses, hits = NATURALS.number("hit", "auto_fail"), NATURALS.number("hit", "auto_success")
    destroys = value_of(acting_on(table[shot.target], weapon.special), "destroyer")
    area = scatters(weapon, table[shot.target])

    def sort(face: int) -> int:
        hit = face != misses and (face >= needs.total or face == hits)
        if area:
            return 2 if hit else int(face != misses)
        return 2 if hit and destroys is not None and face >= destroys else int(hit)

    hit = "hit[|s]"
    words = (GLANCE, hit) if area else (hit, "Critical[|s]") if destroys is not None else (hit,)
    return Pool(
        what="hit",
        by=shot.unit,
        count=shots_of(unit, weapon, shot.combined),
        rule=TO_HIT,
        needs=needs,
        classes=tuple(sort(face) for face in FACES),
        words=words,
        citing=tuple(hit_rules(table, shot, how, needs)),
    )


def hit_rules(table: Table, shot: Shot, how: Aim, needs: Explanation) -> Iterator[Rule]:
    """The rules that have a say in a roll to hit beside those that add to the number."""
    target, weapon = table[shot.target], weapon_of(table[shot.unit], shot.weapon)
    if len(needs.parts) > 1:
        yield from (MODIFIERS, PENALTIES)
    if not NATURALS.number("hit", "auto_fail") < needs.total <= NATURALS.number("hit", "auto_success"):
        yield NATURALS
    special = acting_on(target, weapon.special)
    applied = (
        (AREA, scatters(weapon, target)),
        (DESTROYER, value_of(special, "destroyer") is not None),
        (COVER, bool(ignored_cover(special))),
        (TARGETING, is_behemoth(target)),
        (ARCS, isinstance(table[shot.unit].place, At) and len(weapon.arc) < len(SECTORS)),
        (ARTICULATED, has(weapon, "articulated") and how.eye is not None and isinstance(table[shot.unit].place, At)),
    )
    yield from (source for source, applies in applied if applies)
    if target.kind != "model":
        return
    if how.points:
        yield SAMPLING
    if has(weapon, "aa") and (target.has(AIRBORNE) or card(target).countermeasures.evasion):
        yield ANTI_AIR
    if how.points and hidden_enough(how.points) and value_of(card(target).special, "large") is not None:
        yield LARGE
    if table.options.get(COVER_SWITCH) and not is_kind(target, "infantry"):
        yield INFANTRY_COVER
