"""`sandtable rules`: read and search the rules, and see which of them are played and proved."""

import argparse

HELP = "read and search the rules; report which are cited, proved and fired"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments it takes."""
    parser.add_argument(
        "ruleset", nargs="?", default="", metavar="RULESET", help="the ruleset; all of them if left out"
    )
    parser.add_argument("query", nargs="*", metavar="QUERY", help="a rule's id, or words that stand in it")
    parser.add_argument("--coverage", action="store_true", help="report cited, proved and fired rules")
    parser.add_argument("--json", action="store_true", help="with --coverage: print one JSON object")
    parser.add_argument("--cases", metavar="FOLDER", help="with --coverage: the cases; cases/RULESET if left out")
    parser.add_argument("--battles", type=int, default=20, metavar="N", help="with --coverage: play N battles (20)")
    parser.add_argument("--size", type=int, default=0, metavar="N", help="with --coverage: how large the battles are")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="with --coverage: the first battle's seed (1)")


def run(args: argparse.Namespace) -> int:
    """Show rules, or report on them."""
    if args.coverage:
        from sandtable.cli.reports import coverage

        return coverage(args)
    from sandtable.cli.rule_pages import show_rules

    return show_rules(args.ruleset, args.query)
