"""Write the lock files from pyproject.toml: every package, one version, its hashes.

`run.txt` is what play needs, `postgresql.txt` what a table on PostgreSQL needs besides, `gym.txt` what learning needs
besides, `dev.txt` what developers need.
Run by `make lock`. The tool that resolves stays out of the project's own environment.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
RESOLVER = "pip-tools==7.6.2"
HEADER = "# Written by `make lock` from pyproject.toml; do not edit.\n"
#: What Litestar asks for and nothing here imports: test data, coloured terminals, a client. `run.txt` goes without, and
#: is installed with `--no-deps`; tests/test_project.py starts the server without them.
UNUSED = (
    *("faker", "polyfactory", "rich", "rich-click", "markdown-it-py", "mdurl", "pygments"),
    *("httpx", "httpcore", "certifi", "litestar-htmx"),
)


def packages(text: str) -> dict[str, str]:
    """The packages of a lock file, each with its lines."""
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines(keepends=True):
        if line[:1] not in (" ", "#", "\n"):
            name = line.partition("==")[0]
        if name and line[:1] not in ("#", "\n"):
            found[name] = found.get(name, "") + line
    return found


def main() -> None:
    """Resolve what play needs, then what PostgreSQL, learning and development need with the same versions."""
    whole: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = f"{folder}/bin/python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", RESOLVER], check=True)
        for name, options in (
            ("run", []),
            ("postgresql", ["--extra=postgresql"]),
            ("gym", ["--extra=gym"]),
            ("dev", ["--extra=dev", "--extra=bench", "--constraint=requirements/run.txt"]),
        ):
            subprocess.run(
                [
                    *(python, "-m", "piptools", "compile", "pyproject.toml", f"--output-file=requirements/{name}.txt"),
                    *("--build-deps-for=editable", "--generate-hashes", "--allow-unsafe", "--strip-extras", "--quiet"),
                    *("--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-trusted-host"),
                    *("--no-emit-find-links", "--no-emit-options", *options, *sys.argv[1:]),
                ],
                check=True,
                cwd=HERE.parent,
            )
            written = HERE / f"{name}.txt"
            text = written.read_text().removeprefix(HEADER)
            if name == "run":
                whole = packages(text)
                text = "".join(whole[one] for one in whole if one not in UNUSED)
            if name in ("postgresql", "gym"):
                more = packages(text)
                text = "".join(more[one] for one in more if one not in whole)
            written.write_text(HEADER + text)


if __name__ == "__main__":
    main()
