"""The journal: everything a battle is, line by line, and how it is written, read and judged.

A header, then lines as they came: answers (with the fingerprint of the question each one answers), undos, standing
orders, concessions and draw offers; and what followed from them: events, digests and snapshots. Every line is one
JSON object. What comes from outside is limited in size and checked before anything is done with it.
"""

import hashlib
from pathlib import Path
from typing import Any

import msgspec

from sandtable.engine.changes import share
from sandtable.engine.events import AnyEvent
from sandtable.engine.ids import Side
from sandtable.engine.records.whole_files import is_regular, write_whole
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.engine.state import StandingOrder, State, Step
from sandtable.engine.table import Table

#: 2: a fingerprint holds every option on offer; in format 1 it held those that could be chosen.
FORMAT = 2
#: The oldest format whose journals are watched; only those of the present one are played again.
OLDEST = 1
MOST_BYTES = 64 * 1024 * 1024
MOST_LINE = 4 * 1024 * 1024


class JournalError(Exception):
    """A journal file that cannot be used: which file and line, what was found, what to do."""


class JournalDiverged(Exception):
    """The same answers gave another battle than the journal says: line, expected, found."""

    def __init__(self, line: int, expected: str, found: str) -> None:
        self.line, self.expected, self.found = line, expected, found
        super().__init__(f"journal line {line}: expected {expected}, found {found}")


class Header(msgspec.Struct, frozen=True, gc=False, tag="header", tag_field="line"):
    """What stands first: which rules, which set-up, which dice, how often digests are taken."""

    format: int
    ruleset: str
    version: str
    setup: Setup
    seed: int | str | None = None
    commitment: str = ""
    digests: dict[str, str] = {}
    digest_every: int = 1  # a digest at every so many boundaries; 0: only at the end


class Answered(msgspec.Struct, frozen=True, gc=False, tag="answer", tag_field="line"):
    side: Side
    question: str
    answer: Any = None


class Undone(msgspec.Struct, frozen=True, gc=False, tag="undo", tag_field="line"):
    side: Side


class UndoAsked(msgspec.Struct, frozen=True, gc=False, tag="undo_asked", tag_field="line"):
    side: Side
    asks: bool = True


class UndoAnswered(msgspec.Struct, frozen=True, gc=False, tag="undo_answered", tag_field="line"):
    side: Side
    agrees: bool = True


class Ordered(msgspec.Struct, frozen=True, gc=False, tag="order", tag_field="line"):
    order: StandingOrder
    withdrawn: bool = False


class Conceded(msgspec.Struct, frozen=True, gc=False, omit_defaults=True, tag="concede", tag_field="line"):
    side: Side
    why: str = ""


class DrawOffered(msgspec.Struct, frozen=True, gc=False, tag="draw", tag_field="line"):
    side: Side
    offers: bool = True


class Happened(msgspec.Struct, frozen=True, gc=False, tag="event", tag_field="line"):
    event: AnyEvent


class Digested(msgspec.Struct, frozen=True, gc=False, tag="digest", tag_field="line"):
    steps: int
    digest: str


class Snapshot(msgspec.Struct, frozen=True, gc=False, tag="snapshot", tag_field="line"):
    """The state at a boundary, as plain data, and how many events had happened."""

    events: int
    state: dict[str, Any]


Line = Answered | Undone | UndoAsked | UndoAnswered | Ordered | Conceded | DrawOffered | Happened | Digested | Snapshot
#: The lines that somebody said, as against those that follow from them.
Entry = Answered | Undone | UndoAsked | UndoAnswered | Ordered | Conceded | DrawOffered

_encode_fixed = msgspec.json.Encoder(order="deterministic").encode
_encode = msgspec.json.Encoder().encode
_header_decoder = msgspec.json.Decoder(Header)
_line_decoder = msgspec.json.Decoder(Line)


def digest(state: State) -> str:
    """A name of a state: equal for equal states on every machine. What sides know follows from it and is left out."""
    content = (
        state.table,
        state.agenda,
        state.due,
        state.under_way,
        state.draws,
        state.serial,
        state.steps,
        state.orders,
        state.offers,
    )
    return hashlib.blake2b(_encode_fixed(content), digest_size=16).hexdigest()


def table_digest(table: Table) -> str:
    """A name of a table, as one side knows it."""
    return hashlib.blake2b(_encode_fixed(table), digest_size=16).hexdigest()


