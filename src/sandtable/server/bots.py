"""Bots at the table: each thinks in a process of its own and answers like anybody else."""

import asyncio
import logging
from typing import TYPE_CHECKING

from sandtable.engine.questions import Refusal, fingerprint
from sandtable.server.storage import SeatKept, Taken
from sandtable.server.thinkers import BotFailed, Wanted, wanted_bytes
from sandtable.server.views import Stale

if TYPE_CHECKING:
    from sandtable.server.live import LiveBattle

log = logging.getLogger("sandtable.server")
#: How often a bot may fail at one question before the battle waits for somebody to look into it.
PATIENCE = 3


async def bot_turn(live: "LiveBattle", seat: SeatKept) -> None:
    """Answer the question a bot is asked now; whoever wakes bots calls again while there is one."""
    failures = 0
    while True:
        async with live.lock:
            battle, n = live.battle, live.n
            question = battle.question_for(seat.side)
            if question is None or live.trouble:
                return
            name = fingerprint(question)
            wanted = wanted_bytes(
                Wanted(live.kept.ruleset, seat.bot, f"{live.id}/{n}", battle.view(seat.side), question)
            )
        try:
            pause = asyncio.sleep(live.kept.pace / 1000)
            thought, _ = await asyncio.gather(live.hall.thinkers.think(wanted), pause)
            result = await live.answer(seat.side, name, thought.answer, reason=thought.reason)
        except (Stale, Taken):
            continue
        except BotFailed as problem:
            result = Refusal("", str(problem))
        if not isinstance(result, Refusal) or live.hall.closing:
            return
        failures += 1
        log.warning("battle %s: the bot %s fails: %s", live.id, seat.bot, result.sentence)
        if failures >= PATIENCE:
            live.trouble = f"The bot of {seat.side} finds no answer: {result.sentence}"
            live.tell()
            return
