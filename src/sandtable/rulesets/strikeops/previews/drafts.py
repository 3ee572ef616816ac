"""What a draft would bring, from the same functions that decide it: costs of a walk, reach, sight, exact odds.

Before a declaration is made nothing is measured (strikeops.actions.no-pre-measuring): what it costs is told, and the
odds of its attacks at each range.
"""

from typing import Any

from msgspec.structs import replace

from sandtable.engine.questions import AnyQuestion, MoveModels, Plan, Preview, Reaction
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import Point, Walk
from sandtable.engine.table import Mark, Table, Thing
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.cav.concepts import center
from sandtable.rulesets.cav.indirect import FUMBLED_POINT
from sandtable.rulesets.cav.movement import halts_at
from sandtable.rulesets.cav.previews import apart, moved_to, path_note
from sandtable.rulesets.strikeops.actions.declaring import DECLARATION, Declaration, declared, with_point
from sandtable.rulesets.strikeops.actions.listing import attacks, cost_of, is_move
from sandtable.rulesets.strikeops.actions.moving import attack_of
from sandtable.rulesets.strikeops.changes import spelled
from sandtable.rulesets.strikeops.command import COST as C3_COST
from sandtable.rulesets.strikeops.command import REPAIR_ROLL, inspire
from sandtable.rulesets.strikeops.deployment import ENTERING, RECON_WALK
from sandtable.rulesets.strikeops.movement import FIRES_HERE, STANDING, WALK, fires_before, going, question_rates
from sandtable.rulesets.strikeops.previews.forecast import forecast
from sandtable.rulesets.strikeops.previews.ranges import around_walk
from sandtable.rulesets.strikeops.previews.reaching import walk_reach
from sandtable.rulesets.strikeops.previews.supposed import supposed, supposed_barrage
from sandtable.rulesets.strikeops.recovery import repair_check
from sandtable.rulesets.strikeops.shooting.aiming import Attack
from sandtable.rulesets.strikeops.shooting.reactions import (
    DEFENSIVE,
    DEFENSIVE_FIRE,
    DEFENSIVE_FIRE_WEAPONS,
    WATCH,
    WATCH_WEAPONS,
    defensive_weapons,
    watch_weapons,
)
from sandtable.rulesets.strikeops.sight import distance
from sandtable.rulesets.strikeops.state_names import ActionName, CountName, StateName
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import measured, together


def declaration(ruleset: Ruleset, view: View, question: Plan, answer: dict[str, Any]) -> Preview:
    """What a declaration costs each model, what its attack would do at each range, and how likely its repair is."""
    said = declared(question, answer)
    several = sum(bool(one.target or one.point) for one in said) > 1
    return together(*(_of_model(ruleset, view.table, one, several) for one in said))


def _of_model(ruleset: Ruleset, table: Table, said: Declaration, several: bool) -> Preview:
    model = table[said.model]
    cost = sum(cost_of(model, action) for action in said.actions)
    spent = (len(said.inspired) + said.motivated) * C3_COST
    note = f"{model.label}: {cost} AP, {_left(model, said)} left" + (f"; {spent} C3" if spent else "")
    if said.actions[:1] == (ActionName.REPAIR,):
        check = inspire(repair_check(model), REPAIR_ROLL in said.inspired)
        return replace(check.preview(), notes=(note,))
    if not said.weapons:
        return Preview(notes=(note,))
    foretold = supposed_barrage if said.point else supposed
    fired = foretold(ruleset, table, _as_it_fires(model, said), attack_of(said), several)
    return replace(fired, notes=(note,))


def _left(model: Thing, said: Declaration) -> int:
    points = (with_point(model) if said.motivated else model).count(CountName.AP)
    return points - sum(cost_of(model, action) for action in said.actions)


def unspent(view: View, question: Plan, answer: dict[str, Any]) -> list[str]:
    """The action points that a declaration leaves: they are lost with the activation."""
    left = {one.model: _left(view.table[one.model], one) for one in declared(question, answer)}
    return [f"{points} AP of {view.table[name].label}" for name, points in left.items() if points > 0]


