"""What previews draw as the reach of a walk is what the judge of walks lets one reach, wherever battles go.

`python -m tests.rulesets.test_reach 50` looks at so many moves of each battle, and says what it took.
"""

import random
import sys
from collections.abc import Callable, Sequence
from time import process_time
from typing import NamedTuple

import pytest

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.battle import Accepted, Battle
from sandtable.engine.questions import MoveModels
from sandtable.engine.shapes import UNIT, Leg, Point, Polygon, Via, Walk
from sandtable.field.ground import box_of
from sandtable.field.walking.paths import length_between, resolve
from sandtable.field.walking.reach import ROUNDING, Reach, Walker, in_reach
from sandtable.lab.battles import play_battle
from sandtable.lab.rulebooks import rulebook
from sandtable.rulesets.quickstart.movement.moves import going
from sandtable.rulesets.quickstart.movement.walking import contacts_of, rates_of
from sandtable.rulesets.quickstart.previews import reaching
from sandtable.rulesets.stargrunt.movement.reaching import walker
from sandtable.rulesets.stargrunt.movement.walking import refused_walks
from sandtable.rulesets.stargrunt.vehicles.driving import driver, refused_drive

#: The end of a lawful walk may lie so far outside of what is drawn.
HAIR = UNIT // 5
ON_FOOT, ON_WHEELS = ("move", "combat-move", "travel", "take-place"), ("drive", "combat-drive")


