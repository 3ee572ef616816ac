"""Gunnery for tactics: what a model's weapons may be expected to do at a distance, with cover, with a lock.

Everything is worked out by the functions that play, once for each kind of shooter, victim, distance and cover, and
kept: a distance counts by which limits of range it lies between.
"""

from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.questions import Refusal
from sandtable.engine.table import Mark, Thing
from sandtable.rulesets.cav.dice import NATURAL_CRITICAL
from sandtable.rulesets.quickstart.attributes import AS_PRINTED, SMART
from sandtable.rulesets.quickstart.combat import SECONDARY, target_modifiers
from sandtable.rulesets.quickstart.indirect import SECONDARY_ROLL
from sandtable.rulesets.quickstart.shooting.direct_fire import (
    DIRECT,
    RUNNING,
    SALVO_FIRE,
    Shot,
    band_or_refusal,
    critical_of,
    is_indirect,
    is_missile,
    may_fire_at,
    modifiers_of,
    target_point,
    turning_points,
    working_weapons,
)
from sandtable.rulesets.quickstart.sight import TWISTED
from sandtable.rulesets.quickstart.state_names import CountName, StateName
from sandtable.rulesets.quickstart.tactics.odds import Outcome, outcome, rows_by_margin, value_of


class Attack(NamedTuple):
    """An assault: with which weapons, as a salvo or not, and what it is worth."""

    worth: int
    weapons: tuple[str, ...] = ()
    salvo: bool = False


NO_ATTACK = Attack(0)


#: States that come and go without a change to how a model shoots or is shot at.
_IDLE = frozenset(
    (
        StateName.ACTIVATED,
        StateName.TARGET_LOCK,
        StateName.DEFENDED,
        StateName.FIRED_FROM_OVER_WATCH,
        StateName.OVER_WATCH,
        StateName.STRIKE_POINT,
        TWISTED,
    )
)


def gunner_of(model: Thing) -> "Gunner":
    """A model and its weapons as they are now; models that are alike in that share one."""
    states = model.states
    marks = tuple([(name, states[name].value) for name in states if name not in _IDLE]) if states else ()
    counts = model.counts
    worn = (
        counts.get(CountName.WEAPONS_DAMAGED),
        counts.get(CountName.TARGETING_DAMAGED),
        counts.get(CountName.WEAPONS_CRIPPLED),
    )
    key = (model.card, model.track, model.harm, worn, marks)
    found = _GUNNERS.get(key)
    if found is None:
        found = _GUNNERS[key] = Gunner(model)
    return found


_GUNNERS: dict[tuple[object, ...], "Gunner"] = {}


