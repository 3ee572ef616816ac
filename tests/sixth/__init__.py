"""A sixth, made-up ruleset, played through `sandtable.tabletop` alone; found once its folder is known."""

from pathlib import Path

import sandtable.rulesets

HERE = Path(__file__).parent


def known() -> None:
    """Let rulesets be found here too."""
    if str(HERE) not in sandtable.rulesets.__path__:
        sandtable.rulesets.__path__.append(str(HERE))
