"""Rosters: what a side may bring, and what the rules have to say of it."""

from collections.abc import Iterable

from sandtable.forces.report import Finding, Severity
from sandtable.forces.roster import Offer, Roster, all_bought, all_units
from sandtable.rulesets.quickstart.datacard import catalogue
from sandtable.rulesets.quickstart.setup.board import FORCE_SIZE
from sandtable.tabletop.rosters import Rosters


def offer() -> Offer:
    """The models of the catalogue, and nothing beside them."""
    return Offer(models=tuple(card.id for card in catalogue()))


def models_and_nothing_else(roster: Roster) -> Iterable[Finding]:
    """More models change nothing else: there are no upgrades and no extras (quickstart.setup.force-size)."""
    found = [(*path, "upgrades") for path, unit in all_units(roster.units) if unit.upgrades]
    found += [(*path, "upgrades") for path, bought in all_bought(roster) if bought.upgrades]
    found += [("extras", n) for n in range(len(roster.extras))]
    for at in found:
        yield Finding(Severity.ERROR, FORCE_SIZE.id, "A side brings models and nothing beside them.", at)


def as_many_as_the_other_side(roster: Roster) -> Iterable[Finding]:
    """Several models a side are a matter of agreement, and both sides bring as many (quickstart.setup.force-size)."""
    count = sum(bought.count for _, bought in all_bought(roster))
    if count == 0:
        yield Finding(Severity.ERROR, FORCE_SIZE.id, "A side has at least one model.", ("units",))
    if count > FORCE_SIZE.number("models_per_side_printed"):
        words = f"{count} models a side are played by agreement, and both sides have as many."
        yield Finding(Severity.NOTE, FORCE_SIZE.id, words, ("units",))


ROSTERS = Rosters(offer, (models_and_nothing_else, as_many_as_the_other_side))
