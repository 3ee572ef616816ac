"""Positions of infantry in which one thing is clearly right, each beside one in which it is not; and a short match."""

from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from typing import Any

import pytest
from msgspec.structs import replace

import sandtable.rulesets.stargrunt as stargrunt
from sandtable.bots import make_bot, reason_of
from sandtable.bots.tactical_bot import TacticalBot
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED, ThingId
from sandtable.engine.questions import MoveModels
from sandtable.engine.shapes import UNIT, At, Point
from sandtable.engine.table import Mark, Thing
from sandtable.forces.data import Data
from sandtable.forces.files import read_text
from sandtable.lab.battles import play_battle
from sandtable.lab.matches import match
from sandtable.rulesets.stargrunt.artillery.bursts import impact_of
from sandtable.rulesets.stargrunt.close_assault.fights import combat_dice
from sandtable.rulesets.stargrunt.cover.protection import HARD, centre_point, cover_at, unit_cover
from sandtable.rulesets.stargrunt.dice.rolls import dice_against, success_chances
from sandtable.rulesets.stargrunt.fire.volleys import volley
from sandtable.rulesets.stargrunt.movement.moves import ends
from sandtable.rulesets.stargrunt.tactics.assault import assault_worth
from sandtable.rulesets.stargrunt.tactics.fire import POINT, middle
from sandtable.rulesets.stargrunt.tactics.support import arrival, burst_worth
from sandtable.rulesets.stargrunt.units.record import points, spot, standing
from sandtable.rulesets.stargrunt.vehicles.hulls import hulls
from sandtable.tabletop.case_words import CaseWords

OURS = "{model: harrow-rifle-squad, as: A, at: [20, 26]%s}"
THEIRS = "{model: dust-militia-squad, as: B, at: [20, 14]%s}"
HAS_FIRED = ", states: {fired: {value: [small-arms, A7, A8]}}"
#: An enemy whom nobody sees, for a house is in between.
FAR, HOUSE = "{model: dust-militia-squad, as: B, at: [36, 3]}", "{kind: building, rectangle: [27, 5, 6, 7]}"
ROCKS = "{kind: rocks, rectangle: [17, 22, 6, 5]}"
MARKER = "markers: [{kind: objective, as: m, label: M, at: [20, 8]}]"


@cache
def case_words() -> CaseWords:
    """The words of cases, read once."""
    return stargrunt.RULESET.case_words()


def position(red: str, blue: str, terrain: str = "", more: str = "", seed: int = 1) -> Battle:
    """A battle in the middle: red's first unit is activated."""
    text = f"""
board: {{width: 40, height: 40, terrain: [{terrain}]}}
red: [{red}]
blue: [{blue}]
{more}
turn: A
"""
    words = case_words()
    return Battle(words.ruleset, words.start(Data(read_text(text, "it"), "it")), seed=seed)


def bot_of(battle: Battle) -> TacticalBot:
    """A bot that plays red."""
    bot = make_bot("tactical", battle.ruleset, 1, RED)
    assert isinstance(bot, TacticalBot)
    return bot


def answers(battle: Battle, topic: str = "action") -> tuple[Any, str]:
    """What red's bot answers to the first question about a topic, and why."""
    bot = bot_of(battle)
    while battle.questions[0].topic != topic:
        battle.answer(bot.answer(battle.view(RED), battle.questions[0]), RED)
    return bot.answer(battle.view(RED), battle.questions[0]), reason_of(bot)


def went_to(battle: Battle) -> list[Point]:
    """Where the figures of A would stand after the move that red's bot makes."""
    battle = battle.clone()
    battle.answer("move", RED)
    question = battle.questions[0]
    assert isinstance(question, MoveModels)
    walks = bot_of(battle).answer(battle.view(RED), question)
    return ends(battle.table, battle.table["A"], walks)


