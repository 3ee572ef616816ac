"""What each model of a squad might do with its action points, and the declaration that this comes to.

Models that hurt most choose first; the next know what is aimed already, so that a squad fires at one target until that
is likely to be beaten, and not beyond.
"""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sandtable.engine.ids import ThingId
from sandtable.engine.shapes import UNIT, At, Spot
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import CONTACT, bearing, gap
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.cav.concepts import center, outline
from sandtable.rulesets.cav.indirect import POINT as POINT_ASKED
from sandtable.rulesets.strikeops.actions.attack_parts import INDIRECT
from sandtable.rulesets.strikeops.actions.declaring import with_point
from sandtable.rulesets.strikeops.actions.listing import ACTIONS, NOTHING, may_be_stomped, refused_action
from sandtable.rulesets.strikeops.command import COST, MOTIVATED
from sandtable.rulesets.strikeops.command import points as c3_points
from sandtable.rulesets.strikeops.datacard import is_infantry, weapons
from sandtable.rulesets.strikeops.recovery import REPAIRS, repair_check
from sandtable.rulesets.strikeops.shooting.aiming import MISSILE, is_indirect
from sandtable.rulesets.strikeops.state_names import ActionName, CountName, StateName
from sandtable.rulesets.strikeops.states import is_down
from sandtable.rulesets.strikeops.tactics.barrage import barrages
from sandtable.rulesets.strikeops.tactics.errands import bounty, exit_of, runs
from sandtable.rulesets.strikeops.tactics.fire import KEPT, POINT, Guns, Volley, fighters, guns, price, thought, value
from sandtable.rulesets.strikeops.tactics.places import Stand, at, danger, walks, way_worth
from sandtable.rulesets.strikeops.victory import must_withdraw
from sandtable.tabletop.opponent import Reasons, Skill, kept, total

#: What a model in Overwatch may hope for, as a share of what it could do at its best range, in hundredths.
HOPE = 15
#: What it is worth to be ready: better than nothing at all.
READY = 20
#: A standing order that is never broken: what a rule demands.
DEMANDED = 1_000_000


class Way(NamedTuple):
    """What a model might do in an activation: its actions, whom it locks, the volleys it may choose from, and why."""

    actions: tuple[str, ...]
    words: str
    parts: Reasons = ()
    volleys: tuple[Volley, ...] = ()
    locks: bool = False  # it locks on to whom it fires at
    stomp: str = ""
    motivated: bool = False  # it takes the action point of a C3 point


class Chosen(NamedTuple):
    """A way that was taken, with its volley, and what it is worth part by part."""

    way: Way
    volley: Volley | None
    parts: Reasons

    @property
    def worth(self) -> int:
        """What it is worth in all."""
        return total(self.parts)


def near_foes(table: Table, model: Thing, skill: Skill) -> list[Thing]:
    """The enemies that a model looks at, the nearest first."""
    here = center(model)
    foes = sorted(fighters(table, model.side), key=lambda one: (length_between(here, center(one)), one.id))
    return foes[: skill.foes]


def ways(table: Table, model: Thing, skill: Skill) -> list[Way]:
    """What a model might do, kept as long as nobody stirs."""
    return kept(table, ("ways", model.id, skill), lambda: list(_ways(table, model, skill)))


def _ways(table: Table, model: Thing, skill: Skill) -> Iterator[Way]:
    able = guns(table)
    points = model.count(CountName.AP)
    may = {name for name in ACTIONS if refused_action(table, model, (), name) is None}
    yield Way((), "holds still", _fear(able, thought(table, model, {StateName.STATIONARY: ""}), model, skill))
    if is_down(model):
        yield from _lying(able, table, model, skill, points)
        return
    if ActionName.STOMP in may:
        yield from _stomps(table, model)
    withdraws = must_withdraw(table, model)
    if not withdraws:
        yield from _standing(able, table, model, skill, may, points)
    if ActionName.MOVE in may:
        yield from _moving(able, table, model, skill, may, points, withdraws)
    if skill.plans and not withdraws and c3_points(table, model.side) >= COST:
        yield from _motivated(able, table, model, skill)


