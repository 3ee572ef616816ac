"""`sandtable odds`: everything an attack can do, and how likely."""

import argparse

HELP = "show exactly what a case's attack can do, and how likely"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments it takes."""
    parser.add_argument("ruleset", metavar="RULESET", help="the rules to play by")
    parser.add_argument("--case", required=True, metavar="FILE", help="the case; FILE:LINE where a file has several")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    """Work out the odds and show them."""
    from sandtable.cli.odds_pages import show_odds

    return show_odds(args.ruleset, args.case, as_json=args.json)
