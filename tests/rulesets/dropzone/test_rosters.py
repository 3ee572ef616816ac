"""Army building: random rosters against a second reading of the rules, and what a page may offer."""

import pytest

from sandtable.forces.report import Severity
from sandtable.forces.roster import roster_without_file, taken
from sandtable.rulesets.dropzone.forces.armies import sample_names, sample_roster
from sandtable.tabletop.rosters import closed_cards, judged
from tests.rulesets.dropzone.armies import BOOK, CARDS, judge


def test_random_armies_are_legal_by_a_second_reading_or_reported_with_the_rule_they_break() -> None:
    lawful, fired = judge(range(1000))
    assert lawful > 50
    assert fired == {
        "dropzone.command.commander-table",
        "dropzone.command.mounting-a-commander",
        "dropzone.forces.agreed-total",
        "dropzone.forces.auxiliary-squads",
        "dropzone.forces.battlegroup-kinds",
        "dropzone.forces.game-sizes",
        "dropzone.special-rules.rare",
        "dropzone.transports.capacity-and-requirement",
        "dropzone.transports.half-full-at-start",
        "dropzone.transports.single-battlegroup",
        "dropzone.units.armed-alike",
        "dropzone.units.unit-squad-battlegroup",
        "dropzone.units.unit-statistics",
    }


@pytest.mark.parametrize("size", ["skirmish", "clash"])
def test_what_is_closed_breaks_the_rule_it_names_and_what_is_open_breaks_none(size: str) -> None:
    assert BOOK.cards is not None
    for force in sample_names():
        roster = sample_roster(force, size)
        closed = {(one.at, one.model): one.rule for one in closed_cards(BOOK, roster)}
        assert closed
        for n in range(len(roster.units)):
            for model in CARDS:
                at: tuple[str | int, ...] = ("units", n)
                report = judged(BOOK, roster_without_file(taken(roster, at, model, "units"), BOOK.cards))
                errors = [one.rule for one in report.findings if one.severity is Severity.ERROR]
                assert ((at, model) in closed) == bool(errors), (force, n, model)
                assert not errors or closed[at, model] in errors
