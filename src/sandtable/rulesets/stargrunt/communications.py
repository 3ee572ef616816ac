"""Communications: the roll, transferring actions, rallying."""

from functools import partial

from msgspec.structs import replace

from sandtable.engine.battle import Battle
from sandtable.engine.events import Declared, Forfeited
from sandtable.engine.explain import ExplainedPart
from sandtable.engine.questions import AnyQuestion, ChooseOne, Option, Preview, Refusal
from sandtable.engine.ruleset import Procedure, View
from sandtable.engine.table import Table, Thing
from sandtable.forces.ledger import citing, rule, same_number
from sandtable.rulesets.stargrunt import electronic_warfare
from sandtable.rulesets.stargrunt.chapter import Action, Activate, Outcome, of_ones_own, on_table
from sandtable.rulesets.stargrunt.confidence.levels import ceiling, set_confidence
from sandtable.rulesets.stargrunt.cover.lines import distance
from sandtable.rulesets.stargrunt.dice.foretold import trial_preview
from sandtable.rulesets.stargrunt.dice.rolls import CLOSED, shifted_die, trial
from sandtable.rulesets.stargrunt.forces.cards import squad
from sandtable.rulesets.stargrunt.units.record import (
    COMMAND,
    CONFIDENCE,
    INDEPENDENT,
    LEADERSHIP,
    QUALITY,
    confidence,
    fit,
    gap_between,
    hidden,
    is_element,
    is_independent,
    leadership,
    quality_die,
    waiting,
    whereabouts,
)
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.checks import Check, throw
from sandtable.tabletop.choosing import by_unit, none_open
from sandtable.tabletop.previews import measured
from sandtable.tabletop.states import END_OF_TURN, give

ROLL = rule("stargrunt.communications.roll")
DIRECT = rule("stargrunt.communications.direct-contact")
NO_LIMIT = rule("stargrunt.communications.no-range-limit")
TRANSFER = rule("stargrunt.communications.transferring-actions")
LIMIT = rule("stargrunt.communications.transfer-limit")
DETAILS = rule("stargrunt.communications.transfer-details")
RALLY = rule("stargrunt.communications.rallying")
WHO_RALLIES = rule("stargrunt.communications.who-may-rally")
DETACHED = rule("stargrunt.actions.detached-elements")
SILENCE = rule("stargrunt.observation.hidden-counters")

TRANSFERS = "transfers"
#: What is said of the odds of a message: the enemy's markers are declared after it.
UNJAMMED = "if it is not jammed"
_LADDER = COMMAND.texts("ladder")


def command_level(unit: Thing) -> int:
    """How high a unit stands in the chain of command; a squad is 0, and so is a detached element."""
    return 0 if is_element(unit) else _LADDER.index(squad(unit).command_level)


def between_levels(low: int, high: int) -> range:
    """The levels of the chain of command between two (stargrunt.units.command-levels)."""
    return range(low + COMMAND.formula("bypassed"), high)


def superior(table: Table, unit: Thing) -> Thing | None:
    """The unit that another names as its superior."""
    return table.things.get(unit.unit) if unit.unit else None


def below(table: Table, commander: Thing, unit: Thing) -> bool:
    """Whether a unit stands below another in its chain of command, at whatever distance."""
    seen: tuple[str, ...] = ()
    above = superior(table, unit)
    while above is not None and above.id not in seen:
        if above.id == commander.id:
            return True
        seen = (*seen, above.id)
        above = superior(table, above)
    return False


def bypassed(table: Table, sender: Thing, receiver: Thing) -> int:
    """How many command levels lie between two units and are skipped; levels the force does not have are not counted.

    stargrunt.units.command-levels                   neighbours bypass none
    stargrunt.communications.lost-command-unit       a lost level counts
    """
    low, high = sorted((command_level(sender), command_level(receiver)))
    side = sender.side
    levels = {command_level(unit) for unit in table.of_kind("unit") if unit.side == side}
    return sum(1 for level in between_levels(low, high) if level in levels)


def communication_die(table: Table, sender: Thing, receiver: Thing) -> tuple[int, tuple[ExplainedPart, ...]]:
    """The die of a communication roll, and why it is that die."""
    shift = bypassed(table, sender, receiver) * ROLL.number("shift_per_level_bypassed")
    skipped = ExplainedPart("levels bypassed", shift, COMMAND.id)
    return shifted_die("Quality", quality_die(sender), QUALITY, skipped)