def test_a_suppressed_squad_recovers_and_another_fires() -> None:
    draft, reason = answers(position(OURS % ", counts: {suppression: 1}", THEIRS % ""))
    assert draft == "remove-suppression", reason
    assert "suppressed +" in reason
    draft, reason = answers(position(OURS % "", THEIRS % ""))
    assert draft == "fire", reason
    assert "casualties +" in reason
    assert "suppression +" in reason


def test_a_panicked_squad_gets_over_it_first() -> None:
    draft, reason = answers(position(OURS % ", states: [panicked]", THEIRS % ""))
    assert draft == "remove-panic", reason


def test_a_squad_that_is_scattered_reorganises_and_one_with_wounded_treats_them_where_it_is_quiet() -> None:
    draft, reason = answers(position(OURS % ", options: {apart: 5}", THEIRS % ""))
    assert draft == "reorganise", reason
    assert "out of integrity +" in reason
    draft, reason = answers(position(OURS % ", options: {wounded: ['3', '4']}", FAR, HOUSE))
    assert draft == "reorganise", reason
    assert reason.startswith("treat the wounded"), reason
    draft, reason = answers(position(OURS % "", FAR, HOUSE))
    assert draft != "reorganise", reason


@pytest.mark.parametrize(("rocks", "target"), [("[16, 12, 8, 4]", "C"), ("[25, 12, 8, 4]", "B")])
def test_it_fires_at_the_one_in_the_open(rocks: str, target: str) -> None:
    both = THEIRS % "" + ", {model: dust-militia-squad, as: C, at: [29, 14]}"
    ours = OURS.replace("20, 26", "24.5, 26") % ""
    draft, reason = answers(position(ours, both, f"{{kind: rocks, rectangle: {rocks}}}"), "target")
    assert draft == target, reason


def test_it_goes_for_the_marker_where_nobody_can_be_fired_at() -> None:
    draft, reason = answers(position(OURS % "", FAR, HOUSE, MARKER))
    assert draft == "move", reason
    assert "ground +" in reason
    battle = position(OURS % "", FAR, HOUSE, MARKER)
    ends = went_to(battle)
    assert max(at.y for at in ends) < max(at.y for at in points(battle.table, "A")) - 4 * UNIT


def test_it_does_not_leave_its_cover_under_fire_and_goes_on_where_there_is_none() -> None:
    ours = OURS.replace("20, 26", "20, 24") % HAS_FIRED
    battle = position(ours, THEIRS % "", ROCKS, MARKER)
    source = centre_point(battle.table, "B")
    assert unit_cover(battle.table, "A", source) == HARD
    draft, reason = answers(battle)
    after = went_to(battle) if draft == "move" else points(battle.table, "A")
    assert cover_at(battle.table.ground, after, source) == HARD, reason
    quiet = position(ours, FAR, f"{ROCKS}, {HOUSE}", MARKER)
    draft, reason = answers(quiet)
    assert draft == "move", reason
    assert middle(went_to(quiet)).y < middle(points(quiet.table, "A")).y - UNIT


def test_it_moves_up_to_a_wall_against_who_fires_from_beyond_it() -> None:
    ours, theirs = OURS.replace("20, 26", "20, 28") % HAS_FIRED, THEIRS.replace("20, 14", "20, 8") % ""
    battle = position(ours, theirs, "{kind: wall, label: the wall, rectangle: [16, 22, 8, 0.3]}")
    draft, reason = answers(battle)
    assert draft == "move", reason
    assert reason.startswith("move to the wall"), reason
    assert cover_at(battle.table.ground, went_to(battle), centre_point(battle.table, "B")) == HARD


def test_it_digs_in_where_it_stays_and_is_fired_at() -> None:
    here = "markers: [{kind: objective, as: m, label: M, at: [20, 24]}]"
    ours = OURS.replace("20, 26", "20, 24") % HAS_FIRED
    draft, reason = answers(position(ours, THEIRS % "", ROCKS, here))
    assert draft == "go-in-position", reason
    assert "danger +" in reason
    draft, reason = answers(position(ours, FAR, f"{ROCKS}, {HOUSE}", here))
    assert draft != "go-in-position", reason