def _fear(able: Guns, there: Table, model: Thing, skill: Skill) -> Reasons:
    return (("danger", -danger(able, there, model, skill)),)


def _lying(able: Guns, table: Table, model: Thing, skill: Skill, points: int) -> Iterator[Way]:
    """Up, and fire where that may be; whoever stands up faces any way."""
    up = thought(table, model, {StateName.KNOCKDOWN: None, StateName.STATIONARY: None})
    fear = _fear(able, up, model, skill)
    yield Way((ActionName.STAND_UP,), "stands up", (("on its feet", READY), *fear))
    if points < 2:
        return
    volleys = []
    for foe in near_foes(table, model, skill):
        facing = bearing(center(model), center(foe))
        there = thought(table, model, {StateName.KNOCKDOWN: None, StateName.STATIONARY: None}, facing=facing)
        volleys += able.volleys(there, there[model.id], [foe])
    if refused_action(table, model, (ActionName.STAND_UP,), ActionName.SHOOT) is None and volleys:
        parts = (("on its feet", READY), *fear)
        yield Way((ActionName.STAND_UP, ActionName.SHOOT), "stands up and fires", parts, tuple(volleys))


def _stomps(table: Table, model: Thing) -> Iterator[Way]:
    for foe in fighters(table, model.side):
        if may_be_stomped(foe) is None and gap(outline(model), outline(foe)) <= CONTACT:
            yield Way((ActionName.STOMP,), f"stomps {foe.label}", (("stomp", value(foe, POINT)),), stomp=foe.id)


def _standing(able: Guns, table: Table, model: Thing, skill: Skill, may: set[str], points: int) -> Iterator[Way]:
    """To stay: lock and fire, mend and fire, or watch."""
    still = thought(table, model, {StateName.STATIONARY: ""})
    fear, foes = _fear(able, still, model, skill), near_foes(table, model, skill)
    volleys = tuple(able.volleys(still, still[model.id], foes)) if ActionName.SHOOT in may else ()
    if ActionName.SHOOT in may and skill.plans:
        volleys += tuple(barrages(able, still, still[model.id], foes))
    mends = _mending(model) if ActionName.REPAIR in may else 0
    if volleys:
        yield Way((ActionName.SHOOT,), "stands and fires", fear, volleys)
    if mends > 0:
        yield Way((ActionName.REPAIR,), "mends", (("repair", mends), *fear))
        if volleys and points > 1:
            yield Way((ActionName.REPAIR, ActionName.SHOOT), "mends and fires", (("repair", mends), *fear), volleys)
    if ActionName.TARGET_LOCK in may and ActionName.SHOOT in may and points > 1 and skill.plans:
        locked = _locked(able, still, model, foes)
        if locked:
            yield Way((ActionName.TARGET_LOCK, ActionName.SHOOT), "locks and fires", fear, locked, locks=True)
    if ActionName.OVERWATCH in may and skill.plans:
        yield Way((ActionName.OVERWATCH,), "watches", (("may break in", _hope(able, still, model, foes)), *fear))


def _locked(able: Guns, there: Table, model: Thing, foes: Sequence[Thing]) -> tuple[Volley, ...]:
    """The volleys of a model that locks on to whom it fires at."""
    found: list[Volley] = []
    for foe in foes:
        if not is_infantry(foe):
            locked = thought(there, there[model.id], {StateName.TARGET_LOCK: foe.id})
            found += able.volleys(locked, locked[model.id], [foe])
    return tuple(found)


def _mending(model: Thing) -> int:
    """What a Repair Action may be expected to bring (strikeops.recovery.lingering-damage: never back to unharmed)."""
    if model.harm <= REPAIRS.best:
        return 0
    chance = repair_check(model).passes()
    return int(value(model, POINT) * chance)


def _hope(able: Guns, there: Table, model: Thing, foes: Sequence[Thing]) -> int:
    """What a model in Overwatch may hope for: a share of what it could do now, or that it is ready at all."""
    best = max((value(foe, able.volley(there, there[model.id], there[foe.id]).points) for foe in foes), default=0)
    return READY + best * HOPE // 100


