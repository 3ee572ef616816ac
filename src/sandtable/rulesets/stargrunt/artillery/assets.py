"""Support assets: what a scenario grants, how hard it is to get, and where it may be told to fall."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Annotated

import msgspec

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Placed
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import At, Disc, Off, Point, Spot
from sandtable.engine.table import Mark, Table, Thing
from sandtable.field.walking.encounters import over_edge
from sandtable.forces.ledger import citing, rule
from sandtable.rulesets.stargrunt.communications import between_levels, command_level
from sandtable.rulesets.stargrunt.confidence.nerve import SUPPORT
from sandtable.rulesets.stargrunt.cover.protection import SMOKE, figure_seen
from sandtable.rulesets.stargrunt.dice.rolls import plain_roll, shifted_die, trial
from sandtable.rulesets.stargrunt.forces.cards import SCHEMA, kit
from sandtable.rulesets.stargrunt.turn import order
from sandtable.rulesets.stargrunt.units.record import COMMAND, enemies, leadership_part, mean, points, spot, standing
from sandtable.tabletop.checks import Check

REQUEST = rule("stargrunt.artillery.request")
TARGET_NUMBER = rule("stargrunt.artillery.request-target-number")
CHITS = rule("stargrunt.artillery.request-chits")
ASSETS = rule("stargrunt.artillery.assets")
AIM = rule("stargrunt.artillery.aim-point")
INBOUND = rule("stargrunt.artillery.inbound")
RADIUS = rule("stargrunt.artillery.burst-radius")
WARHEADS = rule("stargrunt.artillery.warheads")
AIR_ARRIVES = rule("stargrunt.aerospace.air-support-arrives")
EXAMPLES = rule("stargrunt.forces.support-assets")

#: The card of a marker that shows where fire may fall.
IMPACT_MARKER = "impact"
#: What is counted: request chits of a side, missions that an asset has left.
CHIT, MISSIONS = "support requests", "missions"
#: What is known of a mission under way: its box on the inbound chart, who called it, with what, how many rounds.
BOX, CALLER, WARHEAD, ROUNDS, MARKERS = order.INBOUND, "called by", "warhead", "rounds", "markers"
#: Which of the markers is the real one; its owner alone knows until the mission arrives.
REAL = "real"
#: The figure that is the specialist of each kind of support.
SPECIALISTS = {"artillery": "forward_observer", "orbital": "orbital_liaison", "air": "air_liaison"}
_LADDER = COMMAND.texts("ladder")

for _role in SPECIALISTS.values():
    SCHEMA.text_at("roles", _role)


# Assets ------------------------------------------------------------------------------------------------------------


#: As many missions, weapons, boxes or bombs as one asset may have.
Few = Annotated[int, msgspec.Meta(ge=0, le=99)]


class Asset(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a scenario grants a side: a battery, a ship overhead, a craft on call."""

    name: str
    kind: str
    command_level: str
    missions: Few
    delivery: str = ""
    weapons: Few = 1
    warheads: tuple[str, ...] = ()
    vehicle: str = ""
    inbound_box: Few = 0
    bombs: Few = 0


@lru_cache(maxsize=64)
def asset_of(words: str) -> Asset:
    """An asset by its name in the ledger, and what a scenario says differently of it.

    >>> asset_of("company_mortars").delivery, asset_of("company_mortars delivery=medium weapons=2").weapons
    ('small', 2)
    """
    name, *changes = words.split()
    name = name.replace("-", "_")
    row = EXAMPLES.at(name)
    given: dict[str, object] = {
        "name": name,
        "kind": row.text_at("kind"),
        "command_level": row.text_at("command_level"),
        "missions": row.number("missions"),
    }
    if row.has("vehicle"):
        given |= {"vehicle": row.text_at("vehicle")}
        given |= {"inbound_box": row.number("inbound_box")} if row.has("inbound_box") else {}
    else:
        given |= {
            "delivery": row.text_at("delivery"),
            "weapons": row.number("weapons"),
            "warheads": row.texts("warheads"),
        }
    for change in changes:
        key, _, value = change.partition("=")
        given[key] = int(value) if value.isdigit() else tuple(value.split("+")) if key == "warheads" else value
    return msgspec.convert(given, Asset)


def asset(thing: Thing) -> Asset:
    """The data of an asset of a side."""
    return asset_of(str(thing.value(SUPPORT)))


def assets(table: Table, side: Side) -> list[Thing]:
    """The support assets of a side, used up or not."""
    return [one for one in table.of_kind("marker") if one.card == SUPPORT and one.side == side]


def under_way(thing: Thing) -> bool:
    """Whether an asset has a mission on the inbound chart."""
    return thing.has(BOX)


def box_of(one: Asset) -> int:
    """The box of the inbound chart in which a mission of an asset starts (stargrunt.artillery.inbound).

    >>> box_of(asset_of("company_mortars")), box_of(asset_of("orbital_strike"))
    (1, 3)
    """
    if one.kind == "orbital":
        return INBOUND.number("orbital")
    if one.vehicle:
        return one.inbound_box or AIR_ARRIVES.number("default_box")
    return INBOUND.number(one.command_level)


def warheads(table: Table, one: Asset) -> tuple[str, ...]:
    """The warheads a battery may fire: those of its data, and smoke where it is played."""
    return (*one.warheads, SMOKE) if table.options.get(SMOKE) else one.warheads


def dispersed(warhead: str) -> int:
    """The Impact Die of a warhead against figures (stargrunt.artillery.warheads)."""
    return WARHEADS.number(warhead, "dispersed")


def point(warhead: str) -> tuple[int, int]:
    """The Impact Die of a warhead against a point target, and what it is multiplied by."""
    return WARHEADS.number(warhead, "point", "die"), WARHEADS.number(warhead, "point", "multiplier")


