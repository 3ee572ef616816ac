"""Every event has its sentence, without a ruleset, and a ruleset's own words where it brings them."""

import pytest

from sandtable.engine import events as e
from sandtable.engine.events import seen_by
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import BLUE, NO_SIDE, RED, PieceId, RuleId, ThingId
from sandtable.engine.records.journal import Journal
from sandtable.engine.records.replay import folded
from sandtable.engine.shapes import At, Disc, In, Leg, Off, Point, Via, Walk, rectangle
from sandtable.engine.table import Ground, Piece, Table, Thing
from sandtable.telling.vocabulary import UNITS, Vocabulary
from sandtable.telling.words import sentence
from tests.engine.duel import Duel
from tests.promises import keep_promises

WOOD = Piece(PieceId("wood-1"), "light-woods", Disc(Point(5000, 5000), 2000), label="West Wood")
HERE, THERE = At(Point(1000, 2000)), At(Point(4000, 6000), 1)
PARTS = (ExplainedPart("Wizzo", 1, RuleId("r.wizzo")), ExplainedPart("cover", -2, RuleId("r.cover")))
NEEDS = (ExplainedPart("short range", 6, RuleId("r.range")), ExplainedPart("woods", 2, RuleId("r.woods")))


def table() -> Table:
    things = {
        "m1": Thing(ThingId("m1"), side=RED, label="R1", track=10, place=HERE),
        "m2": Thing(ThingId("m2"), side=BLUE, label="B2", place=THERE),
    }
    return Table(Ground(48000, 36000, (WOOD,)), (RED, BLUE), things)


