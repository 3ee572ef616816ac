"""Strike Operations, as far as it is played: whole battles, odds that agree with a count, refusals by name."""

from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.bots import make_bot
from sandtable.engine.answers.judging import check
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED, PieceId, Side
from sandtable.engine.questions import Plan, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Leg, Point, Walk, rectangle
from sandtable.engine.table import Ground, Mark, Piece, Thing
from sandtable.forces.files import ScenarioError
from sandtable.forces.scenario import package_scenarios
from sandtable.lab.battles import play_battle
from sandtable.rulesets.strikeops import RULESET
from sandtable.rulesets.strikeops.damage import row_of_hit
from sandtable.rulesets.strikeops.datacard import is_cav, weapons
from sandtable.rulesets.strikeops.movement import (
    FIRES_HERE,
    question_rates,
    rates_for,
    refused_run,
    straight_run,
    walk_question,
)
from sandtable.rulesets.strikeops.previews.forecast import points_of
from sandtable.rulesets.strikeops.shooting.aiming import Aim, Attack, aim
from sandtable.rulesets.strikeops.state_names import StateName, Until
from sandtable.rulesets.strikeops.terrain import OBSTRUCTION, ROAD_KIND
from sandtable.rulesets.strikeops.victory import homeward


def played(scenario: str, seed: int) -> Battle:
    setup = RULESET.setup(scenario)
    bots = {side: make_bot("random", RULESET, f"{seed} {side}") for side in setup.sides}
    return play_battle(RULESET, setup, bots, seed=seed)


@pytest.mark.parametrize("scenario", list(package_scenarios("strikeops")))
def test_random_bots_play_a_battle_to_its_end_and_again_the_same(scenario: str) -> None:
    one, other = played(scenario, 3), played(scenario, 3)
    assert one.table.ending is not None
    assert one.journal.events() == other.journal.events()


def test_nothing_is_measured_before_a_squad_has_declared() -> None:
    battle = Battle(RULESET, RULESET.setup("meeting"), seed=1)
    bot = make_bot("random", RULESET, 1)
    while not isinstance(battle.questions[0], Plan):
        first = battle.questions[0]
        battle.answer(bot.answer(battle.view(first.side), first), first.side)
    question = battle.questions[0]
    view = battle.view(question.side)
    actor = question.actors[0]
    foe = view.table.enemies_of(question.side)[0].id
    weapon = next(iter(weapons(view.table[actor])))
    draft = {f"{actor} 1": "shoot", f"{actor} target": foe, f"{actor} weapons": (weapon,)}
    shown = RULESET.preview(view, question, draft)
    assert not shown.distances
    assert not shown.sight
    assert not shown.reach


def test_the_odds_of_a_shot_are_those_of_counting_every_fall_of_the_dice() -> None:
    battle = Battle(RULESET, RULESET.setup("meeting"), seed=1)
    table = battle.table
    attack = Attack("R3", "B4", ("light-magnetic-rotary-accelerator-cannon",))
    aimed = aim(table, attack, attack.weapons[0])
    assert isinstance(aimed, Aim)
    needs = sum(part.value for part in (*aimed.needs.parts, *aimed.modifiers))
    weapon = weapons(table["R3"])[attack.weapons[0]].weapon
    counted: dict[int, Fraction] = {}
    for first, second, third in product(range(1, 7), repeat=3):
        natural = first + second
        total = natural + (third if natural == 12 else 0)
        hit = row_of_hit(total - needs, table["R3"], weapon, table["B4"]) if natural > 2 and total >= needs else None
        points = 0 if hit is None else hit.damage
        counted[points] = counted.get(points, Fraction(0)) + Fraction(1, 216)
    assert points_of(RULESET, table, attack) == counted


def test_what_is_still_to_come_is_refused_by_name(tmp_path: Path) -> None:
    file = tmp_path / "later.yaml"
    file.write_text(
        "ruleset: strikeops\nname: later\nboard: {width: 48, height: 48}\nsides:\n"
        "  red: {force: [{model: wren, at: [9, 9]}]}\n  blue: {force: [{model: stoat, at: [30, 30]}]}\n"
    )
    with pytest.raises(ScenarioError, match="`wren` has ecm, which this ruleset does not play yet"):
        RULESET.setup(str(file))


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("{scenario: hold-at-ll-cost, pool: '3000'}", "there is no scenario 'hold-at-ll-cost'"),
        ("{pool: many}", "the pool is no number of Threat Value"),
        (f"{{pool: '{'9' * 50}'}}", "the pool is no number of Threat Value"),
    ],
)
def test_options_that_nobody_could_play_by_are_refused_before_anything_is_reckoned(
    tmp_path: Path, options: str, words: str
) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(
        f"ruleset: strikeops\nname: wrong\noptions: {options}\nboard: {{width: 48, height: 48}}\nsides:\n"
        "  red: {force: [{model: stoat, at: [9, 9]}]}\n  blue: {force: [{model: stoat, at: [30, 30]}]}\n"
    )
    with pytest.raises(ScenarioError, match=words):
        RULESET.setup(str(file))


