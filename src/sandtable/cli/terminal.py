"""A player at the keyboard: asked in plain lines, answering in typed ones, good enough for a screen reader.

The player sees only what the side may see: the log of its own events, its own view of the table, its questions. A draft
is checked before it is given; what it would bring is shown first wherever there is something to show.
"""

from collections.abc import Callable, Mapping
from typing import Any

from sandtable.cli.battle_log import BattleLog
from sandtable.cli.previews import preview_lines
from sandtable.cli.question_words import declining, help_for, name_of, offer_lines
from sandtable.cli.rule_pages import page as rule_page
from sandtable.cli.standing import NotAnOrder, order_words, typed_order
from sandtable.cli.typed_answers import Names, Unreadable, read
from sandtable.engine.answers.judging import Accepted, offered, open_parts
from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.questions import AnyQuestion, Plan, Refusal
from sandtable.field.drawing import describe, text_map
from sandtable.forces.ledger import Rule
from sandtable.tabletop.book import Book
from sandtable.telling.hands import hand_lines
from sandtable.telling.vocabulary import Vocabulary

COMMANDS = """At any question you may also type:
  ?            this page, and how the question is answered
  again        the question once more
  map, table   the table as a map, or in words
  hand         the cards in hand
  log          what happened lately, once more
  rules        the rules behind the question
  rule WORDS   the text of a rule, by its id, the end of it, or words of its title
  undo         take your last answer back
  order ANSWER answer like questions so from now on, such as `order p`;
               `order p below 60`: while the chance is below 60 %, `at least 60` likewise
  orders       your standing orders;  `order off` withdraws those for this question
  draw         offer a draw
  concede      give up
  quit         stop here"""
#: How many lines of the log `log` tells again.
LATELY = 20


class Quit(Exception):
    """The player stops."""


class Changed(Exception):
    """The battle is not as it was: whatever is asked now is asked anew."""


class _Back(Exception):
    """The player takes the last part of a plan back."""


