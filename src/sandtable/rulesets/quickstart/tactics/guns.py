"""Gunnery for tactics: what a model's weapons may be expected to do at a distance, with cover, with a lock.

Everything is worked out by the functions that play, once for each kind of shooter, victim, distance and cover, and
kept: a distance counts by which limits of range it lies between.
"""

from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Mark, Thing
from sandtable.rulesets.cav.dice import NATURAL_CRITICAL
from sandtable.rulesets.quickstart.attributes import AS_PRINTED, SMART
from sandtable.rulesets.quickstart.combat import DIRECT_PRIMARY, SECONDARY, own_modifiers, target_modifiers
from sandtable.rulesets.quickstart.datacard import Weapon
from sandtable.rulesets.quickstart.indirect import SECONDARY_ROLL
from sandtable.rulesets.quickstart.shooting.direct_fire import (
    DIRECT,
    POINT_BLANK,
    RUNNING,
    SALVO_FIRE,
    TARGET_POINTS,
    Shot,
    band_or_refusal,
    critical_of,
    is_indirect,
    is_missile,
    may_fire_at,
    modifiers_of,
    target_point,
    working_weapons,
)
from sandtable.rulesets.quickstart.sight import TWISTED
from sandtable.rulesets.quickstart.state_names import CountName, StateName
from sandtable.rulesets.quickstart.tactics.odds import Margins, Outcome, outcome, rows_by_margin, value_of

_MULTIPLES = tuple(band.number("up_to_multiple_of_rng") for band in TARGET_POINTS.table("bands").values())


class Attack(NamedTuple):
    """An assault: with which weapons, as a salvo or not, and what it is worth."""

    worth: int
    weapons: tuple[str, ...] = ()
    salvo: bool = False


NO_ATTACK = Attack(0)

_Kind = tuple[object, ...]


def _number_of(kind: _Kind) -> int:
    """A number for each kind of model, for kinds are dear to compare."""
    return _NUMBERS.setdefault(kind, len(_NUMBERS))


_NUMBERS: dict[_Kind, int] = {}


@lru_cache(maxsize=256)
def _limits(carried: tuple[Weapon, ...]) -> tuple[int, ...]:
    """The distances at which something changes for some weapons."""
    found = {POINT_BLANK.inches("distance_in")}
    for weapon in carried:
        found.add(weapon.minimum_range * UNIT)
        found.update(multiple * weapon.range * UNIT for multiple in _MULTIPLES)
    return tuple(sorted(found))


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


_GUNNERS: dict[_Kind, "Gunner"] = {}