# Requests ----------------------------------------------------------------------------------------------------------


def specialists(table: Table, unit: Thing, kind: str) -> list[Thing]:
    """The OK figures of a unit that are dedicated to a kind of support."""
    return [one for one in standing(table, unit.id) if kit(one).role == SPECIALISTS[kind]]


def levels_bypassed(table: Table, unit: Thing, one: Asset) -> int:
    """How many command levels lie between a unit and an asset: all above the force's highest, below it those it has.

    stargrunt.units.command-levels    levels above the force's highest exist off the table
    """
    own = [command_level(other) for other in table.of_kind("unit") if other.side == unit.side]
    top = max(own)
    low, high = command_level(unit), _LADDER.index(one.command_level)
    return sum(1 for level in between_levels(low, high) if level > top or level in own)


def request_die(table: Table, unit: Thing, thing: Thing, chits: int) -> tuple[int, tuple[ExplainedPart, ...]]:
    """The die of a support request, and why it is that die.

    stargrunt.artillery.request    down for levels bypassed, unless a specialist calls; up for chits
    """
    one = asset(thing)
    skipped = 0 if specialists(table, unit, one.kind) else levels_bypassed(table, unit, one)
    return shifted_die(
        *("request", REQUEST.number("die"), REQUEST),
        ExplainedPart("levels bypassed", skipped * REQUEST.number("shift_per_level_bypassed"), COMMAND.id),
        ExplainedPart("chits spent", chits * REQUEST.number("shift_per_chit"), CHITS.id),
    )


def request_target(table: Table, unit: Thing, thing: Thing) -> tuple[ExplainedPart, ...]:
    """What a support request has to exceed: LV and the number of its kind (…request-target-number)."""
    kind = asset(thing).kind
    known = bool(specialists(table, unit, kind))
    words = SPECIALISTS[kind].replace("_", " ")
    label = f"{kind}, with {words}" if known else f"{kind}, no {words}"
    more = TARGET_NUMBER.number(kind, "specialist" if known else "other")
    return leadership_part(unit), ExplainedPart(label, more, TARGET_NUMBER.id)


def requesting(table: Table, unit: Thing, thing: Thing, chits: int) -> Check:
    """What a support request with so many chits takes."""
    die, parts = request_die(table, unit, thing, chits)
    target = request_target(table, unit, thing)
    return trial("support request", unit.id, die, target, REQUEST, parts, (TARGET_NUMBER,))


def chits_of(table: Table, side: Side) -> int:
    """How many support request chits a side has left."""
    thing = table.things.get(side)
    return thing.count(CHIT) if thing is not None else 0


# The aim point -----------------------------------------------------------------------------------------------------


def in_sight_of(table: Table, unit: str, at: Point) -> bool:
    """Whether an OK figure of a unit sees a point of the table."""
    return any(figure_seen(table.ground, spot(one), at) for one in standing(table, unit))


def refused_aim(table: Table, unit: Thing, spots: dict[str, Spot]) -> Refusal | None:
    """Why impact markers may not be laid so: on the table, in line of sight of the caller."""
    for put in spots.values():
        if not isinstance(put.where, At) or put.where.level or over_edge(Disc(put.where.point, 0), table.ground):
            return Refusal(AIM.id, "Choose points on the table.")
        if not in_sight_of(table, unit.id, put.where.point):
            return Refusal(AIM.id, f"{unit.label} does not see that point.")
    return None


def in_view(table: Table, unit: Thing) -> list[Point]:
    """Points that a unit may aim at: where it sees enemies, nearest first; else where it stands, if not in smoke."""
    here = points(table, unit.id)
    x, y = mean(here)
    seen = []
    for foe in enemies(table, unit.side):
        u, v = mean(points(table, foe.id))
        at = Point(int(u), int(v))
        if in_sight_of(table, unit.id, at):
            seen.append(((x - u) ** 2 + (y - v) ** 2, at))
    return [at for _, at in sorted(seen)] or [at for at in here if in_sight_of(table, unit.id, at)][:1]


def markers_of(thing: Thing) -> tuple[str, ...]:
    """The names of the impact markers of an asset's next mission: the real one is any of them."""
    return tuple(f"{thing.id}-{thing.count(MISSIONS)}{letter}" for letter in "abcdefgh"[: 1 + AIM.number("dummies")])


def made_asset(side: Side, words: str, number: int) -> Thing:
    """An asset as it comes into the battle."""
    one = asset_of(words)
    return Thing(
        id=ThingId(f"{side}-{one.name.replace('_', '-')}" + (f"-{number}" if number > 1 else "")),
        kind="marker",
        side=side,
        label=one.name.replace("_", " "),
        card=SUPPORT,
        place=Off("off the table"),
        states={SUPPORT: Mark(words)},
        counts={MISSIONS: one.missions},
    )


def bring_support(battle: Battle, side: Side, granted: Sequence[str], chits: int | None) -> None:
    """Give a side the support that the scenario lists, and its request chits: those it says, or the roll of a die.

    stargrunt.artillery.request-chits    D6 if support is there and nothing is said
    """
    for n, words in enumerate(granted):
        made = made_asset(side, words, 1 + [asset_of(one).name for one in granted[:n]].count(asset_of(words).name))
        told = citing(EXAMPLES)
        battle.happens(Placed(made.id, made.place, made=made, rule=ASSETS.id, detail=told))
    if chits is None and granted:
        chits, n = plain_roll(battle, "support requests", side, CHITS.text_at("default"), CHITS)
    if chits:
        battle.happens(Counted(side, CHIT, 0, chits, rule=CHITS.id))
