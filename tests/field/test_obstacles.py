"""How far a base comes among obstacles, measured quickly, is how far the meetings of its track let it come."""

import random

import pytest

from sandtable.engine.shapes import Base, Disc, Leg, Point, Shape, Walk, rectangle
from sandtable.field.walking.encounters import Obstacles, first_near, meetings
from sandtable.field.walking.paths import Pose, resolve

BASE = Base("rectangle", 1500, 2600)
#: What is measured by eye and then proved may fall so far short.
SHORT = 9


def obstacle(rng: random.Random) -> Shape:
    x, y = rng.randint(-12000, 12000), rng.randint(-12000, 12000)
    if rng.random() < 0.5:
        return Disc(Point(x, y), rng.randint(300, 1500))
    return rectangle(x, y, rng.randint(300, 4000), rng.randint(300, 4000))


@pytest.mark.parametrize("seed", range(60))
def test_it_comes_as_far_as_its_meetings_let_it(seed: int) -> None:
    rng = random.Random(seed)
    shapes = [obstacle(rng) for _ in range(12)]
    legs = tuple(Leg(rng.randint(-180, 180), rng.choice((-1, 1)) * rng.randint(500, 9000)) for _ in range(2))
    track = resolve(Pose(Point(0, 0), 0), Walk(legs))
    met = [one.last for one in meetings(track, BASE, shapes) if one.last is not None]
    exact = min(met, default=track.length)
    assert exact - SHORT <= Obstacles(shapes).free_until(track, BASE) <= exact


@pytest.mark.parametrize("guess", [-5, 0, 3, 40, 41, 42, 77, 100, 300])
def test_any_guess_finds_the_first(guess: int) -> None:
    for first in range(101):
        assert first_near(0, 100, lambda n, first=first: n >= first, guess) == first  # type: ignore[misc]
