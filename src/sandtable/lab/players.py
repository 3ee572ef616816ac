"""Players that are programs, by name.

A module `sandtable.bots.NAME_bot` publishes `bot(ruleset, seed)`, which makes a player: whatever has
`answer(view, question) -> draft` and sees nothing but its side's view.
"""

from importlib import import_module
from pkgutil import iter_modules
from typing import cast

from sandtable import bots
from sandtable.engine.ruleset import Ruleset
from sandtable.forces.files import FileError, nearest
from sandtable.lab.battles import Player

_SUFFIX = "_bot"


class BotError(FileError):
    """There is no such bot."""


def bot_names() -> tuple[str, ...]:
    """The names of all bots, without importing any."""
    found = (one.name for one in iter_modules(bots.__path__))
    return tuple(sorted(name.removesuffix(_SUFFIX) for name in found if name.endswith(_SUFFIX)))


def player(name: str, ruleset: Ruleset, seed: int | str) -> Player:
    """A fresh player of a name; an unknown one fails with the nearest right name.

    >>> player("nonesuch", Ruleset(), 1)
    Traceback (most recent call last):
    ...
    sandtable.lab.players.BotError: nonesuch: there is no bot of this name; ...
    """
    if name not in bot_names():
        raise BotError(name, 0, "there is no bot of this name", nearest(name, bot_names()))
    return cast(Player, import_module(f"{bots.__name__}.{name}{_SUFFIX}").bot(ruleset, seed))
