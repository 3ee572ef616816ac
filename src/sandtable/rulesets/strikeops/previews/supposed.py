"""What an attack would come to at each range, before anything may be measured: the steps that fire are walked."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from sandtable.engine.questions import Preview
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.table import Mark, Table, Thing
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.indirect import POINT, model_at
from sandtable.rulesets.cav.previews import Told, at_ranges, face_to_face
from sandtable.rulesets.strikeops.changes import locked_point, spelled
from sandtable.rulesets.strikeops.command import acting_squad
from sandtable.rulesets.strikeops.damage import in_play
from sandtable.rulesets.strikeops.datacard import weapons
from sandtable.rulesets.strikeops.indirect import hits_again, last_strike, strike_roll, usable
from sandtable.rulesets.strikeops.previews.forecast import points_of
from sandtable.rulesets.strikeops.shooting.aiming import Aimed, Attack, turning_points
from sandtable.rulesets.strikeops.sight import distance
from sandtable.rulesets.strikeops.state_names import StateName
from sandtable.tabletop.previews import together

#: What is less likely than this is no part of what a player weighs before he declares.
_WORTH_SAYING = Fraction(1, 100)


def supposed(ruleset: Ruleset, table: Table, shooter: Thing, attack: Attack, briefly: bool = False) -> Preview:
    """The odds of an attack at every range at which they differ; of one on several targets as if all were so far away.

    strikeops.actions.no-pre-measuring    the board is not looked at: the same cards and states give the same odds
    """
    aims = {one.target: one.weapons for one in attack.aims} or {attack.target: attack.weapons}
    fired = [weapons(shooter)[name].weapon for names in aims.values() for name in names]
    if not fired or not all(aims) or (len(aims) > 1 and any(one.has("aoe") for one in fired)):
        return Preview()
    limits = sorted(limit for limit in set[int]().union(*map(turning_points, fired)) if limit > 0)
    by = f"{shooter.label} " if briefly else ""

    def told(foe: Thing) -> Iterator[tuple[int, Told]]:
        for limit in limits:
            bare = face_to_face(table, shooter, foe, limit, distance)
            place = bare[foe.id].place
            bare.things |= {one: replace(table[one], place=place, facing=180) for one in aims if one != foe.id}
            yield limit, _of(foe, points_of(ruleset, bare, attack, foe=foe.id), briefly)

    return together(*(at_ranges(table[one].label, told(table[one]), by) for one in aims))


def supposed_barrage(ruleset: Ruleset, table: Table, shooter: Thing, attack: Attack, briefly: bool = False) -> Preview:
    """The odds of indirect fire at every range at which they differ: of harm to whom a strike-point lies on, or of a
    hit on a point where nobody is.

    strikeops.actions.no-pre-measuring    nor who else stands near it; those of the squad are taken to be linked

    Nothing is foretold of a chain, of which another's roll decides. A fumbled point stays where it is.
    """
    aims = attack.aims or (Aimed("", attack.weapons, attack.point),)
    by = f"{shooter.label} " if briefly else ""
    told = [_at_point(ruleset, table, shooter, attack, one, by) for one in aims if one.point and not attack.chained]
    return together(*told)


def _at_point(ruleset: Ruleset, table: Table, shooter: Thing, attack: Attack, aimed: Aimed, by: str) -> Preview:
    assert aimed.point is not None
    victim = model_at(table, aimed.point)
    limits = set[int]().union(*(turning_points(weapons(shooter)[name].weapon) for name in aimed.weapons))

    def told() -> Iterator[tuple[int, Told]]:
        for limit in sorted(limit for limit in limits if limit > 0):
            bare, moved = _aimed_so_far(table, shooter, victim, attack, aimed, limit)
            fired = tuple(name for name in moved.weapons if usable(bare, moved, name) is None)
            if victim is not None:
                yield limit, _of(victim, points_of(ruleset, bare, moved, foe=victim.id), bool(by))
            elif fired:
                sure = hits_again(bare[shooter.id], moved)
                lands = Fraction(1) if sure else strike_roll(bare, moved, fired).passes()
                yield limit, (("on target", lands),)

    return at_ranges(table[victim.id].label if victim else "the strike-point", told(), by)


def _aimed_so_far(
    table: Table, shooter: Thing, victim: Thing | None, attack: Attack, aimed: Aimed, limit: int
) -> tuple[Table, Attack]:
    """A bare table with a strike-point so far from a model, and its squad beside it; and the attack on that point."""
    assert aimed.point is not None
    bare = face_to_face(table, shooter, victim or replace(shooter, id=POINT), limit, distance)
    point = center(bare[victim.id if victim else POINT])
    bare.things.pop(POINT, None)
    squad, place = acting_squad(shooter), bare[shooter.id].place
    mates = [one for one in table.models(shooter.side) if acting_squad(one) == squad and in_play(one)]
    bare.things |= {squad: table[squad]} | {one.id: replace(one, place=place) for one in mates if one.id != shooter.id}
    states, here = dict(shooter.states), replace(attack, point=aimed.point, weapons=aimed.weapons)
    if last := last_strike(shooter, here):
        states[StateName.STRIKE_POINT] = Mark((*spelled(point), last, str(table.turn)))
    if locked_point(shooter, aimed.point):
        states[StateName.TARGET_LOCK] = Mark(spelled(point))
    bare.things[shooter.id] = replace(bare[shooter.id], states=states)
    locks = spelled(point) if attack.locks == spelled(aimed.point) else attack.locks
    aims = tuple(replace(one, point=point) for one in attack.aims)
    return bare, replace(here, point=point, aims=aims, locks=locks)


def _of(foe: Thing, points: dict[int, Fraction], briefly: bool) -> Told:
    """How likely it is harmed; and, where there is room to say it, how likely that is all that it bears."""
    bears = max(1, foe.track - foe.harm)
    harm = ("harm", sum((chance for n, chance in points.items() if n), Fraction(0)))
    worst = ("all it bears", sum((chance for n, chance in points.items() if n >= bears), Fraction(0)))
    return (harm,) if briefly or worst[1] < _WORTH_SAYING else (harm, worst)
