"""Hundreds of random battles keep every promise; and the soak that plays them adds up, goes on and tells failures."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Moved
from sandtable.engine.ids import BLUE, RED, ThingId
from sandtable.engine.records.journal import Journal
from sandtable.engine.ruleset import Procedure, Setup
from sandtable.engine.shapes import At, Base, Point
from sandtable.engine.table import Ground, Mark, Table, Thing
from sandtable.forces.scenario import package_scenarios
from tests import soak
from tests.conftest import EVERYTHING
from tests.engine.duel import Duel
from tests.miniatures import ALL

#: What CI plays of each: how many battles, in how many shards that run side by side, and which. The engine's are mostly
#: of miniatures; those of the rulesets are mostly small, but some are of every size. `make soak` plays thousands, and
#: `make test` at a desk every fourth shard, from the first.
ENGINE = (100, 4, "--most-size", "1", "--share", "5")
QUICKSTART = (124, 4, "--ruleset", "quickstart/stand-and-fight", "--lean")
STARGRUNT = (52, 4, "--ruleset", "stargrunt", "--lean")
DROPZONE = (150, 6, "--ruleset", "dropzone", "--lean")
STRIKEOPS = (100, 4, "--ruleset", "strikeops", "--lean")
SHARDS = [
    pytest.param(shard, plan, id=f"{name}-{shard}")
    for name, plan in (
        ("stargrunt", STARGRUNT),
        ("dropzone", DROPZONE),
        ("strikeops", STRIKEOPS),
        ("quickstart", QUICKSTART),
        ("engine", ENGINE),
    )
    for shard in range(0, plan[1], 1 if EVERYTHING else 4)
]


@pytest.mark.parametrize(("shard", "plan"), SHARDS)
def test_random_battles_keep_every_promise(shard: int, plan: tuple[Any, ...], tmp_path: Path) -> None:
    battles, shards, *args = plan
    out = tmp_path / "totals.json"
    assert (
        soak.main(["--shard", str(shard), "--of", str(shards), "--battles", str(battles), "--out", str(out), *args])
        == 0
    )
    totals = next(iter(soak.read_totals(out).values()))
    assert totals.battles == totals.refolded == battles // shards
    assert totals.verdicts == soak.VERDICTS * totals.battles
    assert totals.undone > totals.battles
    assert totals.refused > totals.battles


def test_ci_plays_every_size_every_scenario_and_every_optional_rule_on_and_off() -> None:
    quickstart = soak.Soak("quickstart/stand-and-fight", soak.LEAN)
    assert {quickstart.field(number).setup.size for number in range(QUICKSTART[0])} == set(soak.SIZES)
    for name, plan in (("stargrunt", STARGRUNT), ("dropzone", DROPZONE), ("strikeops", STRIKEOPS)):
        battles = soak.Soak(name, soak.LEAN)
        drawn = [battles.field(number) for number in range(plan[0])]
        assert {field.name.split("/")[1] for field in drawn} == set(package_scenarios(name))
        for switch in drawn[0].switches:
            assert {switch in field.on() for field in drawn} == {True, False}


class Nameless(Duel):
    """Lets something happen under no rule, in the second turn."""

    def end_turn(self, battle: Battle) -> Procedure[None]:
        if battle.table.turn == 2:
            battle.happens(Counted("battle", "oddities", 0, 1))
        yield from super().end_turn(battle)


class Duels(soak.Soak):
    """A soak of duels alone."""

    rules: Any = Duel

    def __init__(self, *args: Any) -> None:
        super().__init__("sealed-numbers")

    def field(self, number: int) -> soak.Field:
        return soak.Field("duel", self.rules, Setup())

    def named(self, name: str) -> soak.Field:
        assert name == "duel"
        return self.field(0)


@pytest.fixture
def duels(monkeypatch: pytest.MonkeyPatch) -> type[Duels]:
    monkeypatch.setattr(soak, "Soak", Duels)
    monkeypatch.setattr(Duels, "rules", Duel)
    monkeypatch.setattr(soak, "VERDICTS", 5)
    return Duels


def run(out: Path, *args: str) -> int:
    return soak.main(["--out", str(out), *args])


def test_totals_add_up_over_runs_and_shards(
    duels: type[Duels], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "totals.json"
    assert run(out, "--battles", "6", "--shard", "0", "--of", "2") == 0
    assert soak.read_totals(out)["all"].done == [(0, 0), (2, 2), (4, 4)]
    assert run(out, "--battles", "6", "--shard", "1", "--of", "2") == 0
    first = soak.read_totals(out)["all"]
    assert (first.battles, first.done, first.verdicts) == (6, [(0, 5)], 30)
    capsys.readouterr()
    assert run(out, "--battles", "8") == 0
    assert "2 of 2 battles" in capsys.readouterr().out
    last = soak.read_totals(out)["all"]
    assert (last.battles, last.done, last.fields) == (8, [(0, 7)], {"duel": 8})
    assert last.answers > first.answers
    assert sum(last.code.values()) == 8


def test_nothing_is_begun_after_the_time_is_over(duels: type[Duels], tmp_path: Path) -> None:
    out = tmp_path / "totals.json"
    assert run(out, "--battles", "6", "--minutes", "0") == 0
    assert soak.read_totals(out).get("all", soak.Totals()).battles == 0


def test_a_failure_leaves_a_journal_and_says_how_to_see_it_again(
    duels: type[Duels], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "totals.json"
    monkeypatch.setattr(duels, "rules", Nameless)
    assert run(out, "--battles", "3") == 1
    shown = capsys.readouterr().err
    totals = soak.read_totals(out)["all"]
    assert totals.failures
    failure = totals.failures[0]
    assert "no rule is named" in failure.what
    assert f"see it again: python -m tests.soak --only {failure.number} --field duel\n" in shown
    assert f"sandtable replay {failure.journal}" in shown
    events = Journal.load(Path(failure.journal)).events()
    assert any(isinstance(event, Counted) and event.what == "oddities" for event in events)
    assert (failure.number, failure.number) not in totals.done
    with pytest.raises(AssertionError, match="no rule is named"):
        run(out, "--only", str(failure.number), "--field", "duel")

    monkeypatch.setattr(duels, "rules", Duel)
    assert run(out, "--battles", "3") == 0  # mended: what failed is played again and is no failure any more
    mended = soak.read_totals(out)["all"]
    assert (mended.battles, mended.failures) == (3, [])


def test_a_battle_that_folds_differently_elsewhere_is_found_among_the_others(
    duels: type[Duels], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "totals.json"
    play = Duels.play

    def playing(self: Duels, number: int, field: soak.Field) -> Any:
        played = play(self, number, field)
        return played._replace(digest="0" * 32) if number == 1 else played

    monkeypatch.setattr(Duels, "play", playing)
    assert run(out, "--battles", "3") == 1
    totals = soak.read_totals(out)["all"]
    assert totals.done == [(0, 0), (2, 2)]
    assert [failure.number for failure in totals.failures] == [1]


def test_every_ruleset_scenario_size_and_miniature_is_drawn() -> None:
    battles = soak.Soak()
    drawn = {battles.field(number).name for number in range(60_000)}
    assert drawn == {field.name for field in (*battles.rulesets, *battles.miniatures)}
    assert {name.split("/")[0] for name in drawn} >= {"quickstart", *ALL}


def test_a_model_that_steps_on_another_is_noticed() -> None:
    apart = soak.BasesApart()
    table = Table(Ground(0, 0), (RED, BLUE))
    for name, x in ((ThingId("A"), 0), (ThingId("B"), 3000), (ThingId("C"), 9000)):
        table.things[name] = Thing(name, side=RED, base=Base("circle", 2000), place=At(Point(x, 0)))
    apart(table)
    table.things["C"] = replace(table.things["C"], place=At(Point(5500, 0)))
    apart(table)
    table.things["C"] = replace(table.things["C"], place=At(Point(4900, 0)))
    with pytest.raises(AssertionError, match="C stands on B"):
        apart(table)
    table.things["C"] = replace(table.things["C"], place=At(Point(4900, 0), level=1))
    apart(table)


def test_a_model_may_be_above_others_or_underway_past_them_but_not_stay_on_them() -> None:
    apart = soak.BasesApart("airborne", "path")
    table = Table(Ground(48_000, 48_000), (RED, BLUE))
    flying, at = {"airborne": Mark()}, At(Point(9_000, 1_500))
    for name, states in ((ThingId("A"), {}), (ThingId("B"), flying), (ThingId("C"), {**flying, "path": Mark()})):
        table.things[name] = Thing(name, side=RED, base=Base("circle", 2000), place=at, states=states)
    apart(table)
    table.things["D"] = Thing(ThingId("D"), side=RED, base=Base("circle", 2000), place=At(Point(9_000, 0)))
    apart(table)  # it comes in over the edge
    table.things["D"] = replace(table.things["D"], place=At(Point(9_000, 1)))
    with pytest.raises(AssertionError, match="D stands on A"):
        apart(table)
    del table.things["D"]
    table.things["C"] = replace(table.things["C"], states=flying)
    with pytest.raises(AssertionError, match="C stands on B"):
        apart(table)


@pytest.mark.parametrize(
    ("number", "told"),
    [
        pytest.param(265, "dropzone.behemoths.stomp", id="pushed to where the Behemoth came from"),
        pytest.param(213, "dropzone.behemoths.drop-harness", id="a Behemoth that lands is shifted onto another"),
    ],
)
def test_a_behemoth_and_those_who_make_room_for_it_are_never_on_each_other(number: int, told: str) -> None:
    battles = soak.Soak("dropzone")
    played = battles.play(number, battles.field(number))
    pushed = [
        one for one in Journal.decode(played.journal).events() if isinstance(one, Moved) and one.manner == "pushed"
    ]
    assert told in {one.rule for one in pushed}


def test_every_optional_rule_is_on_and_off_in_every_scenario() -> None:
    battles = soak.Soak("stargrunt")
    switches = battles.rulesets[0].switches
    assert {"smoke", "random-quality", "reaction-fire"} < set(switches)
    seen: dict[str, set[tuple[str, bool]]] = {}
    for number in range(2_000):
        field = battles.field(number)
        assert field.on() == battles.named(field.name).switched(number).on()
        seen.setdefault(field.name.split("/")[1], set()).update((name, name in field.on()) for name in switches)
    assert all(both == {(name, on) for name in switches for on in (True, False)} for both in seen.values())


def test_every_scenario_is_drawn_about_as_often_and_every_size() -> None:
    battles = soak.Soak("quickstart")
    drawn = [battles.field(number).name.split("/")[1:] for number in range(4_000)]
    often = {scenario: sum(name[0] == scenario for name in drawn) for scenario in {name[0] for name in drawn}}
    assert all(0.8 < count * len(often) / len(drawn) < 1.2 for count in often.values())
    assert {int(name[1]) for name in drawn if name[1:]} == set(soak.SIZES)
    lean = soak.Soak("quickstart/stand-and-fight", soak.LEAN)
    assert [field.name for field in lean.rulesets] == [f"quickstart/stand-and-fight/{size}" for size in soak.SIZES]
    with pytest.raises(SystemExit, match="there is no field `quickstart/stand`; did you mean"):
        soak.Soak("quickstart/stand")


def test_a_field_is_found_by_its_name() -> None:
    battles = soak.Soak()
    assert battles.named("quickstart/crowded/2").setup.size == 2
    with pytest.raises(SystemExit, match="did you mean `quickstart/duel`"):
        battles.named("quickstart/dual")


def test_totals_are_plain_json(duels: type[Duels], tmp_path: Path) -> None:
    out = tmp_path / "totals.json"
    run(out, "--battles", "1")
    assert json.loads(out.read_text())["all"]["battles"] == 1