def _as_it_fires(model: Thing, said: Declaration) -> Thing:
    """A model as its declaration leaves it until it fires: Stationary if it declares no Move Action, risen, locked."""
    states = dict(model.states)
    if not any(is_move(action) for action in said.actions):
        states[StateName.STATIONARY] = Mark()
    if said.pop_up:
        states[StateName.RAISED] = Mark()
    before = said.actions[: next(n for n, action in enumerate(said.actions) if attacks(action))]
    if ActionName.TARGET_LOCK in before and (lock := spelled(said.lock_point) or said.lock):
        states[StateName.TARGET_LOCK] = Mark(lock)
    return replace(model, states=states)


def _defensive(ruleset: Ruleset, view: View, question: AnyQuestion, answer: Any) -> Preview:
    """Defensive fire is declared before any distance is checked (strikeops.shooting.defensive-fire-timing)."""
    table = view.table
    if not answer:
        return Preview()
    if isinstance(answer, Reaction):
        defender, attacker = (table[name] for name in answer.option.split(" at "))
        names = defensive_weapons(table, defender, attacker)
    else:
        (defender, attacker), names = (table[name] for name in question.about), answer
    if not names:
        return Preview()
    left = defender.count(CountName.AP) - DEFENSIVE.number("ap")
    spent = f"{defender.label} spends {DEFENSIVE.number('ap')} AP on it, and has {left} left when its squad activates."
    attack = Attack(defender.id, attacker.id, tuple(names), defensive=True)
    return replace(supposed(ruleset, table, defender, attack), notes=(spent,))


def _overwatch(ruleset: Ruleset, view: View, question: AnyQuestion, answer: Any) -> Preview:
    """An attack from Overwatch, at the model that acts where it is now."""
    table = view.table
    if not answer:
        return Preview()
    if isinstance(answer, Reaction):
        watcher, foe = table[answer.option], table[question.about[0]]
        names = watch_weapons(table, watcher, foe)
    else:
        (watcher, foe), names = (table[name] for name in question.about), answer
    return forecast(ruleset, table, Attack(watcher.id, foe.id, tuple(names), at_once=True)) if names else Preview()


def walked(ruleset: Ruleset, view: View, question: MoveModels, answer: dict[str, Walk] | None) -> Preview:
    """The way with its costs; and what its attack would bring, made where it is marked."""
    table, model = view.table, view.table[question.models[0]]
    rates = question_rates(model, question)
    could = walk_reach(table, model, rates) if "reach" in question.shows else ()
    walk = (answer or {}).get(model.id)
    if walk is None:
        return Preview(reach=could)
    gone = going(table, model, walk, rates)
    path = path_note(gone, model, rates.allowance)
    notes = (f"{model.label} leaves the board and is out of the battle.",) if gone.leaves else ()
    fired: Preview | None = None
    if question.marks and len(question.about) > 1:
        before = fires_before(question, walk)
        along = 0 if before else halts_at(table, model, gone, walk.marks.get(FIRES_HERE, gone.reach))
        at = gone.track.pose_at(along, turned=along in (0, gone.reach) and not before)
        attack = Attack(model.id, question.about[1], question.about[2:], running=bool(question.facts["running"]))
        fired = forecast(ruleset, moved_to(table, model, at), attack)
    shown = Preview(explanations=path.costs, notes=notes, reach=could, paths=(path,))
    return together(shown, fired or _apart(view, question, answer))


def _from_model(table: Table, model: str, point: str | Point) -> int | None:
    return length_between(center(table[model]), point) if isinstance(point, Point) else None


WALKS = (WALK, RECON_WALK, ENTERING)
_apart = apart(distance)
CHAPTER = Chapter(
    previews={STANDING: _apart, FUMBLED_POINT: measured(None, _from_model)},
    around=dict.fromkeys(WALKS, around_walk),
    losses={DECLARATION: unspent},
    forecasts={
        DECLARATION: declaration,
        **dict.fromkeys(WALKS, walked),
        DEFENSIVE_FIRE: _defensive,
        DEFENSIVE_FIRE_WEAPONS: _defensive,
        WATCH: _overwatch,
        WATCH_WEAPONS: _overwatch,
    },
)
