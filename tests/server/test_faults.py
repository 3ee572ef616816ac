"""Whatever a database does at whatever moment: what was acknowledged is there, and what is there was acknowledged."""

import pytest

from tests.engine.duel import Duel
from tests.server.faults import KINDS, Faults, Kind, battle_under
from tests.server.small_shelf import WHERE
from tests.server.tables import serving

#: Every so-manieth place is tried here; `make attack` tries them all.
EVERY = 9


@pytest.mark.parametrize("kind", KINDS)
def test_a_fault_at_each_place_of_a_battle_tells_nobody_anything_untrue(database: str, kind: Kind) -> None:
    with serving(database, library=WHERE) as it:
        faults = Faults(it.hall().storage)
        try:
            places = battle_under(it, faults, Duel(), kind, 1_000_000).places
            assert places > 10
            for number in range(1, places + 1, EVERY):
                played = battle_under(it, faults, Duel(), kind, number)
                if kind == "reply":
                    assert "storage" not in played.wrong, "what was written counts"
        finally:
            faults.remove()