class Mover(NamedTuple):
    """A thing that a question asks to move, and what the judge of its walks says."""

    walker: Walker
    lawful: Callable[[Walk], bool]

    def strays(self, rng: random.Random) -> Walk:
        """Some walk, not too long."""
        far, turns = self.walker.gait.farthest, self.walker.gait.facing
        legs: list[Leg | Via] = []
        (x, y), left = self.walker.start.point, rng.randint(far // 3, far)
        for _ in range(rng.choice((1, 1, 2, 3))):
            x, y = x + rng.randint(-far, far), y + rng.randint(-far, far)
            legs.append(Leg(rng.randint(-180, 180), rng.randint(0, far)) if turns else Via(Point(x, y)))
        track = resolve(self.walker.start, Walk(tuple(legs)))
        return track.cut(min(left, track.length))[0]


def figures(battle: Battle, question: MoveModels) -> list[Mover]:
    """The figures of a squad, each judged as if it walked alone, with nobody of the squad in its way."""
    table, far = battle.view(question.side).table, max(question.allowance.values())
    unit = [*question.models, *question.about[1:]]

    def mover(name: str) -> Mover:
        def lawful(walk: Walk) -> bool:
            return refused_walks(table, question.side, {name: walk}, far, together=False, carried=unit) is None

        return Mover(walker(table, table[name], far), lawful)

    return [mover(name) for name in question.models]


def vehicle(battle: Battle, question: MoveModels) -> list[Mover]:
    """A vehicle, judged as it drives; where a Broken crew may go is not drawn."""
    table, (name,) = battle.view(question.side).table, question.models
    far, calm = question.allowance[name], table["calm"] if "calm" in table.things else table[question.about[0]]

    def lawful(walk: Walk) -> bool:
        return refused_drive(table, calm, table[name], walk, far) is None

    return [Mover(driver(table, table[name], far), lawful)]


def model(battle: Battle, question: MoveModels) -> list[Mover]:
    """A model of the Quick-Start rules, judged by the question for its walk."""
    table, (name,) = battle.view(question.side).table, question.models
    marks = {mark.id: 0 for mark in question.marks if mark.required}

    def lawful(walk: Walk) -> bool:
        gone = going(table, table[name], walk, rates_of(table[name], question), contacts_of(question))
        accepted = isinstance(battle.check({name: Walk(walk.legs, marks)}, question.side), Accepted)
        return accepted and not gone.leaves  # who leaves the board ends nowhere on it

    return [Mover(reaching.walker(table, table[name], question), lawful)]


class Counted(NamedTuple):
    """How many ends of lawful walks lie outside, and points inside that no walk is found to; of how many each."""

    outside: int
    ends: int
    unreached: int
    points: int


def asked(name: str, scenario: str, seed: int, topics: Sequence[str], most: int) -> list[tuple[Battle, MoveModels]]:
    """Questions for walks that a battle of random bots asks."""
    found: list[tuple[Battle, MoveModels]] = []

    def watch(battle: Battle) -> None:
        for question in battle.questions:
            if isinstance(question, MoveModels) and question.topic in topics and len(found) < most:
                found.append((battle.clone(), question))

    rules = rulebook(name).ruleset()
    setup = rules.setup(scenario, 0)
    players = {side: RandomBot(rules, seed=f"{seed}{side}") for side in setup.sides}
    play_battle(rules, setup, players, seed=seed, watch=watch)
    return found


def drawn(battle: Battle, question: MoveModels) -> tuple[Polygon, ...]:
    """The reach that the preview of an empty draft holds."""
    marks = {mark.id: 0 for mark in question.marks if mark.required}
    checked = battle.check({name: Walk((), marks) for name in question.models}, question.side)
    assert isinstance(checked, Accepted), checked
    shapes = checked.preview().reach
    assert all(isinstance(shape, Polygon) for shape in shapes)
    return tuple(shape for shape in shapes if isinstance(shape, Polygon))


def near(area: tuple[Polygon, ...], point: Point) -> bool:
    """Whether a point lies in an area, or a hair's breadth from it."""
    x, y = point
    around = ((0, 0), (HAIR, 0), (-HAIR, 0), (0, HAIR), (0, -HAIR))
    return any(in_reach(area, Point(x + dx, y + dy)) for dx, dy in around)


def counted(area: tuple[Polygon, ...], movers: Sequence[Mover], each: int, rng: random.Random) -> Counted:
    """What holds of the reach of some movers: where lawful walks end, and what lawful walks get to."""
    ends: list[Point] = []
    for _ in range(40 * each):
        mover = rng.choice(movers)
        walk = mover.strays(rng)
        if len(ends) < each and mover.lawful(walk):
            ends.append(resolve(mover.walker.start, walk).end.point)
    outside = [end for end in ends if not near(area, end)]
    boxes = [box_of(shape) for shape in area]
    points: list[Point] = []
    while boxes and len(points) < each:
        x = rng.randint(min(box[0] for box in boxes), max(box[2] for box in boxes))
        y = rng.randint(min(box[1] for box in boxes), max(box[3] for box in boxes))
        if in_reach(area, Point(x, y)):
            points.append(Point(x, y))
    known = Reach([mover.walker for mover in movers], lambda point: True)
    unreached = [point for point in points if not _gets_to(known, movers, point)]
    return Counted(len(outside), len(ends), len(unreached), len(points))


def _gets_to(known: Reach, movers: Sequence[Mover], point: Point) -> bool:
    """Whether the judge accepts a walk that ends at a point, or nearly."""
    lawful = {mover.walker.start: mover.lawful for mover in movers}
    return any(
        length_between(resolve(walker.start, walk).end.point, point) <= ROUNDING and lawful[walker.start](walk)
        for walker, walk in known.walks(point)
    )


#: The battles looked at: the ruleset, the scenario, the topics of its walks, and who walks.
Movers = Callable[[Battle, MoveModels], list[Mover]]
LOOKED_AT: tuple[tuple[str, str, tuple[str, ...], Movers], ...] = (
    ("stargrunt", "close-quarters", ON_FOOT, figures),
    ("stargrunt", "mined-crossing", ON_FOOT, figures),
    ("stargrunt", "armour", ON_WHEELS, vehicle),
    ("quickstart", "", ("walk",), model),
)


def all_counted(name: str, scenario: str, topics: Sequence[str], movers: Movers, most: int, each: int) -> Counted:
    """What holds of all moves of a battle together."""
    total = Counted(0, 0, 0, 0)
    for n, (battle, question) in enumerate(asked(name, scenario, 5, topics, most)):
        found = counted(drawn(battle, question), movers(battle, question), each, random.Random(n))
        total = Counted(*(a + b for a, b in zip(total, found, strict=True)))
    return total


@pytest.mark.parametrize(("name", "scenario", "topics", "movers"), LOOKED_AT)
def test_lawful_walks_end_in_reach_and_reach_whatever_is_in_it(
    name: str, scenario: str, topics: tuple[str, ...], movers: Movers
) -> None:
    found = all_counted(name, scenario, topics, movers, most=5, each=30)
    assert found.points >= 60
    assert found.ends >= 60
    # A strip that is narrower than the mesh of the outline, a hedge that no vehicle crosses, is drawn over.
    assert found.unreached <= found.points // 50
    assert found.outside <= found.ends // 100


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    for case in LOOKED_AT:
        begun = process_time()
        times = []
        for battle, question in asked(case[0], case[1], 5, case[2], wanted):
            begun = process_time()
            drawn(battle, question)
            times.append(int(1000 * (process_time() - begun)))
        print(*case[:2], all_counted(*case, wanted, 100), "ms:", sorted(times))
