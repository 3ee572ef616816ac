"""The opponent plays Strike Operations: lawfully, with reasons, by the rules' own odds, and better than chance."""

import random

import msgspec
import pytest
from msgspec.structs import replace

from sandtable.bots.by_name import make_bot
from sandtable.bots.level_bot import LevelBot
from sandtable.bots.levels import LEVELS
from sandtable.bots.protocol import reason_of
from sandtable.bots.thinking import Effort, Thinker, imagines
from sandtable.engine.answers.judging import Accepted, check
from sandtable.engine.battle import Battle
from sandtable.engine.dice import SeededDice
from sandtable.engine.ids import RED, PieceId, Side
from sandtable.engine.questions import ChooseOne, React, ReactOption
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Leg, Point, rectangle
from sandtable.engine.state import State
from sandtable.engine.table import Ground, Mark, Piece, Table
from sandtable.lab.battles import play_battle
from sandtable.rulesets import ruleset
from sandtable.rulesets.strikeops.actions.declaring import Declaration, declared, parts, plan_question
from sandtable.rulesets.strikeops.initiative import DRAW_DECK, SKIPS
from sandtable.rulesets.strikeops.missions import SECRET_TURNS
from sandtable.rulesets.strikeops.previews.forecast import points_of
from sandtable.rulesets.strikeops.shooting.aiming import Attack
from sandtable.rulesets.strikeops.state_names import ActionName, CountName, StateName
from sandtable.rulesets.strikeops.tactics.barrage import barrages
from sandtable.rulesets.strikeops.tactics.fire import CRITICAL, FALL, SHAKEN, guns, value
from sandtable.rulesets.strikeops.tactics.opponent import StrikeOpsTactics
from sandtable.rulesets.strikeops.tactics.places import walks
from sandtable.rulesets.strikeops.tactics.squads import squad_plan
from sandtable.rulesets.strikeops.terrain import OBSTRUCTION
from sandtable.tabletop.opponent import worth
from tests.rulesets.strikeops.secrets import KINDS

RULES = ruleset("strikeops")
TACTICS = StrikeOpsTactics()
SKILL = LEVELS[5].skill
#: Little enough for a test, and every part of thinking is met.
LITTLE = Effort(firsts=2, lines=2, playouts=4, ahead=0, activations=2)


def asked(topics: tuple[str, ...], scenario: str, most: int = 6, seed: int = 3) -> list[tuple[Battle, State]]:
    """Moments of a battle at which somebody is asked one of some things."""
    battle = Battle(RULES, RULES.setup(scenario), seed=seed, digest_every=0)
    bots = {side: make_bot("5", RULES, seed, side) for side in battle.table.sides}
    found: list[tuple[Battle, State]] = []
    while not battle.ended and len(found) < most:
        question = next(one for one in battle.questions if battle.question_for(one.side) is one)
        if question.topic in topics:
            found.append((battle, battle.boundary()))
        assert battle.answer(bots[question.side].answer(battle.view(question.side), question), question.side) is None
    return found


def at(battle: Battle, state: State) -> Battle:
    """A battle at a moment."""
    return Battle.at_boundary(RULES.fresh(), battle.journal.header, (), state.copy(), 0)


def meeting(**models: tuple[int, int, int]) -> Table:
    """The table of the Meeting Engagement with some models elsewhere: x, y in inches and facing."""
    table = Battle(RULES, RULES.setup("meeting"), seed=1, digest_every=0).table.copy()
    for name, (x, y, facing) in models.items():
        table.things[name] = replace(table[name], place=At(Point(x * 1000, y * 1000)), facing=facing)
    return table


@pytest.mark.parametrize("own", ["red", "blue"])
def test_it_beats_chance_and_every_answer_has_a_reason(own: Side) -> None:
    setup = RULES.setup("meeting")
    bots = {side: make_bot("5" if side == own else "random", RULES, 1, side) for side in setup.sides}
    said: list[str] = []
    answer = bots[own].answer

    def noted(view: object, question: object) -> object:
        draft = answer(view, question)  # type: ignore[arg-type]
        said.append(reason_of(bots[own]))
        return draft

    bots[own].answer = noted  # type: ignore[method-assign]
    battle = play_battle(RULES, setup, bots, seed=1, watched=False, digest_every=0, most=5000)
    assert battle.table.ending is not None
    assert battle.table.ending.winner == own
    assert said
    assert all(said)
    assert not any("random" in one for one in said)


