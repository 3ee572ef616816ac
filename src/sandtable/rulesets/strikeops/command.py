"""Command: the pool of C3 points of a side, and the four things that a point is spent on."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, Detail, Spent
from sandtable.engine.ids import Side
from sandtable.engine.questions import (
    Chance,
    ChooseSeveral,
    Confirm,
    Option,
    Preview,
    React,
    Reaction,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.table import Table, Thing, following_from_things
from sandtable.forces.ledger import Rule, rule, same_number
from sandtable.rulesets.strikeops.attributes import C3
from sandtable.rulesets.strikeops.datacard import rating, stats
from sandtable.rulesets.strikeops.dice import DICE
from sandtable.rulesets.strikeops.forces.squads import SquadType, fitting, squad_types
from sandtable.rulesets.strikeops.state_names import CountName, StateName
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import AddedDie, Check
from sandtable.tabletop.states import take

POOL = rule("strikeops.command.pool-size")
BONUS = rule("strikeops.command.bonus-points")
SPENDING = rule("strikeops.command.spending")
INSPIRE = rule("strikeops.command.inspire")
SEIZE = rule("strikeops.command.seize-the-initiative")
MOTIVATE = rule("strikeops.command.motivate")
RALLY = rule("strikeops.command.rally")
WITH_THE_ACTION = rule("strikeops.command.declare-with-the-action")

COST = SPENDING.number("points_per_use")
for _use in (INSPIRE, SEIZE, MOTIVATE, RALLY):
    same_number("what a use of C3 costs", _use.number("cost"), COST)
same_number("the uses of C3", len(SPENDING.texts("effects")), 4)
#: The topics of its questions, and the ways to spend a point before a roll that is imposed on a model.
COMMAND, RALLY_ASKED = "command", "rally"
INSPIRED, RALLIED = "inspire", "rally"
#: The parts of a declaration in which points are spent, and rolls that are no weapon's.
SEIZED, MOTIVATED = "seize", "motivate"
REPAIR_ROLL, POINT_ROLL = "repair", "strike-point"
#: The option of a case that says how many points a side has.
POINTS = "C3"

_GIVES = {one: POOL.number(f"{one}_squad") for one in ("primary", "secondary", "infantry")}
_STATES = RALLY.texts("removes")
INSPIRED_DIE = AddedDie(DICE.extra_die, INSPIRE, "inspired")


# The pool ---------------------------------------------------------------------------------------------------------


@following_from_things
def type_of(table: Table, squad: str) -> SquadType:
    """The type of a squad: what its roster or its case says, else the one that its models fit best."""
    said = table[squad].value(StateName.SQUAD_TYPE)
    if said is not None:
        return squad_types()[str(said)]
    return fitting([stats(one) for one in table.of_kind("model") if one.unit == squad])


def acting_squad(model: Thing) -> str:
    """The squad that a model counts as one of: its own, or while it is attached the other.

    strikeops.command.seize-the-initiative    also for attributes that ask for the same squad
    """
    return str(model.value(StateName.ATTACHED)) if model.has(StateName.ATTACHED) else model.unit


def points(table: Table, side: Side) -> int:
    """The C3 points that a side has left; everybody knows how many."""
    thing = table.things.get(side)
    return 0 if thing is None else thing.count(CountName.C3)


def fill_pool(battle: Battle, side: Side, said: int | None = None) -> None:
    """Count the pool of a side, once and before anybody deploys; what a case says goes before.

    strikeops.command.pool-size       one for each primary and secondary squad, those held back as well
    strikeops.command.bonus-points    one for each level of C3, and it stays when the model is lost
    """
    table = battle.table
    squads = [one for one in table.of_kind("unit") if one.side == side]
    counted = sum(_GIVES[type_of(table, one.id).squad_class] for one in squads) if said is None else said
    level = BONUS.number("sources_in_the_appendices", "sa_c3_per_rating_level")
    models = [one for one in table.of_kind("model") if one.side == side]
    more = sum(rating(one, "c3") for one in models) * level if said is None else 0
    if counted:
        battle.happens(Counted(side, CountName.C3, 0, counted, rule=POOL.id))
    if more:
        battle.happens(Counted(side, CountName.C3, counted, counted + more, rule=BONUS.id, detail={"rules": (C3.id,)}))


def spend(battle: Battle, side: Side, use: Rule, who: str = "") -> int:
    """Spend a point; it is gone for the rest of the battle (strikeops.command.spending)."""
    left = points(battle.table, side) - COST
    detail: Detail = {"rules": (SPENDING.id, WITH_THE_ACTION.id)}
    if who:
        detail["on"] = who
    return battle.happens(Spent(side, CountName.C3, COST, left, rule=use.id, detail=detail))


# Inspire ----------------------------------------------------------------------------------------------------------


def inspire(check: Check, inspired: bool) -> Check:
    """A roll with one die more, where it is inspired; criticals are read on the other two."""
    return replace(check, added_die=INSPIRED_DIE) if inspired else check


def point_roll(n: int) -> str:
    """What the Strike-Point Roll of a model's first, second, … strike-point is called.

    >>> point_roll(1), point_roll(2)
    ('strike-point', 'strike-point-2')
    """
    return POINT_ROLL if n == 1 else f"{POINT_ROLL}-{n}"


def is_inspired(named: Sequence[str], weapons: Iterable[str], victim: str, *, caught: bool = False) -> bool:
    """Whether the roll of a weapon, or of several fired as one, is among those that were named.

    Of an area the victim is named too; a weapon alone stands for the roll against its target.
    """
    return any((one in named and not caught) or f"{one} at {victim}" in named for one in weapons)


def inspire_question(table: Table, side: Side, model: Thing, rolls: Sequence[tuple[str, str]]) -> ChooseSeveral:
    """Which rolls of an action are inspired, named as it is declared (strikeops.command.declare-with-the-action)."""
    return ChooseSeveral(
        side,
        f"{model.label}: inspire which rolls?",
        deed="Inspire {}",
        topic=INSPIRED,
        about=(model.id,),
        rules=(SPENDING.id, INSPIRE.id, WITH_THE_ACTION.id),
        facts={"points": points(table, side)},
        options=tuple(Option(name, label, (), (INSPIRE.id,)) for name, label in rolls),
        at_most=min(len(rolls), points(table, side) // COST),
        default=(),
    )


def ask_inspiration(battle: Battle, model: str, rolls: Sequence[tuple[str, str]]) -> Procedure[tuple[str, ...]]:
    """Ask which rolls of a reaction are inspired, as it is declared, and pay; a side without points is not asked."""
    thing = battle.table[model]
    if points(battle.table, thing.side) < COST or not rolls:
        return ()
    named = tuple((yield inspire_question(battle.table, thing.side, thing, rolls)))
    for one in named:
        spend(battle, thing.side, INSPIRE, f"{model}: {one}")
    return named


# Before a roll that is imposed ------------------------------------------------------------------------------------


def before_imposed(battle: Battle, model: str, check: Callable[[], Check]) -> Procedure[bool]:
    """Just before a roll that is imposed on a model its side may inspire it, or rally; gives whether it is inspired.

    strikeops.command.rally       takes off what Suppressed and Stunned add to that very roll
    strikeops.command.spending    one point a roll; a side without points is not asked
    """
    thing = battle.table[model]
    side, left = thing.side, points(battle.table, thing.side)
    if left < COST:
        return False
    roll = check()
    ways = [ReactOption(INSPIRED, "Inspire: one die more", model, {CountName.C3: COST}, (INSPIRE.id,))]
    if shaken(battle.table, side):
        words = "Rally: nobody suppressed or stunned"
        ways.append(ReactOption(RALLIED, words, side, {CountName.C3: COST}, (RALLY.id,)))
    answer: Reaction | None = yield React(
        side,
        f"{thing.label} rolls: {roll.what}. Spend a C3 point?",
        topic=COMMAND,
        about=(model,),
        rules=(SPENDING.id, WITH_THE_ACTION.id),
        moment=f"before the {roll.what}",
        options=tuple(ways),
        facts={"points": left, **_shares("", roll.passes()), **_shares(" inspired", inspire(roll, True).passes())},
        shows=("odds",),
    )
    if answer is None:
        return False
    if answer.option == RALLIED:
        rally(battle, side)
        return False
    spend(battle, side, INSPIRE, f"{model}: {roll.what}")
    return True


def _shares(word: str, chance: Fraction) -> dict[str, int]:
    """A chance as facts: in whole percent for standing orders, and exactly."""
    return {f"chance{word}": int(chance * 100), f"ways{word}": chance.numerator, f"all{word}": chance.denominator}


def _odds(view: View, question: React, answer: Reaction | None) -> Preview:
    """How likely the roll is to succeed, inspired or not."""
    word = " inspired" if answer is not None and answer.option == INSPIRED else ""
    ways, every = question.facts[f"ways{word}"], question.facts[f"all{word}"]
    if answer is not None and answer.option == RALLIED:
        return Preview(notes=("Nobody of this Force Group is suppressed or stunned any more.",))
    return Preview(
        odds=(Chance("succeeds", ways, every, one_of=True), Chance("fails", every - ways, every, one_of=True))
    )


# Rally ------------------------------------------------------------------------------------------------------------


def shaken(table: Table, side: Side) -> list[tuple[Thing, str]]:
    """The models of a side that are suppressed or stunned, each with the state."""
    return [
        (one, state)
        for one in table.of_kind("model")
        if one.side == side and not one.gone
        for state in _STATES
        if one.has(state)
    ]


def rally(battle: Battle, side: Side) -> None:
    """Take Suppressed and Stunned off every model of a side; what is only noted still comes."""
    n = spend(battle, side, RALLY)
    for model, state in shaken(battle.table, side):
        take(battle, model.id, state, RALLY, n)


def offer_rally(battle: Battle, squad: Thing) -> Procedure[None]:
    """As a squad activates, before it declares, its side may rally."""
    side, table = squad.side, battle.table
    found = shaken(table, side)
    if points(table, side) < COST or not found:
        return
    names = ", ".join(dict.fromkeys(model.label for model, _ in found))
    use = yield Confirm(
        side,
        f"Rally? It would steady {names}.",
        topic=RALLY_ASKED,
        about=(squad.id, *dict.fromkeys(model.id for model, _ in found)),
        rules=(RALLY.id, SPENDING.id),
        facts={"points": points(table, side), "models": len(found)},
        yes="A C3 point is spent, and nobody is suppressed or stunned",
        no="Not now",
    )
    if use:
        rally(battle, side)


def refused_spending(table: Table, side: Side, wanted: int) -> Refusal | None:
    """Why a declaration may not spend so many points."""
    left = points(table, side)
    if wanted * COST > left:
        return Refusal(SPENDING.id, f"That takes {wanted * COST} C3 points; {left} are left in the pool.")
    return None


CHAPTER = Chapter(
    previews={COMMAND: _odds},
    answers={
        COMMAND: "before a roll that is imposed on a model: inspire or rally, or pass",
        RALLY_ASKED: "true: spend a C3 point to rally as a squad activates",
        INSPIRED: "the rolls of a declared action that are inspired: weapons, `rockets at B` of an area, repair, "
        "strike-point",
        SEIZED: "the models of other squads that are attached to the squad that declares",
        MOTIVATED: "true: a C3 point gives the model one action point more",
    },
    counts={CountName.C3: "of a side: the C3 points left in its pool"},
    states={
        StateName.SQUAD_TYPE: "of a squad: its type, where its models do not tell",
        StateName.ATTACHED: "of a model: the squad that it acts with in this activation",
    },
)
