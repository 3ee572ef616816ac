"""How a squad's declared actions are resolved: moves, attacks, the fire that answers them."""

from collections.abc import Sequence

import msgspec

from sandtable.engine.answers.windows import Reacted, reaction_window
from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited, HarmNoted, Spent, StateChanged
from sandtable.engine.explain import inches
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import (
    ChooseOne,
    ChooseSeveral,
    MarkAsked,
    MoveModels,
    Option,
    PathNote,
    Preview,
    ReactOption,
    Refusal,
)
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import UNIT, Leg, Point, Walk
from sandtable.field.walking.paths import Pose, length_between, resolve
from tests.miniatures.squad_plan import AP, LOCK, Orders
from tests.miniatures.squad_shooting import COMBAT_ROLL, DAMAGE, MACS, beaten, damage, needs, rolled
from tests.miniatures.squad_steps import (
    ALL_OPEN,
    DEFENSIVE,
    END,
    IMPOSSIBLE,
    MOVE,
    MOVE_AND_SHOOT,
    MV,
    REMOVED,
    SEQUENCE,
    STACKING,
    STAND_UP,
    STATIONARY,
    SURPLUS,
    WINDOW,
    Attack,
    Fire,
    Go,
    Resolve,
    may_answer,
)
from tests.miniatures.standing import blocked, moved, point_of, pose, track_of


def resolve_one(battle: Battle, step: Resolve) -> Procedure[None]:
    """One model after another, in the order its side likes; each is a step of its own."""
    if not step.left:
        return
    side, model = battle.table[step.squad].side, step.left[0]
    if len(step.left) > 1:
        options = tuple(Option(name, name, (name,)) for name in step.left)
        model = yield ChooseOne(side, "Resolve which?", topic="resolve", options=options, rules=(SEQUENCE,))
    order = next(order for order in step.orders if order.model == model)
    left = tuple(name for name in step.left if name != model)
    battle.push(Resolve(step.squad, step.orders, left))
    if "move" not in order.actions:
        battle.happens(StateChanged(model, "stationary", None, 1, "next activation", rule=STATIONARY))
    if "stand up" in order.actions:
        battle.happens(StateChanged(model, "knockdown", 1, None, rule=STAND_UP))
    if "lock" in order.actions:
        battle.happens(StateChanged(model, "lock", None, order.lock, "next activation", rule=LOCK))
    attack = (Attack(step.squad, step.orders, model),) if "combat" in order.actions else ()
    if "move" not in order.actions:
        battle.push(*attack)
        return
    walk = yield from ask_move(battle, side, order)
    track = track_of(battle.table, model, walk)
    first = order.actions.index("move") < order.actions.index("combat") if attack else True
    fires_at = walk.marks.get("fires here", track.length if first else 0)
    begun = Go(model, *track.start.point, track.start.facing, walk, 0)
    walk_on(battle, begun, fires_at if attack else track.length)
    if attack:
        battle.push(*attack, msgspec.structs.replace(begun, along=fires_at))


def ask_move(battle: Battle, side: Side, order: Orders) -> Procedure[Walk]:
    """Ask where a model goes, and where on the way it fires."""
    moves = order.actions.count("move")
    marks = (MarkAsked("fires here", "where it fires"),) if "combat" in order.actions else ()
    walks = yield MoveModels(
        side,
        f"Move {order.model}",
        topic="move",
        about=(order.model,),
        rules=(MOVE, *((MOVE_AND_SHOOT,) if marks else ())),
        shows=ALL_OPEN,
        models=(order.model,),
        allowance={order.model: moves * MV * UNIT},
        marks=marks,
        default={},
    )
    walk: Walk = walks.get(order.model, Walk())
    return walk


def walk_on(battle: Battle, step: Go, until: int) -> None:
    """Walk a stretch of a path, from where the model is on it."""
    track = resolve(Pose(Point(step.x, step.y), step.facing), step.walk)
    event = moved(ThingId(step.model), track, step.along, until, MOVE)
    if event is not None:
        battle.happens(event)


def finish_move(battle: Battle, step: Go) -> Procedure[None]:
    """Finish a walk that an attack stood in the middle of; the path that was given binds."""
    track = resolve(Pose(Point(step.x, step.y), step.facing), step.walk)
    walk_on(battle, step, track.length)
    yield from ()


def attack(battle: Battle, step: Attack) -> Procedure[None]:
    """One model's combat action: its weapons are steps of their own, and what answers it comes with it.

    strikeops.shooting.defensive-fire-timing     asked once, before the first combat roll of the activation
    strikeops.damage.surplus-attacks-are-lost    harm that is only noted counts
    """
    order = next(order for order in step.orders if order.model == step.model)
    table = battle.table
    if table[order.target].gone:
        battle.happens(Forfeited(order.model, "combat", rule=REMOVED))
    elif beaten(table[order.target], battle.state.due):
        battle.happens(Forfeited(order.model, "combat", rule=SURPLUS))
    elif needs(table[order.model], table[order.target]) is None:
        battle.happens(Forfeited(order.model, "combat", rule=IMPOSSIBLE))
        return
    else:
        if not table[step.squad].has("shooting"):
            battle.happens(StateChanged(step.squad, "shooting", None, 1, END, rule=WINDOW))
            yield from defensive_window(battle, step)
        shots = [
            Fire(order.model, order.target, mac, inspired=mac == order.inspired) for mac in order.weapons
        ] + answering(battle, order)
        battle.push(*shots)
        return
    battle.push(*answering(battle, order))


