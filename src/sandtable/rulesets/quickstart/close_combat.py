"""Close combat: an opposed roll between bases in contact, staying locked, and breaking away."""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited, Rolled
from sandtable.engine.explain import ExplainedPart, Explanation, explain
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import MoveModels, Refusal
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.cav.dice import NATURAL_CRITICAL, NATURAL_FUMBLE
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.quickstart.combat import (
    AGAINST,
    CLOSE_COMBAT,
    CLOSE_COMBAT_ATTACKER,
    IMPOSSIBLE,
    OWN,
    rolls_of,
    summed_up,
)
from sandtable.rulesets.quickstart.concepts import AIRCRAFT, in_contact
from sandtable.rulesets.quickstart.damage import CLOSE_COMBAT_ROWS, close_combat_row, destroy, note_row, unlock
from sandtable.rulesets.quickstart.datacard import CLOSE_COMBAT_VALUE, close_combat_value, movement, stats
from sandtable.rulesets.quickstart.dice import EXTRA_DIE, OPPOSED, ROUNDING, STANDARD, half_rounded_up, ten_plus_roll
from sandtable.rulesets.quickstart.movement.moves import locked_with
from sandtable.rulesets.quickstart.state_names import StateName, Until
from sandtable.rulesets.quickstart.states import UNSTEADY
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.modifiers import Modifier, always, parts
from sandtable.tabletop.states import give

ASSAULT = rule("quickstart.close-combat.assault")
LOCKED = rule("quickstart.close-combat.locked")
MODEL_TYPES = rule("quickstart.close-combat.model-types")
SEVERAL = rule("quickstart.close-combat.several-attackers")
ROLL = rule("quickstart.close-combat.opposed-roll")
TIE = rule("quickstart.close-combat.tie")
NATURAL_TWO = rule("quickstart.close-combat.natural-two")
NATURAL_TWELVE = rule("quickstart.close-combat.natural-twelve")
DAMAGE = rule("quickstart.close-combat.damage")
BREAK = rule("quickstart.close-combat.break")
BREAK_SUCCESS = rule("quickstart.close-combat.break-success")
BREAK_FAILURE = rule("quickstart.close-combat.break-failure")
BREAK_PENALTY = rule("quickstart.close-combat.failed-break-penalty")

_SUPPORT = summed_up("supporting_attackers", SEVERAL.number("sm_per_supporter"))
_FAILED_BREAK = summed_up("failed_break", BREAK_PENALTY.number("sm"))
same_number("half of MV", BREAK_SUCCESS.text_at("move"), "half_of_current_mv")


class Fighter(NamedTuple):
    """One side of an opposed roll: its dice, its parts, what it came to."""

    model: Thing
    natural: int
    faces: tuple[int, ...]
    parts: tuple[ExplainedPart, ...]

    @property
    def total(self) -> int:
        """The dice and all parts."""
        return self.natural + sum(part.value for part in self.parts)


class Fighting(Rolling, frozen=True, kw_only=True):
    """What decides which modifiers count on a close-combat roll."""

    opponent: Thing
    supporters: int


#: What a model adds to its close-combat roll, in the order in which it is told.
MODIFIERS: tuple[Modifier[Fighting], ...] = (
    Modifier(CLOSE_COMBAT_VALUE, "close-combat value", lambda s: close_combat_value(s.model, s.opponent), when=always),
    Modifier(
        SEVERAL,
        "supporting attackers",
        lambda s: _SUPPORT * min(s.supporters, SEVERAL.number("max_attackers") - 1),
        rolls_of("supporting_attackers"),
    ),
    *OWN,
    *AGAINST,
    Modifier(
        BREAK_PENALTY,
        StateName.FAILED_BREAK,
        _FAILED_BREAK,
        rolls_of("failed_break"),
        lambda s: s.model.has(StateName.FAILED_BREAK),
    ),
)


def fighting_parts(model: Thing, opponent: Thing, attacking: bool, supporters: int = 0) -> tuple[ExplainedPart, ...]:
    """What a model adds to its close-combat roll."""
    roll = CLOSE_COMBAT_ATTACKER if attacking else CLOSE_COMBAT
    return parts(MODIFIERS, roll, Fighting(model, opponent, opponent=opponent, supporters=supporters))


