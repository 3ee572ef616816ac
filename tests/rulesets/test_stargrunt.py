"""Stargrunt as far as it is built: its battles keep every promise, and its odds of fire are exact."""

from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest

import sandtable.rulesets.stargrunt as stargrunt
from sandtable.engine.battle import Battle
from sandtable.engine.enumerator import distribution
from sandtable.engine.state import State
from sandtable.forces.data import Data
from sandtable.forces.files import read_text
from sandtable.lab.rulebooks import Published
from sandtable.rulesets.stargrunt.fire import FireAction
from tests.miniatures.test_complete import no_bases_overlap
from tests.promises import keep_promises, refold_in_fresh_process

#: mypy holds the package to the protocol here.
CHECKED: Published = stargrunt
MADE_UP = Path(__file__).parents[2] / "cases" / "stargrunt" / "catalogue.yaml"


@pytest.mark.parametrize(
    ("scenario", "size", "seed"),
    [
        ("duel", 1, 1),
        ("duel", 2, 2),
        ("platoons", 1, 3),
        ("close-quarters", 0, 4),
        ("bombardment", 0, 5),
        ("mined-crossing", 0, 6),
        ("gunships", 0, 7),
    ],
)
def test_random_battles_keep_every_promise(scenario: str, size: int, seed: int) -> None:
    setup = stargrunt.setup(scenario, size)
    played = keep_promises(stargrunt.ruleset, setup, seed, invariants=(no_bases_overlap,))
    refold_in_fresh_process([played])


def laid_out(inches: str, cover: str) -> Battle:
    """A fires at B, alone each, so far apart and in such cover."""
    text = f"""
    board: {{width: 72, height: 30, terrain: [{cover}]}}
    red: [{{model: scout, as: A, at: [2, 10]}}]
    blue: [{{model: scout, as: B, at: [{inches}, 10], states: [first suppression done]}}]
    turn: A
    """
    words = stargrunt.case_words([MADE_UP])
    return Battle(words.ruleset, words.start(Data(read_text(text, "it"), "it")), seed=1)


def by_hand(range_die: int, armour: int, impact: int) -> dict[str, Fraction]:
    """Every way the dice of two dice (D8 and D4) against a Range Die can fall, counted without the rules' code."""
    found: Counter[str] = Counter()
    total = 0
    unhurt = Fraction(sum(i <= a for a in range(1, armour + 1) for i in range(1, impact + 1)), armour * impact)
    chances: dict[str, Fraction] = {"nothing": Fraction(0), "suppressed": Fraction(0), "hurt": Fraction(0)}
    for quality, power, theirs in product(range(1, 9), range(1, 5), range(1, range_die + 1)):
        total += 1
        exceeding = (quality > theirs) + (power > theirs)
        if exceeding < 2:
            found["nothing" if exceeding == 0 else "suppressed"] += 1
            continue
        hits, rest = divmod(quality + power, range_die)
        more = Fraction(rest, range_die)
        safe = unhurt**hits * (1 - more) + unhurt ** (hits + 1) * more
        chances["suppressed"] += safe
        chances["hurt"] += 1 - safe
    return {name: (chances[name] + found[name]) / total for name in chances}


def outcome(state: State) -> str:
    table = state.table
    if table["B1"].harm:
        return "hurt"
    return "suppressed" if table["B"].count("suppression") else "nothing"


@pytest.mark.parametrize(
    ("inches", "cover", "range_die", "armour", "impact"),
    [
        ("10", "", 4, 6, 10),
        ("18", "", 6, 6, 10),
        ("26", "", 8, 6, 10),
        ("10", "{kind: light-scrub, rectangle: [9, 9, 2, 2]}", 6, 8, 10),
        ("10", "{kind: rocks, rectangle: [9, 9, 2, 2]}", 8, 10, 10),
        ("18", "{kind: rocks, rectangle: [17, 9, 2, 2]}", 10, 10, 10),
    ],
)
def test_the_odds_of_fire_are_those_counted_by_hand(
    inches: str, cover: str, range_die: int, armour: int, impact: int
) -> None:
    battle = laid_out(inches, cover)
    state = battle.boundary()
    state.agenda = [FireAction("A", "B", True)]
    found = distribution(battle.ruleset, state, read=outcome)
    expected = by_hand(range_die, armour, impact)
    assert found.exact
    assert {one.what: one.chance for one in found.outcomes} == expected


def test_what_is_not_built_is_said() -> None:
    assert stargrunt.COMPLETE is False
    assert stargrunt.__doc__ is not None
    assert "Not yet" in stargrunt.__doc__
