"""What may be read about rulesets, and scenarios to be edited: no battle is touched here."""

import secrets
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import Request, get, post
from litestar.datastructures import State
from litestar.params import JSONBody, PathParameter, QueryParameter

from sandtable.forces.ledger import Rule, canonical
from sandtable.server.api.bodies import (
    BotShown,
    CardShown,
    FormSent,
    RulesetShown,
    RuleShown,
    ScenarioChecked,
    TerrainMade,
    TerrainWanted,
    TextSent,
)
from sandtable.server.api.guard import address_of
from sandtable.server.api.problems import PROBLEMS
from sandtable.server.hall import Hall
from sandtable.server.library import bot_shown, known_bots
from sandtable.server.processes.readings import (
    CheckScenario,
    LayTerrain,
    Reading,
    WriteScenario,
    ledger_of,
    scenario_shown,
)
from sandtable.server.unlawful import Unlawful

T = TypeVar("T")
S = TypeVar("S", bound=msgspec.Struct)
Anyone = Request[Any, Any, Any]
RulesetName = Annotated[str, PathParameter(max_length=64)]
RuleId = Annotated[str, PathParameter(max_length=200)]
#: No search or list gives more at once.
MOST_RULES = 1000


async def reading(state: State, name: str, work: Callable[[Hall], T]) -> T:
    """Do something about a ruleset that there is, in a thread."""
    hall: Hall = state.hall
    hall.see_ruleset(name)
    return await hall.aside(lambda: work(hall))


async def sent(request: Request[Any, Any, Any], name: str, job: Reading, gives: type[S]) -> S:
    """Have something read that was sent about a ruleset, in a process of its own."""
    hall: Hall = request.app.state.hall
    hall.see_ruleset(name)
    return await hall.read(job, gives, address_of(request.scope))


@get("/api/rulesets", tags=["rulesets"], responses=PROBLEMS)
async def list_rulesets(state: State) -> list[RulesetShown]:
    """All rulesets, with their scenarios."""
    hall: Hall = state.hall
    return await hall.aside(lambda: [hall.library.shown(name) for name in hall.library.names()])


@get("/api/rulesets/{name:str}", tags=["rulesets"], responses=PROBLEMS)
async def one_ruleset(state: State, name: RulesetName) -> RulesetShown:
    """One ruleset."""
    return await reading(state, name, lambda hall: hall.library.shown(name))


@get("/api/bots", tags=["rulesets"], responses=PROBLEMS)
async def list_bots() -> list[BotShown]:
    """The bots that may take a seat."""
    return [bot_shown(name) for name in known_bots()]


@get("/api/rulesets/{name:str}/rules", tags=["rulesets"], responses=PROBLEMS)
async def list_rules(
    state: State, name: RulesetName, search: Annotated[str, QueryParameter(max_length=200)] = ""
) -> list[RuleShown]:
    """The rules of the ledger, or those that fit a query, best first."""

    def work(hall: Hall) -> list[RuleShown]:
        book = ledger_of(hall.library, name)
        found = book.search(search) if search.strip() else list(book.rules.values())
        return [_rule(rule) for rule in found[:MOST_RULES]]

    return await reading(state, name, work)


@get("/api/rulesets/{name:str}/rules/{rule:str}", tags=["rulesets"], responses=PROBLEMS)
async def one_rule(state: State, name: RulesetName, rule: RuleId) -> RuleShown:
    """One rule, with its numbers."""

    def work(hall: Hall) -> RuleShown:
        book = ledger_of(hall.library, name)
        if rule not in book.rules:
            raise Unlawful("rule", f"There is no such rule; {book.nearest(rule[:200])}.", 404)
        return _rule(book.rules[rule], data=True)

    return await reading(state, name, work)


@get("/api/rulesets/{name:str}/cards", tags=["rulesets"], responses=PROBLEMS)
async def list_cards(state: State, name: RulesetName) -> list[CardShown]:
    """The cards of the catalogue."""
    return await reading(state, name, lambda hall: hall.library.cards(name))


def _rule(rule: Rule, *, data: bool = False) -> RuleShown:
    examples = tuple((one.given, one.when, one.then) for one in rule.examples)
    numbers = _plain(canonical(rule.node)) if data else None
    return RuleShown(rule.id, rule.title, rule.kind, rule.chapter, rule.text, rule.ruling, examples, numbers)


def _plain(value: object) -> Any:
    """The data of a rule as JSON has it: decimals are written as text."""
    if isinstance(value, dict):
        return str(value[""]) if set(value) == {""} else {name: _plain(one) for name, one in value.items()}
    return [_plain(one) for one in value] if isinstance(value, list) else value


# Scenarios ------------------------------------------------------------------------------------------------------------


@get("/api/rulesets/{name:str}/scenarios/{scenario:str}", tags=["scenarios"], responses=PROBLEMS)
async def one_scenario(state: State, name: RulesetName, scenario: RulesetName) -> ScenarioChecked:
    """A scenario that comes with a ruleset, as form and as text."""

    def shown(hall: Hall) -> ScenarioChecked:
        found = hall.scenarios.get((name, scenario))
        if found is None:
            found = hall.scenarios[name, scenario] = scenario_shown(hall.library, name, scenario)
        return found

    return await reading(state, name, shown)


@post("/api/rulesets/{name:str}/scenarios/check", tags=["scenarios"], status_code=200, responses=PROBLEMS)
async def check_scenario(request: Anyone, name: RulesetName, data: JSONBody[TextSent]) -> ScenarioChecked:
    """Read the text of a scenario file; says what is wrong with it and where, or gives its form and its ground."""
    return await sent(request, name, CheckScenario(name, data.text), ScenarioChecked)


@post("/api/rulesets/{name:str}/scenarios/write", tags=["scenarios"], status_code=200, responses=PROBLEMS)
async def write_scenario(request: Anyone, name: RulesetName, data: JSONBody[FormSent]) -> ScenarioChecked:
    """Write the form of a scenario as a file, and check it."""
    return await sent(request, name, WriteScenario(name, data.form), ScenarioChecked)


@post("/api/rulesets/{name:str}/terrain", tags=["scenarios"], status_code=200, responses=PROBLEMS)
async def random_terrain(request: Anyone, name: RulesetName, data: JSONBody[TerrainWanted]) -> TerrainMade:
    """Fill a board at random, by the ruleset; the seed does it again."""
    seed = data.seed if data.seed is not None else secrets.randbelow(1 << 31)
    return await sent(request, name, LayTerrain(name, data.width, data.height, seed), TerrainMade)


HANDLERS = [
    list_rulesets,
    one_ruleset,
    list_bots,
    list_rules,
    one_rule,
    list_cards,
    one_scenario,
    check_scenario,
    write_scenario,
    random_terrain,
]
__all__ = ["HANDLERS"]
