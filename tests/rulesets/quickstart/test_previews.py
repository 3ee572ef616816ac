"""The odds a player sees before committing are those of the battle itself, walked from the step that would play it."""

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.bots import make_bot
from sandtable.engine import enumerator
from sandtable.engine.answers import judging
from sandtable.engine.battle import Accepted, Battle
from sandtable.engine.enumerator import distribution, play_step
from sandtable.engine.events import Rolled
from sandtable.engine.ids import BLUE, RED
from sandtable.engine.questions import AnyQuestion, MoveModels, Preview, React
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import At, Point
from sandtable.engine.state import State, Step
from sandtable.engine.table import Ground, Mark, Table
from sandtable.lab.rulebooks import rulebook
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.previews import face_to_face
from sandtable.rulesets.quickstart.close_combat import fighting_parts
from sandtable.rulesets.quickstart.concepts import distance
from sandtable.rulesets.quickstart.datacard import weapons
from sandtable.rulesets.quickstart.previews.forecast import forecast, harm_of
from sandtable.rulesets.quickstart.previews.supposed import supposed, supposed_barrage, supposed_fight
from sandtable.rulesets.quickstart.shooting.assaults import Fire, StepEight, own_shots
from sandtable.rulesets.quickstart.shooting.direct_fire import (
    DEFENSIVE,
    DIRECT,
    INDIRECT,
    SALVO_FIRE,
    Shot,
    is_indirect,
)
from sandtable.rulesets.quickstart.turn.declaration import Declaration
from tests.rulesets.quickstart.test_attack_odds import attack, by_faces


def moments(scenario: str, seed: int, most: int) -> list[tuple[Battle, AnyQuestion, Any]]:
    """Moments of a random battle at which an attack is previewed, each with the draft that is tried."""
    package = rulebook("quickstart").ruleset()
    ruleset, setup = package, package.setup(scenario)
    battle = Battle(ruleset, setup, seed=seed, digest_every=0)
    bots = {side: make_bot("random", ruleset, seed, side) for side in setup.sides}
    found: list[tuple[Battle, AnyQuestion, Any]] = []
    while not battle.ended and len(found) < most:
        question = battle.questions[0]
        draft = bots[question.side].answer(battle.view(question.side), question)
        marked = isinstance(question, MoveModels) and draft and any(walk.marks for walk in draft.values())
        if marked or (isinstance(question, React) and question.topic == "over-watch" and draft is not None):
            found.append((battle.clone(), question, draft))
        refusal = battle.answer(draft, question.side)
        assert refusal is None
    return found


def shown(battle: Battle, draft: Any, without: str = "") -> Preview:
    checked = battle.check(draft)
    assert isinstance(checked, Accepted), checked
    return checked.preview(without=without)


def test_the_odds_of_a_walk_are_those_of_the_action_itself() -> None:
    compared = 0
    for battle, question, draft in [one for seed in (1, 2, 3, 4) for one in moments("duel", seed, 30)]:
        preview = shown(battle, draft, without="reach")
        if not preview.odds:
            continue
        assert sum(Fraction(one.numerator, one.denominator) for one in preview.odds) == 1
        if not isinstance(question, MoveModels):
            continue
        (target,) = preview.distances
        state = battle.boundary()
        harm = state.table[target].harm

        def answers(view: View, asked: AnyQuestion, draft: Any = draft, walk: AnyQuestion = question) -> Any:
            return draft if asked == walk else None

        def read(later: State, target: str = target, harm: int = harm) -> tuple[bool, int]:
            thing = later.table[target]
            return (True, 0) if thing.gone else (False, thing.harm - harm)

        depth = len(state.agenda)
        found = distribution(
            battle.ruleset,
            state,
            read=read,
            answers=answers,
            until=lambda later, d=depth: len(later.agenda) < d,  # type: ignore[misc]
        )
        label = battle.table[target].label
        expected = {}
        for one in found.outcomes:
            assert isinstance(one.what, tuple)
            gone, amount = one.what
            said = f"{label}: {amount} harm" if amount else f"{label}: no harm"
            expected[f"{label} is out of play" if gone else said] = one.chance
        assert {one.label: Fraction(one.numerator, one.denominator) for one in preview.odds} == expected
        compared += 1
    assert compared >= 5


