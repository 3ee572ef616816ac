"""What weapons may be expected to do, by the Combat Rolls and the damage table of play, in thousandths of a point."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.ids import Side
from sandtable.engine.shapes import Point
from sandtable.engine.table import Mark, Table, Thing
from sandtable.rulesets.cav.damage import Row
from sandtable.rulesets.strikeops.attributes import OVERDRIVE
from sandtable.rulesets.strikeops.command import inspire
from sandtable.rulesets.strikeops.damage import in_play, row_of_hit
from sandtable.rulesets.strikeops.datacard import is_cav, is_infantry, stats, weapons
from sandtable.rulesets.strikeops.shooting.aiming import BANDS, Aim, Attack, aim, band_of, fires, is_indirect, smallest
from sandtable.rulesets.strikeops.shooting.rolling import combat_check
from sandtable.rulesets.strikeops.sight import distance, line_of_sight
from sandtable.rulesets.strikeops.state_names import StateName
from sandtable.tabletop.checks import Check
from sandtable.tabletop.opponent import kept, share_of_price

#: What a point of Threat Value is worth in thousandths of a point of harm, and a damage point in its thousandths.
THREAT, POINT = 10, 1000
#: What else a hit brings, as damage points in thousandths: a CAV that may fall, a crew that is shaken, a critical.
FALL, SHAKEN, CRITICAL = 250, 250, 800
#: What a C3 point is kept for, at least: a use that brings less is none.
KEPT = 300
#: Chances are counted in so many parts.
WHOLE = 1_000_000


class Volley(NamedTuple):
    """An attack that might be made, and the damage it may be expected to do."""

    target: str
    weapons: tuple[str, ...]
    overdrive: bool = False
    points: int = 0
    salvo: bool = False
    point: Point | None = None  # of indirect fire: where it is aimed
    more: int = 0  # what it does to others whom it catches, friends against it


@dataclass(frozen=True)
class _Roll:
    """All of a Combat Roll that decides how likely its margins are; equal ones are let fall once."""

    dice: str
    keep: int
    needs: int
    added: int
    grows: tuple[int, ...]
    more: str  # a die that is added
    check: Check = field(compare=False)


def _roll(check: Check) -> _Roll:
    extra = check.reading.extra
    grows = () if extra is None else tuple(extra.naturals)
    more = "" if check.added_die is None else check.added_die.dice
    return _Roll(check.dice, check.keep, check.target, sum([one.value for one in check.modifiers]), grows, more, check)


def margins(check: Check) -> tuple[tuple[int, int], ...]:
    """How likely a roll succeeds by each margin, in parts of a whole."""
    return _margins(_roll(check))


@lru_cache(maxsize=1024)
def _margins(roll: _Roll) -> tuple[tuple[int, int], ...]:
    """How likely a Combat Roll hits by each margin, in millionths."""
    falls = roll.check.chances(lambda fall: fall.margin if fall.succeeds else None)
    return tuple((margin, int(chance * WHOLE)) for margin, chance in falls.items() if isinstance(margin, int))


def _worth_of_row(row: Row | None, factor: int, walks: bool) -> int:
    if row is None:
        return 0
    falls = FALL if walks and row.pilot_check is not None else 0
    return row.damage * factor * POINT + falls + SHAKEN * len(row.states) + CRITICAL * row.critical_damage_roll


def price(model: Thing) -> int:
    """What a model is worth that is whole."""
    return stats(model).threat_value * THREAT


def value(target: Thing, points: int, before: int = 0) -> int:
    """What so many thousandths of a damage point off a target are worth after others; the last points count most."""
    left = POINT * max(1, target.track - target.harm)
    return share_of_price(points, before, left, target.track, price(target))


class Guns:
    """What can be said of fire among the models of a table, whoever of them is only thought to be elsewhere."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._rows: dict[tuple[str, str, str, int, int], int] = {}

    def hurt(self, there: Table, attack: Attack, name: str, inspired: bool = False) -> int:
        """What one weapon of an attack may be expected to do, on a table as it might be."""
        aimed = aim(there, attack, name)
        if not isinstance(aimed, Aim):
            return 0
        shooter, foe = there[attack.shooter], there[attack.target]
        weapon = weapons(shooter)[name].weapon
        overdriven = attack.overdrive and weapon.has("overdrive")
        factor = OVERDRIVE.number("damage_multiplier") if overdriven else 1
        return self.struck(inspire(combat_check(shooter, foe, weapon, aimed), inspired), name, foe, factor)

    def struck(self, check: Check, name: str, foe: Thing, factor: int = 1) -> int:
        """What the hits of a Combat Roll with a weapon may be expected to do."""
        total, walks, shooter = 0, is_cav(foe), self.table[check.by]
        for margin, chance in margins(check):
            key = (shooter.id, name, foe.id, margin, factor)
            worth = self._rows.get(key)
            if worth is None:
                hit = row_of_hit(margin, shooter, weapons(shooter)[name].weapon, self.table[foe.id])
                worth = self._rows[key] = _worth_of_row(hit, factor, walks)
            total += chance * worth
        return total // WHOLE

    def volley(
        self,
        there: Table,
        shooter: Thing,
        foe: Thing,
        *,
        running: bool = False,
        defensive: bool = False,
        quick: bool = False,
    ) -> Volley:
        """The best volley of a model at another: with all weapons that reach, or with those alone that reach best.

        strikeops.shooting.mixed-weapon-types    those that reach worst hold back the others; a quick look fires all
        """
        nothing = Volley(foe.id, ())
        away, able = distance(shooter, foe), {}
        for name, system in weapons(shooter).items():
            band = None if is_indirect(system.weapon) else band_of(system.weapon, away)
            if band is not None and fires(there, Attack(shooter.id, foe.id, (name,)), name) is None:
                able[name] = band
        if not able or line_of_sight(there, shooter, foe).blocked:
            return nothing
        drives = [name for name in able if weapons(shooter)[name].weapon.has("overdrive") and not defensive]
        best = nothing
        for fired in (tuple(able),) if quick else _sets(able, running):
            overdrive = any(name in drives for name in fired)
            attack = Attack(shooter.id, foe.id, fired, overdrive, running=running, defensive=defensive)
            alike: dict[str, int] = {}
            for name in fired:
                kind = weapons(shooter)[name].weapon.id
                if kind not in alike:
                    alike[kind] = self.hurt(there, attack, name)
            points = sum([alike[weapons(shooter)[name].weapon.id] for name in fired])
            if points > best.points:
                best = Volley(foe.id, fired, overdrive, points)
        if quick or running or defensive or is_infantry(shooter):
            return best
        return max(best, self._salvo(there, shooter, foe, able), key=lambda one: one.points)

    def _salvo(self, there: Table, shooter: Thing, foe: Thing, able: Iterable[str]) -> Volley:
        """The best salvo: one roll for all weapons of a type, the surer the more they are."""
        best, types = Volley(foe.id, ()), dict[str, list[str]]()
        for name in able:
            types.setdefault(weapons(shooter)[name].weapon.family, []).append(name)
        for fired in types.values():
            if len(fired) > 1:
                attack = Attack(shooter.id, foe.id, tuple(fired), salvo=True)
                points = self.hurt(there, attack, smallest(shooter, fired))
                best = max(best, Volley(foe.id, attack.weapons, False, points, salvo=True), key=lambda one: one.points)
        return best

    def volleys(self, there: Table, shooter: Thing, foes: Sequence[Thing], running: bool = False) -> list[Volley]:
        """The best volley at each of some enemies, where it would do anything."""
        found = (self.volley(there, shooter, there[foe.id], running=running) for foe in foes)
        return [one for one in found if one.points]


