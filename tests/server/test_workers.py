"""Worker processes: bots think and drafts are judged in them, and nobody waits for what nobody wants."""

import asyncio
import os
import shutil
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.ids import RED, Side
from sandtable.engine.questions import fingerprint
from sandtable.lab.rulebooks import rulebook
from sandtable.server.database.storage import Storage
from sandtable.server.processes import workers
from sandtable.server.processes.tasks import Context, Judge, Judged, Task, Think, Thought, context_bytes
from sandtable.server.processes.worker import Worker
from sandtable.server.processes.workers import NotDone, Workers
from sandtable.server.settings import INSTALLED, Limits
from tests.engine.duel import Duel
from tests.server.shelf import WHERE
from tests.server.slow import BEGUN, SECONDS, SlowDuel
from tests.server.tables import FREE, Server, serving


def tokens(made: dict[str, Any]) -> list[str]:
    return [link["token"] for link in made["links"]]


def question_of(battle: Battle, side: Side) -> tuple[str, bytes]:
    question = battle.question_for(side)
    assert question is not None
    return fingerprint(question), context_bytes(battle.ruleset.name, battle.view(side), question)


def with_workers(use: Callable[[Workers], Awaitable[None]], count: int = 1) -> None:
    async def all_of_it() -> None:
        workers = Workers(WHERE, count)
        try:
            await use(workers)
        finally:
            await workers.close()

    asyncio.run(all_of_it())


def test_a_worker_is_told_a_question_once_and_judges_as_the_battle_does() -> None:
    battle = Battle(Duel(), seed=1)
    asks, context = question_of(battle, RED)

    async def use(workers: Workers) -> None:
        for draft, refused in (("1", False), ("99", True), ("2", False)):
            judged = await workers.ask("b", "q", context, Judge(asks, draft), 30)
            assert isinstance(judged, Judged)
            assert (judged.verdict.refusal is not None) == refused
            context_is_known = b"not a context at all" if draft == "99" else context
            judged = await workers.ask("b", "q", context_is_known, Judge(asks, draft), 30)
        with pytest.raises(NotDone):
            await workers.ask("b", "another question", b'{"nonsense":1}', Judge(asks, "1"), 30)
        # What failed has made it forget, and it is told again.
        assert isinstance(await workers.ask("b", "q", context, Judge(asks, "1"), 30), Judged)

    with_workers(use)


def test_a_worker_that_nobody_waits_for_is_interrupted_and_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = tmp_path / "begun"
    monkeypatch.setenv(BEGUN, str(begun))
    monkeypatch.setattr(workers, "GRACE", SECONDS)  # it stops at once, but who knows when it gets to run
    asks, context = question_of(Battle(SlowDuel(), seed=1), RED)

    async def use(processes: Workers) -> None:
        await processes.ask("b", "q", context, Judge(asks, "1"), 30)
        process = processes._all[0]
        slow = asyncio.create_task(processes.ask("b", "q", context, Judge(asks, "3", seconds=SECONDS), 2 * SECONDS))
        while not begun.exists():
            await asyncio.sleep(0.01)
        slow.cancel()
        async with asyncio.timeout(SECONDS / 2):  # had it not been interrupted, it would be busy all that time
            assert isinstance(await processes.ask("b", "q", context, Judge(asks, "2"), 30), Judged)
        assert processes._all == [process], "it was interrupted, not killed"

    with_workers(use)


def test_a_preview_that_takes_too_long_is_left_out() -> None:
    asks, context = question_of(Battle(SlowDuel(), seed=1), RED)

    async def use(workers: Workers) -> None:
        judged = await workers.ask("b", "q", context, Judge(asks, "3", seconds=0.2), 30)
        assert isinstance(judged, Judged)
        assert (judged.verdict.late, judged.verdict.preview, judged.verdict.refusal) == (True, None, None)

    with_workers(use)


