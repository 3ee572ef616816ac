"""`sandtable battle`: play a battle between bots and show it in the terminal."""

import argparse

from sandtable.cli.set_up_arguments import how_large, which_battle

HELP = "play a battle between bots and show it"


class _NamingSizes(argparse.HelpFormatter):
    """Says what a size counts in each ruleset; only the help of this one command imports them."""

    def _get_help_string(self, action: argparse.Action) -> str | None:
        if action.dest != "size":
            return super()._get_help_string(action)
        from sandtable.lab.rulebooks import rulebooks

        sizes = {book.name: book.ruleset().size_counts for book in rulebooks()}
        counted = "; ".join(f"{name}: {size}" for name, size in sizes.items() if size)
        return f"{action.help} ({counted})".replace("%", "%%")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments it takes."""
    parser.formatter_class = _NamingSizes
    which_battle(parser)
    parser.add_argument(
        "--red",
        default="tactical",
        metavar="BOT",
        help="who plays red: a level 1 to 8, or a bot (tactical), or ./a-program",
    )
    parser.add_argument(
        "--blue",
        default="tactical",
        metavar="BOT",
        help="who plays blue: a level 1 to 8, or a bot (tactical), or ./a-program",
    )
    how_large(parser)
    parser.add_argument("--seed", metavar="S", help="the seed of dice and bots; one is drawn and shown if left out")
    parser.add_argument("--save", metavar="FILE", help="write the journal; Ctrl-C saves what there is")
    parser.add_argument("--resume", metavar="FILE", help="go on with the battle of a journal")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of the battle")
    parser.add_argument("--rules", action="store_true", help="name the rule behind every line")
    parser.add_argument("--all", action="store_true", help="tell every event, what is spent and counted too")
    parser.add_argument("--no-maps", dest="maps", action="store_false", help="leave the maps out")


def run(args: argparse.Namespace) -> int:
    """Play and show it."""
    from sandtable.cli.battle_pages import play

    return play(args)