class Gunner:
    """A model and its weapons as they are now, or any like it."""

    def __init__(self, model: Thing) -> None:
        self.model = model
        self.weapons = working_weapons(model)
        self.left = model.track - model.harm
        self.limits = _limits(tuple(self.weapons.values()))
        own = (model.card, *(part.value for part in own_modifiers(model, DIRECT_PRIMARY)))
        against = (model.card, *(part.value for part in target_modifiers(model, DIRECT_PRIMARY)))
        crippled = model.count(CountName.WEAPONS_CRIPPLED)
        self.own, self.against = _number_of(("own", *own)), _number_of(("against", *against))
        self.as_shooter = _number_of(("shooter", self.own, model.harm, crippled, *self.weapons))
        self.as_victim = _number_of(("victim", self.against, model.harm))
        self.straight = [n for n, w in self.weapons.items() if not is_indirect(w) and not is_missile(w)]
        self._kinds = list({self.weapons[name]: name for name in self.straight}.items())  # two alike roll alike
        self.missiles = [n for n, w in self.weapons.items() if is_missile(w)]

    def attacks(self, foe: "Gunner", gap: int, cover: int, standing: int, blocked: bool) -> tuple[Attack, Attack]:
        """The best assaults on a foe without a lock and with one, given the cover it has and what it stands in."""
        key = (self.as_shooter, foe.as_victim, bisect_left(self.limits, gap), cover, standing, blocked)
        found = _ATTACKS.get(key)
        if found is None:
            plain = self._attack(foe, gap, cover, standing, blocked, False)
            locked = self._attack(foe, gap, cover, standing, blocked, True)
            found = _ATTACKS[key] = (plain, locked)
        return found

    def reply(self, foe: "Gunner", gap: int, cover: int, sub_type: str, lock: bool = False) -> int:
        """What its straight-firing weapons are worth against a foe it sees."""
        key = (self.as_shooter, foe.as_victim, bisect_left(self.limits, gap), cover, sub_type, lock)
        found = _REPLIES.get(key)
        if found is None:
            count = len(self.straight)
            rolls = [self.roll(foe, name, gap, cover, sub_type, count, lock) for name in self.straight]
            found = _REPLIES[key] = value_of(tuple(one for one in rolls if one is not None), foe.left)
        return found

    def on_the_run(self, foe: "Gunner", gap: int, cover: int) -> Attack:
        """The best assault in a run 'n gun: every weapon fired makes it harder for all of them."""
        key = (self.as_shooter, foe.as_victim, bisect_left(self.limits, gap), cover)
        found = _RUNS.get(key)
        if found is None:
            found = NO_ATTACK
            for count in range(1, len(self.straight) + 1):
                rolls = [self.roll(foe, name, gap, cover, RUNNING, count, False) for name in self.straight[:count]]
                worth = value_of(tuple(one for one in rolls if one is not None), foe.left)
                if worth > found.worth:
                    found = Attack(worth, tuple(self.straight[:count]))
            _RUNS[key] = found
        return found

    def lobbed(self, name: str, foe: "Gunner") -> int:
        """What an indirect weapon is worth where it lands on a foe, at best and without cover: a quick look."""
        key = (self.as_shooter, name, foe.as_victim)
        found = _LOBBED.get(key)
        if found is None:
            needs = SECONDARY_ROLL.number("target_point")
            needs -= sum(part.value for part in target_modifiers(foe.model, SECONDARY))
            rows = [rows_by_margin(self.model, self.weapons[name], foe.model, smart) for smart in (AS_PRINTED, *SMART)]
            worths = [value_of((outcome(one, needs, NATURAL_CRITICAL, True),), foe.left) for one in rows]
            found = _LOBBED[key] = max(worths)
        return found

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
        needs = target_point(weapon, band).total - self._modifiers(foe, shot, gap, lock) - cover
        return outcome(self._margins(foe, name), needs, *critical_of(weapon, sub_type))

    def _margins(self, foe: "Gunner", name: str) -> Margins:
        key = (self.as_shooter, name, foe.as_victim)
        found = _MARGINS.get(key)
        if found is None:
            found = _MARGINS[key] = rows_by_margin(self.model, self.weapons[name], foe.model, AS_PRINTED)
        return found

    def _modifiers(self, foe: "Gunner", shot: Shot, gap: int, lock: bool) -> int:
        """What changes a roll, without cover; kept for each kind of shooter, victim and shot."""
        near = gap <= POINT_BLANK.inches("distance_in")
        key = (self.own, foe.against, shot.sub_type, len(shot.weapons), shot.weapons_fired, near, lock)
        found = _MODIFIERS.get(key)
        if found is None:
            states = {name: mark for name, mark in self.model.states.items() if name != StateName.TARGET_LOCK}
            if lock:
                states[StateName.TARGET_LOCK] = Mark(foe.model.id)
            who = replace(self.model, states=states)
            found = _MODIFIERS[key] = sum(part.value for part in modifiers_of(who, foe.model, shot, gap, ()))
        return found

    def _attack(self, foe: "Gunner", gap: int, cover: int, standing: int, blocked: bool, lock: bool) -> Attack:
        left = foe.left
        missiles = [(name, self.roll(foe, name, gap, standing, "", 1, lock)) for name in self.missiles if lock]
        straight = [] if blocked else self.straight
        rolls = {weapon: self.roll(foe, name, gap, cover, "", 1, lock) for weapon, name in self._kinds if straight}
        guns = [(name, rolls[self.weapons[name]]) for name in straight]
        both = [(name, one) for name, one in (*guns, *missiles) if one is not None]
        best = NO_ATTACK
        if both:
            names = tuple(name for name, _ in both)
            best = Attack(value_of(tuple(one for _, one in both), left), names)
        able = [name for name, one in guns if one is not None]
        alike = tuple(name for name in able if self.weapons[name] == self.weapons[able[0]])
        if len(alike) > 1:
            one = self.roll(foe, alike[0], gap, cover, SALVO_FIRE, len(alike), lock)
            if one is not None and value_of((one,), left) > best.worth:
                best = Attack(value_of((one,), left), alike, True)
        return best


_ATTACKS: dict[tuple[int, int, int, int, int, bool], tuple[Attack, Attack]] = {}
_MARGINS: dict[tuple[int, str, int], Margins] = {}
_MODIFIERS: dict[tuple[int, int, str, int, int, bool, bool], int] = {}
_LOBBED: dict[tuple[int, str, int], int] = {}
_RUNS: dict[tuple[int, int, int, int], Attack] = {}
_REPLIES: dict[tuple[int, int, int, int, str, bool], int] = {}
