"""Save and resume at every moment, replay and its divergences, and tables folded from events alone."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.dice import ScriptedDice
from sandtable.engine.events import Rolled, TakenBack
from sandtable.engine.ids import RED, Side
from sandtable.engine.records import journal as j
from sandtable.engine.records.journal import (
    Answered,
    Digested,
    Happened,
    Journal,
    JournalDiverged,
    JournalError,
    Snapshot,
)
from sandtable.engine.records.replay import folded, replayed, resumed
from sandtable.engine.ruleset import Ruleset
from tests.engine.answers import Randomly
from tests.engine.duel import Duel
from tests.engine.parley import THREE, Parley, actor, opened, say
from tests.promises import state_bytes


def all_of(battle: Battle) -> tuple[Any, ...]:
    lines = [msgspec.json.encode(line) for line in battle.journal.lines]
    logs = {side: msgspec.json.encode(log.events) for side, log in battle.logs.items()}
    asked = [battle.question_for(side) for side in battle.table.sides]
    return state_bytes(battle), battle.questions, asked, lines, logs


def through_a_file(journal: Journal) -> Journal:
    return Journal.decode(journal.encode())


def played(seed: int, answers: int, *, undo_one_in: int = 4) -> tuple[Battle, Randomly]:
    battle, bot = Battle(Parley(), THREE, seed=seed), Randomly(seed)
    for _ in range(answers):
        one_answer(battle, bot)
        if bot.chance(undo_one_in):
            for side in battle.table.sides:
                battle.undo(side)
    return battle, bot


def one_answer(battle: Battle, bot: Randomly) -> None:
    asked = [side for side in battle.table.sides if battle.question_for(side) is not None]
    if asked:
        side = bot.random.choice(asked)
        question = battle.question_for(side)
        assert question is not None
        assert battle.answer(bot(battle.ruleset, battle.view(side), question), side) is None


@settings(max_examples=60)
@given(st.integers(0, 10**6), st.integers(0, 60), st.booleans())
def test_saved_at_any_moment_a_battle_resumes_as_it_stood_and_has_the_same_future(
    seed: int, answers: int, undone_last: bool
) -> None:
    battle, bot = played(seed, answers)
    if undone_last:
        for side in battle.table.sides:
            battle.undo(side)
    twin = resumed(through_a_file(battle.saved()), Parley())
    assert all_of(twin) == all_of(battle)
    future = bot.random.getstate()
    for one in (battle, twin):
        bot.random.setstate(future)
        for _ in range(5):
            one_answer(one, bot)
            if not one.ended and bot.chance(2):
                one.undo(bot.random.choice(one.table.sides))
    assert all_of(twin) == all_of(battle)


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(0, 80))
def test_a_journal_played_again_from_its_header_is_the_same_battle(seed: int, answers: int) -> None:
    battle, _ = played(seed, answers)
    assert all_of(replayed(through_a_file(battle.journal), Parley())) == all_of(battle)
    saved = battle.saved()
    assert all_of(replayed(through_a_file(saved), Parley())) == all_of(battle), "a snapshot on the way changes nothing"


def test_a_battle_that_ended_by_word_is_saved_and_resumed() -> None:
    for end in ("concede", "draw"):
        battle = opened()
        say(battle, "wait")
        for side in battle.table.sides:
            battle.concede(side) if end == "concede" else battle.offer_draw(side)
        assert battle.ended
        assert all_of(resumed(through_a_file(battle.saved()), Parley())) == all_of(battle)
        assert all_of(replayed(through_a_file(battle.journal), Parley())) == all_of(battle)


def test_scripted_dice_cannot_be_played_again() -> None:
    battle = Battle(Duel(), dice=ScriptedDice([1] * 20))
    with pytest.raises(JournalDiverged, match="line 1: expected a seed"):
        replayed(battle.journal, Duel())
    with pytest.raises(JournalError, match="scripted dice"):
        resumed(battle.saved(), Duel())


# Divergence ---------------------------------------------------------------------------------------------------------


def a_duel() -> Journal:
    battle, bot = Battle(Duel(), seed=5), Randomly(5)
    while not battle.ended:
        one_answer(battle, bot)
    return through_a_file(battle.journal)


GOOD = a_duel()


def diverged(journal: Journal, ruleset: Ruleset | None = None) -> JournalDiverged:
    with pytest.raises(JournalDiverged) as caught:
        replayed(through_a_file(journal), ruleset or Duel())
    assert f"line {caught.value.line}:" in str(caught.value)
    return caught.value


def changed(at: int, line: j.Line) -> Journal:
    return Journal(GOOD.header, [*GOOD.lines[:at], line, *GOOD.lines[at + 1 :]])


def number(kind: type[Any], which: int = 0) -> int:
    """The place of a line of a kind among the lines; the journal's header is line 1, so its number is two more."""
    return [n for n, line in enumerate(GOOD.lines) if isinstance(line, kind)][which]


def test_an_unchanged_journal_does_not_diverge() -> None:
    assert replayed(GOOD, Duel()).ended


@pytest.mark.parametrize("which", [0, 1, 5, 20])
def test_an_edited_event_is_the_line_that_diverges(which: int) -> None:
    at = number(Happened, which)
    line = GOOD.lines[at]
    assert isinstance(line, Happened)
    found = diverged(changed(at, Happened(replace(line.event, detail={"edited": 1}))))
    assert found.line == at + 2
    assert "edited" in found.expected
    assert "edited" not in found.found


