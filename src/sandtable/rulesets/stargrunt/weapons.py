"""Weapons: firepower and impact of small arms and infantry support weapons."""

import msgspec

from sandtable.forces.ledger import rule

SMALL_ARMS = rule("stargrunt.weapons.small-arms")
SUPPORT_WEAPONS = rule("stargrunt.weapons.support-weapons")
AMMUNITION = rule("stargrunt.weapons.ammunition")


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

#: Weapons that are spent shot by shot, counted on the figure that carries them (stargrunt.weapons.ammunition).
COUNTED = {"infantry_rocket": "rockets"}


def named(weapon: str) -> str:
    """A weapon as players say it.

    >>> named("machine_gun")
    'machine gun'
    """
    return weapon.replace("_", " ")
