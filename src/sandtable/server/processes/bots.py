"""Bots at the table: each thinks in a process of its own and answers like anybody else.

What a bot answers follows from the battle, how much has been said, what the bot knows and what it kept in mind from its
last answer, which is stored with that answer: any worker, and a server that starts again, gets the same from it.
"""

import asyncio
import logging
from typing import TYPE_CHECKING

from sandtable.engine.ids import NO_RULE
from sandtable.engine.questions import Refusal, fingerprint
from sandtable.server.database.kept import NotKept, NotKnown, SeatKept, Taken
from sandtable.server.processes.tasks import Think, Thought
from sandtable.server.processes.workers import NotDone
from sandtable.server.seats.views import Stale

if TYPE_CHECKING:
    from sandtable.server.live import LiveBattle

log = logging.getLogger("sandtable.server")
#: How often a bot may fail at one question before everybody is told, and it rests for a while.
PATIENCE = 3
#: How long a bot may think, how long it rests when storage does not answer, and after its patience is at an end, in
#: seconds; then twice as long each time, up to the longest. A machine that was busy may have room again.
SECONDS, REST, PAUSE, LONGEST = 120.0, 1.0, 15.0, 600.0


async def bot_turn(live: "LiveBattle", seat: SeatKept) -> None:
    """Answer the question a bot is asked now; whoever wakes bots calls again while there is one."""
    from sandtable.server.live import Because, Trouble

    failures = 0
    while not live.hall.closing:
        async with live.lock:
            question = live.battle.question_for(seat.side)
            if question is None or live.trouble:
                return
            asks = fingerprint(question)
            name, context = live.context(seat.side, question)
            seed = f"{live.id}/{live.n}/{seat.side}" + (f"/{failures}" if failures else "")
            job = Think(live.id, seat.bot, seed, live.minds.get(seat.side))
        try:
            pause = asyncio.sleep(live.kept.pace / 1000)
            thought, _ = await asyncio.gather(live.hall.thinkers.ask(live.id, name, context, job, SECONDS), pause)
            assert isinstance(thought, Thought)
            result = await live.answer(seat.side, asks, thought.answer, Because(thought.reason, thought.mind))
        except (Stale, Taken):
            continue
        except (NotKept, NotKnown):
            await live.hall.rest(REST)
            continue
        except (NotDone, Trouble) as problem:
            result = Refusal(NO_RULE, str(problem))
        if not isinstance(result, Refusal) or live.hall.closing:
            return
        failures += 1
        log.warning("battle %s: the bot %s fails: %s", live.id, seat.bot, result.sentence)
        if failures % PATIENCE == 0 and not live.trouble:
            # Why it fails may tell what its side hides: that is for the log.
            live.trouble = told = f"The bot of {seat.side} finds no answer and will try again."
            live.tell()
            await live.hall.rest(min(LONGEST, PAUSE * 2 ** (failures // PATIENCE - 1)))
            if live.trouble == told:
                live.trouble = ""
