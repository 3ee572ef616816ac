"""What `sandtable lab` prints: the ladder of bots, and what positions and models are worth."""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import msgspec

from sandtable.bots.by_name import LEVEL_NAMES, make_bot
from sandtable.engine.records.whole_files import write_whole
from sandtable.forces.files import FileError
from sandtable.lab.ladder import Met, Standing, climb, meetings, pairs_of, scores, standings
from sandtable.lab.matches import Score
from sandtable.lab.rulebooks import rulebook
from sandtable.lab.tuning import Bout, Learned, Price, TuningError, learn, played, prices, printed_points, trial_match
from sandtable.tabletop.weights import Weights

#: How often progress is told, in seconds.
_OFTEN = 5.0


class LabError(FileError):
    """What was asked of the lab makes no sense."""


def ladder(args: argparse.Namespace) -> int:
    """Play a ladder and print it."""
    names = args.bots or list(LEVEL_NAMES)
    jobs = checked(args)
    if len(names) < 2 or len(set(names)) < len(names):
        raise LabError("lab ladder", 0, "a ladder has two bots at least, none of them twice", "name them: `1 2 3`")
    rules = rulebook(args.ruleset).ruleset()
    for name in names:
        make_bot(name, rules, 0)  # which says what is wrong with a name
    sides = rules.setup(args.scenario, args.size).sides
    met = meetings(names, everybody=args.all)
    how = {"seed": args.seed, "size": args.size, "scenario": args.scenario, "forces": sides if args.equal else ("",)}
    pairs = pairs_of(args.ruleset, met, args.battles, **how)
    file = kept_at(args.keep)
    rungs = climb(pairs, file, jobs=jobs, told=Progress("pairs of battles"))
    found = scores(rungs)
    stand = standings(found, rungs, names)
    if args.json:
        print(msgspec.json.encode({"meetings": found, "standings": stand}).decode())
    else:
        print(_page(args.ruleset, rules.version, found, stand))
    return 0


def checked(args: argparse.Namespace) -> int:
    """How many processes play, if what was asked for makes sense."""
    if args.battles < 2:
        raise LabError("--battles", 0, f"{args.battles} battles are no match", "ask for two at least")
    if args.jobs < 0:
        raise LabError("--jobs", 0, f"{args.jobs} processes play nothing", "leave it out for one a core")
    return int(args.jobs or os.cpu_count() or 1)


def kept_at(name: str | None) -> Path | None:
    """The file that battles are kept in, if it can be written."""
    if name is None:
        return None
    path = Path(name)
    try:
        with path.open("ab"):
            return path
    except OSError as error:
        raise LabError(name, 0, f"cannot be written ({error.strerror})", "name a file in a folder of yours") from None


class Progress:
    """Tells on standard error how far something is, now and then."""

    def __init__(self, what: str) -> None:
        self._what, self._begun, self._first, self._last = what, monotonic(), -1, 0.0

    def __call__(self, done: int, of: int) -> None:
        now = monotonic()
        if self._first < 0:
            self._first = done
            if done:
                print(f"{done} of {of} {self._what} are there already", file=sys.stderr)
        elif now - self._last > _OFTEN or done == of:
            left = (now - self._begun) / max(1, done - self._first) * (of - done)
            print(f"{done} of {of} {self._what}, about {_span(left)} left", file=sys.stderr)
            self._last = now


def _span(seconds: float) -> str:
    """A time as people say it.

    >>> _span(5.2), _span(600), _span(7300)
    ('5 s', '10 min', '2.0 h')
    """
    if seconds < 100:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 6000 else f"{seconds / 3600:.1f} h"


def _page(ruleset: str, version: str, met: list[Met], stand: list[Standing]) -> str:
    wide = max(len(one.name) for one in stand)
    lines = [f"{ruleset} {version}, mirrored battles; a win counts one, a draw a half; intervals of 95 %", ""]
    for one in met:
        score = one.score
        lines.append(
            f"  {one.one:>{wide}} against {one.other:<{wide}}  {score.score:.3f} [{score.low:.3f}, {score.high:.3f}]"
            f"  {score.wins} won, {score.draws} drawn, {score.losses} lost, {score.turns:.1f} turns"
        )
    lines += ["", f"  {'bot':>{wide}}    Elo            battles   ms a decision: half below, 99 of 100 below"]
    for bot in stand:
        off = f"± {bot.off:<4.0f}" if bot.off else "      "
        lines.append(
            f"  {bot.name:>{wide}}  {bot.elo:6.0f} {off} {bot.battles:10}   {bot.median:8.2f} {bot.slowest:10.2f}"
        )
    return "\n".join(lines)


