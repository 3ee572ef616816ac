"""A log as a story: what belongs together, who does it to whom, what came of it."""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine import events as e
from sandtable.engine.changes import apply
from sandtable.engine.ids import BLUE, RED, RuleId, ThingId
from sandtable.engine.shapes import At, Point
from sandtable.engine.table import Ground, Table, Thing
from sandtable.telling.scene_lines import Scene
from sandtable.telling.scenes import Scenes
from sandtable.telling.vocabulary import Vocabulary
from sandtable.telling.words import sentence

WORDS = Vocabulary("″", {"gun": "heavy gun", "gun-2": "second heavy gun", "shoot": "volley"})


def told(events: Sequence[e.AnyEvent], vocabulary: Vocabulary = WORDS) -> list[Scene]:
    """The scenes of some events, numbered as they come, with R1 and R2 of a squad against B1."""
    things = {name: Thing(ThingId(name), side=RED, label=name, unit=ThingId("squad"), track=3) for name in ("R1", "R2")}
    things |= {
        "squad": Thing(ThingId("squad"), "unit", RED, "First Squad"),
        "B1": Thing(ThingId("B1"), side=BLUE, label="B1", track=10),
    }
    table = Table(Ground(48000, 48000), (RED, BLUE), things)
    scenes = Scenes(vocabulary)
    for event in events:
        apply(table, event)
        scenes.add(event, table)
    return list(scenes)


def moved(name: ThingId, x: int, n: int = 0) -> e.Moved:
    return e.Moved(name, At(Point(0, 0)), At(Point(x, 0)), n=n)


VOLLEY: list[e.AnyEvent] = [
    e.StepBegan("activation", BLUE, ("B1",), n=1),
    e.Declared("B1", "shoot", ("R1",), ("gun", "gun-2"), n=2),
    e.StepBegan("fire", BLUE, ("B1",), n=3),
    e.Rolled("hit", "B1", "2d6", (6, 4), 10, (), 10, 8, (), 2, "hit", n=4),
    e.HarmNoted("R1", e.Harm("damage", 1), "later", n=5, because=4),
    e.Rolled("hit", "B1", "2d6", (1, 1), 2, (), 2, 8, (), -6, "miss", n=6),
    e.StepBegan("settling", BLUE, ("B1",), n=7),
    e.HarmApplied("R1", e.Harm("damage", 1), 0, 1, n=8, because=5),
    e.StateChanged("R1", "suppressed", None, 1, rule=RuleId("r"), n=9, because=8),
    e.StepBegan("activation", RED, ("squad",), n=10),
    moved(ThingId("R1"), 4000, 11),
    moved(ThingId("R2"), 3000, 12),
]


def test_a_volley_is_one_line_with_what_came_of_it_and_the_books_inside() -> None:
    declared, volley, walk = told(VOLLEY)
    assert declared.words() == "B1 declares volley at R1 with both heavy guns."
    assert (
        volley.words()
        == "B1: volley at R1 with both heavy guns: hit, miss, R1 takes 1 damage (1 of 3), now suppressed."
    )
    assert (volley.first, volley.upto, volley.side, volley.who) == (3, 9, "blue", "B1")
    assert walk.words().startswith("First Squad moves")
    assert (walk.first, walk.upto) == (10, 12)


def test_a_name_with_an_article_is_told_as_within_a_sentence() -> None:
    place = e.Placed(ThingId("inn"), At(Point(0, 0)), made=Thing(ThingId("inn"), "holder", label="The Inn"))
    begins, declared = VOLLEY[:2]
    shot = replace(declared, targets=("inn",))
    assert told([place, begins, shot])[-1].words() == "B1 declares volley at the Inn with both heavy guns."


def test_what_sides_throw_against_each_other_tells_both_totals() -> None:
    dice = [e.Rolled("initiative", side, "d6", (face,), face, (), face, n=n) for n, side, face in CONTEST]
    assert told(dice)[0].words() == "Red, initiative: red 5, blue 6."


def test_who_rolls_against_each_other_is_told_together_and_who_won_it() -> None:
    """A ruleset says what the first place means, and otherwise by another rule; of the second nothing is said."""
    words = WORDS._replace(
        phrases={
            "throws initiative": "{who} [rolls|roll] for the initiative",
            "order 1 by won": "{who} has the initiative",
            "order 1 by given": "{who} goes first",
            "order": "",
        }
    )
    dice: list[e.AnyEvent] = [
        e.Rolled("initiative", side, "d6", (face,), face, (), face, n=n) for n, side, face in CONTEST
    ]
    for rule, said in (("won", "blue has the initiative"), ("given", "blue goes first")):
        places: list[e.AnyEvent] = [
            e.StateChanged(side, "order", None, place, rule=RuleId(f"a.{rule}"), n=n)
            for n, side, place in ((5, "blue", 1), (6, "red", 2))
        ]
        (one,) = told([*dice, *places], words)
        assert one.words() == f"Red and blue roll for the initiative: red 5, blue 6, {said}."


