"""A process that has imported the server and forks one whenever it is told to: killing one is then cheap.

`python -m tests.server.nursery DATABASE PORT`; a line on standard input starts a server and gives its process id.
"""

import contextlib
import os
import signal
import sys

from sandtable.server.serving import serve
from sandtable.server.settings import Settings
from tests.server.small_shelf import WHERE
from tests.server.tables import FREE


def main(database: str, port: int) -> None:
    """Fork servers, one at a time, until nobody asks any more."""
    settings = Settings(database=database, port=port, limits=FREE, library=WHERE, thinkers=2)
    child = 0
    for _ in sys.stdin:
        if child:
            os.waitpid(child, 0)
        child = os.fork()
        if child == 0:
            sys.stdin.close()
            null = os.open(os.devnull, os.O_RDWR)
            os.dup2(null, 0)
            os.dup2(null, 1)
            os._exit(serve(settings))
        print(child, flush=True)
    if child:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
