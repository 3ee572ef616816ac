"""A shot, the Defence Roll, and the hero who shrugs it off."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Counted, HarmApplied, HarmCancelled, HarmNoted, ModelLost, Rolled, StateChanged
from sandtable.engine.questions import Confirm
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Due, Settle
from tests.miniatures.charge_ground import CARDS, HEROIC_TEST, NOW, NULLIFY, OUT, SAVE_DROPS, card_of, distance_between
from tests.miniatures.creatures import (
    CREATURES,
    DEFENCE,
    TO_HIT,
    WOUNDED,
    defence_needs,
    hit_modifiers,
    hits,
    needs_to_hit,
    pen_part,
    severity,
    thrown,
)


def shoot(battle: Battle, shooter: str, target: str) -> Procedure[None]:
    """A shot as an action of its own; what it does comes next."""
    yield from shot(battle, shooter, target)
    battle.push(Settle(NOW))


def shot(battle: Battle, shooter: str, target: str) -> Procedure[None]:
    """One shot: to hit, the Defence Roll; what it does is noted, unless a hero shrugs it off."""
    table = battle.table
    card = card_of(table[shooter])
    added = hit_modifiers(table[shooter], card, distance_between(table[shooter], table[target]))
    if added is None:
        return
    needed = needs_to_hit(card)
    roll = battle.dice.total("d6")
    hit = hits(roll.natural, roll.natural + added.total, needed.total)
    n = battle.happens(thrown("to hit", shooter, roll, added, needed, "hit" if hit else "miss", TO_HIT, 0))
    if not hit:
        return
    due = defend(battle, target, card.pen, n)
    if due:
        yield from heroics(battle, target, due)


def defend(battle: Battle, target: str, pen: int, because: int) -> int:
    """The Defence Roll; gives the number of the harm that is noted, or 0."""
    added, needed = pen_part(pen), defence_needs(CARDS[battle.table[target].card].pf)
    roll = battle.dice.total("d6")
    through = roll.natural + added.total >= needed.total
    outcome = "damaged" if through else "held"
    n = battle.happens(thrown("defence", target, roll, added, needed, outcome, DEFENCE, because))
    if not through:
        return 0
    harm = severity(roll.natural, battle.table[target])
    return battle.note(HarmNoted(target, harm, NOW, rule=CREATURES, because=n))


def heroics(battle: Battle, hero: str, due: int) -> Procedure[None]:
    """A hero who was hit may test, again and again while he has a save left; each test costs a point of it."""
    noted = next(entry for entry in battle.state.due if entry.id == due)
    while battle.table[hero].count("save"):
        save = battle.table[hero].count("save")
        tries = yield Confirm(
            battle.table[hero].side,
            f"Heroic Test for {hero}?",
            topic="heroic test",
            about=(hero,),
            rules=(NULLIFY,),
            facts={"chance": 100 * save // 6, "save": save},
            yes=f"on {save} or less the shot never hit; the save drops by 1",
            no=noted.harm.what,
        )
        if not tries:
            return
        roll = battle.dice.total("d6")
        passed = roll.natural <= save
        outcome = "passed" if passed else "failed"
        n = battle.happens(
            Rolled(
                "heroic test",
                hero,
                roll.dice,
                roll.faces,
                roll.natural,
                total=roll.natural,
                outcome=outcome,
                rule=HEROIC_TEST,
                detail={"at most": save},
            )
        )
        if passed:
            entry = battle.cancel(due)
            battle.happens(HarmCancelled(hero, entry.harm, hero, rule=NULLIFY, because=n))
        battle.happens(Counted(hero, "save", save, save - 1, rule=SAVE_DROPS, because=n))
        if passed:
            return


def hurt(battle: Battle, due: Due) -> Procedure[None]:
    """A wound is a state and a point of harm; anything worse takes the model off the table."""
    model = battle.table[due.target]
    after = model.harm + due.harm.amount
    n = battle.happens(HarmApplied(model.id, due.harm, model.harm, after, rule=CREATURES, because=due.because))
    if due.harm.what == "wounded":
        battle.happens(StateChanged(model.id, "wounded", None, 1, "end of battle", rule=WOUNDED, because=n))
    else:
        battle.happens(ModelLost(model.id, due.harm.what, rule=OUT, because=n))
    yield from ()
