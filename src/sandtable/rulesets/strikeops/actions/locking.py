"""The Target-Lock Action, and the Counter-Measures that may stop it."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Forfeited
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.ruleset import Procedure
from sandtable.engine.shapes import Point
from sandtable.engine.table import Thing
from sandtable.forces.ledger import rule
from sandtable.rulesets.cav.dice import fumbled, target
from sandtable.rulesets.cav.states import Rolling
from sandtable.rulesets.strikeops.actions.listing import TARGET_LOCK
from sandtable.rulesets.strikeops.attributes import COUNTER_MEASURES
from sandtable.rulesets.strikeops.changes import spelled
from sandtable.rulesets.strikeops.command import before_imposed, inspire
from sandtable.rulesets.strikeops.datacard import rating
from sandtable.rulesets.strikeops.dice import DICE
from sandtable.rulesets.strikeops.state_names import ActionName, StateName, Until
from sandtable.rulesets.strikeops.states import UNSTEADY
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check
from sandtable.tabletop.modifiers import parts
from sandtable.tabletop.states import give

LOST = rule("strikeops.actions.lost-when-a-model-is-removed")
COUNTER_FUMBLE = rule("strikeops.attributes.counter-measures-fumble")
#: A state of a model whose Counter-Measures have failed for good.
DISABLED = "counter-measures disabled"


def lock_on(battle: Battle, model: str, enemy: str, point: Point | None = None) -> Procedure[None]:
    """The Target-Lock Action: no roll, no range, no sight needed, but Counter-Measures may stop it.

    strikeops.attributes.counter-measures           a roll of its own, and nobody is asked
    strikeops.attributes.counter-measures-fumble    a natural 2 disables them for the game
    """
    if point is not None:
        give(battle, model, StateName.TARGET_LOCK, TARGET_LOCK, spelled(point), until=Until.NEXT_ACTIVATION)
        return
    if battle.table[enemy].gone:
        battle.happens(Forfeited(model, ActionName.TARGET_LOCK, rule=LOST.id))
        return
    foe = battle.table[enemy]
    level = rating(foe, "counter_measures")
    if level and not foe.has(DISABLED):
        inspired = yield from before_imposed(battle, enemy, lambda: counter_check(foe))
        fell = DICE.throw(battle, inspire(counter_check(battle.table[enemy]), inspired), modified=True)
        if fumbled(fell):
            give(battle, enemy, DISABLED, COUNTER_FUMBLE, until=Until.GAME, because=fell.n)
        if fell.succeeds:
            battle.happens(Forfeited(model, ActionName.TARGET_LOCK, rule=COUNTER_MEASURES.id, because=fell.n))
            return
    give(battle, model, StateName.TARGET_LOCK, TARGET_LOCK, enemy, until=Until.NEXT_ACTIVATION)


def counter_check(foe: Thing) -> Check:
    """The roll of Counter-Measures against a lock, before it falls."""
    needs = target(COUNTER_MEASURES.number("target_point"), "counter-measures", COUNTER_MEASURES)
    lowered = COUNTER_MEASURES.number("target_modifier_per_level") * rating(foe, "counter_measures")
    levels = ExplainedPart("level", lowered, COUNTER_MEASURES.id)
    return DICE.check(
        *("counter-measures", foe.id, needs),
        (levels, *parts(UNSTEADY, "counter-measures", Rolling(foe))),
        COUNTER_MEASURES,
        succeeded="no lock",
        failed="locked",
        alike=lambda margin: True,
    )


CHAPTER = Chapter(
    states={
        StateName.TARGET_LOCK: "the id of the enemy it is locked on to, or a point in thousandths, {value: [x, y]}",
        DISABLED: "its Counter-Measures have failed for good",
    },
)