SAID: list[tuple[e.AnyEvent, str]] = [
    (e.PhaseBegan(2, "combat"), "Turn 2: combat."),
    (e.StepBegan("activate", RED, ("m1",)), "Red: R1 (activate)."),
    (e.StepBegan("end of turn"), "End of turn."),
    (e.DeckChanged("draw deck", "shuffled"), "The draw deck is shuffled."),
    (e.DeckChanged("draw deck", "drawn", ("red",)), "Red is drawn from the draw deck."),
    (e.DeckChanged("draw deck", "drawn"), "A card is drawn from the draw deck."),
    (e.Declared("m1", "shoot", ("m2", "m1"), ("mac", "laser")), "R1 declares shoot at B2 with mac and laser."),
    (e.Spent("m1", "AP", 1, 0), "R1 spends 1 AP; 0 left."),
    (e.Passed(BLUE, "over-watch"), "Blue passes (over watch)."),
    (
        e.Rolled("shot", "m1", "2d6", (3, 5), 8, PARTS, 7, 8, NEEDS, -1, "miss"),
        "R1, shot — 2d6 [3 5] 8 · Wizzo +1 · cover −2 = 7 against 8 (short range +6 · woods +2): miss.",
    ),
    (e.Rolled("edge", dice="d4", faces=(3,), natural=3, total=3), "Edge — d4 [3]."),
    (e.Rolled("nerve", "m2", outcome="holds"), "B2, nerve — holds."),
    (
        e.Moved(ThingId("m1"), HERE, THERE, 90, Walk((Leg(30, 2500), Leg(0, -500)))),
        "R1 moves 3, now at (4, 6), level 1, facing 90°.",
    ),
    (e.Moved(ThingId("m1"), HERE, HERE, 180), "R1 turns, facing 180°."),
    (
        e.Moved(ThingId("m1"), HERE, At(Point(1000, 2020)), 90, Walk((Leg(0, 23),))),
        "R1 moves 0.02, now at (1, 2.02), facing 90°.",
    ),
    (e.Moved(ThingId("m1"), HERE, Off("over the edge"), manner="pushed"), "R1 is pushed, now over the edge."),
    (
        e.Moved(ThingId("m1"), HERE, In("wood-1", "floor 2"), walk=Walk((Via(Point(4000, 6000)),))),
        "R1 moves 5, now in West Wood, floor 2.",
    ),
    (e.Halted(ThingId("m1"), 1500, HERE, "m2"), "R1 is halted by B2 after 1.5, at (1, 2)."),
    (e.Placed("m1", HERE, 45), "R1 is placed at (1, 2), facing 45°."),
    (e.Placed("wood-1", Off(), piece=WOOD), "West Wood, light woods, is on the table."),
    (
        e.Placed("h", Off(), piece=Piece(PieceId("h"), "hedge", WOOD.outline, label="Hedge 1")),
        "Hedge 1 is on the table.",
    ),
    (e.Placed("m1", Off("off the table")), "R1 is placed off the table."),
    (e.Declared("m1", "spot m2 m1", ("m1",)), "R1 declares spot at B2."),
    (e.Declared("m1", "jam m1", ("m2",)), "R1 declares jam at B2."),
    (e.Declared("m1", "m1", ("m2",)), "R1 breaks in at B2."),
    (e.Rolled("who is hit", "m1", "d6", (2,), 2, (), 2, outcome="m2"), "R1, who is hit — d6 [2]: B2."),
    (
        e.Moved(ThingId("m1"), HERE, THERE, 0, Walk((Leg(0, 2999),)), "forced"),
        "R1 is forced to move 3, now at (4, 6), level 1, facing 0°.",
    ),
    (e.Revealed("m1", "m2"), "R1 is revealed: B2."),
    (
        e.Sealed(RED, "which", '{"m1":"m2","x-4":"no-one"}'),
        "Red has chosen in secret (which): R1: B2 and x 4: no one.",
    ),
    (e.Sealed(RED, "which", "{odd"), "Red has chosen in secret (which): {odd."),
    (e.Grouped((ThingId("m1"),), ThingId("m2-prisoners")), "R1 now belongs to B2 prisoners."),
    (e.Grouped((ThingId("m1"), ThingId("m2")), ThingId("m2 spare-crew")), "R1 and B2 now belong to B2 spare crew."),
    (e.Scored(RED, -1, "late"), "Red loses 1 point: late."),
    (e.Landed("bomb", Point(5, 5), Point(5, 5)), "Bomb comes down at (0.005, 0.005), as aimed; it catches nobody."),
    (
        e.Placed("board", Off(), piece=Piece(PieceId("board"), e.BOARD, rectangle(0, 0, 48000, 36000))),
        "The board is 48 by 36.",
    ),
    (e.Placed("m1", Off("in reserve"), made=Thing(ThingId("m1"))), "R1 is in reserve."),
    (e.Left(ThingId("m1"), "over the south edge"), "R1 leaves the table: over the south edge."),
    (
        e.Landed("barrage", Point(0, 0), Point(1000, 0), None, ("m1",)),
        "Barrage comes down at (1, 0), aimed at (0, 0); it catches R1.",
    ),
    (e.Landed("barrage", Point(0, 0), Point(0, 0)), "Barrage comes down at (0, 0), as aimed; it catches nobody."),
    (e.HarmNoted("m1", e.Harm("damage", 3), "end of turn"), "R1 is due damage 3 (end of turn)."),
    (e.HarmCancelled("m1", e.Harm("collapse"), "m2"), "R1 is spared collapse by B2."),
    (e.HarmApplied("m1", e.Harm("damage", 3), 1, 4), "R1 takes damage 3: harm 1 → 4 of 10."),
    (e.StateChanged("m1", "prone", None, 1, "it stands up"), "R1 now: prone, until it stands up."),
    (e.StateChanged("m1", "locked", None, ("m2",)), "R1 now: locked B2."),
    (e.StateChanged("m1", "suppressed", 1, 2), "R1, suppressed: 1 → 2."),
    (e.StateChanged("m1", "prone", 1, None), "R1 no longer: prone."),
    (
        e.ModelLost(ThingId("m1"), "destroyed", Piece(PieceId("w"), "wreck", Disc(Point(0, 0), 500))),
        "R1 is lost: destroyed; it leaves wreck.",
    ),
    (e.TerrainChanged(PieceId("wood-1"), "", "light-woods", "rubble"), "West Wood is now rubble."),
    (e.TerrainChanged(PieceId("wood-1")), "West Wood is gone."),
    (e.Counted("m1", "AP", 0, 2), "R1, AP: 0 → 2."),
    (e.Forfeited("m1", "move"), "R1 forfeits: move."),
    (e.Forfeited("m1", "gun at m2"), "R1 forfeits: gun at B2."),
    (e.Forfeited("m1", "gun at m2", detail={"why": "B2 is too far."}), "R1 forfeits: gun at B2. B2 is too far."),
    (e.StateChanged("m1", "prone", None, 1, "end_of_turn"), "R1 now: prone, until end of turn."),
    (e.Sealed(RED, "bid"), "Red has chosen in secret (bid)."),
    (e.Sealed(RED, "bid", "3"), "Red has chosen in secret (bid): 3."),
    (e.Revealed("red: bid", value="3"), "Red: bid is revealed: 3."),
    (e.Revealed("counter 7", "a dummy", (RED,)), "Counter 7 is revealed to red: a dummy."),
    (
        e.Grouped((ThingId("m1"), ThingId("m2")), ThingId("squad A"), "end of turn"),
        "R1 and B2 now belong to squad A, until end of turn.",
    ),
    (e.Scored(RED, 1, "first blood"), "Red scores 1 point: first blood."),
    (e.TakenBack(RED, 12), "Red takes its last answer back: what came of it has not happened."),
    (e.BattleEnded(RED, {RED: 3, BLUE: 1}, "last one standing"), "Red wins: last one standing (red 3, blue 1)."),
    (e.BattleEnded(NO_SIDE, reason="by agreement"), "The battle is drawn: by agreement."),
]


