"""Walking and charging: from trigger to trigger, and into close combat."""

from collections.abc import Sequence

from sandtable.engine.answers.windows import Reacted, reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Halted, Moved, StateChanged
from sandtable.engine.ids import RuleId, Side, ThingId
from sandtable.engine.questions import MoveModels, ReactOption
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, Walk
from sandtable.field.walking.encounters import meetings
from sandtable.field.walking.paths import Track
from tests.miniatures.charge_ground import (
    ALL_OPEN,
    CHARGE,
    CHARGE_DISTANCE,
    CHARGE_TURNING,
    FREE_ATTACK,
    NOW,
    READY,
    READY_ENDS,
    WALK,
    Fight,
    card_of,
    foes_in_contact,
    into_contact,
)
from tests.miniatures.charge_shooting import shot
from tests.miniatures.standing import base_of, moved, others, outline, track_of


def move_model(battle: Battle, model: ThingId, charges: bool) -> Procedure[None]:
    """Ask for the path and walk it from trigger to trigger; a charge into contact gives a free attack."""
    table = battle.table
    thing = table[model]
    if thing.gone:
        return
    cm = card_of(thing).mv * (2 if charges else 1)
    walks = yield MoveModels(
        thing.side,
        f"{'Charge with' if charges else 'Move'} {model}",
        topic="charge" if charges else "walk",
        about=(model,),
        rules=(CHARGE_DISTANCE, CHARGE_TURNING) if charges else (WALK,),
        shows=ALL_OPEN,
        models=(model,),
        allowance={model: cm * UNIT},
        manner="charge" if charges else "walk",
        default={},
    )
    walk = walks.get(model, Walk())
    track = track_of(table, model, into_contact(table, model, walk) if charges else walk)
    yield from walk_path(battle, model, track, CHARGE if charges else WALK)
    foes = [] if table[model].gone else foes_in_contact(table, model)
    if charges and foes:
        battle.happens(Declared(model, "attack", (foes[0].id,), rule=FREE_ATTACK))
        battle.push(Fight(model, foes[0].id, charged=table[model].facing))


def walk_path(battle: Battle, model: ThingId, track: Track, rule: RuleId) -> Procedure[None]:
    """Walk a path; after a halt the rest of it binds.

    combataction.shooting.ready-to-fire-reaction    anywhere on the way, but not once bases touch
    """
    table = battle.table
    foes = [outline(foe) for foe in others(table, model) if foe.side != table[model].side]
    met = [meeting.contact for meeting in meetings(track, base_of(table[model]), foes)]
    last = min([track.length, *(max(0, at - 1) for at in met)])
    at = 0
    while True:
        broken = yield from broken_into(battle, model, (at, last))
        if broken is None:
            break
        shooter, where = broken
        go_along(battle, moved(model, track, at, where, rule))
        battle.happens(Halted(model, where, table[model].place, shooter, rule=READY))
        at = where
        yield from shot(battle, shooter, model)
        yield from battle.settle(NOW)
        if table[model].gone:
            return
    go_along(battle, moved(model, track, at, track.length, rule))


def go_along(battle: Battle, event: Moved | None) -> None:
    if event is not None:
        battle.happens(event)


def broken_into(battle: Battle, model: str, stretch: tuple[int, int]) -> Procedure[tuple[str, int] | None]:
    """Ask the other side whether one of its ready models fires, and when; takes its marker."""
    table = battle.table

    def ready(side: Side, declared: Sequence[Reacted]) -> list[ReactOption]:
        able = [m for m in table.models(side) if m.has("ready to fire") and not foes_in_contact(table, m.id)]
        return [ReactOption(m.id, f"{m.id} fires", m.id, {"saved point": 1}, (READY,)) for m in able]

    reacted = yield from reaction_window(
        battle,
        moment="ready to fire",
        prompt=f"Fire at {model} on its way?",
        options=ready,
        rules=(READY,),
        about=(model,),
        opened_by=table[model].side,
        sides=tuple(side for side in table.sides if side != table[model].side),
        once=True,
        stretch=stretch,
    )
    if not reacted:
        return None
    reaction = reacted[0].reaction
    battle.happens(StateChanged(reaction.option, "ready to fire", 1, None, rule=READY_ENDS))
    assert reaction.along is not None
    return reaction.option, reaction.along
