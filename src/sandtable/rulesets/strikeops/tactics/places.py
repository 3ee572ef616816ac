"""Where a model might go with its Move Actions, and what may happen to it there."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sandtable.engine.shapes import UNIT, At, Leg, Point, Walk
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.measure import bearing
from sandtable.field.walking.courses import signed
from sandtable.field.walking.paths import Pose, length_between
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.movement import Rates, pose_after
from sandtable.rulesets.strikeops.movement import DOUBLE_TIME, going, rates_for, refused_move
from sandtable.rulesets.strikeops.state_names import StateName
from sandtable.rulesets.strikeops.tactics.errands import goals, nearness
from sandtable.rulesets.strikeops.tactics.fire import Guns, fighters, thought, value
from sandtable.rulesets.strikeops.terrain import GROUND
from sandtable.tabletop.opponent import Skill

#: How much of what the enemy may do to a model counts, in hundredths: he cannot fire at everybody.
FEAR = 35
#: So many enemies, the nearest, are feared.
FOES = 4
#: So many ways of two Move Actions are weighed, and so many of a run.
FAR, RUNS = 3, 2
#: An enemy so many degrees aside is worth a turn at the end of a way.
WIDE = 60
#: Directions that are looked at besides the way to what is wanted, seen from the nearest enemy.
ASIDE = (0, 45, -45, 90, -90, 180)


class Stand(NamedTuple):
    """A way that a model could go, how it stands at its end, and how far it has gone forward."""

    walk: Walk
    pose: Pose
    gone: int
    words: str
    leaves: bool = False


def turns(degrees: int) -> list[int]:
    """A turn in as many facing changes as it takes."""
    most, left, found = GROUND.turning.most, degrees, []
    while abs(left) > most:
        found.append(most if left > 0 else -most)
        left -= found[-1]
    return [*found, left]


def stands(table: Table, model: Thing, rates: Rates, skill: Skill, running: bool = False) -> Iterator[Stand]:
    """The ways that are worth a look: towards what it wants, whole and half, and aside."""
    here, wanted = center(model), goals(table, model)
    if not rates.mv or not wanted:
        return
    far = rates.mv * UNIT
    foe = next((goal.at for goal in wanted if goal.whom), wanted[0].at)
    ways: list[tuple[int, int, str]] = []
    for goal in wanted[:1] if not skill.objectives else wanted[:2]:
        towards, away = bearing(here, goal.at), length_between(here, goal.at)
        ways.append((towards, min(far, away + (2 * UNIT if not goal.whom else 0)), goal.what))
        ways.append((towards, min(far, away) // 2, goal.what))
    ways += [((bearing(here, foe) + turn) % 360, far, "another place") for turn in ASIDE]
    seen: set[tuple[Point, int]] = set()
    for towards, length, words in ways[: skill.poses]:
        found = _stand(table, model, rates, towards, far if running else length, foe, words, running)
        if found is not None and (found.pose.point, found.pose.facing) not in seen:
            seen.add((found.pose.point, found.pose.facing))
            yield found
    if not seen and not running:
        yield from _out_of_the_crowd(table, model, rates)


def _out_of_the_crowd(table: Table, model: Thing, rates: Rates) -> Iterator[Stand]:
    """Straight on or straight back, for who stands so close to others that he cannot turn."""
    for sign in (1, -1):
        reach = going(table, model, Walk((Leg(0, sign * rates.mv * UNIT),)), rates).reach
        walk = Walk((Leg(0, sign * (reach // UNIT * UNIT or reach)),))
        if reach and not refused(table, model, walk, rates, running=False):
            yield Stand(walk, pose_after(going(table, model, walk, rates)), reach, "out of the crowd")


def _stand(
    table: Table, model: Thing, rates: Rates, towards: int, length: int, foe: Point, words: str, running: bool
) -> Stand | None:
    """The way into a direction as far as it leads, at whose end the model turns to the enemy if it can."""
    *first, last = turns(signed(towards - model.facing))
    if running and first:
        return None
    legs = [Leg(one) for one in first]
    reach = going(table, model, Walk((*legs, Leg(last, length))), rates)
    if reach.leaves:
        walk = Walk((*legs, Leg(last, length)))
        return None if refused(table, model, walk, rates, running) else Stand(walk, pose_after(reach), 0, words, True)
    whole = reach.reach if running else min(reach.reach, length)
    for shorter in (whole, whole - UNIT, whole - 2 * UNIT):
        if shorter <= 0 or (running and shorter != whole):
            return None
        end = along(center(model), towards, shorter)
        turn = signed(bearing(end, foe) - towards)
        looks = WIDE < abs(turn) <= GROUND.turning.most and not running
        for final in ((Leg(turn),), ()) if looks else ((),):
            walk = Walk((*legs, Leg(last, shorter), *final))
            if not refused(table, model, walk, rates, running):
                return Stand(walk, pose_after(going(table, model, walk, rates)), shorter, words)
    return None


def refused(table: Table, model: Thing, walk: Walk, rates: Rates, running: bool) -> bool:
    """Whether a way may not be gone."""
    return refused_move(table, model, walk, rates, running) is not None


def at(table: Table, model: Thing, stand: Stand) -> Table:
    """The table with a model at the end of a way: no longer Stationary, and in Double-Time after ten inches."""
    fast = "" if stand.gone >= DOUBLE_TIME.inches("inches") else None
    states = {StateName.STATIONARY: None, StateName.DOUBLE_TIME: fast}
    return thought(table, model, states, place=At(stand.pose.point), facing=stand.pose.facing)


def danger(guns: Guns, there: Table, model: Thing, skill: Skill) -> int:
    """What the nearest enemies may be expected to do to a model as it would stand."""
    if not skill.fears:
        return 0
    victim = there[model.id]
    here = center(victim)
    foes = sorted(fighters(there, model.side), key=lambda one: (length_between(here, center(one)), one.id))
    points = sum(guns.volley(there, one, victim, quick=True).points for one in foes[: min(FOES, skill.foes)])
    return value(victim, points) * FEAR // 100


def way_worth(table: Table, model: Thing, stand: Stand, skill: Skill) -> tuple[str, int]:
    """What a way is worth for where it leads, against staying."""
    now, _ = nearness(table, model, center(model), skill.objectives)
    then, words = nearness(table, model, stand.pose.point, skill.objectives)
    return words, then - now


def walks(table: Table, model: Thing, actions: int, skill: Skill, running: bool = False) -> Sequence[Stand]:
    """The ways for so many Move Actions in a row, kept as long as nobody stirs."""
    key = ("stands", model.id, actions, running, skill)
    found: list[Stand] | None = table.things_cache.get(key)
    if found is None:
        rates = rates_for(model, actions, running)
        found = list(stands(table, model, rates, skill, running))
        if actions > 1:  # far ways are for getting somewhere: those that lead away are not looked at
            found.sort(key=lambda one: -way_worth(table, model, one, skill)[1])
            found = found[: RUNS if running else FAR]
        table.things_cache[key] = found
    return found