@pytest.mark.parametrize(("event", "said"), SAID, ids=[said[:30] for _, said in SAID])
def test_what_is_said(event: e.AnyEvent, said: str) -> None:
    assert sentence(event, table()) == said


def test_every_kind_of_event_stands_in_the_list() -> None:
    assert {type(event) for event, _ in SAID} == set(e.AnyEvent.__args__)


def test_a_vocabulary_names_units_places_directions_and_words() -> None:
    ours = Vocabulary(UNITS["inch"], {"shoot": "a ranged assault"}, lambda ground, point: "C4", lambda facing: "south")
    moved = e.Moved(ThingId("m1"), HERE, THERE, 90, Walk((Leg(0, 2500),)))
    assert sentence(moved, table(), ours) == "R1 moves 2.5″, now at C4, level 1, facing south."
    assert sentence(e.Declared("m1", "shoot"), table(), ours) == "R1 declares a ranged assault."


def test_a_veiled_roll_tells_its_outcome_alone() -> None:
    secret = ExplainedPart("hidden minefield", -1, RuleId("r.mines"), known_to=(RED,))
    roll = e.Rolled("nerve", "m1", "d8", (5,), 5, (secret,), 4, 4, (), 0, "holds")
    seen = seen_by(roll, BLUE)
    assert seen is not None
    assert sentence(seen, table()) == "R1, nerve — holds."


def test_what_a_side_may_not_see_still_makes_sentences() -> None:
    """Fields that a veil took away, and things that a view does not know, are no reason to stumble."""
    bare = Table(Ground(0, 0), (RED, BLUE))
    for event, _ in SAID:
        names = [name for name in event.__struct_fields__ if name not in e.Event.__struct_fields__]
        veiled = type(event)(**{name: getattr(event, name) for name in names}, veils=dict.fromkeys(names, e.NOBODY))
        for shown in (event, seen_by(veiled, RED)):
            assert shown is not None
            assert sentence(shown, bare).endswith(".")


def test_whole_battles_can_be_told() -> None:
    journal = Journal.decode(keep_promises(Duel, seed=3).journal)
    events = journal.events()
    said = [sentence(event, at) for event, at in zip(events, folded(events, (RED, BLUE)), strict=True)]
    assert any(", shot — d6 [" in text for text in said)
    assert said[-1].endswith("wins: last one standing.")


