"""What positions and models are worth, learned from whole battles, as chess programs learn theirs.

Battles are played out between equal bots; of each some positions are kept at random, with who won in the end. A
position is the difference between the two sides' features (`Tactics.features`), and the chance to win is taken to be a
logistic function of their weighted sum. The weights that make what happened likeliest are found by Newton's steps.
Positions of one battle end alike, so the intervals count battles, not positions (the sandwich of clustered errors).

The same fit prices models: its features are then how much of each card a side still has in play.

Everything follows from the seed: battles are gathered in their order, however many processes played them.
"""

from collections.abc import Callable, Mapping, Sequence
from math import exp, log, sqrt
from random import Random
from typing import NamedTuple

import msgspec

from sandtable.bots.by_name import make_bot
from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.ruleset import Ruleset
from sandtable.engine.table import Table
from sandtable.lab.battles import Player, collect_seldom, play_battle
from sandtable.lab.ladder import WIDE, solved
from sandtable.lab.matches import MatchFailed, Pair, Score, play_pair, scored
from sandtable.lab.rulebooks import rulebook
from sandtable.lab.workers import Died, in_children
from sandtable.tabletop.book import Book
from sandtable.tabletop.opponent import Tactics
from sandtable.tabletop.weights import Weights

#: How many positions of a battle are kept, and how strongly weights are held near nothing: as by so many positions.
POSITIONS = 12
HELD = 1.0
#: One battle of so many is not learned from: the error is measured on these.
HELD_OUT = 5
#: No task takes longer, in seconds.
PATIENCE = 6 * 3600.0
#: A lead of `scale` wins three battles of four.
THREE_OF_FOUR = log(3)


class TuningError(Exception):
    """There is nothing to learn from: the message says what is missing."""


class Position(NamedTuple):
    """A moment of a battle: by how much the first side is ahead, feature by feature, and card by card."""

    features: Mapping[str, float]
    cards: Mapping[str, float]


class Battled(NamedTuple):
    """A battle that was learned from: some of its positions, and what the first side got, 1, a half or 0."""

    positions: Sequence[Position]
    result: float


class Bout(NamedTuple):
    """A battle to be played: which, by whom on both sides, and how many of its positions are kept."""

    ruleset: str
    bot: str
    size: int
    seed: int
    scenario: str = ""
    positions: int = POSITIONS


def play_bout(bout: Bout) -> Battled:
    """Play a battle and keep some of its positions, every one as likely as any other."""
    rules = rulebook(bout.ruleset).ruleset()
    setup, tactics = rules.setup(bout.scenario, bout.size), rules.tactics()
    if len(setup.sides) != 2:
        raise TuningError(f"{bout.ruleset}: positions are compared between two sides; here are {len(setup.sides)}")
    players = {side: make_bot(bout.bot, rules, bout.seed, side) for side in setup.sides}
    random, kept, seen = Random(f"positions/{bout.seed}"), list[Position](), 0

    def look(battle: Battle) -> None:
        nonlocal seen
        if battle.ended or not battle.table.turn:
            return
        seen += 1
        at = len(kept) if len(kept) < bout.positions else random.randrange(seen)
        if at < bout.positions:
            kept[at : at + 1] = [_position(tactics, battle.table, *setup.sides)]

    battle = play_battle(rules, setup, players, seed=bout.seed, watch=look, watched=False)
    ending = battle.table.ending
    assert ending is not None
    return Battled(kept, 0.5 if not ending.winner else float(ending.winner == setup.sides[0]))


def _position(tactics: Tactics | None, table: Table, one: Side, other: Side) -> Position:
    mine, theirs = (({} if tactics is None else tactics.features(table, side)) for side in (one, other))
    return Position(_ahead(mine, theirs), _ahead(_in_play(table, one), _in_play(table, other)))


def _ahead(mine: Mapping[str, float], theirs: Mapping[str, float]) -> dict[str, float]:
    return {name: mine.get(name, 0) - theirs.get(name, 0) for name in {**mine, **theirs}}


def _in_play(table: Table, side: Side) -> dict[str, float]:
    """How much of each card a side has in play: a model counts by what it can still take."""
    found: dict[str, float] = {}
    for model in table.models(side):
        left = 1 - model.harm / model.track if model.track else float(not model.harm)
        if model.card:
            found[model.card] = found.get(model.card, 0.0) + left
    return found


Told = Callable[[int, int], None]


def _silently(done: int, of: int) -> None:
    """Nobody hears how far it is."""


