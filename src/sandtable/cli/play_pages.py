"""`sandtable play`: a battle between people at one keyboard, or a person and bots, from set-up to the end."""

import argparse
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from secrets import randbelow

from sandtable.bots import Bot, make_bot
from sandtable.cli.journal_files import journal_target
from sandtable.cli.problems import UsageError
from sandtable.cli.roster_pages import setup_of
from sandtable.cli.terminal import Quit, Terminal
from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.records.journal import Answered, Journal
from sandtable.engine.records.replay import resumed
from sandtable.engine.records.whole_files import NotWritten
from sandtable.engine.ruleset import Ruleset
from sandtable.lab.rulebooks import rulebook
from sandtable.lab.vocabularies import vocabulary_of


def play(args: argparse.Namespace) -> int:
    """Play a battle to its end, or until the player stops."""
    target = None if args.save is None else journal_target(args.save)
    if args.size < 0:
        raise UsageError("--size counts upwards; give 1 or more, or leave it out")
    ruleset = rulebook(args.ruleset).ruleset()
    make_bot(args.against, ruleset, 0)  # a wrong name is told before a battle is begun
    battle = _resumed(args, ruleset) if args.resume else _begun(args, ruleset)
    sides = battle.journal.header.setup.sides
    if args.side != "both" and args.side not in sides:
        raise UsageError(f"there is no side {args.side}; play {', '.join(sides)} or both")
    people = sides if args.side == "both" else (args.side,)
    terminal = Terminal(
        battle, people, vocabulary_of(args.ruleset), rulebook(args.ruleset).ledger().rules, maps=args.maps
    )
    print(f"You play {' and '.join(people)}. Type ? for help. The seed is {battle.journal.header.seed}.")

    def save() -> None:
        if target is not None:
            try:
                battle.saved().save(target)
            except NotWritten as problem:
                print(f"sandtable: {problem}. The battle goes on; it is saved again after the next answer.")

    try:
        play_at(battle, terminal, _bots(battle, people, args.against), save)
    except (Quit, EOFError, KeyboardInterrupt):
        save()
        print(f"\nStopped. {_kept(args, target)}")
        return 0
    ending = battle.table.ending
    assert ending is not None
    print(f"\n{ending.winner.capitalize() or 'Nobody'} wins: {ending.reason}.")
    return 0


def play_at(
    battle: Battle, terminal: Terminal, bots: Mapping[Side, Bot], changed: Callable[[], None] = lambda: None
) -> None:
    """Play a battle to its end: bots answer for their sides, whoever sits at the terminal for the others."""
    while not battle.ended:
        side = next(side for side in battle.table.sides if battle.question_for(side) is not None)
        question = battle.question_for(side)
        assert question is not None
        if side in bots:
            refusal = battle.answer(bots[side].answer(battle.view(side), question), side)
            assert refusal is None, refusal
        else:
            terminal.ask(side, question)
        changed()
    for side in terminal.people[:1]:
        terminal.tell(side)


def _begun(args: argparse.Namespace, ruleset: Ruleset) -> Battle:
    setup = setup_of(args.ruleset, args.scenario, args.size, args.roster)
    words = args.seed
    seed = randbelow(1 << 31) if words is None else int(words) if words.isascii() and words.isdigit() else words
    return Battle(ruleset, setup, seed=seed)


def _resumed(args: argparse.Namespace, ruleset: Ruleset) -> Battle:
    if args.scenario or args.size or args.roster or args.seed is not None:
        raise UsageError("--resume takes scenario, size, rosters and seed from the journal; leave them out")
    battle = resumed(Journal.load(Path(args.resume)), ruleset)
    if battle.ended:
        name = shlex.quote(args.resume)
        raise UsageError(f"{args.resume}: this battle is over; watch it with: sandtable replay {name}")
    return battle


def _bots(battle: Battle, people: tuple[Side, ...], name: str) -> dict[Side, Bot]:
    """The bots of a battle. One that goes on draws anew: bots are no part of a journal."""
    answers = sum(isinstance(line, Answered) for line in battle.journal.lines)
    seed = f"{battle.journal.header.seed}" + (f"+{answers}" if answers else "")
    return {side: make_bot(name, battle.ruleset, seed, side) for side in battle.table.sides if side not in people}


def _kept(args: argparse.Namespace, target: Path | None) -> str:
    if target is None:
        return "Nothing was saved; --save FILE keeps a battle."
    name = shlex.quote(str(target))
    return f"It is kept. Go on with: sandtable play {args.ruleset} --side {args.side} --resume {name} --save {name}"
