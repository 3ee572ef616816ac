"""An ambusher comes in, with its field work, and fires."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited, Harm, HarmNoted, Placed
from sandtable.engine.questions import PlaceThings, Together
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT
from tests.miniatures.drop_ground import (
    AMBUSH,
    AT_END,
    COMBAT_ROLL,
    END,
    IMPOSSIBLE,
    SURPLUS,
    WITH_ASSETS,
    ambush_region,
    needs,
)
from tests.miniatures.squad_shooting import rolled


def act(battle: Battle, model: str, target: str) -> Procedure[None]:
    """An ambusher is placed, with its field work if it brings one, and then fires like anybody."""
    table = battle.table
    if not table[model].on_table:
        came = yield from come_in(battle, model)
        if not came:
            battle.happens(Forfeited(model, "fire", rule=IMPOSSIBLE))
            return
    noted = sum(entry.harm.amount for entry in battle.state.due if entry.target == target)
    if table[target].harm + noted >= table[target].track:
        battle.happens(Forfeited(model, "fire", rule=SURPLUS))
        return
    needed = needs(table, table[model], table[target])
    if needed is None:
        battle.happens(Forfeited(model, "fire", rule=IMPOSSIBLE))
        return
    roll = battle.dice.total("2d6")
    hit = roll.natural >= needed.total and roll.natural > 2
    outcome = "hit" if hit else "miss"
    n = battle.happens(rolled("combat roll", model, roll, needed, outcome, COMBAT_ROLL, target=target))
    if hit:
        battle.note(HarmNoted(target, Harm("damage", 1), END, rule=AT_END, because=n))


def come_in(battle: Battle, model: str) -> Procedure[bool]:
    """Place an ambusher, and its field work at once with it. Declining keeps it off the board."""
    table = battle.table
    works = table[model].value("brings")
    things = (model, works) if isinstance(works, str) else (model,)
    together = Together(within=UNIT // 2, rule=WITH_ASSETS, label=f"{model} starts in {works}")
    spots = yield PlaceThings(
        table[model].side,
        f"{model} comes in",
        topic="ambush",
        about=things,
        rules=(AMBUSH, WITH_ASSETS),
        shows=("distance", "reach", "sight", "odds"),
        things=things,
        where={"": ambush_region(table, table[model].side)},
        together=together if len(things) > 1 else None,
        decline="Stay off the board",
    )
    for thing, spot in (spots or {}).items():
        battle.happens(Placed(thing, spot.where, spot.facing, rule=AMBUSH))
    return spots is not None
