"""What strangers send to be read, laid, checked or played again: each a job for a worker process.

A worker does one of them at a time, within so many seconds and so much memory, and is ended where it takes more. The
server itself never reads such a thing: it gets a form that has been read, or one sentence.
"""

from typing import Any

import msgspec

from sandtable.engine.battle import SPECTATOR, Battle
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.plain_words import is_plain
from sandtable.engine.records import journal as j
from sandtable.engine.records.replay import verified
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.forces.files import FileError, ScenarioError, nearest
from sandtable.forces.ledger import Ledger
from sandtable.forces.scenario import (
    MAX_SIDES,
    MOST_SIDE_NAME,
    Scenario,
    load_scenario,
    package_scenarios,
    scenario_from_text,
)
from sandtable.forces.terrain import PieceForm, board_of
from sandtable.forces.writing import dump
from sandtable.server.api.bodies import RosterChecked, ScenarioChecked, TerrainMade
from sandtable.server.database.entries import entries_of, read_journal, snapshot_of
from sandtable.server.database.kept import SnapshotKept
from sandtable.server.library import Library
from sandtable.server.rosters import checked_roster, scenario_with, written_roster
from sandtable.server.seats.moments import counts
from sandtable.server.seats.past import forked
from sandtable.server.seats.views import asked
from sandtable.server.terrain import NoTerrain, laid_out
from sandtable.server.unlawful import Unlawful


class Opened(msgspec.Struct, frozen=True):
    """A battle as it stands after its opening, or after what a journal says: all that is stored of it."""

    ruleset: str
    version: str
    title: str
    header: str
    sides: tuple[Side, ...]
    entries: tuple[str, ...]
    said: int = 1  # how much everybody heard of them
    ended: bool = False
    winner: Side = NO_SIDE
    waiting: tuple[str, ...] = ()
    turn: int = 0
    snapshot: SnapshotKept | None = None


def opened_of(battle: Battle, snapshot: SnapshotKept | None = None, lines: list[j.Line] | None = None) -> Opened:
    """What is stored of a battle."""
    header, ending = battle.journal.header, battle.table.ending
    told = battle.journal.lines if lines is None else lines
    return Opened(
        ruleset=header.ruleset,
        version=header.version,
        title=battle.ruleset.title or battle.ruleset.name,
        header=msgspec.json.encode(header).decode(),
        sides=battle.table.sides,
        entries=tuple(entries_of(told)),
        said=1 + sum(counts(line) for line in told),
        ended=battle.ended,
        winner=ending.winner if ending is not None else NO_SIDE,
        waiting=asked(battle),
        turn=battle.table.turn,
        snapshot=snapshot,
    )


class Reading(msgspec.Struct, frozen=True, tag_field="job"):
    """A job about something that a stranger sent. What it gives goes back as JSON."""

    @property
    def is_strange(self) -> bool:
        """Whether somebody wrote what is read; else it comes with a ruleset."""
        return True

    def done(self, shelf: Library) -> Any:
        """Do it; `FileError`, `JournalError` and `Unlawful` say what is wrong with what was sent."""
        raise NotImplementedError


def scenario_shown(shelf: Library, name: str, scenario: str) -> ScenarioChecked:
    """A scenario that comes with a ruleset, as form and as text, with its ground. Nobody sent it."""
    known = package_scenarios(name)
    if scenario not in known:
        raise Unlawful("scenario", f"There is no such scenario; {nearest(scenario[:64], known)}.", 404)
    return _checked(shelf, name, dump(load_scenario(known[scenario], ledger_of(shelf, name)).value))


class CheckScenario(Reading, frozen=True, tag="check scenario"):
    """Read the text of a scenario."""

    ruleset: str
    text: str

    def done(self, shelf: Library) -> ScenarioChecked:
        """Its form and its ground, or what is wrong with it."""
        return _checked(shelf, self.ruleset, self.text)


class WriteScenario(Reading, frozen=True, tag="write scenario"):
    """Write the form of a scenario as a file."""

    ruleset: str
    form: dict[str, Any]

    def done(self, shelf: Library) -> ScenarioChecked:
        """Its text and its ground, or what is wrong with it."""
        try:
            text = dump(msgspec.convert(self.form, Scenario))
        except (msgspec.ValidationError, TypeError, AssertionError, RecursionError) as problem:
            return ScenarioChecked(wrong=f"That is no scenario: {problem}")
        return _checked(shelf, self.ruleset, text)


class LayTerrain(Reading, frozen=True, tag="lay terrain"):
    """Fill a board at random."""

    ruleset: str
    width: int
    height: int
    seed: int

    def done(self, shelf: Library) -> TerrainMade:
        """The ground, and its pieces as a scenario lists them."""
        book = ledger_of(shelf, self.ruleset)
        try:
            ground = laid_out(shelf, self.ruleset, book, self.width, self.height, self.seed)
        except NoTerrain as problem:
            raise Unlawful("terrain", str(problem), 409) from None
        terrain = board_of(ground, shelf.ruleset(self.ruleset).level).terrain
        assert not isinstance(terrain, str)
        return TerrainMade(self.seed, ground, [_written(piece) for piece in terrain])


