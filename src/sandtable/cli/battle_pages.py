"""Playing a battle in the terminal: the log as it goes, one JSON object, or a journal to go on with."""

import argparse
import json
import shlex
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import randbelow
from typing import Any

from sandtable.bots import Bot
from sandtable.bots.programs import player
from sandtable.cli.battle_log import BattleLog, counted
from sandtable.cli.journal_files import journal_target
from sandtable.cli.problems import UsageError
from sandtable.cli.roster_pages import setup_of
from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.records.journal import Answered, Happened, Journal
from sandtable.engine.records.replay import resumed
from sandtable.engine.ruleset import Ruleset
from sandtable.lab.battles import play_on
from sandtable.lab.rulebooks import rulebook
from sandtable.lab.vocabularies import vocabulary_of

#: Seconds between two signs of life of a battle that nobody sees.
PULSE = 0.5
STOPPED = 130
#: Who plays a side that names nobody.
BOT = "tactical"


class _Stopped(Exception):
    """Somebody pressed Ctrl-C; the battle stands between two answers."""


def play(args: argparse.Namespace) -> int:
    """Play a battle, show it or print its summary, and save it if asked to."""
    target = None if args.save is None else journal_target(args.save)
    if args.size < 0:
        raise UsageError("--size counts upwards; give 1 or more, or leave it out")
    ruleset = rulebook(args.ruleset).ruleset()
    names = {"red": args.red, "blue": args.blue}
    for name in names.values():
        player(name, ruleset, 0)  # a wrong name is told before a battle is begun
    begun = time.perf_counter()
    battle = _resumed(args, ruleset) if args.resume else _begun(args, ruleset, target)
    players = _players(battle, names)
    page = _Page(battle, args)
    try:
        with _stopping_between_answers(page):
            play_on(battle, players, watch=page.watch)
    except _Stopped:
        return _stop(args, battle, target)
    except BrokenPipeError:
        raise
    except Exception:
        print(f"sandtable: the program went wrong in a battle with the seed {_seed(battle)}", file=sys.stderr)
        raise
    seconds = time.perf_counter() - begun
    page.done()
    if target is not None:
        battle.saved().save(target)
    if args.json:
        print(json.dumps(summary(battle, seconds), ensure_ascii=False))
    else:
        _last_words(args, battle, seconds)
    return 0


def summary(battle: Battle, seconds: float) -> dict[str, Any]:
    """What `--json` prints."""
    header, lines = battle.journal.header, battle.journal.lines
    assert battle.table.ending is not None
    return {
        "ruleset": header.ruleset,
        "version": header.version,
        "seed": header.seed,
        "winner": battle.table.ending.winner,
        "turns": battle.table.turn,
        "answers": sum(isinstance(line, Answered) for line in lines),
        "events": sum(isinstance(line, Happened) for line in lines),
        "digest": battle.digest(),
        "seconds": round(seconds, 3),
    }


def _begun(args: argparse.Namespace, ruleset: Ruleset, target: Path | None) -> Battle:
    """A new battle. Digests between the steps are for journals that somebody keeps."""
    setup = setup_of(args.ruleset, args.scenario, args.size, args.roster)
    return Battle(ruleset, setup, seed=_given_seed(args.seed), digest_every=0 if target is None else 1)


def _resumed(args: argparse.Namespace, ruleset: Ruleset) -> Battle:
    if args.scenario or args.size or args.roster or args.seed is not None:
        raise UsageError("--resume takes scenario, size, rosters and seed from the journal; leave them out")
    battle = resumed(Journal.load(Path(args.resume)), ruleset)
    if battle.ended:
        raise UsageError(f"{args.resume}: this battle is over; watch it with: sandtable replay {args.resume}")
    return battle


def _given_seed(words: str | None) -> int | str:
    if words is None:
        return randbelow(1 << 31)
    return int(words) if words.isascii() and words.isdigit() else words


def _seed(battle: Battle) -> int | str | None:
    return battle.journal.header.seed