@pytest.mark.parametrize("level", ["1", "5"])
def test_it_does_not_propose_roads_for_ever(level: str) -> None:
    """As long as both sides agree there may be one more: two who always do never came to fight."""
    battle = Battle(RULES, RULES.setup("broken-ground"), seed=7, digest_every=0)
    bots = {side: make_bot(level, RULES, 7, side) for side in battle.table.sides}
    for _ in range(150):
        question = next(one for one in battle.questions if battle.question_for(one.side) is one)
        if question.topic == "activate":
            return
        assert battle.answer(bots[question.side].answer(battle.view(question.side), question), question.side) is None
    pytest.fail("they are still laying the table")


def test_what_fire_is_worth_comes_from_the_odds_that_are_previewed() -> None:
    table = meeting(R2=(18, 10, 90), B2=(18, 20, 270))
    weapon = "light-particle-bolt-gun"
    attack = Attack("R2", "B2", (weapon,))
    exact = sum(points * chance for points, chance in points_of(RULES, table, attack).items())
    found = guns(table).hurt(table, attack, weapon)
    more = FALL + SHAKEN + CRITICAL
    assert exact > 0
    assert int(1000 * exact) <= found <= int(1000 * exact) + more


def test_the_last_points_of_an_enemy_are_worth_most() -> None:
    table = meeting()
    whole, hurt = table["B2"], replace(table["B2"], harm=table["B2"].track - 1)
    assert value(hurt, 1000) > value(whole, 1000)
    assert value(hurt, 3000) == value(hurt, 1000), "nobody is beaten twice"
    assert value(hurt, 1000, before=1000) == 0, "others have beaten it already"


def test_a_squad_fires_at_one_target_until_that_is_beaten_and_not_beyond() -> None:
    table = meeting(R3=(17, 12, 90), R4=(20, 12, 90), B2=(17, 19, 270), B3=(20, 19, 270), B1=(4, 34, 270))

    def targets() -> list[str]:
        plan = squad_plan(table, [table["R3"], table["R4"]], SKILL)
        return [one.volley.target for _, one in plan if one.volley is not None]

    table.things["B3"] = replace(table["B3"], harm=1)
    assert targets() == ["B3", "B3"], "the one that is hurt, and both at it"
    table.things["B3"] = replace(table["B3"], harm=table["B3"].track - 1)
    assert targets() == ["B3", "B2"], "what one is likely to do the other does not do again"


def test_who_stands_too_close_to_others_to_turn_backs_out() -> None:
    battle = Battle(RULES, RULES.setup("millrace-stand"), seed=1, digest_every=0)
    table = battle.table.copy()
    crowd = {
        "blue-2": (3885, 4169, 212),
        "blue-3": (2661, 3243, 208),
        "red-3": (1323, 2518, 25),
        "red-1": (31501, 9544, 0),
    }
    for name, (x, y, facing) in crowd.items():
        counts = {**table[name].counts, CountName.AP: 2}
        table.things[name] = replace(table[name], place=At(Point(x, y)), facing=facing, counts=counts)
    ways = walks(table, table["blue-2"], 1, SKILL)
    assert [leg.turn for stand in ways for leg in stand.walk.legs if isinstance(leg, Leg)] == [0]
    assert ways[0].words == "out of the crowd"


def test_a_missile_is_fired_after_a_lock() -> None:
    table = meeting(R1=(12, 5, 90), B2=(12, 25, 270), B1=(34, 34, 270), B3=(34, 30, 270), B4=(34, 26, 270))
    table.things["R1"] = replace(table["R1"], states={StateName.JAMMED: Mark(("magnetic_accelerator_cannon",))})
    table.things["R1"] = replace(table["R1"], counts={**table["R1"].counts, CountName.AP: 2})
    table.things["red"] = replace(table["red"], counts={})
    del table.things["R2"]
    question = plan_question(table, table[table["R1"].unit])
    (idea,) = TACTICS.rate(View(RED, table), question, SKILL, None)
    (said,) = declared(question, idea.draft)
    assert said.actions == (ActionName.TARGET_LOCK, ActionName.SHOOT)
    assert said.lock == said.target == "B2"
    assert said.weapons == ("light-ground-guided-missile",)


