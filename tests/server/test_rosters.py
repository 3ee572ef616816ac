"""Rosters over HTTP: what there is to buy, what the rules say of it, and battles that are played with it."""

from collections.abc import Iterator
from typing import Any

import pytest

from sandtable.server.settings import INSTALLED
from tests.server.tables import Server, serving


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the rulesets that are installed."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('rosters') / 'b.sqlite'}", library=INSTALLED) as it:
        yield it


def a_roster(server: Server, name: str, count: int, **more: Any) -> dict[str, Any]:
    """The form of a roster of the first model that may be bought."""
    model = server.http.get(f"/api/rulesets/{name}/roster").json()["models"][0]
    units = [{"name": "Alpha", "models": [{"model": model, "count": count}]}]
    return {"ruleset": name, "name": "Third Company", "units": units, **more}


def with_points(server: Server) -> list[dict[str, Any]]:
    """The rulesets in which something is bought."""
    found = [one for one in server.http.get("/api/rulesets").json() if one["rosters"]]
    assert found
    return found


def test_a_roster_is_written_counted_and_judged(real: Server) -> None:
    for shown in with_points(real):
        where = f"/api/rulesets/{shown['name']}/rosters"
        cards = {card["id"]: card for card in real.http.get(f"/api/rulesets/{shown['name']}/cards").json()}
        form = a_roster(real, shown["name"], 2)
        written = real.http.post(f"{where}/write", json={"form": form}).json()
        assert written["wrong"] == "", written
        model = form["units"][0]["models"][0]["model"]
        assert sum(charge["total"] for charge in written["charges"]) == written["points"]
        assert written["points"] >= 2 * cards[model]["points"]
        again = real.http.post(f"{where}/check", json={"text": written["text"]}).json()
        assert {**again, "findings": []} == {**written, "findings": []}
        assert all(finding["rule"].startswith(f"{shown['name']}.") for finding in written["findings"])


def test_a_roster_over_its_limit_is_not_lawful_and_not_played(real: Server) -> None:
    for shown in with_points(real):
        form = a_roster(real, shown["name"], 2, limit=1)
        found = real.http.post(f"/api/rulesets/{shown['name']}/rosters/write", json={"form": form}).json()
        assert (found["lawful"], found["limit"]) == (False, 1)
        wanted = {"ruleset": shown["name"], "scenario": shown["scenarios"][0]["name"]}
        answer = real.http.post("/api/battles", json={**wanted, "rosters": {"red": found["text"]}})
        assert answer.status_code == 422
        assert "points" in answer.json()["words"]


def test_what_breaks_a_rule_is_told_with_the_rule_and_not_played(real: Server) -> None:
    """The Quick-Start sells models and nothing else."""
    name = "quickstart"
    model = real.http.get(f"/api/rulesets/{name}/roster").json()["models"][0]
    form = a_roster(real, name, 1, extras=[{"model": model}])
    found = real.http.post(f"/api/rulesets/{name}/rosters/write", json={"form": form}).json()
    assert not found["lawful"]
    assert [(one["severity"], one["rule"], one["at"]) for one in found["findings"]] == [
        ("error", "quickstart.setup.force-size", ["extras", 0]),
        ("note", "quickstart.setup.force-size", ["units"]),
    ]
    assert found["findings"][0]["line"] > 1
    wanted = {"ruleset": name, "scenario": "stand-and-fight", "rosters": {"blue": found["text"]}}
    answer = real.http.post("/api/battles", json=wanted)
    assert answer.status_code == 422
    assert "quickstart.setup.force-size" in answer.json()["words"]


def test_a_battle_is_played_with_the_rosters_that_sides_bring(real: Server) -> None:
    for shown in with_points(real):
        where = f"/api/rulesets/{shown['name']}/rosters/write"
        texts = {
            side: real.http.post(where, json={"form": a_roster(real, shown["name"], count)}).json()["text"]
            for side, count in (("red", 3), ("blue", 2))
        }
        for scenario in shown["scenarios"]:
            made = real.begin(shown["name"], scenario=scenario["name"], rosters=texts)
            with real.page(made["links"][0]["token"]) as page:
                things = page.situation["table"]["things"].values()
                models = [(thing["side"], thing["unit"]) for thing in things if thing["kind"] == "model"]
                assert sorted(models) == [("blue", "Alpha")] * 2 + [("red", "Alpha")] * 3
                assert page.situation["waiting"]


def test_wrong_rosters_are_told_where_they_are_wrong(real: Server) -> None:
    name = with_points(real)[0]["name"]
    where = f"/api/rulesets/{name}/rosters"
    for text in ("a: [", "ruleset: nowhere\nname: x\n", f"ruleset: {name}\nname: x\nunits: [{{name: A}}]\n"):
        found = real.http.post(f"{where}/check", json={"text": text}).json()
        assert found["wrong"]
        assert not found["lawful"]
        assert found["form"] is None
    assert real.http.post(f"{where}/write", json={"form": {"x": 1}}).json()["wrong"]
    assert real.http.get("/api/rulesets/nowhere/roster").status_code == 404
    scenario = real.http.get(f"/api/rulesets/{name}").json()["scenarios"][0]["name"]
    for rosters in ({"green": "ruleset: x"}, {"red": "nonsense"}):
        answer = real.http.post("/api/battles", json={"ruleset": name, "scenario": scenario, "rosters": rosters})
        assert (answer.status_code, answer.json()["why"]) == (422, "file")
    answer = real.http.post("/api/battles", json={"ruleset": name, "rosters": {"red": "ruleset: x"}})
    assert answer.status_code == 422
