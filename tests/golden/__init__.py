"""Golden battles: short journals kept in the repository, so that a change of the rules is seen line by line.

Each is made by bots from a scenario and the first seed whose battle shows what it is for, short enough to be read in
review. `python -m tests.golden` makes them all anew, `python -m tests.golden stargrunt` those of one ruleset.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.bots import make_bot
from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    Counted,
    DeckChanged,
    Declared,
    Landed,
    ModelLost,
    Moved,
    Passed,
    Placed,
    Rolled,
    TakenBack,
)
from sandtable.engine.ids import BLUE, NO_SIDE, RED, RuleId, Side
from sandtable.engine.records.journal import Conceded, Journal, Ordered
from sandtable.engine.ruleset import Setup
from sandtable.engine.shapes import At
from sandtable.engine.state import StandingOrder
from sandtable.lab.rulebooks import rulebook

HERE = Path(__file__).parent
#: What nobody reads to the end in a review is no golden battle.
MOST_EVENTS = 260
#: How many seeds are tried before a battle is given up.
SEEDS = 400


class Golden(NamedTuple):
    """A battle to be kept: who plays what, what it must show, and what is said on the way besides answers."""

    name: str
    scenario: str
    bots: tuple[str, str]
    shows: tuple[str, ...]
    size: int = 0
    answers: int = 40  # then a draw is agreed on, unless somebody concedes
    concedes: Side = NO_SIDE
    undoes: int = 0  # every so many answers the last one is taken back, where that may be done
    orders: tuple[StandingOrder, ...] = ()
    ruleset: str = "quickstart"


PASS_DEFENCE = StandingOrder(BLUE, RuleId("quickstart.shooting.defensive-fire"), None)

GOLDENS = (
    Golden("laid-by-the-rules", "stand-and-fight", ("random", "random"), ("terrain",), answers=30, concedes=RED),
    Golden("duel-taken-back", "duel", ("random", "random"), ("undo", "defensive fire"), undoes=5),
    Golden("duel-under-orders", "duel", ("tactical", "charging"), ("order", "hit"), orders=(PASS_DEFENCE,)),
    Golden("alley-watched", "alley", ("random", "charging"), ("over-watch fire",), concedes=BLUE),
    Golden("alley-shelled", "alley", ("random", "random"), ("indirect fire", "hit"), undoes=7),
    Golden("scrum", "scrum", ("random", "random"), ("close combat", "lost")),
    Golden("crowded-opening", "crowded", ("tactical", "tactical"), (), answers=20),
    Golden("two-a-side", "stand-and-fight", ("charging", "random"), ("terrain", "run 'n gun"), size=2, answers=40),
    *(
        Golden(name, scenario, ("random", "random"), shows, ruleset="stargrunt", **more)
        for name, scenario, shows, more in (
            ("squads-meet", "duel", ("undo", "suppressed"), {"undoes": 6, "answers": 60}),
            ("hand-to-hand", "close-quarters", ("close assault", "lost"), {"answers": 30}),
            ("commanders", "platoons", ("transfer",), {"size": 1, "answers": 40, "concedes": "red"}),
            ("counters-and-dummies", "patrol-clash", ("counters", "terrain"), {"size": 1, "answers": 24}),
            ("the-tired-and-the-hurt", "remnants", ("carried",), {"answers": 30}),
            ("watched", "watchers", ("counters", "observed"), {"size": 1, "answers": 30, "concedes": "blue"}),
        )
    ),
    *(
        Golden(name, scenario, ("random", "random"), shows, ruleset="dropzone", **more)
        for name, scenario, shows, more in (
            ("patrols-meet", "checkpoint", ("undo", "lost"), {"undoes": 6, "answers": 45}),
            ("rooms-and-passages", "house-to-house", ("fortitude", "lost"), {"answers": 40}),
            ("walkers", "gatebreakers", ("lost",), {"answers": 30, "concedes": "blue"}),
            ("cards-and-dropships", "attrition", ("cards",), {"answers": 24, "concedes": "red"}),
            ("around-the-bunkers", "hold-the-bunkers", ("terrain", "deployed"), {"answers": 24}),
            ("homeward", "seize-and-extract", ("terrain",), {"answers": 30}),
        )
    ),
    *(
        Golden(name, scenario, ("random", "random"), shows, ruleset="strikeops", **more)
        for name, scenario, shows, more in (
            ("lances-meet", "meeting", ("undo", "hit"), {"undoes": 6, "answers": 24}),
            ("around-the-depot", "depot", ("hit", "indirect fire"), {"answers": 16}),
            ("ground-of-their-own", "broken-ground", ("terrain",), {"answers": 50, "concedes": "red"}),
            ("lance-and-troop", "lance-and-troop", ("cards",), {"answers": 14}),
            ("storming-the-hill", "three-crowns", ("cards",), {"answers": 14, "concedes": "blue"}),
            ("breaking-through", "last-road", ("cards",), {"answers": 14}),
        )
    ),
)

_SHOWS: dict[str, Callable[[Journal], bool]] = {
    "undo": lambda journal: any(isinstance(event, TakenBack) for event in journal.events()),
    "order": lambda journal: (
        any(isinstance(line, Ordered) for line in journal.lines)
        and any(isinstance(event, Passed) and event.side == "blue" for event in journal.events())
    ),
    "concession": lambda journal: any(isinstance(line, Conceded) for line in journal.lines),
    "over-watch fire": lambda journal: _declares(journal, "over-watch fire"),
    "defensive fire": lambda journal: _declares(journal, "defensive-fire"),
    "run 'n gun": lambda journal: _declares(journal, "run-n-gun"),
    "indirect fire": lambda journal: any(isinstance(event, Landed) for event in journal.events()),
    "close combat": lambda journal: any(
        isinstance(event, Rolled) and ".close-combat." in event.rule for event in journal.events()
    ),
    "hit": lambda journal: any(isinstance(event, Rolled) and event.outcome == "hit" for event in journal.events()),
    "lost": lambda journal: any(isinstance(event, ModelLost) for event in journal.events()),
    "terrain": lambda journal: any(
        (isinstance(event, Rolled) and event.what in ("terrain features", "terrain items"))
        or event.rule.endswith((".standard-terrain", ".standard-scenery"))
        for event in journal.events()
    ),
    "suppressed": lambda journal: any(
        isinstance(event, Counted) and event.what == "suppression" for event in journal.events()
    ),
    "fortitude": lambda journal: any(
        isinstance(event, Rolled) and event.what == "fortitude" for event in journal.events()
    ),
    "cards": lambda journal: any(isinstance(event, DeckChanged) for event in journal.events()),
    "deployed": lambda journal: any(
        isinstance(event, Placed) and isinstance(event.where, At) and event.rule.endswith(".deployment-states")
        for event in journal.events()
    ),
    "close assault": lambda journal: _declares(journal, "close assault"),
    "transfer": lambda journal: _declares(journal, "transfer"),
    "observed": lambda journal: any(
        isinstance(event, Rolled) and event.what == "observe" for event in journal.events()
    ),
    "counters": lambda journal: any(event.rule.endswith(".hidden-counters") for event in journal.events()),
    "carried": lambda journal: any(
        isinstance(event, Moved) and event.manner == "carried" for event in journal.events()
    ),
}


def _declares(journal: Journal, action: str) -> bool:
    return any(isinstance(event, Declared) and event.action == action for event in journal.events())


def shows(journal: Journal) -> list[str]:
    """What a battle has to show."""
    return [name for name, holds in _SHOWS.items() if holds(journal)]


def made(golden: Golden) -> Journal:
    """The first battle, seed by seed, that shows what it is for and is short enough."""
    for seed in range(1, SEEDS + 1):
        journal = played(golden, seed)
        if len(journal.events()) <= MOST_EVENTS and set(golden.shows) <= set(shows(journal)):
            return journal
    raise LookupError(
        f"{golden.name}: none of {SEEDS} seeds shows {', '.join(golden.shows)}; change what it is played by"
    )


def played(golden: Golden, seed: int) -> Journal:
    """One battle of a golden's kind."""
    package = rulebook(golden.ruleset).ruleset()
    ruleset, setup = package, _setup(golden)
    battle = Battle(ruleset, setup, seed=seed)
    bots = {side: make_bot(name, ruleset, seed, side) for side, name in zip(setup.sides, golden.bots, strict=True)}
    for order in golden.orders:
        battle.order(order)
    answers = 0
    while not battle.ended and answers < golden.answers:
        question = battle.questions[0]
        draft = bots[question.side].answer(battle.view(question.side), question)
        refusal = battle.answer(draft, question.side)
        assert refusal is None, refusal
        answers += 1
        if golden.undoes and answers % golden.undoes == 0 and not battle.ended:
            battle.undo(question.side)
    if not battle.ended and golden.concedes:
        battle.concede(golden.concedes)
    elif not battle.ended:
        for side in setup.sides:
            battle.offer_draw(side)
    # Without the digests of ledger and cards: a rule may be reworded, and the battle is the same.
    return Journal(replace(battle.journal.header, digests={}), battle.journal.lines)


def _setup(golden: Golden) -> Setup:
    file = HERE / "scenarios" / f"{golden.scenario}.yaml"
    return rulebook(golden.ruleset).ruleset().setup(str(file) if file.exists() else golden.scenario, golden.size)


def file_of(golden: Golden) -> Path:
    """Where a golden battle is kept."""
    return HERE / golden.ruleset / f"{golden.name}.jsonl"