def tune(args: argparse.Namespace) -> int:
    """Learn weights, show them with what cards are worth, and write them if they win."""
    jobs = checked(args)
    if args.match < 0:
        raise LabError("--match", 0, f"{args.match} battles are no match", "0 only shows what was learned")
    rules = rulebook(args.ruleset).ruleset()
    for name in (args.bot, args.judge):
        make_bot(name, rules, 0)
    rules.setup(args.scenario, args.size)
    tactics = rules.tactics()
    if tactics is None or not tactics.weights.features:
        raise LabError(args.ruleset, 0, "its tactics weigh no features", "teach it some and their weights first")
    bouts = [Bout(args.ruleset, args.bot, args.size, args.seed + n, args.scenario) for n in range(args.battles)]
    try:
        battles = played(bouts, jobs=jobs, told=Progress("battles"))
        found = learn(battles, tactics.weights, args.seed)
        priced = prices(battles, printed_points(rules))
    except TuningError as problem:
        raise LabError("lab tune", 0, str(problem), "see --battles and --size") from None
    score = None
    if args.match:
        judged = Bout(args.ruleset, args.judge, args.size, args.seed + args.battles, args.scenario)
        score = trial_match(judged, found.weights, args.match, jobs=jobs, told=Progress("battles of the match"))
    wins = score is not None and score.low > 0.5
    if wins:
        write_whole(Path(args.out), weights_text(found.weights).encode())
    if args.json:
        told = {"weights": found.weights, "off": found.off, "prices": priced, "match": score, "kept": wins}
        print(msgspec.json.encode(told).decode())
    else:
        print(_learned_page(found, tactics.weights, priced))
        print(_verdict(score, args.out if wins else ""))
    return 0 if wins or score is None else 1


def weights_text(weights: Weights) -> str:
    """Weights as their file has them.

    >>> print(weights_text(Weights({"life": 1000}, 8000, 40, 1, 170)))
    features:
      life: 1000
    scale: 8000
    battles: 40
    seed: 1
    error: 170
    <BLANKLINE>
    """
    lines = ["features:", *(f"  {name}: {value}" for name, value in weights.features.items())]
    lines += [f"{name}: {getattr(weights, name)}" for name in ("scale", "battles", "seed", "error")]
    return "\n".join(lines) + "\n"


def _learned_page(found: Learned, old: Weights, priced: list[Price]) -> str:
    fit = found.fit
    lines = [
        f"{fit.positions} positions of {fit.battles} battles, intervals of 95 %",
        f"squared error on battles it did not learn from: {fit.error:.3f} ({fit.blind:.3f} by the average alone)",
        "",
    ]
    wide = max(map(len, (*old.features, "scale")))
    for name, value in found.weights.features.items():
        off = f"± {found.off[name]}" if name in found.off else "as it was"
        lines.append(f"  {name:<{wide}}  {value:8} {off:<10} was {old.features[name]}")
    lines.append(f"  {'scale':<{wide}}  {found.weights.scale:8} {'':<10} was {old.scale}")
    if priced:
        wide = max(len(one.card) for one in priced)
        lines += ["", f"  {'card':<{wide}}   worth            printed"]
        for one in priced:
            lines.append(f"  {one.card:<{wide}}  {one.worth:6.0f} ± {one.off:<6.0f} {one.printed or '-':>9}")
    return "\n".join(lines)


def _verdict(score: Score | None, file: str) -> str:
    if score is None:
        return "\nNo match was played, so nothing is written."
    said = f"\nThe new weights score {score.words()}."
    return f"{said} They win, and stand in {file}." if file else f"{said} That is no win, so nothing is written."


PAGES: dict[str, Callable[[argparse.Namespace], int]] = {"ladder": ladder, "tune": tune}