def to_exceed(sender: Thing, receiver: Thing) -> ExplainedPart:
    """The number a communication roll has to exceed: the poorer of the two LVs."""
    poorer = max(sender, receiver, key=leadership)
    return ExplainedPart(f"LV of {poorer.label}", leadership(poorer), ROLL.id)


for _shown in ROLL.items("illustrations"):
    _sender, _receiver = _shown.items("sender"), _shown.items("receiver")
    same_number("the die of a message", QUALITY.number(_sender[0].text_at()), _shown.number("die"))
    same_number(
        "what a message needs", max(_sender[1].number(), _receiver[1].number()) + 1, _shown.number("succeeds_from")
    )
for _shown in RALLY.items("illustrations"):
    _of, _by = _shown.items("rallied"), _shown.number("commander_leadership")
    same_number("the die of a rally", QUALITY.number(_of[0].text_at()), _shown.number("die"))
    same_number("what a rally needs", _of[1].number() + _by + 1, _shown.number("succeeds_from"))
    same_number("what a rally gives", CONFIDENCE[CONFIDENCE.index(_of[2].text_at()) - 1], _shown.text_at("result"))


def in_contact(table: Table, sender: str, receiver: str) -> bool:
    """Whether two units are so near that no roll is needed (stargrunt.communications.direct-contact)."""
    here, there = whereabouts(table, sender), whereabouts(table, receiver)
    return bool(here and there) and gap_between(here, there) <= DIRECT.inches("distance_in") ** 2


def calling(table: Table, sender: Thing, receiver: Thing) -> Check:
    """What a message by radio takes: Quality above the poorer LV (stargrunt.communications.roll)."""
    die, parts = communication_die(table, sender, receiver)
    target = (to_exceed(sender, receiver),)
    return trial("communication", sender.id, die, target, ROLL, parts, (CLOSED, NO_LIMIT, LEADERSHIP))


def communicate(
    battle: Battle, sender: Thing, receiver: Thing, because: int, *, by_radio: bool = False
) -> Procedure[tuple[bool, int]]:
    """Send a message; whether it gets through, and the event that decides.

    stargrunt.communications.roll                      Quality above the poorer LV
    stargrunt.communications.direct-contact            no roll within 6 inches, and no jamming
    stargrunt.electronic-warfare.jam-communications    else the enemy may jam it
    """
    if not by_radio and in_contact(battle.table, sender.id, receiver.id):
        return True, because
    trial = calling(battle.table, sender, receiver)
    jams = yield from electronic_warfare.jamming(battle, sender, receiver.label, because)
    roll = throw(battle, trial, because)
    if electronic_warfare.prevail(battle, jams, (roll.score,), roll.n):
        n = battle.happens(Forfeited(sender.id, "message", rule=electronic_warfare.JAM.id, because=roll.n))
        return False, n
    return roll.succeeds, roll.n


def tried(commander: Thing) -> tuple[str, ...]:
    """The units a commander has tried to transfer to this turn."""
    return commander.words(TRANSFERS)


def comrades(table: Table, commander: Thing) -> list[Thing]:
    """The other units of a unit's side that can act."""
    friends = [unit for unit in table.of_kind("unit") if unit.side == commander.side and unit.id != commander.id]
    return [unit for unit in friends if fit(table, unit.id)]


def receivers(table: Table, commander: Thing) -> list[Option]:
    """Those that a commander may think of transferring an activation to."""
    under = [unit for unit in comrades(table, commander) if below(table, commander, unit)]
    able = [unit for unit in under if not hidden(unit) and not is_element(unit)]
    return [Option(unit.id, unit.label, (unit.id,), (LIMIT.id, TRANSFER.id)) for unit in able]


