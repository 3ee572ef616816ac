"""The eight levels of the opponent: what each sees, what it overlooks, and how far it thinks ahead.

A lower level makes a beginner's mistakes and makes them every time: nothing it does is drawn at random.
"""

import msgspec

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
#: What the levels look at that weigh everything, and what those hold in their heads that think ahead.
_EVERYTHING = Skill(poses=9)
_THINKING = Skill(poses=9, restless=True)

LEVELS: dict[int, Level] = {
    1: Level(
        "Recruit",
        "Walks at the nearest enemy and fires one weapon at it. Forgets what the battle is about, acts in turn only, "
        "and never asks who may answer.",
        Skill(2, False, False, reacts=False, orders=False, objectives=False, together=1, foes=1),
    ),
    2: Level(
        "Private",
        "Knows what the battle is about, looks at three enemies and answers fire; still fires one weapon at a time, "
        "and begins with whoever comes first.",
        Skill(3, False, False, orders=False, together=1, foes=3),
    ),
    3: Level(
        "Corporal",
        "Thinks about who should act first and fires two weapons together, always at the nearest enemy; walks into "
        "the open, for nobody might answer.",
        Skill(4, False, False, together=2, foes=1),
    ),
    4: Level(
        "Sergeant",
        "Fires everything it has and minds who may answer; sees the nearest enemy only, and has few tricks.",
        Skill(6, True, False, foes=1),
    ),
    5: Level(
        "Lieutenant",
        "Weighs fire, cover, danger and ground for every unit, and whom it hurts most; does not think ahead.",
        _EVERYTHING,
    ),
    6: Level(
        "Captain",
        "Plays a few ways to act forward, and takes another than the Lieutenant's where it comes out better.",
        _THINKING,
        Effort(firsts=3, lines=6, playouts=48, ahead=1, activations=10),
    ),
    7: Level(
        "Major",
        "Plays more ways forward, twice as often.",
        _THINKING,
        Effort(firsts=4, lines=8, playouts=96, ahead=1, activations=10),
    ),
    8: Level(
        "Colonel",
        "Looks at what every unit might do, twice as often again, and a little farther.",
        _THINKING,
        Effort(firsts=6, lines=12, playouts=192, ahead=1, activations=12),
    ),
}