def test_what_a_shot_needs_is_what_it_then_is_rolled_against() -> None:
    """Walks that fire and over-watch: the parts of the preview are those of the rolls that follow."""
    compared = 0
    for battle, question, draft in [one for seed in (1, 2, 3, 4, 5, 6) for one in moments("duel", seed, 30)]:
        numbers = shown(battle, draft, without="reach").explanations
        added = [(one.total, {(p.label, p.value) for p in one.parts}) for one in numbers if one.what.endswith("2d6")]
        needed = [one.total for one in numbers if one.what.endswith(": needs")]
        before, shooter = (
            len(list(battle.journal.events())),
            draft.option if isinstance(question, React) else question.about[0],
        )
        refusal = battle.answer(draft, question.side)
        while refusal is None and not battle.ended and battle.questions[0].topic not in ("declare", "walk", "activate"):
            refusal = battle.answer(None, battle.questions[0].side)
        rolls = [one for one in list(battle.journal.events())[before:] if isinstance(one, Rolled)]
        rolls = [one for one in rolls if one.what == "combat" and one.by == shooter]
        assert len(rolls) <= len(needed)  # a shot at a model as good as destroyed is lost
        for roll, needs, (total, parts) in zip(rolls, needed, added, strict=False):
            known = [part for part in roll.parts if part.label != "critical success"]
            assert roll.needs == needs
            assert sum(part.value for part in known) == total
            assert {(part.label, part.value) for part in known} == parts
            compared += 1
    assert compared >= 20


def test_a_preview_says_why_and_walks_no_more_than_it_must(monkeypatch: pytest.MonkeyPatch) -> None:
    """The parts add up, the line of sight and distance are there; few steps are walked, for equal states are merged.

    How long that takes is told by `benchmarks/odds.py`.
    """
    walked: list[State] = []

    def counted(ruleset: Ruleset, state: State, *more: Any) -> State:
        walked.append(state)
        return play_step(ruleset, state, *more)

    monkeypatch.setattr(enumerator, "play_step", counted)
    explained, few = 0, {1: 40, 2: 150}  # weapons, and fewer steps than that
    for battle, _, draft in moments("stand-and-fight", 5, 10):
        walked.clear()
        preview = shown(battle, draft)
        assert not walked or len(walked) < few[len(walked[0].agenda) - 1]
        for number in preview.explanations:
            assert number.total == sum(part.value for part in number.parts)
        explained += bool(preview.odds and preview.distances and preview.sight)
    assert explained


def test_nothing_is_measured_before_it_is_declared() -> None:
    """Before a declaration the odds are told for every range, the same wherever the models stand, and nothing else is.

    quickstart.turn.no-premeasuring, quickstart.combat.step-2-defensive-declaration
    """
    package = rulebook("quickstart").ruleset()
    ruleset, setup = package, package.setup("duel")
    battle = Battle(ruleset, setup, seed=2, digest_every=0)
    bots = {side: make_bot("random", ruleset, 2, side) for side in setup.sides}
    seen = dict.fromkeys(("declare", "defensive-fire", "defensive-weapons"), 0)
    while not battle.ended:
        question = battle.questions[0]
        view = battle.view(question.side)
        draft = bots[question.side].answer(view, question)
        if question.topic in seen:
            assert question.shows == ("odds",)
            preview = shown(battle, draft)
            elsewhere = judging.check(ruleset, View(question.side, _elsewhere(view.table)), question, draft)
            on_a_model = isinstance(draft, dict) and "target" in draft and "strike-point" in draft
            # a strike-point on a model is none where the model is elsewhere
            if isinstance(elsewhere, Accepted) and not on_a_model:
                assert elsewhere.preview() == preview
            assert (preview.distances, preview.reach, preview.sight, preview.explanations) == ({}, (), (), ())
            seen[question.topic] += bool(preview.odds) and isinstance(elsewhere, Accepted)
        assert battle.answer(draft, question.side) is None
    assert all(seen.values()), seen


def _elsewhere(table: Table) -> Table:
    """The same models in other places, on a bare table."""
    other = table.copy()
    other.ground = Ground(table.ground.width, table.ground.height)
    for n, thing in enumerate(table.models()):
        other.things[thing.id] = replace(thing, place=At(Point(5000 + 3000 * n, 5000)), facing=90)
    return other


@pytest.mark.parametrize(("away", "told"), [(3000, "3″"), (20000, "24″"), (24000, "24″"), (24001, "36″")])
def test_the_odds_at_a_range_are_those_of_models_that_stand_so(away: int, told: str) -> None:
    battle, _ = attack(("medium-mac", "medium-mac-2"))
    shots = [Shot("A", "B", (name,), weapons_fired=2) for name in ("medium-mac", "medium-mac-2")]
    before = supposed(battle.ruleset, battle.table, shots)
    there = face_to_face(battle.table, battle.table["A"], battle.table["B"], away, distance)
    found = forecast(battle.ruleset, there, shots)
    harmless = [Fraction(one.numerator, one.denominator) for one in found.odds if one.label == "B: no harm"]
    harm = {one.label: Fraction(one.numerator, one.denominator) for one in before.odds}[f"up to {told}: B, harm"]
    assert [harm] == [1 - chance for chance in harmless]


