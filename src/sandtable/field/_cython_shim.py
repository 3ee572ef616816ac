"""What the interpreted kernel needs of the `cython` module where Cython is not installed: decorators that do nothing.

The kernel is ordinary Python with C types in its annotations, which the interpreter never looks at.
"""

from collections.abc import Callable
from typing import Any, TypeVar

_Any = TypeVar("_Any")

compiled = False


def _unchanged(thing: _Any) -> _Any:
    return thing


def _directive(*_: object, **__: object) -> Callable[[_Any], _Any]:
    return _unchanged


cfunc = cclass = inline = final = _unchanged
exceptval = _directive


def __getattr__(name: str) -> Any:
    raise AttributeError(f"the kernel asks for cython.{name}, which the shim does not have; add it there")
