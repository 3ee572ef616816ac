"""Rosters by the book of a ruleset: what the rules say of one, what may still be taken, and battles played with it."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from sandtable.engine.ids import NO_SIDE, Side
from sandtable.forces.files import RosterError, nearest
from sandtable.forces.reading import Loaded
from sandtable.forces.report import UNLAWFUL, Checker, Finding, Report, Severity, validate
from sandtable.forces.roster import Bill, Choice, Closed, Offer, Roster, Unit, taken
from sandtable.forces.scenario import Scenario
from sandtable.forces.tallies import Tally

if TYPE_CHECKING:
    from sandtable.tabletop.book import Book


def _none(roster: Roster) -> Sequence[Any]:
    return ()


class Rosters(NamedTuple):
    """How forces are bought by a ruleset: what there is, what a roster is judged by, what it costs, what is counted in
    it, and which options its units have now. A bill is made of the points of the cards where none is said."""

    offer: Callable[[], Offer]
    checkers: Sequence[Checker[Roster]]
    charges: Callable[[Roster], Bill] | None = None
    tallies: Callable[[Roster], Sequence[Tally]] = _none
    choices: Callable[[Roster], Sequence[Choice]] = _none


def judged(book: "Book", loaded: Loaded[Roster]) -> Report:
    """What the rules say of a roster."""
    return validate(loaded, book.ledger, *book.roster_checkers())


def lawful(book: "Book", loaded: Loaded[Roster], side: Side = NO_SIDE) -> Roster:
    """A roster that may be played; one that breaks a rule or goes over the points it names is an error."""
    name = f"roster of {side}" if side else loaded.file
    for finding in judged(book, loaded).findings:
        if finding.severity in UNLAWFUL:
            raise RosterError(name, finding.line, finding.sentence.rstrip("."), f"see {finding.rule}")
    limit, points = loaded.value.limit, book.roster_charges(loaded.value).total
    if limit is not None and points > limit:
        raise RosterError(name, 0, f"it costs {points} points", f"at most {limit} would do")
    return loaded.value


def with_rosters(book: "Book", form: Scenario, rosters: Mapping[Side, Loaded[Roster]]) -> Scenario:
    """A scenario in which sides bring rosters instead of its own forces."""
    sides = dict(form.sides)
    for side, loaded in rosters.items():
        if side not in sides:
            raise RosterError("roster", 0, f"there is no side `{side}` in the scenario", nearest(side, sides))
        sides[side] = msgspec.structs.replace(sides[side], force=(), roster=lawful(book, loaded, side))
    return msgspec.structs.replace(form, sides=sides)


def closed_cards(book: "Book", roster: Roster) -> list[Closed]:
    """The cards that may not be taken into each unit as a roster stands, or into a new one of each kind.

    Found by trying: what a rule still asks for is no reason, only what it forbids.
    """
    offer = book.roster_offer()
    if offer is None:
        return []
    takes = {kind.id: kind.takes for kind in offer.unit_kinds}
    tried: list[tuple[tuple[str | int, ...], Roster, int, str]] = [
        (("units", n), roster, n, unit.kind) for n, unit in enumerate(roster.units)
    ]
    for kind in offer.unit_kinds:
        fresh = Unit(name=f"the {kind.words}", kind=kind.id)
        more = msgspec.structs.replace(roster, units=(*roster.units, fresh))
        tried.append((("kinds", kind.id), more, len(roster.units), kind.id))
    before = {(one.rule, one.sentence) for one in _broken(book, roster)}
    found = []
    for at, form, number, sort in tried:
        for model in offer.models:
            more = taken(form, ("units", number), model, takes.get(sort, "models"))
            for one in _broken(book, more):
                if (one.rule, one.sentence) not in before:
                    found.append(Closed(at, model, one.sentence, one.rule))
                    break
    return found


def _broken(book: "Book", roster: Roster) -> list[Finding]:
    return [
        finding
        for checker in book.roster_checkers()
        for finding in checker(roster)
        if finding.severity in (Severity.ERROR, Severity.LATER)
    ]
