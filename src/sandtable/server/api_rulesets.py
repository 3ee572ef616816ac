"""What may be read about rulesets, and scenarios to be edited: no battle is touched here."""

import secrets
from collections.abc import Callable
from typing import Annotated, Any, TypeVar

import msgspec
from litestar import get, post
from litestar.datastructures import State
from litestar.params import JSONBody, PathParameter, QueryParameter

from sandtable.forces.files import FileError, nearest
from sandtable.forces.ledger import Ledger, Rule, canonical
from sandtable.forces.scenario import Scenario, load_scenario, package_scenarios, scenario_from_text
from sandtable.forces.terrain import PieceForm, board_of
from sandtable.forces.writing import dump
from sandtable.server.bodies import (
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
from sandtable.server.hall import Hall, Unlawful
from sandtable.server.library import known_bots
from sandtable.server.terrain import NoTerrain, laid_out

T = TypeVar("T")
RulesetName = Annotated[str, PathParameter(max_length=64)]
RuleId = Annotated[str, PathParameter(max_length=200)]
#: No search or list gives more at once.
MOST_RULES = 1000


async def reading(state: State, name: str, work: Callable[[Hall], T]) -> T:
    """Do something about a ruleset that there is, in a thread."""
    hall: Hall = state.hall
    if name not in hall.library.names():
        raise Unlawful("ruleset", f"There is no such ruleset; {nearest(name[:64], hall.library.names())}.", 404)
    return await hall.aside(lambda: work(hall))


@get("/api/rulesets", tags=["rulesets"])
async def list_rulesets(state: State) -> list[RulesetShown]:
    """All rulesets, with their scenarios."""
    hall: Hall = state.hall
    return await hall.aside(lambda: [hall.library.shown(name) for name in hall.library.names()])


@get("/api/rulesets/{name:str}", tags=["rulesets"])
async def one_ruleset(state: State, name: RulesetName) -> RulesetShown:
    """One ruleset."""
    return await reading(state, name, lambda hall: hall.library.shown(name))


@get("/api/bots", tags=["rulesets"])
async def list_bots() -> list[BotShown]:
    """The bots that may take a seat."""
    return [BotShown(name) for name in known_bots()]


@get("/api/rulesets/{name:str}/rules", tags=["rulesets"])
async def list_rules(
    state: State, name: RulesetName, search: Annotated[str, QueryParameter(max_length=200)] = ""
) -> list[RuleShown]:
    """The rules of the ledger, or those that fit a query, best first."""

    def work(hall: Hall) -> list[RuleShown]:
        book = _ledger(hall, name)
        found = book.search(search) if search.strip() else list(book.rules.values())
        return [_rule(rule) for rule in found[:MOST_RULES]]

    return await reading(state, name, work)


@get("/api/rulesets/{name:str}/rules/{rule:str}", tags=["rulesets"])
async def one_rule(state: State, name: RulesetName, rule: RuleId) -> RuleShown:
    """One rule, with its numbers."""

    def work(hall: Hall) -> RuleShown:
        book = _ledger(hall, name)
        if rule not in book.rules:
            raise Unlawful("rule", f"There is no such rule; {book.nearest(rule[:200])}.", 404)
        return _rule(book.rules[rule], data=True)

    return await reading(state, name, work)


@get("/api/rulesets/{name:str}/cards", tags=["rulesets"])
async def list_cards(state: State, name: RulesetName) -> list[CardShown]:
    """The cards of the catalogue."""
    return await reading(state, name, lambda hall: hall.library.cards(name))


def _ledger(hall: Hall, name: str) -> Ledger:
    book = hall.library.ledger(name)
    if book is None:
        raise Unlawful("rule", "This ruleset has no ledger.", 404)
    return book


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


@get("/api/rulesets/{name:str}/scenarios/{scenario:str}", tags=["scenarios"])
async def one_scenario(state: State, name: RulesetName, scenario: RulesetName) -> ScenarioChecked:
    """A scenario that comes with a ruleset, as form and as text."""

    def work(hall: Hall) -> ScenarioChecked:
        known = package_scenarios(name)
        if scenario not in known:
            raise Unlawful("scenario", f"There is no such scenario; {nearest(scenario[:64], known)}.", 404)
        form = load_scenario(known[scenario], _ledger(hall, name)).value
        return _checked(hall, name, dump(form))

    return await reading(state, name, work)


@post("/api/rulesets/{name:str}/scenarios/check", tags=["scenarios"], status_code=200)
async def check_scenario(state: State, name: RulesetName, data: JSONBody[TextSent]) -> ScenarioChecked:
    """Read the text of a scenario file; says what is wrong with it and where, or gives its form and its ground."""
    return await reading(state, name, lambda hall: _checked(hall, name, data.text))


@post("/api/rulesets/{name:str}/scenarios/write", tags=["scenarios"], status_code=200)
async def write_scenario(state: State, name: RulesetName, data: JSONBody[FormSent]) -> ScenarioChecked:
    """Write the form of a scenario as a file, and check it."""

    def work(hall: Hall) -> ScenarioChecked:
        try:
            form = msgspec.convert(data.form, Scenario)
            text = dump(form)
        except (msgspec.ValidationError, TypeError, AssertionError) as problem:
            return ScenarioChecked(wrong=f"That is no scenario: {problem}")
        return _checked(hall, name, text)

    return await reading(state, name, work)


@post("/api/rulesets/{name:str}/terrain", tags=["scenarios"], status_code=200)
async def random_terrain(state: State, name: RulesetName, data: JSONBody[TerrainWanted]) -> TerrainMade:
    """Fill a board at random, by the ruleset; the seed does it again."""

    def work(hall: Hall) -> TerrainMade:
        seed = data.seed if data.seed is not None else secrets.randbelow(1 << 31)
        try:
            ground = laid_out(hall.library, name, _ledger(hall, name), data.width, data.height, seed)
        except NoTerrain as problem:
            raise Unlawful("terrain", str(problem), 409) from None
        terrain = board_of(ground).terrain
        assert not isinstance(terrain, str)
        return TerrainMade(seed, ground, [_written(piece) for piece in terrain])

    return await reading(state, name, work)


def _written(piece: PieceForm) -> dict[str, Any]:
    """A piece of terrain as a form lists it, without what it does not say."""
    plain: dict[str, Any] = msgspec.to_builtins(piece)
    return {name: value for name, value in plain.items() if value not in (None, "", [], (), {})}


def _checked(hall: Hall, name: str, text: str) -> ScenarioChecked:
    try:
        form = scenario_from_text(text, _ledger(hall, name)).value
        setup = hall.library.setup(name, text=text)
        ground = _ground(hall, name, setup)
        return ScenarioChecked(form, text, ground)
    except FileError as problem:
        return ScenarioChecked(text=text, wrong=f"{problem.found}; {problem.remedy}", line=problem.line)


def _ground(hall: Hall, name: str, setup: Any) -> Any:
    """The ground as a battle would begin on it, as everybody may see it."""
    from sandtable.engine.battle import SPECTATOR, Battle

    return Battle(hall.library.ruleset(name), setup, seed=0).view(SPECTATOR).table.ground


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
