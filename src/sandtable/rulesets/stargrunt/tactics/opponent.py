"""What these rules teach bots: which answers are worth thinking of, and what each is worth by the rules' arithmetic.

Squads enter and go for the markers from cover to cover, fire at whoever that hurts most, recover and reorganise before
anything else, dig in where they stay, and assault what they have pinned. Commanders rally, call for support and pass
their actions on. What is not taught here (columns, detached elements, embarking, mines, snipers, craft in the air) is
left to chance.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from sandtable.engine.answers.judging import refused_option
from sandtable.engine.dice import Dice
from sandtable.engine.ids import Side
from sandtable.engine.questions import (
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    Option,
    PlaceThings,
    React,
)
from sandtable.engine.ruleset import Ruleset, View
from sandtable.engine.shapes import UNIT, At, Disc, Point, Spot
from sandtable.engine.state import State
from sandtable.engine.table import Table, Thing
from sandtable.field.measure import center_gap
from sandtable.rulesets.stargrunt.artillery.assets import asset
from sandtable.rulesets.stargrunt.chapter import TWO_ACTIONS
from sandtable.rulesets.stargrunt.close_assault.fights import weight
from sandtable.rulesets.stargrunt.movement.walking import away_from_home, combat_distance
from sandtable.rulesets.stargrunt.tactics import judgement
from sandtable.rulesets.stargrunt.tactics.assault import assault_worth
from sandtable.rulesets.stargrunt.tactics.command import rally_worth
from sandtable.rulesets.stargrunt.tactics.drive import best_drive, drives
from sandtable.rulesets.stargrunt.tactics.errands import observe_worth
from sandtable.rulesets.stargrunt.tactics.fire import (
    POINT,
    best_fire,
    heavy_fires,
    joining,
    nearest_few,
    shot_worth,
    support_fires,
)
from sandtable.rulesets.stargrunt.tactics.orders import BASIC, ORDERS, RECOVERY, instead, quick_worth, transfer_worth
from sandtable.rulesets.stargrunt.tactics.outlook import Outlook, outlook_of, position
from sandtable.rulesets.stargrunt.tactics.places import best_dash, best_going, entries, goings, walks_to
from sandtable.rulesets.stargrunt.tactics.reactions import reactions
from sandtable.rulesets.stargrunt.tactics.smoke import screens
from sandtable.rulesets.stargrunt.tactics.support import aims, arrival, laid, real_one, request_worth
from sandtable.rulesets.stargrunt.tactics.thoughts import Thought
from sandtable.rulesets.stargrunt.units.record import hull_of, standing
from sandtable.rulesets.stargrunt.vehicles.hulls import flies
from sandtable.tabletop.book import Book
from sandtable.tabletop.opponent import Goal, Idea, Tactics
from sandtable.tabletop.weights import weights_of

#: How many actions an activation has.
ACTIONS = TWO_ACTIONS.number("actions_per_activation")
#: What is offered beside units: nobody leaves off while somebody can act.
ENDING = {"pass-on": -POINT, "finish": -2 * POINT}
#: Questions whose answer is plain, and what it is.
PLAIN = {"follow": "follow", "short": "stay"}
CONFIRMED = {"ew-active": True, "single-round": False, "with-the-rest": True, "follow-through": False}
#: What an inch of way to the goal costs whoever enters.
INCH_OF_WAY = 100
#: How much rather attackers are let come than their numbers say: who withdraws loses his place.
STANDS = 2
#: How many drives are compared for each place of a skill where no best one is known: most may not be driven.
MORE_DRIVES = 3
#: How much sooner a mission that has arrived is fired than anything else is done that is worth as much.
HASTE = POINT


class Intention(NamedTuple):
    """Who is being activated, and how many actions it has left."""

    unit: str
    left: int


class StargruntTactics(Tactics):
    """The tactics of these rules. It keeps nothing between two questions."""

    weights = weights_of(__package__ or "")
    luck = frozenset(("figures", "wounded", "vehicles", "nerve", "broken"))
    intends = Intention
    #: Suppression is seen on the table.
    foretells = frozenset(("casualties", "nerve", "disabled", "destroyed", "assault", "what it costs"))
    playouts = 15

    def __init__(self, ruleset: Book) -> None:
        self.ruleset = ruleset

    def rate(self, view: View, question: AnyQuestion, skill: Any, intention: object) -> Sequence[Idea]:
        """The answers worth thinking of."""
        meant = intention if isinstance(intention, Intention) else Intention("", 0)
        return tuple(_choices(_Asked(self.ruleset, view, question), skill, meant))

    def charge(self, view: View, question: AnyQuestion) -> Sequence[Any]:
        """The drafts of one who goes for the nearest enemy and always fires."""
        return tuple(_charge(_Asked(self.ruleset, view, question)))

    def features(self, table: Table, side: Side) -> Mapping[str, int]:
        """What a side has in a position."""
        return judgement.features(table, side)

    def rolls_at_once(self, question: AnyQuestion) -> bool:
        """What fire and assaults may be expected to do is weighed with the action, or as fire out of turn."""
        return isinstance(question, React) or (isinstance(question, ChooseOne) and question.topic == "action")

    def threat(self, table: Table, attacker: Thing, victim: Thing, place: Point | None = None) -> int:
        """The harm that a volley of one unit may do another."""
        return judgement.threat(table, attacker, victim, place)

    def goals(self, view: View, unit: Thing) -> Sequence[Goal]:
        """What a unit wants."""
        return judgement.goals(view, unit)

    def imagined(self, view: View, question: AnyQuestion, dice: Dice) -> State | None:
        """A state in which a question is asked, what lies under enemy counters drawn."""
        return judgement.imagined(self.ruleset.menu, view, question, dice)


class _Asked(NamedTuple):
    """A question as it is put to a side, by whose rules."""

    ruleset: Ruleset
    view: View
    question: AnyQuestion

    def may(self, option: Option) -> bool:
        """Whether an option may be chosen: worked out for those that are thought of."""
        return refused_option(self.ruleset, self.view, self.question, option) is None

    def able(self, question: ChooseOne | ChooseSeveral) -> list[str]:
        """The options that may be chosen."""
        return [option.id for option in question.options if self.may(option)]

    def things(self, question: ChooseOne) -> list[Thing]:
        """The things that may be chosen."""
        return [self.view.table[name] for name in self.able(question)]


def _choices(asked: _Asked, skill: Any, meant: Intention) -> Iterator[Idea]:
    view, question, table = asked.view, asked.question, asked.view.table
    match question:
        case React():
            yield from reactions(table, question, meant)
        case ChooseOne(topic="first"):
            yield Idea(view.side, "we begin", ())
        case ChooseOne(topic="activate"):
            yield from _who_acts(asked, question)
        case ChooseOne(topic="action"):
            yield from _actions(asked, question, skill, meant)
        case ChooseOne(topic="target"):
            yield from _targets(asked, question, skill, meant)
        case ChooseSeveral(topic="weapons" | "final-weapons"):
            yield from _join(asked, question, skill, meant)
        case ChooseSeveral(topic="left-out"):
            yield Idea((), "everybody fires", (), meant)
        case ChooseOne(topic="weapon" | "support-target" | "heavy-weapon" | "heavy-target"):
            yield from _alone(table, question, meant)
        case ChooseOne(topic="receiver"):
            commander = table[question.about[0]]
            for unit in asked.things(question):
                parts = transfer_worth(table, commander, unit, skill)
                yield Idea(unit.id, unit.label, parts, Intention(unit.id, ACTIONS))
        case ChooseOne(topic="rallied"):
            commander = table[question.about[0]]
            for unit in asked.things(question):
                yield Idea(unit.id, unit.label, rally_worth(table, commander, unit), meant)
        case ChooseOne(topic="assault"):
            for foe in asked.things(question):
                parts = assault_worth(table, table[question.about[0]], foe, skill.fears)
                yield Idea(foe.id, f"assault {foe.label}", parts)
        case ChooseOne(topic="smoke"):
            for one in screens(outlook_of(table, table[question.about[0]], skill.fears, skill.objectives)):
                yield Idea(one.hour, f"{one.hour} o'clock", one.parts, meant)
        case ChooseOne(topic="observe"):
            for counter in asked.things(question):
                parts = observe_worth(table, table[question.about[0]], counter)
                yield Idea(counter.id, f"observe {counter.label}", parts, meant)
        case ChooseOne(topic="stand"):
            yield from _stand(table, question)
        case ChooseOne(topic="support" | "chits" | "warhead" | "real-point") | PlaceThings(topic="aim" | "piece-aim"):
            yield from _support(asked, question, meant)
        case Confirm() if question.topic in CONFIRMED:
            yield Idea(CONFIRMED[question.topic], "as always", (), meant)
        case ChooseOne() if question.topic in PLAIN:
            yield Idea(PLAIN[question.topic], PLAIN[question.topic], (), meant)
        case ChooseSeveral(topic="with" | "treat"):
            yield Idea(tuple(asked.able(question)), "all", (), meant)
        case _:
            yield from _ways(table, question, skill, meant)


def _ways(table: Table, question: AnyQuestion, skill: Any, meant: Intention) -> Iterator[Idea]:
    """Questions about places."""
    match question:
        case MoveModels(topic="move" | "combat-move"):
            yield from _moves(table, question, skill, meant)
            yield Idea({}, "stay", (), meant)
        case MoveModels(topic="drive"):
            outlook = outlook_of(table, table[question.about[0]], skill.fears, skill.objectives)
            best = best_drive(outlook, skill.poses)
            for drive in (
                (best,) if best is not None else islice(drives(outlook, skill.poses), MORE_DRIVES * skill.poses)
            ):
                yield Idea({drive.hull: drive.walk}, drive.label, drive.parts, meant)
            yield Idea({}, "stay", (), meant)
        case MoveModels(topic="reposition" | "take-place" | "charge") | ChooseSeveral(topic="carry" | "stay"):
            yield Idea(None, "as it comes", (), meant)
        case PlaceThings(topic="enter" | "drive-on"):
            yield from _entries(table, question, meant)
        case PlaceThings(topic="figures") if question.default is not None:
            yield Idea(None, "about their counter", (), meant)


def _moves(table: Table, question: MoveModels, skill: Any, meant: Intention) -> Iterator[Idea]:
    """Where a squad goes: what it thought best when it chose to; where that may not be, the next best."""
    unit, reach = table[question.about[0]], max(question.allowance.values(), default=0)
    outlook = outlook_of(table, unit, skill.fears, skill.objectives)
    if question.topic == "combat-move":
        best = best_dash(outlook, reach // combat_distance(1), skill.poses)
    else:
        best = best_going(outlook, reach, skill.poses)
    for one in (best,) if best is not None else islice(goings(outlook, reach, skill.poses), skill.poses):
        yield Idea(walks_to(table, unit, one.place), f"move to {one.place.label}", one.parts, meant)


def _who_acts(asked: _Asked, question: ChooseOne) -> Iterator[Idea]:
    """Whoever can do most acts first; nobody leaves off while somebody can act."""
    table = asked.view.table
    for option in filter(asked.may, question.options):
        thing = table.things.get(option.id)
        if option.id in ENDING:
            yield Idea(option.id, option.label, (("units left", ENDING[option.id]),))
        elif thing is None or thing.kind != "unit":
            support = () if thing is None else arrival(table, thing)
            yield Idea(option.id, option.label, (*support, ("before they move", HASTE)))
        else:
            yield Idea(option.id, option.label, quick_worth(table, thing), Intention(thing.id, ACTIONS))


def _actions(asked: _Asked, question: ChooseOne, skill: Any, meant: Intention) -> Iterator[Idea]:
    table, unit = asked.view.table, asked.view.table[question.about[0]]
    left = meant.left if meant.unit == unit.id else 1
    thought, hull = Thought(table, unit, skill), hull_of(table, unit.id)
    # Nobody has taught craft to fly: they fire where they can, and what else they do is left to chance.
    orders = ("fire-heavy",) if hull is not None and flies(hull) else tuple(ORDERS) if skill.plans else BASIC
    if left < ACTIONS and skill.hesitates_in(table.turn):
        orders = ("done",)
    for option in question.options:
        if option.id not in orders or (option.id in RECOVERY and not skill.recovers):
            continue
        order = ORDERS[option.id](thought) if asked.may(option) else None
        if order is not None:
            yield Idea(option.id, order.label, order.parts, Intention(unit.id, left - 1))


def _targets(asked: _Asked, question: ChooseOne, skill: Any, meant: Intention) -> Iterator[Idea]:
    """At whom the squad fires: a counter, of which nothing is known, only where there is nobody else."""
    table, unit = asked.view.table, asked.view.table[question.about[0]]
    for target in nearest_few(table, unit, asked.things(question), skill.foes):
        parts = shot_worth(table, unit, target, True, joining(table, unit)) if target.kind == "unit" else ()
        yield Idea(target.id, f"fire at {target.label}", parts, meant)


def _join(asked: _Asked, question: ChooseSeveral, skill: Any, meant: Intention) -> Iterator[Idea]:
    """Support weapons join the rifles, or are kept for an action of their own where there is one left."""
    table = asked.view.table
    unit, target = table[question.about[0]], table[question.about[1]]
    able = tuple(one for one in asked.able(question) if one in joining(table, unit))[: skill.together - 1]
    if target.kind != "unit":
        yield Idea(able, "all join", (), meant)
        return
    yield Idea(able, "all join", shot_worth(table, unit, target, True, able), meant)
    if meant.left > 0 and question.topic == "weapons":
        later = best_fire([one for one in support_fires(table, unit) if one.using[0] in able])
        rest = instead(table, unit, skill) if later is not None else 0
        kept = (("fire later", later.worth), ("instead of", -rest)) if later is not None else ()
        yield Idea((), "they fire by themselves", (*shot_worth(table, unit, target, True, ()), *kept), meant)


def _alone(table: Table, question: ChooseOne, meant: Intention) -> Iterator[Idea]:
    """Which weapon fires alone, and at whom."""
    unit = table[question.about[0]]
    heavy = question.topic.startswith("heavy")
    fires = heavy_fires(table, unit) if heavy else support_fires(table, unit)
    at_whom = len(question.about) > 1
    for one in fires:
        if not at_whom:
            yield Idea(one.using[0], f"fire at {table[one.target].label}", one.parts, meant)
        elif one.using[0] == question.about[1]:
            yield Idea(one.target, f"fire at {table[one.target].label}", one.parts, meant)


def _support(asked: _Asked, question: ChooseOne | PlaceThings, meant: Intention) -> Iterator[Idea]:
    """Which support, with how many chits, what it fires, and where it falls."""
    table, unit = asked.view.table, asked.view.table[question.about[0]]
    if question.topic == "support" and isinstance(question, ChooseOne):
        for one in asked.things(question):
            yield Idea(one.id, f"call for {one.label}", request_worth(table, unit, one), meant)
        return
    thing = table[question.about[1]]
    best = next(iter(aims(table, unit, thing)), None) if not asset(thing).vehicle else None
    match question:
        case ChooseOne(topic="chits"):
            for option in question.options:
                parts = request_worth(table, unit, thing, int(option.id))
                yield Idea(option.id, f"{option.id} chits", parts, meant)
        case ChooseOne(topic="real-point"):
            yield Idea(
                question.options[real_one(table, thing, len(question.options))].id, "the one that hurts", (), meant
            )
        case ChooseOne():
            yield Idea(None if best is None else best.warhead, "what hurts most", (), meant)
        case PlaceThings(topic="piece-aim") if best is not None:
            yield Idea({thing.id: Spot(At(best.at))}, "where it hurts most", best.parts, meant)
        case PlaceThings(topic="aim") if best is not None:
            yield Idea(laid(table, unit, thing, question.things), "where it hurts most", best.parts, meant)
        case _:
            yield Idea(None, "as it comes", (), meant)


def _stand(table: Table, question: ChooseOne) -> Iterator[Idea]:
    """Stand where the attackers are not many more."""
    mine = weight(standing(table, question.about[0]))
    theirs = sum(weight(standing(table, name)) for name in question.about[1:])
    yield Idea("stand", "stand", (("numbers", POINT * (STANDS * mine - theirs)),))
    yield Idea("withdraw", "withdraw", ())


def _entries(table: Table, question: PlaceThings, meant: Intention) -> Iterator[Idea]:
    """Enter where the way to the goal is shortest, and friends do not stand already."""
    unit, name = table[question.about[0]], question.things[0]
    strip = question.where[""].inside[0]
    if isinstance(strip, Disc):
        return
    facing = away_from_home(table, unit.side) if question.topic == "drive-on" else 0
    for at, away in entries(table, unit, strip.points):
        parts = (("ground", -away * INCH_OF_WAY // UNIT),)
        yield Idea({name: Spot(At(at), facing)}, f"enter at {at.x // UNIT}″", parts, meant)


def _charge(asked: _Asked) -> Iterator[Any]:
    """Enter, fire, else go straight at the nearest enemy."""
    question, table = asked.question, asked.view.table
    match question:
        case ChooseOne(topic="action"):
            able = asked.able(question)
            wanted = ("enter", "drive-on", "remove-panic", "remove-suppression", "fire", "fire-heavy", "fire-support")
            yield from (one for one in (*wanted, "reorganise", "move", "drive") if one in able)
        case ChooseOne(topic="target" | "support-target" | "heavy-target"):
            unit = table[question.about[0]]
            foes = sorted(asked.things(question), key=lambda foe: (_gap(table, unit, foe), foe.id))
            yield from (foe.id for foe in foes)
        case ChooseSeveral(topic="weapons"):
            yield joining(table, table[question.about[0]])
        case MoveModels(topic="move"):
            unit = table[question.about[0]]
            outlook = Outlook(table, unit, fears=False)
            goal = min((foe.at for foe in outlook.foes), key=lambda at: center_gap(at, outlook.here), default=None)
            outlook.goal = goal or outlook.goal
            for one in islice(goings(outlook, max(question.allowance.values(), default=0), 2), 2):
                yield walks_to(table, unit, one.place)


def _gap(table: Table, unit: Thing, foe: Thing) -> int:
    return center_gap(position(table, unit), position(table, foe))
