"""Which rules of a ledger are cited in code, proved by a passing case, and fired in whole simulated battles.

A rule fires when a battle names it: an event, a part of an explanation, a refusal, a question. A rule of the catalogue
fires when what it describes is in play. Rules that no battle can fire stand in `unfired.yaml`, at most one in ten,
each with its reason. Of what a ruleset that is not complete names as still to come (`Book.later`) nothing is missing.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from sandtable.engine.answers.judging import offered
from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.records.journal import Happened
from sandtable.engine.ruleset import Ruleset
from sandtable.forces.files import FileError, LedgerError, read_file, shown
from sandtable.forces.ledger import Ledger
from sandtable.forces.reading import convert
from sandtable.forces.scenario import package_scenarios
from sandtable.lab.battles import Player, play_battle
from sandtable.lab.cases.batch import play_all
from sandtable.lab.cases.form import Case
from sandtable.lab.cases.runner import Outcome
from sandtable.lab.rulebooks import Rulebook
from sandtable.tabletop.book import Book

UNFIRED = "unfired.yaml"

#: One rule in so many may stand in the list of those that no battle fires.
ONE_IN = 10

#: Makes the player of a side: the rules, the side, and a seed of its own.
MakePlayer = Callable[[Ruleset, Side, str], Player]


class Played(msgspec.Struct, frozen=True):
    """One battle that was played for the report."""

    seed: int
    scenario: str
    winner: Side
    turns: int
    events: int
    digest: str


class Coverage(msgspec.Struct, frozen=True):
    """The report about a ruleset."""

    ruleset: str
    rules: tuple[str, ...]
    cited: tuple[str, ...]
    proved: tuple[str, ...]
    fired: tuple[str, ...]
    battles: tuple[Played, ...]
    unfired: dict[str, str]  # rule → why no battle fires it
    failing: tuple[Outcome, ...] = ()
    later: dict[str, str] = {}  # rule → the delivery it waits for

    def missing(self, fact: str) -> tuple[str, ...]:
        """The rules that lack one of the facts, in the ledger's order.

        What is still to come is left out, unless a case proves of it what has come already; that need not be fired
        yet, as little as what no battle can fire.
        """
        waits = self.later if fact == "fired" else self.waiting
        have = {*getattr(self, fact), *waits, *(self.unfired if fact == "fired" else ())}
        return tuple(rule for rule in self.rules if rule not in have)

    @property
    def waiting(self) -> dict[str, str]:
        """The rules of which nothing has come yet, each with its delivery: no case proves any of it."""
        return {rule: delivery for rule, delivery in self.later.items() if rule not in self.proved}

    @property
    def too_many_unfired(self) -> bool:
        """Whether the list of rules that no battle fires is longer than it may be."""
        return len(self.unfired) * ONE_IN > len(self.rules)

    @property
    def fired_after_all(self) -> tuple[str, ...]:
        """Rules in the list that did fire: the list is out of date."""
        return tuple(rule for rule in self.unfired if rule in self.fired)

    def plain(self) -> dict[str, Any]:
        """The report as plain data, for JSON."""
        facts = ("cited", "proved", "fired")
        return {
            "rules": len(self.rules),
            **{fact: len(getattr(self, fact)) for fact in facts},
            "battles": [msgspec.to_builtins(battle) for battle in self.battles],
            "unfired": self.unfired,
            "later": self.waiting,
            "missing": {fact: list(self.missing(fact)) for fact in facts},
            "failing_cases": [outcome.name for outcome in self.failing],
        }


class _Entry(msgspec.Struct, frozen=True):
    rule: str
    reason: str


class _File(msgspec.Struct, frozen=True):
    ruleset: str
    unfired: list[_Entry] = []


def unfired(book: Rulebook, ledger: Ledger) -> dict[str, str]:
    """The rules that no battle fires, each with its reason; none where there is no such file."""
    file = book.file(UNFIRED)
    if not file.is_file():
        return {}
    node = read_file(file, LedgerError)
    found: dict[str, str] = {}
    for n, entry in enumerate(convert(node, _File, shown(file), LedgerError).unfired):
        line = node.line_of("unfired", n)
        if entry.rule not in ledger.rules:
            raise LedgerError(shown(file), line, f"there is no rule `{entry.rule}`", ledger.nearest(entry.rule))
        if entry.rule in found:
            raise LedgerError(shown(file), line, f"`{entry.rule}` stands here twice", "keep one of them")
        if not entry.reason.strip():
            raise LedgerError(shown(file), line, f"`{entry.rule}` has no reason", "say why no battle can fire it")
        found[entry.rule] = entry.reason
    return found


def coverage(
    book: Rulebook,
    cases: Sequence[Case],
    make_player: MakePlayer,
    *,
    seeds: Iterable[int] = range(1, 21),
    size: int = 0,
    jobs: int = 2,
    told: Callable[[int], None] = lambda done: None,
) -> Coverage:
    """Join a ledger with the three facts.

    The battles go through the ruleset's scenarios one after the other. `size` is theirs where they can be had in it, 0
    the ruleset's own choice; `told` hears how many battles are played.
    """
    ledger = book.ledger()
    listed = unfired(book, ledger)
    outcomes = play_all(cases, jobs=jobs, find=lambda name: book)
    rules = book.ruleset()
    witness = Witness(rules)
    scenarios = tuple(package_scenarios(book.name)) or ("",)
    battles = []
    for done, seed in enumerate(seeds, 1):
        scenario = scenarios[seed % len(scenarios)]
        battles.append(witnessed(rules, witness, make_player, scenario, size, seed))
        told(done)
    proved = {rule for outcome in outcomes if outcome.passed for rule in outcome.proves}
    return Coverage(
        ruleset=book.name,
        rules=tuple(ledger.rules),
        cited=tuple(rule for rule in ledger.rules if rule in ledger.cited),
        proved=tuple(rule for rule in ledger.rules if rule in proved),
        fired=tuple(rule for rule in ledger.rules if rule in witness.fired),
        battles=tuple(battles),
        unfired=listed,
        failing=tuple(outcome for outcome in outcomes if not outcome.passed),
        later=dict(rules.later),
    )


def witnessed(rules: Book, witness: "Witness", make_player: MakePlayer, scenario: str, size: int, seed: int) -> Played:
    """Play a battle with a witness."""
    ruleset = witness.listening(rules.fresh())
    try:
        setup = rules.setup(scenario, size)
    except FileError:  # laid out to the last model, it has no size
        setup = rules.setup(scenario)
    players = {side: make_player(ruleset, side, f"{seed}/{side}") for side in setup.sides}
    battle = play_battle(ruleset, setup, players, seed=seed, watch=witness.watch)
    assert battle.table.ending is not None
    events = sum(isinstance(line, Happened) for line in battle.journal.lines)
    return Played(seed, scenario, battle.table.ending.winner, battle.table.turn, events, battle.digest())


class Witness:
    """Notes every rule that battles name."""

    def __init__(self, rules: Book) -> None:
        self.rules = rules
        self.fired: dict[str, None] = {}
        self._battle: Battle | None = None
        self._seen = 0
        self._things: set[tuple[str, str]] = set()

    def watch(self, battle: Battle) -> None:
        """Note what the open questions and the events since the last look name."""
        if battle is not self._battle:
            self._battle, self._seen = battle, 0
        lines = battle.journal.lines
        for line in lines[self._seen :]:
            if isinstance(line, Happened):
                self.note(line.event)
        self._seen = len(lines)
        for question in battle.questions:
            self.note(offered(battle.ruleset, battle.view(question.side), question))
        for thing in battle.table.things.values():
            what = (thing.kind, thing.card or thing.id)
            if what not in self._things:
                self._things.add(what)
                self.fired.update(dict.fromkeys(self.rules.in_play(thing)))

    def note(self, named: Any) -> None:
        """Note the rules that something names, however deep inside it."""
        self._walk(msgspec.to_builtins(named, str_keys=True))

    def _walk(self, plain: Any) -> None:
        if isinstance(plain, Mapping):
            for key, value in plain.items():
                if key == "rule" and isinstance(value, str):
                    self.fired[value] = None
                elif key == "rules" and isinstance(value, list | tuple):
                    self.fired.update((rule, None) for rule in value if isinstance(rule, str))
                else:
                    self._walk(value)
        elif isinstance(plain, list | tuple):
            for value in plain:
                self._walk(value)

    def listening(self, ruleset: Book) -> Book:
        """The ruleset, telling what its judges and previews name.

        The methods of this one object are wrapped: a ruleset may ask for its own kind by `isinstance`, so another
        object cannot stand in for it.
        """
        for name in ("judge", "preview", "parts"):
            setattr(ruleset, name, self._noting(getattr(ruleset, name)))
        return ruleset

    def _noting(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def told(*args: Any, **named: Any) -> Any:
            given = method(*args, **named)
            if given:
                self.note(given)
            return given

        return told