def test_what_others_of_a_squad_do_by_themselves_is_no_part_of_a_deed() -> None:
    words = WORDS._replace(phrases={"watch": "{who} watch[es|]", "prone by lying-down": "{who} [goes|go] prone"})
    squad: list[e.AnyEvent] = [
        e.StepBegan("activation", RED, ("squad", "R1", "R2"), n=1),
        e.Declared("R1", "watch", n=2),
        e.Declared("R2", "move", n=3),
        moved(ThingId("R2"), 4000, 4),
        e.StateChanged("R1", "watch", None, 1, rule=RuleId("r"), n=5),
        e.StateChanged("R2", "prone", None, 1, rule=RuleId("a.lying-down"), n=6),
    ]
    assert [scene.words() for scene in told(squad, words)][2:] == [
        "R2 moves, now at (4, 0), facing 0°.",
        "R1 watches.",
        "R2 goes prone.",
    ]


def test_what_is_taken_back_stands_alone() -> None:
    after: list[e.AnyEvent] = [e.TakenBack(RED, 0, n=1), e.StateChanged("R1", "still", None, 1, n=2)]
    assert next(scene.came for scene in told(after)) == ()


def test_what_is_declared_is_told_in_a_rulesets_own_words() -> None:
    words = WORDS._replace(phrases={"declares shoot at": "an attack on {at}", "declares move": "a move"})
    deeds: list[e.AnyEvent] = [e.Declared("B1", "move", n=1), e.Declared("B1", "shoot", ("R1",), ("gun",), n=2)]
    assert told(deeds, words)[0].words() == "B1 declares a move, then an attack on R1 with heavy gun."
    assert told(deeds[1:], words)[0].words() == "B1 declares an attack on R1 with heavy gun."


def test_weapons_that_cannot_be_fired_are_told_with_the_volley_and_why() -> None:
    words = WORDS._replace(
        phrases={
            "does shoot": "{who} fires {tools} at {at}",
            "forfeits shoot": "",
            "forfeits tools": "{who} cannot fire {tools} at {at}",
        }
    )
    far: e.Detail = {"why": "It is too far."}
    lost = e.Forfeited("B1", "gun at R1", n=4, detail=far)
    assert told([*VOLLEY[:3], lost, *renumbered(VOLLEY[5:6])], words)[1].words() == (
        "B1 fires both heavy guns at R1: miss, B1 cannot fire heavy gun at R1: It is too far."
    )
    assert told([*VOLLEY[:3], e.Forfeited("B1", "shoot", n=4), lost], words)[1].words() == (
        "B1 cannot fire heavy gun at R1: It is too far."
    )


def test_a_squad_called_by_a_word_for_several_does_as_several_do() -> None:
    things = {name: Thing(ThingId(name), side=RED, label=name, unit=ThingId("tanks")) for name in ("T1", "T2")}
    things |= {"tanks": Thing(ThingId("tanks"), "unit", RED, "Red Tanks")}
    table, scenes = Table(Ground(48000, 48000), (RED, BLUE), things), Scenes(WORDS)
    for n, name in enumerate(("T1", "T2"), 1):
        event = moved(ThingId(name), 4000, n)
        apply(table, event)
        scenes.add(event, table)
    assert [scene.words() for scene in scenes] == ["Red Tanks move, now at (4, 0)."]


def test_a_point_in_thousandths_is_told_as_a_place() -> None:
    words = WORDS._replace(phrases={"lock": "{who} locks on {value}"})
    assert (
        told([e.StateChanged("R1", "lock", None, ("4000", "5500"), n=1)], words)[0].words() == "R1 locks on (4, 5.5)."
    )


#: A tie, and then a winner: the last throw of each counts.
CONTEST = ((1, "red", 3), (2, "blue", 3), (3, "red", 5), (4, "blue", 6))


def test_the_only_model_of_a_unit_is_called_as_its_unit_is() -> None:
    things = {"m": Thing(ThingId("m"), side=RED, label="R7", unit=ThingId("scouts"))}
    things |= {"scouts": Thing(ThingId("scouts"), "unit", RED, "Scouts")}
    table = Table(Ground(48000, 48000), (RED, BLUE), things)
    assert sentence(e.ModelLost(ThingId("m"), "destroyed"), table) == "Scouts is lost: destroyed."
    table.things["n"] = Thing(ThingId("n"), side=RED, label="R8", unit=ThingId("scouts"))
    assert sentence(e.ModelLost(ThingId("m"), "destroyed"), table) == "R7 is lost: destroyed."