def test_a_run_straight_ahead_goes_as_far_as_a_road_takes_it() -> None:
    """What is proposed for a Run 'N Gun must be lawful: some models have no other way."""
    table = Battle(RULESET, RULESET.setup("meeting"), seed=1, digest_every=0).table.copy()
    model = replace(next(one for one in table.models(RED) if is_cav(one)), place=At(Point(18_000, 6_000)), facing=90)
    road = Piece(PieceId("road"), ROAD_KIND, rectangle(15_000, 0, 6_000, 36_000))
    table.things[model.id], table.ground = model, Ground(36_000, 48_000, (road,))
    rates = rates_for(model, 2, running=True)
    way = straight_run(table, model, rates)
    assert way.legs == (Leg(0, (rates.mv + rates.actions) * UNIT),), "along a road each action has 1 MV more"
    assert refused_run(table, model, way, rates) is None


@pytest.mark.parametrize("facing", range(225, 270, 4))
def test_a_run_straight_ahead_is_one_way_also_where_it_ends_beside_dear_ground(facing: int) -> None:
    """A wheeled model ran on along the border of rough ground by a thousandth and a thousandth, turned by rounding."""
    table = Battle(RULESET, RULESET.setup("meeting"), seed=1, digest_every=0).table.copy()
    (one, *others) = table.models()
    for other in others:
        del table.things[other.id]
    scree = Piece(PieceId("scree"), "rough", rectangle(20_000, 14_000, 8_000, 6_000))
    model = replace(one, card="thistle", place=At(Point(31_911, 26_999)), facing=facing)
    table.things[model.id], table.ground = model, Ground(48_000, 36_000, (scree,))
    rates = rates_for(model, 2, running=True)
    way = straight_run(table, model, rates)
    (leg,) = way.legs
    assert isinstance(leg, Leg)
    assert refused_run(table, model, way, rates) is None
    assert refused_run(table, model, Walk((replace(leg, go=leg.go - 1),)), rates) is not None


def _asked_on(ground: Ground, model: Thing, others: tuple[Thing, ...], *, running: bool) -> Refusal | None:
    """What is said to whoever takes the walk that is proposed to a model on its own on a board."""
    table = Battle(RULESET, RULESET.setup("meeting"), seed=1, digest_every=0).table.copy()
    for name in [one.id for one in table.models()]:
        del table.things[name]
    table.things.update({one.id: one for one in (model, *others)})
    table.ground = ground
    asked = walk_question(model, 2 if running else 1, (FIRES_HERE,) if running else (), running)
    question = homeward(table, model, asked)
    if running and question.default is None:
        run = straight_run(table, model, question_rates(model, question))
        question = replace(question, default={model.id: run})
    found = check(RULESET, View(model.side, table), question, None)
    return found if isinstance(found, Refusal) else None


def _stoat(side: Side, x: int, y: int, facing: int, **more: Any) -> Thing:
    thing = next(one for one in Battle(RULESET, RULESET.setup("meeting"), seed=1).table.models(side) if is_cav(one))
    return replace(thing, place=At(Point(x, y)), facing=facing, **more)


KILLED = {StateName.MISSION_KILL: Mark(1, Until.GAME)}
OPEN = Ground(36_000, 48_000)


@pytest.mark.parametrize("facing", range(0, 360, 15))
@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize("y", [760, 900, 24_000, 47_240])
def test_the_way_that_is_proposed_to_a_mission_kill_is_lawful(y: int, running: bool, facing: int) -> None:
    """Also where it touches its edge, and where it runs: it was declared before the model was a mission kill."""
    model = _stoat(RED, 18_000, y, facing, states=KILLED)
    assert _asked_on(OPEN, model, (), running=running) is None
    assert _asked_on(OPEN, model, (_stoat(BLUE, 18_000, abs(y - 1_700), 0),), running=running) is None


@pytest.mark.parametrize("facing", range(0, 360, 15))
def test_the_run_that_is_proposed_in_forbidden_ground_is_lawful(facing: int) -> None:
    """Out of what it may not enter it goes the shortest way; whoever does not face that way runs nowhere."""
    block = Piece(PieceId("block"), OBSTRUCTION, rectangle(15_000, 20_000, 6_000, 6_000))
    model = _stoat(RED, 18_000, 20_400, facing)
    assert _asked_on(replace(OPEN, pieces=(block,)), model, (), running=True) is None


def test_the_run_that_is_proposed_past_another_base_is_lawful() -> None:
    """Ways are rounded: from where a run meets a base that it grazes, it may go some thousandths on."""
    model, other = _stoat(RED, 11_033, 24_780, 20), _stoat(BLUE, 11_438, 26_607, 344)
    assert _asked_on(OPEN, model, (other,), running=True) is None


def test_a_line_of_smoke_is_closed_until_a_move_is_declared() -> None:
    """Several models that each chose it without a move found no lawful declaration: this battle came to one."""
    setup = RULESET.setup("breakers-yard")
    players = {side: make_bot("random", RULESET, f"37/{side}", side) for side in setup.sides}
    play_battle(RULESET, setup, players, seed=37)
