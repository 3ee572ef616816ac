"""The cards that are in play: those a ruleset prints, and the made-up ones that cases bring."""

from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Generic, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from sandtable.engine.shapes import UNIT
from sandtable.forces.catalogue import Card, Catalogue, package_catalogue
from sandtable.forces.ledger import ledger
from sandtable.forces.reading import Thousandths

S = TypeVar("S", bound=msgspec.Struct)


def told(stats: msgspec.Struct) -> dict[str, Any]:
    """What a card says, as plain data for people to read: lengths in the table's unit, without what it does not have.

    >>> from sandtable.forces.reading import Length
    >>> class Gun(msgspec.Struct):
    ...     name: str
    ...     reach: Length
    ...     special: tuple[str, ...] = ()
    >>> told(Gun("Mortar", 4500))
    {'name': 'Mortar', 'reach': 4.5}
    """
    hints = get_type_hints(type(stats), include_extras=True)
    return {
        field.encode_name: _told(getattr(stats, field.name), hints[field.name])
        for field in msgspec.structs.fields(stats)
        if field.required or getattr(stats, field.name) != _default(field)
    }


def _default(field: msgspec.structs.FieldInfo) -> object:
    return field.default_factory() if field.default is msgspec.NODEFAULT else field.default


def _told(value: Any, kind: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return told(value)
    if isinstance(value, int) and not isinstance(value, bool) and _is_length(kind):
        return value // UNIT if value % UNIT == 0 else value / UNIT
    if isinstance(value, tuple | list):
        inner = [one for one in get_args(kind) if one is not Ellipsis]
        return [_told(one, inner[0] if inner else None) for one in value]
    if isinstance(value, dict):
        kinds = get_args(kind)
        return {name: _told(one, kinds[1] if len(kinds) > 1 else None) for name, one in value.items()}
    return msgspec.to_builtins(value)


def _is_length(kind: Any) -> bool:
    """Whether a number of a type is a length; of several types, whether one of them is."""
    if get_origin(kind) is Annotated:
        return Thousandths in kind.__metadata__
    return get_origin(kind) in (Union, UnionType) and any(_is_length(one) for one in get_args(kind))


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
