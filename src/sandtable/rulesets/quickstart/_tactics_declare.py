"""Declarations for tactics: what one model might do in its activation, and what each is worth.

A plan is worth what it does now, what the place it ends in lets it do next turn, less what the enemies may do to it
there. All of that comes from one survey of all places it thinks of.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sandtable.engine.shapes import UNIT, Leg, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.paths import length_between
from sandtable.rulesets.quickstart._tactics_guns import NO_ATTACK, Attack, Gunner
from sandtable.rulesets.quickstart._tactics_odds import POINT, close_combat_worth, ten_plus_chance
from sandtable.rulesets.quickstart._tactics_sight import Lookout
from sandtable.rulesets.quickstart._tactics_walks import Stroll, bearing_to, headings, stroll, way_left
from sandtable.rulesets.quickstart.concepts import center, enemies
from sandtable.rulesets.quickstart.datacard import movement
from sandtable.rulesets.quickstart.movement import locked_with
from sandtable.rulesets.quickstart.repair import may_repair, repair_roll
from sandtable.rulesets.quickstart.states import is_down

#: In hundredths: what next turn's fire counts beside this turn's, and what the enemies' fire counts.
NEXT = 50
FEAR = 40
#: What an inch nearer to the nearest enemy is worth to one that can do no harm where it is.
NEARER = 30
#: What holding fire for whoever comes is worth, in hundredths of the fire.
WATCH = 35


class Choice(NamedTuple):
    """One answer, what it is worth and why."""

    draft: Any
    label: str
    parts: tuple[tuple[str, int], ...]
    intention: object = None


class Intention(NamedTuple):
    """What a model declared, for when its moves are asked for."""

    model: str
    walks: tuple[Walk, ...] = ()
    fires_first: bool = False


class Situation:
    """One model that is to act: the enemies, the places it thinks of, and what is to be said of each."""

    def __init__(self, table: Table, model: Thing, mind: Any) -> None:
        self.table, self.model, self.mind = table, model, mind
        self.foes = enemies(table, model)
        self.here = center(model)
        self.gunner = Gunner(model)
        self.strolls: list[Stroll] = [Stroll(Walk(), self.here, model.facing, 0)]
        self.nearest = min(self.foes, key=lambda foe: length_between(self.here, center(foe)))
        if not is_down(model) and not locked_with(model) and not model.has("suppressed"):
            self.strolls += self._strolls()
        poses = [(one.at, one.facing) for one in self.strolls]
        self.lookout = Lookout(table, model, poses, self.foes)
        self._enemies = [Gunner(foe) for foe in self.foes]
        self._exposure: dict[int, int] = {}

    def _strolls(self) -> Iterator[Stroll]:
        mv = movement(self.model)
        towards = bearing_to(self.here, center(self.nearest))
        for degrees in headings(self.model, towards, self.mind.poses - 1):
            one = stroll(self.table, self.model, degrees, mv, mv * UNIT)
            if one is not None:
                yield one

    def best_attack(self, pose: int, *, lock: bool = False) -> Attack:
        """The best assault from a pose."""
        best = NO_ATTACK
        for n, foe in enumerate(self.foes):
            seen = self.lookout.sighting(pose, n)
            if not seen.in_arc:
                continue
            one = self.gunner.attack(foe, seen, self.lookout.stands_in(foe), lock=lock)
            if one.worth > best.worth:
                best = one
        return best

    def exposure(self, pose: int) -> int:
        """What the enemies may do to the model in a pose before it acts again."""
        if not self.mind.fears:
            return 0
        found = self._exposure.get(pose)
        if found is None:
            threats = []
            for n, gunner in enumerate(self._enemies):
                seen = self.lookout.sighting(pose, n)
                if not seen.blocked and not gunner.model.has("disabled"):
                    threats.append(gunner.threat(self.model, seen.gap, seen.my_cover))
            threats.sort(reverse=True)
            # The first few will fire at it; the others have somebody else to fire at.
            found = sum(threat * 2 // (2 + n) for n, threat in enumerate(threats))
            self._exposure[pose] = found
        return found

    def place(self, pose: int) -> tuple[tuple[str, int], ...]:
        """What it is worth to end in a pose."""
        next_turn = self.best_attack(pose, lock=True).worth
        parts = [("fire next turn", next_turn * NEXT // 100), ("enemy fire", -self.exposure(pose) * FEAR // 100)]
        if next_turn < POINT // 4:
            left = way_left(self.table.ground, self.strolls[pose].at, center(self.nearest))
            parts.append(("way to the enemy", -left * NEARER // UNIT))
        return tuple(parts)


def declarations(table: Table, model: Thing, mind: Any) -> Iterator[Choice]:
    """What a model might declare."""
    yield Choice({"1": "stay" if model.has("over-watch") else "nothing"}, "do nothing", (("", -POINT),))
    if model.has("mission-kill"):
        first = "stand-up" if is_down(model) else "break" if locked_with(model) else "move"
        yield Choice({"1": first, "2": "move"}, "leave the field", (("", POINT),))
        yield Choice({"1": first}, "leave the field", (("", POINT - 1),))
        return
    if not enemies(table, model):
        return
    held = locked_with(model)
    if held:
        yield from _in_close_combat(table, model, held)
        return
    situation = Situation(table, model, mind)
    if is_down(model):
        yield from _from_the_ground(situation)
    else:
        yield from _standing(situation)


def _fire(attack: Attack) -> dict[str, Any]:
    said: dict[str, Any] = {"assault": attack.assault, "target": attack.target, "weapons": attack.weapons}
    return {**said, "salvo": True} if attack.salvo else said


def _named(table: Table, attack: Attack) -> str:
    with_what = "a salvo" if attack.salvo else " and ".join(attack.weapons)
    return f"fire {with_what} at {table[attack.target].label}"


def _in_close_combat(table: Table, model: Thing, held: Sequence[str]) -> Iterator[Choice]:
    mends = may_repair(model) is None
    for foe in [table[one] for one in held]:
        gain, loss = close_combat_worth(model, foe)
        parts = (("close combat", gain), ("what it costs", -loss))
        draft = {"1": "close-combat", "target": foe.id}
        yield Choice(draft, f"fight {foe.label}", parts)
        if mends:
            yield Choice(
                {"1": "repair", "2": "close-combat", "target": foe.id},
                f"mend and fight {foe.label}",
                (*parts, ("repair", repair_worth(model))),
            )
    yield Choice({"1": "break", "2": "break"}, "break away", (("getting away", -POINT // 2),))


def repair_worth(model: Thing) -> int:
    """What a repair may be expected to mend."""
    if may_repair(model) is not None or model.harm < 2:
        return 0
    return (ten_plus_chance(sum(part.value for part in repair_roll(model))) - 1) * POINT // 36


def _from_the_ground(situation: Situation) -> Iterator[Choice]:
    table, model = situation.table, situation.model
    place = situation.place(0)
    attack = situation.best_attack(0)
    if attack.worth:
        draft = {"1": "stand-up", "2": "shoot", **_fire(attack)}
        yield Choice(draft, f"stand up and {_named(table, attack)}", (("fire", attack.worth), *place))
    mended = repair_worth(model)
    if mended:
        yield Choice({"1": "stand-up", "2": "repair"}, "stand up and mend", (("repair", mended), *place))
    yield Choice({"1": "stand-up"}, "stand up", place)


def _standing(situation: Situation) -> Iterator[Choice]:
    table, model, mind = situation.table, situation.model, situation.mind
    here = situation.place(0)
    plain, locked = situation.best_attack(0), situation.best_attack(0, lock=True)
    mended = repair_worth(model)
    if plain.worth:
        yield Choice({"1": "shoot", **_fire(plain)}, _named(table, plain), (("fire", plain.worth), *here))
        if mended:
            draft = {"1": "repair", "2": "shoot", **_fire(plain)}
            yield Choice(draft, f"mend and {_named(table, plain)}", (("repair", mended), ("fire", plain.worth), *here))
    if locked.worth:
        draft = {"1": "target-lock", "2": "shoot", "lock": locked.target, **_fire(locked)}
        yield Choice(draft, f"lock on and {_named(table, locked)}", (("fire", locked.worth), *here))
    if mended:
        yield Choice({"1": "repair", "2": "repair"}, "mend twice", (("repair", 2 * mended * 9 // 10), *here))
    yield from _moving(situation, plain, mended)
    if mind.plans and not plain.worth:
        coming = _coming(situation)
        if coming:
            yield Choice({"1": "over-watch"}, "watch", (("over-watch", coming), *here))


def _coming(situation: Situation) -> int:
    """What over-watch may be worth: a share of what could be done to the nearest enemy in the open."""
    model, foe = situation.model, situation.nearest
    gap = length_between(center(model), center(foe))
    return situation.gunner.threat(foe, max(2 * UNIT, gap - 6 * UNIT), 0, lock=False) * WATCH // 100


def _moving(situation: Situation, plain: Attack, mended: int) -> Iterator[Choice]:
    table, model = situation.table, situation.model
    for pose, one in enumerate(situation.strolls):
        if pose == 0:
            continue
        place = situation.place(pose)
        where = f"go {one.length / UNIT:.0f}″ to ({one.at.x / UNIT:.0f}, {one.at.y / UNIT:.0f})"
        there = situation.best_attack(pose)
        if there.worth:
            yield Choice(
                {"1": "move", "2": "shoot", **_fire(there)},
                f"{where} and {_named(table, there)}",
                (("fire", there.worth), *place),
                Intention(model.id, (one.walk,)),
            )
        if plain.worth:
            yield Choice(
                {"1": "move", "2": "shoot", **_fire(plain)},
                f"{_named(table, plain)} and {where}",
                (("fire", plain.worth), *place),
                Intention(model.id, (one.walk,), fires_first=True),
            )
        if mended:
            yield Choice(
                {"1": "repair", "2": "move"},
                f"mend and {where}",
                (("repair", mended), *place),
                Intention(model.id, (one.walk,)),
            )
        yield Choice({"1": "move", "2": "move"}, f"{where} and on", place, Intention(model.id, (one.walk, one.walk)))


def length_of(walk: Walk) -> int:
    """How long a walk is."""
    return sum(abs(leg.go) for leg in walk.legs if isinstance(leg, Leg))
