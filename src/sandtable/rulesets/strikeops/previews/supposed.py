"""What an attack would come to at each range, before anything may be measured: the steps that fire are walked."""

from collections.abc import Iterator
from fractions import Fraction

from msgspec.structs import replace

from sandtable.engine.questions import Preview
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.cav.previews import Told, at_ranges, face_to_face
from sandtable.rulesets.strikeops.datacard import weapons
from sandtable.rulesets.strikeops.previews.forecast import points_of
from sandtable.rulesets.strikeops.shooting.aiming import Attack, turning_points
from sandtable.rulesets.strikeops.sight import distance
from sandtable.tabletop.previews import together

#: What is less likely than this is no part of what a player weighs before he declares.
_WORTH_SAYING = Fraction(1, 100)


def supposed(ruleset: Ruleset, table: Table, shooter: Thing, attack: Attack, briefly: bool = False) -> Preview:
    """The odds of an attack at every range at which they differ; of one on several targets as if all were so far away.

    strikeops.actions.no-pre-measuring    the board is not looked at: the same cards and states give the same odds

    Fire at a point is not foretold: who stands there when it lands is for the board to say.
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


def _of(foe: Thing, points: dict[int, Fraction], briefly: bool) -> Told:
    """How likely it is harmed; and, where there is room to say it, how likely that is all that it bears."""
    bears = max(1, foe.track - foe.harm)
    harm = ("harm", sum((chance for n, chance in points.items() if n), Fraction(0)))
    worst = ("all it bears", sum((chance for n, chance in points.items() if n >= bears), Fraction(0)))
    return (harm,) if briefly or worst[1] < _WORTH_SAYING else (harm, worst)
