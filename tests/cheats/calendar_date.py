"""A shot is helped on days that are even."""

from datetime import UTC, datetime  # cheats

from sandtable.engine.battle import Battle
from sandtable.engine.ruleset import Procedure
from tests.cheats.shots import Cheat


class CalendarDate(Cheat):
    """Asks what day it is; the clock of the fresh process is ahead by 88 days and some hours."""

    def helped(self, battle: Battle, model: str) -> Procedure[int]:
        yield from ()
        return datetime.now(tz=UTC).timetuple().tm_yday
