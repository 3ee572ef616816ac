"""`sandtable roster`: what a roster costs, what is counted in it, and what the rules say of it."""

import argparse

HELP = "say what a roster costs, what is counted in it, and which rules it breaks"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments it takes."""
    parser.add_argument("file", metavar="FILE", help="the roster; its first lines name the ruleset")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Judge a roster."""
    from sandtable.cli.roster_pages import judge

    return judge(args.file, args.json)
