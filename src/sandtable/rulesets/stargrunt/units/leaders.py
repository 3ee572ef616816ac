"""Leaders: who leads a unit, and who takes over when the leader is lost."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing
from sandtable.rulesets.stargrunt.dice.rolls import plain_roll
from sandtable.rulesets.stargrunt.forces.cards import role_words
from sandtable.rulesets.stargrunt.state_names import CountName, StateName
from sandtable.rulesets.stargrunt.units.record import LEADERSHIP, LOSS_OF_LEADER, family, fit, leadership
from sandtable.tabletop.choosing import unless_alone
from sandtable.tabletop.states import give, take


def leader(table: Table, unit: str) -> Thing | None:
    """The figure that leads a unit, fit or not; none where it has lost it."""
    name = table[unit].value(StateName.LEADER)
    return table.things.get(str(name)) if name else None


#: The die that says how well a new leader leads.
LEADER_DIE = LOSS_OF_LEADER.number("die")
LEADER_ROLL = f"d{LEADER_DIE}"


def new_leadership(before: int, score: int) -> int:
    """The LV of a new leader after a roll: one worse, the same or one better than the old one's.

    >>> new_leadership(2, 1), new_leadership(2, 5), new_leadership(1, 6)
    (3, 2, 1)
    """
    best, worst = LOSS_OF_LEADER.numbers("limits")
    change = 1 if score in LOSS_OF_LEADER.numbers("worse") else -1 if score in LOSS_OF_LEADER.numbers("better") else 0
    return max(best, min(worst, before + change))


def replace_leader(battle: Battle, unit: str, because: int) -> Procedure[None]:
    """Another figure takes over (stargrunt.units.loss-of-leader): the owner says who, a die how well."""
    table, thing = battle.table, battle.table[unit]
    able = fit(table, unit)
    if not able:
        take(battle, unit, StateName.LEADER, LOSS_OF_LEADER, because)
        return
    question = ChooseOne(
        thing.side,
        f"Who takes over {thing.label}?",
        topic="new-leader",
        about=(unit,),
        options=tuple(Option(one.id, f"{one.label}, {role_words(one)}", (one.id,)) for one in able),
        rules=(LOSS_OF_LEADER.id,),
        shows=("odds",),
        default=able[0].id,
    )
    chosen = yield from unless_alone(question)
    give(battle, unit, StateName.LEADER, LOSS_OF_LEADER, chosen, because=because)
    score, n = plain_roll(battle, "the new leader", unit, LEADER_ROLL, LOSS_OF_LEADER, because=because)
    before = leadership(thing)
    after = new_leadership(before, score)
    if after != before:
        told = citing(LEADERSHIP)
        for one in family(table, unit):
            battle.happens(
                Counted(one.id, CountName.LEADERSHIP, before, after, rule=LOSS_OF_LEADER.id, because=n, detail=told)
            )
