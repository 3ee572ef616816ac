"""The table of special attributes, weapons, upgrades and ammunition: a row for each, and no rule in none of them."""

from collections import Counter

from sandtable.rulesets.strikeops import RULESET
from sandtable.rulesets.strikeops.attributes import ATTRIBUTES
from sandtable.rulesets.strikeops.changes import AREA, COMBAT, CONDITIONS, PILOT, STRIKE_POINT, changes
from sandtable.rulesets.strikeops.forces.specializations import upgrades
from sandtable.rulesets.strikeops.rows import later, special

CHAPTERS = ("attributes", "attributes-weapon", "weapons", "upgrades", "upgrades-ammo")


def test_every_rule_of_the_five_chapters_stands_in_the_table() -> None:
    table = special()
    said = Counter([*table.general, *(one for _, row in table.rows for one in dict.fromkeys((*row.rules, *row.waits)))])
    known = [one.removeprefix("strikeops.") for one, rule in RULESET.ledger.rules.items() if rule.chapter in CHAPTERS]
    assert sorted(said) == sorted(known)
    twice = [one for one, number in said.items() if number > 1]
    assert twice == ["attributes-weapon.ammo-further-fumbles", "attributes-weapon.weapon-type"]


def test_everything_on_a_card_has_a_row() -> None:
    table = special()
    for card in RULESET.cards:
        weapons = card.stats.weapons
        words = {*card.stats.attributes, *(one for weapon in weapons for one in weapon.attributes)}
        assert words <= set(table.attributes), card.id
        assert {weapon.family for weapon in weapons} <= set(table.weapons), card.id


def test_everything_that_is_sold_for_a_model_has_a_row() -> None:
    table = special()
    sold = {name.replace("-", "_") for name in upgrades() if not name.startswith("officer-")} | {"officer"}
    assert sold == {*table.upgrades, *table.ammunition}


def test_the_attributes_in_play_are_the_rows_that_are_not_to_come() -> None:
    assert set(ATTRIBUTES) == {name for name, row in special().attributes.items() if row.how != "later"}


def test_rows_name_conditions_and_checks_that_there_are_and_numbers_of_their_rule() -> None:
    checks = {COMBAT, AREA, STRIKE_POINT, PILOT, "close-combat"}
    for name, row in special().rows:
        for change in row.changes:
            assert set(change.when) <= set(CONDITIONS), name
            assert change.check in checks, name
            for path in (change.by, change.nearest, change.farthest, change.above):
                if path:
                    assert isinstance(row.entries[0].number(*("1" if step == "LEVEL" else step for step in path)), int)


def test_the_rows_in_play_make_modifiers() -> None:
    labels = {check: [one.label for one in changes(check)] for check in (COMBAT, AREA, STRIKE_POINT)}
    assert labels[COMBAT] == ["targeting computer", "chameleon", "chameleon", "large sensor profile", "wizzo"]
    assert labels[AREA] == ["large sensor profile"]
    assert labels[STRIKE_POINT] == ["targeting computer", "wizzo"]


def test_what_waits_is_named_with_the_delivery_that_brings_it() -> None:
    for name, row in special().rows:
        for entry in row.entries:
            if row.how != "plays":
                assert later()[entry.id].startswith(f"delivery {row.delivery}: "), name
            else:
                assert entry.id not in later(), name
    assert later()["strikeops.structures.collapse-on-infantry"].startswith("delivery 3: ")
    assert later()["strikeops.movement.nap-of-earth"].startswith("delivery 2: ")
    assert "strikeops.forces.attack-squad" not in later()