def test_a_commander_rallies_who_is_shaken_and_passes_his_action_on_else() -> None:
    command = "{model: harrow-command, as: A, at: [6, 30]}, {model: harrow-rifle-squad, as: C, at: [8, 26]%s}"
    draft, reason = answers(position(command % ", states: {confidence: BR}", FAR, HOUSE, MARKER))
    assert draft == "rally", reason
    assert "confidence +" in reason
    draft, reason = answers(position(command % ", states: [activated]", FAR, HOUSE, MARKER))
    assert draft == "transfer", reason
    assert "an activation more +" in reason


MORTARS = "sides: {red: {support: [company_mortars], chits: 0}}"


def test_it_calls_artillery_on_an_enemy_it_sees_and_not_where_nobody_is_seen() -> None:
    ours = OURS.replace("20, 26", "20, 24") % HAS_FIRED
    draft, reason = answers(position(ours, THEIRS % "", ROCKS, MORTARS))
    assert draft == "request-support", reason
    assert "casualties +" in reason
    draft, reason = answers(position(ours, FAR, f"{ROCKS}, {HOUSE}", MORTARS))
    assert draft != "request-support", reason


def test_a_vehicle_that_was_left_empty_may_stand_in_the_burst() -> None:
    """Its crew has bailed out: there is nobody in it to be suppressed."""
    table = position(OURS % "", "{model: warden, as: V, at: [20, 14], facing: 90}").table
    (hull,) = hulls(table)
    manned = dict(burst_worth(table, RED, spot(hull), 3 * UNIT, impact_of("anti_armour", "small")))
    table.things[hull.id] = replace(hull, unit="")
    empty = dict(burst_worth(table, RED, spot(hull), 3 * UNIT, impact_of("anti_armour", "small")))
    assert empty["vehicles"] == manned["vehicles"] > 0
    assert manned["suppression"] > empty["suppression"] == 0


def test_it_calls_no_artillery_on_its_own_people() -> None:
    ours, friend = OURS.replace("20, 26", "20, 24") % HAS_FIRED, "{model: harrow-rifle-squad, as: C, at: [20, 16.5]}"
    draft, reason = answers(position(f"{ours}, {friend}", THEIRS % "", ROCKS, MORTARS))
    assert draft != "request-support", reason


def test_the_real_marker_lies_on_the_enemy_and_the_guns_fire_all_they_have() -> None:
    battle = position(OURS.replace("20, 26", "20, 24") % HAS_FIRED, THEIRS % "", ROCKS, MORTARS, seed=2)
    bot = bot_of(battle)
    given: dict[str, Any] = {}
    while battle.questions[0].topic != "activate":
        question = battle.questions[0]
        given[question.topic] = bot.answer(battle.view(RED), question)
        battle.answer(given[question.topic], RED)
    assert given["single-round"] is False
    assert given["aim"][given["real-point"]].where.point == centre_point(battle.table, "B")


@pytest.mark.parametrize(("at", "early"), [("[20, 14]", True), ("[33, 32]", False)])
def test_a_mission_that_has_arrived_is_fired_at_once_where_enemies_still_are(at: str, early: bool) -> None:
    """Beside another who could act: the guns come first where they hurt, and not where everybody has left."""
    friend = "{model: harrow-rifle-squad, as: C, at: [33, 32]}"
    battle = position(f"{OURS % ''}, {friend}", THEIRS % "", more=MORTARS)
    asset = battle.table["red-company-mortars"]
    marks: dict[str, Any] = {
        "inbound": 1,
        "called by": "A",
        "warhead": "anti_personnel",
        "rounds": 3,
        "markers": ("m",),
    }
    states = {name: Mark(value) for name, value in marks.items()}
    x, y = (int(part) * UNIT for part in at.strip("[]").split(","))
    marker = Thing(
        ThingId("m"), kind="marker", side=RED, place=At(Point(x, y)), card="impact", states={"real": Mark(1)}
    )
    table = battle.view(RED).table.copy()
    table.things.update({asset.id: replace(asset, states={**asset.states, **states}), "m": marker})
    worth = sum(value for _, value in arrival(table, table[asset.id]))
    assert (worth > 0) == early, arrival(table, table[asset.id])