def test_every_line_belongs_to_one_scene() -> None:
    scenes = told(VOLLEY)
    assert [line for scene in scenes for line in range(scene.first, scene.upto + 1)] == list(range(1, len(VOLLEY) + 1))


def test_rolls_are_aimed_at_whom_they_were_declared_at() -> None:
    scenes = told(VOLLEY)
    assert [(aim.line, aim.by, aim.at) for scene in scenes for aim in scene.aims] == [
        (2, "B1", "R1"),
        (4, "B1", "R1"),
        (6, "B1", "R1"),
    ]


def test_who_rolls_because_of_a_shot_aims_at_nobody() -> None:
    shaken = e.Rolled("shock", "R1", "2d6", (3, 3), 6, (), 6, 4, (), 2, "stands", n=7, because=6)
    back = e.Declared("R1", "shoot", ("B1",), n=8)
    *_, last = told([*VOLLEY[:3], renamed(back, 4), *renumbered(VOLLEY[3:6]), renamed(shaken, 8, 7)])
    assert all(aim.by == "B1" for aim in last.aims)


def renamed(event: e.AnyEvent, n: int, because: int = 0) -> e.AnyEvent:
    """An event under another number."""
    return replace(event, n=n, because=because)


def renumbered(events: Sequence[e.AnyEvent]) -> list[e.AnyEvent]:
    return [renamed(one, one.n + 1, one.because + 1 if one.because else 0) for one in events]


def test_a_ruleset_may_say_how_a_deed_is_carried_out() -> None:
    words = WORDS._replace(phrases={"does shoot": "{who} fires {tools} at {at}"})
    assert told(VOLLEY, words)[1].lead == "B1 fires both heavy guns at R1"


def test_a_deed_is_over_once_the_same_act_anew() -> None:
    again = [
        *VOLLEY[:9],
        e.StepBegan("activation", BLUE, ("B1",), n=10),
        e.Rolled("rally", "B1", "d6", (5,), 5, n=11),
    ]
    assert told(again)[-1].lead == "B1, rally"


def test_what_comes_by_itself_as_a_step_begins_is_no_deed() -> None:
    begins: list[e.AnyEvent] = [
        e.StepBegan("activation", BLUE, ("B1",), n=1),
        e.StateChanged("B1", "lock", "R1", None, rule=RuleId("r"), n=2),
    ]
    assert told(begins)[0].lead == "B1 no longer lock"
    shot = [*begins, renamed(VOLLEY[1], 3)]
    assert [scene.lead for scene in told(shot)] == ["B1 declares volley at R1 with both heavy guns"]


def test_what_a_side_does_after_a_roll_of_somebody_is_a_scene_of_its_own() -> None:
    rally: list[e.AnyEvent] = [
        e.StepBegan("activation", BLUE, ("B1",), n=1),
        e.Rolled("rally", "B1", "d6", (5,), 5, n=2),
    ]
    finishes = e.StateChanged("red", "finished", None, 1, rule=RuleId("r"), n=3)
    assert [scene.lead for scene in told([*rally, finishes])] == ["B1, rally", "Red now finished"]
    thrown = [e.Rolled("initiative", side, "d6", (5,), 5, n=n) for n, side in enumerate(("red", "blue"), 1)]
    assert len(told([*thrown, finishes])) == 1, "what dice of sides decide belongs to them"


def test_what_cannot_be_done_any_more_says_why_once() -> None:
    why: e.Detail = {"why": "B1 is behind R1."}
    first, other = e.Forfeited("r1", "gun", n=1, detail=why), e.Forfeited("r1", "rocket", n=2, detail=why)
    assert [scene.lead for scene in told([first, other])] == ["R1 forfeits heavy gun and rocket: B1 is behind R1"]


def test_since_gives_all_that_may_have_changed() -> None:
    table = Table(Ground(0, 0), (RED, BLUE), {"B1": Thing(ThingId("B1"), side=BLUE, label="B1")})
    scenes = Scenes(WORDS)
    for event in VOLLEY[:7]:
        scenes.add(event, table)
    before = list(scenes)
    scenes.add(e.Forfeited("B1", "lock", n=8, because=6), table)
    changed = scenes.since(7)
    kept = [scene for scene in before if scene.first < changed[0].first]
    assert [*kept, *changed] == list(scenes)
    assert len(list(scenes)) < len(before), "what the volley caused went back to it"