class Terminal:
    """What the people at one keyboard see, and what they say."""

    def __init__(
        self,
        battle: Battle,
        people: tuple[Side, ...],
        vocabulary: Vocabulary,
        rules: Mapping[str, Rule],
        *,
        maps: bool = True,
        say: Callable[[str], None] = print,
        hear: Callable[[str], str] = lambda prompt: input(prompt),
    ) -> None:
        self.battle, self.people, self.vocabulary, self.rules = battle, people, vocabulary, rules
        self.say, self.hear = say, hear
        self.asked: AnyQuestion | None = None  # the question that the next line answers
        self.part = ""  # of the plan that is being drafted
        self._lately: dict[Side, list[str]] = {side: [] for side in people}
        setup = battle.journal.header.setup
        self._logs = {
            side: BattleLog(setup.sides, setup.options, vocabulary, maps=maps, plain=not maps, show=self._teller(side))
            for side in people
        }
        self._told = dict.fromkeys(people, 0)
        self._at_keyboard = people[0]

    def _teller(self, side: Side) -> Callable[[str], None]:
        def tell(line: str) -> None:
            self._lately[side] = [*self._lately[side], line][-LATELY:]
            self.say(line)

        return tell

    def tell(self, side: Side) -> None:
        """Tell a side what it has seen happen since it was told last."""
        events = self.battle.logs[side].events
        self._logs[side].tell(events[self._told[side] :])
        self._logs[side].pause()
        self._told[side] = len(events)

    def ask(self, side: Side, question: AnyQuestion) -> None:
        """Ask a side until an answer is accepted, or something else has changed the battle."""
        if side != self._at_keyboard:
            self.hear(f"\n{side.capitalize()} is asked. Enter when {side} is at the keyboard > ")
            self._at_keyboard = side
        self.tell(side)
        try:
            while not self._answered(side, question):
                pass
        except Changed:
            self.tell(side)

    def _answered(self, side: Side, question: AnyQuestion) -> bool:
        draft = self._plan(side, question) if isinstance(question, Plan) else self._draft(side, question, question)
        checked = self.battle.check(draft, side)
        if isinstance(checked, Refusal):
            self._refused(checked)
            return False
        if not self._commits(side, checked):
            return False
        refusal = self.battle.answer(draft, side)
        assert refusal is None, refusal
        return True

    def _plan(self, side: Side, plan: Plan) -> Any:
        """Build a plan part by part; `back` takes the last part back."""
        budget = ", ".join(f"{amount} {what}" for what, amount in plan.budget.items())
        self.say(f"\n{side}: {plan.prompt}" + (f" ({budget})" if budget else ""))
        draft: dict[str, Any] = {}
        left_out: list[str] = []
        while True:
            parts = open_parts(self.battle.ruleset, self.battle.view(side), plan, draft)
            assert not isinstance(parts, Refusal), parts
            waiting = [part for part in parts if part.id not in draft and part.id not in left_out]
            if not waiting:
                self.part = ""
                return draft
            self.part = waiting[0].id
            try:
                answer = self._draft(side, waiting[0].question, plan, optional=waiting[0].optional)
            except _Back:
                if draft:
                    draft.pop(next(reversed(draft)))
                left_out = []
                continue
            if answer is None and waiting[0].optional:
                left_out.append(self.part)
                continue
            trial = {**draft, self.part: waiting[0].question.default if answer is None else answer}
            judged = open_parts(self.battle.ruleset, self.battle.view(side), plan, trial)
            if isinstance(judged, Refusal):
                self._refused(judged)
            else:
                draft = trial

    def _draft(self, side: Side, question: AnyQuestion, asked: AnyQuestion, *, optional: bool = False) -> Any:
        """Read lines until one is a draft for the question."""
        self.asked = question = offered(self.battle.ruleset, self.battle.view(side), question)
        self._show(side, question)
        hint = help_for(question)
        if optional:
            hint += "; Enter leaves it out"
        elif declining(question):
            hint += f"; p: {declining(question)}"
        while True:
            line = self.hear(f"({hint}) > ").strip()
            if not line and optional:
                return None
            if line.lower() == "back" and isinstance(asked, Plan):
                raise _Back
            if self._command(side, asked, question, line):
                continue
            try:
                return read(question, line, self._names(side))
            except Unreadable as problem:
                self.say(f"  {problem}")

    def _show(self, side: Side, question: AnyQuestion) -> None:
        self.say(f"\n{side}: {question.prompt}")
        for line in offer_lines(question, self.battle.view(side).table):
            self.say(line)

    def _names(self, side: Side) -> Names:
        """What things are called, as far as the side knows; of a name that two have neither is meant."""
        table = self.battle.view(side).table
        named = [*((t.label or t.id, str(t.id)) for t in table.things.values())]
        named += [(piece.label or piece.id, piece.id) for piece in table.ground.pieces]
        labels = [label.lower() for label, _ in named]
        return {label.lower(): thing for label, thing in named if labels.count(label.lower()) == 1}

    def _commits(self, side: Side, checked: Accepted) -> bool:
        """Show what the answer would bring, and ask once more where there is something to see."""
        table = self.battle.view(side).table
        lines = preview_lines(checked.preview(without="reach"), lambda thing: name_of(table, thing))
        if not lines:
            return True
        for line in lines:
            self.say(f"  {line}")
        return self.hear("(Enter to do it, n to think again) > ").strip().lower() not in ("n", "no")

    def _refused(self, refusal: Refusal) -> None:
        self.say(f"  Not so: {refusal.sentence}" + (f"  [{', '.join(refusal.rules)}]" if refusal.rule else ""))

    # What is no answer -------------------------------------------------------------------------------------------

    def _command(self, side: Side, asked: AnyQuestion, question: AnyQuestion, line: str) -> bool:
        """Carry out what is no answer, and say whether it was."""
        word, _, rest = line.partition(" ")
        view = self.battle.view(side)
        commands: dict[str, Callable[[], None]] = {
            "?": lambda: self.say(f"{COMMANDS}\nThis question: {help_for(question)}."),
            "again": lambda: self._show(side, question),
            "map": lambda: self.say(text_map(view.table, say=self.vocabulary.said)),
            "table": lambda: self.say(describe(view.table, level=self.battle.ruleset.level, say=self.vocabulary.said)),
            "hand": lambda: self.say("\n".join(hand_lines(view.table, self._card_texts())) or "  nobody has cards"),
            "log": lambda: self.say("\n".join(self._lately[side])),
            "rules": lambda: self.say("\n".join(self._titles((*question.rules, *asked.rules)))),
            "rule": lambda: self.say(self._rule(rest.strip())),
            "undo": lambda: self._undo(side),
            "order": lambda: self._order(side, asked, rest.strip()),
            "orders": lambda: self.say("\n".join(self._orders(side)) or "  none"),
            "concede": lambda: self._concede(side),
            "draw": lambda: self._draw(side),
            "quit": self._quit,
        }
        if word.lower() not in commands:
            return False
        commands[word.lower()]()
        return True

    def _card_texts(self) -> dict[str, str]:
        rules = self.battle.ruleset
        return {name: card.text for name, card in rules.hand_cards.items()} if isinstance(rules, Book) else {}

    def _titles(self, rules: tuple[str, ...]) -> list[str]:
        found = [
            f"  {one}: {self.rules[one].title}" if one in self.rules else f"  {one}" for one in dict.fromkeys(rules)
        ]
        return found or ["  no rule is named here"]

    def _rule(self, words: str) -> str:
        if not words:
            return "  say which: `rule` and its id, or words of its title"
        low = words.lower()
        ends = [rule for name, rule in self.rules.items() if name == low or name.endswith(f".{low}")]
        said = [rule for rule in self.rules.values() if low in f"{rule.id} {rule.title}".lower()]
        if ends or len(said) == 1:
            return rule_page((ends or said)[0])
        if said:
            return "\n".join(f"  {rule.id}: {rule.title}" for rule in said[:LATELY])
        return f"  no rule is called `{words}`"

    def _undo(self, side: Side) -> None:
        refusal = self.battle.undo(side)
        if refusal is None:
            raise Changed
        self.say(f"  {refusal.sentence}")

    def _order(self, side: Side, asked: AnyQuestion, words: str) -> None:
        rule = asked.rules[0] if asked.rules else ""
        mine = [one for one in self.battle.state.orders if one.side == side and one.rule == rule]
        if words == "off":
            for order in mine:
                self.battle.order(order, withdraw=True)
            self.say("  withdrawn" if mine else "  there is none for this question")
            return
        try:
            order = typed_order(side, asked, words, self._names(side))
        except (NotAnOrder, Unreadable) as problem:
            self.say(f"  {problem}")
            return
        refusal = self.battle.order(order)
        self.say(f"  {refusal.sentence}" if refusal else f"  From the next time on. {order_words(order)}")

    def _orders(self, side: Side) -> list[str]:
        return [f"  {order_words(order)}" for order in self.battle.state.orders if order.side == side]

    def _concede(self, side: Side) -> None:
        if self.hear("(this ends the battle; type yes to give up) > ").strip().lower() == "yes":
            self.battle.concede(side)
            raise Changed

    def _draw(self, side: Side) -> None:
        """Offer a draw to everybody at the keyboard; an offer stands until its side answers, so it is asked at once."""
        self.battle.offer_draw(side)
        for other in self.battle.table.sides:
            if other == side:
                continue
            asks = f"({side} offers a draw; {other}, type y to agree) > "
            if other not in self.people or self.hear(asks).strip().lower() not in ("y", "yes"):
                self.battle.offer_draw(side, offers=False)
                self.say(f"  {other.capitalize()} plays on.")
                return
            self.battle.offer_draw(other)
        if self.battle.ended:
            raise Changed

    def _quit(self) -> None:
        raise Quit
