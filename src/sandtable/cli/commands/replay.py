"""`sandtable replay`: watch a journal, look at one moment of it, make a page of it, or play it again and compare."""

import argparse

HELP = "watch a journal, see one moment, make a page of it, or verify it by the rules"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments it takes."""
    parser.add_argument("file", metavar="FILE", help="the journal of a battle")
    parser.add_argument(
        "--verify", action="store_true", help="play it again by the rules and say whether it is the same"
    )
    parser.add_argument("--html", metavar="OUT", help="write the battle as one page for a browser, nothing fetched")
    parser.add_argument("--at", type=int, metavar="N", help="show the table after event N")
    parser.add_argument("--rules", action="store_true", help="name the rule behind every line")
    parser.add_argument("--all", action="store_true", help="tell every event, what is spent and counted too")
    parser.add_argument("--no-maps", dest="maps", action="store_false", help="leave the maps out")


def run(args: argparse.Namespace) -> int:
    """Show, look, verify or write a page."""
    if args.html is not None:
        from sandtable.cli.replay_html import write_page

        return write_page(args.file, args.html, everything=args.all)
    from sandtable.cli.replay_pages import look, verify, watch

    if args.verify:
        return verify(args.file)
    return watch(args) if args.at is None else look(args.file, args.at)
