"""The exact table: bases, terrain, sight, cover, paths and templates in whole thousandths.

Its kernel is compiled where it was installed with a compiler. `SANDTABLE_INTERPRETED=1` in the environment has the
same source interpreted instead; the answers are the same.
"""

import os
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path


def _interpret(name: str) -> None:
    """Import a kernel module from its source, although its compiled twin may lie beside it."""
    full_name = f"{__name__}.{name}"
    spec = spec_from_file_location(full_name, Path(__file__).with_name(f"{name}.py"))
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[full_name] = module
    spec.loader.exec_module(module)


if os.environ.get("SANDTABLE_INTERPRETED", "") not in ("", "0"):
    for _name in ("_kernel_spans", "_kernel_points", "_kernel"):
        _interpret(_name)
