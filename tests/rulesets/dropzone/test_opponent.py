"""The opponent plays Dropzone."""

from msgspec.structs import replace

from sandtable.bots.by_name import make_bot
from sandtable.bots.levels import LEVELS
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED
from sandtable.engine.questions import PlaceThings
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Point
from sandtable.engine.table import Ground, Mark, Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.lab.battles import play_battle
from sandtable.rulesets import ruleset
from sandtable.rulesets.dropzone.movement.arriving import ARRIVE, inward
from sandtable.rulesets.dropzone.shooting.firing import shots_in
from sandtable.rulesets.dropzone.tactics.errands import HOUSE_WORDS, SHELTER_WORTH, goals
from sandtable.rulesets.dropzone.tactics.fire import best_volley
from sandtable.rulesets.dropzone.tactics.opponent import DropzoneTactics
from sandtable.rulesets.dropzone.tactics.ways import sets_down
from sandtable.rulesets.dropzone.units import ACTED, AIRBORNE, inside, is_fast, is_kind

SKILL = LEVELS[5].skill


def attrition() -> Table:
    """The table of a battle of attrition of clash size, on which nobody has come yet."""
    rules = ruleset("dropzone")
    return Battle(rules, rules.setup("attrition", 2, RED), seed=1, digest_every=0).table.copy()


def put(table: Table, unit: Thing, x: int, y: int, *, airborne: bool = False) -> None:
    """Put a unit on the table, in inches."""
    states = {**unit.states, AIRBORNE: Mark()} if airborne else unit.states
    table.things[unit.id] = replace(unit, place=At(Point(x * UNIT, y * UNIT)), states=states)


def carrier_of(table: Table, card: str) -> Thing:
    """The first Aircraft of red that carries somebody with a card."""
    return next(
        one
        for one in table.of_kind("model")
        if one.side == RED and any(rider.card == card for rider in inside(table, one.id))
    )


def test_tanks_get_out_where_they_can_fire_and_do_not_fly_after_the_next_enemy() -> None:
    table = attrition()
    carrier = carrier_of(table, "bulwark")
    near, far = [one for one in table.of_kind("model") if one.side == BLUE and one.card == "bulwark"][:2]
    put(table, carrier, 38, 30, airborne=True)
    put(table, far, 10, 46)
    assert not sets_down(table, table[carrier.unit]), "nobody is in range"
    put(table, near, 38, 40)
    assert sets_down(table, table[carrier.unit]), "that another enemy is out of range is no reason to fly on"


def test_infantry_goes_for_houses_near_the_enemy_and_not_for_the_next_wood() -> None:
    table = attrition()
    squad = next(one for one in table.of_kind("unit") if one.side == RED and _on_foot(table, one))
    foe = next(one for one in table.of_kind("model") if one.side == BLUE and one.card == "bulwark")
    put(table, foe, 24, 40)
    houses = [one for one in goals(table, squad) if one.what == HOUSE_WORDS]
    assert houses
    assert all(length_between(one.at, Point(24 * UNIT, 40 * UNIT)) < SHELTER_WORTH for one in houses)


def _on_foot(table: Table, squad: Thing) -> bool:
    units = table.members(squad.id)
    return bool(units) and all(is_kind(one, "infantry") for one in units)


def test_fast_aircraft_come_in_towards_the_table_and_not_along_its_edge() -> None:
    table = attrition()
    units = [one for one in table.of_kind("model") if one.side == RED and is_fast(one)]
    foe = next(one for one in table.of_kind("model") if one.side == BLUE and one.card == "bulwark")
    put(table, foe, 24, 40)
    names = tuple(one.id for one in units)
    question = PlaceThings(RED, "", topic=ARRIVE, about=(units[0].unit,), things=names)
    ideas = [one for one in DropzoneTactics().rate(View(RED, table), question, SKILL, None) if one.draft]
    assert ideas
    for one in ideas:
        assert all(spot.facing == inward(table, RED, spot.where.point) for spot in one.draft.values())


def test_an_anti_air_gun_waits_for_aircraft_that_may_still_fly_past() -> None:
    table = attrition()
    gun = next(one for one in table.of_kind("model") if one.side == RED and one.card == "skyguard")
    mark = next(one for one in table.of_kind("model") if one.side == BLUE and one.card == "carter")
    flyers = [one for one in table.of_kind("model") if one.side == BLUE and one.card == "petrel"]
    dropship = next(one for one in flyers if mark.id not in [rider.id for rider in inside(table, one.id)])
    table.ground = Ground(table.ground.width, table.ground.height)
    put(table, gun, 38, 30)
    put(table, mark, 38, 40)
    volley, worth = best_volley(table, table[gun.unit], SKILL)
    assert worth
    assert [shot.target for shot in shots_in(volley)] == [mark.id], "nobody is in the air"
    put(table, dropship, 10, 44, airborne=True)
    assert best_volley(table, table[gun.unit], SKILL) == ({}, 0), "the dropship can come into range"
    assert best_volley(table, table[gun.unit], LEVELS[2].skill)[1], "who never answers fire waits for nobody"
    squad = table[dropship.unit]
    table.things[squad.id] = replace(squad, states={**squad.states, ACTED: Mark()})
    assert best_volley(table, table[gun.unit], SKILL)[1] == worth, "it has flown for this round"


def test_a_battle_with_flights_has_an_end() -> None:
    rules = ruleset("dropzone")
    players = {RED: make_bot("5", rules, 1, RED), BLUE: make_bot("random", rules, 1, BLUE)}
    battle = play_battle(rules, rules.setup("attrition"), players, seed=1, watched=False, digest_every=0, most=5000)
    assert battle.table.ending is not None