def obvious(table: Table, victim: str, steps: Sequence[Step]) -> dict[Hashable, Fraction]:
    """The harm of a model by a walk that takes no two states for one unless they are equal in everything."""
    ruleset = rulebook("quickstart").ruleset().fresh()
    ruleset.due_in_any_order = False
    before = table[victim].harm

    def harm(later: State) -> tuple[int, bool]:
        thing = later.table[victim]
        return (0, True) if thing.gone else (thing.harm - before, False)

    state = State(table.copy(), agenda=list(reversed(steps)))
    found = distribution(ruleset, state, read=harm, until=lambda later: not later.agenda)
    assert found.exact
    return {one.what: one.chance for one in found.outcomes}


MACS, MISSILE = ("medium-mac", "medium-mac-2"), "light-gm"


@pytest.mark.parametrize(
    ("volleys", "sub_type", "harm", "ranges"),
    [
        ([(name,) for name in (*MACS, MISSILE)], "", 0, (20000,)),
        ([(name,) for name in (MACS[0], MISSILE)], "", 5, (3000, 20000, 24001)),
        ([(name,) for name in MACS], "", 9, (12000, 24000, 48000)),
        ([MACS], SALVO_FIRE, 0, (3000, 48000)),
        ([(name,) for name in MACS], DEFENSIVE, 8, (20000, 36000)),
    ],
)
def test_merging_on_what_matters_changes_no_odds(
    volleys: list[tuple[str, ...]], sub_type: str, harm: int, ranges: tuple[int, ...]
) -> None:
    battle, _ = attack(MACS, harm=harm)
    locked = replace(battle.table["A"], states={**battle.table["A"].states, "target-lock": Mark("B")})
    fired = sum(map(len, volleys))
    steps = [*(Fire(Shot("A", "B", volley, DIRECT, sub_type, fired)) for volley in volleys), StepEight("A")]
    tables = [face_to_face(battle.table, locked, battle.table["B"], away, distance) for away in ranges]
    found = harm_of(battle.ruleset, "B", [(table, steps) for table in tables])
    assert [{one.what: one.chance for one in odds.outcomes} for odds in found] == [
        obvious(table, "B", steps) for table in tables
    ]


@pytest.mark.parametrize("again", ["0", "2"])
def test_merging_on_what_matters_changes_no_odds_of_a_barrage(again: str) -> None:
    battle, _ = attack(MACS, harm=7)
    point = center(battle.table["B"])
    plan = Declaration(("shoot",), "", INDIRECT, "", ("light-r10",), False, point)
    table, states = battle.table.copy(), battle.table["A"].states
    kept = {**states, "strike-point": Mark((str(point.x), str(point.y), again, str(table.turn)))}
    table.things["A"] = replace(table["A"], states=kept if again != "0" else states)
    steps = [*own_shots(table["A"], plan), StepEight("A")]
    (found,) = harm_of(battle.ruleset, "B", [(table, steps)])
    assert {one.what: one.chance for one in found.outcomes} == obvious(table, "B", steps)


@pytest.mark.parametrize(("away", "harm"), [("20", 0), ("8.5", 5), ("3.5", 7)])
def test_the_odds_of_a_preview_equal_brute_force_over_faces(away: str, harm: int) -> None:
    battle, state = attack(("medium-mac",), away, harm)
    state.agenda.insert(0, StepEight("A"))

    def read(later: State) -> tuple[int, bool]:
        thing = later.table["B"]
        return (0, True) if thing.gone else (thing.harm - harm, False)

    (found,) = harm_of(battle.ruleset, "B", [(state.table, list(reversed(state.agenda)))])
    assert {one.what: one.chance for one in found.outcomes} == by_faces(battle, state, read)


def test_ranges_that_need_the_same_are_walked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    walked: list[State] = []

    def counted(ruleset: Ruleset, state: State, *more: Any) -> State:
        walked.append(state)
        return play_step(ruleset, state, *more)

    monkeypatch.setattr(enumerator, "play_step", counted)
    battle, _ = attack(MACS)
    shots = [Shot("A", "B", (name,), weapons_fired=2) for name in MACS]
    steps = [*map(Fire, shots), StepEight("A")]
    counts = []
    for ranges in ((20000,), (16000, 20000, 24000)):
        walked.clear()
        tables = [face_to_face(battle.table, battle.table["A"], battle.table["B"], away, distance) for away in ranges]
        odds = harm_of(battle.ruleset, "B", [(table, steps) for table in tables])
        assert len({one.outcomes for one in odds}) == 1
        counts.append(len(walked))
    assert 0 < counts[0] == counts[1]


