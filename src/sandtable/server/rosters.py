"""Rosters at the table: what may be bought, what a roster comes to, and scenarios played with rosters.

What is lawful and what it costs is the ruleset's business (`forces.roster` says what it publishes); what it leaves out
is filled in here: everything in the catalogue may be bought for the points of its card, and nothing is forbidden.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.forces.catalogue import Catalogue
from sandtable.forces.files import FileError, RosterError, ScenarioError, nearest
from sandtable.forces.ledger import Ledger
from sandtable.forces.reading import Loaded
from sandtable.forces.report import Report, Severity, validate
from sandtable.forces.roster import Bill, Offer, Roster, roster_from_text
from sandtable.forces.scenario import find_scenario, scenario_from_text
from sandtable.forces.writing import dump
from sandtable.server.api.bodies import ChargeShown, FindingShown, RosterChecked
from sandtable.server.library import Library


def offer_of(shelf: Library, name: str) -> Offer:
    """What may be bought under a ruleset."""
    book = shelf.book(name)
    offer = None if book is None else book.roster_offer()
    return offer or Offer(models=tuple(card.id for card in shelf.catalogue(name) or ()))


def checked_roster(shelf: Library, name: str, text: str) -> RosterChecked:
    """What the text of a roster comes to."""
    try:
        loaded = _loaded(shelf, name, text)
    except FileError as problem:
        return RosterChecked(text=text, wrong=f"{problem.found}; {problem.remedy}", line=problem.line)
    report, bill = _judged(shelf, name, loaded), _bill(shelf, name, loaded.value)
    limit = loaded.value.limit
    return RosterChecked(
        form=loaded.value,
        text=text,
        points=bill.total,
        limit=limit,
        lawful=report.lawful and (limit is None or bill.total <= limit),
        charges=tuple(ChargeShown(one.what, one.each, one.count, one.total, one.rule) for one in bill.charges),
        findings=tuple(
            FindingShown(one.severity.value, one.rule, one.sentence, one.at, one.line) for one in report.findings
        ),
    )


def written_roster(shelf: Library, name: str, form: Mapping[str, Any]) -> RosterChecked:
    """A roster from its form: its file, and what it comes to."""
    try:
        text = dump(msgspec.convert(form, Roster))
    except (msgspec.ValidationError, TypeError, AssertionError) as problem:
        return RosterChecked(wrong=f"That is no roster: {problem}")
    return checked_roster(shelf, name, text)


def scenario_with(shelf: Library, name: str, scenario: str, text: str, rosters: Mapping[str, str]) -> str:
    """The text of a scenario, by its name or its text, in which sides bring rosters instead of its own forces.

    A roster that breaks a rule, or goes over the points it names, is not played.
    """
    book = _book(shelf, name)
    if not text and not scenario:
        raise ScenarioError("scenario", 0, "rosters come to a scenario", "say which one")
    form = scenario_from_text(text, book).value if text else find_scenario(scenario, book).value
    sides = dict(form.sides)
    for side, roster in rosters.items():
        if side not in sides:
            raise RosterError("roster", 0, f"there is no side `{side}` in the scenario", nearest(side, sides))
        sides[side] = msgspec.structs.replace(sides[side], force=(), roster=_lawful(shelf, name, side, roster))
    return dump(msgspec.structs.replace(form, sides=sides))


def _lawful(shelf: Library, name: str, side: str, text: str) -> Roster:
    loaded = _loaded(shelf, name, text)
    report, bill = _judged(shelf, name, loaded), _bill(shelf, name, loaded.value)
    for finding in report.findings:
        if finding.severity is Severity.ERROR:
            raise RosterError(f"roster of {side}", finding.line, finding.sentence.rstrip("."), f"see {finding.rule}")
    limit = loaded.value.limit
    if limit is not None and bill.total > limit:
        raise RosterError(f"roster of {side}", 0, f"it costs {bill.total} points", f"at most {limit} would do")
    return loaded.value


def _loaded(shelf: Library, name: str, text: str) -> Loaded[Roster]:
    catalogue: Catalogue[Any] | None = shelf.catalogue(name)
    if catalogue is None:
        raise RosterError("roster", 0, "this ruleset has nothing to buy", "play one of its scenarios as it is")
    return roster_from_text(text, catalogue)


def _judged(shelf: Library, name: str, loaded: Loaded[Roster]) -> Report:
    book = shelf.book(name)
    checkers = () if book is None else book.roster_checkers()
    return validate(loaded, _book(shelf, name), *checkers)


def _bill(shelf: Library, name: str, roster: Roster) -> Bill:
    book = shelf.book(name)
    assert book is not None, f"{name} has nothing to buy"
    return book.roster_charges(roster)


def _book(shelf: Library, name: str) -> Ledger:
    book = shelf.ledger(name)
    if book is None:
        raise RosterError("roster", 0, "this ruleset has no ledger", "play one of its scenarios as it is")
    return book
