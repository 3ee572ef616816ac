"""Who is asked, in which order, and when a window closes: written once for every ruleset."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.answers.checking import as_option
from sandtable.engine.answers.judging import refused_option
from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Detail, Passed
from sandtable.engine.ids import NO_RULE, NO_SIDE, RuleId, Side
from sandtable.engine.questions import React, Reaction, ReactOption
from sandtable.engine.ruleset import Procedure


class Reacted(NamedTuple):
    """A side broke in: which side, and how."""

    side: Side
    reaction: Reaction


#: The fact that a window which is blind to some gives: how many ways to break in are open to the side that is asked. A
#: standing order may pass where there is none.
WAYS = "ways"
#: What a side may break in with, given what has been declared in the window so far.
Options = Callable[[Side, Sequence[Reacted]], Sequence[ReactOption]]


def reaction_window(
    battle: Battle,
    *,
    moment: str,
    prompt: str,
    options: Options,
    rules: tuple[RuleId, ...],
    topic: str = "",
    about: tuple[str, ...] = (),
    opened_by: Side = NO_SIDE,
    sides: tuple[Side, ...] = (),
    once: bool = False,
    blind: bool | Callable[[Side], bool] = False,
    stretch: tuple[int, int] | None = None,
    facts: dict[str, int] | None = None,
    shows: tuple[str, ...] = (),
    because: int = 0,
    tell: Callable[[Reacted], None] | None = None,
) -> Procedure[list[Reacted]]:
    """Ask side after side whether it breaks in, until all have passed in a row; give what was declared, in order.

    Sides are asked in the ruleset's order (`opened_by` last, or only `sides`). A side without options is not asked,
    unless the window is `blind`: then it is asked all the same, with nothing but a pass, so that being asked tells
    nothing. A window that is blind to some says by public facts to whom; the others are not asked at all, and who is
    asked may have ordered to pass where no way is open (the fact `WAYS`). `once` closes the window after one round;
    `stretch` is the part of a path that may be broken into, and the answer says where along
    it; `shows` is what a preview of a break-in may hold. A break-in is told before the next side is asked: by
    `Declared`, with its amount and where along the path in the detail, or by `tell`. `because` is the event that opened
    the window; `topic` is the question's, where windows at several moments have one. Whether the first or the last
    declared resolves first is for the rule that opened it to say.
    """
    declared: list[Reacted] = []
    order = [side for side in battle.ruleset.asking_order(battle, opened_by) if not sides or side in sides]
    passes = 0
    turn = 0
    while passes < len(order) and (not once or turn < len(order)):
        side = order[turn % len(order)]
        turn += 1
        asked = blind(side) if callable(blind) else blind or None
        offered = () if asked is False else tuple(options(side, declared))
        if not offered and not asked:
            passes += 1
            continue
        question = React(
            side,
            prompt,
            topic=topic or moment,
            about=about,
            rules=rules,
            moment=moment,
            stretch=stretch,
            options=offered,
            blind=bool(asked),
            facts=facts or {},
            shows=shows,
        )
        if callable(blind):
            refused = (refused_option(battle.ruleset, battle.view(side), question, as_option(way)) for way in offered)
            question = replace(question, facts={**question.facts, WAYS: sum(why is None for why in refused)})
        reaction = yield question
        if reaction is None:
            battle.happens(Passed(side, moment, rule=rules[0] if rules else NO_RULE, because=because))
            passes += 1
        else:
            declared.append(Reacted(side, reaction))
            if tell is not None:
                tell(declared[-1])
            else:
                chosen = next(option for option in offered if option.id == reaction.option)
                battle.happens(_declared(side, chosen, reaction, about, rules, because))
            passes = 0
    return declared


def _declared(
    side: Side, option: ReactOption, reaction: Reaction, about: tuple[str, ...], rules: tuple[RuleId, ...], because: int
) -> Declared:
    """How a break-in is told to all: who does what, how much of it, and where."""
    detail: Detail = {}
    if reaction.amount:
        detail["amount"] = reaction.amount
    if reaction.along is not None:
        detail["along"] = reaction.along
    rule = next(iter((*option.rules, *rules)), NO_RULE)
    return Declared(option.actor or side, option.id, about, rule=rule, because=because, detail=detail)
