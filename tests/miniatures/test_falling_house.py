"""Transcript 8, played as written: the ground floor falls, then the one above it, and a survivor lands on another."""

from typing import Any

from sandtable.engine.battle import Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import (
    Counted,
    Declared,
    Harm,
    HarmApplied,
    HarmCancelled,
    HarmNoted,
    ModelLost,
    Moved,
    Placed,
    Rolled,
    Spent,
    StateChanged,
    TerrainChanged,
)
from sandtable.engine.ids import NO_SIDE, PieceId, Side, ThingId
from sandtable.engine.questions import ChooseOne, PlaceThings
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At, In, Point, Spot, Via, Walk
from tests.miniatures.creatures import CREATURES, DEFENCE, TO_HIT, WOUNDED
from tests.miniatures.falling_house import FallingHouse
from tests.miniatures.house_fight import (
    ABOVE,
    BUILDING,
    DESTROYED,
    HEAVY,
    KILLED,
    MODEL_ORDER,
    NOW,
    OUT,
    PARTIAL,
    ROUT,
    SECTIONS,
    ZONE,
    routs,
)
from tests.miniatures.playing import asked, cause, give, last, marks, plain_at_boundary, refused, stands, takes_back

SCENARIO: dict[str, Any] = {
    "red": ["r2", "r1", "gunner"],
    "sections": {"G": [24000, 14000, 0], "U": [24000, 14000, 1]},
    "collapsed": ["G"],
    "turns": 1,
}

#: r2 kills b5: to hit 4, defence 2. The gunner: to hit 3, defence 3. Severity: b1 5, r1 1; b2 6, b3 4. Then blue
#: rallies with a 4.
DICE = [4, 2, 3, 3, 5, 1, 6, 4, 4]
UNDER = Point(25500, 17000)


def spot(x: int, y: int) -> Spot:
    return Spot(At(Point(x, y)))


def room(name: str) -> Spot:
    return Spot(In("house", name))


RED = {"r2": spot(10000, 30000), "r1": room("G 2"), "gunner": spot(10000, 20000)}
BLUE = {
    "b1": room("G 1"),
    "b2": room("U 1"),
    "b3": room("U 2"),
    "b4": spot(50000, 10000),
    "b5": spot(50000, 30000),
}


def played(*answers: Any, dice: list[int] | None = None, scenario: dict[str, Any] | None = None) -> Battle:
    setup = Setup(scenario=scenario or SCENARIO)
    fight = Battle(FallingHouse(), setup, dice=ScriptedDice(DICE if dice is None else dice))
    for answer in answers:
        give(fight, answer)
    return fight


def before_the_shot() -> Battle:
    """Both squads stand; r2 has killed b5, r1 does nothing."""
    return played(RED, BLUE, "fire", "b5", "end", "end")


def test_a_squad_deploys_whole_in_its_zone_or_in_places_of_the_house() -> None:
    fight = played()
    question = asked(fight)
    assert isinstance(question, PlaceThings)
    assert (question.side, question.things) == ("red", ("r2", "r1", "gunner"))
    assert [place.slot for place in question.where[""].slots] == ["G 1", "G 2", "G 3", "U 1", "U 2", "U 3"]
    assert refused(fight, {**RED, "r2": spot(20000, 30000)}) == ZONE
    assert refused(fight, {**RED, "r2": room("G 9")}) == ZONE
    assert refused(fight, {**RED, "r2": room("G 2")}) == "combataction.battle.deploy-alternately"
    assert refused(fight, {**RED, "r2": spot(10000, 22499)}) == "combataction.battle.deploy-alternately"
    assert refused(fight, {**RED, "r2": Spot(In("tower", "G 1"))}) == ZONE
    give(fight, RED)
    theirs = asked(fight)
    assert isinstance(theirs, PlaceThings)
    assert [place.slot for place in theirs.where[""].slots] == ["G 1", "G 3", "U 1", "U 2", "U 3"]
    takes_back(fight, Side("red"))
    assert fight.table["r1"].place != In("house", "G 2")


def test_the_gunner_names_a_section_and_both_see_everything() -> None:
    fight = before_the_shot()
    question = asked(fight)
    assert isinstance(question, ChooseOne)
    assert (question.side, question.about, question.rules) == ("red", ("gunner",), (MODEL_ORDER,))
    assert [option.id for option in question.options] == ["fire heavy weapon", "walk", "end"]
    give(fight, "fire heavy weapon")
    aim = asked(fight)
    assert isinstance(aim, ChooseOne)
    assert ([option.id for option in aim.options], aim.rules) == (["b4", "G", "U"], (SECTIONS,))
    assert refused(fight, "b1") == SECTIONS, "who is inside is hit through the section"
    takes_back(fight, Side("red"))
    give(fight, "fire heavy weapon")
    events = give(fight, "G")
    assert events[:2] == [
        Declared("gunner", "fire heavy weapon", ("G",), rule=HEAVY),
        Spent("gunner", "AP", 2, 0, rule=HEAVY),
    ]
    stands(fight, "red", "blue")
    assert fight.logs[Side("red")].events == fight.logs[Side("blue")].events == fight.logs[NO_SIDE].events


