"""`sandtable serve`: the table in the browser."""

import argparse

HELP = "open the table in the browser"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments it takes."""
    parser.add_argument(
        "--port", type=int, default=8040, metavar="N", help="where to listen (8040); 0 takes a free one"
    )
    parser.add_argument("--host", default="127.0.0.1", metavar="H", help="the address to listen on (this machine only)")
    parser.add_argument(
        "--name", action="append", default=[], metavar="NAME", help="a name that browsers call it by; may be repeated"
    )
    parser.add_argument(
        "--database", default="", metavar="URL", help="postgresql://…, or a SQLite file; one of your own if left out"
    )
    parser.add_argument("--thinkers", type=int, default=1, metavar="N", help="processes in which bots think (1)")
    parser.add_argument("--judges", type=int, default=2, metavar="N", help="processes in which drafts are judged (2)")
    parser.add_argument("--readers", type=int, default=2, metavar="N", help="processes that read what is sent (2)")
    parser.add_argument("--behind-proxy", action="store_true", help="believe a proxy's X-Forwarded-For")
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    from sandtable.cli.problems import UsageError
    from sandtable.server.serving import PortTaken, serve
    from sandtable.server.settings import Settings

    if not 0 <= args.port <= 65535:
        raise UsageError("--port is 0 to 65535")
    settings = Settings(
        database=args.database,
        host=args.host,
        port=args.port,
        names=tuple(args.name),
        behind_proxy=args.behind_proxy,
        thinkers=max(1, args.thinkers),
        judges=max(1, args.judges),
        readers=max(1, args.readers),
    )
    try:
        return serve(settings, browser=args.browser)
    except PortTaken as problem:
        raise UsageError(str(problem)) from None
