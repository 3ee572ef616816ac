"""Declarations for tactics: what one model might do in its activation, and what each is worth.

A plan is worth what it does now, what the place it ends in lets it do next turn, less what the enemies may do to it
there. All of that comes from one survey of all places it thinks of.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sandtable.engine.shapes import UNIT, Leg, Point, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import CONTACT
from sandtable.field.paths import length_between
from sandtable.rulesets.quickstart._declaration import NOTHING, STAY, may_declare, readiness
from sandtable.rulesets.quickstart._tactics_guns import NO_ATTACK, Attack, Gunner
from sandtable.rulesets.quickstart._tactics_odds import POINT, close_combat_worth, ten_plus_chance
from sandtable.rulesets.quickstart._tactics_sight import Lookout, Sighting, Strength
from sandtable.rulesets.quickstart._tactics_walks import Chartroom, Stroll, bearing_to, headings, stroll
from sandtable.rulesets.quickstart.concepts import center, enemies
from sandtable.rulesets.quickstart.datacard import movement
from sandtable.rulesets.quickstart.movement import locked_with
from sandtable.rulesets.quickstart.repair import may_repair, repair_roll
from sandtable.rulesets.quickstart.shooting import OVER_WATCH
from sandtable.rulesets.quickstart.states import is_down

#: In hundredths: what next turn's fire counts beside this turn's, and what the enemies' fire counts.
NEXT = 50
FEAR = 20
#: What an inch nearer to the nearest enemy is worth to one that can do no harm where it is.
NEARER = 30
#: What holding fire for whoever comes is worth, in hundredths of the fire.
WATCH = 35
#: So many enemies, the nearest, are thought of.
MOST_FOES = 6
#: By how many hundredths each point of harm a foe has makes it a better target: fire is best put together.
FOCUS = 8


class Choice(NamedTuple):
    """One answer, what it is worth and why."""

    draft: Any
    label: str
    parts: tuple[tuple[str, int], ...]
    intention: object = None
    sure: bool = True


class Intention(NamedTuple):
    """What a model declared, for when its moves are asked for."""

    model: str
    walks: tuple[Walk, ...] = ()
    fires_first: bool = False


class Memory:
    """What a bot keeps from question to question: only what it could find out anew."""

    def __init__(self) -> None:
        self.room = Chartroom()
        self._gunners: dict[str, Gunner] = {}
        self._sights: dict[tuple[str, str], tuple[object, ...]] = {}
        self._strengths: dict[tuple[object, ...], Strength] = {}
        self._standing: dict[str, tuple[int, Thing, Pose]] = {}

    def gunner(self, model: Thing) -> Gunner:
        """A model as a gunner, worked out anew when it has changed."""
        found = self._gunners.get(model.id)
        if found is None or found.model is not model:
            found = self._gunners[model.id] = Gunner(model)
        return found

    def lookout(self, table: Table, model: Thing, poses: Sequence[tuple[Point, int]], foes: Sequence[Thing]) -> Lookout:
        """What a model would see in some poses."""
        return Lookout(table, model, poses, foes, self._strengths)

    def as_it_stands(self, table: Table, model: Thing, *, fears: bool) -> "Pose":
        """What the place of a model is worth, looked at once a turn and when the model itself has changed."""
        kept = self._standing.get(model.id)
        if kept is not None and kept[0] == table.turn and kept[1] is model:
            return kept[2]
        foes = nearest_first(table, model)[:MOST_FOES]
        seen = self.sightings(table, model, foes)
        found = weighed(self.gunner(model), [self.gunner(foe) for foe in foes], seen, fears=fears)
        self._standing[model.id] = (table.turn, model, found)
        return found

    def sightings(self, table: Table, model: Thing, foes: Sequence[Thing]) -> list[Sighting]:
        """How a model and its foes see each other; who has come between them since is overlooked."""
        found: dict[str, Sighting] = {}
        new: list[Thing] = []
        for foe in foes:
            kept = self._sights.get((model.id, foe.id))
            if kept is not None and kept[:5] == (table.ground, *_stance(model), *_stance(foe)):
                found[foe.id] = kept[5]  # type: ignore[assignment]
            else:
                new.append(foe)
        if new:
            lookout = self.lookout(table, model, [(center(model), model.facing)], new)
            for n, foe in enumerate(new):
                found[foe.id] = seen = lookout.sighting(0, n)
                self._sights[model.id, foe.id] = (table.ground, *_stance(model), *_stance(foe), seen)
        return [found[foe.id] for foe in foes]


def nearest_first(table: Table, model: Thing) -> list[Thing]:
    """The enemies of a model, the nearest first."""
    x, y = center(model)
    foes = [(foe, center(foe)) for foe in enemies(table, model)]
    foes.sort(key=lambda one: (one[1].x - x) ** 2 + (one[1].y - y) ** 2)
    return [foe for foe, _ in foes]


def _stance(model: Thing) -> tuple[object, object]:
    return model.place, (model.facing, is_down(model))


class Pose(NamedTuple):
    """What a place is worth: the best assaults from it, whom they are at, and what the enemies may do there."""

    plain: Attack
    plain_at: str
    locked: Attack
    locked_at: str
    exposure: int


class Situation:
    """One model that is to act: the enemies, the places it thinks of, and what is to be said of each."""

    def __init__(self, memory: Memory, table: Table, model: Thing, mind: Any) -> None:
        self.table, self.model, self.mind, self.memory = table, model, mind, memory
        self.here = center(model)
        memory.room.open(table.ground)
        foes = nearest_first(table, model)
        self.nearest = foes[0]
        self.foes = foes[:MOST_FOES]
        self.gunner = memory.gunner(model)
        self.gunners = [memory.gunner(foe) for foe in self.foes]
        self.strolls: list[Stroll] = [Stroll(Walk(), self.here, model.facing, 0)]
        if not is_down(model) and not model.has("suppressed"):
            self.strolls += self._strolls()
        self.lookout = memory.lookout(table, model, [(one.at, one.facing) for one in self.strolls], self.foes)
        self._poses: dict[int, Pose] = {}

    def _strolls(self) -> Iterator[Stroll]:
        mv = movement(self.model)
        towards = bearing_to(self.here, center(self.nearest))
        others = [center(other) for other in self.table.models() if other.id != self.model.id]
        for degrees in headings(self.model, towards, self.mind.poses - 1):
            one = stroll(self.memory.room, others, self.model, degrees, mv, mv * UNIT)
            if one is not None:
                yield one

    def pose(self, pose: int) -> Pose:
        """What a place is worth."""
        found = self._poses.get(pose)
        if found is None:
            seen = [self.lookout.sighting(pose, n) for n in range(len(self.foes))]
            found = self._poses[pose] = weighed(self.gunner, self.gunners, seen, fears=self.mind.fears)
        return found

    def place(self, pose: int) -> tuple[tuple[str, int], ...]:
        """What it is worth to end in a pose."""
        there = self.pose(pose)
        next_turn = there.locked.worth
        fire, fear = ("fire next turn", next_turn * NEXT // 100), ("enemy fire", -there.exposure * FEAR // 100)
        if next_turn >= POINT // 4:
            return fire, fear
        left = self.memory.room.way_left(self.strolls[pose].at, center(self.nearest))
        return fire, fear, ("way to the enemy", -left * NEARER // UNIT)


def weighed(gunner: Gunner, foes: Sequence[Gunner], seen: Sequence[Sighting], *, fears: bool) -> Pose:
    """What may be done from a place to the foes it sees so, and what they may do to it there."""
    plain = locked = NO_ATTACK
    plain_at = locked_at = ""
    plain_keen = locked_keen = 0
    threats: list[int] = []
    for foe, (gap, blocked, cover, my_cover, standing_in, in_arc) in zip(foes, seen, strict=True):
        if in_arc and gap > CONTACT:
            if not blocked:
                one = gunner.attack(foe, gap, cover, standing_in, False, False)
                keen = one.worth * (100 + FOCUS * foe.model.harm)
                if keen > plain_keen:
                    plain, plain_at, plain_keen = one, foe.model.id, keen
            one = gunner.attack(foe, gap, cover, standing_in, blocked, True)
            keen = one.worth * (100 + FOCUS * foe.model.harm)
            if keen > locked_keen:
                locked, locked_at, locked_keen = one, foe.model.id, keen
        if fears and not blocked:
            threats.append(foe.reply(gunner, gap, my_cover, "", True))
    threats.sort(reverse=True)
    # The first few will fire at it; the others have somebody else to fire at.
    exposure = sum(threat * 2 // (2 + n) for n, threat in enumerate(threats))
    return Pose(plain, plain_at, locked, locked_at, exposure)


def declarations(memory: Memory, table: Table, model: Thing, mind: Any, points: int) -> Iterator[Choice]:
    """What a model might declare, as far as it may."""
    ready = readiness(table, model, points)
    for choice in _thought_of(memory, table, model, mind):
        if may_declare(ready, tuple(choice.draft[part] for part in ("1", "2") if part in choice.draft)):
            yield choice


def _thought_of(memory: Memory, table: Table, model: Thing, mind: Any) -> Iterator[Choice]:
    yield Choice({"1": STAY if model.has("over-watch") else NOTHING}, "do nothing", (("", -POINT),))
    if model.has("retreating"):
        for first in ("move", "stand-up", "break"):
            for draft in ({"1": first, "2": "move"}, {"1": first, "2": first}, {"1": first}):
                yield Choice(draft, "leave the field", (("", len(draft)),), sure=False)
        return
    if not enemies(table, model):
        return
    held = locked_with(model)
    if held:
        yield from _in_close_combat(table, model, held)
        return
    situation = Situation(memory, table, model, mind)
    if is_down(model):
        yield from _from_the_ground(situation)
    else:
        yield from _standing(situation)


def _fire(attack: Attack, at: str) -> dict[str, Any]:
    said: dict[str, Any] = {"target": at, "weapons": attack.weapons}  # direct fire, where nothing is said
    return {**said, "salvo": True} if attack.salvo else said


def _named(table: Table, attack: Attack, at: str) -> str:
    with_what = "a salvo" if attack.salvo else " and ".join(attack.weapons)
    return f"fire {with_what} at {table[at].label}"


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
    attack, at = situation.pose(0)[:2]
    if attack.worth:
        draft = {"1": "stand-up", "2": "shoot", **_fire(attack, at)}
        yield Choice(draft, f"stand up and {_named(table, attack, at)}", (("fire", attack.worth), *place))
    mended = repair_worth(model)
    if mended:
        yield Choice({"1": "stand-up", "2": "repair"}, "stand up and mend", (("repair", mended), *place))
    yield Choice({"1": "stand-up"}, "stand up", place)


def _standing(situation: Situation) -> Iterator[Choice]:
    table, model, mind = situation.table, situation.model, situation.mind
    here = situation.place(0)
    plain, plain_at, locked, locked_at, _ = situation.pose(0)
    mended = repair_worth(model)
    if plain.worth:
        yield Choice(
            {"1": "shoot", **_fire(plain, plain_at)}, _named(table, plain, plain_at), (("fire", plain.worth), *here)
        )
        if mended:
            draft = {"1": "repair", "2": "shoot", **_fire(plain, plain_at)}
            yield Choice(
                draft, f"mend and {_named(table, plain, plain_at)}", (("repair", mended), ("fire", plain.worth), *here)
            )
    if locked.worth:
        draft = {"1": "target-lock", "2": "shoot", "lock": locked_at, **_fire(locked, locked_at)}
        yield Choice(draft, f"lock on and {_named(table, locked, locked_at)}", (("fire", locked.worth), *here))
    if mended:
        yield Choice({"1": "repair", "2": "repair"}, "mend twice", (("repair", 2 * mended * 9 // 10), *here))
    yield from _moving(situation, mended)
    if mind.plans and not plain.worth:
        coming = _coming(situation)
        if coming:
            yield Choice({"1": "over-watch"}, "watch", (("over-watch", coming), *here))


def _coming(situation: Situation) -> int:
    """What over-watch may be worth: a share of what could be done to the nearest enemy in the open."""
    model, foe = situation.model, situation.nearest
    gap = length_between(center(model), center(foe))
    foes = situation.memory.gunner(foe)
    return situation.gunner.reply(foes, max(2 * UNIT, gap - 6 * UNIT), 0, OVER_WATCH) * WATCH // 100


def _moving(situation: Situation, mended: int) -> Iterator[Choice]:
    """Going somewhere: firing before or after, mending before, or going on."""
    model = situation.model
    plain, plain_at = situation.pose(0)[:2]
    for pose, one in enumerate(situation.strolls):
        if pose == 0:
            continue
        place = situation.place(pose)
        there, there_at = situation.pose(pose)[:2]
        gain = max(plain.worth, there.worth)
        if gain and not model.has("has defended"):
            first = plain.worth >= there.worth
            attack, at = (plain, plain_at) if first else (there, there_at)
            draft = {"1": "move", "2": "shoot", **_fire(attack, at)}
            fires = _named(situation.table, attack, at)
            label = f"{fires} and {_going(one)}" if first else f"{_going(one)} and {fires}"
            yield Choice(draft, label, (("fire", gain), *place), Intention(model.id, (one.walk,), first))
        if mended > gain:
            parts = (("repair", mended), *place)
            yield Choice(
                {"1": "repair", "2": "move"}, f"mend and {_going(one)}", parts, Intention(model.id, (one.walk,))
            )
        elif not gain:
            walks = Intention(model.id, (one.walk, one.walk))
            yield Choice({"1": "move", "2": "move"}, f"{_going(one)} and on", place, walks)


def _going(one: Stroll) -> str:
    return f"go {one.length // UNIT}″ to ({one.at.x // UNIT}, {one.at.y // UNIT})"


def length_of(walk: Walk) -> int:
    """How long a walk is."""
    return sum(abs(leg.go) for leg in walk.legs if isinstance(leg, Leg))
