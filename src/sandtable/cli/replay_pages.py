"""Watching journals: the log of a battle, the table after one event, and whether the rules give the same again."""

import argparse
import shlex
from pathlib import Path

from sandtable.cli.battle_log import BattleLog, counted, drawn
from sandtable.cli.problems import UsageError
from sandtable.engine.events import BattleEnded
from sandtable.engine.records.journal import FORMAT, Answered, Header, Journal, JournalDiverged
from sandtable.engine.records.replay import verified
from sandtable.field.drawing.words import describe
from sandtable.forces.ledger import systems
from sandtable.lab.rulebooks import rulebook
from sandtable.lab.vocabularies import vocabulary_of
from sandtable.telling.words import sentence

SAME, DIVERGED = 0, 1


def watch(args: argparse.Namespace) -> int:
    """Show the log of a journal, from its events alone."""
    journal = Journal.load(Path(args.file))
    print(_header_words(journal.header))
    log = _log(journal.header, rules=args.rules, everything=args.all, maps=args.maps)
    events = journal.events()
    log.tell(events)
    log.pause()
    print()
    answers = sum(isinstance(line, Answered) for line in journal.lines)
    print(f"{counted(turns=log.table.turn, answers=answers, events=len(events))}.")
    if not any(isinstance(event, BattleEnded) for event in events):
        log.show_map()
        name = shlex.quote(args.file)
        print("The battle is not over. Go on with:")
        print(f"sandtable battle {journal.header.ruleset} --resume {name} --save {name}")
    return SAME


def look(file: str, at: int) -> int:
    """Show the table after an event, as a map and in words."""
    journal = Journal.load(Path(file))
    events = journal.events()
    if not 1 <= at <= len(events):
        raise UsageError(f"{file}: there is no event {at}; --at takes 1 to {len(events)}")
    log = _log(journal.header, maps=False, show=lambda line: None)
    log.tell(events[:at])
    event = events[at - 1]
    print(_header_words(journal.header))
    print(f"Event {at} of {len(events)}: {sentence(event, log.table, log.vocabulary)}  [{event.rule}]")
    print()
    if log.table.ground.width:
        print(drawn(log.table, log.vocabulary))
        print()
    print(describe(log.table, level=log.vocabulary.level, say=log.vocabulary.said))
    return SAME


def verify(file: str) -> int:
    """Play a journal again by the rules, and say whether it is what this program would have written."""
    data = Journal.read(Path(file))
    header = Journal.decode(data, file).header
    if header.format != FORMAT:
        print(f"{file}: watched, not verified: it has format {header.format}, and this version plays format {FORMAT}.")
        return DIVERGED
    if header.ruleset not in systems():
        print(f"{file}: watched, not verified: there is no ruleset {header.ruleset} here.")
        return DIVERGED
    ruleset = rulebook(header.ruleset).ruleset()
    if header.version != ruleset.version:
        print(
            f"{file}: watched, not verified: it was played by version {header.version} of {header.ruleset}, and "
            f"version {ruleset.version} is here."
        )
        return DIVERGED
    try:
        battle = verified(data, ruleset, file)
    except JournalDiverged as diverged:
        print(f"{file}: diverged at {diverged}")
        print("It was edited, or it was played by other rules than these. It can still be watched, without --verify.")
        return DIVERGED
    print(f"same: {battle.digest()}")
    if not battle.ended:
        answers = sum(isinstance(line, Answered) for line in battle.journal.lines)
        print(f"The battle is not over: its journal ends after {counted(answers=answers)}.")
    return SAME


def _log(header: Header, **how: object) -> BattleLog:
    return BattleLog(header.setup.sides, header.setup.options, vocabulary_of(header.ruleset), **how)  # type: ignore[arg-type]


def _header_words(header: Header) -> str:
    seed = f", seed {header.seed}" if header.seed is not None else ", scripted dice"
    return f"{header.ruleset}, version {header.version}{seed}: {' against '.join(header.setup.sides)}."