def transfer_refused(table: Table, commander: Thing, name: str) -> Refusal | None:
    """Why a commander may not try to transfer to a unit.

    stargrunt.communications.transfer-details    it must be below him in his chain of command
    stargrunt.communications.transfer-limit      two different units a turn
    """
    unit, most = table[name], LIMIT.number("attempts_per_turn")
    if is_element(unit):
        return Refusal(DETACHED.id, f"{unit.label} is activated by its own leader alone.")
    if not below(table, commander, unit):
        return Refusal(DETAILS.id, f"{unit.label} is not under the command of {commander.label}.")
    if hidden(unit):
        return Refusal(SILENCE.id, f"{unit.label} keeps radio silence until it shows itself.")
    if len(tried(commander)) >= most:
        return Refusal(LIMIT.id, f"{commander.label} has tried {most} transfers this turn.")
    if name in tried(commander):
        return Refusal(LIMIT.id, f"{unit.label} has been tried this turn.")
    return None


def rally_refused(table: Table, commander: Thing, name: str) -> Refusal | None:
    """Why a commander may not rally a unit.

    stargrunt.communications.who-may-rally    only one below him in his chain of command
    stargrunt.communications.rallying         not above its fatigue ceiling
    """
    unit = table[name]
    if is_element(unit):
        return Refusal(DETACHED.id, f"{unit.label} is rallied with its unit.")
    if is_independent(unit):
        return Refusal(INDEPENDENT.id, f"{unit.label} has no Confidence Level.")
    if not below(table, commander, unit):
        return Refusal(WHO_RALLIES.id, f"{unit.label} is not under the command of {commander.label}.")
    if hidden(unit):
        return Refusal(SILENCE.id, f"{unit.label} keeps radio silence until it shows itself.")
    if waiting(unit) or CONFIDENCE.index(confidence(unit)) <= CONFIDENCE.index(ceiling(unit)):
        return Refusal(RALLY.id, f"{unit.label} is as confident as it can be.")
    return None


def rallied(table: Table, commander: Thing) -> list[Option]:
    """The units a commander may rally."""
    able = [unit for unit in comrades(table, commander) if rally_refused(table, commander, unit.id) is None]
    return [Option(unit.id, unit.label, (unit.id,), (WHO_RALLIES.id,)) for unit in able]


def transfer(battle: Battle, commander: Thing) -> Procedure[str]:
    """Spend an action to give a subordinate an activation; gives the unit it got through to, or nothing.

    stargrunt.communications.transferring-actions    success: two actions at once; failure: the action is wasted
    """
    chosen = yield ChooseOne(
        commander.side,
        "Transfer the activation to whom?",
        topic="receiver",
        about=(commander.id,),
        options=tuple(receivers(battle.table, commander)),
        rules=(TRANSFER.id, LIMIT.id),
        shows=("distance", "odds"),
    )
    receiver = battle.table[chosen]
    n = battle.happens(Declared(commander.id, "transfer", (receiver.id,), rule=TRANSFER.id, detail=citing(DETAILS)))
    give(battle, commander.id, TRANSFERS, LIMIT, (*tried(commander), receiver.id), until=END_OF_TURN, because=n)
    direct = in_contact(battle.table, commander.id, receiver.id)
    through, n = yield from communicate(battle, commander, receiver, n)
    if not through:
        battle.happens(Forfeited(commander.id, "transfer", rule=TRANSFER.id, because=n))
        return ""
    if direct:
        detail = citing(DIRECT)
        battle.happens(
            Declared(receiver.id, "told directly", (commander.id,), rule=DIRECT.id, because=n, detail=detail)
        )
    return receiver.id


def rallying(commander: Thing, unit: Thing) -> Check:
    """What a rally takes once the message is through: the unit's Quality above both LVs."""
    target = tuple(ExplainedPart(f"LV of {one.label}", leadership(one), RALLY.id) for one in (unit, commander))
    return trial("rally", unit.id, quality_die(unit), target, RALLY)


def rally(battle: Battle, commander: Thing) -> Procedure[None]:
    """Try to raise a unit's Confidence: a message, then its Quality above both LVs.

    stargrunt.communications.rallying         the die is that of the unit being rallied
    stargrunt.communications.who-may-rally    a command unit above it
    """
    chosen = yield ChooseOne(
        commander.side,
        "Rally whom?",
        topic="rallied",
        about=(commander.id,),
        options=tuple(rallied(battle.table, commander)),
        rules=(RALLY.id, WHO_RALLIES.id),
        shows=("distance", "odds"),
    )
    unit = battle.table[chosen]
    n = battle.happens(Declared(commander.id, "rally", (unit.id,), rule=RALLY.id))
    through, n = yield from communicate(battle, commander, unit, n)
    if not through:
        battle.happens(Forfeited(commander.id, "rally", rule=RALLY.id, because=n))
        return
    roll = throw(battle, rallying(commander, unit), n)
    if roll.succeeds:
        before = confidence(unit)
        set_confidence(battle, unit.id, CONFIDENCE[CONFIDENCE.index(before) - 1], RALLY, roll.n)