def only(*, c3: int = 0, **models: tuple[int, int, int]) -> Table:
    """The same table with nobody else on it, two action points each, and so many C3 points for red."""
    table = meeting(**models)
    for one in list(table.of_kind("model")):
        if one.id not in models:
            del table.things[one.id]
        else:
            table.things[one.id] = replace(one, counts={**one.counts, CountName.AP: 2})
    table.things["red"] = replace(table["red"], counts={CountName.C3: c3})
    return table


def walled(table: Table) -> None:
    """Let nobody see across the table."""
    wall = Piece(PieceId("wall"), OBSTRUCTION, rectangle(0, 14_000, 36_000, 2_000), height=9)
    table.ground = Ground(table.ground.width, table.ground.height, (wall,))


def changed(table: Table, name: str, states: dict[str, Mark], **counts: int) -> None:
    """Give a model states and counts."""
    table.things[name] = replace(table[name], states=states, counts={**table[name].counts, **counts})


def said_by(table: Table, model: str) -> Declaration:
    """What it declares for a model, lawfully."""
    question = plan_question(table, table[table[model].unit])
    view = View(RED, table)
    idea = max(TACTICS.rate(view, question, SKILL, None), key=worth)
    assert isinstance(check(RULES, view, question, idea.draft), Accepted)
    return next(one for one in declared(question, idea.draft) if one.model == model)


JAMS = "guided_missile", "rockets", "magnetic_accelerator_cannon"


def test_an_enemy_that_cannot_be_seen_is_fired_at_indirectly() -> None:
    table = only(R1=(12, 5, 90), B2=(12, 25, 270))
    walled(table)
    said = said_by(table, "R1")
    assert ActionName.SHOOT in said.actions
    assert (said.target, said.point, said.weapons) == ("", Point(12_000, 25_000), ("light-10-rockets",))


def test_a_barrage_counts_friends_whom_it_catches_against_it_and_is_surer_where_it_struck() -> None:
    table = only(R1=(12, 5, 90), R2=(14, 25, 90), B2=(12, 25, 270))
    table.things["R2"] = replace(table["R2"], place=At(Point(13_500, 25_000)))
    (caught,) = barrages(guns(table), table, table["R1"], [table["B2"]])
    table.things["R2"] = replace(table["R2"], place=At(Point(30_000, 5_000)))
    (alone,) = barrages(guns(table), table, table["R1"], [table["B2"]])
    assert caught.points == alone.points
    assert caught.more < alone.more == 0
    changed(table, "R1", {StateName.STRIKE_POINT: Mark(("12000", "25000", "hit", "1"))})
    (again,) = barrages(guns(table), table, table["R1"], [table["B2"]])
    assert again.points > alone.points, "it is on target of itself"


def test_shots_that_can_hardly_hit_are_fired_as_one_salvo() -> None:
    for crippled, salvo in ((4, True), (0, False)):
        table = only(R1=(12, 2, 90), B1=(12, 15, 270))
        changed(table, "R1", {StateName.JAMMED: Mark(JAMS[:2])}, **{CountName.WEAPONS_CRIPPLED: crippled})
        changed(table, "B1", {StateName.JAMMED: Mark(JAMS), StateName.DOUBLE_TIME: Mark()})
        said = said_by(table, "R1")
        assert ActionName.SHOOT in said.actions
        assert len(said.weapons) == 2
        assert said.salvo is salvo


def test_a_point_motivates_whoever_comes_into_range_by_it() -> None:
    far = only(c3=1, R2=(12, 2, 90), B2=(12, 34, 270))
    far.things["B2"] = replace(far["B2"], harm=far["B2"].track - 1)
    said = said_by(far, "R2")
    assert said.motivated
    assert said.actions == (ActionName.MOVE, ActionName.MOVE, ActionName.SHOOT)
    far.things["red"] = replace(far["red"], counts={})
    assert not said_by(far, "R2").motivated, "there is no point left"
    near = only(c3=1, R2=(12, 2, 90), B2=(12, 12, 270))
    near.things["B2"] = replace(far["B2"], place=At(Point(12_000, 12_000)))
    assert not said_by(near, "R2").motivated, "it is near enough already"