def test_the_shot_hits_and_the_second_partial_collapse_destroys_the_section() -> None:
    fight = before_the_shot()
    give(fight, "fire heavy weapon")
    events = give(fight, "G")[2:]
    hit, defence = events[:2]
    assert isinstance(hit, Rolled)
    assert isinstance(defence, Rolled)
    assert (hit.faces, [(p.label, p.value) for p in hit.parts], hit.total) == ((3,), [("building", 2)], 5)
    assert (hit.needs, hit.outcome, hit.rule) == (5, "hit", TO_HIT)
    assert (defence.by, defence.faces, defence.total, defence.needs) == ("blue", (3,), 10, 10)
    assert (defence.outcome, defence.rule) == ("partial collapse", BUILDING)
    assert events[2:4] == [
        HarmNoted("house G", Harm("collapse", detail={"section": "G"}), NOW, rule=PARTIAL),
        TerrainChanged(PieceId("house"), "G", "collapsed", "destroyed", rule=PARTIAL),
    ]


def test_collapse_feeds_collapse_in_the_order_it_was_caused() -> None:
    fight = before_the_shot()
    give(fight, "fire heavy weapon")
    events = give(fight, "G")[6:]
    rolls = [event for event in events if isinstance(event, Rolled)]
    assert [(roll.by, roll.faces, roll.outcome) for roll in rolls] == [
        ("b1", (5,), "wounded"),
        ("r1", (1,), "killed"),
        ("b2", (6,), "wounded"),
        ("b3", (4,), "out of action"),
    ]
    assert {roll.rule for roll in rolls} == {DESTROYED}
    wound, out = Harm("wounded", 1), Harm("out of action", 2)
    assert [event for event in events if not isinstance(event, Rolled)] == [
        HarmNoted("b1", wound, NOW, rule=CREATURES),
        HarmNoted("r1", Harm("killed", 2), NOW, rule=CREATURES),
        HarmNoted("house U", Harm("collapse", detail={"section": "U"}), NOW, rule=ABOVE),
        HarmApplied("b1", wound, 0, 1, rule=CREATURES),
        StateChanged("b1", "wounded", None, 1, "end of battle", rule=WOUNDED),
        ModelLost(ThingId("r1"), "killed", rule=KILLED),
        Counted("red squad", "lost", 0, 1, rule=ROUT),
        TerrainChanged(PieceId("house"), "U", "", "destroyed", rule=ABOVE),
        HarmNoted("b2", wound, NOW, rule=CREATURES),
        HarmNoted("b3", out, NOW, rule=CREATURES),
        HarmNoted("b2", Harm("fall"), NOW, rule=ABOVE),
        HarmNoted("b3", Harm("fall"), NOW, rule=ABOVE),
        HarmApplied("b2", wound, 0, 1, rule=CREATURES),
        StateChanged("b2", "wounded", None, 1, "end of battle", rule=WOUNDED),
        ModelLost(ThingId("b3"), "out of action", rule=OUT),
        HarmCancelled("b3", Harm("fall"), "out of action", rule=OUT),
        Counted("blue squad", "lost", 1, 2, rule=ROUT),
        StateChanged("blue squad", "routing", None, 1, "rallies", rule=ROUT),
        Moved(ThingId("b2"), In("house", "U 1"), At(UNDER), 0, Walk((Via(UNDER),)), "fallen", rule=ABOVE),
    ]
    chain = cause(fight, last(fight, TerrainChanged))
    while chain.because:
        chain = cause(fight, chain)
    assert isinstance(chain, Rolled), "everything goes back to the shot"
    assert (chain.what, chain.by) == ("to hit", "gunner")


def test_two_lost_of_five_rout_and_one_does_not() -> None:
    assert not routs(1, 5)
    assert routs(2, 5)
    assert not routs(1, 3), "exactly a third is not enough"