def may_assault(table: Table, model: Thing, enemy: Thing, moves_first: bool) -> Refusal | None:
    """What is known before measuring: contact now, or a declared move into it (quickstart.close-combat.assault)."""
    if stats(model).model_type == "aircraft":
        return Refusal(MODEL_TYPES.id, "Aircraft take no part in close combat.")
    if enemy.has(StateName.IN_FLIGHT):
        return Refusal(AIRCRAFT.id, f"{enemy.label} is in flight.")
    if not moves_first and not in_contact(model, enemy):
        return Refusal(
            ASSAULT.id, f"{model.label} is not in contact with {enemy.label}; declare a move into contact first."
        )
    return None


def fight(battle: Battle, attacker: str, defender: ThingId, because: int = 0, supporters: Sequence[str] = ()) -> None:
    """A close-combat assault: both roll, the loser is harmed, both stay locked. Harm is noted for Step 8.

    quickstart.close-combat.opposed-roll    attacker's dice first, then the defender's, then what fumbles give
    quickstart.close-combat.tie             a draw harms both
    """
    one, other = battle.table[attacker], battle.table[defender]
    if not in_contact(one, other):
        battle.happens(Forfeited(attacker, f"close combat with {other.label}", rule=IMPOSSIBLE.id, because=because))
        return
    if stats(other).model_type == "aircraft":
        destroy(battle, defender, because=because, why=MODEL_TYPES)
        return
    lock(battle, attacker, defender)
    first = _thrown(battle, one, fighting_parts(one, other, attacking=True, supporters=len(supporters)))
    second = _thrown(battle, other, fighting_parts(other, one, attacking=False))
    if second.natural == NATURAL_FUMBLE:
        first = _given(battle, first)
    if first.natural == NATURAL_FUMBLE:
        second = _given(battle, second)
    n = _told(battle, first, second, because)
    _told(battle, second, first, n)
    margin = abs(first.total - second.total)
    if margin == 0:
        for fighter in (first, second):
            row = CLOSE_COMBAT_ROWS[0]
            note_row(battle, fighter.model.id, row, TIE, n, points=row.damage_both)
        return
    loser = second.model if first.total > second.total else first.model
    row = close_combat_row(margin, loser)
    note_row(battle, loser.id, row, DAMAGE, n, points=row.damage_loser)


def _thrown(battle: Battle, model: Thing, added: tuple[ExplainedPart, ...]) -> Fighter:
    roll = battle.dice.total(STANDARD)
    fighter = Fighter(model, roll.natural, roll.faces, added)
    if roll.natural == NATURAL_CRITICAL:
        extra = battle.dice.total(EXTRA_DIE)
        part = ExplainedPart("critical success", extra.natural, NATURAL_TWELVE.id)
        return Fighter(model, roll.natural, (*roll.faces, *extra.faces), (*added, part))
    return fighter


def _given(battle: Battle, fighter: Fighter) -> Fighter:
    """A die that the opponent's natural 2 gives (quickstart.close-combat.natural-two)."""
    extra = battle.dice.total(EXTRA_DIE)
    part = ExplainedPart("opponent's fumble", extra.natural, NATURAL_TWO.id)
    return Fighter(fighter.model, fighter.natural, (*fighter.faces, *extra.faces), (*fighter.parts, part))


def _told(battle: Battle, fighter: Fighter, other: Fighter, because: int) -> int:
    margin = fighter.total - other.total
    outcome = "draw" if margin == 0 else "wins" if margin > 0 else "loses"
    return battle.happens(
        Rolled(
            "close combat",
            fighter.model.id,
            STANDARD,
            fighter.faces,
            fighter.natural,
            fighter.parts,
            fighter.total,
            other.total,
            (),
            margin,
            outcome,
            rule=ROLL.id,
            because=because,
            detail=citing(OPPOSED),
        )
    )


