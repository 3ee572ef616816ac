"""Bots by name: found where they lie, registered nowhere."""

from importlib import import_module
from pkgutil import iter_modules
from typing import cast

from sandtable import bots
from sandtable.bots.protocol import Bot
from sandtable.engine.ruleset import Ruleset
from sandtable.forces.files import FileError, nearest

_SUFFIX = "_bot"


class BotError(FileError):
    """There is no such bot."""


def bot_names() -> tuple[str, ...]:
    """The names of all bots, without importing any.

    >>> "random" in bot_names()
    True
    """
    found = (one.name for one in iter_modules(bots.__path__))
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


def make_bot(name: str, ruleset: Ruleset, seed: int | str, side: str = "") -> Bot:
    """A fresh bot of a name for a side of a battle; an unknown name fails with the nearest right one.

    The same name, seed and side play the same way again.

    >>> make_bot("randon", Ruleset(), 1)
    Traceback (most recent call last):
    ...
    sandtable.bots.by_name.BotError: randon: there is no bot of this name; did you mean `random`?
    """
    if name not in bot_names():
        raise BotError(name, 0, "there is no bot of this name", nearest(name, bot_names()))
    return cast(Bot, import_module(f"{bots.__name__}.{name}{_SUFFIX}").bot(ruleset, f"{seed}/{side}" if side else seed))
