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
    parser.add_argument(
        "--behind-proxy", default="", metavar="ADDRESS", help="believe X-Forwarded-For of the proxy at this address"
    )
    parser.add_argument("--no-browser", dest="browser", action="store_false", help="do not open a browser")


def is_address(text: str) -> bool:
    """Whether a text is the address of a machine.

    >>> is_address("127.0.0.1"), is_address("::1"), is_address("*"), is_address("proxy.example.org")
    (True, True, False, False)
    """
    from ipaddress import ip_address

    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def run(args: argparse.Namespace) -> int:
    """Serve until stopped."""
    from sandtable.cli.problems import UsageError
    from sandtable.server.database.unusable import Unusable
    from sandtable.server.serving import PortTaken, serve, start_with_the_allocator_of_the_c_library
    from sandtable.server.settings import Settings

    if not 0 <= args.port <= 65535:
        raise UsageError("--port is 0 to 65535")
    if args.behind_proxy and not is_address(args.behind_proxy):
        raise UsageError(f"--behind-proxy {args.behind_proxy} is no address; give the proxy's, such as 127.0.0.1")
    settings = Settings(
        database=args.database,
        host=args.host,
        port=args.port,
        names=tuple(args.name),
        proxy=args.behind_proxy,
        thinkers=max(1, args.thinkers),
        judges=max(1, args.judges),
        readers=max(1, args.readers),
    )
    if args.is_the_program:
        start_with_the_allocator_of_the_c_library()
    try:
        return serve(settings, browser=args.browser)
    except (PortTaken, Unusable) as problem:
        raise UsageError(str(problem)) from None