def test_figures_that_have_a_number_only_are_told_by_their_unit() -> None:
    things = {
        "squad": Thing(ThingId("squad"), "unit", RED, "First Squad"),
        **{
            f"s{n}": Thing(ThingId(f"s{n}"), side=RED, label=f"First Squad {n}", unit=ThingId("squad"), track=2)
            for n in (1, 2, 3, 4)
        },
        "hero": Thing(ThingId("hero"), side=RED, label="Old Tom", unit=ThingId("squad"), track=2),
    }
    words = Vocabulary(phrases={"wounded": "{who} [is|are] wounded", "killed": "{who} [is|are] killed"})
    table, scenes = Table(Ground(48000, 48000), (RED, BLUE), things), Scenes(words)
    events: list[e.AnyEvent] = [
        e.StepBegan("fire", BLUE, ("B1",), n=1),
        *(e.HarmApplied(name, e.Harm("wounded", 1), 0, 1, n=n) for n, name in enumerate(("s1", "s2", "hero"), 2)),
        e.ModelLost(ThingId("s3"), "killed", n=5),
    ]
    for event in events:
        apply(table, event)
        scenes.add(event, table)
    assert " ".join(scene.words() for scene in scenes) == (
        "2 of First Squad are wounded, Old Tom is wounded: one of First Squad is killed."
    )


def test_a_squad_declares_and_each_of_it_carries_its_deed_out() -> None:
    """Steps of those who declared go on with what they declared; those of others end it."""
    words = WORDS._replace(phrases={"does shoot": "{who} fires {tools} at {at}"})
    squad: list[e.AnyEvent] = [
        e.StepBegan("activation", RED, ("squad", "R1", "R2"), n=1),
        e.Declared("R1", "shoot", ("B1",), ("gun",), n=2),
        e.Declared("R2", "shoot", ("B1",), ("gun",), n=3),
        e.StepBegan("attack", RED, ("R1", "B1"), n=4),
        e.Rolled("hit", "R1", "2d6", (1, 1), 2, (), 2, 8, (), -6, "miss", n=5),
        e.StepBegan("attack", RED, ("R2", "B1"), n=6),
        e.Rolled("hit", "R2", "2d6", (6, 6), 12, (), 12, 8, (), 4, "hit", n=7),
    ]
    assert [scene.words() for scene in told(squad, words)][2:] == [
        "R1 fires heavy gun at B1: miss.",
        "R2 fires heavy gun at B1: hit.",
    ]
    other = [*squad, e.StepBegan("activation", BLUE, ("B1",), n=8), e.Rolled("rally", "R1", "d6", (5,), 5, n=9)]
    assert told(other, words)[-1].lead == "R1, rally"


def test_weapons_of_one_volley_are_one_deed_with_what_came_of_it() -> None:
    words = WORDS._replace(phrases={"shoot": "{who} fire[s|] {tools} at {at}"}, notes=frozenset({"roll damage"}))
    volley: list[e.AnyEvent] = [
        e.StepBegan("squad acts", RED, ("squad",), n=1),
        e.Declared("R1", "shoot", ("B1",), ("gun",), n=2),
        e.Declared("R2", "shoot", ("B1",), ("rocket",), n=3, because=2),
        e.Rolled("hit", "R1", "3d6", (5, 5, 1), 2, outcome="2 hits", n=4),
        e.Rolled("hit", "R2", "1d6", (5,), 1, outcome="1 hit", n=5),
        e.Rolled("damage", "R1", "2d6", (5, 1), 1, outcome="1 damage", n=6, because=4),
        e.Rolled("damage", "R2", "1d6", (1,), 0, outcome="no damage", n=7, because=5),
        e.HarmApplied("B1", e.Harm("damage", 1), 0, 1, n=8, because=6),
    ]
    (one,) = told(volley, words)
    assert one.words() == "First Squad fires heavy gun and rocket at B1: 3 hits, B1 takes 1 damage (1 of 10)."
    (none,) = told(volley[:5] + volley[6:7], words)
    assert none.words() == "First Squad fires heavy gun and rocket at B1: 3 hits, no damage."


def test_what_is_declared_twice_or_says_as_much_as_its_deed_is_said_once() -> None:
    words = WORDS._replace(phrases={"still": "", "forfeits card": "{value} of {who}"})
    moves: list[e.AnyEvent] = [
        e.StepBegan("activation", RED, ("R1",), n=1),
        e.Declared("R1", "move", n=2),
        e.Declared("R1", "move", n=3),
        e.StateChanged("R1", "still", None, 1, n=4, because=3),
        e.Forfeited("B1", "gun at B1", n=5, because=3),
        e.Forfeited("B1", "gun-2 at B1", n=6, because=3),
    ]
    assert told(moves, words)[0].words() == "R1 declares move twice: B1 forfeits both heavy guns at B1."
    drawn: list[e.AnyEvent] = [e.DeckChanged("deck", "drawn", ("red",), n=1), e.Forfeited("red", "card", n=2)]
    again = [renamed(one, one.n + 2) for one in drawn]
    assert [scene.words() for scene in told([*drawn, *again], words)] == ["2 of red."]