def _sets(reach: dict[str, str], running: bool) -> Iterator[tuple[str, ...]]:
    """The weapons that are worth firing together: those of one reach or better; in a run also each alone."""
    bands = sorted(dict.fromkeys(reach.values()), key=_ORDER.index)
    found = {tuple(name for name in reach if _ORDER.index(reach[name]) <= _ORDER.index(band)): None for band in bands}
    if running:
        found |= {(name,): None for name in reach}
    yield from found


#: The bands from the nearest on.
_ORDER = tuple(BANDS.counted("band_end_in_multiples_of_rng"))


def guns(table: Table) -> Guns:
    """What can be said of fire on a table, kept as long as nobody stirs."""
    return kept(table, "guns", lambda: Guns(table))


def thought(table: Table, model: Thing, states: dict[StateName, str | None], **changes: object) -> Table:
    """The table with a model as it might be: in some states, out of others, perhaps elsewhere."""
    there = table.copy()
    left = {name: mark for name, mark in model.states.items() if name not in states}
    given = {str(name): Mark(said) for name, said in states.items() if said is not None}
    there.things[model.id] = replace(model, states={**left, **given}, **changes)
    return there


def fighters(table: Table, side: Side) -> list[Thing]:
    """The models of all others that can still fight."""
    return [one for one in table.enemies_of(side) if in_play(one)]
