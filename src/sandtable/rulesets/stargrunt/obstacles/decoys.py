"""Decoys against guided missiles, an option: launched from the vehicle itself, or laid beforehand."""

from collections.abc import Sequence

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Left, Placed, Spent
from sandtable.engine.ids import ThingId
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, Preview
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.shapes import At
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import center_gap
from sandtable.forces.ledger import rule, same_number
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, out_there
from sandtable.rulesets.stargrunt.dice.foretold import contest_preview
from sandtable.rulesets.stargrunt.dice.rolls import one_die, opposed_roll
from sandtable.rulesets.stargrunt.fire.armament import GUIDED, Arm, arm_of, arms
from sandtable.rulesets.stargrunt.forces.cards import vehicle
from sandtable.rulesets.stargrunt.units.record import LAUNCHED, hull_of, spot, standing
from sandtable.tabletop.states import END_OF_TURN, give

RULE = rule("stargrunt.obstacles.decoys")
#: The switch of the option, the card of a decoy on the table, and what is counted of them.
SWITCH, DECOY, CARRIED = "decoys", "decoy", "decoys"
NO_DECOY = "no-decoy"
DIE = RULE.number("die")
same_number("how often a turn a launcher fires", RULE.number("per_turn"), 1)


def guided_arm(table: Table, firer: Thing, weapons: Sequence[str]) -> Arm | None:
    """The guided missile that is fired, if it is one."""
    fired = [arm_of(table, firer, name) for name in weapons]
    return next((arm for arm in fired if arm.kind == GUIDED), None)


def decoys_for(table: Table, target: Thing) -> list[Option]:
    """What a unit that a missile is fired at has to draw it away: its launcher, and decoys within reach."""
    if not table.options.get(SWITCH):
        return []
    hull, reach = hull_of(table, target.id), RULE.inches("range_in")
    found = []
    if hull is not None and vehicle(hull).decoys and not hull.has(LAUNCHED):
        found.append(Option(hull.id, "The decoy launcher", (hull.id,), (RULE.id,)))
    for one in table.of_kind("marker"):
        if one.card == DECOY and one.side == target.side and one.on_table:
            if any(center_gap(spot(one), spot(each)) <= reach * reach for each in standing(table, target.id)):
                found.append(Option(one.id, one.label, (one.id,), (RULE.id,)))
    return found


def drawn_away(battle: Battle, firer: Thing, target: Thing, arm: Arm | None, because: int) -> Procedure[bool]:
    """The owner of the target may use a decoy before a missile's hit roll; whether it draws the missile away.

    stargrunt.obstacles.decoys    D8 above the guidance die; a laid decoy that drew a missile is gone
    """
    offered = decoys_for(battle.table, target) if arm is not None else []
    if arm is None or not offered:
        return False
    chosen = yield ChooseOne(
        target.side,
        f"A missile is fired at {target.label}: use a decoy?",
        topic="decoy",
        about=(target.id, firer.id),
        options=(*offered, Option(NO_DECOY, "No decoy", (), (RULE.id,))),
        rules=(RULE.id,),
        shows=("odds",),
        default=NO_DECOY,
    )
    if chosen == NO_DECOY:
        return False
    decoy = battle.table[chosen]
    n = battle.happens(Declared(target.id, "decoy", (chosen,), rule=RULE.id, because=because))
    mine, theirs = one_die("decoy", decoy.id, DIE), one_die("guidance", firer.id, arm.die, (arm.part,))
    rolled = opposed_roll(battle, mine, theirs, RULE, because=n, outcome=_drawn)
    if decoy.kind == "model":
        give(battle, decoy.id, LAUNCHED, RULE, until=END_OF_TURN, because=rolled.n)
    elif rolled.succeeds:
        battle.happens(Left(decoy.id, "it drew a missile", rule=RULE.id, because=rolled.n))
    return rolled.succeeds


def _drawn(mine: int, theirs: int) -> str:
    return "it draws the missile away" if mine > theirs else "the missile flies on"


def decoy_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """The die of a decoy; against which guidance is not said, so the chance against every one there is."""
    if answer == NO_DECOY:
        return Preview()
    dice = sorted({arm.die for arm in arms(view.table, view.table[question.about[1]]) if arm.kind == GUIDED})
    shown = [contest_preview(one_die("decoy", answer, DIE), one_die("guidance", "", die), _drawn) for die in dice]
    return shown[0] if len(shown) == 1 else Preview(notes=(f"decoy D{DIE} against the guidance of the missile",))


def lay_decoy(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    """One action lays a decoy at the feet of the unit's first figure."""
    yield from ()
    left = unit.count(CARRIED) - 1
    n = battle.happens(Spent(unit.id, CARRIED, 1, left, rule=RULE.id))
    name = ThingId(f"{unit.id}-decoy-{left + 1}")
    label = f"decoy of {unit.label}"
    made = Thing(name, kind="marker", side=unit.side, label=label, card=DECOY, glyph="counter")
    battle.happens(Placed(name, At(spot(standing(battle.table, unit.id)[0])), made=made, rule=RULE.id, because=n))
    return Outcome()


def carries_decoys(table: Table, unit: Thing) -> bool:
    """Whether a unit can lay a decoy."""
    return bool(table.options.get(SWITCH)) and out_there(table, unit) and unit.count(CARRIED) > 0


ACTION = Action(
    id="lay-decoy",
    entry="lay_mine_or_decoy",
    label="Lay a decoy",
    rule=RULE,
    carry_out=lay_decoy,
    shown=carries_decoys,
)