def _players(battle: Battle, names: dict[str, str]) -> dict[Side, Bot]:
    """The bots of a battle. One that goes on draws anew: bots are no part of a journal."""
    answers = sum(isinstance(line, Answered) for line in battle.journal.lines)
    seed = f"{_seed(battle)}" + (f"+{answers}" if answers else "")
    return {
        side: player(names.get(side, BOT), battle.ruleset, seed, side) for side in battle.journal.header.setup.sides
    }


class _Page:
    """What is shown while a battle is played."""

    def __init__(self, battle: Battle, args: argparse.Namespace) -> None:
        self.stop = False
        self._seen = 0
        self._pulse = time.monotonic() + PULSE
        self._pulses = False
        self._log: BattleLog | None = None
        if not args.json:
            setup = battle.journal.header.setup
            _first_words(battle)
            self._log = BattleLog(
                setup.sides,
                setup.options,
                vocabulary_of(args.ruleset),
                rules=args.rules,
                everything=args.all,
                maps=args.maps,
            )
        self._watched = self._log is not None and sys.stdout.isatty()

    def watch(self, battle: Battle) -> None:
        """Tell what has happened since the last look."""
        if self.stop:
            raise _Stopped
        if self._log is not None:
            lines = battle.journal.lines
            self._log.tell(line.event for line in lines[self._seen :] if isinstance(line, Happened))
            self._seen = len(lines)
        if not self._watched and sys.stderr.isatty() and time.monotonic() >= self._pulse:
            self._pulse = time.monotonic() + PULSE
            self._pulses = True
            print(f"\rturn {battle.table.turn}, {len(battle.journal.lines)} lines", end="", file=sys.stderr, flush=True)

    def done(self) -> None:
        """Tell what was still kept back, and wipe the sign of life away."""
        if self._log is not None:
            self._log.pause()
        if self._pulses:
            print("\r" + " " * 40 + "\r", end="", file=sys.stderr, flush=True)


@contextmanager
def _stopping_between_answers(page: _Page) -> Iterator[None]:
    """Ctrl-C stops the battle where its journal is whole; a second one stops at once."""

    def stop(number: int, frame: object) -> None:
        if page.stop:
            raise KeyboardInterrupt
        page.stop = True

    before = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _stop(args: argparse.Namespace, battle: Battle, target: Path | None) -> int:
    answers = sum(isinstance(line, Answered) for line in battle.journal.lines)
    where = f"stopped in turn {battle.table.turn}, after {answers} answers"
    if target is None:
        print(f"\nsandtable: {where}; --save FILE would have kept it", file=sys.stderr)
        return STOPPED
    battle.saved().save(target)
    name = shlex.quote(str(target))
    print(f"\nsandtable: {where}, and saved to {name}", file=sys.stderr)
    print(f"go on with: sandtable battle {args.ruleset} --resume {name} --save {name}", file=sys.stderr)
    return STOPPED


def _first_words(battle: Battle) -> None:
    header = battle.journal.header
    title = battle.ruleset.title or header.ruleset
    print(f"{title}, version {header.version}. Seed {header.seed}.")


def _last_words(args: argparse.Namespace, battle: Battle, seconds: float) -> None:
    told = summary(battle, seconds)
    ending = battle.table.ending
    assert ending is not None
    print()
    winner = f"{ending.winner[:1].upper()}{ending.winner[1:]} wins" if ending.winner else "Nobody wins"
    print(f"{winner}: {ending.reason}." if ending.reason else f"{winner}.")
    counts = counted(turns=told["turns"], answers=told["answers"], events=told["events"])
    print(f"{counts}, {seconds:.1f} seconds.")
    if args.save:
        print(f"Saved to {args.save}. Watch it again: sandtable replay {shlex.quote(args.save)}")
    elif not args.resume:
        scenario = f" --scenario {shlex.quote(args.scenario)}" if args.scenario else ""
        size = f" --size {args.size}" if args.size else ""
        named = ((side, getattr(args, side)) for side in ("red", "blue"))
        bots = "".join(f" --{side} {shlex.quote(bot)}" for side, bot in named if bot and bot != BOT)
        print(f"See it again: sandtable battle {args.ruleset}{scenario}{size}{bots} --seed {told['seed']}")
