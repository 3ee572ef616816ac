"""The few answers a learner chooses among: what tactics think of, what any sensible player would, and some drawn ones.

Each is lawful by what the side knows, and no two are the same. They hang on the view, the question, the side's last
intention and a seed, and on nothing else.
"""

from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

import msgspec

from sandtable.bots.candidates import candidates
from sandtable.bots.drafts import Drafts
from sandtable.engine.answers.judging import check
from sandtable.engine.questions import AnyQuestion, Refusal
from sandtable.engine.ruleset import Ruleset, View
from sandtable.tabletop.opponent import Skill, Tactics, worth

#: How many drawn answers are tried for each that is still wanted.
DRAWN = 2
#: How many answers are tried for each that is wanted: most are lawful.
TRIED = 4


class Chosen(NamedTuple):
    """One answer to choose: the draft, what it is in a few words, and what to remember if it is taken."""

    draft: Any
    label: str
    worth: int = 0  # by the ruleset's tactics, in thousandths of a point of harm; 0 where they do not say
    intention: object = None


def lawful_choices(
    ruleset: Ruleset,
    tactics: Tactics | None,
    view: View,
    question: AnyQuestion,
    *,
    most: int,
    seed: str,
    intention: object = None,
    skill: Skill | None = None,
) -> list[Chosen]:
    """At most so many lawful answers, at least one. `NoAnswer` where there is none: we are wrong."""
    found: dict[bytes, Chosen] = {}
    drafts = Drafts(ruleset, seed)
    thought_of = _thought_of(ruleset, tactics, view, question, intention, skill or Skill())
    drawn = (Chosen(draft, "drawn") for draft in islice(drafts.drafts(view, question), DRAWN * most))
    for one in islice(thought_of, TRIED * most):
        _keep(ruleset, view, question, one, found)
        if len(found) == most:
            return list(found.values())
    for one in drawn:
        if len(found) == most:
            break
        _keep(ruleset, view, question, one, found)
    return list(found.values()) or [Chosen(drafts.lawful(view, question), "drawn")]


def _thought_of(
    ruleset: Ruleset, tactics: Tactics | None, view: View, question: AnyQuestion, intention: object, skill: Skill
) -> Iterator[Chosen]:
    rated = () if tactics is None else tactics.rate(view, question, skill, intention)
    for idea in sorted(rated, key=worth, reverse=True):
        yield Chosen(idea.draft, idea.label, worth(idea), idea.intention)
    for candidate in candidates(ruleset, tactics, view, question):
        yield Chosen(candidate.draft, candidate.label)


def _keep(ruleset: Ruleset, view: View, question: AnyQuestion, one: Chosen, found: dict[bytes, Chosen]) -> None:
    """Keep an answer if it is lawful and new."""
    name = msgspec.json.encode(one.draft, order="deterministic")
    if name not in found and not isinstance(check(ruleset, view, question, one.draft), Refusal):
        found[name] = one
