"""Journals of every version of every ruleset, and of every format, that ever was: watched for ever.

`python -m tests.golden` puts those of the version that it replaces here.
"""

import gzip
from pathlib import Path

from sandtable.engine.records.journal import Journal

HERE = Path(__file__).parent


def keep(file: Path) -> Path | None:
    """Keep a golden battle that is about to be replaced, unless two of its version and format are here already."""
    header = Journal.load(file).header
    name = f"{header.ruleset}-{header.version}-format-{header.format}"
    if len(list(HERE.glob(f"{name}-*"))) >= 2:
        return None
    kept = HERE / f"{name}-{file.stem}.jsonl.gz"
    kept.write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    return kept