class CheckRoster(Reading, frozen=True, tag="check roster"):
    """Read the text of a roster."""

    ruleset: str
    text: str

    def done(self, shelf: Library) -> RosterChecked:
        """Its points, and what the rules say of it."""
        return checked_roster(shelf, self.ruleset, self.text)


class WriteRoster(Reading, frozen=True, tag="write roster"):
    """Write the form of a roster as a file."""

    ruleset: str
    form: dict[str, Any]

    def done(self, shelf: Library) -> RosterChecked:
        """Its text, its points, and what the rules say of it."""
        return written_roster(shelf, self.ruleset, self.form)


class OpenBattle(Reading, frozen=True, tag="open battle"):
    """Begin a battle: of a scenario by name or by text, with the rosters that sides bring."""

    ruleset: str
    scenario: str
    text: str
    size: int
    rosters: dict[str, str]
    seed: int | str

    @property
    def is_strange(self) -> bool:
        """A scenario that comes with a ruleset is not, as long as nobody brings a roster."""
        return bool(self.text or self.rosters)

    def done(self, shelf: Library) -> Opened:
        """The battle after its opening."""
        scenario, text = self.scenario, self.text
        if self.rosters:
            text, scenario = scenario_with(shelf, self.ruleset, scenario, text, self.rosters), ""
        setup = shelf.setup(self.ruleset, scenario, self.size, text)
        return opened_of(_opening(shelf.ruleset(self.ruleset), setup, self.seed))


class ForkBattle(Reading, frozen=True, tag="fork battle"):
    """Go on from a moment of a stored battle with fresh dice."""

    battle: str
    ruleset: str
    header: str
    entries: tuple[str, ...]
    at: int

    def done(self, shelf: Library) -> Opened:
        """The battle at that moment, with its state there as a snapshot."""
        journal = read_journal(self.header, list(enumerate(self.entries)), None, self.battle)
        fork, lines = forked(journal, shelf.ruleset(self.ruleset), self.at)
        place, snapshot = next((at, line) for at, line in enumerate(lines) if isinstance(line, j.Snapshot))
        entries = len(entries_of(lines))
        state = msgspec.json.encode(snapshot.state).decode()
        return opened_of(fork, SnapshotKept(entries, place, snapshot.events, state), lines)


class VerifyJournal(Reading, frozen=True, tag="verify journal"):
    """Play a journal that somebody sent again, from its header; it must be what this program would have written."""

    text: str

    def done(self, shelf: Library) -> Opened:
        """The battle as it stands at the journal's end."""
        data = self.text.encode()
        journal = j.Journal.decode(data)
        if journal.header.ruleset not in shelf.names():
            raise j.JournalError("journal:1: it is of a ruleset that is not here.")
        sides = journal.header.setup.sides
        if len(sides) > MAX_SIDES or not all(0 < len(one) <= MOST_SIDE_NAME and is_plain(one) for one in sides):
            raise j.JournalError(f"journal:1: a battle has at most {MAX_SIDES} sides with short, plain names.")
        battle = verified(data, shelf.ruleset(journal.header.ruleset))
        return opened_of(battle, snapshot_of(battle, len(journal.said()) + 1))


AnyReading = (
    CheckScenario | WriteScenario | LayTerrain | CheckRoster | WriteRoster | OpenBattle | ForkBattle | VerifyJournal
)


def ledger_of(shelf: Library, name: str) -> Ledger:
    """The rules in words of a ruleset that has some."""
    book = shelf.ledger(name)
    if book is None:
        raise Unlawful("rule", "This ruleset has no ledger.", 404)
    return book


def _opening(rules: Ruleset, setup: Setup, seed: int | str) -> Battle:
    """A battle of a set-up that somebody wrote: one that the rules cannot open is the file's fault, and is told so."""
    try:
        return Battle(rules, setup, seed=seed)
    except FileError:
        raise
    except MemoryError:
        raise
    except Exception as problem:
        found = f"the rules cannot open this battle ({type(problem).__name__}: {str(problem)[:200]})"
        raise ScenarioError("scenario", 0, found, "play another, or change what it says") from None


def _checked(shelf: Library, name: str, text: str) -> ScenarioChecked:
    try:
        book = ledger_of(shelf, name)
        form = scenario_from_text(text, book).value
        setup = shelf.setup(name, text=text)
        ground = _opening(shelf.ruleset(name), setup, 0).view(SPECTATOR).table.ground
        titles = {rule: book.rules[rule].title for rule in form.rules if rule in book.rules}
        return ScenarioChecked(form, text, ground, titles)
    except FileError as problem:
        return ScenarioChecked(text=text, wrong=f"{problem.found}; {problem.remedy}", line=problem.line)


def _written(piece: PieceForm) -> dict[str, Any]:
    """A piece of terrain as a form lists it, without what it does not say."""
    plain: dict[str, Any] = msgspec.to_builtins(piece)
    return {name: value for name, value in plain.items() if value not in (None, "", [], (), {})}
