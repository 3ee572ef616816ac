"""The pure functions of shooting, damage and close combat that a case may ask for a value, by name."""

from msgspec.structs import replace

from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.questions import Refusal
from sandtable.engine.shapes import UNIT
from sandtable.engine.table import Mark, Table, Thing
from sandtable.forces.data import Data
from sandtable.rulesets.cav.indirect import caught_by
from sandtable.rulesets.quickstart.attributes import AS_PRINTED
from sandtable.rulesets.quickstart.close_combat import break_roll, fighting_parts
from sandtable.rulesets.quickstart.damage import (
    CLOSE_COMBAT_ROWS,
    PENETRATION,
    close_combat_row,
    penetrates,
    ranged_index,
    ranged_row,
)
from sandtable.rulesets.quickstart.datacard import Weapon, weapons
from sandtable.rulesets.quickstart.indirect import lands_nowhere, radius
from sandtable.rulesets.quickstart.movement.moves import locked_with
from sandtable.rulesets.quickstart.shooting.combined import lowered_mv
from sandtable.rulesets.quickstart.shooting.direct_fire import DIRECT, Shot, aim
from sandtable.rulesets.quickstart.sight import kind_of_cover, sees_point, twist_needed
from sandtable.rulesets.quickstart.state_names import StateName
from sandtable.rulesets.quickstart.weapons import printed


def _model(table: Table, asked: Data, key: str) -> Thing:
    return table[asked.text_at(key)]


def _weapon(table: Table, asked: Data) -> Weapon:
    return weapons(_model(table, asked, "of"))[asked.text_at("weapon")]


def _twist(table: Table, asked: Data) -> object:
    """By how many degrees a model must twist to fire at a point."""
    twist = twist_needed(_model(table, asked, "of"), asked.point("at"))
    return "out of arc" if twist is None else twist


def _sees_point(table: Table, asked: Data) -> object:
    """Whether a model has line of sight to a point."""
    return sees_point(table, _model(table, asked, "of"), asked.point("at"))


def _cover_of(table: Table, asked: Data) -> object:
    """What a kind of terrain is settled to give."""
    return kind_of_cover(asked.text_at())


def _printed_rav(table: Table, asked: Data) -> object:
    """The RAV that the entry of a weapon prints, before what a card adds."""
    return printed(_weapon(table, asked))


def _aim(table: Table, asked: Data) -> object:
    """What a shot needs and every part that changes the roll; or the rule that keeps it from being made."""
    shooter, name = _model(table, asked, "of"), asked.text_at("weapon")
    if asked.has("lock"):
        table = table.copy()
        states = {**shooter.states, StateName.TARGET_LOCK: Mark(asked.text_at("lock"))}
        table.things[shooter.id] = replace(shooter, states=states)
    count = asked.number("salvo") if asked.has("salvo") else 1
    volley = tuple(name if n == 1 else f"{name}-{n}" for n in range(1, count + 1))
    assault = asked.text_at("assault") if asked.has("assault") else DIRECT
    sub_type = asked.text_at("sub_type") if asked.has("sub_type") else ""
    fired = asked.number("fired") if asked.has("fired") else count
    aimed = aim(table, Shot(shooter.id, asked.text_at("target"), volley, assault, sub_type, fired))
    if isinstance(aimed, Refusal):
        return aimed.rule
    return {"needs": aimed.needs.total, **{part.label: part.value for part in aimed.modifiers}}


def _penetration(table: Table, asked: Data) -> object:
    """By how much a hit exceeds the armor of a target."""
    victim, smart = _model(table, asked, "target"), asked.text_at("smart") if asked.has("smart") else AS_PRINTED
    shooter = _model(table, asked, "of")
    return penetrates(asked.number("margin"), shooter, _weapon(table, asked), victim, smart).total


def _row(table: Table, asked: Data) -> object:
    """The row of the ranged table for a hit that exceeds the armor by so much, and what it does."""
    excess = explain("excess", ExplainedPart("excess", asked.number("excess"), PENETRATION.id))
    return ranged_row(ranged_index(excess, _model(table, asked, "target")).total)


def _close_combat_row(table: Table, asked: Data) -> object:
    """What losing a close combat by so much does; by 0 it is a draw."""
    margin, loser = asked.number("margin"), _model(table, asked, "loser")
    return close_combat_row(margin, loser) if margin else CLOSE_COMBAT_ROWS[0]


def _fighting(table: Table, asked: Data) -> object:
    """What a model adds to its dice in a close combat."""
    attacking = asked.has("attacking") and asked.flag("attacking")
    supporters = asked.number("supporters") if asked.has("supporters") else 0
    one, other = _model(table, asked, "of"), _model(table, asked, "against")
    return sum(part.value for part in fighting_parts(one, other, attacking, supporters))


def _break(table: Table, asked: Data) -> object:
    """What a model adds to its dice to break."""
    model = table[asked.text_at()]
    if not locked_with(model):
        raise asked.fail(f"{model.label} is not locked in close combat", "lock it, {states: {locked: [B]}}")
    return break_roll(table, model).total


def _lowered_mv(table: Table, asked: Data) -> object:
    """What run 'n gun adds to an MV: -2, or less where the MV is low."""
    return lowered_mv(asked.number())


def _area(table: Table, asked: Data) -> object:
    """The area of effect of a weapon as it is fired, in inches."""
    return radius(_weapon(table, asked), asked.text_at("smart") if asked.has("smart") else AS_PRINTED) // UNIT


def _caught(table: Table, asked: Data) -> object:
    """Whom an attack catches that lands at a point."""
    return caught_by(table, asked.point("at"), asked.length("radius"))


def _no_effect(table: Table, asked: Data) -> object:
    """Whether an attack that lands at a point has no effect at all."""
    return lands_nowhere(table, _model(table, asked, "of"), [asked.text_at("weapon")], asked.point("at"))


COMBAT_VALUES = {
    "twist": _twist,
    "sees-point": _sees_point,
    "cover-of": _cover_of,
    "printed-rav": _printed_rav,
    "aim": _aim,
    "penetration": _penetration,
    "row": _row,
    "close-combat-row": _close_combat_row,
    "fighting": _fighting,
    "break": _break,
    "lowered-mv": _lowered_mv,
    "area": _area,
    "caught": _caught,
    "no-effect": _no_effect,
}

__all__ = ["COMBAT_VALUES"]
