"""Force building: random rosters against a second reading, what a page may offer, and battles opened with rosters."""

import pytest

from sandtable.bots import make_bot
from sandtable.engine.battle import Battle
from sandtable.engine.ids import BLUE, RED
from sandtable.forces.files import RosterError
from sandtable.forces.report import Severity
from sandtable.forces.roster import Bought, Roster, Unit, roster_without_file, taken
from sandtable.forces.scenario import package_scenarios
from sandtable.rulesets.strikeops import RULESET
from sandtable.rulesets.strikeops.forces.samples import sample_roster
from sandtable.tabletop.rosters import closed_cards, judged
from tests.rulesets.strikeops.force_groups import SQUADS, judge


def hounds(*models: str, limit: int = 2000) -> Roster:
    squad = Unit(name="Hounds", kind="attack", models=tuple(Bought(model=one) for one in models))
    return Roster(
        ruleset="strikeops", name="Hounds", limit=limit, options={"faction": "cobalt-charter"}, units=(squad,)
    )


def test_random_force_groups_are_legal_by_a_second_reading_or_reported_with_the_rule_they_break() -> None:
    lawful, fired = judge(range(1000))
    assert lawful > 200
    squads = {f"forces.{kind}-squad" for kind in SQUADS}
    assert fired >= {
        *squads,
        "attributes.unique",
        "forces.faction-choice",
        "forces.faction-organization-level",
        "forces.independent-faction-models",
        "forces.major-faction-models",
        "forces.number-of-secondary-squads",
        "forces.pool-is-a-maximum",
        "forces.specialist-attribute",
        "forces.specialization-reserve",
        "forces.squad-transports",
        "forces.threat-value-pool",
        "upgrades.one-of-each-type",
        "upgrades.odst",
        "upgrades-ammo.launcher-row-is-bought-separately",
        "upgrades-ammo.pylon-stores",
    }


def test_what_is_closed_breaks_the_rule_it_names_and_what_is_open_breaks_none() -> None:
    roster = hounds("palisade", "stoat", "stoat", limit=1300)
    closed = {(one.at, one.model): one for one in closed_cards(RULESET, roster)}
    for model in RULESET.cards.cards:
        at: tuple[str | int, ...] = ("units", 0)
        report = judged(RULESET, roster_without_file(taken(roster, at, model, "models"), RULESET.cards))
        errors = [one.rule for one in report.findings if one.severity in (Severity.ERROR, Severity.LATER)]
        assert ((at, model) in closed) == bool(errors), model
        assert not errors or closed[at, model].rule in errors
    assert closed[("units", 0), "picket"].rule == "strikeops.forces.attack-squad"
    assert closed[("units", 0), "palisade"].rule == "strikeops.forces.pool-is-a-maximum"
    assert (("units", 0), "stoat") not in closed


def test_whoever_is_still_to_come_is_closed_with_the_reason() -> None:
    closed = {one.model: one for one in closed_cards(RULESET, hounds("stoat")) if one.at == ("units", 0)}
    assert "still to come" in closed["vesper"].why


@pytest.mark.parametrize("scenario", list(package_scenarios("strikeops")))
def test_a_battle_can_be_opened_with_rosters_in_every_scenario(scenario: str) -> None:
    big, small = hounds("palisade", "stoat", "stoat", "stoat"), hounds("stoat", "stoat", "stoat", "stoat", limit=900)
    rosters = {RED: roster_without_file(big, RULESET.cards), BLUE: roster_without_file(small, RULESET.cards)}
    battle = Battle(RULESET, RULESET.opening.setup(scenario, 0, rosters), seed=1)
    assert [one.card for one in battle.table.of_kind("model") if one.side == "red"] == [
        "palisade",
        "stoat",
        "stoat",
        "stoat",
    ]
    squads = {one.side: one.label for one in battle.table.of_kind("unit")}
    assert squads == {"red": "Hounds", "blue": "Hounds"}
    bots = {side: make_bot("random", RULESET, side) for side in battle.table.sides}
    for _ in range(40):
        for side in battle.table.sides:
            question = battle.question_for(side)
            if question is not None:
                assert battle.answer(bots[side].answer(battle.view(side), question), side) is None


def test_a_roster_that_breaks_a_rule_is_not_played() -> None:
    three = roster_without_file(hounds("stoat", "stoat", "stoat"), RULESET.cards)
    with pytest.raises(RosterError, match=r"3 of 4 to 6; see strikeops\.forces\.attack-squad"):
        RULESET.opening.setup("first-blood", 0, {RED: three})


def test_a_lawful_force_with_what_is_still_to_come_is_refused_by_name() -> None:
    battery = roster_without_file(sample_roster("terran-battery"), RULESET.cards)
    with pytest.raises(RosterError, match="still to come"):
        RULESET.opening.setup("first-blood", 0, {RED: battery})
