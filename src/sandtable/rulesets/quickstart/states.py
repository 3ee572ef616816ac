"""Model states: disabled, immobile, knockdown, suppressed, stunned, and how they are lost."""

from sandtable.engine.battle import Battle
from sandtable.engine.table import Thing
from sandtable.forces.ledger import Rule, citing, rule, same_number
from sandtable.rulesets.cav.states import FRESH, Passing, Rolling
from sandtable.rulesets.quickstart.datacard import CRITICAL_MOVEMENT, movement, stats
from sandtable.rulesets.quickstart.state_names import StateName, Until
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.modifiers import Modifier
from sandtable.tabletop.states import give, take

STATES = rule("quickstart.states.model-states")
DISABLED = rule("quickstart.states.disabled")
IMMOBILE = rule("quickstart.states.immobile")
KNOCKDOWN = rule("quickstart.states.knockdown")
SUPPRESSED = rule("quickstart.states.suppressed")
SUPPRESSED_RECOVERY = rule("quickstart.states.suppressed-recovery")
STUNNED = rule("quickstart.states.stunned")
STUNNED_RECOVERY = rule("quickstart.states.stunned-recovery")

RULE_OF: dict[str, Rule] = {
    StateName.DISABLED: DISABLED,
    StateName.IMMOBILE: IMMOBILE,
    StateName.KNOCKDOWN: KNOCKDOWN,
    StateName.SUPPRESSED: SUPPRESSED,
    StateName.STUNNED: STUNNED,
}
same_number("the model states", tuple(RULE_OF), STATES.texts("states"))
same_number("the penalty of suppressed and stunned", SUPPRESSED.number("own_rolls_sm"), STUNNED.number("own_rolls_sm"))

#: The two states that pass.
_RECOVERY: dict[str, Rule] = {StateName.SUPPRESSED: SUPPRESSED_RECOVERY, StateName.STUNNED: STUNNED_RECOVERY}
_UNTIL: dict[str, str] = {
    StateName.DISABLED: DISABLED.text_at("duration"),
    StateName.KNOCKDOWN: KNOCKDOWN.text_at("ends"),
    StateName.SUPPRESSED: SUPPRESSED_RECOVERY.text_at("ends"),
    StateName.STUNNED: STUNNED_RECOVERY.text_at("ends"),
    StateName.IMMOBILE: Until.IT_CAN_MOVE,
}


#: What is lost with the activation that is spent in it; both states of one model run out together.
PASSING = Passing(_RECOVERY, _UNTIL)


#: What its states do to every 2d6 roll a model makes: −2 once, suppressed or stunned or both.
UNSTEADY: tuple[Modifier[Rolling], ...] = (
    Modifier(STUNNED, StateName.STUNNED, STUNNED.number("own_rolls_sm"), when=lambda s: s.model.has(StateName.STUNNED)),
    Modifier(
        SUPPRESSED,
        StateName.SUPPRESSED,
        SUPPRESSED.number("own_rolls_sm"),
        when=lambda s: s.model.has(StateName.SUPPRESSED) and not s.model.has(StateName.STUNNED),
    ),
)


def receive(battle: Battle, model: str, state: str, *, why: Rule | None = None, because: int = 0) -> None:
    """Lay a state on a model; one it has already does nothing (quickstart.states.model-states)."""
    if battle.table[model].gone or battle.table[model].has(state):
        return
    detail = citing(STATES, RULE_OF[state])
    give(battle, model, state, why or RULE_OF[state], FRESH, until=_UNTIL[state], because=because, detail=detail)
    if state == StateName.DISABLED:
        receive(battle, model, StateName.IMMOBILE, why=DISABLED, because=because)
    if state in (StateName.KNOCKDOWN, StateName.STUNNED, StateName.DISABLED):
        take(battle, model, StateName.OVER_WATCH, rule("quickstart.shooting.over-watch-later-turns"))


def note_immobility(battle: Battle, model: str, because: int = 0) -> None:
    """MV 0 makes a model Immobile (quickstart.damage.critical-movement-order); so does quickstart.states.disabled."""
    thing = battle.table[model]
    if thing.gone:
        return
    if movement(thing) == 0:
        receive(battle, model, StateName.IMMOBILE, because=because)
    elif not thing.has(StateName.DISABLED):
        take(battle, model, StateName.IMMOBILE, CRITICAL_MOVEMENT, because)


def is_down(model: Thing) -> bool:
    """Whether a model is prone: knocked down or gone prone, which is the same."""
    return model.has(StateName.KNOCKDOWN)


def elevation(model: Thing) -> int:
    """How many levels high a model is as it stands or lies."""
    high = stats(model).elevation
    return high.prone if is_down(model) else high.standing


def may_use_combat_action(model: Thing) -> bool:
    """Whether its states let a model use a Combat Action at all, defensive fire included."""
    return not is_down(model) and not model.has(StateName.DISABLED)


CHAPTER = Chapter(
    states={
        **{state: source.title.lower() for state, source in RULE_OF.items()},
        StateName.IN_FLIGHT: "an aircraft that is not on the ground",
    },
)
