"""The OpenAPI description: served as JSON, true, and nothing in it leads to an error of the server."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from sandtable.rulesets import ruleset
from sandtable.server.settings import INSTALLED
from tests.server.tables import Server, serving


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the rulesets that are installed."""
    with serving(f"sqlite:///{tmp_path_factory.mktemp('real') / 'b.sqlite'}", library=INSTALLED) as it:
        yield it


def test_the_description_is_served_without_anything_from_elsewhere(real: Server) -> None:
    answer = real.http.get("/schema/openapi.json")
    assert answer.status_code == 200
    assert answer.json()["info"]["title"] == "Sandtable"
    assert "/api/battles" in answer.json()["paths"]
    assert "said" in real.http.get("/api/socket-schema").json()


def schemas_in(value: Any, above: str = "") -> Iterator[dict[str, Any]]:
    """Every schema in a description, and every schema of a field of one."""
    if isinstance(value, dict):
        for key, below in value.items():
            if isinstance(below, dict) and (key == "schema" or above in ("schemas", "properties")):
                yield below
            yield from schemas_in(below, key)
    elif isinstance(value, list):
        for below in value:
            yield from schemas_in(below)


@pytest.mark.parametrize("path", ["/schema/openapi.json", "/api/socket-schema"])
def test_every_schema_is_valid_and_so_are_its_defaults(real: Server, path: str) -> None:
    description = real.http.get(path).json()
    found = list(schemas_in(description))
    assert len(found) > 100
    for schema in found:
        jsonschema_rs.meta.validate(schema)
        judge = jsonschema_rs.validator_for({**schema, "components": description["components"]})
        if "default" in schema:
            judge.validate(schema["default"])


def test_every_error_is_described_in_its_true_form(real: Server) -> None:
    paths = real.http.get("/schema/openapi.json").json()["paths"]
    for path, operations in paths.items():
        for operation in operations.values():
            for status, answer in operation["responses"].items():
                if int(status) >= 400 and path != "/health":
                    (content,) = answer["content"].values()
                    assert content["schema"] == {"$ref": "#/components/schemas/Problem"}, (path, status)
            assert path == "/health" or {"400", "404", "429", "503"} <= set(operation["responses"])
    for answer in (
        real.http.get("/api/rulesets/none"),
        real.http.post("/api/battles", json={"ruleset": 7}),
        real.http.post("/api/battles", content=b"no JSON", headers={"content-type": "application/json"}),
        real.http.post("/api/battles", content=b"x" * 300_000, headers={"content-type": "application/json"}),
        real.http.get("/api/battles/x/log", params={"count": 10**9}),
        real.http.put("/api/battles"),
        real.http.get("/no/such/path"),
        real.http.get("/api/bots", headers={"host": "evil.example"}),
    ):
        assert answer.status_code >= 400
        assert set(answer.json()) == {"why", "words"}, answer.text


def test_every_operation_tells_its_key_its_limits_and_its_errors(real: Server) -> None:
    found = real.http.get("/schema/openapi.json").json()
    assert found["components"]["securitySchemes"]["link"]["scheme"] == "bearer"
    limits = real.hall().limits
    for number in (
        limits.requests_at_once,
        limits.requests_per_second,
        limits.battles_at_once,
        limits.battles_per_hour,
    ):
        assert f" {number:.0f} " in found["info"]["description"], "a limit is told as it is"
    operations = [(path, one) for path, methods in found["paths"].items() for one in methods.values()]
    assert len(operations) > 15
    for path, operation in operations:
        assert operation.get("description"), path
        assert "Retry-After" in operation["responses"]["429"]["headers"], path
        assert {"400", "404", "422", "500", "503"} <= set(operation["responses"]), path
        assert ("security" in operation) == path.startswith("/api/battles/{battle}"), path


def test_the_description_is_a_page_too_and_needs_nothing_from_elsewhere(real: Server) -> None:
    page = real.http.get("/schema").text
    found = real.http.get("/schema/openapi.json").json()
    assert all(path in page for path in found["paths"])
    assert all(f'id="{name}"' in page for name in found["components"]["schemas"])
    assert "<script" not in page
    assert "http://" not in page.replace(real.base, "")
    assert "https://" not in page


def test_requests_at_random_find_no_server_error(real: Server, tmp_path: Path) -> None:
    ran = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "run", f"{real.base}/schema/openapi.json"),
            *("--checks", "not_a_server_error", "--max-examples", "8", "--seed", "1", "--workers", "1"),
            # A slow machine is no error of the server: how long requests take is measured in benchmarks/.
            *("--phases", "examples,coverage,fuzzing", "--no-color", "--request-timeout", "120"),
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=600,
    )
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]


def test_every_ruleset_is_described_and_begins(real: Server) -> None:
    rulesets = real.http.get("/api/rulesets").json()
    assert rulesets
    for shown in rulesets:
        name = shown["name"]
        assert shown == real.http.get(f"/api/rulesets/{name}").json()
        assert shown["size"]
        assert len(real.http.get(f"/api/rulesets/{name}/rules").json()) == shown["rules"]
        first = real.http.get(f"/api/rulesets/{name}/rules").json()[0]
        assert real.http.get(f"/api/rulesets/{name}/rules/{first['id']}").json()["text"] == first["text"]
        assert real.http.get(f"/api/rulesets/{name}/rules", params={"search": first["id"]}).json()[0] == first
        assert real.http.get(f"/api/rulesets/{name}/rules/no.such.rule").status_code == 404
        for scenario in shown["scenarios"]:
            made = real.begin(name, scenario=scenario["name"])
            with real.page(made["links"][0]["token"]) as page:
                assert page.situation["waiting"]