def squad() -> Table:
    models = [
        Thing(name, side=RED, unit=ThingId(name[0]), label=name.upper(), place=HERE)
        for name in (ThingId("a1"), ThingId("a2"), ThingId("b1"))
    ]
    units = [Thing(ThingId("a"), "unit", RED, "First Squad"), Thing(ThingId("b"), "unit", RED, "Second Squad")]
    return Table(
        Ground(48000, 36000), (RED, BLUE), {thing.id: thing for thing in (*units, *models, Thing(ThingId("c")))}
    )


def test_what_a_model_carries_is_told_by_its_name() -> None:
    assert sentence(e.Declared("a", "fire", ("b",), ("small-arms", "a1")), squad()) == (
        "First Squad declares fire at Second Squad with small arms and A1."
    )


def test_what_faces_nowhere_does_not_turn() -> None:
    assert (
        sentence(e.Moved(ThingId("m1"), HERE, HERE, 90), table(), Vocabulary(direction=None)) == "R1 stays at (1, 2)."
    )


def test_why_something_is_off_the_table_may_go_without_saying() -> None:
    made = e.Placed("m1", Off("its models stand for it"), made=Thing(ThingId("m1")))
    assert sentence(made, table(), Vocabulary(notes=frozenset({"its models stand for it"}))) == "R1 is there."


def test_what_is_noted_for_the_books_tells_no_bare_numbers_and_there_is_one_kind_of_minus() -> None:
    books = Vocabulary(notes=frozenset({"moved", "trail", "shots"}), words={"mac": "medium MAC"})
    assert sentence(e.StateChanged("m1", "moved", None, 8001), table(), books) == "R1 now: moved."
    assert sentence(e.StateChanged("m1", "trail", None, ("8000,12", "-4")), table(), books) == "R1 now: trail."
    assert (
        sentence(e.StateChanged("m1", "shots", None, "m1 mac m2"), table(), books) == "R1 now: shots R1 medium MAC B2."
    )
    assert (
        sentence(e.HarmNoted("m1", e.Harm("pilot check", -1), "later"), table()) == "R1 is due pilot check −1 (later)."
    )


def test_a_ruleset_says_in_whole_phrases_what_is_done_and_what_comes_of_it() -> None:
    ours = Vocabulary(
        phrases={
            "fire": "{who} fire[s|] at {at}",
            "fields": "{who} fields the {tools}",
            "in cover": "{who} [takes|take] cover",
            "not in cover": "{who} [leaves|leave] cover",
            "another nerve": "{who} is now {value}, no longer {was}",
            "killed": "{who} [is|are] killed",
            "over the edge": "{who} runs for it",
            "roll hide": "hiding",
        },
        words={"hide": "go to ground"},
        place=lambda ground, point: "C4",
    )
    said: list[tuple[e.AnyEvent, str]] = [
        (e.Declared("m1", "fire", ("m2",), ("mac",)), "R1 fires at B2 with mac."),
        (e.Declared("m1", "fire"), "R1 fires at somebody."),
        (e.Declared("red", "fields", tools=("first-foot",)), "Red fields the first foot."),
        (e.StateChanged("m1", "in cover", None, 1), "R1 takes cover."),
        (e.StateChanged("m1", "in cover", 1, None), "R1 leaves cover."),
        (e.StateChanged("m1", "nerve", "firm", "lost"), "R1 is now lost, no longer firm."),
        (e.HarmApplied("m1", e.Harm("killed", 2), 0, 2), "R1 is killed: harm 0 → 2 of 10."),
        (e.ModelLost(ThingId("m1"), "killed"), "R1 is killed."),
        (e.Left(ThingId("m1"), "over the edge"), "R1 runs for it."),
        (e.Rolled("hide", "m1", "d8", (3,), 3, (), 3), "R1, hiding — d8 [3]."),
        (e.Landed("bomb", Point(0, 0), Point(9, 9)), "Bomb comes down at C4, not quite as aimed; it catches nobody."),
    ]
    for event, sentence_ in said:
        assert sentence(event, table(), ours) == sentence_
