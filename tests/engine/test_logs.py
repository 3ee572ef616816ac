"""Each side's log: numbered by itself without gaps, causes in its own numbers, and what is hidden leaves no trace."""

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sandtable.engine.events import Passed, TakenBack
from sandtable.engine.ids import BLUE, NO_SIDE, RED, Side
from sandtable.engine.records.logs import Logs


@given(st.lists(st.tuples(st.sampled_from([(), (RED,), (BLUE,)]), st.integers(0, 30)), max_size=30))
def test_logs_have_no_gaps_and_name_causes_that_their_side_saw(events: list[tuple[tuple[Side, ...], int]]) -> None:
    logs = Logs((RED, BLUE, NO_SIDE))
    for n, (known_to, because) in enumerate(events, 1):
        logs.tell(Passed(RED, str(n), n=n, because=min(because, n - 1), known_to=known_to))
    for side, log in logs.items():
        seen = [n for n, (known_to, _) in enumerate(events, 1) if not known_to or side in known_to]
        assert [event.n for event in log.events] == list(range(1, len(seen) + 1))
        for event, n in zip(log.events, seen, strict=True):
            assert isinstance(event, Passed)
            assert event.window == str(n)
            cause = min(events[n - 1][1], n - 1)
            assert event.because == (seen.index(cause) + 1 if cause in seen else 0)


def test_what_is_hidden_from_a_side_changes_no_byte_of_its_log() -> None:
    secret = Passed(BLUE, "secret", known_to=(BLUE,))
    logs = [Logs([RED]), Logs([RED])]
    for hidden, log in zip((0, 3), logs, strict=True):
        n = 0
        for public in ("a", "b"):
            for _ in range(hidden):
                n += 1
                log.tell(replace(secret, n=n))
            n += 1
            log.tell(Passed(RED, public, n=n, because=n - 1))
    assert logs[0][RED].events[0] == logs[1][RED].events[0]
    assert [e.n for e in logs[0][RED].events] == [e.n for e in logs[1][RED].events]


def test_what_was_taken_back_is_told_to_everybody_in_its_own_numbers() -> None:
    logs = Logs((RED, BLUE))
    for n, known_to in enumerate([(), (RED,), (RED,), ()], 1):
        logs.tell(Passed(RED, "x", n=n, known_to=known_to))
    logs.tell(TakenBack(RED, 3, n=5))
    assert logs[RED].events[-1] == TakenBack(RED, 3, n=5)
    assert logs[BLUE].events[-1] == TakenBack(RED, 1, n=3)
