"""A survey says of every pose what the single verdicts and the oracle say of it."""

import random
import re
from pathlib import Path

import pytest

from sandtable.engine.ids import PieceId, ThingId
from sandtable.engine.shapes import At, Band, Base, Disc, In, Point, Polygon, Shape, rectangle
from sandtable.engine.table import Contour, Ground, Piece, Thing
from sandtable.field import oracle
from sandtable.field.measure import center_gap, gap, in_arc, inside, nearest_points, outline_of
from sandtable.field.outlines import TableTooLarge
from sandtable.field.survey import Standing, standing, survey, terrain_of

QUARTERS = ((-45, 45), (45, 135), (135, 225), (225, 315))
BASES = (Base("hexagon", 1500), Base("circle", 1000), Base("rectangle", 1000, 2000))


def random_ground(dice: random.Random, width: int = 20_000) -> Ground:
    """Woods, walls, roads and hills, on top of each other as they come."""
    pieces = []
    for number in range(8):
        x, y, r = dice.randint(0, width), dice.randint(0, width), dice.randint(500, 4000)
        bent = Band((Point(x, y), Point(x + r, y + r // 2), Point(x + 2 * r, y)), dice.choice((500, 501)))
        notched = Polygon(
            tuple(Point(x + a * r, y + b * r) for a, b in ((0, 0), (3, 0), (3, 3), (2, 1), (1, 3), (0, 3)))
        )
        outline: Shape = dice.choice((Disc(Point(x, y), r), rectangle(x, y, r, 2 * r), bent, notched))
        contours: tuple[Contour, ...] = ()
        if number % 3 == 0:
            outline = dice.choice((Disc(Point(x, y), 3 * r), rectangle(x - r, y - r, 4 * r, 4 * r)))
            inner = dice.choice((Disc(Point(x, y), r), rectangle(x, y, r, r)))
            contours = (Contour(1, outline), Contour(2, inner))
        pieces.append(Piece(PieceId(f"piece-{number}"), "woods", outline, 2, contours))
    return Ground(width, width, tuple(pieces))


def random_standing(dice: random.Random, name: str, width: int = 20_000) -> Standing:
    base = None if dice.random() < 0.05 else dice.choice(BASES)
    return Standing(name, base, Point(dice.randint(0, width), dice.randint(0, width)), dice.randrange(360))


def outline(model: Standing) -> Shape:
    return Disc(model.at, 0) if model.base is None else outline_of(model.base, model.at, model.facing)


@pytest.mark.parametrize("seed", range(6))
def test_a_survey_says_what_single_verdicts_say(seed: int) -> None:
    dice = random.Random(seed)
    ground = random_ground(dice)
    others = [random_standing(dice, f"B{i}") for i in range(5)]
    base = dice.choice(BASES)
    poses = [(Point(dice.randint(0, 20_000), dice.randint(0, 20_000)), dice.randint(-400, 400)) for _ in range(4)]
    found = survey(ground, base, poses, others, QUARTERS, near=700)
    for c, (at, facing) in enumerate(poses):
        me = outline_of(base, at, facing)
        for o, other in enumerate(others):
            you = outline(other)
            assert found.gap(c, o) == gap(me, you)
            assert found.square(c, o) == center_gap(at, other.at)
            assert found.line(c, o) == nearest_points(me, you)
            mine = [in_arc(at, facing, other.at, *arc) for arc in QUARTERS]
            theirs = [in_arc(other.at, other.facing, at, *arc) for arc in QUARTERS]
            assert found.in_my_arcs(c, o) == sum(1 << i for i, held in enumerate(mine) if held)
            assert found.in_their_arcs(c, o) == sum(1 << i for i, held in enumerate(theirs) if held)
            line = found.line(c, o)
            objects = [feature.outline for feature in found.features] + [outline(model) for model in others]
            crossed = [n for n, shape in enumerate(objects) if oracle.crosses(shape, *line)]
            assert found.crossed(c, o) == sum(1 << n for n in crossed if n != len(found.features) + o)


@pytest.mark.parametrize("seed", range(6))
def test_footings_tell_what_holds_a_centre_and_what_is_near(seed: int) -> None:
    dice = random.Random(100 + seed)
    ground = random_ground(dice)
    models = [random_standing(dice, f"B{i}") for i in range(6)]
    me, others = models[0], models[1:]
    found = survey(ground, me.base, [(me.at, me.facing)], others, near=1500)
    shapes = [feature.outline for feature in found.features]
    for model, footing in zip(models, [*found.footings, *found.other_footings], strict=True):
        assert footing.inside == sum(1 << n for n, shape in enumerate(shapes) if inside(shape, model.at))
        assert footing.near == sum(1 << n for n, shape in enumerate(shapes) if gap(shape, outline(model)) <= 1500)
        levels = [c.level for piece in ground.pieces for c in piece.contours if inside(c.outline, model.at)]
        assert footing.level == max(levels, default=0)
    for o, other in enumerate(others):
        near = [k for k, third in enumerate(others) if k != o and gap(outline(third), outline(other)) <= 1500]
        expected = found.other_footings[o].near | sum(1 << (len(shapes) + k) for k in near)
        assert found.other_near(o) == expected
    near = [k for k, third in enumerate(others) if gap(outline(third), outline(me)) <= 1500]
    assert found.near(0) == found.footings[0].near | sum(1 << (len(shapes) + k) for k in near)


def test_the_highest_ground_is_that_under_the_crossed_part() -> None:
    checked = 0
    for seed in range(25):
        dice = random.Random(200 + seed)
        ground = random_ground(dice)
        others = [random_standing(dice, f"B{i}") for i in range(6)]
        found = survey(ground, BASES[0], [(Point(dice.randint(0, 20_000), dice.randint(0, 20_000)), 0)], others)
        contours = [c for piece in ground.pieces for c in piece.contours]
        for o in range(len(others)):
            for n, piece in enumerate(ground.pieces):
                if found.crossed(0, o) >> n & 1:
                    line = found.line(0, o)
                    levels = [c.level for c in contours if oracle.share(piece.outline, c.outline, *line)]
                    assert found.height(0, o, n) == max(levels, default=0)
                    checked += bool(levels)
    assert checked > 50


def test_only_the_first_targets_are_looked_at_the_rest_stand_in_the_way() -> None:
    base = BASES[1]
    far, between = Standing("far", base, Point(9000, 0)), Standing("between", base, Point(4000, 0))
    found = survey(Ground(9000, 9000), base, [(Point(0, 0), 0)], [far, between], targets=1)
    assert found.crossed(0, 0) == 0b10
    assert len(found.gaps) == 1


def test_more_objects_than_fit_a_machine_word() -> None:
    walls = tuple(Piece(PieceId(f"wall-{i}"), "wall", rectangle(1000 * i + 100, -500, 50, 1000)) for i in range(1, 90))
    ground = Ground(100_000, 1000, walls)
    me = Standing("A", BASES[1], Point(0, 0))
    others = [
        Standing("B", BASES[1], Point(91_000, 0)),
        *(Standing(f"C{i}", BASES[1], Point(1000 * i, 0)) for i in (3, 80)),
    ]
    found = survey(ground, me.base, [(me.at, 0)], others)
    assert found.crossed(0, 0) == (1 << 89) - 1 | 0b110 << 89
    assert found.crossed(0, 1) == 0b11


def test_terrain_is_made_ready_once_for_a_ground() -> None:
    ground = random_ground(random.Random(1))
    assert terrain_of(ground) is terrain_of(ground)
    assert terrain_of(ground) is not terrain_of(random_ground(random.Random(1)))


def test_a_pose_beyond_the_bound_is_refused() -> None:
    with pytest.raises(TableTooLarge):
        survey(Ground(9000, 9000), BASES[0], [(Point(1 << 20, 0), 0)], [])


def test_more_arcs_than_bits_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 60"):
        survey(Ground(9000, 9000), BASES[0], [], [], arcs=[(0, 1)] * 61)


def test_only_what_stands_on_the_table_stands() -> None:
    thing = Thing(ThingId("A"), base=BASES[0], place=At(Point(1, 2)), facing=7)
    assert standing(thing) == Standing("A", BASES[0], Point(1, 2), 7)
    with pytest.raises(ValueError, match="A does not stand on the table"):
        standing(Thing(ThingId("A"), place=In("transport")))


def test_the_example_of_the_documentation_runs() -> None:
    page = (Path(__file__).resolve().parent.parent.parent / "docs" / "the-exact-table.md").read_text()
    examples = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    assert examples
    for example in examples:
        exec(compile(example, "docs/the-exact-table.md", "exec"), {})


def test_a_survey_of_nobody_and_of_no_pose_is_empty() -> None:
    ground = Ground(9000, 9000)
    assert len(survey(ground, BASES[0], [], [Standing("B", BASES[0], Point(0, 0))]).gaps) == 0
    assert survey(ground, BASES[0], [(Point(0, 0), 0)], []).near(0) == 0
