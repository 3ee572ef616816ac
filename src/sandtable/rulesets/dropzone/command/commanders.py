"""Commanders: their Command Value, how far their Influence reaches, and shots that are taken for them."""

from collections.abc import Sequence

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.ids import Side
from sandtable.engine.questions import ChooseOne, Option, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, In, Off
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.dropzone.shooting.aiming import Shot, aim, refused
from sandtable.rulesets.dropzone.shooting.firing import COMBINED, DECLARED
from sandtable.tabletop.chapters import Chapter

TABLE = rule("dropzone.command.commander-table")
MOUNTING = rule("dropzone.command.mounting-a-commander")
VALUE = rule("dropzone.command.use-of-command-value")
SHIFTED = rule("dropzone.shooting.shooting-at-commanders")

#: A state of a unit: the Command Value of the Commander it carries.
COMMANDER = "commander"
SHIFT = "shift"
STAY = "stay"


def commander(unit: Thing) -> int:
    """The Command Value of the Commander in a unit; 0 where it carries none."""
    value = unit.value(COMMANDER)
    return value if isinstance(value, int) else 0


def on_the_table(table: Table, unit: Thing) -> bool:
    """Whether a unit is on the table, itself or in something that is."""
    place = unit.place
    while isinstance(place, In):
        place = table[place.holder].place
    return not unit.gone and not isinstance(place, Off)


def command_value(table: Table, side: Side) -> int:
    """The best Command Value among a side's Commanders on the table; 0 with none."""
    own = [one for one in table.of_kind("model") if one.side == side and commander(one) and on_the_table(table, one)]
    return max([commander(one) for one in own], default=0)


def influence(value: int) -> int:
    """How far the Influence of a Commander reaches."""
    return next(one.inches("influence_in") for one in TABLE.items("commanders") if one.number("command_value") == value)


def cost(value: int) -> int:
    """What a Commander costs."""
    return next(one.number("points") for one in TABLE.items("commanders") if one.number("command_value") == value)


def shift_shots(battle: Battle, squad: Thing, shots: tuple[Shot, ...]) -> Procedure[tuple[Shot, ...]]:
    """Let a Commander's player move shots at its unit to squad mates that would be legal targets as well."""
    found: list[Shot] = []
    for shot in shots:
        target = battle.table[shot.target]
        mates = _mates(battle.table, shot, target) if target.kind == "model" and commander(target) else []
        if mates:
            options = [Option(one.id, one.label, (one.id,), (SHIFTED.id,)) for one in mates]
            chosen = yield ChooseOne(
                target.side,
                f"{target.label} is shot at. Who takes it for the Commander?",
                topic=SHIFT,
                about=(target.id, shot.unit, shot.weapon, *([COMBINED] if shot.combined else [])),
                options=(Option(STAY, "Nobody", (target.id,), (SHIFTED.id,)), *options),
                rules=(SHIFTED.id,),
                shows=("distance", "sight", "odds"),
                default=STAY,
            )
            if chosen != STAY:
                shot = replace(shot, target=chosen)
        found.append(shot)
    return tuple(found)


def _mates(table: Table, shot: Shot, target: Thing) -> Sequence[Thing]:
    """Who may take a shot for a Commander: squad mates, unless they are Hull Down and the Commander is not."""
    own = aim(table, shot)
    found = []
    for mate in table.members(target.unit):
        other = replace(shot, target=mate.id)
        if mate.id == target.id or refused(table, other) is not None:
            continue
        theirs = aim(table, other)
        if theirs is None or (theirs.hull_down and own is not None and not own.hull_down):
            continue
        found.append(mate)
    return found


def not_to_shift(view: View, question: ChooseOne, answer: str) -> Refusal | None:
    """The rule by which a unit may not take a shot for a Commander."""
    unit = view.table.things.get(answer)
    if unit is None or unit.kind != "model":
        return None
    why = f"{unit.label} is no squad mate who could be shot at as well and is no more Hull Down than the Commander."
    return Refusal(SHIFTED.id, why)


def in_play(unit: Thing) -> list[str]:
    """The rules that a Commander brings by being there."""
    return [TABLE.id, MOUNTING.id, VALUE.id] if unit.kind == "model" and commander(unit) else []


CHAPTER = Chapter(
    at=(DECLARED(shift_shots),),
    in_play=in_play,
    unoffered={SHIFT: not_to_shift},
    states={COMMANDER: "the Command Value of the Commander it carries"},
    values={
        "influence": lambda table, asked: influence(asked.number()) // UNIT,
        "commander": lambda table, asked: cost(asked.number()),
    },
    answers={SHIFT: "who takes a shot for a Commander, or stay"},
)
