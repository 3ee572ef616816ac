"""What the stride or the drop of a Behemoth would bring: to whom it crushes, and to itself where it breaks through."""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from msgspec.structs import replace

from sandtable.engine.dice import Dice
from sandtable.engine.enumerator import chances_of
from sandtable.engine.explain import explain
from sandtable.engine.questions import Chance, MoveModels, PlaceThings, Preview
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Point, Spot, Walk
from sandtable.engine.table import Piece, Table, Thing
from sandtable.rulesets.dropzone.basics import number_of
from sandtable.rulesets.dropzone.behemoths.landing import DROP, HARNESS, landing_parts, landing_pool
from sandtable.rulesets.dropzone.behemoths.strides import (
    BREAKING,
    STOMP,
    STRIDE,
    breaking_hits,
    broken_through,
    crushed_scenery,
    crushed_squads,
)
from sandtable.rulesets.dropzone.damage import Hits, damage_pool, passive_numbers, save_pool
from sandtable.rulesets.dropzone.movement.paths import preview_walks
from sandtable.rulesets.dropzone.previews.shots import told
from sandtable.rulesets.dropzone.shooting.aiming import covered_from
from sandtable.rulesets.dropzone.shooting.odds import Harms, added, harm_chances
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.walking import track_of


def crushing_odds(table: Table, unit: Thing, at: Point, dice: str, energy: int, what: str) -> Iterator[Chance]:
    """The harm to all within a Behemoth's Spread: to pieces and lone units, and to squads as a whole.

    A squad of whom some have Body Cover and some have not is left out: it hangs on who is hit.
    """
    targets: list[tuple[Thing, bool]] = [(one, False) for one in crushed_scenery(table, unit, at)]
    for squad, units in crushed_squads(table, unit, at).items():
        covers = [covered_from(table, one, at)[1] for one in units]
        if len(set(covers)) == 1:
            targets.append((units[0] if len(units) == 1 else table[squad], covers[0]))
    for target, cover in targets:
        base = Hits(target.id, 0, energy, what, unit.id, cover=cover)

        def roll(fallen: Dice, base: Hits = base) -> Iterable[Hits]:
            return [replace(base, count=number_of(fallen, dice)[1])]

        yield from told(target, harm_chances(table, target.id, roll))


def breaking_odds(table: Table, unit: Thing, pieces: list[Piece]) -> Iterator[Chance]:
    """The harm to the pieces that a Behemoth breaks through, and to itself by all of them."""
    own: Harms = {0: Fraction(1)}
    for piece in pieces:

        def roll(fallen: Dice, piece: Piece = piece) -> Iterable[Hits]:
            return [breaking_hits(unit, piece.id, number_of(fallen, BREAKING.text_at("hits"))[1])]

        def lost(fallen: Dice, piece: Piece = piece) -> int:
            hits = breaking_hits(unit, piece.id, number_of(fallen, BREAKING.text_at("hits"))[1])
            failed = damage_pool(table, hits).fall(fallen)[1][0] * BREAKING.number("own_damage")
            for needs, source in passive_numbers(unit, replace(hits, target=unit.id)):
                failed -= save_pool(unit, failed, needs, source).fall(fallen)[1][1]
            return failed

        yield from told(table[piece.id], harm_chances(table, piece.id, roll))
        own = added(own, {points: chance for points, chance in chances_of(lost).items() if isinstance(points, int)})
    yield from told(unit, own)


def preview_stride(view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
    """What a way costs, and what it does to those in it and at its end."""
    shown = preview_walks(view, question, answer)
    odds: list[Chance] = []
    for name in question.models:
        unit = view.table[name]
        track = track_of(unit, answer.get(name, Walk()))
        if track.length:
            odds += breaking_odds(view.table, unit, broken_through(view.table, unit, track))
            dice, energy = STOMP.text_at("hits"), STOMP.number("energy")
            odds += crushing_odds(view.table, unit, track.end.point, dice, energy, "stomp")
    return replace(shown, odds=tuple(odds))


def preview_drop(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Preview:
    """What a Behemoth that comes down would crush, and how hard it would land where nothing is there to be crushed."""
    unit = view.table[question.about[1]]
    place = answer[unit.id].where
    if not isinstance(place, At):
        return Preview()
    dice, energy = HARNESS.text_at("landing_hits", "roll"), HARNESS.number("landing_hits", "energy")
    odds = [*crushing_odds(view.table, unit, place.point, dice, energy, "drop")]
    after = view.table.copy()
    after.things[unit.id] = replace(unit, place=place)
    parts = landing_parts(after, after[unit.id])
    explained = (explain("dice for the landing", *parts),)
    if odds:
        return Preview(explained, odds=tuple(odds), odds_note="How hard it lands hangs on what it crushes.")
    counts = landing_pool(unit, parts).chances()
    return Preview(explained, odds=told(unit, {found[1]: chance for found, chance in counts.items()}))


CHAPTER = Chapter(previews={STRIDE: preview_stride, DROP: preview_drop})
