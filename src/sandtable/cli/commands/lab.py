"""`sandtable lab`: measure bots against each other, and learn what positions and models are worth."""

import argparse

HELP = "measure bots against each other; learn what positions and models are worth"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments it takes."""
    below = parser.add_subparsers(title="what to do", metavar="DO", required=True)
    one = below.add_parser("ladder", help="play bots against each other, and put them on one scale")
    one.set_defaults(page="ladder")
    one.add_argument("ruleset", metavar="RULESET", help="the rules to play by")
    one.add_argument("bots", metavar="BOT", nargs="*", help="from the weakest to the strongest (1 2 3 4 5 6 7 8)")
    one.add_argument("--battles", type=int, default=200, metavar="N", help="how many each meeting has (200)")
    one.add_argument("--all", action="store_true", help="everybody meets everybody, not only the one below")
    one.add_argument("--equal", action="store_true", help="both sides field the same force, each side's by turns")
    _how(one)
    one.add_argument("--keep", metavar="FILE", help="keep every battle in a file, and go on with what it has")
    one.add_argument("--json", action="store_true", help="print one JSON object")
    one = below.add_parser("tune", help="learn what positions and models are worth from battles between equals")
    one.set_defaults(page="tune")
    one.add_argument("ruleset", metavar="RULESET", help="the rules to play by")
    one.add_argument("--battles", type=int, default=2000, metavar="N", help="how many it learns from (2000)")
    one.add_argument("--bot", default="tactical", metavar="BOT", help="who plays them, on both sides (tactical)")
    one.add_argument("--match", type=int, default=1000, metavar="N", help="how many the new weights have to win (1000)")
    one.add_argument("--judge", default="6", metavar="BOT", help="who plays the match, with new and old weights (6)")
    _how(one)
    one.add_argument("--out", default="weights.yaml", metavar="FILE", help="where weights are written that win")
    one.add_argument("--json", action="store_true", help="print one JSON object")


def _how(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--scenario", default="", metavar="NAME|FILE", help="the ruleset's own if left out")
    parser.add_argument("--size", type=int, default=0, metavar="N", help="how large, in the ruleset's own unit")
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="the seed of the first battle (0)")
    parser.add_argument("--jobs", type=int, default=0, metavar="N", help="how many at a time (one a core)")


def run(args: argparse.Namespace) -> int:
    """Do it."""
    from sandtable.cli import lab_pages

    return lab_pages.PAGES[args.page](args)
