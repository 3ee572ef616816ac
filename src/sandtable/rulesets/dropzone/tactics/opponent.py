"""Which answers are worth thinking of, and what each is worth by the rules' own pools."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec
from msgspec.structs import replace

from sandtable.engine.dice import Dice
from sandtable.engine.ids import Side
from sandtable.engine.questions import (
    Allocate,
    AnyQuestion,
    ChooseOne,
    ChooseSeveral,
    Confirm,
    MoveModels,
    Option,
    PlaceThings,
    Plan,
    React,
    Reaction,
)
from sandtable.engine.ruleset import View
from sandtable.engine.shapes import UNIT, At, In, Leg, Point, Spot, Walk
from sandtable.engine.state import State
from sandtable.engine.table import Table, Thing
from sandtable.field.ground import box_of
from sandtable.field.measure import bearing, gap_to_point
from sandtable.field.outlines import base_radius
from sandtable.field.walking.paths import length_between
from sandtable.rulesets.dropzone.aircraft.fast import FAST_TOPIC
from sandtable.rulesets.dropzone.aircraft.flying import (
    DOWN,
    FLIGHT_TOPIC,
    FLY_ON,
    IN_THE_AIR,
    LAND,
    LANDING_TOPIC,
    LOAD_TOPIC,
)
from sandtable.rulesets.dropzone.aircraft.lines import least, leaves_table
from sandtable.rulesets.dropzone.aircraft.loading import WHICH
from sandtable.rulesets.dropzone.aircraft.reactions import REACTION, reaction_shots
from sandtable.rulesets.dropzone.basics import edge_name, edges
from sandtable.rulesets.dropzone.behemoths.strides import STRIDE, crushed_squads
from sandtable.rulesets.dropzone.command.playing import CARD_TOPIC
from sandtable.rulesets.dropzone.garrisons import INSIDE_TOPIC, LEAVE, SLOTS, in_a_garrison
from sandtable.rulesets.dropzone.movement.arriving import ARRIVE, inward, own_edge
from sandtable.rulesets.dropzone.movement.paths import WALK, full_move
from sandtable.rulesets.dropzone.movement.placing import PLACE, refused_out
from sandtable.rulesets.dropzone.movement.ways import AFTERWARDS, STAY
from sandtable.rulesets.dropzone.objectives import CLAIMED, SCAN, SEARCH, objectives, search_check, to_search
from sandtable.rulesets.dropzone.rounds import (
    AUXILIARY_TOPIC,
    BATTLEGROUPS,
    DONE,
    GIVE_AWAY,
    MOVING,
    SQUAD,
    must_act,
    with_transports,
)
from sandtable.rulesets.dropzone.shooting.aiming import Shot, refused
from sandtable.rulesets.dropzone.shooting.firing import SHOOTING, SHOTS, shots_in
from sandtable.rulesets.dropzone.tactics.cards import card_ideas
from sandtable.rulesets.dropzone.tactics.errands import goals
from sandtable.rulesets.dropzone.tactics.fire import best_volley
from sandtable.rulesets.dropzone.tactics.imagined import imagined
from sandtable.rulesets.dropzone.tactics.ways import STEP, arrived, nearest_enemy, prospects, seen_from, sets_down
from sandtable.rulesets.dropzone.tactics.worth import POINT, expected, price, value_of_damage
from sandtable.rulesets.dropzone.transports import ride_of
from sandtable.rulesets.dropzone.units import FAST, card, coherency_distance, flies, inside, is_fast, units_on_table
from sandtable.tabletop.actions import ACTION
from sandtable.tabletop.opponent import Choice, Goal, Idea, Reasons, Skill, Tactics
from sandtable.tabletop.walking import track_of
from sandtable.tabletop.weights import weights_of

#: What a way that must be gone is worth, what finding an Objective is, and what comes after everything else.
MUST, FIND, LAST = 20000, 8000, -100000
#: What is looked at where a way that was found before may be gone no more.
BRIEF = Skill(poses=0)


class Meant(msgspec.Struct, frozen=True):
    """The ways for which a squad makes a Moving action: found when it chose to, gone when it is asked."""

    squad: str
    walks: dict[str, Walk]


class DropzoneTactics(Tactics):
    """The tactics of Dropzone. They keep nothing: all is found in the view."""

    weights = weights_of(__package__ or "")
    playouts = 16
    intends = Meant

    def rate(self, view: View, question: AnyQuestion, skill: Skill, intention: object) -> Sequence[Choice]:
        """The answers worth thinking of, and at last what would be done without thinking."""
        if isinstance(intention, Meant) and question.topic in (WALK, FLIGHT_TOPIC):
            if isinstance(question, MoveModels) and set(question.models) == set(intention.walks):
                return (Idea(intention.walks, "as it meant to", (("on the way", MUST),)), *_ways(view, question, BRIEF))
        found = (*_ideas(view, question, skill), *_without_thinking(question))
        if question.topic == CARD_TOPIC:  # whoever plays a card still means to go where he meant to
            return [replace(one, intention=intention) for one in found]
        return found

    def features(self, table: Table, side: Side) -> Mapping[str, int]:
        """Army points that stand, how hurt they are, and Objectives that are claimed."""
        units = [one for one in table.models(side) if not one.gone]
        return {
            "points": sum(card(one).points for one in units),
            "whole": sum(card(one).points * (one.track - one.harm) // max(1, one.track) for one in units),
            "objectives": sum(one.value(CLAIMED) == side for one in objectives(table)),
            "score": table.scores.get(side, 0),
        }

    def threat(self, table: Table, attacker: Thing, victim: Thing, place: Point | None = None) -> int:
        """What the weapons of a unit may be expected to do to another from where it stands."""
        shots = [Shot(attacker.id, one.id, victim.id) for one in card(attacker).weapons]
        able = [shot for shot in shots if refused(table, shot) is None]
        return value_of_damage(table, attacker.side, victim, sum(expected(table, shot) for shot in able))

    def goals(self, view: View, unit: Thing) -> Sequence[Goal]:
        """Where a squad, or the squad of a unit, wants to be."""
        return goals(view.table, view.table[unit.unit] if unit.kind == "model" else unit)

    def imagined(self, view: View, question: AnyQuestion, dice: Dice) -> State | None:
        """A state in which a question is asked, hands and decks dealt anew."""
        return imagined(view, question, dice)


def _ideas(view: View, question: AnyQuestion, skill: Skill) -> Iterator[Idea]:
    table = view.table
    match question:
        case ChooseOne(topic="battlegroup") if question.topic == BATTLEGROUPS:
            yield from _groups(view, question, skill)
        case ChooseOne() if question.topic == SQUAD:
            yield from (_squad(view, one, skill) for one in question.options)
        case ChooseOne() if question.topic == ACTION:
            yield from _actions(view, table[question.about[0]], question.options, skill)
        case Plan() if question.topic == SHOTS:
            yield from _volleys(view, question, skill)
        case ChooseOne() if question.topic == LANDING_TOPIC:
            yield from _landing(table, table[question.about[0]], question.options)
        case ChooseOne() if question.topic == LOAD_TOPIC:
            yield Idea(
                DOWN, "out with them", (("nearer", 2 * STEP if arrived(table, table[question.about[0]]) else -STEP),)
            )
        case ChooseOne() if question.topic == AFTERWARDS:
            yield from _afterwards(table, table[question.about[0]], question.options)
        case MoveModels() if question.topic in (WALK, FLIGHT_TOPIC):
            yield from _ways(view, question, skill)
        case MoveModels() if question.topic == STRIDE:
            yield from _strides(view, table[table[question.models[0]].unit], skill)
        case MoveModels() if question.topic == FAST_TOPIC:
            yield from _straight(view, table[table[question.models[0]].unit], skill)
        case ChooseSeveral() if question.topic in (AUXILIARY_TOPIC, WHICH):
            yield Idea(tuple(one.id for one in question.options), "all of them", (("there is something to do", STEP),))
        case React() if question.topic == CARD_TOPIC:
            yield from card_ideas(table, question)
        case ChooseOne() if question.topic == INSIDE_TOPIC:
            yield from _inside(table, table[question.about[0]], question.options)
        case Allocate() if question.topic == SLOTS:
            yield from _edges(table, question)
        case PlaceThings() if question.topic == PLACE:
            yield from _beside(table, question)
        case PlaceThings() if question.topic == ARRIVE:
            yield from _arrivals(table, table[question.about[0]], question)
        case React() if question.topic == REACTION:
            yield from _reactions(table, question)
        case Confirm() if question.topic == GIVE_AWAY:
            yield Idea(False, "first blow")


# Who, and what -----------------------------------------------------------------------------------------------------


def _groups(view: View, question: ChooseOne, skill: Skill) -> Iterator[Idea]:
    """Battlegroups that can do most come first."""
    table = view.table
    for option in question.options:
        if option.id not in table.things:
            yield Idea(option.id, option.label)
            continue
        squads_ = with_transports(table, table[option.id])
        fire = sum(best_volley(table, one, skill)[1] for one in squads_)
        yield Idea(option.id, option.label, (("fire", fire), ("there is something to do", STEP)))


def _squad(view: View, option: Option, skill: Skill) -> Idea:
    """Who carries others goes first, then who does most; to end the activation comes last."""
    if option.id == DONE:
        return Idea(option.id, option.label)
    squad = view.table[option.id]
    carries = sum(len(inside(view.table, one.id)) for one in view.table.members(squad.id))
    return Idea(
        option.id,
        option.label,
        (("fire", best_volley(view.table, squad, skill)[1]), ("carries", MUST * bool(carries)), ("acts", 1)),
    )


def _actions(view: View, squad: Thing, options: Sequence[Option], skill: Skill) -> Iterator[Idea]:
    """What each action brings: to move first and fire from a better place, to fire at once, or something else."""
    table = view.table
    move, then, walks = _wish_to_move(table, squad, skill)
    for option in options:
        if option.id == MOVING:
            yield Idea(option.id, option.label, move, Meant(squad.id, walks) if walks else None)
        elif option.id == SHOOTING:
            worth = best_volley(table, squad, skill)[1]
            yield Idea(option.id, option.label, (("fire", worth), *then) if worth else ())
        elif option.id == SEARCH and to_search(table, squad) and skill.objectives:
            chance = search_check(table, squad, to_search(table, squad)[0], 0).chances().get(True, Fraction(0))
            yield Idea(option.id, option.label, (("an Objective", int(FIND * chance)),))
        elif option.id == SCAN:
            yield Idea(option.id, option.label, (("a Scan Token", 1),))
        elif option.id == DONE:
            yield Idea(option.id, option.label, (("enough", 2),))


def _wish_to_move(table: Table, squad: Thing, skill: Skill) -> tuple[Reasons, Reasons, dict[str, Walk]]:
    """What a Moving action brings: now, and after the squad has fired; and the ways it is for."""
    if must_act(table, squad):
        return (("it must", MUST),), (), {}
    if ride_of(table, squad) is not None and not units_on_table(table, squad.id):
        return (("gets out", STEP if arrived(table, squad) else -STEP),), (), {}
    if in_a_garrison(table, squad):
        wanted = goals(table, squad)[:1]
        leaves = wanted and not _is_there(table, squad, wanted[0]) and not best_volley(table, squad, skill)[1]
        return (("elsewhere", STEP if leaves else -STEP),), (), {}
    if all(flies(one) for one in table.members(squad.id)) and sets_down(table, squad):
        return (("lets them out", 2 * STEP),), (), {}
    stay, *others = prospects(table, squad, skill)
    if not others:
        return (("nowhere to go", -STEP),), (), {}
    best = max(others, key=lambda one: one.worth)
    later = max(others, key=lambda one: one.worth - one.fire)
    gain = (later.worth - later.fire) - (stay.worth - stay.fire)
    first = ((best.words, best.progress - stay.progress), ("fire", best.fire), ("danger", stay.fear - best.fear))
    return first, (("and then away", gain),) if gain > 0 else (), best.walks


def _is_there(table: Table, squad: Thing, goal: Goal) -> bool:
    """Whether a squad is in the Garrison that it wants to be in."""
    return any(isinstance(one.place, In) and one.place.holder == _house(table, goal) for one in table.members(squad.id))


def _house(table: Table, goal: Goal) -> str:
    """The Garrison that a goal is, or lies in; empty where it is in none."""
    thing = table.things.get(goal.whom)
    if thing is None or thing.kind == "holder":
        return goal.whom
    return thing.place.holder if isinstance(thing.place, In) else ""


# Fire --------------------------------------------------------------------------------------------------------------


def _volleys(view: View, question: Plan, skill: Skill) -> Iterator[Idea]:
    """The best volley; to hold fire where there is none."""
    draft, worth = best_volley(view.table, view.table[question.about[0]], skill)
    marks = ", ".join(dict.fromkeys(view.table[shot.target].label for shot in shots_in(draft)))
    yield Idea(draft, f"at {marks}" if marks else "hold fire", (("fire", worth),) if worth else ())


def _reactions(table: Table, question: React) -> Iterator[Idea]:
    """Fire at who flies past where it would hurt, halfway along the stretch in which it may."""
    for option in question.options:
        by, _, at = option.id.partition(" at ")
        start, end = question.stretch or (0, 0)
        for share in (50, 75, 25, 100):
            along = start + (end - start) * share // 100
            shots = reaction_shots(table, table[by], table[at], along)
            points = sum(expected(table, shot) for shot in shots)
            if shots:
                worth = value_of_damage(table, question.side, table[at], points)
                yield Idea(Reaction(option.id, along), option.label, (("fire", worth),))
    yield Idea(None, "hold fire", (("a better mark", POINT),))


# Ways --------------------------------------------------------------------------------------------------------------


def _ways(view: View, question: MoveModels, skill: Skill) -> Iterator[Idea]:
    """The places that are worth most."""
    for one in prospects(view.table, view.table[view.table[question.models[0]].unit], skill):
        parts = (("fire", one.fire), ("danger", -one.fear), ("on the way", one.progress))
        yield Idea(one.walks, one.words, parts)


def _strides(view: View, squad: Thing, skill: Skill) -> Iterator[Idea]:
    """The places that are worth most to a Behemoth, with whom it crushes there."""
    table = view.table
    for one in prospects(table, squad, skill):
        crushed = 0
        for name, walk in one.walks.items():
            unit = table[name]
            for hit in crushed_squads(table, unit, track_of(unit, walk).end.point).values() if walk.legs else ():
                crushed += price(table, hit[0]) // 2 * (1 if hit[0].side != squad.side else -2)
        parts = (("fire", one.fire), ("danger", -one.fear), ("on the way", one.progress), ("crushed", crushed))
        yield Idea(one.walks, one.words, parts)


def _straight(view: View, squad: Thing, skill: Skill) -> Iterator[Idea]:
    """How far straight ahead a Fast squad fires best from, turned to the enemy; off the table is worst."""
    table, units = view.table, units_on_table(view.table, squad.id)
    foe = nearest_enemy(table, squad)
    for share in (0, 25, 50, 75, 100):
        walks: dict[str, Walk] = {
            one.id: _flight(one, least(one) + (full_move(one) - least(one)) * share // 100, foe) for one in units
        }
        off = any(leaves_table(table, one, track_of(one, walks[one.id])) for one in units)
        fire = 0 if off else seen_from(table, squad, walks, skill, "").fire
        yield Idea(walks, "straight ahead", (("fire", fire), ("stays on the table", 0 if off else STEP)))


def _flight(unit: Thing, far: int, foe: Point | None) -> Walk:
    """Straight ahead, and at the end as much of a turn to the enemy as a Fast unit may make."""
    end = track_of(unit, Walk((Leg(0, far),))).end.point
    turn = 0 if foe is None or foe == end else (bearing(end, foe) - unit.facing + 180) % 360 - 180
    most = FAST.number("turn_limit_degrees")
    return Walk((Leg(0, far), *((Leg(max(-most, min(most, turn)), 0),) if turn else ())))


def _without_thinking(question: AnyQuestion) -> Iterator[Idea]:
    """What is done where nothing better comes to mind: what the question suggests, or any of its options."""
    if question.default is not None:
        yield Idea(question.default, "as usual", (("nothing better", LAST),))
    elif isinstance(question, ChooseOne):
        yield from (Idea(one.id, one.label, (("nothing better", LAST),)) for one in question.options)


def _landing(table: Table, squad: Thing, options: Sequence[Option]) -> Iterator[Idea]:
    """Land to let passengers out, else stay in the air."""
    down = sets_down(table, squad)
    grounded = not any(option.id == IN_THE_AIR for option in options)
    for option in options:
        if option.id == LAND:
            yield Idea(LAND, option.label, (("lets them out", STEP if down or grounded else -STEP),))
        elif option.id != FLY_ON:
            yield Idea(option.id, option.label)


def _afterwards(table: Table, squad: Thing, options: Sequence[Option]) -> Iterator[Idea]:
    """Into the house that it wants to be in, or any; back into a Transport never."""
    wanted = goals(table, squad)
    for option in options:
        holder = option.id in table.things and table[option.id].kind == "holder"
        right = bool(wanted) and _house(table, wanted[0]) == option.id
        worth = 2 * STEP if holder and right else STEP if holder else 0 if option.id == STAY else -STEP
        yield Idea(option.id, option.label, (("shelter", worth),))


def _inside(table: Table, squad: Thing, options: Sequence[Option]) -> Iterator[Idea]:
    """Out of a house where it wants to be elsewhere, else to edges from which it sees more."""
    wanted = goals(table, squad)[:1]
    away = bool(wanted) and not _is_there(table, squad, wanted[0])
    for option in options:
        over = bool(wanted) and option.id == _house(table, wanted[0])
        worth = 2 * STEP if over else STEP if option.id == LEAVE and away else 0
        yield Idea(option.id, option.label, (("on the way", worth),))


def _edges(table: Table, question: Allocate) -> Iterator[Idea]:
    """To the edges that are nearest to the enemy."""
    unit = table[question.items[0].id]
    foe = nearest_enemy(table, table[unit.unit])
    piece = table.ground.piece(question.about[-1])
    if foe is None:
        return
    sides = {edge_name(n): Point((a.x + b.x) // 2, (a.y + b.y) // 2) for n, (a, b) in enumerate(edges(piece))}
    able = sorted(
        (one.id for one in question.bins if one.id in sides), key=lambda name: (length_between(sides[name], foe), name)
    )
    for edge in able:
        room = question.bin_most.get(edge, len(question.items))
        draft = {one.id: edge for one in question.items[:room]}
        draft |= {one.id: able[(able.index(edge) + 1) % len(able)] for one in question.items[room:]}
        worth = STEP - length_between(sides[edge], foe) * STEP // (64 * UNIT)
        yield Idea(draft, "towards them", (("sees them", worth),))


def _beside(table: Table, question: PlaceThings) -> Iterator[Idea]:
    """Out on the side where they want to go, one beside the other."""
    units = [table[name] for name in question.things]
    wanted = goals(table, table[units[0].unit])
    if not wanted:
        return
    shapes = question.where[""].inside
    boxes = [box_of(one) for one in shapes]
    west, north = min(box[0] for box in boxes), min(box[1] for box in boxes)
    east, south = max(box[2] for box in boxes), max(box[3] for box in boxes)
    points = [
        Point(x, y)
        for x in range(west, east + 1, UNIT // 2)
        for y in range(north, south + 1, UNIT // 2)
        if any(gap_to_point(one, Point(x, y)) <= 0 for one in shapes)
    ]
    points.sort(key=lambda at: (length_between(at, wanted[0].at), at))
    mates = [one.place.point for one in units_on_table(table, units[0].unit) if isinstance(one.place, At)]
    taken: list[tuple[Thing, Point]] = []
    for unit in units:
        near = [*mates, *(at for _, at in taken)]
        for at in points:
            together = not near or any(length_between(at, one) <= coherency_distance(unit) for one in near)
            if together and refused_out(table, unit, at, taken) is None:
                taken.append((unit, at))
                break
        else:
            return
    yield Idea({unit.id: Spot(At(at)) for unit, at in taken}, f"towards {wanted[0].what}", (("nearer", STEP),))


def _arrivals(table: Table, squad: Thing, question: PlaceThings) -> Iterator[Idea]:
    """As near to where it wants to be as the edge lets it come, all abreast."""
    wanted = goals(table, squad)
    a, b = own_edge(table, squad.side)
    along_x = a.y == b.y
    units = [table[name] for name in question.things]
    width = sum(2 * base_radius(one.base) + POINT for one in units if one.base is not None)
    length = abs(b.x - a.x) + abs(b.y - a.y)
    for goal in wanted[:3]:
        begins = a.x if along_x else a.y
        first = (goal.at.x if along_x else goal.at.y) - width // 2
        for shift in (0, 4000, -4000, 8000, -8000):
            at = min(max(first + shift, begins), max(begins, begins + length - width))
            spots = {}
            for one in units:
                radius = base_radius(one.base) if one.base is not None else 0
                point = Point(at + radius, a.y) if along_x else Point(a.x, at + radius)
                ahead = inward(table, squad.side, point) if is_fast(one) else 0
                spots[one.id] = Spot(At(point), ahead)
                at += 2 * radius + POINT
            yield Idea(spots, f"towards {goal.what}", (("nearer", STEP - abs(shift) // 100),))
