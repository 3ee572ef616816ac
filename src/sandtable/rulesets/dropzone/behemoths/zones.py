"""The zones of a Behemoth: how much each has lost, what the end of a block does, and when two are gone."""

from collections.abc import Iterable, Mapping, Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Harm, HarmApplied
from sandtable.engine.ids import Side
from sandtable.engine.questions import ChooseOne, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.dropzone.basics import THREES, roll_number
from sandtable.rulesets.dropzone.damage import TAKEN, TAKES, Dealt, Destroyed
from sandtable.rulesets.dropzone.shooting.aiming import THRESHOLDS
from sandtable.rulesets.dropzone.shooting.firing import ZONES
from sandtable.rulesets.dropzone.units import (
    ARMOUR_LOST,
    LOST_WEAPONS,
    MOVE_LOST,
    Zone,
    card,
    is_behemoth,
    lost_weapons,
    value_of,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.choosing import unless_alone
from sandtable.tabletop.states import give

GENERAL = rule("dropzone.behemoths.general")
DESTROYED = rule("dropzone.behemoths.destroyed")
STRUCTURAL = rule("dropzone.special-rules.structural")

NAMES = ZONES.texts("zones")
#: What is counted on a Behemoth for each zone: the points it has lost, and how often it has been Crippled.
LOST, CRIPPLED = "{} damage", "{} crippled"
#: What the shooting player chooses: the weapon that is lost, and the zone that suffers with a Crippled one.
WEAPON_TOPIC, ZONE_TOPIC = "lost-weapon", "other-zone"
#: A state of a Behemoth: two of its zones are gone.
DOOMED = "doomed"


class ZoneLoses(Step, frozen=True):
    """Points are taken off a zone; one that nobody has named is found by a die."""

    unit: str
    zone: str
    points: int
    because: int = 0


class Crippled(Step, frozen=True):
    """A zone is Crippled once."""

    unit: str
    zone: str
    because: int = 0


# What a zone has left -----------------------------------------------------------------------------------------------


def lost_points(unit: Thing, zone: str) -> int:
    """The Damage Points that a zone has lost."""
    return unit.count(LOST.format(zone))


def points_left(unit: Thing, zone: str) -> int:
    """The Damage Points that a zone has left."""
    return card(unit).zones[zone].points - lost_points(unit, zone)


def zones_left(unit: Thing) -> list[str]:
    """The zones of a Behemoth that are not gone."""
    return [zone for zone in card(unit).zones if points_left(unit, zone)]


def beaten(unit: Thing) -> bool:
    """Whether two zones of a Behemoth are gone."""
    return is_behemoth(unit) and len(card(unit).zones) - len(zones_left(unit)) >= DESTROYED.number("zones_gone")


def to_cripple(unit: Thing, zone: str) -> int:
    """How many points a zone must lose until it is Crippled the next time; 0 where it can no more."""
    blocks = unit.count(CRIPPLED.format(zone)) + 1
    stats = card(unit).zones[zone]
    return blocks * stats.points_per_block - lost_points(unit, zone) if blocks <= stats.blocks else 0


def may_end(unit: Thing, losses: Mapping[str, int]) -> bool:
    """Whether two zones are gone after such losses, if the shooting player picks the other zones to that end."""
    lost = {zone: min(lost_points(unit, zone) + losses.get(zone, 0), stats.points) for zone, stats in _zones(unit)}
    worked = {zone: unit.count(CRIPPLED.format(zone)) for zone in lost}
    return _ends(unit, lost, worked)


def _ends(unit: Thing, lost: Mapping[str, int], worked: Mapping[str, int]) -> bool:
    left = [zone for zone, stats in _zones(unit) if lost[zone] < stats.points]
    if len(lost) - len(left) >= DESTROYED.number("zones_gone"):
        return True
    due = [zone for zone, stats in _zones(unit) if lost[zone] // stats.points_per_block > worked[zone]]
    more = THRESHOLDS.number("other_zone_loses")
    return any(
        _ends(unit, {**lost, other: lost[other] + more}, {**worked, zone: worked[zone] + 1})
        for zone in due[:1]
        for other in left
        if other != zone
    )


def _zones(unit: Thing) -> Iterable[tuple[str, Zone]]:
    return card(unit).zones.items()


def weapons_to_lose(unit: Thing) -> list[str]:
    """The weapons that a Behemoth can lose: those it still has, but for Structural ones."""
    return [
        one.id
        for one in card(unit).weapons
        if one.id not in lost_weapons(unit) and value_of(one.special, "structural") is None
    ]


def opponent(table: Table, unit: Thing) -> Side:
    """Who chooses what a Crippled result offers: the side that shoots at a Behemoth, or would."""
    return next(side for side in table.sides if side != unit.side)


# Points come off ----------------------------------------------------------------------------------------------------


def takes(battle: Battle, target: Thing, dealt: Dealt) -> Sequence[Step]:
    """The Damage of a Behemoth goes to one zone."""
    if not is_behemoth(target) or not dealt.points:
        return ()
    return (ZoneLoses(target.id, dealt.hits.zone, dealt.points, dealt.because),)


def random_zone(battle: Battle, unit: Thing, because: int = 0) -> str:
    """A zone by the three-sided die, in the order of the card."""
    number = roll_number(battle, "zone", f"1d{len(THREES)}", unit.id, ZONES, because, NAMES)
    return NAMES[number - 1]


def zone_loses(battle: Battle, step: ZoneLoses) -> Procedure[None]:
    """Take points off a zone, as many as it has; each block that is used up Cripples it once."""
    yield from ()
    unit = battle.table[step.unit]
    if unit.gone or beaten(unit):
        return
    zone = step.zone or random_zone(battle, unit, step.because)
    points = min(step.points, points_left(unit, zone))
    if not points:
        return
    lost = lost_points(unit, zone)
    n = battle.happens(Counted(unit.id, LOST.format(zone), lost, lost + points, rule=ZONES.id, because=step.because))
    battle.happens(
        HarmApplied(unit.id, Harm("damage", points), unit.harm, unit.harm + points, rule=ZONES.id, because=n)
    )
    stats = card(unit).zones[zone]
    times = (lost + points) // stats.points_per_block - unit.count(CRIPPLED.format(zone))
    battle.push(*(Crippled(unit.id, zone, n) for _ in range(times)))


def crippled(battle: Battle, step: Crippled) -> Procedure[None]:
    """Apply a zone's printed effect, and let the shooting player pick another zone, which loses a point.

    dropzone.special-rules.structural    a Structural weapon is not lost
    """
    unit, zone = battle.table[step.unit], step.zone
    if unit.gone or beaten(unit):
        return
    word = CRIPPLED.format(zone)
    n = battle.happens(
        Counted(unit.id, word, unit.count(word), unit.count(word) + 1, rule=THRESHOLDS.id, because=step.because)
    )
    effect = card(unit).zones[zone].crippled
    for kept, change in ((ARMOUR_LOST, effect.get("armour", 0)), (MOVE_LOST, effect.get("move_in", 0))):
        if change:
            before = unit.count(kept)
            battle.happens(Counted(unit.id, kept, before, before - change, rule=THRESHOLDS.id, because=n))
    for _ in range(effect.get("lose_weapons", 0)):
        yield from lose_weapon(battle, battle.table[unit.id], n)
    yield from hurt_another(battle, battle.table[unit.id], zone, n)


def lose_weapon(battle: Battle, unit: Thing, because: int) -> Procedure[None]:
    """A weapon is lost, by the shooting player's choice."""
    able = weapons_to_lose(unit)
    if not able:
        return
    names = {one.id: one.name for one in card(unit).weapons}
    question = ChooseOne(
        opponent(battle.table, unit),
        f"{unit.label} is Crippled: which weapon does it lose?",
        topic=WEAPON_TOPIC,
        about=(unit.id,),
        options=tuple(Option(one, names[one], (unit.id,), (THRESHOLDS.id, STRUCTURAL.id)) for one in able),
        rules=(THRESHOLDS.id, STRUCTURAL.id),
    )
    chosen = yield from unless_alone(question)
    give(battle, unit.id, LOST_WEAPONS, THRESHOLDS, (*lost_weapons(unit), chosen), because=because)


def not_to_lose(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """The rule by which a weapon is not among those that may be lost."""
    unit = view.table[question.about[0]]
    weapon = next((one for one in card(unit).weapons if one.id == answer), None)
    if weapon is None:
        return None
    if answer in lost_weapons(unit):
        return Refusal(THRESHOLDS.id, f"{weapon.name} is lost already.")
    return Refusal(STRUCTURAL.id, f"{weapon.name} is Structural.")


def hurt_another(battle: Battle, unit: Thing, zone: str, because: int) -> Procedure[None]:
    """The shooting player picks another zone, which loses a point."""
    others = [one for one in zones_left(unit) if one != zone]
    if not others:
        return
    question = ChooseOne(
        opponent(battle.table, unit),
        f"{unit.label} is Crippled: which other zone loses a Damage Point?",
        topic=ZONE_TOPIC,
        about=(unit.id,),
        options=tuple(Option(one, one.capitalize(), (unit.id,), (THRESHOLDS.id,)) for one in others),
        rules=(THRESHOLDS.id,),
    )
    chosen = yield from unless_alone(question)
    battle.push(ZoneLoses(unit.id, chosen, THRESHOLDS.number("other_zone_loses"), because))


def two_gone(battle: Battle) -> Sequence[Step]:
    """Who has lost two zones is destroyed."""
    found: list[Step] = []
    for unit in battle.table.models():
        if beaten(unit) and not unit.has(DOOMED):
            n = give(battle, unit.id, DOOMED, DESTROYED)
            found.append(Destroyed(unit.id, because=n))
    return found


def in_play(thing: Thing) -> list[str]:
    """The rules that a Behemoth brings by being there."""
    return [GENERAL.id] if thing.kind == "model" and thing.card and is_behemoth(thing) else []


CHAPTER = Chapter(
    steps={ZoneLoses: zone_loses, Crippled: crippled},
    at=(TAKES(takes), TAKEN(two_gone)),
    in_play=in_play,
    unoffered={WEAPON_TOPIC: not_to_lose},
    states={LOST_WEAPONS: "the weapons a Behemoth has lost", DOOMED: "two zones of a Behemoth are gone"},
    counts={
        **{LOST.format(zone): f"the Damage Points that the {zone} of a Behemoth have lost" for zone in NAMES},
        **{CRIPPLED.format(zone): f"how often the {zone} of a Behemoth have been Crippled" for zone in NAMES},
        ARMOUR_LOST: "how much Armour a Behemoth has lost",
        MOVE_LOST: "how many inches of MV a Behemoth has lost",
    },
    answers={
        WEAPON_TOPIC: "the weapon that a Crippled Behemoth loses",
        ZONE_TOPIC: "the other zone that loses a Damage Point when one is Crippled",
    },
)