class Gunner:
    """A model and its weapons as they are now, or any like it."""

    def __init__(self, model: Thing) -> None:
        self.model = model
        self.weapons = working_weapons(model)
        self.left = model.track - model.harm
        self.limits = sorted({0, *(limit for weapon in self.weapons.values() for limit in turning_points(weapon))})
        self.straight = [n for n, w in self.weapons.items() if not is_indirect(w) and not is_missile(w)]
        self.kinds = list({self.weapons[name]: name for name in self.straight}.items())  # two alike roll alike
        self.missiles = [n for n, w in self.weapons.items() if is_missile(w)]

    def _as_far(self, gap: int) -> int:
        """The farthest distance at which it fires as at this one."""
        n = bisect_left(self.limits, gap)
        return self.limits[n] if n < len(self.limits) else self.limits[-1] + 1

    def attacks(self, foe: "Gunner", gap: int, cover: int, standing: int, blocked: bool) -> tuple[Attack, Attack]:
        """The best assaults on a foe without a lock and with one, given the cover it has and what it stands in."""
        return _attacks(self, foe, self._as_far(gap), cover, standing, blocked)

    def reply(self, foe: "Gunner", gap: int, cover: int, sub_type: str, lock: bool = False) -> int:
        """What its straight-firing weapons are worth against a foe it sees."""
        return _volley(self, foe, self._as_far(gap), cover, sub_type, len(self.straight), lock)

    def on_the_run(self, foe: "Gunner", gap: int, cover: int) -> Attack:
        """The best assault in a run 'n gun: every weapon fired makes it harder for all of them."""
        far, best = self._as_far(gap), NO_ATTACK
        for count in range(1, len(self.straight) + 1):
            worth = _volley(self, foe, far, cover, RUNNING, count, False)
            if worth > best.worth:
                best = Attack(worth, tuple(self.straight[:count]))
        return best

    def lobbed(self, name: str, foe: "Gunner") -> int:
        """What an indirect weapon is worth where it lands on a foe, at best and without cover: a quick look."""
        return _lobbed(self, name, foe)

    def roll(
        self, foe: "Gunner", name: str, gap: int, cover: int, sub_type: str, fired: int, lock: bool
    ) -> Outcome | None:
        """What one weapon (or a salvo) may do to a foe; none where it cannot be fired so."""
        weapon = self.weapons[name]
        volley = (name,) * (fired if sub_type == SALVO_FIRE else 1)
        shot = Shot(self.model.id, foe.model.id, volley, DIRECT, sub_type, fired)
        if may_fire_at(self.model, weapon, foe.model, DIRECT, foe.model.id if lock else "") is not None:
            return None
        band = band_or_refusal(weapon, gap, shot)
        if isinstance(band, Refusal):
            return None
        states = {name: mark for name, mark in self.model.states.items() if name != StateName.TARGET_LOCK}
        if lock:
            states[StateName.TARGET_LOCK] = Mark(foe.model.id)
        who = replace(self.model, states=states)
        added = sum(part.value for part in modifiers_of(who, foe.model, shot, gap, ()))
        rows = rows_by_margin(self.model, weapon, foe.model, AS_PRINTED)
        return outcome(rows, target_point(weapon, band).total - added - cover, *critical_of(weapon, sub_type))


@lru_cache(maxsize=1 << 14)
def _volley(gunner: Gunner, foe: Gunner, gap: int, cover: int, sub_type: str, count: int, lock: bool) -> int:
    """What so many straight-firing weapons are worth."""
    rolls = [gunner.roll(foe, name, gap, cover, sub_type, count, lock) for name in gunner.straight[:count]]
    return value_of(tuple(one for one in rolls if one is not None), foe.left)


@lru_cache(maxsize=1 << 12)
def _lobbed(gunner: Gunner, name: str, foe: Gunner) -> int:
    needs = SECONDARY_ROLL.number("target_point")
    needs -= sum(part.value for part in target_modifiers(foe.model, SECONDARY))
    rows = [rows_by_margin(gunner.model, gunner.weapons[name], foe.model, smart) for smart in (AS_PRINTED, *SMART)]
    return max(value_of((outcome(one, needs, NATURAL_CRITICAL, True),), foe.left) for one in rows)


@lru_cache(maxsize=1 << 14)
def _attacks(gunner: Gunner, foe: Gunner, gap: int, cover: int, standing: int, blocked: bool) -> tuple[Attack, Attack]:
    """The best assaults without a lock and with one."""
    plain, locked = (_attack(gunner, foe, gap, cover, standing, blocked, lock) for lock in (False, True))
    return plain, locked


def _attack(gunner: Gunner, foe: Gunner, gap: int, cover: int, standing: int, blocked: bool, lock: bool) -> Attack:
    missiles = [(name, gunner.roll(foe, name, gap, standing, "", 1, lock)) for name in gunner.missiles if lock]
    straight = [] if blocked else gunner.straight
    rolls = {weapon: gunner.roll(foe, name, gap, cover, "", 1, lock) for weapon, name in gunner.kinds if straight}
    guns = [(name, rolls[gunner.weapons[name]]) for name in straight]
    both = [(name, one) for name, one in (*guns, *missiles) if one is not None]
    best = NO_ATTACK
    if both:
        best = Attack(value_of(tuple(one for _, one in both), foe.left), tuple(name for name, _ in both))
    able = [name for name, one in guns if one is not None]
    alike = tuple(name for name in able if gunner.weapons[name] == gunner.weapons[able[0]])
    if len(alike) > 1:
        one = gunner.roll(foe, alike[0], gap, cover, SALVO_FIRE, len(alike), lock)
        if one is not None and value_of((one,), foe.left) > best.worth:
            best = Attack(value_of((one,), foe.left), alike, True)
    return best
