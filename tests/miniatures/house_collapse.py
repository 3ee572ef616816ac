"""What a falling section does: to those inside, to what stands on it, to those below."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import (
    Counted,
    Harm,
    HarmApplied,
    HarmCancelled,
    HarmNoted,
    ModelLost,
    Moved,
    Placed,
    Rolled,
    StateChanged,
    TerrainChanged,
)
from sandtable.engine.ids import PieceId, RuleId
from sandtable.engine.questions import PlaceThings
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import At, Disc, In, Region, Via, Walk
from sandtable.engine.state import Due
from sandtable.engine.table import Thing
from tests.miniatures import house as h
from tests.miniatures.creatures import CREATURES, WOUNDED, severity
from tests.miniatures.house_fight import (
    ABOVE,
    DESTROYED,
    KILLED,
    NOW,
    OUT,
    ROUT,
    beside_the_house,
    ground_taken,
    refused_ground,
    routs,
)


def note_collapse(battle: Battle, name: str, rule: RuleId, because: int) -> None:
    """A section is to come down; one that is falling already does not fall again."""
    harm = Harm("collapse", detail={"section": name})
    battle.note(HarmNoted(f"{h.HOUSE} {name}", harm, NOW, rule=rule, because=because), once=True)


def comes_due(battle: Battle, due: Due) -> Procedure[None]:
    """What is due, first caused first: harm to those inside comes before the section above them falls."""
    if due.harm.what == "collapse":
        collapse(battle, str(due.harm.detail["section"]), due)
    elif due.harm.what == "fall":
        yield from fall(battle, due)
    else:
        hurt(battle, due)


def collapse(battle: Battle, name: str, due: Due) -> None:
    """One section falls: a die for each inside, then survivors come down, then what is on top of it: bottom up."""
    table = battle.table
    part = h.section(table, name)
    if not h.stands(part):
        return
    n = battle.happens(
        TerrainChanged(PieceId(h.HOUSE), name, part.state, "destroyed", rule=due.rule, because=due.because)
    )
    caught = h.inside(table, name)
    for model in caught:
        roll = battle.dice.total("d6")
        outcome = severity(roll.natural, model).what
        cause = battle.happens(
            Rolled(
                "severity",
                model.id,
                roll.dice,
                roll.faces,
                roll.natural,
                total=roll.natural,
                outcome=outcome,
                rule=DESTROYED,
                because=n,
            )
        )
        harm = severity(roll.natural, model)
        battle.note(HarmNoted(model.id, harm, NOW, rule=CREATURES, because=cause))
    if part.level:
        for model in caught:
            battle.note(HarmNoted(model.id, Harm("fall"), NOW, rule=ABOVE, because=n))
    for above in h.on_top_of(table, name):
        if h.stands(above):
            note_collapse(battle, above.id, ABOVE, n)


def hurt(battle: Battle, due: Due) -> None:
    """A wound stays with a model; anything worse takes it away, and perhaps its squad's nerve."""
    model = battle.table[due.target]
    harm = due.harm
    if harm.what == "wounded" and model.has("wounded"):
        harm = Harm("out of action", model.track - model.harm)
    after = min(model.track, model.harm + harm.amount)
    if harm.what == "wounded":
        n = battle.happens(HarmApplied(model.id, harm, model.harm, after, rule=due.rule, because=due.because))
        battle.happens(StateChanged(model.id, "wounded", None, 1, "end of battle", rule=WOUNDED, because=n))
        return
    rule = KILLED if harm.what == "killed" else OUT
    n = battle.happens(ModelLost(model.id, harm.what, rule=rule, because=due.because))
    for other in battle.taken_with(due):
        battle.happens(HarmCancelled(model.id, other.harm, harm.what, rule=rule, because=n))
    squad = battle.table[model.unit]
    lost = squad.count("lost") + 1
    battle.happens(Counted(squad.id, "lost", lost - 1, lost, rule=ROUT, because=n))
    if routs(lost, squad.count("strength")) and squad.count("strength") > 1 and not squad.has("routing"):
        battle.happens(StateChanged(squad.id, "routing", None, 1, "rallies", rule=ROUT, because=n))


def fall(battle: Battle, due: Due) -> Procedure[None]:
    """A survivor comes down to the ground where it stood; its owner sets it clear of whoever is there."""
    table = battle.table
    model = table[due.target]
    if not isinstance(model.place, In):
        return
    floor = h.below(table, h.section_of(model))
    under = h.point_of_slot(table, model.place)
    on = ground_taken(table, under, model.id) if floor is None else ""
    if floor is not None:
        yield from fall_into(battle, model, floor.id, due)
        return
    walk = Walk((Via(under),))
    n = battle.happens(
        Moved(model.id, model.place, At(under), model.facing, walk, "fallen", rule=ABOVE, because=due.because)
    )
    if not on and refused_ground(table, under, ABOVE, model.id) is None:
        return
    region = Region(inside=(Disc(under, 2 * h.CLEAR),), whole=False, rule=ABOVE, label="the nearest free ground")
    spots = yield PlaceThings(
        model.side,
        f"{model.id} falls on {on}: place it clear",
        topic="clear",
        about=(model.id, on),
        rules=(ABOVE,),
        things=(model.id,),
        where={"": region},
        faces=False,
    )
    battle.happens(Placed(model.id, spots[model.id].where, model.facing, rule=ABOVE, because=n))


def fall_into(battle: Battle, model: Thing, floor: str, due: Due) -> Procedure[None]:
    """The section below still stands: whoever falls lands in it, if there is room, else outside the house."""
    table = battle.table
    free = h.free_slots(table, floor)
    assert isinstance(model.place, In)
    same = h.slot(floor, int(model.place.slot.split(" ")[1]))
    place: In | At = same
    if same not in free and free:
        place = free[0]
    elif not free:
        place = At(beside_the_house(table, h.where(table, model)))
    battle.happens(Moved(model.id, model.place, place, model.facing, None, "fallen", rule=ABOVE, because=due.because))
    yield from ()
