"""A duel whose previews may take as long as a page likes: bidding three is thought about for a minute."""

import os
import time
from pathlib import Path

from sandtable.engine.questions import AnyQuestion, Preview
from sandtable.engine.ruleset import View
from tests.engine.duel import Duel

SECONDS = 60.0
#: The environment may name a file here, which is there once somebody has begun to think about three.
BEGUN = "SANDTABLE_SLOW_DUEL_BEGUN"


class SlowDuel(Duel):
    """Whoever tries three is shown nothing for a long time."""

    name = "slow-duel"

    def preview(self, view: View, question: AnyQuestion, answer: object) -> Preview:
        end = time.monotonic() + SECONDS
        if answer == "3" and BEGUN in os.environ:
            Path(os.environ[BEGUN]).touch()
        while answer == "3" and time.monotonic() < end:
            pass
        return Preview(notes=(f"tried {answer}",))
