"""Rosters over HTTP: what there is to buy, what the rules say of it, and battles that are played with it."""

from collections import Counter
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


def offer_of(server: Server, name: str) -> dict[str, Any]:
    """What may be bought under a ruleset."""
    found: dict[str, Any] = server.http.get(f"/api/rulesets/{name}/roster").json()
    return found


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
        assert "points" in answer.json()["words"].lower()


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
    for shown in [one for one in with_points(real) if not offer_of(real, one["name"])["ready"]]:
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


def test_ready_rosters_are_lawful_and_played_in_every_scenario(real: Server) -> None:
    ready = {one["name"]: offer_of(real, one["name"])["ready"] for one in with_points(real)}
    assert ready["dropzone"]
    for shown in [one for one in with_points(real) if ready[one["name"]]]:
        where = f"/api/rulesets/{shown['name']}/rosters/write"
        written = [real.http.post(where, json={"form": form}).json() for form in ready[shown["name"]]]
        assert all(one["lawful"] and one["points"] <= one["limit"] for one in written)
        for scenario in shown["scenarios"]:
            rosters = {"red": written[1]["text"], "blue": written[0]["text"]}
            made = real.begin(shown["name"], scenario=scenario["name"], rosters=rosters)
            with real.page(made["links"][0]["token"]) as page:
                things = page.situation["table"]["things"].values()
                cards = Counter((thing["side"], thing["card"]) for thing in things if thing["kind"] == "model")
                for side, form in (("red", written[1]["form"]), ("blue", written[0]["form"])):
                    bought = Counter[str]()
                    for squad in [one for group in form["units"] for one in (group, *group["units"])]:
                        bought.update({one["model"]: one["count"] for one in squad["models"]})
                    assert {card: count for (whose, card), count in cards.items() if whose == side} == dict(bought)
                assert page.situation["waiting"]


def test_what_is_missing_is_told_and_what_may_not_be_taken_says_why(real: Server) -> None:
    where = "/api/rulesets/dropzone/rosters/write"
    squad = {"name": "Tanks", "models": [{"model": "bulwark", "count": 1}]}
    form = {
        "ruleset": "dropzone",
        "name": "Begun",
        "limit": 750,
        "units": [{"name": "Steel", "kind": "armour", "units": [squad]}],
    }
    found = real.http.post(where, json={"form": form}).json()
    assert not found["lawful"]
    missing = {one["sentence"]: one["rule"] for one in found["findings"] if one["severity"] == "missing"}
    assert missing == {
        "Frontline Battlegroups in a Skirmish: 0 of 1 to 2.": "dropzone.forces.game-sizes",
        "Units of Tanks (Bulwark battle tank): 1 of 2 to 4.": "dropzone.forces.agreed-total",
    }
    assert not [one for one in found["findings"] if one["severity"] == "error"]
    closed = {one["model"]: one for one in found["closed"] if one["at"] == ["units", 0]}
    fresh = {(one["at"][1], one["model"]): one["why"] for one in found["closed"] if one["at"][0] == "kinds"}
    assert fresh["frontline", "bulwark"] == "Standard squads in the Frontline Battlegroup: 1, and there may be none."
    assert fresh["armour", "bulwark"] == "Armour Battlegroups in a Skirmish: 2 of just 1."
    assert ("frontline", "reavers") not in fresh
    assert closed["line-infantry"]["rule"] == "dropzone.forces.battlegroup-kinds"
    assert closed["line-infantry"]["why"] == "Troops squads in Steel: 1, and there may be none."
    assert "skyguard" not in closed
    assert {one["what"]: (one["found"], one["bounds"], one["kept"]) for one in found["tallies"]}[
        "Points of Steel (at most 50 % of 750)"
    ] == (40, "at most 375", True)
    answer = real.http.post(
        "/api/battles", json={"ruleset": "dropzone", "scenario": "attrition", "rosters": {"red": found["text"]}}
    )
    assert answer.status_code == 422
    assert "dropzone.forces." in answer.json()["words"]


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
