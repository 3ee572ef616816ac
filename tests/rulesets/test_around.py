"""What a page may switch on while a move is drawn: range bands, arcs, costs of rings of reach, who could fire there."""

import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from sandtable.bots import make_bot
from sandtable.engine.answers.judging import Accepted, check, wanting
from sandtable.engine.battle import Battle
from sandtable.engine.ids import RED
from sandtable.engine.questions import EXTRAS, MoveModels, Preview
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Disc, Point, Polygon, Via, Walk
from sandtable.field.walking.reach import in_reach
from sandtable.lab.rulebooks import rulebook
from sandtable.rulesets.quickstart.concepts import distance
from sandtable.rulesets.quickstart.datacard import weapons
from sandtable.rulesets.quickstart.previews.ranges import ranges
from sandtable.rulesets.quickstart.shooting.direct_fire import range_band
from sandtable.rulesets.quickstart.sight import line_of_sight, twist_to_make
from tests.rulesets.stargrunt.test_previews import laid_out


def moves(name: str, scenario: str, seed: int, most: int) -> Iterator[tuple[Battle, View, MoveModels, Any]]:
    """Moves of a battle that may be drawn with all there is, each with what was answered."""
    rules = rulebook(name).ruleset()
    battle = Battle(rules, rules.setup(scenario), seed=seed)
    bots = {side: make_bot("tactical", rules, seed, side) for side in battle.table.sides}
    while not battle.ended and most:
        question = battle.questions[0]
        view = battle.view(question.side)
        draft = bots[question.side].answer(view, question)
        if isinstance(question, MoveModels) and set(EXTRAS.values()) <= set(question.shows):
            most -= 1
            yield battle, view, question, draft
        assert battle.answer(draft, question.side) is None


def drawn(battle: Battle, view: View, question: MoveModels, draft: Any, wants: tuple[str, ...]) -> Preview:
    checked = check(battle.ruleset, view, wanting(question, wants), draft)
    assert isinstance(checked, Accepted), checked
    return checked.preview()


def near(point: Point) -> list[Point]:
    """A point, and those a hair's breadth from it: to which borders are found."""
    return [Point(point.x + x, point.y + y) for x in (-60, 0, 60) for y in (-60, 0, 60)]


SHOWN = [("quickstart", "stand-and-fight"), ("stargrunt", "close-quarters")]


@pytest.mark.parametrize(("name", "scenario"), SHOWN)
def test_only_what_is_wanted_is_found_out_and_only_where_it_may_be_shown(name: str, scenario: str) -> None:
    for battle, view, question, draft in moves(name, scenario, 3, 2):
        plain = drawn(battle, view, question, draft, ())
        assert (plain.rings, plain.threats) == ((), ())
        whole = drawn(battle, view, question, draft, tuple(EXTRAS))
        assert {ring.what for ring in whole.rings} >= {"cost", "range"}
        assert whole.targets
        assert wanting(MoveModels(RED, "Go.", shows=("odds",)), tuple(EXTRAS)).shows == ("odds",)


@pytest.mark.parametrize(("name", "scenario"), SHOWN)
def test_what_costs_less_lies_inside_what_costs_more(name: str, scenario: str) -> None:
    for battle, view, question, draft in moves(name, scenario, 5, 1):
        preview = drawn(battle, view, question, draft, ("costs",))
        rings: dict[str, list[Polygon]] = {}
        for ring in preview.rings:
            assert isinstance(ring.shape, Polygon)
            rings.setdefault(ring.label, []).append(ring.shape)
        assert len(rings) > 1
        labels = list(rings)
        assert tuple(rings[labels[-1]]) == preview.reach, "the last ring is all that is in reach"
        for less, more in itertools.pairwise(labels):
            inner = [point for shape in rings[less] for point in shape.points]
            outside = [point for point in inner if not any(in_reach(tuple(rings[more]), at) for at in near(point))]
            # What is smaller than the mesh of the lattice can be missed.
            assert len(outside) * 20 <= len(inner)


def test_who_threatens_a_model_sees_it_bears_on_it_and_reaches_it() -> None:
    threats = safe = 0
    for battle, view, question, _ in moves("quickstart", "crowded", 3, 9):
        if question.marks:
            continue
        preview, table = drawn(battle, view, question, {}, ("threats",)), view.table
        model, by = table[question.models[0]], {threat.by for threat in preview.threats}
        for foe in table.enemies_of(model.side):
            assert isinstance(model.place, At)
            sees = not line_of_sight(table, foe, model).blocked
            bears = twist_to_make(foe, model.place.point) is not None
            reaches = any(range_band(gun, distance(foe, model)) for gun in weapons(foe).values())
            if foe.id in by:
                assert bears
                assert reaches
                threats += 1
            elif not (sees and bears and reaches):
                safe += 1
    assert threats
    assert safe


def test_how_narrowly_a_range_is_missed_is_said() -> None:
    (_battle, view, question, _), *_ = moves("quickstart", "duel", 3, 1)
    gun = weapons(view.table[question.models[0]])["medium-mac"]
    edge = gun.range * 1000
    assert ranges(3 * edge + 40, [gun]) == f"{3 * gun.range}.04″: extreme range, by 0.04″"
    assert ranges(4 * edge + 40, [gun]) == f"{4 * gun.range}.04″: 0.04″ outside extreme range"
    assert ranges(edge, [gun]) == f"{gun.range}″: short range"


HIDDEN_FROM = """
board: {width: 40, height: 40, terrain: [{kind: building, rectangle: [14, 15, 8, 2]}]}
red: [{model: scout, as: A, at: [20, 22]}]
blue: [{model: scout, as: B, at: [21, 10]}]
"""


def test_a_unit_that_steps_out_from_behind_a_house_is_threatened() -> None:
    battle = laid_out(HIDDEN_FROM)
    assert battle.answer("move") is None
    question, view = battle.questions[0], battle.view(RED)
    assert isinstance(question, MoveModels)
    behind = drawn(battle, view, question, {}, ("threats", "ranges"))
    spots = {name: view.table[name].place for name in question.models}
    walks = {
        name: Walk((Via(Point(at.point.x + 5500, at.point.y)),)) for name, at in spots.items() if isinstance(at, At)
    }
    out = drawn(battle, view, question, walks, ("threats", "ranges"))
    assert behind.threats == ()
    assert [threat.by for threat in out.threats] == ["B"]
    assert out.targets["B"].startswith("12.8")
    assert all(isinstance(ring.shape, Disc) for ring in out.rings)