@pytest.mark.parametrize("own_card", [True, False])
@pytest.mark.parametrize("sees", [True, False])
def test_a_card_is_skipped_where_that_pays(own_card: bool, sees: bool) -> None:
    """The enemy's where we could fire first; our own where we could not, so that they come to us."""
    table = only(R2=(12, 2, 90), B2=(12, 25, 270))
    if not sees:
        walled(table)
    squad = table["R2"].unit
    options = (ReactOption(squad, squad, squad),)
    question = React(RED, "Skip it?", topic=SKIPS, options=options, facts={"own card": int(own_card), "skips": 1})
    best = max(TACTICS.rate(View(RED, table), question, SKILL, None), key=worth)
    assert (best.draft is not None) is (sees is not own_card)


def test_the_parts_of_a_declaration_lead_a_mission_kill_to_its_move() -> None:
    table = meeting()
    hurt = {**table["R1"].states, StateName.MISSION_KILL: Mark(1)}
    table.things["R1"] = replace(table["R1"], harm=3, states=hurt, counts={**table["R1"].counts, CountName.AP: 2})
    plan = plan_question(table, table[table["R1"].unit])

    def open_to(draft: dict[str, str], part: str) -> set[str]:
        asked = next(one.question for one in parts(View(RED, table), plan, draft) if one.id == part)
        assert isinstance(asked, ChooseOne)
        return {option.id for option in asked.options if not option.refused}

    assert not {"nothing", "overwatch"} & open_to({}, "R1 1")
    assert {"move", "shoot", "run-n-gun"} <= open_to({}, "R1 1"), "a Run 'N Gun is two Move Actions"
    assert open_to({"R1 1": "target-lock"}, "R1 2") <= {"move", "go-prone", "stomp"}
    assert "nothing" in open_to({"R1 1": "move"}, "R1 2")
    for first, leaves_out in (("target-lock", False), ("move", True)):
        then = next(one for one in parts(View(RED, table), plan, {"R1 1": first}) if one.id == "R1 2")
        assert then.optional is leaves_out, "nobody who builds it part by part may forget what is owed"


def test_what_it_imagines_asks_the_very_question_and_draws_what_is_unknown() -> None:
    for battle, state in asked(("activate", "declare"), "until-the-whistle"):
        now = at(battle, state)
        question = now.questions[0]
        view = now.view(question.side)
        assert imagines(now.ruleset, TACTICS, view, question, "s"), question.topic
        made = [TACTICS.imagined(view, question, SeededDice(seed)) for seed in ("a", "b", "c", "d")]
        for one in made:
            assert one is not None
            own = f"{question.side}: {SECRET_TURNS}"
            assert one.table.secrets[own] == view.table.secrets[own], "what it sealed it knows"
            assert all(said in ("1", "2", "3") for said in one.table.secrets.values()), "the other sealed a number"
        assert len({one.table.decks[DRAW_DECK.name].order for one in made if one is not None}) > 1


def thought(battle: Battle) -> bytes:
    """Everything that comes of thinking about the open question, and what the bot answers and says."""
    question = battle.questions[0]
    view = battle.view(question.side)
    found = Thinker(RULES, SKILL, LITTLE).think(view, question, "s", None)
    told = [([(step.draft, step.label) for step in one.line.steps], one.mean, one.playouts) for one in found]
    bot = LevelBot(RULES, "s", 5)
    return msgspec.json.encode((told, bot.answer(view, question), reason_of(bot), bot.keeps()))


@pytest.mark.parametrize("kind", KINDS)
def test_what_it_cannot_know_changes_no_thought(kind: str) -> None:
    compared = 0
    for battle, state in asked(("declare",), "until-the-whistle"):
        side = at(battle, state).questions[0].side
        other = next(one for one in state.table.sides if one != side)
        twin = KINDS[kind](state, other, random.Random(1))
        if twin is None:
            continue
        one, two = at(battle, state), at(battle, twin.state)
        assert thought(one) == thought(two)
        compared += 1
        if compared == 2:
            return
    raise AssertionError("no such secret was met")
