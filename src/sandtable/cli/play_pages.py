"""A battle played by keyboard and text: every question as plain lines, good enough for a screen reader.

The player sees only what the side may see: the log of its own events, its own view of the table, its questions. A draft
is checked before it is given; what it would bring is shown first wherever there is something to show.
"""

import argparse
from collections.abc import Callable
from secrets import randbelow
from typing import Any

from sandtable.bots.by_name import make_bot
from sandtable.cli.battle_log import BattleLog, vocabulary_of
from sandtable.cli.journal_files import journal_target
from sandtable.cli.problems import UsageError
from sandtable.cli.rule_pages import page as rule_page
from sandtable.cli.typed_answers import Unreadable, help_for, offered, read
from sandtable.engine.battle import Battle
from sandtable.engine.explain import signed
from sandtable.engine.judging import Accepted, open_parts
from sandtable.engine.questions import AnyQuestion, Plan, Preview, Refusal
from sandtable.engine.state import Condition, StandingOrder
from sandtable.field.drawing import describe, text_map
from sandtable.lab.rulebooks import rulebook

COMMANDS = """At any question you may also type:
  ?            this page, and how the question is answered
  map          the table as a map            table    the table in words
  rules        the rules behind the question rule ID  the text of a rule
  undo         take your last answer back    why      why you are asked
  order pass   answer this question with a pass from now on;  order pass below 60: while the chance is below 60 %
  orders       your standing orders;  order off: withdraw those for this question
  draw, concede, quit"""


class _Quit(Exception):
    """The player stops."""


def play(args: argparse.Namespace) -> int:
    """Play a battle to its end, or until the player stops."""
    target = None if args.save is None else journal_target(args.save)
    published = rulebook(args.ruleset).publish()
    setup = published.setup(args.scenario, args.size)
    if args.side != "both" and args.side not in setup.sides:
        raise UsageError(f"there is no side {args.side}; play {', '.join(setup.sides)} or both")
    seed = randbelow(1 << 31) if args.seed is None else int(args.seed) if args.seed.isdigit() else args.seed
    ruleset = published.ruleset()
    make_bot(args.against, ruleset, 0)
    battle = Battle(ruleset, setup, seed=seed)
    people = setup.sides if args.side == "both" else (args.side,)
    bots = {side: make_bot(args.against, ruleset, seed, side) for side in setup.sides if side not in people}
    table = _Table(battle, people, args)
    print(f"You play {' and '.join(people)}. Type ? for help. The seed is {seed}.")
    try:
        while not battle.ended:
            side = next(side for side in setup.sides if battle.question_for(side) is not None)
            question = battle.question_for(side)
            assert question is not None
            if side in bots:
                refusal = battle.answer(bots[side].answer(battle.view(side), question), side)
                assert refusal is None, refusal
            else:
                table.ask(side, question)
            if target is not None:
                battle.saved().save(target)
    except (_Quit, EOFError, KeyboardInterrupt):
        kept = f"It is kept: sandtable battle {args.ruleset} --resume {target}" if target else "Nothing was saved."
        print(f"\nStopped. {kept}")
        return 0
    table.tell(people[0])
    ending = battle.table.ending
    assert ending is not None
    print(f"\n{ending.winner or 'Nobody'} wins: {ending.reason}.")
    return 0


