"""Why nobody is asked for what a case wants refused, the rule by which it is not on offer; and a refusal in words."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from sandtable.engine.battle import Battle
from sandtable.engine.questions import AnyQuestion, ChooseOne, Plan, Refusal
from sandtable.forces.data import Data
from sandtable.lab.cases.drafts import Draft, Drafter, Keys
from sandtable.lab.cases.passing import passed_over
from sandtable.lab.cases.telling import Row, value_words
from sandtable.tabletop.activations import ACTIVATE

#: The topic of the plan with which somebody declares all that it does.
DECLARE = "declare"


class Unasked(NamedTuple):
    """A battle as it stands, with what is open in it and who has acted last."""

    battle: Battle
    open: Sequence[AnyQuestion]
    drafter: Drafter
    actor: str

    def not_its_turn(self, question: AnyQuestion | None, keys: Keys) -> Refusal | None:
        """Why somebody whom a key names may not act, where it is chosen who does, or others declare."""
        things = self.battle.table.things
        if isinstance(question, Plan):
            for actor, said in keys.now.items():
                if actor in things and things[actor].side == question.side:
                    draft = self.drafter.words.actions(self.battle.table, actor, said)
                    refusal = self.battle.check(draft, question.side)
                    if isinstance(refusal, Refusal) and refusal.rule:
                        return refusal
        if not isinstance(question, ChooseOne) or not any(option.id in things for option in question.options):
            return None
        for actor in (things[key].unit or key for key in keys.named if key in things):
            refusal = self.battle.check(actor, question.side)
            if isinstance(refusal, Refusal) and refusal.rule:
                return refusal
        return None

    def waits(self, keys: Keys) -> Refusal | None:
        """Why somebody whom a key names may not act while another does."""
        table = self.battle.table
        for asked in self.open:
            question = ChooseOne(asked.side, "", topic=ACTIVATE, about=asked.about)
            for name in (one for one in keys.named if one in table.things and one not in asked.about):
                actor = table[name].unit or name
                if actor not in asked.about and (
                    refusal := self.battle.ruleset.unoffered(self.battle.view(asked.side), question, actor)
                ):
                    return refusal
        return None

    def final(self, keys: Keys) -> Refusal | None:
        """Why whoever acts may not declare anew what it does, at whom or with what, once that is carried out."""
        parts = [key for key in keys.named if key in self.drafter.known_words.listed.get("answers", ())]
        for asked in self.open:
            for actor in (
                one for one in asked.about if one in keys.named or (parts and one in self.battle.table.things)
            ):
                question = ChooseOne(asked.side, "", topic=DECLARE, about=(actor,))
                if refusal := self.battle.ruleset.unoffered(self.battle.view(asked.side), question, keys.named[0]):
                    return refusal
        return None

    def idle(self, keys: Keys) -> Refusal | None:
        """The rule by which somebody whom a key names could do nothing when its activation came last."""
        found = (passed_over(self.battle, key) for key, _ in keys.left)
        return next((refusal for refusal in found if refusal is not None), None)

    def not_on_offer(self, keys: Keys) -> Refusal | None:
        """The rule by which what a key says is not on offer, though nobody is asked for it."""
        table = self.battle.table
        named = [table[one].unit or one for one in keys.named if one in table.things]
        for key, said in keys.left:
            whose, _, topic = key.rpartition(" ")
            words = [spelt for one in _said(said) for spelt in self.drafter.spellings(one)]
            for actor in (*named, *([self.actor] if self.actor in table.things else [])):
                side = table[actor].side
                question = ChooseOne(side, "", topic=topic if whose in table.things else key, about=(actor,))
                for word in words:
                    refusal = self.battle.ruleset.unoffered(self.battle.view(side), question, word)
                    if refusal is not None:
                        return refusal
        return None


def _said(value: Data) -> list[str]:
    """The words of an answer that may not be on offer: the one, those of a list, the option of a reaction."""
    found = value.node.value
    if isinstance(found, dict):
        return [value.text_at("option")] if value.has("option") else []
    if isinstance(found, list):
        return [word for one in value.items() for word in _said(one)]
    if isinstance(found, bool):
        return ["yes" if found else "no"]
    return [found] if isinstance(found, str) else []


#: How the engine says that a plan holds a part which is not asked for.
UNASKED = "Nothing here asks for"


def refusal_words(refusal: Refusal, draft: Draft) -> str:
    """Why an answer is refused; parts of a plan that nothing asks for are called as the case writes them."""
    sentence = re.sub(r"(?<!\w)'([^']+)'(?!\w)", r"`\1`", refusal.sentence)
    if draft.missing:
        return f"{sentence} Add `{draft.missing[0]}`."
    if not isinstance(draft.value, dict) or not sentence.startswith(UNASKED):
        return sentence
    parts = refusal.sentence.removeprefix(UNASKED).strip(" .").split(", ")
    told = [value_words(draft.value[part]) if part in draft.written else part for part in parts]
    return f"{UNASKED} {', '.join(told)}."


def offered_rows(question: AnyQuestion | None, draft: Draft) -> list[Row]:
    """What may be chosen instead of a word that is not on offer."""
    offered = [option.id for option in getattr(question, "options", ())]
    chosen = draft.value if isinstance(draft.value, list) else [getattr(draft.value, "option", draft.value)]
    wrong = [str(one) for one in chosen if isinstance(one, str) and one not in offered]
    if not offered or not wrong:
        return []
    return [Row("offered", value_words(wrong), value_words(offered))]
