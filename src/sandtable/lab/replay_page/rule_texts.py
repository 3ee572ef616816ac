"""The rules a battle used: a link wherever one is named, and its title and words once at the end of the page."""

from collections.abc import Mapping

from sandtable.field.drawing.ink import safe
from sandtable.forces.ledger import Rule


class RuleTexts:
    """Numbers rules as they are named. Without a ledger there are links and names, but no words."""

    def __init__(self, ledger: Mapping[str, Rule]) -> None:
        self.ledger = ledger
        self._numbers: dict[str, int] = {}

    def link(self, rule: str, label: str = "") -> str:
        """A link to a rule, under its title or a label of its own; nothing where no rule is named."""
        if not rule:
            return f"<span>{safe(label)}</span>" if label else ""
        number = self._numbers.setdefault(rule, len(self._numbers))
        if label:
            return f'<a href="#r{number}">{safe(label)}</a>'
        return f' <a class="rule" href="#r{number}">{safe(self._title(rule))}</a>'

    def texts(self) -> str:
        """Every rule that was named, in the order it was."""
        return "\n".join(self._text(rule, number) for rule, number in self._numbers.items())

    def _title(self, rule: str) -> str:
        known = self.ledger.get(rule)
        return rule.rpartition(".")[2].replace("-", " ") if known is None else known.title

    def _text(self, rule: str, number: int) -> str:
        known = self.ledger.get(rule)
        if known is None:
            words = "<p>The words of this rule are not at hand: its ruleset was not there when this page was made.</p>"
        else:
            words = f"<p>{safe(known.text)}</p>"
            words += f'<p class="ruling"><b>Ruling.</b> {safe(known.ruling)}</p>' if known.ruling else ""
            words += "".join(
                f'<p class="example"><b>Example.</b> {safe(_example(one.given, one.when, one.then))}</p>'
                for one in known.examples
            )
        return (
            f'<article id="r{number}" tabindex="-1"><h3>{safe(self._title(rule))}</h3>'
            f"<code>{safe(rule)}</code>{words}</article>"
        )


def _example(given: str, when: str, then: str) -> str:
    return f"Given {given}, when {when}, then {then}"
