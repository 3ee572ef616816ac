"""Players that are programs, seeing only the view of their side.

A bot is a module `sandtable.bots.NAME_bot` with a function `bot(ruleset, seed)`; a module that is there is found.
"""

from sandtable.bots.by_name import BotError, bot_names, make_bot
from sandtable.bots.protocol import Bot, NoAnswer, reason_of

__all__ = ["Bot", "BotError", "NoAnswer", "bot_names", "make_bot", "reason_of"]
