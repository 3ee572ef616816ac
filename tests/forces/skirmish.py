"""A made-up ruleset of three rules: a ledger, a catalogue and kinds of terrain for the tests of `forces`."""

from pathlib import Path

import msgspec

from sandtable.forces.catalogue import Catalogue, read_catalogue
from sandtable.forces.ledger import Changes, Ledger
from sandtable.forces.reading import Length
from sandtable.forces.terrain import TerrainKind

CARDS = """\
system: skirmish
chapter: cards
rules:
  - id: skirmish.cards.walker
    title: The walker
    kind: data
    text: A walker strides.
    data:
      title: Walker
      sort: machine
      cost: 100
      reach: 2.5
      rows: [[1, 2], [3, null]]
  - id: skirmish.cards.squad
    title: Infantry
    kind: data
    text: Two kinds of foot.
    data:
      models:
        trooper: {title: Trooper, sort: foot, cost: 10, reach: 1}
        medic: {title: Medic, sort: foot, cost: 15, reach: 1}
"""

TABLE = """\
system: skirmish
chapter: table
rules:
  - id: skirmish.table.size
    title: How large the table is
    kind: setup
    text: >
      Forty by thirty, and walkers stand
      on wide bases.
    data: {size_in: [40, 30], base_in: 1.25, gap_in: 0.005, share: 0.5, fast: true, dash: null,
           roll: 1d6+1, results: {2: {hits: 1}, 10+: {hits: 3}}, rush: 2 * walk}
    examples:
      - {given: a table, when: it is measured, then: it is forty wide}
    ruling: >
      We
      play it so.
"""

CATALOGUE = """\
ruleset: skirmish
fields: {name: title, kind: sort, points: cost}
cards:
  - id: walker
    from_rule: skirmish.cards.walker
    base: {hexagon: {rule: skirmish.table.size, at: base_in}}
    glyph: walker
    height: 3
    call_signs: [Anvil, Bastion]
  - id: trooper
    from_rule: skirmish.cards.squad
    at: [models, trooper]
    base: {radius: {at: reach}}
  - id: elite
    like: trooper
    change: {cost: 20}
    name: Elite trooper
  - id: radar
    stats: {title: Radar, cost: 7}
    kind: upgrade
    base: {rectangle: [1, 0.5]}
"""

KINDS = {
    "wood": TerrainKind(height=3),
    "house": TerrainKind(),
    "road": TerrainKind(),
    "hill": TerrainKind(height=1, contoured=True),
}


class Stats(msgspec.Struct, frozen=True):
    """The numbers of a card."""

    title: str
    cost: int
    sort: str = ""
    reach: Length = 0
    rows: tuple[tuple[int, int | None], ...] = ()


def write_ledger(folder: Path) -> Path:
    """Write the ledger's chapters into a folder."""
    folder.mkdir(exist_ok=True)
    (folder / "cards.yaml").write_text(CARDS)
    (folder / "table.yaml").write_text(TABLE)
    return folder


def book(tmp_path: Path, changes: Changes | None = None) -> Ledger:
    """The ledger."""
    return Ledger("skirmish", write_ledger(tmp_path / "rules"), changes)


def catalogue(tmp_path: Path, changes: Changes | None = None) -> Catalogue[Stats]:
    """The catalogue."""
    path = tmp_path / "catalogue.yaml"
    path.write_text(CATALOGUE)
    return read_catalogue(book(tmp_path, changes), Stats, path)
