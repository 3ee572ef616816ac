"""Bots by name: found where they lie, registered nowhere."""

from importlib import import_module
from pkgutil import iter_modules
from typing import cast

from sandtable import bots
from sandtable.bots.protocol import Bot
from sandtable.engine.ids import NO_SIDE, Side
from sandtable.engine.ruleset import Ruleset
from sandtable.forces.files import FileError, nearest

_SUFFIX = "_bot"
#: The opponent, whose levels are names of their own, from the weakest to the strongest.
OPPONENT = "level"
LEVEL_NAMES = ("1", "2", "3", "4", "5", "6", "7", "8")
#: What levels were called before, for battles that were begun with one; nobody is offered these.
FORMER_NAMES = {f"tactical-{level}": level for level in ("1", "2", "3", "4", "5")}


class BotError(FileError):
    """There is no such bot."""


def bot_names() -> tuple[str, ...]:
    """The names of all bots, without importing any; the levels of the opponent come last, the strongest last of all.

    >>> bot_names()[-1], "random" in bot_names()
    ('8', True)
    """
    return (*_modules(), *LEVEL_NAMES)


def _modules() -> list[str]:
    """The names of all bots that are a module of their own."""
    found = [one.name.removesuffix(_SUFFIX) for one in iter_modules(bots.__path__) if one.name.endswith(_SUFFIX)]
    return sorted(name for name in found if name != OPPONENT)


def make_bot(name: str, ruleset: Ruleset, seed: int | str, side: Side = NO_SIDE) -> Bot:
    """A fresh bot of a name for a side of a battle; an unknown name fails with the nearest right one.

    The opponent goes by its levels, `1` to `8`. The same name, seed and side play the same way again.

    >>> make_bot("randon", Ruleset(), 1)
    Traceback (most recent call last):
    ...
    sandtable.bots.by_name.BotError: randon: there is no bot of this name; did you mean `random`?
    """
    name = FORMER_NAMES.get(name, name)
    if name not in bot_names():
        raise BotError(name, 0, "there is no bot of this name", nearest(name, bot_names()))
    own_seed = f"{seed}/{side}" if side else seed
    if name in LEVEL_NAMES:
        return cast(Bot, import_module(f"{bots.__name__}.{OPPONENT}{_SUFFIX}").bot(ruleset, own_seed, int(name)))
    return cast(Bot, import_module(f"{bots.__name__}.{name}{_SUFFIX}").bot(ruleset, own_seed))
