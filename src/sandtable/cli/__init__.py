"""The one command, `sandtable`. Each of its commands is a module of `sandtable.cli.commands`.

A command's module has `HELP` (one line), `arguments(parser)` and `run(args) -> exit code`, and imports nothing but the
standard library at its head, so that `sandtable --help` is quick: what it needs it imports inside `run`. It may have
`details() -> str`, more for its own help page that takes a while to find out, such as what each ruleset counts.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from pkgutil import iter_modules
from typing import Protocol, cast

from sandtable import __version__
from sandtable.cli import commands

__all__ = ["main"]

#: The exit codes: all is well, something differs, what was given is wrong.
WELL, DIFFERS, WRONG = 0, 1, 2


class Command(Protocol):
    """What a command's module has."""

    @property
    def HELP(self) -> str:  # noqa: N802
        """What it does, in one line."""

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Say which arguments it takes."""

    def run(self, args: argparse.Namespace) -> int:
        """Do it and give the exit code."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code.

    What is wrong with the input is told in one message with what to do, without a traceback. What is wrong with the
    program keeps its traceback.
    """
    from sandtable.cli.plain_output import plain_output

    with plain_output():
        return _run(argv)


def _run(argv: Sequence[str] | None) -> int:
    parser = _parser()
    args = parser.parse_args(argv)
    args.is_the_program = argv is None
    if not hasattr(args, "run"):
        parser.print_help()
        return WELL
    try:
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        print("sandtable: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # Whoever read the output has seen enough; without this Python complains again when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return WELL
    except Exception as problem:
        from sandtable.cli.problems import words_of

        words = words_of(problem)
        if words is None:
            raise
        print(f"sandtable: {words}", file=sys.stderr)
        return WRONG


class _Help(argparse.Action):
    """Prints a command's help page, with the details that are found out only now."""

    def __init__(self, option_strings: Sequence[str], dest: str, details: Callable[[], str] | None, help: str) -> None:
        super().__init__(option_strings, argparse.SUPPRESS, nargs=0, default=argparse.SUPPRESS, help=help)
        self.details = details

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        if self.details is not None:
            parser.epilog = self.details()
        parser.print_help()
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="sandtable", description="Play sci-fi miniature battles, rules enforced.")
    parser.add_argument("--version", action="version", version=f"sandtable {__version__}")
    below = parser.add_subparsers(title="commands", metavar="COMMAND")
    for found in iter_modules(commands.__path__):
        command = cast(Command, import_module(f"{commands.__name__}.{found.name}"))
        one = below.add_parser(found.name, help=command.HELP, description=command.HELP, add_help=False)
        details = getattr(command, "details", None)
        one.add_argument("-h", "--help", action=_Help, details=details, help="show this help and exit")
        command.arguments(one)
        one.set_defaults(run=command.run)
    return parser
