"""The log as HTML: a line a moment, a roll below it with faces, parts, need and verdict, a click away from its rules.

Everything that comes from the journal goes through `safe`; nothing else does.
"""

from collections.abc import Sequence

from sandtable.engine.events import AnyEvent, BattleEnded, PhaseBegan, Rolled, StepBegan
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ids import Side
from sandtable.engine.table import Table
from sandtable.field.drawing.ink import element, safe
from sandtable.lab.replay_page.rule_texts import RuleTexts
from sandtable.lab.replay_page.story import Moment
from sandtable.telling.together import Shared, together
from sandtable.telling.vocabulary import Vocabulary
from sandtable.telling.words import outcome_words, rolled_for, sentence

#: The marks by which sides are told apart without colour.
MARKS = {"red": "◆", "blue": "■", "green": "●", "grey": "▲"}


class LogLines:
    """Writes the lines of a log."""

    def __init__(self, vocabulary: Vocabulary, looks: dict[Side, str], rules: RuleTexts) -> None:
        self.vocabulary, self.looks, self.rules = vocabulary, looks, rules

    def lines(self, moments: Sequence[Moment]) -> str:
        """The whole log; the number of a line is the number of its event."""
        turn = 0
        drawn = []
        for at, moment in enumerate(moments):
            event = moment.event
            new_turn = isinstance(event, PhaseBegan) and event.turn > turn
            if isinstance(event, PhaseBegan):
                turn = event.turn
            drawn.append(self._line(at, moment, "turn" if new_turn else _kind(event)))
        return "\n".join(drawn)

    def _line(self, at: int, moment: Moment, kind: str) -> str:
        event = moment.event
        look = self.looks.get(moment.side, "")
        mark = f'<span class="mark" title="{safe(moment.side)}">{MARKS[look]}</span>' if look else ""
        words = self._words(event, moment.told, moment.others)
        classes = " ".join(word for word in (kind, look, f"deep{moment.depth}" if moment.depth else "") if word)
        number = f'<button type="button" class="at" aria-label="Show event {event.n}">{event.n}</button>'
        roll = self._roll(event, moment.told) if isinstance(event, Rolled) else ""
        return (
            f'<li class="{classes}" data-at="{at}">{mark}<p>{words}{self.rules.link(event.rule)}</p>{number}{roll}</li>'
        )

    def _words(self, event: AnyEvent, table: Table, others: Sequence[Shared] = ()) -> str:
        if isinstance(event, Shared):
            return safe(together([event, *others], table, self.vocabulary))
        if not isinstance(event, Rolled):
            return safe(sentence(event, table, self.vocabulary))
        who = table.things[event.by].label or event.by if event.by in table.things else event.by
        what = rolled_for(event, self.vocabulary)
        again = " again" if event.replaces else ""
        said = f"{who} rolls{again}: {what}." if who else f"Roll{again}: {what}."
        return safe(said[:1].upper() + said[1:])

    def _roll(self, roll: Rolled, table: Table) -> str:
        """Faces, sum and need; then the parts; then the verdict. A veiled roll shows its outcome alone."""
        outcome = safe(outcome_words(roll, table, self.vocabulary))
        parts = "".join(self._part(part) for part in roll.parts)
        needs = "".join(self._part(part) for part in roll.needs_parts)
        dice = "".join(self._part(part) for part in roll.dice_parts)
        blocks = [f'<div class="sum">{_sum(roll)}</div>' if roll.dice else ""]
        blocks += [
            f'<ul class="parts" aria-label="{label}">{found}</ul>' if found else ""
            for label, found in (("added to the dice", parts), ("what is needed", needs), ("which dice", dice))
        ]
        blocks.append(f'<div class="end">{_verdict(roll)}{f"<span>{outcome}</span>" if outcome else ""}</div>')
        return f'<div class="roll">{"".join(blocks)}</div>'

    def _part(self, part: ExplainedPart) -> str:
        return f"<li>{self.rules.link(part.rule, part.label)} <b>{part.worth()}</b></li>"


def _kind(event: AnyEvent) -> str:
    if isinstance(event, PhaseBegan):
        return "phase"
    if isinstance(event, StepBegan):
        return "step"
    return "ended" if isinstance(event, BattleEnded) else "rolled" if isinstance(event, Rolled) else ""


def _sum(roll: Rolled) -> str:
    faces = "".join(element("b", "die", safe(str(face))) for face in roll.faces)
    text = f'<span class="dice">{safe(roll.dice)}</span>{faces}'
    if roll.parts:
        added = roll.total - roll.natural
        sign = "−" if added < 0 else "+"
        text += f"<b>{roll.natural}</b><i>{sign}</i><b>{abs(added)}</b><i>=</i><b>{roll.total}</b>"
    elif len(roll.faces) > 1 or (roll.natural,) != roll.faces:
        text += f"<i>=</i><b>{roll.natural}</b>"
    return text + (f"<i>needs</i><b>{roll.needs}</b>" if roll.needs is not None else "")


def _verdict(roll: Rolled) -> str:
    """A filled chip where it was enough, a hollow one where it was not."""
    if roll.margin is None:
        return ""
    if roll.margin < 0:
        return f'<b class="verdict not">fails by {-roll.margin}</b>'
    return f'<b class="verdict">{f"succeeds by {roll.margin}" if roll.margin else "just succeeds"}</b>'