def test_a_lock_that_is_declared_first_counts_in_the_odds() -> None:
    battle, _ = attack(("medium-mac",))
    shots = [Shot("A", "B", ("medium-mac",))]
    plain, locked = (supposed(battle.ruleset, battle.table, shots, lock) for lock in ("", "B"))
    for one, other in zip(plain.odds[:2], locked.odds[:2], strict=True):
        assert Fraction(one.numerator, one.denominator) < Fraction(other.numerator, other.denominator)


def test_indirect_fire_at_a_model_has_its_odds_too() -> None:
    """A third of a chance at best, less at each range; where nobody stands nobody is harmed."""
    battle, _ = attack(("medium-mac",))
    model = battle.table["A"]
    plan = Declaration(("shoot",), "", INDIRECT, "", ("light-r10",), False, center(battle.table["B"]))
    told = supposed_barrage(battle.ruleset, battle.table, model, plan)
    ranges = [one.label for one in told.odds if one.label.endswith("harm")]
    assert ranges == ["up to 28″: B, harm", "up to 42″: B, harm", "up to 56″: B, harm"]
    harm = [Fraction(one.numerator, one.denominator) for one in told.odds if one.label.endswith("harm")]
    assert sorted(harm, reverse=True) == harm
    assert len(set(harm)) == len(harm)
    again = replace(model, states={**model.states, "strike-point": Mark(("20000", "24000", "2", "1"))})
    battle.table.things["A"] = again
    surer = supposed_barrage(battle.ruleset, battle.table, again, plan)
    assert Fraction(surer.odds[0].numerator, surer.odds[0].denominator) > harm[0]
    nowhere = replace(plan, strike_point=Point(30_000, 40_000))
    bare = supposed_barrage(battle.ruleset, battle.table, model, nowhere).odds
    assert {one.label.partition(": ")[2] for one in bare} == {"it lands where it is aimed"}


@pytest.mark.parametrize("harm", [0, 2])
def test_the_odds_of_a_close_combat_are_those_of_both_rolls(harm: int) -> None:
    """Counted by faces: the lower is harmed, both where they are equal; a 12 and the other's 2 add a die."""
    ruleset = rulebook("quickstart").ruleset()
    things = Battle(ruleset, ruleset.setup("duel"), seed=1).table
    model, foe = (next(one for one in things.things.values() if one.side == side and one.card) for side in things.sides)
    model = replace(model, harm=harm)
    odds = supposed_fight(ruleset, things, model, foe).odds
    told = {one.label: Fraction(one.numerator, one.denominator) for one in odds}
    ahead = sum(part.value for part in fighting_parts(model, foe, attacking=True))
    ahead -= sum(part.value for part in fighting_parts(foe, model, attacking=False))
    foe_harmed = model_harmed = Fraction(0)
    for mine, theirs in product(product(range(1, 7), repeat=2), repeat=2):
        dice_of_mine = (sum(mine) == 12) + (sum(theirs) == 2)
        dice_of_theirs = (sum(theirs) == 12) + (sum(mine) == 2)
        for extra in product(range(1, 7), repeat=dice_of_mine + dice_of_theirs):
            more = sum(extra[:dice_of_mine]) - sum(extra[dice_of_mine:])
            margin = ahead + sum(mine) - sum(theirs) + more
            share = Fraction(1, 6 ** (4 + len(extra)))
            foe_harmed += share * (margin >= 0)
            model_harmed += share * (margin <= 0)
    assert told[f"{foe.label}, harm"] == foe_harmed
    assert told[f"{model.label}, harm"] == model_harmed


def test_a_strike_point_on_bare_ground_is_told_by_how_likely_it_holds() -> None:
    """The farther the point, the less likely: 10+ on 2d6, +2 where it is seen, less at long range."""
    ruleset = rulebook("quickstart").ruleset()
    things = Battle(ruleset, ruleset.setup("crowded"), seed=1).table.things.values()
    guns = [(one, name) for one in things if one.card for name, gun in weapons(one).items() if is_indirect(gun)]
    model, gun = guns[0]
    plan = Declaration(("shoot",), assault=INDIRECT, weapons=(gun,), strike_point=Point(1000, 1000))
    table = Table(Ground(0, 0), (RED, BLUE), {model.id: model})
    odds = supposed_barrage(ruleset, table, model, plan).odds
    shares = [Fraction(one.numerator, one.denominator) for one in odds]
    assert len(shares) >= 3
    assert shares == sorted(shares, reverse=True)
    assert shares[0] == Fraction(15, 36)  # an 8 or more: the point is seen
