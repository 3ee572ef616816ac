"""A bot at the keyboard: every draft it gives is typed as a person would type it, and read by the terminal."""

from collections.abc import Mapping
from typing import Any

from sandtable.bots import Bot, make_bot
from sandtable.cli.terminal import Terminal
from sandtable.engine.answers.checking import plain_data
from sandtable.engine.answers.judging import offered
from sandtable.engine.battle import Battle
from sandtable.engine.explain import inches
from sandtable.engine.ids import Side
from sandtable.engine.questions import (
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    PlaceThings,
    Plan,
    React,
)
from sandtable.engine.ruleset import Ruleset, Setup
from sandtable.telling.vocabulary import Vocabulary


def typed(question: AnyQuestion, draft: Any) -> str:
    """What a person would type to give a draft."""
    draft = plain_data(draft)
    if draft is None:
        return "p"
    match question:
        case ChooseOne(options=options):
            return _number(options, draft)
        case ChooseSeveral(options=options):
            return " ".join(_number(options, one) for one in draft)
        case Confirm():
            return "y" if draft else "n"
        case React(options=options):
            along = [inches(draft["along"], "")] if draft.get("along") is not None else []
            amount = [str(draft["amount"])] if draft.get("amount") else []
            return " ".join([_number(options, draft["option"]), *along, *amount])
        case Allocate(items=items, bins=bins):
            return " ".join(f"{_number(items, item)}={_number(bins, bin_)}" for item, bin_ in draft.items())
        case PlaceThings():
            return "; ".join(f"{thing}: {_spot(spot)}" for thing, spot in draft.items())
        case MoveModels():
            return "; ".join(f"{model}: {_walk(walk)}" for model, walk in draft.items()) or "stay"
        case Plan():
            raise AssertionError("a plan is typed part by part")


def _number(options: Any, chosen: str) -> str:
    return str([option.id for option in options].index(chosen) + 1)


def _spot(spot: Mapping[str, Any]) -> str:
    where = spot["where"]
    if where["place"] == "in":
        return f"in {where['holder']} {where.get('slot', '')}".strip()
    if where["place"] == "off":
        return f"off {where.get('why', '')}".strip()
    x, y = where["point"]
    level = f" level {where['level']}" if where.get("level") else ""
    return f"{inches(x, '')} {inches(y, '')} {spot.get('facing', 0)}{level}"


def _walk(walk: Mapping[str, Any]) -> str:
    parts = [_leg(leg) for leg in walk.get("legs", ())]
    parts += [f"@{inches(far, '')} {mark}" for mark, far in walk.get("marks", {}).items()]
    return ", ".join(parts) or "stay"


def _leg(leg: Mapping[str, Any]) -> str:
    if leg["by"] == "via":
        x, y = leg["point"]
        level = f" level {leg['level']}" if leg.get("level") else ""
        return f"to {inches(x, '')} {inches(y, '')}{level}"
    turn, go = leg.get("turn", 0), leg.get("go", 0)
    words = [f"{'left' if turn < 0 else 'right'} {abs(turn)}"] if turn else []
    words += [f"back {inches(-go, '')}" if go < 0 else inches(go, "")] if go or not turn else []
    return " ".join(words)


class Typist:
    """Sits at a terminal, asks a bot for every answer and types it; keeps all that was shown."""

    def __init__(self, ruleset: Ruleset, setup: Setup, seed: int, people: tuple[Side, ...] = ()) -> None:
        self.battle = Battle(ruleset, setup, seed=seed)
        sides = people or setup.sides
        self.bots: dict[Side, Bot] = {side: make_bot("random", ruleset, seed, side) for side in setup.sides}
        self.shown: list[str] = []
        self.lines: list[str] = []
        self.terminal = Terminal(
            self.battle, sides, Vocabulary(), {}, maps=False, say=self.shown.append, hear=self.hear
        )
        self._plan: tuple[int, dict[str, Any]] | None = None  # and the journal's length when it was made

    def hear(self, prompt: str) -> str:
        """The next line, whatever is asked."""
        self.shown.append(prompt)
        line = "" if "Enter when" in prompt or "Enter to do it" in prompt else self._answer(prompt)
        self.lines.append(line)
        return line

    def _answer(self, prompt: str) -> str:
        side = next(side for side in self.battle.table.sides if self.battle.question_for(side) is not None)
        question, asked = self.battle.question_for(side), self.terminal.asked
        assert question is not None
        assert asked is not None
        if not isinstance(question, Plan):
            assert asked == offered(self.battle.ruleset, self.battle.view(side), question)
            return typed(question, self.bots[side].answer(self.battle.view(side), question))
        moment = len(self.battle.journal.lines)
        if self._plan is None or self._plan[0] != moment:
            draft = self.bots[side].answer(self.battle.view(side), question)
            self._plan = (moment, dict(question.default or {}) if draft is None else dict(draft))
        answer = self._plan[1].get(self.terminal.part)
        if answer is None:
            return "" if "Enter leaves it out" in prompt else "p"
        return typed(asked, answer)
