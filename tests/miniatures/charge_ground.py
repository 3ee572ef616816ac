"""What a charge is judged by: reach, turns, contact, room to be pushed; the steps, and the rules by name."""

import msgspec

from sandtable.engine.explain import inches
from sandtable.engine.ids import BLUE, RED, RuleId, Side, ThingId
from sandtable.engine.questions import MoveModels, Option, PlaceThings, Refusal
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, Base, Leg, Spot, Via, Walk
from sandtable.engine.state import Step
from sandtable.engine.table import Table, Thing
from sandtable.field.directions import along
from sandtable.field.measure import center_gap, contact, gap, in_arc, outline_of
from sandtable.field.walking.encounters import meetings, over_edge
from sandtable.field.walking.paths import resolve
from tests.miniatures.creatures import Card
from tests.miniatures.standing import base_of, blocked, others, outline, point_of, pose, track_of

AP_RULE = RuleId("combataction.actions.two-action-points")
ONE_MOVE = RuleId("combataction.actions.repeat-actions")
WALK = RuleId("combataction.actions.walk")
CHARGE = RuleId("combataction.actions.charge")
CHARGE_DISTANCE = RuleId("combataction.movement.charge-distance")
CHARGE_TURNING = RuleId("combataction.movement.charge-turning")
FREE_ATTACK = RuleId("combataction.movement.charge-free-attack")
FIRE = RuleId("combataction.actions.standard-fire")
SAVING = RuleId("combataction.shooting.save-action-point")
READY = RuleId("combataction.shooting.ready-to-fire-reaction")
READY_ENDS = RuleId("combataction.shooting.ready-to-fire-ends")
ENGAGED = RuleId("combataction.close-combat.engaged")
ATTACK = RuleId("combataction.close-combat.who-may-attack")
STRIKE = RuleId("combataction.close-combat.roll-to-strike")
STRIKE_BACK = RuleId("combataction.close-combat.strike-back")
WINNER = RuleId("combataction.close-combat.winner")
PUSH = RuleId("combataction.close-combat.push-back")
BREAK_AWAY = RuleId("combataction.close-combat.break-away-winner")
LEAVING = RuleId("combataction.close-combat.break-away-free-attack")
HEROIC_TEST = RuleId("combataction.personnel.heroic-test")
NULLIFY = RuleId("combataction.personnel.heroic-nullify-shot")
SAVE_DROPS = RuleId("combataction.personnel.heroic-save-drops")
OUT = RuleId("combataction.damage.out-of-action")
INITIATIVE = RuleId("combataction.turn.initiative-roll")
FIRST_OR_LAST = RuleId("combataction.turn.initiative-choice")
ALTERNATE = RuleId("combataction.turn.alternate-activation")
DURATION = RuleId("combataction.battle.duration")
DEPLOY = RuleId("combataction.battle.deploy-alternately")
SCORE = RuleId("combataction.battle.victory-points")

CARDS = {
    "hero": Card(9, 5, 2, 5, 1, 30, knife=1, save=2),
    "trooper": Card(8, 6, 1, 6, 1, 30, knife=0),
    "rifleman": Card(8, 6, 1, 5, 2, 70),
}
MAN = Base("circle", 2500)
NOW = "now"
ALL_OPEN = ("distance", "reach", "sight", "odds")


class Fielded(msgspec.Struct, frozen=True):
    """One model as the scenario fields it, in thousandths of a centimetre."""

    id: str
    side: Side
    card: str
    x: int
    y: int
    facing: int = 0
    ready: bool = False


class Scenario(msgspec.Struct, frozen=True):
    """What a battle starts from. With `first` nobody rolls for the initiative of the first turn."""

    models: tuple[Fielded, ...] = (
        Fielded("A", RED, "hero", 24000, 20000),
        Fielded("D", RED, "rifleman", 18000, 26000),
        Fielded("E", RED, "trooper", 24000, 14000),
        Fielded("B", BLUE, "trooper", 30000, 22000, 180),
        Fielded("C", BLUE, "rifleman", 36000, 18000, 180),
        Fielded("F", BLUE, "hero", 30000, 16000, 180),
    )
    first: str = ""
    turns: int = 4


class Begin(Step, frozen=True):
    turns: int
    first: str = ""


class Next(Step, frozen=True):
    side: Side
    turns: int


class Act(Step, frozen=True):
    """One action of the active model; it puts the rest of its activation back in front."""

    model: str


class Shoot(Step, frozen=True):
    shooter: str
    target: str


class Fight(Step, frozen=True):
    """One attack in close combat. `charged` is the direction of the charge it follows, `free` an attack on a leaver."""

    attacker: str
    defender: str
    charged: int | None = None
    free: bool = False


class FollowUp(Step, frozen=True):
    """Who has hit in close combat may push the other or break away; `because` is the attack."""

    winner: ThingId
    loser: ThingId
    charged: int | None
    because: int


class Leave(Step, frozen=True):
    """A model that has survived the free attacks moves away."""

    model: str
    charges: bool