def played(bouts: Sequence[Bout], *, jobs: int = 2, told: Told = _silently) -> list[Battled]:
    """The battles, played by so many processes and in the order they were asked for."""
    chunk = max(1, min(20, len(bouts) // (4 * jobs)))
    tasks = [bouts[n : n + chunk] for n in range(0, len(bouts), chunk)]
    found: dict[int, list[Battled]] = {}
    told(0, len(bouts))
    for n, result in in_children(tasks, _play_bouts, jobs=jobs, seconds=PATIENCE):
        if isinstance(result, Died):
            raise MatchFailed(result.why)
        found[n] = result.value
        told(sum(map(len, found.values())), len(bouts))
    return [battle for n in sorted(found) for battle in found[n]]


def _play_bouts(bouts: Sequence[Bout]) -> list[Battled]:
    collect_seldom()
    return [play_bout(bout) for bout in bouts]


# The fit -------------------------------------------------------------------------------------------------------------


class Fitted(NamedTuple):
    """What a fit comes to: each name with its weight and the half of its interval; and the error on other battles."""

    weights: Mapping[str, tuple[float, float]]
    error: float  # the mean squared difference between the chance that was foretold and what came
    blind: float  # the same of one who foretells the average
    battles: int
    positions: int


def fitted(battles: Sequence[tuple[Sequence[Mapping[str, float]], float]], names: Sequence[str]) -> Fitted:
    """The weights under which the results are likeliest: of battles as positions, and what their first side got.

    A constant is fitted besides, for who begins may be ahead for that alone; it is not told.
    """
    learned = [one for n, one in enumerate(battles) if n % HELD_OUT != HELD_OUT - 1]
    others = [one for n, one in enumerate(battles) if n % HELD_OUT == HELD_OUT - 1]
    if not any(positions for positions, _ in learned):
        raise TuningError("no battle has a position to learn from; play more of them")
    spread = [_spread([float(at.get(name, 0)) for there, _ in learned for at in there]) for name in names]
    groups = [([_row(at, names, spread) for at in there], result) for there, result in learned]
    weights = [0.0] * (len(names) + 1)
    for _ in range(50):
        slope, curved = _climb(groups, weights)
        step = solved(curved, slope)
        largest = max(map(abs, step))
        share = min(1.0, 2.0 / largest) if largest else 1.0  # a step of more than that overshoots
        weights = [old + share * new for old, new in zip(weights, step, strict=True)]
        if largest < 1e-8:
            break
    errors = _clustered(groups, weights)
    told = {name: (weights[k] / spread[k], WIDE * errors[k] / spread[k]) for k, name in enumerate(names)}
    base = weights[-1]
    error, blind = _error(others or learned, told, base), _error(others or learned, {}, base)
    return Fitted(told, error, blind, len(battles), sum(len(positions) for positions, _ in battles))


def _spread(values: Sequence[float]) -> float:
    """How far numbers usually lie from nothing; 1 where they always are nothing."""
    return sqrt(sum(value * value for value in values) / max(1, len(values))) or 1.0


#: A position as numbers that are not 0, each with the place of its weight; the constant comes last.
_Row = list[tuple[int, float]]
_Groups = Sequence[tuple[list[_Row], float]]


def _row(at: Mapping[str, float], names: Sequence[str], spread: Sequence[float]) -> _Row:
    found = [(k, at[name] / spread[k]) for k, name in enumerate(names) if at.get(name)]
    return [*found, (len(names), 1.0)]


def _chance(row: _Row, weights: Sequence[float]) -> float:
    lead = sum([x * weights[k] for k, x in row])
    return 1 / (1 + exp(-max(-40.0, min(40.0, lead))))


def _climb(groups: _Groups, weights: Sequence[float]) -> tuple[list[float], list[list[float]]]:
    """How the likelihood rises with each weight, and how it curves; weights are held near nothing a little."""
    size = len(weights)
    slope = [-HELD * weight for weight in weights]
    curved = [[HELD * (n == k) for n in range(size)] for k in range(size)]
    for rows, result in groups:
        for row in rows:
            chance = _chance(row, weights)
            missed, weight = result - chance, chance * (1 - chance)
            for k, x in row:
                slope[k] += missed * x
                along = curved[k]
                for n, y in row:
                    along[n] += weight * x * y
    return slope, curved


def _clustered(groups: _Groups, weights: Sequence[float]) -> list[float]:
    """The standard error of every weight, with the positions of a battle taken as one."""
    size = len(weights)
    _, curved = _climb(groups, weights)
    inverse = [solved(curved, [float(n == k) for n in range(size)]) for k in range(size)]
    meat = [[0.0] * size for _ in range(size)]
    for rows, result in groups:
        pull = [0.0] * size
        for row in rows:
            missed = result - _chance(row, weights)
            for k, x in row:
                pull[k] += missed * x
        for k in range(size):
            for n in range(size):
                meat[k][n] += pull[k] * pull[n]
    found = []
    for k in range(size):
        half = [sum(inverse[k][n] * meat[n][m] for n in range(size)) for m in range(size)]
        found.append(sqrt(max(0.0, sum(half[m] * inverse[k][m] for m in range(size)))))
    return found


def _error(
    battles: Sequence[tuple[Sequence[Mapping[str, float]], float]], told: Mapping[str, tuple[float, float]], base: float
) -> float:
    """The mean squared difference between what weights foretell and what came, over positions."""
    names, weights = list(told), [*(weight for weight, _ in told.values()), base]
    even = [1.0] * len(names)
    missed = [
        (result - _chance(_row(at, names, even), weights)) ** 2 for positions, result in battles for at in positions
    ]
    return sum(missed) / max(1, len(missed))


# Weights and prices --------------------------------------------------------------------------------------------------


class Learned(NamedTuple):
    """Weights that were learned, with half of every interval, in the same unit."""

    weights: Weights
    off: Mapping[str, int]
    fit: Fitted


def learn(battles: Sequence[Battled], old: Weights, seed: int) -> Learned:
    """New weights for the features that have one: the first named keeps its weight, and all others follow.

    Where the first is not known to be good for anything, the one that is known best takes its place. A feature in which
    the sides never differed keeps its weight too: nothing was learned about it.
    """
    differ = {name for one in battles for at in one.positions for name, more in at.features.items() if more}
    names = [name for name in old.features if name in differ]
    fit = fitted([([at.features for at in one.positions], one.result) for one in battles], names)
    sure = [name for name in names if fit.weights[name][0] * old.features[name] > 0]
    sure.sort(key=lambda name: -abs(fit.weights[name][0]) / (fit.weights[name][1] or 1e-9))
    anchors = [name for name in names[:1] if name in sure and abs(fit.weights[name][0]) > fit.weights[name][1]]
    if not sure:
        raise TuningError("nothing that was known of a position told who won; play more battles, or larger ones")
    anchor = (anchors or sure)[0]
    by = old.features[anchor] / fit.weights[anchor][0]
    weights = Weights(
        {**old.features, **{name: round(by * fit.weights[name][0]) for name in names}},
        max(1, round(abs(by) * THREE_OF_FOUR)),
        len(battles),
        seed,
        round(1000 * fit.error),
    )
    return Learned(weights, {name: round(abs(by) * fit.weights[name][1]) for name in names}, fit)


class Price(NamedTuple):
    """What a card is worth, give or take, in points, beside those that are printed (0 where none are)."""

    card: str
    worth: float
    off: float
    printed: int


def prices(battles: Sequence[Battled], printed: Mapping[str, int]) -> list[Price]:
    """What cards are worth, in points: all that have printed ones are worth as much together as is printed.

    Where nothing is printed, the average card is worth 100. What both sides always have alike is left out.
    """
    cards = sorted({card for one in battles for at in one.positions for card, more in at.cards.items() if more})
    if not cards:
        return []
    fit = fitted([([at.cards for at in one.positions], one.result) for one in battles], cards)
    known = [card for card in cards if printed.get(card)] or cards
    points = sum(printed.get(card) or 100 for card in known)
    total = sum(fit.weights[card][0] for card in known)
    by = points / total if total > 0 else 0.0
    found = [Price(card, by * fit.weights[card][0], by * fit.weights[card][1], printed.get(card, 0)) for card in cards]
    return sorted(found, key=lambda one: (-one.worth, one.card))


def printed_points(rules: Book) -> dict[str, int]:
    """The printed points of every card that has some."""
    return {} if rules.cards is None else {card.id: card.points for card in rules.cards if card.points}


# Whether they win ----------------------------------------------------------------------------------------------------


def taught(rules: Book, weights: Weights) -> Book:
    """The same rules, whose opponent weighs positions otherwise."""

    class Taught(type(rules)):  # type: ignore[misc]
        def tactics(self) -> Tactics | None:
            tactics: Tactics | None = super().tactics()
            if tactics is not None:
                tactics.weights = weights
            return tactics

    made: Book = Taught(*rules.catalogues)
    return made


class Trial(msgspec.Struct, frozen=True):
    """A pair of battles between the new weights and those that there are."""

    pair: Pair
    weights: Weights


NEW, OLD = "new", "old"


def trial_match(bout: Bout, weights: Weights, battles: int, *, jobs: int = 2, told: Told = _silently) -> Score:
    """The score of a bot with new weights against itself with those that there are, in mirrored battles."""
    names = f"{NEW} {bout.bot}", f"{OLD} {bout.bot}"
    tables = [Pair(bout.ruleset, *names, bout.size, bout.seed + n, bout.scenario) for n in range((battles + 1) // 2)]
    pairs = [Trial(table, weights) for table in tables]
    found: dict[int, list[tuple[float, int]]] = {}
    told(0, 2 * len(pairs))
    for n, result in in_children(pairs, _try, jobs=jobs, seconds=PATIENCE):
        if isinstance(result, Died):
            raise MatchFailed(result.why)
        found[n] = result.value
        told(2 * len(found), 2 * len(pairs))
    return scored([found[n] for n in sorted(found)])


def _try(trial: Trial) -> list[tuple[float, int]]:
    collect_seldom()
    new = taught(rulebook(trial.pair.ruleset).ruleset(), trial.weights)

    def make(name: str, rules: Ruleset, seed: int, side: Side) -> Player:
        which, _, bot = name.partition(" ")
        return make_bot(bot, new if which == NEW else rules, seed, side)

    return play_pair(trial.pair, make)