def frozen_state(state: State) -> dict[str, Any]:
    """A state as plain data, for a snapshot."""
    plain: dict[str, Any] = msgspec.to_builtins(state)
    return plain


def thawed_state(plain: dict[str, Any], ruleset: Ruleset) -> State:
    """The state of a snapshot; its steps become the ruleset's own, and the engine's, again."""
    steps: Any = _union(ruleset.all_steps())
    agenda = msgspec.convert(plain.get("agenda", []), list[steps])
    state = msgspec.convert({**plain, "agenda": []}, State)
    state.agenda = agenda
    share(state.table, state.views)
    return state


def _union(kinds: tuple[type[Step], ...]) -> Any:
    joined: Any = kinds[0]
    for kind in kinds[1:]:
        joined = joined | kind
    return joined


class Journal:
    """A header and its lines."""

    def __init__(self, header: Header, lines: list[Line] | None = None, name: str = "journal") -> None:
        self.header = header
        self.lines: list[Line] = lines if lines is not None else []
        self.name = name  # of the file it came from, for messages

    def said(self) -> list[Entry]:
        """The lines that somebody said; they and the header are the battle."""
        return [line for line in self.lines if not isinstance(line, Happened | Digested | Snapshot)]

    def events(self) -> list[AnyEvent]:
        """The events, in the order they happened."""
        return [line.event for line in self.lines if isinstance(line, Happened)]

    def encode(self) -> bytes:
        """The journal as it stands in a file."""
        return b"\n".join([_encode(self.header), *(_encode(line) for line in self.lines), b""])

    def save(self, path: Path) -> None:
        """Write the journal whole, or not at all: a crash in mid-write leaves the old file."""
        write_whole(path, self.encode())

    @staticmethod
    def decode(data: bytes, name: str = "journal") -> "Journal":
        """Read a journal; says which line is wrong and what to do about it."""
        if len(data) > MOST_BYTES:
            raise JournalError(f"{name}: too large; a journal has at most {MOST_BYTES} bytes. Is it the right file?")
        if not data.strip():
            raise JournalError(
                f"{name}:1: the file is empty; a journal begins with its header. Use a copy that is whole."
            )
        whole = data.endswith(b"\n")
        rows = data.splitlines()
        lines: list[Line] = []
        header: Header | None = None
        for number, row in enumerate(rows, 1):
            if len(row) > MOST_LINE:
                raise JournalError(
                    f"{name}:{number}: a line of {len(row)} bytes; at most {MOST_LINE} are read. Is it a journal?"
                )
            try:
                if header is None:
                    header = _read_header(row, name)
                else:
                    lines.append(_line_decoder.decode(row))
            except RecursionError:
                raise JournalError(
                    f"{name}:{number}: nested too deeply for a line of a journal. Use another copy."
                ) from None
            except (msgspec.DecodeError, UnicodeDecodeError) as error:
                if number == len(rows) and not whole:
                    raise JournalError(
                        f"{name}:{number}: the last line is cut off ({error}). Remove it to go on from the line before."
                    ) from None
                raise JournalError(
                    f"{name}:{number}: not a line of a journal ({error}). Was the file edited? Use a copy that was not."
                ) from None
        assert header is not None
        return Journal(header, lines, name)

    @staticmethod
    def load(path: Path) -> "Journal":
        """Read a journal from a file."""
        return Journal.decode(Journal.read(path), str(path))

    @staticmethod
    def read(path: Path) -> bytes:
        """The bytes of a journal's file, as many as a journal may have and one more."""
        if path.exists() and not is_regular(path):
            raise JournalError(f"{path}: cannot be read (it is no regular file). Give the file that was saved.")
        try:
            with path.open("rb") as file:
                return file.read(MOST_BYTES + 1)
        except (OSError, ValueError) as error:
            why = getattr(error, "strerror", None) or error
            raise JournalError(f"{path}: cannot be read ({why}). Give the file that was saved.") from None


def _read_header(row: bytes, name: str) -> Header:
    header = _header_decoder.decode(row)
    if not OLDEST <= header.format <= FORMAT:
        raise JournalError(
            f"{name}:1: format {header.format}; this version reads formats {OLDEST} to {FORMAT}. "
            "Use the version that wrote it."
        )
    return header