def test_badges_are_for_states_that_the_ruleset_has(real: Server) -> None:
    """A ruleset that says how it is shown speaks of its own states and counts, in words a page can draw or spell."""
    for shown in real.http.get("/api/rulesets").json():
        vocabulary = ruleset(shown["name"]).case_words().vocabulary()
        known = {*vocabulary["states"], *vocabulary["counts"]}
        # A state that lasts for one action stands in no case, but it stands in the rules.
        folder = Path(__file__).parents[2] / "src" / "sandtable" / "rulesets" / shown["name"]
        rules = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py"))
        assert all(state in known or f'"{state}"' in rules for state in shown["looks"])
        assert all(look["words"] for look in shown["looks"].values())
        notes = ruleset(shown["name"]).notes
        # A note is a state, the end of one behind `not `, or dice behind `roll `.
        noted = [note.removeprefix("not ").removeprefix("roll ") for note in notes]
        assert [one for one in noted if one not in known and f'"{one}"' not in rules] == []


def test_what_a_scenario_agrees_on_is_told_in_words(real: Server) -> None:
    """A briefing tells options by the words of the ruleset, or not at all where a rule that is named tells them."""
    told = 0
    for shown in real.http.get("/api/rulesets").json():
        rules = {rule["id"] for rule in real.http.get(f"/api/rulesets/{shown['name']}/rules").json()}
        for scenario in shown["scenarios"]:
            form = real.http.get(f"/api/rulesets/{shown['name']}/scenarios/{scenario['name']}").json()["form"]
            for option in form["options"]:
                words = shown["words"].get(f"option {option}")
                assert words is not None, (shown["name"], scenario["name"], option)
                told += bool(words)
                assert set(re.findall(r"\(([a-z-]+(?:\.[a-z-]+)+)\)", words)) <= rules, words
    assert told > 8


def test_cards_show_what_the_catalogue_holds(real: Server) -> None:
    for shown in real.http.get("/api/rulesets").json():
        cards = real.http.get(f"/api/rulesets/{shown['name']}/cards").json()
        assert cards
        assert all(card["name"] and card["base"] and card["stats"] for card in cards)


def test_a_scenario_goes_round_through_form_and_text(real: Server) -> None:
    for shown in real.http.get("/api/rulesets").json():
        where = f"/api/rulesets/{shown['name']}/scenarios"
        for scenario in shown["scenarios"]:
            found = real.http.get(f"{where}/{scenario['name']}").json()
            assert found["wrong"] == "", found
            again = real.http.post(f"{where}/write", json={"form": found["form"]}).json()
            assert again["wrong"] == "", again
            assert again["form"] == found["form"]
            assert again["text"] == found["text"]
            checked = real.http.post(f"{where}/check", json={"text": found["text"]}).json()
            assert checked["form"] == found["form"]
            made = real.begin(shown["name"], text=found["text"])
            assert made["battle"]


def test_a_newcomer_is_offered_the_scenario_that_a_ruleset_begins_with(real: Server) -> None:
    for shown in real.http.get("/api/rulesets").json():
        assert shown["begin_with"] in [scenario["name"] for scenario in shown["scenarios"]], shown["name"]


def test_random_terrain_is_laid_by_the_ruleset_and_laid_again_by_its_seed(real: Server) -> None:
    laid = 0
    for shown in real.http.get("/api/rulesets").json():
        where = f"/api/rulesets/{shown['name']}/terrain"
        board = {"width": 48_000, "height": 60_000}
        first = real.http.post(where, json=board)
        if first.status_code == 409:
            assert first.json()["words"]
            continue
        laid += 1
        made = first.json()
        assert made["pieces"]
        assert (made["ground"]["width"], made["ground"]["height"]) == (48_000, 60_000)
        assert real.http.post(where, json={**board, "seed": made["seed"]}).json() == made
        scenario = shown["scenarios"][0]["name"]
        form = real.http.get(f"/api/rulesets/{shown['name']}/scenarios/{scenario}").json()["form"]
        form["board"] = {**board, "terrain": made["pieces"]}
        written = real.http.post(f"/api/rulesets/{shown['name']}/scenarios/write", json={"form": form}).json()
        if not written["wrong"]:
            assert len(written["ground"]["pieces"]) == len(made["pieces"])
    assert laid


def test_a_board_on_which_nothing_fits_is_no_error_of_the_server(real: Server) -> None:
    for shown in real.http.get("/api/rulesets").json():
        for width, height in ((240_000, 6_000), (6_000, 6_000)):
            body = {"width": width, "height": height, "seed": 0}
            answer = real.http.post(f"/api/rulesets/{shown['name']}/terrain", json=body)
            assert answer.status_code in (200, 409), answer.text


def test_a_wrong_scenario_is_told_where_it_is_wrong(real: Server) -> None:
    name = real.http.get("/api/rulesets").json()[0]["name"]
    where = f"/api/rulesets/{name}/scenarios"
    for text, line in (("a: [", 1), ("ruleset: nowhere\nname: x\n", 0), ("x: *y", 1), ("board: {}\n" * 3, 2)):
        found = real.http.post(f"{where}/check", json={"text": text}).json()
        assert found["wrong"]
        assert found["form"] is None
        assert found["line"] >= line
    assert real.http.post(f"{where}/write", json={"form": {"x": 1}}).json()["wrong"]
    assert real.http.get(f"{where}/no-such").status_code == 404


def test_health_says_whether_storage_answers(real: Server) -> None:
    assert real.http.get("/health").json()["storage"] is True