def _moving(
    able: Guns, table: Table, model: Thing, skill: Skill, may: set[str], points: int, withdraws: bool
) -> Iterator[Way]:
    """To go somewhere, and fire on the way: at the beginning or at the end of the move."""
    foes = near_foes(table, model, skill)
    shoots = ActionName.SHOOT in may and points > 1
    moves = thought(table, model, {StateName.STATIONARY: None})
    before = able.volleys(moves, moves[model.id], foes) if shoots else []
    if shoots and skill.plans:
        before += barrages(able, moves, moves[model.id], foes)
    if withdraws:
        yield Way((ActionName.MOVE,), "withdraws", (("it must", DEMANDED),))
        if before:
            yield Way((ActionName.MOVE, ActionName.SHOOT), "withdraws firing", (("it must", DEMANDED),), tuple(before))
        return
    for stand in walks(table, model, 1, skill):
        parts, there = bearings(able, table, model, stand, skill)
        if shoots:
            after = able.volleys(there, there[model.id], foes) if not stand.leaves else []
            best = _better(before, after)
            if best:
                words = f"{stand.words}, and fires"
                yield Way((ActionName.MOVE, ActionName.SHOOT), words, parts, best)
        yield Way((ActionName.MOVE,), stand.words, parts)
    if points > 1:
        for stand in walks(table, model, 2, skill):
            parts, _ = bearings(able, table, model, stand, skill)
            yield Way((ActionName.MOVE, ActionName.MOVE), f"{stand.words}, at the double", parts)
    if ActionName.RUN_N_GUN in may and skill.plans:
        at_once = able.volleys(moves, moves[model.id], foes, running=True)
        for stand in walks(table, model, 2, skill, running=True):
            parts, there = bearings(able, table, model, stand, skill)
            best = _better(at_once, [] if stand.leaves else able.volleys(there, there[model.id], foes, running=True))
            if best:
                yield Way((ActionName.RUN_N_GUN,), f"{stand.words}, firing on the run", parts, best)


#: What one action point more is spent on: first so many Move Actions, then fire, perhaps after a lock.
DRIVEN = ((ActionName.MOVE, ActionName.SHOOT), (ActionName.MOVE, ActionName.MOVE, ActionName.SHOOT))
STALKED = (ActionName.MOVE, ActionName.TARGET_LOCK, ActionName.SHOOT)


def _motivated(able: Guns, table: Table, model: Thing, skill: Skill) -> Iterator[Way]:
    """To go where it can fire, or lock and fire, with one action point more (strikeops.command.motivate)."""
    driven, foes = with_point(model), near_foes(table, model, skill)
    armed = any(one.weapon.family == MISSILE for one in weapons(model).values())
    for actions in (*DRIVEN, *((STALKED,) if armed else ())):
        steps = [refused_action(table, driven, actions[:n], action) for n, action in enumerate(actions)]
        if len(actions) != driven.count(CountName.AP) or any(steps):
            continue
        for stand in walks(table, model, actions.count(ActionName.MOVE), skill):
            if stand.leaves:
                continue
            parts, there = bearings(able, table, model, stand, skill)
            locks = ActionName.TARGET_LOCK in actions
            fire = _locked(able, there, model, foes) if locks else tuple(able.volleys(there, there[model.id], foes))
            if fire:
                words, paid = f"{stand.words}, and fires, motivated", (*parts, ("a C3 point", -KEPT))
                yield Way(actions, words, paid, fire, locks=locks, motivated=True)


def bearings(able: Guns, table: Table, model: Thing, stand: Stand, skill: Skill) -> tuple[Reasons, Table]:
    """What the end of a way is worth, fire apart; and the table with the model there."""
    there = at(table, model, stand)
    if stand.leaves:
        free = runs(table, model.side) and nearly_out(table, model, stand)
        return (("out of it", price(model) if free else -2 * price(model)),), there
    words, gain = way_worth(table, model, stand, skill)
    return ((words, gain), *_fear(able, there, model, skill)), there


