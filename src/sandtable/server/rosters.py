"""Rosters at the table: what may be bought, what a roster comes to, and scenarios played with rosters.

What is lawful and what it costs is the ruleset's business (`forces.roster` says what it publishes); what it leaves out
is filled in here: everything in the catalogue may be bought for the points of its card, and nothing is forbidden.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from sandtable.engine.ids import Side
from sandtable.forces.catalogue import Catalogue
from sandtable.forces.files import FileError, RosterError, ScenarioError, nearest
from sandtable.forces.ledger import Ledger
from sandtable.forces.reading import Loaded
from sandtable.forces.roster import Offer, Roster, roster_from_text
from sandtable.forces.scenario import find_scenario, scenario_from_text
from sandtable.forces.writing import dump
from sandtable.server.api.bodies import ChargeShown, FindingShown, RosterChecked, TallyShown
from sandtable.server.library import Library
from sandtable.tabletop.book import Book
from sandtable.tabletop.rosters import closed_cards, judged, with_rosters


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
    book, roster = _book(shelf, name), loaded.value
    report, bill, limit = judged(book, loaded), book.roster_charges(roster), roster.limit
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
        tallies=tuple(
            TallyShown(one.what, one.found, one.bounds, one.finding is None, one.rule, one.at, one.sum)
            for one in book.roster_tallies(roster)
        ),
        choices=tuple(book.roster_choices(roster)),
        closed=tuple(closed_cards(book, roster)),
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
    rules = _ledger(shelf, name)
    if not text and not scenario:
        raise ScenarioError("scenario", 0, "rosters come to a scenario", "say which one")
    form = scenario_from_text(text, rules).value if text else find_scenario(scenario, rules).value
    for side in rosters:
        if side not in form.sides:
            raise RosterError("roster", 0, f"there is no side `{side}` in the scenario", nearest(side, form.sides))
    loaded = {Side(side): _loaded(shelf, name, roster) for side, roster in rosters.items()}
    return dump(with_rosters(_book(shelf, name), form, loaded))


def _loaded(shelf: Library, name: str, text: str) -> Loaded[Roster]:
    catalogue: Catalogue[Any] | None = shelf.catalogue(name)
    if catalogue is None:
        raise RosterError("roster", 0, "this ruleset has nothing to buy", "play one of its scenarios as it is")
    return roster_from_text(text, catalogue)


def _book(shelf: Library, name: str) -> Book:
    book = shelf.book(name)
    assert book is not None, f"{name} has nothing to buy"
    return book


def _ledger(shelf: Library, name: str) -> Ledger:
    book = shelf.ledger(name)
    if book is None:
        raise RosterError("roster", 0, "this ruleset has no ledger", "play one of its scenarios as it is")
    return book
