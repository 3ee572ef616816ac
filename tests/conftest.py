"""What every test shares: hypothesis profiles, missing programs, and a look at the kernel."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parent.parent
FIELD = ROOT / "src" / "sandtable" / "field"
EVERYTHING = bool(os.environ.get("SANDTABLE_CI"))  # .ci/run installs all there is, so nothing may be skipped

settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("desk", deadline=None)
settings.load_profile("ci" if EVERYTHING or os.environ.get("CI") else "desk")


def needs(program: str) -> str:
    """Give the path of a program, or skip the test that cannot do without it; `.ci/run` fails instead.

    Call it first in a test or a fixture: `chromium = needs("chromium")`.
    """
    path = shutil.which(program)
    if path is not None:
        return path
    missing = f"{program} is not installed, so this is NOT tested; .ci/run installs it"
    if EVERYTHING:
        pytest.fail(missing, pytrace=False)
    pytest.skip(missing)


def kernel_in_use() -> str:
    """Say how the kernel of the exact table runs here: none, interpreted, compiled or stale."""
    sources = sorted(FIELD.glob("_kernel*.py"))
    if not sources:
        return "none"
    if os.environ.get("SANDTABLE_INTERPRETED"):
        return "interpreted (SANDTABLE_INTERPRETED)"
    for source in sources:
        built = max((found.stat().st_mtime for found in FIELD.glob(f"{source.stem}.*.so")), default=None)
        if built is None:
            return "interpreted (no compiled extension)"
        if any(part.stat().st_mtime > built for part in (source, source.with_suffix(".pxd")) if part.exists()):
            return f"STALE: {source.name} is newer than its extension; run `make venv`"
    return "compiled"


def pytest_report_header() -> str:
    """Show the kernel in use at the top of every run, and refuse to test a stale one in CI."""
    kernel = kernel_in_use()
    if kernel.startswith("STALE") and EVERYTHING:
        raise pytest.UsageError(kernel)
    return f"kernel: {kernel}"
