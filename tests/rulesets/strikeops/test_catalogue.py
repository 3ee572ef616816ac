"""The catalogue of Strike Operations: every ready model of the ledger is a card, with the ledger's numbers."""

from sandtable.rulesets.strikeops import RULESET
from sandtable.rulesets.strikeops.attributes import still_to_come

LIST = RULESET.ledger.rule("strikeops.roster.ready-models")


def test_every_ready_model_has_a_card_and_no_card_is_anything_else() -> None:
    assert sorted(card.id.replace("-", "_") for card in RULESET.cards) == sorted(LIST.names("models"))


def test_cards_have_the_numbers_of_the_list() -> None:
    """Cards read their own entries of the ledger; the list in another entry was written by itself."""
    for card in RULESET.cards:
        row = LIST.at("models", card.id.replace("-", "_"))
        found = card.stats
        assert found.model_type == card.kind == row.text_at("model_type")
        assert (found.chassis_size or found.variety) == row.text_at("size"), card.id
        assert found.task == row.text_at("task")
        assert found.damage_tracks == row.number("damage_tracks")
        assert found.threat_value == card.points == row.number("threat_value")


def test_every_row_of_a_card_has_a_value_for_each_column() -> None:
    for card in RULESET.cards:
        columns = card.stats.damage_tracks + 1
        rows = [getattr(card.stats.columns, name) for name in ("move_value", "armor_value", "exp", "damage_control")]
        rows += [weapon.rav for weapon in card.stats.weapons if weapon.rav is not None]
        assert {len(row) for row in rows} == {columns}, card.id
        assert all(len(weapon.mounts) in (0, weapon.count) for weapon in card.stats.weapons), card.id


def test_aircraft_and_infantry_are_listed_and_still_to_come() -> None:
    waiting = {card.kind for card in RULESET.cards if still_to_come(card.stats) == f"{card.kind} models"}
    assert waiting >= {"aircraft", "infantry"}
    assert "cav" not in waiting


def test_weapons_of_cards_are_those_of_the_weapon_list() -> None:
    """Range, minimum range and attributes; RAVs of the first column but for what Piercing and Shredder add."""
    for card in RULESET.cards:
        for weapon in card.stats.weapons:
            row = RULESET.ledger.find(f"strikeops.weapons.{weapon.family.replace('_', '-')}")
            listed = row.at("classes", weapon.weapon_class)
            assert weapon.range == (listed.number("range") if listed.has("range") else None), (card.id, weapon.id)
            printed = set(listed.names("attributes")) - {"minimum_range"}
            assert set(weapon.attributes) - {"ultra"} == printed, (card.id, weapon.id)
