"""Gunnery for tactics: what a model's weapons may be expected to do at a distance, with cover, with a lock."""

from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.questions import Refusal
from sandtable.engine.table import Mark, Thing
from sandtable.rulesets.quickstart._tactics_odds import Outcome, outcome, rows_by_margin, value_of
from sandtable.rulesets.quickstart._tactics_sight import Sighting
from sandtable.rulesets.quickstart.attributes import AS_PRINTED
from sandtable.rulesets.quickstart.datacard import Weapon
from sandtable.rulesets.quickstart.shooting import (
    DIRECT,
    SALVO_FIRE,
    Shot,
    _band_or_refusal,
    _modifiers,
    critical_of,
    is_indirect,
    is_missile,
    may_fire_at,
    target_point,
    working_weapons,
)

_FAR = 10**6


class Attack(NamedTuple):
    """An assault: with what, at whom, and what it is worth."""

    worth: int
    target: str = ""
    weapons: tuple[str, ...] = ()
    salvo: bool = False
    assault: str = DIRECT


NO_ATTACK = Attack(0)


class Gunner:
    """A model and its weapons as they are now; what it finds out is kept for as long as it is asked."""

    def __init__(self, model: Thing) -> None:
        self.model = model
        self.weapons = working_weapons(model)
        self.straight = [n for n, w in self.weapons.items() if not is_indirect(w) and not is_missile(w)]
        self.missiles = [n for n, w in self.weapons.items() if is_missile(w)]
        self._mods: dict[tuple[str, str, str, int, bool, bool], int] = {}
        self._locked: dict[str, Thing] = {}

    def _with_lock(self, foe: Thing) -> Thing:
        found = self._locked.get(foe.id)
        if found is None:
            found = replace(self.model, states={**self.model.states, "target-lock": Mark(foe.id)})
            self._locked[foe.id] = found
        return found

    def _modifiers(self, foe: Thing, weapon: Weapon, sub_type: str, fired: int, close: bool, lock: bool) -> int:
        key = (foe.id, weapon.name, sub_type, fired, close, lock)
        found = self._mods.get(key)
        if found is None:
            who = self._with_lock(foe) if lock else self.model
            shot = Shot(who.id, foe.id, ("",) * (fired if sub_type == SALVO_FIRE else 1), DIRECT, sub_type, fired)
            found = sum(part.value for part in _modifiers(who, foe, shot, 0 if close else _FAR, ()))
            self._mods[key] = found
        return found

    def roll(
        self, foe: Thing, name: str, gap: int, cover: int, sub_type: str = "", fired: int = 1, lock: bool = False
    ) -> Outcome | None:
        """What one weapon (or salvo of so many) may do to a foe it sees; none where it cannot be fired."""
        weapon = self.weapons[name]
        band = _band_or_refusal(weapon, gap, Shot("", "", (), DIRECT, sub_type))
        if isinstance(band, Refusal):
            return None
        close = gap <= 3000
        modifiers = self._modifiers(foe, weapon, sub_type, fired, close, lock)
        rows = rows_by_margin(self.model, weapon, foe, AS_PRINTED)
        return outcome(rows, target_point(weapon, band).total - modifiers - cover, *critical_of(weapon, sub_type))

    def attack(
        self, foe: Thing, seen: Sighting, standing_cover: int, *, lock: bool = False, sub_type: str = ""
    ) -> Attack:
        """The best assault on a foe from where it is seen so."""
        left = foe.track - foe.harm
        best = NO_ATTACK
        missiles: list[tuple[str, Outcome]] = []
        if lock:
            for name in self.missiles:
                one = self.roll(foe, name, seen.gap, standing_cover, sub_type, 1, True)
                if one is not None:
                    missiles.append((name, one))
        guns: list[tuple[str, Outcome]] = []
        if not seen.blocked:
            names = [name for name in self.straight if may_fire_at(self.model, self.weapons[name], foe, DIRECT) is None]
            fired = len(names) + len(missiles)
            for name in names:
                one = self.roll(foe, name, seen.gap, seen.their_cover, sub_type, fired, lock)
                if one is not None:
                    guns.append((name, one))
            if len(guns) > 1 and not sub_type:
                first = guns[0][0]
                alike = [name for name, _ in guns if self.weapons[name] == self.weapons[first]]
                if len(alike) > 1:
                    one = self.roll(foe, first, seen.gap, seen.their_cover, SALVO_FIRE, len(alike), lock)
                    if one is not None:
                        best = Attack(value_of((one,), left), foe.id, tuple(alike), True)
        both = [*guns, *missiles]
        if both:
            worth = value_of(tuple(one for _, one in both), left)
            if worth >= best.worth:
                best = Attack(worth, foe.id, tuple(name for name, _ in both))
        return best

    def threat(self, foe: Thing, gap: int, cover: int, *, lock: bool = True) -> int:
        """What its straight-firing weapons may do to a foe at a distance."""
        rolls = [self.roll(foe, name, gap, cover, "", 1, lock) for name in self.straight]
        return value_of(tuple(one for one in rolls if one is not None), foe.track - foe.harm)
