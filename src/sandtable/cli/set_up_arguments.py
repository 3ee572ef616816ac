"""The arguments of commands that begin a battle: by which rules, of which scenario, how large, with which forces."""

import argparse


def which_battle(parser: argparse.ArgumentParser) -> None:
    """The ruleset and the scenario."""
    parser.add_argument("ruleset", metavar="RULESET", help="the rules to play by")
    parser.add_argument(
        "--scenario", default="", metavar="NAME|FILE", help="the scenario; the ruleset's first if left out"
    )


def how_large(parser: argparse.ArgumentParser) -> None:
    """How large, and the rosters that sides bring."""
    parser.add_argument("--size", type=int, default=0, metavar="N", help="how large, in the ruleset's own unit")
    parser.add_argument(
        "--roster",
        action="append",
        default=[],
        metavar="SIDE=FILE",
        help="the roster that a side brings instead of the scenario's own force; once a side",
    )
