"""What was learned is what was true: made-up battles whose weights are known, and battles whose seed is."""

from collections.abc import Mapping, Sequence
from math import exp
from pathlib import Path
from random import Random

import msgspec
import pytest

from sandtable.cli import main
from sandtable.lab.tuning import (
    THREE_OF_FOUR,
    Battled,
    Bout,
    Position,
    TuningError,
    fitted,
    learn,
    played,
    prices,
    taught,
    trial_match,
)
from sandtable.rulesets import ruleset
from sandtable.tabletop.weights import Weights, read_weights

TRUE = {"life": 0.5, "models": 1.5, "idle": 0.0, "hurt": -0.8}


MadeUp = list[tuple[Sequence[Mapping[str, float]], float]]


def _made_up(battles: int, seed: int, true: Mapping[str, float] = TRUE) -> MadeUp:
    """Battles in which one position lasts for three looks, and is won by the chance that the true weights give."""
    random = Random(seed)
    found: MadeUp = []
    for _ in range(battles):
        position = {name: float(random.randint(-2, 2)) for name in true}
        lead = sum(true[name] * value for name, value in position.items())
        found.append(([position] * 3, float(random.random() < 1 / (1 + exp(-lead)))))
    return found


def test_known_weights_are_found_within_their_intervals() -> None:
    """Nineteen times of twenty: the three positions of a battle say the same, and do not count three times."""
    inside = 0
    for seed in range(16):
        fit = fitted(_made_up(250, seed), list(TRUE))
        inside += sum(abs(fit.weights[name][0] - true) <= fit.weights[name][1] for name, true in TRUE.items())
        assert fit.weights["models"][0] > fit.weights["models"][1] > 0
        assert fit.error < fit.blind
    assert 64 * 0.86 <= inside < 64


def _battled(found: MadeUp) -> list[Battled]:
    return [Battled([Position(at, at) for at in positions], result) for positions, result in found]


def test_the_first_feature_keeps_its_weight_and_a_lead_of_the_scale_wins_three_of_four() -> None:
    old = Weights({"life": 1000, "models": 1000, "hurt": 400, "never": 70})
    found = learn(_battled(_made_up(1500, 1)), old, 7)
    new = found.weights
    assert new.features["life"] == 1000
    assert abs(new.features["models"] - 3000) < found.off["models"]
    assert new.features["hurt"] < 0
    assert new.features["never"] == 70, "nothing was learned about it"
    assert "never" not in found.off
    assert abs(new.scale - 1000 * THREE_OF_FOUR / TRUE["life"]) < 600
    assert (new.battles, new.seed) == (1500, 7)
    assert 0 < new.error < 250


def test_where_nothing_can_be_learned_it_says_so() -> None:
    with pytest.raises(TuningError, match="no battle has a position"):
        fitted([([], 1.0)], ["life"])
    alike = [Battled([Position({"life": 1}, {})], 0.5)] * 20
    with pytest.raises(TuningError, match="told who won"):
        learn(alike, Weights({"life": -1000}), 0)


def test_prices_add_up_to_what_is_printed_and_tell_the_worthless() -> None:
    worth = {"tank": 1.2, "truck": 0.4, "flag": 0.0}
    found = {one.card: one for one in prices(_battled(_made_up(1500, 3, worth)), {"tank": 100, "truck": 100})}
    assert abs(found["tank"].worth + found["truck"].worth - 200) < 1e-6
    assert abs(found["tank"].worth - 150) < found["tank"].off < 60
    assert abs(found["flag"].worth) < found["flag"].off
    assert found["flag"].printed == 0
    assert found["tank"].printed == 100
    bare = {one.card: one.worth for one in prices(_battled(_made_up(200, 3, worth)), {})}
    assert abs(sum(bare.values()) - 300) < 1e-6
    assert prices([], {}) == []


def test_the_same_seed_learns_the_same_on_any_number_of_cores() -> None:
    bouts = [Bout("quickstart", "charging", 0, seed, "duel") for seed in range(3)]
    one, two = played(bouts, jobs=1), played(bouts, jobs=2)
    assert one == two
    assert all(1 <= len(battle.positions) <= 12 for battle in one)
    assert {name for battle in one for at in battle.positions for name in at.features} >= {"life", "models"}


def test_other_weights_are_taught_to_one_side_alone() -> None:
    rules = ruleset("quickstart")
    other = taught(rules, Weights({"life": 1}))
    tactics, old = other.tactics(), rules.tactics()
    assert tactics is not None
    assert old is not None
    assert tactics.weights == Weights({"life": 1})
    assert old.weights.features["life"] == 1000
    assert (other.name, other.version, other.digests()) == (rules.name, rules.version, rules.digests())


def test_equal_weights_draw_their_match() -> None:
    tactics = ruleset("quickstart").tactics()
    assert tactics is not None
    score = trial_match(Bout("quickstart", "5", 0, 3, "duel"), tactics.weights, 4, jobs=2)
    assert score.score == 0.5, "mirrored battles of equals are won by the same side twice"


def test_the_command_shows_what_it_learned_and_writes_nothing_that_did_not_win(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "weights.yaml"
    asked = ("lab", "tune", "quickstart", "--battles", "10", "--scenario", "duel", "--bot", "charging")
    assert main((*asked, "--match", "2", "--judge", "5", "--out", str(file))) == 1
    told = capsys.readouterr()
    assert "That is no win, so nothing is written." in told.out
    assert "printed" in told.out
    assert not file.exists()
    assert main((*asked, "--match", "0", "--json")) == 0
    found = msgspec.json.decode(capsys.readouterr().out)
    assert found["match"] is None
    assert found["weights"]["battles"] == 10
    assert [price[0] for price in found["prices"]] == ["dictator-b"]


def test_weights_that_win_are_written_as_their_ruleset_reads_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from sandtable.cli import lab_pages
    from sandtable.lab.matches import Score

    monkeypatch.setattr(lab_pages, "trial_match", lambda *_, **__: Score(60, 0, 40, 0.6, 0.51, 0.69))
    file = tmp_path / "weights.yaml"
    asked = ("lab", "tune", "quickstart", "--battles", "10", "--scenario", "duel", "--bot", "charging")
    assert main((*asked, "--out", str(file))) == 0
    assert f"They win, and stand in {file}." in capsys.readouterr().out
    found = read_weights(file)
    assert (found.battles, found.seed) == (10, 0)
    assert found.features["life"] == 1000
    assert 0 < found.error < 1000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("quickstrat",), "did you mean `quickstart`?"),
        (("quickstart", "--bot", "tactcal"), "did you mean `tactical`?"),
        (("quickstart", "--judge", "nine"), "there is no bot of this name"),
        (("quickstart", "--battles", "0"), "ask for two at least"),
        (("quickstart", "--match", "-2"), "0 only shows what was learned"),
    ],
)
def test_wrong_input_is_told_in_a_sentence(
    words: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(("lab", "tune", *words)) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert len(told.err.splitlines()) == 1
