"""The journal: it survives its file, and a file that is no journal gives one message with line and advice."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandtable.engine.battle import Battle
from sandtable.engine.events import Harm
from sandtable.engine.ids import RED, RuleId, ThingId
from sandtable.engine.records import journal as j
from sandtable.engine.records.journal import Digested, Journal, JournalError, Snapshot, frozen_state, thawed_state
from sandtable.engine.records.replay import replayed, resumed
from sandtable.engine.state import Due, StandingOrder, State
from sandtable.engine.table import Ground, Table
from tests.engine.answers import Randomly
from tests.engine.duel import Duel
from tests.engine.parley import THREE, Parley, opened, say
from tests.promises import state_bytes


def some_battle(answers: int = 12, seed: int = 1) -> Battle:
    battle, bot = Battle(Duel(), seed=seed), Randomly(seed)
    for _ in range(answers):
        if battle.ended:
            break
        side = next(side for side in battle.table.sides if battle.question_for(side) is not None)
        question = battle.question_for(side)
        assert question is not None
        assert battle.answer(bot(battle.ruleset, battle.view(side), question), side) is None
    return battle


GOOD = some_battle().saved().encode()


def refused(data: bytes) -> str:
    """The one message that bytes which are no journal give, whatever is done with them."""
    with pytest.raises(JournalError) as caught:
        resumed(Journal.decode(data, "old.journal"), Duel())
    message = str(caught.value)
    assert message.startswith("old.journal")
    assert "\n" not in message
    assert message.endswith((".", "?"))
    return message


def test_a_journal_comes_back_from_its_file_as_it_was(tmp_path: Path) -> None:
    battle = some_battle()
    path = tmp_path / "duel.journal"
    battle.journal.save(path)
    again = Journal.load(path)
    assert again.header == battle.journal.header
    assert again.lines == battle.journal.lines
    assert again.encode() == battle.journal.encode()
    assert [found.name for found in tmp_path.iterdir()] == ["duel.journal"]


def test_saving_keeps_the_old_file_until_the_new_one_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "duel.journal"
    some_battle(4).journal.save(path)
    old = path.read_bytes()

    class Broken(Journal):
        def encode(self) -> bytes:
            raise MemoryError

    with pytest.raises(MemoryError):
        Broken(some_battle().journal.header).save(path)
    assert path.read_bytes() == old


def test_what_was_said_and_the_header_are_the_battle() -> None:
    battle = some_battle(30)
    bare = Journal(battle.journal.header)
    again = Battle(Duel(), bare.header.setup, seed=bare.header.seed or 0)
    for line in battle.journal.said():
        assert isinstance(line, j.Answered)
        assert again.answer(line.answer, line.side) is None
    assert again.journal.encode() == battle.journal.encode()


@given(st.integers(0, 60))
def test_a_snapshot_gives_its_state_back(answers: int) -> None:
    battle = some_battle(answers)
    plain = msgspec.json.decode(msgspec.json.encode(frozen_state(battle.state)))
    again = thawed_state(plain, Duel())
    assert msgspec.json.encode(again) == msgspec.json.encode(battle.state)
    assert [type(step) for step in again.agenda] == [type(step) for step in battle.state.agenda]


def test_digests_are_taken_as_often_as_the_header_says() -> None:
    def digests(every: int) -> list[int]:
        battle = Battle(Parley(), THREE, digest_every=every)
        say(battle, "1", "2", "3", "wait", True, "end")
        battle.concede(RED)
        return [line.steps for line in battle.journal.lines if isinstance(line, Digested)]

    every_step = digests(1)
    assert every_step == [*range(9)]
    assert digests(3) == [0, 3, 6, 8], "and at the end"
    assert len(digests(0)) == 1, "only at the end"


def test_a_digest_tells_states_apart_and_leaves_views_out() -> None:
    battle = opened()
    before = j.digest(battle.state)
    battle.state.views[RED].turn += 1
    assert j.digest(battle.state) == before
    battle.state.table.turn += 1
    assert j.digest(battle.state) != before


@pytest.mark.parametrize("field", [field for field in State.__struct_fields__ if field != "views"])
def test_a_digest_covers_every_field_of_the_state(field: str) -> None:
    state = opened().state
    other: dict[str, Any] = {
        "table": Table(Ground(1, 1), (RED,)),
        "agenda": [],
        "due": [Due(1, ThingId("A"), "end", Harm("wound"))],
        "under_way": ("crash: A",),
        "orders": (StandingOrder(RED, RuleId("r")),),
        "offers": ("red",),
    }
    changed = state.copy()
    setattr(changed, field, other.get(field, 99))
    assert j.digest(changed) != j.digest(state)


# Files that are none ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("data", [b"", b"\n\n \n"])
def test_an_empty_file_is_told_as_empty(data: bytes) -> None:
    assert "old.journal:1: the file is empty" in refused(data)


@pytest.mark.parametrize("data", [b"\x00\x01\x02\xff\xfe" * 100, b"PK\x03\x04", "ruleset: duel\n".encode("utf-16")])
def test_a_binary_file_is_no_journal(data: bytes) -> None:
    assert "old.journal:1: not a line of a journal" in refused(data + b"\n")


@pytest.mark.parametrize("data", [b"{}", b"[]", b"null", b'"words"', b'{"line":"answer","side":"red","question":"x"}'])
def test_json_that_does_not_begin_with_a_header_is_no_journal(data: bytes) -> None:
    assert "old.journal:1: not a line of a journal" in refused(data + b"\n")


def test_another_format_asks_for_the_version_that_wrote_it() -> None:
    data = GOOD.replace(b'"format":2', b'"format":3', 1)
    assert "old.journal:1: format 3; this version reads formats 1 to 2. Use the version that wrote it." in refused(data)


def test_a_line_cut_off_in_the_middle_is_named_and_can_be_removed() -> None:
    lines = GOOD.splitlines(keepends=True)
    data = b"".join(lines[:-1]) + lines[-1][:10]
    message = refused(data)
    assert f"old.journal:{len(lines)}: the last line is cut off" in message
    assert "Remove it" in message


def test_a_line_that_was_edited_is_named() -> None:
    lines = GOOD.splitlines(keepends=True)
    lines[4] = lines[4].replace(b"{", b"[", 1)
    assert "old.journal:5: not a line of a journal" in refused(b"".join(lines))


@pytest.mark.parametrize("size", [b"-1", b"501", b"100000000000"])
def test_a_battle_of_no_size_that_is_played_is_refused_before_it_is_laid(size: bytes) -> None:
    assert b'"size":0' in GOOD.splitlines()[0]
    assert "old.journal:1" in refused(GOOD.replace(b'"size":0', b'"size":' + size, 1))


@pytest.mark.parametrize("depth", [2_000, 200_000])
def test_a_line_that_is_nested_too_deeply_is_named(depth: int) -> None:
    deep = b'{"line":"answer","side":"red","question":"x","answer":' + b"[" * depth + b"]" * depth + b"}\n"
    head = GOOD.splitlines(keepends=True)[0]
    assert "old.journal:2: nested too deeply" in refused(head + deep)
    assert "old.journal:1: nested too deeply" in refused(
        head.replace(b'"scenario":{}', b'"scenario":{"x":' + b"[" * depth + b"]" * depth + b"}")
    )


def test_a_huge_file_and_a_huge_line_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(j, "MOST_BYTES", 5_000)
    monkeypatch.setattr(j, "MOST_LINE", 2_000)
    head = GOOD.splitlines(keepends=True)[0]
    assert "old.journal:2: a line of 2500 bytes" in refused(head + b"x" * 2500 + b"\n")
    path = tmp_path / "huge.journal"
    path.write_bytes(b"x" * 6_000)
    with pytest.raises(JournalError, match=r"huge\.journal: too large; a journal has at most 5000 bytes"):
        Journal.load(path)


def test_a_file_that_cannot_be_read_says_so(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match=r"missing\.journal: cannot be read \(No such file"):
        Journal.load(tmp_path / "missing.journal")
    with pytest.raises(JournalError, match="cannot be read"):
        Journal.load(tmp_path)


def spoilt(change: Any) -> bytes:
    journal = Journal.decode(GOOD)
    at = next(n for n, line in enumerate(journal.lines) if isinstance(line, Snapshot))
    snapshot = journal.lines[at]
    assert isinstance(snapshot, Snapshot)
    journal.lines[at] = Snapshot(snapshot.events, change(dict(snapshot.state)))
    return journal.encode()


@pytest.mark.parametrize(
    "change",
    [
        lambda state: {},
        lambda state: {**state, "agenda": [{"step": "NoSuchStep"}]},
        lambda state: {**state, "agenda": "Bid"},
        lambda state: {**state, "table": {**state["table"], "turn": "two"}},
        lambda state: {**state, "draws": 1.5},
        lambda state: {**state, "due": [7]},
    ],
    ids=["empty", "unknown step", "agenda", "turn", "draws", "due"],
)
def test_a_snapshot_that_is_no_state_of_the_ruleset_is_named(change: Any) -> None:
    message = refused(spoilt(change))
    assert "the snapshot is not a state of duel" in message
    assert "Remove the line to play from the start." in message


@given(st.integers(0, len(GOOD) - 1), st.binary(min_size=1, max_size=3))
def test_a_journal_with_wrong_bytes_anywhere_never_fails_in_another_way(at: int, wrong: bytes) -> None:
    data = GOOD[:at] + wrong + GOOD[at + len(wrong) :]
    for play in (resumed, replayed):
        try:
            play(Journal.decode(data), Duel())
        except (JournalError, j.JournalDiverged) as error:
            assert str(error)  # noqa: PT017 (it may also be a change that means nothing)


@given(st.integers(0, len(GOOD) - 1))
def test_a_journal_cut_off_anywhere_never_fails_in_another_way(at: int) -> None:
    for play in (resumed, replayed):
        try:
            battle = play(Journal.decode(GOOD[:at]), Duel())
        except (JournalError, j.JournalDiverged):
            continue
        assert battle.questions, "cut off where somebody was asked"
        assert state_bytes(battle)
