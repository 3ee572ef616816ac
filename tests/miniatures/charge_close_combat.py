"""Close combat: strike, Strike Back, push back, break away."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Moved
from sandtable.engine.explain import ExplainedPart, explain
from sandtable.engine.ids import Side, ThingId
from sandtable.engine.questions import ChooseOne, MoveModels, Option, PlaceThings
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import UNIT, At, Point, Region, Via, Walk
from sandtable.engine.state import Settle
from sandtable.field.directions import along
from sandtable.field.templates import sector
from tests.miniatures.charge_ground import (
    ALL_OPEN,
    BREAK_AWAY,
    LEAVING,
    NOW,
    PUSH,
    STRIKE,
    STRIKE_BACK,
    WINNER,
    Fight,
    FollowUp,
    card_of,
    pushed_at_most,
)
from tests.miniatures.charge_moves import walk_path
from tests.miniatures.charge_shooting import defend
from tests.miniatures.creatures import WOUNDED, thrown
from tests.miniatures.standing import point_of, track_of


def fight(battle: Battle, step: Fight) -> Procedure[None]:
    """One attack, perhaps a Strike Back; then whoever hit may push or break away."""
    table = battle.table
    attacker, defender = table[step.attacker], table[step.defender]
    if attacker.gone or defender.gone:
        return
    card = card_of(attacker)
    parts = [ExplainedPart("close combat weapon", 1, STRIKE)] if card.knife is not None else []
    if attacker.has("wounded"):
        parts.append(ExplainedPart("wounded", -1, WOUNDED))
    added = explain("strike", *parts)
    needed = explain("strike", ExplainedPart("fighting ability", card.fa, STRIKE))
    roll = battle.dice.total("d6")
    back = roll.natural == 1 and not step.free and card_of(defender).knife is not None
    hit = roll.natural != 1 and roll.natural + added.total >= needed.total
    outcome = "strike back" if back else "hit" if hit else "miss"
    rule = STRIKE_BACK if back else LEAVING if step.free else STRIKE
    n = battle.happens(thrown("strike", attacker.id, roll, added, needed, outcome, rule, 0))
    if not (hit or back):
        return
    winner, loser = (defender, attacker) if back else (attacker, defender)
    defend(battle, loser.id, card_of(winner).knife or 0, n)
    follows = [] if step.free else [FollowUp(winner.id, loser.id, None if back else step.charged, n)]
    battle.push(Settle(NOW), *follows)
    yield from ()


def follow_up(battle: Battle, step: FollowUp) -> Procedure[None]:
    """The winner pushes the loser back if he is still there, breaks away, or does neither."""
    table = battle.table
    winner, loser, charged, because = step.winner, step.loser, step.charged, step.because
    if table[loser].gone:
        return
    arc = [charged] if charged is not None else [table[winner].facing + turn for turn in range(-45, 46, 5)]
    room = any(pushed_at_most(table, loser, degrees % 360) >= UNIT for degrees in arc)
    options = (
        Option("push back", "push back", (loser,), (PUSH,), "" if room else "There is no space."),
        Option("break away", "break away", (winner,), (BREAK_AWAY,)),
        Option("neither", "neither"),
    )
    side = table[winner].side
    choice = yield ChooseOne(
        side, f"{winner} has won", topic="won", about=(winner, loser), options=options, rules=(WINNER,)
    )
    if choice == "push back" and charged is not None:
        yield from push_on(battle, side, loser, charged % 360, because)
    elif choice == "push back":
        yield from push_away(battle, side, winner, loser, because)
    elif choice == "break away":
        yield from break_away(battle, winner)


def push_on(battle: Battle, side: Side, loser: ThingId, degrees: int, because: int) -> Procedure[None]:
    """A charger pushes straight on, so far as its side likes."""
    most = pushed_at_most(battle.table, loser, degrees)
    far = tuple(Option(str(cm), f"{cm} cm") for cm in range(1, most // UNIT + 1))
    cm = yield ChooseOne(side, f"How far is {loser} pushed?", topic="push on", options=far, rules=(PUSH,))
    pushed(battle, loser, along(point_of(battle.table[loser]), degrees, int(cm) * UNIT), because)


def push_away(battle: Battle, side: Side, winner: ThingId, loser: ThingId, because: int) -> Procedure[None]:
    """Anybody else pushes in any direction of its front arc."""
    table = battle.table
    region = Region(
        inside=(sector(point_of(table[loser]), table[winner].facing, 5 * UNIT, 45),),
        whole=False,
        rule=PUSH,
        label=f"5 cm in the front arc of {winner}",
    )
    spots = yield PlaceThings(
        side,
        f"Push {loser} where?",
        topic="push",
        about=(loser, winner),
        rules=(PUSH,),
        shows=ALL_OPEN,
        things=(loser,),
        where={"": region},
        faces=False,
        decline="Leave it where it is",
    )
    if spots is not None:
        pushed(battle, loser, spots[loser].where.point, because)


def pushed(battle: Battle, loser: ThingId, to: Point, because: int) -> None:
    thing = battle.table[loser]
    walk = Walk((Via(to),))
    battle.happens(Moved(loser, thing.place, At(to), thing.facing, walk, "pushed", rule=PUSH, because=because))


def break_away(battle: Battle, winner: ThingId) -> Procedure[None]:
    table = battle.table
    most = min(10, card_of(table[winner]).mv) * UNIT
    walks = yield MoveModels(
        table[winner].side,
        f"{winner} breaks away",
        topic="break away",
        about=(winner,),
        rules=(BREAK_AWAY,),
        shows=ALL_OPEN,
        models=(winner,),
        allowance={winner: most},
        decline="Stay",
    )
    if walks:
        track = track_of(table, winner, walks[winner])
        yield from walk_path(battle, winner, track, BREAK_AWAY)