def test_a_worker_that_dies_is_replaced_and_never_are_there_more() -> None:
    asks, context = question_of(Battle(Duel(), seed=1), RED)

    async def use(workers: Workers) -> None:
        for _ in range(3):
            jobs = [workers.ask("b", f"q{n}", context, Judge(asks, "1"), 30) for n in range(12)]
            assert all(isinstance(one, Judged) for one in await asyncio.gather(*jobs))
            assert len(workers._all) <= 2
            os.kill(workers._all[0]._process.pid, signal.SIGKILL)
            results = await asyncio.gather(
                *(workers.ask("b", f"q{n}", context, Judge(asks, "1"), 30) for n in range(4)), return_exceptions=True
            )
            assert sum(isinstance(one, Judged) for one in results) >= 3
            assert all(isinstance(one, Judged | NotDone) for one in results)

    with_workers(use, 2)


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server that shows no preview that takes longer than three seconds, with one process for drafts."""
    limits = msgspec.structs.replace(FREE, seconds_to_draft=3.0)
    with serving(f"sqlite:///{tmp_path_factory.mktemp('hasty') / 'b.sqlite'}", limits, judges=1) as it:
        yield it


def test_a_slow_preview_holds_nobody_up(hasty: Server) -> None:
    """Not an answer of the same seat, nor the other side, nor a newer draft; and in the end it is told as late."""
    made = hasty.begin("slow-duel")
    red_token, blue_token, _ = tokens(made)
    with hasty.page(red_token) as red, hasty.page(blue_token) as blue:
        asks = red.situation["asks"]
        assert red.ask("draft", question=asks, answer="1")["preview"]["notes"] == ["tried 1"]
        told = red.ask("draft", question=asks, answer="3")
        assert (told["late"], told["preview"], told["refusal"]) == (True, None, None)
        old = red.say("draft", question=asks, answer="3")
        newer = red.ask("draft", question=asks, answer="2")
        assert newer["preview"]["notes"] == ["tried 2"]
        assert next(one for one in red.heard if one["id"] == old)["why"] == "newer"
        slow = red.say("draft", question=asks, answer="3")
        assert blue.answer("1")["tell"] == "kept"
        assert red.answer("2")["tell"] == "kept"
        assert not [one for one in red.heard if one["id"] == slow], "the answer did not wait for the preview"


def test_a_stale_draft_is_told_so(hasty: Server) -> None:
    made = hasty.begin("slow-duel")
    with hasty.page(tokens(made)[0]) as red:
        asks = red.situation["asks"]
        red.answer("1")
        assert red.ask("draft", question=asks, answer="2")["why"] == "stale"


def minds_and_answers(warm: bool, questions: int) -> list[tuple[Any, Any]]:
    """What tactical bots answer in a battle, by one worker that stays or by a fresh one for every question."""
    rules = rulebook("quickstart").ruleset()
    battle, worker = Battle(rules, rules.setup("crowded", 2), seed=5), Worker(INSTALLED)
    minds: dict[str, Any] = {}
    said = []
    for n in range(questions):
        if battle.ended:
            break
        question = next(one for one in battle.questions if battle.question_for(one.side) is one)
        side = question.side
        context = msgspec.json.decode(context_bytes("quickstart", battle.view(side), question), type=Context)
        if not warm:
            worker = Worker(INSTALLED)
        done = worker.do(Task(f"{n}", Think("b", "4", f"b/{n}/{side}", minds.get(side)), context))
        thought = msgspec.json.decode(msgspec.json.encode(done)), done.result
        assert isinstance(thought[1], Thought), thought
        plain = thought[0]["result"]
        minds[side] = plain["mind"]
        said.append((plain["answer"], plain["mind"]))
        assert battle.answer(plain["answer"], side) is None
    return said


def test_a_worker_that_stays_and_a_fresh_one_get_the_same_from_a_bot() -> None:
    warm, fresh = minds_and_answers(True, 60), minds_and_answers(False, 60)
    assert warm == fresh
    assert any(mind is not None for _, mind in warm), "it has had something in mind"


def test_a_battle_of_bots_goes_on_alike_wherever_it_is_picked_up(tmp_path: Path) -> None:
    """The same stored battle, gone on with by one server and by another, comes to the same journal."""
    bots = [{"side": side, "kind": "bot", "bot": "1"} for side in ("red", "blue")]
    first, second = tmp_path / "first.sqlite", tmp_path / "second.sqlite"
    with serving(f"sqlite:///{first}", library=INSTALLED) as it:
        made = it.begin("quickstart", scenario="crowded", size=2, seats=bots)
        with it.page(tokens(made)[0]) as page:
            page.until(lambda: page.situation["n"] > 12 or page.ended)
    shutil.copy(first, second)
    journals = []
    for path in (first, second):
        with serving(f"sqlite:///{path}", library=INSTALLED) as it, it.page(tokens(made)[0]) as page:
            page.until(lambda page=page: page.situation["n"] > 45 or page.ended, 120)  # type: ignore[misc]
        journals.append(asyncio.run(_entries(path, made["battle"])))
    count = min(len(journal) for journal in journals)
    assert count > 25
    assert journals[0][:count] == journals[1][:count]


async def _entries(path: Path, battle: str) -> list[tuple[int, str]]:
    storage = Storage(f"sqlite:///{path}")
    try:
        return await storage.lines(battle)
    finally:
        await storage.close()


def test_the_limit_on_drafts_is_one_that_is_kept() -> None:
    assert 0 < Limits().seconds_to_draft <= 10
