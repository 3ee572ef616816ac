"""`sandtable play`: play a battle yourself, by keyboard and text."""

import argparse

from sandtable.cli.set_up_arguments import how_large, which_battle

HELP = "play a battle yourself against a bot, by keyboard and text"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments it takes."""
    which_battle(parser)
    parser.add_argument("--side", default="red", metavar="SIDE", help="the side you play (red); `both` for two people")
    parser.add_argument("--against", default="random", metavar="BOT", help="who plays the other side (random)")
    how_large(parser)
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
