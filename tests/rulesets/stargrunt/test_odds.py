"""Exact odds of infantry fire, from the code that plays, against an independent calculation with icepool."""

from fractions import Fraction
from functools import cache
from pathlib import Path

import icepool
import pytest

import sandtable.rulesets.stargrunt as stargrunt
from sandtable.engine.battle import Battle
from sandtable.engine.enumerator import distribution
from sandtable.engine.state import State
from sandtable.forces.data import Data
from sandtable.forces.files import read_text
from sandtable.rulesets.stargrunt.fire.shots import FireAction
from sandtable.tabletop.case_words import CaseWords

MADE_UP = Path(__file__).parents[3] / "cases" / "stargrunt" / "catalogue.yaml"

#: The five qualities with their die, which is its range band in inches too: written by hand, not from the ledger.
QUALITIES = {"untrained": 4, "green": 6, "regular": 8, "veteran": 10, "elite": 12}
LADDER = (4, 6, 8, 10, 12)
#: The kinds of cover, with how far each shifts Range Die and Armour Die.
COVERS = {"": 0, "light-scrub": 1, "rocks": 2}
#: A lone scout: two points of firepower are a D4, its rifle's impact is a D10, its armour a D6.
FIREPOWER, IMPACT, ARMOUR = 4, 10, 6


@cache
def case_words() -> CaseWords:
    """The words of cases, read once."""
    return stargrunt.RULESET.with_cards([MADE_UP]).case_words()


def laid_out(quality: str, inches: str, cover: str, *, dug_in: bool = False) -> Battle:
    """A fires at B, alone each, so far apart and in such cover; B has been under fire before, and its nerve is good."""
    at = float(inches)
    terrain = f"{{kind: {cover}, rectangle: [{at - 1}, 9, 2, 2]}}" if cover else ""
    states = "[first suppression done, in position]" if dug_in else "[first suppression done]"
    text = f"""
    board: {{width: 72, height: 30, terrain: [{terrain}]}}
    red: [{{model: scout, as: A, at: [2, 10], states: {{quality: {quality}}}}}]
    blue: [{{model: scout, as: B, at: [{inches}, 10], states: {states}}}]
    turn: A
    """
    words = case_words()
    return Battle(words.ruleset, words.start(Data(read_text(text, "it"), "it")), seed=1)


def outcome(state: State) -> str:
    """What became of B."""
    figure = state.table["B1"]
    if figure.gone or figure.harm:
        return "dead" if figure.gone else "wounded"
    return "suppressed" if state.table["B"].count("suppression") else "nothing"


@cache
def one_hit(shift: int) -> "icepool.Die[str]":
    """One potential hit: impact against armour, with what cover does beyond D12 taken off the impact."""
    step = LADDER.index(ARMOUR) + shift
    over = max(0, step - 4)
    armour, impact = LADDER[min(4, step)], LADDER[max(0, LADDER.index(IMPACT) - over)]

    def harm(blow: int, guard: int) -> str:
        return "dead" if blow > 2 * guard else "wounded" if blow > guard else "unhurt"

    return icepool.map_function(harm)(icepool.d(impact), icepool.d(armour))


@cache
def after_hits(hits: int, shift: int) -> "icepool.Die[str]":
    """What so many potential hits do to one figure: a second wound kills, and the dead are hit no more."""
    if not hits:
        return icepool.Die(["unhurt"])

    def worse(before: str, hit: str) -> str:
        if before == "dead" or hit == "unhurt":
            return before
        return "dead" if hit == "dead" or before == "wounded" else "wounded"

    return icepool.map_function(worse)(after_hits(hits - 1, shift), one_hit(shift))


def by_icepool(quality: int, steps: int, shift: int) -> dict[str, Fraction]:
    """The odds of a fire action without the rules' code: the Range Die of so many steps, cover of such a shift."""
    range_die = LADDER[max(0, steps - 1)]

    def fire(mine: int, power: int, theirs: int) -> "icepool.Die[str] | str":
        higher = (mine > theirs) + (power > theirs)
        return hurt(*divmod(mine + power, range_die)) if higher == 2 else "suppressed" if higher else "nothing"

    @cache
    def hurt(hits: int, left: int) -> "icepool.Die[str]":
        ways = {after_hits(hits, shift): range_die - left, after_hits(hits + 1, shift): left}
        return icepool.Die(ways).map({"unhurt": "suppressed"})

    rolled = icepool.map(fire, icepool.d(quality), icepool.d(FIREPOWER), icepool.d(range_die))
    return {what: rolled.probability(what) for what in rolled.outcomes()}


def cases() -> list[tuple[str, int, str, bool]]:
    """Every quality at every range band in every cover that can be shot at; Regulars at those In Position too."""
    found = []
    for quality in QUALITIES:
        for band in range(1, 6):
            for cover, shift in COVERS.items():
                stances = (False, True) if quality == "regular" else (False,)
                found += [(quality, band, cover, dug_in) for dug_in in stances if band + shift + dug_in <= 5]
    return found


@pytest.mark.parametrize(("quality", "band", "cover", "dug_in"), cases())
def test_exact_odds_of_fire_equal_an_independent_calculation(quality: str, band: int, cover: str, dug_in: bool) -> None:
    die = QUALITIES[quality]
    battle = laid_out(quality, str(2 + band * die), cover, dug_in=dug_in)
    state = battle.boundary()
    state.agenda = [FireAction("A", "B", True)]
    found = distribution(battle.ruleset, state, read=outcome)
    assert found.exact
    expected = by_icepool(die, band + COVERS[cover] + dug_in, COVERS[cover])
    assert {one.what: one.chance for one in found.outcomes} == expected


def test_every_band_quality_and_cover_is_compared() -> None:
    assert {(quality, band) for quality, band, _, _ in cases()} == {(q, b) for q in QUALITIES for b in range(1, 6)}
    assert {cover for _, _, cover, _ in cases()} == set(COVERS)
