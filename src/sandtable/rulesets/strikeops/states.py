"""Model states: knockdown, stationary, double-time, suppressed, stunned, burning and hacked, and how they are lost."""

from sandtable.engine.battle import Battle
from sandtable.engine.table import Table, Thing
from sandtable.forces.data import Data
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.rulesets.cav.states import COUNTING, FRESH, RENEWED, Passing, Rolling
from sandtable.rulesets.strikeops.concepts import TOKENS
from sandtable.rulesets.strikeops.datacard import is_cav, is_infantry, rating
from sandtable.rulesets.strikeops.state_names import StateName, Until
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.modifiers import Modifier
from sandtable.tabletop.states import give, take

STATES = rule("strikeops.states.model-states")
BURNING = rule("strikeops.states.burning")
HACKED = rule("strikeops.states.hacked")
DOUBLE_TIME = rule("strikeops.states.double-time")
KNOCKDOWN = rule("strikeops.states.knockdown")
ENDS_DOUBLE_TIME = rule("strikeops.states.knockdown-ends-double-time")
STATIONARY_DEFENDER = rule("strikeops.states.stationary-defender")
STATIONARY_ATTACKER = rule("strikeops.states.stationary-attacker")
SUPPRESSED = rule("strikeops.states.suppressed-movement")
SUPPRESSED_ROLLS = rule("strikeops.states.suppressed-rolls")
STUNNED = rule("strikeops.states.stunned")
REPLACES = rule("strikeops.states.stunned-replaces-suppressed")
WHICH_ROLLS = rule("strikeops.states.which-rolls")
FIRE_PROOF = rule("strikeops.states.fire-proof")
FIRE_PROOFING = rule("strikeops.attributes.fire-proof")
IMMUNE = rule("strikeops.damage.infantry-immunities")
ONE_TURN = rule("strikeops.actions.effects-last-one-turn")
OVERWATCH_LASTS = rule("strikeops.shooting.overwatch-lasts")

_UNSTEADY = WHICH_ROLLS.number("sm")
for _rule in (BURNING, HACKED, SUPPRESSED_ROLLS, STUNNED):
    same_number("what unsteadies a crew", _rule.number("own_rolls_sm"), _UNSTEADY)

#: The rule of each state, and until when it lasts.
RULE_OF: dict[str, tuple[Rule, str]] = {
    StateName.BURNING: (BURNING, Until.GAME),
    StateName.DOUBLE_TIME: (DOUBLE_TIME, Until.NEXT_ACTIVATION),
    StateName.HACKED: (HACKED, Until.GAME),
    StateName.KNOCKDOWN: (KNOCKDOWN, Until.STANDS_UP),
    StateName.STATIONARY: (STATIONARY_DEFENDER, Until.NEXT_ACTIVATION),
    StateName.SUPPRESSED: (SUPPRESSED, Until.END_OF_NEXT_ACTIVATION),
    StateName.STUNNED: (STUNNED, Until.END_OF_NEXT_ACTIVATION),
}
same_number("the model states", tuple(RULE_OF), tuple(one.replace("_", "-") for one in STATES.texts("states")))

#: What is lost with the activation that is spent in it.
PASSING = Passing(
    {StateName.SUPPRESSED: SUPPRESSED, StateName.STUNNED: STUNNED},
    {state: until for state, (_, until) in RULE_OF.items()},
)
#: What its earlier actions left until a model's next activation begins.
OF_ONE_TURN = (StateName.STATIONARY, StateName.DOUBLE_TIME, StateName.TARGET_LOCK)


def is_down(model: Thing) -> bool:
    """Whether a CAV is prone: knocked down or gone prone, which is the same."""
    return model.has(StateName.KNOCKDOWN)


def in_state(state: StateName, source: Rule) -> Modifier[Rolling]:
    """The row of a state that burdens every 2d6 roll a model makes against a number (strikeops.states.which-rolls)."""
    return Modifier(source, state, _UNSTEADY, when=lambda s: s.model.has(state))


#: What its states do to every number a model rolls against.
UNSTEADY: tuple[Modifier[Rolling], ...] = (
    in_state(StateName.BURNING, BURNING),
    in_state(StateName.HACKED, HACKED),
    in_state(StateName.STUNNED, STUNNED),
    in_state(StateName.SUPPRESSED, SUPPRESSED_ROLLS),
)


def spared(thing: Thing, state: str) -> Rule | None:
    """The rule that spares a model a state, whatever would lay it there.

    strikeops.states.fire-proof                who is fire-proof does not burn, by strikeops.attributes.fire-proof
    strikeops.damage.infantry-immunities       infantry have no state but Burning
    strikeops.states.knockdown                 Knockdown concerns CAVs only
    """
    if is_infantry(thing) and state != StateName.BURNING:
        return IMMUNE
    level = rating(thing, "fire_proof")
    if level >= FIRE_PROOF.number("immune_from_level"):
        if state == FIRE_PROOFING.text_at("levels", str(level), "immune_to"):
            return FIRE_PROOF
    return KNOCKDOWN if state == StateName.KNOCKDOWN and not is_cav(thing) else None


def receive(battle: Battle, model: str, state: str, *, why: Rule | None = None, because: int = 0) -> None:
    """Lay a state on a model; gaining it again restarts its time.

    strikeops.states.stunned-replaces-suppressed    a stunned model is not suppressed as well
    strikeops.states.knockdown-ends-double-time     who is knocked down runs no more
    strikeops.shooting.overwatch-lasts              nor does who lies or is stunned watch
    """
    thing = battle.table[model]
    if thing.gone or thing.has(StateName.OUT_OF_ACTION):
        return
    if spared(thing, state) is not None or (state == StateName.SUPPRESSED and thing.has(StateName.STUNNED)):
        return
    if thing.value(state) in (FRESH, RENEWED):
        return  # it has it already, and no time of it has passed
    value = RENEWED if thing.value(state) == COUNTING else FRESH
    source, until = RULE_OF[state]
    give(
        battle, model, state, why or source, value, until=until, because=because, detail=citing(STATES, source, TOKENS)
    )
    if state == StateName.STUNNED:
        take(battle, model, StateName.SUPPRESSED, REPLACES, because)
    if state == StateName.KNOCKDOWN:
        take(battle, model, StateName.DOUBLE_TIME, ENDS_DOUBLE_TIME, because)
    if state in (StateName.KNOCKDOWN, StateName.STUNNED):
        take(battle, model, StateName.OVERWATCH, OVERWATCH_LASTS, because)


def forget_last_turn(battle: Battle, model: str) -> None:
    """What a model's earlier actions left until now ends (strikeops.actions.effects-last-one-turn)."""
    for state in OF_ONE_TURN:
        take(battle, model, state, ONE_TURN)


def _spared(table: Table, asked: Data) -> object:
    """The rule that spares a model a state, or `no`."""
    found = spared(table[asked.text_at("model")], asked.text_at("state"))
    return "no" if found is None else found.id


CHAPTER = Chapter(
    states={state: source.title.lower() for state, (source, _) in RULE_OF.items()}, values={"spared": _spared}
)
