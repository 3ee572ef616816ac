"""Choosing one of several things on the table; of one alone nobody is asked."""

from collections.abc import Sequence

from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule


def choose_thing(
    side: str,
    prompt: str,
    among: Sequence[Thing],
    *rules: Rule,
    topic: str,
    about: tuple[str, ...] = (),
    default: bool = False,
) -> Procedure[str]:
    """Ask a side which of some things it chooses, by rules of which the first gives the choice.

    With a default whoever has nothing to say takes the first.
    """
    if len(among) == 1:
        return among[0].id
    chosen: str = yield ChooseOne(
        side,
        prompt,
        topic=topic,
        about=about,
        options=tuple(Option(one.id, one.label, (one.id,), (rules[0].id,)) for one in among),
        rules=tuple(one.id for one in rules),
        default=among[0].id if default else None,
    )
    return chosen
