"""What a Stargrunt player sees before he commits is what the rules then play: every fall of the dice is walked."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from math import prod
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import sandtable.rulesets.stargrunt as stargrunt
from sandtable.engine.battle import Accepted, Battle
from sandtable.engine.enumerator import distribution
from sandtable.engine.ids import RED
from sandtable.engine.questions import Allocate, AnyQuestion, MoveModels, Preview
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, Leg, Point, Via, Walk
from sandtable.engine.state import State
from sandtable.engine.table import Mark
from sandtable.forces.data import Data
from sandtable.forces.files import read_text
from sandtable.rulesets.stargrunt.chapter import Activate
from sandtable.rulesets.stargrunt.close_assault.fights import Charge, Fight, PairOff
from sandtable.rulesets.stargrunt.dice.rolls import dice_against
from sandtable.rulesets.stargrunt.fire.volleys import effect
from sandtable.rulesets.stargrunt.units.record import spot
from sandtable.tabletop.case_words import CaseWords

CASES = Path(__file__).parents[3] / "cases" / "stargrunt"
BLUE = "blue: [{model: scout, as: B, at: [10, 4]}]"


@cache
def case_words(chapter: str) -> CaseWords:
    """The words of the cases of a chapter, with its made-up cards."""
    made_up = [CASES / "catalogue.yaml", *(CASES / chapter).glob("catalogue.yaml")] if chapter else []
    return stargrunt.RULESET.with_cards(made_up or [CASES / "catalogue.yaml"]).case_words()


def laid_out(text: str, chapter: str = "") -> Battle:
    """A battle as a case lays it out, at the first action of A."""
    words = case_words(chapter)
    return Battle(words.ruleset, words.start(Data(read_text(f"{text}\nturn: A\n", "it"), "it")), seed=1)


def asked(battle: Battle, *answers: Any) -> Preview:
    """The preview of the last of some answers, the others given."""
    for answer in answers[:-1]:
        refusal = battle.answer(answer, battle.questions[0].side)
        assert refusal is None, refusal
    checked = battle.check(answers[-1], battle.questions[0].side)
    assert isinstance(checked, Accepted), checked
    return checked.preview()


def odds(preview: Preview) -> dict[str, Fraction]:
    """The exact chances of a preview by their labels."""
    assert all(one.range is None for one in preview.odds)
    return {one.label: Fraction(one.numerator, one.denominator) for one in preview.odds}


def played(battle: Battle, answers: Sequence[Any], read: Callable[[State], str]) -> dict[str, Fraction]:
    """What comes of some answers, one after the other, by the rules themselves: all that follows until A acts again."""
    state = battle.boundary()
    given: dict[str, Any] = {}

    def says(view: View, question: AnyQuestion) -> Any:
        return given.get(question.topic)

    tried = battle.clone()
    for answer in answers:
        given[tried.questions[0].topic] = answer
        if answer is not answers[-1]:
            assert tried.answer(answer, tried.questions[0].side) is None
    usual = {type(step) for step in state.agenda} | {Activate}
    found = distribution(
        battle.ruleset,
        state,
        read=read,
        answers=says,
        until=lambda later: all(type(step) in usual for step in later.agenda),
    )
    assert found.exact
    return {str(one.what): one.chance for one in found.outcomes}


def holds(text: str, answers: Sequence[Any], read: Callable[[State], str], chapter: str = "") -> Preview:
    """See that the odds of a preview are those of the play; whatever it has no word for may happen too."""
    truth = played(laid_out(text, chapter), answers, read)
    shown = asked(laid_out(text, chapter), *answers)
    assert odds(shown) == {label: truth.get(label, Fraction(0)) for label in odds(shown)}
    assert sum(truth.get(label, Fraction(0)) for label in odds(shown)) > 0
    return shown


def open_ground(
    red: str, blue: str = "{model: scout, as: B, at: [10, 4]}", terrain: str = "", options: str = ""
) -> str:
    """A board with a few units."""
    board = f"board: {{width: 36, height: 30, terrain: [{terrain}]}}"
    return f"{board}\nred: [{red}]\nblue: [{blue}]\n{options}"


# Tests of nerve ----------------------------------------------------------------------------------------------------


def test_removing_suppression() -> None:
    shown = holds(
        open_ground("{model: scout, as: A, at: [6, 24], counts: {suppression: 2}}"),
        ["remove-suppression"],
        lambda state: "a marker is removed" if state.table["A"].count("suppression") < 2 else "",
    )
    assert odds(shown) == {"a marker is removed": Fraction(3, 4)}  # a D8 above an LV of 2
    assert shown.notes == ("removing suppression: D8 has to exceed 2",)
    assert [(one.total, one.words()) for one in shown.explanations] == [(2, "LV +2")]


@pytest.mark.parametrize(("cover", "share"), [("", Fraction(1, 2)), ("rocks", Fraction(3, 4))])
def test_going_in_position(cover: str, share: Fraction) -> None:
    ground = f"{{kind: {cover}, rectangle: [4, 22, 4, 4]}}" if cover else ""
    shown = holds(
        open_ground("{model: scout, as: A, at: [6, 24]}", terrain=ground),
        ["go-in-position"],
        lambda state: "it is In Position" if state.table["A"].has("in position") else "",
    )
    assert odds(shown) == {"it is In Position": share}  # above 2, in the open above 4


def test_getting_over_a_panic() -> None:
    def read(state: State) -> str:
        unit = state.table["A"]
        lost = "a Confidence Level is lost" if unit.value("confidence") == "ST" else ""
        return lost if unit.has("panicked") else "it gets over it"

    text = open_ground("{model: scout, as: A, at: [6, 24], states: {panicked: 1, confidence: CO}}")
    shown = holds(text, ["remove-panic"], read)
    assert odds(shown)["a Confidence Level is lost"] == Fraction(1, 8)


def go_to(x: int, y: int) -> dict[str, Walk]:
    """A1 goes straight to a point, in inches."""
    return {"A1": Walk((Via(Point(x * UNIT, y * UNIT)),))}


def at(state: State, name: str) -> Point:
    """Where something stands."""
    return spot(state.table[name])


@pytest.mark.parametrize(
    ("states", "share"),
    [
        ("[in position]", Fraction(1, 2)),  # above LV 2 and 2
        ("{in position: 1, confidence: SH}", Fraction(1, 4)),  # nearer to B: above LV 2 and 2 again
    ],
)
def test_a_move_that_needs_tests(states: str, share: Fraction) -> None:
    def read(state: State) -> str:
        return "it goes" if at(state, "A1").y < 24 * UNIT else ""

    shown = holds(open_ground(f"{{model: scout, as: A, at: [6, 24], states: {states}}}"), ["move", go_to(6, 20)], read)
    assert odds(shown) == {"it goes": share}
    assert shown.paths


@pytest.mark.parametrize("inches", [4, 5, 12])
def test_how_far_a_combat_move_comes(inches: int) -> None:
    def read(state: State) -> str:
        return "it gets all the way" if at(state, "A1").y == (24 - inches) * UNIT else ""

    shown = holds(open_ground("{model: scout, as: A, at: [6, 24]}"), ["combat-move", go_to(6, 24 - inches)], read)
    needed = -(-inches // 2)  # two inches for each point of a D6
    assert odds(shown) == {"it gets all the way": Fraction(7 - needed, 6)}


def test_treating_wounded() -> None:
    fates = ("dead", "stabilised", "ok")

    def read(state: State) -> str:
        one = state.table["A3"]
        return f"{one.label}: " + fates[0 if one.gone else 1 if one.has("stabilised") else 2]

    text = open_ground("{model: medics, as: A, at: [6, 24], options: {wounded: ['3']}}")
    shown = holds(text, ["reorganise", ("A3",)], read)
    assert sum(odds(shown).values()) == 1
    assert [one.words() for one in shown.explanations] == ["medic +1"]


# Fire --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dice", [(4, 4), (8, 6), (6, 12, 8)])
@pytest.mark.parametrize("against", [4, 6, 12])
def test_the_effect_of_dice_is_that_of_every_fall(dice: tuple[int, ...], against: int) -> None:
    found: dict[object, Fraction] = {}
    share = Fraction(1, against * prod(dice) * against)
    for guard, left, *mine in product(range(1, against + 1), range(1, against + 1), *(range(1, d + 1) for d in dice)):
        higher = sum(one > guard for one in mine)
        what: object = ("fail", "minor")[higher] if higher < 2 else sum(mine) // against + (left <= sum(mine) % against)
        found[what] = found.get(what, Fraction(0)) + share
    shown = effect(dice_against(dice, against))
    assert shown.fail == found.pop("fail")
    assert shown.minor == found.pop("minor", Fraction(0))
    assert {n: one for n, one in enumerate(shown.hits) if one} == found


def hurt_of(unit: str) -> Callable[[State], str]:
    """What fire did to a unit, in the words of a preview."""

    def read(state: State) -> str:
        table = state.table
        hurt = sum(bool(one.harm or one.gone) for one in table.things.values() if one.unit == unit)
        if not table[unit].count("suppression") and not hurt:
            return "no effect"
        words = "nobody" if not hurt else str(hurt) if hurt < 3 else "3 or more"
        return f"suppressed, {words} hurt"

    return read


CALM = "states: [first suppression done]"


@pytest.mark.parametrize(
    ("model", "terrain"),
    [
        ("scout", ""),
        ("pair", ""),
        ("pair", "{kind: rocks, rectangle: [4, 8, 4, 4]}"),
        ("suit", ""),
        ("suit-pair", ""),
    ],
)
def test_fire_at_figures(model: str, terrain: str) -> None:
    text = open_ground("{model: pair, as: A, at: [6, 16]}", f"{{model: {model}, as: B, at: [6, 10], {CALM}}}", terrain)
    shown = holds(text, ["fire", "B"], hurt_of("B"))
    assert sum(odds(shown).values()) == 1


def test_support_weapons_join() -> None:
    """A D8 for Quality, a D4 or D6 of firepower, and a machine gun: more dice, fewer rifles."""
    text = open_ground("{model: gunners, as: A, at: [6, 16]}", f"{{model: scout, as: B, at: [6, 10], {CALM}}}")
    holds(text, ["fire", "B", ("A3",)], hurt_of("B"))


def test_recon_by_fire_tells_a_range_and_no_more() -> None:
    """Against D6, or D8 In Position: two of a D8 and a D4 are higher in so many of all falls."""
    shares = []
    for die in (8, 6):
        falls = [(g, a, b) for g in range(1, die + 1) for a in range(1, 9) for b in range(1, 5)]
        shares.append(Fraction(sum(a > g and b > g for g, a, b in falls), len(falls)))
    low, high = shares
    assert effect(dice_against((8, 4), 8)).major == low
    assert effect(dice_against((8, 4), 6)).major == high


# Close assault -----------------------------------------------------------------------------------------------------


def test_the_nerve_of_attackers_and_defenders() -> None:
    text = open_ground("{model: four, as: A, at: [6, 16]}", "{model: pair, as: B, at: [6, 10]}")
    shown = asked(laid_out(text), "assault", "B")
    # A Confident attacker exceeds LV 2 and 0; defenders outnumbered two to one LV 2 and 2: each with a D8.
    assert odds(shown) == {"it dares": Fraction(3, 4), "they may stand": Fraction(1, 2)}


@pytest.mark.parametrize("inches", [4, 6, 9, 12, 13])
def test_how_likely_a_charge_comes_to_blows(inches: int) -> None:
    text = open_ground("{model: scout, as: A, at: [6, 20]}", f"{{model: scout, as: B, at: [6, {20 - inches}]}}")
    battle = laid_out(text)
    for answer in ("assault", "B"):
        assert battle.answer(answer, RED) is None
    state = battle.boundary()
    state.agenda = [Charge(("A",), "B")]
    found = distribution(
        battle.ruleset,
        state,
        read=lambda later: isinstance(later.agenda[-1], PairOff),
        until=lambda later: True,
    )
    expected = {one.what: one.chance for one in found.outcomes}.get(True, Fraction(0))
    # Bases of an inch touch when their centres are an inch apart; two inches for each point of a D6.
    assert expected == Fraction(max(0, 7 - max(1, -(-(inches - 1) // 2))), 6)
    question = MoveModels(RED, "", topic="charge", about=("A", "B"), models=("A1",), shows=("odds",))
    shown = battle.ruleset.preview(View(RED, battle.table), question, {})
    assert odds(shown) == {"they come to blows": expected}


@pytest.mark.parametrize(
    ("ours", "theirs"), [("scout", "scout"), ("suit", "scout"), ("burner", "scout"), ("burner", "suit")]
)
def test_every_fight_of_a_round(ours: str, theirs: str) -> None:
    text = open_ground(f"{{model: {ours}, as: A, at: [6, 11.1]}}", f"{{model: {theirs}, as: B, at: [6, 10]}}")
    fight(text, {"A1": "B1"})


def test_one_against_two() -> None:
    fight(
        open_ground("{model: pair, as: A, at: [6, 11.1]}", "{model: scout, as: B, at: [6, 10]}"),
        {"A1": "B1", "A2": "B1"},
    )


def fight(text: str, faces: dict[str, str]) -> None:
    battle = laid_out(text)
    state = battle.boundary()
    for name, other in faces.items():
        thing = state.table[name]
        state.table.things[name] = replace(thing, states={**thing.states, "faces": Mark(other)})
    state.agenda = [Fight(("A",), "B", 1)]
    everybody = (*faces, *dict.fromkeys(faces.values()))
    found = distribution(
        battle.ruleset,
        state,
        read=lambda later: tuple(name for name in everybody if later.table[name].has("down")),
        until=lambda later: True,
    )
    question = Allocate(RED, "", topic="pair-off", about=("A", "B"), shows=("odds",))
    shown = odds(battle.ruleset.preview(View(RED, battle.table), question, faces))
    for name in everybody:
        down = sum((one.chance for one in found.outcomes if name in str(one.what)), Fraction(0))
        assert shown[f"{battle.table[name].label} falls"] == down


def test_known_mines_on_the_way_show_what_they_may_do_and_hidden_ones_nothing() -> None:
    """A scout rolls D8 and steps on a mine on 1 to 3; then D10 has to exceed the D6 of its armour."""
    text = f"board: {{width: 36, height: 30}}\nred: [{{model: scout, as: A, at: [10, 20]}}]\n{BLUE}\n"
    walk = {"A1": Walk((Via(Point(10 * UNIT, 14 * UNIT)),))}
    for side, known in (("red", True), ("blue", False)):
        mines = f"markers: [{{kind: counter, as: M, side: {side}, at: [13, 17], states: {{is: anti-personnel mines}}}}]"
        shown = asked(laid_out(text + mines), "move", walk)
        exceeds = sum(ours > theirs for ours in range(1, 11) for theirs in range(1, 7))
        hurt = Fraction(3, 8) * Fraction(exceeds, 60)
        assert odds(shown) == ({"somebody is hurt by the mines": hurt} if known else {})


def test_a_vehicle_that_drives_into_mines_sees_what_they_may_do() -> None:
    """D10 against the D10 of its wheels: more immobilises, more than twice as much disables."""
    text = "board: {width: 36, height: 30}\nred: [{model: jackdaw, as: A, at: [10, 24], facing: 270}]\n" + BLUE
    mines = "\nmarkers: [{kind: counter, as: M, side: red, at: [10, 15], states: {is: anti-vehicle mines}}]"
    battle = laid_out(text + mines, "obstacles")
    shown = odds(asked(battle, "drive", {"A-hull": Walk((Leg(go=8 * UNIT),))}))
    pairs = list(product(range(1, 11), repeat=2))
    disabled = Fraction(sum(mine > 2 * held for mine, held in pairs), 100)
    moved = Fraction(sum(mine > held for mine, held in pairs), 100)
    hull = battle.table["A-hull"].label
    expected = {f"{hull} holds against the mines": 1 - moved, "immobilised": moved - disabled, "disabled": disabled}
    assert shown == expected