def lock(battle: Battle, attacker: str, defender: str) -> None:
    """After an assault both are locked with each other (quickstart.close-combat.locked)."""
    for model, other in ((attacker, defender), (defender, attacker)):
        held = locked_with(battle.table[model])
        if other not in held:
            give(battle, model, StateName.LOCKED, LOCKED, (*held, other), until=Until.IT_BREAKS_AWAY)


class Breaking(Rolling, frozen=True, kw_only=True):
    """What decides a break: the enemies it is locked with, and its friends who are locked with them."""

    foes: tuple[Thing, ...]
    friends: int


#: What changes the 10+ roll of a break: own CCV (the lower with hard and soft enemies), friends +1, enemies −1.
BREAK_MODIFIERS: tuple[Modifier[Breaking], ...] = (
    Modifier(
        CLOSE_COMBAT_VALUE,
        "close-combat value",
        lambda s: min(close_combat_value(s.model, foe) for foe in s.foes),
        when=always,
    ),
    Modifier(BREAK, "enemies in contact", lambda s: BREAK.number("modifiers", "enemy_model_in_contact") * len(s.foes)),
    Modifier(BREAK, "friends in contact", lambda s: BREAK.number("modifiers", "friendly_model_in_contact") * s.friends),
    *UNSTEADY,
)


def break_roll(table: Table, model: Thing) -> Explanation:
    """What changes the 10+ roll of a break."""
    foes = tuple(table[other] for other in locked_with(model))
    others = [other for other in table.models(model.side) if other.id != model.id]
    friends = sum(any(foe.id in locked_with(other) for foe in foes) for other in others)
    return explain("break", *parts(BREAK_MODIFIERS, "break", Breaking(model, foes=foes, friends=friends)))


def try_to_break(battle: Battle, model: str, because: int = 0) -> bool:
    """Try to slip out of a close combat; says whether the model may move away.

    quickstart.close-combat.break-failure           the AP is lost and it stays
    quickstart.close-combat.failed-break-penalty    −1 in close combat for the rest of the turn, once
    """
    thing = battle.table[model]
    check = ten_plus_roll(battle, "break", model, break_roll(battle.table, thing).parts, BREAK, because=because)
    if not check.succeeds:
        battle.happens(Forfeited(model, "break", rule=BREAK_FAILURE.id, because=check.n))
        if not thing.has(StateName.FAILED_BREAK):
            until = BREAK_PENALTY.text_at("until")
            give(battle, model, StateName.FAILED_BREAK, BREAK_PENALTY, until=until, because=check.n)
    return check.succeeds


def break_away_question(model: Thing, foes: Sequence[str], spent: int, turns: int) -> MoveModels:
    """The question for the move out of a close combat with some foes.

    quickstart.close-combat.break-success    up to half its MV, as if it were a Move Action of that MV
    """
    mv = half_rounded_up(movement(model))
    return MoveModels(
        model.side,
        f"Move {model.label} away from the close combat",
        topic="break-away",
        about=(model.id, *foes),
        rules=(BREAK_SUCCESS.id, ROUNDING.id),
        models=(model.id,),
        allowance={model.id: max(0, mv - spent)},
        facts={"mv": mv, "spent": spent, "turns": turns, "contacts": 0},
        shows=("distance", "reach"),
        decline="Stay locked",
    )


def free(model: Thing) -> Thing:
    """A model as it moves once it has broken free: nothing holds it."""
    return replace(model, states={name: mark for name, mark in model.states.items() if name != StateName.LOCKED})


def leave_the_fight(battle: Battle, model: str) -> None:
    """A model that moved out of contact with all it was locked with is locked no more; else it stays so."""
    thing = battle.table[model]
    foes = locked_with(thing)
    if any(in_contact(thing, battle.table[foe]) for foe in foes):
        return
    for other in foes:
        unlock(battle, other, model)
        unlock(battle, model, other)


CHAPTER = Chapter(
    states={
        StateName.LOCKED: "the ids of the models it is locked in close combat with, {value: [B]}",
        StateName.FAILED_BREAK: "it has failed to break this turn",
    },
)