def test_it_suppresses_before_it_assaults() -> None:
    """The same few enemies: fired at while they are ready, left alone where nobody can fire, assaulted once pinned."""
    ours, few = OURS.replace("20, 26", "20, 20"), ", options: {wounded: ['1', '2', '3', '4', '5']}"
    draft, reason = answers(position(ours % "", THEIRS % few))
    assert draft in ("fire", "fire-support"), reason
    assert "suppression +" in reason
    draft, reason = answers(position(ours % HAS_FIRED, THEIRS % few))
    assert draft != "assault", reason
    draft, reason = answers(position(ours % HAS_FIRED, THEIRS % f", counts: {{suppression: 2}}{few}"))
    assert draft == "assault", reason


@pytest.mark.parametrize(("rocks", "draft"), [("[17, 15, 6, 5]", "combat-move"), ("[2, 2, 4, 4]", "move")])
def test_it_dashes_where_cover_is_too_far_for_a_move_and_walks_where_there_is_nothing_to_reach(
    rocks: str, draft: str
) -> None:
    ours, theirs = OURS % HAS_FIRED, THEIRS.replace("20, 14", "20, 3") % ""
    marker = "markers: [{kind: objective, as: m, label: M, at: [20, 9]}]"
    chosen, reason = answers(position(ours, theirs, f"{{kind: rocks, label: the rocks, rectangle: {rocks}}}", marker))
    assert chosen == draft, reason


@pytest.mark.parametrize(("y", "draft"), [(16, "disembark"), (30, "done")])
def test_passengers_ride_on_and_get_out_where_they_want_to_be(y: int, draft: str) -> None:
    ours = f"{{model: harrow-rifle-squad, as: A, in: C}}, {{model: warden, as: C, at: [20, {y}], facing: 270}}"
    chosen, reason = answers(position(ours, FAR, HOUSE, MARKER))
    assert chosen == draft, reason


@pytest.mark.parametrize(("y", "draft"), [(5, "leave"), (25, "move")])
def test_whoever_is_there_to_get_through_goes_for_the_edge_and_leaves(y: int, draft: str) -> None:
    ours, theirs = OURS.replace("20, 26", f"20, {y}") % "", FAR
    battle = position(ours, theirs, HOUSE, "options: {battle: rearguard, defender: blue}")
    chosen, reason = answers(battle)
    assert chosen == draft, reason
    if draft == "move":
        assert max(at.y for at in went_to(battle)) < (y - 3) * UNIT, "away from its own edge"
    chosen, reason = answers(position(ours, theirs, HOUSE))
    assert chosen != "leave", reason


def test_smoke_goes_between_a_squad_and_those_who_fire_at_it() -> None:
    """One that has fired and is seen in the open; not one that nobody sees, nor one that could still fire itself."""
    ours = OURS.replace("20, 26", "20, 24") % ", states: {fired: {value: [small-arms, A7, A8]}, smoke dischargers: 1}"
    theirs = ", ".join(
        f"{{model: dust-militia-squad, as: {name}, at: [{x}, 14]}}" for name, x in (("B", 17), ("C", 23))
    )
    smoke = "options: {smoke: 1, wind: 3}"
    battle = position(ours, theirs, "{kind: rocks, rectangle: [12, 11, 16, 6]}", smoke)
    draft, reason = answers(battle)
    assert draft == "lay-smoke", reason
    assert "danger +" in reason
    assert battle.answer(draft, RED) is None
    assert answers(battle, "smoke")[0] == "12", "they stand straight ahead"
    draft, reason = answers(position(ours, FAR, HOUSE, smoke))
    assert draft != "lay-smoke", reason
    draft, reason = answers(position(ours.replace("small-arms, A7, A8", ""), THEIRS % "", more=smoke))
    assert draft == "fire", reason


