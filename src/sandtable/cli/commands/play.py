"""`sandtable play`: play a battle yourself, by keyboard and text."""

import argparse

HELP = "play a battle yourself against a bot, by keyboard and text"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments it takes."""
    parser.add_argument("ruleset", metavar="RULESET", help="the rules to play by")
    parser.add_argument(
        "--scenario", default="", metavar="NAME|FILE", help="the scenario; the ruleset's first if left out"
    )
    parser.add_argument("--side", default="red", metavar="SIDE", help="the side you play (red); `both` for two people")
    parser.add_argument("--against", default="random", metavar="BOT", help="who plays the other side (random)")
    parser.add_argument("--size", type=int, default=0, metavar="N", help="how large, in the ruleset's own unit")
    parser.add_argument(
        "--roster",
        action="append",
        default=[],
        metavar="SIDE=FILE",
        help="the roster that a side brings instead of the scenario's own force; once a side",
    )
    parser.add_argument("--seed", metavar="S", help="the seed of dice and bots; one is drawn if left out")
    parser.add_argument("--save", metavar="FILE", help="write the journal here whenever you answer")
    parser.add_argument("--resume", metavar="FILE", help="go on with the battle of a journal")
    parser.add_argument(
        "--no-maps", dest="maps", action="store_false", help="no maps, lines or arrows: for screen readers"
    )


def run(args: argparse.Namespace) -> int:
    """Play."""
    from sandtable.cli.play_pages import play

    return play(args)
