"""The one command, `sandtable`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from sandtable import __version__

__all__ = ["main"]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command and give its exit code."""
    parser = argparse.ArgumentParser(prog="sandtable", description="Play sci-fi miniature battles, rules enforced.")
    parser.add_argument("--version", action="version", version=f"sandtable {__version__}")
    parser.parse_args(argv)
    parser.print_help()
    return 0
