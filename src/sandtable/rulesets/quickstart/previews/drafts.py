"""What a draft would bring, from the same functions that decide it when it is carried out."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from sandtable.engine.questions import AnyQuestion, MoveModels, Plan, Preview, Reaction
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import Point, Walk
from sandtable.engine.table import Table, Thing
from sandtable.rulesets.cav.movement import halts_at
from sandtable.rulesets.cav.previews import apart, moved_to, path_note
from sandtable.rulesets.quickstart.close_combat import BREAK, break_roll, free
from sandtable.rulesets.quickstart.concepts import distance, distance_to
from sandtable.rulesets.quickstart.datacard import weapons
from sandtable.rulesets.quickstart.dice import ten_plus_preview
from sandtable.rulesets.quickstart.movement.moves import going, locked_with
from sandtable.rulesets.quickstart.movement.walking import FIRES_HERE, contacts_of, rates_of, shots_of
from sandtable.rulesets.quickstart.previews.forecast import forecast
from sandtable.rulesets.quickstart.previews.ranges import around_walk, ranges
from sandtable.rulesets.quickstart.previews.reaching import walk_reach
from sandtable.rulesets.quickstart.previews.supposed import supposed, supposed_barrage, supposed_fight
from sandtable.rulesets.quickstart.repair import REPAIR, repair_roll
from sandtable.rulesets.quickstart.shooting.assaults import aimed_shots
from sandtable.rulesets.quickstart.shooting.direct_fire import DEFENSIVE, DIRECT, OVER_WATCH, Shot
from sandtable.rulesets.quickstart.shooting.reactions import defensive_weapons, over_watch_weapons
from sandtable.rulesets.quickstart.state_names import ActionName
from sandtable.rulesets.quickstart.turn.declaration import Declaration, declared
from sandtable.rulesets.quickstart.turn.phases import action_cost
from sandtable.tabletop.chapters import Chapter
from sandtable.tabletop.previews import measured, together

_apart = apart(distance)


def _away(view: View, question: MoveModels, answer: dict[str, Walk] | None) -> Preview:
    """How far a model would be from all others once it has broken away, and how far it could get."""
    reach = walk_reach(view.table, free(view.table[question.models[0]]), question)
    return replace(_apart(view, question, answer), reach=reach)


def _from_model(table: Table, model: str, point: str | Point) -> int | None:
    return distance_to(table[model], point) if isinstance(point, Point) else None


def _plan(ruleset: Ruleset, view: View, question: Plan, answer: dict[str, Any]) -> Preview:
    """What it costs, and what its assault would do at each range.

    quickstart.turn.no-premeasuring    nothing on the board is measured for it
    """
    said = declared(answer)
    cost = sum(action_cost(action) for action in said.actions if action != ActionName.STAY)
    left = question.budget["AP"] - cost
    fire = _supposed_fire(ruleset, view.table, question.actors[0], said)
    tried = _tried(view.table, view.table[question.actors[0]], said.actions)
    return replace(together(fire, tried), notes=(f"{cost} AP, {left} left",))


def _tried(table: Table, model: Thing, actions: Sequence[str]) -> Preview:
    """The 10+ roll of a repair or a break as it would be now: nothing is measured for it."""
    tried = next((action for action in actions if action in (ActionName.REPAIR, ActionName.BREAK)), "")
    if tried == ActionName.REPAIR:
        found = ten_plus_preview("repair", model.id, repair_roll(model), REPAIR)
    elif tried and locked_with(model):
        found = ten_plus_preview("break", model.id, break_roll(table, model).parts, BREAK)
    else:
        return Preview()
    named = tuple(replace(one, label=f"{tried} {one.label}") for one in found.odds)
    return Preview(odds=named, odds_note="" if actions[0] == tried else f"The {tried} as it would be now.")


def _supposed_fire(ruleset: Ruleset, table: Table, model: str, said: Declaration) -> Preview:
    if said.strike_point is not None and said.weapons:
        return supposed_barrage(ruleset, table, table[model], said)
    if ActionName.CLOSE_COMBAT in said.actions and said.target:
        return supposed_fight(ruleset, table, table[model], table[said.target])
    shots = aimed_shots(table[model], said)
    return supposed(ruleset, table, shots, said.lock) if shots and said.target else Preview()


def _defensive(ruleset: Ruleset, view: View, question: AnyQuestion, answer: Any) -> Preview:
    """Defensive fire is declared before any distance is checked (quickstart.combat.step-2-defensive-declaration)."""
    defender, attacker = (view.table[name] for name in question.about)
    names = defensive_weapons(defender, attacker) if isinstance(answer, Reaction) else answer
    if not names:
        return Preview()
    shots = [Shot(defender.id, attacker.id, (name,), DIRECT, DEFENSIVE, len(names)) for name in names]
    spent = f"{defender.label} may then use neither its Combat Action nor defensive fire again this turn."
    shown = supposed(ruleset, view.table, shots)
    return replace(shown, notes=(spent, *shown.notes))


def _over_watch(ruleset: Ruleset, view: View, question: AnyQuestion, answer: Any) -> Preview:
    """An assault from over-watch, at the mover where it is now."""
    table = view.table
    if isinstance(answer, Reaction):
        shooter, mover = table[answer.option], table[question.about[0]]
        names = over_watch_weapons(shooter, mover)
    else:
        (shooter, mover), names = (table[name] for name in question.about), answer
    if not names:
        return Preview()
    return forecast(ruleset, table, [Shot(shooter.id, mover.id, (n,), DIRECT, OVER_WATCH, len(names)) for n in names])


def _walk(ruleset: Ruleset, view: View, question: MoveModels, answer: dict[str, Walk] | None) -> Preview:
    """The way with its costs; and what its assault would bring, fired where it is marked."""
    table, model = view.table, view.table[question.models[0]]
    walk = (answer or {}).get(model.id)
    if walk is None:
        return Preview(reach=walk_reach(table, model, question))
    rates = rates_of(model, question)
    gone = going(table, model, walk, rates, contacts_of(question))
    path = path_note(gone, model, rates.allowance)
    notes = []
    if gone.leaves:
        notes.append(f"{model.label} leaves the board and is out of the battle.")
    if gone.contact:
        notes.append(f"It comes into contact with {table[gone.contact].label}, and the move ends there.")
    fired = Preview()
    shots = shots_of(question)
    if FIRES_HERE in walk.marks and shots and not table[shots[0].target].gone:
        along = halts_at(table, model, gone, walk.marks[FIRES_HERE])
        pose = gone.track.pose_at(along, turned=along in (0, gone.reach))
        there = moved_to(table, model, pose)
        guns = [weapons(model)[shot.weapons[0]] for shot in shots]
        narrowly = {shots[0].target: ranges(distance(there[model.id], there[shots[0].target]), guns)}
        fired = replace(forecast(ruleset, there, shots), targets=narrowly)
    return replace(
        fired,
        explanations=(*path.costs, *fired.explanations),
        notes=(*notes, *fired.notes),
        reach=walk_reach(table, model, question),
        paths=(path,),
    )


CHAPTER = Chapter(
    around={"walk": around_walk},
    forecasts={
        "declare": _plan,
        "walk": _walk,
        "over-watch": _over_watch,
        "over-watch-weapons": _over_watch,
        "defensive-fire": _defensive,
        "defensive-weapons": _defensive,
    },
    previews={"stand-up": _apart, "break-away": _away, "fumbled-strike-point": measured(None, _from_model)},
)
