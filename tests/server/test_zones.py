"""Zones: what parts of the table mean, by what each side knows, in every scenario of every ruleset."""

import pytest

from sandtable.bots.random_bot import RandomBot
from sandtable.engine.battle import Battle
from sandtable.engine.ids import NO_SIDE, RED, Side
from sandtable.engine.questions import ChooseOne, PlaceThings
from sandtable.engine.shapes import Zone
from sandtable.field.ground import box_of
from sandtable.forces.ledger import ledger, systems
from sandtable.forces.scenario import package_scenarios
from sandtable.server.library import Library
from tests.server.tables import Server

SHELF = Library()
SCENARIOS = [(name, scenario) for name in systems() for scenario in package_scenarios(name)]


def _zones(battle: Battle, side: Side) -> dict[str, Zone]:
    zones = battle.ruleset.zones(battle.view(side))
    by_id = {zone.id: zone for zone in zones}
    assert len(by_id) == len(zones), "two zones have one id"
    return by_id


def _sound(battle: Battle, zones: dict[str, Zone]) -> None:
    ground, rules = battle.table.ground, ledger(battle.ruleset.name).rules
    for zone in zones.values():
        west, north, east, south = box_of(zone.shape)
        assert west < ground.width, zone.id
        assert north < ground.height, zone.id
        assert (east, south) > (0, 0), zone.id
        assert zone.rule in rules, zone.id
        assert zone.side in ("", *battle.table.sides), zone.id
        assert zone.label, zone.id


@pytest.mark.parametrize(("name", "scenario"), SCENARIOS)
def test_zones_lie_on_the_table_and_name_their_rules(name: str, scenario: str) -> None:
    rules = SHELF.ruleset(name)
    battle = Battle(rules, SHELF.setup(name, scenario), seed=5)
    bot = RandomBot(rules, 2)
    for _ in range(12):
        before = battle.digest()
        for side in (NO_SIDE, *battle.table.sides):
            _sound(battle, _zones(battle, side))
        assert battle.digest() == before, "asking for zones changes nothing"
        if battle.ended:
            break
        question = battle.questions[0]
        battle.answer(bot.answer(battle.view(question.side), question), question.side)


def test_a_deployment_zone_is_there_until_everybody_stands() -> None:
    rules = SHELF.ruleset("quickstart")
    battle = Battle(rules, SHELF.setup("quickstart", "duel"), seed=5)
    bot = RandomBot(rules, 2)
    assert sorted(zone.side for zone in _zones(battle, RED).values()) == ["blue", "red"]
    while isinstance(battle.questions[0], ChooseOne | PlaceThings):
        question = battle.questions[0]
        battle.answer(bot.answer(battle.view(question.side), question), question.side)
    assert _zones(battle, RED) == {}


def test_an_objective_is_held_from_a_ring_about_it() -> None:
    battle = Battle(SHELF.ruleset("stargrunt"), SHELF.setup("stargrunt", "duel"), seed=5)
    zones = _zones(battle, NO_SIDE)
    assert [zone.side for zone in zones.values()] == ["", "", "", "red", "blue"]
    west = zones["west-marker-zone"]
    assert box_of(west.shape) == (6_000, 15_500, 12_000, 21_500)


def test_a_page_is_told_the_zones(server: Server) -> None:
    made = server.begin("duel")
    with server.page(made["links"][0]["token"]) as page:
        assert page.situation["zones"] == []
