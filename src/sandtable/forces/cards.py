"""The cards that are in play: those a ruleset prints, and the made-up ones that cases bring."""

from pathlib import Path
from typing import Generic, TypeVar

import msgspec

from sandtable.forces.catalogue import Card, Catalogue, package_catalogue
from sandtable.forces.ledger import ledger

S = TypeVar("S", bound=msgspec.Struct)


class CardsInPlay(Generic[S]):
    """Every card that is in play in this process, by id.

    Cards are brought before a battle, and none is ever changed, so that what a thing can do is the same for all.
    """

    def __init__(self, system: str, stats: type[S]) -> None:
        self.printed: Catalogue[S] = package_catalogue(ledger(system), stats)
        self.held: dict[str, Card[S]] = dict(self.printed.cards)
        self._made_up: dict[tuple[Path, ...], Catalogue[S]] = {}

    def catalogue(self, *more: Path) -> Catalogue[S]:
        """The printed catalogue, with the cards of more files behind it."""
        if not more:
            return self.printed
        if more not in self._made_up:
            self._made_up[more] = self.printed.plus(*more)
        return self._made_up[more]

    def bring(self, *files: Path) -> Catalogue[S]:
        """Bring the made-up cards of some files into play, each file once; gives the catalogue with them."""
        found = self.catalogue(*dict.fromkeys(file.resolve() for file in files))
        self.held.update(found.cards)
        return found
