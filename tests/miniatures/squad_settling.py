"""The end of a squad's activation: noted harm is applied, model by model."""

from sandtable.engine.battle import Battle
from sandtable.engine.events import Harm, HarmApplied, HarmCancelled, ModelLost, StateChanged
from sandtable.engine.ids import PieceId
from sandtable.engine.questions import ChooseOne, Option
from sandtable.engine.ruleset import Procedure
from sandtable.engine.state import Due, Settle
from sandtable.engine.table import Piece, Thing
from tests.miniatures.squad_shooting import PILOT_CHECK, pilot_check_needs, rolled
from tests.miniatures.squad_steps import AT_END, END, FAILED_CHECK, FUMBLED_CHECK, OUTRIGHT, SETTLING, TRACK, SettleUp
from tests.miniatures.standing import outline


def settle_up(battle: Battle, squad: str) -> Procedure[None]:
    """Apply what was noted, model by model in the order the active side likes."""
    targets = list(dict.fromkeys(entry.target for entry in battle.state.due if entry.moment == END))
    if not targets:
        return
    first = targets[0]
    if len(targets) > 1:
        options = tuple(Option(name, name, (name,)) for name in targets)
        side = battle.table[squad].side
        first = yield ChooseOne(side, "Settle whom first?", topic="settle", options=options, rules=(SETTLING,))
    battle.push(Settle(END, first), SettleUp(squad))


def settle_model(battle: Battle, due: Due) -> Procedure[None]:
    """All of a model's points together, then out of action, then one pilot check with the worst modifier."""
    entries = [due, *battle.taken_with(due)]
    model = battle.table[due.target]
    points = sum(entry.harm.amount for entry in entries)
    checks = [check for entry in entries if isinstance(check := entry.harm.detail.get("pilot check"), int)]
    after = min(model.harm + points, model.track)
    harm = Harm("damage", points)
    n = battle.happens(HarmApplied(model.id, harm, model.harm, after, rule=AT_END, because=due.because))
    if after >= model.track:
        lost = lose(battle, model, n)
        if checks:
            spared = Harm("pilot check", max(checks))
            battle.happens(HarmCancelled(model.id, spared, "out of action", rule=SETTLING, because=lost))
    elif checks and not model.has("knockdown"):
        pilot_check(battle, model.id, max(checks), n)
    yield from ()


def lose(battle: Battle, model: Thing, because: int) -> int:
    """A beaten model stays as a hulk; one that was unharmed is destroyed outright."""
    how, rule = ("out of action", TRACK) if model.harm else ("destroyed", OUTRIGHT)
    hulk = Piece(PieceId(f"hulk of {model.id}"), "wreck", outline(model), label=f"hulk of {model.id}")
    return battle.happens(ModelLost(model.id, how, hulk, rule=rule, because=because))


def pilot_check(battle: Battle, model: str, modifier: int, because: int) -> None:
    """2d6 against the pilot's experience; who fails is knocked down, and a natural 2 costs a point more."""
    needed = pilot_check_needs(modifier)
    roll = battle.dice.total("2d6")
    held = roll.natural >= needed.total and roll.natural > 2
    outcome = "held" if held else "failed"
    n = battle.happens(rolled("pilot check", model, roll, needed, outcome, PILOT_CHECK, because))
    if held:
        return
    battle.happens(StateChanged(model, "knockdown", None, 1, "stands up", rule=FAILED_CHECK, because=n))
    if roll.natural == 2:
        thing = battle.table[model]
        harm, after = Harm("damage", 1), thing.harm + 1
        n = battle.happens(HarmApplied(model, harm, thing.harm, after, rule=FUMBLED_CHECK, because=n))
        if after >= thing.track:
            lose(battle, thing, n)
