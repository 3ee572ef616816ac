"""Compile the kernel of the exact table where a compiler is there.

Every `_kernel*.py` in `src/sandtable/field` is ordinary Python in Cython's pure-Python mode. Compiled or not, it
gives the same answers; so each extension is optional, and an install without a compiler only plays more slowly.
"""

from __future__ import annotations

import sys
from pathlib import Path

from setuptools import Extension, setup

FIELD = Path("src/sandtable/field")


def kernels() -> list[Extension]:
    """Every kernel as an optional extension; its C code goes below `build/`."""
    sources = sorted(FIELD.glob("_kernel*.py"))
    if not sources:
        return []
    from Cython.Build import cythonize

    extensions = [
        Extension(
            f"sandtable.field.{source.stem}",
            [source.as_posix()],
            extra_compile_args=[] if sys.platform == "win32" else ["-O2"],
        )
        for source in sources
    ]
    modules: list[Extension] = cythonize(extensions, language_level=3, build_dir="build/cython")
    for module in modules:
        module.optional = True  # said here because cythonize makes new extensions and forgets it
    return modules


setup(ext_modules=kernels())
