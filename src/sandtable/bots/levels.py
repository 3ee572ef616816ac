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


LEVELS: dict[int, Level] = {
    1: Level(
        "Recruit",
        "Sees the nearest enemy and walks at it; fires when it can, at whoever is nearest.",
        Skill(poses=2, fears=False, plans=False, foes=1),
    ),
    2: Level(
        "Private",
        "Looks at two enemies and a few places; never asks who may answer.",
        Skill(poses=4, fears=False, plans=False, foes=2),
    ),
    3: Level(
        "Corporal",
        "Picks its targets among all it sees; still overlooks who may answer, and acts in turn only.",
        Skill(poses=6, fears=False, plans=False),
    ),
    4: Level(
        "Sergeant",
        "Seeks cover and minds who may answer; has few tricks, and looks at few places.",
        Skill(poses=4, plans=False),
    ),
    5: Level(
        "Lieutenant",
        "Weighs fire, cover, danger and ground for every unit; does not think ahead.",
        Skill(poses=9),
    ),
    6: Level(
        "Captain",
        "Compares a few ways to act by playing each forward.",
        Skill(poses=9),
        Effort(firsts=3, lines=6, playouts=36, ahead=1, activations=12),
    ),
    7: Level(
        "Major",
        "Compares more ways, more often, and looks farther.",
        Skill(poses=9),
        Effort(firsts=4, lines=8, playouts=96, ahead=1, activations=16),
    ),
    8: Level(
        "Colonel",
        "Compares what every unit might do, and looks as far as it can see anything.",
        Skill(poses=9),
        Effort(firsts=6, lines=12, playouts=192, ahead=1, activations=16),
    ),
}
