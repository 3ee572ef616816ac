"""Indirect fire: the strike-points that are worth it, and what comes down there on friend and foe."""

from collections.abc import Sequence

from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import Point
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.indirect import caught_by
from sandtable.rulesets.strikeops.datacard import weapons
from sandtable.rulesets.strikeops.indirect import (
    AS_PRINTED,
    RollCaught,
    caught_check,
    hits_again,
    munition,
    point_check,
    usable,
)
from sandtable.rulesets.strikeops.shooting.aiming import Attack, is_indirect
from sandtable.rulesets.strikeops.state_names import StateName
from sandtable.rulesets.strikeops.tactics.fire import WHOLE, Guns, Volley, margins, value


def barrages(able: Guns, there: Table, shooter: Thing, foes: Sequence[Thing]) -> list[Volley]:
    """What indirect fire may do to some enemies: aimed at them, or once more at the point that was hit before."""
    names = tuple(name for name, system in weapons(shooter).items() if is_indirect(system.weapon))
    if not names:
        return []
    last = shooter.value(StateName.STRIKE_POINT)
    again = (Point(int(last[0]), int(last[1])),) if isinstance(last, tuple) else ()
    return [
        one
        for foe in foes
        for point in dict.fromkeys((center(foe), *again))
        for salvo in (False, True)
        if (one := _barrage(able, there, shooter, foe, Attack(shooter.id, "", names, point=point, salvo=salvo))).points
    ]


def _barrage(able: Guns, there: Table, shooter: Thing, foe: Thing, attack: Attack) -> Volley:
    """What comes down at a strike-point: on the enemy that it is meant for, and on others there, friends against it.

    A miss that drifts is not counted: it may come down anywhere.
    """
    assert attack.point is not None
    fired = tuple(name for name in attack.weapons if usable(there, attack, name) is None)
    types = {weapons(shooter)[name].weapon.family for name in fired}
    if not fired or (attack.salvo and (len(fired) < 2 or len(types) > 1)):
        return Volley(foe.id, ())
    on_target = WHOLE
    if not hits_again(shooter, attack):
        on_target = sum(chance for _, chance in margins(point_check(there, attack, fired)))
    harm: dict[str, int] = {}
    for volley in (fired,) if attack.salvo else [(name,) for name in fired]:
        radius = munition(weapons(shooter)[volley[0]].weapon, AS_PRINTED).radius
        for name in caught_by(there, attack.point, radius):
            check = caught_check(there, RollCaught(attack, volley, name))
            if not isinstance(check, Refusal):
                harm[name] = harm.get(name, 0) + able.struck(check, volley[0], there[name]) * on_target // WHOLE
    points = harm.pop(foe.id, 0)
    more = sum(value(there[name], hurt) * (1 if there[name].side == foe.side else -1) for name, hurt in harm.items())
    return Volley(foe.id, fired, points=points, salvo=attack.salvo, point=attack.point, more=more)