# What the chapter brings -------------------------------------------------------------------------------------------


def _transfers(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    receiver = yield from transfer(battle, unit)
    actions = TRANSFER.number("gives_actions")
    return Outcome(then=(Activate(receiver, actions, transferred=True),) if receiver else ())


def _rallies(battle: Battle, unit: Thing, step: Activate) -> Procedure[Outcome]:
    yield from rally(battle, unit)
    return Outcome()


def _nobody_to_transfer_to(table: Table, unit: Thing) -> Refusal | None:
    under = [one for one in comrades(table, unit) if below(table, unit, one)]
    if not under:
        return Refusal(TRANSFER.id, f"{unit.label} has nobody under its command.", (DETAILS.id,))
    known = receivers(table, unit)
    return (
        none_open(known, partial(transfer_refused, table, unit))
        if known
        else transfer_refused(table, unit, under[0].id)
    )


def _nobody_to_rally(table: Table, unit: Thing) -> Refusal | None:
    under = [one for one in comrades(table, unit) if below(table, unit, one)]
    if command_level(unit) <= 0 or not under:
        return Refusal(WHO_RALLIES.id, f"{unit.label} has nobody under its command.")
    if rallied(table, unit):
        return None
    return rally_refused(table, unit, under[0].id)


def message_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """How likely a message is to get through."""
    sender, receiver = view.table[question.about[0]], view.table[answer]
    return call_preview(view.table, sender, receiver)


def call_preview(table: Table, sender: Thing, receiver: Thing, *, by_radio: bool = False) -> Preview:
    """How likely a message is to get through, if nobody jams it."""
    if not by_radio and in_contact(table, sender.id, receiver.id):
        return Preview(notes=("near enough to be told directly: no roll",))
    return replace(trial_preview("the message gets through", calling(table, sender, receiver)), odds_note=UNJAMMED)


def _rally_preview(view: View, question: AnyQuestion, answer: str) -> Preview:
    """How likely a rally is to succeed: the message first, where one is needed."""
    commander, unit = view.table[question.about[0]], view.table[answer]
    near = in_contact(view.table, commander.id, unit.id)
    trials = [*([] if near else [calling(view.table, commander, unit)]), rallying(commander, unit)]
    return replace(trial_preview("it rallies", *trials), odds_note="" if near else UNJAMMED)


ACTIONS = (
    Action(
        id="transfer",
        entry="transfer_action",
        label="Transfer the action",
        rule=TRANSFER,
        carry_out=_transfers,
        shown=lambda table, unit: on_table(table, unit) and bool(receivers(table, unit)),
        refused=_nobody_to_transfer_to,
        barred=_nobody_to_transfer_to,
    ),
    Action(
        id="rally",
        entry="rally",
        label="Rally a unit",
        rule=RALLY,
        once=WHO_RALLIES,
        carry_out=_rallies,
        shown=lambda table, unit: on_table(table, unit) and command_level(unit) > 0,
        refused=_nobody_to_rally,
        barred=_nobody_to_rally,
    ),
)
same_number("what a transfer costs", ACTIONS[0].cost, TRANSFER.number("cost"))

CHAPTER = Chapter(
    actions=ACTIONS,
    refusals={"receiver": by_unit(transfer_refused)},
    unoffered={
        "receiver": of_ones_own(comrades, transfer_refused),
        "rallied": of_ones_own(comrades, rally_refused),
    },
    previews={"receiver": measured(message_preview, distance), "rallied": measured(_rally_preview, distance)},
    options={"superior": "the unit it names as its superior"},
    answers={"receiver": "to whom an activation is transferred", "rallied": "whom a commander rallies"},
    values={"bypassed": lambda table, asked: bypassed(table, *(table[one] for one in asked.texts()))},
)
