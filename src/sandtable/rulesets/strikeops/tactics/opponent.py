"""Which answers are worth thinking of, and what each is worth by the rules' own rolls."""

from collections.abc import Iterator, Mapping, Sequence

from sandtable.engine.dice import Dice
from sandtable.engine.ids import Side
from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    PlaceThings,
    Plan,
    React,
    Reaction,
)
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import At, Leg, Point, Walk
from sandtable.engine.state import State
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import bearing
from sandtable.field.walking.courses import signed
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.cav.concepts import center, outline
from sandtable.rulesets.strikeops.actions.declaring import DECLARATION, OWN
from sandtable.rulesets.strikeops.actions.resolving import RESOLVE
from sandtable.rulesets.strikeops.command import COMMAND, RALLY_ASKED
from sandtable.rulesets.strikeops.damage import in_play
from sandtable.rulesets.strikeops.initiative import ARRIVE, SKIPS
from sandtable.rulesets.strikeops.laying import ROAD
from sandtable.rulesets.strikeops.missions import THE_HILL, attacker, defender, destroyed, scenario_of, touches_hill
from sandtable.rulesets.strikeops.movement import FIRES_HERE, STANDING, WALK, question_rates
from sandtable.rulesets.strikeops.shooting.reactions import DEFENSIVE_FIRE, DEFENSIVE_FIRE_WEAPONS, WATCH, WATCH_WEAPONS
from sandtable.rulesets.strikeops.shooting.rolling import FULL_AUTO_ASKED, likeliest
from sandtable.rulesets.strikeops.state_names import CountName, StateName
from sandtable.rulesets.strikeops.states import is_down
from sandtable.rulesets.strikeops.tactics.command import inspirations, rallies, skips, spendings
from sandtable.rulesets.strikeops.tactics.deploy import deployments
from sandtable.rulesets.strikeops.tactics.errands import bounty, goals, runs
from sandtable.rulesets.strikeops.tactics.fire import KEPT, Volley, guns, price, thought, value
from sandtable.rulesets.strikeops.tactics.imagined import imagined
from sandtable.rulesets.strikeops.tactics.places import danger, refused, walks
from sandtable.rulesets.strikeops.tactics.squads import bearings, draft, near_foes, squad_plan, standing_fire
from sandtable.rulesets.strikeops.victory import surviving
from sandtable.tabletop.opponent import Choice, Goal, Idea, Skill, Tactics, summed
from sandtable.tabletop.scouting.strolls import length_of
from sandtable.tabletop.weights import weights_of

#: How much of its own activation a model gives up with defensive fire, in hundredths of what it could do then.
GIVEN_UP = 70


class StrikeOpsTactics(Tactics):
    """The tactics of Strike Operations. They keep nothing: all is found in the view."""

    weights = weights_of(__package__ or "")
    playouts = 16

    def rate(self, view: View, question: AnyQuestion, skill: Skill, intention: object) -> Sequence[Choice]:
        """The answers worth thinking of."""
        return tuple(_ideas(view, question, skill))

    def features(self, table: Table, side: Side) -> Mapping[str, int]:
        """What survives of a side, how many fight, stand and can fire, and how far it has come with its purpose."""
        models = [one for one in table.models(side) if in_play(one)]
        return {
            "life": sum(surviving(one) for one in models),
            "models": sum(not one.has(StateName.MISSION_KILL) for one in models),
            "steady": sum(not is_down(one) and not one.has(StateName.STUNNED) for one in models),
            "armed": sum(not one.count(CountName.TARGETING_DESTROYED) for one in models),
            "purpose": _purpose(table, side, models),
        }

    def threat(self, table: Table, attacker: Thing, victim: Thing, place: Point | None = None) -> int:
        """What the weapons of a model may be expected to do to another, from where it stands or from a place."""
        there = table if place is None else thought(table, attacker, {}, place=At(place))
        return value(victim, guns(table).volley(there, there[attacker.id], victim).points)

    def goals(self, view: View, unit: Thing) -> Sequence[Goal]:
        """Where a model, or the first of a squad, wants to be."""
        models = [unit] if unit.kind == "model" else [one for one in view.table.models() if one.unit == unit.id]
        return goals(view.table, models[0]) if models else ()

    def imagined(self, view: View, question: AnyQuestion, dice: Dice) -> State | None:
        """A state in which a question is asked, the deck shuffled anew."""
        return imagined(view, question, dice)


