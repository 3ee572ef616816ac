"""What tactics think of a close assault: who would win it, whether it gets there, and what it costs on the way."""

from itertools import product

from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.stargrunt.close_assault.fights import bout_of, weight
from sandtable.rulesets.stargrunt.cover.protection import centre_point, in_cover
from sandtable.rulesets.stargrunt.movement.walking import combat_distance, mobility_die
from sandtable.rulesets.stargrunt.state_names import StateName
from sandtable.rulesets.stargrunt.tactics.fire import POINT
from sandtable.rulesets.stargrunt.tactics.outlook import outlook_of
from sandtable.rulesets.stargrunt.units.record import points, standing, suppressed
from sandtable.tabletop.opponent import Reasons

#: How much final fire is to be feared of who is pinned, and of who is not, in hundredths; and how many times as much as
#: where they start: whoever charges is near then, and in the open.
PINNED_FIRE, READY_FIRE, CHARGED_INTO = 40, 100, 2
#: What each attacker risks more against somebody who is ready for it.
READY = POINT // 4
#: How much nearer than their centres the figures of two units are, as a rule.
SPREAD = 2 * UNIT


def assault_worth(table: Table, unit: Thing, foe: Thing, fears: bool) -> Reasons:
    """What a close assault is worth: who would win man against man, if it gets there, less what it costs.

    Fire comes first: an enemy that is not suppressed fires at whoever comes, and stands better.
    """
    mine, theirs = standing(table, unit.id), standing(table, foe.id)
    if not mine or not theirs:
        return ()
    bout, _ = bout_of(table, theirs[0], mine[:1], foe.id if in_cover(table, foe) else "")
    they_fall, we_fall = bout.falls()
    ours, yours = weight(mine) ** 2 * they_fall, weight(theirs) ** 2 * we_fall
    wins = int(1000 * ours / (ours + yours))
    gap = length_between(centre_point(table, unit.id), centre_point(table, foe.id))
    reaches = _reach(mobility_die(unit), gap - SPREAD)
    pinned = suppressed(foe) or foe.has(StateName.PANICKED)
    feared = CHARGED_INTO * (PINNED_FIRE if pinned else READY_FIRE)
    outlook = outlook_of(table, unit, fears)
    final = outlook.danger(points(table, unit.id)) * feared // 100
    return (
        ("assault", len(theirs) * POINT * wins // 1000 * reaches // 1000),
        ("what it costs", -len(mine) * POINT * (1000 - wins) // 1000 * reaches // 1000),
        ("their fire", -final),
        ("they are ready", 0 if pinned else -len(mine) * READY),
        ("left short", -POINT * (1000 - reaches) // 1000),
    )


def _reach(die: int, gap: int) -> int:
    """How likely two combat moves are to cover a distance, in thousandths."""
    falls = [combat_distance(a + b) >= gap for a, b in product(range(1, die + 1), repeat=2)]
    return 1000 * sum(falls) // len(falls)
