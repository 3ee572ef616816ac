"""The sample forces of the ledger: lawful, and priced as the ledger adds them up."""

import pytest

from sandtable.engine.battle import Battle
from sandtable.engine.events import Revealed
from sandtable.engine.records.journal import Happened
from sandtable.forces.report import UNLAWFUL
from sandtable.forces.scenario import find_scenario, package_scenarios
from sandtable.rulesets.strikeops import RULESET
from sandtable.rulesets.strikeops.forces.rosters import JUDGES, charges, lawful, models_bill, shown, specializations
from sandtable.rulesets.strikeops.forces.samples import sample_roster, samples
from sandtable.rulesets.strikeops.forces.squads import squads


def test_all_sample_forces_but_that_with_towed_guns_are_rosters() -> None:
    named = [one.removeprefix("strikeops.roster.force-") for one in RULESET.ledger.rules if ".roster.force-" in one]
    assert set(named) - set(samples()) == {"harrow-fortress"}


@pytest.mark.parametrize("name", samples())
def test_a_sample_force_is_lawful_and_costs_what_the_ledger_says(name: str) -> None:
    roster, source = sample_roster(name), RULESET.ledger.find(f"strikeops.roster.force-{name}")
    assert [one for one in lawful(roster) if one.severity in UNLAWFUL] == []
    assert models_bill(squads(roster)).total == source.number("totals", "models")
    assert specializations(roster, squads(roster)).total == source.number("totals", "specializations")
    assert charges(roster).total == source.number("totals", "spent_from_pool")
    assert sum(one.count for unit in roster.units for one in unit.models) == source.number("model_count")
    by_squad = [sum(RULESET.cards[one.model].points * one.count for one in unit.models) for unit in roster.units]
    assert by_squad == [one.number("threat") for one in source.items("squads")]


@pytest.mark.parametrize("name", ["border-muster", "league-and-charter"])
def test_a_ready_battle_of_rosters_begins_with_lawful_force_groups_that_are_shown(name: str) -> None:
    form = find_scenario(name, RULESET.ledger).value
    for side in form.sides.values():
        assert side.roster is not None
        assert [one for judge in JUDGES for one in judge(side.roster)] == []
    battle = Battle(RULESET, RULESET.setup(name), seed=1)
    told = [
        one.event.shown for one in battle.journal.lines if isinstance(one, Happened) and isinstance(one.event, Revealed)
    ]
    assert told == [words for side in form.sides.values() if side.roster for words, _ in shown(side.roster)]


def test_every_ready_battle_says_how_long_it_lasts() -> None:
    stop = RULESET.ledger.find("strikeops.scenarios.long-stop").number("last_turn")
    for name in package_scenarios("strikeops"):
        form = find_scenario(name, RULESET.ledger).value
        assert form.turn_limit or f"lasts {form.victory}" in RULESET.words, name
    assert RULESET.words["lasts last-side-standing"] == f"until one side is beaten, {stop} turns at most"