def _purpose(table: Table, side: Side, models: Sequence[Thing]) -> int:
    """What of a scenario's purpose a side has: models on the hill, or models that have escaped."""
    if scenario_of(table) == THE_HILL and side == defender(table):
        return sum(touches_hill(table, outline(one)) for one in models)
    if runs(table, side):
        out = [one for one in table.of_kind("model") if one.side == side and one.has(StateName.LEFT)]
        return len(out)
    if side == attacker(table):
        return 0
    return destroyed(table, attacker(table)) // 1000 if scenario_of(table) != THE_HILL else 0


def _ideas(view: View, question: AnyQuestion, skill: Skill) -> Iterator[Idea]:
    table = view.table
    match question:
        case ChooseOne(topic="activate"):
            yield from _squads(table, question, skill)
        case Plan() if question.topic == DECLARATION:
            yield from _declarations(table, question, skill)
        case ChooseOne() if question.topic == RESOLVE:
            yield from _order(table, question, skill)
        case MoveModels() if question.topic == WALK:
            yield from _walks(table, question, skill)
        case MoveModels() if question.topic == STANDING:
            yield from _facings(table, table[question.models[0]])
        case React() if question.topic == DEFENSIVE_FIRE:
            yield from _replies(table, question, skill)
        case React() if question.topic == WATCH:
            yield from _breaking_in(table, question)
        case ChooseSeveral() if question.topic in (DEFENSIVE_FIRE_WEAPONS, WATCH_WEAPONS):
            yield from _weapons(table, question)
        case ChooseOne() if question.topic == ROAD:  # as long as both agree there may be more, and the battle waits
            yield Idea("no", "no road", (("enough terrain", 1),))
        case PlaceThings() if question.topic == "deploy":
            yield from deployments(table, question)
        case ChooseOne() if question.topic == FULL_AUTO_ASKED:
            again = likeliest(view, question)
            yield Idea(again or "keep", "the lower die again" if again else "it hits", (("a hit", 1),))
        case React() if question.topic == COMMAND:
            yield from spendings(table, question)
        case Confirm() if question.topic == RALLY_ASKED:
            yield from rallies(question)
        case React() if question.topic == SKIPS:
            yield from skips(table, question, skill)
        case ChooseSeveral() if question.topic == ARRIVE:
            yield Idea(tuple(one.id for one in question.options), "all that may come", (("who is there fights", 1),))
        case ChooseOne(topic="turns"):
            for n, option in enumerate(question.options):
                yield Idea(option.id, f"{option.label} more turns", (("more time to hurt them", n),))
        case Confirm() if question.topic == "ammo-bin":
            yield Idea(True, "they are needed", (("weapons that fire", 1),))


# Who, and what -----------------------------------------------------------------------------------------------------