def answering(battle: Battle, order: Orders) -> list[Fire]:
    """The defensive fire that was declared against one attacker."""
    found: list[Fire] = []
    for model in battle.table.models():
        answer = model.value("defensive fire")
        if isinstance(answer, tuple) and answer[0] == order.model:
            found += [Fire(model.id, order.model, mac, defensive=True) for mac in answer[1:]]
    return found


def defensive_window(battle: Battle, step: Attack) -> Procedure[None]:
    """Targets that have not activated may answer one of their attackers, for both action points."""
    table = battle.table
    side = table[step.squad].side

    def options(asked: Side, declared: Sequence[Reacted]) -> list[ReactOption]:
        done = [one.reaction.option.split(" answers ")[0] for one in declared]
        return [
            ReactOption(f"{o.target} answers {o.model}", actor=o.target, cost={"AP": 2}, rules=(DEFENSIVE,))
            for o in step.orders
            if o.target and may_answer(table, o.target, asked) and o.target not in done
        ]

    reacted = yield from reaction_window(
        battle,
        moment="defensive fire",
        prompt="Defensive fire?",
        options=options,
        rules=(WINDOW,),
        about=(step.squad,),
        opened_by=side,
        sides=tuple(other for other in table.sides if other != side),
    )
    for one in reacted:
        model, attacker = one.reaction.option.split(" answers ")
        macs = tuple(Option(mac, mac) for mac in MACS)
        weapons = yield ChooseSeveral(
            one.side,
            f"{model}: weapons?",
            topic="weapons",
            about=(model, attacker),
            options=macs,
            at_least=1,
            rules=(WINDOW,),
            shows=ALL_OPEN,
        )
        battle.happens(Spent(model, "AP", AP, 0, rule=DEFENSIVE))
        answer = (attacker, *weapons)
        battle.happens(StateChanged(model, "defensive fire", None, answer, END, rule=DEFENSIVE))


def fire(battle: Battle, step: Fire) -> Procedure[None]:
    """One combat roll; what it does is noted until the activation ends."""
    shooter, target = battle.table[step.shooter], battle.table[step.target]
    needed = needs(shooter, target, step.defensive)
    if beaten(target, battle.state.due):
        battle.happens(Forfeited(step.shooter, step.weapon, rule=SURPLUS))
        return
    if needed is None:
        battle.happens(Forfeited(step.shooter, step.weapon, rule=IMPOSSIBLE))
        return
    roll = battle.dice.total("3d6" if step.inspired else "2d6")
    margin = roll.natural - needed.total
    hit = margin >= 0 and roll.faces[:2] != (1, 1)
    harm = damage(margin) if hit else None
    outcome = "miss" if not hit else "deflected" if harm is None else "hit"
    what = f"combat roll, {step.weapon}"
    n = battle.happens(rolled(what, shooter.id, roll, needed, outcome, COMBAT_ROLL, target=target.id))
    if harm is not None:
        battle.note(HarmNoted(target.id, harm, END, rule=DAMAGE, because=n))
    yield from ()


def refused_move(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Why a path cannot be walked; measuring is open, so its length is judged."""
    for model, walk in answer.items():
        if not all(isinstance(leg, Leg) and leg.go >= 0 for leg in walk.legs):
            return Refusal(MOVE, f"{model} turns and goes forward, leg by leg.")
        length = track_of(view.table, model, walk).length
        if length > question.allowance[model]:
            return Refusal(MOVE, f"That is {inches(length)}; {inches(question.allowance[model])} are allowed.")
        for mark in walk.marks.values():
            if not 0 <= mark <= length:
                return Refusal(MOVE_AND_SHOOT, f"It fires somewhere on its path, 0 to {inches(length)}.")
        refusal = blocked(view.table, model, walk, STACKING)
        if refusal is not None:
            return refusal
    return None


def move_preview(view: View, question: MoveModels, answer: dict[str, Walk]) -> Preview:
    """The path, and how far its end is from every enemy."""
    ((model, walk),) = answer.items()
    track = resolve(pose(view.table[model]), walk)
    points = (track.start.point, *(stretch.end for stretch in track.stretches))
    note = PathNote(model, points, total=track.length, allowance=question.allowance[model])
    distances = {str(enemy.id): length_between(track.end.point, point_of(enemy)) for enemy in view.enemies()}
    return Preview(distances=distances, paths=(note,))