def nearly_out(table: Table, model: Thing, stand: Stand) -> bool:
    """Whether a way that leaves the board leads over the edge that is the way out."""
    return length_between(stand.pose.point, exit_of(table, stand.pose.point)) <= 3 * UNIT


def _better(before: Sequence[Volley], after: Sequence[Volley]) -> tuple[Volley, ...]:
    """The better of two volleys at each target."""
    best: dict[str, Volley] = {}
    for one in (*before, *after):
        if one.target not in best or one.points > best[one.target].points:
            best[one.target] = one
    return tuple(best.values())


# The squad ---------------------------------------------------------------------------------------------------------


def taken(table: Table, way: Way, done: dict[str, int]) -> Chosen:
    """A way with the best of its volleys, after what others do."""
    best, worth, words = None, 0, ""
    for one in way.volleys:
        foe = table[one.target]
        gain = value(foe, one.points, done.get(foe.id, 0)) * (100 + bounty(table, foe)) // 100 + one.more
        if gain > worth:
            best, worth, words = one, gain, f"fire at {foe.label}"
    return Chosen(way, best, ((words, worth), *way.parts) if best is not None else way.parts)


def squad_plan(table: Table, models: Sequence[Thing], skill: Skill) -> list[tuple[ThingId, Chosen]]:
    """What the models of a squad do: who can do most chooses first, the others join him or find something better."""
    left, done, found = [one.id for one in models], {}, []  # type: ignore[var-annotated]
    pool = c3_points(table, models[0].side) if models else 0
    while left:
        options = [(_best(table, table[name], skill, done, pool >= COST), -n, name) for n, name in enumerate(left)]
        chosen, _, name = max(options, key=lambda one: (_fires(one[0]), one[1]))
        if chosen.volley is not None:
            done[chosen.volley.target] = done.get(chosen.volley.target, 0) + chosen.volley.points
        found.append((name, chosen))
        left.remove(name)
        pool -= COST * chosen.way.motivated
    return found


def _fires(chosen: Chosen) -> int:
    return chosen.parts[0][1] if chosen.volley is not None else 0


def _best(table: Table, model: Thing, skill: Skill, done: dict[str, int], pays: bool) -> Chosen:
    choices = [taken(table, way, done) for way in ways(table, model, skill) if pays or not way.motivated]
    lawful = [one for one in choices if one.volley is not None or not one.way.volleys]
    return max(lawful, key=lambda one: one.worth)


def draft(table: Table, plan: Sequence[tuple[str, Chosen]]) -> dict[str, Any]:
    """The declaration of a plan."""
    said: dict[str, Any] = {}
    for model, chosen in plan:
        way, volley = chosen.way, chosen.volley
        for n, action in enumerate(way.actions or (NOTHING,), 1):
            said[f"{model} {n}"] = action
        if way.stomp:
            said[f"{model} stomp"] = way.stomp
        if way.motivated:
            said[f"{model} {MOTIVATED}"] = True
        if volley is None:
            continue
        if way.locks:
            said[f"{model} lock"] = volley.target
        if volley.point is None:
            said[f"{model} target"] = volley.target
        else:
            said[f"{model} {POINT_ASKED}"] = {POINT_ASKED: Spot(At(volley.point))}
        if volley.point is not None and any(not is_indirect(one.weapon) for one in weapons(table[model]).values()):
            said[f"{model} fire"] = INDIRECT
        if volley.salvo:
            said[f"{model} salvo"] = True
        said[f"{model} weapons"] = volley.weapons
        if volley.overdrive:
            said[f"{model} overdrive"] = True
    return said


def standing_fire(table: Table, model: Thing, skill: Skill) -> int:
    """What a model could do from where it stands, quickly seen."""
    able, still = guns(table), thought(table, model, {StateName.STATIONARY: ""})
    foes = near_foes(table, model, skill)
    return max((value(foe, able.volley(still, still[model.id], foe).points) for foe in foes), default=0)
