"""The eight levels of the opponent: what each sees, what it overlooks, and how far it thinks ahead.

A lower level makes a beginner's mistakes and makes them every time: nothing it does is drawn at random.
"""

import msgspec
from msgspec.structs import replace

from sandtable.bots.thinking import Effort
from sandtable.tabletop.opponent import Skill


class Level(msgspec.Struct, frozen=True):
    """One level: its name on the page, what it does in a sentence, and what it holds in its head."""

    name: str
    about: str
    skill: Skill
    effort: Effort | None = None  # none: it does not think ahead


#: The level that plays well and answers at once.
SUGGESTED = "5"
#: What those hold in their heads who weigh everything, whether they think ahead or not.
_LIEUTENANT = Skill(poses=9)
#: What each overlooks that the one above it sees.
_SERGEANT = replace(_LIEUTENANT, poses=4, fears=False, plans=False, hesitates=2, together=2, foes=1)
_CORPORAL = replace(_SERGEANT, recovers=False, aims=False)
_PRIVATE = replace(_CORPORAL, poses=3, reacts=False, orders=False, holds_fire=1, together=1)
_RECRUIT = replace(_PRIVATE, poses=2, objectives=False, holds_fire=2, hesitates=1)

LEVELS: dict[int, Level] = {
    1: Level(
        "Recruit",
        "Walks at the nearest enemy, holds its fire until it is very near, and then fires one weapon. Does one thing "
        "where it could do two, and forgets what the battle is about.",
        _RECRUIT,
    ),
    2: Level(
        "Private",
        "Knows what the battle is about. Still holds its fire until the enemy is near, fires one weapon at a time, "
        "begins with whoever comes first, and every other turn does one thing where it could do two.",
        _PRIVATE,
    ),
    3: Level(
        "Corporal",
        "Fires two weapons together, from afar, answers fire and thinks about who should act first. Does not aim, mend "
        "or get its heads up again, and hesitates every other turn.",
        _CORPORAL,
    ),
    4: Level(
        "Sergeant",
        "Aims, mends and recovers. Sees the nearest enemy only, fires two weapons at it, walks into the open as if "
        "nobody could answer, has no tricks, and hesitates every other turn.",
        _SERGEANT,
    ),
    5: Level(
        "Lieutenant",
        "Weighs fire, cover, danger and ground for every unit, and whom it hurts most; does not think ahead.",
        _LIEUTENANT,
    ),
    6: Level(
        "Captain",
        "Plays a few ways to act forward, and takes another than the Lieutenant's where it comes out better.",
        _LIEUTENANT,
        Effort(firsts=3, lines=6, playouts=48, ahead=1, activations=3),
    ),
    7: Level(
        "Major",
        "Plays more ways forward, twice as often.",
        _LIEUTENANT,
        Effort(firsts=4, lines=8, playouts=96, ahead=1, activations=3),
    ),
    8: Level(
        "Colonel",
        "Looks at what every unit might do, twice as often again, and a little farther.",
        _LIEUTENANT,
        Effort(firsts=6, lines=12, playouts=192, ahead=1, activations=4),
    ),
}