def card_of(thing: Thing) -> Card:
    """The values of a model; wounds halve its movement."""
    card = CARDS[thing.card]
    return card._replace(mv=card.mv // 2) if thing.has("wounded") else card


def foes_in_contact(table: Table, model: str) -> list[Thing]:
    """The enemies whose bases a model touches."""
    thing = table[model]
    return [m for m in others(table, model) if m.side != thing.side and contact(outline(m), outline(thing))]


def distance_between(one: Thing, other: Thing) -> int:
    """How far two models are apart, base to base."""
    return max(0, gap(outline(one), outline(other)))


def pushed_at_most(table: Table, model: str, degrees: int, most: int = 5 * UNIT) -> int:
    """How far a model can be pushed in a direction: up to the next base or the edge of the table."""
    start, base = point_of(table[model]), base_of(table[model])
    track = resolve(pose(table[model]), Walk((Via(along(start, degrees, most)),)))
    free = track.length
    for met in meetings(track, base, [outline(other) for other in others(table, model)]):
        if met.last is not None:
            free = min(free, met.last)
    while free > 0 and over_edge(outline_of(base, track.pose_at(free).point, 0), table.ground):
        free = max(0, free - UNIT // 10)
    return free


def into_contact(table: Table, model: str, walk: Walk) -> Walk:
    """A charge that leads into an enemy, up to where their bases touch: the last point before they would overlap."""
    track = track_of(table, model, walk)
    foes = [outline(foe) for foe in others(table, model) if foe.side != table[model].side]
    met = [meeting.last for meeting in meetings(track, base_of(table[model]), foes) if meeting.last is not None]
    return track.cut(min(met))[0] if met else walk


def rule_of(action: str) -> RuleId:
    return {"walk": WALK, "charge": CHARGE, "fire": FIRE, "attack": ATTACK, "save": SAVING}[action]


def turned(walk: Walk) -> int:
    """How far a charge turns in all; its first direction is free."""
    return sum(abs(leg.turn) for leg in walk.legs[1:] if isinstance(leg, Leg))


def action_options(table: Table, model: str) -> tuple[Option, ...]:
    """What a model may do with its points; what it may not do says why."""
    thing = table[model]
    foes = foes_in_contact(table, model)
    has_moved = "It has moved already." if thing.has("moved") else ""
    dear = "That takes two points." if thing.count("AP") < 2 else ""
    engaged = "It is engaged in close combat." if foes else ""
    options = [
        Option("walk", "walk", rules=(ONE_MOVE,), refused=has_moved),
        Option("charge", "charge", rules=(ONE_MOVE if has_moved else AP_RULE,), refused=has_moved or dear),
        Option("save", "save a point", rules=(SAVING,), refused="It is ready." if thing.has("ready to fire") else ""),
    ]
    enemies = [enemy for enemy in table.models() if enemy.side != thing.side]
    for enemy in enemies:
        far = distance_between(thing, enemy) > card_of(thing).reach * UNIT
        why = engaged or ("It is out of reach." if far else "")
        options.append(
            Option(f"fire at {enemy.id}", f"fire at {enemy.id}", (enemy.id,), (ENGAGED if engaged else FIRE,), why)
        )
    options += [Option(f"attack {foe.id}", f"attack {foe.id}", (foe.id,), (ATTACK,), dear) for foe in foes]
    return (*options, Option("end", "do nothing more"))


def refused_move(view: View, question: MoveModels, answer: dict[str, Walk]) -> Refusal | None:
    """Why a path cannot be walked; a charge may turn 90 degrees in all, and only a charge ends in contact."""
    for model, given in answer.items():
        walk = given
        if not all(isinstance(leg, Leg) and leg.go >= 0 for leg in walk.legs):
            return Refusal(question.rules[0], f"{model} turns and goes forward, leg by leg.")
        if question.topic == "charge":
            walk = into_contact(view.table, model, walk)
        length = track_of(view.table, model, walk).length
        if length > question.allowance[model]:
            allowed = inches(question.allowance[model], " cm")
            return Refusal(question.rules[0], f"That is {inches(length, ' cm')}; {allowed} are allowed.")
        if question.topic == "charge" and turned(walk) > 90:
            return Refusal(CHARGE_TURNING, f"A charge turns at most 90° in all; this one turns {turned(walk)}°.")
        refusal = blocked(view.table, model, walk, question.rules[0])
        if refusal is not None:
            return refusal
        if question.topic == "break away" and touches_at_end(view, model, walk):
            return Refusal(BREAK_AWAY, "It may not end in contact with an enemy.")
    return None


def touches_at_end(view: View, model: str, walk: Walk) -> bool:
    """Whether a path ends in contact with an enemy."""
    end = track_of(view.table, model, walk).end
    shape = outline_of(base_of(view.table[model]), end.point, end.facing)
    return any(contact(shape, outline(foe)) for foe in view.enemies())


def refused_push(view: View, question: PlaceThings, answer: dict[str, Spot]) -> Refusal | None:
    """Why a model cannot be pushed there: too far, out of the arc, or something is in the way."""
    loser, winner = question.about
    thing, spot = view.table[loser], answer[loser]
    if not isinstance(spot.where, At) or spot.where.level:
        return Refusal(PUSH, "It is pushed along the ground.")
    start, to = point_of(thing), spot.where.point
    if center_gap(start, to) > (5 * UNIT) ** 2:
        return Refusal(PUSH, "A push is of at most 5 cm.")
    if not in_arc(start, view.table[winner].facing, to, -45, 45):
        return Refusal(PUSH, f"That is not in the front arc of {winner}.")
    return blocked(view.table, loser, Walk((Via(to),)), PUSH)