def test_blue_sets_b2_clear_of_b1() -> None:
    fight = before_the_shot()
    give(fight, "fire heavy weapon")
    give(fight, "G")
    question = asked(fight)
    assert isinstance(question, PlaceThings)
    assert (question.side, question.things, question.about) == ("blue", ("b2",), ("b2", "b1"))
    assert refused(fight, {"b2": spot(25500, 19499)}) == ABOVE, "still on b1"
    assert refused(fight, {"b2": spot(25500, 22001)}) == ABOVE, "too far"
    assert refused(fight, {"b2": room("G 3")}) == ABOVE, "there is no room left to stand in"
    events = give(fight, {"b2": spot(25500, 19500)})
    assert events[0] == Placed("b2", At(Point(25500, 19500)), rule=ABOVE)
    assert fight.table["b1"].place == In("house", "G 1"), "the lower storey's models stay where they are"


def test_everything_the_shot_brings_down_is_a_step_and_no_boundary_lies_inside_a_fall() -> None:
    fight = before_the_shot()
    give(fight, "fire heavy weapon")
    give(fight, "G")
    row = marks(fight)
    assert row[-2:] == ["|", "Moved"], "it falls, and where it ends is asked inside the fall"
    assert row[row.index("TerrainChanged") - 1] == "|"
    assert row[row.index("TerrainChanged") :].count("|") == 6, "a collapse and two who are hurt, twice"
    under_way = fight.state.under_way
    give(fight, {"b2": spot(25500, 19500)})
    assert (under_way, fight.state.under_way) == (("fall: b2",), ())
    assert marks(fight)[len(row) :][:3] == ["<blue>", "Placed", "|"]
    plain_at_boundary(fight)


def tower() -> tuple[Battle, dict[str, Spot]]:
    """Four storeys come down; b2 has fallen on b1, and above it the upper two, empty, are still to fall."""
    storeys = {name: [24000, 14000, level] for level, name in enumerate("GUTS")}
    fight = played(
        RED, BLUE, "end", "end", "fire heavy weapon", "G", scenario={**SCENARIO, "sections": storeys}, dice=DICE[2:]
    )
    return fight, {"b2": spot(25500, 19500)}


def test_storeys_fall_from_the_bottom_up_and_what_no_die_decides_may_be_taken_back() -> None:
    fight, clear = tower()
    assert [part.state for part in fight.table.ground.piece("house").parts] == ["destroyed", "destroyed", "", ""]
    before = fight.digest()
    fallen = [
        Placed("b2", At(Point(25500, 19500)), rule=ABOVE),
        TerrainChanged(PieceId("house"), "T", "", "destroyed", rule=ABOVE),
        HarmNoted("house S", Harm("collapse", detail={"section": "S"}), NOW, rule=ABOVE),
        TerrainChanged(PieceId("house"), "S", "", "destroyed", rule=ABOVE),
    ]
    assert give(fight, clear)[:4] == fallen
    takes_back(fight, Side("blue"))
    assert fight.digest() == before
    assert give(fight, clear)[:4] == fallen


def test_a_first_partial_collapse_only_opens_a_breach() -> None:
    whole = {**SCENARIO, "collapsed": []}
    fight = played(RED, BLUE, "end", "end", "fire heavy weapon", "G", dice=[3, 3], scenario=whole)
    assert last(fight, TerrainChanged).after == "collapsed"
    assert fight.table["b1"].harm == 0
    assert fight.state.due == []


def test_a_pierced_section_hits_those_inside_on_four_or_more() -> None:
    whole = {**SCENARIO, "collapsed": []}
    fight = played(RED, BLUE, "end", "end", "fire heavy weapon", "G", dice=[3, 5, 4, 1, 3], scenario=whole)
    pierced = [e for e in fight.journal.events() if isinstance(e, Rolled) and e.what == "pierced"]
    assert [(e.by, e.outcome) for e in pierced] == [("b1", "hit"), ("r1", "miss")]
    assert last(fight, ModelLost).model == "b1"
    assert DEFENCE in [event.rule for event in fight.journal.events()]


def test_a_shot_that_does_not_get_through_changes_nothing() -> None:
    fight = played(RED, BLUE, "end", "end", "fire heavy weapon", "G", dice=[3, 2])
    assert not [event for event in fight.journal.events() if isinstance(event, TerrainChanged)], "2 + 7 is not over 9"


def test_whoever_falls_onto_a_floor_that_stands_lands_in_it_while_there_is_room() -> None:
    upper = {**SCENARIO, "collapsed": ["U"]}
    fight = played(RED, BLUE, "end", "end", "fire heavy weapon", "U", dice=[3, 3, 6, 5], scenario=upper)
    falls = [event for event in fight.journal.events() if isinstance(event, Moved)]
    assert [(event.model, event.manner) for event in falls] == [("b2", "fallen"), ("b3", "fallen")]
    assert falls[0].to == In("house", "G 3"), "b1 and r1 have the others"
    assert isinstance(falls[1].to, At), "no room is left: outside the house"
