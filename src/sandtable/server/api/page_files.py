"""The files that the page is made of, answered before the application: from memory, zipped, and once only.

A page asks for some fifty of them before anything is seen, so each is read and zipped when it is first asked for (or
has changed), and a browser that has it already is told so. Litestar's static files read each from the disk at every
request, know no zipped copies, no style sheets joined into one and no module without its comments: that is why these
hundred lines are here.
"""

import gzip
import mimetypes
import re
from hashlib import blake2b
from pathlib import Path

import msgspec

from sandtable.server.api.guard import ASGIApp, Receive, Scope, Send

_NO_PAGE = b"<!doctype html><title>Sandtable</title><p>The server is up; the page is not installed."
#: What is smaller is not worth zipping.
_SMALL = 600
_IMPORT = re.compile(rb'^@import "([\w-]+\.css)";$', re.MULTILINE)
#: A comment that has its lines for itself; modules are written without any inside a text.
_REMARK = re.compile(rb"^[ \t]*(?://.*|/\*(?:[^*]|\*(?!/))*\*/)[ \t]*$", re.MULTILINE)
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("text/javascript", ".mjs")


class _File(msgspec.Struct, frozen=True):
    """A file as it was when it was read, and what is sent of it."""

    changed: int
    plain: bytes
    zipped: bytes
    kind: str
    mark: str


class PageFiles:
    """ASGI before the application: files are answered here, everything else there."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        self.app = app
        self.folder = folder.resolve()
        self._read: dict[str, _File] = {}

    def has(self, path: str) -> bool:
        """Whether a path is a file of the page."""
        return self._found(path) is not None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = self._found(scope["path"]) if scope["type"] == "http" and scope["method"] in ("GET", "HEAD") else None
        if found is None:
            await self.app(scope, receive, send)
            return
        asked = {name.lower(): value for name, value in scope["headers"]}
        known = found.mark.encode() in asked.get(b"if-none-match", b"")
        zips = bool(found.zipped) and b"gzip" in asked.get(b"accept-encoding", b"")
        body = b"" if known else found.zipped if zips else found.plain
        headers = {
            "content-type": f"{found.kind}; charset=utf-8",
            "content-length": str(len(body)),
            "cache-control": "no-cache",
            "vary": "accept-encoding",
            "etag": f'W/"{found.mark}"',
        }
        if zips and not known:
            headers["content-encoding"] = "gzip"
        if known:
            del headers["content-length"]
        sent = [(name.encode(), value.encode()) for name, value in headers.items()]
        await send({"type": "http.response.start", "status": 304 if known else 200, "headers": sent})
        await send({"type": "http.response.body", "body": b"" if scope["method"] == "HEAD" else body})

    def _found(self, path: str) -> _File | None:
        """The file of a path, if it is one of the page's; read again if it has changed.

        A file has one path: its own. Other ways to spell it (`/js/./main.js`) name nothing, so that as much is kept in
        memory as there are files, whatever is asked for.
        """
        name = path.removeprefix("/") or "index.html"
        target = self.folder / name
        try:
            found = target.resolve()
            own = found.is_relative_to(self.folder) and found.relative_to(self.folder).as_posix() == name
            status = target.stat() if own and target.suffix not in (".py", ".pyc") and target.is_file() else None
        except (OSError, ValueError):
            status = None
        if status is None:
            return _file(0, _NO_PAGE, "index.html") if name == "index.html" else None
        known, changed = self._read.get(name), status.st_mtime_ns
        if target.suffix == ".css":
            changed = sum(one.stat().st_mtime_ns for one in target.parent.glob("*.css"))
        if known is None or known.changed != changed:
            known = self._read[name] = _file(changed, as_sent(target), name)
        return known


def as_sent(path: Path) -> bytes:
    """A file as browsers get it.

    In a style sheet, others that it imports by name stand in their places: one request instead of many. A module comes
    without the comments that have lines of their own, a sixth of its weight; the lines stay, empty, so that a line has
    the number it has in the source.
    """
    content = path.read_bytes()
    if path.suffix == ".css":
        return _IMPORT.sub(lambda found: (path.parent / found[1].decode()).read_bytes(), content)
    if path.suffix == ".js":
        return _REMARK.sub(lambda found: b"\n" * found[0].count(b"\n"), content)
    return content


def _file(changed: int, content: bytes, name: str) -> _File:
    zipped = gzip.compress(content, 6, mtime=0) if len(content) > _SMALL else b""
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    return _File(changed, content, zipped, kind, blake2b(content, digest_size=12).hexdigest())