def test_it_looks_at_a_counter_where_nobody_else_is_to_be_seen() -> None:
    far = "{model: dust-militia-squad, as: B, at: [20, 8], options: {hidden: K}}"
    draft, reason = answers(position(OURS % "", far, "{kind: rocks, rectangle: [17, 6, 6, 4]}"))
    assert draft == "observe", reason
    assert "made out +" in reason


def test_it_assaults_what_is_few_and_pinned_and_not_what_is_ready() -> None:
    ours = OURS.replace("20, 26", "20, 18") % HAS_FIRED
    weak = ", counts: {suppression: 2}, options: {wounded: ['1', '2', '3', '4', '5']}"
    draft, reason = answers(position(ours, THEIRS % weak))
    assert draft == "assault", reason
    assert "their fire −" in reason
    draft, reason = answers(position(ours, THEIRS % ""))
    assert draft != "assault", reason


@pytest.mark.parametrize("dice", [(8, 8), (4, 12), (8, 8, 10), (6, 12, 8, 10)])
def test_the_quick_count_of_a_volley_is_that_of_the_rules(dice: tuple[int, ...]) -> None:
    for against in (4, 8, 12):
        quick = volley(dice, against)
        chances = success_chances(dice_against(dice, against))
        assert (quick.strikes, quick.suppresses) == (chances["major"], 1 - chances["fail"])
        falls = product(range(1, against + 1), *(range(1, die + 1) for die in dice))
        totals = [sum(mine) for guard, *mine in falls if sum(one > guard for one in mine) >= 2]
        assert quick.hits == Fraction(sum(totals), against * against * prod(dice))


def test_who_would_win_an_assault_is_counted_by_the_rolls_that_are_fought_with() -> None:
    """A suit counts for two and its score is doubled: it wins so many falls of both dice, and a rifleman so many."""
    suits, rifles = (
        "{model: harrow-suit-squad, as: A, at: [12, 10.5]}",
        "{model: harrow-rifle-squad, as: B, at: [12, 9]}",
    )
    table = position(suits, rifles).table
    a, b = standing(table, "A"), standing(table, "B")
    mine, theirs = (combat_dice(table, one, [other], covered=False)[0] for one, other in ((a[0], b[0]), (b[0], a[0])))
    falls = [(2 * one, other) for one, other in product(range(1, mine + 1), range(1, theirs + 1))]
    won = (2 * len(a)) ** 2 * sum(one > other for one, other in falls)
    lost = len(b) ** 2 * sum(one < other for one, other in falls)
    parts = dict(assault_worth(table, table["A"], table["B"], fears=False))
    assert parts["left short"] == 0, "they stand so near that they get there"
    assert parts["assault"] == len(b) * POINT * (1000 * won // (won + lost)) // 1000


def test_the_same_seed_plays_the_same_battle() -> None:
    def digest() -> str:
        rules = stargrunt.RULESET
        players = {side: make_bot("tactical", rules, 5, side) for side in (RED, BLUE)}
        return play_battle(rules, stargrunt.RULESET.setup("duel"), players, seed=5, digest_every=0).digest()

    assert digest() == digest()


def test_craft_that_nobody_has_taught_to_fly_play_a_battle_to_its_end() -> None:
    rules = stargrunt.RULESET
    players = {RED: make_bot("tactical", rules, 4, RED), BLUE: make_bot("random", rules, 4, BLUE)}
    assert play_battle(rules, stargrunt.RULESET.setup("gunships"), players, seed=4, digest_every=0).ended


def test_it_beats_whoever_does_not_think() -> None:
    score = match("stargrunt", "tactical", "random", scenario="duel", size=2, battles=8, seed=100)
    assert score.score >= 0.75, score.words()
