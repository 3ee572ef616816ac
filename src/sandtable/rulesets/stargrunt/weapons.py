"""Weapons: firepower and impact of small arms, infantry support weapons, heavy weapons and guided missiles."""

import msgspec

from sandtable.forces.ledger import rule

SMALL_ARMS = rule("stargrunt.weapons.small-arms")
SUPPORT_WEAPONS = rule("stargrunt.weapons.support-weapons")
AMMUNITION = rule("stargrunt.weapons.ammunition")
ASTERISK = rule("stargrunt.weapons.asterisk")
HEAVY_WEAPONS = rule("stargrunt.weapons.heavy-weapons")
GUIDED_MISSILES = rule("stargrunt.weapons.guided-missiles")
SNIPER_RIFLES = rule("stargrunt.weapons.sniper-rifles")


class SmallArm(msgspec.Struct, frozen=True):
    """A small arm: its firepower is kept in halves, for some arms count half."""

    id: str
    halves: int
    impact: int
    close_only: bool


class SupportWeapon(msgspec.Struct, frozen=True):
    """An infantry support weapon."""

    id: str
    firepower: int
    impact: int
    point_double: bool
    saw: bool


class HeavyWeapon(msgspec.Struct, frozen=True):
    """A heavy weapon: its impact is a die times so much for each size class it has."""

    id: str
    impact: int
    per_size: int
    sizes: tuple[int, ...]


class Missile(msgspec.Struct, frozen=True):
    """A guided missile launcher."""

    id: str
    impact: int
    multiplier: int
    size: int
    rounds: int


class SniperRifle(msgspec.Struct, frozen=True):
    """A sniper's rifle: its firepower die, and its impact with what it is multiplied by."""

    id: str
    firepower: int
    impact: int
    multiplier: int


SMALL: dict[str, SmallArm] = {
    name: SmallArm(name, int(2 * row.fraction("firepower")), row.number("impact"), row.flag("close_only"))
    for name, row in SMALL_ARMS.table().items()
}
SUPPORT: dict[str, SupportWeapon] = {
    name: SupportWeapon(
        name, row.number("firepower_die"), row.number("impact"), row.flag("point_double"), row.flag("saw")
    )
    for name, row in SUPPORT_WEAPONS.table().items()
}

HEAVY: dict[str, HeavyWeapon] = {
    name: HeavyWeapon(
        name,
        row.number("impact"),
        1 if row.text_at("multiplier") == "size" else row.formula("multiplier"),
        tuple(range(row.numbers("sizes")[0], row.numbers("sizes")[-1] + 1)),
    )
    for name, row in HEAVY_WEAPONS.table().items()
}
MISSILES: dict[str, Missile] = {
    name: Missile(name, row.number("impact"), row.number("multiplier"), row.number("size"), row.number("rounds"))
    for name, row in GUIDED_MISSILES.table().items()
}
SNIPER: dict[str, SniperRifle] = {
    name: SniperRifle(name, row.number("firepower_die"), row.number("impact"), row.number("multiplier"))
    for name, row in SNIPER_RIFLES.table().items()
}
#: With its squad's small arms a sniper is a support die like any other (stargrunt.fire.snipers).
SUPPORT |= {
    rifle.id: SupportWeapon(rifle.id, rifle.firepower, rifle.impact, point_double=False, saw=False)
    for rifle in SNIPER.values()
}

#: Weapons that are spent shot by shot, counted on the figure that carries them (stargrunt.weapons.ammunition).
MISSILE_ROUNDS = "missiles"
COUNTED = {"infantry_rocket": "rockets", **dict.fromkeys(MISSILES, MISSILE_ROUNDS)}


def named(weapon: str) -> str:
    """A weapon as players say it.

    >>> named("machine_gun")
    'machine gun'
    """
    return weapon.replace("_", " ")
