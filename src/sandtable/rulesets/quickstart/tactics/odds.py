"""Quick tables for tactics: what a shot, an assault or a close combat may be expected to do.

Every table is derived from the functions that play: penetration, damage rows, pilot checks. Chances are whole numbers
out of `WHOLE`; values are thousandths of a point of harm.
"""

from functools import lru_cache
from typing import NamedTuple

from sandtable.engine.table import Thing
from sandtable.rulesets.cav.dice import NATURAL_FUMBLE
from sandtable.rulesets.quickstart.close_combat import fighting_parts
from sandtable.rulesets.quickstart.damage import (
    CLOSE_COMBAT_ROWS,
    PILOT_CHECK,
    RANGED_ROWS,
    Row,
    close_combat_row,
    penetrates,
    ranged_index,
    ranged_row,
)
from sandtable.rulesets.quickstart.datacard import Weapon, rating
from sandtable.rulesets.quickstart.dice import TEN_PLUS
from sandtable.rulesets.quickstart.state_names import StateName

#: What all chances are out of: the faces of two dice and of the extra die.
WHOLE = 36 * 6
#: How often two dice show each number.
NATURALS = {natural: 6 - abs(7 - natural) for natural in range(2, 13)}

POINT = 1000  # a point of damage is what everything else is weighed against
KILL = 2500  # a model that is gone neither fires nor is counted
DOWN = 700  # a model on the ground loses an action and is easier to hit
STATE: dict[str, int] = {StateName.SUPPRESSED: 500, StateName.STUNNED: 1200, StateName.DISABLED: 6000}
CRITICAL = 1500  # a roll on the critical damage table


class Outcome(NamedTuple):
    """What may come of one roll: the chance of each number of points, and what its states are worth besides."""

    points: tuple[int, ...]  # chance of 0, 1, 2 … points
    besides: int  # the value of knock-downs, states and criticals, times WHOLE


NOTHING = Outcome((WHOLE,), 0)


def chance_of(needs: int, natural_success: tuple[int, ...] = ()) -> int:
    """The chance, out of 36, that two dice show what is needed after all modifiers; a natural 2 never does.

    >>> chance_of(7), chance_of(1), chance_of(13)
    (21, 35, 0)
    """
    return sum(
        ways
        for natural, ways in NATURALS.items()
        if natural != NATURAL_FUMBLE and (natural >= needs or natural in natural_success)
    )


def ten_plus_chance(modifiers: int) -> int:
    """The chance, out of 36, of a 10+ roll with modifiers."""
    return chance_of(TEN_PLUS.number("target_point") - modifiers, TEN_PLUS.numbers("natural_success_on"))


@lru_cache(maxsize=1024)
def falls(modifier: int) -> int:
    """The chance, out of 36, that a pilot check with a modifier is failed."""
    return 36 - chance_of(PILOT_CHECK.number("target_point") - modifier)


def _besides(row: Row) -> int:
    """What a row does besides points, as a value."""
    value = CRITICAL if row.critical_damage_roll else 0
    value += sum(STATE.get(state, 0) for state in row.states)
    if row.pilot_check is not None:
        value += DOWN * falls(row.pilot_check) // 36
    return value


_ROW_VALUE = {row: _besides(row) for row in (*RANGED_ROWS, *CLOSE_COMBAT_ROWS)}


class Margins:
    """The row of each margin of success; none where armor deflects. Equal only to itself: rows are dear to compare."""

    def __init__(self, rows: tuple[Row | None, ...]) -> None:
        self.rows = rows


def rows_by_margin(shooter: Thing, weapon: Weapon, victim: Thing, smart: str) -> Margins:
    """The row that a hit by each margin of success comes to; none where armor deflects it."""
    barely = penetrates(0, shooter, weapon, victim, smart).total
    key = (barely, rating(victim, "reinforced"))
    found = _ROWS.get(key)
    if found is None:
        excesses = [penetrates(margin, shooter, weapon, victim, smart) for margin in range(24)]
        rows = tuple(ranged_row(ranged_index(one, victim).total) if one.total >= 0 else None for one in excesses)
        found = _ROWS[key] = Margins(rows)
    return found


_ROWS: dict[tuple[int, int], Margins] = {}


@lru_cache(maxsize=4096)
def outcome(margins: Margins, needs: int, critical_from: int, critical_die: bool) -> Outcome:
    """What a combat roll may do, given what the two dice must show after all modifiers."""
    rows = margins.rows
    points: dict[int, int] = {}
    besides = 0
    for natural, ways in NATURALS.items():
        extras = range(1, 7) if critical_die and natural >= critical_from else (0,)
        weight = ways * 6 // len(extras)
        for extra in extras:
            margin = natural + extra - needs
            hit = natural != NATURAL_FUMBLE and margin >= 0
            row = rows[min(margin, len(rows) - 1)] if hit else None
            damage = row.damage if row is not None else 0
            points[damage] = points.get(damage, 0) + weight
            besides += weight * _ROW_VALUE[row] if row is not None else 0
    return Outcome(tuple(points.get(n, 0) for n in range(max(points) + 1)), besides)


@lru_cache(maxsize=8192)
def value_of(outcomes: tuple[Outcome, ...], left: int) -> int:
    """What several rolls against one model are worth, given how many points it has left: points, kill, states."""
    chances = [1.0]
    for one in outcomes:
        after = [0.0] * (len(chances) + len(one.points) - 1)
        for before, chance in enumerate(chances):
            for damage, ways in enumerate(one.points):
                after[before + damage] += chance * ways / WHOLE
        chances = after
    killed = sum(chances[left:])
    value = sum(min(n, left) * chance for n, chance in enumerate(chances)) * POINT + killed * KILL
    return round(value + (1 - killed) * sum(one.besides for one in outcomes) / WHOLE)


@lru_cache(maxsize=4096)
def _fight(ahead: int, rows: tuple[Row, ...], loser_left: int) -> int:
    """What the winner of an opposed roll may do when its modifiers are so much ahead of the loser's."""
    value = 0
    for mine, ways in NATURALS.items():
        for theirs, others in NATURALS.items():
            margin = mine - theirs + ahead
            if margin >= 0:
                row = rows[min(margin, len(rows) - 1)]
                damage = row.damage_both if margin == 0 else row.damage_loser
                gain = min(damage, loser_left) * POINT + (KILL if damage >= loser_left else _ROW_VALUE[row])
                value += ways * others * gain
    return value // (36 * 36)


def close_combat_worth(attacker: Thing, defender: Thing) -> tuple[int, int]:
    """What a close-combat assault may do to the defender, and what to the attacker."""
    mine = sum(part.value for part in fighting_parts(attacker, defender, attacking=True))
    theirs = sum(part.value for part in fighting_parts(defender, attacker, attacking=False))
    to_them = (CLOSE_COMBAT_ROWS[0], *(close_combat_row(margin, defender) for margin in range(1, 16)))
    to_me = (CLOSE_COMBAT_ROWS[0], *(close_combat_row(margin, attacker) for margin in range(1, 16)))
    gain = _fight(mine - theirs, to_them, defender.track - defender.harm)
    return gain, _fight(theirs - mine, to_me, attacker.track - attacker.harm)