def test_an_edited_face_of_a_die_is_the_line_that_diverges() -> None:
    at = next(n for n, line in enumerate(GOOD.lines) if isinstance(line, Happened) and isinstance(line.event, Rolled))
    line = GOOD.lines[at]
    assert isinstance(line, Happened)
    assert isinstance(line.event, Rolled)
    assert diverged(changed(at, Happened(replace(line.event, faces=(9,))))).line == at + 2


@pytest.mark.parametrize("which", [0, 3, -1])
def test_an_edited_digest_is_the_line_that_diverges(which: int) -> None:
    at = number(Digested, which)
    line = GOOD.lines[at]
    assert isinstance(line, Digested)
    found = diverged(changed(at, Digested(line.steps, "0" * 32)))
    assert found.line == at + 2
    assert line.digest in found.found


def test_an_edited_answer_diverges_at_the_line_where_it_matters() -> None:
    at = number(Answered, 0)
    line = GOOD.lines[at]
    assert isinstance(line, Answered)
    other = "3" if line.answer != "3" else "2"
    found = diverged(changed(at, replace(line, answer=other)))
    assert found.line == at + 3, "the next line tells what was sealed"
    refused = diverged(changed(at, replace(line, answer="17")))
    assert refused.line == at + 2
    assert "refused" in refused.found


def test_an_answer_to_another_question_or_by_another_side_is_the_line_that_diverges() -> None:
    at = number(Answered, 4)
    line = GOOD.lines[at]
    assert isinstance(line, Answered)
    assert diverged(changed(at, replace(line, question="0" * 16))).line == at + 2
    other = "blue" if line.side == "red" else "red"
    assert diverged(changed(at, replace(line, side=other))).line == at + 2


def test_an_edited_seed_diverges_where_the_first_die_falls() -> None:
    for seed in range(6, 30):
        found = diverged(Journal(replace(GOOD.header, seed=seed), GOOD.lines))
        first = next(n for n, line in enumerate(GOOD.lines) if isinstance(line, Happened) and _rolled(line))
        assert found.line >= first + 2
        if found.line == first + 2:
            return
    raise AssertionError("no seed fell otherwise at once")


def _rolled(line: Happened) -> bool:
    return isinstance(line.event, Rolled)


def test_another_version_or_ruleset_is_told_before_anything_is_played() -> None:
    class Newer(Duel):
        version = "2"

    found = diverged(GOOD, Newer())
    assert (found.line, found.expected, found.found) == (1, "duel version 1", "duel version 2")
    assert diverged(GOOD, Parley()).line == 1
    assert diverged(Journal(replace(GOOD.header, version="0"), GOOD.lines)).line == 1


def test_other_data_behind_the_rules_is_told_before_anything_is_played() -> None:
    header = replace(GOOD.header, digests={"ledger": "abc"})
    found = diverged(Journal(header, GOOD.lines))
    assert (found.line, found.expected, found.found) == (1, "ledger abc", "ledger none")


def test_lines_that_are_missing_or_too_many_are_told() -> None:
    at = number(Happened, 10)
    assert diverged(Journal(GOOD.header, GOOD.lines[:at] + GOOD.lines[at + 1 :])).line == at + 2
    assert diverged(Journal(GOOD.header, [*GOOD.lines, GOOD.lines[-1]])).line == len(GOOD.lines) + 2
    last_answer = number(Answered, -1)
    cut = diverged(Journal(GOOD.header, GOOD.lines[: last_answer + 1]))
    assert cut.line == last_answer + 3
    assert "cut off" in cut.expected


@pytest.mark.parametrize(
    "line", [j.Undone(RED), j.Conceded(Side("purple")), j.Conceded(RED), j.DrawOffered(Side("purple"))]
)
def test_something_that_could_not_be_said_is_the_line_that_diverges(line: j.Line) -> None:
    found = diverged(Journal(GOOD.header, [*GOOD.lines, line]))
    assert found.line == len(GOOD.lines) + 2


def test_rules_that_break_on_an_edited_journal_diverge_and_nothing_worse() -> None:
    header = replace(GOOD.header, setup=replace(GOOD.header.setup, sides=("red", "blue", "green")))
    found = diverged(Journal(header, GOOD.lines))
    assert found.line == 1
    assert "ValueError" in found.found


def test_an_edited_snapshot_is_told_before_the_rules_see_it() -> None:
    battle = opened()
    say(battle, "wait", True, "roll")
    saved = through_a_file(battle.saved())
    at = next(n for n, line in enumerate(saved.lines) if isinstance(line, Snapshot))
    snapshot = saved.lines[at]
    assert isinstance(snapshot, Snapshot)
    state = {**snapshot.state, "serial": 99}
    saved.lines[at] = Snapshot(snapshot.events, state)
    with pytest.raises(JournalDiverged, match="a snapshot with the digest") as caught:
        resumed(saved, Parley())
    assert caught.value.line == at + 2
    saved.lines[at] = Snapshot(snapshot.events + 1, snapshot.state)
    with pytest.raises(JournalDiverged, match="events before it"):
        resumed(saved, Parley())


# Watching -----------------------------------------------------------------------------------------------------------


def test_events_alone_show_the_table_at_every_moment_and_after_what_was_taken_back() -> None:
    battle = opened()
    events = battle.journal.events
    moments = [(len(events()), msgspec.json.encode(battle.table))]
    for answer in ("wait", True, "wait", False):
        say(battle, answer)
        moments.append((len(events()), msgspec.json.encode(battle.table)))
        if answer == "wait":
            assert battle.undo(actor(battle)) is None
            assert isinstance(events()[-1], TakenBack)
            moments.append((len(events()), msgspec.json.encode(battle.table)))
            say(battle, answer)
    tables = [msgspec.json.encode(table) for table in folded(events(), battle.table.sides)]
    for happened, table in moments:
        assert tables[happened - 1] == table
