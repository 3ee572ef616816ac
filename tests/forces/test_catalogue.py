"""Catalogues: numbers come from the ledger, files add what rules do not hold, and mistakes name file and line."""

from pathlib import Path

import pytest

from sandtable.engine.shapes import Base
from sandtable.forces.catalogue import Catalogue, read_catalogue
from sandtable.forces.files import CatalogueError
from tests.forces.skirmish import CATALOGUE, Stats, book, catalogue


def test_a_card_takes_its_numbers_from_its_rule(tmp_path: Path) -> None:
    walker = catalogue(tmp_path)["walker"]
    assert (walker.name, walker.kind, walker.points, walker.height, walker.glyph) == (
        "Walker",
        "machine",
        100,
        3,
        "walker",
    )
    assert walker.base == Base("hexagon", 1250)
    assert walker.stats == Stats("Walker", 100, "machine", 2500, ((1, 2), (3, None)))
    assert walker.rule == "skirmish.cards.walker"


def test_a_rule_may_hold_several_cards(tmp_path: Path) -> None:
    trooper = catalogue(tmp_path)["trooper"]
    assert (trooper.name, trooper.points, trooper.base) == ("Trooper", 10, Base("circle", 2000))


def test_a_card_may_be_like_another_with_changes(tmp_path: Path) -> None:
    cards = catalogue(tmp_path)
    assert cards["elite"].stats == Stats("Trooper", 20, "foot", 1000)
    assert (cards["elite"].name, cards["elite"].points, cards["elite"].base) == (
        "Elite trooper",
        20,
        cards["trooper"].base,
    )


def test_a_card_may_bring_its_own_numbers(tmp_path: Path) -> None:
    radar = catalogue(tmp_path)["radar"]
    assert (radar.kind, radar.points, radar.base, radar.rule) == ("upgrade", 7, Base("rectangle", 1000, 500), "")


def test_a_mutated_ledger_changes_the_card(tmp_path: Path) -> None:
    cards = catalogue(tmp_path, {("skirmish.table.size", ("base_in",)): 2, ("skirmish.cards.walker", ("cost",)): 101})
    assert (cards["walker"].base.size, cards["walker"].points, cards["walker"].stats.cost) == (2000, 101, 101)


def test_cards_cite_their_rules_and_read_their_numbers(tmp_path: Path) -> None:
    cards = catalogue(tmp_path)
    assert set(cards.book.cited) == {"skirmish.cards.walker", "skirmish.cards.squad"}
    assert ("skirmish.cards.walker", ("rows", 1, 0)) in cards.book.reads
    assert ("skirmish.table.size", ("base_in",)) in cards.book.reads
    assert ("skirmish.cards.squad", ("models", "medic", "cost")) not in cards.book.reads


def test_more_files_make_a_new_catalogue(tmp_path: Path) -> None:
    cards = catalogue(tmp_path)
    extra = tmp_path / "extra.yaml"
    extra.write_text("ruleset: skirmish\ncards:\n- {id: hulk, like: walker, change: {rows: [[9, 9]]}}\n")
    more = cards.plus(extra)
    assert [card.id for card in more] == ["walker", "trooper", "elite", "radar", "hulk"]
    assert more["hulk"].stats.rows == ((9, 9),)
    assert "hulk" not in cards
    assert more.digest() != cards.digest()


def test_the_digest_follows_numbers_not_names(tmp_path: Path) -> None:
    def digest(old: str, new: str) -> str:
        path = tmp_path / "other.yaml"
        path.write_text(CATALOGUE.replace(old, new))
        return read_catalogue(book(tmp_path), Stats, path).digest()

    before = digest("", "")
    assert digest("glyph: walker", "glyph: beast") == before
    assert digest("Elite trooper", "Guard") == before
    assert digest("cost: 20", "cost: 21") != before
    assert digest("[1, 0.5]", "[1, 0.6]") != before


def broken(tmp_path: Path, text: str) -> CatalogueError:
    path = tmp_path / "broken.yaml"
    path.write_text(text)
    with pytest.raises(CatalogueError) as caught:
        read_catalogue(book(tmp_path), Stats, path)
    assert caught.value.file == str(path)
    return caught.value


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("ruleset: skirmish", "ruleset: chess", 1, "this catalogue is for the ruleset `chess`"),
        ("cards.walker", "cards.waker", 5, "did you mean `skirmish.cards.walker`?"),
        ("at: base_in", "at: base", 6, "there is no `base`; did you mean `base_in`?"),
        ("rule: skirmish.table.size", "rule: skirmish.table.sise", 6, "did you mean `skirmish.table.size`?"),
        ("[models, trooper]", "[models, troper]", 12, "there is no `troper` under models; did you mean `trooper`?"),
        ("like: trooper", "like: tropper", 15, "did you mean `trooper`?"),
        ("    like: trooper\n", "", 15, "`change` without `like`"),
        ("change: {cost: 20}", "change: {coast: 20}", 16, "unknown key `coast`"),
        ("change: {cost: 20}", "stats: {cost: 20}", 16, "`cost` stands in the source of this card already"),
        ("glyph: walker", "glyf: walker", 7, "unknown key `glyf`; did you mean `glyph`?"),
        ("id: elite", "id: walker", 14, "the card `walker` is in the catalogue already"),
        ("[1, 0.5]", "[1, 0]", 21, "`radar` has no clear base"),
        ("{rectangle: [1, 0.5]}", "{rectangle: [1, 0.5], circle: 1}", 21, "`radar` has no clear base"),
        ("    base: {rectangle: [1, 0.5]}\n", "", 18, "`radar` has no clear base"),
        ("    stats: {title: Radar, cost: 7}\n", "", 18, "it is not clear where the numbers come from"),
        ("cost: 7", "cost: seven", 19, "the text `seven`"),
        ("cost: 7", "cost: 7.5", 19, "the number 7.5"),
        ("height: 3", "height: tall", 8, "`height` is the text `tall`"),
    ],
)
def test_mistakes_are_told_with_their_line(old: str, new: str, line: int, words: str, tmp_path: Path) -> None:
    assert CATALOGUE.count(old) >= 1
    error = broken(tmp_path, CATALOGUE.replace(old, new, 1))
    assert words in str(error)
    assert error.line == line


def test_a_card_that_is_no_mapping_is_refused(tmp_path: Path) -> None:
    assert "a mapping would do" in str(broken(tmp_path, "ruleset: skirmish\ncards: [walker]"))


def test_the_quick_start_card_is_its_ledger_entry() -> None:
    from sandtable.forces.ledger import ledger
    from sandtable.rulesets.quickstart import datacard

    cards: Catalogue[datacard.Stats] = datacard.catalogue()
    entry = ledger("quickstart").find("quickstart.datacard.dictator-b")
    card = cards["dictator-b"]
    assert (card.name, card.kind, card.points) == ("Dictator-B", "cav", entry.number("threat_value"))
    assert card.base == Base("hexagon", ledger("quickstart").find("quickstart.concepts.base").inches("across_flats_in"))
    assert card.height == entry.number("elevation", "standing")
    assert card.stats.damage_track.move == entry.numbers("damage_track", "move")
