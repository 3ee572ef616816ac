"""Write the lock files `run.txt` and `dev.txt` from pyproject.toml: every package, one version, its hashes.

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


def main() -> None:
    """Resolve what play needs, then what development needs with the same versions."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = f"{folder}/bin/python"
        subprocess.run([python, "-m", "pip", "install", "--quiet", RESOLVER], check=True)
        for name, options in (
            ("run", []),
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
            written.write_text(HEADER + written.read_text().removeprefix(HEADER))


if __name__ == "__main__":
    main()
