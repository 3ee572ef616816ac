"""The files of the page: from memory, zipped, asked for once; nothing else of the machine; and sent without waiting."""

import gzip
import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from sandtable.server.serving import listening_socket
from sandtable.server.settings import Limits
from tests.server.tables import Server, serving

SCRIPT = b"export const words = 1;\n" * 100


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a few files, and something beside it that is nobody's business."""
    folder = tmp_path_factory.mktemp("files") / "page"
    (folder / "js").mkdir(parents=True)
    (folder / "index.html").write_bytes(b"<!doctype html>")
    (folder / "js" / "main.js").write_bytes(SCRIPT)
    (folder / "__init__.py").write_bytes(b"secret = 1")
    (folder.parent / "secret.js").write_bytes(b"secret")
    (folder / "js" / "away.js").symlink_to(folder.parent / "secret.js")
    return folder


@pytest.fixture(scope="module")
def served(folder: Path) -> Iterator[Server]:
    """A server with that page."""
    with serving(f"sqlite:///{folder.parent / 'battles.sqlite'}", page=str(folder)) as it:
        yield it


def test_a_file_is_sent_zipped_or_plain(served: Server) -> None:
    plain = served.http.get("/js/main.js", headers={"accept-encoding": "identity"})
    zipped = served.http.get("/js/main.js", headers={"accept-encoding": "gzip"})
    assert (plain.content, zipped.content) == (SCRIPT, SCRIPT)
    assert int(zipped.headers["content-length"]) == len(gzip.compress(SCRIPT, 6, mtime=0)) < len(SCRIPT)
    assert plain.headers["content-type"] == "text/javascript; charset=utf-8"
    assert "content-security-policy" in plain.headers


def test_what_a_browser_has_is_not_sent_again(served: Server, folder: Path) -> None:
    mark = served.http.get("/js/main.js").headers["etag"]
    again = served.http.get("/js/main.js", headers={"if-none-match": mark})
    assert (again.status_code, again.content) == (304, b"")
    changed = folder / "js" / "main.js"
    changed.write_bytes(SCRIPT + b"export const more = 1;")
    os.utime(changed, ns=(1, 1))
    fresh = served.http.get("/js/main.js", headers={"if-none-match": mark})
    assert (fresh.status_code, fresh.content) == (200, SCRIPT + b"export const more = 1;")


@pytest.mark.parametrize(
    "path",
    [
        *("/__init__.py", "/../secret.js", "/js/../../secret.js", "/%2e%2e/secret.js", "/js", "/js/away.js", "/a\x00b"),
        *("/js/./main.js", "//js/main.js", "/js//main.js", "/js/main.js/", "/js/../js/main.js", "/./index.html"),
    ],
)
def test_nothing_else_is_a_file_of_the_page(served: Server, path: str) -> None:
    with socket.create_connection(("127.0.0.1", served.port)) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: line.recv(65536), b""))
    assert b"secret" not in answer
    assert answer.split(b" ")[1] in (b"400", b"404")


def test_a_module_comes_without_its_comments_and_with_all_its_lines(served: Server, folder: Path) -> None:
    source = b"// What it is.\n\n/** Two\n *  lines.  @param {string} a */\nexport const f = (a) => a; // kept\n"
    source += b"  /* one */\nf(/** @type {any} */ (1), '//');\n"
    (folder / "js" / "told.js").write_bytes(source)
    sent = served.http.get("/js/told.js").content
    assert sent.split(b"\n") == [
        *(b"", b"", b"", b"", b"export const f = (a) => a; // kept", b""),
        *(b"f(/** @type {any} */ (1), '//');", b""),
    ]


def test_style_sheets_come_as_one_and_anew_when_any_of_them_changes(served: Server, folder: Path) -> None:
    (folder / "css").mkdir()
    (folder / "css" / "page.css").write_bytes(b'@import "a.css";\n@import "b.css";\n')
    (folder / "css" / "a.css").write_bytes(b".a {}")
    (folder / "css" / "b.css").write_bytes(b".b {}")
    assert served.http.get("/css/page.css").text == ".a {}\n.b {}\n"
    (folder / "css" / "b.css").write_bytes(b".c {}")
    os.utime(folder / "css" / "b.css", ns=(1, 1))
    assert served.http.get("/css/page.css").text == ".a {}\n.c {}\n"


def test_a_page_that_is_opened_again_and_again_stays_whole(folder: Path) -> None:
    """Dozens of files a page: an address may open many before it has to wait; for other requests sooner."""
    with serving(f"sqlite:///{folder.parent / 'limited.sqlite'}", limits=Limits(), page=str(folder)) as it:
        assert {it.http.get("/js/main.js").status_code for _ in range(500)} == {200}
        assert 429 in {it.http.get("/health").status_code for _ in range(200)}


def test_the_first_page_is_index_and_a_head_has_no_body(served: Server) -> None:
    assert served.http.get("/").text == "<!doctype html>"
    head = served.http.head("/")
    assert (head.status_code, head.content, head.headers["content-length"]) == (200, b"", "15")


def test_a_server_without_a_page_says_so(tmp_path: Path) -> None:
    with serving(f"sqlite:///{tmp_path / 'battles.sqlite'}", page=str(tmp_path / "none")) as it:
        assert "the page is not installed" in it.http.get("/").text


def test_answers_are_sent_without_waiting_for_the_other_end() -> None:
    """asyncio switches Nagle's algorithm off only on sockets that say they speak TCP."""
    with listening_socket("127.0.0.1", 0) as sock:
        assert sock.proto == socket.IPPROTO_TCP