def _squads(table: Table, question: ChooseOne, skill: Skill) -> Iterator[Idea]:
    """Squads that can do most come first, then those that are in most danger."""
    for option in question.options:
        models = [one for one in table.models(question.side) if one.unit == option.id and in_play(one)]
        able = guns(table)
        fire = sum(standing_fire(table, one, skill) for one in models)
        fear = sum(danger(able, table, one, skill) for one in models)
        yield Idea(option.id, option.label, (("fire", fire), ("before they fire at it", fear // 2)))


def _declarations(table: Table, question: Plan, skill: Skill) -> Iterator[Idea]:
    """What the squad does together."""
    own = question.actors[: question.facts.get(OWN, len(question.actors))]
    models = [table[name] for name in own if table[name].count(CountName.AP)]
    plan = squad_plan(table, models, skill)
    inspired = inspirations(table, question.side, plan, skill)
    words = "; ".join(f"{table[name].label} {chosen.way.words}" for name, chosen in plan)
    sums = summed(chosen.parts for _, chosen in plan)
    if inspired:
        yield Idea({**draft(table, plan), **inspired}, f"{words}; inspired", (*sums.items(), ("a die more", KEPT)))
    yield Idea(draft(table, plan), words, tuple(sums.items()))


def _order(table: Table, question: ChooseOne, skill: Skill) -> Iterator[Idea]:
    """Whoever is nearest to the enemy goes first, out of the way of the others."""
    for option in question.options:
        model = table[option.id]
        foes = near_foes(table, model, skill)
        away = min((length_between(center(foe), center(model)) for foe in foes), default=0)
        yield Idea(option.id, f"{option.label} first", (("out of the others' way", -away // 1000),))


def _walks(table: Table, question: MoveModels, skill: Skill) -> Iterator[Idea]:
    """The ways, each with its fire where the attack that was declared is made best."""
    model = table[question.models[0]]
    running, rates = bool(question.facts["running"]), question_rates(model, question)
    target, fired = (question.about[1], question.about[2:]) if len(question.about) > 1 else ("", ())
    marks = bool(question.marks)
    able = guns(table)
    if question.default:
        for name, walk in question.default.items():
            yield Idea({name: walk}, "the way that it must go", (("it must", 1),))
        if model.has(StateName.MISSION_KILL):
            return
    moves = thought(table, model, {StateName.STATIONARY: None})
    now = _volley(able.volley(moves, moves[model.id], table[target], running=running), fired) if target else 0
    found = list(walks(table, model, int(question.facts["actions"]), skill, running))
    for stand in found:
        parts, there = bearings(able, table, model, stand, skill)
        if not marks:
            yield Idea({model.id: stand.walk}, stand.words, parts)
            continue
        then = 0
        if target and not stand.leaves:
            then = _volley(able.volley(there, there[model.id], there[target], running=running), fired)
        mark = length_of(stand.walk) if then > now else 0
        worth = value(table[target], max(now, then)) * (100 + bounty(table, table[target])) // 100 if target else 0
        walk = Walk(stand.walk.legs, {FIRES_HERE: mark})
        words = f"{stand.words}, firing {'there' if then > now else 'first'}"
        yield Idea({model.id: walk}, words, (("fire", worth), *parts))
    if not running:
        fear = -danger(able, moves, model, skill)
        stay = Walk((), {FIRES_HERE: 0} if marks else {})
        worth = value(table[target], now) if target else 0
        if marks and not refused(table, model, stay, rates, running):
            yield Idea({model.id: stay}, "fires from where it stands", (("fire", worth), ("danger", fear)))
        elif question.decline:
            yield Idea(None, "stays", (("danger", fear),))


def _volley(best: Volley, fired: Sequence[str]) -> int:
    """What of a volley the weapons do that were declared."""
    return best.points if set(best.weapons) <= set(fired) else best.points * len(fired) // max(1, len(best.weapons))


def _facings(table: Table, model: Thing) -> Iterator[Idea]:
    """Towards the nearest enemy."""
    wanted = next((goal for goal in goals(table, model) if goal.whom), None)
    if wanted is not None:
        turn = signed(bearing(center(model), wanted.at) - model.facing)
        yield Idea({model.id: Walk((Leg(turn),))}, f"facing {table[wanted.whom].label}", (("sees them", 1),))


# Out of turn -------------------------------------------------------------------------------------------------------


def _replies(table: Table, question: React, skill: Skill) -> Iterator[Idea]:
    """Shoot back where that does about as much as an activation of its own would, or where none may come any more."""
    able = guns(table)
    for option in question.options:
        by, _, foe = option.id.partition(" at ")
        model, against = table[by], table[foe]
        back = value(against, able.volley(table, model, against, defensive=True).points)
        hit = able.volley(table, against, model).points
        left = 1000 * (model.track - model.harm)
        later = standing_fire(table, model, skill) * max(0, left - hit) // left * GIVEN_UP // 100
        yield Idea(Reaction(option.id), option.label, (("fire", back), ("its own activation", -later)))
    yield Idea(None, "waits for its own turn", ())


def _breaking_in(table: Table, question: React) -> Iterator[Idea]:
    """Fire from Overwatch where it would hurt."""
    foe, able = table[question.about[0]], guns(table)
    for option in question.options:
        worth = value(foe, able.volley(table, table[option.id], foe).points)
        yield Idea(Reaction(option.id), option.label, (("fire", worth),))
    yield Idea(None, "waits for something better", (("a better mark", price(foe) // 20),))


def _weapons(table: Table, question: ChooseSeveral) -> Iterator[Idea]:
    """All of them, the strongest first."""
    names = tuple(option.id for option in question.options)
    yield Idea(names, "all that bear", (("fire", 1),))
