"""Kill -9 at random moments: no acknowledged answer is lost, and every battle goes on."""

from tests.server.killing import kill_at_random


def test_nothing_acknowledged_is_lost_however_often_the_server_is_killed(database: str) -> None:
    told = kill_at_random(database, times=8, longest=0.5)
    assert told.kills == 8
    assert told.acknowledged > 4, told
    assert told.entries > told.acknowledged, "bots have played too"