class _Table:
    """What the player sees, and what the player says."""

    def __init__(self, battle: Battle, people: tuple[str, ...], args: argparse.Namespace) -> None:
        self.battle = battle
        self.args = args
        setup = battle.journal.header.setup
        words = vocabulary_of(args.ruleset)
        self.logs = {side: BattleLog(setup.sides, setup.options, words, maps=args.maps) for side in people}
        self.told = dict.fromkeys(people, 0)
        self.ledger = rulebook(args.ruleset).ledger()

    def tell(self, side: str) -> None:
        """Tell a side what it has seen happen since it was told last."""
        events = self.battle.logs[side].events
        for event in events[self.told[side] :]:
            self.logs[side].tell(event)
        self.told[side] = len(events)

    def ask(self, side: str, question: AnyQuestion) -> None:
        """Ask until an answer is accepted, or something else has changed the battle."""
        self.tell(side)
        before = len(self.battle.journal.lines)
        while len(self.battle.journal.lines) == before and not self.battle.ended:
            if isinstance(question, Plan):
                draft = self._plan(side, question)
            else:
                draft = self._draft(side, question, question)
            if draft is _CHANGED:
                return
            checked = self.battle.check(draft, side)
            if isinstance(checked, Refusal):
                self._refused(checked)
                continue
            if self._commits(question, checked):
                refusal = self.battle.answer(draft, side)
                assert refusal is None, refusal

    def _plan(self, side: str, plan: Plan) -> Any:
        """Build a plan part by part; `back` takes the last part back."""
        print(f"\n{side}: {plan.prompt}  " + ", ".join(f"{amount} {what}" for what, amount in plan.budget.items()))
        draft: dict[str, Any] = {}
        left_out: list[str] = []
        while True:
            parts = open_parts(self.battle.ruleset, self.battle.view(side), plan, draft)
            assert not isinstance(parts, Refusal), parts
            waiting = [part for part in parts if part.id not in draft and part.id not in left_out]
            if not waiting:
                return draft
            part = waiting[0]
            answer = self._draft(side, part.question, plan, optional=part.optional)
            if answer is _CHANGED:
                return _CHANGED
            if answer is _BACK:
                if not draft:
                    continue
                draft.pop(next(reversed(draft)))
                left_out = []
            elif answer is None and part.optional:
                left_out.append(part.id)
            else:
                trial = {**draft, part.id: answer}
                judged = open_parts(self.battle.ruleset, self.battle.view(side), plan, trial)
                if isinstance(judged, Refusal):
                    self._refused(judged)
                else:
                    draft = trial

    def _draft(self, side: str, question: AnyQuestion, asked: AnyQuestion, *, optional: bool = False) -> Any:
        """Read lines until one is a draft for the question."""
        print(f"\n{side}: {question.prompt}")
        for line in offered(question):
            print(line)
        hint = help_for(question) + (f"; p: {question.decline}" if question.decline else "")
        hint += "; Enter leaves it out" if optional else ""
        while True:
            line = input(f"({hint}) > ").strip()
            if not line and optional:
                return None
            if line.lower() == "back" and isinstance(asked, Plan):
                return _BACK
            command = self._command(side, asked, question, line)
            if command is _CHANGED:
                return _CHANGED
            if command:
                continue
            try:
                return read(question, line)
            except Unreadable as problem:
                print(f"  {problem}")

    def _commits(self, question: AnyQuestion, checked: Accepted) -> bool:
        """Show what the answer would bring, and ask once more where there is something to see."""
        lines = preview_lines(checked.preview())
        if not lines:
            return True
        for line in lines:
            print(f"  {line}")
        return input("(Enter to do it, n to think again) > ").strip().lower() not in ("n", "no")

    def _refused(self, refusal: Refusal) -> None:
        print(f"  Not so: {refusal.sentence}" + (f"  [{refusal.rule}]" if refusal.rule else ""))

    def _command(self, side: str, asked: AnyQuestion, question: AnyQuestion, line: str) -> Any:
        """Carry out what is no answer; says whether it was, or that the battle has changed."""
        word, _, rest = line.partition(" ")
        commands: dict[str, Callable[[], Any]] = {
            "?": lambda: print(f"{COMMANDS}\nThis question: {help_for(question)}."),
            "map": lambda: print(text_map(self.battle.view(side).table)),
            "table": lambda: print(describe(self.battle.view(side).table)),
            "rules": lambda: print("\n".join(self._titles((*question.rules, *asked.rules)))),
            "why": lambda: print("\n".join(self._titles((*question.rules, *asked.rules)))),
            "rule": lambda: print(self._rule(rest.strip())),
            "undo": lambda: self._undo(side),
            "order": lambda: self._order(side, asked, rest),
            "orders": lambda: print("\n".join(self._orders(side)) or "  none"),
            "concede": lambda: self._concede(side),
            "draw": lambda: self._draw(side),
            "quit": self._quit,
        }
        if word.lower() not in commands:
            return False
        return commands[word.lower()]() or True

    def _titles(self, rules: tuple[str, ...]) -> list[str]:
        known = [rule for rule in dict.fromkeys(rules) if rule in self.ledger.rules]
        return [f"  {rule}: {self.ledger.rules[rule].title}" for rule in known] or ["  no rule is named here"]

    def _rule(self, name: str) -> str:
        found = self.ledger.rules.get(name) or next(iter(self.ledger.search(name)), None) if name else None
        return rule_page(found) if found is not None else f"  there is no rule `{name}`"

    def _undo(self, side: str) -> Any:
        refusal = self.battle.undo(side)
        if refusal is not None:
            print(f"  {refusal.sentence}")
            return True
        self.tell(side)
        return _CHANGED

    def _order(self, side: str, asked: AnyQuestion, words: str) -> Any:
        """`pass`, `pass below 60`, `off`."""
        said = words.split()
        rule = asked.rules[0] if asked.rules else ""
        if said[:1] == ["off"]:
            for order in [one for one in self.battle.state.orders if one.side == side and one.rule == rule]:
                self.battle.order(order, withdraw=True)
            print("  withdrawn")
            return True
        if said[:1] != ["pass"] or not (asked.decline or asked.default is not None):
            print("  `order pass` is for questions that can be passed; `order off` withdraws it")
            return True
        when: tuple[Condition, ...] = ()
        if len(said) == 3 and said[1] == "below" and said[2].isdigit():
            when = (Condition("chance", "below", int(said[2])),)
        self.battle.order(StandingOrder(side, rule, None, when))
        print(f"  from the next time on, questions under {rule} are passed" + (f" below {said[2]} %" if when else ""))
        return True

    def _orders(self, side: str) -> list[str]:
        return [f"  {order.rule}: pass" for order in self.battle.state.orders if order.side == side]

    def _concede(self, side: str) -> Any:
        self.battle.concede(side)
        return _CHANGED

    def _draw(self, side: str) -> Any:
        self.battle.offer_draw(side)
        print("  You offer a draw.")
        return _CHANGED if self.battle.ended else True

    def _quit(self) -> Any:
        raise _Quit


#: The battle is not as it was: ask anew.
_CHANGED: Any = object()
_BACK: Any = object()


def preview_lines(preview: Preview) -> list[str]:
    """What a draft would bring, in lines: numbers with their parts, paths, distances, odds."""
    lines = [*preview.notes, *(f"{path.model}: {path.total} of {path.allowance} spent" for path in preview.paths)]
    for number in preview.explanations:
        if number.parts:
            parts = " · ".join(f"{part.label} {signed(part.value)}" for part in number.parts)
            lines.append(f"{number.what} {number.total}: {parts}")
    for sight in preview.sight:
        crossed = ", ".join(
            f"{bead.label} ({'blocks' if bead.blocks else 'counts' if bead.counts else 'does not count'})"
            for bead in sight.beads
        )
        lines.append(("no line of sight" if sight.blocked else "in sight") + (f": {crossed}" if crossed else ""))
    for chance in preview.odds:
        share = round(1000 * chance.numerator / chance.denominator)
        lines.append(f"{share // 10}.{share % 10} %  {chance.label}")
    if preview.odds_note:
        lines.append(preview.odds_note)
    return lines
