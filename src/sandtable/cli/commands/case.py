"""`sandtable case`: play conformance cases, list the words they may use, try how much they prove."""

import argparse

HELP = "play conformance cases and say what differs"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments it takes."""
    parser.add_argument("path", nargs="*", metavar="PATH", help="case files (FILE or FILE:LINE) or folders of them")
    parser.add_argument(
        "-k", dest="words", default="", metavar="WORDS", help="only cases with these words in title, path or rules"
    )
    parser.add_argument(
        "--words", dest="vocabulary", metavar="RULESET", help="list the words a ruleset's cases may use"
    )
    parser.add_argument("--rules", action="store_true", help="with a case that fails: the texts of the rules it proves")
    parser.add_argument("--jobs", type=int, default=2, metavar="N", help="how many processes play (2)")
    parser.add_argument(
        "--mutate",
        nargs="?",
        const="",
        metavar="RULESET",
        help="change each number of the ledger by one and see whether a case fails; all rulesets if none is named, "
        "those of a chapter by RULESET.CHAPTER",
    )
    parser.add_argument("--cases", metavar="FOLDER", help="with --mutate: the cases; cases/RULESET if left out")


def run(args: argparse.Namespace) -> int:
    """Play cases, list words or mutate."""
    if args.mutate is not None:
        from sandtable.cli.reports import mutation

        return mutation(args)
    from sandtable.cli.case_pages import play_cases, vocabulary

    return vocabulary(args.vocabulary) if args.vocabulary is not None else play_cases(args)
